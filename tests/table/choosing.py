"""A small game of choices: after each of them comes the next round. Ann stands on h01 and may walk in any round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from underglow.explain import after
from underglow.games.contract import Action, Cue, Event, IllegalAction, Meaning, Token, Transfer
from underglow.languages import Text
from underglow.rng import Rng

WALK = Action(0, "walk", ("h02",), (Transfer("ann", "h01", "h02"),))
TILES = ("bend", "straight")


def choice(verb: str, *args: str, seat: int = 0) -> Action:
    return Action(seat, verb, args)


@dataclass(frozen=True)
class Round:
    """What was chosen so far."""

    done: tuple[Action, ...] = ()

    def to_json(self) -> str:
        return repr(self.done)


class Choosing:
    """The game and its only scenario: what may be chosen, round by round. "keep" is for its seat alone to know."""

    id = "choosing"
    title = Text("choosing")
    digest = "0" * 64
    seats = range(2, 3)

    def __init__(self, *rounds: Iterable[Action]) -> None:
        self._rounds = [tuple(actions) for actions in rounds]

    def overlay(self, board: str) -> dict[str, str]:
        return {f"h{number:02}": f"h{number:02}" for number in range(1, 38)}

    def setup(self, scenario: object, seats: int, rng: Rng) -> Round:
        return Round()

    def tokens(self, state: Round) -> dict[str, Token]:
        return {"ann": Token("character", Text("Ann"))} | {tile: Token("tile", Text(tile.title())) for tile in TILES}

    def layout(self, state: Round) -> dict[str, tuple[str, ...]]:
        there = after({"h01": ("ann",)}, [transfer for action in state.done for transfer in action.hands])
        return {space: here for space, here in there.items() if here}

    def legal(self, state: Round) -> tuple[Action, ...]:
        return self._rounds[len(state.done)] if len(state.done) < len(self._rounds) else ()

    def step(self, state: Round, action: Action) -> tuple[Round, tuple[Event, ...]]:
        if action not in self.legal(state):
            raise IllegalAction(Text("That is not legal."))
        return Round((*state.done, action)), (Event("done", action.args),)

    def shown(self, state: Round, action: Action) -> dict[str, Cue] | None:
        if action.verb == "keep":
            return None
        return {str(arg): Cue(Meaning.CHOICE) for arg in action.args if str(arg).startswith("h")}

    def cues(self, state: Round, lifted: tuple[str, ...]) -> dict[str, Cue]:
        spaces = [str(arg) for action in self.legal(state) for arg in action.args if str(arg).startswith("h")]
        return {"h01": Cue(Meaning.READY)} | dict.fromkeys(spaces, Cue(Meaning.CHOICE))

    def flashes(self, state: Round, events: object) -> dict[str, Cue]:
        return {}

    def outcome(self, state: Round) -> None:
        return None

    def view(self, state: Round, seat: int | None) -> dict[str, Any]:
        return {"seats": [{"name": "Ann"}, {"name": "Bob"}]}

    def refuse(self, state: Round, stray: Transfer) -> Text:
        return Text("")

    def describe(self, state: Round, action: Action) -> Text:
        return Text(" ".join([action.verb.capitalize(), *map(str, action.args)]))

    def prompt(self, state: Round, lifted: tuple[str, ...]) -> Text:
        return Text("Choose.")

    def narrate(self, state: Round, event: Event) -> Text:
        return Text("")
