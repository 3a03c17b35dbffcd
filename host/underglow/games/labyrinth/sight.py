"""What may be seen: tokens and where they stand. An allow-list; the view of a seat is in `views`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from underglow.games.contract import Token
from underglow.games.labyrinth.building import Face
from underglow.games.labyrinth.golem import GOLEM
from underglow.games.labyrinth.hands import heads_at
from underglow.games.labyrinth.hurting import key_token
from underglow.games.labyrinth.maze import TURNS
from underglow.games.labyrinth.phrases import leading, the
from underglow.games.labyrinth.scenario import LANES, NONE, Scenario
from underglow.games.labyrinth.state import State
from underglow.games.labyrinth.traps import HIDDEN
from underglow.languages import Text, say


def tokens(state: State) -> Mapping[str, Token]:
    """Every token of the box, and the characters in play; equal ones are one token."""
    return _tokens(state.scenario, tuple([player.character for player in state.players]))


@lru_cache(maxsize=1 << 8)
def _tokens(scenario: Scenario, playing: tuple[int, ...]) -> Mapping[str, Token]:
    known = {
        scenario.characters[who].id: Token("character", scenario.characters[who].name) for who in playing if who != NONE
    }
    known[GOLEM] = Token("golem", say("Golem"))
    known |= {
        key_token(number): Token("key", say("key of {space}", space=scenario.spaces[scenario.sockets + number]))
        for number in range(len(scenario.key_hexes))
    }
    known |= {item.id: Token("item", item.name) for item in scenario.items}
    known[HIDDEN] = Token("trap", say("face-down trap"))
    known |= {trap.id: Token("trap", trap.name) for trap in scenario.traps}
    known |= {glyph.id: Token("glyph", glyph.name) for glyph in scenario.glyphs}
    for tile in scenario.tiles:
        known[tile.id] = Token("tile", tile.name)
        if tile.turns > 1:
            known[tile.head] = Token("head", say("head of {tile}", tile=tile.name))
    return MappingProxyType(known)


def layout(state: State) -> Mapping[str, tuple[str, ...]]:
    """What should stand where: spaces to token ids, characters first, and edges of spaces to heads of tiles."""
    standing: dict[str, tuple[str, ...]] = {}
    for token, space, _ in places(state):
        standing[space] = (*standing.get(space, ()), token)
    return standing


def places(state: State) -> Iterator[tuple[str, str, int]]:
    """Each token that stands somewhere, its space or edge, and its corridor there; NONE: it is a tile, or its head."""
    scenario = state.scenario
    spaces = scenario.spaces
    for player in state.players:
        if player.character != NONE:
            yield scenario.characters[player.character].id, spaces[player.place // LANES], player.place % LANES
    yield GOLEM, spaces[state.golem // LANES], state.golem % LANES
    for number, place in enumerate(state.keys):
        if place >= 0:
            yield key_token(number), spaces[place // LANES], place % LANES
    for lying in state.lying:
        yield scenario.items[lying.item].id, spaces[lying.place // LANES], lying.place % LANES
    for trap in state.traps:
        token = scenario.traps[trap.kind].id if trap.up else HIDDEN
        yield token, spaces[trap.place // LANES], trap.place % LANES
    for glyph in state.glyphs:
        yield scenario.glyphs[glyph.kind].id, spaces[glyph.place // LANES], glyph.place % LANES
    for hex_, tile in enumerate(state.maze.laid):
        if tile != NONE:
            kind, turned = divmod(tile, TURNS)
            yield scenario.tiles[kind].id, spaces[hex_], NONE
            for edge in heads_at(scenario, hex_, kind, turned):
                yield scenario.tiles[kind].head, edge, NONE
    task = state.agenda[-1] if state.agenda else None
    if isinstance(task, Face) and task.was == NONE:
        yield scenario.tiles[task.kind].id, spaces[task.hex_], NONE


def token_name(state: State, token: str | int) -> Text:
    """What everybody calls a token, also a character's that is no longer in play."""
    known = tokens(state).get(str(token))
    if known:
        return known.name
    return next((other.name for other in state.scenario.characters if other.id == token), Text(str(token)))


def the_token(state: State, token: str | int) -> Text:
    """The same in the middle of a sentence."""
    return the(token_name(state, token))


def corridor_name(state: State, place: int) -> Text | str:
    """What everybody calls a corridor: its space, and where it leads if the tile has several."""
    space = state.scenario.spaces[place // LANES]
    if len(state.maze.places(place // LANES)) < 2:
        return space
    return say("{space} ({way})", space=space, way=leading(state.maze.edges(place)))
