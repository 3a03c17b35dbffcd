"""The map as it has been built so far: which tile lies where, how it is turned, and where its corridors lead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from underglow.games.agenda import replaced
from underglow.games.labyrinth.hexes import across
from underglow.games.labyrinth.scenario import CENTRE, KEY_TILE, LANES, NONE, Scenario, Shape

TURNS = 6
"""A laid tile is written as TURNS times its kind plus how often it is turned."""


@dataclass(frozen=True, slots=True)
class Maze:
    """Laid tiles, by socket; NONE: an empty socket. Two mazes are equal when the same tiles lie alike.

    `near`: for each place, the places its corridor leads to, in the order of its edges. `open`: the sockets where a
    tile may be laid next (L-BUILD-2). `corridors`: every place of a laid tile.
    """

    laid: tuple[int, ...]
    scenario: Scenario = field(compare=False, repr=False)
    near: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)
    open: tuple[int, ...] = field(compare=False, repr=False)
    corridors: tuple[int, ...] = field(compare=False, repr=False)

    @classmethod
    def bare(cls, scenario: Scenario) -> Maze:
        """No tile at all: start spaces lead nowhere yet."""
        anywhere = not scenario.switches.build_must_touch
        touching = tuple(hex_ for hex_ in range(scenario.sockets) if anywhere or scenario.rim[hex_])
        return cls((NONE,) * scenario.sockets, scenario, ((),) * (len(scenario.spaces) * LANES), touching, ())

    @classmethod
    @cache
    def opening(cls, scenario: Scenario) -> Maze:
        """What lies before the first turn: the centre, and a key tile beside each start space (L-SETUP-1)."""
        maze = cls.bare(scenario).with_tile(scenario.centre, CENTRE, 0)
        for hex_ in scenario.key_hexes:
            maze = maze.with_tile(hex_, KEY_TILE, 0)
        return maze

    @classmethod
    def of(cls, laid: tuple[int, ...], scenario: Scenario) -> Maze:
        """The maze with these tiles."""
        maze = cls.bare(scenario)
        for hex_, tile in enumerate(laid):
            if tile != NONE:
                maze = maze.with_tile(hex_, *divmod(tile, TURNS))
        return maze

    def with_tile(self, hex_: int, kind: int, turned: int) -> Maze:
        """The maze once that tile lies there, in the place of any other."""
        laid = replaced(self.laid, hex_, kind * TURNS + turned)
        near = list(self.near)
        bare = Maze(laid, self.scenario, (), (), ())
        for changed in {hex_, *(other for other in self.scenario.beside[hex_] if other != NONE)}:
            for lane in range(LANES):
                near[changed * LANES + lane] = tuple(bare._leads(changed, lane))
        corridors = [place for place in self.corridors if place // LANES != hex_]
        corridors += bare.places(hex_)
        return Maze(laid, self.scenario, tuple(near), self._open_after(laid, hex_), tuple(sorted(corridors)))

    def _open_after(self, laid: tuple[int, ...], hex_: int) -> tuple[int, ...]:
        """The sockets that are open once a tile lies there as well."""
        now = {*self.open, *(other for other in self.scenario.beside[hex_] if NONE < other < len(laid))}
        return tuple(sorted(other for other in now if laid[other] == NONE))

    def kind(self, hex_: int) -> int:
        """The kind of the tile in a socket; NONE: it is empty, or a start space."""
        return self.laid[hex_] // TURNS if hex_ < len(self.laid) else NONE

    def shape(self, hex_: int) -> Shape | None:
        """The tile in a socket as it lies; None: it is empty, or a start space."""
        if hex_ >= len(self.laid) or self.laid[hex_] == NONE:
            return None
        kind, turned = divmod(self.laid[hex_], TURNS)
        return self.scenario.tiles[kind].shapes[turned]

    def places(self, hex_: int) -> range:
        """The corridors of a hex."""
        first = hex_ * LANES
        if hex_ >= len(self.laid):
            return range(first, first + 1)
        shape = self.shape(hex_)
        return range(first, first + len(shape.edges) if shape else first)

    def edges(self, place: int) -> tuple[int, ...]:
        """The edges a corridor leads over; of a start space, the one there is."""
        hex_, lane = divmod(place, LANES)
        if hex_ >= len(self.laid):
            return tuple(edge for edge, other in enumerate(self.scenario.beside[hex_]) if other != NONE)
        shape = self.shape(hex_)
        return shape.edges[lane] if shape else ()

    def is_bridge(self, place: int) -> bool:
        """Whether it is a corridor on the upper level."""
        shape = self.shape(place // LANES)
        return shape is not None and shape.bridges[place % LANES]

    def jumps(self, place: int) -> tuple[int, ...]:
        """Where a jump from there leads: the corridors of the same tile on the other level (L-JUMP-2, 4)."""
        shape = self.shape(place // LANES)
        if shape is None or True not in shape.bridges:
            return ()
        level = shape.bridges[place % LANES]
        return tuple(other for other in self.places(place // LANES) if shape.bridges[other % LANES] != level)

    def beside(self, place: int) -> tuple[int, ...]:
        """All corridors of the laid tiles next to a place's tile, whatever lies between (L-TRAP-10)."""
        sides = [other for other in self.scenario.beside[place // LANES] if NONE < other < len(self.laid)]
        return tuple(there for other in sides for there in self.places(other))

    def distances(self, *goals: int) -> dict[int, int]:
        """How many steps from each place to the nearest of these, of all places from which there is a way."""
        far = dict.fromkeys(goals, 0)
        front = list(goals)
        for place in front:
            for other in self.near[place]:
                if other not in far:
                    far[other] = far[place] + 1
                    front.append(other)
        return far

    def _leads(self, hex_: int, lane: int) -> Iterator[int]:
        """Where a corridor leads: on to what meets it across each of its edges (corridor ends need not: L-BUILD-1)."""
        if hex_ < len(self.laid):
            shape = self.shape(hex_)
            edges = shape.edges[lane] if shape and lane < len(shape.edges) else ()
        else:
            edges = self.edges(hex_ * LANES) if lane == 0 else ()
        for edge in edges:
            other = self.scenario.beside[hex_][edge]
            if other >= len(self.laid):
                yield other * LANES
            elif other != NONE and (shape := self.shape(other)):
                there = shape.lane_at[across(edge)]
                if there != NONE:
                    yield other * LANES + there
