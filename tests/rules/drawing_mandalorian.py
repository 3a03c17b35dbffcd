"""A position of The Mandalorian: Adventures as lines of a playthrough."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from arranging import seen

from underglow.games import mandalorian
from underglow.games.mandalorian.action import ActionPhase
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import State


def begins(state: State) -> bool:
    """Whether a turn begins here."""
    return isinstance(state.agenda[-1], ActionPhase)


def position(state: State) -> Iterator[str]:
    """What the public sees of a state, and each seat's hand."""
    public = seen(state)
    yield from _map(state.scenario, public["tokens"])
    up = [f"{t['id']} {t['name']}" for t in public["tokens"] if t["face"] == "up" and t["id"][1:].isdecimal()]
    yield f"face up: {', '.join(up) or 'none'}"
    yield "zones: " + ", ".join(
        f"{z['name']} {z['sum']} = {z['strengths']} + {z['disruption']}" for z in public["zones"]
    )
    yield "doors: " + ", ".join(f"{door['name']} {'open' if door['open'] else 'shut'}" for door in public["doors"])
    yield "tracks: " + ", ".join(f"{track['name']} {track['value']} of {track['most']}" for track in public["tracks"])
    yield f"events: {public['events']}"
    for row in public["seats"]:
        own = seen(state, row["seat"])["seats"]
        hand = next(other["hand"] for other in own if other["character"] == row["character"])
        yield (
            f"seat {row['seat']}: {row['name']}, damage {row['damage']} of {row['health']},"
            f" deck {row['deck']}, discards {len(row['discard'])}, keeps {[plan['name'] for plan in row['planning']]},"
            f" sees in hand {' '.join(card['name'] or str(card['strength']) for card in hand)}"
        )
    yield f"lamps: {json.dumps({lamp: f'{c.meaning} {c.level}' for lamp, c in mandalorian.cues(state, ()).items()})}"


def _map(scenario: Scenario, tokens: list[dict[str, Any]]) -> Iterator[str]:
    """A row of hexes for each letter: the initials of characters, ? for what lies face down, the ids of the rest."""
    at: dict[str, str] = defaultdict(str)
    for token in tokens:
        mark = token["name"][:1] if token["kind"] == "character" else "?" if token["face"] == "down" else token["id"]
        at[token["space"]] += mark
    rows: dict[str, dict[int, str]] = defaultdict(dict)
    for space in scenario.spaces:
        rows[space[0]][int(space[1:])] = at[space] or "."
    widest = max(max(row) for row in rows.values())
    for row in rows.values():
        cells = "".join(f"{row.get(column, ''):<8}" for column in range(1, max(row) + 1))
        yield " " * 4 * (widest - max(row)) + cells.rstrip()
