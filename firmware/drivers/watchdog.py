"""The RP2040's watchdog, which can be stopped again: whoever asks for the REPL must not be reset in mid-sentence."""

import machine

_CTRL_CLEAR = 0x40058000 + 0x3000  # WATCHDOG CTRL, through its atomic clear alias
_ENABLE = 1 << 30


class Watchdog:
    """Resets the board unless `feed` is called every `timeout_ms`, from `start` on."""

    def __init__(self, timeout_ms):
        self._timeout_ms = timeout_ms
        self._timer = None

    def start(self):
        """Begin to watch."""
        self._timer = machine.WDT(timeout=self._timeout_ms)

    def feed(self):
        """Everything moves."""
        if self._timer:
            self._timer.feed()

    def stop(self):
        """Watch no more. MicroPython has no call for it."""
        self._timer = None
        machine.mem32[_CTRL_CLEAR] = _ENABLE
