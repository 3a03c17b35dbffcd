"""Addresses as QR codes: a drawing for the page, and text for a terminal."""

from __future__ import annotations

import io
from itertools import groupby

import segno

QUIET = 4
"""Modules of plain ground that a camera wants around a code."""


def drawing(text: str) -> tuple[int, str]:
    """Return how many modules wide that code is with its margin, and its dark ones as an SVG path."""
    path: list[str] = []
    rows = _code(text).matrix
    for y, row in enumerate(rows, QUIET):
        x = QUIET
        for dark, run in groupby(row):
            width = len(list(run))
            if dark:
                path.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return len(rows) + 2 * QUIET, "".join(path)


def lines(text: str) -> str:
    """Return that code as lines of block characters, for light letters on a dark terminal."""
    drawn = io.StringIO()
    _code(text).terminal(drawn, border=QUIET, compact=True)
    return drawn.getvalue()


def _code(text: str) -> segno.QRCode:
    return segno.make_qr(text, error="m")
