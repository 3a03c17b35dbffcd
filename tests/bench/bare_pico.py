"""A bench's port and raw REPL over pyserial, and what programs of several tests need of its electronics."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import serial

from underglow.bench.vm import Bench

CHAIN = """
from machine import Pin, SPI
latch = Pin(5, Pin.OUT, value=1)
bus = SPI(0, baudrate=4_000_000, sck=Pin(2), mosi=Pin(3), miso=Pin(4))
cells = bytearray(6)
def scan():
    latch(0); latch(1); bus.readinto(cells)
    return cells.hex()
"""

STRIP = """
import rp2, time
from array import array
from machine import Pin
@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=24,
             fifo_join=rp2.PIO.JOIN_TX)
def ws2812():
    wrap_target()
    label("bit")
    out(x, 1)        .side(0) [3]
    jmp(not_x, "zero").side(1) [2]
    jmp("bit")       .side(1) [4]
    label("zero")
    nop()            .side(0) [4]
    wrap()
def machine(number=0, freq=10_000_000, pin=16, program=ws2812, **config):
    made = rp2.StateMachine(number, program, freq=freq, sideset_base=Pin(pin), **config)
    made.active(1)
    return made
dma = rp2.DMA()
def show(words, made, treq_sel=None):
    control = dma.pack_ctrl(size=2, inc_write=False, treq_sel=made.request if treq_sel is None else treq_sel)
    dma.config(read=array("I", words), write=made, count=len(words), ctrl=control, trigger=True)
"""


@contextmanager
def opened(bench: Bench, timeout_s: float = 2.0) -> Generator[serial.Serial]:
    with serial.Serial(bench.port, timeout=timeout_s, exclusive=True) as port:
        yield port


def until(port: serial.Serial, ending: bytes) -> bytes:
    data = port.read_until(ending)
    assert data.endswith(ending), data
    return data


def wait_for(condition: Callable[[], object], what: str, timeout_s: float = 3.0) -> None:
    until_s = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < until_s, what
        time.sleep(0.002)


class Pico:
    """The other end of the raw REPL's protocol; `run` returns what a piece of Python printed there."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.port = serial.Serial(bench.port, timeout=2, exclusive=True)
        self.port.write(b"\r\x03\x01")
        until(self.port, b"raw REPL; CTRL-B to exit\r\n>")

    def close(self) -> None:
        self.port.close()

    def begin(self, code: str) -> None:
        self.port.write(code.encode() + b"\x04")
        until(self.port, b"OK")

    def end(self) -> tuple[str, str]:
        """Output and traceback of what was begun."""
        output, error = until(self.port, b"\x04")[:-1], until(self.port, b"\x04")[:-1]
        until(self.port, b">")
        return output.decode().strip(), error.decode()

    def run(self, code: str) -> str:
        self.begin(code)
        output, error = self.end()
        assert not error, error
        return output
