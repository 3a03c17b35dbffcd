"""The game that the tests of the table play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from play import Play

from underglow.bench.vm import Bench
from underglow.set_up import SetUp


@pytest.fixture
def play(board: Bench, tmp_path: Path) -> Iterator[Play]:
    """A running game."""
    playing = Play(board, tmp_path, 7, SetUp())
    yield playing
    playing.end()
