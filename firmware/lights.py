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
        self._colours = bytearray(3 * lamps)
        self._pixel_lamp = array("H", pixel_lamp)
        self._order = bytes(["RGB".index(colour) for colour in order])
        self._gamma = bytes([int(255 * (i / 255) ** _GAMMA + 0.5) for i in range(256)])
        self._shapes = _shapes()
        self._idle_ua = power["idle_ua"] * len(pixel_lamp)
        self._channel_ua = power["channel_ua"]
        self._budget = max(0, (power["cap_ma"] * 1000 - self._idle_ua) * 255 // self._channel_ua)
        self._total = array("I", [0])
        self.brightness = 255

    def fill(self, program):
        """Give every lamp of the board's own picture a program (see wire.PROGRAM)."""
        for lamp in range(len(self._own) // wire.PROGRAM_BYTES):
            self.set(lamp, program)

    def set(self, lamp, program):
        """Give one lamp of the board's own picture a program."""
        struct.pack_into(wire.PROGRAM, self._own, wire.PROGRAM_BYTES * lamp, *program)

    def draw(self, words, now_ms, own):
        """Fill `words` (an array of "I", one a pixel) with the host's picture or the board's own at `now_ms`.

        Whichever it is stays within the current cap.
        """
        programs = self._own if own else self.programs
        _colour(programs, self._colours, len(programs), self._shapes, self._gamma, now_ms, self.brightness)
        _pack(self._colours, self._pixel_lamp, words, len(words), self._order, self._total, self._budget)

    def load_ma(self):
        """What the strip draws with the last picture, by the profile's figures."""
        return (self._total[0] * self._channel_ua // 255 + self._idle_ua) // 1000


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
def _colour(programs: ptr8, colours: ptr8, size: int, shapes: ptr8, gamma: ptr8, now_ms: int, brightness: int):
    """Work out red, green and blue of every lamp."""
    at = 0
    to = 0
    while at < size:
        effect = programs[at]
        phase = programs[at + 6]
        period_ms = programs[at + 4] | programs[at + 5] << 8
        turn = 0
        if period_ms:
            turn = (now_ms % period_ms) * 256 // period_ms
        level = 0
        if effect != 6 or turn >= phase:  # a SWEEP has not come to this lamp before its phase
            level = shapes[effect << 8 | (turn - phase) & 0xFF]
        for k in range(3):
            value = gamma[programs[at + 1 + k] * (level + 1) >> 8]
            colours[to + k] = value * (brightness + 1) >> 8
        at += 7
        to += 3


@micropython.viper
def _pack(colours: ptr8, pixel_lamp: ptr16, words: ptr32, pixels: int, order: ptr8, total: ptr32, budget: int):
    """Put the lamps' colours on their pixels; if together they are over budget, dim all alike."""
    asked = 0
    for i in range(pixels):
        lamp = pixel_lamp[i]
        if lamp != 0xFFFF:
            asked += colours[3 * lamp] + colours[3 * lamp + 1] + colours[3 * lamp + 2]
    drawn = 0
    for i in range(pixels):
        lamp = pixel_lamp[i]
        word = 0
        if lamp != 0xFFFF:
            for k in range(3):
                value = colours[3 * lamp + order[k]]
                if asked > budget:
                    value = value * budget // asked
                drawn += value
                word = word << 8 | value
        words[i] = word << 8
    total[0] = drawn
