"""A long day: the real firmware on the VM, touched without rest while switches chatter or stick and cables are pulled.

What counts is that nothing grows: the firmware's heap after each collection, and this process.
"""

from __future__ import annotations

import gc
import json
import random
import re
import resource
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import linear_regression
from typing import NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from underglow import image, profile, wire
from underglow.bench.vm import Bench
from underglow.link import Happening, Link
from underglow.profile import Board
from underglow.session import Occupied, Program

# In place of main.py: the firmware as it is, but that each collection of garbage tells how much is left in use.
_MAIN = b"""
import gc, sys
import board, program
class Told:
    @staticmethod
    def collect():
        gc.collect()
        print("in use:", gc.mem_alloc(), file=sys.stderr)
board.gc = Told
program.main()
"""
_TOKENS = 5
_REST_S = 0.35  # the firmware collects garbage when nothing has moved for a quarter of a second
_PATIENCE_S = 3.0
_SAMPLES = 60
_WARM = 0.2  # of the samples: until caches and pools are full


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of it. Slopes are in bytes per million scans, fitted over the samples after the first fifth."""

    scans: int
    touches: int
    faults: int
    wrong: int
    firmware_bytes: int
    firmware_slope: float
    host_bytes: int
    host_slope: float


def measure(touches: int, seed: int = 0) -> Figures:
    """Touch so often. `wrong`: how often the host did not know the truth within a few seconds. NoMicroPython."""
    board = profile.load("hex48")
    with Bench.start(board, image.board_files(board) | {"main.py": _MAIN}) as bench:
        link = Link(bench.port, board)
        try:
            day = _Day(bench, link, board, random.Random(seed))  # noqa: S311 - it must repeat
            day.take(link.connect())
            return day.live(touches)
        finally:
            link.close()


class _Sample(NamedTuple):
    scans: int
    firmware: int
    host: int


class _Day:
    def __init__(self, bench: Bench, link: Link, board: Board, chance: random.Random) -> None:
        self._bench = bench
        self._link = link
        self._board = board
        self._chance = chance
        self._spaces = {space.id: space.hall for space in board.spaces if space.hall is not None}
        self._felt: frozenset[int] | None = None
        self._stuck: dict[str, bool] = {}
        self._faults = self._wrong = 0
        self._samples: list[_Sample] = []

    def live(self, touches: int) -> Figures:
        every = max(10, touches // _SAMPLES)
        for number in track(range(touches), "Touches", console=Console(stderr=True), transient=True):
            if self._chance.random() < 0.2:
                self._mishap()
            self._touch()
            self._light()
            if number % every == every - 1:
                self._sample()
        warm = self._samples[int(_WARM * len(self._samples)) :]
        return Figures(
            scans=warm[-1].scans,
            touches=touches,
            faults=self._faults,
            wrong=self._wrong,
            firmware_bytes=warm[-1].firmware,
            firmware_slope=_slope([(at.scans, at.firmware) for at in warm]),
            host_bytes=warm[-1].host,
            host_slope=_slope([(at.scans, at.host) for at in warm]),
        )

    def take(self, happenings: list[Happening]) -> None:
        """Hear what the link reports."""
        for happening in happenings:
            if isinstance(happening, Occupied):
                self._felt = happening.sensors

    def _touch(self) -> None:
        token = f"token {self._chance.randrange(_TOKENS)}"
        if token in self._bench.tokens() and self._chance.random() < 0.5:
            self._bench.lift(token)
        else:
            self._bench.place(self._chance.choice([*self._spaces]), token)
        self._until(lambda: self._felt == self._truth())

    def _truth(self) -> frozenset[int]:
        there = {self._spaces[space] for space in self._bench.magnets().values()}
        for space, occupied in self._stuck.items():
            (there.add if occupied else there.discard)(self._spaces[space])
        return frozenset(there)

    def _mishap(self) -> None:
        """One switch chatters from now on, sticks or lets go; or the cable is out for a moment."""
        self._faults += 1
        space = self._chance.choice([*self._spaces])
        match self._chance.randrange(4):
            case 0:
                self._bench.bounce(space, self._chance.randrange(3))
            case 1:
                self._stuck[space] = self._chance.random() < 0.5
                self._bench.stick(space, self._stuck[space])
            case 2 if self._stuck:
                free = self._chance.choice([*self._stuck])
                del self._stuck[free]
                self._bench.stick(free, None)
            case _:
                self._bench.unplug()
                self._wait(self._chance.uniform(0.0, 0.05))
                self._bench.replug()

    def _light(self) -> None:
        """Answer with a picture, as a game does."""
        lamps = self._chance.sample(range(len(self._board.lamps)), 12)
        red, green, blue = (self._chance.randrange(256) for _ in range(3))
        self._link.show(((Program(wire.PULSE, red, green, blue, 900), tuple(lamps)),))

    def _sample(self) -> None:
        seen = self._in_use()
        self._until(lambda: self._in_use() != seen, _REST_S * 4)
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])  # Linux, like the bench itself
        host = pages * resource.getpagesize()
        self._samples.append(_Sample(self._bench.stats()["loads"], self._in_use()[-1], host))

    def _in_use(self) -> list[int]:
        return [int(count) for count in re.findall(r"in use: (\d+)", self._bench.says())] or [0]

    def _wait(self, time_s: float) -> None:
        self.take(self._link.wait(time_s))

    def _until(self, done: Callable[[], bool], patience_s: float = _PATIENCE_S) -> None:
        until_s = time.monotonic() + patience_s
        while not done():
            if time.monotonic() > until_s:
                self._wrong += patience_s == _PATIENCE_S
                return
            self._wait(0.02)


def _slope(sizes: list[tuple[int, int]]) -> float:
    fit = linear_regression([scans for scans, _ in sizes], [size for _, size in sizes])
    return round(fit.slope * 1e6, 1)


def show(figures: Figures, as_json: bool) -> None:
    """Print figures: a table, or one JSON object."""
    if as_json:
        print(json.dumps(asdict(figures)))  # noqa: T201
        return
    grid = Table("figure", "", title="A long day")
    for name, value in asdict(figures).items():
        grid.add_row(name, str(value))
    Console().print(grid)
