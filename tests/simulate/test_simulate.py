"""Simulation: the same for any number of jobs, figures that hold, and games that go wrong told with their replay."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import alive, children, linux, until

from underglow import games
from underglow.documents import Faults
from underglow.games import find
from underglow.games.contract import Action, Game
from underglow.rng import Rng
from underglow.simulate import Played, Report, Setting, interval, play, simulate
from underglow.workers import WorkerGone, spread

GAME, PATH = find("cinder-wells")
SETTING = Setting(GAME, PATH, seed=7)


def test_the_result_is_the_same_for_any_number_of_jobs() -> None:
    one, three = simulate(SETTING, 100), simulate(SETTING, 100, jobs=3)
    assert one == three
    assert (one.jobs, three.jobs) == (1, 3)
    assert one.games == 100
    assert one != simulate(Setting(GAME, PATH, seed=8), 100)


def test_a_game_goes_the_same_way_alone() -> None:
    together, halves = simulate(SETTING, 20), [simulate(SETTING, 10, first=first) for first in (0, 10)]
    reasons = sum((Counter(half.ended_by) for half in halves), Counter[str]())
    assert reasons == Counter(together.ended_by)
    assert halves[0] != halves[1]


def test_figures_agree_with_each_other() -> None:
    report = simulate(SETTING, 60)
    assert sum(share.games for share in report.outcomes) == sum(report.ended_by.values()) == 60
    assert sum(share.rate for share in report.outcomes) == pytest.approx(1, abs=1e-3)
    assert all(share.low <= share.rate <= share.high for share in report.outcomes)
    assert report.length
    assert 0 < report.length.p50 <= report.length.p95 <= report.length.max
    assert report.games_per_s > 0
    assert report.steps_per_s > report.games_per_s
    assert report.failures == ()
    assert report.seats == tuple(games.load(GAME).load(PATH).seats)


def test_every_number_of_seats_plays_in_turn_unless_some_are_chosen() -> None:
    real, asked = games.load(GAME), list[int]()

    def setup(scenario: Any, seats: int, rng: Rng) -> Any:
        asked.append(seats)
        return real.setup(scenario, seats, rng)

    for seats in ((1, 2), (2,)):
        for index in range(4):
            play(with_faults(setup=setup), real.load(PATH), Setting(GAME, PATH, seed=7, seats=seats), index)
    assert asked == [1, 2, 1, 2, 2, 2, 2, 2]


@pytest.mark.parametrize(  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
    ("hits", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_an_interval_is_wilson_s(hits: int, n: int, low: float, high: float) -> None:
    assert interval(hits, n) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 10**6), st.data())
def test_an_interval_holds_its_rate_and_narrows_with_more_games(n: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, n))
    low, high = interval(hits, n)
    assert 0 <= low <= hits / n <= high <= 1
    closer_low, closer_high = interval(4 * hits, 4 * n)
    assert closer_high - closer_low < high - low


@pytest.mark.parametrize(("hits", "n"), [(0, 0), (-1, 3), (4, 3)])
def test_no_games_are_no_rate(hits: int, n: int) -> None:
    with pytest.raises(ValueError, match="is no rate"):
        interval(hits, n)


# --- games that go wrong ---


def with_faults(**faulty: Callable[..., Any]) -> Game[Any, Any]:
    """The real game with some of its functions replaced."""
    return cast("Game[Any, Any]", SimpleNamespace(**(vars(games.load(GAME)) | faulty)))


def played_with(**faulty: Callable[..., Any]) -> Played:
    game = with_faults(**faulty)
    return play(game, game.load(PATH), Setting(GAME, PATH, seed=7, seats=(1,)), 3)


def test_a_game_that_raises_is_told_with_its_step_and_its_traceback() -> None:
    real = games.load(GAME)

    def step(state: Any, action: Any) -> Any:
        if state.turn == 2:
            raise ZeroDivisionError("nothing to share out")
        return real.step(state, action)

    failure = played_with(step=step).failure
    assert failure
    assert (failure.index, failure.seats, failure.kind) == (3, 1, "raised")
    assert failure.step > 1
    assert failure.says == "ZeroDivisionError: nothing to share out"
    assert 'raise ZeroDivisionError("nothing to share out")' in failure.traceback


def test_a_game_without_a_choice_or_an_outcome_is_stuck() -> None:
    def legal(_: Any) -> tuple[Action, ...]:
        return ()

    failure = played_with(legal=legal).failure
    assert failure
    assert (failure.step, failure.kind) == (0, "stuck")


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_endless_game_is_told_and_its_command_plays_it_again(jobs: int) -> None:
    usual = simulate(SETTING, 12).length
    assert usual
    report = simulate(Setting(GAME, PATH, seed=7, limit=usual.p50), 12, jobs)
    assert 0 < len(report.failures) < 12
    assert sum(report.ended_by.values()) == 12 - len(report.failures)
    for failure in report.failures:
        assert (failure.kind, failure.step) == ("endless", usual.p50)
        again = repeated(failure.replay)
        assert again.games == 1
        assert again.failures == (failure,)


def repeated(command: str) -> Report:
    """Do what a replay command says."""
    program, name, scenario, *words = shlex.split(command)
    assert (program, name) == ("underglow", "simulate")
    said: dict[str, list[str]] = {}
    for option, value in zip(words[::2], words[1::2], strict=True):
        said.setdefault(option, []).append(value)
    (game,), (seed,), (first,), (count,), (limit,) = (
        said.pop(option) for option in ("--game", "--seed", "--first", "--games", "--limit")
    )
    bots, seats = tuple(said.pop("--bot")), tuple(map(int, said.pop("--seats")))
    assert said == {}
    setting = Setting(*find(scenario, game), int(seed), bots, seats, int(limit))
    return simulate(setting, int(count), first=int(first))


# --- what is asked for ---


def test_a_scenario_is_found_by_name_or_by_file_and_its_game_with_it(tmp_path: Path) -> None:
    assert find("cinder-wells", "mandalorian") == find("cinder-wells") == ("mandalorian", PATH)
    assert find(str(PATH)) == ("mandalorian", PATH)
    mine = tmp_path / "mine.toml"
    assert find(str(mine), "mandalorian") == ("mandalorian", mine)
    with pytest.raises(games.UnknownScenario, match=r"Say which game .*mine.toml belongs to: .*mandalorian"):
        find(str(mine))
    with pytest.raises(games.UnknownScenario, match=r"no scenario 'atlantis'; there is .*cinder-wells"):
        find("atlantis")
    with pytest.raises(games.UnknownGame, match="no game 'go'"):
        find("cinder-wells", "go")


def test_a_scenario_of_one_s_own_is_replayed_by_its_path(tmp_path: Path) -> None:
    mine = tmp_path / "my own.toml"
    mine.write_text(PATH.read_text())
    report = simulate(Setting(GAME, mine, seed=7, limit=5), 1)
    (failure,) = report.failures
    assert repeated(failure.replay) == report


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no bot 'clever'; there is random, greedy"):
        simulate(Setting(GAME, PATH, 7, ("random", "clever")), 1)
    with pytest.raises(ValueError, match=r"cinder-wells is for 1 to . seats, not 9"):
        simulate(Setting(GAME, PATH, 7, seats=(1, 9)), 1)
    for games_, jobs, first in ((0, 1, 0), (1, 0, 0), (1, 1, -1)):
        with pytest.raises(ValueError, match="at least"):
            simulate(SETTING, games_, jobs, first)
    empty = tmp_path / "empty.toml"
    empty.touch()
    with pytest.raises(Faults):
        simulate(Setting(GAME, empty, 7), 1)


# --- processes ---

LONG = """
import sys
from underglow.games import find
from underglow.simulate import Setting, simulate
print("begun", flush=True)
simulate(Setting(*find("salt-harbour"), seed=7, bots=("greedy",)), 10**6, jobs=2)
"""
"""Of slow games: a worker's piece would take longer than the test waits."""


@linux
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_ended_in_the_middle_no_worker_stays_behind(how: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    until(lambda: len(children(process.pid)) == 2)
    workers = children(process.pid)
    time.sleep(0.5)
    os.killpg(process.pid, how)  # as a terminal does: everybody in the group hears it
    _, said = process.communicate(timeout=10)
    until(lambda: not any(map(alive, workers)))
    assert process.returncode == -how
    assert len(re.findall("Traceback", said)) == (how == signal.SIGINT)  # the parent's own


@linux
def test_a_worker_that_is_killed_is_missed() -> None:
    before = set(children(os.getpid()))
    work = spread(slowly, 0.05, range(100), 2)
    assert next(work) in range(100)
    workers = [child for child in children(os.getpid()) if child not in before]
    assert len(workers) == 2
    os.kill(workers[0], signal.SIGKILL)
    with pytest.raises(WorkerGone, match=r"A worker ended before it was done with \d+ to \d+"):
        list(work)
    assert not any(map(alive, workers))


def slowly(nap_s: float, numbers: range) -> list[int]:
    time.sleep(nap_s)
    return list(numbers)
