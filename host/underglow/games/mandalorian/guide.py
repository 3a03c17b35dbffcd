"""The guide deck: which of its cards are resolved by now, and what they have brought (M-GUIDE)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar


class Numbered(Protocol):
    """A guide card: its place in the deck, and for a STOP card the game that must have ended."""

    @property
    def number(self) -> int:
        """Its place."""
        ...

    @property
    def stop(self) -> int | None:
        """The game, or None (or 0) for a card that is no STOP card."""
        ...

    @property
    def missions(self) -> tuple[str, ...]:
        """What the next game may play; empty: it does not say."""
        ...


CardT = TypeVar("CardT", bound=Numbered)


def resolved(deck: Sequence[CardT], games_played: int) -> tuple[CardT, ...]:
    """The cards that have left the deck when so many games have ended.

    They are taken in the order of their numbers (M-GUIDE-1, 2), up to a STOP card whose game is still to be played
    (M-GUIDE-3, 4).
    """
    done: list[CardT] = []
    for card in sorted(deck, key=lambda card: card.number):
        if card.stop and card.stop > games_played:
            break
        done.append(card)
    return tuple(done)


def missions(deck: Sequence[CardT], games_played: int) -> tuple[str, ...]:
    """The missions the next game may play, as the last card that names any says (M-GUIDE-5)."""
    return next((card.missions for card in reversed(resolved(deck, games_played)) if card.missions), ())
