"""A WS2812 strip by PIO and DMA: interrupts stay on and the CPU is free while the bits go out."""

# The words of a PIO program are not Python names:
# pyright: reportUndefinedVariable=false

import time
from array import array

import micropython
import rp2

# 10 MHz, 12 cycles a bit: high 0.3 µs for a 0 and 0.8 µs for a 1, inside the windows of the WS2812B of 2013 and of
# the tighter -V5.
_HZ = 10_000_000
_BIT_CYCLES = 12
_LATCH_US = 300  # the datasheets ask for 280


@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW,
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopull=True,
    pull_thresh=24,
    fifo_join=rp2.PIO.JOIN_TX,
)
def _ws2812():
    wrap_target()
    label("bit")
    out(x, 1).side(0)[3]
    jmp(not_x, "zero").side(1)[2]
    jmp("bit").side(1)[4]
    label("zero")
    nop().side(0)[4]
    wrap()


class PixelStrip:
    """`pixels` pixels on `pin`, driven by state machine `machine` (0 to 3 of PIO 0) and a DMA channel.

    Draw into `words` (one a pixel, its three bytes from bit 31 down), then `show`: the buffers change places.
    """

    def __init__(self, pin, pixels, machine, dma):
        self._machine = rp2.StateMachine(machine, _ws2812, freq=_HZ, sideset_base=pin)
        self._machine.active(1)
        self._dma = dma
        # What the channel keeps from frame to frame.
        dma.config(write=self._machine, count=pixels, ctrl=dma.pack_ctrl(size=2, inc_write=False, treq_sel=machine))
        self._busy_us = pixels * 24 * _BIT_CYCLES * 1_000_000 // _HZ + _LATCH_US
        self._shown_us = time.ticks_us()
        self._front = array("I", [0] * pixels)
        self.words = array("I", [0] * pixels)

    @micropython.native
    def ready(self, now_us):
        """True once the last frame is out and latched."""
        return not self._dma.active() and time.ticks_diff(now_us, self._shown_us) >= self._busy_us

    @micropython.native
    def show(self, now_us):
        """Start sending what was drawn. Only when `ready`."""
        front = self.words
        self.words = self._front
        self._front = front
        self._shown_us = now_us
        self._dma.config(read=front, trigger=True)
