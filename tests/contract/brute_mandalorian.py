"""Plays and moves of The Mandalorian: Adventures by brute force: from the scenario's file and a seat's view alone.

Every path is walked, step by step; nothing is shared with the rules under test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from underglow.games.contract import Action

Choice = tuple[str, ...]

ACTIONS = 2  # M-ACT-1


def meaning(action: Action) -> Choice | None:
    """What an action comes to: a move is its end, whichever way it goes. None: not covered here."""
    match action.verb:
        case "play":
            return ("play", *map(str, action.args[:2]))
        case "move":
            return ("move", str(action.args[-1]))
        case _:
            return None


def choices(scenario: Mapping[str, Any], view: Mapping[str, Any]) -> set[Choice] | None:
    """Every play and move of the seat whose view this is, on its turn. None: it is another kind of choice now."""
    if view["pending"] is None:
        return set(_plays(view))
    if view["steps"]:
        return set(_moves(scenario, view))
    return None


def _plays(view: Mapping[str, Any]) -> Iterator[Choice]:
    """Any card of the hand on any zone that got none this turn (M-ACT-2, 3)."""
    free = [zone["id"] for zone in view["zones"] if not zone["used"]]
    if len(view["zones"]) - len(free) == ACTIONS:
        return
    for row in view["seats"]:
        if row["character"] == view["character"]:
            for card in row.get("hand", ()):
                for zone in free:
                    yield "play", zone, str(card["strength"])


def _moves(scenario: Mapping[str, Any], view: Mapping[str, Any]) -> Iterator[Choice]:
    """Every other space at the end of a path of legal steps (M-MOVE-1 … 4)."""
    at = {token["id"]: token["space"] for token in view["tokens"]}
    stops = {token["space"] for token in view["tokens"] if token["face"] == "down" or token["kind"] == "enemy"}
    start = at[view["character"]]
    shut = {frozenset(wall) for wall in scenario.get("walls", ())}
    shut |= {frozenset(door["edge"]) for door in view["doors"] if not door["open"]}
    ways = [(start,)]
    for _ in range(view["steps"]):
        ways = [
            (*way, space["id"])
            for way in ways
            for space in scenario["spaces"]
            if (way[-1] not in stops or len(way) == 1) and _step(scenario, shut, way[-1], space["id"])
        ]
        yield from (("move", way[-1]) for way in ways if way[-1] != start)


def _step(scenario: Mapping[str, Any], shut: set[frozenset[str]], one: str, other: str) -> bool:
    """Whether two hexes share an edge that nothing blocks."""
    places = {space["id"]: (space["q"], space["r"]) for space in scenario["spaces"]}
    q, r = (a - b for a, b in zip(places[one], places[other], strict=True))
    return (q, r) in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)) and frozenset((one, other)) not in shut
