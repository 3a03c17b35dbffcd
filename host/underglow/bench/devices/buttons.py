"""Push buttons: contacts to ground that chatter before they stay."""

from __future__ import annotations

import random

_CHATTER_NS = (30_000, 900_000)
"""How long a contact stays between two edges of its bounce, at least and at most."""


class Button:
    """One button. Time comes with every event and must not run backwards."""

    def __init__(self, seed: int) -> None:
        """`seed` is for how it bounces."""
        self._chance = random.Random(seed)  # noqa: S311 - bounce, not a secret
        self._closed = False
        self._edges_ns: list[int] = []  # still to come

    @property
    def closed(self) -> bool:
        """Whether the contact holds the line to ground."""
        return self._closed

    @property
    def next_ns(self) -> int | None:
        """When it moves by itself; None: it rests."""
        return self._edges_ns[0] if self._edges_ns else None

    def move(self, down: bool, at_ns: int, bounce_ns: int = 0) -> None:
        """Push it down or let it go: the contact changes at once, and changes again and again for that long."""
        self._closed = down
        self._edges_ns.clear()
        edge_ns = at_ns
        while (edge_ns := edge_ns + self._chance.randint(*_CHATTER_NS)) < at_ns + bounce_ns:
            self._edges_ns.append(edge_ns)
        if len(self._edges_ns) & 1:
            self._edges_ns.pop()

    def settle(self, now_ns: int) -> None:
        """Let the time pass until now."""
        while self._edges_ns and self._edges_ns[0] <= now_ns:
            self._closed = not self._closed
            del self._edges_ns[0]
