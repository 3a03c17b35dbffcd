"""74HC165 shift registers in a row, an open-drain hall switch with a pull-up on every input."""

from __future__ import annotations

import random
from collections.abc import Iterable

INPUTS_PER_CHIP = 8

# A byte off the bus starts with the first bit out, and the chain keeps that bit lowest.
_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class HallChain:
    """`chips` 74HC165: /PL and CP of all are tied together, Q7 (QH) of each feeds DS of the one nearer the Pico.

    Input number 0 is the first bit out: H of the chip nearest the Pico. A switch under a magnet drives its input low
    (high, if not `active_low`). DS of the farthest chip is grounded, so zeros follow the last input.
    """

    def __init__(self, chips: int, *, active_low: bool = True) -> None:
        self.inputs = chips * INPUTS_PER_CHIP
        #: Parallel loads since power came on: falling edges of /PL.
        self.loads = 0
        self._all = (1 << self.inputs) - 1
        self._idle = self._all if active_low else 0
        self._magnets = 0
        self._stuck = 0
        self._stuck_levels = 0
        self._bounces: dict[int, int] = {}  # input: loads it chatters for after a change
        self._chattering: dict[int, int] = {}  # input: loads of chatter left
        self._chatter = 0  # inputs that show their old level in this load
        self._flickering: tuple[int, ...] = ()
        self._flicker_rate = 0.0
        self._chance = random.Random(0)  # noqa: S311 - trouble, not a secret
        self._spikes: dict[int, int] = {}  # input: loads its spike still lasts, and the quiet one after it
        self._spiking = 0  # inputs that show the other level in this load
        self._register = 0
        self._pl = True
        self._clock = False
        self._cp = False
        self._ce = False

    # --- what hands and faults do to the inputs ---

    def magnet(self, sensor: int, near: bool) -> None:
        """Bring a magnet to the switch on that input, or take it away."""
        bit = 1 << sensor
        if bool(self._magnets & bit) == near:
            return
        self._magnets ^= bit
        if sensor in self._bounces:
            self._chattering[sensor] = self._bounces[sensor]

    def bounce(self, sensor: int, loads: int) -> None:
        """Let that input chatter for so many loads after each change: new level, old, new, ...; 0: it is clean."""
        self._chattering.pop(sensor, None)
        self._bounces.pop(sensor, None)
        if loads:
            self._bounces[sensor] = loads

    def flicker(self, sensors: Iterable[int], rate: float, seed: int = 0) -> None:
        """Let those inputs, and no others, show the other level now and then, for one or two loads at a time.

        In each load a spike begins with that probability, never right after another; 0: no more.
        """
        self._flickering, self._flicker_rate = tuple(sensors) if rate else (), rate
        self._chance.seed(seed)
        self._spikes.clear()
        self._spiking = 0

    def stick(self, sensor: int, level: bool | None) -> None:
        """Hold that input at a level whatever the switch does; None lets go."""
        bit = 1 << sensor
        self._stuck = self._stuck & ~bit if level is None else self._stuck | bit
        self._stuck_levels = self._stuck_levels | bit if level else self._stuck_levels & ~bit

    # --- pins ---

    def pl(self, level: bool) -> None:
        """Parallel load, asynchronous and active low: while it is low the register follows the inputs."""
        if level == self._pl:
            return
        self._pl = level
        if level:
            self._register = self._levels()
        else:
            self.loads += 1
            self._chatter = self._next_chatter() if self._chattering else 0
            if self._flickering:
                self._spiking = self._next_spikes()

    def cp(self, level: bool) -> None:
        """Clock; a rising edge shifts by one unless /PL is low or /CE is high."""
        self._cp = level
        self._clocked()

    def ce(self, level: bool) -> None:
        """Clock enable, active low; inside the chip it is or-ed with the clock, so its edge counts as one."""
        self._ce = level
        self._clocked()

    @property
    def qh(self) -> bool:
        """The serial output."""
        return bool((self._register if self._pl else self._levels()) & 1)

    def clock_byte(self) -> int:
        """Eight clocks of a bus that samples on the rising edge, which is before the chip has shifted."""
        if not self._pl or self._ce:
            return 0xFF if self.qh else 0
        byte = _MIRRORED[self._register & 0xFF]
        self._register >>= 8
        return byte

    def _clocked(self) -> None:
        clock = self._cp or self._ce
        if clock and not self._clock and self._pl:
            self._register >>= 1
        self._clock = clock

    def _levels(self) -> int:
        levels = self._idle ^ self._magnets ^ self._chatter ^ self._spiking
        return levels & ~self._stuck | self._stuck_levels

    def _next_spikes(self) -> int:
        spiking = 0
        for sensor in self._flickering:
            left = self._spikes.get(sensor, 0)
            if not left and self._chance.random() < self._flicker_rate:
                left = self._chance.randint(1, 2) + 1
            if left:
                self._spikes[sensor] = left - 1
            # The last load of each is quiet, so that two of them are never one that lasts longer.
            if left > 1:
                spiking |= 1 << sensor
        return spiking

    def _next_chatter(self) -> int:
        old = 0
        for sensor, left in list(self._chattering.items()):
            if (self._bounces[sensor] - left) & 1:
                old |= 1 << sensor
            if left == 1:
                del self._chattering[sensor]
            else:
                self._chattering[sensor] = left - 1
        return old
