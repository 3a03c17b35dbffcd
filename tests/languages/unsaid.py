"""What of a text stays English in another language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
from typing import cast

from underglow.languages import Text
from underglow.languages.catalogue import words
from underglow.languages.text import CAPITAL, SAME_CASE

SAME_EVERYWHERE = re.compile(r"\W*|\W*[a-z]?\d+(, [a-z]\d+)*\W*")
"""Numbers, and names of spaces and tokens."""


def unsaid(text: str, language: str, case: str = "") -> Iterator[str]:
    """Return what is not translated, and what has not the form that the message around it asks for."""
    if not isinstance(text, Text):
        if not SAME_EVERYWHERE.fullmatch(text):
            yield f"{text!r} is no text"
        return
    if not text:
        return
    known = words(language, text.book).get(text.message, ())
    if not known and not SAME_EVERYWHERE.fullmatch("".join(before for before, *_ in Formatter().parse(text.message))):
        yield f"{text.message!r} is not translated"
    for forms in known:
        if case and case not in forms.others and SAME_CASE not in places(forms.first).values():
            yield f"{text.message!r} has no {case}"
    for template in [forms.form(case) for forms in known] or [text.message]:
        for place, asked in places(template).items():
            value = text.args[place]
            yield from unsaid(value if isinstance(value, str) else "", language, case if asked == SAME_CASE else asked)


def places(template: str) -> Mapping[str, str]:
    """The places of a message, and the case that each asks for."""
    found = [(place, spec or "") for _, place, spec, _ in Formatter().parse(template) if place is not None]
    return {place: "".join(word for word in spec.split(",") if word != CAPITAL) for place, spec in found}


def shown(value: object, ids: frozenset[str], key: str = "") -> Iterator[str]:
    """Every string of a view that is for people: all but those under the keys `ids`."""
    if isinstance(value, Mapping):
        for inner_key, inner in cast("Mapping[str, object]", value).items():
            yield from shown(inner, ids, inner_key)
    elif isinstance(value, str):
        if key not in ids:
            yield value
    elif isinstance(value, Sequence):
        for inner in cast("Sequence[object]", value):
            yield from shown(inner, ids, key)
