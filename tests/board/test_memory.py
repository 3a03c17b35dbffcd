"""What the board's loop takes of the Pico's memory at rest: nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import serial

from underglow.bench.vm import Bench
from underglow.profile import Board
from underglow.testing import Hands

HERE = Path(__file__).parent
UIDS = ("deadbeef", "04a1b2c3d4e580", "04a1b2c3d4e581", "04a1b2c3d4e5f6071829", "0411223344558f")


class TestSteadyLoop:
    @pytest.fixture
    def board_files(self, board_files: Mapping[str, bytes]) -> Mapping[str, bytes]:
        return {**board_files, "main.py": (HERE / "run_steady.py").read_bytes()}

    def test_allocates_nothing_with_a_tag_on_each_reader(
        self, board: Bench, hands: Hands, board_profile: Board
    ) -> None:
        for space, uid in zip(board_profile.readers, UIDS, strict=True):
            hands.place(space, uid, uid=bytes.fromhex(uid))
        with serial.Serial(board.port, timeout=60) as port:
            said = port.read_until(b" polls")
            while said.startswith(b":"):  # frames to a host
                said = said.partition(b"\n")[2]
        assert b"Error" not in said, said.decode()
        polls = int(said.split(b"steady through ")[1].split()[0])
        assert polls >= 2 * len(board_profile.readers)
