"""The chip tier's own process: one loop between the emulated chip, the console's PTY and the control pipe.

The chip keeps its own time, which never runs ahead of the wall clock and falls behind while the emulator has much to
do. Every time told by this process is the chip's.
"""

from __future__ import annotations

import mmap
import select
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from underglow.bench import child, emulator
from underglow.bench.commands import Commands
from underglow.bench.port import Port
from underglow.bench.wiring import Circuit, Wiring

emulator.use()
from underglow.bench.flash_image import files_in  # noqa: E402 - the fastest emulator must be found first
from underglow.bench.silicon import Chip  # noqa: E402

CLOCK_BYTES = 8

_SLICE_US = 250
"""The chip's time between two looks at the outside."""

_LATE_NS = 20_000_000
"""A chip that has fallen further behind than this does not catch up."""

_RING_BYTES = 512
"""What waits in the host's kernel; then a host's write is held up."""

_ENUMERATION_US = 2_000_000


class Start(NamedTuple):
    """What the process is told first; `flash` is a whole flash."""

    wiring: Wiring
    flash: bytes
    seed: int


class _Bench:
    """The loop and what hangs on it."""

    def __init__(self, control: Connection, start: Start, folder: Path) -> None:
        self._control = control
        with (folder / "clock").open("w+b") as file:  # the chip's time, an unsigned 64-bit count of ns
            file.truncate(CLOCK_BYTES)
            self._clock = memoryview(mmap.mmap(file.fileno(), CLOCK_BYTES)).cast("Q")
        self._port = Port(folder / "port", lambda: self._chip.now_ns)
        self._circuit = Circuit(start.wiring)
        self._chip = Chip(start.flash, self._circuit, self._said, self._plugged, start.seed)
        self._chip.cable.listening = False
        self._plugged_in = True
        self._commands = self._by_name()
        self._running = True

    # --- the loop ---

    def run(self) -> None:
        """Serve until the control pipe closes."""
        chip = self._chip
        chip.run_until(lambda: self._port.fd >= 0, _ENUMERATION_US)
        self._control.send(None)
        ahead_ns = chip.now_ns - time.monotonic_ns()  # of the wall clock; how much is right, is set here
        while self._running:
            spare_ns = chip.now_ns - time.monotonic_ns() - ahead_ns
            if spare_ns < -_LATE_NS:
                ahead_ns += spare_ns
            self._outside(max(0, spare_ns))
            chip.advance(_SLICE_US)
            self._clock[0] = chip.now_ns
        self._port.unplug()

    def _outside(self, spare_ns: int) -> None:
        poll = select.poll()
        poll.register(self._control.fileno(), select.POLLIN)
        if self._port.hears:
            poll.register(self._port.fd, select.POLLIN)
        for fd, _ in poll.poll(spare_ns / 1e6):
            if fd == self._control.fileno():
                self._command()
        port, cable = self._port, self._chip.cable
        if port.look():
            cable.send(port.read(_RING_BYTES - cable.backlog))
        port.flush()
        if port.broken:
            self._unplug(power=False)
        cable.listening = port.listening
        cable.hold(bool(port.out))

    def _said(self, data: bytes) -> None:
        self._port.write(data)
        self._port.flush()
        if self._port.out:
            self._chip.cable.hold(True)

    def _plugged(self, there: bool) -> None:
        if there:
            self._port.plug()
        else:
            self._port.unplug()

    # --- control ---

    def _by_name(self) -> dict[str, Callable[..., object]]:
        commands = Commands(self._circuit, lambda: self._chip.now_ns)
        return commands.by_name() | {
            "unplug": self._unplug,
            "replug": self._replug,
            "reset": self._reset,
            "disturb": self._port.disturb,
            "stall": self._port.stall,
            "cut": self._port.cut,
            "stats": lambda: commands.stats() | self._traffic(),
            "says": lambda: "\n".join(self._chip.log.errors),
            "files": lambda: files_in(bytes(self._chip.mcu.flash)),
        }

    def _command(self) -> None:
        self._running = child.obey(self._control, self._commands) and self._running

    def _unplug(self, power: bool) -> None:
        self._plugged_in = False
        if power and self._chip.powered:
            self._chip.power_off()
            self._circuit.power_off(self._chip.now_ns)
        else:
            self._chip.cable.pull()

    def _replug(self) -> None:
        if not self._chip.powered:
            self._chip.power_on()
        if not self._plugged_in:
            self._chip.cable.plug()
        self._plugged_in = True

    def _reset(self) -> None:
        if self._chip.powered:
            self._chip.reset()

    def _traffic(self) -> dict[str, int]:
        port = self._port
        return {"bytes_to_board": port.received, "bytes_from_board": port.sent, "bites": self._chip.bites}


def main(control_fd: int, folder: Path) -> None:
    """Be the bench whose control pipe is that file descriptor.

    `folder` gets the port as `port` and the clock as `clock`; it is removed in the end.
    """

    def run(control: Connection, start: Start) -> None:
        _Bench(control, start, folder).run()

    child.serve(control_fd, folder, run)
