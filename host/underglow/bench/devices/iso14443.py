"""ISO/IEC 14443 type A as a tag knows it: frames bit by bit, and the states from IDLE to HALT."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import NamedTuple

CARRIER_HZ = 13_560_000

REQA, WUPA = 0x26, 0x52
SEL = (0x93, 0x95, 0x97)
HLTA = b"\x50\x00"
CASCADE_TAG = 0x88
SHORT_BITS = 7

Bit = int | None
"""On the air: 0, 1, or None where tags that answered together differ (both halves of the bit are modulated)."""


def carrier_ns(periods: int) -> int:
    """How long so many periods of the carrier last."""
    return periods * 1_000_000_000 // CARRIER_HZ


def etu_ns(bits: int) -> int:
    """How long so many bits last at 106 kbit/s."""
    return carrier_ns(128 * bits)


def request_ns(bits: Sequence[Bit]) -> int:
    """How long a reader's frame lasts: start of communication, the bits, a logic 0 and one more bit to end it."""
    return etu_ns(len(bits) + 3)


def answer_after_ns(bits: Sequence[Bit]) -> int:
    """From the start of a reader's frame to the answer's: the same for all tags, so that they answer together.

    The frame delay time counts from the last pause: 1236 periods of the carrier after a last bit 1, whose pause ends
    96 periods into it, 1172 after a 0, whose pause ends 160 periods after it began. That is the same instant.
    """
    return carrier_ns(128 * len(bits) + 96 + 1236)


def reply_ns(bits: Sequence[Bit]) -> int:
    """How long a tag's frame lasts: start of communication, the bits, one bit without subcarrier."""
    return etu_ns(len(bits) + 2)


def crc_a(data: Iterable[int], preset: int = 0x6363) -> bytes:
    """The two bytes after a standard frame, in the order they are sent."""
    crc = preset
    for byte in data:
        byte ^= crc & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = (crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4) & 0xFFFF
    return crc.to_bytes(2, "little")


def _lsb_first(byte: int, bits: int = 8) -> list[int]:
    return [byte >> k & 1 for k in range(bits)]


def frame(data: Sequence[int], last_bits: int = 0) -> tuple[int, ...]:
    """The bits of a frame in the order sent, each whole byte with odd parity; `last_bits`: so many of the last byte."""
    bits: list[int] = []
    for byte in data[:-1] if last_bits else data:
        bits += _lsb_first(byte)
        bits.append(byte.bit_count() + 1 & 1)
    if last_bits:
        bits += _lsb_first(data[-1], last_bits)
    return tuple(bits)


class Reception(NamedTuple):
    """A frame as the receiver gets it into bytes."""

    data: bytes
    #: Bits of the last byte that were received; 0: all.
    last_bits: int
    #: Where the first collision is, counted from 1 and from bit 0 of `data`; None: nowhere.
    collision: int | None
    parity_error: bool


def receive(bits: Sequence[Bit], align: int = 0, *, keep_after_collision: bool = True) -> Reception:
    """Sort the bits into bytes, the first one into bit `align`; nobody checks the parity of a byte cut that way.

    From a collision on every bit is 0, or if `keep_after_collision` only the colliding ones.
    """
    data = bytearray()
    collision: int | None = None
    parity_error = False
    place, byte = align, 0
    for bit in bits:
        if place == 8:
            wanted = (byte.bit_count() + 1) & 1
            if collision is None and bit != wanted and not (align and len(data) == 0):
                parity_error = True
            data.append(byte)
            place, byte = 0, 0
            continue
        if bit is None and collision is None:
            collision = 8 * len(data) + place + 1
        if bit and (collision is None or keep_after_collision):
            byte |= 1 << place
        place += 1
    if place:
        data.append(byte)
    return Reception(bytes(data), place % 8, collision, parity_error or place == 8)


class State(Enum):
    """The standard's names; the starred ones are `halted`: what fails there goes back to HALT, not to IDLE."""

    POWER_OFF = auto()
    IDLE = auto()
    READY = auto()
    ACTIVE = auto()
    HALT = auto()


class Kind(NamedTuple):
    """How a type of tag answers: bytes of its ATQA as sent, its SAK, and how long its UID is."""

    atqa: bytes
    sak: int
    uid_bytes: int


KINDS = {
    "ntag213": Kind(b"\x44\x00", 0x00, 7),
    "ntag215": Kind(b"\x44\x00", 0x00, 7),
    "ultralight": Kind(b"\x44\x00", 0x00, 7),
    "classic1k": Kind(b"\x04\x00", 0x08, 4),
    "desfire": Kind(b"\x44\x03", 0x20, 7),
    "triple": Kind(b"\x84\x00", 0x20, 10),
}
"""`triple` stands for the rare tags with ten bytes; the others carry the names people buy them by."""


class Tag:
    """One tag: it hears frames and answers, as ISO/IEC 14443-3 section 6 says. It has no clock and no place."""

    def __init__(self, kind: str, uid: bytes) -> None:
        """ValueError: no such kind, or no UID for it."""
        if kind not in KINDS:
            raise ValueError(f"there is no kind of tag {kind!r}; there are: {', '.join(KINDS)}")
        self._atqa, self._sak, size = KINDS[kind]
        if len(uid) != size:
            raise ValueError(f"the UID of a {kind} has {size} bytes, not {len(uid)} ({uid.hex(' ')})")
        self.kind = kind
        self.uid = uid
        self.state = State.POWER_OFF
        self.halted = False
        self._level = 0
        self._levels: list[bytes] = []
        rest = uid
        while len(rest) > 4:
            self._levels.append(bytes((CASCADE_TAG, *rest[:3])))
            rest = rest[3:]
        self._levels.append(rest)
        if rest[0] == CASCADE_TAG:
            raise ValueError(f"no UID has the cascade tag 88 where {uid.hex(' ')} has it")

    def __repr__(self) -> str:
        return f"Tag({self.kind!r}, {self.uid.hex(' ')})"

    @property
    def powered(self) -> bool:
        """Whether it has power enough to hear."""
        return self.state is not State.POWER_OFF

    def power(self, on: bool) -> None:
        """Come up IDLE in a field, or lose everything without one."""
        self.state = State.IDLE if on else State.POWER_OFF
        self.halted = False

    def hear(self, bits: Sequence[int]) -> tuple[int, ...] | None:
        """Take a reader's frame; the answer's bits, or None for silence."""
        if self.state is State.POWER_OFF:
            return None
        if self.state in (State.IDLE, State.HALT):
            return self._wake(bits)
        answer = self._selecting(bits) if self.state is State.READY else None
        if answer is None:
            # HLTA halts the tag that is ACTIVE; all else it cannot use sends it back to where it was woken.
            if self.state is State.ACTIVE and tuple(bits) == frame(HLTA + crc_a(HLTA)):
                self.halted = True
            self.state = State.HALT if self.halted else State.IDLE
        return answer

    def _wake(self, bits: Sequence[int]) -> tuple[int, ...] | None:
        if len(bits) != SHORT_BITS:
            return None
        command = sum(bit << k for k, bit in enumerate(bits))
        if command == WUPA or (command == REQA and self.state is State.IDLE):
            self.halted = self.state is State.HALT
            self.state = State.READY
            self._level = 0
            return frame(self._atqa)
        return None

    def _selecting(self, bits: Sequence[int]) -> tuple[int, ...] | None:
        heard = receive(bits)
        if heard.parity_error or len(heard.data) < 2 or heard.data[0] != SEL[self._level]:
            return None
        part = self._levels[self._level]
        whole = part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],))
        nvb = heard.data[1]
        if nvb == 0x70:
            if heard.last_bits or heard.data[2:] != whole + crc_a(heard.data[:7]):
                return None
            return self._select()
        known = 8 * (nvb >> 4) + (nvb & 7) - 16
        sent = 8 * len(heard.data) - (8 - heard.last_bits if heard.last_bits else 0) - 16
        if not 0 <= known == sent < 40 or nvb & 8:
            return None
        if any((heard.data[2 + k // 8] ^ whole[k // 8]) >> k % 8 & 1 for k in range(known)):
            return None
        # The byte the reader cut: its other bits, then the parity of all of it.
        answer = frame(whole)
        return answer[known + known // 8 :]

    def _select(self) -> tuple[int, ...]:
        self._level += 1
        if self._level < len(self._levels):
            sak = 0x04
        else:
            sak = self._sak
            self.state = State.ACTIVE
        return frame(bytes((sak,)) + crc_a((sak,)))
