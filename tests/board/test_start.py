"""The board's start: quick, and never without a way in."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

import pytest
import serial

from underglow import image
from underglow.bench.vm import Bench
from underglow.profile import Board


def read_until(port: serial.Serial, ending: bytes, tries: int = 60) -> bytes:
    """What the port says until that; each try takes as long as the port's time-out."""
    said = b""
    while not said.endswith(ending) and tries:
        said += port.read_until(ending)
        tries -= 1
    assert said.endswith(ending), said
    return said


class TestBoot:
    """boot.py alone on the flash, with a program that runs it once more and takes the time."""

    TIMED = b"""
import time
start_us = time.ticks_us()
with open("boot.py") as file:
    exec(file.read())
took_us = time.ticks_diff(time.ticks_us(), start_us)
while True:
    print("boot.py took", took_us, "us")
    time.sleep_ms(100)
"""

    @pytest.fixture
    def board_files(self, board_profile: Board) -> Mapping[str, bytes]:
        return {"boot.py": image.board_files(board_profile)["boot.py"], "main.py": self.TIMED}

    def test_returns_within_100_ms(self, board: Bench) -> None:
        with serial.Serial(board.port, timeout=1) as port:
            read_until(port, b"boot.py took ")
            assert int(read_until(port, b" us").split()[0]) < 100_000


class TestFaultyProfile:
    FAULTS = ("missing", "half", "a bus on the wrong pins", "a reader of no kind")

    @pytest.fixture(params=FAULTS, ids=lambda fault: fault.replace(" ", "-"))
    def board_files(self, board_files: Mapping[str, bytes], request: pytest.FixtureRequest) -> Mapping[str, bytes]:
        files = dict(board_files)
        profile = json.loads(files["profile.json"])
        match request.param:
            case "missing":
                del files["profile.json"]
                return files
            case "half":
                return files | {"profile.json": files["profile.json"][:200]}
            case "a bus on the wrong pins":
                profile["hall"]["sck"] = 3
            case _:
                profile["nfc"]["readers"][4]["chip"] = "mfrc530"
        return files | {"profile.json": json.dumps(profile).encode()}

    def test_leaves_a_repl_and_a_light_of_its_own(self, board: Bench) -> None:
        with serial.Serial(board.port, timeout=1) as port:
            port.write(b"\r")
            read_until(port, b">>> ")
            port.write(b"print(6 * 7)\r")
            read_until(port, b"42")
        before, before_us = board.stats()["led_changes"], board.now_us
        board.sleep(0.5)
        changes_a_second = (board.stats()["led_changes"] - before) * 1e6 / (board.now_us - before_us)
        assert 8 <= changes_a_second <= 20  # eight times it goes on, and off
        assert not any(any(colour) for colour in board.pixels().pixels)


def test_a_healthy_board_leaves_the_picos_own_light_alone(board: Bench) -> None:
    until_s = time.monotonic() + 20
    while board.stats()["frames"] < 5:
        assert time.monotonic() < until_s
        time.sleep(0.01)
    assert board.stats()["led_changes"] == 0
