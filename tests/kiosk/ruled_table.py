"""A table without a board: real rules, and every choice is made on a page."""

from __future__ import annotations

import copy
import queue
from collections.abc import Callable, Mapping
from typing import Any

from scripted_table import ScriptedTable

from underglow import games
from underglow.games.contract import Action, Game
from underglow.languages import Text
from underglow.profile import Board
from underglow.rng import Rng
from underglow.snapshot import Snapshot


class RuledTable:
    """Plays a scenario; `deal` may put it into another state first. Every snapshot of it is kept, by its number."""

    def __init__(
        self,
        board: Board,
        scenario: str,
        seats: int,
        seed: int,
        deal: Callable[[Any], Any] = lambda state: state,
    ) -> None:
        name, path = games.find(scenario, None)
        self.game: Game[Any, Any] = games.load(name)
        self.scenario = self.game.load(path)
        self.states = {1: deal(self.game.setup(self.scenario, seats, Rng(seed)))}
        self.number = 1
        self.posted: queue.Queue[tuple[int, int]] = queue.Queue()
        self._overlay = dict(self.scenario.overlay(board.name))
        self._log: list[Text] = []
        self._show: Callable[[Snapshot], None] = lambda snapshot: None

    @property
    def state(self) -> Any:
        return self.states[self.number]

    @property
    def legal(self) -> tuple[Action, ...]:
        return self.game.legal(self.state)

    def snapshot(self) -> Snapshot:
        told = copy.deepcopy(ScriptedTable().snapshot)
        state, legal = self.state, self.legal
        outcome = self.game.outcome(state)
        told["number"] = self.number
        told["turn"] = sorted({action.seat for action in legal})
        told["prompt"] = self.game.prompt(state, ())
        told["choices"] = [
            {
                "index": index,
                "seat": action.seat,
                "text": self.game.describe(state, action),
                "verb": action.verb,
                "args": list(action.args),
                "at": [],
                "open": self.game.shown(state, action) is not None,
            }
            for index, action in enumerate(legal)
        ]
        told["layout"] = {}
        told["tokens"] = {id_: {"kind": t.kind, "name": t.name} for id_, t in self.game.tokens(state).items()}
        told["overlay"] = self._overlay
        told["log"] = list(self._log)
        told["outcome"] = outcome and outcome.reason
        return told

    def watch(self, show: Callable[[Snapshot], None]) -> None:
        self._show = show
        show(self.snapshot())

    def play(self, timeout_s: float = 10) -> None:
        """Wait for a page's choice and carry it out."""
        index, number = self.posted.get(timeout=timeout_s)
        assert number == self.number
        state, events = self.game.step(self.state, self.legal[index])
        self._log += filter(None, (self.game.narrate(state, event) for event in events))
        self.number += 1
        self.states[self.number] = state
        self._show(self.snapshot())

    def view(self, seat: int | None) -> Mapping[str, object]:
        return self.game.view(self.state, seat)

    def choose(self, index: int, number: int) -> None:
        self.posted.put((index, number))

    def undo(self, number: int, seat: int | None) -> None:
        raise AssertionError("nobody takes back")

    agree = redo = undo
