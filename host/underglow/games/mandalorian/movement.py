"""Movement of characters: how far one gets, and what happens on the way (M-MOVE)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.contract import Action, Transfer
from underglow.games.mandalorian import child, plans
from underglow.games.mandalorian.damage import Hurt, grapplers, guards
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.task import Task, leave
from underglow.games.mandalorian.threats import reveal, stops

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State

Path: TypeAlias = tuple[int, ...]


@lru_cache(maxsize=1 << 16)
def paths(scenario: Scenario, doors_open: int, start: int, strength: int, stopping: int) -> tuple[Path, ...]:
    """A shortest path to each other space within `strength` steps, the start included; nearest spaces first.

    One path a space is enough: what happens depends on the space left and the space reached, never on those between,
    for every space that does more than let pass ends the movement (M-MOVE-3). The child is the one exception.
    """
    near = scenario.grids[doors_open].near
    reached = 1 << start
    found: list[Path] = []
    edge: list[Path] = [(start,)]
    for _ in range(strength):
        further: list[Path] = []
        for path in edge:
            fresh = near[path[-1]] & ~reached
            while fresh:
                step = fresh & -fresh
                reached |= step
                further.append((*path, step.bit_length() - 1))
                fresh ^= step
        found += sorted(further, key=lambda path: path[-1])
        edge = [path for path in further if not stopping >> path[-1] & 1]
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def detours(
    scenario: Scenario, doors_open: int, start: int, strength: int, stopping: int, via: int
) -> tuple[Path, ...]:
    """A shortest path by way of a space to each where no other path passes it, the start included (M-CHILD-3)."""
    direct = paths(scenario, doors_open, start, strength, stopping)
    there = next((path for path in direct if path[-1] == via), None)
    if there is None or stopping >> via & 1:
        return ()
    passing = {path[-1] for path in direct if via in path}
    onward = paths(scenario, doors_open, via, strength - len(there) + 1, stopping)
    return tuple([there + path[1:] for path in onward if path[-1] not in passing])


def possible(position: State | Draft, figure: int, strength: int) -> bool:
    """Whether a figure has anywhere to go."""
    near = position.scenario.grids[position.doors_open].near
    nowhere = not near[position.figures[figure].space]
    return strength > 0 and (not nowhere or position.scenario.switches.zero_move_triggers_guard)


def options(position: State | Draft, seat: int, figure: int, strength: int, *, action: bool) -> list[Option]:
    """The paths a figure may choose from; in an action, also those that pass the child."""
    scenario, (character, start, *_) = position.scenario, position.figures[figure]
    stopping = stops(position)
    ways = paths(scenario, position.doors_open, start, strength, stopping)
    if action and position.child and child.free(position) and position.child.space != start:
        ways += detours(scenario, position.doors_open, start, strength, stopping, position.child.space)
    if scenario.switches.zero_move_triggers_guard and strength:
        ways += ((start,),)
    moves = _moves(scenario, seat, character, figure, action)
    return [moves[path, len(path) <= strength and not stopping >> path[-1] & 1] for path in ways]


class _Moves(dict[tuple[Path, bool], Option]):
    """A choice for each path of a figure, made when it is first wanted: there are far fewer than positions.

    True: the figure could have gone on from where the path ends.
    """

    def __init__(self, scenario: Scenario, seat: int, character: int, figure: int, action: bool) -> None:
        super().__init__()
        self._names = scenario.spaces
        self._token = scenario.characters[character].id
        self._seat = seat
        self._figure = figure
        self._action = action

    def __missing__(self, key: tuple[Path, bool]) -> Option:
        path, onward = key
        names = tuple([self._names[space] for space in path])
        hands = (Transfer(self._token, names[0], names[-1], names[1:-1], onward),) if path[0] != path[-1] else ()
        self[key] = Option(Action(self._seat, "move", names, hands), go, (self._figure, path, self._action))
        return self[key]


_moves = lru_cache(maxsize=256)(_Moves)


def go(draft: Draft, task: Task, figure: int, path: Path, action: bool) -> None:
    """Move a figure along a path, as the hands have done already, and let everything happen that follows from it."""
    task.resume(draft)
    if len(path) == 1:
        draft.push(EndMovement(figure))
        return
    held = [Hurt(figure, 1, enemy, "grapple") for enemy in grapplers(draft, path[0])]
    draft.push(*held, Arrive(figure, path, action))
    scenario, moving = draft.scenario, draft.figures[figure]
    draft.set_figure(figure, moving._replace(space=path[-1]))
    draft.stirred = draft.unchecked = True
    draft.tell("moved", scenario.characters[moving.character].id, *[scenario.spaces[space] for space in path])


@dataclass(frozen=True, slots=True)
class Arrive(Task):
    """A figure, away from what held it, has come to the end of its path."""

    figure: int
    path: Path
    action: bool

    @override
    def run(self, draft: Draft) -> bool:
        draft.push(EndMovement(self.figure))
        reveal(draft, self.path[-1])
        if self.action and draft.child and draft.child.space in self.path[1:-1] and child.free(draft):
            draft.push(child.Rescue(self.figure))
        return False


@dataclass(frozen=True, slots=True)
class EndMovement(Task):
    """A figure's movement has ended: guards near it react (M-ABIL-1, 5)."""

    figure: int

    @override
    def run(self, draft: Draft) -> bool:
        space = draft.figures[self.figure].space
        draft.push(*(Hurt(self.figure, 1, enemy, "guard") for enemy in guards(draft, space)))
        return False


@dataclass(frozen=True, slots=True)
class Steps(Task):
    """A figure may move, not by the Move action but by all rules of movement (M-MOVE-8).

    In an action, it may pass the child and rescue it (M-CHILD-3).
    """

    figure: int
    strength: int
    action: bool

    @override
    def run(self, draft: Draft) -> bool:
        return possible(draft, self.figure, self.strength)

    @override
    def options(self, state: State) -> Iterator[Option]:
        seat = plans.player(state, self.figure)
        yield from options(state, seat, self.figure, self.strength, action=self.action)
        yield Option(choice(seat, "pass"), leave)

    @override
    def movement(self, position: State | Draft) -> int:
        return self.strength


def strength(state: State) -> int:
    """How far a figure may move that has now to choose a movement; 0 at any other time."""
    task = state.agenda[-1] if state.agenda else None
    return task.movement(state) if task else 0
