"""`firmware/board.py` and `program.py` on MicroPython with the simulated board around them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
import serial

from underglow import image
from underglow.bench.vm import Bench
from underglow.link import Link
from underglow.profile import Board

HERE = Path(__file__).parent


def mpremote(port: str, *arguments: str) -> str:
    out = subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", port, *arguments], capture_output=True, text=True, timeout=30
    )
    assert out.returncode == 0, out.stdout + out.stderr
    return out.stdout


class TestSteadyLoop:
    @pytest.fixture
    def board_files(self, board_profile: Board) -> Mapping[str, bytes]:
        files = image.board_files(board_profile)
        return files | {"main.py": (HERE / "run_steady.py").read_bytes()}

    def test_allocates_nothing(self, board: Bench) -> None:
        with serial.Serial(board.port, timeout=10) as port:
            said = b""
            while b"steady" not in said:
                line = port.readline()
                assert line, said
                said += line
                assert b"Error" not in said, said


def test_plain_mpremote_gets_in_while_the_program_runs_and_the_board_comes_back(
    board: Bench, board_profile: Board
) -> None:
    link = Link(board.port, board_profile)
    link.connect()
    link.wait(0.2)
    link.close()
    assert mpremote(board.port, "exec", "print(6 * 7)").strip() == "42"
    listed = mpremote(board.port, "fs", "ls")
    assert all(name in listed for name in ("boot.py", "main.py", "board.py", "drivers/", "wire.py", "profile.json"))
    mpremote(board.port, "reset")
    time.sleep(0.3)
    link = Link(board.port, board_profile)
    assert link.connect()
    link.close()


def test_public_report_0x03_as_noise_does_not_end_the_program(board: Bench, board_profile: Board) -> None:
    with serial.Serial(board.port) as port:
        for _ in range(20):
            port.write(b"AT+GCAP\x03 noise :QUJD\x03QUJD\n")
    link = Link(board.port, board_profile)
    assert link.connect()
    link.close()


def test_the_firmware_does_not_know_where_it_runs(repository: Path) -> None:
    """The same bytes on the bench, the emulated chip and a Pico: nothing in them asks which it is."""
    for path in (repository / "firmware").rglob("*.py"):
        text = path.read_text().lower()
        for word in ("simulat", "bench", "emulat", "sys.platform", "os.uname", "implementation"):
            assert word not in text, (path.name, word)


def test_the_bench_runs_the_files_of_the_checkout(repository: Path, board_profile: Board) -> None:
    files = image.board_files(board_profile)
    sources = {p.relative_to(repository / "firmware").as_posix() for p in (repository / "firmware").rglob("*.py")}
    assert set(files) == sources | {"wire.py", "profile.json"}
    for name in sources:
        assert files[name] == (repository / "firmware" / name).read_bytes()
