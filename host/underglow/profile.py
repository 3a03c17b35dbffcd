"""Board profiles: the TOML that alone describes a board, as values for the host and as JSON for its Pico."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

from underglow import documents
from underglow.board_file import (
    EDGED,
    EDGES,
    INPUTS_PER_CHIP,
    BoardFile,
    Buttons,
    Hall,
    Nfc,
    Power,
    Sensing,
    SpaceKind,
    Strip,
    clashes,
    sensor_number,
)
from underglow.documents import Fault, Faults

NO_LAMP = 65535
"""In the firmware's `pixel_lamp` and `sensor_lamp`: there is no lamp."""


def space_of(place: str) -> str:
    """The space of a place, which is one itself ("h01") or a part of one ("h01.e0")."""
    return place.partition(".")[0]


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
    buttons: Buttons | None
    nfc: Nfc | None
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

    @property
    def readers(self) -> tuple[str, ...]:
        """The place of each NFC reader, by its number: a space, or an edge of one such as "h19.e2"."""
        return tuple(reader.space for reader in self.nfc.readers) if self.nfc else ()

    def space(self, name: str) -> Space:
        """KeyError: the board has no such space."""
        return self._spaces[name]

    @property
    def places_mm(self) -> Mapping[str, tuple[float, float]]:
        """Where every place is: each space by its name and its edges, lit or not, as "h01.e0"."""
        return {
            place: _part_mm(space.x_mm, space.y_mm, part, self.hex_mm)
            for space in self.spaces
            for place, part in [
                (space.id, "centre"),
                *((f"{space.id}.{edge}", edge) for edge in EDGES if space.kind in EDGED),
            ]
        }

    def can_light(self, name: str) -> bool:
        """Whether `lamp_of` finds a lamp of that name. KeyError: there is not even such a space."""
        space, _, part = name.partition(".")
        return (part or "centre") in self._spaces[space].lamps

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
        sensor_lamp = [NO_LAMP] * self.sensors
        for space in self.spaces:
            if space.hall is not None:
                sensor_lamp[space.hall] = space.lamps["centre"]
        channel_ua = round(self.strip.channel_ma * 1000)
        return {
            "name": self.name,
            "hall": self.hall.model_dump(),
            "sensors": self.sensors,
            "sensor_lamp": sensor_lamp,
            "buttons": list(self.buttons.model_dump().values()) if self.buttons else [],
            "nfc": self.nfc.firmware() if self.nfc else {"misses": 1, "spi": None, "i2c": None, "readers": []},
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
    return _board(path.stem, documents.load(path, BoardFile, check=clashes, check_remains=True))


def _board(name: str, file: BoardFile) -> Board:
    surface = file.surface
    spaces: list[Space] = []
    lamps: list[tuple[int, ...]] = []
    pixel_mm: list[tuple[float, float] | None] = [None] * file.strip.pixels
    for given in surface.spaces:
        numbers: dict[str, int] = {}
        for part, pixels in sorted(given.lamps.items()):  # "centre" sorts before the edges
            numbers[part] = len(lamps)
            lamps.append(pixels)
            for pixel in pixels:
                pixel_mm[pixel] = _part_mm(given.x_mm, given.y_mm, part, surface.hex_mm)
        spaces.append(
            Space(
                id=given.id,
                kind=given.kind,
                x_mm=given.x_mm,
                y_mm=given.y_mm,
                q=given.q,
                r=given.r,
                lamps=numbers,
                hall=None if given.hall is None else sensor_number(given.hall),
            )
        )
    return Board(
        name=name,
        title=file.title,
        width_mm=surface.width_mm,
        height_mm=surface.height_mm,
        hex_mm=surface.hex_mm,
        zone_mm=surface.zone_mm,
        spaces=tuple(spaces),
        lamps=tuple(lamps),
        pixel_mm=tuple(pixel_mm),
        strip=file.strip,
        hall=file.hall,
        sensing=file.sensing,
        power=file.power,
        buttons=file.buttons,
        nfc=file.nfc,
    )


def _part_mm(x_mm: float, y_mm: float, part: str, hex_mm: float) -> tuple[float, float]:
    """Where a part of the space with that middle is."""
    if part == "centre":
        return x_mm, y_mm
    angle = math.radians(60 * int(part[1:]))
    # Just inside the edge, so that two neighbours' edges can be told apart.
    return round(x_mm + 0.4 * hex_mm * math.cos(angle), 1), round(y_mm + 0.4 * hex_mm * math.sin(angle), 1)
