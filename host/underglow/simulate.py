"""Games played by bots, many of them: how often each outcome, how long they take, and which of them go wrong.

Every game's chance follows from the seed and the game's index alone, so neither the number of jobs nor the order in
which they finish shows in the result, and any game can be played again by itself.
"""

from __future__ import annotations

import json
import shlex
import time
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from underglow import games as library
from underglow.bots import BOTS
from underglow.games.contract import Action, Game, Scenario
from underglow.rng import Rng
from underglow.workers import spread

LIMIT = 10_000
"""A game of more steps is taken for endless."""

_SHOWN = 10
_Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations of its mean


@dataclass(frozen=True, slots=True)
class Setting:
    """All that a game depends on, beside its index.

    Seat s is played by `bots[s % len(bots)]`, and game i by `seats[i % len(seats)]` seats; no `seats` are all numbers
    that the scenario allows.
    """

    game: str
    scenario: Path
    seed: int
    bots: tuple[str, ...] = ("random",)
    seats: tuple[int, ...] = ()
    limit: int = LIMIT

    def chance(self, index: int) -> tuple[Rng, Rng]:
        """Two generators of one game's own: the deal's, and the bots'."""
        deal, rng = Rng(self.seed, 2 * index).word()
        choices, _ = rng.word()
        return Rng(deal), Rng(choices)

    def command(self, index: int) -> str:
        """What to type to play one game again."""
        shipped = self.scenario.stem in library.scenarios(self.game) and self.scenario == library.scenario_path(
            self.game, self.scenario.stem
        )
        options = [("--game", self.game), ("--seed", self.seed), ("--first", index), ("--games", 1)]
        options += [("--bot", bot) for bot in self.bots]
        options += [("--seats", seats) for seats in self.seats]
        options += [("--limit", self.limit)] if self.limit != LIMIT else []
        words = [self.scenario.stem if shipped else str(self.scenario), *(str(w) for pair in options for w in pair)]
        return shlex.join(["underglow", "simulate", *words])


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that went wrong at a step: it raised, never ended, or stuck with neither choice nor outcome.

    `replay` is the command that plays it again.
    """

    index: int
    seats: int
    step: int
    kind: Literal["raised", "endless", "stuck"]
    says: str
    replay: str
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """One game: its steps, and who won and why, unless it failed."""

    index: int
    steps: int
    winners: str = ""
    reason: str = ""
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """How many games were won so: `winners` are "all" seats, "none", or the seats' numbers from 0.

    `rate` is of the games that ended; it lies between `low` and `high` with 95 % confidence (Wilson).
    """

    winners: str
    games: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Length:
    """Steps of the games that ended; percentiles by nearest rank."""

    mean: float
    p50: int
    p95: int
    max: int


@dataclass(frozen=True, slots=True)
class Report:
    """What came of it. Reports are equal when the same games went the same way, however fast."""

    game: str
    scenario: str
    digest: str
    seed: int
    first: int
    games: int
    bots: tuple[str, ...]
    seats: tuple[int, ...]
    outcomes: tuple[Share, ...]
    length: Length | None
    ended_by: Mapping[str, int]
    failures: tuple[Failure, ...]
    jobs: int = field(compare=False)
    seconds: float = field(compare=False)
    games_per_s: float = field(compare=False)
    steps_per_s: float = field(compare=False)


def simulate(setting: Setting, games: int, jobs: int = 1, first: int = 0) -> Report:
    """Play `games` games, from index `first` on, in `jobs` processes. A progress bar runs if stderr is a terminal.

    `documents.Faults`: of the scenario's file. ValueError: a bot, or a number of seats, games or jobs, that cannot be.
    `workers.WorkerGone`: a process was killed.
    """
    scenario: Scenario = library.load(setting.game).load(setting.scenario)
    _check(setting, scenario, games, jobs, first)
    setting = replace(setting, seats=setting.seats or tuple(scenario.seats))
    start_s = time.perf_counter()
    indexes = range(first, first + games)
    played: list[Played] = []
    with _progress(games) as advance, closing(spread(_play, setting, indexes, jobs)) as finished:
        for one in finished:
            played.append(one)
            advance()
    seconds = time.perf_counter() - start_s
    played.sort(key=lambda one: one.index)
    ended = [one for one in played if not one.failure]
    return Report(
        game=setting.game,
        scenario=scenario.id,
        digest=scenario.digest,
        seed=setting.seed,
        first=first,
        games=games,
        bots=setting.bots,
        seats=setting.seats,
        outcomes=_shares([one.winners for one in ended]),
        length=_length([one.steps for one in ended]),
        ended_by=dict(_counted([one.reason for one in ended])),
        failures=tuple(one.failure for one in played if one.failure),
        jobs=jobs,
        seconds=round(seconds, 3),
        games_per_s=round(games / seconds, 1),
        steps_per_s=round(sum(one.steps for one in played) / seconds, 1),
    )


def play(game: Game[Any, Any], scenario: Any, setting: Setting, index: int) -> Played:
    """Play one game to its end, or to where it goes wrong."""
    seats = setting.seats[index % len(setting.seats)]
    step = 0

    def failed(kind: Literal["raised", "endless", "stuck"], says: str, trace: str = "") -> Played:
        return Played(index, step, failure=Failure(index, seats, step, kind, says, setting.command(index), trace))

    try:
        deal, choices = setting.chance(index)
        bots = [BOTS[setting.bots[seat % len(setting.bots)]] for seat in range(seats)]
        state = game.setup(scenario, seats, deal)
        while (outcome := game.outcome(state)) is None:
            if not (legal := game.legal(state)):
                return failed("stuck", "Nobody has a choice, and the game is not over.")
            if step == setting.limit:
                return failed("endless", f"The game is not over after {step} steps.")
            seat, choices = _next(legal, choices)
            action, choices = bots[seat].choose(game, state, seat, choices)
            state, _ = game.step(state, action)
            step += 1
    except Exception as error:  # whatever a game's code raises is what this is here to find
        return failed("raised", f"{type(error).__name__}: {error}", traceback.format_exc())
    return Played(index, step, _winners(outcome.winners, seats), outcome.reason)


def _check(setting: Setting, scenario: Scenario, games: int, jobs: int, first: int) -> None:
    if unknown := [bot for bot in setting.bots if bot not in BOTS]:
        raise ValueError(f"there is no bot {unknown[0]!r}; there is {', '.join(BOTS)}")
    if not setting.bots or games < 1 or jobs < 1 or first < 0 or setting.limit < 1:
        raise ValueError("a simulation needs a bot, a game, a job and a step at least, and counts games from 0")
    if unfit := [seats for seats in setting.seats if seats not in scenario.seats]:
        few, many = scenario.seats[0], scenario.seats[-1]
        raise ValueError(f"{scenario.id} is for {few} to {many} seats, not {unfit[0]}")


def _next(legal: tuple[Action, ...], rng: Rng) -> tuple[int, Rng]:
    """Of several seats that may choose at once, one drawn at random goes first."""
    seats = sorted({action.seat for action in legal})
    if len(seats) == 1:
        return seats[0], rng
    at, rng = rng.below(len(seats))
    return seats[at], rng


def _winners(winners: tuple[int, ...], seats: int) -> str:
    if len(winners) == seats:
        return "all"
    return ", ".join(map(str, sorted(winners))) or "none"


def _play(setting: Setting, indexes: range) -> Generator[Played]:
    game = library.load(setting.game)
    scenario = game.load(setting.scenario)
    for index in indexes:
        yield play(game, scenario, setting, index)


@contextmanager
def _progress(games: int) -> Generator[Callable[[], None]]:
    console = Console(stderr=True)
    columns = (TextColumn("Games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=games)
        yield lambda: progress.advance(task)


# --- figures ---


def _shares(winners: list[str]) -> tuple[Share, ...]:
    n = len(winners)
    return tuple(
        Share(who, hits, round(hits / n, 4), *(round(end, 4) for end in interval(hits, n)))
        for who, hits in _counted(winners)
    )


def interval(hits: int, n: int) -> tuple[float, float]:
    """Wilson's interval of 95 % confidence for a rate seen as `hits` of `n`. ValueError: it was not seen at all."""
    if not 0 <= hits <= n or not n:
        raise ValueError(f"{hits} of {n} is no rate")
    rate, spread = hits / n, _Z * _Z / n
    middle = rate + spread / 2
    half = _Z * ((rate * (1 - rate) + spread / 4) / n) ** 0.5
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    return max(0.0, min(rate, low)), min(1.0, max(rate, high))


def _length(steps: list[int]) -> Length | None:
    if not steps:
        return None
    ranked = sorted(steps)
    p50, p95 = (ranked[-(-len(ranked) * percent // 100) - 1] for percent in (50, 95))
    return Length(round(sum(ranked) / len(ranked), 1), p50, p95, ranked[-1])


def _counted(words: list[str]) -> list[tuple[str, int]]:
    """Each word with how often it came, the most frequent first."""
    return sorted(Counter(words).items(), key=lambda entry: (-entry[1], entry[0]))


def show(report: Report, as_json: bool) -> None:
    """Print a report: tables, or one JSON object."""
    if as_json:
        print(json.dumps(asdict(report), ensure_ascii=False))  # noqa: T201
        return
    console = Console(highlight=False)
    bots, seats = " and ".join(report.bots), ", ".join(map(str, report.seats))
    console.print(f"{report.scenario}: {report.games} games by {bots}, seats {seats}, seed {report.seed}")
    grid = Table("won by seats", "games", "rate", "95 %")
    for share in report.outcomes:
        grid.add_row(share.winners, str(share.games), f"{share.rate:.2%}", f"{share.low:.2%} to {share.high:.2%}")
    console.print(grid)
    for reason, games in report.ended_by.items():
        console.print(f"{games:>8}  {reason}", markup=False)
    if length := report.length:
        console.print(
            f"Steps: {length.mean} in the mean, half within {length.p50}, 95 % within {length.p95}, most {length.max}."
        )
    console.print(f"{report.games_per_s} games/s, {report.steps_per_s} steps/s, {report.jobs} job(s).")
    for failure in report.failures[:_SHOWN]:
        console.print(
            f"\nGame {failure.index} {failure.kind} at step {failure.step}: {failure.says}\n  {failure.replay}",
            markup=False,
            soft_wrap=True,
        )
    if report.failures:
        console.print(
            f"\n{len(report.failures)} of {report.games} games went wrong.\n{report.failures[0].traceback}",
            markup=False,
            soft_wrap=True,
        )
