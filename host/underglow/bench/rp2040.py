"""The chip between the firmware and the board, for the VM tier: serves the shims' bus and moves the circuit's pins.

The program posts what needs no answer and says when it did it; that is when it happens here.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from typing import Any, NamedTuple, Protocol, cast

from underglow.bench import pio
from underglow.bench.devices.pn532 import Pn532
from underglow.bench.shims import records
from underglow.bench.wiring import Circuit, I2cPins, SpiPins

_REPLY = struct.Struct(f"<II{records.DATA_BYTES}s")
_PULLED_UP = 1
_OLD_US = 10_000_000


class Supervisor(Protocol):
    """What the chip asks of whoever runs the program."""

    def interrupt_char(self, char: int | None) -> None:
        """From now on this byte on the console interrupts the program; None: no byte does."""
        ...

    def dupterm(self, there: bool) -> None:
        """Whether the console has a second one behind it, so that no read of it waits."""
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
    pins: SpiPins
    polarity: int
    phase: int


class _I2c(NamedTuple):
    pins: I2cPins
    targets: dict[int, Pn532]


class _Pwm(NamedTuple):
    period_ns: int
    high_ns: int
    since_ns: int


class _Machine:
    def __init__(self, encoder: pio.Encoder | None) -> None:
        self.encoder = encoder
        self.running = False
        self.free_ns = 0  # when the words it holds are out


class Rp2040:
    """Pins, SPI, I2C, PWM, PIO with DMA, and the watchdog of one Pico, as its program drives them over `bus`."""

    def __init__(self, bus: socket.socket, circuit: Circuit, supervisor: Supervisor, watchdog: Watchdog) -> None:
        self._bus = bus
        self._watchdog = watchdog
        self._circuit = circuit
        self._supervisor = supervisor
        self._buffer = bytearray(records.DATAGRAM_BYTES)
        self._words = memoryview(self._buffer).cast("I")
        self._spi: dict[int, _Spi] = {}
        self._i2c: dict[int, _I2c] = {}
        self._target: Pn532 | None = None  # of the I2C transaction that is under way
        self._pwm: dict[int, _Pwm] = {}
        self._machines: dict[int, _Machine] = {}
        self._pulled_up: set[int] = set()
        self._served_us = 0  # when the datagram that is being served came in
        #: Why a state machine or a bus does nothing, for people.
        self.complaints: list[str] = []

    def serve(self) -> None:
        """Take one datagram and answer it if it asks."""
        try:
            size = self._bus.recv_into(self._buffer)
        except (BlockingIOError, ConnectionResetError):
            return
        self._served_us = time.monotonic_ns() // 1000
        words = self._words
        end = size >> 2
        at = 0
        while at < end:
            word, c = words[at], words[at + 1]
            at += 2
            op, a, b = word & 0xFF, word >> 8 & 0xFF, word >> 16
            if op == records.PIN_DRIVE:
                self._circuit.drive(a, bool(b), self._sent_ns(c))
            elif op == records.SPI_POST:
                self._shift(a, self._bytes(at, b), self._sent_ns(c))
                at += (b + 3) >> 2
            elif op == records.SPI_READ:
                self._answer(c & 0xFFFF, 0, self._shift(a, bytes((c >> 24,)) * b, time.monotonic_ns()))
            elif op == records.SPI_WRITE:
                self._answer(c, 0, self._shift(a, self._bytes(at, b), time.monotonic_ns()))
                at += (b + 3) >> 2
            elif op == records.FEED:
                self._watchdog.feed(time.monotonic_ns())
            elif op == records.WORDS:
                self._send(a, words[at : at + b], c)
                at += b
            else:
                at += self._rare(op, a, b, c, at)

    def look(self, now_ns: int) -> None:
        """Move the pins that PWM moves. Call it again and again."""
        for pin, pwm in self._pwm.items():
            self._circuit.drive(pin, (now_ns - pwm.since_ns) % pwm.period_ns < pwm.high_ns, now_ns)

    def _rare(self, op: int, a: int, b: int, c: int, at: int) -> int:
        """Do what is not done all the time; returns how many words followed the record."""
        match op:
            case records.PIN_RELEASE:
                (self._pulled_up.add if b == _PULLED_UP else self._pulled_up.discard)(a)
            case records.DUPTERM:
                self._supervisor.dupterm(bool(a))
                if a:
                    self._answer(c)
            case records.PIN_READ:
                self._circuit.settle(time.monotonic_ns())
                level = self._circuit.level(a)
                self._answer(c, a in self._pulled_up if level is None else level)
            case records.I2C_READ:
                self._read(c, a, b >> 8, b & 0xFF)
            case records.I2C_WRITE:
                self._write(c, a, b >> 8, self._bytes(at, b & 0xFF))
                return ((b & 0xFF) + 3) >> 2
            case records.MACHINE_RUN:
                if a in self._machines:
                    self._machines[a].running = bool(b)
            case records.SETUP:
                self._answer(c, self._set_up(self._bytes(at, b)))
                return (b + 3) >> 2
            case records.PWM:
                self._modulate(a, b, c)
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

    def _bytes(self, at: int, size: int) -> bytes:
        return bytes(self._buffer[4 * at : 4 * at + size])

    def _sent_ns(self, sent_us: int) -> int:
        """When a record was posted, by the low bits of its time."""
        age_us = (self._served_us - sent_us) & 0xFFFFFFFF
        return (self._served_us - (age_us if age_us < _OLD_US else 0)) * 1000

    def _answer(self, sequence: int, value: int = 0, data: bytes = b"") -> None:
        try:
            self._bus.send(_REPLY.pack(sequence, value, data))
        except (BlockingIOError, ConnectionError):  # it asks no more: it was stopped in the middle of asking
            return

    # --- set-up ---

    def _set_up(self, text: bytes) -> int:
        what = cast("dict[str, Any]", json.loads(text))
        kind, number = what.pop("do"), what.pop("id")
        if kind == "spi":
            self._spi[number] = _Spi(SpiPins(what["sck"], what["mosi"], what["miso"]), what["polarity"], what["phase"])
            return 0
        if kind == "i2c":
            pins = I2cPins(what["scl"], what["sda"])
            wired = pins == self._circuit.wiring.reader_i2c
            self._i2c[number] = _I2c(pins, self._circuit.i2c_targets[pins.scl] if wired else {})
            return 0
        try:
            encoder = pio.encoder(pio.Setup(**what))
        except pio.Unusable as unusable:
            self._complain(f"state machine {number} lights nothing: {unusable}")
            encoder = None
        self._machines[number] = _Machine(encoder)
        return encoder.word_ns if encoder else 0

    # --- buses ---

    def _shift(self, block: int, data: bytes, at_ns: int) -> bytes:
        """Clock bytes out of an SPI block; those that came in. An input nothing drives is pulled down in the RP2040."""
        spi = self._spi[block]
        wiring = self._circuit.wiring
        if spi.pins.sck == wiring.sck:
            shifted = self._shift_chain(spi, len(data))
            return shifted if spi.pins.miso == wiring.miso else bytes(len(data))
        if spi.pins != wiring.reader_spi:
            return (b"\xff" if self._circuit.level(spi.pins.miso) else b"\0") * len(data)
        if spi.polarity != spi.phase:
            self._complain(f"SPI {block} reads nothing: readers sample on the rising edge, and its mode is another")
            return bytes(len(data))
        for device in self._circuit.spi_devices[spi.pins.sck]:
            if device.selected:
                return bytes([device.transfer(byte, at_ns) for byte in data])
        return bytes(len(data))

    def _shift_chain(self, spi: _Spi, count: int) -> bytes:
        chain = self._circuit.chain
        if (spi.polarity, spi.phase) != (0, 1):
            return bytes([chain.clock_byte() for _ in range(count)])
        data = bytearray()
        for _ in range(count):  # mode 1 samples on the trailing edge, when the chain has shifted; the others before
            byte = 0
            for _ in range(8):
                chain.cp(True)
                byte = byte << 1 | chain.qh
                chain.cp(False)
            data.append(byte)
        return bytes(data)

    def _start(self, flags: int, address: int, *, read: bool) -> Pn532 | None:
        """Begin or go on with an I2C transaction; its target, None if nobody acknowledged."""
        if flags & records.STARTS:
            target = self._i2c[flags & 1].targets.get(address)
            heard = target is not None and target.start(read=read, at_ns=time.monotonic_ns())
            self._target = target if heard else None
        return self._target

    def _stop(self, flags: int) -> None:
        if flags & records.STOPS and self._target:
            self._target.stop(time.monotonic_ns())
            self._target = None

    def _read(self, sequence: int, flags: int, address: int, count: int) -> None:
        target = self._start(flags, address, read=True)
        if target is None:
            self._answer(sequence, records.NO_ACK)
            return
        data = bytes([target.read(time.monotonic_ns()) for _ in range(count)])
        self._stop(flags)
        self._answer(sequence, count, data)

    def _write(self, sequence: int, flags: int, address: int, data: bytes) -> None:
        target = self._start(flags, address, read=False)
        if target is None:
            self._answer(sequence, records.NO_ACK)
            return
        count = 0
        for byte in data:
            if not target.write(byte):
                flags |= records.STOPS
                break
            count += 1
        self._stop(flags)
        self._answer(sequence, count)

    # --- PWM ---

    def _modulate(self, pin: int, duty: int, hz: int) -> None:
        self._pwm.pop(pin, None)
        if hz:
            period_ns = 1_000_000_000 // hz
            self._pwm[pin] = _Pwm(period_ns, period_ns * duty // 0xFFFF, time.monotonic_ns())
        else:
            self._circuit.drive(pin, False, time.monotonic_ns())

    def _complain(self, sentence: str) -> None:
        if sentence not in self.complaints:
            self.complaints.append(sentence)

    # --- PIO and DMA ---

    def _send(self, number: int, words: memoryview, sent_us: int) -> None:
        machine = self._machines.get(number)
        if machine is None or machine.encoder is None or not machine.running:
            return
        # The program's own time counts: this process may have been slow to look, the wire was not.
        start_ns = self._sent_ns(sent_us)
        start_ns = max(start_ns, machine.free_ns)
        encoder = machine.encoder
        if encoder.pin == self._circuit.wiring.strip:
            self._circuit.strip.din(False, start_ns)  # the state machine holds it there between words
            machine.free_ns = self._circuit.strip.train(words, encoder.bits, encoder.zero, encoder.one, start_ns)
        else:
            machine.free_ns = start_ns + len(words) * encoder.word_ns
