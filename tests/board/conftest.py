"""A host for the board under test, and time enough for a slow one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from listening import Host

from underglow.bench.vm import Bench
from underglow.profile import Board

_CHIP_TIMEOUT_S = 600
"""An emulated chip is some ten times slower than a real one, and more where others are at work."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let the tests of this folder take longer on the chip tier."""
    if config.getoption("--board") == "chip":
        for item in items:
            if item.path.is_relative_to(Path(__file__).parent):
                item.add_marker(pytest.mark.timeout(_CHIP_TIMEOUT_S))


@pytest.fixture
def host(board: Bench, board_profile: Board) -> Iterator[Host]:
    """A host that is connected to the board."""
    connected = Host(board, board_profile)
    yield connected
    connected.link.close()
