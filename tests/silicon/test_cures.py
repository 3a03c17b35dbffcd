"""What the emulator gets wrong by itself is right on the bench."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bare_chip import BareChip

from underglow.bench.devices.pixel_strip import LOW_NS, ONE_HIGH_NS, RESET_NS, ZERO_HIGH_NS
from underglow.bench.usb import wire_ns

STRIP = """
import rp2, time
from array import array
from machine import Pin
@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, autopull=True, pull_thresh=24, out_shiftdir=rp2.PIO.SHIFT_LEFT,
             fifo_join=rp2.PIO.JOIN_TX)
def ws2812():
    label("bit")
    out(x, 1)          .side(0) [3]
    jmp(not_x, "zero") .side(1) [2]
    jmp("bit")         .side(1) [4]
    label("zero")
    nop()              .side(0) [4]
machine = rp2.StateMachine(0, ws2812, freq=10_000_000, sideset_base=Pin(16))
machine.active(1)
words = array("I", [(0x010203 * (pixel + 1) & 0xffffff) << 8 for pixel in range(48)])
dma = rp2.DMA()
dma.config(read=words, write=machine, count=48, ctrl=dma.pack_ctrl(size=2, inc_write=False, treq_sel=0), trigger=True)
time.sleep_ms(3)
"""


@pytest.fixture
def idle(bare: Callable[..., BareChip]) -> BareChip:
    return bare()


def test_an_idle_chip_is_left_alone(idle: BareChip) -> None:
    idle.run("import time")
    cycles, start_ns = idle.chip.mcu.core.cycles, idle.chip.now_ns
    slept_us = int(idle.run("t=time.ticks_us(); time.sleep_ms(100); print(time.ticks_diff(time.ticks_us(), t))"))
    assert 100_000 <= slept_us < 100_300
    assert (idle.chip.mcu.core.cycles - cycles) * 8 < (idle.chip.now_ns - start_ns) / 10


def test_pixels_arrive_whole_while_the_cpu_sleeps(idle: BareChip) -> None:
    from underglow.bench.scope import Scope

    scope = Scope(idle.chip, idle.circuit.wiring.strip)
    idle.run(STRIP)
    idle.circuit.strip.settle(idle.chip.now_ns)
    sent = [0x010203 * (pixel + 1) & 0xFFFFFF for pixel in range(48)]
    green_red_blue = [(word >> 16, word >> 8 & 0xFF, word & 0xFF) for word in sent]
    expected = [(red, green, blue) for green, red, blue in green_red_blue]
    rgb = idle.circuit.strip.latched.rgb
    assert [tuple(rgb[at : at + 3]) for at in range(0, 144, 3)] == expected
    assert set(scope.highs) == {300, 800}, "3 or 8 cycles of 100 ns, to the ns"
    assert ZERO_HIGH_NS[0] <= 300 <= ZERO_HIGH_NS[1]
    assert ONE_HIGH_NS[0] <= 800 <= ONE_HIGH_NS[1]
    assert min(scope.lows) >= LOW_NS
    (burst,) = scope.bursts
    assert idle.circuit.strip.latched.at_ns == pytest.approx(burst.last_ns + RESET_NS, abs=1000)


def test_a_reset_may_come_in_the_middle_of_a_frame(idle: BareChip) -> None:
    from underglow.bench.scope import Scope

    scope = Scope(idle.chip, idle.circuit.wiring.strip)
    idle.repl.start(STRIP)
    assert idle.chip.run_until(lambda: len(scope.bursts) > 0, 200_000)
    idle.chip.reset()
    idle.enter()
    bits = sum(scope.highs.values())
    assert bits < 48 * 24
    idle.run(STRIP)
    assert sum(scope.highs.values()) - bits == 48 * 24


def test_a_byte_on_spi_takes_its_time(idle: BareChip) -> None:
    idle.run("""
import time
from machine import SPI, Pin
cells = bytearray(30)
def took(baudrate):
    bus = SPI(0, baudrate=baudrate, sck=Pin(2), mosi=Pin(3), miso=Pin(4))
    t = time.ticks_us(); bus.readinto(cells); return time.ticks_diff(time.ticks_us(), t)
""")
    slow, fast = (int(us) for us in idle.run("print(took(500_000), took(4_000_000))").split())
    clocks = 30 * 9
    assert slow - fast == pytest.approx(clocks / 0.5 - clocks / 4, rel=0.05)


def test_what_the_program_says_waits_for_a_host_that_reads(idle: BareChip) -> None:
    idle.repl.start("print('x' * 3000)\nimport machine; machine.mem32[0x20040000] = 77")
    idle.chip.cable.hold(True)
    before = len(idle.said)
    idle.chip.advance(300_000)
    assert len(idle.said) - before <= 64
    idle.chip.cable.hold(False)
    start_ns = idle.chip.now_ns
    assert idle.chip.run_until(lambda: idle.said.count(4) >= 2, 200_000)
    assert idle.said.count(b"x") == 3000
    assert idle.chip.now_ns - start_ns > 3000 // 64 * wire_ns(64)


def test_a_port_closed_and_opened_at_once_leaves_the_chip_alive(idle: BareChip) -> None:
    """The host waits for the answer to a request before it makes the next: of two at once MicroPython panics."""
    for gap_us in range(60):
        idle.chip.cable.listening = False
        idle.chip.advance(gap_us)
        idle.chip.cable.listening = True
        idle.chip.advance(200)
    assert idle.chip.cable.dtr
    assert idle.run("print(6 * 7)") == "42"


def test_a_long_input_arrives_whole_at_the_speed_of_the_wire(idle: BareChip) -> None:
    text = "ab" * 1500
    start_ns = idle.chip.now_ns
    assert idle.run(f"print(len('{text}'))") == "3000"
    assert idle.chip.now_ns - start_ns > 3000 // 64 * wire_ns(64)


def test_all_repeats_to_the_nanosecond_and_chance_differs_by_seed(bare: Callable[..., BareChip]) -> None:
    chips = [bare(seed=seed) for seed in (1, 1, 2)]
    drawn = [chip.run("import os; print(os.urandom(8))") for chip in chips]
    assert drawn[0] == drawn[1] != drawn[2]
    assert chips[0].chip.now_ns == chips[1].chip.now_ns


def test_a_slow_cpu_is_slow_and_its_clock_is_not(bare: Callable[..., BareChip]) -> None:
    counting = "t=time.ticks_us()\nfor _ in range(2000): pass\nprint(time.ticks_diff(time.ticks_us(), t))"
    sleeping = "t=time.ticks_us(); time.sleep_ms(20); print(time.ticks_diff(time.ticks_us(), t))"
    real, slow = bare(), bare(slowness=1.7)
    for subject in (real, slow):
        subject.run("import time")
    assert int(slow.run(counting)) / int(real.run(counting)) == pytest.approx(1.7, rel=0.05)
    assert int(slow.run(sleeping)) == pytest.approx(20_000, rel=0.02)


def test_a_watchdog_that_is_not_fed_resets_the_chip(idle: BareChip) -> None:
    idle.repl.start("import machine\nkept = 1\nw = machine.WDT(timeout=100)\nwhile True: pass")
    assert idle.chip.run_until(lambda: idle.ports == [True, False], 150_000)
    assert idle.chip.run_until(lambda: idle.ports == [True, False, True], 500_000)
    idle.enter()
    assert (
        idle.run("import machine\nprint(machine.reset_cause() == machine.WDT_RESET, 'kept' in globals())")
        == "True False"
    )


def test_power_comes_back_to_the_files_and_to_nothing_else(idle: BareChip) -> None:
    idle.run("kept = 1\nwith open('kept.txt', 'w') as file: _ = file.write('still here')")
    idle.chip.power_off()
    idle.chip.advance(50_000)
    assert idle.ports == [True, False]
    idle.chip.power_on()
    idle.enter()
    assert idle.run("print(open('kept.txt').read(), 'kept' in globals())") == "still here False"
    assert idle.run("import machine; print(machine.reset_cause() == machine.PWRON_RESET)") == "True"


def test_the_cable_can_be_pulled_while_the_program_goes_on(idle: BareChip) -> None:
    idle.repl.start("import time\nn = 0\nwhile n < 40: n += 1; time.sleep_ms(10)\nprint(n)")
    idle.chip.advance(50_000)
    idle.chip.cable.pull()
    idle.chip.advance(100_000)
    idle.chip.cable.plug()
    assert idle.chip.run_until(lambda: idle.ports == [True, False, True], 500_000)
    assert idle.chip.run_until(lambda: b"40\r\n" in idle.said, 600_000)
