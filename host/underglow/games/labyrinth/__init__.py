"""Labyrinth: Paths of Destiny. What is refereed, and which switches there are, says README.md."""

from underglow.games.labyrinth.compiling import load
from underglow.games.labyrinth.dealing import redeal, setup
from underglow.games.labyrinth.rules import legal, outcome, step
from underglow.games.labyrinth.scenario import Scenario
from underglow.games.labyrinth.sight import layout, tokens
from underglow.games.labyrinth.state import State
from underglow.games.labyrinth.views import view

__all__ = [
    "Scenario",
    "State",
    "layout",
    "legal",
    "load",
    "outcome",
    "redeal",
    "setup",
    "step",
    "tokens",
    "view",
]
