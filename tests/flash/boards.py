"""Benches to be flashed: what lies on them, and a littlefs under it that can be small, read-only or cut off."""

from __future__ import annotations

import hashlib
import io
import json
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from underglow import image, profile
from underglow.bench.vm import Bench
from underglow.flash import compiled
from underglow.pico import Interpreter, Pico, PicoLost

BOARD = profile.load("hex48")
SOURCES = image.board_files(BOARD)
CALIBRATION = {"calibration.json": b'{"h01": 17}', "drivers/mine.py": b"# not Underglow's\n"}

#: What MicroPython's unix port says of itself: x86-64, version 6.3.
_X64 = 2 << 10 | 3 << 8 | 6
IMAGE = dict(compiled(SOURCES, Interpreter((1, 25, 0), "a test", _X64)).files)

OLDER = {name: content + b"\n# older\n" for name, content in SOURCES.items() if name.endswith(".py")} | {
    "drivers/dropped.mpy": b"of a version that had this driver",
    "flashed.json": json.dumps(["drivers/dropped.mpy", "calibration.json", 17]).encode(),
}

#: Replaces the bench's folder by a littlefs in a file, filled at its first start from the folder `first`.
_ON_LITTLEFS = """
import os, vfs
class Disk:
    def __init__(self):
        try:
            self.file = open("disk.img", "r+b")
        except OSError:
            with open("disk.img", "wb") as file:
                for _ in range({blocks}):
                    file.write(b"\\xff" * 4096)
            self.file = open("disk.img", "r+b")
    def readblocks(self, block, buffer, at=0):
        self.file.seek(block * 4096 + at)
        self.file.readinto(buffer)
    def writeblocks(self, block, buffer, at=0):
        self.file.seek(block * 4096 + at)
        self.file.write(buffer)
    def ioctl(self, what, block):
        if what == 4:
            return {blocks}
        if what == 5:
            return 4096
        if what == 6:
            self.file.seek(block * 4096)
            self.file.write(b"\\xff" * 4096)
            return 0
def walk(folder):
    for name, kind, *_ in os.ilistdir(folder):
        path = folder + "/" + name
        if kind == 0x4000:
            yield path, None
            yield from walk(path)
        else:
            with open(path, "rb") as file:
                yield path, file.read()
disk = Disk()
try:
    filled = vfs.VfsLfs2(disk)
    first = []
except OSError:
    vfs.VfsLfs2.mkfs(disk)
    filled = vfs.VfsLfs2(disk)
    first = [(path[6:], content) for path, content in walk("first")]
vfs.umount("/")
vfs.mount(filled, "/")
os.chdir("/")
for path, content in first:
    if content is None:
        os.mkdir(path)
    else:
        with open(path, "wb") as file:
            file.write(content)
vfs.umount("/")
vfs.mount(filled, "/", readonly={readonly})
"""


class Said(Console):
    """A terminal whose text can be read."""

    def __init__(self, terminal: bool = False) -> None:
        self.paper = io.StringIO()
        super().__init__(file=self.paper, soft_wrap=True, highlight=False, force_terminal=terminal, width=100)

    def __str__(self) -> str:
        return self.paper.getvalue()


@contextmanager
def bench(files: Mapping[str, bytes]) -> Generator[Bench]:
    """A bench with these files on its Pico."""
    with Bench.start(BOARD, files) as started:
        yield started


@contextmanager
def littlefs(files: Mapping[str, bytes], blocks: int = 128, readonly: bool = False) -> Generator[Bench]:
    """A bench with these files in a littlefs of so many blocks of 4 KB."""
    boot = _ON_LITTLEFS.replace("{blocks}", str(blocks)).replace("{readonly}", str(readonly))
    first = {f"first/{name}": content for name, content in {"empty": b"", **files}.items()}
    with Bench.start(BOARD, {"boot.py": boot.encode(), **first}) as started:
        yield started


def digests(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What `holds` returns of a board with these files."""
    return {name: hashlib.sha256(content).digest() for name, content in files.items()}


def reached(port: str) -> Pico:
    """A board at its REPL. It may be starting anew just now: then its port goes away for a moment."""
    until_s = time.monotonic() + 5
    while True:
        try:
            return Pico(port)
        except (PicoLost, OSError):
            if time.monotonic() > until_s:
                raise
            time.sleep(0.05)


def holds(port: str) -> dict[str, bytes]:
    """Digest of every file on a board, by its path there; the board stays at its REPL."""
    pico = reached(port)
    try:
        return {name: pico.sha256(name) for name in pico.files(["", "drivers"]) if name != "empty"}
    finally:
        pico.close()


def written(bench: Bench) -> dict[str, tuple[int, int]]:
    """Inode and time of writing of every file on a bench without littlefs: writing changes them, renaming does not."""
    flash = Path(bench.port).with_name("flash")
    found = [(path.relative_to(flash).as_posix(), path.stat()) for path in flash.rglob("*") if path.is_file()]
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in found}


def remove(port: str, name: str) -> None:
    """Take a file off a board."""
    pico = reached(port)
    try:
        pico.remove(name)
    finally:
        pico.close()
