"""Which language a page speaks, and its words: those of its HTML and those of its scripts."""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from importlib.resources import files

from babel import negotiate_locale
from starlette.requests import HTTPConnection

from underglow.kiosk.doorway import at_home
from underglow.languages import LANGUAGES
from underglow.languages.catalogue import ENGLISH, scripts

COOKIE = "language"
"""Where a page keeps the language that was chosen on it."""

_LANG = '<html lang="en">'
_MENU = re.compile(r'<select id="language"[^>]*>')
_NAME = re.compile(r'data-say-(label|roledescription)="([^"]*)"')
_WORDS = re.compile(r'<([^<>]*?) data-say="([^"]*)"([^<>]*)>')


def spoken_there(connection: HTTPConnection, house: str | None) -> str:
    """The language of whoever asks: the one chosen on the page, else the table's own, else what the browser prefers.

    A guest's phone knows its owner better than the table does, so there the browser comes first.
    """
    chosen = connection.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    preferred = _preferred(connection.headers.get("accept-language", ""))
    home = at_home(connection.scope.get("server"), connection.scope.get("client"))
    return (house or preferred if home else preferred or house) or ENGLISH


@cache
def page(name: str, language: str) -> str:
    """A page of HTML in that language, with a menu of languages.

    Each `data-say` becomes the words of its element, `data-say-label` and `data-say-roledescription` those of ARIA.
    """
    html = (files("underglow.kiosk") / "static" / name).read_text()
    html = html.replace(_LANG, f'<html lang="{language}">')
    html = _MENU.sub(lambda found: found[0] + _options(language), html)
    html = _NAME.sub(lambda found: f'aria-{found[1]}="{_translated(found[2], language)}"', html)
    return _WORDS.sub(lambda found: f"<{found[1]}{found[3]}>{_translated(found[2], language)}", html)


@cache
def words(language: str) -> str:
    """The messages of the scripts in that language, as JSON: message to its forms by number."""
    return json.dumps(scripts(language), ensure_ascii=False, separators=(",", ":"))


def _options(language: str) -> str:
    return "".join(
        f'<option value="{code}" lang="{code}"{" selected" if code == language else ""}>{escape(called)}</option>'
        for code, called in LANGUAGES.items()
    )


def _translated(message: str, language: str) -> str:
    return escape(scripts(language).get(message, [message])[0])


def _preferred(accepted: str) -> str | None:
    """The first language of an Accept-Language header that pages speak, by its weights; None: there is none."""
    weighed = [(part.partition(";")[0].strip(), _weight(part)) for part in accepted.split(",")]
    wanted = [tag for tag, weight in sorted(weighed, key=lambda pair: -pair[1]) if tag and weight > 0]
    return negotiate_locale(wanted, list(LANGUAGES), sep="-")


def _weight(part: str) -> float:
    found = re.search(r";\s*q=([01](?:\.\d{1,3})?)\s*$", part)
    return float(found[1]) if found else 1.0
