"""Parts of sentences that prompts, buttons, the log and refusals share."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from underglow.games.labyrinth.hexes import COMPASS
from underglow.games.labyrinth.scenario import NONE, UNTIL_SUCCESS, Effect, Scenario, Tile, Trap
from underglow.games.labyrinth.state import State


def counted(number: int, thing: str) -> str:
    """So many of a thing: "1 life", "2 lives", "no items"."""
    many = "lives" if thing == "life" else f"{thing}s"
    return f"{number or 'no'} {thing if number == 1 else many}"


def who(state: State, seat: int) -> str:
    """A seat's character, as it is called; its number before it has one."""
    character = state.players[seat].character
    return f"the {state.scenario.characters[character].name}" if character != NONE else f"seat {seat + 1}"


def sentence(words: str) -> str:
    """The words with a capital letter."""
    return words[:1].upper() + words[1:]


def listed(names: list[str], last: str = "and") -> str:
    """Names in a row: "a, b and c"."""
    *others, end = names
    return f"{', '.join(others)} {last} {end}" if others else end


def leading(edges: tuple[int, ...]) -> str:
    """Where a corridor leads, by compass."""
    return "–".join(COMPASS[edge] for edge in edges)  # noqa: RUF001 - a way between


def lying(tile: Tile, turned: int) -> str:
    """How a tile lies that is turned so: where its corridors lead, and which of several is marked for a token."""
    shape = tile.shapes[turned]
    ways = [leading(edges) + _marked(tile, lane) for lane, edges in enumerate(shape.edges)]
    if len(ways) == 1:
        return f"its corridor leads {leading(shape.edges[0])}"
    high = [way for way, bridge in zip(ways, shape.bridges, strict=True) if bridge]
    low = [way for way, bridge in zip(ways, shape.bridges, strict=True) if not bridge]
    if not high:
        return f"its corridors lead {listed(low)}"
    return f"its bridge leads {listed(high)}, and the corridor{'s' if len(low) > 1 else ''} under it {listed(low)}"


def _marked(tile: Tile, lane: int) -> str:
    """The tokens that a corridor of a tile gets when it is laid."""
    marks = ["trap"] * (lane in tile.traps) + ["item"] * (lane in tile.items)
    return f" ({' and '.join(marks)})" if marks else ""


def effects(scenario: Scenario, program: int) -> str:
    """What a list of effects does to whom it befalls, in the imperative."""
    if program == NONE:
        return "nothing at all"
    return listed([_effect(scenario, effect) for effect in scenario.programs[program]])


def danger(scenario: Scenario, trap: Trap) -> str:
    """What a trap asks for, and what it does to who fails."""
    fail = effects(scenario, trap.program)
    if trap.rolls == UNTIL_SUCCESS:
        return f"up to {counted(trap.most, 'roll')} until one is {trap.need} or more, and for each other {fail}"
    each = f"{counted(trap.rolls, 'roll')}, each " if trap.rolls > 1 else ""
    return f"{each}{trap.need} or more, or else {fail}"


def _effect(scenario: Scenario, effect: Effect) -> str:
    inner = [effects(scenario, program) for program in effect.programs]
    match effect.verb:
        case "lose_life":
            return f"lose {counted(effect.n, 'life')}"
        case "gain_life":
            return f"get {counted(effect.n, 'life')} back"
        case "daze":
            return f"take {counted(effect.n, 'daze token')}"
        case "refresh":
            return f"lose {counted(effect.n, 'daze token')}"
        case "crystal":
            return f"have the crystal {'light up' if effect.where == 'active' else 'go dark'}"
        case "shift":
            return "be moved next door" + (" through any wall" if effect.where == "adjacent_tile" else "")
        case "choose":
            return listed(inner, "or")
        case "test":
            return f"roll {effect.n} or more or else {inner[0]}"
        case "every_character":
            return f"all {inner[0]}"
        case "extra_action":
            return f"have {counted(effect.n, 'action')} more"
        case "reveal_trap":
            return f"turn up a face-down trap {'anywhere' if effect.where == 'anywhere' else 'next door'}"
        case "choose_trap":
            return f"look at {counted(effect.n, 'trap')} and lay one"
        case "lay_glyph":
            return f"lay {scenario.glyphs[effect.number].name}"
        case "golem_walks":
            return f"have the Golem walk {counted(effect.n, 'step')}"
        case verb:
            return _PLAIN[verb]


_PLAIN: Mapping[str, str] = MappingProxyType(
    {
        "box_item": "give up an item",
        "turn_tile": "turn an empty tile",
        "swap_character": "become another character",
        "golem_appears": "put the Golem elsewhere",
    }
)
