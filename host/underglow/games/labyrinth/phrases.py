"""Parts of sentences that prompts, buttons, the log and refusals share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from underglow.games.labyrinth.scenario import NONE, UNTIL_SUCCESS, Effect, Scenario, Tile, Trap
from underglow.games.labyrinth.state import State
from underglow.languages import Text, counted, listed, say

COMPASS = (say("E"), say("SE"), say("SW"), say("W"), say("NW"), say("NE"))
"""What edge 0 to 5 are called."""


def who(state: State, seat: int) -> Text:
    """A seat's character, as it is called; its number before it has one."""
    character = state.players[seat].character
    return the(state.scenario.characters[character].name) if character != NONE else say("seat {n}", n=seat + 1)


def the(name: Text) -> Text:
    """Somebody or something by name, in the middle of a sentence."""
    return say("the {name}", name=name)


def every(names: Sequence[Text]) -> Text:
    """Names in a row: "a, b and c"."""
    return listed(names, "{others:*} and {last:*}")


def lives(n: int) -> Text:
    """So many lives."""
    return counted("{n} life", "{n} lives", n)


def actions(n: int) -> Text:
    """So many actions."""
    return counted("{n} action", "{n} actions", n)


def steps(n: int) -> Text:
    """So many steps."""
    return counted("{n} step", "{n} steps", n)


def rolls(n: int) -> Text:
    """So many rolls of the dice."""
    return counted("{n} roll", "{n} rolls", n)


def daze_tokens(n: int) -> Text:
    """So many daze tokens."""
    return counted("{n} daze token", "{n} daze tokens", n)


def tokens(n: int) -> Text:
    """So many tokens, where it is clear which."""
    return counted("{n} token", "{n} tokens", n)


def traps(n: int) -> Text:
    """So many traps."""
    return counted("{n} trap", "{n} traps", n)


def leading(edges: tuple[int, ...]) -> Text:
    """Where a corridor leads, by compass."""
    ways = {f"edge{at}": COMPASS[edge] for at, edge in enumerate(edges)}
    return Text("–".join(f"{{{way}}}" for way in ways), ways)  # noqa: RUF001 - a way between


def lying(tile: Tile, turned: int) -> Text:
    """How a tile lies that is turned so: where its corridors lead, and which of several is marked for a token."""
    shape = tile.shapes[turned]
    if len(shape.edges) == 1:
        return say("its corridor leads {way}", way=leading(shape.edges[0]))
    ways = [_marked(tile, lane, leading(edges)) for lane, edges in enumerate(shape.edges)]
    high = [way for way, bridge in zip(ways, shape.bridges, strict=True) if bridge]
    low = [way for way, bridge in zip(ways, shape.bridges, strict=True) if not bridge]
    if not high:
        return say("its corridors lead {ways}", ways=every(low))
    if len(low) > 1:
        return say("its bridge leads {high}, and the corridors under it {low}", high=every(high), low=every(low))
    return say("its bridge leads {high}, and the corridor under it {low}", high=every(high), low=every(low))


def _marked(tile: Tile, lane: int, way: Text) -> Text:
    """The way of a corridor, and the tokens that it gets when the tile is laid."""
    match lane in tile.traps, lane in tile.items:
        case True, True:
            return say("{way} (trap and item)", way=way)
        case True, False:
            return say("{way} (trap)", way=way)
        case False, True:
            return say("{way} (item)", way=way)
        case _:
            return way


def effects(scenario: Scenario, program: int) -> Text:
    """What a list of effects does to whom it befalls, in the imperative."""
    if program == NONE:
        return say("nothing at all")
    return every([_effect(scenario, effect) for effect in scenario.programs[program]])


def danger(scenario: Scenario, trap: Trap) -> Text:
    """What a trap asks for, and what it does to who fails."""
    need, fail = trap.need, effects(scenario, trap.program)
    if trap.rolls == UNTIL_SUCCESS:
        return say(
            "up to {rolls} until one is {need} or more, and for each other {fail}",
            rolls=rolls(trap.most),
            need=need,
            fail=fail,
        )
    if trap.rolls > 1:
        return say("{rolls}, each {need} or more, or else {fail}", rolls=rolls(trap.rolls), need=need, fail=fail)
    return say("{need} or more, or else {fail}", need=need, fail=fail)


def _effect(scenario: Scenario, effect: Effect) -> Text:
    n, where, inner = effect.n, effect.where, [effects(scenario, program) for program in effect.programs]
    match effect.verb:
        case "lose_life":
            return say("lose {lives}", lives=lives(n))
        case "gain_life":
            return say("get {lives} back", lives=lives(n))
        case "daze":
            return say("take {tokens}", tokens=daze_tokens(n))
        case "refresh":
            return say("lose {tokens}", tokens=daze_tokens(n))
        case "crystal" if where == "active":
            return say("have the crystal light up")
        case "crystal":
            return say("have the crystal go dark")
        case "shift" if where == "adjacent_tile":
            return say("be moved next door through any wall")
        case "shift":
            return say("be moved next door")
        case "choose":
            return listed(inner, "{others:*} or {last:*}")
        case "test":
            return say("roll {need} or more or else {fail}", need=n, fail=inner[0])
        case "every_character":
            return say("all {do}", do=inner[0])
        case "extra_action":
            return say("have {actions} more", actions=actions(n))
        case "reveal_trap" if where == "anywhere":
            return say("turn up a face-down trap anywhere")
        case "reveal_trap":
            return say("turn up a face-down trap next door")
        case "choose_trap":
            return say("look at {traps} and lay one", traps=traps(n))
        case "lay_glyph":
            return say("lay {glyph}", glyph=scenario.glyphs[effect.number].name)
        case "golem_walks":
            return say("have the Golem walk {steps}", steps=steps(n))
        case verb:
            return _PLAIN[verb]


_PLAIN: Mapping[str, Text] = MappingProxyType(
    {
        "box_item": say("give up an item"),
        "turn_tile": say("turn an empty tile"),
        "swap_character": say("become another character"),
        "golem_appears": say("put the Golem elsewhere"),
    }
)
