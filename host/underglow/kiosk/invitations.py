"""Who may sit where: codes that lead a phone to a seat, and the passes that phones get for them.

A code is for people: short, shown on the table's own page, good once and not for long. A pass is for the phone: long,
never shown, and good until the seat is freed. Here are rules only: no sockets, no clock.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from underglow.kiosk.pace import Paces
from underglow.languages import Said, say

LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""None that is taken for another: no 0 and O, no 1, I and L, no U and V."""

CODE_LETTERS = 8
"""39 bits: who tries from one address, with four codes open, needs some 30,000 years for an even chance."""

CODE_S = 600.0
PASS_S = 12 * 3600.0

PHONES = 3
"""Phones that may sit in one seat; the one that came first leaves for a fourth."""

TRIES = 5
TRIES_PER_S = 1 / 12
"""So many codes an address may try at once, then one every twelve seconds."""


class Refused(Said):
    """A code does not lead anywhere; `says` is the same whether it is wrong, used or too old."""


class TooFast(Refused):
    """An address tries too many codes."""


@dataclass(frozen=True, slots=True)
class _Code:
    text: str
    until_s: float


@dataclass(frozen=True, slots=True)
class Pass:
    """A phone's right to a seat: its key, which is not the pass itself, and until when it is good."""

    key: str
    seat: int
    until_s: float


def key_of(told: str) -> str:
    """What the table keeps of a pass: nobody can sit down with it."""
    return hashlib.sha256(told.encode()).hexdigest()


class Invitations:
    """The codes and passes of one table. A pass is told once, to its phone, and known here by its key only.

    `passes` are those of the same game before this program started; `keep` hears of all there are, when they change.
    """

    def __init__(
        self,
        now_s: Callable[[], float],
        passes: Iterable[Pass] = (),
        keep: Callable[[Collection[Pass]], None] = lambda passes: None,
    ) -> None:
        self._now_s = now_s
        self._codes: dict[int, _Code] = {}
        self._passes = {held.key: held for held in passes}  # the oldest first
        self._keep = keep
        self._tries = Paces(now_s, TRIES, TRIES_PER_S)

    @property
    def codes(self) -> Mapping[int, str]:
        """The code that leads to each seat, where there is one."""
        now_s = self._now_s()
        return {seat: code.text for seat, code in sorted(self._codes.items()) if now_s < code.until_s}

    def renew(self, seats: Collection[int]) -> None:
        """Forget what is too old or of no seat here, and see that every empty seat has a code."""
        now_s = self._now_s()
        for key, held in list(self._passes.items()):
            if now_s >= held.until_s or held.seat not in seats:
                self.leave(key)
        self._codes = {seat: code for seat, code in self._codes.items() if now_s < code.until_s and seat in seats}
        for seat in seats:
            if seat not in self._codes and not self.phones(seat):
                self.invite(seat)

    def invite(self, seat: int) -> None:
        """Give that seat a new code; its old one is good no more, its phones stay."""
        text = "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS))
        self._codes[seat] = _Code(f"{text[:4]}-{text[4:]}", self._now_s() + CODE_S)

    def enter(self, typed: str, address: str) -> str:
        """Give a phone its pass for a code, which is then used up. Refused: it leads nowhere. TooFast: not now."""
        if not self._tries.spend(address):
            raise TooFast(say("too many codes were tried: wait a minute"))
        wanted = _letters(typed).encode()
        for seat, text in self.codes.items():
            if secrets.compare_digest(_letters(text).encode(), wanted):
                del self._codes[seat]
                return self._admit(seat)
        raise Refused(
            say("that code leads to no seat: codes are good once and for ten minutes, the table shows new ones")
        )

    def seat_of(self, key: str | None) -> int | None:
        """The seat of a pass, by its key; None: it has none, or has it no more."""
        held = self._passes.get(key) if key else None
        return held.seat if held and self._now_s() < held.until_s else None

    def phones(self, seat: int) -> int:
        """How many passes there are for that seat."""
        return len(self._held(seat))

    def leave(self, key: str) -> None:
        """Forget that pass."""
        if self._passes.pop(key, None):
            self._keep(self._passes.values())

    def free(self, seat: int) -> None:
        """Forget all passes for that seat, and its code: whoever comes next needs a new one."""
        for key in self._held(seat):
            self.leave(key)
        self.invite(seat)

    def _admit(self, seat: int) -> str:
        for key in self._held(seat)[: 1 - PHONES]:
            self.leave(key)
        told = secrets.token_urlsafe(32)
        held = Pass(key_of(told), seat, self._now_s() + PASS_S)
        self._passes[held.key] = held
        self._keep(self._passes.values())
        return told

    def _held(self, seat: int) -> list[str]:
        now_s = self._now_s()
        return [key for key, held in self._passes.items() if held.seat == seat and now_s < held.until_s]


def _letters(typed: str) -> str:
    """As people type it: small letters, gaps and dashes make no difference."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())
