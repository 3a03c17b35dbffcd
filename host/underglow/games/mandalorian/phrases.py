"""What many sentences have in them: numbers of things."""

from __future__ import annotations

from underglow.languages import Text, counted


def damage(n: int) -> Text:
    """So much damage."""
    return counted("{n} damage", "{n} damage", n)


def cards(n: int) -> Text:
    """So many cards."""
    return counted("{n} card", "{n} cards", n)


def planning_cards(n: int) -> Text:
    """So many planning cards."""
    return counted("{n} planning card", "{n} planning cards", n)


def steps(n: int) -> Text:
    """So many steps."""
    return counted("{n} step", "{n} steps", n)
