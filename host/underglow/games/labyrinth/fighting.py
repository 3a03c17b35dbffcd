"""Combat between characters (L-FIGHT)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.labyrinth import dice
from underglow.games.labyrinth.draft import others_at
from underglow.games.labyrinth.hurting import lose_lives
from underglow.games.labyrinth.task import Task

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft
    from underglow.games.labyrinth.state import State


@dataclass(frozen=True, slots=True)
class Meet(Task):
    """The active player has come to others, and one free fight may take place (L-FREE-FIGHT).

    `seat` may want it now: the active player first, then each of the others (L-FIGHT-1); `of` is the active one.
    """

    seat: int
    of: int

    @override
    def run(self, draft: Draft) -> bool:
        if draft.players[self.seat].daze:  # L-DAZE-1
            _pass(draft, self)
            return False
        return True

    @override
    def options(self, state: State) -> Iterator[Option]:
        rivals = others_at(state, self.of) if self.seat == self.of else (self.of,)
        for rival in rivals:
            yield Option(choice(self.seat, "fight", (name(state, rival),)), _fight, (rival,))
        yield Option(choice(self.seat, "pass"), _pass)


def _fight(draft: Draft, task: Meet, rival: int) -> None:
    other = rival if task.seat == task.of else task.seat
    draft.push(Fight(task.of, other, task.seat))


def _pass(draft: Draft, task: Meet) -> None:
    """The next of those who are there may want to fight."""
    those = (task.of, *others_at(draft, task.of))
    after = those[those.index(task.seat) + 1 :]
    if after:
        draft.push(Meet(after[0], task.of))


def name(position: State | Draft, seat: int) -> str:
    """The token of a seat's character."""
    return position.scenario.characters[position.players[seat].character].id


@dataclass(frozen=True, slots=True)
class Fight(Task):
    """Two characters roll, `first` before `second`, and the lower total loses a life (L-FIGHT-2).

    `by` is who wanted it; `one` and `two` are their rolls, 0 before they are down. What an item used for it lends them
    counts until it is decided: `bonus_one` and `bonus_two`.
    """

    first: int
    second: int
    by: int
    one: int = 0
    two: int = 0
    bonus_one: int = 0
    bonus_two: int = 0

    @override
    def run(self, draft: Draft) -> bool:
        target = self.second if self.by == self.first else self.first
        helpless = draft.players[target].daze and draft.scenario.switches.dazed_loses_fights
        if helpless and not (self.one or self.two):  # L-FIGHT-4
            draft.tell("helpless", draft.who(target), draft.who(self.by))
            lose_lives(draft, target, 1)
            return False
        if not (self.one and self.two):
            roller = self.asked(draft)
            if draft.scenario.switches.dice == "typed" or dice.aids(draft, roller, "fight"):
                return True
            draft.push(self.with_roll(dice.rolled(draft, roller)))
            return False
        if not self.difference(draft):
            draft.tell("tied", draft.who(self.first), draft.who(self.second))
            draft.push(replace(self, one=0, two=0))
            return False
        if dice.may_repeat(draft, self.loser(draft), passed=False):
            return True
        _settle(draft, self)
        return False

    def with_roll(self, roll: int) -> Fight:
        """The fight with one more roll down."""
        return replace(self, two=roll) if self.one else replace(self, one=roll)

    def totals(self, position: State | Draft) -> tuple[int, int]:
        """What both came to."""
        one = self.one + self.bonus_one + dice.bonus(position, self.first, "fight")
        return one, self.two + self.bonus_two + dice.bonus(position, self.second, "fight")

    def difference(self, position: State | Draft) -> int:
        """By how much the first is ahead."""
        one, two = self.totals(position)
        return one - two

    def loser(self, position: State | Draft) -> int:
        """The seat with the lower total."""
        return self.second if self.difference(position) > 0 else self.first

    def asked(self, position: State | Draft) -> int:
        """The seat that is to roll, or may roll again."""
        if not self.one:
            return self.first
        return self.loser(position) if self.two else self.second

    @override
    def options(self, state: State) -> Iterator[Option]:
        seat = self.asked(state)
        if self.one and self.two:
            yield Option(choice(seat, "repeat"), _repeat)
            yield Option(choice(seat, "accept"), _settle)
            return
        yield from dice.throws(state, seat, "fight", _roll, _typed, _aid)


def _roll(draft: Draft, task: Fight) -> None:
    draft.push(task.with_roll(dice.rolled(draft, task.asked(draft))))


def _typed(draft: Draft, task: Fight, roll: int) -> None:
    dice.typed(draft, task.asked(draft), roll)
    draft.push(task.with_roll(roll))


def _aid(draft: Draft, task: Fight, item: int) -> None:
    used, seat = draft.scenario.items[item], task.asked(draft)
    dice.spend(draft, seat, item)
    draft.tell("used", draft.who(seat), used.id)
    if task.one:
        draft.push(replace(task, bonus_two=task.bonus_two + used.bonus))
    else:
        draft.push(replace(task, bonus_one=task.bonus_one + used.bonus))


def _repeat(draft: Draft, task: Fight) -> None:
    """The loser rolls its own dice again; then the other may have lost, and may do the same."""
    loser = task.loser(draft)
    dice.set_crystal(draft, loser, active=False)
    draft.push(replace(task, two=0) if loser == task.second else replace(task, one=0))


def _settle(draft: Draft, task: Fight) -> None:
    one, two = task.totals(draft)
    draft.tell("fought", draft.who(task.first), one, draft.who(task.second), two)
    lose_lives(draft, task.loser(draft), 1)
