"""A recording of a link's traffic, and what becomes of it when it is fed back: to the host, and to a board."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import serial
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from underglow import recording, wire
from underglow.bench.vm import Bench
from underglow.cli import app
from underglow.link import Link
from underglow.profile import Board
from underglow.recording import TO_BOARD, TO_HOST, Recording, RecordingError
from underglow.session import Occupied, Program, Up
from underglow.testing import Strip

UNDERGLOW = str(Path(sys.executable).with_name("underglow"))


@pytest.fixture
def tape(board: Bench, board_profile: Board, tmp_path: Path) -> tuple[Path, list[Any]]:
    """A recording of some moves and a picture, over a replug, and what the link told meanwhile."""
    path = tmp_path / "wire.jsonl"
    with Recording(path) as tape:
        link = Link(board.port, board_profile, recording=tape)
        told: list[Any] = link.connect()
        for space in ("h19", "h20"):
            board.place(space, "figure")
            told += link.wait(0.5)
        link.show(((Program(wire.SOLID, 0, 255, 0), (3,)),))
        board.unplug()
        told += link.wait(0.5)
        board.place("h21", "figure")
        board.replug()
        for _ in range(10):
            told += link.wait(0.1)
        link.close()
    return path, [happening for happening in told if isinstance(happening, Up | Occupied)]


def test_the_host_understands_what_it_understood_then(tape: tuple[Path, list[Any]], board_profile: Board) -> None:
    path, told = tape
    again = [happening for _, happening in recording.understand(recording.read(path), board_profile)]
    assert [happening for happening in again if isinstance(happening, Up | Occupied)] == told
    assert sum(isinstance(happening, Up) for happening in again) == 2


@pytest.mark.parametrize("fast", [True, False])
def test_a_board_does_what_it_was_told_then(
    tape: tuple[Path, list[Any]], board: Bench, strip: Strip, fast: bool
) -> None:
    path, _ = tape
    said = list(recording.read(path))
    board.unplug(power=True)
    board.replug()
    start_s = time.monotonic()
    with serial.Serial(board.port) as port:
        answers = [message for _, message in recording.ask(said, port, fast=fast)]
    assert fast or time.monotonic() - start_s > said[-1].t_s
    assert [type(message) for message in answers].count(wire.Welcome) >= 2
    strip.wait(lambda pixels: [pixel for pixel in pixels if any(pixel)] == [(0, 255, 0)])


def test_a_file_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "wire.jsonl"
    path.touch()
    with pytest.raises(RecordingError, match="there is such a file already"):
        Recording(path)
    with pytest.raises(RecordingError, match="can't be written"):
        Recording(tmp_path / "nowhere" / "wire.jsonl")
    with pytest.raises(RecordingError, match="can't be read"):
        list(recording.read(tmp_path))


def test_a_full_disk_ends_the_recording_and_nothing_else(tmp_path: Path) -> None:
    tape = Recording(tmp_path / "wire.jsonl")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        for _ in range(5):
            tape.add(TO_BOARD, b"x")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with pytest.raises(RecordingError, match="only a part was recorded"):
        tape.close()


@pytest.mark.parametrize("line", ["", "{}", '{"t_s": -1, "to": "board", "bytes": ""}', '{"t_s": 0, "to": "hos', "\x00"])
def test_a_line_that_is_none_is_told_with_its_number_after_those_before_it(tmp_path: Path, line: str) -> None:
    path = tmp_path / "wire.jsonl"
    with Recording(path) as tape:
        tape.add(TO_BOARD, b"\x00\xff")
        tape.add(TO_HOST, b"x")
    path.write_text(path.read_text() + line + "\n")
    lines = recording.read(path)
    assert [(said.to, said.data) for said in (next(lines), next(lines))] == [("board", b"\x00\xff"), ("host", b"x")]
    with pytest.raises(RecordingError, match=r"wire\.jsonl:3: this is no line of a recording"):
        next(lines)


@given(st.lists(st.tuples(st.booleans(), st.binary(max_size=120)), max_size=8))
def test_traffic_of_any_origin_is_heard_out(board_profile: Board, traffic: list[tuple[bool, bytes]]) -> None:
    hello = wire.encode(3, wire.Hello(wire.PROTOCOL, wire.SCHEMA, board_profile.crc))
    said = [recording.Said.model_construct(t_s=0.0, to=TO_BOARD, data=hello)]
    said += [recording.Said.model_construct(t_s=1.0, to=TO_BOARD if up else TO_HOST, data=data) for up, data in traffic]
    assert list(recording.understand(said, board_profile)) == []


def test_the_commands_record_and_replay(tmp_path: Path) -> None:
    path = tmp_path / "wire.jsonl"
    process = subprocess.Popen(
        [UNDERGLOW, "record", str(path)], stdout=subprocess.PIPE, text=True, env=os.environ, start_new_session=True
    )
    assert process.stdout
    assert process.stdout.readline().startswith("up: firmware")
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert process.returncode == 0
    heard = CliRunner().invoke(app, ["replay", "--wire", str(path)])
    assert (heard.exit_code, "up: firmware" in heard.output) == (0, True)
    told = CliRunner().invoke(app, ["replay", "--wire", str(path), "--board", "vm", "--fast"])
    assert (told.exit_code, "Welcome" in told.output) == (0, True)
    refused = CliRunner().invoke(app, ["replay", "--wire", str(tmp_path / "nothing")])
    assert refused.exit_code == 2


def test_run_records_too(tmp_path: Path) -> None:
    path = tmp_path / "wire.jsonl"
    process = subprocess.Popen(
        [UNDERGLOW, "run", "--headless", "--journal", str(tmp_path / "journal.sqlite"), "--record", str(path)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert {said.to for said in recording.read(path)} == {"board", "host"}
