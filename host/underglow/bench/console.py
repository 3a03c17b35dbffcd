"""The Pico's USB console on a PTY: what its USB stack does with bytes, cables and a host that comes and goes."""

from __future__ import annotations

import array
import fcntl
import os
import select
import socket
import struct
import termios
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

RING_BYTES = 512
"""The receive ring: what the program has not read yet; the host is held up when it is full."""

FIFO_BYTES = 256
"""The transmit FIFO: while no host listens it keeps the latest, and the next host gets them."""

_WRITE_TIMEOUT_MS = 500
_SETTLE_NS = 16_000_000
"""After a host has opened the port, what was left in the FIFO waits so long, unless the program says more."""


class Console:
    """One USB cable between `link` (a symlink where the host looks for the port) and the VM's stdio.

    The VM gets `vm_end` as its stdin and stdout; the sockets' buffers stand for the ring and the FIFO. `interrupt` is
    called for the interrupt character.
    """

    def __init__(self, link: Path, interrupt: Callable[[], None]) -> None:
        self._link = link
        self._interrupt = interrupt
        self._master = -1
        self._listening = False
        self._speak_at_ns = 0
        self._hangups = select.poll()
        self._in = bytearray()  # of the ring, what the socket did not take yet
        self._out = bytearray()
        self.received = 0
        self.sent = 0
        self.char: int | None = None
        self._open_sockets()

    # --- the VM's side ---

    def _open_sockets(self) -> None:
        self.end, self.vm_end = socket.socketpair()
        self.end.setblocking(False)
        # About four frames fit; then `poll` on the VM's stdout says no. A write that nobody takes is given up like
        # on the chip, after half a second.
        self.vm_end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        timeout = struct.pack("@ll", _WRITE_TIMEOUT_MS // 1000, _WRITE_TIMEOUT_MS % 1000 * 1000)
        self.vm_end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, timeout)

    def renew(self) -> None:
        """Empty ring and FIFO, as power and reset do. `end` and `vm_end` are new ones."""
        self.close_sockets()
        self._in.clear()
        self._out.clear()
        self._open_sockets()

    def close_sockets(self) -> None:
        """Let go of the VM."""
        self.end.close()
        self.vm_end.close()

    def room(self) -> int:
        """How many bytes the receive ring still takes."""
        unread = array.array("i", [0])
        fcntl.ioctl(self.vm_end, termios.FIONREAD, unread)
        return max(0, RING_BYTES - unread[0] - len(self._in))

    @property
    def wants_output(self) -> bool:
        """Whether what the program writes may be taken from `end`."""
        return not self._listening or len(self._out) < FIFO_BYTES

    def from_vm(self) -> None:
        """Take what the program has written."""
        try:
            data = self.end.recv(FIFO_BYTES)
        except (BlockingIOError, ConnectionResetError):
            return
        self.sent += len(data)
        self._speak_at_ns = 0
        self._out += data
        self.flush()

    # --- the host's side ---

    @property
    def master(self) -> int:
        """The PTY's file descriptor; -1 without a cable."""
        return self._master

    @property
    def listening(self) -> bool:
        """Whether a host had the port open when last looked."""
        return self._listening

    @property
    def blocked(self) -> bool:
        """Whether bytes wait for the host to take them."""
        return self._listening and bool(self._out) and not self._speak_at_ns

    def plug(self) -> None:
        """Connect the cable: the port appears, raw and without echo."""
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
        """Pull the cable: the port is gone, and whoever has it open gets an error."""
        if self._master < 0:
            return
        self._link.unlink(missing_ok=True)
        self._out.clear()
        self._hangups.unregister(self._master)
        os.close(self._master)
        self._master = -1
        self._listening = False

    def look(self, now_ns: int) -> None:
        """See whether a host has the port open."""
        if self._master < 0:
            return
        events = sum(event for _, event in self._hangups.poll(0))
        listening = not events & select.POLLHUP
        if listening and not self._listening:
            self._speak_at_ns = now_ns + _SETTLE_NS
        elif now_ns >= self._speak_at_ns:
            self._speak_at_ns = 0
        self._listening = listening
        if events & select.POLLIN:
            self.from_host()  # even from a host that has come and gone since the last look
        self._to_vm()
        self.flush()

    def from_host(self) -> None:
        """Take what the host has written, as much as the ring has room for."""
        room = self.room()
        if not room:
            return
        try:
            data = os.read(self._master, room)
        except BlockingIOError:
            return
        except OSError:  # EIO: the host has closed the port
            self._listening = False
            return
        self.received += len(data)
        while self.char is not None and (at := data.find(self.char)) >= 0:
            data = data[at + 1 :]
            self._empty_ring()
            self._interrupt()
        self._in += data
        self._to_vm()

    def flush(self) -> None:
        """Give the host what it will take."""
        if self.blocked:
            with suppress(OSError):  # it is full, or the host has just gone
                del self._out[: os.write(self._master, self._out)]
        elif not self._listening:
            del self._out[:-FIFO_BYTES]

    def _to_vm(self) -> None:
        if self._in:
            with suppress(BlockingIOError):
                del self._in[: self.end.send(self._in)]

    def _empty_ring(self) -> None:
        self._in.clear()
        with suppress(BlockingIOError):
            self.vm_end.recv(RING_BYTES, socket.MSG_DONTWAIT)
