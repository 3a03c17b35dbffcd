"""The pytest plugin: its option, its fixtures, and what it says when something is missing or does not come."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from underglow.bench.vm import Bench
from underglow.profile import Board
from underglow.testing import Hands, Strip


def pytest_here(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """pytest as a user of the plugin would run it, on what lies in `folder`."""
    env = {name: value for name, value in os.environ.items() if name not in ("CI", "PYTEST_ADDOPTS")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", str(folder), *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        cwd=folder,
        env=env | environment,
    )


def test_an_unknown_tier_is_a_usage_error_that_names_the_known_ones(tmp_path: Path) -> None:
    done = pytest_here(tmp_path, "--board=paper")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--board=paper: there is no such tier; known are: vm, chip" in done.stderr


NO_MICROPYTHON = """
import pytest
from underglow.bench import vm

@pytest.fixture(autouse=True)
def nothing_here(monkeypatch):
    def none():
        raise vm.NoMicroPython("none to be had")
    monkeypatch.setattr(vm, "micropython", none)

def test_board(board):
    assert False
"""


@pytest.mark.parametrize(("ci", "outcome"), [("", "1 skipped"), ("true", "1 error")])
def test_without_micropython_it_skips_with_the_reason_but_fails_in_ci(tmp_path: Path, ci: str, outcome: str) -> None:
    (tmp_path / "test_it.py").write_text(NO_MICROPYTHON)
    done = pytest_here(tmp_path, CI=ci)
    assert outcome in done.stdout
    assert "none to be had" in done.stdout


def test_the_firmware_runs_on_the_board_and_scans_and_lights_it(board: Bench, strip: Strip) -> None:
    first = strip.wait(any_light)
    second = strip.wait(lambda pixels: pixels != first.pixels)  # its waiting light moves
    assert second.number > first.number
    assert board.stats()["loads"] > 0


def any_light(pixels: tuple[tuple[int, int, int], ...]) -> bool:
    return any(any(colour) for colour in pixels)


def test_hands_move_magnets(board: Bench, hands: Hands) -> None:
    before_ns = time.monotonic_ns()
    placed_ns = hands.place("h01")
    hands.place("h02")
    hands.place("h03", "figure")
    assert before_ns <= placed_ns <= time.monotonic_ns()
    assert board.magnets() == {"magnet of h01": "h01", "magnet of h02": "h02", "figure": "h03"}
    hands.place("h04", "figure")
    assert hands.lift("h01") > placed_ns
    hands.lift("figure")
    assert board.magnets() == {"magnet of h02": "h02"}
    with pytest.raises(ValueError, match="'h04' is no token, and on a space of that name are 0"):
        hands.lift("h04")
    with pytest.raises(ValueError, match="has no space 'h99'; it has: h01, h02"):
        hands.place("h99")
    hands.place("h02", "another")
    with pytest.raises(ValueError, match="are 2"):
        hands.lift("h02")


def test_hands_carry_tags_and_push_buttons(board: Bench, hands: Hands) -> None:
    hands.place("z1", "card", uid=bytes.fromhex("04a1b2c3d4e580"), magnet=False)
    assert (board.tokens(), board.magnets()) == ({"card": "z1"}, {})
    hands.lift("z1")
    assert board.tokens() == {}
    before_us = board.now_us
    hands.press("confirm", "undo", hold_s=0.05, bounce_ms=2)
    assert board.now_us - before_us >= 50_000
    with pytest.raises(ValueError, match="no button 'fire'"):
        hands.press("fire")


def test_a_magnet_that_is_nowhere_cannot_be_lifted(board: Bench) -> None:
    with pytest.raises(ValueError, match="'figure' is not on the board; on it are: none"):
        board.lift("figure")


def test_waiting_in_vain_shows_the_last_frames(strip: Strip, board_profile: Board) -> None:
    strip.wait(any_light)
    with pytest.raises(pytest.fail.Exception) as failure:
        strip.wait(lambda pixels: len(pixels) == 1, timeout_s=0.1)
    lines = str(failure.value).splitlines()
    assert lines[0] == "no frame came up to it in 0.1 s; the last were:"
    first_lit = next(iter(space.id for space in board_profile.spaces if space.lamps["centre"] == 0))
    assert len(lines) == 6
    assert all(
        re.search(rf"^  \d+ \(.* ms ago\): .*{first_lit} #[0-9a-f]{{6}}.*, and \d+ more$", line) for line in lines[1:]
    )
