"""The hexes of a board: sockets row by row, and the neighbours of each."""

from __future__ import annotations

from string import ascii_lowercase

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Axial steps over edge 0 (east) to 5, clockwise: q along a row, r downwards."""


def sockets(radius: int) -> dict[tuple[int, int], str]:
    """Axial coordinates of each socket to its name: "a1" is the first of the top row."""
    named: dict[tuple[int, int], str] = {}
    for letter, r in zip(ascii_lowercase, range(-radius, radius + 1), strict=False):
        row = range(max(-radius, -radius - r), min(radius, radius - r) + 1)
        named |= {(q, r): f"{letter}{number}" for number, q in enumerate(row, start=1)}
    return named


def across(edge: int) -> int:
    """The same edge as the neighbour counts it."""
    return (edge + 3) % 6


def beyond(place: tuple[int, int], edge: int) -> tuple[int, int]:
    """The hex over that edge."""
    (q, r), (dq, dr) = place, DIRECTIONS[edge]
    return q + dq, r + dr
