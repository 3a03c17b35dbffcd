"""A small game that moves tokens by itself: Ann takes steps along a row, and after each golems go by a script."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from underglow.explain import after
from underglow.games.contract import Action, Cue, Event, IllegalAction, Meaning, Token, Transfer
from underglow.languages import Text
from underglow.rng import Rng

ROW = ("h29", "h30", "h31", "h32", "h33")
"""Where Ann walks, from left to right."""

GOLEMS = ("clay", "iron", "stone")
Move = tuple[str, ...]
"""A golem and its way: where it was, the spaces between, where it is now. "": off the board."""


class Turn(int):
    """The state: how often Ann has moved."""

    rng = Rng(0)

    def to_json(self) -> str:
        return str(int(self))


class Shifting:
    """The game and its only scenario. `script`: what the golems do after each step."""

    id = "shifting"
    title = Text("shifting")
    digest = "0" * 64
    seats = range(1, 2)

    def __init__(self, start: dict[str, str], *script: Iterable[Move]) -> None:
        self._script = [tuple(moves) for moves in script]
        self._layouts: list[dict[str, tuple[str, ...]]] = [
            {ROW[0]: ("ann",)} | {space: (golem,) for golem, space in start.items()}
        ]
        for number, moves in enumerate(self._script):
            hands = [Transfer("ann", ROW[number], ROW[number + 1])]
            hands += [Transfer(golem, way[0] or None, way[-1] or None) for golem, *way in moves]
            self._layouts.append({space: here for space, here in after(self._layouts[-1], hands).items() if here})

    def overlay(self, board: str) -> dict[str, str]:
        return {f"h{number:02}": f"h{number:02}" for number in range(1, 38)}

    def setup(self, scenario: object, seats: int, rng: Rng) -> Turn:
        return Turn()

    def tokens(self, state: int) -> dict[str, Token]:
        there = {token for here in self._layouts[state].values() for token in here}
        return {token: Token("character", Text(token.title())) for token in sorted(there)}

    def layout(self, state: int) -> dict[str, tuple[str, ...]]:
        return self._layouts[state]

    def legal(self, state: int) -> tuple[Action, ...]:
        if state == len(self._script):
            return ()
        hands = (Transfer("ann", ROW[state], ROW[state + 1]),)
        return (Action(0, "step", (ROW[state + 1],), hands),)

    def step(self, state: int, action: Action) -> tuple[Turn, tuple[Event, ...]]:
        if action not in self.legal(state):
            raise IllegalAction(Text("That is not legal."))
        return Turn(state + 1), tuple(Event("went", move) for move in self._script[state])

    def shown(self, state: int, action: Action) -> dict[str, Cue]:
        return {str(action.args[0]): Cue(Meaning.CHOICE)}

    def flashes(self, state: int, events: Iterable[Event]) -> dict[str, Cue]:
        return {str(space): Cue(Meaning.PATH) for event in events for space in event.args[1:] if space}

    def outcome(self, state: int) -> None:
        return None

    def cues(self, state: int, lifted: tuple[str, ...]) -> dict[str, Cue]:
        return {}

    def view(self, state: int, seat: int | None) -> dict[str, Any]:
        return {"seats": [{"name": "Ann"}]}

    def refuse(self, state: int, stray: Transfer) -> Text:
        return Text("")

    def describe(self, state: int, action: Action) -> Text:
        return Text(f"Step to {action.args[0]}")

    def prompt(self, state: int, lifted: tuple[str, ...]) -> Text:
        return Text("Step on.")

    def narrate(self, state: int, event: Event) -> Text:
        return Text("")
