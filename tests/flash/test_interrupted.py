"""Flashing, interrupted at random bytes: the board gives a REPL, never runs a mixture, and the next run repairs it."""

from __future__ import annotations

import functools
import random
import time
from contextlib import suppress
from pathlib import Path

import pytest
from boards import BOARD, CALIBRATION, IMAGE, OLDER, Said, digests, holds, littlefs
from interruption import after, killed

from underglow import flash
from underglow.bench.vm import Bench
from underglow.link import LinkError
from underglow.pico import PicoError

_SEED = "underglow"
_POINTS = 20

STARTS = {
    "empty": CALIBRATION,
    "older": OLDER | CALIBRATION,
    "nearly": IMAGE | {"board.mpy": b"M\6other", "drivers/ws2812.py": b"stale"} | CALIBRATION,
}


def unplugged(board: Bench) -> None:
    """The cable is pulled; the board has its own supply."""
    board.unplug()


def dark(board: Bench) -> None:
    """The cable is pulled, and with it the power."""
    board.unplug(power=True)


def restarted(board: Bench) -> None:
    """Somebody presses reset."""
    board.reset()


@functools.cache
def bytes_of_a_whole_flash(start: str) -> int:
    with littlefs(STARTS[start]) as board, after(0, lambda: None) as written:
        flash.flash(board.port, BOARD, Said())
        return written()


def interrupt(board: Bench, how: str, count: int) -> None:
    """Flash until it happens, and let the port come back."""
    if how == "killed":
        killed(board.port, count)
        return
    happens = {"unplugged": unplugged, "dark": dark, "restarted": restarted}[how]
    # It may be happening where nothing is left to be done.
    with suppress(PicoError, LinkError), after(count, lambda: happens(board)):
        flash.flash(board.port, BOARD, Said())
    if how != "restarted":
        board.replug()
    until_s = time.monotonic() + 3
    while not Path(board.port).exists():
        assert time.monotonic() < until_s
        time.sleep(0.005)


@pytest.mark.parametrize("point", range(_POINTS))
def test_interrupted_anywhere_the_next_run_repairs_it(point: int) -> None:
    chance = random.Random(f"{_SEED} {point}")
    how = ("unplugged", "dark", "restarted", "killed")[point % 4]
    start = [*STARTS][point % 3]
    count = chance.randrange(1, bytes_of_a_whole_flash(start))
    with littlefs(STARTS[start]) as board:
        interrupt(board, how, count)
        there = holds(board.port)  # through the REPL
        before, wanted = digests(STARTS[start]), digests(IMAGE | CALIBRATION)
        ours = there.keys() - {"flash.part", "main.parked"}
        assert all(there[name] in (before.get(name), wanted.get(name)) for name in ours)  # each is whole
        if "main.py" in there:
            assert {name: there[name] for name in ours} in (before, wanted)  # no mixture of versions runs

        flash.flash(board.port, BOARD, Said())
        assert holds(board.port) == digests(IMAGE | CALIBRATION)
