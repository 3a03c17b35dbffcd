"""Actions that hands on the board carry out. Each is made once: the same few thousand come up all the time."""

from __future__ import annotations

from functools import lru_cache

from underglow.games.contract import Action, Transfer
from underglow.games.labyrinth.scenario import LANES, NONE, Scenario


@lru_cache(maxsize=1 << 14)
def carry(scenario: Scenario, seat: int, verb: str, token: str, source: int, target: int) -> Action:
    """Carry a token from corridor to corridor; the arguments are the one it comes to."""
    there = scenario.spaces[target // LANES]
    return Action(seat, verb, (there, target % LANES), (Transfer(token, scenario.spaces[source // LANES], there),))


@lru_cache(maxsize=1 << 14)
def laying(scenario: Scenario, seat: int, verb: str, token: str, target: int) -> Action:
    """Lay a token from off the board on a corridor."""
    there = scenario.spaces[target // LANES]
    return Action(seat, verb, (there, target % LANES), (Transfer(token, None, there),))


@lru_cache(maxsize=1 << 14)
def laying_tile(scenario: Scenario, seat: int, kind: int, hex_: int) -> Action:
    """Lay a tile in a socket."""
    space = scenario.spaces[hex_]
    return Action(seat, "lay", (space,), (Transfer(scenario.tiles[kind].id, None, space),))


@lru_cache(maxsize=1 << 14)
def facing(scenario: Scenario, seat: int, kind: int, hex_: int, was: int, turned: int) -> Action:
    """Lay the heads of a tile that was just laid (`was` is NONE), or turn it and them with it."""
    head, new = scenario.tiles[kind].head, heads_at(scenario, hex_, kind, turned)
    old = (None,) * len(new) if was == NONE else heads_at(scenario, hex_, kind, was)
    hands = tuple(Transfer(head, source, target) for source, target in zip(old, new, strict=True))
    return Action(seat, "face", (scenario.spaces[hex_], turned), hands)


@lru_cache(maxsize=1 << 12)
def picking(scenario: Scenario, seat: int, token: str, place: int, left: str) -> Action:
    """Take a token from a corridor, and leave another there instead unless that is ""."""
    here = scenario.spaces[place // LANES]
    taken = Transfer(token, here, None)
    if not left:
        return Action(seat, "pick", (token,), (taken,))
    return Action(seat, "swap", (token, left), (taken, Transfer(left, None, here)))


def heads_at(scenario: Scenario, hex_: int, kind: int, turned: int) -> tuple[str, ...]:
    """Where the heads of a tile lie that is turned so: at edges of its space."""
    return tuple(f"{scenario.spaces[hex_]}.e{edge}" for edge in scenario.tiles[kind].shapes[turned].heads)
