"""A board that stands still, or loses its supply, starts anew and says so."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from listening import Host

from underglow import image
from underglow.bench.vm import Bench
from underglow.profile import Board
from underglow.testing import Hands

# In place of main.py: a magnet makes a part of the board stand still, each another.
STANDING = b"""
import board, link, program
from drivers.ws2812 import PixelStrip

boards = []
class Felt(board.Board):
    def __init__(self, *parts):
        super().__init__(*parts)
        boards.append(self)
program.Board = Felt

def felt(space):
    sensor = SENSORS[space]
    return boards and boards[0].occupancy_number and boards[0]._felt()[sensor >> 3] & 0x80 >> (sensor & 7)

def stand_still(space, owner, name, answer=None):
    moving = getattr(owner, name)
    def standing(self, now):
        while felt(space):
            if answer is not None:
                return answer
        return moving(self, now)
    setattr(owner, name, standing)

stand_still("h01", board.Board, "_sense")
stand_still("h02", link.Link, "speak")
stand_still("h03", board.Board, "_glow")
stand_still("h04", PixelStrip, "ready", False)
program.main()
"""
TIMEOUT_S = 0.5


class TestStandingStill:
    @pytest.fixture
    def board_files(self, board_files: Mapping[str, bytes], board_profile: Board) -> Mapping[str, bytes]:
        files = {name: content for name, content in board_files.items() if name != "program.mpy"}
        program = image.board_files(board_profile)["program.py"]
        assert b"_WATCHDOG_MS = 4000\n" in program
        program = program.replace(b"_WATCHDOG_MS = 4000\n", b"_WATCHDOG_MS = %d\n" % (TIMEOUT_S * 1000))
        sensors = {space.id: space.hall for space in board_profile.spaces}
        return files | {"program.py": program, "main.py": f"SENSORS = {sensors}\n".encode() + STANDING}

    def test_is_ended_by_the_watchdog_whatever_stands_still(self, host: Host, hands: Hands) -> None:
        host.listen(1.5 * TIMEOUT_S)
        assert len(host.boots) == 1  # it moves, and nothing happens
        for space in ("h01", "h02", "h03", "h04"):
            boots = len(set(host.boots))
            hands.place(space, "magnet")
            host.listen(1.2 * TIMEOUT_S)
            hands.lift("magnet")
            host.until(lambda boots=boots: len(set(host.boots)) > boots and not host.felt)
        # It may have come up with the magnet still there, and stand still once more.
        host.listen(1.5 * TIMEOUT_S)
        boots = len(host.boots)
        host.listen(1.5 * TIMEOUT_S)
        assert len(host.boots) == boots


def test_after_a_brown_out_all_that_stands_there_is_known_again(host: Host, hands: Hands, board: Bench) -> None:
    uid = bytes.fromhex("04a1b2c3d4e580")
    hands.place("z1", "card", uid=uid)
    hands.place("h19")
    host.until(lambda: host.tags() == {"z1": {uid}} and host.felt == {"z1", "h19"})
    board.unplug(power=True)
    host.listen(0.2)
    hands.place("h20", "magnet of h19")
    board.replug()
    host.until(lambda: len(set(host.boots)) == 2)
    host.until(lambda: host.tags() == {"z1": {uid}} and host.felt == {"z1", "h20"})
