"""From a scenario file to a scenario: names become numbers, effects become programs, tiles become shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from underglow import documents
from underglow.games.labyrinth import document, grammar
from underglow.games.labyrinth.effects import VERBS
from underglow.games.labyrinth.findings import findings
from underglow.games.labyrinth.hexes import across, beyond, sockets
from underglow.games.labyrinth.scenario import (
    NONE,
    UNTIL_SUCCESS,
    Ability,
    Card,
    Character,
    Effect,
    Glyph,
    Item,
    Scenario,
    Shape,
    Tile,
    Trap,
)
from underglow.languages import Text, say

EDGES = 6


def load(path: Path) -> Scenario:
    """Read a scenario file. `documents.Faults` names every fault at once, with line and key."""
    file = documents.load(path, document.Document, check=lambda file: findings(file, path.stem))
    return Compiler(file).scenario(path)


class Compiler:
    """The numbers of a file's names, and the programs met so far."""

    def __init__(self, file: document.Document) -> None:
        self.file = file
        self.glyphs = {glyph.id: i for i, glyph in enumerate(file.glyphs)}
        self.programs: list[tuple[Effect, ...]] = []

    def scenario(self, path: Path) -> Scenario:
        """The whole scenario."""
        file = self.file
        board = sockets(file.radius)
        hexes = {place: i for i, place in enumerate(board)}
        starts = {start.id: i for i, start in enumerate(file.starts)}
        tiles = (
            _tile("centre", say("Centre"), file.centre),
            _tile("key", say("Key Tile"), file.key_tile),
            *(_tile(tile.id, tile.name, tile.corridors) for tile in file.tiles),
        )
        return Scenario(
            id=path.stem,
            title=file.title,
            digest=documents.digest(path),
            switches=file.switches,
            rounds=file.rounds,
            lives=file.lives,
            spaces=(*board.values(), *starts),
            sockets=len(board),
            beside=_beside(hexes, file.starts),
            rim=tuple(any(beyond(place, edge) not in hexes for edge in range(EDGES)) for place in hexes),
            centre=hexes[0, 0],
            key_hexes=tuple(hexes[start.beside] for start in file.starts),
            start_use=MappingProxyType(
                {int(seats): tuple(starts[start] for start in used) for seats, used in file.start_use.items()}
            ),
            tiles=tiles,
            pile=_set(file.tiles, first=len(tiles) - len(file.tiles)),
            traps=tuple(self._trap(trap) for trap in file.traps),
            pool=_set(file.traps),
            golem_cards=tuple(Card(card.id, card.name, self.program(card.do)) for card in file.golem),
            golem_deck=_set(file.golem),
            events=tuple(Card(event.id, event.name, self.program(event.do), event.rule) for event in file.events),
            event_deck=_set(file.events),
            items=tuple(self._item(item) for item in file.items),
            stock=_set(file.items),
            characters=tuple(
                Character(
                    character.id, character.name, tuple(self._ability(ability) for ability in character.abilities)
                )
                for character in file.characters
            ),
            glyphs=tuple(Glyph(glyph.id, glyph.name, glyph.n, self.program(glyph.enter)) for glyph in file.glyphs),
            programs=tuple(self.programs),
            overlays=MappingProxyType({board: MappingProxyType(overlay) for board, overlay in file.overlay.items()}),
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
            case grammar.Crystal(side=where) | grammar.Shift(to=where) | grammar.RevealTrap(where=where):
                return Effect(verb, perform, where=where)
            case grammar.Choose(of=options):
                return Effect(verb, perform, programs=tuple([self.program(option) for option in options]))
            case grammar.Test(need=need, fail=fail):
                return Effect(verb, perform, n=need, programs=(self.program(fail),))
            case grammar.EveryCharacter(do=do):
                return Effect(verb, perform, programs=(self.program(do),))
            case grammar.ChooseTrap(of=n):
                return Effect(verb, perform, n=n)
            case grammar.LayGlyph(glyph=glyph):
                return Effect(verb, perform, number=self.glyphs[glyph])
            case grammar.GolemWalks(n=n, toward=toward):
                return Effect(verb, perform, n=n, where=toward)
            case grammar.BoxItem() | grammar.TurnTile() | grammar.SwapCharacter() | grammar.GolemAppears():
                return Effect(verb, perform)
            case _:
                return Effect(verb, perform, n=effect.n)

    def _trap(self, trap: document.Trap) -> Trap:
        rolls = UNTIL_SUCCESS if trap.rolls == "until_success" else trap.rolls
        verbs = set(_verbs(trap.fail))
        return Trap(
            trap.id,
            trap.name,
            rolls,
            trap.most,
            trap.need,
            self.program(trap.fail),
            hurts="lose_life" in verbs,
            dazes="daze" in verbs,
            shifts="shift" in verbs,
        )

    def _item(self, item: document.Item) -> Item:
        test, bonus = (item.bonus.test, item.bonus.n) if item.bonus else (None, 0)
        return Item(item.id, item.name, item.when, self.program(item.do), test, bonus)

    def _ability(self, ability: document.Ability) -> Ability:
        test, bonus = (ability.bonus.test, ability.bonus.n) if ability.bonus else (None, 0)
        return Ability(ability.id, ability.name, ability.cost, ability.crystal, self.program(ability.do), test, bonus)


class _Counted(Protocol):
    @property
    def n(self) -> int: ...


def _set(kinds: Iterable[_Counted], first: int = 0) -> tuple[int, ...]:
    """All pieces of these kinds, by the number of their kind."""
    return tuple(i for i, kind in enumerate(kinds, start=first) for _ in range(kind.n))


def _verbs(effects: grammar.Effects) -> Iterator[str]:
    """Every verb that may happen, whatever is chosen or rolled."""
    for effect in effects:
        yield effect.verb
        match effect:
            case grammar.Choose(of=options):
                for option in options:
                    yield from _verbs(option)
            case grammar.Test(fail=inner) | grammar.EveryCharacter(do=inner):
                yield from _verbs(inner)
            case _:
                pass


def _beside(hexes: dict[tuple[int, int], int], starts: tuple[document.Start, ...]) -> tuple[tuple[int, ...], ...]:
    """For each hex, start spaces last, what lies over each edge."""
    rows = [[hexes.get(beyond(place, edge), NONE) for edge in range(EDGES)] for place in hexes]
    for start in starts:
        rows[hexes[start.beside]][start.edge] = len(rows)
        rows.append([hexes[start.beside] if edge == across(start.edge) else NONE for edge in range(EDGES)])
    return tuple(map(tuple, rows))


def _tile(id_: str, name: Text, corridors: document.Corridors) -> Tile:
    period = next(turn for turn in range(1, EDGES + 1) if _turned(corridors, turn) == _turned(corridors, 0))
    heads = range(0, EDGES, period) if period > 1 else ()  # one that looks the same whichever way it lies has none
    return Tile(
        id_,
        name,
        tuple(_shape(corridors, heads, turn) for turn in range(period)),
        traps=tuple(i for i, corridor in enumerate(corridors) if corridor.trap),
        items=tuple(i for i, corridor in enumerate(corridors) if corridor.item),
    )


def _turned(corridors: document.Corridors, turn: int) -> set[tuple[object, ...]]:
    """What everybody sees of a tile once it is turned: where its corridors lead, on which level, and their slots."""
    return {
        (frozenset((edge + turn) % EDGES for edge in corridor.edges), corridor.bridge, corridor.trap, corridor.item)
        for corridor in corridors
    }


def _shape(corridors: document.Corridors, heads: Iterable[int], turn: int) -> Shape:
    edges = tuple(tuple(sorted((edge + turn) % EDGES for edge in corridor.edges)) for corridor in corridors)
    lane_at = {edge: lane for lane, those in enumerate(edges) for edge in those}
    return Shape(
        lane_at=tuple(lane_at.get(edge, NONE) for edge in range(EDGES)),
        edges=edges,
        bridges=tuple(corridor.bridge for corridor in corridors),
        heads=tuple(sorted((head + turn) % EDGES for head in heads)),
    )
