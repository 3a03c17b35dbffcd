"""The bench's chip tier: real firmware on real MicroPython on an emulated RP2040, its console on a PTY."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Self, cast

from underglow import flash, image
from underglow.bench import emulator, uf2, vm
from underglow.bench.wiring import Wiring
from underglow.pico import Interpreter

if TYPE_CHECKING:
    from underglow.profile import Board

_CHILD = """
import sys
from pathlib import Path
from underglow.bench.chip_process import main
main(int(sys.argv[1]), Path(sys.argv[2]))
"""
_TAKES = Interpreter((1, 25, 0), "Raspberry Pi Pico with RP2040", 6 | 3 << 8 | 4 << 10)
"""All of MicroPython from 1.23 on takes such compiled files."""


def compiled_files(board: Board) -> dict[str, bytes]:
    """What `underglow flash` puts on a Pico for that board. PicoError: a source does not compile."""
    return dict(flash.compiled(image.board_files(board), _TAKES).files)


class Bench(vm.Bench):
    """A simulated board as `vm.Bench` is one, its Pico an emulated chip some times slower than a real one.

    The chip lives in its own time: every time that `place`, `lift` and the frames tell is in the chip's ns, and
    `now_us` is its clock. A link that times out by that clock (`Link(..., now_s=...)`) does not notice the slowness.
    """

    def __init__(self, process: subprocess.Popen[bytes], control: Connection, folder: Path) -> None:
        super().__init__(process, control, folder)
        self._clock: memoryview[int] | None = None

    @classmethod
    def start(
        cls, board: Board, files: Mapping[str, bytes], given: Path | None = None, seed: int | None = None
    ) -> Self:
        """Power a board up with those files, by relative path, on its Pico; no files: as if freshly formatted.

        `given` is a UF2 (else see `uf2.find`), `seed` is for the chip's random numbers. NoUf2: there is no MicroPython;
        NoEmulator: there is no chip; ValueError: the files do not fit.
        """
        emulator.use()
        from underglow.bench import flash_image  # needs what `emulator` knows to be here
        from underglow.bench.chip_process import CLOCK_BYTES, Start

        flash = flash_image.with_files(uf2.find(given, build=False).flash, files)
        folder = Path(tempfile.mkdtemp(prefix="underglow-bench-"))
        control, theirs = cast("tuple[Connection, Connection]", Pipe())
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-c", _CHILD, str(theirs.fileno()), str(folder)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # what the terminal sends is for the parent; when that ends, the pipe closes
            )
        bench = cls(process, control, folder)
        try:
            chance = int.from_bytes(os.urandom(4), "little") if seed is None else seed
            control.send(Start(Wiring.of(board), flash, chance))
            bench._receive()
            with (folder / "clock").open("rb") as file:
                mapped = mmap.mmap(file.fileno(), CLOCK_BYTES, access=mmap.ACCESS_READ)
            bench._clock = memoryview(mapped).cast("Q")
        except BaseException:
            bench.stop()
            raise
        return bench

    @property
    def now_us(self) -> float:
        """The chip's clock; it stops with the bench."""
        return self._clock[0] / 1000 if self._clock else 0.0

    def files(self) -> dict[str, bytes]:
        """Return every file in the Pico's flash, by relative path. ValueError: there is no file system."""
        return cast("dict[str, bytes]", self._ask("files"))
