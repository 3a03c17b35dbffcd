"""The state of a game: frozen values, and their text form.

Spaces, characters, cards, kinds and doors appear by their number in the scenario, sets of them as bit masks; characters
in play, called figures, by their number at the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, TypeAlias

from pydantic import Field
from typing_extensions import override

from underglow.games.agenda import TextForm
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.task import Task
from underglow.games.state import ByDigest, ByName, Deck, Frozen, Natural, Number, Numbers
from underglow.rng import Rng

OFF = -1
"""No space: a token in the box (face down), out of play or with a character (face up)."""
STACK = -2
"""In the stack of reinforcements."""
NOBODY = -1

Ending: TypeAlias = Literal["", "objective", "defeat", "failure"]


class Figure(NamedTuple):
    """A character in play.

    Hand and kept planning cards are sorted, for their order means nothing; the deck is drawn from its front. `items`
    are the threat tokens it carries.
    """

    character: Natural
    space: Natural
    damage: Natural
    hand: Numbers
    deck: Numbers
    discard: Numbers
    planning: Numbers
    items: Numbers

    def holding(self, hand: Numbers, deck: Numbers, discard: Numbers) -> Figure:
        """The figure with other skill cards; what `_replace` does, but happening all the time."""
        return Figure(self.character, self.space, self.damage, hand, deck, discard, self.planning, self.items)


class Threat(NamedTuple):
    """A threat token. Its number, from 0 in the order of spaces at the start, makes its id and tells nothing else.

    `disruption` are the numbers of the tokens on it, which lie number down.
    """

    kind: Natural
    space: Annotated[int, Field(ge=STACK)]
    up: bool
    damage: Natural = 0
    disruption: Numbers = ()


class Pile(NamedTuple):
    """What lies in an action zone: skill cards from bottom to top, and the numbers of disruption tokens."""

    cards: Numbers
    disruption: Numbers


class Child(NamedTuple):
    """The child: on a space, or carried by a character or an enemy."""

    space: Number
    carrier: Number
    captor: Number
    fled: bool
    """This turn."""


def _tasks() -> TextForm:
    from underglow.games.mandalorian import agenda  # it knows every task, and tasks know states

    return agenda.TEXT


@dataclass(frozen=True)
class State(Frozen):
    """A moment between two choices."""

    scenario: Annotated[Scenario, ByDigest()]
    """In the text form, the digest of its file."""
    seats: Natural
    rng: Rng
    turn: Natural
    """How many turns were finished."""
    place: Natural
    """Whose turn it is, in the rotation."""
    used: Natural
    """The zones that got a card this turn."""
    agenda: Annotated[tuple[Task, ...], ByName(_tasks)]
    """What is left to do, the next task last: the one that asks. Empty when the game is over."""
    figures: tuple[Figure, ...]
    threats: tuple[Threat, ...]
    piles: tuple[Pile, ...]
    pool: Numbers
    """Disruption tokens out of play, sorted: which one comes next is drawn when it comes."""
    doors_open: Natural
    events: Deck
    planning: Deck
    topped: Number
    """The seat that knows the planning card on top, having put it there."""
    tracks: Numbers
    slots: Numbers
    """For each map rule how many of its slots are filled."""
    child: Child | None
    known: Numbers
    """For each seat the face-down threats it has looked at."""
    roles: Numbers
    """The roles of the envelope: those of the seats, then those left over; empty: it was not opened."""
    accused: Natural
    """The seats that have accused somebody."""
    exposed: Natural
    """The seats whose role is known to all."""
    stirred: bool
    """Whether the event card being resolved has had any effect yet (M-EVT-7)."""
    ended: Ending
    ended_by: Number
    """The figure that was defeated, or the failure of the scenario that came about."""

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return self.scenario.rotations[self.seats][self.place][0]

    @property
    def acting(self) -> int:
        """The figure whose turn it is."""
        return self.scenario.rotations[self.seats][self.place][1]

    @property
    def figure(self) -> Figure:
        """The character whose turn it is, as it is now."""
        return self.figures[self.acting]

    @override
    def misfit(self) -> str:
        from underglow.games.mandalorian import agenda

        return _misfit(self) or agenda.misfit(self)


def _misfit(state: State) -> str:
    """Return the field whose numbers mean nothing in its scenario, "" if all do."""
    scenario, party = state.scenario, state.scenario.parties[state.seats]
    spaces, tokens = len(scenario.spaces), len(state.threats)
    kinds = [kind for pool in scenario.pools.values() for kind in pool]
    fits = {
        "seats": state.seats in scenario.seats,
        "figures": len(state.figures) <= party
        and all(figure.character < len(scenario.characters) for figure in state.figures)
        and all(figure.space < spaces for figure in state.figures)
        and all(item < tokens for figure in state.figures for item in figure.items)
        and _cards(state) == sorted(c for f in state.figures for c in scenario.characters[f.character].deck),
        "place": state.place < len(scenario.rotations[state.seats]),
        "used": state.used < 1 << len(scenario.zones),
        "threats": sorted(threat.kind for threat in state.threats) == sorted(kinds)
        and all(threat.space < spaces for threat in state.threats),
        "piles": len(state.piles) == len(scenario.zones),
        "pool": _disruption(state) == sorted(scenario.white + scenario.other),
        "doors_open": state.doors_open < 1 << len(scenario.doors),
        "events": sorted(state.events.draw + state.events.discard) == sorted(scenario.event_deck),
        "tracks": len(state.tracks) == len(scenario.tracks),
        "slots": len(state.slots) == len(scenario.map_rules),
        "child": (state.child is None) == (scenario.child_start < 0),
        "known": len(state.known) == state.seats,
        "roles": not state.roles
        or (scenario.envelope is not None and sorted(state.roles) == sorted(scenario.envelope.deck)),
        "agenda": bool(state.agenda) == (not state.ended),
    }
    return next((field for field, fine in fits.items() if not fine), "")


def _cards(state: State) -> list[int]:
    cards = [card for figure in state.figures for card in (*figure.hand, *figure.deck, *figure.discard)]
    return sorted(cards + [card for pile in state.piles for card in pile.cards])


def _disruption(state: State) -> list[int]:
    tokens = [number for pile in state.piles for number in pile.disruption]
    tokens += [number for threat in state.threats for number in threat.disruption]
    return sorted((*tokens, *state.pool))


def public_id(threat: int) -> str:
    """The id of a threat token by its number: it tells where the token began, never what it is."""
    return f"t{threat + 1}"


def threat_number(token: str) -> int:
    """Return the number of a threat token by its id; OFF when it is none's."""
    return int(token[1:]) - 1 if token[:1] == "t" and token[1:].isdecimal() else OFF
