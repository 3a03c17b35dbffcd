"""The unmodified mpremote command against a bench."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bare_pico import wait_for

from underglow.bench.vm import Bench

# Each start is one load of the chain.
LOOPING = """
import time
from machine import Pin
latch = Pin(5, Pin.OUT, value=1); latch(0); latch(1); Pin(4)()
while True: time.sleep_ms(1)
"""


def mpremote(bench: Bench, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", bench.port, *arguments],
        capture_output=True,
        text=True,
        timeout=15,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def bench(start: Callable[..., Bench]) -> Bench:
    started = start(LOOPING, {"drivers/thing.py": "X = 1\n"})
    wait_for(lambda: started.stats()["loads"] > 0, "the program does not start")
    return started


def test_exec_breaks_into_a_running_program(bench: Bench) -> None:
    assert mpremote(bench, "exec", "print(6 * 7)") == "42\n"


def test_files_go_there_and_back(bench: Bench, tmp_path: Path) -> None:
    there, back = tmp_path / "there.bin", tmp_path / "back.bin"
    there.write_bytes(bytes(range(256)) * 40)
    mpremote(bench, "mkdir", ":data", "+", "cp", str(there), ":data/there.bin", "+", "cp", ":data/there.bin", str(back))
    assert back.read_bytes() == there.read_bytes()
    assert hashlib.sha256(there.read_bytes()).hexdigest() in mpremote(bench, "resume", "sha256sum", ":data/there.bin")


def test_ls_lists_the_flash_with_sizes(bench: Bench) -> None:
    listed = {tuple(line.split()) for line in mpremote(bench, "ls", "/").splitlines()[1:]}
    assert listed == {(str(len(LOOPING)), "main.py"), ("0", "drivers/")}
    assert "6 thing.py" in mpremote(bench, "resume", "ls", "drivers")


def test_run_and_resume_share_a_session(bench: Bench, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from drivers.thing import X\nprint('x is', X)\n")
    assert mpremote(bench, "run", str(script), "exec", "print(X + 1)") == "x is 1\n2\n"


def test_an_error_on_the_board_is_an_error_here(bench: Bench) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", bench.port, "exec", "import nowhere"],
        capture_output=True,
        text=True,
        timeout=15,
        check=False,
    )
    assert (done.returncode, "no module named 'nowhere'" in done.stdout + done.stderr) == (1, True)


def test_soft_reset_forgets_and_reset_starts_the_program_again(bench: Bench) -> None:
    mpremote(bench, "exec", "kept = 1", "soft-reset", "exec", "print('kept' in globals())", "reset")
    wait_for(lambda: Path(bench.port).exists() and bench.stats()["loads"] == 2, "it does not start again")
    assert mpremote(bench, "exec", "print('still here')") == "still here\n"


def test_the_firmware_lets_mpremote_in_and_takes_up_its_work_after_a_reset(board: Bench) -> None:
    assert "profile.json" in mpremote(board, "ls")
    mpremote(board, "reset")
    loads = board.stats()["loads"]
    wait_for(lambda: board.stats()["loads"] > loads + 100, "it does not scan again")
