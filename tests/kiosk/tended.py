"""A table that a real keeper runs on a simulated board, for whoever looks after it."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from guests import Answer
from visiting import Visitor
from websockets.sync.client import connect

from underglow import profile
from underglow.bench.vm import Bench
from underglow.kiosk import pin
from underglow.kiosk.attendant import Attendant, Offer, Times
from underglow.kiosk.counters import Counters
from underglow.kiosk.keeper import Equipment, Keeper
from underglow.kiosk.service import Service
from underglow.link import Link
from underglow.rng import Rng
from underglow.set_up import SetUp

DIGITS = "271828"
BOARD = profile.load("hex48")
WELLS = Offer("mandalorian", "cinder-wells", "Cinder Wells", (1, 2, 3, 4))
HARBOUR = Offer("mandalorian", "salt-harbour", "Salt Harbour", (1, 2, 3, 4))


@dataclass
class Tended:
    """It runs on a thread of its own; a page of its staff is `staff`, once `enter` was right."""

    folder: Path
    bench: Bench | None
    thread: threading.Thread
    keeper: Keeper
    attendant: Attendant
    counters: Counters
    address: str
    doors: ExitStack
    cookie: str = ""

    @property
    def netloc(self) -> str:
        return urlsplit(self.address).netloc

    @property
    def board(self) -> Bench:
        """The simulated board, which it has."""
        assert self.bench
        return self.bench

    def gesture(self) -> None:
        """Hold all three buttons for as long as it takes."""
        for button in ("confirm", "undo", "help"):
            self.board.press(button)
        self.board.sleep(3.2)
        for button in ("confirm", "undo", "help"):
            self.board.release(button)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        with self.raw(method, path, body, **headers) as answer:
            return Answer(answer.status, answer.getheaders(), answer.read().decode())

    @contextmanager
    def raw(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> Generator[http.client.HTTPResponse]:
        connection = http.client.HTTPConnection(self.netloc, timeout=20)
        try:
            connection.request(method, path, body, headers)
            yield connection.getresponse()
        finally:
            connection.close()

    def table(self) -> Visitor:
        """A page of the table on this machine."""
        return self._open("/live")

    def enter(self) -> None:
        """Type the PIN while the board is away: that takes no gesture, and less time."""
        self.table().hear("door", lambda door: door["is"] == "ajar")
        answer = self.ask("POST", "/staff/pin", DIGITS.encode())
        assert answer.status == 204, answer.text
        self.cookie = answer.cookie or ""

    def staff(self, cookie: str | None = None) -> Visitor:
        """A page of the staff, with the cookie of `enter` unless with another."""
        return self._open("/staff/live", self.cookie if cookie is None else cookie)

    def _open(self, path: str, cookie: str = "") -> Visitor:
        headers = {"cookie": cookie} if cookie else {}
        return Visitor(
            self.doors.enter_context(connect(f"ws://{self.netloc}{path}", additional_headers=headers, close_timeout=1))
        )

    def counted(self, start: str) -> float:
        (line,) = [line for line in self.counters.text().splitlines() if line.startswith(f"underglow_{start}")]
        return float(line.split()[-1])


@contextmanager
def tended(
    folder: Path, board: Bench | None = None, service: Service | None = None, lan: str | None = None
) -> Generator[Tended]:
    """Such a table with its PIN; without a board, it looks for one in vain."""
    pin.keep(folder / pin.PIN, DIGITS)
    link = Link(board.port if board else "/dev/nowhere", BOARD)
    attendant = Attendant((WELLS, HARBOUR), Times())
    counters = Counters(folder / "counters.json")
    equipment = Equipment(BOARD, link, "default", SetUp(), folder, bot="random")
    keeper = Keeper(equipment, attendant, counters, service or Service({}), chance=Rng(3))
    address = keeper.kiosk.start(lan=lan)
    thread = threading.Thread(target=keeper.run, daemon=True)
    thread.start()
    try:
        with ExitStack() as doors:
            yield Tended(folder, board, thread, keeper, attendant, counters, address, doors)
    finally:
        keeper.stop()
        thread.join(10)
        keeper.kiosk.stop()
        link.close()
