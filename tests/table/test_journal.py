"""The journal: every step is on disk before it is seen; damage is found and named."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from underglow import games
from underglow.games.contract import Action
from underglow.journal import Header, Journal, JournalError, replay
from underglow.rng import Rng

GAME = games.load("mandalorian")
SCENARIO = GAME.load(games.scenario_path("mandalorian", "cinder-wells"))
HEADER = Header("0.1.0", "mandalorian", "cinder-wells", SCENARIO.digest, 1, 5, "hex48")


def played(path: Path, steps: int) -> tuple[Journal, object]:
    """A journal of random play, and the state it led to."""
    journal = Journal.create(path, HEADER)
    state, chance = GAME.setup(SCENARIO, 1, Rng(5)), Rng(1)
    for _ in range(steps):
        legal = GAME.legal(state)
        at, chance = chance.below(len(legal))
        state, _ = GAME.step(state, legal[at])
        journal.record(legal[at])
    return journal, state


def test_replay_is_a_fold_over_the_journal(tmp_path: Path) -> None:
    journal, state = played(tmp_path / "a.sqlite", 30)
    journal.close()
    again = Journal.open(tmp_path / "a.sqlite")
    assert again.header == HEADER
    assert replay(GAME, SCENARIO, again) == state


def test_a_journal_goes_on_where_it_was(tmp_path: Path) -> None:
    journal, _ = played(tmp_path / "a.sqlite", 3)
    journal.close()
    again = Journal.open(tmp_path / "a.sqlite")
    again.record(Action(0, "decline", ("move",)))
    assert len(again.actions()) == 4


def test_public_report_killed_in_the_middle_nothing_recorded_is_lost(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from test_journal import played; "
        "journal, state = played(Path(sys.argv[1]), 12); print(len(journal.actions()), flush=True); input()"
    )
    path = tmp_path / "a.sqlite"
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    player = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert player.stdout
    assert player.stdout.readline() == b"12\n"
    player.send_signal(signal.SIGKILL)
    player.communicate()
    assert len(Journal.open(path).actions()) == 12


def test_a_journal_is_never_written_over(tmp_path: Path) -> None:
    played(tmp_path / "a.sqlite", 1)
    with pytest.raises(JournalError, match="there is a journal already"):
        Journal.create(tmp_path / "a.sqlite", HEADER)


def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no such journal"):
        Journal.open(tmp_path / "a.sqlite")
    (tmp_path / "b.sqlite").write_text("hello, this is not a database, not even nearly" * 20)
    with pytest.raises(JournalError, match="not a journal"):
        Journal.open(tmp_path / "b.sqlite")
    sqlite3.connect(tmp_path / "c.sqlite").close()
    with pytest.raises(JournalError, match="not a journal"):
        Journal.open(tmp_path / "c.sqlite")


def test_where_nothing_can_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="can't be written"):
        Journal.create(tmp_path / "file" / "a.sqlite", HEADER)


@pytest.mark.parametrize(
    "damage",
    ["UPDATE record SET body = replace(body, 'seat', 'goat') WHERE number = 7", "DELETE FROM record WHERE number = 7"],
)
def test_a_damaged_record_is_named_and_those_before_it_are_whole(tmp_path: Path, damage: str) -> None:
    journal, _ = played(tmp_path / "a.sqlite", 9)
    journal.close()
    connection = sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None)
    connection.execute(damage)
    connection.close()
    with pytest.raises(JournalError, match=r"damaged; the 6 before"):
        Journal.open(tmp_path / "a.sqlite").actions()


def test_another_version_of_the_scenario_is_refused(tmp_path: Path) -> None:
    journal = Journal.create(
        tmp_path / "a.sqlite", Header("0.1.0", "mandalorian", "cinder-wells", "0" * 64, 1, 5, "hex48")
    )
    with pytest.raises(JournalError, match="another version of scenario cinder-wells"):
        replay(GAME, SCENARIO, journal)


def test_a_step_the_rules_refuse_is_named(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.sqlite", HEADER)
    journal.record(Action(0, "fly", ("a1",)))
    with pytest.raises(JournalError, match=r"refuse step 1 \(fly\)"):
        replay(GAME, SCENARIO, journal)
