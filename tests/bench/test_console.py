"""The Pico's USB console: 0x03, the 512-byte ring, hosts that don't read or aren't there, and cables."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import serial
from bare_pico import CHAIN, STRIP, opened, until, wait_for

from underglow.bench.vm import Bench

Start = Callable[..., Bench]

# Says each byte it gets as a number.
ECHO = """
import micropython, sys, time
micropython.kbd_intr({char})
print("ready")
got = bytearray(1)
while True:
    try:
        sys.stdin.buffer.readinto(got)
        sys.stdout.buffer.write(b"%d " % got[0])
    except KeyboardInterrupt:
        sys.stdout.buffer.write(b"interrupted ")
"""

# Reads nothing before it is interrupted or half a second has passed, then all there is, byte by byte.
LATE = """
import select, sys, time
poll = select.poll(); poll.register(sys.stdin, select.POLLIN)
got = bytearray(1); count = 0
try:
    print("ready")
    time.sleep(0.5)
    print("slept")
except KeyboardInterrupt:
    print("interrupted")
while poll.poll(100):
    sys.stdin.buffer.readinto(got)
    count += 1
print("read", count, got)
"""


def use(port: serial.Serial) -> None:
    """Write and read until it hurts; pyserial's SerialException is an OSError."""
    while True:
        port.write(b"x")
        port.read(1)


# --- 0x03 and the ring ---


def test_0x03_interrupts_the_program_unless_it_said_it_is_data(start: Start) -> None:
    with opened(start(ECHO.format(char=-1))) as port:
        until(port, b"ready\n")
        port.write(bytes([1, 2, 3, 4, 255]))
        assert until(port, b"255 ") == b"1 2 3 4 255 "
    with opened(start(ECHO.format(char=3))) as port:
        until(port, b"ready\n")
        port.write(bytes([1, 2, 4]))
        assert until(port, b"4 ") == b"1 2 4 "
        port.write(b"\x03")
        assert until(port, b"interrupted ") == b"interrupted "


def test_any_character_can_be_the_one_that_interrupts(start: Start) -> None:
    with opened(start(ECHO.format(char=24))) as port:
        until(port, b"ready\n")
        port.write(b"\x03")
        assert until(port, b"3 ") == b"3 "
        port.write(b"\x18")
        assert until(port, b"interrupted ") == b"interrupted "


def test_the_interrupt_empties_the_ring(start: Start) -> None:
    with opened(start(LATE)) as port:
        until(port, b"ready\n")
        port.write(b"lost" * 50 + b"\x03" + b"kept")
        assert until(port, b"')\n").splitlines() == [b"interrupted", b"read 4 bytearray(b't')"]


def test_the_ring_holds_512_bytes_then_the_host_has_to_wait_and_nothing_is_lost(start: Start) -> None:
    bench = start(LATE)
    with opened(bench) as port:
        until(port, b"ready\n")
        port.write(bytes(range(32, 127)) * 20)
        time.sleep(0.2)
        assert bench.stats()["bytes_to_board"] == 512
        assert until(port, b"')\n").splitlines() == [b"slept", b"read 1900 bytearray(b'~')"]


def test_an_interrupt_behind_a_full_ring_waits_like_everything_else(start: Start) -> None:
    with opened(start(LATE)) as port:
        until(port, b"ready\n")
        port.write(b"x" * 600 + b"\x03")
        assert until(port, b"slept\n") == b"slept\n"  # all the time: nobody saw it


@pytest.mark.parametrize("presses", [1, 3])
def test_a_busy_program_is_interrupted_and_its_bus_still_works(start: Start, presses: int) -> None:
    bench = start("""
from machine import Pin
print("ready")
while True: Pin(4)()
""")
    with opened(bench) as port:
        until(port, b"ready\n")
        for _ in range(presses):
            port.write(b"\x03")
        assert b"KeyboardInterrupt" in until(port, b">>> ")
        port.write(b"Pin(4)(), Pin(5)()\r")
        until(port, b"(0, 0)\n>>> ")


def test_a_program_interrupted_again_and_again_never_loses_its_place_on_the_bus(start: Start) -> None:
    bench = start(
        CHAIN
        + STRIP
        + """
made = machine(); frame = array("I", [0x00FF0000] * 48); paced = dma.pack_ctrl(inc_write=False, treq_sel=0)
wrong = 0
for times in range(60):
    try:
        print("again")
        while True:
            wrong += scan() != "ff" * 6
            dma.config(read=frame, write=made, count=48, ctrl=paced, trigger=True)
            if times & 1: machine()
            bus.write(cells)
    except KeyboardInterrupt:
        pass
print("wrong", wrong)
"""
    )
    with opened(bench) as port:
        for _ in range(60):
            until(port, b"again\n")
            port.write(b"\x03")
        assert until(port, b">>> ").startswith(b"wrong 0\n")
    assert {pixel for frame in bench.frames_since(0) for pixel in frame.pixels} <= {(0, 0, 0), (255, 0, 0)}


# --- hosts that do not read, or are not there ---


def test_a_host_that_never_reads_takes_pollout_away_and_never_stops_the_program(start: Start) -> None:
    bench = start("""
import select, sys
from machine import Pin
latch = Pin(5, Pin.OUT, value=1)
poll = select.poll(); poll.register(sys.stdout, select.POLLOUT)
while not select.poll().register(sys.stdin, select.POLLIN) and not sys.stdin.buffer.read(1): pass
while poll.poll(0): sys.stdout.buffer.write(b"." * 100)
latch(0); latch(1); Pin(4)()
sent = sys.stdout.buffer.write(b"." * 60000)
latch(0); latch(1); Pin(4)()
""")
    with opened(bench) as port:
        port.write(b"!")
        wait_for(lambda: bench.stats()["loads"] >= 1, "POLLOUT never went away")
        begun_s = time.monotonic()
        wait_for(lambda: bench.stats()["loads"] >= 2, "the write never came back")
        assert time.monotonic() - begun_s >= 0.3  # the chip gives up after half a second, too
        assert port.in_waiting > 1000


def test_without_a_host_nothing_blocks_and_the_next_host_gets_the_latest(start: Start) -> None:
    bench = start("""
import sys
for n in range(3000): sys.stdout.buffer.write(b"%05d\\n" % n)
""")
    wait_for(lambda: bench.stats()["bytes_from_board"] >= 18_000, "the program is held up")
    time.sleep(0.02)
    fd = os.open(bench.port, os.O_RDWR | os.O_NOCTTY)  # unlike pyserial it throws nothing away on opening
    try:
        time.sleep(0.05)
        data = os.read(fd, 100_000)
    finally:
        os.close(fd)
    assert len(data) <= 256
    assert b"02999\n" in data


def test_bytes_of_a_host_that_has_left_again_still_arrive(start: Start) -> None:
    bench = start(ECHO.format(char=-1))
    with opened(bench) as port:
        until(port, b"ready\n")
    sent = bench.stats()["bytes_from_board"]
    with opened(bench) as port:
        port.write(b"A")
    wait_for(lambda: bench.stats()["bytes_from_board"] > sent, "it never arrived")
    with opened(bench) as port:
        assert until(port, b"65 ") == b"65 "


def test_all_bytes_pass_unchanged_both_ways(start: Start) -> None:
    bench = start("""
import micropython, sys
micropython.kbd_intr(-1)
print("ready")
got = bytearray(1)
while True: sys.stdin.buffer.readinto(got); sys.stdout.buffer.write(got)
""")
    with opened(bench) as port:
        until(port, b"ready\n")
        sent = bytes(range(256)) * 8
        port.write(sent)
        assert port.read(len(sent)) == sent


# --- cable, power, reset ---


def test_a_pulled_cable_is_an_error_and_the_port_comes_back_under_its_name(start: Start) -> None:
    bench = start(ECHO.format(char=-1))
    with opened(bench) as port:
        until(port, b"ready\n")
        bench.unplug()
        assert not Path(bench.port).exists()
        with pytest.raises(OSError, match=r"disconnected|Input/output"):
            use(port)
    bench.unplug()  # pulling it twice changes nothing
    bench.replug()
    with opened(bench) as port:  # the program has gone on meanwhile: it says no "ready" again
        port.write(b"A")
        assert until(port, b"65 ").strip() == b"65"


def test_without_power_all_is_dark_and_the_program_starts_anew(start: Start) -> None:
    counting = "import machine; print('cause', machine.reset_cause())"
    bench = start(counting)
    with opened(bench) as port:
        until(port, b">>> ")
    before = bench.pixels().number
    bench.unplug(power=True)
    frame = bench.pixels()
    assert (frame.number > before, set(frame.pixels)) == (True, {(0, 0, 0)})
    bench.replug()
    with opened(bench) as port:
        assert b"cause 1" in until(port, b">>> ")


def test_reset_takes_the_port_away_and_starts_the_program_anew(start: Start) -> None:
    bench = start("print('hello')\nx = 1")
    with opened(bench) as port:
        until(port, b">>> ")
        bench.reset()
        with pytest.raises(OSError, match=r"disconnected|Input/output"):
            use(port)
    wait_for(lambda: Path(bench.port).exists(), "the port has not come back")
    with opened(bench) as port:
        assert b"hello" in until(port, b">>> ")


def test_machine_reset_does_the_same(start: Start) -> None:
    bench = start("print('hello')")
    with opened(bench) as port:
        until(port, b">>> ")
        port.write(b"import machine; machine.reset()\r")
        wait_for(lambda: not Path(bench.port).exists(), "the port is still there")
    wait_for(lambda: Path(bench.port).exists(), "the port has not come back")
    with opened(bench) as port:
        assert b"hello" in until(port, b">>> ")
