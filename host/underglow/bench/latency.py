"""How long from a touch to the host's event and to the last pixel: a real game, played by hands on a simulated board.

Each touch lifts or sets down the figure whose move it is. Its answer on the strip is the first frame in which a pixel
shows its new light: one whose lamp was still or dark before, and is still or dark after, so that no effect of its own
can be taken for the answer.
"""

from __future__ import annotations

import json
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from underglow import games, image, profile, wire
from underglow.bench.vm import Bench
from underglow.games.contract import Action, Game, Transfer
from underglow.journal import Header, Journal, resume
from underglow.link import Happening, Link
from underglow.overlay import by_hand, standing
from underglow.profile import Board
from underglow.session import Occupied
from underglow.set_up import SetUp
from underglow.snapshot import Snapshot
from underglow.table import Table
from underglow.themes import DEFAULT

_GAME, _SCENARIO = "mandalorian", "cinder-wells"
_GIVE_UP_S = 2.0
_BEATS = 500
_STILL = (wire.OFF, wire.SOLID)


@dataclass(frozen=True, slots=True)
class Spread:
    """How a figure is spread: count, percentiles by nearest rank, and worst, in ms."""

    n: int
    p50: float
    p95: float
    p99: float
    max: float

    @classmethod
    def of(cls, values_ms: list[float]) -> Spread:
        """ValueError: there are no values."""
        if not values_ms:
            raise ValueError("nothing was measured")
        ranked = sorted(values_ms)
        p50, p95, p99 = (round(ranked[-(-len(ranked) * percent // 100) - 1], 3) for percent in (50, 95, 99))
        return cls(len(ranked), p50, p95, p99, round(ranked[-1], 3))


@dataclass(frozen=True, slots=True)
class Figures:
    """What `underglow bench latency` prints; see the README for what each is."""

    touch_to_event_ms: Spread
    touch_to_pixels_ms: Spread
    beat_ms: Spread
    start_to_welcome_ms: float
    scan_hz: float


class _TimedLink(Link):
    """A link that notes when it heard of the last change in occupancy."""

    occupied_ns = 0

    def wait(self, timeout_s: float) -> list[Happening]:
        happenings = super().wait(timeout_s)
        if any(isinstance(happening, Occupied) for happening in happenings):
            self.occupied_ns = time.monotonic_ns()
        return happenings


@dataclass(frozen=True, slots=True)
class Timed:
    """What was timed so far."""

    event_ms: list[float] = field(default_factory=list[float])
    pixels_ms: list[float] = field(default_factory=list[float])
    beat_ms: list[float] = field(default_factory=list[float])


class _Stopwatch:
    """Times touches of one bench and its link."""

    def __init__(self, bench: Bench, link: _TimedLink, board: Board, timed: Timed) -> None:
        self._bench = bench
        self._link = link
        self._board = board
        self._timed = timed

    def touch(self, token: str, space: str | None) -> None:
        """Lift (space None) or set down a token, and note how long the answers took."""
        before = self._link.session.programs
        number = self._bench.pixels().number
        heard_ns = self._link.occupied_ns
        touched_ns = self._bench.lift(token) if space is None else self._bench.place(space, token)
        _until(lambda: self._link.occupied_ns != heard_ns, f"no event after {token} was touched")
        self._timed.event_ms.append((self._link.occupied_ns - touched_ns) / 1e6)
        time.sleep(0.01)  # the table has lit its answer by then
        if changed := list(self._changed(before, self._link.session.programs)):
            self._timed.pixels_ms.append((self._answer_ns(number, touched_ns, changed) - touched_ns) / 1e6)

    def _changed(self, before: bytes, after: bytes) -> Iterator[int]:
        """A pixel of every lamp that is still or dark in both pictures and not the same."""
        size = wire.PROGRAM_BYTES
        for lamp, pixels in enumerate(self._board.lamps):
            old, new = before[lamp * size : lamp * size + 4], after[lamp * size : lamp * size + 4]
            if old[0] in _STILL and new[0] in _STILL and max(abs(a - b) for a, b in zip(old, new, strict=True)) > 60:
                yield pixels[0]

    def _answer_ns(self, number: int, touched_ns: int, pixels: list[int]) -> int:
        before, *frames = self._bench.frames_since(number - 1)
        answers: list[int] = []

        def answered() -> bool:
            frames[:] = self._bench.frames_since(number)
            answers[:] = [
                frame.at_ns
                for frame in frames
                if frame.at_ns > touched_ns and all(frame.pixels[pixel] != before.pixels[pixel] for pixel in pixels)
            ]
            return bool(answers)

        _until(answered, "no answer on the strip")
        return answers[0]


def measure(touches: int) -> Figures:
    """Play games until `touches` touches are timed; takes about 80 ms each."""
    board = profile.load("hex48")
    files = image.board_files(board)
    timed = Timed()
    progress = iter(track(range(touches), "Touches", console=Console(stderr=True), transient=True))
    start_s = time.perf_counter()
    with Bench.start(board, files) as bench:
        link = _TimedLink(bench.port, board)
        link.connect()
        start_to_welcome_ms = (time.perf_counter() - start_s) * 1000
        _beat(link, timed)
        link.close()
        scans, since_s = bench.stats()["loads"], time.perf_counter()
        for seed in count(1):
            play(seed, bench, board, timed, progress)
            if len(timed.event_ms) >= touches:
                break
        scan_hz = (bench.stats()["loads"] - scans) / (time.perf_counter() - since_s)
    return Figures(
        Spread.of(timed.event_ms),
        Spread.of(timed.pixels_ms),
        Spread.of(timed.beat_ms),
        round(start_to_welcome_ms, 1),
        round(scan_hz, 1),
    )


def _beat(link: Link, timed: Timed) -> None:
    """Round trips of beats on a link that has nothing else to do."""
    link.wait(0.5)
    link.session.beat_ms.clear()
    for _ in range(_BEATS):
        link.beat()
        link.wait(0.005)
    timed.beat_ms.extend(link.session.beat_ms)


def play(
    seed: int,
    bench: Bench,
    board: Board,
    timed: Timed,
    progress: Iterator[int],
    show: Callable[[Table], None] = lambda table: None,
) -> None:
    """One game by random choices, until it or `progress` ends; every lift and every set-down is timed.

    `show` gets the table before it is played at.
    """
    game = games.load(_GAME)
    scenario = game.load(games.scenario_path(_GAME, _SCENARIO))
    overlay = scenario.overlay(board.name)
    set_up = SetUp()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        journal = Journal.create(Path(folder) / "journal.sqlite", Header.of(_GAME, scenario, 1, seed, board))
        stack.callback(journal.close)
        history = resume(game, scenario, journal)
        for token in bench.magnets():
            bench.lift(token)
        for space, tokens in standing(game, history.state, overlay, set_up).items():
            for token in tokens:
                bench.place(space, token)
        link = _TimedLink(bench.port, board)
        stack.callback(link.close)
        table = Table(game, scenario, history, board, link, journal, DEFAULT, set_up)
        for happening in link.connect():
            table.take(happening)
        show(table)
        stopwatch = _Stopwatch(bench, link, board, timed)
        hands = _Hands(random.Random(seed), bench, table, game, overlay, set_up, stopwatch)  # noqa: S311 - no secrets
        thread = threading.Thread(target=table.run)
        thread.start()
        stack.callback(thread.join)
        stack.callback(table.stop)
        hands.play(progress)


class _Hands:
    """Somebody who plays by chance: cards by choice, moves by hand. Made before the table runs, to watch it."""

    def __init__(
        self,
        chance: random.Random,
        bench: Bench,
        table: Table,
        game: Game[Any, Any],
        overlay: Mapping[str, str],
        set_up: SetUp,
        stopwatch: _Stopwatch,
    ) -> None:
        self._chance = chance
        self._bench = bench
        self._table = table
        self._game = game
        self._overlay = overlay
        self._set_up = set_up
        self._stopwatch = stopwatch
        self._seen: Snapshot
        table.watch(self._see)

    def _see(self, snapshot: Snapshot) -> None:
        self._seen = snapshot

    def play(self, progress: Iterator[int]) -> None:
        """Act until the game or `progress` ends."""
        _until(lambda: self._seen["understood"]["kind"] == "settled", "the table does not settle")
        while actions := self._game.legal(self._table.state):
            magnets, tokens = self._bench.magnets(), self._game.tokens(self._table.state)
            hands = [(action, by_hand(action, tokens, self._overlay, self._set_up)) for action in actions]
            free = [carried[0] for _, carried in hands if carried and carried[0].target not in magnets.values()]
            if free and self._move(self._chance.choice(free), magnets, progress):
                return
            if not free:
                self._choose([action for action, carried in hands if not carried])

    def _move(self, transfer: Transfer, magnets: Mapping[str, str], progress: Iterator[int]) -> bool:
        """Carry a token over. True: `progress` has ended."""
        alone = list(magnets.values()).count(magnets[transfer.token]) == 1  # else no sensor tells the lift
        steps = self._table.steps
        for space in (None, transfer.target):
            time.sleep(self._chance.uniform(0.02, 0.06))
            if space is None and not alone:
                self._bench.lift(transfer.token)
                continue
            if next(progress, None) is None:
                return True
            self._stopwatch.touch(transfer.token, space)
        _until(lambda: self._table.steps > steps, "the move was not understood")
        return False

    def _choose(self, actions: list[Action]) -> None:
        moves = [action for action in actions if action.verb == "play" and action.args[0] == "move"]
        action = self._chance.choice(moves or actions)
        steps, text = self._table.steps, self._game.describe(self._table.state, action)

        def taken() -> bool:
            offered = self._seen  # which may have moved on by the time that it is answered
            for choice in offered["choices"]:
                if choice["text"] == text and self._table.steps == steps:
                    self._table.choose(choice["index"], offered["number"])
            return self._table.steps > steps

        _until(taken, f"the choice was not taken: {text}")


def _until(done: Callable[[], bool], otherwise: str) -> None:
    end_s = time.monotonic() + _GIVE_UP_S
    while not done():
        if time.monotonic() > end_s:
            raise TimeoutError(f"{otherwise}, for {_GIVE_UP_S} s")
        time.sleep(0.001)


def show(figures: Figures, as_json: bool) -> None:
    """Print figures: a table, or one JSON object."""
    if as_json:
        print(json.dumps(asdict(figures)))  # noqa: T201
        return
    grid = Grid("figure", "n", "p50", "p95", "p99", "max", title="Simulated board, real MicroPython, real serial port")
    for name in ("touch_to_event_ms", "touch_to_pixels_ms", "beat_ms"):
        spread: Spread = getattr(figures, name)
        grid.add_row(
            name, str(spread.n), *(f"{value:.2f}" for value in (spread.p50, spread.p95, spread.p99, spread.max))
        )
    for name in ("start_to_welcome_ms", "scan_hz"):
        grid.add_row(name, "", f"{getattr(figures, name):.1f}", "", "", "")
    Console().print(grid)
