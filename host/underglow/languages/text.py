"""Texts: English words that know what they were made of."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import LiteralString, Self, TypeAlias, cast

from typing_extensions import override

from underglow.languages.catalogue import ENGLISH, look_up

Value: TypeAlias = "Text | str | int"
"""What a text may have in it: another text, which is translated with it, or something that is the same everywhere."""

log = logging.getLogger(__name__)

AND: LiteralString = "{others:*} and {last:*}"
"""How the last of several is joined to the others, if nothing else is said."""

CAPITAL = "capital"
SAME_CASE = "*"
"""In a placeholder: in the case that is asked of the whole."""


class Text(str):
    """English words, and what they were made of: a message of a catalogue, and what stands in its places.

    `number` decides between singular and plural, if the message has both. `book` is the file whose words these are:
    a scenario's; None: the program's own.
    """

    __slots__ = ("_english", "_spoken", "args", "book", "message", "number")

    message: str
    args: Mapping[str, Value]
    number: int | None
    book: Path | None
    _english: str
    _spoken: dict[tuple[str, str], str]

    def __new__(
        cls,
        english: str,
        args: Mapping[str, Value] | None = None,
        *,
        message: str | None = None,
        number: int | None = None,
        book: Path | None = None,
    ) -> Self:
        """Return `english.format(**args)` as a text; `message` is how catalogues know it, if not by `english`."""
        text = super().__new__(cls, english.format_map(args) if args else english)
        text.message, text.args, text.number, text.book = message or english, args or {}, number, book
        text._english, text._spoken = english, {}
        return text

    @override
    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self._english, self.args, self.message, self.number, self.book)

    @override
    def __str__(self) -> str:
        return self  # an exception, too, gives back the text it was made with

    @override
    def __format__(self, spec: str) -> str:
        """The English words; "capital" makes the first letter one, and English has no cases."""
        return _shaped(self, spec)

    def spoken(self, language: str, case: str = "") -> str:
        """The words in that language, of a name in that grammatical case; English where the catalogue lacks them."""
        if language == ENGLISH:
            return self
        known = self._spoken.get((language, case))
        if known is None:
            form = look_up(language, self.message, self.number, case, self.book) or self._english
            known = self._spoken[language, case] = self._filled(form, language, case)
        return known

    def _filled(self, form: str, language: str, case: str) -> str:
        if not self.args:
            return form
        try:
            return form.format_map({place: _Value(value, language, case) for place, value in self.args.items()})
        except (LookupError, ValueError, AttributeError) as error:  # a translator's slip must not stop a page
            log.warning("%r can't be used for %r: %s", form, self.message, error)
            return self


def _again(english: str, args: Mapping[str, Value], message: str, number: int | None, book: Path | None) -> Text:
    return Text(english, args, message=message, number=number, book=book)


class Said(Exception):
    """What is raised with one sentence for people: `says`."""

    def __init__(self, says: Text) -> None:
        super().__init__(says)
        self.says = says


class _Value:
    """What stands in a place of a message that is being said."""

    def __init__(self, value: Value, language: str, case: str) -> None:
        self._value = value
        self._language = language
        self._case = case

    @override
    def __format__(self, spec: str) -> str:
        if not isinstance(self._value, Text):
            return str(self._value)
        cases = [self._case if word == SAME_CASE else word for word in spec.split(",") if word != CAPITAL]
        return _shaped(self._value.spoken(self._language, "".join(cases)), spec)


def _shaped(words: str, spec: str) -> str:
    plain = str.__str__(words)
    return plain[:1].upper() + plain[1:] if CAPITAL in spec else plain


SILENCE = Text("")
"""Nothing to say."""


def say(message: LiteralString, **args: Value) -> Text:
    """Make a text of an English sentence with places for values: `say("Lift the {who}.", who=name)`."""
    return Text(message, args)


def counted(one: LiteralString, many: LiteralString, n: int, **args: Value) -> Text:
    """Make a text of so many things: `counted("{n} life", "{n} lives", lives)`."""
    return Text(one if n == 1 else many, {"n": n, **args}, message=one, number=n)


def name(words: str, book: Path) -> Text:
    """Make a text of what a scenario's file says: it is translated by the catalogues beside that file."""
    return Text(words, book=book)


def capital(text: Text) -> Text:
    """The text with a capital letter, as a sentence begins."""
    return Text("{text:capital}", {"text": text})


def together(*texts: Text) -> Text:
    """Sentences one after the other; those that say nothing are left out."""
    return joined(" ", [text for text in texts if text])


def joined(between: str, values: Sequence[Value]) -> Text:
    """Values in a row; `between` is the same in every language."""
    if len(values) == 1 and isinstance(values[0], Text):
        return values[0]
    places = {f"value{at}": value for at, value in enumerate(values)}
    row = [f"{{{place}:*}}" if isinstance(value, Text) else f"{{{place}}}" for place, value in places.items()]
    return Text(between.join(row), places)


def listed(texts: Sequence[Text], last: LiteralString = AND) -> Text:
    """Names in a row: "a, b and c". `last` is the message that joins the last to the others."""
    *others, end = texts
    return Text(last, {"others": joined(", ", others), "last": end}) if others else end


def spoken(value: object, language: str) -> object:
    """The JSON value with every text in it in that language."""
    if isinstance(value, Text):
        return value.spoken(language)
    if value is None or isinstance(value, str | int | float):
        return value  # most are, and to ask whether they are mappings takes long
    if isinstance(value, list | tuple):
        return [spoken(inner, language) for inner in cast("Sequence[object]", value)]
    if isinstance(value, Mapping):
        return {key: spoken(inner, language) for key, inner in cast("Mapping[str, object]", value).items()}
    return value
