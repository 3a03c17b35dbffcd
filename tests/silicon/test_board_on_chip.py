"""The firmware on the chip, over its USB console on a PTY, as any host would see it. Times are the chip's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from underglow import wire
from underglow.bench.chip import Bench
from underglow.link import Down, Happening, Link
from underglow.profile import Board
from underglow.session import Occupied, Program, Tagged, Up

_T = TypeVar("_T", bound=Happening)
PATIENCE_S = 2.0
UID = bytes.fromhex("04a1b2c3d4e5f6")


class Host:
    """A link that lives in the chip's time, and what it has heard."""

    def __init__(self, bench: Bench, board: Board) -> None:
        self.bench = bench
        self.link = Link(bench.port, board, now_s=lambda: bench.now_us / 1e6)
        self._heard: list[Happening] = self.link.connect(PATIENCE_S)

    def until(self, done: Callable[[], object], what: str) -> None:
        """Keep the link up until that."""
        until_us = self.bench.now_us + PATIENCE_S * 1e6
        while not done():
            if self.bench.now_us > until_us:
                pytest.fail(f"not within {PATIENCE_S} s of the chip's: {what}\n{self.bench.says()}")
            self._heard += self.link.wait(0.02)

    def hear(self, kind: type[_T], wanted: Callable[[_T], object] = lambda _: True) -> _T:
        """The next happening of that kind that is wanted."""
        found: list[_T] = []

        def came() -> bool:
            while self._heard and not found:
                happening = self._heard.pop(0)
                if isinstance(happening, kind) and wanted(happening):
                    found.append(happening)
            return bool(found)

        self.until(came, kind.__name__)
        return found[0]


@pytest.fixture
def host(bench: Bench, board_profile: Board) -> Iterator[Host]:
    for token in bench.tokens():
        bench.lift(token)
    connected = Host(bench, board_profile)
    yield connected
    connected.link.close()


def sensors(board: Board, *spaces: str) -> frozenset[int]:
    return frozenset(space.hall for space in board.spaces if space.id in spaces and space.hall is not None)


def test_a_magnet_is_felt_and_a_lamp_lit(host: Host, board_profile: Board) -> None:
    bench = host.bench
    placed_ns = bench.place("h19", "figure")
    host.hear(Occupied, lambda felt: felt.sensors == sensors(board_profile, "h19"))
    lamp = board_profile.lamp_of("h19")
    (pixel,) = board_profile.lamps[lamp]
    host.link.show(((Program(wire.SOLID, 255, 0, 0), (lamp,)),))
    red = tuple((255, 0, 0) if at == pixel else (0, 0, 0) for at in range(board_profile.pixels))
    host.until(lambda: bench.pixels().pixels == red, "that pixel is red and no other lit")
    assert placed_ns < bench.pixels().at_ns <= bench.now_us * 1000


def test_a_tag_is_read_where_it_lies(host: Host, board_profile: Board) -> None:
    host.bench.equip("card", magnet=False, uid=UID)
    host.bench.place("z2", "card")
    read = host.hear(Tagged, lambda tagged: any(reading.uids for reading in tagged.readings))
    assert board_profile.nfc
    spaces = [reader.space for reader in board_profile.nfc.readers]
    assert {space: set(reading.uids) for space, reading in zip(spaces, read.readings, strict=True) if reading.uids} == {
        "z2": {UID}
    }


def test_after_the_cable_was_out_the_host_knows_what_moved_meanwhile(host: Host, board_profile: Board) -> None:
    host.bench.place("h01", "figure")
    host.hear(Occupied, lambda felt: felt.sensors == sensors(board_profile, "h01"))
    boot = host.link.session
    host.bench.unplug()
    host.hear(Down)
    host.bench.place("h02", "figure")
    host.bench.replug()
    host.hear(Up)
    host.hear(Occupied, lambda felt: felt.sensors == sensors(board_profile, "h02"))
    assert host.link.session is not boot


def test_a_reset_is_seen_by_a_new_boot_id(host: Host) -> None:
    host.bench.reset()
    host.hear(Down)
    first = host.hear(Up)
    host.bench.unplug(power=True)
    host.hear(Down)
    assert not any(any(colour) for colour in host.bench.pixels().pixels)
    host.bench.replug()
    assert host.hear(Up).boot != first.boot


def mpremote(bench: Bench, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", bench.port, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_plain_mpremote_gets_in_and_a_reset_puts_the_board_back_to_work(bench: Bench, board_profile: Board) -> None:
    assert mpremote(bench, "exec", "print(6 * 7)") == "42\n"
    assert "profile.json" in mpremote(bench, "ls")
    mpremote(bench, "reset")
    bench.sleep(0.5)
    host = Host(bench, board_profile)
    host.bench.place("r3", "figure")
    host.hear(Occupied, lambda felt: felt.sensors == sensors(board_profile, "r3"))
    host.link.close()
