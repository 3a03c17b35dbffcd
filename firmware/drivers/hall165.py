"""Hall switches on a chain of 74HC165 shift registers, read over SPI."""

import micropython


class HallChain:
    """`chips` registers in a row: /PL on pin `latch`, CP on the bus's clock, QH of the nearest on its input.

    SPI mode 0 fits: QH shows the first bit (input H) right after the load, and the bus samples on the edge that shifts.
    """

    def __init__(self, spi, latch, chips):
        self._spi = spi
        self._latch = latch
        self._reading = bytearray(chips)

    @micropython.native
    def read(self):
        """Sample all inputs at one instant. The same buffer every time, first bit out in bit 7 of byte 0."""
        self._latch(0)
        self._latch(1)
        self._spi.readinto(self._reading)
        return self._reading
