"""Who of the staff is in: a badge for each right PIN, good until nobody has used it for a while or it is given back."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from underglow.kiosk.invitations import key_of

IDLE_S = 600.0

BADGES = 4
"""So many are good at once; for a fifth, the one that was given first is not any more."""


class Badges:
    """All badges of a table: each is told once, to its browser, and known here by its key only."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._until_s: dict[str, float] = {}

    def give(self) -> str:
        """Make another one."""
        told = secrets.token_urlsafe(32)
        for key in list(self._until_s)[: 1 - BADGES]:
            self.end(key)
        self._until_s[key_of(told)] = self._now_s() + IDLE_S
        return told

    def good(self, key: str) -> bool:
        """Whether that is the key of one that is good still."""
        return self._now_s() < self._until_s.get(key, 0.0)

    def use(self, key: str) -> None:
        """Somebody is there: it is good for as long again, if it is."""
        if self.good(key):
            self._until_s[key] = self._now_s() + IDLE_S

    def end(self, key: str) -> None:
        """It is good no more."""
        self._until_s.pop(key, None)
