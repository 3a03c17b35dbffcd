"""pytest plugin: a simulated board with the real firmware on it, hands to move tokens, eyes on the strip.

```python
def test_a_magnet_lights_its_space(board, hands, strip):
    hands.place("h19")
    strip.wait(lambda pixels: any(pixels[18]))
```

What can go wrong is the fixture `faults`; it lasts until `mend`, and what is random comes from a seed (`faults_seed`):

```python
def test_my_game_survives(board, hands, faults):
    faults.drop(0.01)           # of the frames, both ways; also corrupt, duplicate, delay
    faults.stall("to_host")     # the host does not read; "to_board": the board does not
    faults.flicker(rate=0.05)   # switches spike for a scan or two
    faults.stick("h19", True)   # a switch that always feels a magnet
    faults.ghost("z1", uid)     # a tag that no token carries
    faults.brown_out(50)        # no power for 50 ms
    faults.cut(10)              # the cable breaks after ten bytes more; board.replug() puts it back
    faults.mend()
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

TIERS = ("vm", "chip")
"""Where the firmware can run: on MicroPython's unix port, and on an emulated RP2040."""

_LOOK_S = 0.002
_FINGERS_S = 0.08
"""From letting go of a button to the next push: the quickest fingers manage some ten a second."""
_FRAMES_SHOWN = 5
_LIT_SHOWN = 12


class Hands:
    """Hands over the board: they move tokens and push buttons, never occupancy."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def place(self, space: str, token: str | None = None, *, uid: bytes | None = None, magnet: bool = True) -> int:
        """Set a token down and return when, in ns of the board's clock; without a name, one kept for that space.

        Under an edge of a space ("h19.e2") lies no switch: there only a reader can tell, and only of a tag.
        With `uid` or without `magnet` it carries that from now on, and must have been off the board.
        """
        name = token or f"magnet of {space}"
        if uid is not None or not magnet:
            self._bench.equip(name, magnet=magnet, uid=uid)
        return self._bench.place(space, name)

    def lift(self, space_or_token: str) -> int:
        """Lift the token of that name, else the only one on that space; return when, in ns of the board's clock."""
        tokens = self._bench.tokens()
        if space_or_token in tokens:
            return self._bench.lift(space_or_token)
        there = [token for token, space in tokens.items() if space == space_or_token]
        if len(there) != 1:
            raise ValueError(f"{space_or_token!r} is no token, and on a space of that name are {len(there)}")
        return self._bench.lift(there[0])

    def press(self, *buttons: str, hold_s: float = 0.1, bounce_ms: float = 0) -> None:
        """Push buttons down together, and let them go after that time on the board; each contact chatters both ways.

        Returns when the fingers are ready for the next.
        """
        for button in buttons:
            self._bench.press(button, bounce_ms)
        self._bench.sleep(hold_s)
        for button in buttons:
            self._bench.release(button, bounce_ms)
        self._bench.sleep(_FINGERS_S)


class Faults:
    """What goes wrong with a board and its cable. What is drawn by lot is the same for the same `seed`.

    What is said last of the cable, by byte or by frame, goes for all that happens to it.
    ValueError: there is no such space, sensor, reader or way.
    """

    def __init__(self, bench: Bench, seed: int = 0) -> None:
        from underglow.bench.cable import Trouble

        self._bench = bench
        self._trouble = Trouble(seed)
        self._seed = seed
        self._stuck: set[str] = set()
        self._ghosts: list[str] = []

    def drop(self, rate: float, *, by_byte: bool = False) -> None:
        """Lose that part of the frames, or of the bytes, both ways."""
        self._disturb(drop=rate, by_byte=by_byte)

    def corrupt(self, rate: float, *, by_byte: bool = False) -> None:
        """Change a byte in that part of the frames, or that part of the bytes, both ways."""
        self._disturb(corrupt=rate, by_byte=by_byte)

    def duplicate(self, rate: float, *, by_byte: bool = False) -> None:
        """Let that part of the frames, or of the bytes, come twice, both ways."""
        self._disturb(duplicate=rate, by_byte=by_byte)

    def delay(self, most_ms: float) -> None:
        """Hold each frame up for 0 to `most_ms`, both ways; the order stays."""
        self._disturb(delay_ms=most_ms)

    def stall(self, way: str, stalled: bool = True) -> None:
        """Let nothing pass "to_host", whose program does not read, or "to_board"; False: let it go on."""
        self._bench.stall(way, stalled)

    def cut(self, after_bytes: int = 0) -> None:
        """Break the cable once so many bytes more have gone to the host; the board lives on."""
        self._bench.cut(after_bytes)

    def flicker(self, space: str | None = None, rate: float = 0.05) -> None:
        """Let the switch there, or all, spike for one or two scans; one begins in that part of the scans."""
        self._bench.flicker(space, rate, self._seed)

    def stick(self, space: str, occupied: bool) -> None:
        """Let the switch there feel a magnet always (True) or never (False)."""
        self._bench.stick(space, occupied)
        self._stuck.add(space)

    def ghost(self, space: str, uid: bytes) -> None:
        """Let the reader there read a tag that no token carries."""
        name = f"ghost {uid.hex()}"
        if name not in self._ghosts:
            self._bench.equip(name, magnet=False, uid=uid)
            self._ghosts.append(name)
        self._bench.place(space, name)

    def brown_out(self, time_ms: float) -> None:
        """Take the power away for that time on the board; it starts anew then."""
        self._bench.unplug(power=True)
        self._bench.sleep(time_ms / 1000)
        self._bench.replug()

    def mend(self) -> None:
        """End all of this but a cut cable."""
        self._trouble = type(self._trouble)(self._seed)
        self._bench.disturb(None)
        self._bench.flicker(None, 0)
        for way in ("to_board", "to_host"):
            self._bench.stall(way, False)
        for space in self._stuck:
            self._bench.stick(space, None)
        for ghost in self._ghosts:
            self._bench.lift(ghost)
        self._stuck.clear()
        self._ghosts.clear()

    def _disturb(self, **what: float) -> None:
        self._trouble = self._trouble._replace(**what)
        self._bench.disturb(self._trouble)


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
        """Return the first frame, from the visible one on, whose pixels satisfy `predicate`.

        Fail after that time on the board.
        """
        until_us = self._bench.now_us + timeout_s * 1e6
        seen = [self.frame]
        fresh = seen
        while True:
            for frame in fresh:
                if predicate(frame.pixels):
                    return frame
            if self._bench.now_us >= until_us:
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
        age_ms = self._bench.now_us / 1e3 - frame.at_ns / 1e6
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
def board_files(pytestconfig: pytest.Config, board_profile: Board) -> Mapping[str, bytes]:
    """What lies on the board's Pico: the firmware of this checkout, on the chip compiled as `underglow flash` does."""
    from underglow import image

    if pytestconfig.getoption("--board") == "chip":
        from underglow.bench import chip

        return chip.compiled_files(board_profile)
    return image.board_files(board_profile)


@pytest.fixture
def board(pytestconfig: pytest.Config, board_profile: Board, board_files: Mapping[str, bytes]) -> Iterator[Bench]:
    """A running board; skipped where its tier is not to be had, unless this is CI."""
    with _started(cast("str", pytestconfig.getoption("--board")), board_profile, board_files) as bench:
        yield bench
        with suppress(OSError):  # the test may have ended it
            sys.stderr.write(bench.says())  # shown if the test failed


def _started(tier: str, profile: Board, files: Mapping[str, bytes]) -> Bench:
    if tier == "chip":
        from underglow.bench import chip, emulator, uf2

        start, reasons = chip.Bench.start, (uf2.NoUf2, emulator.NoEmulator)
    else:
        from underglow.bench import vm

        start, reasons = vm.Bench.start, (vm.NoMicroPython,)
    try:
        return start(profile, files)
    except reasons as missing:
        cannot_run(str(missing))


@pytest.fixture
def hands(board: Bench) -> Hands:
    """Hands over that board."""
    return Hands(board)


@pytest.fixture
def faults_seed() -> int:
    """What random faults are drawn from."""
    return 0


@pytest.fixture
def faults(board: Bench, faults_seed: int) -> Faults:
    """What can go wrong with that board and its cable."""
    return Faults(board, faults_seed)


@pytest.fixture
def strip(board: Bench, board_profile: Board) -> Strip:
    """Eyes on that board's strip."""
    return Strip(board, board_profile)
