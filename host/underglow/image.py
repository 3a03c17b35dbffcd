"""What lies on the Pico: the firmware, the wire protocol and the board's profile."""

from __future__ import annotations

import json
from pathlib import Path

from underglow.profile import Board

_HERE = Path(__file__).parent


def firmware_dir() -> Path:
    """The firmware's sources: in a checkout beside `host`, in an installed package inside it."""
    packaged = _HERE / "firmware"
    return packaged if packaged.is_dir() else _HERE.parents[1] / "firmware"


def board_files(board: Board) -> dict[str, bytes]:
    """Every file of the Pico's file system, by its path there."""
    sources = firmware_dir()
    files = {path.relative_to(sources).as_posix(): path.read_bytes() for path in sorted(sources.rglob("*.py"))}
    files["wire.py"] = (_HERE / "wire.py").read_bytes()
    files["profile.json"] = json.dumps(board.firmware()).encode()
    return files
