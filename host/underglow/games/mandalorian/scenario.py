"""A scenario as the rules use it: names turned into numbers, walls and decks worked out once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from underglow import documents
from underglow.games.mandalorian import document
from underglow.games.mandalorian.document import Document


@dataclass(frozen=True, slots=True)
class Zone:
    """An action zone."""

    id: str
    name: str
    verb: str


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of skill card. `ability` is "" or the id of what it offers in zone `ability_zone`."""

    strength: int
    ability: str = ""
    name: str = ""
    ability_zone: int | None = None

    @property
    def tactical(self) -> bool:
        """M-TACT-1."""
        return self.strength == 0


@dataclass(frozen=True, slots=True)
class Character:
    """A character; `deck` holds its cards by number, equal ones several times."""

    id: str
    name: str
    health: int
    deck: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of threat token. `role` is an enemy's class, "" for the others."""

    name: str
    kind: str
    shape: str
    role: str = ""
    health: int = 0
    guard: bool = False
    grapple: bool = False
    sabotage: bool = False

    @property
    def enemy(self) -> bool:
        """Whether it can be fought."""
        return self.kind == "enemy"

    @property
    def abilities(self) -> tuple[str, ...]:
        """What is printed on an enemy."""
        return tuple(name for name in ("guard", "grapple", "sabotage") if getattr(self, name))


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
    name: str
    edge: tuple[int, int]


@dataclass(frozen=True, slots=True)
class MapRule:
    """Threats of a kind that may be taken; with all slots filled a door opens."""

    take: int
    slots: int
    opens: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scenario:
    """A scenario. Spaces, zones, characters, cards, kinds and doors are numbered as they stand in the file.

    Sets of spaces and doors are bit masks. Two scenarios are equal when their files are.
    """

    id: str
    title: str
    digest: str
    difficulty: str
    hand_size: int
    spare_health: int
    """How much more than its health a character bears before it is defeated."""
    spaces: tuple[str, ...]
    start: int
    joined: tuple[int, ...]
    """For each space those that share an edge without wall or door."""
    walls: tuple[tuple[str, str], ...]
    doors: tuple[Door, ...]
    doors_open: int
    zones: tuple[Zone, ...]
    characters: tuple[Character, ...]
    cards: tuple[Card, ...]
    owner: tuple[int, ...]
    """For each card the character whose deck it is from."""
    kinds: tuple[Kind, ...]
    pools: Mapping[str, tuple[int, ...]]
    """For each shape its tokens by kind, equal ones several times."""
    icons: tuple[Icon, ...]
    map_rules: tuple[MapRule, ...]
    objective: str
    white: tuple[int, ...]
    other: tuple[int, ...]
    overlays: Mapping[str, Mapping[str, str]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Scenario {self.id} {self.digest[:8]}>"

    @property
    def seats(self) -> range:
        """Each seat plays at least one character (M-COUNT-3: a solo player all of them)."""
        return range(1, len(self.characters) + 1)

    def overlay(self, board: str) -> Mapping[str, str]:
        """Scenario space or zone to space of that board. KeyError: the scenario does not fit that board."""
        if board not in self.overlays:
            known = ", ".join(sorted(self.overlays)) or "none"
            raise KeyError(f"{self.id} has no overlay for board {board}; it has one for {known}")
        return self.overlays[board]


def load(path: Path) -> Scenario:
    """Read a scenario file. `documents.Faults` names every fault at once, with line and key."""
    file = documents.load(path, Document, check=document.findings)
    spaces = {space.id: i for i, space in enumerate(file.spaces)}
    zones = {zone.id: i for i, zone in enumerate(file.zones)}
    doors = tuple(Door(door.id, door.name, (spaces[door.edge[0]], spaces[door.edge[1]])) for door in file.doors)
    kinds, pools = _threats(file)
    by_name = {kind.name: i for i, kind in enumerate(kinds)}
    characters, cards, owner = _characters(file, zones)
    return Scenario(
        id=path.stem,
        title=file.title,
        digest=documents.digest(path),
        difficulty=file.switches.difficulty,
        hand_size=3 if file.switches.difficulty == "veteran" else 4,  # M-DIFF-2 … 4
        spare_health=file.switches.defeat_at == "damage>health",
        spaces=tuple(spaces),
        start=next(i for i, space in enumerate(file.spaces) if "start" in space.icons),
        joined=_joined(file, spaces),
        doors=doors,
        doors_open=sum(1 << i for i, door in enumerate(file.doors) if door.open),
        zones=tuple(Zone(zone.id, zone.name, zone.verb) for zone in file.zones),
        characters=characters,
        cards=cards,
        owner=owner,
        kinds=kinds,
        pools=MappingProxyType(pools),
        icons=tuple(
            Icon(spaces[space.id], icon.rpartition("_")[2], up=icon.startswith("up_"))
            for space in file.spaces
            for icon in space.icons
            if icon != "start"
        ),
        map_rules=tuple(
            MapRule(by_name[rule.take], rule.slots, [door.id for door in doors].index(rule.opens))
            for rule in file.map_rules
        ),
        walls=file.walls,
        objective=file.objective.character_on,
        white=file.disruption_tokens.white,
        other=file.disruption_tokens.other,
        overlays=MappingProxyType({board: MappingProxyType(overlay) for board, overlay in file.overlay.items()}),
    )


@lru_cache(maxsize=256)
def adjacency(scenario: Scenario, doors_open: int) -> tuple[int, ...]:
    """For each space those adjacent to it, with these doors open. A wall or a shut door parts its two spaces."""
    joined = list(scenario.joined)
    for number, door in enumerate(scenario.doors):
        if doors_open >> number & 1:
            one, other = door.edge
            joined[one] |= 1 << other
            joined[other] |= 1 << one
    return tuple(joined)


def _joined(file: Document, spaces: Mapping[str, int]) -> tuple[int, ...]:
    parted = {frozenset(edge) for edge in (*file.walls, *(door.edge for door in file.doors))}
    return tuple(
        sum(
            1 << spaces[other.id]
            for other in file.spaces
            if document.adjacent(space, other) and frozenset((space.id, other.id)) not in parted
        )
        for space in file.spaces
    )


def _threats(file: Document) -> tuple[tuple[Kind, ...], dict[str, tuple[int, ...]]]:
    kinds: list[Kind] = []
    pools: dict[str, tuple[int, ...]] = {}
    for shape, threats in file.threats.items():
        pools[shape] = tuple(len(kinds) + i for i, threat in enumerate(threats) for _ in range(threat.n))
        for threat in threats:
            if threat.kind == "enemy":
                abilities = {name: name in threat.abilities for name in ("guard", "grapple", "sabotage")}
                kinds.append(Kind(threat.name, threat.kind, shape, threat.role, threat.health, **abilities))
            else:
                kinds.append(Kind(threat.name, threat.kind, shape))
    return tuple(kinds), pools


def _characters(
    file: Document, zones: Mapping[str, int]
) -> tuple[tuple[Character, ...], tuple[Card, ...], tuple[int, ...]]:
    side: Literal["beginner", "standard"] = "beginner" if file.switches.difficulty == "beginner" else "standard"
    cards: list[Card] = []
    owner: list[int] = []
    characters: list[Character] = []
    for number, character in enumerate(file.characters):
        deck: list[int] = []
        for skill in character.skills:
            deck += [len(cards)] * skill.n
            owner.append(number)
            if skill.ability:
                ability = skill.ability
                cards.append(Card(skill.strength, ability.id, ability.name, zones[ability.zone]))
            else:
                cards.append(Card(skill.strength))
        characters.append(Character(character.id, character.name, getattr(character.health, side), tuple(deck)))
    return tuple(characters), tuple(cards), tuple(owner)
