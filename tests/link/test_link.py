"""The link on its bad days: a real port, the real firmware, and everything that can be wrong with either."""

from __future__ import annotations

import functools
import json
import operator
import os
import pty
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import serial

from underglow import image, wire
from underglow.bench.vm import Bench
from underglow.link import Down, Happening, Link, LinkError
from underglow.profile import Board
from underglow.session import Occupied, Program, Up
from underglow.testing import Faults, Strip


def collect(link: Link, until: Callable[[list[Happening]], object], timeout_s: float = 5.0) -> list[Happening]:
    end_s = time.monotonic() + timeout_s
    happened: list[Happening] = []
    while not until(happened):
        assert time.monotonic() < end_s, happened
        happened += link.wait(0.05)
    return happened


def connected(board: Bench, board_profile: Board) -> Link:
    """A link that has heard of the empty board."""
    link = Link(board.port, board_profile)
    happened = link.connect()
    assert any(isinstance(happening, Up) for happening in happened)
    if Occupied(frozenset()) not in happened:
        collect(link, lambda so_far: Occupied(frozenset()) in so_far)
    return link


@pytest.fixture(autouse=True)
def no_thread_left() -> Any:
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def refusal(port: str, board_profile: Board, timeout_s: float = 1.0) -> str:
    with pytest.raises(LinkError) as refused:
        Link(port, board_profile).connect(timeout_s)
    sentence = str(refused.value)
    assert sentence.startswith(f"{port}: ")
    assert "\n" not in sentence
    return sentence


def test_no_such_port(board_profile: Board, tmp_path: Path) -> None:
    assert "is the board plugged in?" in refusal(str(tmp_path / "ttyACM0"), board_profile)


def test_not_a_port(board_profile: Board, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "not a serial port" in refusal(str(tmp_path / "file"), board_profile)


def test_public_report_connect_succeeds_with_no_board(board_profile: Board) -> None:
    ours, theirs = pty.openpty()
    assert "nothing answers" in refusal(os.ttyname(theirs), board_profile, 0.5)
    os.close(ours)
    os.close(theirs)


def test_something_else_on_the_port(board_profile: Board) -> None:
    ours, theirs = pty.openpty()

    def prompt() -> None:
        while os.read(ours, 1000) != b"bye":
            os.write(ours, b"Traceback (most recent call last):\r\n>>> ")

    shell = threading.Thread(target=prompt)
    shell.start()
    assert "does not speak Underglow's protocol" in refusal(os.ttyname(theirs), board_profile, 0.5)
    os.write(theirs, b"bye")
    shell.join()
    os.close(ours)
    os.close(theirs)


def test_two_hosts_on_one_port(board: Bench, board_profile: Board) -> None:
    first = connected(board, board_profile)
    assert "another program holds this port" in refusal(board.port, board_profile)
    board.place("h19")  # the first goes on
    collect(first, lambda so_far: any(isinstance(h, Occupied) for h in so_far))
    first.close()


def test_a_port_held_by_another_program(board: Bench, board_profile: Board) -> None:
    with serial.Serial(board.port, exclusive=True):
        assert "another program holds this port" in refusal(board.port, board_profile)


class TestWrongProfile:
    @pytest.fixture
    def board_files(self, board_profile: Board) -> Mapping[str, bytes]:
        files = image.board_files(board_profile)
        profile = json.loads(files["profile.json"])
        return files | {"profile.json": json.dumps(profile | {"crc": profile["crc"] ^ 1}).encode()}

    def test_is_refused_with_what_to_do(self, board: Bench, board_profile: Board) -> None:
        assert "another board profile" in refusal(board.port, board_profile)


class TestWrongSchema:
    @pytest.fixture
    def board_files(self, board_profile: Board) -> Mapping[str, bytes]:
        files = image.board_files(board_profile)
        return files | {"wire.py": files["wire.py"].replace(b'"breathe"', b'"glimmer"')}

    def test_is_refused_with_what_to_do(self, board: Bench, board_profile: Board) -> None:
        assert "speaks another protocol" in refusal(board.port, board_profile)


class TestCrash:
    """A fault in the firmware's loop."""

    @pytest.fixture
    def board_files(self, board_profile: Board) -> Mapping[str, bytes]:
        files = image.board_files(board_profile)
        broken = files["sensing.py"].replace(b"self.counting = True", b"self.counting = self.trouble")
        return files | {"sensing.py": broken}

    def test_public_report_dispatcher_dies_silently_on_the_board(self, board: Bench, board_profile: Board) -> None:
        link = connected(board, board_profile)
        board.place("h19")
        happened = collect(link, lambda so_far: any("started again" in getattr(h, "says", "") for h in so_far))
        assert "AttributeError" in str(happened)
        link.close()


@pytest.fixture
def link(board: Bench, board_profile: Board) -> Any:
    link = connected(board, board_profile)
    yield link
    link.close()


def test_a_magnet_is_heard_of(link: Link, board: Bench, board_profile: Board) -> None:
    board.place("h19")
    sensor = board_profile.space("h19").hall
    assert sensor is not None
    collect(link, lambda so_far: Occupied(frozenset({sensor})) in so_far)


def test_every_sensor_is_under_its_space(link: Link, board: Bench, board_profile: Board) -> None:
    for space in board_profile.spaces:
        board.place(space.id)
        assert space.hall is not None
        there = Occupied(frozenset({space.hall}))
        collect(link, lambda so_far: there in so_far)  # noqa: B023 - called within this round


def test_every_lamp_is_under_its_space(link: Link, strip: Strip, board_profile: Board) -> None:
    for space in board_profile.spaces:
        lamp = board_profile.lamp_of(space.id)
        link.show(((Program(wire.SOLID, 255, 0, 0), (lamp,)),))
        (pixel,) = board_profile.lamps[lamp]
        link.wait(0.02)
        only = tuple((255 if number == pixel else 0, 0, 0) for number in range(48))
        strip.wait(functools.partial(operator.eq, only))


@pytest.mark.parametrize("call", ["read", "write", "in_waiting", "close"])
def test_public_report_hang_up_during(call: str, board: Bench, board_profile: Board, pull_in: list[str]) -> None:
    """Exactly one link-down, whatever the port was just doing, and (see no_thread_left) no thread."""
    link = connected(board, board_profile)
    told: list[Happening] = []
    pull_in.append(call)
    board.place("h19")
    link.show(((Program(wire.SOLID, 1, 0, 0), (0,)),))
    if call == "close":
        link.close()
    told += collect(link, lambda so_far: any(isinstance(h, Down) for h in told + so_far))
    told += link.wait(0.5)
    assert sum(isinstance(happening, Down) for happening in told) == 1
    board.replug()
    collect(link, lambda so_far: any(isinstance(h, Up) for h in so_far))
    link.close()
    assert not pull_in


@pytest.fixture
def pull_in(board: Bench, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The name of the call of pyserial in which the cable is to be pulled next; empty once it was."""
    during: list[str] = []

    def pull(call: str) -> None:
        if during == [call]:
            during.clear()
            board.unplug()

    class Pulled(serial.Serial):
        @property
        def in_waiting(self) -> int:
            pull("in_waiting")
            return super().in_waiting

        def read(self, size: int = 1, /) -> bytes:
            pull("read")
            return super().read(size)

        def write(self, data: Any, /) -> int | None:
            pull("write")
            return super().write(data)

        def close(self) -> None:
            pull("close")
            super().close()

    monkeypatch.setattr(serial, "Serial", Pulled)
    return during


def test_public_report_hang_up_before_writing_and_closing_raises_nothing(link: Link, board: Bench) -> None:
    board.unplug()
    for red in range(1, 50):
        link.show(((Program(wire.SOLID, red, 0, 0), tuple(range(48))),))
    link.close()


def test_public_report_old_sessions_bytes_reach_the_new_session_on_a_real_port(
    board: Bench, board_profile: Board, strip: Strip
) -> None:
    with serial.Serial(board.port, timeout=5) as old:
        old.write(wire.encode(7, wire.Hello(wire.PROTOCOL, wire.SCHEMA, board_profile.crc)))
        assert b":" in old.read(1)
        board.place("h01")
        old.write(wire.encode(7, wire.Lamps(1, wire.WHOLE, 255, wire.group(Program(wire.SOLID, 9, 9, 9), range(48)))))
        board.sleep(0.1)
        old.write(wire.encode(7, wire.Beat(1, 1, 0, 0))[:-9])  # half a frame, and gone
    board.lift("magnet")
    board.place("h02")
    link = Link(board.port, board_profile)
    happened = link.connect()
    there = Occupied(frozenset({board_profile.space("h02").hall or 0}))
    happened += collect(link, lambda so_far: there in happened + so_far)
    assert [h for h in happened if isinstance(h, Occupied)][-1] == there  # it may not have felt the lift before
    link.show(((Program(wire.SOLID, 0, 255, 0), (0,)),))
    link.wait(0.1)
    strip.wait(lambda pixels: [pixel for pixel in pixels if any(pixel)] == [(0, 255, 0)])
    link.close()


class TestWriteNeverDrained:
    """A board that says so when it is to carry out a command for the second time."""

    @pytest.fixture
    def board_files(self, board_profile: Board) -> Mapping[str, bytes]:
        files = image.board_files(board_profile)
        take = b"        self._lights.take(lamps.groups)\n"
        once = b"""
        if lamps.number <= getattr(self, "done", 0):
            raise ValueError("twice")
        self.done = lamps.number
"""
        assert take in files["board.py"]
        return files | {"board.py": files["board.py"].replace(take, once + take)}

    def test_public_report_write_never_drained_then_drained(
        self, link: Link, board: Bench, faults: Faults, strip: Strip
    ) -> None:
        faults.stall("to_board")
        begun_s = time.monotonic()
        for red in range(1, 120):  # far more than the kernel takes
            link.show(((Program(wire.SOLID, red, 0, 0), tuple(range(48))),))
            if time.monotonic() - begun_s > 0.5:
                break
        link.show(((Program(wire.SOLID, 0, 0, 255), (3,)),))
        faults.stall("to_board", False)
        wanted = wire.picture_crc(bytearray(link.session.programs), 255)
        happened = collect(link, lambda _: link.session.status and link.session.status.lamps_crc == wanted)
        assert happened == []  # neither a fault nor a link-down
        strip.wait(lambda pixels: [pixel for pixel in pixels if any(pixel)] == [(0, 0, 255)])


def test_public_report_unplugged_with_external_power_and_moves_made_meanwhile(
    link: Link, board: Bench, strip: Strip, board_profile: Board
) -> None:
    link.show(((Program(wire.SOLID, 255, 0, 0), (0,)),))
    board.unplug()
    collect(link, lambda so_far: any(isinstance(h, Down) for h in so_far))
    board.place("h01")
    link.show(((Program(wire.SOLID, 0, 255, 0), (0,)),))
    board.replug()
    sensor = board_profile.space("h01").hall
    assert sensor is not None
    happened = collect(link, lambda so_far: any(isinstance(h, Occupied) for h in so_far))
    assert isinstance(happened[0], Up)
    assert Occupied(frozenset({sensor})) in happened
    strip.wait(lambda pixels: pixels[board_profile.lamps[0][0]] == (0, 255, 0))


def test_alone_the_board_shows_its_own_light(link: Link, strip: Strip) -> None:
    link.show(((Program(wire.SOLID, 255, 0, 0), (0,)),))
    link.wait(0.1)
    link.close()
    strip.wait(lambda pixels: all(any(pixel) for pixel in pixels), timeout_s=8.0)


def test_public_report_dispatcher_dies_silently_after_one_handler_raised(link: Link, board: Bench) -> None:
    """Happenings are handed out by plain calls: what a handler raises is its caller's, and the link goes on."""

    def handle(happening: Happening) -> None:
        raise ZeroDivisionError(happening)

    board.place("h19")
    with pytest.raises(ZeroDivisionError):
        collect(link, lambda so_far: [handle(happening) for happening in so_far])
    board.place("h20", "another")
    collect(link, lambda so_far: any(isinstance(h, Occupied) and len(h.sensors) == 2 for h in so_far))


def test_a_burst_of_pictures_ends_in_the_last(link: Link) -> None:
    for red in range(1, 200):
        link.show(((Program(wire.SOLID, red, 0, 0), tuple(range(0, 48, 2))),))
    wanted = wire.picture_crc(bytearray(link.session.programs), 255)
    collect(link, lambda _: link.session.status and link.session.status.lamps_crc == wanted)


def test_wake_ends_a_wait_from_another_thread(link: Link) -> None:
    timer = threading.Timer(0.2, link.wake)
    start_s = time.monotonic()
    timer.start()
    link.wait(30)
    timer.join()
    assert time.monotonic() - start_s < 10


def test_a_cover_hides_what_is_shown_until_it_is_taken_off_and_brightness_outlasts_the_cable(
    link: Link, board: Bench, strip: Strip, board_profile: Board
) -> None:
    everything = tuple(range(len(board_profile.lamps)))
    blue, red, green = (((Program(wire.SOLID, *rgb), everything),) for rgb in ((0, 0, 255), (255, 0, 0), (0, 255, 0)))

    def shown(*colour: int) -> None:
        end_s = time.monotonic() + 5
        while set(strip.pixels) != {colour}:
            assert time.monotonic() < end_s, set(strip.pixels)
            link.wait(0.02)

    link.show(blue)
    link.cover(red)
    shown(255, 0, 0)
    link.show(green)
    link.wait(0.1)
    shown(255, 0, 0)
    link.dim(127)
    shown(127, 0, 0)
    board.unplug(power=True)
    collect(link, lambda so_far: any(isinstance(happening, Down) for happening in so_far))
    board.replug()
    shown(127, 0, 0)
    link.cover(None)
    shown(0, 127, 0)
