"""pytest plugin: a simulated board with the real firmware on it, hands to move magnets, eyes on the strip.

```python
def test_a_magnet_lights_its_space(board, hands, strip):
    hands.place("h19")
    strip.wait(lambda pixels: any(pixels[18]))
```

`--board` chooses the tier of the bench. Override the fixture `board_profile` for another board, `board_files` for
other firmware.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn, cast

import pytest

if TYPE_CHECKING:  # a test run that uses no fixture pays for no import
    from underglow.bench.vm import Bench, Frame
    from underglow.profile import Board

TIERS = ("vm",)
"""Where the firmware can run: on MicroPython's unix port."""

_LOOK_S = 0.002
_FRAMES_SHOWN = 5
_LIT_SHOWN = 12


class Hands:
    """Hands over the board: they move magnets, never occupancy."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def place(self, space: str, token: str | None = None) -> int:
        """Set a magnet down and return when, in monotonic ns; without a name, one kept for that space."""
        return self._bench.place(space, token or f"magnet of {space}")

    def lift(self, space_or_token: str) -> int:
        """Lift the magnet of that name, else the only one on that space; return when, in monotonic ns."""
        magnets = self._bench.magnets()
        if space_or_token in magnets:
            return self._bench.lift(space_or_token)
        there = [token for token, space in magnets.items() if space == space_or_token]
        if len(there) != 1:
            raise ValueError(f"{space_or_token!r} is no magnet, and on a space of that name are {len(there)}")
        return self._bench.lift(there[0])


class Strip:
    """Eyes on the strip: what the pixels received, nothing else."""

    def __init__(self, bench: Bench, profile: Board) -> None:
        self._bench = bench
        self._lamp_names = _lamp_names(profile)

    @property
    def frame(self) -> Frame:
        """The visible frame."""
        return self._bench.pixels()

    @property
    def pixels(self) -> tuple[tuple[int, int, int], ...]:
        """Red, green and blue of each pixel, 0 to 255."""
        return self.frame.pixels

    def wait(self, predicate: Callable[[tuple[tuple[int, int, int], ...]], object], timeout_s: float = 2.0) -> Frame:
        """Return the first frame, from the visible one on, whose pixels satisfy `predicate`; fail after a time."""
        until_s = time.monotonic() + timeout_s
        seen = [self.frame]
        fresh = seen
        while True:
            for frame in fresh:
                if predicate(frame.pixels):
                    return frame
            if time.monotonic() >= until_s:
                break
            time.sleep(_LOOK_S)
            fresh = self._bench.frames_since(seen[-1].number)
            seen = (seen + fresh)[-_FRAMES_SHOWN:]
        shown = "\n".join(self._in_words(frame) for frame in seen)
        pytest.fail(
            f"no frame came up to it in {timeout_s:g} s; the last were:\n{shown}\n{self._bench.says()}".rstrip()
        )

    def _in_words(self, frame: Frame) -> str:
        lit = [
            f"{self._lamp_names.get(pixel, f'pixel {pixel}')} #{bytes(colour).hex()}"
            for pixel, colour in enumerate(frame.pixels)
            if any(colour)
        ]
        more = f", and {len(lit) - _LIT_SHOWN} more" if len(lit) > _LIT_SHOWN else ""
        age_ms = (time.monotonic_ns() - frame.at_ns) / 1e6
        return f"  {frame.number} ({age_ms:.1f} ms ago): {', '.join(lit[:_LIT_SHOWN]) or 'dark'}{more}"


def _lamp_names(profile: Board) -> Mapping[int, str]:
    return {
        pixel: space.id if part == "centre" else f"{space.id}.{part}"
        for space in profile.spaces
        for part, lamp in space.lamps.items()
        for pixel in profile.lamps[lamp]
    }


def cannot_run(reason: str) -> NoReturn:
    """End a test whose tier this machine does not have: skipped with the reason, but failed where CI=true."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--board`."""
    parser.getgroup("underglow").addoption(
        "--board", default="vm", metavar="TIER", help=f"where the firmware runs: {', '.join(TIERS)} (default: vm)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a tier that does not exist."""
    tier = cast("str", config.getoption("--board"))
    if tier not in TIERS:
        raise pytest.UsageError(f"--board={tier}: there is no such tier; known are: {', '.join(TIERS)}")


@pytest.fixture(scope="session")
def board_profile() -> Board:
    """The profile of the board under test."""
    from underglow import profile

    return profile.load("hex48")


@pytest.fixture
def board_files(board_profile: Board) -> Mapping[str, bytes]:
    """What lies on the board's Pico: the firmware of this checkout."""
    from underglow import image

    return image.board_files(board_profile)


@pytest.fixture
def board(board_profile: Board, board_files: Mapping[str, bytes]) -> Iterator[Bench]:
    """A running board; skipped where no MicroPython is to be had, unless this is CI."""
    from underglow.bench import vm

    try:
        bench = vm.Bench.start(board_profile, board_files)
    except vm.NoMicroPython as missing:
        cannot_run(str(missing))
    with bench:
        yield bench
        with suppress(OSError):  # the test may have ended it
            sys.stderr.write(bench.says())  # shown if the test failed


@pytest.fixture
def hands(board: Bench) -> Hands:
    """Hands over that board."""
    return Hands(board)


@pytest.fixture
def strip(board: Bench, board_profile: Board) -> Strip:
    """Eyes on that board's strip."""
    return Strip(board, board_profile)
