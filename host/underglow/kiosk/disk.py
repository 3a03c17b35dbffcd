"""Whether a folder takes what a game will write."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

PROBE_BYTES = 256 * 1024
"""What it must take before games are played again."""


def refuses(folder: Path) -> str:
    """Why that folder takes no journal; "" if it does."""
    probe = folder / "probe"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(bytes(PROBE_BYTES))
    except OSError as error:
        return error.strerror or type(error).__name__
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    return ""
