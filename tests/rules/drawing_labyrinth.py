"""A position of Labyrinth as lines of a playthrough."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, cast

from underglow.games import labyrinth
from underglow.games.labyrinth.state import State
from underglow.games.labyrinth.turn import Turn

MARKS = {"golem": "G", "key": "k", "item": "i", "glyph": "*"}


def begins(state: State) -> bool:
    """Whether a round of turns begins here: each turn would make the files twice as long."""
    return isinstance(state.agenda[-1], Turn) and state.turn % state.seats == 0


def position(state: State) -> Iterator[str]:
    """What the public sees of a state, and what each seat alone does."""
    public = cast("dict[str, Any]", labyrinth.view(state, None))
    yield from _map(state, public)
    yield f"on corridors: {_named(public, 'golem', 'key', 'item', 'trap', 'glyph') or 'nothing'}"
    yield f"tiles {public['pile']}, traps {public['pool']}, items {public['stock']}, round {public['round']}"
    yield f"golem cards: {public['golem_deck']}"
    yield f"events: {public['event_deck']}, in force: {public['event']}"
    for row in public["seats"]:
        own = cast("dict[str, Any]", labyrinth.view(state, row["seat"]))
        hand = next(other["hand"] for other in own["seats"] if other["seat"] == row["seat"])
        tokens = ", ".join(token["id"] for token in (*row["keys"], *row["items"]))
        yield (
            f"seat {row['seat']}: {row['name']} of {row['start']}, damage {row['damage']} of {row['health']},"
            f" daze {row['daze']}, crystal {'active' if row['crystal'] else 'inactive'}, has {tokens or 'nothing'},"
            f" looks at {[trap['id'] for trap in hand]}, knows {own['peeks']}"
        )
    lamps: dict[str, list[str]] = defaultdict(list)
    for lamp, cue in labyrinth.cues(state, ()).items():
        lamps[f"{cue.meaning} {cue.level}"].append(lamp)
    yield "lamps: " + ", ".join(f"{cue} {' '.join(lit)}" for cue, lit in lamps.items())


def _named(public: dict[str, Any], *kinds: str) -> str:
    there = [token for token in public["tokens"] if token["kind"] in kinds and token["space"]]
    return ", ".join(f"{token['id']} {token['space']}.{token.get('corridor', 0)}" for token in there)


def _map(state: State, public: dict[str, Any]) -> Iterator[str]:
    """A row of hexes for each letter: four letters of each tile and how it is turned, and marks of what is on it.

    The initials of characters, G the Golem, k a key, i an item, * an ability token, ? a trap face down and ! one that
    is up.
    """
    at: dict[str, str] = defaultdict(str)
    for tile in public["maze"]:
        at[tile["space"]] = f"{tile['tile'][:4]}{tile['turned']}"
    for token in public["tokens"]:
        if token["kind"] == "character":
            at[token["space"]] += token["name"][:1]
        elif token["kind"] == "trap":
            at[token["space"]] += "?" if token["face"] == "down" else "!"
        else:
            at[token["space"]] += MARKS.get(token["kind"], "")
    spaces = state.scenario.spaces
    rows: dict[str, dict[int, str]] = defaultdict(dict)
    for space in spaces:
        rows[space[0]][int(space[1:])] = at[space] or "."
    starts = rows.pop("s")
    widest = max(max(row) for row in rows.values())
    for row in rows.values():
        cells = "".join(f"{row.get(column, ''):<12}" for column in range(1, max(row) + 1))
        yield " " * 6 * (widest - max(row)) + cells.rstrip()
    home = [f"s{number} {there}" for number, there in starts.items() if there != "."]
    yield f"starts: {', '.join(home) or 'empty'}"
