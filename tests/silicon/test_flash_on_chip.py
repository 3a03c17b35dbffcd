"""`underglow flash` onto an RP2040 that holds MicroPython and nothing else."""

from __future__ import annotations

import io

from rich.console import Console

from underglow import flash
from underglow.bench import chip
from underglow.bench.uf2 import Uf2
from underglow.link import Link
from underglow.profile import Board
from underglow.session import Up


def test_an_empty_chip_is_flashed_runs_and_holds_what_was_sent(micropython_uf2: Uf2, board_profile: Board) -> None:
    said = io.StringIO()
    console = Console(file=said, width=200)
    image = chip.compiled_files(board_profile)
    with chip.Bench.start(board_profile, {}, micropython_uf2.path) as bench:

        def now_s() -> float:
            return bench.now_us / 1e6

        flash.flash(bench.port, board_profile, console, now_s)
        assert f"{len(image)} of {len(image)} files copied, 0 removed." in said.getvalue()
        assert f"runs Underglow {flash.version()} with profile {board_profile.name}." in said.getvalue()
        assert bench.files() == image
        link = Link(bench.port, board_profile, now_s=now_s)
        heard = link.connect(2.0)
        link.close()
        assert any(isinstance(happening, Up) for happening in heard)
        assert flash.check(bench.port, board_profile, console)
