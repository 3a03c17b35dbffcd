"""Attract mode for days, in minutes: the kiosk's loop with its page served, and a clock that goes by waiting."""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from underglow import profile, themes
from underglow.kiosk.attendant import Attendant, Offer, Times
from underglow.kiosk.counters import Counters
from underglow.kiosk.keeper import Equipment, Keeper
from underglow.kiosk.offers import offers
from underglow.kiosk.service import Service
from underglow.link import Happening, Link
from underglow.profile import Board
from underglow.rng import Rng
from underglow.session import Up
from underglow.set_up import SetUp

_Cache = type(lru_cache(len))

_LOOKS = 5
"""So often memory is looked at, at equal distances."""

_WARM = 2
"""Looks until caches have been as full as they get."""

_ROOM_BYTES = 16 << 20
_ROOM_BLOCKS = 10_000
"""What may come and go from one look to another, as games differ: one that leaks its states soon leaks more."""

_LEAST_S = 0.001


class Sped(Link):
    """A link without a cable, on a clock of its own that goes by waiting; `happen` is what it will report."""

    def __init__(self, board: Board) -> None:
        self.clock_s = 0.0
        self.happen: list[Happening] = [Up("0.0.0", 1)]
        super().__init__("no port", board, self.now_s)

    def now_s(self) -> float:
        """How much has been waited."""
        return self.clock_s

    def wait(self, timeout_s: float) -> list[Happening]:
        """Wait without waiting."""
        self.moves += 1
        if self.happen:
            return [self.happen.pop(0)]
        self.clock_s += max(timeout_s, _LEAST_S)
        return []


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of it. Memory is told after each fifth of the games, with all caches cleared.

    It is bytes in RAM, which never shrink much, and blocks that Python has allocated.
    """

    games: int
    hours_told: float
    seconds: float
    resident_bytes: tuple[int, ...]
    blocks: tuple[int, ...]

    @property
    def flat(self) -> bool:
        """Whether neither grew."""
        more = [max(looks[_WARM:]) - looks[_WARM - 1] for looks in (self.resident_bytes, self.blocks)]
        return more[0] <= _ROOM_BYTES and more[1] <= _ROOM_BLOCKS


def measure(count: int, chosen: Iterable[Offer] | None = None) -> Figures:
    """Let bots play so many games of those scenarios in turn, if none are given of all there are."""
    board = profile.load("hex48")
    link = Sped(board)
    with tempfile.TemporaryDirectory() as folder:
        attendant = Attendant(offers(board) if chosen is None else chosen, Times())
        equipment = Equipment(board, link, themes.DEFAULT, SetUp(), Path(folder))
        counters = Counters(Path(folder) / "counters.json")
        keeper = Keeper(equipment, attendant, counters, Service({}), link.now_s, Rng(1))
        keeper.kiosk.start()
        began_s = time.perf_counter()
        looks: list[tuple[int, int]] = []
        try:
            keeper.start()
            for game in track(range(count), "Games", console=Console(stderr=True), transient=True):
                while attendant.told(0)["round"] <= game + 1:
                    keeper.turn()
                if (game + 1) * _LOOKS // count > len(looks):
                    looks.append(_memory())
        finally:
            keeper.end()
            keeper.kiosk.stop()
    return Figures(
        games=count,
        hours_told=round(link.clock_s / 3600, 1),
        seconds=round(time.perf_counter() - began_s, 1),
        resident_bytes=tuple(resident for resident, _ in looks),
        blocks=tuple(blocks for _, blocks in looks),
    )


def _memory() -> tuple[int, int]:
    for kept in gc.get_objects():
        if isinstance(kept, _Cache):
            kept.cache_clear()
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE"), sys.getallocatedblocks()


def show(figures: Figures, as_json: bool) -> None:
    """Print figures: a table, or one JSON object."""
    if as_json:
        print(json.dumps(asdict(figures)))  # noqa: T201
        return
    grid = Table("figure", "", title="Attract mode")
    for name, value in asdict(figures).items():
        grid.add_row(name, str(value))
    Console().print(grid)
