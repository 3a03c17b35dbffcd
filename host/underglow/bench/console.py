"""The Pico's USB console behind a port: what its USB stack does with bytes, and with a host that comes and goes."""

from __future__ import annotations

import array
import fcntl
import socket
import struct
import termios
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from underglow.bench.port import Port

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
        #: Where the cable is; what its host has not taken is the FIFO.
        self.port = Port(link)
        self._interrupt = interrupt
        self._speak_at_ns = 0
        self._in = bytearray()  # of the ring, what the socket did not take yet
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
        self.port.out.clear()
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
        return not self.port.listening or len(self.port.out) < FIFO_BYTES

    def from_vm(self) -> None:
        """Take what the program has written."""
        try:
            data = self.end.recv(FIFO_BYTES)
        except (BlockingIOError, ConnectionResetError):
            return
        self._speak_at_ns = 0
        self.port.write(data)
        self.flush()

    # --- the host's side ---

    @property
    def blocked(self) -> bool:
        """Whether bytes wait for the host to take them."""
        return self.port.listening and self.port.flows and bool(self.port.out) and not self._speak_at_ns

    def look(self, now_ns: int) -> None:
        """See whether a host has the port open."""
        if self.port.fd < 0:
            return
        listened = self.port.listening
        readable = self.port.look()
        if self.port.listening and not listened:
            self._speak_at_ns = now_ns + _SETTLE_NS
        elif now_ns >= self._speak_at_ns:
            self._speak_at_ns = 0
        if readable:
            self.from_host()
        self._to_vm()
        self.flush()

    def from_host(self) -> None:
        """Take what the host has written, as much as the ring has room for."""
        data = self.port.read(self.room())
        while self.char is not None and (at := data.find(self.char)) >= 0:
            data = data[at + 1 :]
            self._empty_ring()
            self._interrupt()
        self._in += data
        self._to_vm()

    def flush(self) -> None:
        """Give the host what it will take."""
        if self.blocked:
            self.port.flush()
        elif not self.port.listening:
            del self.port.out[:-FIFO_BYTES]

    def _to_vm(self) -> None:
        if self._in:
            with suppress(BlockingIOError):
                del self._in[: self.end.send(self._in)]

    def _empty_ring(self) -> None:
        self._in.clear()
        with suppress(BlockingIOError):
            self.vm_end.recv(RING_BYTES, socket.MSG_DONTWAIT)
