"""Themes: from what a space means to colour and movement of its light."""

from __future__ import annotations

from collections.abc import Mapping

from underglow.games.contract import Cue, Meaning
from underglow.languages import Text, say
from underglow.profile import Board
from underglow.session import Picture, Program
from underglow.wire import BLINK, BREATHE, CHASE, PULSE, SOLID

Theme = Mapping[Meaning, Program]
Colour = tuple[int, int, int]

#: Whose it is, by seat: as the page tints figures, and as the cabinet's lights name who is to move.
SEATS: tuple[Colour, ...] = (
    (88, 166, 255),
    (255, 171, 74),
    (99, 211, 155),
    (210, 155, 255),
    (255, 228, 92),
    (255, 134, 200),
)

#: What else the cabinet says: nobody plays; a game is over; somebody of the staff has to look.
GLOW: Colour = (150, 96, 40)
RESULT: Colour = (255, 255, 255)
STAFF: Colour = (255, 0, 0)

#: Calm: what waits is still or breathes, what wants something pulses, what is wrong blinks.
DEFAULT: Theme = {
    Meaning.READY: Program(BREATHE, 255, 190, 110, 2400),
    Meaning.REACHABLE: Program(SOLID, 40, 220, 190),
    Meaning.STOP: Program(PULSE, 255, 150, 20, 1200),
    Meaning.ORIGIN: Program(SOLID, 60, 110, 255),
    Meaning.TARGET: Program(PULSE, 255, 30, 20, 800),
    Meaning.THREAT: Program(BREATHE, 150, 60, 255, 5000),
    Meaning.ENEMY: Program(SOLID, 255, 50, 40),
    Meaning.REVEALED: Program(BLINK, 255, 255, 255, 240),
    Meaning.OBJECTIVE: Program(SOLID, 60, 255, 60),
    Meaning.GUARDED: Program(PULSE, 255, 90, 60, 1600),
    Meaning.PEEK: Program(BREATHE, 190, 90, 255, 1400),
    Meaning.HURT: Program(BLINK, 255, 30, 20, 340),
    Meaning.PATH: Program(CHASE, 255, 110, 30, 1400),
    Meaning.SPAWN: Program(PULSE, 255, 120, 0, 2000),
    Meaning.DISRUPTED: Program(BREATHE, 0, 230, 255, 1800),
    Meaning.CHILD: Program(BREATHE, 0, 200, 150, 3200),
    Meaning.PINNED: Program(SOLID, 70, 90, 255),
    Meaning.CALM: Program(SOLID, 30, 200, 70),
    Meaning.WARM: Program(SOLID, 255, 190, 0),
    Meaning.HOT: Program(PULSE, 255, 40, 0, 1000),
    Meaning.LIFE: Program(SOLID, 255, 130, 170),
    Meaning.CRYSTAL: Program(BREATHE, 255, 225, 235, 4200),
    Meaning.DAZED: Program(BLINK, 50, 80, 255, 2600),
    Meaning.SHIFTING: Program(PULSE, 220, 230, 255, 2800),
    Meaning.ABOVE: Program(BREATHE, 0, 240, 255, 2400),
    Meaning.BELOW: Program(BREATHE, 40, 70, 255, 2400),
    Meaning.CHOICE: Program(BREATHE, 0, 200, 255, 1000),
    Meaning.MISPLACED: Program(BLINK, 255, 20, 20, 500),
    Meaning.MISSING: Program(PULSE, 255, 255, 255, 900),
}

#: No two meanings move alike, and colours come from a palette that stays apart in all common kinds of colour blindness
#: (Okabe and Ito, 2008).
COLOUR_SAFE: Theme = {
    Meaning.READY: Program(BREATHE, 240, 228, 66, 2400),
    Meaning.REACHABLE: Program(SOLID, 86, 180, 233),
    Meaning.STOP: Program(PULSE, 230, 159, 0, 1200),
    Meaning.ORIGIN: Program(BREATHE, 0, 114, 178, 1800),
    Meaning.TARGET: Program(PULSE, 213, 94, 0, 800),
    Meaning.THREAT: Program(BREATHE, 204, 121, 167, 5000),
    Meaning.ENEMY: Program(PULSE, 213, 94, 0, 2800),
    Meaning.REVEALED: Program(BLINK, 255, 255, 255, 240),
    Meaning.OBJECTIVE: Program(BREATHE, 0, 158, 115, 3600),
    Meaning.GUARDED: Program(BLINK, 213, 94, 0, 1120),
    Meaning.PEEK: Program(BREATHE, 204, 121, 167, 740),
    Meaning.HURT: Program(BLINK, 240, 228, 66, 340),
    Meaning.PATH: Program(CHASE, 230, 159, 0, 1400),
    Meaning.SPAWN: Program(PULSE, 230, 159, 0, 1800),
    Meaning.DISRUPTED: Program(BLINK, 86, 180, 233, 2400),
    Meaning.CHILD: Program(BREATHE, 0, 158, 115, 1340),
    Meaning.PINNED: Program(PULSE, 0, 114, 178, 4000),
    Meaning.CALM: Program(BLINK, 0, 158, 115, 4000),
    Meaning.WARM: Program(BLINK, 240, 228, 66, 1600),
    Meaning.HOT: Program(BLINK, 213, 94, 0, 800),
    Meaning.LIFE: Program(BREATHE, 240, 228, 66, 6600),
    Meaning.CRYSTAL: Program(BREATHE, 255, 255, 255, 8800),
    Meaning.DAZED: Program(PULSE, 0, 114, 178, 5400),
    Meaning.SHIFTING: Program(PULSE, 255, 255, 255, 7200),
    Meaning.ABOVE: Program(BLINK, 86, 180, 233, 5400),
    Meaning.BELOW: Program(BLINK, 0, 114, 178, 7200),
    Meaning.CHOICE: Program(BREATHE, 86, 180, 233, 1000),
    Meaning.MISPLACED: Program(BLINK, 213, 94, 0, 480),
    Meaning.MISSING: Program(PULSE, 255, 255, 255, 540),
}

THEMES: Mapping[str, Theme] = {"default": DEFAULT, "colour-safe": COLOUR_SAFE}

CALLED: Mapping[str, Text] = {"default": say("default"), "colour-safe": say("colour safe")}
"""What people call each theme."""


def picture(theme: Theme, cues: Mapping[str, Cue], board: Board) -> Picture:
    """The lamp programs for cues on board spaces ("h01") and their parts ("h01.e0").

    A part that the board cannot light is left out; KeyError: there is no such space. Lamps alike come in the order of
    their cues, for what runs along them.
    """
    groups: dict[Program, list[int]] = {}
    for place, cue in cues.items():
        if not board.can_light(place):
            continue
        program = theme[cue.meaning]
        dimmed = program._replace(
            red=program.red * cue.level // 255,
            green=program.green * cue.level // 255,
            blue=program.blue * cue.level // 255,
        )
        groups.setdefault(dimmed, []).append(board.lamp_of(place))
    return tuple((program, tuple(lamps)) for program, lamps in groups.items())
