"""The chip's SPI and I2C blocks, and the devices of the board that hang on them.

rp2040py moves a byte in no time; here each takes what its clock says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rp2040py.clock.clock import IClock
from rp2040py.peripherals.i2c import RPI2C, I2CMode
from rp2040py.peripherals.spi import RPSPI
from rp2040py.rp2040 import RP2040

from underglow.bench.devices.pn532 import Pn532
from underglow.bench.wiring import Circuit, SpiPins

_FUNCTION_SPI, _FUNCTION_I2C = 1, 3
_CLK_PERI_CTRL, _FROM_USB_PLL, _USB_PLL_HZ = 0x48, 2, 48_000_000
_TX_EMPTY = 1 << 4  # in IC_RAW_INTR_STAT
_ADDRESS_BITS = 9  # with the acknowledgement, as every byte
_SYSTEM_NS = 8


class SpiBus:
    """SPI block `block` of the chip, with what hangs on its pins."""

    def __init__(self, mcu: RP2040, block: int, circuit: Circuit) -> None:
        self._block = block
        self._circuit = circuit
        self._mcu = mcu
        self._gpio = mcu.gpio
        self._spi: RPSPI = mcu.spi[block]
        self._clock: IClock = mcu.clock
        self._received = 0
        self._done = mcu.clock.create_alarm(self._complete)
        self._spi.on_transmit = self._transmit

    def cut(self) -> None:
        """The chip is reset: a byte under way never arrives."""
        self._done.cancel()

    def _has(self, pin: int) -> bool:
        """Whether this block is what moves or reads that GPIO."""
        return pin >> 3 & 1 == self._block and self._gpio[pin].function_select == _FUNCTION_SPI

    def _transmit(self, value: int) -> None:
        spi, circuit = self._spi, self._circuit
        self._received = 0  # an input that nothing drives is pulled down in the RP2040
        wiring = circuit.wiring
        if self._has(wiring.sck):
            byte = self._shift_chain(spi.spi_mode)
            if self._has(wiring.miso):
                self._received = byte
        pins = wiring.reader_spi
        if pins and self._has(pins.sck):
            self._ask_readers(pins, value if self._has(pins.mosi) else 0)
        # The PL022 lifts its frame signal between words, for a clock, if it samples on the first edge.
        clocks = spi.data_bits + (spi.spi_mode in (0, 3))
        self._done.schedule(clocks * 1e9 / (self._hz() or 1e6))

    def _hz(self) -> float:
        """The clock on SCK. MicroPython feeds the blocks from USB's PLL; rp2040py thinks of the system's clock."""
        by_system_hz = self._spi.clock_frequency
        source = self._mcu.clocks.read_uint32(_CLK_PERI_CTRL) >> 5 & 7
        return by_system_hz * _USB_PLL_HZ / self._mcu.clk_peri if source == _FROM_USB_PLL else by_system_hz

    def _shift_chain(self, mode: int) -> int:
        chain = self._circuit.chain
        if mode != 1:
            return chain.clock_byte()
        byte = 0  # it samples on the trailing edge, when the chain has shifted
        for _ in range(8):
            chain.cp(True)
            chain.cp(False)
            byte = byte << 1 | chain.qh
        return byte

    def _ask_readers(self, pins: SpiPins, mosi: int) -> None:
        for device in self._circuit.spi_devices[pins.sck]:
            if device.selected:
                byte = device.transfer(mosi, int(self._clock.nanos))
                if self._has(pins.miso):
                    self._received = byte

    def _complete(self) -> None:
        self._spi.complete_transmit(self._received)


class I2cBus:
    """I2C block `block` of the chip, with what hangs on its pins."""

    def __init__(self, mcu: RP2040, block: int, circuit: Circuit) -> None:
        self._block = block
        self._circuit = circuit
        self._gpio = mcu.gpio
        self._i2c: RPI2C = mcu.i2c[block]
        self._inside: Any = self._i2c  # what has to be put right has no public name
        self._clock: IClock = mcu.clock
        self._target: Pn532 | None = None
        self._then: Callable[[], None] = lambda: None
        self._later = mcu.clock.create_alarm(lambda: self._then())
        self._i2c.on_start = self._start
        self._i2c.on_connect = self._connect
        self._i2c.on_write_byte = self._write
        self._i2c.on_read_byte = self._read
        self._i2c.on_stop = self._stop

    def cut(self) -> None:
        """The chip is reset: what is under way never ends."""
        self._later.cancel()
        self._target = None

    def _wired(self, address: int) -> Pn532 | None:
        pins = self._circuit.wiring.reader_i2c
        if not pins or any(
            pin >> 1 & 1 != self._block or self._gpio[pin].function_select != _FUNCTION_I2C for pin in pins
        ):
            return None
        return self._circuit.i2c_targets[pins.scl].get(address)

    def _after(self, bits: int, then: Callable[[], None]) -> None:
        self._then = then
        bit_ns = (self._i2c.scl_low_period + self._i2c.scl_high_period) * _SYSTEM_NS
        self._later.schedule(bits * bit_ns)

    def _start(self, _repeated: bool) -> None:
        self._after(1, self._i2c.complete_start)

    def _connect(self, address: int, mode: I2CMode) -> None:
        target = self._wired(address)
        heard = target is not None and target.start(read=mode == I2CMode.READ, at_ns=int(self._clock.nanos))
        self._target = target if heard else None
        self._after(_ADDRESS_BITS, lambda: self._end(self._i2c.complete_connect, heard))

    def _write(self, byte: int) -> None:
        heard = self._target is not None and self._target.write(byte)
        self._after(_ADDRESS_BITS, lambda: self._end(self._i2c.complete_write, heard))

    def _end(self, complete: Callable[[bool], None], heard: bool) -> None:
        complete(heard)
        if not heard:  # the abort has emptied the FIFO, but rp2040py does not say so, and the SDK waits for it in vain
            self._inside._set_interrupts(_TX_EMPTY)

    def _read(self, _more: bool) -> None:
        byte = self._target.read(int(self._clock.nanos)) if self._target else 0xFF
        self._after(_ADDRESS_BITS, lambda: self._i2c.complete_read(byte))

    def _stop(self) -> None:
        if self._target:
            self._target.stop(int(self._clock.nanos))
            self._target = None
        self._after(1, self._i2c.complete_stop)
