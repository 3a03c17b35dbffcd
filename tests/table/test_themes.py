"""Themes: every meaning has a light, and one theme does without hue."""

from __future__ import annotations

from itertools import pairwise

import pytest

from underglow import profile, wire
from underglow.games.contract import Cue, Meaning
from underglow.session import Program
from underglow.themes import COLOUR_SAFE, THEMES, Theme, picture


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_meaning_has_its_own_light(theme: Theme) -> None:
    assert set(theme) == set(Meaning)
    assert len(set(theme.values())) == len(Meaning)


def test_the_colour_safe_theme_tells_meanings_apart_without_hue() -> None:
    movements = {(program.effect, program.period_ms) for program in COLOUR_SAFE.values()}
    assert len(movements) == len(Meaning)


def test_periods_are_apart_far_enough_to_be_seen() -> None:
    for effect in (wire.PULSE, wire.BLINK, wire.BREATHE):
        periods = sorted(program.period_ms for program in COLOUR_SAFE.values() if program.effect == effect)
        assert all(longer >= 1.3 * shorter for shorter, longer in pairwise(periods))


def test_a_picture_groups_lamps_alike_in_the_order_of_their_cues_and_dims_by_level() -> None:
    board = profile.load("hex48")
    theme = dict.fromkeys(Meaning, Program(wire.SOLID, 200, 100, 50))
    cues = {"h05": Cue(Meaning.READY), "h02": Cue(Meaning.STOP), "h01": Cue(Meaning.READY, 51)}
    bright, dim = picture(theme, cues, board)
    assert bright == (Program(wire.SOLID, 200, 100, 50), tuple(map(board.lamp_of, ("h05", "h02"))))
    assert dim == (Program(wire.SOLID, 40, 20, 10), (board.lamp_of("h01"),))
