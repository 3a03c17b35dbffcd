"""What the board says: a meaning and a level for each space and zone, from public knowledge only."""

from __future__ import annotations

from collections.abc import Mapping

from underglow.games.contract import Cue, Event, Meaning
from underglow.games.mandalorian import movement, turn
from underglow.games.mandalorian.sight import space_of
from underglow.games.mandalorian.state import OFF, State
from underglow.games.mandalorian.threats import stops

FULL = 255
CLEAR = 96  # still easy to see
DIM = 40  # there, but not asking for anything

_FACE_UP = {
    "enemy": Cue(Meaning.ENEMY, DIM),
    "asset": Cue(Meaning.OBJECTIVE, CLEAR),
    "item": Cue(Meaning.OBJECTIVE, DIM),
}
_RANK = (Meaning.OBJECTIVE, Meaning.THREAT, Meaning.ENEMY)  # of several on a space the last is shown


def cues(state: State, lifted: tuple[str, ...]) -> Mapping[str, Cue]:
    """What the board should say now, given the tokens in hand."""
    said = _zones(state)
    if state.ended:
        return said | _ending(state)
    scenario = state.scenario
    mover = scenario.characters[state.acting].id
    here = scenario.spaces[state.figure.space]
    routes = movement.routes(state)
    stray = [space for token in lifted if (space := space_of(state, token)) and not (routes and token == mover)]
    if stray:
        return said | _tokens(state) | {space: Cue(Meaning.MISSING, FULL) for space in stray}
    if mover in lifted and routes:
        return said | _reach(state, routes, bright=True) | {here: Cue(Meaning.ORIGIN, CLEAR)}
    if routes:
        return said | _tokens(state) | _reach(state, routes, bright=False) | {here: Cue(Meaning.READY, FULL)}
    return said | _tokens(state) | {here: Cue(Meaning.READY, CLEAR)}


def flashes(state: State, events: tuple[Event, ...]) -> Mapping[str, Cue]:
    """What the board should say for a moment because of these events."""
    said: dict[str, Cue] = {}
    edges = {door.id: door.edge for door in state.scenario.doors}
    for event in events:
        match event.kind, event.args:
            case "revealed", (_, space, *_):
                said[str(space)] = Cue(Meaning.REVEALED, FULL)
            case "damaged", (character, *_) if space := space_of(state, str(character)):
                said.setdefault(space, Cue(Meaning.TARGET, FULL))  # a token just revealed matters more
            case "opened", (door, *_):
                said |= {state.scenario.spaces[space]: Cue(Meaning.OBJECTIVE, FULL) for space in edges[str(door)]}
            case _:
                pass
    return said


def _zones(state: State) -> dict[str, Cue]:
    said: dict[str, Cue] = {}
    for zone, pile in zip(state.scenario.zones, state.piles, strict=True):
        strength = turn.total(state.scenario, pile)
        if strength < turn.LIMIT:
            said[zone.id] = Cue(Meaning.CALM, DIM * max(strength, 1))
        else:
            said[zone.id] = Cue(Meaning.WARM if strength == turn.LIMIT else Meaning.HOT, FULL)
    return said


def _tokens(state: State) -> dict[str, Cue]:
    """Each threat token known to matter, and each face-down one, by its space."""
    said: dict[str, Cue] = {}
    for threat in state.threats:
        if threat.space == OFF:
            continue
        kind = state.scenario.kinds[threat.kind].kind
        cue = _FACE_UP.get(kind) if threat.up else Cue(Meaning.THREAT, DIM)
        space = state.scenario.spaces[threat.space]
        if cue and (space not in said or _RANK.index(cue.meaning) > _RANK.index(said[space].meaning)):
            said[space] = cue
    return said


def _reach(state: State, routes: tuple[movement.Path, ...], *, bright: bool) -> dict[str, Cue]:
    """Where the movement may go, the brighter the nearer, and where it would end (M-MOVE-1 … 4)."""
    ends = stops(state.scenario, state.threats)
    said: dict[str, Cue] = {}
    for path in routes:
        meaning = Meaning.STOP if ends >> path[-1] & 1 else Meaning.REACHABLE
        level = FULL - DIM * (len(path) - 2) if bright else DIM
        said[state.scenario.spaces[path[-1]]] = Cue(meaning, level)
    return said


def _ending(state: State) -> dict[str, Cue]:
    meaning = Meaning.OBJECTIVE if state.ended == "objective" else Meaning.TARGET
    figures = state.figures if state.ended == "objective" else (state.figure,)
    return {state.scenario.spaces[figure.space]: Cue(meaning, FULL) for figure in figures}
