"""What happened, as words for the log: every event but those that the action itself or the outcome says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Protocol, TypeAlias

from underglow.games.contract import Event
from underglow.games.mandalorian.phrases import cards, damage, planning_cards
from underglow.games.mandalorian.sight import token_name
from underglow.games.mandalorian.state import State
from underglow.languages import SILENCE, Text, listed, say

Arg: TypeAlias = str | int
Teller: TypeAlias = Callable[["_Names", tuple[Arg, ...]], Text]


class _Named(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def name(self) -> Text: ...


class _Names:
    """Names by id, and those of kinds and roles by what an event calls them."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._scenario = state.scenario

    def token(self, token: Arg) -> Text:
        return token_name(self._state, token)

    def zone(self, zone: Arg) -> Text:
        return _of(self._scenario.zones, zone)

    def plan(self, plan: Arg) -> Text:
        return _of(self._scenario.plans, plan)

    def event(self, event: Arg) -> Text:
        return _of(self._scenario.events, event)

    def door(self, door: Arg) -> Text:
        return _of(self._scenario.doors, door)

    def track(self, track: Arg) -> Text:
        return _of(self._scenario.tracks, track)

    def kind(self, name: Arg) -> Text:
        return _same((kind.name for kind in self._scenario.kinds), name)

    def role(self, name: Arg) -> Text:
        envelope = self._scenario.envelope
        return _same((role.name for role in envelope.roles) if envelope else (), name)

    @property
    def shared(self) -> bool:
        return self._scenario.switches.peek_may_be_shared


def _of(things: Iterable[_Named], thing: Arg) -> Text:
    return next((known.name for known in things if known.id == thing), Text(str(thing)))


def _same(names: Iterable[Text], name: Arg) -> Text:
    """The name as the scenario has it: an event has but its letters."""
    return next((known for known in names if known == name), Text(str(name)))


def narrate(state: State, event: Event) -> Text:
    """An event as words for the log; "" for what needs none. `state` is the one after the step."""
    teller = _TELLERS.get(event.kind)
    return teller(_Names(state), event.args) if teller else SILENCE


_CAUSES = {
    "attack": say("attack"),
    "guard": say("guard"),
    "grapple": say("grapple"),
    "parting_blow": say("parting blow"),
}


def _damaged(names: _Names, args: tuple[Arg, ...]) -> Text:
    token, points, enemy, how = args
    who, dealt = names.token(token), damage(int(points))
    if not enemy:
        return say("The {who} takes {damage}.", who=who, damage=dealt)
    by, cause = names.token(enemy), _CAUSES.get(str(how), how)
    return say("The {enemy} deals the {who} {damage} ({cause}).", enemy=by, who=who, damage=dealt, cause=cause)


def _looked(names: _Names, args: tuple[Arg, ...]) -> Text:
    who = names.token(args[0])
    if names.shared:
        return say("The {who} may tell the others what lies there.", who=who)
    return say("The {who} keeps to itself what lies there.", who=who)


def _marched(names: _Names, args: tuple[Arg, ...]) -> Text:
    token, start, *_, end = args
    return say("The {who} moves from {start} to {end}.", who=names.token(token), start=start, end=end)


def _reinforced(names: _Names, args: tuple[Arg, ...]) -> Text:
    _, space, *name = args
    if name:
        return say("A reinforcement arrives on {space}: {who}.", space=space, who=names.kind(name[0]))
    return say("A hidden reinforcement arrives on {space}.", space=space)


def _drew(names: _Names, args: tuple[Arg, ...]) -> Text:
    return say("The {who} draws {cards}.", who=names.token(args[0]), cards=cards(int(args[1])))


def _drew_plans(names: _Names, args: tuple[Arg, ...]) -> Text:
    return say("The {who} draws {cards}.", who=names.token(args[0]), cards=planning_cards(int(args[1])))


def _hit(names: _Names, args: tuple[Arg, ...]) -> Text:
    return say("The {who} takes {damage}.", who=names.token(args[0]), damage=damage(int(args[1])))


def _healed(names: _Names, args: tuple[Arg, ...]) -> Text:
    return say("The {who} heals {damage}.", who=names.token(args[0]), damage=damage(int(args[1])))


def _unmasked(names: _Names, args: tuple[Arg, ...]) -> Text:
    roles = listed([names.role(role) for role in args], "{others:*}, {last:*}")
    return say("The roles were, seat by seat: {roles}.", roles=roles)


_TELLERS: Mapping[str, Teller] = MappingProxyType(
    {
        "turn": lambda names, args: say("It is the {who}'s turn.", who=names.token(args[0])),
        "idle": lambda names, args: say("There is nothing for {zone} to do.", zone=names.zone(args[1])),
        "revealed": lambda names, args: say("Revealed on {space}: {what}.", space=args[1], what=names.kind(args[2])),
        "damaged": _damaged,
        "attacked": lambda names, args: say(
            "The {enemy} attacks the {who}.", enemy=names.token(args[0]), who=names.token(args[1])
        ),
        "hit": _hit,
        "destroyed": lambda names, args: say("The {who} is defeated.", who=names.token(args[0])),
        "healed": _healed,
        "looked": _looked,
        "marched": _marched,
        "reinforced": _reinforced,
        "no_reinforcement": lambda names, args: say("No reinforcement is left."),
        "reinforcements_reused": lambda names, args: say("The defeated reinforcements are a new stack."),
        "crisis_due": lambda names, args: say(
            "{zone} has reached {sum}: a crisis, and an event.", zone=names.zone(args[0]), sum=args[1]
        ),
        "event_due": lambda names, args: say(
            "{zone} has reached {sum}: an event.", zone=names.zone(args[0]), sum=args[1]
        ),
        "event": lambda names, args: say("The event is {event}.", event=names.event(args[0])),
        "no_event": lambda names, args: say("No event card is left."),
        "no_effect": lambda names, args: say("The event has no effect, which brings a reinforcement."),
        "events_reshuffled": lambda names, args: say("The event cards are shuffled anew."),
        "emptied": lambda names, args: say("{zone} is emptied.", zone=names.zone(args[0])),
        "disrupted_zone": lambda names, args: say(
            "{zone} is disrupted by {strength}.", zone=names.zone(args[0]), strength=args[1]
        ),
        "borrowed": lambda names, args: say(
            "The pool is empty: {zone} gives its {strength}.", zone=names.zone(args[0]), strength=args[1]
        ),
        "disrupted": lambda names, args: say("The {who} is disrupted.", who=names.token(args[0])),
        "recovered": lambda names, args: say(
            "The {who} does nothing but lose a disruption token.", who=names.token(args[0])
        ),
        "drew_plans": _drew_plans,
        "plans_reshuffled": lambda names, args: say("The planning cards are shuffled anew."),
        "thrown": lambda names, args: say("{card} is discarded.", card=names.plan(args[1])),
        "reshuffled": lambda names, args: say("The {who}'s discards are a new deck.", who=names.token(args[0])),
        "drew": _drew,
        "track": lambda names, args: say("The {track} is at {n}.", track=names.track(args[0]), n=args[1]),
        "opened": lambda names, args: say("The {door} opens.", door=names.door(args[0])),
        "shut": lambda names, args: say("The {door} shuts.", door=names.door(args[0])),
        "fled": lambda names, args: say("The child flees to {space}.", space=args[2]),
        "captured": lambda names, args: say("The {enemy} takes the child.", enemy=names.token(args[1])),
        "carried_off": lambda names, args: say("The child is carried to {space}.", space=args[1]),
        "dropped": lambda names, args: say("The child is free again on {space}.", space=args[1]),
        "accused": lambda names, args: say(
            "Seat {n} has the role {role}.", n=int(args[1]) + 1, role=names.role(args[2])
        ),
        "unmasked": _unmasked,
    }
)
