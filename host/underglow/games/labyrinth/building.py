"""Building: drawing a tile, laying it, turning it (L-ACT-BUILD, L-BUILD)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.labyrinth import traps
from underglow.games.labyrinth.hands import facing, heads_at, laying_tile
from underglow.games.labyrinth.hurting import lay_item
from underglow.games.labyrinth.maze import TURNS
from underglow.games.labyrinth.scenario import LANES, NONE
from underglow.games.labyrinth.task import Task

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft
    from underglow.games.labyrinth.state import State


def draw(draft: Draft) -> None:
    """Draw the top tile, or have somebody say which it is."""
    if draft.scenario.switches.tiles == "drawn":
        draft.push(Draw())
    else:
        _drawn(draft, Draw(), draft.pile[0])


@dataclass(frozen=True, slots=True)
class Draw(Task):
    """A tile is drawn from a real pile: its tag or the page tells which."""

    @override
    def options(self, state: State) -> Iterator[Option]:
        for kind in sorted(set(state.pile)):
            yield Option(choice(state.seat, "drew", (state.scenario.tiles[kind].id,)), _drawn, (kind,))


def _drawn(draft: Draft, task: Draw, kind: int) -> None:
    pile = list(draft.pile)
    pile.remove(kind)
    draft.pile = tuple(pile)
    draft.tell("drew", draft.who(draft.seat), draft.scenario.tiles[kind].id, reveals=True)
    draft.push(Lay(kind))


@dataclass(frozen=True, slots=True)
class Lay(Task):
    """A tile has been drawn and looked at, and is laid (L-BUILD-2)."""

    kind: int

    @override
    def options(self, state: State) -> Iterator[Option]:
        for hex_ in state.maze.open:
            yield Option(
                laying_tile(state.scenario, state.seat, self.kind, hex_),
                _lay,
                (hex_,),
            )
        if state.scenario.switches.build_may_refuse:
            yield Option(choice(state.seat, "put_back"), _put_back)


def _lay(draft: Draft, task: Lay, hex_: int) -> None:
    turns = draft.scenario.tiles[task.kind].turns
    if turns == 1:
        place(draft, hex_, task.kind, 0)
    elif draft.scenario.switches.free_rotation:
        draft.push(Face(hex_, task.kind, NONE))
    else:
        turned = draft.below(turns)
        tile = draft.scenario.tiles[task.kind]
        heads = heads_at(draft.scenario, hex_, task.kind, turned)
        draft.tell("faced", tile.head, *heads, chance=True)
        place(draft, hex_, task.kind, turned)


def _put_back(draft: Draft, task: Lay) -> None:
    draft.pile = (*draft.pile, task.kind)
    draft.tell("put_back", draft.scenario.tiles[task.kind].id)


@dataclass(frozen=True, slots=True)
class Face(Task):
    """A tile lies in its socket, and its player says which way: any that differs from how it lay before, if it did."""

    hex_: int
    kind: int
    was: int

    @override
    def options(self, state: State) -> Iterator[Option]:
        for turned in range(state.scenario.tiles[self.kind].turns):
            if turned != self.was:
                action = facing(state.scenario, state.seat, self.kind, self.hex_, self.was, turned)
                yield Option(action, _face, (turned,))


def _face(draft: Draft, task: Face, turned: int) -> None:
    if task.was == NONE:
        place(draft, task.hex_, task.kind, turned)
    else:
        draft.maze = draft.maze.with_tile(task.hex_, task.kind, turned)
        draft.tell("turned", draft.scenario.tiles[task.kind].id, draft.scenario.spaces[task.hex_])


def place(draft: Draft, hex_: int, kind: int, turned: int) -> None:
    """Make a tile part of the map, with the trap and item tokens it calls for, as far as there are any."""
    draft.maze = draft.maze.with_tile(hex_, kind, turned)
    tile, space = draft.scenario.tiles[kind], draft.scenario.spaces[hex_]
    for lane in tile.traps:
        if draft.pool:
            traps.lay(draft, hex_ * LANES + lane, NONE)
            draft.tell("trap_lies", traps.HIDDEN, space)
    for lane in tile.items:
        if draft.stock:
            item, draft.stock = draft.stock[0], draft.stock[1:]
            lay_item(draft, hex_ * LANES + lane, item)
            draft.tell("item_lies", draft.scenario.items[item].id, space, reveals=True)


@dataclass(frozen=True, slots=True)
class TurnTile(Task):
    """The active player chooses a laid tile to turn, on which nothing lies and nobody stands."""

    @override
    def options(self, state: State) -> Iterator[Option]:
        for hex_ in turnable(state):
            yield Option(choice(state.seat, "turn_tile", (state.scenario.spaces[hex_],)), _turn, (hex_,))


def turnable(position: State | Draft) -> list[int]:
    """The sockets of such tiles."""
    taken = [player.place for player in position.players] + [trap.place for trap in position.traps]
    taken += [lying.place for lying in position.lying] + [glyph.place for glyph in position.glyphs]
    taken += [position.golem, *(key for key in position.keys if key >= 0)]
    busy = {place // LANES for place in taken}
    tiles = position.scenario.tiles
    return [
        hex_
        for hex_, tile in enumerate(position.maze.laid)
        if tile != NONE and hex_ not in busy and tiles[tile // TURNS].turns > 1
    ]


def _turn(draft: Draft, task: TurnTile, hex_: int) -> None:
    draft.push(Face(hex_, *divmod(draft.maze.laid[hex_], TURNS)))
