"""What there is to translate, and whether it is; `underglow words` brings catalogues up to date.

New messages come in empty, those that nobody says any more go; the rest of each catalogue stays as its translator wrote
it. In Python a message is the first argument of `say`, or the first two of `counted`, in modules that import this
package; in JavaScript the same; in HTML what stands in `data-say` and `data-say-label` and the like.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import cast

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import write_po

from underglow import games
from underglow.languages.catalogue import CASES, ENGLISH, LANGUAGES, Forms, catalogue_of, read
from underglow.languages.text import AND, CAPITAL, SAME_CASE

HOME = Path(__file__).parent.parent
WORDS = ("title", "name", "says")
"""Keys of a scenario's file that hold words for people."""

_MAKERS = {"say": None, "counted": (1, 2), "listed": (2,)}
_IN_HTML = re.compile(r'data-say(?:-\w+)?="([^"]*)"')

_Key = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """One catalogue a language: its files by language, and the messages it has to have, each with where it is said."""

    files: dict[str, Path]
    messages: dict[_Key, list[str]]


def sources() -> Iterator[Source]:
    """The program's own words, those of its pages' scripts, of each game, of each scenario that comes with one."""
    own = [path for path in sorted(HOME.rglob("*.py")) if path.parent.parent != HOME / "games"]
    yield Source(_beside(HOME / "languages"), {AND: ["text.py"], **_said(own)})
    yield Source(_beside(HOME / "kiosk"), _said(sorted((HOME / "kiosk" / "static").iterdir())))
    for game in games.names():
        folder = HOME / "games" / game
        yield Source(_beside(folder), _said(sorted(folder.glob("*.py"))))
        for scenario in games.scenarios(game):
            yield of_scenario(games.scenario_path(game, scenario))


def of_scenario(path: Path) -> Source:
    """The words of a scenario's file. OSError, ValueError: it is no TOML."""
    files = {language: catalogue_of(path, language) for language in LANGUAGES if language != ENGLISH}
    return Source(files, {words: [where] for words, where in _written(tomllib.loads(path.read_text()), "")})


def faults(source: Source, language: str) -> Iterator[str]:
    """What is wrong with a catalogue, a sentence each: what is missing, what is too much, what does not fit."""
    path = source.files[language]
    try:
        catalogue = read(path, language)
    except OSError as error:
        yield f"{path}: cannot be read: {error.strerror}"
        return
    except ValueError as error:
        yield str(error)
        return
    there = {_key(message): message for message in catalogue if message.id}
    for key in source.messages.keys() - there.keys():
        yield f"{path}: {key!r} is missing (`underglow words` puts it in)"
    for key, message in there.items():
        if key not in source.messages:
            yield f"{path}:{message.lineno}: {key!r} is said nowhere (`underglow words` takes it out)"
        else:
            yield from (f"{path}:{message.lineno}: {key!r}: {fault}" for fault in _misfits(message))


def update(source: Source, language: str) -> None:
    """Write the catalogue anew, with what was translated. OSError; ValueError: it is damaged."""
    path = source.files[language]
    old = read(path, language) if path.exists() else Catalog()
    translated = {_key(message): message.string for message in old if message.id}
    fresh = Catalog(locale=language, header_comment="", fuzzy=False)
    for key, where in source.messages.items():
        fresh.add(key, translated.get(key), auto_comments=where)
    buffer = BytesIO()
    write_po(buffer, fresh, width=0, omit_header=True)
    path.write_bytes(b'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n' + buffer.getvalue())


def _beside(folder: Path) -> dict[str, Path]:
    return {language: folder / f"{language}.po" for language in LANGUAGES if language != ENGLISH}


def _said(paths: list[Path]) -> dict[_Key, list[str]]:
    messages: dict[_Key, list[str]] = {}
    for path in paths:
        for key in _said_in(path):
            where = messages.setdefault(key, [])
            if path.name not in where:
                where.append(path.name)
    return messages


def _said_in(path: Path) -> Iterator[_Key]:
    method = {".py": "python", ".js": "javascript"}.get(path.suffix)
    if path.suffix == ".html":
        yield from _IN_HTML.findall(path.read_text())
    elif method == "javascript" or (method and "from underglow.languages import" in path.read_text()):
        with path.open("rb") as file:
            for _, key, _, _ in extract(method, file, keywords=_MAKERS, options={"parse_template_string": True}):
                yield key


def _written(value: object, where: str) -> Iterator[tuple[str, str]]:
    """The words of a scenario's file, and the key each stands under."""
    if isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _written(inner, where)
    if isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            if key in WORDS and isinstance(inner, str):
                yield inner, where or key
            else:
                yield from _written(inner, key)


def _key(message: Message) -> _Key:
    return message.id if isinstance(message.id, str) else tuple(message.id)


def _misfits(message: Message) -> Iterator[str]:
    strings = cast("tuple[str, ...]", message.string if isinstance(message.string, tuple) else (message.string,))
    originals = (message.id,) if isinstance(message.id, str) else tuple(message.id)
    if message.fuzzy or not all(strings):
        yield "is not translated"
        return
    allowed = {place for original in originals for place, _ in _places(original)}
    for string in strings:
        forms = Forms.read(string)
        for case, form in [("", forms.first), *forms.others.items()]:
            if case and case not in CASES:
                yield f"{case!r} is no case: there are {', '.join(CASES)}"
            try:
                places = list(_places(form))
            except ValueError as error:
                yield f"{form!r}: {error}"
                continue
            for place, spec in places:
                if place not in allowed:
                    yield f"has no place {place!r}"
                for word in spec.split(",") if spec else ():
                    if word not in (*CASES, CAPITAL, SAME_CASE):
                        yield f"{{{place}:{word}}} asks for no case that there is"
            if len(originals) == 1 and {place for place, _ in places} != allowed:
                yield f"{form!r} leaves out a place: {', '.join(sorted(allowed))}"


def _places(words: str) -> Iterator[tuple[str, str]]:
    for _, place, spec, _ in Formatter().parse(words):
        if place is not None:
            yield place, spec or ""
