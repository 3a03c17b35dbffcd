"""What pages see of a table that nobody looks after: nothing yet, a demo, or a game that people play."""

from __future__ import annotations

from collections.abc import Mapping

from underglow.table import Table


class NoTable:
    """What pages see before there is a table: nothing."""

    def view(self, seat: int | None) -> Mapping[str, object]:
        """Nobody sits there."""
        return {"seats": []}

    def choose(self, index: int, number: int) -> None:
        """Nothing is offered."""

    def undo(self, number: int, seat: int | None) -> None:
        """Nothing was played."""

    def agree(self, number: int, seat: int | None) -> None:
        """Nothing is asked."""

    def redo(self, number: int, seat: int | None) -> None:
        """Nothing was taken back."""


class Demo(NoTable):
    """A table that bots play at: everybody sees the public's view, and nobody else plays."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def view(self, seat: int | None) -> Mapping[str, object]:
        """The public's view, for every seat."""
        return self._table.view(None)


class Played:
    """A table that people play at. A page may still be open for a seat of an earlier game: it sees what all see."""

    def __init__(self, table: Table, seats: int) -> None:
        self._table = table
        self._seats = range(seats)
        self.choose, self.undo, self.agree, self.redo = table.choose, table.undo, table.agree, table.redo

    def view(self, seat: int | None) -> Mapping[str, object]:
        """That seat's view, if the game has it."""
        return self._table.view(seat if seat in self._seats else None)
