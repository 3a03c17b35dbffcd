"""A PTY that looks like the port of a board: there while a cable is in, always under the same name."""

from __future__ import annotations

import os
import select
import tty
from contextlib import suppress
from pathlib import Path


class Port:
    """The master's end of it; `link` is the symlink that hosts open."""

    def __init__(self, link: Path) -> None:
        self._link = link
        self._master = -1
        self._listening = False
        self._hangups = select.poll()
        #: What the host has not taken yet.
        self.out = bytearray()
        self.received = 0
        self.sent = 0

    @property
    def fd(self) -> int:
        """The PTY's file descriptor; -1 without a cable."""
        return self._master

    @property
    def listening(self) -> bool:
        """Whether a host had it open when last looked."""
        return self._listening

    def plug(self) -> None:
        """Make it appear, raw and without echo."""
        self.unplug()
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        name = os.ttyname(slave)
        os.close(slave)  # so that a hang-up on the master means: no host has it open
        self._hangups.register(self._master, select.POLLIN)
        link = self._link.with_suffix(".new")
        link.symlink_to(name)
        link.replace(self._link)

    def unplug(self) -> None:
        """Make it vanish; whoever has it open gets an error."""
        if self._master < 0:
            return
        self._link.unlink(missing_ok=True)
        self.out.clear()
        self._hangups.unregister(self._master)
        os.close(self._master)
        self._master = -1
        self._listening = False

    def look(self) -> bool:
        """See whether a host has it open; True: there is something to read, even from one that has gone since."""
        if self._master < 0:
            return False
        events = sum(event for _, event in self._hangups.poll(0))
        self._listening = not events & select.POLLHUP
        return bool(events & select.POLLIN)

    def read(self, room: int) -> bytes:
        """Take at most `room` bytes of what the host has written."""
        if self._master < 0 or room <= 0:
            return b""
        try:
            data = os.read(self._master, room)
        except BlockingIOError:
            return b""
        except OSError:  # EIO: the host has closed it
            self._listening = False
            return b""
        self.received += len(data)
        return data

    def write(self, data: bytes) -> None:
        """Have that to give to the host."""
        self.sent += len(data)
        self.out += data

    def flush(self) -> None:
        """Give the host what it will take."""
        if self.out and self._master >= 0:
            with suppress(OSError):  # it is full, or the host has just gone
                del self.out[: os.write(self._master, self.out)]
