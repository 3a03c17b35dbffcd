"""Board profiles: the TOML that alone describes a board, as values for the host and as JSON for its Pico."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypeVar
from zlib import crc32

from pydantic import AfterValidator, Field, model_validator

from underglow import documents
from underglow.documents import Fault, Faults, Finding, Loc

NO_LAMP = 65535
"""In the firmware's `pixel_lamp`: this pixel belongs to no lamp."""

HEADER_PINS = (*range(23), 26, 27, 28)
"""GPIOs of the RP2040 that the Pico brings out."""

SPI_PINS: Mapping[tuple[int, str], tuple[int, ...]] = {
    (0, "miso"): (0, 4, 16, 20),
    (0, "sck"): (2, 6, 18, 22),
    (0, "mosi"): (3, 7, 19),
    (1, "miso"): (8, 12, 28),
    (1, "sck"): (10, 14, 26),
    (1, "mosi"): (11, 15, 27),
}
"""Header pins that can carry a signal of a block (RP2040 datasheet, GPIO functions: RX, SCK, TX)."""

INPUTS_PER_CHIP = 8

SAME_PLACE_MM = 1.0
"""Two spaces closer than this are one typed twice."""

SpaceKind: TypeAlias = Literal["hex", "rim", "zone", "pad"]
LampName: TypeAlias = Literal["centre", "e0", "e1", "e2", "e3", "e4", "e5"]
"""`e0` is the edge towards the neighbour at q+1, the others follow clockwise."""


def _written(pattern: str, sentence: str) -> AfterValidator:
    def judge(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"{sentence}, not {json.dumps(text[:20])}")
        return text

    return AfterValidator(judge)


SpaceId: TypeAlias = Annotated[
    str, _written("[a-z][a-z0-9_-]{0,15}", "must be a small letter and up to 15 small letters, digits, _ or -")
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


class _Space(documents.Section):
    id: SpaceId
    kind: SpaceKind
    x_mm: Millimetres
    y_mm: Millimetres
    q: int | None = None
    r: int | None = None
    hall: HallInput | None = None
    lamps: dict[LampName, Pixels]

    @model_validator(mode="after")
    def _shape(self) -> _Space:
        if (self.kind == "hex") != (self.q is not None and self.r is not None) or (self.q is None) != (self.r is None):
            raise ValueError("q and r belong to every hex and to nothing else")
        if self.kind != "hex" and set(self.lamps) - {"centre"}:
            raise ValueError("only a hex has edges to light")
        if "centre" not in self.lamps:
            raise ValueError("every space has a lamp named centre")
        return self


class _Surface(documents.Section):
    width_mm: Size
    height_mm: Size
    hex_mm: Size
    zone_mm: tuple[Size, Size]
    spaces: tuple[_Space, ...] = Field(min_length=1)


class _Profile(documents.Section):
    title: str
    strip: Strip
    hall: Hall
    sensing: Sensing
    power: Power
    surface: _Surface


@dataclass(frozen=True, slots=True)
class Space:
    """A place on the board where tokens stand: its centre, its axial coordinates if it is a hex, lamps and sensor."""

    id: str
    kind: SpaceKind
    x_mm: float
    y_mm: float
    q: int | None
    r: int | None
    lamps: Mapping[str, int] = field(hash=False)
    hall: int | None


@dataclass(frozen=True, slots=True)
class Board:
    """A board profile as values. Millimetres count from the top-left corner, y downwards.

    `lamps` holds the pixels of each lamp; `pixel_mm` where each pixel is, None for one that belongs to no lamp.
    """

    name: str
    title: str
    width_mm: float
    height_mm: float
    hex_mm: float
    zone_mm: tuple[float, float]
    spaces: tuple[Space, ...]
    lamps: tuple[tuple[int, ...], ...]
    pixel_mm: tuple[tuple[float, float] | None, ...]
    strip: Strip
    hall: Hall
    sensing: Sensing
    power: Power
    _spaces: dict[str, Space] = field(init=False, repr=False, compare=False)
    _sensors: dict[int, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_spaces", {space.id: space for space in self.spaces})
        object.__setattr__(self, "_sensors", {space.hall: space.id for space in self.spaces if space.hall is not None})

    @property
    def pixels(self) -> int:
        """How many the strip has."""
        return self.strip.pixels

    @property
    def sensors(self) -> int:
        """How many inputs the chain of hall switches has, wired or not."""
        return self.hall.chips * INPUTS_PER_CHIP

    @property
    def space_of_sensor(self) -> Mapping[int, str]:
        """Sensor number to the space above it."""
        return self._sensors

    def space(self, name: str) -> Space:
        """KeyError: the board has no such space."""
        return self._spaces[name]

    def lamp_of(self, name: str) -> int:
        """The lamp of "h01" (its centre) or "h01.e0". KeyError: the board has no such lamp."""
        space, _, part = name.partition(".")
        return self._spaces[space].lamps[part or "centre"]

    @property
    def crc(self) -> int:
        """What board and host compare to know that they mean the same profile."""
        return crc32(json.dumps(self._wiring(), sort_keys=True, separators=(",", ":")).encode())

    def firmware(self) -> dict[str, object]:
        """What `profile.json` on the Pico holds."""
        return self._wiring() | {"crc": self.crc}

    def _wiring(self) -> dict[str, object]:
        pixel_lamp = [NO_LAMP] * self.pixels
        for lamp, pixels in enumerate(self.lamps):
            for pixel in pixels:
                pixel_lamp[pixel] = lamp
        channel_ua = round(self.strip.channel_ma * 1000)
        return {
            "name": self.name,
            "hall": self.hall.model_dump(),
            "sensors": self.sensors,
            "settle_scans": self.sensing.settle_scans,
            "strip": {"pin": self.strip.pin, "pixels": self.pixels, "order": self.strip.order},
            "pixel_lamp": pixel_lamp,
            "lamps": len(self.lamps),
            "power": {"cap_ma": self.power.cap_ma, "idle_ua": self.strip.idle_ua, "channel_ua": channel_ua},
            "brightness": self.strip.brightness,
        }


def boards_dir() -> Path:
    """Where the profiles lie that come with Underglow: in the installed package, else in the checkout around it."""
    package = Path(__file__).parent
    installed = package / "boards"
    return installed if installed.is_dir() else package.parents[1] / "hardware" / "boards"


def names() -> tuple[str, ...]:
    """The boards that come with Underglow."""
    return tuple(sorted(path.stem for path in boards_dir().glob("*.toml")))


def load(name_or_path: str | Path) -> Board:
    """Read a profile: one that comes with Underglow by its name, any other by its path.

    `Faults` names every fault at once, with line and key.
    """
    path = Path(name_or_path)
    if isinstance(name_or_path, str) and path.name == name_or_path and path.suffix != ".toml":
        if name_or_path not in names():
            known = ", ".join(names()) or "none"
            sentence = f"there is no such board; known are: {known}; or give the path of a TOML file"
            raise Faults([Fault(Path(name_or_path), 0, "", sentence)])
        path = boards_dir() / f"{name_or_path}.toml"
    return _board(path.stem, documents.load(path, _Profile, check=_clashes, check_remains=True))


def _board(name: str, profile: _Profile) -> Board:
    surface = profile.surface
    spaces: list[Space] = []
    lamps: list[tuple[int, ...]] = []
    pixel_mm: list[tuple[float, float] | None] = [None] * profile.strip.pixels
    for given in surface.spaces:
        numbers: dict[str, int] = {}
        for part, pixels in sorted(given.lamps.items()):  # "centre" sorts before the edges
            numbers[part] = len(lamps)
            lamps.append(pixels)
            for pixel in pixels:
                pixel_mm[pixel] = _lamp_mm(given, part, surface.hex_mm)
        spaces.append(
            Space(
                id=given.id,
                kind=given.kind,
                x_mm=given.x_mm,
                y_mm=given.y_mm,
                q=given.q,
                r=given.r,
                lamps=numbers,
                hall=None if given.hall is None else _sensor(given.hall),
            )
        )
    return Board(
        name=name,
        title=profile.title,
        width_mm=surface.width_mm,
        height_mm=surface.height_mm,
        hex_mm=surface.hex_mm,
        zone_mm=surface.zone_mm,
        spaces=tuple(spaces),
        lamps=tuple(lamps),
        pixel_mm=tuple(pixel_mm),
        strip=profile.strip,
        hall=profile.hall,
        sensing=profile.sensing,
        power=profile.power,
    )


def _lamp_mm(space: _Space, part: str, hex_mm: float) -> tuple[float, float]:
    if part == "centre":
        return space.x_mm, space.y_mm
    angle = math.radians(60 * int(part[1:]))
    # Just inside the edge, so that two neighbours' edges can be told apart.
    return round(space.x_mm + 0.4 * hex_mm * math.cos(angle), 1), round(space.y_mm + 0.4 * hex_mm * math.sin(angle), 1)


def _sensor(hall: str) -> int:
    # The chip nearest the Pico comes first, and a 74HC165 shifts out H before A.
    return (int(hall[:-1]) - 1) * INPUTS_PER_CHIP + "HGFEDCBA".index(hall[-1])


def _clashes(profile: _Profile) -> Iterator[Finding]:
    yield from _pin_clashes(profile.strip, profile.hall)
    yield from _power_clashes(profile.strip, profile.power)
    yield from _space_clashes(profile.surface)
    yield from _wiring_clashes(profile)


def _pin_clashes(strip: Strip, hall: Hall) -> Iterator[Finding]:
    spi = {"sck": hall.sck, "mosi": hall.mosi, "miso": hall.miso}
    for signal, pin in spi.items():
        able = SPI_PINS[hall.spi, signal]
        if pin in HEADER_PINS and pin not in able:
            yield ("hall", signal), f"GP{pin} cannot be {signal} of SPI {hall.spi}; use one of {str(able)[1:-1]}"
    pins: dict[Loc, int] = {("strip", "pin"): strip.pin, ("hall", "latch"): hall.latch}
    pins |= {("hall", signal): pin for signal, pin in spi.items()}
    for loc, pin in pins.items():
        if pin not in HEADER_PINS:
            yield loc, f"GP{pin} is not on the Pico's header; use 0 to 22 or 26 to 28"
    yield from _twice("GP{} is already used by {}", ((loc, pin, documents.dotted(loc)) for loc, pin in pins.items()))


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


def _space_clashes(surface: _Surface) -> Iterator[Finding]:
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


def _wiring_clashes(profile: _Profile) -> Iterator[Finding]:
    chips, strip_pixels = profile.hall.chips, profile.strip.pixels
    inputs: list[_Use[str]] = []
    pixels: list[_Use[int]] = []
    for index, space in enumerate(profile.surface.spaces):
        loc = ("surface", "spaces", index)
        if space.hall is not None:
            inputs.append(((*loc, "hall"), space.hall, space.id))
        for part, lamp in space.lamps.items():
            pixels += [((*loc, "lamps", part, n), pixel, f"{space.id}.{part}") for n, pixel in enumerate(lamp)]
    for loc, hall, _ in inputs:
        if _sensor(hall) >= chips * INPUTS_PER_CHIP:
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
