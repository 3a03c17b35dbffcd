"""What the trial run finds out about PIO programs, as the RP2040 would run them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from underglow.bench import pio
from underglow.bench.devices.pixel_strip import Pulse

# out(x, 1) side(0) [3]; jmp(not_x, 3) side(1) [2]; jmp(0) side(1) [4]; nop() side(0) [4]
WS2812 = [0x6321, 0x1223, 0x1400, 0xA442]
SHIFT_LEFT, SHIFT_RIGHT = 0, 1


def setup(program: Sequence[int] = WS2812, **changes: object) -> pio.Setup:
    return pio.Setup(
        program=program,
        wrap_target=0,
        wrap=len(program) - 1,
        sideset_bits=1,
        sideset_optional=False,
        side_pindir=False,
        out_shiftdir=SHIFT_LEFT,
        autopull=True,
        pull_thresh=24,
        fifo_join=1,
        freq=10_000_000,
        sideset_base=16,
        out_base=None,
        set_base=None,
    )._replace(**changes)


def test_the_usual_program_sends_a_pulse_a_bit() -> None:
    assert pio.encoder(setup()) == pio.Encoder(16, 24, zero=Pulse(300, 900), one=Pulse(800, 400))
    assert pio.encoder(setup()).word_ns == 24 * 1200


def test_the_clock_is_the_nearest_the_divider_can_do() -> None:
    assert pio.encoder(setup(freq=8_000_000)).one == Pulse(1000, 500)
    assert pio.encoder(setup(freq=-1)).one == Pulse(64, 32)  # undivided: 125 MHz
    assert pio.encoder(setup(freq=7_000_000)).one.high_ns == round(8 * 1e9 / 7_000_000)


def test_a_pull_threshold_of_32_sends_32_bits_a_word() -> None:
    assert pio.encoder(setup(pull_thresh=32)).bits == 32


def test_a_program_that_pulls_for_itself() -> None:
    # pull(block) side(0); set(y, 23) side(0); bit: out(x, 1) side(0) [1]; jmp(not_x, zero) side(1) [2];
    # jmp(more) side(1) [4]; zero: nop() side(0) [4]; more: jmp(y_dec, bit) side(0)
    program = [0x80A0, 0xE057, 0x6121, 0x1225, 0x1406, 0xA442, 0x0082]
    with pytest.raises(pio.Unusable, match="differ"):  # each word's last bit is low for longer
        pio.encoder(setup(program, autopull=False))


def test_a_program_that_sets_its_pin() -> None:
    # set(pins, 1) [2]; out(x, 1) [4]; set(pins, 0) [3]: no side-set, so five bits of delay; all bits alike
    with pytest.raises(pio.Unusable, match="moves 0 pins"):
        pio.encoder(setup([0xE201, 0x6421, 0xE300], sideset_bits=0))
    with pytest.raises(pio.Unusable, match="pulses"):
        pio.encoder(setup([0xE201, 0x6421, 0xE300], sideset_bits=0, set_base=16))


def test_an_optional_sideset_costs_one_bit_of_delay() -> None:
    # the usual program but for nop(), which leaves the pin as it is: there is no second edge then
    program = [0x7321, 0x1A23, 0x1C00, 0xB442]
    assert pio.encoder(setup(program, sideset_optional=True)).one == Pulse(800, 400)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"sideset_base": None}, "moves 0 pins"),
        ({"out_shiftdir": SHIFT_RIGHT}, "lowest bit goes first"),
        ({"autopull": False}, "20000 cycles"),
        ({"program": [0x2020]}, "waits"),
        ({"program": [0x0005]}, "outside"),
        ({"sideset_bits": 2, "program": [0x6321, 0x1A23, 0x1C00, 0xA442]}, "moves 2 pins"),
    ],
)
def test_what_cannot_drive_a_strip_is_told_why(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(pio.Unusable, match=reason):
        pio.encoder(setup()._replace(**changes))
