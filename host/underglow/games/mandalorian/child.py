"""The child: rescued by characters, captured by enemies, and running away by itself (M-CHILD)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.contract import Action, Transfer
from underglow.games.mandalorian.state import NOBODY, OFF, public_id
from underglow.games.mandalorian.task import Task, leave, settle
from underglow.games.mandalorian.threats import able, enemies, in_range

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State

ID = "child"


def free(position: State | Draft) -> bool:
    """Whether somebody could rescue it: nobody carries it, and it did not flee this turn (M-CHILD-4, 5)."""
    there = position.child
    return there is not None and there.space != OFF and not there.fled


def reachable(position: State | Draft, figure: int) -> bool:
    """Whether a figure stands where it could rescue the child (M-CHILD-2)."""
    return position.child is not None and free(position) and position.child.space == position.figures[figure].space


def rescue(draft: Draft, task: Task, figure: int) -> None:
    """Let a figure carry the child, and go on as if nothing were done (M-CHILD-3)."""
    draft.push(task)
    if draft.child:
        character = draft.scenario.characters[draft.figures[figure].character]
        draft.tell("rescued", ID, character.id, draft.scenario.spaces[draft.child.space])
        draft.child = draft.child._replace(space=OFF, carrier=figure)
        draft.unchecked = True


def rescuing(state: State, figure: int) -> Iterator[Option]:
    """The choice to rescue the child."""
    if state.child:
        hands = (Transfer(ID, state.scenario.spaces[state.child.space], None),)
        yield Option(Action(state.seat, "rescue", hands=hands), rescue, (figure,))


@dataclass(frozen=True, slots=True)
class Rescue(Task):
    """A figure has passed the child on its way (M-CHILD-3)."""

    figure: int

    @override
    def run(self, draft: Draft) -> bool:
        return free(draft)

    @override
    def options(self, state: State) -> Iterator[Option]:
        yield from rescuing(state, self.figure)
        yield Option(choice(state.seat, "pass"), leave)


@dataclass(frozen=True, slots=True)
class Capture(Task):
    """An enemy near the child takes it (M-CHILD-8)."""

    role: str
    reach: int

    @override
    def run(self, draft: Draft) -> bool:
        return settle(draft, self, self._near(draft), draft.scenario.switches.nearest_tie, _capture)

    @override
    def options(self, state: State) -> Iterator[Option]:
        for number in self._near(state):
            yield Option(choice(state.seat, "enemy", (public_id(number),)), _capture, (number,))

    def _near(self, position: State | Draft) -> list[int]:
        there = position.child
        if there is None or there.space == OFF:
            return []
        near = enemies(position, in_range(position, there.space, self.reach), self.role)
        return [number for number in near if able(position, number)]


def _capture(draft: Draft, task: Capture, number: int) -> None:
    if draft.child:
        space = draft.scenario.spaces[draft.threats[number].space]
        draft.child = draft.child._replace(space=OFF, captor=number)
        draft.stirred = draft.unchecked = True
        draft.tell("captured", ID, public_id(number), space)


@dataclass(frozen=True, slots=True)
class Flee(Task):
    """The child, if nobody carries it, runs to where the enemies are farthest, up to `steps` (M-CHILD-8)."""

    steps: int
    threatened: bool
    """Whether it runs only from an enemy on its own space."""

    @override
    def run(self, draft: Draft) -> bool:
        return settle(draft, self, self._ends(draft), draft.scenario.switches.nearest_tie, _flee)

    @override
    def options(self, state: State) -> Iterator[Option]:
        for space in self._ends(state):
            here = state.scenario.spaces[state.child.space] if state.child else ""
            there = state.scenario.spaces[space]
            yield Option(choice(state.seat, "flee", (here, there), (Transfer(ID, here, there),)), _flee, (space,))

    def _ends(self, position: State | Draft) -> list[int]:
        child = position.child
        if child is None or child.space == OFF:
            return []
        foes = {position.threats[number].space for number in enemies(position, -1)}
        if not foes or (self.threatened and child.space not in foes):
            return []
        steps = position.scenario.grids[position.doors_open].steps
        safety = {
            space: min(steps[space][foe] for foe in foes)
            for space, distance in enumerate(steps[child.space])
            if distance <= self.steps
        }
        best = max(safety.values())
        return [space for space, found in safety.items() if found == best] if best > safety[child.space] else []


def _flee(draft: Draft, task: Flee, space: int) -> None:
    if draft.child:
        names = draft.scenario.spaces
        draft.tell("fled", ID, names[draft.child.space], names[space])
        draft.child = draft.child._replace(space=space, fled=True)
        draft.stirred = draft.unchecked = True


def dropped(position: State | Draft) -> bool:
    """Whether the child stands on the board, on a space or beside the enemy that carries it."""
    return position.child is not None and position.child.carrier == NOBODY
