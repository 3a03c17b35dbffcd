"""A chip with nothing of ours on it, and its raw REPL."""

from __future__ import annotations

from collections.abc import Mapping

from underglow.bench import flash_image
from underglow.bench.raw_repl import RawRepl
from underglow.bench.silicon import Chip
from underglow.bench.uf2 import Uf2
from underglow.bench.wiring import Circuit, Wiring
from underglow.profile import Board


class BareChip:
    """The chip on `board`'s circuit, in its own time."""

    def __init__(
        self, uf2: Uf2, board: Board, seed: int = 1, slowness: float = 1.0, files: Mapping[str, bytes] | None = None
    ) -> None:
        self.circuit = Circuit(Wiring.of(board))
        self.said = bytearray()
        self.ports: list[bool] = []
        flash = flash_image.with_files(uf2.flash, files or {})
        self.chip = Chip(flash, self.circuit, self.said.extend, self.ports.append, seed, slowness)
        self.enter()

    def enter(self) -> None:
        """Wait for the port and get the raw REPL."""
        assert self.chip.run_until(lambda: bool(self.ports and self.ports[-1]), 500_000)
        self.repl = RawRepl(self.chip, self.said)

    def run(self, source: str) -> str:
        return self.repl.run(source).strip()
