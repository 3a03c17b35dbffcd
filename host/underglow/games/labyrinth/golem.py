"""The Golem: where it walks, and what it does to whom it meets (L-GOLEM)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from underglow.games.agenda import Option
from underglow.games.labyrinth.dice import Test
from underglow.games.labyrinth.draft import held
from underglow.games.labyrinth.grammar import Kind
from underglow.games.labyrinth.hands import carry
from underglow.games.labyrinth.hurting import send_home
from underglow.games.labyrinth.scenario import LANES
from underglow.games.labyrinth.task import Task

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft
    from underglow.games.labyrinth.state import State

GOLEM = "golem"
"""Its token."""
NEED = 12  # L-GOLEM-1


@dataclass(frozen=True, slots=True)
class GolemTest(Test):
    """A character has met the Golem: it stays, or goes home (L-GOLEM-2)."""

    kind: ClassVar[Kind] = "golem"

    @override
    def need(self, position: State | Draft) -> int:
        return NEED

    @override
    def settle(self, draft: Draft, *, passed: bool) -> None:
        if not passed:
            send_home(draft, self.seat)


@dataclass(frozen=True, slots=True)
class Walk(Task):
    """The Golem has steps left to walk; it never enters a start space."""

    steps: int
    toward: str

    @override
    def run(self, draft: Draft) -> bool:
        ways = self.ways(draft)
        if not (self.steps and ways):
            return False
        if self.toward == "random":
            walk(draft, self, ways[draft.below(len(ways))])
            return False
        way, *others = ways
        if others:
            return True
        walk(draft, self, way)
        return False

    def ways(self, position: State | Draft) -> tuple[int, ...]:
        """The corridors it may go to next; of equally short ways to its goal, the active player chooses one."""
        corridors = position.scenario.sockets * LANES
        near = tuple([place for place in position.maze.near[position.golem] if place < corridors])
        if self.toward in ("random", "choice"):
            return near
        far = position.maze.distances(*self._goals(position))
        here = far.get(position.golem, 0)
        return tuple([place for place in near if here and far[place] < here])

    def _goals(self, position: State | Draft) -> tuple[int, ...]:
        if self.toward == "centre":
            return (position.scenario.centre_place,)
        holders = tuple([player.place for seat, player in enumerate(position.players) if held(position, seat)])
        return holders or tuple([player.place for player in position.players])

    @override
    def options(self, state: State) -> Iterator[Option]:
        for place in self.ways(state):
            action = carry(state.scenario, state.seat, "golem_walks", GOLEM, state.golem, place)
            yield Option(action, walk, (place,))


def walk(draft: Draft, task: Walk, place: int) -> None:
    """Have it go one step, and meet who is there (L-GOLEM-3)."""
    chance = task.toward == "random"
    draft.tell("golem_walked", GOLEM, draft.space(draft.golem), draft.space(place), chance=chance)
    draft.golem = place
    draft.push(*_meetings(draft, place), Walk(task.steps - 1, task.toward))


def _meetings(draft: Draft, place: int) -> list[Test]:
    seats = [(draft.seat + i) % draft.seats for i in range(draft.seats)]
    return [GolemTest(seat, 0, 0) for seat in seats if draft.players[seat].place == place]


@dataclass(frozen=True, slots=True)
class Appear(Task):
    """The active player puts the Golem on a laid tile without a character."""

    @override
    def run(self, draft: Draft) -> bool:
        return bool(empty(draft))

    @override
    def options(self, state: State) -> Iterator[Option]:
        for place in empty(state):
            action = carry(state.scenario, state.seat, "golem_appears", GOLEM, state.golem, place)
            yield Option(action, appear, (place,))


def empty(position: State | Draft) -> list[int]:
    """The corridors of other tiles than the Golem's on which no character stands."""
    taken = {player.place // LANES for player in position.players} | {position.golem // LANES}
    return [place for place in position.maze.corridors if place // LANES not in taken]


def appear(draft: Draft, task: Appear, place: int) -> None:
    """Set it down there."""
    draft.tell("golem_walked", GOLEM, draft.space(draft.golem), draft.space(place))
    draft.golem = place
