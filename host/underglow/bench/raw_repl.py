"""MicroPython's raw REPL on a chip in its own time: source in, what it prints out."""

from __future__ import annotations

from collections.abc import Callable

from underglow.bench.silicon import Chip

_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
_START_US = 3_000_000


class ReplError(Exception):
    """The board raised; the message is its traceback. Or it does not answer."""


class RawRepl:
    """The raw REPL of a chip whose console bytes go to `heard`; its program is interrupted if one runs."""

    def __init__(self, chip: Chip, heard: bytearray) -> None:
        self._chip = chip
        self._heard = heard
        heard.clear()
        chip.cable.send(b"\r\x03")
        chip.advance(100_000)
        chip.cable.send(b"\r\x01")
        self._until(lambda: heard.endswith(_PROMPT), _START_US)

    def run(self, source: str, timeout_us: float = 10_000_000) -> str:
        """Run it there and return what it printed. ReplError: it raised, or takes too long."""
        self.start(source)
        self._until(lambda: self._heard.count(4) >= 2, timeout_us)
        printed, raised, _ = bytes(self._heard[2:]).split(b"\x04", 2)
        if raised:
            raise ReplError(raised.decode(errors="replace"))
        return printed.decode(errors="replace")

    def start(self, source: str) -> None:
        """Let it start there."""
        self._heard.clear()
        self._chip.cable.send(source.encode() + b"\x04")
        self._until(lambda: self._heard.startswith(b"OK"), _START_US)

    def _until(self, done: Callable[[], bool], timeout_us: float) -> None:
        if not self._chip.run_until(done, timeout_us):
            raise ReplError(
                f"the board does not answer as a REPL does; the last it said: {bytes(self._heard[-200:])!r}"
            )
