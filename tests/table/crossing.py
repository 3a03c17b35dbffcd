"""A small game for tests of hands: two walkers take turns on a row of six spaces, one to three steps at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from underglow.games.contract import Action, Cue, Event, IllegalAction, Meaning, Outcome, Token, Transfer
from underglow.languages import Text
from underglow.rng import Rng

ROW = ("h01", "h02", "h03", "h04", "h09", "h15")
"""From left to right. Ann starts on the left and Bob on the right; who reaches the other end has won."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Whose turn it is, and where the walkers stand."""

    turn: int = 0
    ann: int = 0
    bob: int = 5

    def to_json(self) -> str:
        return f"[{self.turn}, {self.ann}, {self.bob}]"


class Crossing:
    """The game and its only scenario. `turns`: how many moves a walker makes before it is the other's turn.

    On `traps` something is revealed.
    """

    id = "crossing"
    title = Text("crossing")
    digest = "0" * 64
    seats = range(2, 3)

    def __init__(self, turns: int = 1, traps: frozenset[str] = frozenset()) -> None:
        self._turns = turns
        self._traps = traps

    def overlay(self, board: str) -> dict[str, str]:
        return {space: space for space in ROW}

    def setup(self, scenario: object, seats: int, rng: Rng) -> Walk:
        return Walk()

    def tokens(self, state: Walk) -> dict[str, Token]:
        return {"ann": Token("character", Text("Ann")), "bob": Token("character", Text("Bob"))}

    def layout(self, state: Walk) -> dict[str, tuple[str, ...]]:
        if state.ann == state.bob:
            return {ROW[state.ann]: ("ann", "bob")}
        return {ROW[state.ann]: ("ann",), ROW[state.bob]: ("bob",)}

    def legal(self, state: Walk) -> tuple[Action, ...]:
        if self.outcome(state):
            return ()
        seat = state.turn // self._turns % 2
        token, here, step = ("ann", state.ann, 1) if seat == 0 else ("bob", state.bob, -1)
        found: list[Action] = []
        for steps in (1, 2, 3):
            way = [here + step * n for n in range(steps + 1)]
            if all(0 <= at < len(ROW) for at in way):
                names = tuple(ROW[at] for at in way)
                onward = steps < 3 and 0 <= way[-1] + step < len(ROW)
                hands = (Transfer(token, names[0], names[-1], names[1:-1], onward),)
                found.append(Action(seat, "move", names, hands))
        return tuple(found)

    def step(self, state: Walk, action: Action) -> tuple[Walk, tuple[Event, ...]]:
        if action not in self.legal(state):
            raise IllegalAction(Text("That is not legal."))
        end = str(action.args[-1])
        moved = replace(state, turn=state.turn + 1, **{("ann", "bob")[action.seat]: ROW.index(end)})
        return moved, (Event("moved", action.args, reveals=end in self._traps),)

    def outcome(self, state: Walk) -> Outcome | None:
        if state.ann == 5 or state.bob == 0:
            return Outcome((0 if state.ann == 5 else 1,), Text("Somebody has crossed."))
        return None

    def cues(self, state: Walk, lifted: tuple[str, ...]) -> dict[str, Cue]:
        ends = [str(action.args[-1]) for action in self.legal(state) if action.hands[0].token in lifted]
        return {space: Cue(Meaning.REACHABLE) for space in ends}

    def shown(self, state: Walk, action: Action) -> dict[str, Cue]:
        return {str(action.args[-1]): Cue(Meaning.CHOICE)}

    def flashes(self, state: Walk, events: object) -> dict[str, Cue]:
        return {}

    def view(self, state: Walk, seat: int | None) -> dict[str, Any]:
        return {"seats": [{"name": "Ann"}, {"name": "Bob"}]}

    def refuse(self, state: Walk, stray: Transfer) -> Text:
        return Text(f"{stray.token.title()} cannot go to {stray.target}.")

    def describe(self, state: Walk, action: Action) -> Text:
        return Text(f"{action.hands[0].token} to {action.args[-1]}")

    def prompt(self, state: Walk, lifted: tuple[str, ...]) -> Text:
        return Text("Walk.")

    def narrate(self, state: Walk, event: Event) -> Text:
        return Text("")
