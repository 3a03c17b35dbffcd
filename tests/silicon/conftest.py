"""Emulated chips for tests: bare ones in their own time, and one board with the firmware on a PTY."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import pytest

from underglow.bench import chip, emulator, uf2
from underglow.profile import Board
from underglow.testing import cannot_run

if TYPE_CHECKING:
    from bare_chip import BareChip


@pytest.fixture(scope="session")
def micropython_uf2() -> uf2.Uf2:
    """MicroPython for the RP2040, with an emulator to run it."""
    try:
        emulator.use()
        return uf2.find(build=False)
    except (emulator.NoEmulator, uf2.NoUf2) as missing:
        cannot_run(str(missing))


@pytest.fixture
def bare(micropython_uf2: uf2.Uf2, board_profile: Board) -> Callable[..., BareChip]:
    """Makes a chip without firmware of ours, in its own time, its REPL entered: bare(seed=1, slowness=1.0)."""
    from bare_chip import BareChip

    return partial(BareChip, micropython_uf2, board_profile)


@pytest.fixture(scope="module")
def bench(micropython_uf2: uf2.Uf2, board_profile: Board) -> Iterator[chip.Bench]:
    """The board on the chip, as `underglow flash` leaves it."""
    with chip.Bench.start(board_profile, chip.compiled_files(board_profile), micropython_uf2.path) as running:
        yield running
