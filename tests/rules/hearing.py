"""Listening to a game in another language: what stays English, and which names lack a form that a sentence asks for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import cast

from underglow.languages import Text
from underglow.languages.catalogue import words
from underglow.languages.text import CAPITAL, SAME_CASE

SAME_EVERYWHERE = re.compile(r"[a-z]?\d+(, [a-z]?\d+)*|\?")
"""What needs no translation: numbers, names of spaces, and that there is no such."""

FOR_PEOPLE = ("title", "name", "says", "text", "role", "planning_top", "drawn", "discard")
"""Keys of a view under which pages find words to show."""


class Hearing:
    """Hears texts in one language.

    `faults`: what is wrong with them; `heard`: the messages that were said, `sentences`: what came of them; `cases`:
    those that were asked of each message, which is known by its words and the file it is from.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self.faults: set[str] = set()
        self.heard: set[str] = set()
        self.sentences: set[str] = set()
        self.cases: dict[tuple[str, Path | None], set[str]] = defaultdict(set)
        self._known: set[tuple[str, str, Path | None, str]] = set()

    def hear(self, said: object) -> None:
        """Hear a sentence, a button or a name; silence is none."""
        if isinstance(said, Text):
            if said and (said, said.message, said.book, "") not in self._known:
                self._hear(said, "")
                self.sentences.add(said.spoken(self.language))
        elif said:
            self.faults.add(f"{said!r} has lost what it was made of")

    def see(self, view: object, key: str = "") -> None:
        """Read a view: every word in it that is for people."""
        if isinstance(view, Mapping):
            for inner, value in cast("Mapping[str, object]", view).items():
                self.see(value, inner)
        elif isinstance(view, Sequence) and not isinstance(view, str):
            for value in cast("Sequence[object]", view):
                self.see(value, key)
        elif key in FOR_PEOPLE:
            self.hear(view)

    def _hear(self, text: Text, case: str) -> None:
        self.cases[text.message, text.book].add(case)
        if (text, text.message, text.book, case) in self._known:
            return
        self._known.add((text, text.message, text.book, case))
        self.heard.add(text.message)
        translated = words(self.language, text.book).get(text.message)
        if translated is None and any(part.isalpha() for part, *_ in Formatter().parse(text.message)):
            self.faults.add(f"{text.message!r} stays English")
        for forms in translated or ():
            form = forms.form(case)
            if case and case not in forms.others and SAME_CASE not in form:
                self.faults.add(f"{forms.first!r} has no form for {case}")
            self._inside(text, form, case)
        if translated is None:
            self._inside(text, text.message, case)

    def _inside(self, text: Text, form: str, case: str) -> None:
        """What stands in the places of a message, each in the case that this form asks for."""
        for _, place, spec, _ in Formatter().parse(form):
            value = text.args[place] if place else ""
            if isinstance(value, Text):
                asked = [case if word == SAME_CASE else word for word in (spec or "").split(",") if word != CAPITAL]
                self._hear(value, "".join(asked))
            elif place and not SAME_EVERYWHERE.fullmatch(str(value)):
                self.faults.add(f"{text.message!r} has plain words in it: {value!r}")
