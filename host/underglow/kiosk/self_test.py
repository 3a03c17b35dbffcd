"""The table looks itself over: a few sentences that each passed or failed, and lamps that a person looks at."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict

from underglow.kiosk import disk
from underglow.kiosk.health import Health
from underglow.languages import Text, say, together
from underglow.link import Link
from underglow.profile import Board
from underglow.session import Program
from underglow.wire import SOLID

BEAT_S = 0.25
"""A board that takes longer to answer a beat can't light a touch in time."""

ROOM_BYTES = 100 << 20
"""A folder of journals that has less room will be full before long."""

COLOUR_S = 1.5
COLOURS = (
    (say("The whole board is red now."), Program(SOLID, 255, 0, 0)),
    (say("The whole board is green now."), Program(SOLID, 0, 255, 0)),
    (say("The whole board is blue now."), Program(SOLID, 0, 0, 255)),
    (say("The whole board is white now."), Program(SOLID, 255, 255, 255)),
)


class Finding(TypedDict):
    """One sentence; `passed` is None while it is being found out, or is to be told by a person."""

    about: str
    says: Text
    passed: bool | None


class SelfTest:
    """One test of a table, on the keeper's thread: `tick` until nothing is left to be told by itself."""

    def __init__(self, board: Board, link: Link, health: Health, folder: Path, now_s: float) -> None:
        self.findings: list[Finding] = []
        self._board = board
        self._link = link
        self._health = health
        self._due: Callable[[float], None] | None = None
        self._until_s = 0.0
        self._colours = list(COLOURS)
        self._find_board()
        self._find_readers()
        self._find_sensors(now_s)
        self._find_folder(folder)
        self._begin_beat(now_s)

    def tick(self, now_s: float) -> None:
        """Go on, if it is time to."""
        if self._due:
            self._due(now_s)

    def seen(self, seen: bool) -> None:
        """A person tells whether all colours were on all spaces; passed over if that was not asked."""
        lamps = self.findings[-1]
        if lamps["about"] != "lamps" or lamps["passed"] is not None or self._due:
            return
        if seen:
            says = say("Every lamp shows every colour.")
        else:
            says = say("A lamp does not show every colour: look at its wires.")
        self.findings[-1] = {"about": "lamps", "says": says, "passed": seen}

    def end(self) -> None:
        """Uncover the board, however far this is."""
        self._due = None
        self._link.cover(None)

    def _find(self, about: str, passed: bool | None, says: Text) -> None:
        self.findings.append({"about": about, "says": says, "passed": passed})

    def _find_board(self) -> None:
        up = self._health.up
        if up is None:
            self._find("board", False, together(say("The board is away."), self._health.says))
        else:
            ours, version = self._board.name, up.firmware
            says = say("Firmware {version} and profile {name} fit this program.", version=version, name=ours)
            self._find("board", True, says)

    def _find_readers(self) -> None:
        readings = self._health.readings
        if not readings or self._health.up is None:
            return
        ill = [
            say("The NFC reader at {place} {fault}: look at its cable.", place=place, fault=reading.fault)
            for place, reading in zip(self._board.readers, readings, strict=True)
            if reading.fault
        ]
        for says in ill:
            self._find("readers", False, says)
        if not ill:
            self._find("readers", True, say("All {n} NFC readers answer.", n=len(readings)))

    def _find_sensors(self, now_s: float) -> None:
        stuck = [self._board.space_of_sensor[sensor] for sensor in self._health.stuck(now_s)]
        for space in stuck:
            says = say("The sensor of {space} has felt a token for hours: take it out of service.", space=space)
            self._find("sensors", False, says)
        if not stuck:
            says = say("None of {n} hall sensors is stuck.", n=len(self._board.space_of_sensor))
            self._find("sensors", True, says)

    def _find_folder(self, folder: Path) -> None:
        if refused := disk.refuses(folder):
            self._find("journals", False, say("No game can be written down: {why}.", why=refused))
            return
        free = shutil.disk_usage(folder).free
        megabytes = free >> 20
        if free < ROOM_BYTES:
            says = say("Only {n} MB are left for journals: make room on the disk.", n=megabytes)
            self._find("journals", False, says)
        else:
            self._find("journals", True, say("Games can be written down; {n} MB are free.", n=megabytes))

    # --- what takes time ---

    def _begin_beat(self, now_s: float) -> None:
        if self._health.up is None:
            return
        self._find("beat", None, say("A beat is on its way to the board."))
        answered = list(self._link.session.beat_ms)
        self._until_s = now_s + BEAT_S
        self._link.beat()

        def look(now_s: float) -> None:
            beats = list(self._link.session.beat_ms)
            if beats and beats != answered:
                took = f"{beats[-1]:.1f}"
                says = say("The board answers a beat in {ms} ms.", ms=took)
                self._conclude_beat(beats[-1] <= 1000 * BEAT_S, says, now_s)
            elif now_s >= self._until_s:
                self._conclude_beat(False, say("The board answers no beat in time."), now_s)

        self._due = look

    def _conclude_beat(self, passed: bool, says: Text, now_s: float) -> None:
        self.findings[-1] = {"about": "beat", "says": says, "passed": passed}
        self._due = None
        if self._link.session.test_light:
            hidden = say("The board's test light hides the lamps: hold its three buttons once more, and test again.")
            self._find("lamps", False, hidden)
            return
        self._find("lamps", None, say("Look at the board."))
        self._due = self._sweep
        self._until_s = now_s

    def _sweep(self, now_s: float) -> None:
        """Light the whole board in one colour after the other, then ask."""
        if now_s < self._until_s:
            return
        self._until_s = now_s + COLOUR_S
        if self._colours:
            says, colour = self._colours.pop(0)
            self._link.cover(((colour, tuple(range(len(self._board.lamps)))),))
            self.findings[-1] = {"about": "lamps", "says": says, "passed": None}
            return
        self.end()
        says = say("Was every space red, then green, then blue, then white?")
        self.findings[-1] = {"about": "lamps", "says": says, "passed": None}

    @property
    def asks(self) -> bool:
        """Whether a person is to say what the lamps did."""
        return self._due is None and self.findings[-1]["passed"] is None
