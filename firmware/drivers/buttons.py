"""Push buttons from pins to ground: presses counted, bounce left out."""

import time

import micropython

_DEBOUNCE_MS = 20
_LOOK_MS = 5  # fingers are slow
_STAFF_MS = 3000
_STAFF = 3


class Buttons:
    """The buttons confirm, undo and help on `pins` (with pull-ups), in that order.

    A press counts when the button is let go. Two or more held together are no press; all held for three seconds are
    the staff's gesture, once, as soon as the time is over.
    """

    def __init__(self, pins):
        self._pins = pins
        self._down = 0
        self._deaf_ms = bytearray(len(pins))  # how long edges are still bounce
        self._read_ms = 0
        self._together = False
        self._held_ms = 0  # since when all are down
        self._staff = False
        #: How often confirm, undo and help were pressed and the staff's gesture was made; each wraps at 256.
        self.presses = bytearray(4)

    @micropython.native
    def read(self, now_ms):
        """Look at all buttons. True if one of `presses` has changed."""
        passed_ms = min(_DEBOUNCE_MS, time.ticks_diff(now_ms, self._read_ms) & 0xFFFFFF)
        if passed_ms < _LOOK_MS or not self._pins:
            return False
        changed = False
        before = self._down
        self._read_ms = now_ms
        for i in range(len(self._pins)):
            bit = 1 << i
            down = 0 if self._pins[i]() else bit
            if self._deaf_ms[i]:
                self._deaf_ms[i] = max(0, self._deaf_ms[i] - passed_ms)
            elif down != self._down & bit:
                self._deaf_ms[i] = _DEBOUNCE_MS  # act on the first edge, then be deaf while it bounces
                self._down ^= bit
                if not down and not self._together:
                    self.presses[i] = (self.presses[i] + 1) & 0xFF
                    changed = True
        down = self._down
        if down & (down - 1):
            self._together = True
        elif not down:
            self._together = False
        every = (1 << len(self._pins)) - 1
        if down != every:
            self._staff = False
        elif before != every:
            self._held_ms = now_ms
        elif not self._staff and time.ticks_diff(now_ms, self._held_ms) >= _STAFF_MS:
            self._staff = True
            self.presses[_STAFF] = (self.presses[_STAFF] + 1) & 0xFF
            changed = True
        return changed
