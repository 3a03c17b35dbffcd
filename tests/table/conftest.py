"""The game that the tests of the table play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from play import Play

from underglow.bench.vm import Bench


@pytest.fixture
def play(board: Bench, tmp_path: Path) -> Iterator[Play]:
    """A running game."""
    playing = Play(board, tmp_path, seed=7)
    yield playing
    playing.end()
