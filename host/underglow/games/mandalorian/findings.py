"""What must agree in a scenario file: names that mean nothing, or two things, and numbers that do not add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Literal

from underglow.documents import Finding, Loc
from underglow.games.mandalorian import grammar, guide
from underglow.games.mandalorian.document import Document, Edge, Enemy, Event, Find, Planning, Skill, adjacent
from underglow.games.mandalorian.grammar import Condition, Effects

SKILLS = 12  # M-SETUP-11
PLANS = 20  # M-SETUP-2
EVENTS = 12

_ANSWERS: Mapping[type, str] = {
    grammar.Block: "self_damaged",
    grammar.DamageAttacker: "enemy_attacks_you",
    grammar.CancelCrisis: "crisis_due",
}
_CHILD = (grammar.CaptureChild, grammar.ChildFlees, grammar.ChildBroughtTo, grammar.ChildCaptured)


def findings(document: Document, mission: str) -> Iterator[Finding]:
    """Yield every one; `mission` is what the file is called."""
    yield from _names(document)
    yield from _edges(document)
    yield from _tokens(document)
    yield from _decks(document)
    yield from _map_rules(document)
    yield from _guide(document, mission)
    yield from _mission(document)
    for loc, effects, moment, strength in _programs(document):
        yield from _effects(document, loc, effects, moment, strength)
    yield from _overlays(document)


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
        if name == "child" or (name[0] == "t" and name[1:].isdecimal()):
            yield loc, f"{name} is what another token is called; give the character another id"
    yield from _twice(((("doors", i, "id"), door.id) for i, door in enumerate(document.doors)), "{} is another door")
    yield from _twice(((("tracks", i, "id"), t.id) for i, t in enumerate(document.tracks)), "{} is another track")
    yield from _twice(
        ((("spaces", i), (space.q, space.r)) for i, space in enumerate(document.spaces)),
        "another space lies at {} already",
    )
    yield from _twice(((loc, threat.name) for loc, threat in _threats(document)), "{} is another threat: count with n")


def _threats(document: Document) -> Iterator[tuple[Loc, Enemy | Find]]:
    for shape, threats in document.threats.items():
        for i, threat in enumerate(threats):
            yield ("threats", shape, i, "name"), threat
    for i, enemy in enumerate(document.reinforcements):
        yield ("reinforcements", i, "name"), enemy


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
    if not any("spawn" in space.icons for space in document.spaces):
        yield ("spaces",), "no space has the icon spawn, where reinforcements arrive"
    icons: Counter[str] = Counter()
    for i, space in enumerate(document.spaces):
        for j, icon in enumerate(space.icons):
            name, _, shape = icon.rpartition("_")
            icons[shape] += 1
            if name and shape not in document.threats:
                yield ("spaces", i, "icons", j), f"there are no threats of shape {shape}"
    for shape, threats in document.threats.items():
        tokens = sum(threat.n for threat in threats)
        if tokens < icons[shape]:
            yield ("threats", shape), f"{tokens} tokens are too few for {icons[shape]} icons of shape {shape}"
        if not icons[shape]:
            yield ("threats", shape), f"no space has an icon of shape {shape}"
    if len(document.disruption_tokens.white) < len(document.zones):
        yield (
            ("disruption_tokens", "white"),
            f"{len(document.disruption_tokens.white)} tokens are too few for {len(document.zones)} zones",
        )


def _decks(document: Document) -> Iterator[Finding]:
    zones = {zone.id for zone in document.zones}
    for i, character in enumerate(document.characters):
        loc = ("characters", i, "skills")
        yield from _size(loc, "a skill deck", SKILLS, character.skills)
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
    yield from _size(("events",), "the event deck", EVENTS, document.events)
    yield from _size(("planning",), "the planning deck", PLANS, document.planning)
    yield from _twice(_ids(document, "events"), "{} is another event")
    yield from _twice(_ids(document, "planning"), "{} is another planning card")
    for i, zone in enumerate(document.zones):
        if bool(zone.do) != (zone.verb == "effect"):
            yield ("zones", i), 'a zone has effects in `do` when its verb is "effect", and only then'


def _ids(document: Document, deck: Literal["events", "planning"]) -> Iterator[tuple[Loc, str]]:
    """The ids of a deck's cards, with those that the guide deck brings."""
    for i, card in enumerate(getattr(document, deck)):
        yield (deck, i, "id"), card.id
    for i, joining in enumerate(document.guide):
        for j, card in enumerate(getattr(joining, deck)):
            yield ("guide", i, deck, j, "id"), card.id


def _size(loc: Loc, deck: str, wanted: int, cards: Iterable[Skill | Planning | Event]) -> Iterator[Finding]:
    number = sum(card.n for card in cards)
    if number != wanted:
        yield loc, f"{deck} has {wanted} cards, not {number}"


def _map_rules(document: Document) -> Iterator[Finding]:
    items: dict[str, int] = {threat.name: threat.n for _, threat in _threats(document) if threat.kind == "item"}
    spaces = {space.id for space in document.spaces}
    for i, rule in enumerate(document.map_rules):
        if rule.take not in items:
            yield ("map_rules", i, "take"), f"there is no item {rule.take!r}"
        elif rule.slots > items[rule.take]:
            yield ("map_rules", i, "slots"), f"there are only {items[rule.take]} of {rule.take!r}"
        if rule.deliver_to is not None and rule.deliver_to not in spaces:
            yield ("map_rules", i, "deliver_to"), f"there is no space {rule.deliver_to}"
    yield from _twice(
        ((("map_rules", i, "take"), rule.take) for i, rule in enumerate(document.map_rules)),
        "another map rule takes {} already",
    )


def _guide(document: Document, mission: str) -> Iterator[Finding]:
    numbers: list[tuple[Loc, Hashable]] = [
        (("guide", i, "number"), card.number) for i, card in enumerate(document.guide)
    ]
    yield from _twice(numbers, "another guide card has number {} already")
    characters = {character.id for character in document.characters}
    abilities = {(c.id, skill.ability.id) for c in document.characters for skill in c.skills if skill.ability}
    zones = {zone.id for zone in document.zones}
    for i, card in enumerate(document.guide):
        if card.opens_envelope and document.envelope is None:
            yield ("guide", i, "opens_envelope"), "there is no envelope"
        for j, skill in enumerate(card.skills):
            loc = ("guide", i, "skills", j)
            if skill.character not in characters:
                yield (*loc, "character"), f"there is no character {skill.character}"
            elif skill.ability and (skill.character, skill.ability.id) in abilities:
                yield (*loc, "ability", "id"), f"{skill.ability.id} is in that deck already"
            if skill.ability:
                abilities.add((skill.character, skill.ability.id))
            if skill.strength == 0 and not skill.ability:
                yield loc, "a tactical card (strength 0) has an ability"
            if skill.ability and skill.ability.zone not in zones:
                yield (*loc, "ability", "zone"), f"there is no zone {skill.ability.zone}"
    if document.guide:
        played = document.switches.games_played
        stops = [card.stop for card in sorted(document.guide, key=lambda card: card.number) if card.stop is not None]
        if stops != sorted(set(stops)):
            yield ("guide",), "the STOP cards name games in an order in which they cannot be turned over"
        if stops and played > stops[-1]:
            yield ("switches", "games_played"), f"the guide deck knows of {stops[-1]} games only"
        named = guide.missions(document.guide, played)
        if named and mission not in named:  # M-GUIDE-5
            sentence = f"game {played + 1} of the guide deck plays {' or '.join(named)}, not {mission}"
            yield ("switches", "games_played"), sentence


def _mission(document: Document) -> Iterator[Finding]:
    missions = [((), document.objective, document.failure)]
    missions += [(("sheets", name), sheet.objective, sheet.failure) for name, sheet in document.sheets.items()]
    for loc, objective, failures in missions:
        yield from _condition(document, (*loc, "objective"), objective)
        for i, failure in enumerate(failures):
            yield from _condition(document, (*loc, "failure", i, "when"), failure.when)
        if not any(isinstance(failure.when, grammar.AnyCharacterDefeated) for failure in failures):
            yield (*loc, "failure"), "one failure is any_character_defeated: what else a defeat means is not known"
    if document.switches.sheet and document.switches.sheet not in document.sheets:
        yield ("switches", "sheet"), f"there is no sheet {document.switches.sheet!r}"
    spaces = {space.id for space in document.spaces}
    if document.child and document.child.start not in spaces:
        yield ("child", "start"), f"there is no space {document.child.start}"
    if document.switches.child_flees == "from_enemies" and not document.child:
        yield ("switches", "child_flees"), "there is no child in this mission"
    for i, track in enumerate(document.tracks):
        if track.start > track.most:
            yield ("tracks", i, "start"), f"the track ends at {track.most}"
    if document.envelope and sum(role.n for role in document.envelope.roles) < 4:
        yield ("envelope", "roles"), "there are fewer than 4 roles, but up to 4 seats"


def _programs(document: Document) -> Iterator[tuple[Loc, Effects, str, bool]]:
    """Every list of effects: where it stands, its planning card's moment, and whether a strength J is known."""
    yield ("crisis",), document.crisis, "", False
    yield ("mission_effect",), document.mission_effect, "", False
    for name, sheet in document.sheets.items():
        yield ("sheets", name, "crisis"), sheet.crisis, "", False
        yield ("sheets", name, "mission_effect"), sheet.mission_effect, "", False
    for i, zone in enumerate(document.zones):
        yield ("zones", i, "do"), zone.do, "", True
    for i, character in enumerate(document.characters):
        for j, skill in enumerate(character.skills):
            if skill.ability:
                yield ("characters", i, "skills", j, "ability", "do"), skill.ability.do, "", skill.strength > 0
    for i, rule in enumerate(document.map_rules):
        yield ("map_rules", i, "then"), rule.then, "", False
    for i, event in enumerate(document.events):
        yield ("events", i, "do"), event.do, "", False
    for i, card in enumerate(document.planning):
        yield ("planning", i, "do"), card.do, card.on, False
    if document.envelope:
        yield ("envelope", "right"), document.envelope.right, "", False
        yield ("envelope", "wrong"), document.envelope.wrong, "", False
    for i, joining in enumerate(document.guide):
        for j, skill in enumerate(joining.skills):
            if skill.ability:
                yield ("guide", i, "skills", j, "ability", "do"), skill.ability.do, "", skill.strength > 0
        for j, event in enumerate(joining.events):
            yield ("guide", i, "events", j, "do"), event.do, "", False
        for j, card in enumerate(joining.planning):
            yield ("guide", i, "planning", j, "do"), card.do, card.on, False


def _effects(document: Document, loc: Loc, effects: Effects, moment: str, strength: bool) -> Iterator[Finding]:
    doors, tracks = {door.id for door in document.doors}, {track.id for track in document.tracks}
    for i, effect in enumerate(effects):
        here = (*loc, i)
        if (wanted := _ANSWERS.get(type(effect))) and wanted != moment:
            yield (*here, "verb"), f'{effect.verb} stands on a planning card used on = "{wanted}" only'
        if isinstance(effect, _CHILD) and not document.child:
            yield (*here, "verb"), "there is no child in this mission"
        if not strength:
            for field in ("n", "range"):
                if getattr(effect, field, None) == "J":
                    yield (*here, field), "no card is played here whose strength J could be"
        match effect:
            case grammar.EnemiesMove(toward="child") if not document.child:
                yield (*here, "toward"), "there is no child in this mission"
            case grammar.OpenDoor(door=door) | grammar.CloseDoor(door=door) if door not in doors:
                yield (*here, "door"), f"there is no door {door}"
            case grammar.AddTrack(track=track) | grammar.ResetTrack(track=track) if track not in tracks:
                yield (*here, "track"), f"there is no track {track}"
            case grammar.If(condition=condition, then=then, otherwise=otherwise):
                yield from _condition(document, (*here, "condition"), condition)
                yield from _effects(document, (*here, "then"), then, moment, strength)
                yield from _effects(document, (*here, "else"), otherwise, moment, strength)
            case _:
                pass


def _condition(document: Document, loc: Loc, condition: Condition) -> Iterator[Finding]:
    spaces, tracks = {space.id for space in document.spaces}, {track.id: track.most for track in document.tracks}
    kinds = {threat.kind for _, threat in _threats(document)}
    enemies = {threat.name for _, threat in _threats(document) if threat.kind == "enemy"}
    if isinstance(condition, _CHILD) and not document.child:
        yield (*loc, "is"), "there is no child in this mission"
    match condition:
        case grammar.CharacterOn(kind=kind) if kind not in kinds:
            yield (*loc, "kind"), f"there is no threat of kind {kind}"
        case grammar.CharacterAt(space=space) | grammar.ChildBroughtTo(space=space) if space not in spaces:
            yield (*loc, "space"), f"there is no space {space}"
        case grammar.ChildCaptured(space=str(space)) if space not in spaces:
            yield (*loc, "space"), f"there is no space {space}"
        case grammar.TrackAtLeast(track=track) if track not in tracks:
            yield (*loc, "track"), f"there is no track {track}"
        case grammar.TrackAtLeast(track=track, n=n) if n > tracks[track]:
            yield (*loc, "n"), f"the track {track} ends at {tracks[track]}"
        case grammar.DoorOpen(door=door) if door not in {known.id for known in document.doors}:
            yield (*loc, "door"), f"there is no door {door}"
        case grammar.SlotsFilled(item=item) if item not in {rule.take for rule in document.map_rules}:
            yield (*loc, "item"), f"no map rule takes {item!r}"
        case grammar.Defeated(name=name) if name not in enemies:
            yield (*loc, "name"), f"there is no enemy {name!r}"
        case grammar.AllOf(of=parts) | grammar.AnyOf(of=parts):
            for i, part in enumerate(parts):
                yield from _condition(document, (*loc, "of", i), part)
        case grammar.Not(of=part):
            yield from _condition(document, (*loc, "of"), part)
        case _:
            pass


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
