"""The state of a game: frozen values, and their text form.

Hexes, tiles, cards and characters appear by their number in the scenario; corridors as places (see `scenario.LANES`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, TypeAlias, cast

from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema
from typing_extensions import override

from underglow.games.agenda import TextForm
from underglow.games.labyrinth.maze import TURNS, Maze
from underglow.games.labyrinth.scenario import LANES, NONE, Scenario
from underglow.games.labyrinth.task import Task
from underglow.games.state import ByDigest, ByName, Deck, Frozen, Natural, Number, Numbers
from underglow.rng import Rng

Ending: TypeAlias = Literal["", "centre", "rounds"]

#: What may be done once a turn only, as bits of `State.used`; further bits are the abilities of the character.
GOLEM, EVENT, STEPPED, REPEATED, ABILITY = 1, 2, 4, 8, 16


class Player(NamedTuple):
    """A seat's character. `items` are sorted: their order means nothing."""

    character: Number
    place: Natural
    lives: Natural
    daze: Natural
    crystal: bool
    items: Numbers


class Trap(NamedTuple):
    """A trap on a corridor; `known`: the seats that have seen what lies there face down, as bits."""

    place: Natural
    kind: Natural
    up: bool
    known: Natural


class Lying(NamedTuple):
    """An item on a corridor."""

    place: Natural
    item: Natural


class Glyph(NamedTuple):
    """An ability token on a corridor, and the character that laid it."""

    place: Natural
    kind: Natural
    character: Natural


class _ByTiles:
    """Mazes in text: the tile in each socket."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        written = core_schema.plain_serializer_function_ser_schema(lambda maze: list(maze.laid))
        return core_schema.with_info_plain_validator_function(_built, serialization=written)


def _tasks() -> TextForm:
    from underglow.games.labyrinth import agenda  # it knows every task, and tasks know states

    return agenda.TEXT


def _built(tiles: object, info: ValidationInfo) -> Maze:
    scenario = cast("Scenario", info.context)
    laid = tuple(cast("list[object]", tiles)) if isinstance(tiles, list) else ()
    known = {kind * TURNS + turn for kind, tile in enumerate(scenario.tiles) for turn in range(tile.turns)} | {NONE}
    if len(laid) != scenario.sockets or not all(type(tile) is int and tile in known for tile in laid):
        raise ValueError("these are no tiles")
    return Maze.of(cast("tuple[int, ...]", laid), scenario)


@dataclass(frozen=True)
class State(Frozen):
    """A moment between two choices."""

    scenario: Annotated[Scenario, ByDigest()]
    """In the text form, the digest of its file."""
    seats: Natural
    rng: Rng
    turn: Natural
    """How many turns were finished."""
    seat: Natural
    """Whose turn it is."""
    actions: Natural
    """How many that seat has left."""
    used: Natural
    """What it has done that may be done once a turn only."""
    agenda: Annotated[tuple[Task, ...], ByName(_tasks)]
    """What is left to do, the next task last: the one that asks. Empty when the game is over."""
    players: tuple[Player, ...]
    maze: Annotated[Maze, _ByTiles()]
    golem: Natural
    """The place where it stands."""
    traps: tuple[Trap, ...]
    """On the board, by place: a corridor has one at most (L-TRAP-G3)."""
    keys: tuple[int, ...]
    """For each start space, where the key of its key tile lies: a place, or -1 minus the seat that holds it."""
    lying: tuple[Lying, ...]
    glyphs: tuple[Glyph, ...]
    pile: Numbers
    """Tiles to draw from the front."""
    pool: Numbers
    """Traps to draw from the front."""
    stock: Numbers
    """Items to lay from the front."""
    golem_deck: Deck
    event_deck: Deck
    event: Number
    """The event in force; NONE before the first."""
    ended: Ending
    winners: Numbers

    @property
    def player(self) -> Player:
        """The character whose turn it is."""
        return self.players[self.seat]

    @override
    def misfit(self) -> str:
        from underglow.games.labyrinth import agenda

        return _misfit(self) or agenda.misfit(self)


def _misfit(state: State) -> str:
    """Return the field whose numbers mean nothing in its scenario, "" if all do."""
    scenario, maze = state.scenario, state.maze
    places = {place for hex_ in range(len(scenario.spaces)) for place in maze.places(hex_)}
    corridors = {place for place in places if place < scenario.sockets * LANES}
    kinds = [tile // TURNS for tile in maze.laid if tile != NONE]
    items = [item for player in state.players for item in player.items] + [lying.item for lying in state.lying]
    fits = {
        "seats": state.seats in scenario.start_use,
        "seat": state.seat < state.seats,
        "players": len(state.players) == state.seats
        and all(player.place in places for player in state.players)
        and all(player.character < len(scenario.characters) for player in state.players)
        and all(player.lives <= scenario.lives for player in state.players),
        "golem": state.golem in corridors,
        "traps": all(trap.place in corridors and trap.known < 1 << state.seats for trap in state.traps)
        and len({trap.place for trap in state.traps}) == len(state.traps)
        and _among((*state.pool, *(trap.kind for trap in state.traps)), scenario.pool),
        "keys": len(state.keys) == len(scenario.key_hexes)
        and all(key in places if key >= 0 else -1 - key < state.seats for key in state.keys),
        "lying": all(lying.place in places for lying in state.lying) and _among((*items, *state.stock), scenario.stock),
        "glyphs": all(
            glyph.place in places and glyph.kind < len(scenario.glyphs) and glyph.character < len(scenario.characters)
            for glyph in state.glyphs
        ),
        "pile": _among((*state.pile, *(kind for kind in kinds if kind > 1)), scenario.pile),
        "golem_deck": sorted(state.golem_deck.draw + state.golem_deck.discard) == sorted(scenario.golem_deck),
        "event_deck": _among((*state.event_deck.draw, *state.event_deck.discard), scenario.event_deck),
        "event": state.event < len(scenario.events),
        "winners": all(seat < state.seats for seat in state.winners),
        "agenda": bool(state.agenda) == (not state.ended),
    }
    return next((field for field, fine in fits.items() if not fine), "")


def _among(some: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    """Whether these are tokens of that set, none more often than it is there."""
    return not Counter(some) - Counter(whole)
