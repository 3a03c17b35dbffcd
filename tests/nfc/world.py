"""Readers on simulated buses in simulated time: the chips are the bench's models, the drivers the firmware's.

`World` is what a board's pins see. `Rig` runs the firmware's files on it in this Python, `run_readers.py` does so in
MicroPython.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from underglow.bench.devices import pn532
from underglow.bench.devices.antenna import Antenna, Placed
from underglow.bench.devices.iso14443 import Tag
from underglow.bench.devices.mfrc522 import Mfrc522
from underglow.bench.devices.pn532 import Pn532

FIRMWARE = Path(__file__).parents[2] / "firmware"

TICKS = (1 << 30) - 1
"""What `time.ticks_us` counts to on the chip."""

SPI_BYTE_NS = 2_000
I2C_BYTE_NS = 22_500
CALL_NS = 12_000  # around a transfer; like the next two about what MicroPython needs on the chip
STEP_NS = 100_000  # the rest of a step
PASS_NS = 300_000  # the rest of a pass of the board's loop


class World:
    """So many readers, each with its antenna, and the tags. `now_ns` moves with what is done."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.kinds = tuple(kinds)
        self.now_ns: int = 0
        self.antennas = [Antenna() for _ in kinds]
        self.chips: list[Any] = [
            Mfrc522(antenna) if kind == "mfrc522" else Pn532(antenna)
            for kind, antenna in zip(kinds, self.antennas, strict=True)
        ]
        #: Every operation on the pins and what came of it.
        self.transcript: list[tuple[str, int, bytes, bytes]] = []
        #: The most fields that were on at once.
        self.fields = 0
        #: What the next transfer raises.
        self.error: Exception | None = None
        self._placed: dict[bytes, Placed] = {}

    @property
    def now_us(self) -> int:
        """As `time.ticks_us` on the chip."""
        return self.now_ns // 1000 & TICKS

    # --- hands ---

    def place(self, tag: Tag, *on: int, near: Sequence[int] = ()) -> None:
        """Lay a tag on the antennas of these readers, and merely near those; nowhere if none is named."""
        placed = self._placed.setdefault(tag.uid, Placed(tag))
        placed.put(self.now_ns, [self.antennas[i] for i in on], [self.antennas[i] for i in near])

    # --- pins ---

    def select(self, reader: int, level: int) -> None:
        """The chip select of an MFRC522."""
        self.now_ns += 2_000
        self.chips[reader].nss(bool(level), self.now_ns)
        self.transcript.append(("select", reader, bytes((level,)), b""))

    def reset(self, reader: int, level: int) -> None:
        """A chip's reset."""
        self.now_ns += 2_000
        chip = self.chips[reader]
        (chip.nrstpd if isinstance(chip, Mfrc522) else chip.rstpd_n)(bool(level), self.now_ns)
        self.transcript.append(("reset", reader, bytes((level,)), b""))

    def spi(self, data: bytes) -> bytes:
        """One transfer on the bus that all MFRC522 share."""
        if self.error:
            raise self.error
        selected = [i for i, chip in enumerate(self.chips) if self.kinds[i] == "mfrc522" and chip.selected]
        assert len(selected) == 1, "one chip drives MISO"
        self.now_ns += CALL_NS
        got = bytearray()
        for byte in data:
            got.append(self.chips[selected[0]].transfer(byte, self.now_ns))
            self.now_ns += SPI_BYTE_NS
        self._look()
        self.transcript.append(("spi", selected[0], data, bytes(got)))
        return bytes(got)

    def i2c_write(self, reader: int, data: bytes) -> bool:
        """One write to the PN532 that is reader number `reader`; False: not acknowledged."""
        if self.error:
            raise self.error
        chip = self._i2c(reader, read=False)
        for byte in data if chip else b"":
            chip.write(byte)
            self.now_ns += I2C_BYTE_NS
        if chip:
            chip.stop(self.now_ns)
            self._look()
        self.transcript.append(("write", reader, data, bytes((bool(chip),))))
        return bool(chip)

    def i2c_read(self, reader: int, size: int) -> bytes | None:
        """One read from it; None: not acknowledged."""
        chip = self._i2c(reader, read=True)
        got = bytearray()
        for _ in range(size if chip else 0):
            got.append(chip.read(self.now_ns))
            self.now_ns += I2C_BYTE_NS
        if chip:
            chip.stop(self.now_ns)
        self.transcript.append(("read", reader, b"", bytes(got)))
        return bytes(got) if chip else None

    def _i2c(self, reader: int, *, read: bool) -> Any:
        self.now_ns += CALL_NS + I2C_BYTE_NS
        return self.chips[reader] if self.chips[reader].start(read=read, at_ns=self.now_ns) else None

    def _look(self) -> None:
        self.fields = max(self.fields, sum(antenna.on for antenna in self.antennas))


def _as_it_is(value: object) -> object:
    return value


def firmware(name: str) -> Any:
    """A module of the firmware, run by this Python."""
    if str(FIRMWARE) not in sys.path:
        sys.path.insert(0, str(FIRMWARE))
        micropython = ModuleType("micropython")
        for word in ("const", "native"):  # they only make it quicker
            setattr(micropython, word, _as_it_is)
        sys.modules["micropython"] = micropython
    return importlib.import_module(name)


class Spi:
    """`machine.SPI`, as far as a driver uses it."""

    def __init__(self, world: World) -> None:
        self._world = world

    def write(self, buf: Sequence[int]) -> None:
        self._world.spi(bytes(buf))

    def write_readinto(self, write_buf: Sequence[int], read_buf: Any) -> None:
        assert len(write_buf) == len(read_buf)
        read_buf[:] = self._world.spi(bytes(write_buf))


class _I2c:
    """`machine.I2C`, as far as a driver uses it; each PN532 has a bus of its own."""

    def __init__(self, world: World, reader: int) -> None:
        self._world = world
        self._reader = reader

    def writeto(self, addr: int, buf: Sequence[int]) -> None:
        assert addr == pn532.ADDRESS
        if not self._world.i2c_write(self._reader, bytes(buf)):
            raise OSError(5)

    def readfrom_into(self, addr: int, buf: Any) -> None:
        assert addr == pn532.ADDRESS
        got = self._world.i2c_read(self._reader, len(buf))
        if got is None:
            raise OSError(5)
        buf[:] = got


class Watched:
    """A reader, and how its polls ended."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self.ends: list[bool] = []

    def step(self, now_us: int) -> bool | None:
        """As the reader."""
        whole = self._reader.step(now_us)
        if whole is not None:
            self.ends.append(whole)
        return whole

    @property
    def fault(self) -> int:
        """As the reader."""
        return self._reader.fault

    @property
    def found(self) -> Any:
        """As the reader."""
        return self._reader.found

    def uids(self) -> set[bytes]:
        """What the last poll found."""
        found = self.found
        places = [bytes(place) for place in found.places[: found.count]]
        assert not any(any(place[1 + place[0] :]) for place in places), "the rest of a place is zeros"
        return {place[1 : 1 + place[0]] for place in places}


class Rig(World):
    """A world with the firmware's readers on it, polled in turn."""

    def __init__(self, *kinds: str, misses: int = 3, reset: bool = False, started: bool = True) -> None:
        super().__init__(kinds)
        #: The bus of all MFRC522.
        self.bus = Spi(self)
        self.readers: list[Watched] = []
        for i, kind in enumerate(kinds):
            pins = [self.pin(self.reset, i)] if reset else []
            if kind == "mfrc522":
                reader = firmware("drivers.mfrc522").Mfrc522(self.bus, self.pin(self.select, i), *pins)
            else:
                reader = firmware("drivers.pn532").Pn532(_I2c(self, i), *pins)
            self.readers.append(Watched(reader))
        self.board = firmware("nfc").Readers(self.readers, misses)
        self.presence = self.board.presence
        #: The longest step so far.
        self.longest_ns = 0
        if started:
            self.turns(1)

    def pin(self, drive: Callable[[int, int], None], reader: int) -> Callable[[int], None]:
        """`machine.Pin`, as far as a driver uses it."""
        return lambda level: drive(reader, level)

    def step(self) -> bool:
        """One pass of a board's loop; True: the presence changed."""
        self.now_ns += PASS_NS
        begun_ns = self.now_ns
        changed = self.board.step(self.now_us)
        self.now_ns += STEP_NS
        self.longest_ns = max(self.longest_ns, self.now_ns - begun_ns)
        return changed

    def turns(self, count: int = 1) -> None:
        """Let every reader have so many turns."""
        wanted = [len(reader.ends) + count for reader in self.readers]
        end_ns = self.now_ns + count * len(self.readers) * 300_000_000
        while any(len(reader.ends) < ends for reader, ends in zip(self.readers, wanted, strict=True)):
            self.step()
            assert self.now_ns < end_ns, "a turn takes less than 0.3 s"

    def tags(self, reader: int = 0) -> set[bytes]:
        """The UIDs that are there, by the presence rule."""
        return set(self.presence.tags(reader))
