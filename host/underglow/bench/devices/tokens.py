"""Tokens: what each carries in its foot, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from underglow.bench.devices.antenna import Antenna, Placed
from underglow.bench.devices.iso14443 import Tag
from underglow.bench.devices.magnets import Magnets

_KINDS = {4: "classic1k", 7: "ntag213", 10: "triple"}
"""The kind of tag by the length of its UID."""


class Coils(NamedTuple):
    """What of the readers reaches a place: the coil that powers a tag there, and those that merely hear it."""

    on: tuple[Antenna, ...] = ()
    near: tuple[Antenna, ...] = ()


class Tokens:
    """Every token has a name, carries a magnet, a tag or both, and is at one space, or edge of one, or nowhere.

    One nobody has spoken of carries a magnet alone. `coils` says what reaches each place that a reader's field reaches.
    """

    def __init__(self, magnets: Magnets, coils: Mapping[str, Coils]) -> None:
        self._magnets = magnets
        self._coils = coils
        self._bare: set[str] = set()  # those without a magnet
        self._tags: dict[str, Placed] = {}
        self._at: dict[str, str] = {}

    def equip(self, token: str, magnet: bool, uid: bytes | None) -> None:
        """Say what a token carries. ValueError: it stands on the board, or no tag has such a UID."""
        if token in self._at:
            raise ValueError(f"the token {token!r} stands on {self._at[token]}; lift it first")
        tag = None if uid is None else _tag(uid)
        (self._bare.discard if magnet else self._bare.add)(token)
        self._tags.pop(token, None)
        if tag:
            self._tags[token] = Placed(tag)

    def place(self, token: str, space: str, at_ns: int) -> None:
        """Set a token down, wherever it was before. ValueError: no such space."""
        self._magnets.sensor(space)
        if token not in self._bare:
            self._magnets.place(token, space)
        if tag := self._tags.get(token):
            tag.put(at_ns, *self._coils.get(space, Coils()))
        self._at[token] = space

    def lift(self, token: str, at_ns: int) -> None:
        """Take a token off the board. ValueError: it is not on it."""
        if token not in self._at:
            raise ValueError(f"the token {token!r} is not on the board; on it are: {', '.join(self._at) or 'none'}")
        del self._at[token]
        if token not in self._bare:
            self._magnets.lift(token)
        if tag := self._tags.get(token):
            tag.put(at_ns)

    def everywhere(self) -> dict[str, str]:
        """Return the space of each token that is on the board."""
        return dict(self._at)


def _tag(uid: bytes) -> Tag:
    if len(uid) not in _KINDS:
        raise ValueError(f"a UID has 4, 7 or 10 bytes, not {len(uid)} ({uid.hex(' ')})")
    return Tag(_KINDS[len(uid)], uid)
