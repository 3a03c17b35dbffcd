"""Whole games as text: every state, choice and view, so that a change of the rules shows as a readable difference.

`python tests/rules/playthrough.py` writes the files anew; look at the difference before you commit it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arranging import cinder_wells, salt_harbour, seen
from walking import random_play

from underglow.games import mandalorian
from underglow.games.mandalorian.action import ActionPhase
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import State

FOLDER = Path(__file__).parent / "playthroughs"

# The seed decides the deal and every choice. Between them these meet every kind of choice, event and end.
GAMES: dict[str, tuple[Scenario, int, int]] = {
    f"{scenario.id}-{seed}.txt": (scenario, seed, seats)
    for scenario, seed, seats in (
        (cinder_wells(), 13558, 2),  # the keys are found, the gate opens, and the core is reached
        (cinder_wells(), 4314, 2),  # a defeat
        (cinder_wells(), 3490, 2),  # too late
        (cinder_wells(), 3250, 2),  # the stack of reinforcements is empty
        (salt_harbour(), 10043, 2),  # the child is captured
        (salt_harbour(), 4395, 2),  # it flees; enemies are disrupted
        (salt_harbour(), 711, 4),  # it is dropped and rescued
        (salt_harbour(), 2923, 2),  # a power cell is delivered, and the events begin anew
        (salt_harbour(), 2471, 4),  # an accusation
        (salt_harbour(), 3187, 2),  # the tide is out
    )
}

DIGEST = "digest of the scenario"  # in its place, for it changes with every comment in the file


def playthrough(scenario: Scenario, seed: int, seats: int) -> str:
    """A random game from the deal to its outcome."""
    return "\n".join(_lines(scenario, seed, seats)) + "\n"


def _lines(scenario: Scenario, seed: int, seats: int) -> Iterator[str]:
    yield f"scenario {scenario.id}, seats {seats}, seed {seed}"
    turn, played = -1, list(random_play(scenario, seed, seats, 3000))
    for number, (before, action, _, events) in enumerate(played, start=1):
        if before.turn > turn and isinstance(before.agenda[-1], ActionPhase):
            turn = before.turn
            yield from _position(before)
        yield ""
        yield f"{number}. {mandalorian.prompt(before, ())}"
        yield f"   may: {' | '.join(mandalorian.describe(before, choice) for choice in mandalorian.legal(before))}"
        yield f"   does: {mandalorian.describe(before, action)}"
        for event in events:
            marks = "".join(
                mark for mark, given in ((" (chance)", event.chance), (" (reveals)", event.reveals)) if given
            )
            yield f"   {event.kind} {' '.join(map(str, event.args))}{marks}".rstrip()
    last = played[-1][2]
    yield from _position(last)
    yield f"outcome: {mandalorian.outcome(last)}"


def _position(state: State) -> Iterator[str]:
    """The state whole, what the public sees of it, and each seat's hand."""
    yield ""
    yield f"== turn {state.turn + 1} " + "=" * 60
    yield state.to_json().replace(state.scenario.digest, DIGEST)
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


if __name__ == "__main__":
    for name, game in GAMES.items():
        (FOLDER / name).write_text(playthrough(*game))
