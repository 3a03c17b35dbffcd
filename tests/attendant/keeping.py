"""A keeper with everything but a board: its link reports what a test lets happen, and its clock goes by waiting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from underglow import profile
from underglow.bench.attract import Sped
from underglow.kiosk.attendant import Attendant, Offer, Phase, Times
from underglow.kiosk.counters import Counters
from underglow.kiosk.keeper import Equipment, Keeper
from underglow.kiosk.service import Service
from underglow.rng import Rng
from underglow.session import Occupied
from underglow.set_up import SetUp

BOARD = profile.load("hex48")
WELLS = Offer("mandalorian", "cinder-wells", "Cinder Wells", (1, 2, 3, 4))
HARBOUR = Offer("mandalorian", "salt-harbour", "Salt Harbour", (1, 2, 3, 4))


@dataclass
class House:
    """A kept table, and what is known of it."""

    folder: Path
    keeper: Keeper
    attendant: Attendant
    link: Sped
    counters: Counters

    @classmethod
    def open(cls, folder: Path, *offers: Offer, service: Service | None = None, restart_s: float = 1e9) -> House:
        link = Sped(BOARD)
        attendant = Attendant(offers or (WELLS, HARBOUR), Times(), restart_s)
        counters = Counters(folder / "counters.json")
        equipment = Equipment(BOARD, link, "default", SetUp(), folder, bot="random")
        keeper = Keeper(equipment, attendant, counters, service or Service({}), link.now_s, Rng(3))
        keeper.start()
        house = cls(folder, keeper, attendant, link, counters)
        house.until(lambda: not link.happen)
        return house

    def until(self, done: Callable[[], Any], turns: int = 50_000) -> None:
        """Let the table go on until that is so."""
        for _ in range(turns):
            if done():
                return
            self.keeper.turn()
        raise AssertionError(f"in vain: {self.attendant.told(self.link.clock_s)}")

    def turns(self, count: int) -> None:
        """Let the table go on for so long."""
        for _ in range(count):
            self.keeper.turn()

    def phase(self, phase: Phase) -> None:
        """Let the table go on until it is in that phase."""
        self.until(lambda: self.attendant.phase is phase)

    def feel(self, *spaces: str) -> None:
        """Let the board say that tokens stand exactly there."""
        felt = frozenset(sensor for sensor, at in BOARD.space_of_sensor.items() if at in spaces)
        self.link.happen.append(Occupied(felt))
        self.until(lambda: not self.link.happen)

    def choose_first(self) -> None:
        """Let somebody choose what is offered first on the page."""
        before = self.snapshot
        self.keeper.table.choose(before["choices"][0]["index"], before["number"])
        self.turns(2)

    @property
    def snapshot(self) -> Any:
        """The table as pages see it."""
        return self.keeper.table.snapshot()

    def counted(self, start: str) -> str:
        """The sample whose line starts like this."""
        (line,) = [line for line in self.counters.text().splitlines() if line.startswith(f"underglow_{start}")]
        return line.split()[-1]
