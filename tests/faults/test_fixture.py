"""The fixture `faults`: each fault does to the running board what its name says, and ends with `mend`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from underglow import wire
from underglow.bench.vm import Bench
from underglow.link import Down, Happening, Link
from underglow.profile import Board
from underglow.session import Occupied, Program, Tagged, Up
from underglow.testing import Faults, Hands, Strip

UID = bytes.fromhex("04a1b2c3d4e580")


class Listener:
    """A link, and all that it told."""

    def __init__(self, board: Bench, profile: Board) -> None:
        self.profile = profile
        self.link = Link(board.port, profile)
        self.heard: list[Happening] = self.link.connect()

    def listen(self, time_s: float) -> list[Happening]:
        """What happens in that time."""
        before, until_s = len(self.heard), time.monotonic() + time_s
        while (left_s := until_s - time.monotonic()) > 0:
            self.heard += self.link.wait(left_s)
        return self.heard[before:]

    def until(self, done: Callable[[], object]) -> None:
        until_s = time.monotonic() + 5
        while not done():
            assert time.monotonic() < until_s, self.heard[-5:]
            self.heard += self.link.wait(0.01)

    @property
    def felt(self) -> set[str]:
        happenings = [happening for happening in self.heard if isinstance(happening, Occupied)]
        return {self.profile.space_of_sensor[sensor] for sensor in happenings[-1].sensors} if happenings else set()

    def read(self) -> list[bytes]:
        """The UIDs read, reader by reader."""
        happenings = [happening for happening in self.heard if isinstance(happening, Tagged)]
        return [uid for reading in happenings[-1].readings for uid in reading.uids] if happenings else []

    def count(self, kind: type) -> int:
        return sum(isinstance(happening, kind) for happening in self.heard)


@pytest.fixture
def listener(board: Bench, board_profile: Board) -> Iterator[Listener]:
    listener = Listener(board, board_profile)
    listener.listen(0.3)
    yield listener
    listener.link.close()


@pytest.mark.parametrize("faults_seed", [1, 2])
def test_a_bad_cable_both_ways_changes_nothing_in_the_end(
    listener: Listener, hands: Hands, faults: Faults, strip: Strip
) -> None:
    faults.drop(0.2)
    faults.corrupt(0.2)
    faults.duplicate(0.2)
    faults.delay(5)
    for number in range(1, 30):
        hands.place(f"h{number:02}", "figure")
        listener.link.show(((Program(wire.SOLID, number, 0, 0), (number,)),))
        listener.listen(0.02)
    listener.until(lambda: listener.felt == {"h29"})
    assert listener.link.session.skipped > 0
    faults.mend()
    listener.link.show(((Program(wire.SOLID, 0, 0, 255), (7,)),))
    listener.listen(0.1)
    strip.wait(lambda pixels: [pixel for pixel in pixels if any(pixel)] == [(0, 0, 255)])
    assert listener.count(Up) == 1
    assert listener.count(Down) == 0


def test_bytes_can_be_spoilt_too(listener: Listener, hands: Hands, faults: Faults) -> None:
    faults.corrupt(0.01, by_byte=True)
    for number in range(1, 20):
        hands.place(f"h{number:02}", "figure")
        listener.listen(0.03)
    listener.until(lambda: listener.felt == {"h19"})
    assert listener.link.session.skipped > 0


def test_a_host_that_does_not_read_for_a_while_knows_all_afterwards(
    listener: Listener, hands: Hands, faults: Faults
) -> None:
    faults.stall("to_host")
    hands.place("h01")
    assert listener.listen(0.3) == []
    faults.stall("to_host", False)
    listener.until(lambda: listener.felt == {"h01"})
    assert listener.count(Down) == 0
    with pytest.raises(ValueError, match="no way 'sideways'; there are: to_board, to_host"):
        faults.stall("sideways")


def test_a_board_that_hears_nothing_is_down_and_up_again(listener: Listener, hands: Hands, faults: Faults) -> None:
    faults.stall("to_board")
    listener.until(lambda: listener.count(Down) == 1)
    hands.place("h02")
    faults.mend()
    listener.until(lambda: listener.count(Up) == 2 and listener.felt == {"h02"})
    assert listener.count(Down) == 1


def test_a_cable_that_breaks_in_the_middle_of_a_frame(
    listener: Listener, hands: Hands, faults: Faults, board: Bench
) -> None:
    faults.cut(10)
    hands.place("h03")
    listener.until(lambda: listener.count(Down) == 1)
    assert not Path(board.port).exists()
    hands.place("h04", "magnet of h03")
    board.replug()
    listener.until(lambda: listener.count(Up) == 2 and listener.felt == {"h04"})


def test_flicker_is_no_event_but_a_stuck_switch_is_one(listener: Listener, faults: Faults, hands: Hands) -> None:
    faults.flicker(rate=0.05)
    assert listener.listen(1.0) == []
    hands.place("h05")
    listener.until(lambda: listener.felt == {"h05"})
    faults.stick("h06", occupied=True)
    listener.until(lambda: listener.felt == {"h05", "h06"})
    faults.mend()
    listener.until(lambda: listener.felt == {"h05"})
    faults.stick("h05", occupied=False)
    listener.until(lambda: not listener.felt)


def test_a_ghost_tag_is_read_where_no_token_stands(listener: Listener, faults: Faults, board: Bench) -> None:
    faults.ghost("z1", UID)
    listener.until(lambda: listener.read() == [UID])
    assert board.magnets() == {}
    faults.ghost("z2", UID)  # it wanders
    faults.mend()
    listener.until(lambda: listener.read() == [])
    faults.ghost("z1", UID)
    listener.until(lambda: listener.read() == [UID])


def test_a_brown_out_is_a_new_start_that_knows_what_stands_there(
    listener: Listener, hands: Hands, faults: Faults
) -> None:
    hands.place("h07")
    listener.until(lambda: listener.felt == {"h07"})
    boots = [happening.boot for happening in listener.heard if isinstance(happening, Up)]
    faults.brown_out(30)
    listener.heard.clear()
    listener.until(lambda: listener.count(Up) == 1 and listener.felt == {"h07"})
    assert boots != [happening.boot for happening in listener.heard if isinstance(happening, Up)]
