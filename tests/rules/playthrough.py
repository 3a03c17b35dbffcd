"""Whole games as text: every state, choice and view, so that a change of the rules shows as a readable difference.

`python tests/rules/playthrough.py` writes the files anew; look at the difference before you commit it. When and
how a position is drawn is each game's own: `drawing_GAME.py` has `begins(state)` and `position(state)`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arranging import cinder_wells, salt_harbour

from underglow import games
from underglow.games.contract import Action, Event
from underglow.rng import Rng

FOLDER = Path(__file__).parent / "playthroughs"
DIGEST = "digest of the scenario"  # in its place, for it changes with every comment in the file


@dataclass(frozen=True)
class Playthrough:
    """A game at random; the seed decides the deal and every choice. `steps`: how many at most."""

    game: str
    scenario: Any
    seed: int
    seats: int
    steps: int = 3000

    @property
    def file(self) -> str:
        return f"{self.scenario.id}-{self.seed}.txt"

    def text(self) -> str:
        """The game from the deal to its outcome."""
        return "\n".join(self._lines()) + "\n"

    def walk(self) -> Iterator[tuple[Any, Action, Any, tuple[Event, ...]]]:
        """Each step: state, action, the state after it, events."""
        game = games.load(self.game)
        state, choices = game.setup(self.scenario, self.seats, Rng(self.seed)), Rng(self.seed)
        for _ in range(self.steps):
            if not (legal := game.legal(state)):
                return
            chosen, choices = choices.below(len(legal))
            after, events = game.step(state, legal[chosen])
            yield state, legal[chosen], after, events
            state = after

    def _lines(self) -> Iterator[str]:
        game, drawing = games.load(self.game), importlib.import_module(f"drawing_{self.game}")
        yield f"scenario {self.scenario.id}, seats {self.seats}, seed {self.seed}"
        turn, steps = -1, list(self.walk())
        for number, (before, action, _, events) in enumerate(steps, start=1):
            if before.turn > turn and drawing.begins(before):
                turn = before.turn
                yield from self._position(before)
            yield ""
            yield f"{number}. {game.prompt(before, ())}"
            yield f"   may: {' | '.join(game.describe(before, choice) for choice in game.legal(before))}"
            yield f"   does: {game.describe(before, action)}"
            for event in events:
                marks = "".join(
                    mark for mark, given in ((" (chance)", event.chance), (" (reveals)", event.reveals)) if given
                )
                yield f"   {event.kind} {' '.join(map(str, event.args))}{marks}".rstrip()
        last = steps[-1][2]
        yield from self._position(last)
        yield f"outcome: {game.outcome(last)}"

    def _position(self, state: Any) -> Iterator[str]:
        yield ""
        yield f"== turn {state.turn + 1} " + "=" * 60
        yield state.to_json().replace(self.scenario.digest, DIGEST)
        yield from importlib.import_module(f"drawing_{self.game}").position(state)


# Between them those of a game meet every kind of choice, event and end.
PLAYTHROUGHS = {
    played.file: played
    for played in (
        *(
            Playthrough("mandalorian", scenario, seed, seats)
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
        ),
    )
}


if __name__ == "__main__":
    for name, played in PLAYTHROUGHS.items():
        (FOLDER / name).write_text(played.text())
