"""Where the Picos are: those that run MicroPython on a serial port, blank ones (in BOOTSEL) as a small disk."""

from __future__ import annotations

import errno
import os
import re
import string
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from underglow.bench.uf2 import Uf2
from underglow.languages import Said, say

Comports = Callable[[], Iterable[ListPortInfo]]

#: USB vendor and product of MicroPython on a Pico.
_MICROPYTHON = (0x2E8A, 0x0005)
#: What an RP2040 in BOOTSEL writes into INFO_UF2.TXT, and how its disk is called.
_BOOTSEL = "RPI-RP2"
_BY_ID = Path("/dev/serial/by-id")
_BY_LABEL = Path("/dev/disk/by-label") / _BOOTSEL

_LOOK_S = 0.2
_SETTLE_S = 0.5
"""From a port's appearance until the system has given people access to it."""

_BOOT_S = 20.0
"""From the UF2's last byte until MicroPython is there: a new file system is made in between."""


class NoBoard(Exception):
    """Nothing is attached that could be meant; the message says what to do."""


class SeveralBoards(Exception):
    """More than one board could be meant and nobody can be asked; the message names them."""


class Elsewhere(Said):
    """The board meant is nowhere, though its port's name may be in use by another."""


class Attached(NamedTuple):
    """A serial port, the USB serial number of what is behind it, and what that calls itself."""

    port: str
    serial: str = ""
    says: str = ""

    def __str__(self) -> str:
        return "  ".join(filter(None, (self.serial or "(no serial number)", self.port, self.says)))


class Blank(NamedTuple):
    """A Pico in BOOTSEL and where its disk is mounted."""

    volume: Path

    def __str__(self) -> str:
        return f"{_BOOTSEL}  {self.volume}  a blank Pico"


Found = Attached | Blank


def picos(comports: Comports = list_ports.comports) -> tuple[list[Attached], list[Attached]]:
    """Return the ports with MicroPython on a Pico behind them, and all other ports of USB devices."""
    ours: list[Attached] = []
    others: list[Attached] = []
    for info in sorted(comports(), key=lambda info: info.device):
        if info.vid is not None:
            which = ours if (info.vid, info.pid) == _MICROPYTHON else others
            which.append(Attached(info.device, info.serial_number or "", info.description or ""))
    return ours, others


class Whereabouts:
    """Where the board is that was at `port` first: systems give a port another name when its cable comes back.

    What is behind a USB port is known by its serial number; any other port is just its name.
    """

    def __init__(self, port: str, comports: Comports = list_ports.comports, by_id: Path = _BY_ID) -> None:
        self._port = port
        self._comports = comports
        self._by_id = by_id
        self._serial = ""
        self._interface = ""
        self._link: Path | None = None

    def find(self) -> str:
        """Return its port now. Elsewhere: it is not plugged in, and another one has its old name."""
        if not self._serial:
            self._learn()
            return self._port
        if self._link and self._link.exists():
            return os.path.realpath(self._link)
        taken = False
        for info in self._comports():
            if info.serial_number == self._serial and (info.interface or "") == self._interface:
                return info.device
            taken |= os.path.realpath(info.device) == os.path.realpath(self._port)
        if taken:
            raise Elsewhere(
                say(
                    "another board is here now; the one with the serial number {number} is not plugged in.",
                    number=self._serial,
                )
            )
        return self._port

    def _learn(self) -> None:
        """See who is at the port, if anybody is."""
        real = os.path.realpath(self._port)
        for info in self._comports():
            if os.path.realpath(info.device) == real and info.serial_number:
                self._serial, self._interface = info.serial_number, info.interface or ""
                links = self._by_id.iterdir() if self._by_id.is_dir() else ()
                self._link = next(
                    (link for link in links if self._serial in link.name and os.path.realpath(link) == real), None
                )


def volumes() -> list[Path]:
    """Return where disks are mounted on this machine."""
    if sys.platform == "win32":
        return [drive for letter in string.ascii_uppercase if (drive := Path(f"{letter}:\\")).exists()]
    if sys.platform == "darwin":
        return list(Path("/Volumes").iterdir())
    lines = Path("/proc/mounts").read_text(errors="replace").splitlines()
    # Spaces and the like are written in octal there.
    return [Path(re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), line.split()[1])) for line in lines]


def is_blank(volume: Path) -> bool:
    """Tell whether this is the disk of an RP2040 in BOOTSEL."""
    try:
        return _BOOTSEL in (volume / "INFO_UF2.TXT").read_text(errors="replace")
    except OSError:
        return False


def choose(
    target: str | None,
    ask: Callable[[Sequence[Found]], str] | None = None,
    comports: Comports = list_ports.comports,
    mounted: Callable[[], Iterable[Path]] = volumes,
) -> Found:
    """Return the one board meant.

    `target` is a port, a serial number (its end suffices) or the disk of a Pico in BOOTSEL; without it, the only
    board attached. If there are several, `ask` returns the target a person chose. NoBoard, SeveralBoards.
    """
    ours, others = picos(comports)
    if target is not None and is_blank(Path(target)):
        return Blank(Path(target))
    found = [*ours, *(Blank(volume) for volume in mounted() if is_blank(volume))]
    if target is not None:
        meant = _matching(target, [*found, *others])
        if not meant:
            return Attached(target)  # a port no list knows, or a name that opening it will tell to be none
        found = meant
    if not found:
        raise NoBoard(_nothing(others))
    while len(found) > 1:
        if ask is None:
            listed = "".join(f"\n  {one}" for one in found)
            raise SeveralBoards(f"Several boards are attached; name one by its serial number:{listed}")
        found = _matching(ask(found), found) or found
    return found[0]


def _matching(target: str, found: Sequence[Found]) -> list[Found]:
    wanted = target.strip().lower()
    exact: list[Found] = []
    partly: list[Found] = []
    for one in found:
        name, serial = (one.port, one.serial) if isinstance(one, Attached) else (str(one.volume), _BOOTSEL)
        if wanted in (name.lower(), serial.lower()):
            exact.append(one)
        elif wanted and serial.lower().endswith(wanted):
            partly.append(one)
    return exact or partly


def _nothing(others: Sequence[Attached]) -> str:
    if _BY_LABEL.exists():
        return (
            f"A blank Pico is attached, but its disk is not mounted; mount it (`sudo mount {_BY_LABEL} /mnt`) "
            "and try again."
        )
    if others:
        listed = ", ".join(one.port for one in others)
        return (
            f"No Pico with MicroPython is attached; if it is behind one of the other serial ports ({listed}), name it."
        )
    return (
        "No Pico is attached; plug it in with a cable that carries data, or, if it has no MicroPython yet, "
        "hold its BOOTSEL button while plugging it in."
    )


def install(blank: Blank, uf2: Uf2, comports: Comports = list_ports.comports, wait_s: float = _BOOT_S) -> Attached:
    """Copy MicroPython to a Pico in BOOTSEL and return the port at which it comes back. NoBoard: it does not."""
    before = picos(comports)[0]
    # The Pico restarts at the last block, before the disk is closed; it then looks as if it had failed.
    failed: OSError | None = None
    try:
        with (blank.volume / uf2.path.name).open("wb") as disk:
            disk.write(uf2.path.read_bytes())
            disk.flush()
            os.fsync(disk.fileno())
    except OSError as error:
        failed = error
        if error.errno in (errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EPERM):
            wait_s = 0.0
    until_s = time.monotonic() + wait_s
    while time.monotonic() < until_s:
        for one in picos(comports)[0]:
            if one not in before:
                time.sleep(_SETTLE_S)
                return one
        time.sleep(_LOOK_S)
    because = f" ({failed.strerror})" if failed else ""
    raise NoBoard(
        f"{blank.volume}: MicroPython was copied, but no board has come back{because}; "
        "hold BOOTSEL while plugging it in and try again."
    )
