"""Games that were ended in the middle: asked about, gone on with in the same state, or refused with what to do."""

from __future__ import annotations

import os
import pty
import re
import signal
import sqlite3
import subprocess
from pathlib import Path
from zlib import crc32

import pytest
from running import UNDERGLOW, Run

from underglow import games
from underglow.history import History, Step
from underglow.journal import Header, Journal
from underglow.profile import boards_dir, load
from underglow.rng import Rng

SENTENCE = "here is an unfinished game of Cinder Wells, 1 steps long"


def begun(path: Path, steps: int = 1, board: str = "hex48") -> History:
    """Leave an unfinished game of the one that `Run` plays."""
    game = games.load("mandalorian")
    scenario = game.load(games.scenario_path("mandalorian", "cinder-wells"))
    history = History(game, game.setup(scenario, 1, Rng(3)), 1)
    journal = Journal.create(path, Header.of("mandalorian", scenario, 1, 3, load(board)))
    for _ in range(steps):
        history = history.step(game.legal(history.state)[0])
        journal.record(Step.of(history.played[-1].action), history.state)
    journal.close()
    return history


def kept(folder: Path) -> Path:
    """Where one lies that was given no other place."""
    return folder / "state" / "underglow" / "2001-01-01-000000-1.sqlite"


def final_state(path: Path) -> str:
    out = subprocess.run([UNDERGLOW, "replay", "--speed", "0", str(path)], capture_output=True, text=True, check=True)
    return re.findall(r"^Final state ([0-9a-f]{64})$", out.stdout, re.MULTILINE)[0]


def refusal(folder: Path, *arguments: str) -> str:
    """What a run says that refuses to begin."""
    run = Run(folder, "--headless", *arguments)
    out, _ = run.process.communicate(timeout=20)
    assert run.process.returncode == 2, out
    assert "Traceback" not in out
    return out


def test_killed_hard_it_goes_on_in_the_same_state(folder: Path, micropython: list[str]) -> None:
    run = Run(folder, "--headless")
    index = re.search(r"\[(\d+)\]", run.until("on Move"))
    assert index
    run.type(index[1])
    run.until("Stay")
    run.end(signal.SIGKILL)
    state = final_state(run.journal)
    again = Run(folder, "--headless", "--resume")
    again.until("Stay")
    again.type("u")
    again.until("Taken back")
    again.type("r")
    again.until("Played again")
    assert again.end() == 0
    assert final_state(run.journal) == state


def test_without_a_terminal_nothing_is_resumed_unasked(folder: Path, micropython: list[str]) -> None:
    begun(kept(folder))
    run = Run(folder, "--headless", named=False)
    said = run.until("--resume goes on with it, --new does not.")
    assert SENTENCE in said
    run.until("lays a skill card")
    assert run.end() == 0
    assert len(list(kept(folder).parent.glob("*.sqlite"))) == 2


@pytest.mark.parametrize("answer", ["y", "n"])
def test_at_a_terminal_it_is_asked(folder: Path, micropython: list[str], answer: str) -> None:
    begun(kept(folder))
    terminal, end = pty.openpty()
    try:
        os.write(terminal, f"{answer}\n".encode())
        run = Run(folder, "--headless", named=False, stdin=end)
        run.until(SENTENCE)
        run.until("Stay" if answer == "y" else "lays a skill card")
        assert run.end() == 0
    finally:
        os.close(terminal)
        os.close(end)
    assert len(list(kept(folder).parent.glob("*.sqlite"))) == (1 if answer == "y" else 2)


@pytest.mark.parametrize(("option", "shows"), [("--resume", "Stay"), ("--new", "lays a skill card")])
def test_answered_beforehand_it_is_not_asked(folder: Path, micropython: list[str], option: str, shows: str) -> None:
    begun(kept(folder))
    run = Run(folder, "--headless", option, named=False)
    run.until(shows)
    assert run.end() == 0
    assert SENTENCE not in run.said


@pytest.mark.parametrize("arguments", [["--seats", "2"], ["--scenario", "salt-harbour"], ["--seed", "4"]])
def test_another_game_is_not_taken_for_it(folder: Path, micropython: list[str], arguments: list[str]) -> None:
    begun(kept(folder))
    run = Run(folder, "--headless", "--resume", *arguments, named=False)
    run.until("[0]")
    assert run.end() == 0
    assert len(list(kept(folder).parent.glob("*.sqlite"))) == 2


def test_a_journal_that_is_named_and_there_is_not_written_to_unasked(folder: Path) -> None:
    path = folder / "journal.sqlite"
    begun(path)
    assert SENTENCE in (said := refusal(folder))
    assert "there is a journal already; choose another name" in said
    assert "there is a journal already; choose another name" in refusal(folder, "--new")


def test_two_programs_cannot_play_by_one_journal(folder: Path, micropython: list[str]) -> None:
    begun(folder / "journal.sqlite")
    first = Run(folder, "--headless", "--resume")
    first.until("Stay")
    assert "another Underglow is playing this game; end that one first" in refusal(folder, "--resume")
    assert first.end() == 0


def test_what_a_journal_is_of_is_said_with_the_options_for_it(folder: Path) -> None:
    begun(folder / "journal.sqlite")
    said = refusal(folder, "--resume", "--seats", "2", "--seed", "4")
    assert "this game goes on with --seats 1 --seed 3; or choose another name for a new one" in said


def test_another_version_of_the_board_is_refused(folder: Path) -> None:
    other = folder / "hex48.toml"
    text = (boards_dir() / "hex48.toml").read_text()
    other.write_text(re.sub(r"(?m)^settle_scans = \d+", "settle_scans = 4", text))
    assert load(other).crc != load("hex48").crc
    begun(folder / "journal.sqlite", board=str(other))
    said = refusal(folder, "--resume")
    assert "it was played on another version of board hex48; give that profile with --profile, or" in said


def test_another_version_of_the_scenario_is_refused(folder: Path) -> None:
    begun(folder / "journal.sqlite")
    scenario = folder / "cinder-wells.toml"
    shipped = games.scenario_path("mandalorian", "cinder-wells").read_text()
    scenario.write_text(shipped + "\n# another\n")
    said = refusal(folder, "--resume", "--scenario", str(scenario), "--game", "mandalorian")
    assert "it was played on another version of scenario cinder-wells" in said


def test_a_journal_of_another_version_is_refused(folder: Path) -> None:
    connection = sqlite3.connect(folder / "journal.sqlite", isolation_level=None)
    connection.execute("CREATE TABLE record (number INTEGER PRIMARY KEY, body TEXT NOT NULL, crc INTEGER NOT NULL)")
    body = '{"board":"hex48","digest":"0","game":"mandalorian","scenario":"x","seats":1,"seed":3,"underglow":"0.0.9"}'
    connection.execute("INSERT INTO record VALUES (0, ?, ?)", (body, crc32(body.encode())))
    connection.close()
    assert "its format is 1, this Underglow reads 2; go on with the Underglow that wrote it" in refusal(folder)


def test_a_damaged_journal_goes_on_from_what_is_whole(folder: Path, micropython: list[str]) -> None:
    path = folder / "journal.sqlite"
    begun(path, steps=3)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("UPDATE record SET body = replace(body, 'verb', 'herb') WHERE number = 2")
    connection.close()
    run = Run(folder, "--headless", "--resume")
    run.until("damaged after record 1; all up to there is whole")
    run.until("Stay")
    assert run.end() == 0
    mended = Journal.open(path)
    assert (len(mended.records), mended.damage) == (1, "")
    assert path.with_name("journal.sqlite.damaged").exists()


def test_a_game_that_is_over_is_not_gone_on_with(folder: Path) -> None:
    path = folder / "journal.sqlite"
    game = games.load("mandalorian")
    scenario = game.load(games.scenario_path("mandalorian", "cinder-wells"))
    history = History(game, game.setup(scenario, 1, Rng(3)), 1)
    while legal := game.legal(history.state):
        history = history.step(legal[-1])
    journal = Journal.create(path, Header.of("mandalorian", scenario, 1, 3, load("hex48")))
    for step in history.played:
        journal.record(Step.of(step.action), step.state)
    journal.close()
    assert "this game is over; choose another name for a new one" in refusal(folder)
