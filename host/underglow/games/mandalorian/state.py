"""The state of a game: frozen values, and their text form.

Spaces, characters, cards, kinds and doors appear by their number in the scenario, sets of them as bit masks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal, NamedTuple, TypeAlias, cast

from pydantic import Field, PlainSerializer, PlainValidator, TypeAdapter, ValidationError, ValidationInfo

from underglow.games.mandalorian.scenario import Scenario
from underglow.rng import Rng

OFF = -1
"""No space: a token still in the box (face down), or out of play (face up)."""

Ending: TypeAlias = Literal["", "objective", "defeat"]
Natural: TypeAlias = Annotated[int, Field(ge=0)]
Numbers: TypeAlias = tuple[Natural, ...]


class Figure(NamedTuple):
    """A character in play. The hand is sorted, for its order means nothing; the deck is drawn from its front."""

    space: Natural
    damage: Natural
    hand: Numbers
    deck: Numbers
    discard: Numbers


class Threat(NamedTuple):
    """A threat token. Its number, from 0 in the order of spaces at the start, makes its id and tells nothing else."""

    kind: Natural
    space: Annotated[int, Field(ge=OFF)]
    up: bool


class Pile(NamedTuple):
    """What lies in an action zone: skill cards from bottom to top, and the numbers of disruption tokens."""

    cards: Numbers
    disruption: Numbers


def _at_hand(digest: object, info: ValidationInfo) -> Scenario:
    scenario = cast("Scenario", info.context)
    if digest != scenario.digest:
        raise ValueError("it was another file")
    return scenario


@dataclass(frozen=True, slots=True)
class State:
    """A moment between two choices."""

    scenario: Annotated[Scenario, PlainValidator(_at_hand), PlainSerializer(lambda scenario: scenario.digest)]
    """In the text form, the digest of its file."""
    seats: Natural
    rng: Rng
    turn: Natural
    """How many turns were finished."""
    acting: Natural
    """The character whose turn it is."""
    used: Natural
    """The zones that got a card this turn."""
    pending: Natural | None
    """The zone whose action is now to be carried out."""
    figures: tuple[Figure, ...]
    threats: tuple[Threat, ...]
    piles: tuple[Pile, ...]
    pool: Numbers
    """Disruption tokens out of play, sorted: which one comes next is drawn when it comes."""
    doors_open: Natural
    ended: Ending

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return seat_of(self.acting, self.seats)

    @property
    def figure(self) -> Figure:
        """The character whose turn it is, as it is now."""
        return self.figures[self.acting]

    def to_json(self) -> str:
        """The canonical text form: equal states give equal texts."""
        return _text_form().dump_json(self).decode()

    @classmethod
    def from_json(cls, text: str, scenario: Scenario) -> State:
        """Read the text form. ValueError: it is not a state of that scenario."""
        try:
            state = _text_form().validate_json(text, strict=True, context=scenario)
        except ValidationError as error:
            wrong = ".".join(map(str, error.errors()[0]["loc"])) or "the text"
        else:
            wrong = _misfit(state)
            if not wrong:
                return state
        raise ValueError(f"This is not a state of the scenario {scenario.id} at hand: {wrong} does not fit.")


@cache
def _text_form() -> TypeAdapter[State]:
    return TypeAdapter(State)


def _misfit(state: State) -> str:
    """Return the field whose numbers mean nothing in its scenario, "" if all do."""
    scenario = state.scenario
    cards = [card for figure in state.figures for card in (*figure.hand, *figure.deck, *figure.discard)]
    cards += [card for pile in state.piles for card in pile.cards]
    kinds = [kind for pool in scenario.pools.values() for kind in pool]
    tokens = [number for pile in state.piles for number in pile.disruption]
    spaces, zones, characters = len(scenario.spaces), len(scenario.zones), len(scenario.characters)
    fits = {
        "seats": state.seats in scenario.seats,
        "acting": state.acting < characters,
        "used": state.used < 1 << zones,
        "figures": len(state.figures) == characters
        and all(figure.space < spaces for figure in state.figures)
        and sorted(cards) == sorted(card for character in scenario.characters for card in character.deck),
        "threats": sorted(threat.kind for threat in state.threats) == sorted(kinds)
        and all(threat.space < spaces for threat in state.threats),
        "piles": len(state.piles) == zones,
        "pending": state.pending is None or any(pile.cards for pile in state.piles[state.pending : state.pending + 1]),
        "pool": sorted((*tokens, *state.pool)) == sorted(scenario.white + scenario.other),
        "doors_open": state.doors_open < 1 << len(scenario.doors),
    }
    return next((field for field, fine in fits.items() if not fine), "")


def seat_of(character: int, seats: int) -> int:
    """Return the seat that plays a character: they are dealt round the table."""
    return character % seats


def public_id(threat: int) -> str:
    """The id of a threat token by its number: it tells where the token began, never what it is."""
    return f"t{threat + 1}"


def threat_number(token: str) -> int:
    """Return the number of a threat token by its id; OFF when it is none's."""
    return int(token[1:]) - 1 if token[:1] == "t" and token[1:].isdecimal() else OFF
