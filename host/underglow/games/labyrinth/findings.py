"""What must agree in a scenario file: names that mean nothing, or two things, and numbers that do not add up."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from underglow.documents import Finding, Loc
from underglow.games.labyrinth import grammar
from underglow.games.labyrinth.document import Ability, Bonus, Corridors, Document, Item
from underglow.games.labyrinth.grammar import Effects
from underglow.games.labyrinth.hexes import beyond, sockets

Source: TypeAlias = Literal["a trap", "a Golem card", "an event", "an item", "an ability", "a glyph", "every_character"]
"""What an effect is part of, the innermost of all."""

RESERVED = ("centre", "golem", "key", "trap", *(f"key{number}" for number in range(1, 7)))
"""Tokens that no table names: the tile in the middle, the Golem, key tiles, traps that lie face down, and keys."""
CHOSEN: tuple[Source, ...] = ("an item", "an ability")
"""What the active player does in its own turn, and can aim."""
HAPPENS: tuple[Source, ...] = ("a trap", "a Golem card", "an event", "a glyph", "every_character")
"""What happens to a character, which others may then move."""
TURNS: tuple[Source, ...] = ("a Golem card", "an event", "an ability")
"""What only whose turn it is can set off, and the Golem may answer."""

_PLACES: Mapping[str, tuple[Source, ...]] = {
    "shift": HAPPENS,
    "every_character": ("a trap", "a Golem card", "an event", "an item", "an ability", "a glyph"),
    "extra_action": TURNS,
    "golem_walks": TURNS,
    "golem_appears": TURNS,
    "reveal_trap": CHOSEN,
    "turn_tile": CHOSEN,
    "choose_trap": CHOSEN,
    "lay_glyph": CHOSEN,
}
"""What a verb may be part of; one that is missing here makes sense everywhere."""


def findings(document: Document, scenario: str) -> Iterator[Finding]:
    """Yield every one; `scenario` is what the file is called."""
    yield from _names(document)
    yield from _tiles(document)
    yield from _starts(document, scenario)
    yield from _numbers(document)
    yield from _uses(document)
    for loc, effects, source in _programs(document):
        yield from _effects(document, loc, effects, source)
    yield from _overlays(document)


def _twice(named: Iterable[tuple[Loc, Hashable]], sentence: str) -> Iterator[Finding]:
    seen: set[Hashable] = set()
    for loc, name in named:
        if name in seen:
            yield loc, sentence.format(name)
        seen.add(name)


def _names(document: Document) -> Iterator[Finding]:
    # Whatever stands on the board is a token, and a token is named by its id alone: all of them are one namespace.
    pieces = {
        "tiles": ("tile", document.tiles),
        "traps": ("trap", document.traps),
        "items": ("item", document.items),
        "characters": ("character", document.characters),
        "glyphs": ("glyph", document.glyphs),
    }
    taken = set(RESERVED)
    for table, (kind, entries) in pieces.items():
        for i, entry in enumerate(entries):
            if entry.id in taken:
                yield (table, i, "id"), f"{entry.id} is what another piece is called; give the {kind} another id"
            taken.add(entry.id)
    yield from _twice(
        ((("golem", i, "id"), card.id) for i, card in enumerate(document.golem)), "{} is another Golem card"
    )
    yield from _twice(
        ((("events", i, "id"), event.id) for i, event in enumerate(document.events)), "{} is another event"
    )
    for i, character in enumerate(document.characters):
        yield from _twice(
            ((("characters", i, "abilities", j, "id"), ability.id) for j, ability in enumerate(character.abilities)),
            "{} is another ability of this character",
        )


def _tiles(document: Document) -> Iterator[Finding]:
    if len(document.centre) > 1:
        yield ("centre",), f"the centre has exactly one corridor, where the game is won, not {len(document.centre)}"
    special: tuple[tuple[str, Corridors], ...] = (("centre", document.centre), ("key_tile", document.key_tile))
    for table, corridors in special:
        yield from _corridors((table,), corridors)
        for i, corridor in enumerate(corridors):
            if corridor.trap:
                yield (table, i, "trap"), "only tiles of the pile get a trap when they are laid"
            if corridor.item:
                yield (table, i, "item"), "only tiles of the pile get an item when they are laid"
    for i, tile in enumerate(document.tiles):
        yield from _corridors(("tiles", i, "corridors"), tile.corridors)


def _corridors(loc: Loc, corridors: Corridors) -> Iterator[Finding]:
    """What one tile's corridors cannot be: sharing an edge, crossing on one level, or a bridge over nothing."""
    ends = [set(corridor.edges) for corridor in corridors]
    for i, corridor in enumerate(corridors):
        yield from _twice(
            (((*loc, i, "edges", j), edge) for j, edge in enumerate(corridor.edges)),
            "this corridor leads over edge {} already",
        )
        for j, other in enumerate(corridors[:i]):
            over = corridor.bridge != other.bridge
            if shared := sorted(ends[i] & ends[j]):
                yield (*loc, i, "edges"), f"corridor {j} of this tile leads over edge {shared[0]} already"
            elif over != _cross(ends[i], ends[j]):
                yield (*loc, i), _OVER.format(j) if over else _LEVEL.format(j)
    if all(corridor.bridge for corridor in corridors):
        yield (*loc, 0, "bridge"), "a bridge needs a corridor under it: one corridor of this tile is none"


# A jump leads to every corridor on the other level of a tile, so each has to lie over or under each.
_OVER = "does not cross corridor {}, but one of them is a bridge: a bridge crosses all corridors that are none"
_LEVEL = "crosses corridor {} on the same level: one of them must be a bridge"


def _cross(one: set[int], other: set[int]) -> bool:
    """Whether two corridors without a common edge meet: the other one does not fit between two ends of this one."""
    sides = {sum(end < edge for end in one) % len(one) for edge in other}
    return len(sides) > 1


def _starts(document: Document, scenario: str) -> Iterator[Finding]:
    board = sockets(document.radius)
    walls = set(range(6)) - {edge for corridor in document.key_tile for edge in corridor.edges}
    for i, start in enumerate(document.starts):
        if start.id != f"s{i + 1}":
            yield ("starts", i, "id"), f"must be s{i + 1}: starts are numbered in their order"
        if start.beside not in board:
            yield ("starts", i, "beside"), f"{_at(start.beside)} is no socket of a board of radius {document.radius}"
            continue
        if start.beside == (0, 0):
            yield ("starts", i, "beside"), "the centre cannot be a key tile"
        if beyond(start.beside, start.edge) in board:
            yield ("starts", i, "edge"), f"edge {start.edge} of {_at(start.beside)} does not lead out of the board"
        if start.edge in walls:
            yield ("starts", i, "edge"), f"the key tile has a wall at edge {start.edge}, and nobody could leave"
    yield from _twice(
        ((("starts", i, "beside"), _at(start.beside)) for i, start in enumerate(document.starts)),
        "another start space lies beside {} already: each has a key tile of its own",
    )
    yield from _twice(
        ((("starts", i, "edge"), beyond(start.beside, start.edge)) for i, start in enumerate(document.starts)),
        "another start space lies over this edge already, at {}",
    )
    yield from _start_use(document, scenario)


def _at(place: tuple[int, int]) -> str:
    return f"({place[0]}, {place[1]})"


def _start_use(document: Document, scenario: str) -> Iterator[Finding]:
    known = {start.id for start in document.starts}
    numbers: list[int] = []
    for seats, used in document.start_use.items():
        loc: Loc = ("start_use", seats)
        if seats not in ("2", "3", "4", "5", "6"):
            yield loc, 'a key is a number of seats, from "2" to "6"'
            continue
        numbers.append(int(seats))
        for i, start in enumerate(used):
            if start not in known:
                yield (*loc, i), f"there is no start {start}"
        yield from _twice((((*loc, i), start) for i, start in enumerate(used)), "{} is another seat's start")
        if len(used) != int(seats):
            yield loc, f"names {len(used)} starts for {seats} seats"
    if numbers and (gap := set(range(min(numbers), max(numbers) + 1)) - set(numbers)):
        missing = " and ".join(map(str, sorted(gap)))
        yield (
            ("start_use",),
            f"{scenario} is for {min(numbers)} to {max(numbers)} seats: name the starts of {missing} too",
        )
    if numbers and len(document.characters) < max(numbers):
        yield ("characters",), f"{len(document.characters)} characters are too few for {max(numbers)} seats"


def _numbers(document: Document) -> Iterator[Finding]:
    board = sockets(document.radius)
    left = len(board) - 1 - len({start.beside for start in document.starts})
    pile = sum(tile.n for tile in document.tiles)
    if pile > left:
        yield ("tiles",), f"{pile} tiles are too many for the {left} sockets that centre and key tiles leave"
    slots = {
        "traps": sum(tile.n * sum(corridor.trap for corridor in tile.corridors) for tile in document.tiles),
        "items": sum(tile.n * sum(corridor.item for corridor in tile.corridors) for tile in document.tiles),
    }
    tokens = {"traps": sum(trap.n for trap in document.traps), "items": sum(item.n for item in document.items)}
    for table, wanted in slots.items():
        if tokens[table] < wanted:
            yield (table,), f"{tokens[table]} tokens are too few for the {wanted} that the tiles call for"
    for i, trap in enumerate(document.traps):
        if "most" in trap.model_fields_set and trap.rolls != "until_success":
            yield ("traps", i, "most"), 'stands with rolls = "until_success" only: other traps have a number of rolls'


def _uses(document: Document) -> Iterator[Finding]:
    for i, item in enumerate(document.items):
        yield from _item(("items", i), item)
    for i, character in enumerate(document.characters):
        for j, ability in enumerate(character.abilities):
            yield from _ability(("characters", i, "abilities", j), ability)


def _item(loc: Loc, item: Item) -> Iterator[Finding]:
    lends = item.when in ("before_test", "held")
    if lends and item.bonus is None:
        yield loc, f'an item with when = "{item.when}" needs a bonus'
    if lends and item.do:
        yield (*loc, "do"), f'an item with when = "{item.when}" has a bonus and no effects in `do`'
    if not lends and not item.do:
        yield loc, f'an item with when = "{item.when}" needs effects in `do`'
    if not lends and item.bonus is not None:
        yield (*loc, "bonus"), 'a bonus stands with when = "before_test" or "held" only'


def _ability(loc: Loc, ability: Ability) -> Iterator[Finding]:
    bonus: Bonus | None = ability.bonus
    if (bonus is None) != bool(ability.do):
        yield loc, "an ability has either a lasting bonus or effects in `do`"
    elif bonus is not None:
        if ability.cost:
            yield (*loc, "cost"), "a lasting bonus costs no actions"
        if ability.crystal:
            yield (*loc, "crystal"), "a lasting bonus needs no crystal"


def _programs(document: Document) -> Iterator[tuple[Loc, Effects, Source]]:
    """Every list of effects, and what it belongs to."""
    for i, trap in enumerate(document.traps):
        yield ("traps", i, "fail"), trap.fail, "a trap"
    for i, card in enumerate(document.golem):
        yield ("golem", i, "do"), card.do, "a Golem card"
    for i, event in enumerate(document.events):
        yield ("events", i, "do"), event.do, "an event"
    for i, item in enumerate(document.items):
        yield ("items", i, "do"), item.do, "an item"
    for i, character in enumerate(document.characters):
        for j, ability in enumerate(character.abilities):
            yield ("characters", i, "abilities", j, "do"), ability.do, "an ability"
    for i, glyph in enumerate(document.glyphs):
        yield ("glyphs", i, "enter"), glyph.enter, "a glyph"


def _effects(document: Document, loc: Loc, effects: Effects, source: Source) -> Iterator[Finding]:
    for i, effect in enumerate(effects):
        here = (*loc, i)
        places = _PLACES.get(effect.verb)
        if places and source not in places:
            yield (*here, "verb"), f"{effect.verb} makes no sense in {source}: it stands in {_either(places)}"
        match effect:
            case grammar.LayGlyph(glyph=glyph) if glyph not in {known.id for known in document.glyphs}:
                yield (*here, "glyph"), f"there is no glyph {glyph}"
            case grammar.Choose(of=options):
                for j, option in enumerate(options):
                    yield from _effects(document, (*here, "of", j), option, source)
            case grammar.Test(fail=fail):
                yield from _effects(document, (*here, "fail"), fail, source)
            case grammar.EveryCharacter(do=do):
                yield from _effects(document, (*here, "do"), do, "every_character")
            case _:
                pass


def _either(places: tuple[Source, ...]) -> str:
    *others, last = places
    return f"{', '.join(others)} or {last}"


def _overlays(document: Document) -> Iterator[Finding]:
    spaces = [*sockets(document.radius).values(), *(start.id for start in document.starts)]
    for board, overlay in document.overlay.items():
        loc: Loc = ("overlay", board)
        for space in overlay:
            if space not in spaces:
                yield (*loc, space), f"there is no space {space}"
        if missing := [space for space in spaces if space not in overlay]:
            yield loc, f"does not say where {', '.join(missing)} lie{'s' if len(missing) == 1 else ''}"
        yield from _twice((((*loc, space), on) for space, on in overlay.items()), "another space lies on {} already")
