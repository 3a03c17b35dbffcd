"""Word from the pages to the attendant, across threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from underglow.kiosk.attendant import Attendant, Order
from underglow.kiosk.counters import Counters


class Posts:
    """What pages ask of the attendant, until the keeper's thread hears it."""

    def __init__(self, counters: Counters, wake: Callable[[], None]) -> None:
        self._counters = counters
        self._wake = wake
        self._asked: deque[Callable[[Attendant, float], list[Order]]] = deque(maxlen=256)

    def touch(self) -> None:
        """Post a touch."""
        self._post(Attendant.touched)

    def begin(self, game: str, scenario: str, seats: int) -> None:
        """Post a choice."""
        self._post(lambda attendant, now_s: attendant.begin(game, scenario, seats, now_s))

    def go_on(self) -> None:
        """Post that the unfinished game is wanted."""
        self._post(Attendant.go_on)

    def leave(self) -> None:
        """Post that another game is wanted."""
        self._post(Attendant.leave)

    def metrics(self) -> str:
        """The counters as text."""
        return self._counters.text()

    def heard(self) -> list[Callable[[Attendant, float], list[Order]]]:
        """Take everything that was asked, oldest first."""
        return [self._asked.popleft() for _ in range(len(self._asked))]

    def _post(self, asked: Callable[[Attendant, float], list[Order]]) -> None:
        self._asked.append(asked)
        self._wake()
