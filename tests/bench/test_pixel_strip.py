"""The WS2812 strip against its data sheet: pulses, order, reset, and what it does with bad ones."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underglow.bench.devices.pixel_strip import RESET_NS, PixelStrip, Pulse

ZERO, ONE = Pulse(300, 900), Pulse(800, 400)
BIT_NS = 1200
RED, GREEN, BLUE = 0x00FF0000, 0xFF000000, 0x0000FF00  # GRB in the top 24 bits of a word


def colours(strip: PixelStrip) -> list[tuple[int, ...]]:
    rgb = strip.latched.rgb
    return [tuple(rgb[i : i + 3]) for i in range(0, len(rgb), 3)]


def show(strip: PixelStrip, words: Sequence[int], at_ns: int) -> int:
    end_ns = strip.train(words, 24, ZERO, ONE, at_ns)
    strip.settle(end_ns + RESET_NS)
    return end_ns + RESET_NS


def send_edges(strip: PixelStrip, words: Sequence[int], zero: Pulse, one: Pulse, at_ns: int) -> int:
    for word in words:
        for place in range(31, 7, -1):
            pulse = one if word >> place & 1 else zero
            strip.din(True, at_ns)
            strip.din(False, at_ns + pulse.high_ns)
            at_ns += sum(pulse)
    return at_ns


pulses = st.builds(Pulse, st.integers(100, 1300), st.integers(100, 1300))
trains = st.lists(
    st.tuples(
        st.lists(st.integers(0, 2**24 - 1).map(lambda grb: grb << 8), min_size=1, max_size=6),
        st.one_of(st.just((ZERO, ONE)), st.tuples(pulses, pulses)),
        st.integers(0, 400_000),
    ),
    max_size=6,
)


@given(trains)
def test_a_train_is_the_same_as_all_its_edges(script: list[tuple[list[int], tuple[Pulse, Pulse], int]]) -> None:
    quick, slow = PixelStrip(3), PixelStrip(3)
    at_ns = 0
    for words, (zero, one), gap_ns in script:
        at_ns += gap_ns
        end_ns = quick.train(words, 24, zero, one, at_ns)
        assert send_edges(slow, words, zero, one, at_ns) == end_ns
        at_ns = end_ns
    for strip in (quick, slow):
        strip.settle(at_ns + RESET_NS)
    assert quick.since(-1) == slow.since(-1)


@given(st.lists(st.binary(min_size=3, max_size=3), min_size=1, max_size=10), st.permutations("RGB"))
def test_each_pixel_keeps_its_own_24_bits_and_hands_on_the_rest(sent: list[bytes], order: list[str]) -> None:
    strip = PixelStrip(5, "".join(order))
    show(strip, [int.from_bytes(colour + b"\0", "big") for colour in sent], 0)
    expected = [tuple(colour[order.index(name)] for name in "RGB") for colour in sent[:5]]
    assert colours(strip) == expected + [(0, 0, 0)] * (5 - len(expected))


def test_a_frame_is_visible_once_the_line_was_quiet_for_the_reset_time() -> None:
    strip = PixelStrip(1)
    strip.train([RED], 24, ZERO, ONE, 1000)
    last_fall_ns = 1000 + 23 * BIT_NS + ZERO.high_ns
    strip.settle(last_fall_ns + RESET_NS - 1)
    assert (strip.latched.number, colours(strip)) == (0, [(0, 0, 0)])
    strip.settle(last_fall_ns + RESET_NS)
    assert (strip.latched.number, strip.latched.at_ns, colours(strip)) == (1, last_fall_ns + RESET_NS, [(255, 0, 0)])


def test_too_short_a_gap_glues_two_frames_together() -> None:
    strip = PixelStrip(4)
    end_ns = strip.train([RED, RED], 24, ZERO, ONE, 0)
    show(strip, [BLUE, BLUE], end_ns + 50_000)
    assert [frame.number for frame in strip.since(0)] == [1]
    assert colours(strip) == [(255, 0, 0), (255, 0, 0), (0, 0, 255), (0, 0, 255)]


def test_a_pixel_that_gets_nothing_goes_on_showing_what_it_did() -> None:
    strip = PixelStrip(3)
    now_ns = show(strip, [RED, GREEN, BLUE], 0)
    show(strip, [BLUE], now_ns)
    assert colours(strip) == [(0, 0, 255), (0, 255, 0), (0, 0, 255)]


def test_half_a_pixel_changes_nothing() -> None:
    strip = PixelStrip(2)
    end_ns = strip.train([0x12300000, 0x45600000, 0x78900000], 12, ZERO, ONE, 0)  # words of 12 bits: half a pixel each
    strip.settle(end_ns + RESET_NS)
    assert colours(strip) == [(0x34, 0x12, 0x56), (0, 0, 0)]


@pytest.mark.parametrize(
    ("zero", "one"),
    [
        (Pulse(300, 900), Pulse(300, 900)),  # both read as 0: the strip goes dark, which it is
        (Pulse(100, 1100), Pulse(800, 400)),
        (Pulse(450, 800), Pulse(800, 400)),
        (Pulse(300, 900), Pulse(500, 700)),
        (Pulse(300, 900), Pulse(1100, 400)),
        (Pulse(300, 100), Pulse(800, 100)),
        (Pulse(600, 1800), Pulse(1600, 800)),
    ],
)
def test_pulses_outside_the_windows_light_nothing(zero: Pulse, one: Pulse) -> None:
    strip = PixelStrip(2)
    end_ns = strip.train([0xAA55AA00, 0x55AA5500], 24, zero, one, 0)
    strip.settle(end_ns + RESET_NS)
    assert colours(strip) == [(0, 0, 0)] * 2


@pytest.mark.parametrize("clock_khz", [720, 780, 800, 850])
def test_the_usual_bit_rates_are_read(clock_khz: int) -> None:
    period_ns = 1_000_000 // clock_khz
    strip = PixelStrip(1)
    end_ns = strip.train([0x12345600], 24, Pulse(300, period_ns - 300), Pulse(750, period_ns - 750), 0)
    strip.settle(end_ns + RESET_NS)
    assert colours(strip) == [(0x34, 0x12, 0x56)]


def test_the_log_of_frames_is_bounded_and_numbers_go_on() -> None:
    strip = PixelStrip(1, kept=8)
    now_ns = 0
    for _ in range(100):
        now_ns = show(strip, [RED], now_ns)
    assert [frame.number for frame in strip.since(0)] == list(range(93, 101))
    assert [frame.number for frame in strip.since(98)] == [99, 100]


def test_without_power_it_is_dark_and_has_forgotten() -> None:
    strip = PixelStrip(2)
    now_ns = show(strip, [RED, RED], 0)
    strip.train([BLUE], 24, ZERO, ONE, now_ns)
    strip.power_off(now_ns + 100_000)
    assert colours(strip) == [(0, 0, 0)] * 2
    show(strip, [GREEN], now_ns + 200_000)
    assert colours(strip) == [(0, 255, 0), (0, 0, 0)]


def test_a_train_cannot_start_on_a_high_line() -> None:
    strip = PixelStrip(1)
    strip.din(True, 0)
    with pytest.raises(ValueError, match="low"):
        strip.train([RED], 24, ZERO, ONE, 1000)
