"""What happened, as words for the log: every event but those that the action itself or the outcome says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from underglow.games.contract import Event
from underglow.games.labyrinth.maze import TURNS
from underglow.games.labyrinth.phrases import counted, danger, effects, lying
from underglow.games.labyrinth.scenario import NONE
from underglow.games.labyrinth.sight import token_name
from underglow.games.labyrinth.state import State

Arg: TypeAlias = str | int
Teller: TypeAlias = Callable[[State, tuple[Arg, ...]], str]


def narrate(state: State, event: Event) -> str:
    """An event as words for the log; "" for what needs none. `state` is the one after the step."""
    teller = _TELLERS.get(event.kind)
    return teller(state, event.args) if teller else ""


def _the(state: State, token: Arg) -> str:
    return f"the {token_name(state, token)}"


def _The(state: State, token: Arg) -> str:  # noqa: N802 - at the beginning of a sentence
    return f"The {token_name(state, token)}"


def _faced(state: State, args: tuple[Arg, ...]) -> str:
    """Chance has turned a tile; where it lies, its heads tell."""
    hex_ = state.scenario.spaces.index(str(args[1]).partition(".")[0])
    kind, turned = divmod(state.maze.laid[hex_], TURNS)
    return f"As chance has it, {lying(state.scenario.tiles[kind], turned)}."


def _tested(state: State, args: tuple[Arg, ...]) -> str:
    token, kind, need, total, verdict = args
    test = {"jump": "jump", "golem": "Golem test"}.get(str(kind), "test")
    does = "passes" if verdict == "passed" else "fails"
    return f"{_The(state, token)} {does} the {test}: {total}, and {need} was needed."


def _revealed(state: State, args: tuple[Arg, ...]) -> str:
    scenario = state.scenario
    trap = next((known for known in scenario.traps if known.id == args[1]), None)
    if trap is None:
        return ""
    return f"{trap.name} on {args[2]}: {danger(scenario, trap)}."


def _golem_card(state: State, args: tuple[Arg, ...]) -> str:
    card = next((known.name for known in state.scenario.golem_cards if known.id == args[0]), str(args[0]))
    return f"The Golem card is {card}."


def _event(state: State, args: tuple[Arg, ...]) -> str:
    event = next((known for known in state.scenario.events if known.id == args[0]), None)
    if event is None:
        return ""
    if event.rule:
        return f"The event is {event.name}: from now on, {_RULES[event.rule]}."
    if event.program != NONE:
        return f"The event is {event.name}: {effects(state.scenario, event.program)}."
    return f"The event is {event.name}."


_RULES: Mapping[str, str] = MappingProxyType(
    {
        "tested_traps_go": "a trap is gone once it has been tested",
        "no_free_fights": "who comes to another does not fight for free",
        "second_step_free": "the second step of a turn is free",
        "shaking_bridges": "a jump needs 1 more",
    }
)


def _rested(state: State, args: tuple[Arg, ...]) -> str:
    if args[1]:
        return f"{_The(state, args[0])} has {counted(int(args[1]), 'daze token')} left."
    return f"{_The(state, args[0])} has a clear head."


def _landed(state: State, args: tuple[Arg, ...]) -> str:
    where = "up on the bridge" if args[2] == "up" else "down under the bridge"
    return f"{_The(state, args[0])} is {where} on {args[1]}."


_TELLERS: Mapping[str, Teller] = MappingProxyType(
    {
        "picked": lambda state, args: f"{_The(state, args[0])} begins on {args[1]}.",
        "turn": lambda state, args: f"It is {_the(state, args[0])}'s turn.",
        # building
        "drew": lambda state, args: f"{_The(state, args[0])} draws the {token_name(state, args[1])}.",
        "faced": _faced,
        "trap_lies": lambda state, args: f"A face-down trap lies on {args[1]}.",
        "item_lies": lambda state, args: f"On {args[1]} lies an item: {token_name(state, args[0])}.",
        # dice
        "rolled": lambda state, args: f"{_The(state, args[0])} rolls {args[1]}.",
        "tested": _tested,
        "crystal": lambda state, args: (
            f"{_The(state, args[0])}'s crystal {'lights up' if args[1] == 'active' else 'goes dark'}."
        ),
        "tied": lambda state, args: f"{_The(state, args[0])} and {_the(state, args[1])} are equal and roll again.",
        "fought": lambda state, args: (
            f"In the fight {_the(state, args[0])} comes to {args[1]}, {_the(state, args[2])} to {args[3]}."
        ),
        "helpless": lambda state, args: f"{_The(state, args[0])} is dazed and helpless against {_the(state, args[1])}.",
        # what befalls a character
        "hurt": lambda state, args: (
            f"{_The(state, args[0])} loses {counted(int(args[1]), 'life')}: {counted(int(args[2]), 'life')} left."
        ),
        "healed": lambda state, args: f"{_The(state, args[0])} has {counted(int(args[1]), 'life')} now.",
        "dazed": lambda state, args: f"{_The(state, args[0])} is dazed: {counted(int(args[2]), 'token')} now.",
        "rested": _rested,
        "died": lambda state, args: f"{_The(state, args[0])} has lost the last life, and begins anew with all of them.",
        "sent_home": lambda state, args: f"{_The(state, args[0])} goes back from {args[1]} to the start on {args[2]}.",
        "dropped": lambda state, args: f"{_The(state, args[0])} drops {_the(state, args[1])} on {args[2]}.",
        "boxed": lambda state, args: f"{_The(state, args[0])} has lost {_the(state, args[1])} for good.",
        "names": lambda state, args: f"{_The(state, args[0])} is to say where {_the(state, args[1])} goes.",
        "shifted": lambda state, args: f"{_The(state, args[0])} is moved from {args[1]} to {args[2]}.",
        "not_shifted": lambda state, args: f"There is nowhere for {_the(state, args[0])} to be moved.",
        "fell": lambda state, args: f"{_The(state, args[0])} falls off the bridge.",
        "landed": _landed,
        "more_actions": lambda state, args: f"{_The(state, args[0])} has {counted(int(args[1]), 'action')} now.",
        "became": lambda state, args: f"From now on {_the(state, args[0])} is {_the(state, args[1])}.",
        # traps and ability tokens
        "revealed": _revealed,
        "trap_gone": lambda state, args: f"Gone from {args[1]}: {token_name(state, args[0])}.",
        "drew_traps": lambda state, args: f"{_The(state, args[0])} looks at {counted(int(args[1]), 'trap')}.",
        "returned": lambda state, args: (
            f"{counted(int(args[0]), 'trap')} go{'es' if args[0] == 1 else ''} back among the others."
        ),
        "glyph_laid": lambda state, args: f"{_The(state, args[0])} lays {token_name(state, args[1])} on {args[2]}.",
        "glyph_met": lambda state, args: f"{_The(state, args[0])} meets {token_name(state, args[1])} on {args[2]}.",
        # cards
        "golem_card": _golem_card,
        "golem_walked": lambda state, args: f"The Golem goes from {args[1]} to {args[2]}.",
        "event": _event,
        "reshuffled": lambda state, args: "The discarded cards are a new deck.",
    }
)
