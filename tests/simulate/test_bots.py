"""Bots: they choose for their seat, by what it can know; greedy wins more often than random."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import pytest

from underglow import games
from underglow.bots import BOTS, Greedy, Random
from underglow.games import find
from underglow.games.contract import Action, Game, Outcome
from underglow.languages import Text
from underglow.rng import Rng
from underglow.simulate import Setting, interval, simulate

MANDALORIAN = games.load("mandalorian")
SCENARIO = MANDALORIAN.load(games.scenario_path("mandalorian", "cinder-wells"))


def test_random_takes_every_choice_as_often() -> None:
    state = MANDALORIAN.setup(SCENARIO, 1, Rng(3))
    legal = MANDALORIAN.legal(state)
    rng = Rng(1)
    taken: Counter[Any] = Counter()
    for _ in range(200 * len(legal)):
        action, rng = Random().choose(MANDALORIAN, state, 0, rng)
        taken[action] += 1
    assert set(taken) == set(legal)
    assert all(140 < times < 260 for times in taken.values())


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_is_a_function_of_state_and_generator(name: str) -> None:
    state = MANDALORIAN.setup(SCENARIO, 1, Rng(3))
    assert BOTS[name].choose(MANDALORIAN, state, 0, Rng(5)) == BOTS[name].choose(MANDALORIAN, state, 0, Rng(5))
    with pytest.raises(ValueError, match="seat 1 may not choose now"):
        BOTS[name].choose(MANDALORIAN, state, 1, Rng(5))


def test_greedy_never_looks_at_the_true_state_s_future() -> None:
    """It steps in redeals only, and judges their results only: what is hidden in the true state can't reach it."""
    redealt: list[Any] = []
    stepped: list[Any] = []

    def redeal(state: Any, seat: int | None, rng: Rng) -> Any:
        redealt.append(MANDALORIAN.redeal(state, seat, rng))
        return redealt[-1]

    def step(state: Any, action: Any) -> Any:
        assert any(state is world for world in redealt)
        stepped.append(MANDALORIAN.step(state, action)[0])
        return stepped[-1], ()

    def worth(state: Any, seat: int) -> float:
        assert any(state is result for result in stepped)
        return MANDALORIAN.worth(state, seat)

    watched = {"redeal": redeal, "step": step, "worth": worth}
    game = cast("Game[Any, Any]", SimpleNamespace(**(vars(MANDALORIAN) | watched)))
    state = MANDALORIAN.setup(SCENARIO, 1, Rng(3))
    action, _ = Greedy().choose(game, state, 0, Rng(1))
    assert action in MANDALORIAN.legal(state)
    assert len(stepped) > len(MANDALORIAN.legal(state))


class ThreeDoors:
    """A game of one choice, of which one wins, one loses, and one promises more than it keeps."""

    doors = tuple(Action(0, verb) for verb in ("lose", "win", "dawdle"))

    def legal(self, _: str) -> tuple[Action, ...]:
        return self.doors

    def redeal(self, state: str, seat: int, rng: Rng) -> str:
        return state

    def step(self, _: str, action: Action) -> tuple[str, tuple[()]]:
        return action.verb, ()

    def outcome(self, state: str) -> Outcome | None:
        return None if state == "dawdle" else Outcome((0,) if state == "win" else (1,), Text("It is over."))

    def worth(self, state: str, seat: int) -> float:
        return 0.99


def test_greedy_takes_a_win_in_reach() -> None:
    action, _ = Greedy().choose(cast("Game[Any, Any]", ThreeDoors()), "", 0, Rng(1))
    assert action.verb == "win"


def won(scenario: str, bot: str, games_: int) -> tuple[float, float]:
    """The interval of the rate at which two seats win together."""
    report = simulate(Setting(*find(scenario), seed=11, bots=(bot,), seats=(2,)), games_, jobs=2)
    assert report.failures == ()
    return interval(sum(share.games for share in report.outcomes if share.winners == "all"), games_)


@pytest.mark.parametrize("scenario", games.scenarios("mandalorian"))
def test_greedy_clearly_wins_more_often_than_random(scenario: str) -> None:
    _, random = won(scenario, "random", 250)
    greedy, _ = won(scenario, "greedy", 24)
    assert greedy > 2 * random
