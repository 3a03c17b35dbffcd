"""What staff have settled for a table, for this evening and after every restart."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from underglow.kiosk import whole_file
from underglow.kiosk.instructions import Percent
from underglow.kiosk.messages import Name
from underglow.profile import Board
from underglow.themes import THEMES

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Settings:
    """`brightness` is in percent of what the board's profile says, `theme` a name; `withheld` are scenarios by game.

    `deaf` are the places whose sensors are out of service.
    """

    theme: str
    brightness: int = 100
    withheld: frozenset[tuple[str, str]] = frozenset()
    deaf: frozenset[str] = frozenset()

    def level(self, board: Board) -> int:
        """The brightness for a board, 1 to 255."""
        return max(1, round(board.strip.brightness * self.brightness / 100))


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = 1
    theme: Name
    brightness: Percent
    withheld: Annotated[tuple[tuple[Name, Name], ...], Field(max_length=256)]
    deaf: Annotated[tuple[Name, ...], Field(max_length=1024)]


def load(path: Path, default: Settings, board: Board) -> Settings:
    """Read them; a file that can't be read gives the default and a sentence in the log, one that is not there none."""
    try:
        file = _File.model_validate_json(path.read_bytes())
        if file.theme not in THEMES:
            raise ValueError(f"there is no theme {file.theme!r}")
    except FileNotFoundError:
        return default
    except (OSError, ValidationError, ValueError) as error:
        log.warning("%s is damaged, so the table starts with its defaults: %s", path, str(error).partition("\n")[0])
        return default
    places = frozenset([*board.space_of_sensor.values(), *board.readers])
    return Settings(file.theme, file.brightness, frozenset(file.withheld), places.intersection(file.deaf))


def save(path: Path, settings: Settings) -> None:
    """Write them. OSError: the disk does not take it, and what was there before stays."""
    file = _File(
        theme=settings.theme,
        brightness=settings.brightness,
        withheld=tuple(sorted(settings.withheld)),
        deaf=tuple(sorted(settings.deaf)),
    )
    whole_file.write(path, file.model_dump_json(indent=1) + "\n")
