"""Games to take back and to write down: real ones, of every scenario there is."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st

from underglow import games, profile
from underglow.games.contract import Game
from underglow.history import Agree, Entry, History, NotNow, Redo, Step, Undo
from underglow.journal import Header
from underglow.rng import Rng

BOARD = profile.load("hex48")


@dataclass(frozen=True)
class Deal:
    """A game that begins."""

    game: Game[Any, Any]
    scenario: Any
    header: Header

    @property
    def start(self) -> History:
        header = self.header
        return History(self.game, self.game.setup(self.scenario, header.seats, Rng(header.seed)), header.seats)

    def walk(self, choices: Iterable[int]) -> Iterator[tuple[Entry, History]]:
        """Entries and what they lead to: a third of them go back or forth, as far as they may."""
        history = self.start
        for choice in choices:
            kind, at = choice % 3, choice // 3
            entries: list[Entry] = [Step.of(action) for action in self.game.legal(history.state)]
            if kind == 0 or not entries:
                seats = range(history.seats)
                turns = [way(seat) for seat in seats for way in (Undo, Agree, Redo) if possible(history, way(seat))]
                entries = [*turns] or entries
            entry = entries[at % len(entries)]
            history = history.then(entry)
            yield entry, history


def possible(history: History, entry: Entry) -> bool:
    try:
        history.then(entry)
    except NotNow:
        return False
    return True


@cache
def load(game_name: str, scenario_name: str) -> Any:
    return games.load(game_name).load(games.scenario_path(game_name, scenario_name))


def deal(game_name: str, scenario_name: str, seats: int, seed: int) -> Deal:
    scenario = load(game_name, scenario_name)
    return Deal(games.load(game_name), scenario, Header.of(game_name, scenario, seats, seed, BOARD))


SCENARIOS = [(game, scenario) for game in games.names() for scenario in games.scenarios(game)]


def far(seed: int) -> list[int]:
    """Choices that lead far into a game, where there is more to happen."""
    chance = random.Random(seed)
    return [chance.randrange(2**16) for _ in range(chance.randrange(1, 150))]


CHOICES = st.lists(st.integers(0, 2**16), min_size=1, max_size=60) | st.integers(0).map(far)


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Any scenario there is, for any number of seats."""
    names = draw(st.sampled_from(SCENARIOS))
    seats = draw(st.sampled_from(load(*names).seats))
    return deal(*names, seats, draw(st.integers(0, 2**64 - 1)))
