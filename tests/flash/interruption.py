"""Something happens to a flash after so many bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import cast
from unittest.mock import patch

import serial
from boards import BOARD, Said

from underglow import flash


@contextmanager
def after(count: int, happens: Callable[[], object]) -> Generator[Callable[[], int]]:
    """Let it happen once that many bytes have been written to any serial port; yields how many have been."""
    written = 0
    write = cast("Callable[[serial.Serial, bytes], int]", serial.Serial.write)

    def trip(port: serial.Serial, data: bytes) -> int:
        nonlocal written
        before, written = written, written + len(data)
        if before < count <= written:
            write(port, data[: count - before])
            happens()
            data = data[count - before :]
        return write(port, data)

    with patch.object(serial.Serial, "write", trip):
        yield lambda: written


def killed(port: str, count: int) -> bool:
    """Flash in a process of its own that is killed after `count` bytes; False if it had come to its end before."""
    done = subprocess.run(
        [sys.executable, __file__, port, str(count)],
        stdout=subprocess.DEVNULL,
        check=False,
        timeout=30,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.returncode in (0, -signal.SIGKILL), done
    return done.returncode != 0


if __name__ == "__main__":
    with after(int(sys.argv[2]), lambda: os.kill(os.getpid(), signal.SIGKILL)):
        flash.flash(sys.argv[1], BOARD, Said())
