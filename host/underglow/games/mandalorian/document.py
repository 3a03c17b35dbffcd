"""What a scenario file may say: its tables, and what must agree between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from underglow.documents import Finding, Loc, Section

Id: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Words: TypeAlias = Annotated[str, Field(min_length=1, max_length=60)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=40)]
Strength: TypeAlias = Annotated[int, Field(ge=0, le=4)]
Shape: TypeAlias = Annotated[str, Field(pattern=r"^[a-z]$")]
Icon: TypeAlias = Annotated[str, Field(pattern=r"^(start|hid_[a-z]|up_[a-z])$")]
Edge: TypeAlias = tuple[str, str]

DECK_SIZE = 12  # M-SETUP-11


class Switches(Section):
    """What a table may settle for itself: where the rules we have are silent, and how hard it shall be."""

    difficulty: Literal["beginner", "standard", "veteran"] = "beginner"
    defeat_at: Literal["damage>=health", "damage>health"] = "damage>=health"


class Disruption(Section):
    """The numbers on the disruption tokens."""

    white: Annotated[tuple[Count, ...], Field(min_length=1)]
    other: tuple[Count, ...]


class Health(Section):
    """How much damage a character bears, by the side its card shows."""

    beginner: Count
    standard: Count


class Ability(Section):
    """What a skill card offers beyond its strength, in the zone it names."""

    id: Id
    name: Words
    zone: str


class Skill(Section):
    """Equal skill cards of a character. Strength 0 is a tactical card (M-TACT-1)."""

    n: Count
    strength: Strength
    ability: Ability | None = None


class Character(Section):
    """A character and its skill deck."""

    id: Id
    name: Words
    health: Health
    skills: Annotated[tuple[Skill, ...], Field(min_length=1)]


class Zone(Section):
    """An action zone, in order from the left."""

    id: Id
    name: Words
    verb: Literal["move", "attack", "intel", "plan"]


class Space(Section):
    """A hex of the map, in axial coordinates."""

    id: Id
    q: int
    r: int
    icons: tuple[Icon, ...] = ()


class Door(Section):
    """An edge that is a wall until it opens."""

    id: Id
    name: Words
    edge: Edge
    open: bool = False


class Enemy(Section):
    """Equal threat tokens that fight."""

    kind: Literal["enemy"]
    name: Words
    role: Annotated[Literal["melee", "shooter", "sharpshooter"], Field(alias="class")]
    health: Count
    abilities: tuple[Literal["guard", "grapple", "sabotage"], ...] = ()
    n: Count


class Find(Section):
    """Equal threat tokens that do not fight."""

    kind: Literal["item", "asset", "empty"]
    name: Words
    n: Count


Threat: TypeAlias = Annotated[Enemy | Find, Field(discriminator="kind")]


class Objective(Section):
    """Won when a character stands on a face-up threat of this kind at the end of any turn (M1-2)."""

    character_on: Literal["enemy", "item", "asset", "empty"]


class Failure(Section):
    """Lost as soon as this holds (M1-3)."""

    when: Literal["any_character_defeated"]


class MapRule(Section):
    """Items lifted from one's own space, free, in one's action phase; with all slots filled a door opens (M1-5)."""

    take: str
    slots: Count
    opens: str


class Document(Section):
    """A scenario file."""

    title: Words
    switches: Switches = Switches()
    objective: Objective
    failure: Failure
    disruption_tokens: Disruption
    zones: Annotated[tuple[Zone, ...], Field(min_length=2)]
    characters: Annotated[tuple[Character, ...], Field(min_length=1, max_length=4)]
    spaces: Annotated[tuple[Space, ...], Field(min_length=2)]
    walls: tuple[Edge, ...] = ()
    doors: tuple[Door, ...] = ()
    map_rules: tuple[MapRule, ...] = ()
    threats: Annotated[dict[Shape, tuple[Threat, ...]], Field(min_length=1)]
    overlay: dict[str, dict[str, str]] = Field(default_factory=dict[str, dict[str, str]])


def findings(document: Document) -> Iterator[Finding]:
    """Yield what no single value shows: names that mean nothing, or two things, and numbers that do not add up."""
    yield from _names(document)
    yield from _edges(document)
    yield from _tokens(document)
    yield from _decks(document)
    yield from _map_rules(document)
    yield from _overlays(document)


def adjacent(one: Space, other: Space) -> bool:
    """Whether two hexes share an edge."""
    q, r = one.q - other.q, one.r - other.r
    return max(abs(q), abs(r), abs(q + r)) == 1


def _names(document: Document) -> Iterator[Finding]:
    # A lamp is named by its space or zone alone, and a token by its id alone: each family is one namespace.
    places: list[tuple[Loc, str]] = [
        *((("spaces", i, "id"), space.id) for i, space in enumerate(document.spaces)),
        *((("zones", i, "id"), zone.id) for i, zone in enumerate(document.zones)),
    ]
    yield from _twice(places, "{} is the id of another space or zone")
    characters: list[tuple[Loc, str]] = [(("characters", i, "id"), c.id) for i, c in enumerate(document.characters)]
    yield from _twice(characters, "{} is the id of another character")
    for loc, name in characters:
        if name[0] == "t" and name[1:].isdecimal():
            yield loc, f"{name} is what threat tokens are called; give the character another id"
    yield from _twice(((("doors", i, "id"), door.id) for i, door in enumerate(document.doors)), "{} is another door")
    yield from _twice(
        ((("spaces", i), (space.q, space.r)) for i, space in enumerate(document.spaces)),
        "another space lies at {} already",
    )
    yield from _twice(
        (
            (("threats", shape, i, "name"), threat.name)
            for shape, threats in document.threats.items()
            for i, threat in enumerate(threats)
        ),
        "{} is another threat; count equal ones with n",
    )


def _twice(named: Iterable[tuple[Loc, Hashable]], sentence: str) -> Iterator[Finding]:
    seen: set[Hashable] = set()
    for loc, name in named:
        if name in seen:
            yield loc, sentence.format(name)
        seen.add(name)


def _edges(document: Document) -> Iterator[Finding]:
    spaces = {space.id: space for space in document.spaces}
    edges: list[tuple[Loc, Edge]] = [
        *((("walls", i), wall) for i, wall in enumerate(document.walls)),
        *((("doors", i, "edge"), door.edge) for i, door in enumerate(document.doors)),
    ]
    for loc, (one, other) in edges:
        unknown = [name for name in (one, other) if name not in spaces]
        for name in unknown:
            yield loc, f"there is no space {name}"
        if not unknown and not adjacent(spaces[one], spaces[other]):
            yield loc, f"{one} and {other} share no edge"
    yield from _twice(
        ((loc, f"{min(edge)} to {max(edge)}") for loc, edge in edges), "the edge {} has a wall or door already"
    )


def _tokens(document: Document) -> Iterator[Finding]:
    starts = [space.id for space in document.spaces if "start" in space.icons]
    if len(starts) != 1:
        yield ("spaces",), f"exactly one space has the icon start, not {len(starts)}"
    icons: Counter[str] = Counter()
    for i, space in enumerate(document.spaces):
        for j, icon in enumerate(space.icons):
            shape = icon.rpartition("_")[2]
            icons[shape] += 1
            if icon != "start" and shape not in document.threats:
                yield ("spaces", i, "icons", j), f"there are no threats of shape {shape}"
    for shape, threats in document.threats.items():
        tokens = sum(threat.n for threat in threats)
        if tokens < icons[shape]:
            yield ("threats", shape), f"{tokens} tokens are too few for {icons[shape]} icons of shape {shape}"
        if not icons[shape]:
            yield ("threats", shape), f"no space has an icon of shape {shape}"
    kinds = {threat.kind for threats in document.threats.values() for threat in threats}
    if document.objective.character_on not in kinds:
        yield ("objective", "character_on"), f"there is no threat of kind {document.objective.character_on}"
    if len(document.disruption_tokens.white) < len(document.zones):
        yield (
            ("disruption_tokens", "white"),
            f"{len(document.disruption_tokens.white)} tokens are too few for {len(document.zones)} zones",
        )


def _decks(document: Document) -> Iterator[Finding]:
    zones = {zone.id for zone in document.zones}
    for i, character in enumerate(document.characters):
        loc = ("characters", i, "skills")
        cards = sum(skill.n for skill in character.skills)
        if cards != DECK_SIZE:
            yield loc, f"a skill deck has {DECK_SIZE} cards, not {cards}"
        yield from _twice(
            (
                ((*loc, j), skill.ability.id if skill.ability else f"strength {skill.strength}")
                for j, skill in enumerate(character.skills)
            ),
            "{} is in this deck already; count equal cards with n",
        )
        for j, skill in enumerate(character.skills):
            if skill.ability and skill.ability.zone not in zones:
                yield (*loc, j, "ability", "zone"), f"there is no zone {skill.ability.zone}"
            if skill.strength == 0 and not skill.ability:
                yield (*loc, j), "a tactical card (strength 0) has an ability"


def _map_rules(document: Document) -> Iterator[Finding]:
    items = {
        threat.name: threat.n for threats in document.threats.values() for threat in threats if threat.kind == "item"
    }
    doors = {door.id for door in document.doors}
    for i, rule in enumerate(document.map_rules):
        if rule.take not in items:
            yield ("map_rules", i, "take"), f"there is no item {rule.take!r}"
        elif rule.slots > items[rule.take]:
            yield ("map_rules", i, "slots"), f"there are only {items[rule.take]} of {rule.take!r}"
        if rule.opens not in doors:
            yield ("map_rules", i, "opens"), f"there is no door {rule.opens}"
    yield from _twice(
        ((("map_rules", i, "take"), rule.take) for i, rule in enumerate(document.map_rules)),
        "another map rule takes {} already",
    )


def _overlays(document: Document) -> Iterator[Finding]:
    places = [space.id for space in document.spaces] + [zone.id for zone in document.zones]
    for board, overlay in document.overlay.items():
        yield from _overlay(("overlay", board), overlay, places)


def _overlay(loc: Loc, overlay: Mapping[str, str], places: list[str]) -> Iterator[Finding]:
    for place in overlay:
        if place not in places:
            yield (*loc, place), f"there is no space or zone {place}"
    if missing := [place for place in places if place not in overlay]:
        yield loc, f"does not say where {', '.join(missing)} lie{'s' if len(missing) == 1 else ''}"
    yield from _twice(
        (((*loc, place), on) for place, on in overlay.items()), "another space or zone lies on {} already"
    )
