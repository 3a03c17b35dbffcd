"""Why an action is not legal now, in one sentence for the people at the table."""

from __future__ import annotations

from underglow.games.contract import Action
from underglow.games.labyrinth.state import State


def refusal(state: State, action: Action) -> str:
    """Say what stands against an action that is not in `legal(state)`."""
    return "The game is over." if state.ended else "Something else is to be chosen first."
