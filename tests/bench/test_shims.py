"""`machine` and `rp2` in the VM: what a program does on its pins reaches the circuit as it would on the chip."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from bare_pico import CHAIN, STRIP, Pico, until, wait_for

from underglow.bench.vm import Bench
from underglow.board_file import Nfc, NfcI2c, Reader
from underglow.profile import Board

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


# --- readers and buttons ---

READER = """
from machine import Pin, SPI
import time
bus = SPI(1, baudrate=4_000_000, sck=Pin(10), mosi=Pin(11), miso=Pin(12))
select = Pin(13, Pin.OUT, value=1)
def write(*pairs):
    for register, value in pairs:
        select(0); bus.write(bytes((register << 1, value))); select(1)
def read(register, into=bytearray(2)):
    select(0); bus.write_readinto(bytes((0x80 | register << 1, 0)), into); select(1)
    return into[1]
"""
VERSION = "print(hex(read(0x37)))"


def test_a_reader_answers_under_its_chip_select(pico: Pico) -> None:
    pico.run(READER)
    assert pico.run(VERSION) == "0x92"
    pico.run("write((0x24, 0x5a)); other = select; select = Pin(14, Pin.OUT, value=1)")
    assert pico.run("print(hex(read(0x24)))") != "0x5a"
    assert pico.run("select = other; print(hex(read(0x24)))") == "0x5a"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Pin(13", "Pin(19"),
        ("sck=Pin(10)", "sck=Pin(14)"),
        ("mosi=Pin(11)", "mosi=Pin(15)"),
        ("miso=Pin(12)", "miso=Pin(8)"),
    ],
)
def test_a_reader_that_is_wired_otherwise_is_not_there(pico: Pico, right: str, wrong: str) -> None:
    pico.run(READER.replace(right, wrong))
    assert pico.run(VERSION) == "0x0"


def test_a_reader_does_not_understand_the_other_clock_modes(pico: Pico) -> None:
    pico.run(READER.replace("sck=", "polarity=1, phase=0, sck="))
    assert pico.run(VERSION) == "0x0"
    assert "readers sample on the rising edge" in pico.bench.says()
    pico.run(READER.replace("sck=", "polarity=1, phase=1, sck="))
    assert pico.run(VERSION) == "0x92"


def test_what_is_only_written_waits_for_the_next_read_and_keeps_its_time(pico: Pico) -> None:
    """A tag hears nothing before its field has been on for 5 ms. Nothing is read while those pass."""
    pico.bench.equip("card", uid=bytes.fromhex("04a1b2c3d4e580"))
    pico.bench.place("z1", "card")
    pico.run(READER)
    code = """
write((0x01, 0x0f)); time.sleep_ms(2)
write((0x15, 0x40), (0x11, 0x3d), (0x14, 0x83))
time.sleep_us(%d)
write((0x0d, 7), (0x01, 0x0c), (0x09, 0x52), (0x0d, 0x87))
time.sleep_ms(1)
print(read(0x0a), hex(read(0x09)), hex(read(0x09)))
"""
    assert pico.run(code % 5200) == "2 0x44 0x0"
    assert pico.run("write((0x14, 0x80)); time.sleep_ms(6)" + code % 1000) == "0 0x0 0x0"


def test_a_poll_allocates_nothing(pico: Pico) -> None:
    pico.run(READER)
    code = """
import micropython
ask, into, set = b"\\xee\\x00", bytearray(2), b"\\x24\\x80"
def check():
    micropython.heap_lock()
    for times in range(300):
        for n in range(8):
            select(0); bus.write(set); select(1)
        select(0); bus.write_readinto(ask, into); select(1)
    micropython.heap_unlock()
check(); print(into[1])
"""
    assert pico.run(code) == str(0x92)


def test_writes_longer_than_a_datagram_arrive_whole_and_in_order(pico: Pico) -> None:
    pico.run(READER)
    code = "data = bytearray(range(60)); data[0] = 9 << 1; select(0); bus.write(data); select(1); print(read(0x0a))"
    assert pico.run(code) == "59"  # all but the address are in the FIFO
    assert pico.run("print([read(0x09) for _ in range(59)] == list(range(1, 60)))") == "True"
    code = "select(0); bus.write(b'\\x48' + bytes(5000) + b'\\x5a'); select(1); print(hex(read(0x24)))"
    assert pico.run(code) == "0x5a"


def test_a_pressed_button_pulls_its_pin_to_ground(pico: Pico) -> None:
    pico.run("from machine import Pin; pins = [Pin(n, Pin.IN, Pin.PULL_UP) for n in (6, 7, 8)]")
    read = "print(*[pin() for pin in pins])"
    assert pico.run(read) == "1 1 1"
    pico.bench.press("undo")
    pico.bench.press("help")
    assert pico.run(read) == "1 0 0"
    pico.bench.release("undo")
    assert pico.run(read) == "1 1 0"


def test_a_button_bounces_for_as_long_as_it_is_told(pico: Pico) -> None:
    pico.run("from machine import Pin; import time; pin = Pin(6, Pin.IN, Pin.PULL_UP)")
    watch = """
edges, level = 0, 1
start = last = time.ticks_us()
while time.ticks_diff(time.ticks_us(), last) < (40_000 if edges else 3_000_000):
    if pin() != level:
        edges += 1
        level = 1 - level
        last = time.ticks_us()
print(edges, level)
"""
    pico.begin(watch)
    time.sleep(0.01)
    pico.bench.press("confirm", bounce_ms=20)
    edges, level = map(int, pico.end()[0].split())
    assert (edges >= 5, level) == (True, 0)
    pico.begin(watch.replace("0, 1", "0, 0"))
    time.sleep(0.01)
    pico.bench.release("confirm")
    assert pico.end()[0] == "1 1"


# --- I2C ---

PN532 = """
from machine import I2C, Pin
import time
bus = I2C(0, scl=Pin(1), sda=Pin(0), freq=400_000, timeout=2000)
def frame(*data):
    body = b"\\xd4" + bytes(data)
    return bytes((0, 0, 255, len(body), -len(body) & 255)) + body + bytes((-sum(body) & 255, 0))
def wait():
    while not bus.readfrom(0x24, 1)[0]: time.sleep_ms(1)
def failing(act):
    try: act()
    except OSError as error: return error.errno
"""


@pytest.fixture
def board_profile(board_profile: Board, request: pytest.FixtureRequest) -> Board:
    """With a PN532 under the pad, for the tests of I2C."""
    if "i2c" not in request.node.name:
        return board_profile
    pn532 = Nfc(i2c=NfcI2c(block=0, sda=0, scl=1), readers=(Reader(space="pad", chip="pn532"),))
    return replace(board_profile, nfc=pn532)


def test_i2c_carries_a_command_and_its_answer(pico: Pico) -> None:
    pico.run(PN532)
    assert pico.run("print(bus.scan(), bus.writeto(0x24, frame(0x02)))") == "[36] 9"
    assert pico.run("wait(); a = bytearray(7); bus.readfrom_into(0x24, a); print(a.hex())") == "010000ff00ff00"
    assert pico.run("wait(); print(bus.readfrom(0x24, 14).hex())") == "01" + "0000ff06fad50332010607e800"


def test_i2c_errors_are_those_of_the_chip(pico: Pico) -> None:
    pico.run(PN532)
    code = """
print(failing(lambda: bus.writeto(0x25, b"x")), failing(lambda: bus.readfrom(0x25, 1)))
print(failing(lambda: bus.writeto(0x25, b"")))
slow = I2C(0, scl=Pin(1), sda=Pin(0), freq=10_000, timeout=2000)
print(failing(lambda: slow.readfrom(0x24, 2)), slow.writeto(0x24, b"x"))
bus = I2C(0, scl=Pin(1), sda=Pin(0), freq=400_000, timeout=2000)
print(len(bus.readfrom(0x24, 80)), failing(lambda: bus.readfrom(0x24, 100)))
"""
    assert pico.run(code).split() == ["5", "5", "19", "110", "1", "80", "110"]


@pytest.mark.parametrize("pins", ["scl=Pin(5), sda=Pin(4)", "scl=Pin(1), sda=Pin(4)"])
def test_i2c_on_other_pins_finds_nobody(pico: Pico, pins: str) -> None:
    pico.run(PN532.replace("scl=Pin(1), sda=Pin(0)", pins))
    assert pico.run("print(bus.scan())") == "[]"


def test_i2c_reaches_only_its_own_pins(pico: Pico) -> None:
    code = """
from machine import I2C, Pin
for block, scl, sda in ((0, 0, 1), (0, 3, 0), (1, 1, 2), (2, 1, 0)):
    try: I2C(block, scl=Pin(scl), sda=Pin(sda))
    except ValueError as error: print(error)
"""
    assert pico.run(code).split("\n") == ["bad SCL pin"] * 3 + ["I2C(2) doesn't exist"]


def test_i2c_allocates_nothing_even_when_nobody_answers(pico: Pico) -> None:
    pico.run(PN532)
    code = """
import micropython
command, into, missed = frame(0x02), bytearray(42), 0
def check():
    global missed
    micropython.heap_lock()
    for times in range(100):
        bus.writeto(0x24, command); bus.readfrom_into(0x24, into)
        try: bus.readfrom_into(0x25, into)
        except OSError: missed += 1
    micropython.heap_unlock()
check(); print(missed)
"""
    assert pico.run(code) == "100"


# --- PWM ---


def test_pwm_makes_the_picos_own_light_blink(pico: Pico) -> None:
    bench = pico.bench
    pico.run("from machine import PWM, Pin; light = PWM(Pin(25), freq=20, duty_u16=0x8000)")
    before, before_us = bench.stats()["led_changes"], bench.now_us
    time.sleep(0.5)
    changes_a_second = (bench.stats()["led_changes"] - before) * 1e6 / (bench.now_us - before_us)
    assert 20 <= changes_a_second <= 45
    pico.run("light.duty_u16(0xFFFF)")
    time.sleep(0.01)
    steady = bench.stats()["led_changes"]
    time.sleep(0.1)
    assert bench.stats()["led_changes"] == steady
    pico.run("light.deinit()")
    assert bench.stats()["led_changes"] == steady + 1


def test_pwm_refuses_what_the_chip_has_no_bits_for(pico: Pico) -> None:
    code = """
from machine import PWM, Pin
try: PWM(Pin(25), freq=7)
except ValueError as error: print(error)
light = PWM(Pin(25), freq=1000); light.duty_u16(100); print(light.freq(), light.duty_u16())
"""
    assert pico.run(code).split("\n") == ["freq too small", "1000 100"]


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
