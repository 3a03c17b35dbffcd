"""What the characters' side chooses by effects: targets, pushes, looks, helping hands, one choice at a time.

Each may be left before it is done: an ability is a permission.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.contract import Action, Transfer
from underglow.games.mandalorian import plans
from underglow.games.mandalorian.damage import hit
from underglow.games.mandalorian.enemies import relocate
from underglow.games.mandalorian.scenario import NONE, Scenario
from underglow.games.mandalorian.state import public_id
from underglow.games.mandalorian.task import Task, leave
from underglow.games.mandalorian.threats import disrupt, disruptable, enemies, hidden, in_range, targets

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State


def _pass(state: State, figure: int) -> Option:
    return Option(choice(plans.player(state, figure), "pass"), leave)


@dataclass(frozen=True, slots=True)
class Aim(Task):
    """A figure may damage one threat within range; with `only`, that one (corner case 29)."""

    figure: int
    damage: int
    reach: int
    only: int

    @override
    def run(self, draft: Draft) -> bool:
        return bool(self._targets(draft))

    @override
    def options(self, state: State) -> Iterator[Option]:
        for number in self._targets(state):
            action = choice(plans.player(state, self.figure), "attack", (public_id(number),))
            yield Option(action, _aim, (number,))
        yield _pass(state, self.figure)

    def _targets(self, position: State | Draft) -> list[int]:
        return [n for n in targets(position, self.figure, self.reach) if self.only in (NONE, n)]


def _aim(draft: Draft, task: Aim, number: int) -> None:
    hit(draft, number, task.damage, task.figure)


@dataclass(frozen=True, slots=True)
class Split(Task):
    """A figure may share damage among threats within range, point by point."""

    figure: int
    points: int
    reach: int

    @override
    def run(self, draft: Draft) -> bool:
        return self.points > 0 and bool(targets(draft, self.figure, self.reach))

    @override
    def options(self, state: State) -> Iterator[Option]:
        for number in targets(state, self.figure, self.reach):
            action = choice(plans.player(state, self.figure), "attack", (public_id(number),))
            yield Option(action, _split, (number,))
        yield _pass(state, self.figure)


def _split(draft: Draft, task: Split, number: int) -> None:
    draft.push(replace(task, points=task.points - 1))
    hit(draft, number, 1, task.figure)


@dataclass(frozen=True, slots=True)
class Jam(Task):
    """A figure may lay disruption tokens on an enemy within range."""

    figure: int
    tokens: int
    reach: int
    only: int

    @override
    def run(self, draft: Draft) -> bool:
        return self.tokens > 0 and bool(self._targets(draft))

    @override
    def options(self, state: State) -> Iterator[Option]:
        for number in self._targets(state):
            action = choice(plans.player(state, self.figure), "disrupt", (public_id(number),))
            yield Option(action, _jam, (number,))
        yield _pass(state, self.figure)

    def _targets(self, position: State | Draft) -> list[int]:
        spaces = in_range(position, position.figures[self.figure].space, self.reach)
        return [number for number in disruptable(position, spaces) if self.only in (NONE, number)]


def _jam(draft: Draft, task: Jam, number: int) -> None:
    draft.push(replace(task, tokens=task.tokens - 1, only=number))
    disrupt(draft, number)


def looks(state: State, figure: int, reach: int) -> Iterator[Option]:
    """The face-down threats to look at within range (M-INT-1), but those the seat has looked at already."""
    seat = plans.player(state, figure)
    for number in lookable(state, figure, reach):
        yield Option(choice(seat, "look", (public_id(number),)), _look, (figure, number))


def lookable(position: State | Draft, figure: int, reach: int) -> list[int]:
    """The face-down threats within range that the figure's seat does not know."""
    known = position.known[plans.player(position, figure)]
    near = in_range(position, position.figures[figure].space, reach)
    return [number for number in hidden(position, near) if not known >> number & 1]


def _look(draft: Draft, task: Task, figure: int, number: int) -> None:
    """Show a face-down threat to one seat; it stays face down for everybody (M-INT-2, 3)."""
    task.resume(draft)
    seat = plans.player(draft, figure)
    draft.known = tuple([known | 1 << number if n == seat else known for n, known in enumerate(draft.known)])
    draft.stirred = True
    character = draft.scenario.characters[draft.figures[figure].character]
    space = draft.scenario.spaces[draft.threats[number].space]
    draft.tell("looked", character.id, public_id(number), space, reveals=True)


@dataclass(frozen=True, slots=True)
class Peek(Task):
    """A figure may look at face-down threats within range."""

    figure: int
    number: int
    reach: int

    @override
    def run(self, draft: Draft) -> bool:
        return self.number > 0 and bool(lookable(draft, self.figure, self.reach))

    @override
    def options(self, state: State) -> Iterator[Option]:
        yield from looks(state, self.figure, self.reach)
        yield _pass(state, self.figure)

    @override
    def resume(self, draft: Draft) -> None:
        draft.push(replace(self, number=self.number - 1))


def pushes(state: State, figure: int, reach: int, only: int = NONE) -> Iterator[Option]:
    """The enemies within range, and the spaces each can be moved to (M-INT-1), also a disrupted one (M-DISR-6)."""
    near = state.scenario.grids[state.doors_open].near
    seat = plans.player(state, figure)
    for number in pushable(state, figure, reach, only):
        space = state.threats[number].space
        yield from _pushes(state.scenario, seat, number, space, near[space])


def pushable(position: State | Draft, figure: int, reach: int, only: int = NONE) -> list[int]:
    """The enemies within range that have somewhere to go."""
    near = position.scenario.grids[position.doors_open].near
    spaces = in_range(position, position.figures[figure].space, reach) if only == NONE else -1
    return [
        number
        for number in enemies(position, spaces)
        if near[position.threats[number].space] and only in (NONE, number)
    ]


@lru_cache(maxsize=1 << 14)
def _pushes(scenario: Scenario, seat: int, number: int, space: int, ends: int) -> tuple[Option, ...]:
    token, names = public_id(number), scenario.spaces
    return tuple(
        [
            Option(
                Action(seat, "push", (token, names[end]), (Transfer(token, names[space], names[end]),)),
                _push,
                (number, (space, end)),
            )
            for end in range(len(names))
            if ends >> end & 1
        ]
    )


def _push(draft: Draft, task: Task, number: int, path: tuple[int, int]) -> None:
    if isinstance(task, Shove):
        draft.push(replace(task, steps=task.steps - 1, only=number))
    else:
        task.resume(draft)
    relocate(draft, number, path, "pushed")


@dataclass(frozen=True, slots=True)
class Shove(Task):
    """A figure may move an enemy within range, space by space."""

    figure: int
    steps: int
    reach: int
    only: int

    @override
    def run(self, draft: Draft) -> bool:
        return self.steps > 0 and bool(pushable(draft, self.figure, self.reach, self.only))

    @override
    def options(self, state: State) -> Iterator[Option]:
        yield from pushes(state, self.figure, self.reach, self.only)
        yield _pass(state, self.figure)


@dataclass(frozen=True, slots=True)
class Mend(Task):
    """A figure may take damage off a character within range."""

    figure: int
    damage: int
    reach: int

    @override
    def run(self, draft: Draft) -> bool:
        return bool(self._patients(draft))

    @override
    def options(self, state: State) -> Iterator[Option]:
        for number in self._patients(state):
            character = state.scenario.characters[state.figures[number].character]
            yield Option(choice(plans.player(state, self.figure), "heal", (character.id,)), _mend, (number,))
        yield _pass(state, self.figure)

    def _patients(self, position: State | Draft) -> list[int]:
        spaces = in_range(position, position.figures[self.figure].space, self.reach)
        return [n for n, figure in enumerate(position.figures) if figure.damage and spaces >> figure.space & 1]


def _mend(draft: Draft, task: Mend, number: int) -> None:
    heal(draft, number, task.damage)


def heal(draft: Draft, number: int, damage: int) -> None:
    """Take damage off a figure."""
    figure = draft.figures[number]
    healed = min(damage, figure.damage)
    if healed:
        draft.set_figure(number, figure._replace(damage=figure.damage - healed))
        draft.stirred = True
        draft.tell("healed", draft.scenario.characters[figure.character].id, healed)
