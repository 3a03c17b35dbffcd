"""What a table leaves for whoever looks into a fault: its log, and a file with that and the last games' journals."""

from __future__ import annotations

import logging
import tempfile
import zipfile
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO

from underglow import journal as journals

LOG = "underglow.log"
LOG_BYTES, LOGS = 512 * 1024, 4
"""Of one file of the log, and how many there are."""

GAMES = 20
"""Journals that are packed: the last ones."""

PACK_BYTES = 64 << 20
"""Not more than so much is packed, the newest first."""

_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def keep(folder: Path) -> logging.Handler | None:
    """Write the program's log into that folder as well, within bounds; None, and a warning, if that can't be."""
    ours = logging.getLogger("underglow")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(folder / LOG, maxBytes=LOG_BYTES, backupCount=LOGS - 1, encoding="utf-8")
    except OSError as error:
        ours.warning("the log can't be written: %s", error)
        return None
    handler.setFormatter(logging.Formatter(_FORM))
    handler.handleError = lambda record: None  # a full disk must not fill the other log with complaints about this one
    ours.setLevel(logging.INFO)
    logging.getLogger().addHandler(handler)
    return handler


def pack(folder: Path) -> IO[bytes]:
    """Zip the log and the last games' journals into a file without a name, at its beginning. OSError: it can't be made.

    A journal that is being written to is packed as it lies there: with its WAL, it opens as after a power cut.
    """
    packed = tempfile.TemporaryFile()  # noqa: SIM115 - who reads it closes it
    left = PACK_BYTES
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _papers(folder):
            try:
                size = path.stat().st_size
                if size <= left:
                    left -= size
                    archive.write(path, path.name)
            except FileNotFoundError:
                continue  # it was pruned or turned over this moment
    packed.seek(0)
    return packed


def _papers(folder: Path) -> list[Path]:
    logs = sorted(folder.glob(LOG + "*"))
    games = [path for journal in journals.latest(folder)[:GAMES] for path in sorted(folder.glob(journal.name + "*"))]
    return [*logs, *games, folder / "counters.json", folder / "settings.json"]
