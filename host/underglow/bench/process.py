"""The bench's own process: one loop between the VM, the circuit, the console's PTY and whoever holds the control pipe.

Only light imports: it is up before the firmware is.
"""

from __future__ import annotations

import fcntl
import os
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple, cast

from underglow.bench import child
from underglow.bench.commands import Commands
from underglow.bench.console import Console
from underglow.bench.rp2040 import Rp2040, Watchdog
from underglow.bench.shims import records
from underglow.bench.wiring import Circuit, Wiring

_LOOK_NS = 2_000_000
"""How often what brings no event is looked after: a host that opens the port, room in a full ring, the watchdog."""

_ENUMERATION_S = 0.05
"""From a reset until the port is back. A real host takes some ten times as long."""

_STDERR_BYTES = 8192
_POWER_ON, _WATCHDOG_BIT = 1, 3  # machine.PWRON_RESET, machine.WDT_RESET


class Start(NamedTuple):
    """What the process is told first."""

    wiring: Wiring
    micropython: list[str]
    shims: str


class _Vm:
    """One run of the program: MicroPython's process and the ends of its lines that the bench holds."""

    def __init__(self, start: Start, flash: Path, console: Console, cause: int, *, raw: bool, serial: str) -> None:
        self.bus, bus = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.bus.setblocking(False)
        self.lifeline, lifeline = socket.socketpair()
        self.stderr, stderr = os.pipe()
        os.set_blocking(self.stderr, False)
        with bus, lifeline:
            self._process = subprocess.Popen(
                [
                    *start.micropython, "-X", "heapsize=512k", f"{start.shims}/pico.py",
                    str(flash), str(bus.fileno()), str(cause), "raw" if raw else "friendly", serial,
                ],
                stdin=console.vm_end.fileno(),
                stdout=console.vm_end.fileno(),
                stderr=stderr,
                pass_fds=(bus.fileno(), lifeline.fileno()),
                env={**os.environ, "MICROPYPATH": f"{start.shims}:.frozen"},
            )  # fmt: skip
            # If this process is gone, however it went, the kernel closes the lifeline, and that signal ends the VM.
            fcntl.fcntl(lifeline, fcntl.F_SETOWN, self._process.pid)
            fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
        os.close(stderr)

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self.bus.close()
        self.lifeline.close()
        os.close(self.stderr)


class Bench:
    """The loop and what hangs on it."""

    def __init__(self, control: Connection, start: Start, folder: Path) -> None:
        self._control = control
        self._start = start
        self._flash = folder / "flash"
        self._selector = selectors.DefaultSelector()
        self._circuit = Circuit(self._start.wiring)
        self._console = Console(folder / "port", self._interrupt)
        self._commands = self._by_name()
        self._vm: _Vm | None = None
        self._chip: Rp2040 | None = None
        self._watchdog = Watchdog()
        self._stderr = bytearray()
        self._powered = True
        self._serial = f"e66164{os.getpid():010x}"
        self._plug_at_ns = 0
        self._watched: dict[int, int] = {}
        self._rewired = False
        self._running = True

    # --- the loop ---

    def run(self) -> None:
        """Serve until the control pipe closes."""
        self._selector.register(self._control, selectors.EVENT_READ, self._command)
        try:
            self._power_on()
            self._console.port.plug()
            self._control.send(None)
            look_ns = 0
            while self._running:
                self._rewired = False
                for key, _ in self._selector.select(_LOOK_NS / 1e9):
                    cast("Callable[[], None]", key.data)()
                    if self._rewired:
                        break  # the other events may be of lines that are no more; those that are will come again
                now_ns = time.monotonic_ns()
                if now_ns >= look_ns:
                    look_ns = now_ns + _LOOK_NS
                    self._look(now_ns)
                self._watch_console()
        finally:
            self._console.port.unplug()
            self._end_vm()
            self._console.close_sockets()

    def _look(self, now_ns: int) -> None:
        if self._plug_at_ns and now_ns >= self._plug_at_ns:
            self._plug_at_ns = 0
            self._console.port.plug()
        self._console.look(now_ns)
        if self._console.port.broken:
            self._pull_cable()
        if self._chip:
            self._chip.look(now_ns)
        if self._watchdog.biting(now_ns):
            self._reset(_WATCHDOG_BIT)

    def _watch_console(self) -> None:
        console = self._console
        events = selectors.EVENT_READ if console.port.hears and console.room() else 0
        if console.blocked:
            events |= selectors.EVENT_WRITE
        if console.port.fd >= 0:
            self._watch(console.port.fd, events, self._console_ready)
        self._watch(console.end.fileno(), selectors.EVENT_READ if console.wants_output else 0, console.from_vm)

    def _console_ready(self) -> None:
        self._console.flush()
        self._console.from_host()

    def _watch(self, fd: int, events: int, act: Callable[[], None]) -> None:
        before = self._watched.get(fd, 0)
        if events == before:
            return
        self._rewired = True
        if not events:
            self._selector.unregister(fd)
            del self._watched[fd]
            return
        if before:
            self._selector.modify(fd, events, act)
        else:
            self._selector.register(fd, events, act)
        self._watched[fd] = events

    # --- power, reset, program ---

    def _power_on(self, cause: int = _POWER_ON, *, raw: bool = False) -> None:
        self._vm = _Vm(self._start, self._flash, self._console, cause, raw=raw, serial=self._serial)
        self._chip = Rp2040(self._vm.bus, self._circuit, self, self._watchdog)
        self._console.char = None
        self._stderr.clear()
        self._watch(self._vm.bus.fileno(), selectors.EVENT_READ, self._chip.serve)
        self._watch(self._vm.lifeline.fileno(), selectors.EVENT_READ, self._died)
        self._watch(self._vm.stderr, selectors.EVENT_READ, self._complained)

    def _end_vm(self) -> None:
        if not self._vm:
            return
        for fd in (self._vm.bus.fileno(), self._vm.lifeline.fileno(), self._vm.stderr):
            self._watch(fd, 0, self._died)
        self._vm.end()
        self._vm = self._chip = None

    def _power_off(self) -> None:
        self._end_vm()
        self._watch(self._console.end.fileno(), 0, self._died)
        self._console.renew()
        self._watchdog = Watchdog()

    def _pull_cable(self) -> None:
        if self._console.port.fd >= 0:
            self._watch(self._console.port.fd, 0, self._died)
        self._console.port.unplug()
        self._plug_at_ns = 0

    def _reset(self, cause: int) -> None:
        """As the RUN pin or the watchdog does: USB drops, too, and the host enumerates the port anew."""
        plugged = self._console.port.fd >= 0 or self._plug_at_ns
        self._pull_cable()
        self._power_off()
        self._power_on(cause)
        if plugged:
            self._plug_at_ns = time.monotonic_ns() + int(_ENUMERATION_S * 1e9)

    def restart(self, kind: int) -> None:
        """The program asks for a reset."""
        if kind == records.HARD:
            self._reset(_POWER_ON)
        else:
            self._end_vm()
            self._power_on(raw=kind == records.SOFT_TO_RAW_REPL)

    def _died(self) -> None:
        self._complained()
        self._end_vm()

    def _complained(self) -> None:
        if not self._vm:
            return
        try:
            data = os.read(self._vm.stderr, _STDERR_BYTES)
        except BlockingIOError:
            return
        if not data:
            self._watch(self._vm.stderr, 0, self._died)
        self._stderr += data
        del self._stderr[:-_STDERR_BYTES]

    # --- the interrupt character ---

    def interrupt_char(self, char: int | None) -> None:
        """The program says which byte interrupts it."""
        self._console.char = char

    def dupterm(self, there: bool) -> None:
        """Let no read of the console wait, as long as there is a second one."""
        self._console.vm_end.setblocking(not there)  # the VM's stdin is the same socket

    def _interrupt(self) -> None:
        if self._vm:
            self._vm.interrupt()

    # --- control ---

    def _by_name(self) -> dict[str, Callable[..., object]]:
        commands = Commands(self._circuit, time.monotonic_ns)
        return commands.by_name() | {
            "unplug": self._unplug,
            "replug": self._replug,
            "reset": self._reset_by_hand,
            "disturb": self._console.port.disturb,
            "stall": self._console.port.stall,
            "cut": self._console.port.cut,
            "stats": lambda: commands.stats() | self._traffic(),
            "says": self._says,
        }

    def _command(self) -> None:
        self._running = child.obey(self._control, self._commands) and self._running

    def _unplug(self, power: bool) -> None:
        self._pull_cable()
        if power and self._powered:
            self._powered = False
            self._power_off()
            self._circuit.power_off(time.monotonic_ns())

    def _replug(self) -> None:
        if not self._powered:
            self._powered = True
            self._power_on()
        self._plug_at_ns = 0
        if self._console.port.fd < 0:
            self._console.port.plug()

    def _reset_by_hand(self) -> None:
        if self._powered:
            self._reset(_POWER_ON)

    def _traffic(self) -> dict[str, int]:
        return {"bytes_to_board": self._console.port.received, "bytes_from_board": self._console.port.sent}

    def _says(self) -> str:
        complaints = self._chip.complaints if self._chip else ["MicroPython is not running"]
        return "\n".join([*complaints, self._stderr.decode("utf-8", "replace")]).strip()


def main(control_fd: int, folder: Path) -> None:
    """Be the bench whose control pipe is that file descriptor.

    `folder` holds the flash in `flash` and gets the port as `port`; it is removed in the end.
    """

    def run(control: Connection, start: Start) -> None:
        Bench(control, start, folder).run()

    child.serve(control_fd, folder, run)
