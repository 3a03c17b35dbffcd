"""What the processes of both tiers share: orders on a pipe, and a clean end. Only light imports."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any, cast


def obey(control: Connection, orders: Mapping[str, Callable[..., object]]) -> bool:
    """Carry out the order that has come in, and answer. False: nobody holds the other end any more."""
    try:
        name, arguments = cast("tuple[str, tuple[object, ...]]", control.recv())
    except (EOFError, OSError):
        return False
    try:
        answer = orders[name](*arguments)
    except ValueError as error:
        answer = error
    try:
        control.send(answer)
    except OSError:
        return False
    return True


def serve(control_fd: int, folder: Path, run: Callable[[Connection, Any], None]) -> None:
    """Call `run` with the control pipe of that file descriptor and the first thing said on it; then remove `folder`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    with Connection(control_fd) as control:
        try:
            run(control, control.recv())
        except (EOFError, BrokenPipeError):
            return  # the parent is gone already
        finally:
            _remove(folder)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    sys.exit()


def _remove(folder: Path) -> None:
    # Not shutil: importing it takes longer than all the rest of this.
    for path, folders, files in os.walk(folder, topdown=False):
        for name in files:
            (Path(path) / name).unlink(missing_ok=True)
        for name in folders:
            (Path(path) / name).rmdir()
    folder.rmdir()
