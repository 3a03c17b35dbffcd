"""A PTY that looks like the port of a board: there while a cable is in, always under the same name.

What goes through it goes through a `cable.Lane` each way, which spoils it when told to.
"""

from __future__ import annotations

import os
import select
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from underglow.bench.cable import Lane, Trouble

WAYS = ("to_board", "to_host")


class Port:
    """The master's end of it; `link` is the symlink that hosts open."""

    def __init__(self, link: Path, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._link = link
        self._now_ns = now_ns
        self._to_board = Lane()
        self._to_host = Lane()
        self._stalled = dict.fromkeys(WAYS, False)
        self._left: int | None = None  # bytes to the host until the cable breaks
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
        self._to_board.clear()
        self._to_host.clear()
        self._left = None
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
        self._out_of_lane()
        return bool(events & select.POLLIN) or self._to_board.waiting

    def read(self, room: int) -> bytes:
        """Take at most `room` bytes of what the host has written."""
        if self._master < 0 or room <= 0 or self._stalled["to_board"]:
            return b""
        now_ns = self._now_ns()
        try:
            self._to_board.put(os.read(self._master, room), now_ns)
        except BlockingIOError:
            pass
        except OSError:  # EIO: the host has closed it
            self._listening = False
        data = self._to_board.get(now_ns, room)
        self.received += len(data)
        return data

    def write(self, data: bytes) -> None:
        """Have that to give to the host."""
        self.sent += len(data)
        self._to_host.put(data, self._now_ns())
        self._out_of_lane()

    def flush(self) -> None:
        """Give the host what it will take."""
        if self.out and self._master >= 0 and self.flows:
            with suppress(OSError):  # it is full, or the host has just gone
                del self.out[: os.write(self._master, self.out)]

    # --- faults ---

    def disturb(self, trouble: Trouble | None) -> None:
        """Let that happen to all that passes, either way; None: nothing any more."""
        self._to_board.disturb(trouble)
        self._to_host.disturb(trouble and trouble._replace(seed=trouble.seed + 1))

    def stall(self, way: str, stalled: bool) -> None:
        """Let nothing pass that way, "to_board" or "to_host", or let it go on. ValueError: there is no such way."""
        if way not in WAYS:
            raise ValueError(f"there is no way {way!r}; there are: {', '.join(WAYS)}")
        self._stalled[way] = stalled

    def cut(self, after_bytes: int) -> None:
        """Break the cable once so many bytes more have gone to the host."""
        self._left = after_bytes

    @property
    def broken(self) -> bool:
        """Whether it is to be pulled now, after a `cut`."""
        return self._left == 0 and not self.out

    @property
    def flows(self) -> bool:
        """Whether anything passes to the host."""
        return not self._stalled["to_host"]

    @property
    def hears(self) -> bool:
        """Whether anything passes to the board, from a host that has it open."""
        return self._listening and not self._stalled["to_board"]

    def _out_of_lane(self) -> None:
        data = self._to_host.get(self._now_ns())
        if self._left is not None:
            data = data[: self._left]
            self._left -= len(data)
        self.out += data
