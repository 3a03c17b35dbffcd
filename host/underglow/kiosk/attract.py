"""Attract mode: bots play a real game on a table, at a pace that people can follow."""

from __future__ import annotations

from typing import Any

from underglow.bots import Bot
from underglow.games.contract import Game
from underglow.history import Entry
from underglow.rng import Rng
from underglow.snapshot import Snapshot
from underglow.table import Table

FIRST_S = 4.0
"""From the layout to the first step: who passes by sees where everybody stands."""

STEP_S = 1.4
READ_S = 0.045
"""After a step: that, and so long for each character of what the log said of it."""

SLOWEST_S = 8.0
AFTER_S = 12.0
"""So long the outcome stays."""


class Unwritten:
    """The journal of a game that nobody will ask for."""

    def record(self, entry: Entry, state: Any) -> None:
        """Forget it."""


class Attract:
    """A game that plays itself on `table`, from `now_s` on. `bot` plays all seats, by chance from `rng`."""

    def __init__(self, game: Game[Any, Any], table: Table, bot: Bot, rng: Rng, now_s: float) -> None:
        self._game = game
        self._table = table
        self._bot = bot
        self._rng = rng
        self._said = 0  # lines of the log
        self._fresh = 0  # characters of its lines that came with the last step
        self.due_s = now_s + FIRST_S
        self.over = False
        table.watch(self._read)
        table.settle()

    def tick(self, now_s: float) -> None:
        """Play what is due. Once the outcome has been there long enough, it is `over`."""
        if now_s < self.due_s:
            return
        state = self._table.state
        legal = self._game.legal(state)
        if not legal:
            self.over = True
            return
        self._fresh = 0
        action, self._rng = self._bot.choose(self._game, state, legal[0].seat, self._rng)
        self._table.play(action)
        pause_s = min(SLOWEST_S, STEP_S + READ_S * self._fresh)
        self.due_s = now_s + (pause_s if self._game.legal(self._table.state) else AFTER_S)

    def _read(self, snapshot: Snapshot) -> None:
        fresh = min(snapshot["log_end"] - self._said, len(snapshot["log"]))
        self._said = snapshot["log_end"]
        self._fresh += sum(len(line) for line in snapshot["log"][len(snapshot["log"]) - fresh :])
