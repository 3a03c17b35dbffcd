"""A scenario laid over a board: its layout, hands and cues by the board's names of their places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from underglow.games.contract import Action, Cue, Game, Token, Transfer
from underglow.set_up import SetUp


def place_on(overlay: Mapping[str, str], place: str) -> str:
    """The other name of a place, be it a space ("c4") or a part of one ("c4.e2"), by that of its space in `overlay`.

    KeyError: it has none.
    """
    space, dot, part = place.partition(".")
    return overlay[space] + dot + part


def standing(game: Game[Any, Any], state: Any, overlay: Mapping[str, str], set_up: SetUp) -> dict[str, tuple[str, ...]]:
    """Where physical tokens should stand, by the board's name of the place."""
    tokens = game.tokens(state)
    layout: dict[str, tuple[str, ...]] = {}
    for space, here in game.layout(state).items():
        if there := tuple(token for token in here if tokens[token].kind in set_up.physical):
            layout[place_on(overlay, space)] = there
    return layout


def by_hand(
    action: Action, tokens: Mapping[str, Token], overlay: Mapping[str, str], set_up: SetUp
) -> tuple[Transfer, ...]:
    """What hands carry to mean an action, by the board's names of the places: of what is virtual, nothing."""
    return tuple(
        Transfer(
            t.token,
            t.source and place_on(overlay, t.source),
            t.target and place_on(overlay, t.target),
            tuple(place_on(overlay, place) for place in t.via),
            t.onward,
        )
        for t in action.hands
        if tokens[t.token].kind in set_up.physical
    )


def on_board(cues: Mapping[str, Cue], overlay: Mapping[str, str]) -> dict[str, Cue]:
    """Cues by the board's names of their lamps, in the same order."""
    return {place_on(overlay, place): cue for place, cue in cues.items()}
