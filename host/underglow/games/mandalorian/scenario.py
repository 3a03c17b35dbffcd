"""A scenario as the rules use it: names turned into numbers, distances and decks worked out once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

from underglow.games.mandalorian.conditions import Condition
from underglow.games.mandalorian.document import Moment, Switches
from underglow.languages import SILENCE, Text

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.program import Do

NONE = -1
"""No number: no program, no zone."""
STRENGTH = -2
"""Instead of a number in an effect: the strength of the card just played."""
FAR = 255
"""A distance nobody can go."""
SEATS = 4
ROLES = ("melee", "shooter", "sharpshooter")

Perform: TypeAlias = "Callable[[Draft, Effect, Do], None]"
"""What a verb does."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a card or rule does: a verb and what it needs. `then` and `otherwise` are programs."""

    verb: str
    perform: Perform
    n: int = 0
    reach: int = NONE
    role: str = "any"
    crowd: int = 0
    where: str = ""
    """Toward, at, of or to what, in the words of the file."""
    number: int = NONE
    """Of a track or door."""
    test: Condition | None = None
    then: int = NONE
    otherwise: int = NONE


@dataclass(frozen=True, slots=True)
class Zone:
    """An action zone; `program` is what one with the verb "effect" does."""

    id: str
    name: Text
    verb: str
    program: int


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of skill card. `ability` is "" or the id of what it offers in zone `ability_zone`, by `program`."""

    token: str
    strength: int
    ability: str = ""
    name: Text = SILENCE
    ability_zone: int = NONE
    program: int = NONE

    @property
    def tactical(self) -> bool:
        """M-TACT-1."""
        return self.strength == 0


@dataclass(frozen=True, slots=True)
class Character:
    """A character; `deck` holds its cards by number, equal ones several times."""

    id: str
    name: Text
    health: int
    deck: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of threat token; that of a reinforcement has no shape. `role` is an enemy's class, "" for the others."""

    name: Text
    kind: str
    shape: str
    enemy: bool = False
    role: str = ""
    health: int = 0
    guard: bool = False
    grapple: bool = False
    sabotage: bool = False
    mission_effect: bool = False
    fast: bool = False
    parting_blow: bool = False
    vigilant: bool = False
    duel: bool = False
    abilities: tuple[str, ...] = ()
    """What is printed on it."""


@dataclass(frozen=True, slots=True)
class Icon:
    """Where a threat token starts."""

    space: int
    shape: str
    up: bool


@dataclass(frozen=True, slots=True)
class Door:
    """An edge that is a wall until it opens."""

    id: str
    name: Text
    edge: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Track:
    """A row of boxes with a marker."""

    id: str
    name: Text
    start: int
    most: int


@dataclass(frozen=True, slots=True)
class MapRule:
    """Threats of a kind that may be taken, and brought to `deliver_to` if that is a space; `program` ends it."""

    take: int
    slots: int
    deliver_to: int
    program: int


@dataclass(frozen=True, slots=True)
class Event:
    """A kind of event card."""

    id: str
    name: Text
    back: str
    program: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A kind of planning card. `block` is how much damage it takes off, `cancels` whether a crisis."""

    id: str
    name: Text
    moment: Moment
    program: int
    block: int
    cancels: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """How a mission is lost."""

    when: Condition
    says: Text
    defeat: bool
    """Whether it is a defeated character, which is looked at whenever damage is dealt."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a seat may secretly be."""

    name: Text
    traitor: bool


@dataclass(frozen=True, slots=True)
class Envelope:
    """Roles to deal, by number, when at least `seats` play; and what an accusation brings about."""

    name: Text
    seats: int
    roles: tuple[Role, ...]
    deck: tuple[int, ...]
    right: int
    wrong: int


@dataclass(frozen=True, slots=True)
class GuideCard:
    """A card of the guide deck, in its order. `stop`: the game that must have ended before it is turned, or 0."""

    number: int
    says: Text
    stop: int
    missions: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Who is how far from whom, with some doors open."""

    near: tuple[int, ...]
    """For each space those one step away."""
    steps: tuple[tuple[int, ...], ...]
    """From space to space, FAR where no way leads."""
    rings: tuple[tuple[int, ...], ...]
    """For each space those exactly 0, 1, 2 … steps away."""
    within: tuple[tuple[int, ...], ...]
    """For each space and range the spaces in it, from range 0 to the farthest of use."""
    ways: dict[tuple[int, int], tuple[int, ...]]
    """Shortest paths from space to space, as far as they were wanted."""

    def way(self, start: int, end: int) -> tuple[int, ...]:
        """A shortest path, both ends included; there must be one."""
        path = self.ways.get((start, end))
        if path is None:
            back = [end]
            for distance in range(self.steps[start][end] - 1, -1, -1):
                behind = self.near[back[-1]] & self.rings[start][distance]
                back.append((behind & -behind).bit_length() - 1)
            path = self.ways[start, end] = tuple(reversed(back))
        return path

    def in_range(self, space: int, reach: int) -> int:
        """The spaces within that range of a space (M-ATK-2)."""
        rings = self.within[space]
        return rings[reach] if reach < len(rings) else rings[-1]


class Grids(dict[int, Grid]):
    """The grid for each set of open doors, worked out when it is first asked for."""

    def __init__(self, joined: tuple[int, ...], beside: tuple[int, ...] | None, doors: tuple[Door, ...]) -> None:
        """`joined` are the spaces a step apart, `beside` those one range apart if walls do not block range."""
        super().__init__()
        self._joined = joined
        self._beside = beside
        self._doors = doors

    def __missing__(self, doors_open: int) -> Grid:
        near = list(self._joined)
        for number, door in enumerate(self._doors):
            if doors_open >> number & 1:
                one, other = door.edge
                near[one] |= 1 << other
                near[other] |= 1 << one
        rings = _rings(near)
        steps = [[FAR] * len(near) for _ in near]
        for one, within in enumerate(rings):
            for distance in range(len(within) - 1, -1, -1):
                for other in range(len(near)):
                    if within[distance] >> other & 1:
                        steps[one][other] = distance
        exactly = tuple([tuple([one & ~less for less, one in pairwise([0, *within])]) for within in rings])
        sight = rings if self._beside is None else _rings(self._beside)
        self[doors_open] = Grid(tuple(near), tuple(map(tuple, steps)), exactly, tuple(map(tuple, sight)), {})
        return self[doors_open]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scenario:
    """A scenario. Everything in it is numbered as it stands in the file; sets of spaces and doors are bit masks.

    Two scenarios are equal when their files are.
    """

    id: str
    title: Text
    digest: str
    switches: Switches
    hand_size: int
    spare_health: int
    """How much more than its health one bears before it is defeated."""
    spaces: tuple[str, ...]
    start: int
    spawns: tuple[int, ...]
    grids: Grids
    """Distances, by the doors that are open. A wall or shut door parts its two spaces (M-MOVE-10)."""
    walls: tuple[tuple[int, int], ...]
    doors: tuple[Door, ...]
    doors_open: int
    zones: tuple[Zone, ...]
    characters: tuple[Character, ...]
    cards: tuple[Card, ...]
    owner: tuple[int, ...]
    """For each card the character whose deck it is from."""
    kinds: tuple[Kind, ...]
    fights: tuple[bool, ...]
    """For each kind whether it is an enemy's."""
    roles: Mapping[str, tuple[bool, ...]]
    """For each class and kind whether it is an enemy's of that class."""
    pools: Mapping[str, tuple[int, ...]]
    """For each shape its tokens by kind, equal ones several times; "" for reinforcements."""
    icons: tuple[Icon, ...]
    white: tuple[int, ...]
    other: tuple[int, ...]
    events: tuple[Event, ...]
    event_deck: tuple[int, ...]
    plans: tuple[Plan, ...]
    planning_deck: tuple[int, ...]
    tracks: tuple[Track, ...]
    map_rules: tuple[MapRule, ...]
    objective: Condition
    goals: tuple[int, ...]
    """The spaces that the objective names."""
    failures: tuple[Failure, ...]
    crisis: int
    mission_effect: int
    child_start: int
    envelope: Envelope | None
    guide: tuple[GuideCard, ...]
    disrupting: bool
    """Whether enemies can be disrupted by now (M-DISR-5)."""
    programs: tuple[tuple[Effect, ...], ...]
    parties: tuple[int, ...]
    """By the number of seats, how many characters play: one a seat if there are so many, two for one seat."""
    players: tuple[tuple[tuple[int, ...], ...], ...]
    """By the number of seats, for each character in play the seats that play it."""
    rotations: tuple[tuple[tuple[int, int], ...], ...]
    """By the number of seats, whose turns follow each other: seats and characters in play."""
    overlays: Mapping[str, Mapping[str, str]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Scenario {self.id} {self.digest[:8]}>"

    @property
    def difficulty(self) -> str:
        """M-DIFF."""
        return self.switches.difficulty

    @property
    def seats(self) -> range:
        """One to four players (M-COUNT)."""
        return range(1, SEATS + 1)

    def overlay(self, board: str) -> Mapping[str, str]:
        """Scenario space or zone to space of that board. KeyError: the scenario does not fit that board."""
        if board not in self.overlays:
            known = ", ".join(sorted(self.overlays)) or "none"
            raise KeyError(f"{self.id} has no overlay for board {board}; it has one for {known}")
        return self.overlays[board]


def _rings(near: list[int] | tuple[int, ...]) -> list[list[int]]:
    """For each space the spaces within 0, 1, 2 … steps, until there are no more."""
    rings: list[list[int]] = []
    for space in range(len(near)):
        within = [1 << space]
        while True:
            wider = within[-1]
            for other in range(len(near)):
                if within[-1] >> other & 1:
                    wider |= near[other]
            if wider == within[-1]:
                break
            within.append(wider)
        rings.append(within)
    return rings


def players(party: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """For each character in play the seats that play it: several share one, or one plays several (M-COUNT-2, 3)."""
    if seats < party:
        return tuple((figure % seats,) for figure in range(party))
    return tuple(tuple(range(figure, seats, party)) for figure in range(party))


def rotation(sharers: tuple[tuple[int, ...], ...], seats: int, by_seat: bool) -> tuple[tuple[int, int], ...]:
    """Whose turns follow each other, as seat and character in play, until it begins again (M-TURN-1)."""
    if seats <= len(sharers):
        return tuple((seat, figure) for figure, (seat,) in enumerate(sharers))
    if by_seat:
        return tuple((seat, seat % len(sharers)) for seat in range(seats))
    rounds = lcm(*map(len, sharers))
    return tuple((those[turn % len(those)], figure) for turn in range(rounds) for figure, those in enumerate(sharers))
