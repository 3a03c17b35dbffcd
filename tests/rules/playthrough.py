"""Whole games as text: every state, choice and view, so that a change of the rules shows as a readable difference.

`python tests/rules/playthrough.py` writes the files anew; look at the difference before you commit it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from arranging import seen
from walking import random_play

from underglow.games import mandalorian
from underglow.games.mandalorian.state import State

FOLDER = Path(__file__).parent / "playthroughs"

# The seed decides the deal and every choice. This game meets keys, gate, grapple, guard, events, crises, and is won.
GAMES = {"cinder-wells-2243.txt": (2243, 2)}

DIGEST = "digest of the scenario"  # in its place, for it changes with every comment in the file
ROWS = (3, 4, 5, 4, 3)


def playthrough(seed: int, seats: int) -> str:
    """A random game from the deal to its outcome."""
    return "\n".join(_lines(seed, seats)) + "\n"


def _lines(seed: int, seats: int) -> Iterator[str]:
    yield f"scenario cinder-wells, seats {seats}, seed {seed}"
    played = list(random_play(seed, seats, 1000))
    for number, (before, action, _, events) in enumerate(played, start=1):
        if not before.used and before.pending is None:
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
    at: dict[str, str] = {}
    for token in public["tokens"]:
        mark = token["name"][:1] if token["kind"] == "character" else "?" if token["face"] == "down" else token["id"]
        at[token["space"]] = at.get(token["space"], "") + mark
    spaces = iter(state.scenario.spaces)
    for cells in ROWS:
        row = "".join(f"{at.get(next(spaces), '.'):<8}" for _ in range(cells))
        yield " " * 4 * (max(ROWS) - cells) + row.rstrip()
    up = [f"{t['id']} {t['name']}" for t in public["tokens"] if t["face"] == "up" and t["kind"] != "character"]
    yield f"face up: {', '.join(up) or 'none'}"
    yield "zones: " + ", ".join(
        f"{z['name']} {z['sum']} = {z['strengths']} + {z['disruption']}" for z in public["zones"]
    )
    yield "doors: " + ", ".join(f"{door['name']} {'open' if door['open'] else 'shut'}" for door in public["doors"])
    for entry in public["seats"]:
        own = seen(state, entry["seat"])["seats"]
        hand = next(other["hand"] for other in own if other["character"] == entry["character"])
        yield (
            f"seat {entry['seat']}: {entry['name']}, damage {entry['damage']} of {entry['health']},"
            f" deck {entry['deck']}, discards {len(entry['discard'])}, sees in hand"
            f" {' '.join(card['name'] or str(card['strength']) for card in hand)}"
        )
    yield f"lamps: {json.dumps({lamp: f'{c.meaning} {c.level}' for lamp, c in mandalorian.cues(state, ()).items()})}"


if __name__ == "__main__":
    for name, (seed, seats) in GAMES.items():
        (FOLDER / name).write_text(playthrough(seed, seats))
