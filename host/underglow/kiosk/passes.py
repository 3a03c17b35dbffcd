"""Passes on disk: a phone is in its seat again after its table was started again. Nobody can sit down with the file."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from underglow.kiosk import whole_file
from underglow.kiosk.invitations import PASS_S, Pass

log = logging.getLogger(__name__)

PASSES = 64
"""More than a table has; a file that is larger is none of ours."""

_ROW_BYTES = 200


class _Row(BaseModel):
    """A pass by its key, and when it ends by the clock on the wall, which goes on while the table is off."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    key: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    seat: Annotated[int, Field(ge=0, lt=PASSES)]
    until: Annotated[float, Field(allow_inf_nan=False)]


_FILE = TypeAdapter(Annotated[list[_Row], Field(max_length=PASSES)])


class Passes:
    """The passes of one game, in a file beside its journal that only its owner may read."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of(cls, journal: Path) -> Passes:
        """Those of the game in that journal."""
        return cls(journal.with_name(f"{journal.name}.passes"))

    def forget(self) -> None:
        """Begin with none: it is another game."""
        self._path.unlink(missing_ok=True)

    def read(self, now_s: float) -> list[Pass]:
        """What is still good, ending as of a clock that says `now_s`; of a damaged file, nothing."""
        try:
            with self._path.open("rb") as file:
                rows = _FILE.validate_json(file.read(PASSES * _ROW_BYTES))
        except FileNotFoundError:
            return []
        except (OSError, ValueError):
            log.warning("%s: this can't be read, so phones scan a new code.", self._path)
            return []
        left_s = [min(PASS_S, row.until - time.time()) for row in rows]  # whoever set the clock back gains nothing
        return [Pass(row.key, row.seat, now_s + left) for row, left in zip(rows, left_s, strict=True) if left > 0]

    def write(self, passes: Collection[Pass], now_s: float) -> None:
        """Keep these, whole or not at all; what a disk does not take is lost with the program."""
        rows = [_Row(key=held.key, seat=held.seat, until=time.time() + held.until_s - now_s) for held in passes]
        try:
            whole_file.write(self._path, _FILE.dump_json(rows).decode(), 0o600)
        except OSError as error:
            log.warning("%s: this can't be written, so phones scan a new code after a restart: %s", self._path, error)
