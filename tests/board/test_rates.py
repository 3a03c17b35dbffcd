"""How often a board looks at its switches, with readers polling and without. `pytest -s` shows the figures."""

from __future__ import annotations

import dataclasses

import pytest
from listening import Host

from underglow.bench.vm import Bench
from underglow.profile import Board
from underglow.testing import Hands

_TIME_S = 1.0


class TestRates:
    @pytest.fixture(params=["five readers", "no reader"])
    def board_profile(self, board_profile: Board, request: pytest.FixtureRequest) -> Board:
        return board_profile if request.param == "five readers" else dataclasses.replace(board_profile, nfc=None)

    def test_a_busy_board_is_steady(self, host: Host, hands: Hands, board: Bench, board_profile: Board) -> None:
        tags = {space: {bytes((4, n, *range(5)))} for n, space in enumerate(board_profile.readers)}
        for space, (uid,) in tags.items():
            hands.place(space, f"token of {space}", uid=uid)
        hands.place("h19")
        host.until(lambda: host.tags() == tags and host.felt == {"h19", *tags})
        told = len(host.heard)
        before, before_us = board.stats(), board.now_us
        host.listen(_TIME_S)
        after, passed_s = board.stats(), (board.now_us - before_us) / 1e6
        assert len(host.heard) == told
        scans, frames = ((after[name] - before[name]) / passed_s for name in ("loads", "frames"))
        assert min(scans, frames) > 0
        print(f"\n{len(tags)} readers: {scans:.0f} scans/s, {frames:.0f} frames/s")
