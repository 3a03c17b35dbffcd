"""How fast the rules are: random play of every scenario against random legal moves of python-chess.

Both play to the end and ask for the outcome after every step. They take turns every fraction of a second and are timed
by the processor's time they use, so that other work on the machine is to nobody's advantage.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from underglow import games
from underglow.games.contract import Game
from underglow.rng import Rng

_ROUNDS = 12
_SLICE_S = 0.25
_STEPS = 32  # between two looks at the clock


class NoChess(RuntimeError):
    """There is nothing to compare with; the message says how to get it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Steps and plies a second of one core, and steps to a ply."""

    scenario: str
    steps_per_s: int
    chess_plies_per_s: int
    ratio: float


class _Runner:
    """Endless play, timed in slices."""

    def __init__(self, steps: Iterator[None]) -> None:
        self._steps = steps
        self._taken = 0
        self._used_s = 0.0

    @property
    def pace(self) -> float:
        """Steps a second so far."""
        return self._taken / self._used_s

    def run(self) -> None:
        """Go on for one slice."""
        start_s = now_s = time.process_time()
        while now_s < start_s + _SLICE_S:
            for _ in range(_STEPS):
                next(self._steps)
            self._taken += _STEPS
            now_s = time.process_time()
        self._used_s += now_s - start_s


def measure() -> list[Pace]:
    """Time every scenario of every game; takes about 7 s each. NoChess: python-chess is not installed."""
    scenarios = [(game, name) for game in games.names() for name in games.scenarios(game)]
    return [
        _measure(name, _game(games.load(game), game, name))
        for game, name in track(scenarios, "Scenarios", console=Console(stderr=True), transient=True)
    ]


def _measure(scenario: str, steps: Iterator[None]) -> Pace:
    for warm in (steps, plies := _chess()):
        _Runner(warm).run()  # what is worked out once a scenario is not what is measured
    ours, theirs = _Runner(steps), _Runner(plies)
    for _ in range(_ROUNDS):
        theirs.run()
        ours.run()
    return Pace(scenario, round(ours.pace), round(theirs.pace), round(ours.pace / theirs.pace, 3))


def _game(game: Game[Any, Any], name: str, scenario_name: str) -> Iterator[None]:
    """Play at random, by every number of seats in turn; yield after each step."""
    scenario = game.load(games.scenario_path(name, scenario_name))
    chance = random.Random(1)  # noqa: S311 - no secrets
    for seed in count():
        state = game.setup(scenario, scenario.seats[seed % len(scenario.seats)], Rng(seed))
        while game.outcome(state) is None:
            state, _ = game.step(state, chance.choice(game.legal(state)))
            yield


def _chess() -> Iterator[None]:
    """Play at random; yield after each ply."""
    try:
        import chess
    except ImportError:
        raise NoChess("There is no python-chess to compare with: install it with `pip install chess`.") from None
    chance = random.Random(1)  # noqa: S311 - no secrets
    while True:
        board = chess.Board()
        while board.outcome() is None:
            board.push(chance.choice(list(board.legal_moves)))
            yield


def show(paces: list[Pace], as_json: bool) -> None:
    """Print paces: a table, or a JSON list."""
    if as_json:
        print(json.dumps([asdict(pace) for pace in paces]))  # noqa: T201
        return
    grid = Table("scenario", "steps/s", "chess plies/s", "ratio", title="Random play on one core")
    for pace in paces:
        grid.add_row(pace.scenario, str(pace.steps_per_s), str(pace.chess_plies_per_s), f"{pace.ratio:.2f}")
    Console().print(grid)
