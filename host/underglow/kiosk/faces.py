"""What the kiosk asks of the table and of the bench: no more than this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from underglow.kiosk.instructions import Instruction


class TableFace(Protocol):
    """One running game. The kiosk calls it from its own thread."""

    def view(self, seat: int | None) -> Mapping[str, object]:
        """Return what that seat may know (None: the public), as JSON values."""
        ...

    def choose(self, index: int, number: int) -> None:
        """Post the choice with that index in the snapshot of that number. Never waits."""
        ...

    def undo(self, number: int, seat: int | None) -> None:
        """Post that a seat takes back the last step of that snapshot, or asks whether all agree to it. Never waits.

        None: it is said at the table, by the seat whose step it was; so it is with `redo`, and `agree` is said by all.
        """
        ...

    def agree(self, number: int, seat: int | None) -> None:
        """Post that a seat agrees to the undo that snapshot asks for. Never waits."""
        ...

    def redo(self, number: int, seat: int | None) -> None:
        """Post that a seat plays again its step that was taken back last. Never waits."""
        ...


class AttendantFace(Protocol):
    """Who looks after the table when nobody does. The kiosk calls it from its own thread; no call ever waits."""

    def touch(self) -> None:
        """Post that somebody touched the page."""
        ...

    def begin(self, game: str, scenario: str, seats: int) -> None:
        """Post what somebody chose on the idle screen."""
        ...

    def go_on(self) -> None:
        """Post that somebody wants the unfinished game back."""
        ...

    def leave(self) -> None:
        """Post that somebody wants another game."""
        ...

    def metrics(self) -> str:
        """Return the counters in Prometheus's text format."""
        ...


class StaffFace(Protocol):
    """Who does what staff want. The kiosk calls it from its own thread; no call ever waits."""

    def ask(self, instruction: Instruction) -> None:
        """Post what somebody of the staff asks for."""
        ...

    def came_in(self) -> None:
        """Say that the PIN was right: nobody waits at the door any more."""
        ...

    def watch(self, watched: bool) -> None:
        """Say whether a page of the staff is open, and wants figures."""
        ...


class FrameFace(Protocol):
    """What the strip latched."""

    @property
    def number(self) -> int:
        """Which frame it is, counted since the bench started."""
        ...

    @property
    def pixels(self) -> Sequence[tuple[int, int, int]]:
        """Red, green, blue of every pixel, 0 to 255."""
        ...


class BenchFace(Protocol):
    """The simulated board: magnets in hand, pixels in sight. OSError: it has ended."""

    def place(self, space: str, token: str) -> int:
        """Set that magnet down on a space, wherever it was; return when, in monotonic ns."""
        ...

    def lift(self, token: str) -> int:
        """Take that magnet off the board; return when, in monotonic ns. ValueError: it is not on it."""
        ...

    def magnets(self) -> Mapping[str, str]:
        """Return the space of every magnet that is on the board."""
        ...

    def pixels(self) -> FrameFace:
        """Return the frame the strip latched last."""
        ...
