"""What a PIO program does to a pin: a state machine of the RP2040, run on trial words to learn its pulses."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from underglow.bench.devices.pixel_strip import Pulse

CLOCK_HZ = 125_000_000
_MASK = 0xFFFFFFFF
_TRIAL_CYCLES = 20_000
_SHIFT_RIGHT = 1


class Unusable(Exception):
    """The program sends no pulse for each bit; the message says what it does instead."""


class Setup(NamedTuple):
    """A state machine as `rp2.StateMachine` sets it up. Bases are GPIO numbers or None."""

    program: Sequence[int]
    wrap_target: int
    wrap: int
    sideset_bits: int
    sideset_optional: bool
    side_pindir: bool
    out_shiftdir: int
    autopull: bool
    pull_thresh: int
    fifo_join: int
    freq: int
    sideset_base: int | None
    out_base: int | None
    set_base: int | None

    @property
    def threshold(self) -> int:
        """After how many bits the next word is pulled."""
        return self.pull_thresh & 31 or 32

    @property
    def cycle_ns(self) -> float:
        """One cycle, by the divider in steps of 1/256 that comes nearest."""
        if self.freq <= 0:
            return 1e9 / CLOCK_HZ
        divider = min(max(CLOCK_HZ * 256 // self.freq, 256), 65536 * 256)
        return divider * 1e9 / (256 * CLOCK_HZ)


class Encoder(NamedTuple):
    """What a program makes of each bit of a word, top bit first: pulses on a pin."""

    pin: int
    bits: int
    zero: Pulse
    one: Pulse

    @property
    def word_ns(self) -> int:
        """The time of an average word."""
        return self.bits * (sum(self.zero) + sum(self.one)) // 2


def encoder(setup: Setup) -> Encoder:
    """Learn the pulses of a program. Unusable: it is none that sends a pulse a bit."""
    bits = setup.threshold
    ones = _MASK << (32 - bits) & _MASK
    pin, zeros = _pulses(setup, [0] * 3)
    _, long = _pulses(setup, [ones] * 3)
    _, first = _pulses(setup, [1 << 31, 0, 0])
    if any(len(pulses) != 3 * bits for pulses in (zeros, long, first)):
        raise Unusable(f"three words of {bits} bits made {len(zeros)} or {len(long)} pulses")
    zero, one = zeros[bits], long[bits]
    # The last low never ends: nothing follows.
    if set(zeros[:-1]) != {zero} or set(long[:-1]) != {one} or first[: 2 * bits] != [one] + [zero] * (2 * bits - 1):
        raise Unusable("its pulses differ from bit to bit, or the lowest bit goes first")
    cycle_ns = setup.cycle_ns
    return Encoder(pin, bits, *(Pulse(round(p.high_ns * cycle_ns), round(p.low_ns * cycle_ns)) for p in (zero, one)))


def _pulses(setup: Setup, words: Sequence[int]) -> tuple[int, list[Pulse]]:
    """The pin that moves while those words are sent, and its pulses in cycles."""
    edges: dict[int, list[int]] = {}
    levels: dict[int, bool] = {}
    cycle = 0
    for cycle, pin, level in _StateMachine(setup, words).edges():
        if levels.get(pin, False) != level:
            levels[pin] = level
            edges.setdefault(pin, []).append(cycle)
    if len(edges) != 1:
        raise Unusable(f"it moves {len(edges)} pins")
    ((pin, times),) = edges.items()
    times.append(cycle + 1)
    rises, falls = times[0::2], times[1::2]
    return pin, [
        Pulse(fall - rise, following - fall)
        for rise, fall, following in zip(rises, falls, [*rises[1:], cycle + 1], strict=False)
    ]


class _StateMachine:
    """RP2040 datasheet, chapter 3, without inputs: pins read low, interrupts and the receive FIFO go nowhere."""

    def __init__(self, setup: Setup, words: Sequence[int]) -> None:
        self.setup = setup
        self.fifo = deque(words)
        self.pc = 0
        self.x = self.y = self.osr = self.isr = 0
        self.shifted = 32  # bits gone from the OSR
        self.cycle = 0
        self.levels: list[tuple[int, int, bool]] = []

    def edges(self) -> Iterator[tuple[int, int, bool]]:
        """Yield (cycle, pin, level) until the words are out."""
        while self.cycle < _TRIAL_CYCLES:
            if not 0 <= self.pc < len(self.setup.program):
                raise Unusable(f"it jumps to {self.pc}, outside its {len(self.setup.program)} instructions")
            word = self.setup.program[self.pc]
            delay = self._sideset(word)
            at = self.pc
            self.pc = self.setup.wrap_target if at == self.setup.wrap else at + 1
            went = self._execute(word)
            yield from self.levels
            self.levels.clear()
            if not went:
                return  # it waits for words that do not come
            self.cycle += 1 + delay
        raise Unusable(f"it has not sent three words after {_TRIAL_CYCLES} cycles")

    def _sideset(self, word: int) -> int:
        setup = self.setup
        field = word >> 8 & 31
        bits = setup.sideset_bits + setup.sideset_optional
        delay = field & (31 >> bits)
        value = field >> (5 - bits)
        if setup.sideset_optional:
            if not value >> setup.sideset_bits & 1:
                return delay
            value &= (1 << setup.sideset_bits) - 1
        if not setup.side_pindir:
            self._drive(setup.sideset_base, setup.sideset_bits, value)
        return delay

    def _drive(self, base: int | None, count: int, value: int) -> None:
        if base is not None:
            self.levels += [(self.cycle, base + i, bool(value >> i & 1)) for i in range(count)]

    def _execute(self, word: int) -> bool:
        """Run one instruction. False: it stalls for want of a word."""
        kind, high, low = word >> 13, word >> 5 & 7, word & 31
        match kind:
            case 0:
                if self._condition(high):
                    self.pc = low
            case 3:
                return self._out(high, low or 32)
            case 4 if word & 0x80:
                return self._pull(word)
            case 5:
                self._mov(high, low)
            case 7:
                if high == 0:
                    self._drive(self.setup.set_base, 1, low)
                self._store(high, low)
            case _:
                raise Unusable("it waits, reads pins or uses interrupts, which the bench does not know")
        return True

    def _condition(self, which: int) -> bool:
        x, y = self.x, self.y
        if which == 2:
            self.x = (x - 1) & _MASK
        elif which == 4:
            self.y = (y - 1) & _MASK
        return (True, not x, bool(x), not y, bool(y), x != y, False, self.shifted < self.setup.threshold)[which]

    def _out(self, target: int, bits: int) -> bool:
        if self.setup.autopull and self.shifted >= self.setup.threshold:
            if not self.fifo:
                return False
            self.osr, self.shifted = self.fifo.popleft(), 0
        if self.setup.out_shiftdir == _SHIFT_RIGHT:
            value = self.osr & (_MASK >> (32 - bits))
            self.osr >>= bits
        else:
            value = self.osr >> (32 - bits)
            self.osr = self.osr << bits & _MASK
        self.shifted = min(32, self.shifted + bits)
        if target == 0:
            self._drive(self.setup.out_base, 1, value)
        self._store(target, value)
        return True

    def _pull(self, word: int) -> bool:
        if word & 0x40 and self.shifted < self.setup.threshold:
            return True
        if self.fifo:
            self.osr = self.fifo.popleft()
        elif word & 0x20:
            return False
        else:
            self.osr = self.x
        self.shifted = 0
        return True

    def _mov(self, target: int, operand: int) -> None:
        value = {1: self.x, 2: self.y, 3: 0, 6: self.isr, 7: self.osr}.get(operand & 7, 0)
        if operand >> 3 == 1:
            value ^= _MASK
        elif operand >> 3 == 2:
            value = int(f"{value:032b}"[::-1], 2)
        if target == 0:
            self._drive(self.setup.out_base, 1, value)
        elif target == 7:
            self.osr, self.shifted = value, 0
        self._store(target, value)

    def _store(self, target: int, value: int) -> None:
        if target == 1:
            self.x = value
        elif target == 2:
            self.y = value
        elif target == 6:
            self.isr = value
