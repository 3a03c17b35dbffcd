"""The unmodified mpremote against a running board, as a maker uses it."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from boards import BOARD, CALIBRATION, IMAGE, SOURCES, Said, bench, digests, holds

from underglow import flash, mip
from underglow.bench.vm import Bench

MPREMOTE = [sys.executable, "-m", "mpremote", "connect"]


def mpremote(board: Bench, *arguments: str) -> str:
    done = subprocess.run([*MPREMOTE, board.port, *arguments], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def runs(board: Bench) -> None:
    """The firmware answers."""
    assert flash.welcome(board.port, BOARD) == flash.version()


def test_ls_cp_exec_and_reset(tmp_path: Path) -> None:
    with bench(IMAGE | CALIBRATION) as board:
        runs(board)
        assert "lights.mpy" in mpremote(board, "ls")
        mpremote(board, "reset")
        runs(board)
        mine = tmp_path / "calibration.json"
        mine.write_text('{"h02": 4}')
        mpremote(board, "cp", str(mine), ":calibration.json", "+", "reset")
        runs(board)
        assert mpremote(board, "exec", "print(open('calibration.json').read())") == '{"h02": 4}\n'


def test_repl() -> None:
    with bench(IMAGE) as board:
        runs(board)
        terminal, theirs = pty.openpty()
        process = subprocess.Popen([*MPREMOTE, board.port, "repl"], stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        try:
            hear(terminal, b"to exit this shell")
            while termios.tcgetattr(terminal)[3] & termios.ICANON:  # keys pressed before are lost
                time.sleep(0.01)
            os.write(terminal, b"\r\x03")
            hear(terminal, b">>> ")
            os.write(terminal, b"print(6 * 7)\r")
            hear(terminal, b"\n42")
            os.write(terminal, b"\x04")  # Ctrl-D: main.py again
            hear(terminal, b"soft reboot")
            os.write(terminal, b"\x1d")  # Ctrl-]
            assert process.wait(10) == 0
        finally:
            process.kill()
            process.wait()
            os.close(terminal)
        runs(board)


def hear(terminal: int, words: bytes) -> None:
    """Read what the terminal shows until these words."""
    heard = b""
    while words not in heard:
        assert select.select([terminal], [], [], 10)[0], heard
        heard += os.read(terminal, 1000)


def test_mip_installs_the_same(repository: Path, console: Said) -> None:
    with bench(CALIBRATION) as board:
        package = str(repository / "hardware" / "package.json")
        mpremote(board, "mip", "install", "--target", "/", package, "+", "reset")
        runs(board)
        assert holds(board.port) == digests(SOURCES | CALIBRATION)
        flash.flash(board.port, BOARD, console)
        assert holds(board.port) == digests(IMAGE | CALIBRATION)


@pytest.mark.parametrize("name", mip.package())
def test_the_package_is_up_to_date(name: str, repository: Path) -> None:
    committed = repository / "hardware" / name
    assert committed.read_bytes() == mip.package()[name], "stale: `python -m underglow.mip` writes it anew"
