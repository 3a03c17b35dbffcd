"""Journals shown again and carried elsewhere, by the command line."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
from running import UNDERGLOW
from test_resume import begun

from underglow.bench.vm import Bench
from underglow.history import digest


def underglow(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    out = subprocess.run([UNDERGLOW, *map(str, arguments)], capture_output=True, text=True, timeout=60)
    assert out.returncode == code, out.stdout + out.stderr
    assert "Traceback" not in out.stderr
    return out


def test_replay_tells_every_step_and_the_final_state(folder: Path) -> None:
    history = begun(folder / "a.sqlite", steps=12)
    lines = underglow("replay", "--speed", 0, folder / "a.sqlite").stdout.splitlines()
    assert lines[0] == "Cinder Wells, seats: 1, seed: 3"
    assert [int(line[:4]) for line in lines if re.match(r" *\d+  ", line)] == list(range(1, 13))
    state = history.start
    for step in history.played:
        assert any(line.endswith(history.game.describe(state, step.action)) for line in lines)
        state = step.state
    assert lines[-1] == f"Final state {digest(history.state)}"


def test_replay_keeps_the_speed_it_is_told(folder: Path) -> None:
    begun(folder / "a.sqlite", steps=6)
    start_s = time.monotonic()
    underglow("replay", "--speed", 4, folder / "a.sqlite")
    assert time.monotonic() - start_s > 6 / 4


def test_replay_on_a_board_lights_what_the_table_lit(folder: Path, board: Bench) -> None:
    begun(folder / "a.sqlite", steps=3)
    first = board.pixels()
    underglow("replay", "--speed", 2, "--board", board.port, folder / "a.sqlite")
    frames = board.frames_since(first.number)
    assert len({frame.pixels for frame in frames if any(map(any, frame.pixels))}) > 3


def test_replay_on_a_board_of_its_own(folder: Path, micropython: list[str]) -> None:
    history = begun(folder / "a.sqlite", steps=3)
    out = underglow("replay", "--speed", 0, "--board", "vm", folder / "a.sqlite")
    assert digest(history.state) in out.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["nowhere.sqlite"], 2, "nowhere.sqlite: there is no such journal"),
        (["--board", "/dev/nowhere"], 3, "/dev/nowhere: there is no such port"),
        (["--board", "/dev/nowhere", "--profile", "hex49"], 2, "hex49: there is no such board"),
        (["--scenario", "moon"], 2, "mandalorian has no scenario 'moon'"),
        (["--scenario", "salt-harbour"], 2, "it was played on another version of scenario cinder-wells"),
        (["--theme", "pink"], 2, "there is no theme 'pink'"),
        (["--speed", "-1"], 2, "greater than or equal to 0"),
    ],
)
def test_what_keeps_it_from_replaying_is_said(folder: Path, arguments: list[str], code: int, says: str) -> None:
    begun(folder / "a.sqlite")
    files = [] if arguments[0].endswith("sqlite") else [folder / "a.sqlite"]
    assert says in underglow("replay", *arguments, *files, code=code).stderr.replace("\n", " ")


def test_exported_and_imported_nothing_is_lost(folder: Path) -> None:
    history = begun(folder / "a.sqlite", steps=12)
    underglow("journal", "export", folder / "a.sqlite", folder / "a.jsonl")
    text = (folder / "a.jsonl").read_text()
    assert [list(json.loads(line)) for line in text.splitlines()][1:] == [["entry", "state"]] * 12
    underglow("journal", "import", folder / "a.jsonl", folder / "b.sqlite")
    assert underglow("journal", "export", folder / "b.sqlite").stdout == text
    assert digest(history.state) in underglow("replay", "--speed", 0, folder / "b.sqlite").stdout


def test_lines_that_were_torn_are_named_and_nothing_is_made_of_them(folder: Path) -> None:
    begun(folder / "a.sqlite", steps=3)
    underglow("journal", "export", folder / "a.sqlite", folder / "a.jsonl")
    text = (folder / "a.jsonl").read_text()
    (folder / "a.jsonl").write_text(text[:-10])
    out = underglow("journal", "import", folder / "a.jsonl", folder / "b.sqlite", code=2)
    assert out.stderr == f"{folder}/a.jsonl:4: this is no record of a journal.\n"
    assert not (folder / "b.sqlite").exists()


def test_files_that_cannot_be_are_one_sentence(folder: Path) -> None:
    begun(folder / "a.sqlite")
    (folder / "a.jsonl").write_bytes(b"\xff")
    for arguments, says in [
        (("import", folder / "a.jsonl", folder / "b.sqlite"), "a.jsonl: it can't be read"),
        (("import", folder / "none.jsonl", folder / "b.sqlite"), "none.jsonl: it can't be read"),
        (("export", folder / "a.sqlite", folder / "none" / "a.jsonl"), "a.jsonl: it can't be written"),
        (("export", folder / "a.jsonl"), "a.jsonl: this is not a journal of Underglow"),
    ]:
        assert says in underglow("journal", *arguments, code=2).stderr
    underglow("journal", "export", folder / "a.sqlite", folder / "a.jsonl")
    out = underglow("journal", "import", folder / "a.jsonl", folder / "a.sqlite", code=2)
    assert "there is a journal already; choose another name" in out.stderr


def test_what_is_whole_of_a_damaged_one_is_shown_and_exported(folder: Path) -> None:
    begun(folder / "a.sqlite", steps=5)
    connection = sqlite3.connect(folder / "a.sqlite", isolation_level=None)
    connection.execute("UPDATE record SET crc = crc + 1 WHERE number = 4")
    connection.close()
    for arguments, lines in ((("replay", "--speed", 0), 5), (("journal", "export"), 4)):
        out = underglow(*arguments, folder / "a.sqlite", code=1)
        assert out.stderr == f"{folder}/a.sqlite: damaged after record 3; all up to there is whole.\n"
        assert len([line for line in out.stdout.splitlines() if line[:4] != "    "]) >= lines


def test_public_report_hosts_crash_and_peers_lose_the_game() -> None:
    """The long run kills 200 times: `make soak`."""
    out = underglow("bench", "faults", "--frames", 0, "--replugs", 0, "--kills", 10, "--json")
    kills = json.loads(out.stdout)["kills"]
    assert (kills["n"], kills["same"], kills["wrong"]) == (10, 10, [])
    assert kills["entries"] > 100
