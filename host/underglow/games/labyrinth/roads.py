"""How far it is from place to place for bots: through what is laid, through what could be, and past what hurts.

Distances are in actions. A socket without a tile can be passed at the cost of laying one; it is a place of its own, the
first corridor it could have.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from underglow.games.labyrinth.hexes import across
from underglow.games.labyrinth.maze import Maze
from underglow.games.labyrinth.scenario import LANES, NONE

LAYING = 1.7
"""What a step into an empty socket costs beyond the step and a trap there: an action, and that no tile may fit."""
JUMP = 1.3
"""What a jump costs beyond the step."""
FAR = 40.0
"""Where there is no way at all."""

Goals: TypeAlias = tuple[tuple[int, float], ...]
"""Places, and what is left to do from there on."""
Way: TypeAlias = tuple[int, float]
"""A place that is one step or jump away, and what that costs beyond a step."""


class Terms(NamedTuple):
    """What a way costs. `building`: it may lead through empty sockets; `unseen`: the toll of a trap still to come."""

    building: bool
    unseen: float
    tolls: tuple[tuple[int, float], ...]
    """Places, and what it costs to enter them beyond the step."""


@lru_cache(maxsize=1 << 9)
def _ways(maze: Maze, building: bool) -> tuple[tuple[Way, ...], ...]:
    """Where each place leads, there and back alike; `building`: to empty sockets too."""
    scenario, laid = maze.scenario, maze.laid
    found: list[tuple[Way, ...]] = [()] * len(maze.near)
    for place in maze.corridors:
        hex_ = place // LANES
        row = [(other, 0.0) for other in maze.near[place]]
        row += [(other, JUMP) for other in maze.jumps(place)]
        if building:
            beside = scenario.beside[hex_]
            those = [beside[edge] for edge in maze.edges(place)]
            row += [(other * LANES, 0.0) for other in those if NONE < other < len(laid) and laid[other] == NONE]
        found[place] = tuple(row)
    for hex_, tile in enumerate(laid):
        if tile == NONE and building:
            sides = [_side(maze, other, across(edge)) for edge, other in enumerate(scenario.beside[hex_])]
            found[hex_ * LANES] = tuple([(place, 0.0) for place in sides if place != NONE])
    for hex_ in range(len(laid), len(scenario.spaces)):
        found[hex_ * LANES] = tuple([(other, 0.0) for other in maze.near[hex_ * LANES]])
    return tuple(found)


def _side(maze: Maze, hex_: int, edge: int) -> int:
    """The place of a hex that is open over an edge; NONE: there is a wall."""
    if hex_ == NONE:
        return NONE
    shape = maze.shape(hex_)
    if shape is None:
        return hex_ * LANES
    return hex_ * LANES + shape.lane_at[edge] if shape.lane_at[edge] != NONE else NONE


@lru_cache(maxsize=1 << 11)
def left(maze: Maze, terms: Terms, goals: Goals) -> tuple[float, ...]:
    """What is left to do from each place until the best of these goals is reached; FAR: there is no way."""
    return _spread(maze, terms, goals, back=True)


@lru_cache(maxsize=1 << 9)
def spent(maze: Maze, terms: Terms, place: int) -> tuple[float, ...]:
    """What it takes to get from a place to each other one; FAR: there is no way."""
    return _spread(maze, terms, ((place, 0.0),), back=False)


def _spread(maze: Maze, terms: Terms, front: Goals, *, back: bool) -> tuple[float, ...]:
    """Least sums of what it costs to enter each place of a way from here, or `back` to here."""
    ways, enter = _ways(maze, terms.building), _entering(maze, terms)
    far = [FAR] * len(ways)
    heap: list[tuple[float, int]] = []
    for place, start in front:
        if start < far[place]:
            far[place] = start
            heap.append((start, place))
    heap.sort()
    while heap:
        here, place = heappop(heap)
        if here > far[place]:
            continue
        leaving = here + enter[place] if back else here
        for other, extra in ways[place]:
            there = leaving + extra if back else leaving + extra + enter[other]
            if there < far[other]:
                far[other] = there
                heappush(heap, (there, other))
    return tuple(far)


@lru_cache(maxsize=1 << 9)
def _entering(maze: Maze, terms: Terms) -> tuple[float, ...]:
    """What it costs to step into each place."""
    enter = [1.0] * len(maze.near)
    for hex_, tile in enumerate(maze.laid):
        if tile == NONE:
            enter[hex_ * LANES] += LAYING + terms.unseen
    for place, toll in terms.tolls:
        enter[place] += toll
    return tuple(enter)


def across_tile(
    maze: Maze, terms: Terms, hex_: int, kind: int, before: tuple[float, ...], after: tuple[float, ...]
) -> float:
    """The least that a way costs across a tile that is about to lie there, turned at will.

    `before` and `after` are what is spent up to each place and what is left from there.
    """
    enter, tile, best = _entering(maze, terms), maze.scenario.tiles[kind], FAR
    sides = [_side(maze, other, across(edge)) for edge, other in enumerate(maze.scenario.beside[hex_])]
    ins = [before[side] if side != NONE else FAR for side in sides]
    outs = [enter[side] + after[side] if side != NONE else FAR for side in sides]
    for shape in tile.shapes:
        for lane, edges in enumerate(shape.edges):
            across_it = 1.0 + (terms.unseen if lane in tile.traps else 0.0)
            for one in edges:
                for other in edges:
                    if one != other and ins[one] + across_it + outs[other] < best:
                        best = ins[one] + across_it + outs[other]
    return best
