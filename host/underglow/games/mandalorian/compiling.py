"""From a scenario file to a scenario: names become numbers, effects become programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from underglow import documents
from underglow.games.mandalorian import grammar, guide
from underglow.games.mandalorian.conditions import compiled, named_spaces
from underglow.games.mandalorian.document import (
    Ability,
    Character,
    Document,
    Enemy,
    Find,
    GuideCard,
    Planning,
    Sheet,
    adjacent,
)
from underglow.games.mandalorian.effects import VERBS
from underglow.games.mandalorian.findings import findings
from underglow.games.mandalorian.scenario import (
    NONE,
    ROLES,
    SEATS,
    STRENGTH,
    Card,
    Door,
    Effect,
    Envelope,
    Event,
    Failure,
    Grids,
    Icon,
    Kind,
    MapRule,
    Plan,
    Role,
    Scenario,
    Track,
    Zone,
    players,
    rotation,
)
from underglow.games.mandalorian.scenario import Character as Played
from underglow.games.mandalorian.scenario import GuideCard as Guided

ALL = 99
"""All the enemies there are."""


def load(path: Path) -> Scenario:
    """Read a scenario file. `documents.Faults` names every fault at once, with line and key."""
    file = documents.load(path, Document, check=lambda file: findings(file, path.stem))
    return Compiler(file).scenario(path)


class Compiler:
    """The numbers of a file's names, and the programs met so far."""

    def __init__(self, file: Document) -> None:
        self.file = file
        self.joined = guide.resolved(file.guide, file.switches.games_played)
        self.spaces = {space.id: i for i, space in enumerate(file.spaces)}
        self.zones = {zone.id: i for i, zone in enumerate(file.zones)}
        self.doors = {door.id: i for i, door in enumerate(file.doors)}
        self.tracks = {track.id: i for i, track in enumerate(file.tracks)}
        self.kinds, self.pools = _threats(file)
        self.by_name: dict[str, int] = {kind.name: i for i, kind in enumerate(self.kinds)}
        self.rules = {rule.take: i for i, rule in enumerate(file.map_rules)}
        self.programs: list[tuple[Effect, ...]] = []

    def scenario(self, path: Path) -> Scenario:
        """The whole scenario."""
        file, switches = self.file, self.file.switches
        mission: Document | Sheet = file.sheets[switches.sheet] if switches.sheet else file  # M-CAMP-2
        characters, cards, owner = self._characters()
        doors = tuple(Door(d.id, d.name, (self.spaces[d.edge[0]], self.spaces[d.edge[1]])) for d in file.doors)
        parted = {frozenset(edge) for edge in (*file.walls, *(door.edge for door in file.doors))}
        parties = tuple(min(max(2, seats), len(characters)) for seats in range(SEATS + 1))  # M-COUNT-2, 3
        sharers = tuple(players(party, seats) if seats else () for seats, party in enumerate(parties))
        by_seat = switches.shared_turns == "by_seat"
        events = [*file.events, *(event for card in self.joined for event in card.events)]
        planning = [*file.planning, *(plan for card in self.joined for plan in card.planning)]
        return Scenario(
            id=path.stem,
            title=mission.title,
            digest=documents.digest(path),
            switches=switches,
            hand_size=3 if switches.difficulty == "veteran" else 4,  # M-DIFF-2 … 4
            spare_health=switches.defeat_at == "damage>health",
            spaces=tuple(self.spaces),
            start=next(i for i, space in enumerate(file.spaces) if "start" in space.icons),
            spawns=tuple(i for i, space in enumerate(file.spaces) if "spawn" in space.icons),
            grids=Grids(self._adjacent(parted), None if switches.walls_block_range else self._adjacent(set()), doors),
            walls=tuple((self.spaces[one], self.spaces[other]) for one, other in file.walls),
            doors=doors,
            doors_open=sum(1 << i for i, door in enumerate(file.doors) if door.open),
            zones=tuple(Zone(zone.id, zone.name, zone.verb, self.program(zone.do)) for zone in file.zones),
            characters=characters,
            cards=cards,
            owner=owner,
            kinds=self.kinds,
            fights=tuple(kind.enemy for kind in self.kinds),
            roles={role: tuple(kind.role == role for kind in self.kinds) for role in ROLES},
            pools=MappingProxyType(self.pools),
            icons=tuple(
                Icon(self.spaces[space.id], icon[-1], up=icon.startswith("up_"))
                for space in file.spaces
                for icon in space.icons
                if "_" in icon
            ),
            white=file.disruption_tokens.white,
            other=file.disruption_tokens.other,
            events=tuple(Event(event.id, event.name, event.back, self.program(event.do)) for event in events),
            event_deck=tuple(i for i, event in enumerate(events) for _ in range(event.n)),
            plans=tuple(self._plan(plan) for plan in planning),
            planning_deck=tuple(i for i, plan in enumerate(planning) for _ in range(plan.n)),
            tracks=tuple(Track(track.id, track.name, track.start, track.most) for track in file.tracks),
            map_rules=tuple(
                MapRule(
                    self.by_name[rule.take],
                    rule.slots,
                    NONE if rule.deliver_to is None else self.spaces[rule.deliver_to],
                    self.program(rule.then),
                )
                for rule in file.map_rules
            ),
            objective=compiled(mission.objective, self),
            goals=tuple(sorted(set(named_spaces(compiled(mission.objective, self))))),
            failures=tuple(
                Failure(
                    compiled(failure.when, self), failure.says, isinstance(failure.when, grammar.AnyCharacterDefeated)
                )
                for failure in mission.failure
            ),
            crisis=self.program(mission.crisis),
            mission_effect=self.program(mission.mission_effect),
            child_start=self.spaces[file.child.start] if file.child else NONE,
            envelope=self._envelope(),
            guide=tuple(
                Guided(card.number, card.says, card.stop or 0, card.missions)
                for card in sorted(file.guide, key=lambda card: card.number)
            ),
            disrupting=_unlocked(file.guide, self.joined),
            programs=tuple(self.programs),
            parties=parties,
            players=sharers,
            rotations=tuple(rotation(those, seats, by_seat) if seats else () for seats, those in enumerate(sharers)),
            overlays=MappingProxyType({board: MappingProxyType(overlay) for board, overlay in file.overlay.items()}),
        )

    def _adjacent(self, parted: set[frozenset[str]]) -> tuple[int, ...]:
        return tuple(
            sum(
                1 << self.spaces[other.id]
                for other in self.file.spaces
                if adjacent(space, other) and frozenset((space.id, other.id)) not in parted
            )
            for space in self.file.spaces
        )

    def _characters(self) -> tuple[tuple[Played, ...], tuple[Card, ...], tuple[int, ...]]:
        beginner = self.file.switches.difficulty == "beginner"
        side: Literal["beginner", "standard"] = "beginner" if beginner else "standard"
        cards: list[Card] = []
        owner: list[int] = []
        characters: list[Played] = []
        for number, character in enumerate(self.file.characters):
            deck: list[int] = []
            for n, strength, ability in self._skills(character):
                card = self._card(character.id, strength, ability)
                if card not in cards:
                    cards.append(card)
                    owner.append(number)
                deck += [cards.index(card)] * n
            characters.append(
                Played(character.id, character.name, getattr(character.health, side), tuple(sorted(deck)))
            )
        return tuple(characters), tuple(cards), tuple(owner)

    def _skills(self, character: Character) -> Iterable[tuple[int, int, Ability | None]]:
        """A character's own cards, and those the guide deck has brought."""
        for skill in character.skills:
            yield skill.n, skill.strength, skill.ability
        for card in self.joined:
            for skill in card.skills:
                if skill.character == character.id:
                    yield skill.n, skill.strength, skill.ability

    def _card(self, character: str, strength: int, ability: Ability | None) -> Card:
        token = f"{character}:{ability.id if ability else strength}"
        if ability is None:
            return Card(token, strength)
        return Card(token, strength, ability.id, ability.name, self.zones[ability.zone], self.program(ability.do))

    def _plan(self, plan: Planning) -> Plan:
        block = sum(effect.n for effect in plan.do if isinstance(effect, grammar.Block))
        cancels = any(isinstance(effect, grammar.CancelCrisis) for effect in plan.do)
        return Plan(plan.id, plan.name, plan.on, self.program(plan.do), block, cancels)

    def _envelope(self) -> Envelope | None:
        """The envelope, if there is one and a guide deck has it opened or does not speak of it (M-GUIDE-7)."""
        envelope = self.file.envelope
        shut = any(card.opens_envelope for card in self.file.guide)
        if envelope is None or (shut and not any(card.opens_envelope for card in self.joined)):
            return None
        return Envelope(
            envelope.name,
            envelope.seats,
            tuple(Role(role.name, role.traitor) for role in envelope.roles),
            tuple(i for i, role in enumerate(envelope.roles) for _ in range(role.n)),
            self.program(envelope.right),
            self.program(envelope.wrong),
        )

    def program(self, effects: grammar.Effects) -> int:
        """Number a list of effects, and those inside them; NONE for an empty one."""
        if not effects:
            return NONE
        steps = tuple([self._effect(effect) for effect in effects])
        self.programs.append(steps)
        return len(self.programs) - 1

    def _effect(self, effect: grammar.Effect) -> Effect:
        verb, perform = effect.verb, VERBS[effect.verb]
        match effect:
            case grammar.If():
                then, otherwise = self.program(effect.then), self.program(effect.otherwise)
                return Effect(verb, perform, test=compiled(effect.condition, self), then=then, otherwise=otherwise)
            case grammar.EnemiesMove():
                crowd = ALL if effect.enemies == "all" else effect.enemies
                return Effect(verb, perform, n=effect.n, role=effect.role, crowd=crowd, where=effect.toward)
            case grammar.EnemiesAttack():
                crowd = ALL if effect.enemies == "all" else effect.enemies
                return Effect(verb, perform, reach=effect.range, role=effect.role, crowd=crowd)
            case grammar.CaptureChild():
                return Effect(verb, perform, reach=effect.range, role=effect.role)
            case grammar.Reinforce():
                return Effect(verb, perform, n=effect.n, where=effect.at)
            case grammar.DisruptZone() | grammar.ClearZone():
                return Effect(verb, perform, where=effect.zone)
            case grammar.Hurt():
                return Effect(verb, perform, n=effect.n, where=effect.who)
            case grammar.TurnUp():
                return Effect(verb, perform, reach=effect.range)
            case grammar.AddTrack():
                return Effect(verb, perform, n=effect.n, number=self.tracks[effect.track])
            case grammar.ResetTrack():
                return Effect(verb, perform, number=self.tracks[effect.track])
            case grammar.OpenDoor() | grammar.CloseDoor():
                return Effect(verb, perform, number=self.doors[effect.door])
            case grammar.CancelCrisis():
                return Effect(verb, perform)
            case grammar.Heal(range=None):
                return Effect(verb, perform, n=_amount(effect.n))
            case (
                grammar.MoveSelf()
                | grammar.Draw()
                | grammar.Plan()
                | grammar.Block()
                | grammar.DamageAttacker()
                | grammar.ChildFlees()
            ):
                return Effect(verb, perform, n=_amount(effect.n))
            case _:
                return Effect(verb, perform, n=_amount(effect.n), reach=_amount(effect.range))


def _amount(number: int | str | None) -> int:
    return number if isinstance(number, int) else STRENGTH


def _threats(file: Document) -> tuple[tuple[Kind, ...], dict[str, tuple[int, ...]]]:
    kinds: list[Kind] = []
    pools: dict[str, tuple[int, ...]] = {}
    named: Mapping[str, tuple[Enemy | Find, ...]] = {**file.threats, "": file.reinforcements}
    for shape, threats in named.items():
        pools[shape] = tuple(len(kinds) + i for i, threat in enumerate(threats) for _ in range(threat.n))
        kinds += [_kind(threat, shape) for threat in threats]
    return tuple(kinds), pools


def _kind(threat: Enemy | Find, shape: str) -> Kind:
    printed = dict.fromkeys(threat.abilities, True)
    if threat.kind == "enemy":
        words, health = threat.role, threat.health
        return Kind(
            threat.name, "enemy", shape, enemy=True, role=words, health=health, abilities=threat.abilities, **printed
        )
    return Kind(threat.name, threat.kind, shape, abilities=threat.abilities, **printed)


def _unlocked(deck: Iterable[GuideCard], joined: Iterable[GuideCard]) -> bool:
    """Whether enemies can be disrupted: from the guide card on that says so, or always if none does (M-DISR-5)."""
    return any(card.unlocks for card in joined) or not any(card.unlocks for card in deck)
