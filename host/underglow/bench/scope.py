"""A scope on the strip's data line: when each frame went out, and the times of its pulses."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from rp2040py.gpio_pin import GPIOPinState

from underglow.bench.devices.pixel_strip import RESET_NS
from underglow.bench.silicon import Chip

_QUIET_NS = 50_000
"""More than any gap within a frame; what a frame's end should be, the figures tell."""


class Burst(NamedTuple):
    """One frame on the wire: its first rising and its last falling edge."""

    first_ns: int
    last_ns: int

    @property
    def latched_ns(self) -> int:
        """When the strip shows it."""
        return self.last_ns + RESET_NS


class Scope:
    """Watches GPIO `pin` of a chip from now on."""

    def __init__(self, chip: Chip, pin: int) -> None:
        self._clock = chip.mcu.clock
        self._rise_ns = 0
        self._fall_ns = 0
        self._first_ns = 0
        self._past: list[Burst] = []
        #: How often each pulse was so many ns high, and low afterwards within a frame; and the pauses between frames.
        self.highs: Counter[int] = Counter()
        self.lows: Counter[int] = Counter()
        self.pauses_ns: list[int] = []
        chip.mcu.gpio[pin].add_listener(self._edge)

    @property
    def bursts(self) -> list[Burst]:
        """All frames up to now; the last may still be going out."""
        return [*self._past, Burst(self._first_ns, self._fall_ns)] if self._first_ns else []

    def _edge(self, level: GPIOPinState, before: GPIOPinState) -> None:
        now_ns = round(self._clock.nanos)
        if level == GPIOPinState.HIGH:
            low_ns = now_ns - self._fall_ns
            if not self._first_ns:
                self._first_ns = now_ns
            elif low_ns < _QUIET_NS:
                self.lows[low_ns] += 1
            else:
                self.pauses_ns.append(low_ns)
                self._past.append(Burst(self._first_ns, self._fall_ns))
                self._first_ns = now_ns
            self._rise_ns = now_ns
        elif level == GPIOPinState.LOW and before == GPIOPinState.HIGH:
            self.highs[now_ns - self._rise_ns] += 1
            self._fall_ns = now_ns
