"""Lamp programs and time to pixel words: effects, gamma, brightness and the current cap. No pins, no clock."""

# A viper function takes any buffer for a ptr8, ptr16 or ptr32; the stubs do not know that:
# pyright: reportArgumentType=false

import math
import struct
from array import array

import micropython

import wire

# Equal steps of a program look equal to the eye with an exponent of about 2.2 to 2.8.
_GAMMA = 2.4


class Lights:
    """`lamps` lamps, each running the program the host gave it, drawn onto pixels.

    `pixel_lamp` says to which lamp each pixel belongs, `order` which colour goes out first ("GRB"); `power` holds
    `cap_ma` for the whole strip, `idle_ua` a pixel and `channel_ua` a colour at full.
    """

    def __init__(self, lamps, pixel_lamp, order, power):
        self.programs = bytearray(wire.PROGRAM_BYTES * lamps)
        self._own = bytearray(wire.PROGRAM_BYTES * lamps)
        self._lamp_words = array("I", [0] * lamps)  # a lamp's colours as they go out, from bit 31 down
        self._lamp_loads = array("H", [0] * lamps)  # and their sum
        self._pixel_lamp = array("H", pixel_lamp)
        # The shifts of red, green and blue in a word, the gamma table at 256, the effects' shapes from 512 on.
        self._tables = bytearray(256 * (2 + len(wire.EFFECTS)))
        for k in range(3):
            self._tables[k] = 24 - 8 * order.index("RGB"[k])
        for i in range(256):
            self._tables[256 + i] = int(255 * (i / 255) ** _GAMMA + 0.5)
        self._tables[512:] = _shapes()
        self._idle_ua = power["idle_ua"] * len(pixel_lamp)
        self._channel_ua = power["channel_ua"]
        self._budget = max(0, (power["cap_ma"] * 1000 - self._idle_ua) * 255 // self._channel_ua)
        self._total = 0
        self.brightness = 255

    def fill(self, program):
        """Give every lamp of the board's own picture a program (see wire.PROGRAM)."""
        for lamp in range(len(self._own) // wire.PROGRAM_BYTES):
            self.set(lamp, program)

    def set(self, lamp, program):
        """Give one lamp of the board's own picture a program."""
        struct.pack_into(wire.PROGRAM, self._own, wire.PROGRAM_BYTES * lamp, *program)

    @micropython.native
    def take(self, groups):
        """Give lamps of the host's picture their programs (see wire.Lamps). ValueError: not for this board."""
        wrong = _take(groups, len(groups), self.programs, len(self._lamp_loads), len(wire.EFFECTS))
        if wrong:
            raise ValueError(("no such effect", "a group is cut short", "no such lamp")[wrong - 1])

    @micropython.native
    def draw(self, words, now_ms, own):
        """Fill `words` (an array of "I", one a pixel) with the host's picture or the board's own at `now_ms`.

        Whichever it is stays within the current cap.
        """
        programs = self._own if own else self.programs
        lamp_words, loads = self._lamp_words, self._lamp_loads
        scale = len(programs) << 8 | self.brightness  # viper takes few arguments
        _colour(programs, lamp_words, loads, scale, self._tables, now_ms)
        total = _pack(lamp_words, loads, self._pixel_lamp, words, len(words))
        if total > self._budget:
            _dim(lamp_words, loads, len(loads), self._budget, total)
            total = _pack(lamp_words, loads, self._pixel_lamp, words, len(words))
        self._total = total

    def load_ma(self):
        """What the strip draws with the last picture, by the profile's figures."""
        return (self._total * self._channel_ua // 255 + self._idle_ua) // 1000


def _shapes():
    """One period of each effect's level in 256 steps, the effects one after another by number."""
    shapes = bytearray(256 * len(wire.EFFECTS))
    for t in range(256):
        shapes[256 * wire.SOLID + t] = 255
        shapes[256 * wire.PULSE + t] = t * 8 if t < 32 else 255 - (t - 32) * 255 // 223
        shapes[256 * wire.BLINK + t] = 255 if t < 128 else 0
        shapes[256 * wire.BREATHE + t] = int(146.5 - 108.5 * math.cos(t * math.pi / 128))
        shapes[256 * wire.CHASE + t] = max(0, 255 - 4 * t)  # a comet: here now, its tail a quarter of the way behind
        shapes[256 * wire.SWEEP + t] = 255  # each lamp from its phase to the end of the period
    return shapes


@micropython.viper
def _colour(programs: ptr8, words: ptr32, loads: ptr16, scale: int, tables: ptr8, now_ms: int):
    """Work out the colours of every lamp; `scale` holds the size of `programs` and, in its low byte, the brightness."""
    size = scale >> 8
    brightness = (scale & 0xFF) + 1
    red_at = tables[0]
    green_at = tables[1]
    blue_at = tables[2]
    at = 0
    lamp = 0
    while at < size:
        effect = programs[at]
        word = 0
        load = 0
        if effect:
            level = 256
            if effect != 1:
                phase = programs[at + 6]
                period_ms = programs[at + 4] | programs[at + 5] << 8
                turn = 0
                if period_ms:
                    turn = (now_ms % period_ms) * 256 // period_ms
                level = 0
                if effect != 6 or turn >= phase:  # a SWEEP has not come to this lamp before its phase
                    level = tables[512 + (effect << 8) + ((turn - phase) & 0xFF)]
                level += 1
            red = tables[256 + (programs[at + 1] * level >> 8)] * brightness >> 8
            green = tables[256 + (programs[at + 2] * level >> 8)] * brightness >> 8
            blue = tables[256 + (programs[at + 3] * level >> 8)] * brightness >> 8
            load = red + green + blue
            word = red << red_at | green << green_at | blue << blue_at
        words[lamp] = word
        loads[lamp] = load
        at += 7
        lamp += 1


@micropython.viper
def _pack(lamp_words: ptr32, loads: ptr16, pixel_lamp: ptr16, words: ptr32, pixels: int) -> int:
    """Put the lamps' colours on their pixels; their sum."""
    total = 0
    i = 0
    while i < pixels:
        lamp = pixel_lamp[i]
        if lamp == 0xFFFF:
            words[i] = 0
        else:
            words[i] = lamp_words[lamp]
            total += loads[lamp]
        i += 1
    return total


@micropython.viper
def _dim(words: ptr32, loads: ptr16, lamps: int, budget: int, asked: int):
    """All lamps together are over budget: dim them alike."""
    lamp = 0
    while lamp < lamps:
        word = words[lamp]
        load = 0
        dimmed = 0
        at = 24
        while at > 0:
            value = (word >> at & 0xFF) * budget // asked
            load += value
            dimmed |= value << at
            at -= 8
        words[lamp] = dimmed
        loads[lamp] = load
        lamp += 1


@micropython.viper
def _take(groups: ptr8, size: int, programs: ptr8, lamps: int, effects: int) -> int:
    """wire.apply, quickly; 0 if all is well, else what is wrong: 1 no such effect, 2 cut short, 3 no such lamp."""
    at = 0
    while at < size:
        first = at
        at += 8
        if at > size or groups[first] >= effects:
            return 1
        effect = groups[first]
        count = groups[first + 7]
        i = 0
        while i < count:
            if at >= size:
                return 2
            lamp = groups[at]
            at += 1
            if lamp & 0x80:
                if at >= size:
                    return 2
                lamp = lamp & 0x7F | groups[at] << 7
                at += 1
            if lamp >= lamps:
                return 3
            to = lamp * 7
            programs[to] = effect
            programs[to + 1] = groups[first + 1]
            programs[to + 2] = groups[first + 2]
            programs[to + 3] = groups[first + 3]
            programs[to + 4] = groups[first + 4]
            programs[to + 5] = groups[first + 5]
            programs[to + 6] = groups[first + 6]
            if effect >= 5:  # CHASE and SWEEP run along the group
                programs[to + 6] = groups[first + 6] + (i << 8) // count
            i += 1
    return 0
