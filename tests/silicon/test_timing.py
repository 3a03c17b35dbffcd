"""The firmware's figures on the chip, in its own time: those that one short run can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from underglow import profile, wire
from underglow.bench import chip, uf2
from underglow.bench.devices.pixel_strip import LOW_NS, ONE_HIGH_NS, RESET_NS, ZERO_HIGH_NS
from underglow.profile import Board
from underglow.session import Program

if TYPE_CHECKING:
    from underglow.bench.chip_trial import Trial

CHASE = Program(wire.CHASE, 255, 120, 0, 900)


@pytest.fixture(scope="module")
def trial(micropython_uf2: uf2.Uf2, board_profile: Board) -> Trial:
    """A board in its stride, all its lamps in motion."""
    assert micropython_uf2
    from underglow.bench.chip_trial import Trial

    trial = Trial(board_profile, chip.compiled_files(board_profile))
    trial.until_up()
    trial.show(((CHASE, tuple(range(len(board_profile.lamps)))),))
    trial.chip.advance(60_000)
    return trial


def test_the_board_answers_within_half_a_second_of_power(trial: Trial) -> None:
    assert trial.heard[0][0] <= 500_000_000


def test_it_scans_and_shows_often_enough_while_every_lamp_moves(trial: Trial) -> None:
    scan_hz, fps = trial.rates(500_000)
    assert scan_hz >= 500
    assert fps >= 60


def test_bits_and_pauses_are_inside_the_windows_of_the_ws2812(trial: Trial) -> None:
    scope = trial.scope
    assert len(scope.bursts) >= 5
    for high_ns in scope.highs:
        assert any(least <= high_ns <= most for least, most in (ZERO_HIGH_NS, ONE_HIGH_NS)), scope.highs
    assert min(scope.lows) >= LOW_NS
    assert min(scope.pauses_ns) >= RESET_NS


def test_interrupts_are_hardly_ever_masked(trial: Trial) -> None:
    assert trial.longest_mask_us(60_000) <= 20


def test_with_306_lamps_all_in_motion_it_scans_and_shows_as_often(micropython_uf2: uf2.Uf2) -> None:
    assert micropython_uf2
    from underglow.bench.chip_trial import Trial

    board = profile.load("hex37-edges")
    trial = Trial(board, chip.compiled_files(board))
    trial.until_up()
    trial.show(((CHASE, tuple(range(len(board.lamps)))),))
    trial.chip.advance(100_000)
    scan_hz, fps = trial.rates(500_000)
    assert scan_hz >= 500
    assert fps >= 60
    rgb = trial.circuit.strip.latched.rgb
    assert sum(any(rgb[at : at + 3]) for at in range(0, len(rgb), 3)) > len(board.lamps) // 5  # a quarter is tails
