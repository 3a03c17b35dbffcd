"""What a board's TOML may hold, and what in it cannot be true together: pins, power, places, wiring."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import AfterValidator, Field, model_validator

from underglow import documents
from underglow.documents import Finding, Loc

HEADER_PINS = (*range(23), 26, 27, 28)
"""GPIOs of the RP2040 that the Pico brings out."""

BUS_PINS: Mapping[tuple[str, int, str], tuple[int, ...]] = {
    ("SPI", 0, "miso"): (0, 4, 16, 20),
    ("SPI", 0, "sck"): (2, 6, 18, 22),
    ("SPI", 0, "mosi"): (3, 7, 19),
    ("SPI", 1, "miso"): (8, 12, 28),
    ("SPI", 1, "sck"): (10, 14, 26),
    ("SPI", 1, "mosi"): (11, 15, 27),
    ("I2C", 0, "sda"): (0, 4, 8, 12, 16, 20),
    ("I2C", 0, "scl"): (1, 5, 9, 13, 17, 21),
    ("I2C", 1, "sda"): (2, 6, 10, 14, 18, 22, 26),
    ("I2C", 1, "scl"): (3, 7, 11, 15, 19, 27),
}
"""Header pins that can carry a signal of a block (RP2040 datasheet, GPIO functions)."""

INPUTS_PER_CHIP = 8

SAME_PLACE_MM = 1.0
"""Two spaces closer than this are one typed twice."""

SpaceKind: TypeAlias = Literal["hex", "rim", "zone", "pad"]
LampName: TypeAlias = Literal["centre", "e0", "e1", "e2", "e3", "e4", "e5"]
"""`e0` is the edge towards the neighbour at q+1, the others follow clockwise."""

EDGES: tuple[LampName, ...] = ("e0", "e1", "e2", "e3", "e4", "e5")
EDGED: tuple[SpaceKind, ...] = ("hex", "rim")
"""The kinds of space that have edges: a rim space is one cell more at the border of the hexes."""


def _written(pattern: str, sentence: str) -> AfterValidator:
    def judge(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"{sentence}, not {json.dumps(text[:20])}")
        return text

    return AfterValidator(judge)


SpaceId: TypeAlias = Annotated[
    str, _written("[a-z][a-z0-9_-]{0,15}", "must be a small letter and up to 15 small letters, digits, _ or -")
]
ReaderPlace: TypeAlias = Annotated[
    str,
    _written(r"[a-z][a-z0-9_-]{0,15}(\.e[0-5])?", 'must be a space, or a space and one of its edges, such as "h19.e2"'),
]
HallInput: TypeAlias = Annotated[
    str, _written("[1-9][0-9]{0,2}[A-H]", 'must be a chip, counted from the Pico, and its input, such as "1H"')
]
Millimetres: TypeAlias = Annotated[float, Field(ge=0, le=2000)]
Size: TypeAlias = Annotated[float, Field(gt=0, le=2000)]
Pixels: TypeAlias = Annotated[tuple[int, ...], Field(min_length=1)]

_T = TypeVar("_T")
_Use: TypeAlias = tuple[Loc, _T, str]
"""Where a thing is used, the thing, and by whom."""


class Strip(documents.Section):
    """The pixels: one WS2812 strip. A channel is one colour of one pixel; its current is that at full."""

    pin: int
    order: Literal["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"]
    pixels: int = Field(ge=1, le=1024)
    channel_ma: float = Field(gt=0, le=60)
    idle_ua: int = Field(ge=0, le=5000)
    brightness: int = Field(default=255, ge=1, le=255)


class Hall(documents.Section):
    """The hall switches: a chain of 74HC165 on one SPI block of the RP2040."""

    spi: Literal[0, 1]
    sck: int
    mosi: int
    miso: int
    latch: int
    baudrate: int = Field(ge=100_000, le=16_000_000)
    chips: int = Field(ge=1, le=32)
    active_low: bool


class Sensing(documents.Section):
    """When a reading counts: a change has to stay for that many scans."""

    settle_scans: int = Field(ge=1, le=7)


class Power(documents.Section):
    """What the supply gives, what everything but the strip takes of it, and what the strip may."""

    supply_ma: int = Field(ge=1, le=60_000)
    reserve_ma: int = Field(ge=0, le=60_000)
    cap_ma: int = Field(ge=1, le=60_000)


class Buttons(documents.Section):
    """Three push buttons from these pins to ground."""

    confirm: int
    undo: int
    help: int


class NfcSpi(documents.Section):
    """The SPI that all MFRC522 share."""

    block: Literal[0, 1]
    sck: int
    mosi: int
    miso: int
    baudrate: int = Field(ge=100_000, le=10_000_000)


class NfcI2c(documents.Section):
    """The I2C of a PN532."""

    block: Literal[0, 1]
    sda: int
    scl: int
    hz: int = Field(default=400_000, ge=10_000, le=400_000)


class Reader(documents.Section):
    """One NFC reader: under which space or edge of one, which chip, and its pins for chip select and reset."""

    space: ReaderPlace
    chip: Literal["mfrc522", "pn532"]
    select: int | None = None
    reset: int | None = None

    @model_validator(mode="after")
    def _selected(self) -> Reader:
        if (self.chip == "mfrc522") != (self.select is not None):
            raise ValueError("select belongs to every mfrc522 and to no pn532")
        return self


class Nfc(documents.Section):
    """The NFC readers, polled in this order. A tag is gone after that many polls without an answer."""

    misses: int = Field(default=3, ge=1, le=20)
    spi: NfcSpi | None = None
    i2c: NfcI2c | None = None
    readers: tuple[Reader, ...] = Field(min_length=1, max_length=16)

    def firmware(self) -> dict[str, object]:
        """What the Pico needs of it."""
        return self.model_dump(mode="json", exclude={"readers": {"__all__": {"space"}}})


class SpaceEntry(documents.Section):
    """A space as it is written down."""

    id: SpaceId
    kind: SpaceKind
    x_mm: Millimetres
    y_mm: Millimetres
    q: int | None = None
    r: int | None = None
    hall: HallInput | None = None
    lamps: dict[LampName, Pixels]

    @model_validator(mode="after")
    def _shape(self) -> SpaceEntry:
        if (self.kind == "hex") != (self.q is not None and self.r is not None) or (self.q is None) != (self.r is None):
            raise ValueError("q and r belong to every hex and to nothing else")
        if self.kind not in EDGED and set(self.lamps) - {"centre"}:
            raise ValueError("only a hex and a rim space have edges to light")
        if "centre" not in self.lamps:
            raise ValueError("every space has a lamp named centre")
        return self


class Surface(documents.Section):
    """The printed sheet and what lies under it."""

    width_mm: Size
    height_mm: Size
    hex_mm: Size
    zone_mm: tuple[Size, Size]
    spaces: tuple[SpaceEntry, ...] = Field(min_length=1)


class BoardFile(documents.Section):
    """A whole file."""

    title: str
    strip: Strip
    hall: Hall
    sensing: Sensing
    power: Power
    buttons: Buttons | None = None
    nfc: Nfc | None = None
    surface: Surface


def sensor_number(hall: str) -> int:
    """The sensor of a hall input such as "1H"."""
    # The chip nearest the Pico comes first, and a 74HC165 shifts out H before A.
    return (int(hall[:-1]) - 1) * INPUTS_PER_CHIP + "HGFEDCBA".index(hall[-1])


def clashes(file: BoardFile) -> Iterator[Finding]:
    """What in a file contradicts something else in it."""
    yield from _pin_clashes(file)
    yield from _power_clashes(file.strip, file.power)
    yield from _space_clashes(file.surface)
    yield from _wiring_clashes(file)
    yield from _reader_clashes(file)


def _pin_clashes(file: BoardFile) -> Iterator[Finding]:
    hall, nfc = file.hall, file.nfc
    buses: list[tuple[Loc, str, int, dict[str, int]]] = [
        (("hall",), "SPI", hall.spi, {"sck": hall.sck, "mosi": hall.mosi, "miso": hall.miso})
    ]
    pins: dict[Loc, int] = {("strip", "pin"): file.strip.pin, ("hall", "latch"): hall.latch}
    if file.buttons:
        pins |= {("buttons", button): pin for button, pin in file.buttons.model_dump().items()}
    if nfc and nfc.spi:
        bus = nfc.spi
        buses.append((("nfc", "spi"), "SPI", bus.block, {"sck": bus.sck, "mosi": bus.mosi, "miso": bus.miso}))
        if bus.block == hall.spi:
            yield ("nfc", "spi", "block"), f"SPI {bus.block} is the hall sensors'; readers need the other one"
    if nfc and nfc.i2c:
        buses.append((("nfc", "i2c"), "I2C", nfc.i2c.block, {"sda": nfc.i2c.sda, "scl": nfc.i2c.scl}))
    for loc, kind, block, signals in buses:
        for signal, pin in signals.items():
            pins[*loc, signal] = pin
            able = BUS_PINS[kind, block, signal]
            if pin in HEADER_PINS and pin not in able:
                yield (*loc, signal), f"GP{pin} cannot be {signal} of {kind} {block}; use one of {str(able)[1:-1]}"
    for index, reader in enumerate(nfc.readers if nfc else ()):
        chosen = {"select": reader.select, "reset": reader.reset}
        pins |= {("nfc", "readers", index, key): pin for key, pin in chosen.items() if pin is not None}
    for loc, pin in pins.items():
        if pin not in HEADER_PINS:
            yield loc, f"GP{pin} is not on the Pico's header; use 0 to 22 or 26 to 28"
    yield from _twice("GP{} is already used by {}", ((loc, pin, documents.dotted(loc)) for loc, pin in pins.items()))


def _reader_clashes(file: BoardFile) -> Iterator[Finding]:
    if file.nfc is None:
        return
    kinds = {space.id: space.kind for space in file.surface.spaces}
    uses: list[_Use[str]] = []
    for index, reader in enumerate(file.nfc.readers):
        loc = ("nfc", "readers", index)
        uses.append(((*loc, "space"), reader.space, f"reader {index}"))
        space, _, edge = reader.space.partition(".")
        if space not in kinds:
            yield (*loc, "space"), f"there is no space {space}"
        elif edge and kinds[space] not in EDGED:
            yield (*loc, "space"), f"{space} is a {kinds[space]}, which has no edges"
        bus = "spi" if reader.chip == "mfrc522" else "i2c"
        if getattr(file.nfc, bus) is None:
            yield (*loc, "chip"), f"{reader.chip} needs [nfc.{bus}]"
    yield from _twice("{} already has {}", uses)
    chips = (
        (("nfc", "readers", index, "chip"), reader.chip, f"reader {index}")
        for index, reader in enumerate(file.nfc.readers)
    )
    yield from _twice(
        "the I2C already has a {}, {}: they share one address", (use for use in chips if use[1] == "pn532")
    )


def _power_clashes(strip: Strip, power: Power) -> Iterator[Finding]:
    cap = ("power", "cap_ma")
    left_ma = power.supply_ma - power.reserve_ma
    if power.cap_ma > left_ma:
        given = f"{power.supply_ma} mA less {power.reserve_ma} mA in reserve"
        yield cap, f"{power.cap_ma} mA is over the supply: {given} leaves {max(left_ma, 0)} mA for the strip"
    idle_ua = strip.pixels * strip.idle_ua
    lit_ua = idle_ua + strip.pixels * 3 * strip.channel_ma * 1000 / 255  # all of it at the lowest of 255 levels
    if power.cap_ma * 1000 <= idle_ua:
        yield (
            cap,
            f"{strip.pixels} pixels take {math.ceil(idle_ua / 1000)} mA even when dark; the cap must be above that",
        )
    elif power.cap_ma * 1000 < lit_ua:
        needed_ma = math.ceil(lit_ua / 1000)
        yield cap, f"the strip cannot be lit at {power.cap_ma} mA: all of it at its dimmest takes {needed_ma} mA"


def _space_clashes(surface: Surface) -> Iterator[Finding]:
    spaces = [(("surface", "spaces", index), space) for index, space in enumerate(surface.spaces)]
    yield from _twice("there is already a space {}", (((*loc, "id"), space.id, space.id) for loc, space in spaces))
    cells = (((*loc, "q"), f"q {s.q}, r {s.r}", s.id) for loc, s in spaces if s.kind == "hex")
    yield from _twice("{} is already the place of {}", cells)
    for index, (loc, space) in enumerate(spaces):
        for _, other in spaces[:index]:
            if math.dist((space.x_mm, space.y_mm), (other.x_mm, other.y_mm)) < SAME_PLACE_MM:
                yield (*loc, "x_mm"), f"{space.id} is at the same place as {other.id}"
        for key, at, end in (("x_mm", space.x_mm, surface.width_mm), ("y_mm", space.y_mm, surface.height_mm)):
            if at > end:
                yield (*loc, key), f"{at:g} mm is beyond the board, which ends at {end:g} mm"


def _wiring_clashes(file: BoardFile) -> Iterator[Finding]:
    chips, strip_pixels = file.hall.chips, file.strip.pixels
    inputs: list[_Use[str]] = []
    pixels: list[_Use[int]] = []
    for index, space in enumerate(file.surface.spaces):
        loc = ("surface", "spaces", index)
        if space.hall is not None:
            inputs.append(((*loc, "hall"), space.hall, space.id))
        for part, lamp in space.lamps.items():
            pixels += [((*loc, "lamps", part, n), pixel, f"{space.id}.{part}") for n, pixel in enumerate(lamp)]
    for loc, hall, _ in inputs:
        if sensor_number(hall) >= chips * INPUTS_PER_CHIP:
            yield loc, f"input {hall} is outside the chain, whose last is {chips}A"
    for loc, pixel, _ in pixels:
        if not 0 <= pixel < strip_pixels:
            yield loc, f"pixel {pixel} is outside the strip, whose last is {strip_pixels - 1}"
    yield from _twice("input {} already belongs to {}", inputs)
    yield from _twice("pixel {} already belongs to lamp {}", pixels)


def _twice(sentence: str, uses: Iterable[_Use[_T]]) -> Iterator[Finding]:
    first: dict[_T, str] = {}
    for loc, value, owner in uses:
        if value in first:
            yield loc, sentence.format(value, first[value])
        first.setdefault(value, owner)
