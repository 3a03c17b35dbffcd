"""MicroPython for the RP2040 as a UF2: given, found in the cache, or built from Debian packages.

    python -m underglow.bench.uf2 [FILE]

prints the path. The search goes: FILE, $UNDERGLOW_UF2, the user's cache, a build (see `uf2_debian`).
"""

from __future__ import annotations

import argparse
import os
import re
import struct
import sys
from pathlib import Path
from typing import NamedTuple

ENVIRONMENT = "UNDERGLOW_UF2"

FLASH_START = 0x10000000
FLASH_BYTES = 2 * 1024 * 1024  # of a Raspberry Pi Pico

_RP2040 = 0xE48BFF56
_MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
_NOT_FLASH, _HAS_FAMILY = 0x0001, 0x2000
_HEAD = struct.Struct("<8I")
_BLOCK_BYTES = 512
_PAYLOAD_BYTES = 256

_BANNER = re.compile(rb"MicroPython v([0-9][^ \0]*) on ")


class NoUf2(Exception):
    """MicroPython for the RP2040 is not to be had; the message says why and what to do."""


class Uf2(NamedTuple):
    """A UF2 file with the version of the MicroPython inside ("1.25.0") and the flash it fills from its start."""

    path: Path
    version: str
    flash: bytes


def find(given: Path | None = None, *, build: bool = True) -> Uf2:
    """Return the first UF2 of: `given`, $UNDERGLOW_UF2, the cache, a new build if `build`. NoUf2: there is none."""
    if given is not None:
        return read(given)
    if named := os.environ.get(ENVIRONMENT):
        return read(Path(named))
    from underglow.bench import uf2_debian

    cached = uf2_debian.cached()
    if cached.exists():
        return read(cached)
    if not build:
        raise NoUf2(
            "no MicroPython for the RP2040 is at hand; build one with `python -m underglow.bench.uf2` or name one "
            f"in ${ENVIRONMENT}."
        )
    return read(uf2_debian.build())


def read(path: Path) -> Uf2:
    """Read a UF2. NoUf2: there is none, or it is not MicroPython for the RP2040."""
    try:
        flash = unpack(path.read_bytes())
    except OSError as error:
        raise NoUf2(f"{path}: the UF2 can't be read ({error.strerror}).") from None
    except ValueError as error:
        raise NoUf2(f"{path}: {error}.") from None
    banner = _BANNER.search(flash)
    if banner is None:
        raise NoUf2(f"{path}: this UF2 holds no MicroPython.")
    return Uf2(path.absolute(), banner[1].decode(errors="replace"), flash)


def unpack(uf2: bytes) -> bytes:
    """Return what a UF2 puts into the RP2040's flash, from its start. ValueError: it is no UF2 for that chip."""
    flash = bytearray()
    for at in range(0, len(uf2), _BLOCK_BYTES):
        block = uf2[at : at + _BLOCK_BYTES]
        if len(block) < _BLOCK_BYTES:
            raise ValueError("this UF2 is cut short")
        start, second, flags, address, size, _, _, family = _HEAD.unpack_from(block)
        if (start, second, *struct.unpack_from("<I", block, _BLOCK_BYTES - 4)) != _MAGIC:
            raise ValueError("this is not a UF2 file")
        if flags & _NOT_FLASH or not flags & _HAS_FAMILY or family != _RP2040:
            continue  # for another chip: one file may serve several
        offset = address - FLASH_START
        if offset < 0 or offset + size > FLASH_BYTES or size > _BLOCK_BYTES - _HEAD.size - 4:
            raise ValueError(f"a block of {size} bytes at {address:#x} is outside the Pico's flash")
        flash.extend(b"\xff" * (offset + size - len(flash)))
        flash[offset : offset + size] = block[_HEAD.size : _HEAD.size + size]
    if not flash:
        raise ValueError("this UF2 holds nothing for the RP2040")
    return bytes(flash)


def pack(flash: bytes) -> bytes:
    """Return the UF2 that puts `flash` at the start of the RP2040's flash."""
    blocks = bytearray()
    count = -(-len(flash) // _PAYLOAD_BYTES)
    for number in range(count):
        at = number * _PAYLOAD_BYTES
        head = (*_MAGIC[:2], _HAS_FAMILY, FLASH_START + at, _PAYLOAD_BYTES, number, count, _RP2040)
        payload = flash[at : at + _PAYLOAD_BYTES]
        blocks += _HEAD.pack(*head) + payload.ljust(_BLOCK_BYTES - _HEAD.size - 4, b"\0") + struct.pack("<I", _MAGIC[2])
    return bytes(blocks)


def main() -> None:
    """Print the path of the UF2; else say why there is none."""
    parser = argparse.ArgumentParser(
        prog="python -m underglow.bench.uf2", description="Find or build MicroPython for the RP2040."
    )
    parser.add_argument("file", nargs="?", type=Path, help="a UF2 of your own")
    try:
        found = find(parser.parse_args().file)
    except NoUf2 as reason:
        sys.exit(str(reason))
    sys.stdout.write(f"{found.path}\n")


if __name__ == "__main__":
    # Under its own name, or its NoUf2 would be another class than the one that a build raises.
    from underglow.bench.uf2 import main as run

    run()
