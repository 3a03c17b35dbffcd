"""The file system in the Pico's flash, as MicroPython keeps it: a littlefs made and read without a Pico."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import IO, Any, cast

from littlefs import LittleFS, UserContext
from littlefs.errors import LittleFSError

from underglow.bench.uf2 import FLASH_BYTES

#: What MicroPython leaves for files on a Raspberry Pi Pico (RPI_PICO): the last 1408 KiB of 2 MiB.
START = 0xA0000
_BLOCK_BYTES = 4096
_BLOCKS = (FLASH_BYTES - START) // _BLOCK_BYTES


def with_files(firmware: bytes, files: Mapping[str, bytes]) -> bytes:
    """Return a whole flash: MicroPython at its start, and a file system that holds `files` by relative path.

    ValueError: the firmware reaches into the file system, or the files do not fit.
    """
    if len(firmware) > START:
        raise ValueError(f"the firmware is {len(firmware)} bytes long and reaches into the file system at {START}")
    return firmware.ljust(START, b"\xff") + _image(files)


def files_in(flash: bytes) -> dict[str, bytes]:
    """Return every file in a whole flash, by relative path. ValueError: there is no file system in it."""
    context = UserContext(_BLOCKS * _BLOCK_BYTES)
    context.buffer[:] = flash[START:FLASH_BYTES]
    files: dict[str, bytes] = {}
    with _mounted(context) as system:
        for folder, _, names in system.walk("/"):
            for name in names:
                path = PurePosixPath(folder) / name
                with _opened(system, str(path), "rb") as file:
                    files[str(path.relative_to("/"))] = file.read()
    return files


def _image(files: Mapping[str, bytes]) -> bytes:
    context = UserContext(_BLOCKS * _BLOCK_BYTES)
    with _mounted(context, fresh=True) as system:
        for name, data in files.items():
            system.makedirs(str(PurePosixPath(name).parent), exist_ok=True)
            with _opened(system, name, "wb") as file:
                file.write(data)
    return bytes(context.buffer)


def _opened(system: LittleFS, name: str, mode: str) -> IO[bytes]:
    return cast("Any", system).open(name, mode)  # typed as IO of nothing in particular


@contextmanager
def _mounted(context: UserContext, *, fresh: bool = False) -> Generator[LittleFS]:
    system = LittleFS(
        context=context,
        block_size=_BLOCK_BYTES,
        block_count=_BLOCKS,
        prog_size=256,
        mount=False,
    )
    try:
        if fresh:
            system.format()
        system.mount()
    except LittleFSError as error:
        raise ValueError(f"there is no file system in this flash ({error})") from None
    try:
        yield system
    except LittleFSError as error:
        raise ValueError(f"the files do not fit the Pico's flash ({error})") from None
    finally:
        system.unmount()
