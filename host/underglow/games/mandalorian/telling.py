"""What happened, as words for the log: every event but those that the action itself or the outcome says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from underglow.games.contract import Event
from underglow.games.mandalorian.sight import token_name
from underglow.games.mandalorian.state import State

Arg: TypeAlias = str | int
Teller: TypeAlias = Callable[["_Names", tuple[Arg, ...]], str]


class _Names:
    """Names by id."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._scenario = state.scenario

    def token(self, token: Arg) -> str:
        return token_name(self._state, token)

    def zone(self, zone: Arg) -> str:
        return next((known.name for known in self._scenario.zones if known.id == zone), str(zone))

    def plan(self, plan: Arg) -> str:
        return next((known.name for known in self._scenario.plans if known.id == plan), str(plan))

    def event(self, event: Arg) -> str:
        return next((known.name for known in self._scenario.events if known.id == event), str(event))

    def door(self, door: Arg) -> str:
        return next((known.name for known in self._scenario.doors if known.id == door), str(door))

    def track(self, track: Arg) -> str:
        return next((known.name for known in self._scenario.tracks if known.id == track), str(track))

    @property
    def shared(self) -> bool:
        return self._scenario.switches.peek_may_be_shared


def narrate(state: State, event: Event) -> str:
    """An event as words for the log; "" for what needs none. `state` is the one after the step."""
    teller = _TELLERS.get(event.kind)
    return teller(_Names(state), event.args) if teller else ""


def _damaged(names: _Names, args: tuple[Arg, ...]) -> str:
    who, damage, by, how = args
    if by:
        return f"The {names.token(by)} deals the {names.token(who)} {damage} damage ({str(how).replace('_', ' ')})."
    return f"The {names.token(who)} takes {damage} damage."


def _looked(names: _Names, args: tuple[Arg, ...]) -> str:
    if names.shared:
        return f"The {names.token(args[0])} may tell the others what lies there."
    return f"The {names.token(args[0])} keeps to itself what lies there."


def _marched(names: _Names, args: tuple[Arg, ...]) -> str:
    token, start, *_, end = args
    return f"The {names.token(token)} moves from {start} to {end}."


def _reinforced(names: _Names, args: tuple[Arg, ...]) -> str:
    _, space, *name = args
    return f"A reinforcement arrives on {space}: {name[0]}." if name else f"A hidden reinforcement arrives on {space}."


def _drew(cards: str, names: _Names, args: tuple[Arg, ...]) -> str:
    return f"The {names.token(args[0])} draws {args[1]} {cards}{'' if args[1] == 1 else 's'}."


def _accused(names: _Names, args: tuple[Arg, ...]) -> str:
    return f"Seat {int(args[1]) + 1} has the role {args[2]}."


_TELLERS: Mapping[str, Teller] = MappingProxyType(
    {
        "turn": lambda names, args: f"It is the {names.token(args[0])}'s turn.",
        "idle": lambda names, args: f"There is nothing for {names.zone(args[1])} to do.",
        "revealed": lambda names, args: f"Revealed on {args[1]}: {args[2]}.",
        "damaged": _damaged,
        "attacked": lambda names, args: f"The {names.token(args[0])} attacks the {names.token(args[1])}.",
        "hit": lambda names, args: f"The {names.token(args[0])} takes {args[1]} damage.",
        "destroyed": lambda names, args: f"The {names.token(args[0])} is defeated.",
        "healed": lambda names, args: f"The {names.token(args[0])} heals {args[1]} damage.",
        "looked": _looked,
        "marched": _marched,
        "reinforced": _reinforced,
        "no_reinforcement": lambda names, args: "No reinforcement is left.",
        "reinforcements_reused": lambda names, args: "The defeated reinforcements are a new stack.",
        "crisis_due": lambda names, args: f"{names.zone(args[0])} has reached {args[1]}: a crisis, and an event.",
        "event_due": lambda names, args: f"{names.zone(args[0])} has reached {args[1]}: an event.",
        "event": lambda names, args: f"The event is {names.event(args[0])}.",
        "no_event": lambda names, args: "No event card is left.",
        "no_effect": lambda names, args: "The event has no effect, which brings a reinforcement.",
        "events_reshuffled": lambda names, args: "The event cards are shuffled anew.",
        "emptied": lambda names, args: f"{names.zone(args[0])} is emptied.",
        "disrupted_zone": lambda names, args: f"{names.zone(args[0])} is disrupted by {args[1]}.",
        "borrowed": lambda names, args: f"The pool is empty: {names.zone(args[0])} gives its {args[1]}.",
        "disrupted": lambda names, args: f"The {names.token(args[0])} is disrupted.",
        "recovered": lambda names, args: f"The {names.token(args[0])} does nothing but lose a disruption token.",
        "drew_plans": partial(_drew, "planning card"),
        "plans_reshuffled": lambda names, args: "The planning cards are shuffled anew.",
        "thrown": lambda names, args: f"{names.plan(args[1])} is discarded.",
        "reshuffled": lambda names, args: f"The {names.token(args[0])}'s discards are a new deck.",
        "drew": partial(_drew, "card"),
        "track": lambda names, args: f"The {names.track(args[0])} is at {args[1]}.",
        "opened": lambda names, args: f"The {names.door(args[0])} opens.",
        "shut": lambda names, args: f"The {names.door(args[0])} shuts.",
        "fled": lambda names, args: f"The child flees to {args[2]}.",
        "captured": lambda names, args: f"The {names.token(args[1])} takes the child.",
        "carried_off": lambda names, args: f"The child is carried to {args[1]}.",
        "dropped": lambda names, args: f"The child is free again on {args[1]}.",
        "accused": _accused,
        "unmasked": lambda names, args: f"The roles were, seat by seat: {', '.join(map(str, args))}.",
    }
)
