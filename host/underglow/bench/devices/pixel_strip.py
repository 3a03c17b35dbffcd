"""A strip of WS2812: pulses in, light out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

RESET_NS = 280_000
"""Quiet that ends a frame (WS2812B-V5; older ones are content with 50 µs)."""

ZERO_HIGH_NS = (220, 380)
ONE_HIGH_NS = (580, 1000)
LOW_NS = 220
"""Windows of the WS2812B-V5 for the high time of either bit; the least low time of the family."""

_PIXEL_BITS = 24


class Pulse(NamedTuple):
    """One bit on the wire: so long high, then so long low."""

    high_ns: int
    low_ns: int

    @property
    def bit(self) -> int | None:
        """What a WS2812 takes it for; None: outside every window."""
        if self.low_ns < LOW_NS:
            return None
        if ZERO_HIGH_NS[0] <= self.high_ns <= ZERO_HIGH_NS[1]:
            return 0
        return 1 if ONE_HIGH_NS[0] <= self.high_ns <= ONE_HIGH_NS[1] else None


class Latched(NamedTuple):
    """A frame as it became visible: its number counts from the start, `rgb` has three bytes a pixel."""

    number: int
    at_ns: int
    rgb: bytes


class PixelStrip:
    """`pixels` WS2812 in a row, fed at the first; `order` is how they take their colours ("GRB").

    Each pixel keeps the first 24 bits after a reset and hands on the rest; RESET_NS of quiet make all show what they
    hold. A pixel that got no bits, or bits outside the windows, goes on showing what it did.
    """

    def __init__(self, pixels: int, order: str = "GRB", kept: int = 512) -> None:
        self.pixels = pixels
        self._places = [order.index(colour) for colour in "RGB"]
        self._held: list[int | None] = [None] * pixels
        self._next = 0  # the pixel that takes the next bits
        self._bits = 0
        self._count = 0  # bits that pixel has so far
        self._garbled = False
        self._heard = False  # anything since the last reset
        self._level = False
        self._since_ns = 0  # when the line came to that level
        self._high_ns = 0
        self._rgb = bytearray(3 * pixels)
        self._frames: deque[Latched] = deque([Latched(0, 0, bytes(self._rgb))], maxlen=kept)

    # --- the wire ---

    def din(self, level: bool, at_ns: int) -> None:
        """Set the data line. A bit is known by its high time once the line has been low long enough."""
        if level == self._level:
            return
        if level:
            self._end_low(at_ns)
        else:
            self._high_ns = at_ns - self._since_ns
        self._level = level
        self._since_ns = at_ns

    def train(self, words: Iterable[int], bits: int, zero: Pulse, one: Pulse, at_ns: int) -> int:
        """Send the top `bits` of 32-bit words, MSB first, as pulses without a gap; the time at which they have ended.

        The same as all their edges on `din`, but quick.
        """
        if self._level:
            raise ValueError("the line must be low before a train of pulses")
        self._end_low(at_ns)
        length_ns = 0
        last = zero
        readable = zero.bit == 0 and one.bit == 1
        for word in words:
            value = word >> (32 - bits)
            ones = value.bit_count()
            length_ns += ones * sum(one) + (bits - ones) * sum(zero)
            if readable:
                self._take(value, bits)
            else:
                for place in reversed(range(bits)):
                    self._take_pulse(one if value >> place & 1 else zero)
            last = one if value & 1 else zero
            self._heard = True
        self._since_ns = at_ns + length_ns - last.low_ns
        return at_ns + length_ns

    def settle(self, now_ns: int) -> None:
        """Let the time pass until now: show the frame if the line has been quiet long enough."""
        if not self._level and now_ns - self._since_ns >= RESET_NS:
            if self._high_ns:
                self._take_pulse(Pulse(self._high_ns, RESET_NS))
                self._high_ns = 0
            self._reset(self._since_ns + RESET_NS)

    def power_off(self, at_ns: int) -> None:
        """Go dark and forget everything."""
        self._held = [0] * self.pixels
        self._heard = True
        self._reset(at_ns)

    # --- eyes ---

    @property
    def latched(self) -> Latched:
        """The frame that is visible."""
        return self._frames[-1]

    def since(self, number: int) -> list[Latched]:
        """Return the frames after that number which are still kept, oldest first."""
        return [frame for frame in self._frames if frame.number > number]

    # --- inside ---

    def _end_low(self, at_ns: int) -> None:
        self.settle(at_ns)
        if self._high_ns:
            self._take_pulse(Pulse(self._high_ns, at_ns - self._since_ns))
            self._high_ns = 0

    def _take_pulse(self, pulse: Pulse) -> None:
        bit = pulse.bit
        if bit is None:
            self._garbled = True
        self._take(bit or 0, 1)
        self._heard = True

    def _take(self, value: int, count: int) -> None:
        self._bits = self._bits << count | value
        self._count += count
        while self._count >= _PIXEL_BITS:
            self._count -= _PIXEL_BITS
            if self._next < self.pixels and not self._garbled:
                self._held[self._next] = self._bits >> self._count
            self._bits &= (1 << self._count) - 1
            self._garbled = False
            self._next += 1

    def _reset(self, at_ns: int) -> None:
        if not self._heard:
            return
        first, second, third = self._places
        for pixel, value in enumerate(self._held):
            if value is not None:
                colours = value.to_bytes(3, "big")
                self._rgb[3 * pixel : 3 * pixel + 3] = bytes((colours[first], colours[second], colours[third]))
        self._held = [None] * self.pixels
        self._next = self._bits = self._count = 0
        self._garbled = self._heard = False
        self._frames.append(Latched(self._frames[-1].number + 1, at_ns, bytes(self._rgb)))
