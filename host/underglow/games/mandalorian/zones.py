"""Action zones: their strength, the disruption tokens in them, and how they are emptied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice, replaced
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import Pile
from underglow.games.mandalorian.task import Task

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State

LIMIT = 5  # M-EVT-3
EMPTY = Pile((), ())


def total(scenario: Scenario, pile: Pile) -> int:
    """The strength of a zone: cards and disruption tokens (M-EVT-1), or 5 with a tactical card (M-TACT-4)."""
    cards, disruption = pile
    strength = sum(disruption)
    for card in cards:
        of_card = scenario.cards[card].strength
        if not of_card:
            return LIMIT
        strength += of_card
    return strength


def sums(position: State | Draft) -> tuple[int, ...]:
    """The strength of every zone."""
    scenario = position.scenario
    return tuple([total(scenario, pile) for pile in position.piles])


def empty(draft: Draft, zone: int) -> None:
    """Discard all cards of a zone to their owners, and its tokens face down to the pool (M-EVT-3, 10)."""
    scenario, pile = draft.scenario, draft.piles[zone]
    if pile.cards:
        for number, figure in enumerate(draft.figures):
            if own := tuple([card for card in pile.cards if scenario.owner[card] == figure.character]):
                draft.set_figure(number, figure.holding(figure.hand, figure.deck, figure.discard + own))
    if pile.disruption:
        draft.pool = tuple(sorted(draft.pool + pile.disruption))
    draft.piles = replaced(draft.piles, zone, EMPTY)
    draft.tell("emptied", scenario.zones[zone].id, *[scenario.cards[card].token for card in pile.cards])


def tokens_left(position: State | Draft) -> bool:
    """Whether there is a disruption token to lay: in the pool or, by the switch, in a zone (M-DISR-7)."""
    if position.pool or position.scenario.switches.pool_empty == "nothing":
        return bool(position.pool)
    return any(pile.disruption for pile in position.piles)


def draw_token(draft: Draft) -> int | None:
    """Draw a disruption token; None: there is none (M-DISR-7)."""
    if not draft.pool:
        if draft.scenario.switches.pool_empty == "nothing":
            return None
        return _borrow(draft)
    at = draft.below(len(draft.pool))
    number = draft.pool[at]
    draft.pool = draft.pool[:at] + draft.pool[at + 1 :]
    return number


def _borrow(draft: Draft) -> int | None:
    """Take a token from the fullest zone that has one."""
    strengths = sums(draft)
    lying = [zone for zone, pile in enumerate(draft.piles) if pile.disruption]
    if not lying:
        return None
    zone = max(lying, key=lambda zone: strengths[zone])
    *left, number = draft.piles[zone].disruption
    draft.piles = replaced(draft.piles, zone, draft.piles[zone]._replace(disruption=tuple(left)))
    draft.tell("borrowed", draft.scenario.zones[zone].id, number)
    return number


def extremes(position: State | Draft, where: str) -> list[int]:
    """The zones of the lowest or highest strength, or all of them (where: "chosen")."""
    strengths = sums(position)
    wanted = {"lowest": min, "highest": max}.get(where)
    if wanted is None:
        return [zone for zone, pile in enumerate(position.piles) if pile != EMPTY]
    return [zone for zone, strength in enumerate(strengths) if strength == wanted(strengths)]


@dataclass(frozen=True, slots=True)
class DisruptZone(Task):
    """A disruption token goes face up in the lowest or highest zone (M-ABIL-4, 6)."""

    where: str

    @override
    def run(self, draft: Draft) -> bool:
        zones = extremes(draft, self.where)
        if len(zones) > 1 and draft.scenario.switches.sabotage_tie == "players":
            return tokens_left(draft)
        _disrupt(draft, self, zones[0])
        return False

    @override
    def options(self, state: State) -> Iterator[Option]:
        for zone in extremes(state, self.where):
            yield Option(choice(state.seat, "disrupt_zone", (state.scenario.zones[zone].id,)), _disrupt, (zone,))


def _disrupt(draft: Draft, task: DisruptZone, zone: int) -> None:
    number = draw_token(draft)
    if number is None:
        return
    pile = draft.piles[zone]
    draft.piles = replaced(draft.piles, zone, pile._replace(disruption=(*pile.disruption, number)))
    draft.stirred = True
    draft.tell("disrupted_zone", draft.scenario.zones[zone].id, number, chance=True)


@dataclass(frozen=True, slots=True)
class ClearZone(Task):
    """A zone is emptied without an event."""

    where: str

    @override
    def run(self, draft: Draft) -> bool:
        zones = [zone for zone in extremes(draft, self.where) if draft.piles[zone] != EMPTY]
        if len(zones) == 1 and self.where != "chosen":
            _clear(draft, self, zones[0])
            return False
        return bool(zones)

    @override
    def options(self, state: State) -> Iterator[Option]:
        for zone in extremes(state, self.where):
            if state.piles[zone] != EMPTY:
                yield Option(choice(state.seat, "clear", (state.scenario.zones[zone].id,)), _clear, (zone,))


def _clear(draft: Draft, task: ClearZone, zone: int) -> None:
    draft.stirred = True
    empty(draft, zone)
