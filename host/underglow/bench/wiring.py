"""What is soldered to which pin: all that the bench needs to know of a board profile."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from underglow.bench.devices import pn532
from underglow.bench.devices.antenna import Antenna
from underglow.bench.devices.buttons import Button
from underglow.bench.devices.hall_chain import HallChain
from underglow.bench.devices.led import Led
from underglow.bench.devices.magnets import Magnets
from underglow.bench.devices.mfrc522 import Mfrc522
from underglow.bench.devices.pixel_strip import PixelStrip
from underglow.bench.devices.pn532 import Pn532
from underglow.bench.devices.tokens import Coils, Tokens

if TYPE_CHECKING:  # the bench's own process starts in no time because it never imports a profile's pydantic
    from underglow.profile import Board

LED = 25
"""The GPIO of the light on the Pico itself."""

NEAR_MM = 100.0
"""A reader hears tags up to so far from its middle, if another reader's field powers them."""


class SpiPins(NamedTuple):
    """The GPIOs of a bus."""

    sck: int
    mosi: int
    miso: int


class I2cPins(NamedTuple):
    """The GPIOs of a bus."""

    scl: int
    sda: int


class Reader(NamedTuple):
    """An NFC reader: its chip ("mfrc522" or "pn532"), the space or edge above it, and the GPIOs of its own."""

    space: str
    chip: str
    select: int | None
    reset: int | None


class Wiring(NamedTuple):
    """Plain values, for another process: GPIO numbers, sizes, the chain input under each space, each place in mm."""

    sck: int
    miso: int
    latch: int
    chips: int
    active_low: bool
    strip: int
    pixels: int
    order: str
    sensors: dict[str, int | None]
    places_mm: dict[str, tuple[float, float]]
    buttons: dict[str, int]
    readers: tuple[Reader, ...]
    reader_spi: SpiPins | None
    reader_i2c: I2cPins | None

    @classmethod
    def of(cls, board: Board) -> Wiring:
        """The wiring of that board."""
        hall, strip, nfc = board.hall, board.strip, board.nfc
        spi, i2c = (nfc.spi, nfc.i2c) if nfc else (None, None)
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
            places_mm=dict(board.places_mm),
            buttons=board.buttons.model_dump() if board.buttons else {},
            readers=tuple(Reader(r.space, r.chip, r.select, r.reset) for r in nfc.readers) if nfc else (),
            reader_spi=SpiPins(spi.sck, spi.mosi, spi.miso) if spi else None,
            reader_i2c=I2cPins(i2c.scl, i2c.sda) if i2c else None,
        )


class Circuit:
    """The board's electronics, wired up: GPIOs of the Pico on one side, tokens, fingers and light on the other."""

    def __init__(self, wiring: Wiring) -> None:
        self.wiring = wiring
        self.chain = HallChain(wiring.chips, active_low=wiring.active_low)
        self.strip = PixelStrip(wiring.pixels, wiring.order)
        self.led = Led()
        # No switch lies under an edge: a magnet there is out of the middle one's reach.
        self.magnets = Magnets(dict.fromkeys(wiring.places_mm) | wiring.sensors, self.chain)
        self.buttons = {name: Button(seed) for seed, name in enumerate(wiring.buttons)}
        #: The chip and the coil of each reader, by the space or edge above it.
        self.readers: dict[str, Mfrc522 | Pn532] = {}
        self.antennas = {reader.space: Antenna() for reader in wiring.readers}
        #: What hangs on an SPI bus, by its SCK; MOSI and MISO are those of `wiring.reader_spi`.
        self.spi_devices: defaultdict[int, list[Mfrc522]] = defaultdict(list)
        #: What hangs on an I2C bus, by its SCL and then its address.
        self.i2c_targets: defaultdict[int, dict[int, Pn532]] = defaultdict(dict)
        self._inputs = {pin: self.buttons[name] for name, pin in wiring.buttons.items()}
        self._wires: dict[int, Callable[[bool, int], None]] = {
            wiring.latch: lambda level, _: self.chain.pl(level),
            wiring.sck: lambda level, _: self.chain.cp(level),
            wiring.strip: self.strip.din,
            LED: self.led.drive,
        }
        for reader in wiring.readers:
            self._solder(reader)
        self.tokens = Tokens(self.magnets, self._coils())

    def _solder(self, reader: Reader) -> None:
        antenna, wiring = self.antennas[reader.space], self.wiring
        if reader.chip == "mfrc522":
            mfrc522 = Mfrc522(antenna)
            if wiring.reader_spi:
                self.spi_devices[wiring.reader_spi.sck].append(mfrc522)
            if reader.select is not None:
                self._wires[reader.select] = mfrc522.nss
            chip, reset = mfrc522, mfrc522.nrstpd
        else:
            chip = Pn532(antenna)
            if wiring.reader_i2c:
                self.i2c_targets[wiring.reader_i2c.scl][pn532.ADDRESS] = chip
            reset = chip.rstpd_n
        self.readers[reader.space] = chip
        if reader.reset is not None:
            self._wires[reader.reset] = reset

    def _coils(self) -> Mapping[str, Coils]:
        places_mm = self.wiring.places_mm
        coils: dict[str, Coils] = {}
        for space, place_mm in places_mm.items():
            near = tuple(
                antenna
                for other, antenna in self.antennas.items()
                if other != space and math.dist(place_mm, places_mm[other]) < NEAR_MM
            )
            coils[space] = Coils((self.antennas[space],) if space in self.antennas else (), near)
        return coils

    # --- the Pico's side ---

    def drive(self, pin: int, level: bool, at_ns: int) -> None:
        """The Pico sets a GPIO."""
        if wired := self._wires.get(pin):
            wired(level, at_ns)

    def level(self, pin: int) -> bool | None:
        """What the board drives onto a GPIO; None: nothing does."""
        if pin == self.wiring.miso:
            return self.chain.qh
        button = self._inputs.get(pin)
        return False if button and button.closed else None

    # --- time and power ---

    def settle(self, now_ns: int) -> None:
        """Let what moves by itself come to that time: the strip's frame, the contacts' bounce."""
        self.strip.settle(now_ns)
        for button in self.buttons.values():
            button.settle(now_ns)

    @property
    def next_ns(self) -> int | None:
        """When the level of some GPIO moves by itself; None: all rest."""
        return min((button.next_ns for button in self.buttons.values() if button.next_ns is not None), default=None)

    def power_off(self, at_ns: int) -> None:
        """The supply is gone, for a moment at least: the strip is dark, and every reader's chip forgets all."""
        self.strip.power_off(at_ns)
        self.led.drive(False, at_ns)
        for chip in self.readers.values():
            chip.brown_out(at_ns)
