"""Planning cards: how they are drawn, kept and spent (M-PLAN)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.mandalorian.state import NOBODY
from underglow.games.mandalorian.task import Task
from underglow.games.state import Deck

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State


def player(position: State | Draft, figure: int) -> int:
    """The seat that chooses for a figure: of several who share it, the one whose turn it is, else the first."""
    sharers = position.scenario.players[position.seats][figure]
    return position.seat if position.seat in sharers else sharers[0]


def held(position: State | Draft, figure: int, moment: str) -> list[int]:
    """The planning cards a figure has kept that are used in that moment, equal ones once."""
    kept = position.figures[figure].planning
    if not kept:
        return []
    plans = position.scenario.plans
    return [card for card in dict.fromkeys(kept) if plans[card].moment == moment]


def room(position: State | Draft, figure: int) -> bool:
    """Whether a figure may keep another planning card (M-PLAN-5)."""
    limit = position.scenario.switches.planning_limit
    return not limit or len(position.figures[figure].planning) < limit


def spend(draft: Draft, figure: int, card: int) -> None:
    """Discard a kept planning card to use it (M-PLAN-3)."""
    owner, plan = draft.figures[figure], draft.scenario.plans[card]
    at = owner.planning.index(card)
    draft.set_figure(figure, owner._replace(planning=owner.planning[:at] + owner.planning[at + 1 :]))
    draft.planning = Deck(draft.planning.draw, (*draft.planning.discard, card))
    draft.tell("used", draft.scenario.characters[owner.character].id, plan.id)


def hand_over(draft: Draft, task: Task, card: int, giver: int, taker: int) -> None:
    """Give a kept planning card to another figure (M-PLAN-5)."""
    one, other = draft.figures[giver], draft.figures[taker]
    at = one.planning.index(card)
    draft.set_figure(giver, one._replace(planning=one.planning[:at] + one.planning[at + 1 :]))
    draft.set_figure(taker, other._replace(planning=tuple(sorted((*other.planning, card)))))
    names = draft.scenario.characters
    draft.tell("handed_over", names[one.character].id, draft.scenario.plans[card].id, names[other.character].id)
    draft.push(task)


def draw(draft: Draft, figure: int, number: int) -> None:
    """Draw planning cards, to be kept, put back or discarded (M-PLAN-1)."""
    deck, discard = draft.planning
    if len(deck) < number and discard and draft.scenario.switches.planning_reshuffle:
        deck += draft.shuffle(discard)
        discard = ()
        draft.tell("plans_reshuffled", chance=True)
    cards = deck[:number]
    draft.planning = Deck(deck[number:], discard)
    if cards:
        draft.topped = NOBODY
        draft.stirred = True
        name = draft.scenario.characters[draft.figures[figure].character].id
        draft.tell("drew_plans", name, len(cards), reveals=True)
        draft.push(Sort(figure, cards, kept=False, topped=False))


@dataclass(frozen=True, slots=True)
class Sort(Task):
    """Planning cards in the hand of whoever drew them: each is kept, put back on top, or discarded, one by one.

    At most one is kept and at most one put back (M-PLAN-1, 2); what can only be discarded is.
    """

    figure: int
    cards: tuple[int, ...]
    kept: bool
    topped: bool

    @override
    def run(self, draft: Draft) -> bool:
        if self.topped and not self._may_keep(draft):
            for card in self.cards:
                _throw(draft, self.figure, card, "thrown")
            return False
        return bool(self.cards)

    @override
    def options(self, state: State) -> Iterator[Option]:
        seat, plan = player(state, self.figure), state.scenario.plans[self.cards[0]]
        if self._may_keep(state):
            yield Option(choice(seat, "keep", (plan.id,)), _keep)
        if not self.topped:
            yield Option(choice(seat, "top"), _top)
        yield Option(choice(seat, "discard", (plan.id,)), _discard)

    def _may_keep(self, position: State | Draft) -> bool:
        return not self.kept and room(position, self.figure)


def _keep(draft: Draft, task: Sort) -> None:
    owner, card = draft.figures[task.figure], task.cards[0]
    draft.set_figure(task.figure, owner._replace(planning=tuple(sorted((*owner.planning, card)))))
    draft.tell("kept", draft.scenario.characters[owner.character].id, draft.scenario.plans[card].id, reveals=True)
    draft.push(replace(task, cards=task.cards[1:], kept=True))


def _top(draft: Draft, task: Sort) -> None:
    draft.planning = Deck((task.cards[0], *draft.planning.draw), draft.planning.discard)
    draft.topped = player(draft, task.figure)
    draft.tell("topped", draft.scenario.characters[draft.figures[task.figure].character].id)
    draft.push(replace(task, cards=task.cards[1:], topped=True))


def _discard(draft: Draft, task: Sort) -> None:
    _throw(draft, task.figure, task.cards[0], "discarded")
    draft.push(replace(task, cards=task.cards[1:]))


def _throw(draft: Draft, figure: int, card: int, how: str) -> None:
    draft.planning = Deck(draft.planning.draw, (*draft.planning.discard, card))
    name = draft.scenario.characters[draft.figures[figure].character].id
    draft.tell(how, name, draft.scenario.plans[card].id, reveals=True)
