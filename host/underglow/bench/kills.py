"""Games whose program is killed at random instants (kill -9), again and again, to see each go on in the same state.

Programs that play are forked from this one, so it must have no other threads. Each plays on a real table without a
board, taking things back every now and then, and reports every state through a pipe once its journal holds it.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from underglow import games, profile
from underglow.games.contract import Game, Scenario
from underglow.history import History, digest
from underglow.journal import Header, Journal, JournalError, resume
from underglow.link import Link
from underglow.profile import Board
from underglow.set_up import SetUp
from underglow.snapshot import Snapshot
from underglow.table import Table
from underglow.themes import DEFAULT

_BOARD = "hex48"
_LIVES = 5
"""How often the program of one game is killed."""
_LONGEST_S = 0.3
"""A life ends within: its first hundredth is for opening the journal, the rest for some hundred steps."""


@dataclass(frozen=True, slots=True)
class Kills:
    """How many kills, after how many the game went on in the same state, and what was found after the others.

    `entries` is how many a journal held when its program was killed, all added up; `ahead` how often it held one that
    the program had not come to report.
    """

    n: int = 0
    same: int = 0
    entries: int = 0
    ahead: int = 0
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Setting:
    """One game: its rules, its scenario, its journal, and what its players' chance begins with."""

    game: Game[Any, Any]
    scenario: Scenario
    board: Board
    header: Header
    path: Path


def kill(n: int, seed: int = 1) -> Kills:
    """Kill `n` programs, in games of every scenario by as many seats as may play. Takes some 0.2 s each."""
    chance = random.Random(seed)  # noqa: S311 - no secrets
    board = profile.load(_BOARD)
    known = [(name, scenario) for name in games.names() for scenario in games.scenarios(name)]
    same, ahead, entries, wrong = 0, 0, 0, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        setting = None
        for number in track(range(n), "Kills", console=Console(stderr=True), transient=True):
            if setting is None or number % _LIVES == 0:
                name, scenario_name = known[number // _LIVES % len(known)]
                game = games.load(name)
                scenario: Scenario = game.load(games.scenario_path(name, scenario_name))
                header = Header.of(name, scenario, chance.choice(scenario.seats), chance.getrandbits(63), board)
                setting = _Setting(game, scenario, board, header, Path(folder) / f"{number}.sqlite")
            reports = _killed(setting, chance.getrandbits(63), chance.uniform(0, _LONGEST_S))
            try:
                held = _check(setting, reports)
            except JournalError as error:
                wrong.append(f"kill {number}: {error}")
                setting = None
            else:
                same += 1
                entries += held
                ahead += bool(reports) and held > reports[-1][0]
    return Kills(n, same, entries, ahead, tuple(wrong))


def _check(setting: _Setting, reports: list[tuple[int, str]]) -> int:
    """How many entries the journal holds, which are all that were reported. JournalError: or not."""
    if not Journal.begun(setting.path):  # killed before there was anything to lose
        if reports:
            raise JournalError(f"{len(reports)} states were reported, and nothing is there")
        return 0
    journal = Journal.open(setting.path)
    try:
        if journal.damage:
            raise JournalError(journal.damage)
        history = resume(setting.game, setting.scenario, journal)
    finally:
        journal.close()
    states = [history.start]
    fold = History(setting.game, history.start, history.seats)
    for record in journal.records:
        fold = fold.then(record.entry)
        states.append(fold.state)
    if reports and not reports[-1][0] <= len(journal.records) <= reports[-1][0] + 1:
        raise JournalError(f"{reports[-1][0]} entries were reported, and {len(journal.records)} are there")
    for count, state in reports:
        if digest(states[count]) != state:
            raise JournalError(f"after entry {count} the state is another than the one reported")
    return len(journal.records)


def _killed(setting: _Setting, seed: int, after_s: float) -> list[tuple[int, str]]:
    """Let a program play for so long and kill it; what it reported: a number of entries, and the state's digest."""
    heard, told = os.pipe()
    program = multiprocessing.get_context("fork").Process(target=_play, args=(setting, seed, told), daemon=True)
    program.start()
    os.close(told)
    time.sleep(after_s)
    program.kill()
    program.join()
    with os.fdopen(heard) as pipe:
        lines = [line for line in pipe if line.endswith("\n")]
    return [(int(count), state) for count, state in map(str.split, lines)]


def _play(setting: _Setting, seed: int, told: int) -> None:
    """Begin or go on, and play until the end comes."""
    chance = random.Random(seed)  # noqa: S311 - no secrets
    path, board = setting.path, setting.board
    journal = Journal.open(path) if Journal.begun(path) else Journal.create(path, setting.header)
    history = resume(setting.game, setting.scenario, journal)
    link = Link("no port", board)
    nothing = SetUp(physical=frozenset(), magnets=frozenset())
    table = Table(setting.game, setting.scenario, history, board, link, journal, DEFAULT, nothing)
    asked = -1

    def go_on(snapshot: Snapshot) -> None:
        nonlocal asked
        if snapshot["number"] == asked:  # something else happened than what was asked for
            return
        asked = snapshot["number"]
        os.write(told, f"{len(journal.records)} {digest(table.state)}\n".encode())
        missing, undone = snapshot["history"]["missing"], snapshot["history"]["undone"]
        if missing and (not snapshot["choices"] or chance.random() < 0.5):
            table.agree(asked, missing[0])
        elif undone and chance.random() < 0.5:
            table.redo(asked)
        elif not missing and table.steps and (not snapshot["choices"] or chance.random() < 0.2):
            table.undo(asked, chance.randrange(setting.header.seats))
        else:
            table.choose(chance.choice(snapshot["choices"])["index"], asked)

    table.watch(go_on)
    table.run()
