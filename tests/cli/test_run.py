"""The command line as people use it: the real program, its real ends."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
from running import UNDERGLOW, Run

from underglow.bench.vm import Bench
from underglow.history import Step
from underglow.journal import Journal


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ended_nothing_is_left_behind(folder: Path, how: signal.Signals, micropython: list[str]) -> None:
    run = Run(folder, "--http", "0")
    address = re.search(r"http://127\.0\.0\.1:\d+/", run.until("The board is at"))
    assert address
    with urllib.request.urlopen(address[0]) as page:  # noqa: S310 - an address of our own
        assert b"Underglow" in page.read()
    assert run.left()
    assert run.end(how) == 0
    assert run.left() == []


def test_killed_hard_nothing_is_left_behind_either(folder: Path, micropython: list[str]) -> None:
    run = Run(folder, "--headless")
    run.until("lays a skill card")
    run.end(signal.SIGKILL)
    end_s = time.monotonic() + 5
    while any(name.isdecimal() for name in run.left()):
        assert time.monotonic() < end_s, run.left()
        time.sleep(0.05)


def test_headless_asks_and_takes_numbers(folder: Path, micropython: list[str]) -> None:
    run = Run(folder, "--headless")
    offered = run.until("on Move")
    index = re.search(r"\[(\d+)\]", offered)
    assert index
    run.type(index[1])
    run.until("Stay")
    assert run.end() == 0
    (entry,) = (record.entry for record in Journal.open(run.journal).records)
    assert isinstance(entry, Step)
    assert (entry.verb, entry.args[0]) == ("play", "move")


def test_headless_on_a_port_of_its_own(folder: Path, board: Bench) -> None:
    """A board on a serial port, as a real one would be: without its tokens it asks for them."""
    run = Run(folder, "--headless", "--board", board.port)
    run.until("Put the")
    board.place("h30", "drifter")
    run.until("lays a skill card")
    assert run.end() == 0


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--board", "/dev/nowhere"], 3, "/dev/nowhere: there is no such port; is the board plugged in?"),
        (["--board", "/dev/null"], 3, "/dev/null: this is not a serial port."),
        (["--profile", "hex49"], 2, "hex49: there is no such board; known are: "),
        (["--profile", "missing.toml"], 2, "missing.toml: there is no such file"),
        (["--game", "chess"], 2, "There is no game 'chess'; there is "),
        (["--scenario", "moon"], 2, "There is no scenario 'moon'; there is "),
        (["--seats", "9"], 2, "cinder-wells is for 1 to 4 seats, not 9"),
        (["--theme", "pink"], 2, "there is no theme 'pink'; there are: default, colour-safe"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_a_code(arguments: list[str], code: int, says: str) -> None:
    out = subprocess.run([UNDERGLOW, "run", "--headless", *arguments], capture_output=True, text=True, timeout=20)
    assert out.returncode == code
    assert says in out.stderr.replace("\n", " ")
    assert "Traceback" not in out.stdout + out.stderr


def test_all_faults_of_a_board_file_come_in_one_run(repository: Path) -> None:
    broken = repository / "tests" / "profile" / "broken" / "everything.toml"
    out = subprocess.run([UNDERGLOW, "check", str(broken)], capture_output=True, text=True)
    assert out.returncode == 2
    lines = out.stderr.splitlines()
    assert len(lines) > 5
    assert all(re.match(rf"{re.escape(str(broken))}:\d+: [\w.\[\]]+: ", line) for line in lines)


def test_check_is_content_with_what_we_ship(repository: Path) -> None:
    files = [*repository.glob("hardware/boards/*.toml"), *repository.glob("host/underglow/games/*/scenarios/*.toml")]
    assert len(files) >= 2
    out = subprocess.run([UNDERGLOW, "check", *map(str, files)], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr


def test_image_writes_what_belongs_on_a_pico(tmp_path: Path) -> None:
    subprocess.run([UNDERGLOW, "image", str(tmp_path / "pico")], check=True)
    there = {
        path.relative_to(tmp_path / "pico").as_posix() for path in (tmp_path / "pico").rglob("*") if path.is_file()
    }
    assert {"boot.py", "main.py", "board.py", "wire.py", "profile.json", "drivers/ws2812.py"} <= there


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["/dev/nowhere"], 3, "/dev/nowhere: there is no such port"),
        (["--profile", "hex49"], 2, "hex49: there is no such board"),
        (["--check", "/dev/null"], 3, "/dev/null: this is not a serial port"),
    ],
)
def test_flash_says_in_a_sentence_what_is_wrong(arguments: list[str], code: int, says: str) -> None:
    out = subprocess.run([UNDERGLOW, "flash", *arguments], capture_output=True, text=True, timeout=20)
    assert out.returncode == code, out.stderr
    assert says in out.stderr.replace("\n", " ")
    assert "Traceback" not in out.stderr


def test_flash_a_board_and_check_it(board: Bench) -> None:
    flashed = subprocess.run([UNDERGLOW, "flash", board.port], capture_output=True, text=True, timeout=60)
    assert flashed.returncode == 0, flashed.stderr
    assert "runs Underglow" in flashed.stdout
    checked = subprocess.run([UNDERGLOW, "flash", "--check", board.port], capture_output=True, text=True, timeout=60)
    assert checked.returncode == 0, checked.stdout


def test_an_address_that_is_not_this_machine_s_is_one_sentence(folder: Path, micropython: list[str]) -> None:
    run = Run(folder, "--http", "0", "--lan-address", "192.0.2.7")
    assert run.process.wait(timeout=20) == 2
    assert run.process.stdout
    assert run.process.stdout.read().strip() == "192.0.2.7 is no address of this machine"


def test_at_a_terminal_it_says_how_phones_join(folder: Path, micropython: list[str]) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [
            UNDERGLOW, "run", "--http", "0", "--seats", "2", "--lan-address", "127.0.0.2",
            "--journal", str(folder / "journal.sqlite"),
        ],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:  # fmt: skip
        os.close(theirs)
        said = ""
        while said.count("█ ▄▄▄▄▄ █") < 4:  # two corners at the top of each code
            said += os.read(ours, 4096).decode(errors="replace")
        process.terminate()
        os.close(ours)
    codes = re.findall(r"Seat (\d): http://127\.0\.0\.2:\d+/join#(\S{4}-\S{4}) ", said)
    assert [seat for seat, _ in codes] == ["1", "2"]
    assert codes[0][1] != codes[1][1]
