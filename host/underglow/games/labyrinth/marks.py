"""What the board says all the time: of each seat at its start space, and of what lies and stands in the maze.

The middle of a space says what matters most there, its edges which corridor that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from underglow.games.contract import Cue, Meaning
from underglow.games.labyrinth.dealing import First, Pick
from underglow.games.labyrinth.document import Rule
from underglow.games.labyrinth.draft import held, rule, start
from underglow.games.labyrinth.scenario import LANES, NONE
from underglow.games.labyrinth.scenario import Trap as TrapKind
from underglow.games.labyrinth.state import State, Trap

FULL = 255
CLEAR = 96  # still easy to see
DIM = 40  # there, but not asking for anything

EDGES = 6

_SUMS = tuple(one + other for one in range(1, 7) for other in range(1, 7))
_FAILING = tuple(sum(roll < need for roll in _SUMS) for need in range(13))
"""How many of the 36 rolls of two dice come to less, for each number."""

_FRAME: dict[Rule | None, Meaning] = {
    None: Meaning.WARM,
    "tested_traps_go": Meaning.DISRUPTED,
    "no_free_fights": Meaning.CALM,
    "second_step_free": Meaning.PATH,
    "shaking_bridges": Meaning.ABOVE,
}

Said = dict[str, Cue]


def corridor(state: State, place: int, cue: Cue) -> Said:
    """A cue at the middle of a corridor's space and at the edges the corridor leads over."""
    return dict.fromkeys(_lamps(state.scenario.spaces[place // LANES], state.maze.edges(place)), cue)


def edges(state: State, place: int, cue: Cue) -> Said:
    """A cue at the edges a corridor leads over."""
    return dict.fromkeys(_lamps(state.scenario.spaces[place // LANES], state.maze.edges(place))[1:], cue)


@lru_cache(maxsize=1 << 12)
def _lamps(space: str, edges: tuple[int, ...]) -> tuple[str, ...]:
    return (space, *(f"{space}.e{edge}" for edge in edges))


def resting(state: State) -> Said:
    """All of it, without anything asked."""
    said = starts(state)
    for place, cue in _marks(state):
        said |= corridor(state, place, cue)
    centre = state.scenario.spaces[state.scenario.centre]
    if wins(state):
        said[centre] = Cue(Meaning.OBJECTIVE)
    elif _beginning(state):
        said[centre] = Cue(Meaning.OBJECTIVE, DIM)  # L-SETUP-1: the Golem on it is seen at its edges
    return said


def wins(state: State) -> bool:
    """Whether the active character would win if it were on the centre now (L-GOAL-1)."""
    centre, scenario = state.scenario.centre_place, state.scenario
    if not held(state, state.seat) or (scenario.switches.golem_spoils_centre and state.golem == centre):
        return False
    return all(player.place != centre for seat, player in enumerate(state.players) if seat != state.seat)


def level(state: State, place: int) -> Meaning | None:
    """Whether a place is on a bridge or under one; None: its tile has no bridge."""
    if not state.maze.jumps(place):
        return None
    return Meaning.ABOVE if state.maze.is_bridge(place) else Meaning.BELOW


# ── start spaces ──


def starts(state: State) -> Said:
    """Lives, daze and crystal of each seat at its start space, and the event in force all around the frame."""
    scenario, said = state.scenario, Said()
    event = frame(state)
    seats = {start(state, seat) // LANES: seat for seat in range(state.seats)}
    for hex_ in range(scenario.sockets, len(scenario.spaces)):
        space = scenario.spaces[hex_]
        (way,) = state.maze.edges(hex_ * LANES)
        if hex_ in seats:
            said |= _seat(state, seats[hex_], space, way)
            if event:
                said[f"{space}.e{way}"] = Cue(event, DIM)
        elif event:
            said |= dict.fromkeys((space, *(f"{space}.e{edge}" for edge in range(EDGES))), Cue(event, DIM))
    return said


def frame(state: State) -> Meaning | None:
    """What the frame says of the event in force (L-EVENT-1); None: there is none."""
    return _FRAME[rule(state)] if state.event != NONE else None


def _seat(state: State, seat: int, space: str, way: int) -> Said:
    """A seat's own space: by its middle all at once, by its edges one by one.

    Four edges are steps of lives, the one farthest from the map is the crystal, and the one to the map stays free.
    """
    player, whole = state.players[seat], state.scenario.lives
    full = FULL if seat == state.seat else CLEAR
    meaning = Meaning.DAZED if player.daze else Meaning.CRYSTAL if player.crystal else Meaning.LIFE
    said = {space: Cue(meaning, max(full * player.lives // whole, 1))}
    steps = [(way + turn) % EDGES for turn in (1, 2, 4, 5)]
    said |= {
        f"{space}.e{edge}": Cue(Meaning.LIFE, full)
        for step, edge in enumerate(steps)
        if player.lives * len(steps) > step * whole
    }
    if player.crystal:
        said[f"{space}.e{(way + 3) % EDGES}"] = Cue(Meaning.CRYSTAL, full)
    return said


# ── the maze ──


def _marks(state: State) -> Iterator[tuple[int, Cue]]:
    """Each corridor where something is, and what that says; of several on a space the last one counts."""
    for seat, player in enumerate(state.players):
        if player.character != NONE and (meaning := level(state, player.place)):
            yield player.place, Cue(meaning, CLEAR if seat == state.seat else DIM)
    for lying in state.lying:
        yield lying.place, Cue(Meaning.OBJECTIVE, DIM)
    for place in glyphs(state):
        yield place, Cue(Meaning.GUARDED, DIM)
    for trap in sorted(state.traps, key=lambda trap: (trap.up, trap.place)):
        yield trap.place, _trap(state, trap)
    own = NONE if _beginning(state) else state.scenario.start_use[state.seats][state.seat]
    for key, place in enumerate(state.keys):
        if place >= 0 and key != own:  # L-GOAL-2
            yield place, Cue(Meaning.OBJECTIVE, CLEAR)
    yield state.golem, Cue(Meaning.ENEMY, CLEAR)


def glyphs(state: State) -> list[int]:
    """Where an ability token lies that works on the active character (L-CHAR-3)."""
    playing = {player.character for player in state.players} - {state.player.character}
    return [glyph.place for glyph in state.glyphs if glyph.character in playing]


def _trap(state: State, trap: Trap) -> Cue:
    """A trap: face down the same whatever it hides (L-TRAP-G5), face up by its kind and the brighter the worse."""
    if not trap.up:
        return Cue(Meaning.THREAT, DIM)
    kind = state.scenario.traps[trap.kind]
    return Cue(_kind(kind), max(FULL * _FAILING[kind.need] // len(_SUMS), DIM))


def _kind(trap: TrapKind) -> Meaning:
    if trap.shifts and not trap.hurts:
        return Meaning.SHIFTING
    return Meaning.DAZED if trap.dazes and not trap.hurts else Meaning.GUARDED


def dangers(state: State) -> set[int]:
    """Where something waits for who enters: a trap, the Golem, an ability token."""
    return {state.golem, *(trap.place for trap in state.traps), *glyphs(state)}


def _beginning(state: State) -> bool:
    """Whether the game has yet to begin, and it is nobody's turn."""
    return bool(state.agenda) and isinstance(state.agenda[-1], Pick | First)
