"""A Pico's MicroPython and its files, over the raw REPL: mpremote's own transport, with every bad day as a sentence."""

# pyright: reportMissingTypeStubs=false

from __future__ import annotations

import errno
import hashlib
import io
import re
import struct
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, redirect_stdout, suppress
from typing import Any, NamedTuple

import serial
from mpremote.transport import TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport

#: Native architectures by their number in `sys.implementation._mpy`, as mpy-cross calls them.
_ARCHITECTURES = (
    "", "x86", "x64", "armv6", "armv6m", "armv7m", "armv7em", "armv7emsp", "armv7emdp", "xtensa", "xtensawin",
    "rv32imc", "rv64imc",
)  # fmt: skip

_KNOCK_S = 0.5
_ANSWER_S = 2.0
_WRITE_S = 5.0
_ENTER_S = (3.0, 8.0)
"""How long each attempt to get the raw REPL may take."""

#: What a file is called until it is whole.
PART = "flash.part"
_CHUNK = 1024  # bytes a command: of these and their spelling the board holds a few times as much
_FOLDER = 0x4000

_IDENTIFY = """
import sys
try:
 import rp2
except ImportError:
 rp2=None
i=sys.implementation
i=(i.name,tuple(i.version[:3]),getattr(i,'_machine',sys.platform),getattr(i,'_mpy',0),rp2 is not None)
"""
_ERRNO = re.compile(r"OSError: (?:\[Errno )?(\d+)")
_RESET = "import time,machine\ntime.sleep_ms(100)\nmachine.reset()"  # the pause lets USB say that it was understood


class PicoError(Exception):
    """Something is wrong with a board or the line to it; the message is one sentence that says what to do."""


class PicoLost(PicoError):
    """The board went away or fell silent."""


class Interpreter(NamedTuple):
    """The board's MicroPython: its version, what it calls the board, and what compiled files it takes (`_mpy`)."""

    version: tuple[int, int, int]
    machine: str
    mpy: int

    def __str__(self) -> str:
        return f"MicroPython {'.'.join(map(str, self.version))} on {self.machine}"

    @property
    def abi(self) -> str:
        """Version of the compiled files it takes, such as "6.3"."""
        return f"{self.mpy & 0xFF}.{self.mpy >> 8 & 3}"

    @property
    def architecture(self) -> str:
        """Its machine code, as mpy-cross names it; empty if it takes none."""
        number = self.mpy >> 10 & 0xF
        return _ARCHITECTURES[number] if number < len(_ARCHITECTURES) else ""


class Pico:
    """The board at serial port `port`, its program stopped. Files are named by their path from the root there.

    OSError: the port can't be opened. PicoError: from everything else.
    """

    def __init__(self, port: str) -> None:
        self._port = port
        try:
            self._transport: Any = SerialTransport(port, timeout=_ANSWER_S)  # mpremote has no types
        except TransportError:
            serial.Serial(port, exclusive=True).close()  # mpremote has swallowed the reason
            raise OSError(errno.EAGAIN, "the port was busy") from None
        self._serial: serial.Serial = self._transport.serial
        self._serial.write_timeout = _WRITE_S
        # Wait in the port's own read, as mpremote does on a PTY: its sleeps of 10 ms would take most of the time.
        self._transport.is_pty = True
        try:
            self._enter()
        except BaseException:
            self.close()
            raise

    def _enter(self) -> None:
        for attempt, timeout_s in enumerate(_ENTER_S):
            with self._sentences():
                # A running program takes a moment to end, and what comes right behind the Ctrl-C could still be taken
                # as meant for it. Ctrl-B makes a board that is at either REPL answer, too.
                self._serial.timeout = _KNOCK_S
                self._serial.write(b"\r\x03\x02")
                self._transport.read_until(1, b">>> ", timeout=_KNOCK_S, timeout_overall=2 * _KNOCK_S)
                self._serial.timeout = _ANSWER_S
                try:
                    with redirect_stdout(io.StringIO()):  # it prints what it heard instead
                        # Afterwards nothing of the program is left; boot.py has run, main.py has not.
                        self._transport.enter_raw_repl(soft_reset=attempt == 0, timeout_overall=timeout_s)
                except TransportError:
                    continue
                return
        raise PicoError(
            f"{self._port}: what is there does not answer like MicroPython; is this the board's port? If it is, hold "
            "the board's BOOTSEL button while plugging it in and give it MicroPython with --uf2."
        )

    def identify(self) -> Interpreter:
        """Return what runs there. PicoError: no MicroPython, or not on a chip like the Pico's."""
        with self._sentences():
            self._transport.exec(_IDENTIFY)
            name, version, machine, mpy, has_pio = self._transport.eval("i")
        if name != "micropython":
            raise PicoError(
                f"{self._port}: the board runs {name}, not MicroPython; hold its BOOTSEL button while plugging it in "
                "and give it MicroPython with --uf2."
            )
        if not has_pio:
            raise PicoError(
                f"{self._port}: this board is no Raspberry Pi Pico but {machine}; its chip lacks the PIO that drives "
                "the lights."
            )
        return Interpreter(version, machine, mpy)

    # --- files ---

    def files(self, folders: Iterable[str]) -> set[str]:
        """Return the files directly in those folders ("" is the root); a folder that isn't there has none."""
        found: set[str] = set()
        for folder in folders:
            where = folder or "/"
            with self._sentences(where), suppress(FileNotFoundError, NotADirectoryError):
                entries = self._transport.fs_listdir(where)
                found.update(_join(folder, entry.name) for entry in entries if not entry.st_mode & _FOLDER)
        return found

    def read(self, name: str) -> bytes:
        """Return what is in a file."""
        with self._sentences(name):
            return bytes(self._transport.fs_readfile(name))

    def sha256(self, name: str) -> bytes:
        """Return a file's digest, worked out by the board."""
        with self._sentences(name):
            return bytes(self._transport.fs_hashfile(name, "sha256"))

    def put(self, name: str, data: bytes, advance: Callable[[int], None]) -> None:
        """Make a file hold `data`, at once or not at all; `advance` hears of every few bytes that are there.

        It is written as PART, hashed by the board, and renamed.
        """
        written = 0

        def progress(now: int, _size: int) -> None:
            nonlocal written
            advance(now - written)
            written = now

        with self._sentences(PART, name):
            self._transport.fs_writefile(PART, data, chunk_size=_CHUNK, progress_callback=progress)
        if self.sha256(PART) != hashlib.sha256(data).digest():
            raise PicoError(
                f"{self._port}: {name} arrived damaged; run this again, and if it stays so, try another cable or "
                "another Pico."
            )
        self.rename(PART, name)

    def rename(self, old: str, new: str) -> None:
        """Give a file another name at once; one that had it is gone."""
        with self._sentences(new):
            self._transport.exec(f"import os\nos.rename({old!r},{new!r})")

    def remove(self, name: str) -> None:
        """Remove a file."""
        with self._sentences(name):
            self._transport.fs_rmfile(name)

    def make_folder(self, name: str) -> None:
        """Make a folder unless it is there."""
        with self._sentences(name), suppress(FileExistsError):
            self._transport.fs_mkdir(name)

    # --- the end ---

    def reset(self) -> None:
        """Start the board anew, as power does, and close the port."""
        with self._sentences():
            self._transport.exec_raw_no_follow(_RESET)
        self.close()

    def close(self) -> None:
        """Give the port back; the board stays at its REPL."""
        with suppress(OSError):  # it may be gone
            self._transport.close()
        with suppress(OSError):
            self._serial.close()

    @contextmanager
    def _sentences(self, path: str = "", name: str = "") -> Generator[None]:
        """Turn what goes wrong on the board (at `path`, where `name` should be) or on the line into its sentence."""
        try:
            yield
        except TransportExecError as error:
            said = str(error).strip()
            if number := _ERRNO.search(said):
                raise self._refused(name or path, int(number[1])) from None
            raise PicoError(
                f"{self._port}: the board's MicroPython stopped with {said.splitlines()[-1] if said else 'no reason'}; "
                "unplug it, plug it in and run this again."
            ) from None
        except (TransportError, struct.error, SyntaxError, ValueError, serial.SerialTimeoutException):
            # Nothing came, or not what was asked for.
            raise PicoLost(
                f"{self._port}: the board has stopped answering; unplug it, plug it in and run this again, which goes "
                "on where it stopped."
            ) from None
        except OSError as error:
            if error.errno and error.strerror == path:  # as mpremote passes on what the board's file system says
                raise self._refused(name or path, error.errno) from None
            raise PicoLost(
                f"{self._port}: the cable was pulled or the board restarted; run this again, which goes on where it "
                "stopped."
            ) from None

    def _refused(self, name: str, number: int) -> PicoError:
        if number == errno.ENOSPC:
            return PicoError(
                f"{self._port}: the board's file system is full, {name} does not fit; remove files of your own "
                "(`mpremote ls` lists all) and run this again."
            )
        if number == errno.EROFS:
            return PicoError(
                f"{self._port}: the board's file system is read-only; let its boot.py mount it for writing and run "
                "this again."
            )
        return PicoError(
            f"{self._port}: the board's file system refused {name} ({errno.errorcode.get(number, number)}); if it "
            "stays so, put MicroPython on the board anew with --uf2."
        )


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
