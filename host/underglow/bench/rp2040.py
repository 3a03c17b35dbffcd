"""The chip between the firmware and the board, for the VM tier: serves the shims' bus and moves the circuit's pins."""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol, cast

from underglow.bench import pio
from underglow.bench.shims import records
from underglow.bench.wiring import Circuit

_REPLY = struct.Struct(f"<II{records.DATA_BYTES}s")
_PULLED_UP = 1
_OLD_US = 10_000_000


class Supervisor(Protocol):
    """What the chip asks of whoever runs the program."""

    def interrupt_char(self, char: int | None) -> None:
        """From now on this byte on the console interrupts the program; None: no byte does."""
        ...

    def restart(self, kind: int) -> None:
        """End the program and start it again; kinds are in `records`."""
        ...


class Watchdog:
    """The one thing in the chip that a soft reset does not touch. Once started it can only be fed."""

    def __init__(self) -> None:
        self._timeout_ns = 0
        self._bites_ns = 0

    def start(self, timeout_ms: int, now_ns: int) -> None:
        """Bite unless fed within that time, again and again."""
        self._timeout_ns = timeout_ms * 1_000_000
        self.feed(now_ns)

    def feed(self, now_ns: int) -> None:
        """Put off the bite."""
        self._bites_ns = now_ns + self._timeout_ns

    def biting(self, now_ns: int) -> bool:
        """True if it was started and not fed in time."""
        return bool(self._timeout_ns) and now_ns >= self._bites_ns


class _Spi(NamedTuple):
    sck: int
    miso: int
    #: Clock mode 1 shifts on the leading edge and samples on the trailing one; the other three sample first.
    shifts_first: bool


class _Machine:
    def __init__(self, encoder: pio.Encoder | None) -> None:
        self.encoder = encoder
        self.running = False
        self.free_ns = 0  # when the words it holds are out


class Rp2040:
    """Pins, SPI, PIO with DMA, and the watchdog of one Pico, as its program drives them over `bus`."""

    def __init__(self, bus: socket.socket, circuit: Circuit, supervisor: Supervisor, watchdog: Watchdog) -> None:
        self._bus = bus
        self._watchdog = watchdog
        self._circuit = circuit
        self._supervisor = supervisor
        self._buffer = bytearray(records.DATAGRAM_BYTES)
        self._words = memoryview(self._buffer).cast("I")
        self._spi: dict[int, _Spi] = {}
        self._machines: dict[int, _Machine] = {}
        self._pulled_up: set[int] = set()
        #: Why a state machine sends nothing, for people.
        self.complaints: list[str] = []

    def serve(self) -> None:
        """Take one datagram and answer it if it asks."""
        try:
            size = self._bus.recv_into(self._buffer)
        except (BlockingIOError, ConnectionResetError):
            return
        words = self._words
        end = size >> 2
        at = 0
        while at < end:
            word, c = words[at], words[at + 1]
            at += 2
            op, a, b = word & 0xFF, word >> 8 & 0xFF, word >> 16
            if op == records.PIN_DRIVE:
                self._circuit.drive(a, bool(b), time.monotonic_ns())
            elif op == records.SPI_READ:
                self._answer(c & 0xFFFF, 0, self._clock(a, b))
            elif op == records.FEED:
                self._watchdog.feed(time.monotonic_ns())
            elif op == records.WORDS:
                self._send(a, words[at : at + b], c)
                at += b
            else:
                at += self._rare(op, a, b, c, at)

    def _rare(self, op: int, a: int, b: int, c: int, at: int) -> int:
        """Do what is not done all the time; returns how many words followed the record."""
        match op:
            case records.PIN_RELEASE:
                (self._pulled_up.add if b == _PULLED_UP else self._pulled_up.discard)(a)
            case records.PIN_READ:
                level = self._circuit.level(a)
                self._answer(c, a in self._pulled_up if level is None else level)
            case records.SPI_WRITE:
                self._answer(c, 0, self._clock(a, b))
                return (b + 3) >> 2
            case records.MACHINE_RUN:
                if a in self._machines:
                    self._machines[a].running = bool(b)
            case records.SETUP:
                self._answer(c, self._set_up(bytes(self._buffer[4 * at : 4 * at + b])))
                return (b + 3) >> 2
            case records.INTERRUPT_CHAR:
                self._supervisor.interrupt_char(None if a == 0xFF else a)
                self._answer(c)
            case records.WATCHDOG:
                self._watchdog.start(c, time.monotonic_ns())
            case records.RESET:
                self._supervisor.restart(a)
            case _:
                raise ValueError(f"the shims sent a record of unknown kind {op}")
        return 0

    def _answer(self, sequence: int, value: int = 0, data: bytes = b"") -> None:
        try:
            self._bus.send(_REPLY.pack(sequence, value, data))
        except (BlockingIOError, ConnectionError):  # it asks no more: it was stopped in the middle of asking
            return

    # --- set-up ---

    def _set_up(self, text: bytes) -> int:
        what = cast("dict[str, object]", json.loads(text))
        kind, number = what.pop("do"), cast("int", what.pop("id"))
        if kind == "spi":
            mode = (what["polarity"], what["phase"])
            self._spi[number] = _Spi(cast("int", what["sck"]), cast("int", what["miso"]), shifts_first=mode == (0, 1))
            return 0
        make_setup = cast("Callable[..., pio.Setup]", pio.Setup)
        try:
            encoder = pio.encoder(make_setup(**what))
        except pio.Unusable as unusable:
            self.complaints.append(f"state machine {number} lights nothing: {unusable}")
            encoder = None
        self._machines[number] = _Machine(encoder)
        return encoder.word_ns if encoder else 0

    # --- SPI ---

    def _clock(self, block: int, count: int) -> bytes:
        spi = self._spi[block]
        circuit = self._circuit
        wiring, chain = circuit.wiring, circuit.chain
        if spi.sck != wiring.sck:
            return (b"\xff" if circuit.level(spi.miso) else b"\0") * count
        data = bytes([self._late_byte() if spi.shifts_first else chain.clock_byte() for _ in range(count)])
        # An input that nothing drives is pulled down in the RP2040.
        return data if spi.miso == wiring.miso else bytes(count)

    def _late_byte(self) -> int:
        byte = 0
        for _ in range(8):
            self._circuit.chain.cp(True)
            byte = byte << 1 | self._circuit.chain.qh
            self._circuit.chain.cp(False)
        return byte

    # --- PIO and DMA ---

    def _send(self, number: int, words: memoryview, sent_us: int) -> None:
        machine = self._machines.get(number)
        if machine is None or machine.encoder is None or not machine.running:
            return
        now_us = time.monotonic_ns() // 1000
        age_us = (now_us - sent_us) & 0xFFFFFFFF
        # The program's own time counts: this process may have been slow to look, the wire was not.
        start_ns = (now_us - (age_us if age_us < _OLD_US else 0)) * 1000
        start_ns = max(start_ns, machine.free_ns)
        encoder = machine.encoder
        if encoder.pin == self._circuit.wiring.strip:
            self._circuit.strip.din(False, start_ns)  # the state machine holds it there between words
            machine.free_ns = self._circuit.strip.train(words, encoder.bits, encoder.zero, encoder.one, start_ns)
        else:
            machine.free_ns = start_ns + len(words) * encoder.word_ns
