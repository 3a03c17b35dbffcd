"""The host's end of the wire protocol without I/O and without a clock: bytes and times in, happenings and bytes out.

Repair follows one rule on both sides: state is sent whole to whoever does not name it back soon. Where the board is
merely slow to answer it is asked by a beat, which is short, and only its answer tells that something was lost: a line
that nobody drains is not filled with pictures that are old by the time they are seen.
"""

from __future__ import annotations

import binascii
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from underglow import wire
from underglow.languages import SILENCE, Said, Text, say

HELLO_MS = 25
BEAT_MS = 250
#: When a beat is not answered or a lamps message not named within this time, another beat asks after it.
REPEAT_MS = 20
#: Lamps that answer an occupancy come within this time; then it is named back.
ANSWER_MS = 8
#: A board that says nothing for this long is gone.
SILENT_MS = 1000


class Program(NamedTuple):
    """What a lamp does: effect (`wire.SOLID` ...), colour 0 to 255 each, period in ms, phase in 1/256 of it."""

    effect: int
    red: int
    green: int
    blue: int
    period_ms: int = 0
    phase: int = 0


DARK = Program(wire.OFF, 0, 0, 0)

#: Groups of lamps with a program each. A lamp is in at most one group; in none, it is dark. CHASE and SWEEP run along
#: their group; one of more than GROUP_LAMPS goes in equal parts, along all of which they run at once.
Picture = tuple[tuple[Program, tuple[int, ...]], ...]

_ROOM = wire.MAX_BODY - 6
GROUP_LAMPS = (_ROOM - wire.PROGRAM_BYTES - 1) // 2
"""A group of so many lamps fits one message whatever their numbers."""


@dataclass(frozen=True, slots=True)
class Up:
    """The board is there and fits: firmware version, and its boot id, which differs after every start."""

    firmware: str
    boot: int


@dataclass(frozen=True, slots=True)
class Occupied:
    """The settled state of all sensors, when it changed: the numbers of those that feel a token."""

    sensors: frozenset[int]


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was pressed (`wire.CONFIRM` ...), or the staff made their gesture."""

    button: int


#: What is wrong with a reader, by `wire.Tags.fault`: predicates of "The reader under z2".
READER_FAULTS = (
    SILENCE,
    say("does not answer"),
    say("hung and was reset"),
    say("lost its settings and was set up again"),
)


class Reading(NamedTuple):
    """What one NFC reader reads: UIDs that are there, those another reader reads as well, and its fault, if any."""

    uids: frozenset[bytes]
    disputed: frozenset[bytes]
    fault: Text


@dataclass(frozen=True, slots=True)
class Tagged:
    """What all NFC readers read, when it changed: a reading for each."""

    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class BoardFault:
    """The board reports a fault of its own, as a sentence."""

    says: Text


class Refused(Said):
    """The board speaks, but not for this host; `says` tells what to do."""


class _Beat(NamedTuple):
    """A beat that was sent, when, and the number of the last lamps message before it."""

    stamp: int
    sent_ms: float
    lamps: int


class Session:
    """One conversation with a board of `lamps` lamps at `brightness`, whose profile has CRC `profile`.

    Call `receive` with what came in, and `tick` at the latest at `due_ms`; after either, `unsent` holds the bytes to
    write.
    """

    def __init__(self, number: int, profile: int, lamps: int, brightness: int, now_ms: float) -> None:
        #: What the board's frames of this session bear.
        self.number = number
        self._profile = profile
        self._decoder = wire.Decoder(wire.TO_HOST)
        self._up = False
        self._boot = 0
        self._heard_ms = now_ms
        self._hello_ms = now_ms - HELLO_MS
        self._asked_ms = now_ms  # of the last beat, or of lamps sent since that wait to be named
        self._name_by_ms = inf
        self._occupancy = 0  # the number held, and the CRC of what it stands for
        self._occupancy_crc = 0
        self._sensors: frozenset[int] | None = None
        self._presses: bytes | None = None
        self._tags = 0  # the number held
        self._readings: dict[int, Reading] = {}  # of the number that is coming in
        self._readings_number = 0
        # What the board shows once it has taken everything sent; its number grows with every lamps message.
        self._programs = bytearray(wire.PROGRAM_BYTES * lamps)
        self._brightness = brightness
        self._lamps_number = 0
        self._lamps_named = 0
        self._whole_number = 0  # of the message in which everything was said last
        self._picture: Picture = ()
        self._stamp = 0
        self._awaited = 0  # stamp of the beat whose answer matters; the others' may come or not
        self._beats: deque[_Beat] = deque(maxlen=64)  # those not answered yet
        self.unsent = bytearray()
        self.status: wire.Status | None = None
        #: Round trips of the last beats, in ms.
        self.beat_ms: deque[float] = deque(maxlen=4096)
        #: Lamps messages repeated as a whole because something was lost.
        self.repairs = 0

    @property
    def up(self) -> bool:
        """True once the board has answered and fits."""
        return self._up

    @property
    def programs(self) -> bytes:
        """What every lamp was last told, `wire.PROGRAM_BYTES` each."""
        return bytes(self._programs)

    @property
    def skipped(self) -> int:
        """Bytes from the board that were no part of a valid frame."""
        return self._decoder.skipped

    @property
    def test_light(self) -> bool:
        """Whether the board shows its own test light, and no lamps: every other gesture of the staff turns it on."""
        return self._presses is not None and bool(self._presses[wire.STAFF] & 1)

    def silent(self, now_ms: float) -> bool:
        """True if the board has said nothing for SILENT_MS."""
        return now_ms - self._heard_ms > SILENT_MS

    def receive(self, data: bytes, now_ms: float) -> Iterator[Up | Occupied | Pressed | Tagged | BoardFault]:
        """Take bytes and yield what they mean. Refused: the board must be flashed or another profile chosen."""
        skipped = self._decoder.skipped
        for number, message in self._decoder.feed(data):
            if number == 0 and isinstance(message, wire.Welcome) and message.boot != self._boot:
                self._restart(now_ms)
                continue
            if number != self.number:
                continue  # an older session's leftovers
            self._heard_ms = now_ms
            if isinstance(message, wire.Welcome):
                if not self._up:
                    self._check(message)
                    self._up = True
                    self._boot = message.boot
                    self._send_whole(now_ms)
                    self.beat(now_ms)
                    yield Up(str(message.firmware, "ascii", "replace"), message.boot)
            elif not self._up:
                continue
            elif isinstance(message, wire.Occupancy):
                yield from self._occupied(message, now_ms)
            elif isinstance(message, wire.Tags):
                yield from self._tagged(message, now_ms)
            elif isinstance(message, wire.Status):
                self._compare(message, now_ms)
            elif isinstance(message, wire.Fault):
                detail = str(message.detail, "ascii", "replace")
                yield BoardFault(
                    say("The board's program stopped and started again: {detail}", detail=detail)
                    if message.code == wire.FAULT_CRASH
                    else say("The board refused a lamps message: {detail}", detail=detail)
                )
        if self._decoder.skipped != skipped:
            self._name_back(now_ms)  # the board waits for a sign of life before it repeats what was lost there

    @property
    def due_ms(self) -> float:
        """When `tick` has something to send."""
        if not self._up:
            return self._hello_ms + HELLO_MS
        return min(self._name_by_ms, self._asked_ms + (REPEAT_MS if self._waiting else BEAT_MS))

    def tick(self, now_ms: float) -> None:
        """Send what is due: hello until answered, then beats."""
        if now_ms < self.due_ms:
            return
        if self._up:
            self.beat(now_ms)
        else:
            self._hello_ms = now_ms
            self._send(wire.Hello(wire.PROTOCOL, wire.SCHEMA, self._profile))

    def show(self, picture: Picture, now_ms: float) -> None:
        """Light the board so; only what differs is sent."""
        picture = tuple(_fitting(picture))
        if picture == self._picture:
            return
        before = self._programs
        self._picture = picture
        self._programs = bytearray(len(before))
        for program, lamps in picture:
            wire.apply(wire.group(program, lamps), self._programs)
        if self._up:
            self._send_groups(self._changed(before), now_ms)

    def dim(self, brightness: int, now_ms: float) -> None:
        """Light the whole board at that brightness, 0 to 255."""
        if brightness == self._brightness:
            return
        self._brightness = brightness
        if self._up:
            self._send_whole(now_ms)

    def beat(self, now_ms: float) -> None:
        """Tell the board what this side holds; its `status` answers."""
        again = self._waiting and self._name_by_ms == inf
        self._stamp = self._stamp % 0xFFFF + 1
        if not again:
            self._awaited = self._stamp
        self._asked_ms = now_ms
        self._name_by_ms = inf
        self._beats.append(_Beat(self._stamp, now_ms, self._lamps_number))
        self._send(wire.Beat(self._stamp, self._lamps_number, self._occupancy, self._tags))

    @property
    def _waiting(self) -> bool:
        """Whether the board has yet to answer or to name something."""
        return self._lamps_named != self._lamps_number or any(beat.stamp == self._awaited for beat in self._beats)

    def _check(self, welcome: wire.Welcome) -> None:
        if (welcome.protocol, welcome.schema) != (wire.PROTOCOL, wire.SCHEMA):
            firmware = str(welcome.firmware, "ascii", "replace")
            raise Refused(
                say(
                    "The board runs firmware {version}, which speaks another protocol than this host; "
                    "put this version's firmware on it (underglow flash).",
                    version=firmware,
                )
            )
        if welcome.profile != self._profile:
            raise Refused(
                say(
                    "The board holds another board profile than the one chosen here; "
                    "choose the board's own with --profile, or put this profile on it (underglow flash --profile)."
                )
            )

    def _occupied(self, message: wire.Occupancy, now_ms: float) -> Iterator[Occupied | Pressed]:
        news = message.number > self._occupancy
        if news:
            self._occupancy = message.number
            self._occupancy_crc = binascii.crc32(message.sensors)
        self._name_back(now_ms)
        if not news:
            return
        sensors = frozenset(_set_bits(message.sensors))
        if sensors != self._sensors:
            self._sensors = sensors
            yield Occupied(sensors)
        presses = message.presses.to_bytes(4, "little")
        before, self._presses = self._presses or presses, presses  # those before the session are history
        for button in range(4):
            for _ in range((presses[button] - before[button]) & 0xFF):
                yield Pressed(button)

    def _tagged(self, message: wire.Tags, now_ms: float) -> Iterator[Tagged]:
        self._name_back(now_ms)
        if message.number != self._readings_number:
            self._readings_number = message.number
            self._readings.clear()
        self._readings[message.reader] = _reading(message)
        whole = self._readings.keys() >= set(range(message.readers))
        if whole and message.number > self._tags:
            self._tags = message.number
            yield Tagged(tuple(self._readings[reader] for reader in range(message.readers)))

    def _restart(self, now_ms: float) -> None:
        """The board has started anew and knows no session."""
        self._up = False
        self._occupancy = self._tags = self._readings_number = 0
        self._lamps_number = self._lamps_named = self._whole_number = 0
        self._beats.clear()
        self._sensors = self._presses = self.status = None
        self._hello_ms = now_ms - HELLO_MS
        self.tick(now_ms)

    def _compare(self, status: wire.Status, now_ms: float) -> None:
        self.status = status
        beat = self._answered(status.stamp)
        if beat:
            self.beat_ms.append(now_ms - beat.sent_ms)
        if status.lamps == self._lamps_number:
            self._lamps_named = status.lamps
            lost = status.lamps_crc != wire.picture_crc(self._programs, self._brightness)
        else:
            # The line keeps order: what was sent before the beat is gone. An older beat knows nothing of the repair.
            lost = beat is not None and status.lamps != beat.lamps >= self._whole_number
        if lost:
            self.repairs += 1
            self._send_whole(now_ms)
        if status.occupancy == self._occupancy and status.occupancy_crc != self._occupancy_crc:
            self._occupancy = 0
            self.beat(now_ms)

    def _answered(self, stamp: int) -> _Beat | None:
        """The beat that `stamp` answers; those before it are not waited for any more."""
        if any(beat.stamp == stamp for beat in self._beats):
            while (beat := self._beats.popleft()).stamp != stamp:
                pass
            return beat
        return None

    def _changed(self, before: bytearray) -> Iterator[tuple[Program, tuple[int, ...]]]:
        size = wire.PROGRAM_BYTES
        changed = {
            at // size for at in range(0, len(before), size) if before[at : at + size] != self._programs[at : at + size]
        }
        for program, lamps in self._picture:
            if program.effect in (wire.CHASE, wire.SWEEP):
                if changed.intersection(lamps):
                    yield program, lamps
            elif fresh := tuple(lamp for lamp in lamps if lamp in changed):
                yield program, fresh
            changed.difference_update(lamps)
        if changed:
            yield DARK, tuple(sorted(changed))

    def _send_whole(self, now_ms: float) -> None:
        """Say every lamp again: nothing goes dark in between."""
        lit = {lamp for _, lamps in self._picture for lamp in lamps}
        self._whole_number = self._lamps_number + 1
        dark = tuple(lamp for lamp in range(len(self._programs) // wire.PROGRAM_BYTES) if lamp not in lit)
        self._send_groups([*self._picture, (DARK, dark)], now_ms, wire.WHOLE)

    def _send_groups(self, groups: Iterable[tuple[Program, tuple[int, ...]]], now_ms: float, flags: int = 0) -> None:
        if not self._waiting:
            self._asked_ms = now_ms
        for body in _bodies(groups):
            self._lamps_number += 1
            self._send(wire.Lamps(self._lamps_number, flags, self._brightness, body))
            flags = 0
        if self._name_by_ms < inf:
            self.beat(now_ms)

    def _name_back(self, now_ms: float) -> None:
        """Tell the board what is held now, but behind the lamps that answer it: it must not make a status first.

        With more than one thing to name it is told at once: it says only so much before it hears something.
        """
        self._name_by_ms = now_ms + ANSWER_MS if self._name_by_ms == inf else now_ms

    def _send(self, message: wire.Message) -> None:
        self.unsent += wire.encode(self.number, message)


def _fitting(groups: Iterable[tuple[Program, tuple[int, ...]]]) -> Iterator[tuple[Program, tuple[int, ...]]]:
    """Cut each group into as few parts as fit a message, of one size."""
    for program, lamps in groups:
        parts = -(-len(lamps) // GROUP_LAMPS)
        for part in range(parts):
            yield program, lamps[len(lamps) * part // parts : len(lamps) * (part + 1) // parts]


def _bodies(groups: Iterable[tuple[Program, tuple[int, ...]]]) -> Iterator[bytes]:
    """Pack groups into as few lamps messages as their size allows."""
    body = b""
    for program, lamps in _fitting(groups):
        group = wire.group(program, lamps)
        if body and len(body) + len(group) > _ROOM:
            yield body
            body = b""
        body += group
    if body:
        yield body


def _reading(message: wire.Tags) -> Reading:
    uids: set[bytes] = set()
    disputed: set[bytes] = set()
    rest = message.uids
    while rest:
        size = rest[0] & wire.UID_LENGTH
        uid = rest[1 : 1 + size]
        if rest[0] & wire.HELD:
            uids.add(uid)
        if rest[0] & wire.CONFLICT:
            disputed.add(uid)
        rest = rest[1 + size :]
    fault = READER_FAULTS[min(message.fault, len(READER_FAULTS) - 1)]
    return Reading(frozenset(uids), frozenset(disputed), fault)


def _set_bits(bits: bytes) -> Iterator[int]:
    for k, byte in enumerate(bits):
        for i in range(8):
            if byte & 0x80 >> i:
                yield 8 * k + i
