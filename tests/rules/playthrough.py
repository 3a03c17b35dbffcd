"""Whole games as text: every state, choice and view, so that a change of the rules shows as a readable difference.

`python tests/rules/playthrough.py` writes the files anew; look at the difference before you commit it. When and
how a position is drawn is each game's own: `drawing_GAME.py` has `begins(state)` and `position(state)`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import mazes
from arranging import cinder_wells, salt_harbour

from underglow import games
from underglow.games.contract import Action, Event
from underglow.games.labyrinth.scenario import Scenario
from underglow.games.labyrinth.state import State as LabyrinthState
from underglow.rng import Rng

FOLDER = Path(__file__).parent / "playthroughs"
DIGEST = "digest of the scenario"  # in its place, for it changes with every comment in the file


@dataclass(frozen=True)
class Playthrough:
    """A game at random; the seed decides the deal and every choice. `steps`: how many at most.

    `by_verb`: each verb that is offered is as likely, so that what has few choices is not seldom done. `begin`: a
    position to go on from instead of the deal.
    """

    game: str
    scenario: Any
    seed: int
    seats: int
    steps: int = 3000
    by_verb: bool = False
    begin: Any = None

    @property
    def file(self) -> str:
        return f"{self.scenario.id}-{self.seed}.txt"

    def text(self) -> str:
        """The game, to its outcome or the last step."""
        return "\n".join(self._lines()) + "\n"

    def walk(self) -> Iterator[tuple[Any, Action, Any, tuple[Event, ...]]]:
        """Each step: state, action, the state after it, events."""
        game = games.load(self.game)
        state, choices = game.setup(self.scenario, self.seats, Rng(self.seed)), Rng(self.seed)
        if self.begin:
            state = replace(self.begin, rng=Rng(self.seed))
        for _ in range(self.steps):
            if not (legal := game.legal(state)):
                return
            if self.by_verb:
                verbs = list(dict.fromkeys(action.verb for action in legal))
                chosen, choices = choices.below(len(verbs))
                legal = tuple(action for action in legal if action.verb == verbs[chosen])
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


BY_HAND = mazes.switched(dice="typed", tiles="drawn", build_may_refuse=True, free_rotation=False)
THREE = ("snarer", "warden", "mason")
SIX = (*THREE, "lampwright", "courier", "rigger")


def crowd(scenario: Scenario, *characters: str) -> LabyrinthState:
    """Labyrinth in the thick of it: characters close together, hurt and laden, with traps and items around."""
    places = ("d5.0", "d5.0", "d3.1", "c3.0", "e4.0", "d3.1")
    hands = (
        ("key4", "key5", "rope"),
        ("salts", "probe"),
        ("key1", "buckler"),
        ("rope", "poultice"),
        ("key2",),
        ("salts", "rope"),
    )
    return mazes.arrange(
        scenario,
        at=dict(zip(characters, places, strict=False)),
        holds=dict(zip(characters, hands, strict=False)),
        lives=dict(zip(characters, (1, 2, 1, 2, 1, 2), strict=False)),
        tiles={
            "d5": "underpass",
            "d6": "gallery",
            "d3": "catwalk",
            "d2": "twin_bends",
            "c3": ("fork", 1),
            "c4": ("bend", 2),
            "e3": ("fork", 1),
            "e4": ("gallery", 1),
            "e5": "fork",
            "b3": "three_corners",
        },
        traps={
            "d5.1": "? arrows",
            "d6.0": "? axes",
            "d2.0": "? vortex",
            "c3.0": "clubs",
            "c4.0": "? circle",
            "e3.0": "? treadwheel",
            "e5.0": "? hammers",
        },
        items={"d5.0": "buckler", "d3.0": "probe", "d3.1": "poultice", "c3.0": "salts", "e4.0": "probe"},
        golem="d4",
    )


# Between them those of a game meet every kind of choice and end, and all but a few kinds of event.
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
        *(
            Playthrough("labyrinth", scenario, seed, seats, steps, by_verb=True, begin=begin)
            for scenario, seed, seats, steps, begin in (
                (mazes.lamp_alley(), 694, 2, 3000, None),  # two win together when the rounds are over
                (mazes.lamp_alley(), 954, 3, 3000, None),  # one does
                (mazes.glass_warren(), 478, 3, 112, crowd(mazes.glass_warren(), *THREE)),
                (BY_HAND, 900, 6, 145, crowd(BY_HAND, *SIX)),  # a win on the centre
            )
        ),
    )
}


if __name__ == "__main__":
    for name, played in PLAYTHROUGHS.items():
        (FOLDER / name).write_text(played.text())
