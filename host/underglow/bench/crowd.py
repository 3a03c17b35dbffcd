"""How long a touch takes to become light while a crowd besieges the page: it should take no longer than without.

Each round plays a while with nobody there but the table's own page, a while with a crowd, and again a while without.
The crowd is a process of its own; on a machine with two processors it takes its share of what table and board run on.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from itertools import count, islice
from statistics import median
from urllib.parse import urlsplit

from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from underglow import image, profile
from underglow.bench.junk import LAN
from underglow.bench.latency import Spread, Timed, play
from underglow.bench.vm import Bench
from underglow.kiosk import Kiosk
from underglow.kiosk.showing import NoTable
from underglow.table import Table

SOCKETS = 200
MESSAGES_PER_S = 1000

_PHASES = ("quiet", "crowded", "quiet again")
_SETTLE_S = 2.0
"""What a crowd gets to arrive, and a table to get over it."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Touch to light in ms: for each phase the medians of its rounds' p50 and p95; and what the crowds came to."""

    rounds: int
    touches: int
    p50_ms: Mapping[str, float]
    p95_ms: Mapping[str, float]
    crowd: Mapping[str, int]
    seconds_crowded: float

    @property
    def ratio(self) -> float:
        """By how much longer it takes with a crowd, at p95."""
        quiet = (self.p95_ms["quiet"] + self.p95_ms["quiet again"]) / 2
        return round(self.p95_ms["crowded"] / quiet, 3)


@contextmanager
def crowd(port: int, sockets: int, messages_per_s: int, counts: Counter[str]) -> Generator[None]:
    """A crowd at the table on that port, while this lasts; `counts` grows by what it came to."""
    command = [sys.executable, "-m", "underglow.bench.junk", str(port), str(sockets), str(messages_per_s)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield
        finally:
            told, _ = process.communicate()
            counts.update(json.loads(told))


def measure(rounds: int, touches: int) -> Figures:
    """Play so many rounds, of so many touches a phase; a touch takes about 80 ms."""
    board = profile.load("hex48")
    spreads: dict[str, list[Spread]] = {phase: [] for phase in _PHASES}
    counts: Counter[str] = Counter()
    crowded_s = 0.0
    seeds = count(1)
    ticks = range(rounds * len(_PHASES) * touches)
    progress = iter(track(ticks, "Touches", console=Console(stderr=True), transient=True))
    with (
        Bench.start(board, image.board_files(board)) as bench,
        Kiosk(board, NoTable(), bench) as kiosk,
        ExitStack() as doors,
    ):
        port = urlsplit(kiosk.start(lan=LAN)).port or 0

        def show(table: Table) -> None:
            kiosk.turn_to(table)
            table.watch(kiosk.publish)

        doors.enter_context(crowd(port, 1, 0, Counter()))  # the table's own page
        for phase in _PHASES * rounds:
            with crowd(port, SOCKETS, MESSAGES_PER_S, counts) if phase == "crowded" else nullcontext():
                time.sleep(_SETTLE_S)
                timed, began_s = Timed(), time.monotonic()
                steps = islice(progress, touches)
                while len(timed.event_ms) < touches:
                    play(next(seeds), bench, board, timed, steps, show)
                spreads[phase].append(Spread.of(timed.pixels_ms))
                crowded_s += time.monotonic() - began_s if phase == "crowded" else 0
    return Figures(
        rounds=rounds,
        touches=touches,
        p50_ms={phase: median(spread.p50 for spread in found) for phase, found in spreads.items()},
        p95_ms={phase: median(spread.p95 for spread in found) for phase, found in spreads.items()},
        crowd=dict(counts),
        seconds_crowded=round(crowded_s, 1),
    )


def show(figures: Figures, as_json: bool) -> None:
    """Print figures: a table, or one JSON object."""
    if as_json:
        print(json.dumps(asdict(figures) | {"ratio": figures.ratio}))  # noqa: T201
        return
    grid = Grid("touch to light, ms", "p50", "p95", title=f"{figures.rounds} rounds of {figures.touches} touches each")
    for phase in _PHASES:
        grid.add_row(phase, f"{figures.p50_ms[phase]:.2f}", f"{figures.p95_ms[phase]:.2f}")
    grid.add_section()
    grid.add_row("crowded by quiet", "", f"{figures.ratio:.3f}")
    Console().print(grid)
    print(f"In {figures.seconds_crowded} s the crowds came to: {figures.crowd}")  # noqa: T201
