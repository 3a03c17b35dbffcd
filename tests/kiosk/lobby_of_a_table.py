"""An attendant behind a served page, without a table: the test is its keeper, and its clock."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from underglow.kiosk import Kiosk
from underglow.kiosk.attendant import Attendant, Offer, Order, Phase, Times
from underglow.kiosk.counters import Counters
from underglow.kiosk.posts import Posts
from underglow.kiosk.showing import NoTable
from underglow.profile import Board

WELLS = Offer("mandalorian", "cinder-wells", "Cinder Wells", (1, 2))
ALLEY = Offer("labyrinth", "lamp-alley", "Lamp Alley", (2, 3, 4))


class Lobby:
    """An attendant behind a served page, without a table; the test is its keeper, and its clock."""

    def __init__(self, board: Board, folder: Path) -> None:
        self.now_s = 0.0
        self.attendant = Attendant((WELLS, ALLEY), Times())
        self.posts = Posts(Counters(folder / "counters.json"), lambda: None)
        self.kiosk = Kiosk(board, NoTable(), None, self.posts)
        self.orders: list[Order] = self.attendant.start(0)
        self.address = self.kiosk.start()
        self.tell()

    def tell(self) -> None:
        self.kiosk.attend(self.attendant.told(self.now_s))

    def at(self, now_s: float) -> None:
        """It is so late; nothing happened since."""
        self.now_s = now_s
        self.orders += self.attendant.tick(now_s)
        self.tell()

    def hear(self) -> None:
        """Do what pages have asked."""
        for asked in self.posts.heard():
            self.orders += asked(self.attendant, self.now_s)
        self.tell()

    def until(self, page: Page, phase: Phase) -> None:
        """Hear pages until it is in that phase."""
        for _ in range(100):
            self.hear()
            if self.attendant.phase is phase:
                return
            page.wait_for_timeout(20)
        raise AssertionError(self.attendant.told(self.now_s))
