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
_POSTED_BYTES = 1024
_EIO = 5
_ENODEV = 19
_ETIMEDOUT = 110


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
            _bus.stamp(word)
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
    _MIN_HZ = 8  # at 125 MHz; two pins share a slice and its frequency in the chip, not here

    def __init__(self, dest, *, freq=-1, duty_u16=-1, duty_ns=-1, invert=False):
        if duty_ns != -1 or invert:
            raise NotImplementedError("the bench knows PWM by freq and duty_u16 only")
        self._pin = Pin(dest)
        Pin._modes[self._pin.id] = Pin.OUT
        self._freq = 0
        self._duty = 0
        self.init(freq=freq, duty_u16=duty_u16)

    def init(self, *, freq=-1, duty_u16=-1):
        if freq != -1:
            if freq < PWM._MIN_HZ:
                raise ValueError("freq too small")
            self._freq = freq
        if duty_u16 != -1:
            self._duty = min(duty_u16, 0xFFFF)
        self._tell()

    def freq(self, value=None):
        if value is None:
            return self._freq
        self.init(freq=value)
        return None

    def duty_u16(self, value=None):
        if value is None:
            return self._duty
        self.init(duty_u16=value)
        return None

    def deinit(self):
        self._freq = 0
        self._tell()

    def _tell(self):
        _bus.post(records.PWM | self._pin.id << 8 | self._duty << 16, self._freq)
        _bus.flush()


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
        bus = _bus
        at = 0
        left = len(buf)
        while left:
            some = min(left, _POSTED_BYTES)
            bus.room((some + 3) // 4)
            words = bus.put(buf, at, some)
            bus.stamp(records.SPI_POST | self._id << 8 | some << 16, words)
            at += some
            left -= some

    def write_readinto(self, write_buf, read_buf):
        if len(write_buf) != len(read_buf):
            raise ValueError("buffers must be the same length")
        self._transfer(write_buf, read_buf, 0)

    def _transfer(self, out, into, fill):
        size = len(into)
        bus = _bus
        at = 0
        while at < size:
            some = min(size - at, records.DATA_BYTES)
            if out is None:
                bus.post(records.SPI_READ | self._id << 8 | some << 16, bus.ticket() | fill << 24)
            else:
                bus.room((some + 3) // 4)
                words = bus.put(out, at, some)
                bus.post(records.SPI_WRITE | self._id << 8 | some << 16, bus.ticket(), words)
            bus.wait()
            bus.take(into, at, some)
            at += some


class I2C:
    _NOWHERE = 0x78

    def __init__(self, id, *, freq=400000, scl=None, sda=None, timeout=50000):
        if id not in (0, 1):
            raise ValueError("I2C(%s) doesn't exist" % id)
        self._id = id
        self._scl = scl.id if scl else (5, 7)[id]
        self._sda = sda.id if sda else (4, 6)[id]
        for pin, lane, name in ((self._scl, 1, "SCL"), (self._sda, 0, "SDA")):
            if pin & 1 != lane or pin >> 1 & 1 != id:
                raise ValueError("bad %s pin" % name)
        # A byte with its acknowledgement takes nine clocks; the address is one, too. The time-out is for it all.
        self._bytes_in_time = timeout * freq // 9000000 - 1
        _bus.setup(do="i2c", id=id, scl=self._scl, sda=self._sda)

    def readfrom_into(self, addr, buf, stop=True):
        self._transfer(records.I2C_READ, addr, buf, stop)

    def readfrom(self, addr, nbytes, stop=True):
        buf = bytearray(nbytes)
        self._transfer(records.I2C_READ, addr, buf, stop)
        return bytes(buf)

    def writeto(self, addr, buf, stop=True):
        return self._transfer(records.I2C_WRITE, addr, buf, stop)

    def scan(self):
        found = []
        for addr in range(8, I2C._NOWHERE):
            try:
                self.writeto(addr, b"")
            except OSError:
                continue
            found.append(addr)
        return found

    def _transfer(self, op, addr, buf, stop):
        bus = _bus
        size = len(buf)
        fits = max(0, min(size, self._bytes_in_time))
        at = 0
        done = 0
        flags = records.STARTS
        while True:
            some = min(fits - at, records.DATA_BYTES)
            if at + some == fits and (stop or fits < size):
                flags |= records.STOPS
            words = 0
            if op == records.I2C_WRITE:
                bus.room((some + 3) // 4)
                words = bus.put(buf, at, some)
            bus.post(op | (self._id | flags) << 8 | some << 16 | addr << 24, bus.ticket(), words)
            bus.wait()
            count = bus.value()
            if count == records.NO_ACK:
                # The RP2040's block knows no empty write: those are done by hand and say more.
                raise OSError(_EIO if size else _ENODEV)
            if op == records.I2C_READ:
                bus.take(buf, at, some)
            done += count
            at += some
            if at == fits or count < some:
                break
            flags = 0
        if fits < size:
            raise OSError(_ETIMEDOUT)
        return done


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
