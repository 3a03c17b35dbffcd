"""A table's set-up: which kinds of token stand on the board, which carry magnets, and whose tags are whose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from underglow import documents
from underglow.documents import Finding
from underglow.explain import Layout, Occupancy
from underglow.games.contract import Token
from underglow.languages import Text, Value, counted, joined, listed, say, together

_UID = re.compile("(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})")


class _File(documents.Section):
    physical: tuple[str, ...] = ("character",)
    magnets: tuple[str, ...] = ("character",)
    tags: dict[str, str] = {}  # noqa: RUF012 - a pydantic default


@dataclass(frozen=True, slots=True)
class SetUp:
    """Kinds that are `physical` (all others are shown by lamps and page only), kinds with `magnets`, tokens by tag."""

    physical: frozenset[str] = frozenset({"character"})
    magnets: frozenset[str] = frozenset({"character"})
    tags: Mapping[bytes, str] = field(default_factory=dict[bytes, str])
    _tagged: frozenset[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_tagged", frozenset(self.tags.values()))

    def felt(
        self,
        layout: Layout,
        tokens: Mapping[str, Token],
        readers: frozenset[str],
        deaf: frozenset[str] = frozenset(),
    ) -> Occupancy:
        """What the sensors would feel of that layout, with readers at those spaces; of what is `deaf`, nothing."""
        magnets: set[str] = set()
        tags: dict[str, tuple[str, ...]] = {}
        for space, here in layout.items():
            if space in deaf:
                continue
            for token in here:
                if tokens[token].kind in self.magnets:
                    magnets.add(space)
                    break
            if space in readers and (read := sorted(token for token in here if token in self._tagged)):
                tags[space] = tuple(read)
        return Occupancy(frozenset(magnets), tags)


def lead(missing: Sequence[tuple[Value, Sequence[Text]]], extra: Sequence[Value]) -> Text:
    """What to lay out next, in words: names of tokens by the space they belong on, and spaces that should be free."""
    if not missing:
        return free(joined(", ", extra))
    (space, names), *others = missing
    words = say(
        "Put {tokens} on {space}.", tokens=listed([say("the {name}", name=name) for name in names]), space=space
    )
    if left := sum(len(tokens) for _, tokens in others):
        more = counted("{n} more comes after that, in any order.", "{n} more come after that, in any order.", left)
        return together(words, more)
    return words


def free(spaces: Text) -> Text:
    """That these spaces should be free, in words."""
    return say("Nothing should stand on {spaces}: take it off.", spaces=spaces)


def load(path: Path) -> SetUp:
    """Read a set-up file. `documents.Faults` names every fault at once, with line and key."""
    file = documents.load(path, _File, check=_faults)
    tags = {bytes.fromhex(uid): token for uid, token in file.tags.items()}
    return SetUp(frozenset(file.physical), frozenset(file.magnets), tags)


def _faults(file: _File) -> Iterator[Finding]:
    for uid in file.tags:
        if not _UID.fullmatch(uid):
            yield ("tags", uid), "a UID has 4, 7 or 10 bytes: 8, 14 or 20 capital hex digits"
    for index, kind in enumerate(file.magnets):
        if kind not in file.physical:
            yield ("magnets", index), f"{kind} is not among the physical kinds"
