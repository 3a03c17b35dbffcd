"""A journal shown again, entry by entry: in words, and on a board's lamps."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping

from underglow import themes
from underglow.games.contract import Cue, Scenario
from underglow.history import Entry, History, Step
from underglow.link import Link
from underglow.overlay import on_board
from underglow.profile import Board
from underglow.themes import Theme


def moments(history: History, entries: Iterable[Entry]) -> Iterator[tuple[History, list[str]]]:
    """The history after each of some entries, and what is to be said of it."""
    for entry in entries:
        before, history = history, history.then(entry)
        yield history, _words(before, entry, history)


def _words(before: History, entry: Entry, now: History) -> list[str]:
    if not isinstance(entry, Step):
        return [now.news(entry)]
    game, step = now.game, now.played[-1]
    said = (game.narrate(now.state, event) for event in step.events)
    who = f"{now.name(entry.seat)}: " if now.seats > 1 else ""
    return [who + game.describe(before.state, step.action), *filter(None, said)]


class Lamps:
    """A board that shows moments of a game as its table did, whatever stands on it."""

    def __init__(self, link: Link, board: Board, scenario: Scenario, theme: Theme) -> None:
        self._link = link
        self._board = board
        self._overlay = scenario.overlay(board.name)
        self._theme = theme

    def show(self, history: History) -> None:
        """Light what the table would light now, and what the last step did."""
        game, state = history.game, history.state
        events = history.played[-1].events if history.played else ()
        flashes: Mapping[str, Cue] = game.flashes(state, events)
        cues = {**flashes, **game.cues(state, ()), **flashes}  # flashes first and over all: so a path keeps its order
        self._link.show(themes.picture(self._theme, on_board(cues, self._overlay), self._board))

    def wait(self, seconds: float) -> None:
        """Keep the link up for so long."""
        end_s = time.monotonic() + seconds
        while (left_s := end_s - time.monotonic()) > 0:
            self._link.wait(left_s)
