"""The host's end of the protocol against a peer that keeps the board's promises over a line that keeps none."""

from __future__ import annotations

import random
from binascii import crc32
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underglow import wire
from underglow.languages import Text
from underglow.session import (
    SILENT_MS,
    BoardFault,
    Occupied,
    Picture,
    Pressed,
    Program,
    Reading,
    Refused,
    Session,
    Tagged,
    Up,
)

LAMPS = 306
PROFILE = 0xC0FFEE
SOLID = Program(wire.SOLID, 1, 2, 3)
STEP_MS = 5


class Peer:
    """What `firmware/board.py` does with the link, told plainly."""

    def __init__(self) -> None:
        self.decoder = wire.Decoder(wire.TO_BOARD)
        self.session = 0
        self.lamps_number = 0
        self.brightness = 255
        self.programs = bytearray(wire.PROGRAM_BYTES * LAMPS)
        self.occupancy = (1, bytes(6))
        self.presses = 0
        self.named = 0
        self.tags_number = 0
        self.tags: tuple[bytes, ...] = ()
        self.tags_named = 0
        self.says: list[wire.Message] = []
        self.profile = PROFILE
        self.schema = wire.SCHEMA

    def move(self, bits: bytes) -> None:
        self.occupancy = (self.occupancy[0] + 1, bits)
        self.says.append(self.occupied())

    def press(self, presses: int) -> None:
        self.presses = presses
        self.move(self.occupancy[1])

    def read(self, *tags: bytes) -> None:
        self.tags_number += 1
        self.tags = tags
        self.say_tags()

    def occupied(self) -> wire.Occupancy:
        number, bits = self.occupancy
        return wire.Occupancy(number, self.presses, bits)

    def say_tags(self) -> None:
        for reader, uids in enumerate(self.tags):
            self.says.append(wire.Tags(self.tags_number, reader, len(self.tags), 0, uids))

    def hear(self, data: bytes) -> None:
        for session, message in self.decoder.feed(data):
            if isinstance(message, wire.Hello):
                self.session, self.lamps_number, self.named = session, 0, 0
                welcome = wire.Welcome(wire.PROTOCOL, self.schema, self.profile, 9, 48, LAMPS, b"0.1.0")
                self.says += [welcome, self.occupied()]
                self.tags_named = 0
            elif session == self.session and isinstance(message, wire.Lamps):
                if message.flags & wire.WHOLE or message.number == self.lamps_number + 1:
                    wire.apply(message.groups, self.programs)
                    self.brightness, self.lamps_number = message.brightness, message.number
                self.says.append(self.status(0))
            elif session == self.session and isinstance(message, wire.Beat):
                self.named, self.tags_named = message.occupancy, message.tags
                self.says.append(self.status(message.stamp))

    def status(self, stamp: int) -> wire.Status:
        crc = wire.picture_crc(self.programs, self.brightness)
        number, bits = self.occupancy
        return wire.Status(stamp, self.lamps_number, crc, number, crc32(bits), self.tags_number, 0, 0, 0, 0)

    def speak(self) -> bytes:
        if self.named != self.occupancy[0]:
            self.says.append(self.occupied())
        if self.tags_named != self.tags_number:
            self.say_tags()
        frames = b"".join(wire.encode(self.session, message) for message in self.says)
        self.says.clear()
        return frames


class Line:
    """Session and peer, and what the line does to bytes between them."""

    def __init__(self, peer: Peer | None = None, brightness: int = 255) -> None:
        self.peer = peer or Peer()
        self.session = Session(5, PROFILE, LAMPS, brightness, 0)
        self.now_ms = 0.0
        self.happened: list[Any] = []
        self.chance = random.Random(0)
        self.loss = 0.0

    def spoil(self, data: bytes) -> bytes:
        if self.chance.random() < self.loss:
            return b""
        if data and self.chance.random() < self.loss:
            at = self.chance.randrange(len(data))
            return data[:at] + bytes((self.chance.randrange(256),)) + data[at + 1 :]
        return data

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.now_ms += STEP_MS
            self.session.tick(self.now_ms)
            sent = bytes(self.session.unsent)
            self.session.unsent.clear()
            self.peer.hear(self.spoil(sent))
            self.happened += self.session.receive(self.spoil(self.peer.speak()), self.now_ms)
            sent = bytes(self.session.unsent)
            self.session.unsent.clear()
            self.peer.hear(self.spoil(sent))

    def lit(self) -> Picture:
        """What the peer shows, as single lamps."""
        size = wire.PROGRAM_BYTES
        programs = [bytes(self.peer.programs[at : at + size]) for at in range(0, len(self.peer.programs), size)]
        return tuple((Program(*_unpacked(program)), (lamp,)) for lamp, program in enumerate(programs) if program[0])


def _unpacked(program: bytes) -> tuple[int, ...]:
    effect, red, green, blue, low, high, phase = program
    return effect, red, green, blue, low | high << 8, phase


def up() -> Line:
    line = Line()
    line.step(48)
    assert line.happened == [Up("0.1.0", 9), Occupied(frozenset())]
    line.happened.clear()
    return line


def test_hello_until_answered() -> None:
    line = Line()
    line.loss = 1
    line.step(120)
    assert not line.session.up
    line.loss = 0
    line.step(48)
    assert line.session.up


def test_a_picture_is_sent_as_what_differs() -> None:
    line = up()
    line.session.show(((SOLID, (3, 4, 150)),), line.now_ms)
    first = len(line.session.unsent)
    line.step(12)
    assert line.lit() == ((SOLID, (3,)), (SOLID, (4,)), (SOLID, (150,)))
    line.session.show(((SOLID, (3, 4)),), line.now_ms)
    assert len(line.session.unsent) < first
    line.step(12)
    assert line.lit() == ((SOLID, (3,)), (SOLID, (4,)))
    assert line.session.repairs == 0


def test_the_same_picture_again_sends_nothing() -> None:
    line = up()
    line.session.show(((SOLID, (3,)),), line.now_ms)
    line.step(12)
    line.session.show(((SOLID, (3,)),), line.now_ms)
    assert not line.session.unsent


def test_a_chase_is_sent_as_a_whole_so_that_its_phases_hold() -> None:
    line = up()
    chase = Program(wire.CHASE, 9, 9, 9, 1000)
    line.session.show(((chase, (9, 8, 7, 6)),), line.now_ms)
    line.step(12)
    assert [(lamps[0], program.phase) for program, lamps in line.lit()] == [(6, 192), (7, 128), (8, 64), (9, 0)]


def test_a_picture_of_any_size_goes_over_in_several_messages() -> None:
    line = up()
    picture = tuple((Program(wire.SOLID, lamp % 256, 1, 1 + lamp // 256), (lamp,)) for lamp in range(LAMPS))
    line.session.show(picture, line.now_ms)
    line.step(12)
    assert line.lit() == picture


@pytest.mark.parametrize("effect", [wire.SOLID, wire.CHASE, wire.SWEEP])
def test_a_group_of_all_lamps_of_a_large_board_goes_over_in_parts_of_one_size(effect: int) -> None:
    line = up()
    program = Program(effect, 9, 9, 9, 1000)
    line.session.show(((program, tuple(range(LAMPS))),), line.now_ms)
    line.step(12)
    assert len(line.lit()) == LAMPS
    assert line.session.repairs == 0
    starts = [lamps[0] for seen, lamps in line.lit() if seen == program]
    assert starts == (list(range(LAMPS)) if effect == wire.SOLID else [0, 76, 153, 229])


def test_brightness_is_part_of_the_picture() -> None:
    line = Line(brightness=77)
    line.step(48)
    assert line.peer.brightness == 77


@pytest.mark.parametrize(("field", "words"), [("schema", "another protocol"), ("profile", "another board profile")])
def test_a_board_that_does_not_fit_is_refused_with_what_to_do(field: str, words: str) -> None:
    line = Line()
    setattr(line.peer, field, 1)
    with pytest.raises(Refused, match=words):
        line.step(48)


def test_public_report_old_sessions_bytes_reach_the_new_session() -> None:
    line = up()
    stale = wire.encode(4, wire.Occupancy(99, 0, b"\xff" * 6)) + wire.encode(4, wire.Status(*[9] * 10))
    assert list(line.session.receive(stale, line.now_ms)) == []
    line.step(12)
    assert line.happened == []
    assert line.session.repairs == 0


def test_a_repeated_occupancy_happens_once() -> None:
    line = up()
    line.peer.move(b"\x80" + bytes(5))
    frame = wire.encode(5, line.peer.occupied())
    assert list(line.session.receive(frame + frame, line.now_ms)) == [Occupied(frozenset({0}))]


def test_a_slow_answer_to_several_beats_is_one_repair() -> None:
    line = up()
    line.session.show(((SOLID, (3,)),), line.now_ms)
    line.session.unsent.clear()  # lost
    for _ in range(12):
        line.now_ms += STEP_MS
        line.session.tick(line.now_ms)
    assert line.session.repairs == 0
    line.step(12)
    assert line.session.repairs == 1
    assert line.lit() == ((SOLID, (3,)),)


def test_a_repair_is_not_put_off_by_further_pictures() -> None:
    line = up()
    line.session.show(((SOLID, (3,)),), line.now_ms)
    line.session.unsent.clear()  # lost
    for lamp in range(4, 12):
        line.session.show(((SOLID, (3, lamp)),), line.now_ms)
        line.step(3)
    assert line.session.repairs == 1
    assert line.lit() == ((SOLID, (3,)), (SOLID, (11,)))


def test_a_restarted_board_is_greeted_again_and_lit_as_before() -> None:
    line = up()
    line.session.show(((SOLID, (3,)),), line.now_ms)
    line.step(12)
    line.peer = Peer()
    line.peer.occupancy = (1, b"\x40" + bytes(5))
    started = wire.Welcome(wire.PROTOCOL, wire.SCHEMA, PROFILE, 10, 48, LAMPS, b"0.1.0")
    line.happened += line.session.receive(wire.encode(0, started), line.now_ms)
    line.step(18)
    assert line.happened == [Up("0.1.0", 9), Occupied(frozenset({1}))]
    assert line.lit() == ((SOLID, (3,)),)


def test_a_press_happens_once_and_those_before_the_session_never() -> None:
    line = Line()
    line.peer.presses = 0x0000FF02
    line.step(48)
    assert line.happened == [Up("0.1.0", 9), Occupied(frozenset())]
    line.happened.clear()
    line.peer.press(0x00000003)  # undo wraps from 255 to 0
    line.peer.press(0x00010003)
    line.step(12)
    assert line.happened == [Pressed(wire.CONFIRM), Pressed(wire.UNDO), Pressed(wire.HELP)]


def test_tags_of_all_readers_are_one_state() -> None:
    line = up()
    line.peer.read(b"", b"\x84\x01\x02\x03\x04\xc7ABCDEFG", b"\x47ABCDEFG")
    line.step(12)
    there, both = b"\x01\x02\x03\x04", b"ABCDEFG"
    nothing: frozenset[bytes] = frozenset()
    assert line.happened == [
        Tagged(
            (
                Reading(nothing, nothing, Text("")),
                Reading(frozenset({there, both}), frozenset({both}), Text("")),
                Reading(nothing, frozenset({both}), Text("")),
            )
        )
    ]


def test_tags_of_which_one_part_was_lost_come_again_whole() -> None:
    line = up()
    line.peer.read(b"", b"\x84\x01\x02\x03\x04")
    del line.peer.says[0]
    line.step(12)
    assert [type(happening) for happening in line.happened] == [Tagged]


def test_a_reader_that_fails_is_named() -> None:
    line = up()
    line.peer.says.append(wire.Tags(1, 0, 1, 2, b""))
    line.step()
    assert line.happened == [Tagged((Reading(frozenset(), frozenset(), Text("hung and was reset")),))]


def test_silence_is_noticed_and_not_before() -> None:
    line = up()
    start_ms = line.now_ms
    assert not line.session.silent(start_ms + SILENT_MS - STEP_MS * 60)
    assert line.session.silent(start_ms + 2 * SILENT_MS)


def test_faults_of_the_board_become_sentences() -> None:
    line = up()
    line.peer.says.append(wire.Fault(wire.FAULT_CRASH, b"OSError(5,)"))
    line.step()
    assert line.happened == [BoardFault(Text("The board's program stopped and started again: OSError(5,)"))]


pictures = st.dictionaries(st.integers(0, LAMPS - 1), st.integers(1, 200), max_size=20).map(
    lambda lamps: tuple((Program(wire.SOLID, colour, 0, 0), (lamp,)) for lamp, colour in sorted(lamps.items()))
)


@settings(max_examples=60)
@given(st.lists(st.tuples(pictures, st.binary(min_size=6, max_size=6)), max_size=12), st.integers(0, 999))
def test_whatever_the_line_loses_both_ends_agree_soon_after(news: list[tuple[Picture, bytes]], seed: int) -> None:
    line = Line()
    line.chance.seed(seed)
    line.loss = 0.4
    for picture, bits in news:
        line.session.show(picture, line.now_ms)
        line.peer.move(bits)
        line.step(12)
    line.loss = 0.0
    line.step(96)  # at most one beat and one repeat
    assert line.lit() == (news[-1][0] if news else ())
    moved = [happening.sensors for happening in line.happened if isinstance(happening, Occupied)]
    bits = int.from_bytes(line.peer.occupancy[1], "big")
    assert moved[-1] == {sensor for sensor in range(48) if bits >> 47 - sensor & 1}


u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
small = st.integers(0, 3) | u32
fits = (st.just(wire.PROTOCOL), st.just(wire.SCHEMA), st.just(PROFILE))
to_host = st.one_of(
    st.builds(wire.Welcome, *fits, small, u16, u16, st.binary(max_size=9)),
    st.builds(wire.Occupancy, small, u32, st.binary(max_size=184)),
    st.builds(wire.Tags, small, st.integers(0, 3) | u8, st.integers(0, 3) | u8, u8, st.binary(max_size=185)),
    st.builds(wire.Status, u16, small, u32, small, u32, small, u32, u32, u32, u16),
    st.builds(wire.Fault, u8, st.binary(max_size=191)),
)


@settings(max_examples=300)
@given(st.lists(st.tuples(st.sampled_from([0, 4, 5]), to_host), max_size=20))
def test_a_board_that_says_anything_at_all_never_ends_the_host(said: list[tuple[int, wire.Message]]) -> None:
    line = up()
    for number, message in said:
        line.now_ms += STEP_MS
        list(line.session.receive(wire.encode(number, message), line.now_ms))
        line.session.tick(line.now_ms)
        assert len(line.session.unsent) < 100_000
        line.session.unsent.clear()


def test_another_brightness_goes_over_whole_and_for_all_that_comes_later() -> None:
    line = up()
    line.session.show(((SOLID, (3,)),), line.now_ms)
    line.step(12)
    line.session.dim(40, line.now_ms)
    line.step(12)
    assert (line.peer.brightness, line.lit()) == (40, ((SOLID, (3,)),))
    line.session.show(((SOLID, (4,)),), line.now_ms)
    line.step(12)
    assert (line.peer.brightness, line.lit()) == (40, ((SOLID, (4,)),))
    line.session.dim(40, line.now_ms)
    assert not line.session.unsent
    assert line.session.repairs == 0


def test_every_other_gesture_of_the_staff_turns_the_test_light_on() -> None:
    line = up()
    assert not line.session.test_light
    for gestures in (1, 2, 3):
        line.peer.press(gestures << 24)
        line.step(12)
        assert line.session.test_light == bool(gestures % 2)
    assert line.happened == [Pressed(wire.STAFF)] * 3
