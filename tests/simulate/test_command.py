"""`underglow simulate` and `underglow bench rules` as people and scripts use them: the real program, its real ends."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

from processes import children, linux, until

UNDERGLOW = str(Path(sys.executable).with_name("underglow"))


def ran(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | env
    return subprocess.run([UNDERGLOW, *words], env=env, capture_output=True, text=True, timeout=60, check=False)


def at_work() -> subprocess.Popen[str]:
    """A long simulation, once both its workers are there."""
    process = subprocess.Popen(
        [UNDERGLOW, "simulate", "cinder-wells", "--games", "1000000", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: len(children(process.pid)) == 2)
    time.sleep(0.5)
    return process


def test_json_is_all_that_it_prints() -> None:
    done = ran("simulate", "cinder-wells", "--games", "20", "--seed", "5", "--jobs", "2", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert {"games", "games_per_s", "steps_per_s", "outcomes", "length", "ended_by"} <= set(report)
    assert sum(outcome["games"] for outcome in report["outcomes"]) == report["games"] == 20


def test_a_table_is_for_people() -> None:
    done = ran("simulate", "cinder-wells", "--games", "20", "--seed", "5", "--jobs", "1", "--seats", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "cinder-wells: 20 games by random, seats 1, seed 5" in done.stdout
    assert "steps/s" in done.stdout


def test_games_that_go_wrong_end_it_with_1_and_can_be_played_again_by_the_command_it_prints() -> None:
    done = ran("simulate", "cinder-wells", "--games", "2", "--limit", "9")
    assert done.returncode == 1
    assert "2 of 2 games went wrong." in done.stdout
    commands = [line.strip() for line in done.stdout.splitlines() if line.startswith("  underglow simulate ")]
    assert len(commands) == 2
    again = ran(*shlex.split(commands[1])[1:])
    assert again.returncode == 1
    assert "Game 1 endless at step 9: The game is not over after 9 steps." in again.stdout


def test_what_cannot_be_is_one_sentence_and_2() -> None:
    for words, sentence in (
        (("atlantis",), "There is no scenario 'atlantis'"),
        (("cinder-wells", "--bot", "clever"), "there is no bot 'clever'"),
        (("cinder-wells", "--seats", "99"), "not 99"),
    ):
        done = ran("simulate", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert sentence in done.stderr
        assert "Traceback" not in done.stderr


@linux
def test_ctrl_c_ends_it_quietly() -> None:
    process = at_work()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (130, "", "")


@linux
def test_a_worker_that_is_killed_is_one_sentence_and_2() -> None:
    process = at_work()
    os.kill(children(process.pid)[0], signal.SIGKILL)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out) == (2, "")
    assert re.fullmatch(r"A worker ended before it was done with \d+ to \d+\.\n", err)


def test_without_chess_bench_rules_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "chess.py").write_text("raise ImportError")
    done = ran("bench", "rules", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "install it with `pip install chess`" in done.stderr
    assert "Traceback" not in done.stderr


def test_bench_rules_is_offered() -> None:
    assert "random legal chess" in ran("bench", "rules", "--help").stdout
