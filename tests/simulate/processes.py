"""A process and those it has started, seen from outside."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's /proc")


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def until(done: Callable[[], bool]) -> None:
    end_s = time.monotonic() + 10
    while not done():
        assert time.monotonic() < end_s
        time.sleep(0.02)
