"""What is soldered to which pin: all that the bench needs to know of a board profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from underglow.bench.devices.hall_chain import HallChain
from underglow.bench.devices.magnets import Magnets
from underglow.bench.devices.pixel_strip import PixelStrip

if TYPE_CHECKING:  # the bench's own process starts in no time because it never imports a profile's pydantic
    from underglow.profile import Board


class Wiring(NamedTuple):
    """Plain values, for another process: GPIO numbers, sizes, and the chain input under each space."""

    sck: int
    miso: int
    latch: int
    chips: int
    active_low: bool
    strip: int
    pixels: int
    order: str
    sensors: dict[str, int | None]

    @classmethod
    def of(cls, board: Board) -> Wiring:
        """The wiring of that board."""
        hall, strip = board.hall, board.strip
        return cls(
            sck=hall.sck,
            miso=hall.miso,
            latch=hall.latch,
            chips=hall.chips,
            active_low=hall.active_low,
            strip=strip.pin,
            pixels=board.pixels,
            order=strip.order,
            sensors={space.id: space.hall for space in board.spaces},
        )


class Circuit:
    """The board's electronics, wired up: GPIOs of the Pico on one side, magnets and light on the other."""

    def __init__(self, wiring: Wiring) -> None:
        self.wiring = wiring
        self.chain = HallChain(wiring.chips, active_low=wiring.active_low)
        self.strip = PixelStrip(wiring.pixels, wiring.order)
        self.magnets = Magnets(wiring.sensors, self.chain)

    def drive(self, pin: int, level: bool, at_ns: int) -> None:
        """The Pico sets a GPIO."""
        if pin == self.wiring.latch:
            self.chain.pl(level)
        elif pin == self.wiring.sck:
            self.chain.cp(level)
        elif pin == self.wiring.strip:
            self.strip.din(level, at_ns)

    def level(self, pin: int) -> bool | None:
        """What the board drives onto a GPIO; None: nothing does."""
        return self.chain.qh if pin == self.wiring.miso else None
