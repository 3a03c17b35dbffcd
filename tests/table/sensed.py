"""A table on a clock of its own: what its sensors say comes from the firmware's own sensing, scan by scan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from unplugged import Unplugged

from underglow import games, profile
from underglow.bench.loop import Clock, Modules
from underglow.games.contract import Action, Game
from underglow.history import History, Step
from underglow.journal import Header, Journal, resume
from underglow.languages import Text
from underglow.overlay import standing
from underglow.rng import Rng
from underglow.session import Occupied, Reading, Tagged
from underglow.set_up import SetUp
from underglow.snapshot import Snapshot
from underglow.table import Table
from underglow.themes import DEFAULT

SCAN_S = 0.0012
POLL_S = 0.05
"""From a tag that comes or goes to word of it."""
FOREIGN = "a fridge magnet"

BOARD = profile.load("hex48")
SENSORS = len(BOARD.space_of_sensor)


UNDONE = "undo"
"""Stands for an entry that takes the step before it back."""


def entries(journal: Journal) -> list[tuple[int, str, tuple[str | int, ...]]]:
    """What is in a journal: seat, verb and arguments of each entry."""
    found = [record.entry for record in journal.records]
    return [(e.seat, e.verb, e.args) if isinstance(e, Step) else (e.seat, e.do, ()) for e in found]


def led_to(journal: Journal, game: Game[Any, Any], scenario: Any) -> Any:
    """The state a journal leads to."""
    return resume(game, scenario, journal).state


class Sensed:
    """A table of a mission, its pieces in their places, and a clock that only `rest` moves on.

    A piece is a token's id; of equal cards, each with a tag of its own, the id and a number.
    """

    def __init__(
        self, folder: Path, mission: str, seed: int, set_up: SetUp, game: Any = None, *, laid: bool = True
    ) -> None:
        owner, path = ("mandalorian", Path()) if game else games.find(mission)
        self.game: Game[Any, Any] = game or games.load(owner)
        self.scenario = game or self.game.load(path)
        self.overlay: Mapping[str, str] = self.scenario.overlay(BOARD.name)
        self.set_up = set_up
        state = self.game.setup(self.scenario, self.scenario.seats[0], Rng(seed))
        self._kinds = {name: token.kind for name, token in self.game.tokens(state).items()}
        self._kinds_of = state
        self._uids: dict[str, bytes] = {}
        for uid, token in set_up.tags.items():
            self._uids[f"{token} {uid.hex()}"] = uid
        self.where: dict[str, str] = {}
        for space, tokens in standing(self.game, state, self.overlay, set_up).items():
            self.where |= dict.fromkeys(tokens if laid else (), space)
        self.now_s = 0.0
        self._sensing = Modules(Clock()).load("sensing").Sensing(-(-SENSORS // 8), 3, True)
        self._spikes: dict[str, int] = {}
        self._told: dict[str, frozenset[bytes]] = {}
        self._tags_since_s = 0.0
        seats = self.scenario.seats[0]
        header = Header.of(owner, self.scenario, seats, seed, BOARD)
        self.journal = Journal.create(folder / f"{mission}-{seed}.sqlite", header)
        history = History(self.game, state, seats)
        self.link = Unplugged("no port", BOARD)
        self.table = Table(
            self.game, self.scenario, history, BOARD, self.link, self.journal, DEFAULT, set_up, lambda: self.now_s
        )
        self.rest(100)

    def card(self, token: str) -> str:
        """A piece of that card that is off the board."""
        return next(piece for piece in self._uids if piece.startswith(f"{token} ") and piece not in self.where)

    def token(self, piece: str) -> str:
        """The token a piece is."""
        return piece.rsplit(" ", 1)[0] if piece in self._uids else piece

    @property
    def understood(self) -> str:
        return self.snapshot["understood"]["kind"]

    @property
    def snapshot(self) -> Snapshot:
        return self.table.snapshot()

    # -- hands --

    def lift(self, piece: str, rest_ms: float = 0) -> None:
        """Take a piece off the board, and let time pass."""
        self.where.pop(piece, None)
        self.rest(rest_ms)

    def place(self, piece: str, space: str, rest_ms: float = 0) -> None:
        """Set a piece down, wherever it was, and let time pass."""
        self.where[piece] = space
        self.rest(rest_ms)

    def spike(self, spaces: Iterable[str], scans: int) -> None:
        """Let sensors read the contrary for some scans."""
        self._spikes |= dict.fromkeys(spaces, scans)

    def choose(self, action: Action) -> bool:
        """Choose on the page; whether it is offered there."""
        snapshot = self.snapshot
        text = self.game.describe(self.table.state, action)
        for choice in snapshot["choices"]:
            if choice["text"] == text:
                self.table.choose(choice["index"], snapshot["number"])
                self.table.tick()
                return True
        return False

    # -- time --

    def rest(self, time_ms: float, until_steps: int | None = None) -> None:
        """Let time pass, no longer than until so many steps are taken: scans while something changes, else a clock."""
        end_s = self.now_s + time_ms / 1000
        quiet = 0
        while self.now_s < end_s and self.table.steps != until_steps:
            changed = self._scan()
            quiet = 0 if changed or self._spikes or self._sensing.counting else quiet + 1
            self._poll()
            self.table.tick()
            self.now_s += SCAN_S if quiet < 4 else 0.01

    def _scan(self) -> bool:
        spaces = {space for piece, space in self.where.items() if self.magnetic(piece)}
        spaces ^= self._spikes.keys()
        self._spikes = {space: scans - 1 for space, scans in self._spikes.items() if scans > 1}
        reading = bytearray(b"\xff" * -(-SENSORS // 8))
        for sensor, space in BOARD.space_of_sensor.items():
            if space in spaces:
                reading[sensor // 8] ^= 0x80 >> sensor % 8
        if not self._sensing.feed(reading):
            return False
        bits = self._sensing.occupancy(SENSORS)
        self.table.take(Occupied(frozenset(k for k in range(SENSORS) if bits[k // 8] & 0x80 >> k % 8)))
        return True

    def magnetic(self, piece: str) -> bool:
        """Whether a hall switch feels that piece: by what the token is now, or was when it left the game."""
        if self._kinds_of is not self.table.state:
            self._kinds_of = self.table.state
            self._kinds |= {name: token.kind for name, token in self.game.tokens(self._kinds_of).items()}
        return piece == FOREIGN or self._kinds[self.token(piece)] in self.set_up.magnets

    def _poll(self) -> None:
        now: dict[str, frozenset[bytes]] = {}
        for piece, space in self.where.items():
            if piece in self._uids and space in BOARD.readers:
                now[space] = now.get(space, frozenset()) | {self._uids[piece]}
        if now == self._told:
            self._tags_since_s = self.now_s
        elif self.now_s - self._tags_since_s >= POLL_S:
            self._told = now
            readings = tuple(Reading(now.get(space, frozenset()), frozenset(), Text("")) for space in BOARD.readers)
            self.table.take(Tagged(readings))
