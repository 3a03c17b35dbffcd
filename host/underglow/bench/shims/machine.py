# `machine` as MicroPython has it on the RP2040, as far as the bench knows: pins and SPI go out on the bus.
import time

import bench_bus
import records

PWRON_RESET = 1
WDT_RESET = 3

_bus = bench_bus.bus
# Set by the console program before anybody can import this.
_reset_cause = PWRON_RESET
_unique_id = bytes(8)

_WDT_MAX_MS = 8388


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2

    _modes = bytearray(30)
    _levels = bytearray(30)

    def __init__(self, id, mode=-1, pull=-1, *, value=None, alt=None):
        if isinstance(id, Pin):
            id = id.id
        elif isinstance(id, str) and id[:2] == "GP":
            id = int(id[2:])
        elif id == "LED":
            id = 25
        if not 0 <= id < 30:
            raise ValueError("invalid pin")
        self.id = id
        self._low = records.PIN_DRIVE | id << 8
        self._high = records.PIN_DRIVE | id << 8 | 1 << 16
        self._read = records.PIN_READ | id << 8
        if mode != -1 or value is not None:
            self.init(mode, pull, value=value)

    def init(self, mode=-1, pull=-1, *, value=None, alt=None):
        if mode != -1:
            Pin._modes[self.id] = mode
        if value is not None:
            Pin._levels[self.id] = bool(value)
        if Pin._modes[self.id] == Pin.IN:
            pulled = pull if pull in (Pin.PULL_UP, Pin.PULL_DOWN) else 0
            _bus.post(records.PIN_RELEASE | self.id << 8 | pulled << 16, 0)
        else:
            self(Pin._levels[self.id])

    def __call__(self, value=None):
        if value is None:
            if Pin._modes[self.id] == Pin.OUT:
                return Pin._levels[self.id]
            return _bus.ask(self._read)
        if value:
            Pin._levels[self.id] = 1
            word = self._high
        else:
            Pin._levels[self.id] = 0
            word = self._low
        # An input's level is kept for the day it becomes an output, as in the chip's output register.
        if Pin._modes[self.id]:
            _bus.post(word, 0)
        return None

    def value(self, value=None):
        return self(value)

    def on(self):
        self(1)

    def off(self):
        self(0)

    high = on
    low = off

    def toggle(self):
        self(not Pin._levels[self.id])

    def __repr__(self):
        return "Pin(GPIO%d, mode=%s)" % (self.id, "OUT" if Pin._modes[self.id] else "IN")


class PWM:
    # The bench sees that the pin is driven at all, not how fast.
    def __init__(self, dest, *, freq=-1, duty_u16=-1, duty_ns=-1, invert=False):
        self._pin = Pin(dest, Pin.OUT, value=1 if duty_u16 else 0)

    def deinit(self):
        self._pin(0)


class SPI:
    MSB = 1
    LSB = 0

    def __init__(
        self, id, baudrate=1000000, *, polarity=0, phase=0, bits=8, firstbit=MSB, sck=None, mosi=None, miso=None
    ):
        if id not in (0, 1):
            raise ValueError("SPI(%s) doesn't exist" % id)
        self._id = id
        self._sck = sck.id if sck else (18, 10)[id]
        self._mosi = mosi.id if mosi else (19, 11)[id]
        self._miso = miso.id if miso else (16, 8)[id]
        for pin, lane, name in ((self._sck, 2, "SCK"), (self._mosi, 3, "MOSI"), (self._miso, 0, "MISO")):
            # Which pins a block reaches: the RP2040's table of GPIO functions.
            if pin & 3 != lane or (pin >> 3 ^ id) & 1:
                raise ValueError("bad %s pin" % name)
        self.init(baudrate, polarity=polarity, phase=phase, bits=bits, firstbit=firstbit)

    def init(self, baudrate=1000000, *, polarity=0, phase=0, bits=8, firstbit=MSB):
        if bits != 8:
            raise NotImplementedError("the bench knows SPI of 8 bits only")
        if firstbit != SPI.MSB:
            raise NotImplementedError("LSB")
        self._bits_us = 8000000 // baudrate
        _bus.setup(
            do="spi", id=self._id, sck=self._sck, mosi=self._mosi, miso=self._miso, polarity=polarity, phase=phase
        )

    def deinit(self):
        pass

    def readinto(self, buf, write=0):
        self._transfer(None, buf, write)

    def read(self, nbytes, write=0):
        buf = bytearray(nbytes)
        self._transfer(None, buf, write)
        return bytes(buf)

    def write(self, buf):
        self._transfer(buf, None, 0)

    def write_readinto(self, write_buf, read_buf):
        if len(write_buf) != len(read_buf):
            raise ValueError("buffers must be the same length")
        self._transfer(write_buf, read_buf, 0)

    def _transfer(self, out, into, fill):
        size = len(out if into is None else into)
        bus = _bus
        at = 0
        while at < size:
            some = size - at
            if some > records.DATA_BYTES:
                some = records.DATA_BYTES
            if out is None:
                bus.post(records.SPI_READ | self._id << 8 | some << 16, bus.ticket() | fill << 24)
            else:
                words = (some + 3) // 4
                bus.room(words)
                for i in range(words):
                    word = 0
                    for k in range(min(4, some - 4 * i)):
                        word |= out[at + 4 * i + k] << 8 * k
                    bus.fill(i, word)
                bus.post(records.SPI_WRITE | self._id << 8 | some << 16, bus.ticket(), words)
            bus.wait()
            if into is not None:
                reply = bus.reply
                for i in range(some):
                    into[at + i] = reply[8 + i]
            at += some


class WDT:
    timeout_ms = 0

    def __init__(self, id=0, timeout=5000):
        if id != 0:
            raise ValueError("WDT(%s) doesn't exist" % id)
        if not 1 <= timeout <= _WDT_MAX_MS:
            raise ValueError("timeout exceeds %d" % _WDT_MAX_MS)
        WDT.timeout_ms = timeout
        mem32.started()
        _bus.post(records.WATCHDOG, timeout)
        _bus.flush()

    def feed(self):
        _bus.post(records.FEED, 0)
        # Posted records go out with the next scan; a program that feeds but never scans is alive all the same.
        if _bus.stale_ms() > 50:
            _bus.flush()


class _Registers:
    # `mem32`: of all registers only WATCHDOG CTRL, whose ENABLE bit is the one way to stop a WDT again.
    _CTRL = 0x40058000
    _ENABLE = 1 << 30
    # The RP2040 has each register four times: plain, and to flip, set or clear bits (datasheet 2.1.2).
    _ALIASES = 0x3000

    def __init__(self):
        self._ctrl = 0

    def __getitem__(self, address):
        self._known(address)
        return self._ctrl

    def __setitem__(self, address, value):
        alias = self._known(address)
        before = self._ctrl
        value &= self._ENABLE
        self._ctrl = (value, before ^ value, before | value, before & ~value)[alias]
        if before != self._ctrl:
            _bus.post(records.WATCHDOG, WDT.timeout_ms if self._ctrl else 0)
            _bus.flush()

    def _known(self, address):
        if address & ~self._ALIASES != self._CTRL:
            raise NotImplementedError("the bench does not know the register at 0x%08x" % address)
        return (address & self._ALIASES) >> 12

    def started(self):
        self._ctrl = self._ENABLE


mem32 = _Registers()


def unique_id():
    return _unique_id


def reset_cause():
    return _reset_cause


def freq(hz=None):
    return 125000000


def idle():
    time.sleep_us(10)


def reset():
    _bus.end(records.HARD)


def soft_reset():
    raise SystemExit
