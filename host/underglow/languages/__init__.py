"""Texts in the languages of the people at the table: said in English by the code, in others by message catalogues.

`say` makes a text. It is its English words, and remembers what it was made of, so it can be logged, compared and sent
like any string, and a page that speaks another language gets it in that language, names inflected as its sentence asks
(`spoken`). Catalogues are gettext's PO files beside what they translate: `<language>.po` for code, in the folder of the
code; `<scenario>.<language>.po` for a scenario's names, beside its file. `gather` keeps them complete.
"""

from underglow.languages.catalogue import LANGUAGES
from underglow.languages.text import (
    SILENCE,
    Said,
    Text,
    Value,
    capital,
    counted,
    joined,
    listed,
    name,
    say,
    spoken,
    together,
)

__all__ = [
    "LANGUAGES",
    "SILENCE",
    "Said",
    "Text",
    "Value",
    "capital",
    "counted",
    "joined",
    "listed",
    "name",
    "say",
    "spoken",
    "together",
]
