"""What staff see of a table and do with it, on the keeper's thread."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from underglow import wire
from underglow.kiosk import instructions, settings
from underglow.kiosk.attendant import Attendant, Order, Phase
from underglow.kiosk.counters import Counters
from underglow.kiosk.health import Health
from underglow.kiosk.instructions import Instruction
from underglow.kiosk.office import Door
from underglow.kiosk.self_test import SelfTest
from underglow.kiosk.settings import Settings
from underglow.languages import SILENCE, Text, say
from underglow.link import Happening, Link
from underglow.profile import Board
from underglow.session import Pressed
from underglow.table import Table
from underglow.themes import CALLED, THEMES, Theme

log = logging.getLogger(__name__)

CALLED_S = 120.0
"""So long after the gesture the PIN is asked for."""

LOOK_S = 0.5
"""Between two looks at the figures, while a page of the staff is open."""


class OfferTold(TypedDict):
    """A scenario, and whether people may choose it."""

    game: str
    scenario: str
    title: str
    seats: list[int]
    offered: bool


class Settled(TypedDict):
    """What staff have settled, and may; `themes` are what people call them, by name."""

    phase: str
    themes: dict[str, Text]
    theme: str
    brightness: int
    offers: list[OfferTold]
    deaf: list[str]
    restarts: bool


class Staff:
    """The staff of one table: `ask`, `came_in` and `watch` are for any thread. `folder` keeps what they settle.

    `restarts`: whether somebody would start this program again.
    """

    def __init__(
        self, board: Board, link: Link, theme: str, folder: Path, counters: Counters, *, restarts: bool
    ) -> None:
        self.health = Health(board, counters)
        self._board = board
        self._link = link
        self._folder = folder
        self._path = folder / "settings.json"
        self._settings = settings.load(self._path, Settings(theme), board)
        self._restarts = restarts
        self._asked: deque[Instruction] = deque(maxlen=64)
        self._watched = False
        self._called_until_s = -1.0
        self._test: SelfTest | None = None
        self._says = SILENCE
        self._told: dict[str, str] = {}  # of what is told only when it changes
        self._look_s = 0.0
        link.dim(self._settings.level(board))

    def ask(self, instruction: Instruction) -> None:
        """Post what somebody asks for."""
        self._asked.append(instruction)
        self._link.wake()

    def came_in(self) -> None:
        """Post that the PIN was right: the door falls shut again."""
        self._called_until_s = -1.0
        self._link.wake()

    def watch(self, watched: bool) -> None:
        """Say whether a page is open."""
        self._watched = watched
        self._link.wake()

    @property
    def theme(self) -> Theme:
        """How meanings look."""
        return THEMES[self._settings.theme]

    @property
    def deaf(self) -> frozenset[str]:
        """Places whose sensors are out of service."""
        return self._settings.deaf

    def dress(self, table: Table) -> None:
        """What was settled since goes for this table, too."""
        table.dress(self.theme)
        table.deafen(self.deaf)

    def begin(self, attendant: Attendant) -> None:
        """The table is switched on: what is settled holds."""
        attendant.withhold(self._settings.withheld)

    def hear(self, happening: Happening, now_s: float) -> None:
        """One thing the link reports."""
        self.health.hear(happening, now_s)
        if isinstance(happening, Pressed) and happening.button == wire.STAFF:
            self._called_until_s = now_s + CALLED_S

    def tick(self, attendant: Attendant, now_s: float) -> list[Order]:
        """Do what was asked, and look after what takes its time."""
        self.health.look(self._link, now_s)
        orders: list[Order] = []
        while self._asked:
            orders += self._do(self._asked.popleft(), attendant, now_s)
        if self._test:
            self._test.tick(now_s)
        return orders

    def door(self, attendant: Attendant, now_s: float) -> Door:
        """The way in: by the gesture, or where none can be made."""
        if now_s < self._called_until_s:
            return Door.CALLED
        dumb = self._board.buttons is None or self.health.up is None or attendant.phase is Phase.SAFE
        return Door.AJAR if dumb else Door.SHUT

    def news(self, attendant: Attendant, now_s: float) -> Iterator[tuple[str, object]]:
        """What their pages have not heard yet."""
        yield from self._changed("settled", self._settled(attendant))
        yield from self._changed("says", self._says)
        if self._test:
            yield from self._changed("test", {"findings": list(self._test.findings), "asks": self._test.asks})
        if self._watched and now_s >= self._look_s:
            self._look_s = now_s + LOOK_S
            yield "health", self.health.told(self._link, now_s)

    def _changed(self, kind: str, value: object) -> Iterator[tuple[str, object]]:
        told = repr(value)
        if self._told.get(kind) != told:
            self._told[kind] = told
            yield kind, value

    def _settled(self, attendant: Attendant) -> Settled:
        offered = attendant.offers
        return {
            "phase": attendant.phase.value,
            "themes": {name: CALLED[name] for name in THEMES},
            "theme": self._settings.theme,
            "brightness": self._settings.brightness,
            "offers": [
                {
                    "game": offer.game,
                    "scenario": offer.scenario,
                    "title": offer.title,
                    "seats": list(offer.seats),
                    "offered": offer in offered,
                }
                for offer in attendant.every
            ],
            "deaf": sorted(self.deaf),
            "restarts": self._restarts,
        }

    # --- what is asked for ---

    def _do(self, asked: Instruction, attendant: Attendant, now_s: float) -> list[Order]:
        self._says = SILENCE
        log.info("staff: %r", asked)
        match asked:
            case instructions.Dress(theme=theme) if theme in THEMES:
                self._settle(replace(self._settings, theme=theme))
                return ["dress"]
            case instructions.Dim(brightness=percent):
                self._settle(replace(self._settings, brightness=percent))
                self._link.dim(self._settings.level(self._board))
            case instructions.Offer(offer=(game, scenario, offered)):
                self._offer((game, scenario), offered, attendant)
            case instructions.Start(start=(game, scenario, seats)):
                orders = attendant.begin_now(game, scenario, seats, now_s)
                if not orders:
                    self._says = say("That game can't be begun now: the table does not play.")
                return orders
            case instructions.Deafen(deafen=(place, out)):
                return self._deafen(place, out)
            case instructions.Examine():
                self._test = SelfTest(self._board, self._link, self.health, self._folder, now_s)
            case instructions.Seen(seen=seen) if self._test:
                self._test.seen(seen)
            case instructions.Restart():
                return self._restart()
            case _:
                pass  # it is of a page that is older than this program
        return []

    def _settle(self, settled: Settings) -> None:
        self._settings = settled
        try:
            settings.save(self._path, settled)
        except OSError as error:
            log.warning("the settings can't be written: %s", error)
            why = error.strerror or type(error).__name__
            self._says = say("This holds until the next start only: the disk does not take it ({why}).", why=why)

    def _offer(self, name: tuple[str, str], offered: bool, attendant: Attendant) -> None:
        withheld = self._settings.withheld - {name} if offered else self._settings.withheld | {name}
        if all((offer.game, offer.scenario) in withheld for offer in attendant.every):
            self._says = say("One game at least has to be offered.")
            return
        self._settle(replace(self._settings, withheld=withheld))
        attendant.withhold(withheld)

    def _deafen(self, place: str, out: bool) -> list[Order]:
        if place not in {*self._board.space_of_sensor.values(), *self._board.readers}:
            return []
        deaf = self.deaf | {place} if out else self.deaf - {place}
        self._settle(replace(self._settings, deaf=deaf))
        return ["dress"]

    def _restart(self) -> list[Order]:
        if not self._restarts:
            self._says = say("Nobody would start this program again: it was not started by systemd.")
            return []
        return ["restart"]
