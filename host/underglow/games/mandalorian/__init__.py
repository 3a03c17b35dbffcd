"""The Mandalorian: Adventures. What is refereed, and which switches there are, says README.md."""

from underglow.games.mandalorian.compiling import load
from underglow.games.mandalorian.dealing import redeal, setup
from underglow.games.mandalorian.lamps import cues, flashes, shown
from underglow.games.mandalorian.refusal import refuse
from underglow.games.mandalorian.rules import legal, outcome, step
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.sight import layout, tokens
from underglow.games.mandalorian.state import State
from underglow.games.mandalorian.telling import narrate
from underglow.games.mandalorian.views import view
from underglow.games.mandalorian.words import describe, prompt
from underglow.games.mandalorian.worth import worth

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
