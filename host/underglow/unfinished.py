"""Games that were begun and not ended: the one that a table with the same game and seats would go on with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from underglow import journal as journals
from underglow.games.contract import Game, Scenario
from underglow.history import History
from underglow.journal import Header, InUse, Journal, JournalError, resume


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a table is to play: a game's scenario, by the header it would begin a new journal with.

    `seeded`: somebody gave the seed, so a game of another is not meant.
    """

    game: Game[Any, Any]
    scenario: Scenario
    header: Header
    seeded: bool

    def unlike(self, header: Header) -> str:
        """The options that would fit a journal's header where these do not; "" if it is what is wanted."""
        options = {
            "game": (header.game, self.header.game),
            "scenario": (header.scenario, self.header.scenario),
            "seats": (header.seats, self.header.seats),
            "profile": (header.board, self.header.board),
            "seed": (header.seed, self.header.seed if self.seeded else header.seed),
        }
        return " ".join(f"--{name} {its}" for name, (its, ours) in options.items() if its != ours)

    def resumed(self, journal: Journal) -> History:
        """Fold over a journal like it. JournalError: it can't be gone on with here."""
        header = journal.header
        if header.board_crc != self.header.board_crc:
            raise JournalError(
                f"{journal.path}: it was played on another version of board {header.board}; "
                "give that profile with --profile, or begin a new game with --new."
            )
        return resume(self.game, self.scenario, journal)


def at(path: Path, wanted: Wanted) -> tuple[Journal, History]:
    """The game of that journal. JournalError: it can't be gone on with, or is over."""
    journal = Journal.open(path)
    try:
        if options := wanted.unlike(journal.header):
            raise JournalError(f"{path}: this game goes on with {options}; or choose another name for a new one.")
        history = wanted.resumed(journal)
        if wanted.game.outcome(history.state):
            raise JournalError(f"{path}: this game is over; choose another name for a new one.")
    except JournalError:
        journal.close()
        raise
    return journal, history


def newest(wanted: Wanted, tell: Callable[[str], None]) -> tuple[Journal, History] | None:
    """The game like it that was begun last, where journals lie by themselves; None if there is none or it is over.

    `tell` hears the sentence of one that is like it and can't be gone on with, or of the newest if it can't be read.
    """
    paths = journals.latest(journals.folder())
    for path in paths:
        try:
            journal = Journal.open(path)
        except InUse:
            continue
        except JournalError as error:
            if path == paths[0]:
                tell(str(error))
            continue
        if journal.records and not wanted.unlike(journal.header):
            try:
                history = wanted.resumed(journal)
            except JournalError as error:
                tell(str(error))
            else:
                if not wanted.game.outcome(history.state):
                    return journal, history
            journal.close()
            return None
        journal.close()
    return None
