"""`machine` and `rp2` in the VM: what a program does on its pins reaches the circuit as it would on the chip."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from bare_pico import CHAIN, STRIP, Pico, until, wait_for

from underglow.bench.vm import Bench

RED, GREEN, BLUE = "0x00FF0000", "0xFF000000", "0x0000FF00"


def shown(bench: Bench, number: int = 1) -> list[tuple[int, int, int]]:
    wait_for(lambda: bench.pixels().number >= number, "no frame came")
    return list(bench.pixels().pixels)


# --- pins and SPI ---


def test_a_scan_reads_the_chain(pico: Pico) -> None:
    pico.run(CHAIN)
    assert pico.run("print(scan())") == "ff" * 6
    pico.bench.place("h01")  # input 1G: the second bit out
    assert pico.run("print(scan())") == "bf" + "ff" * 5
    pico.bench.place("pad", "another")
    assert pico.run("print(scan())") != "bf" + "ff" * 5
    pico.bench.lift("magnet")
    pico.bench.lift("another")
    assert pico.run("print(scan())") == "ff" * 6
    assert pico.bench.stats()["loads"] == 4


def test_a_scan_allocates_nothing(pico: Pico) -> None:
    pico.run(CHAIN)
    code = """
import micropython
def check():
    for times in range(100):
        micropython.heap_lock()
        latch(0); latch(1); bus.readinto(cells)
        micropython.heap_unlock()
check(); print("done")
"""
    assert pico.run(code) == "done"


def test_without_the_latch_pin_the_register_runs_empty(pico: Pico) -> None:
    pico.run(CHAIN.replace("Pin(5,", "Pin(6,"))
    pico.bench.place("h01")
    assert pico.run("print(scan())") == "00" * 6  # powered up empty, grounded at the far end
    assert pico.bench.stats()["loads"] == 0


def test_a_latch_held_low_gives_the_first_input_all_the_time(pico: Pico) -> None:
    pico.run(CHAIN + "latch(0)")
    assert pico.run("bus.readinto(cells); print(cells.hex())") == "ff" * 6


def test_the_wrong_clock_mode_reads_one_bit_late(pico: Pico) -> None:
    pico.run(CHAIN.replace("sck=", "polarity=0, phase=1, sck="))
    pico.bench.place("h01")
    assert pico.run("print(scan())") == "7f" + "ff" * 4 + "fe"


@pytest.mark.parametrize(("pins", "reading"), [("sck=Pin(6)", "ff" * 6), ("miso=Pin(0)", "00" * 6)])
def test_pins_that_are_not_wired_read_nothing(pico: Pico, pins: str, reading: str) -> None:
    code = CHAIN.replace("sck=Pin(2)" if "sck" in pins else "miso=Pin(4)", pins)
    pico.run(code)
    pico.bench.place("h02")
    assert pico.run("print(scan())") == reading


def test_a_block_reaches_only_its_own_pins(pico: Pico) -> None:
    code = """
from machine import Pin, SPI
for pins in ((3, 2, 4), (2, 4, 4), (2, 3, 5), (10, 11, 12)):
    try:
        SPI(0, sck=Pin(pins[0]), mosi=Pin(pins[1]), miso=Pin(pins[2]))
    except ValueError as error:
        print(error)
"""
    assert pico.run(code).split() == [
        "bad",
        "SCK",
        "pin",
        "bad",
        "MOSI",
        "pin",
        "bad",
        "MISO",
        "pin",
        "bad",
        "SCK",
        "pin",
    ]


def test_long_and_odd_transfers_arrive_whole(pico: Pico) -> None:
    pico.run(CHAIN)
    pico.bench.place("h01")
    code = "latch(0); latch(1); print(bus.read(70).hex()); bus.write(bytes(131)); b = bytearray(3); "
    assert pico.run(code + "bus.write_readinto(b'abc', b); print(b.hex())").split() == [
        "bf" + "ff" * 5 + "00" * 64,
        "000000",
    ]


def test_bit_banged_pins_do_the_same(pico: Pico) -> None:
    pico.bench.place("h01")
    code = """
from machine import Pin
latch, clock, data = Pin(5, Pin.OUT, value=1), Pin(2, Pin.OUT, value=0), Pin(4, Pin.IN)
latch.off(); latch.on()
bits = ""
for n in range(8):
    bits += str(data.value()); clock.on(); clock.off()
print(bits)
"""
    assert pico.run(code) == "10111111"


def test_an_input_nothing_drives_follows_its_pull(pico: Pico) -> None:
    code = "from machine import Pin; print(Pin(9, Pin.IN, Pin.PULL_UP)(), Pin(9, Pin.IN, Pin.PULL_DOWN)(), Pin(9)())"
    assert pico.run(code) == "1 0 0"


def test_an_output_reads_back_and_toggles(pico: Pico) -> None:
    code = "from machine import Pin; p = Pin('GP7', Pin.OUT, value=1); a = p(); p.toggle(); print(a, p.value(), p)"
    assert pico.run(code) == "1 0 Pin(GPIO7, mode=OUT)"


# --- PIO and DMA ---


def test_words_by_dma_light_the_strip_and_it_keeps_them(pico: Pico) -> None:
    pico.run(STRIP)
    pico.run(f"made = machine(); show([{RED}, {GREEN}, {BLUE}], made)")
    assert shown(pico.bench)[:4] == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0)]
    pico.run(f"show([{BLUE}], made)")
    assert shown(pico.bench, 2)[:3] == [(0, 0, 255), (0, 255, 0), (0, 0, 255)]


def test_a_buffer_of_bytes_is_words_too_and_put_sends_single_ones(pico: Pico) -> None:
    pico.run(STRIP)
    pico.run(
        "made = machine(); control = dma.pack_ctrl(inc_write=False, treq_sel=0)\n"
        "dma.config(read=bytearray(b'\\0\\0\\xff\\0\\0\\0\\0\\xff'), write=made, count=2, ctrl=control, trigger=True)"
    )
    assert shown(pico.bench)[:2] == [(255, 0, 0), (0, 255, 0)]
    pico.run("made.put(0xFF, 8); made.put([0xFF0000, 0xFF00], 8)")
    assert shown(pico.bench, 2)[:3] == [(0, 0, 255), (0, 255, 0), (255, 0, 0)]


def test_dma_may_send_a_part_of_a_buffer_or_one_word_again_and_again(pico: Pico) -> None:
    pico.run(STRIP)
    pico.run(
        f"made = machine(); words = array('I', [{RED}] * 2 + [{BLUE}] * 46)\n"
        "control = dma.pack_ctrl(inc_write=False, treq_sel=0)\n"
        "dma.config(read=memoryview(words)[1:], write=made, count=2, ctrl=control, trigger=True)"
    )
    assert shown(pico.bench)[:3] == [(255, 0, 0), (0, 0, 255), (0, 0, 0)]
    pico.run(
        "again = dma.pack_ctrl(inc_read=False, inc_write=False, treq_sel=0)\n"
        "dma.config(read=words, write=made, count=5, ctrl=again, trigger=True)"
    )
    assert shown(pico.bench, 2)[:6] == [(255, 0, 0)] * 5 + [(0, 0, 0)]


@pytest.mark.parametrize(
    "made",
    [
        "machine(pin=17)",
        "machine(freq=4_000_000)",
        "machine(freq=20_000_000)",
        "machine(out_shiftdir=rp2.PIO.SHIFT_RIGHT)",
        "rp2.StateMachine(0, ws2812, freq=10_000_000, sideset_base=Pin(16))",  # never started
    ],
)
def test_a_state_machine_set_up_wrongly_leaves_the_strip_dark(pico: Pico, made: str) -> None:
    pico.run(STRIP)
    pico.run(f"show([{RED}] * 4, {made})")
    time.sleep(0.01)
    assert not any(any(colour) for colour in pico.bench.pixels().pixels)


def test_a_wrong_pull_threshold_shifts_the_colours(pico: Pico) -> None:
    pico.run(STRIP)
    pico.run(f"show([{RED}] * 3, machine(pull_thresh=32))")
    assert shown(pico.bench)[:4] == [(255, 0, 0), (0, 0, 255), (0, 0, 0), (0, 255, 0)]


def test_a_frame_that_starts_before_the_last_is_latched_is_glued_to_it(pico: Pico) -> None:
    pico.run(STRIP)
    pico.run(
        f"made = machine(); red = array('I', [{RED}] * 12); blue = array('I', [{BLUE}] * 12)\n"
        "control = dma.pack_ctrl(size=2, inc_write=False, treq_sel=0)\n"
        "dma.config(read=red, write=made, count=12, ctrl=control, trigger=True)\n"
        "while dma.active(): pass\n"  # the last words are still in the FIFO
        "dma.config(read=blue, write=made, count=12, trigger=True)"
    )
    assert shown(pico.bench)[:25] == [(255, 0, 0)] * 12 + [(0, 0, 255)] * 12 + [(0, 0, 0)]


def test_dma_is_active_until_the_last_words_fit_the_fifo(pico: Pico) -> None:
    pico.run(STRIP)
    code = """
made = machine()
def timed(words):
    start = time.ticks_us()
    show(words, made)
    while dma.active(): pass
    busy = time.ticks_us() - start
    while made.tx_fifo(): pass
    return busy, time.ticks_us() - start
time.sleep_ms(2)
print(*timed([0] * 309))
"""
    busy_us, drained_us = map(int, pico.run(code).split())
    word_us = 24 * 1.2
    assert busy_us >= 300 * word_us - 300  # 8 fit the FIFO, one is being shifted out
    assert drained_us >= 308 * word_us - 300


def test_dma_that_is_not_paced_loses_what_does_not_fit_the_fifo(pico: Pico) -> None:
    pico.run(STRIP)
    pico.run(f"show([{RED}] * 12, machine(), treq_sel=0x3F)")
    assert shown(pico.bench)[:9] == [(255, 0, 0)] * 8 + [(0, 0, 0)]


def test_dma_for_another_state_machine_is_not_paced_by_this_one(pico: Pico) -> None:
    pico.run(STRIP)
    pico.run(f"show([{RED}] * 12, machine(1), treq_sel=0)")
    assert shown(pico.bench)[:9] == [(255, 0, 0)] * 8 + [(0, 0, 0)]
    pico.run(f"show([{BLUE}] * 12, machine(4))")  # the first of PIO 1
    assert shown(pico.bench, 2)[:12] == [(0, 0, 255)] * 12


def test_dma_into_a_stopped_state_machine_never_ends(pico: Pico) -> None:
    pico.run(STRIP)
    code = f"made = machine(pin=17); made.active(0)\nshow([{RED}] * 12, made); time.sleep_ms(5); print(dma.active())"
    assert pico.run(code) == "True"


def test_a_frame_allocates_nothing(pico: Pico) -> None:
    pico.run(STRIP)
    code = f"""
import micropython
made = machine(); words = array("I", [{RED}] * 48); control = dma.pack_ctrl(size=2, inc_write=False, treq_sel=0)
def check():
    micropython.heap_lock()
    dma.config(read=words, write=made, count=48, ctrl=control, trigger=True)
    while dma.active(): pass
    micropython.heap_unlock()
check(); print("done")
"""
    assert pico.run(code) == "done"
    assert shown(pico.bench) == [(255, 0, 0)] * 48


def test_long_strips_take_several_datagrams(pico: Pico) -> None:
    pico.run(STRIP)
    pico.run(f"made = machine(); show([{BLUE}] * 47 + [{RED}] + [0] * 1200, made)")
    assert shown(pico.bench)[46:] == [(0, 0, 255), (255, 0, 0)]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("jmp('nowhere')", "unknown label nowhere"),
        ("label('a'); label('a')", "duplicate label a"),
        ("nop().side(0)[16]", "delay too large"),
        ("nop().side(2)", "sideset too large"),
        ("out(x, 33)", "invalid bit count 33"),
    ],
)
def test_the_assembler_refuses_what_the_chip_has_no_bits_for(pico: Pico, body: str, error: str) -> None:
    code = f"""
import rp2
try:
    @rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW)
    def program():
        {body}
except Exception as error:
    print(type(error).__name__, error)
print("rp2" in globals(), "nop" in globals())
"""
    assert pico.run(code).split("\n") == [f"PIOASMError {error}", "True False"]


# --- the rest of the chip ---


def test_two_pins_are_two_boards_serial_number_and_reset_cause(pico: Pico, start: Callable[..., Bench]) -> None:
    ask = "import machine; print(machine.unique_id().hex(), machine.reset_cause() == machine.PWRON_RESET)"
    other = Pico(start())
    mine, theirs = pico.run(ask), other.run(ask)
    other.close()
    assert mine != theirs
    assert [len(mine), len(theirs)] == [len("e66164084332345c True")] * 2


def test_the_program_sees_its_flash_and_nothing_else(pico: Pico) -> None:
    code = """
import os, sys
os.mkdir("/lib")
with open("/lib/mine.py", "w") as file: file.write("X = 1")
import mine
print(mine.X, os.getcwd(), os.listdir("/"), sys.path, sorted(name for name in sys.modules if name[0] not in "_m"))
"""
    assert pico.run(code) == "1 / ['lib'] ['', '.frozen', '/lib'] ['os', 'rp2', 'time']"


def test_ticks_count_from_power_on_in_30_bits(pico: Pico) -> None:
    code = """
import time
print(time.ticks_us() < 60_000_000, time.ticks_ms() < 60_000, time.ticks_add(0, -1), time.ticks_diff(5, (1 << 30) - 5))
a = time.ticks_us(); time.sleep_us(3000); print(time.ticks_diff(time.ticks_us(), a) >= 3000)
"""
    assert pico.run(code).split() == ["True", "True", str((1 << 30) - 1), "10", "True"]


def test_the_watchdog_can_be_stopped_by_its_register_and_no_other_register_is_known(pico: Pico) -> None:
    code = """
import machine, time
dog = machine.WDT(timeout=100)
machine.mem32[0x40058000 + 0x3000] = 1 << 30
time.sleep_ms(250)
print("alive", machine.mem32[0x40058000])
try:
    machine.mem32[0xd0000000]
except NotImplementedError as error:
    print(error)
"""
    assert pico.run(code).split("\n") == ["alive 0", "the bench does not know the register at 0xd0000000"]


def test_the_watchdog_outlives_a_soft_reset(pico: Pico) -> None:
    pico.run("import machine; machine.WDT(timeout=300)")
    pico.port.write(b"\x04")
    until(pico.port, b"raw REPL; CTRL-B to exit\r\n>")
    wait_for(lambda: not Path(pico.bench.port).exists(), "it does not bite")


def test_the_watchdog_resets_a_program_that_hangs_and_spares_one_that_feeds(start: Callable[..., Bench]) -> None:
    bench = start("""
import machine, time
from machine import Pin
if machine.reset_cause() == machine.WDT_RESET:
    Pin(5, Pin.OUT, value=1); Pin(5)(0); Pin(5)(1); Pin(4)()
else:
    dog = machine.WDT(timeout=250)
    for n in range(50):
        dog.feed(); time.sleep_ms(10)
    Pin(5, Pin.OUT, value=1)
    for n in range(7):
        Pin(5)(0); Pin(5)(1); Pin(4)()
    while True: pass
""")
    loads: list[int] = []
    until_s = time.monotonic() + 3
    while time.monotonic() < until_s and bench.stats()["loads"] < 8:
        loads.append(bench.stats()["loads"])
        time.sleep(0.005)
    assert 7 in loads  # it was fed for half a second, twice its time-out
    assert bench.stats()["loads"] == 8
