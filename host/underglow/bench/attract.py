"""Attract mode for days, in minutes: the kiosk's loop with its page served, and a clock that goes by waiting."""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from underglow import profile
from underglow.bench import screen
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

_ROOM_HEAP_BYTES = 1 << 20
"""The same of a page's script."""

_LEAST_S = 0.001

_SHOWN_S = 1 / 30
"""Between two steps, where a page is to see them."""


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

    It is bytes in RAM, which never shrink much, and blocks that Python has allocated. `page` is what an open page held,
    after so many games each, whenever the first scenario began anew with as few seats as it may.
    """

    games: int
    hours_told: float
    seconds: float
    resident_bytes: tuple[int, ...]
    blocks: tuple[int, ...]
    page: Mapping[int, screen.Held] = field(default_factory=dict[int, screen.Held])

    @property
    def flat(self) -> bool:
        """Whether nothing grew."""
        if self.page:
            first, *_, last = self.page.values()
            grown = last.nodes > first.nodes or last.listeners > first.listeners
            if grown or last.heap_bytes > first.heap_bytes + _ROOM_HEAP_BYTES:
                return False
        more = [max(looks[_WARM:]) - looks[_WARM - 1] for looks in (self.resident_bytes, self.blocks)]
        return more[0] <= _ROOM_BYTES and more[1] <= _ROOM_BLOCKS


def measure(count: int, chosen: Iterable[Offer] | None = None, page: bool = False) -> Figures:
    """Let bots play so many games of those scenarios in turn, if none are given of all there are.

    With `page`, that is open all the while, and a game slow enough that it sees every step. ValueError: so few games do
    not come round to the first scenario twice. NoBrowser: nothing opens a page here.
    """
    board = profile.load("hex48")
    link = Sped(board)
    scenarios = tuple(offers(board) if chosen is None else chosen)
    period = len(scenarios) * len(scenarios[0].seats)  # then it is the first one's turn with as many seats as at first
    if page and count < 2 * period:
        raise ValueError(f"a page is looked at after every {period} games: say --games {2 * period} or more")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        attendant = Attendant(scenarios, Times())
        equipment = Equipment(board, link, "default", SetUp(), Path(folder))
        counters = Counters(Path(folder) / "counters.json")
        keeper = Keeper(equipment, attendant, counters, Service({}), link.now_s, Rng(1))
        address = keeper.kiosk.start()
        stack.callback(keeper.kiosk.stop)
        keeper.start()
        stack.callback(keeper.end)
        held = stack.enter_context(screen.opened(address)) if page else None
        began_s = time.perf_counter()
        looks: list[tuple[int, int]] = []
        pages: dict[int, screen.Held] = {}
        for game in track(range(1, count + 1), "Games", console=Console(stderr=True), transient=True):
            steps = 0
            while attendant.told(0)["round"] <= game:
                keeper.turn()
                if held and keeper.table.steps != steps:
                    steps = keeper.table.steps
                    time.sleep(_SHOWN_S)
            if game * _LOOKS // count > len(looks):
                looks.append(_memory())
            if held and game % period == 0:
                pages[game] = held()
    return Figures(
        games=count,
        hours_told=round(link.clock_s / 3600, 1),
        seconds=round(time.perf_counter() - began_s, 1),
        resident_bytes=tuple(resident for resident, _ in looks),
        blocks=tuple(blocks for _, blocks in looks),
        page=pages,
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
