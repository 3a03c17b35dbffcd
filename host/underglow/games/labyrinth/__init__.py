"""Labyrinth: Paths of Destiny. What is refereed, and which switches there are, says README.md."""

from underglow.games.labyrinth.compiling import load
from underglow.games.labyrinth.dealing import redeal, setup
from underglow.games.labyrinth.lamps import cues, shown
from underglow.games.labyrinth.moments import flashes
from underglow.games.labyrinth.refusal import refuse
from underglow.games.labyrinth.rules import legal, outcome, step
from underglow.games.labyrinth.scenario import Scenario
from underglow.games.labyrinth.sight import layout, tokens
from underglow.games.labyrinth.state import State
from underglow.games.labyrinth.telling import narrate
from underglow.games.labyrinth.views import view
from underglow.games.labyrinth.words import describe, prompt
from underglow.games.labyrinth.worth import worth

__all__ = [
    "Scenario",
    "State",
    "cues",
    "describe",
    "flashes",
    "layout",
    "legal",
    "load",
    "narrate",
    "outcome",
    "prompt",
    "redeal",
    "refuse",
    "setup",
    "shown",
    "step",
    "tokens",
    "view",
    "worth",
]
