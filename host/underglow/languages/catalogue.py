"""Message catalogues: gettext's PO files, read when somebody speaks their language.

A name changes with its place in a sentence, so a translation may have forms by case: `Tkacz | acc: Tkacza | ins:
Tkaczem`. A message asks for one in its placeholder: `Podnieś {who:acc}.` Its own case it hands on as `{who:*}`. Without
the form asked for the first one serves.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import cast

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, read_po

log = logging.getLogger(__name__)

ENGLISH = "en"
LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "pl": "Polski", "cs": "Čeština"})
"""The languages that pages speak, by code, as their speakers call them."""

CASES = ("gen", "dat", "acc", "ins", "loc", "voc")
"""Grammatical cases that a form may be for; the first form of a translation is the nominative."""

_HOME = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Forms:
    """A translation by case."""

    first: str
    others: Mapping[str, str]

    @classmethod
    def read(cls, words: str) -> Forms:
        """Read what stands in a catalogue."""
        first, *others = words.split(" | ")
        marked = [form.partition(": ") for form in others]
        return cls(first, {case: form for case, _, form in marked})

    def form(self, case: str) -> str:
        """The form for that case."""
        return self.others.get(case, self.first)


def look_up(language: str, message: str, number: int | None, case: str, book: Path | None) -> str:
    """The translation of a message, by number if it has a plural, in that case; "" where there is none."""
    forms = words(language, book).get(message)
    if not forms:
        return ""
    at = 0 if number is None else _plural(language, number)
    return forms[min(at, len(forms) - 1)].form(case)  # a language without a form for few has two


@cache
def words(language: str, book: Path | None) -> Mapping[str, tuple[Forms, ...]]:
    """The catalogue of a scenario's file, or all those of the program itself as one: translations by message."""
    if book is not None:
        return _read(catalogue_of(book, language), language)
    folders = (_HOME / "languages", *sorted(rules.parent for rules in (_HOME / "games").glob("*/rules.py")))
    return {
        message: forms for folder in folders for message, forms in _read(folder / f"{language}.po", language).items()
    }


@cache
def scripts(language: str) -> Mapping[str, list[str]]:
    """What the scripts and the HTML of pages say: messages to their forms by number. English has no need."""
    if language == ENGLISH:
        return {}
    own = _read(_HOME / "kiosk" / f"{language}.po", language)
    return {message: [form.first for form in forms] for message, forms in own.items()}


def catalogue_of(book: Path, language: str) -> Path:
    """Where the translation of a scenario's file lies."""
    return book.with_name(f"{book.stem}.{language}.po")


def read(path: Path, language: str) -> Catalog:
    """Read a PO file. OSError; ValueError: it is damaged, in one sentence with file and line."""
    try:
        with path.open("rb") as file:
            return read_po(file, locale=language, abort_invalid=True)
    except PoFileError as error:  # it counts lines from 0
        raise ValueError(f"{path}:{error.lineno + 1}: this is no PO file: {error.args[0]}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: this is no UTF-8 text") from error


def _read(path: Path, language: str) -> Mapping[str, tuple[Forms, ...]]:
    try:
        return dict(_translated(read(path, language)))
    except FileNotFoundError:
        return {}  # a scenario of one's own need not be translated
    except (OSError, ValueError) as error:
        log.warning("%s: its texts stay English", error)
        return {}


def _translated(catalogue: Catalog) -> Iterator[tuple[str, tuple[Forms, ...]]]:
    for message in catalogue:
        names = cast("tuple[str, ...]", message.id if isinstance(message.id, tuple) else (message.id,))
        forms = cast("tuple[str, ...]", message.string if isinstance(message.string, tuple) else (message.string,))
        if names[0] and all(forms) and not message.fuzzy:
            yield names[0], tuple(map(Forms.read, forms))


def _plural(language: str, number: int) -> int:
    """Which of the forms in a PO file that number takes: theirs is the order of CLDR's categories."""
    return ("one", "few", "many").index(Locale(language).plural_form(abs(number)).replace("other", "many"))
