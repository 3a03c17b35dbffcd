"""The USB console, read without waiting, a line in one call: its own reads wait for all they are asked for."""

import io
import os
import select
import sys

import micropython

_LINE = 512  # all that the console's ring can hold
_NEWLINE = 10


class _End(io.IOBase):
    """A second console, which MicroPython asks when the first has no more: it says newline, so a line ends there."""

    def __init__(self):
        self.asked = False

    def readinto(self, buffer):
        self.asked = True
        buffer[0] = _NEWLINE
        return 1

    def write(self, data):
        return len(data)

    def ioctl(self, request, argument):
        return 0


class Console:
    """Bytes in both directions; nothing here waits but `byte`, and that only as long as it is told."""

    def __init__(self):
        self._end = _End()
        self._one = bytearray(1)
        self._read = sys.stdin.buffer.readinto
        self._readline = sys.stdin.buffer.readline
        self._write = sys.stdout.buffer.write
        readable = select.poll()
        readable.register(sys.stdin, select.POLLIN)
        self._readable = readable.ipoll
        writable = select.poll()
        writable.register(sys.stdout, select.POLLOUT)
        self._writable = writable.ipoll

    @micropython.native
    def byte(self, wait_ms):
        """The next byte that has come, -1 if none comes within `wait_ms`."""
        for _ in self._readable(wait_ms):
            if self._read(self._one):
                return self._one[0]
        return -1

    @micropython.native
    def rest(self):
        """What else has come, up to a newline and with it."""
        end = self._end
        end.asked = False
        os.dupterm(end)
        line = self._readline(_LINE) or b""
        os.dupterm(None)
        return line[:-1] if end.asked else line

    def writable(self):
        """Whether there is room for something."""
        for _ in self._writable(0):
            return True
        return False

    def write(self, data):
        """Give the console what it takes at once; how many bytes that was. Only when `writable`."""
        return self._write(data) or 0
