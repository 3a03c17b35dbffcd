"""Movement: how far a character gets, and what happens on the way (M-MOVE)."""

from __future__ import annotations

from functools import lru_cache

from underglow.games.mandalorian import threats
from underglow.games.mandalorian.draft import Draft
from underglow.games.mandalorian.scenario import Scenario, adjacency
from underglow.games.mandalorian.state import State

Path = tuple[int, ...]


@lru_cache(maxsize=1 << 16)
def paths(scenario: Scenario, doors_open: int, start: int, strength: int, stops: int) -> tuple[Path, ...]:
    """A shortest path to each other space within `strength` steps, the start included; nearest spaces first.

    One path a space is enough: what happens depends on the space left and the space reached, never on those between,
    for every space that does more than let pass ends the movement (M-MOVE-3). Leaving on foot and coming back is no
    other choice than staying, only worse.
    """
    near = adjacency(scenario, doors_open)
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
        edge = [path for path in further if not stops >> path[-1] & 1]
    return tuple(found)


def walk(draft: Draft, path: Path) -> None:
    """Move the acting character along a path and let everything happen that follows from it."""
    scenario = draft.scenario
    threats.grapple(draft)
    if draft.ended:
        return  # it fell before it was away
    draft.figure = draft.figure._replace(space=path[-1])
    draft.tell("moved", scenario.characters[draft.acting].id, *(scenario.spaces[space] for space in path))
    threats.reveal(draft, path[-1])
    threats.guard(draft)


def strength(state: State) -> int:
    """How far the character may move whose Move is to be carried out now; 0 at any other time (M-MOVE-1, M-ACT-9)."""
    if state.pending is None or state.scenario.zones[state.pending].verb != "move":
        return 0
    return state.scenario.cards[state.piles[state.pending].cards[-1]].strength


def routes(state: State) -> tuple[Path, ...]:
    """The paths the acting character may now choose from."""
    steps = 0 if state.ended else strength(state)
    stops = threats.stops(state.scenario, state.threats) if steps else 0
    return paths(state.scenario, state.doors_open, state.figure.space, steps, stops)
