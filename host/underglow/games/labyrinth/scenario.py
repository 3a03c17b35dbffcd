"""A scenario as the rules use it: names turned into numbers, decks and shapes worked out once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from underglow.games.labyrinth.document import Rule, Switches
from underglow.games.labyrinth.grammar import Kind
from underglow.languages import Text

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft
    from underglow.games.labyrinth.program import Do

NONE = -1
"""No number: no program, no tile, no glyph."""
LANES = 3
"""Corridors a tile has at most: a place, the unit of position, is LANES times its hex plus the corridor's number."""
UNTIL_SUCCESS = 0
"""Instead of a number of rolls."""
CENTRE, KEY_TILE = 0, 1
"""Kinds of tile that are not in the pile."""

Perform: TypeAlias = "Callable[[Draft, Effect, Do], None]"
"""What a verb does."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a card, token or ability does: a verb and what it needs. `programs` are those it leads to."""

    verb: str
    perform: Perform
    n: int = 0
    where: str = ""
    """To, toward or on what, in the words of the file."""
    number: int = NONE
    """Of a glyph."""
    programs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """A tile turned one way. Edges are absolute: 0 is the east, clockwise.

    `lane_at`: the number of the corridor that leads over each edge, NONE for a wall. `edges`: those of each corridor.
    `bridges`: whether each corridor is the upper one. `heads`: where its heads lie (see `Tile`).
    """

    lane_at: tuple[int, ...]
    edges: tuple[tuple[int, ...], ...]
    bridges: tuple[bool, ...]
    heads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """A kind of tile. `turns`: in how many ways it can lie that differ, each with its shape.

    A tile has a *head* at edge 0 and at each edge that a turn which changes nothing brings there: tags by which a
    board may read how it lies.
    """

    id: str
    name: Text
    shapes: tuple[Shape, ...]
    traps: tuple[int, ...]
    """Corridors that get a trap token when it is laid."""
    items: tuple[int, ...]

    @property
    def turns(self) -> int:
        """In how many ways it can lie."""
        return len(self.shapes)

    @property
    def head(self) -> str:
        """The token that marks its heads."""
        return f"{self.id}.head"


@dataclass(frozen=True, slots=True)
class Trap:
    """A kind of trap token; `rolls` may be UNTIL_SUCCESS."""

    id: str
    name: Text
    rolls: int
    most: int
    need: int
    program: int
    hurts: bool
    dazes: bool
    shifts: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of Golem card or event card."""

    id: str
    name: Text
    program: int
    rule: Rule | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """A kind of item. `test` and `bonus` are what it adds to; `when` as in the file."""

    id: str
    name: Text
    when: str
    program: int
    test: Kind | None = None
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class Ability:
    """What a character can do; a lasting bonus has no program."""

    id: str
    name: Text
    cost: int
    crystal: bool
    program: int
    test: Kind | None = None
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class Character:
    """A character."""

    id: str
    name: Text
    abilities: tuple[Ability, ...]


@dataclass(frozen=True, slots=True)
class Glyph:
    """A kind of ability token."""

    id: str
    name: Text
    n: int
    program: int


@dataclass(frozen=True, eq=False)
class Scenario:
    """A scenario file, compiled. Hexes are sockets row by row, then start spaces.

    Two scenarios are equal when their files are.
    """

    id: str
    title: Text
    digest: str
    switches: Switches
    rounds: int
    lives: int
    spaces: tuple[str, ...]
    """Names of all hexes: sockets, then start spaces."""
    sockets: int
    """How many of them are sockets."""
    beside: tuple[tuple[int, ...], ...]
    """For each hex, the hex over each edge; NONE: the frame. A start space lies over one edge of one key tile only."""
    rim: tuple[bool, ...]
    """For each socket, whether it touches the frame."""
    centre: int
    key_hexes: tuple[int, ...]
    """The socket of the key tile beside each start space, in the order of starts."""
    start_use: Mapping[int, tuple[int, ...]]
    """For each number of seats, the number of each seat's start, from 0."""
    tiles: tuple[Tile, ...]
    """CENTRE, KEY_TILE, then those of the pile."""
    pile: tuple[int, ...]
    traps: tuple[Trap, ...]
    pool: tuple[int, ...]
    golem_cards: tuple[Card, ...]
    golem_deck: tuple[int, ...]
    events: tuple[Card, ...]
    event_deck: tuple[int, ...]
    items: tuple[Item, ...]
    stock: tuple[int, ...]
    characters: tuple[Character, ...]
    glyphs: tuple[Glyph, ...]
    programs: tuple[tuple[Effect, ...], ...]
    overlays: Mapping[str, Mapping[str, str]]
    seats: range = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seats", range(min(self.start_use), max(self.start_use) + 1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and (self.id, self.digest) == (other.id, other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def overlay(self, board: str) -> Mapping[str, str]:
        """Space to space of that board profile. KeyError: the scenario does not fit that board."""
        if board not in self.overlays:
            known = ", ".join(sorted(self.overlays)) or "none"
            raise KeyError(f"{self.id} has no overlay for board {board}; it has one for {known}")
        return self.overlays[board]

    def start(self, seats: int, seat: int) -> int:
        """The place of a seat's own start space."""
        return (self.sockets + self.start_use[seats][seat]) * LANES

    @property
    def centre_place(self) -> int:
        """The one corridor of the centre."""
        return self.centre * LANES
