"""The light on the Pico itself."""

from __future__ import annotations


class Led:
    """A light on a pin, seen from outside: whether it is lit, and how often that has changed."""

    def __init__(self) -> None:
        self.lit = False
        self.changes = 0

    def drive(self, level: bool, _at_ns: int) -> None:
        """The pin's level."""
        self.changes += level != self.lit
        self.lit = level
