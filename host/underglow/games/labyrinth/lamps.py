"""What the board says: a meaning and a level for each space and its edges, from public knowledge only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from underglow.games.agenda import choices
from underglow.games.contract import Action, Cue, Meaning, Transfer
from underglow.games.labyrinth import building, dealing, fighting, golem, hurting, moving, sight, traps
from underglow.games.labyrinth.draft import rule, start
from underglow.games.labyrinth.marks import CLEAR, DIM, FULL, Said, corridor, dangers, level, resting, starts, wins
from underglow.games.labyrinth.scenario import LANES, Shape
from underglow.games.labyrinth.state import REPEATED, STEPPED, State
from underglow.games.labyrinth.turn import Turn
from underglow.games.labyrinth.views import choosing

_LANES = (FULL, CLEAR, DIM)
"""Corridors of a tile that is still to be turned are told apart by their brightness."""


def cues(state: State, lifted: tuple[str, ...]) -> Mapping[str, Cue]:
    """What the board should say now, given the tokens in hand."""
    if state.ended:
        return starts(state) | _at(state, [state.players[seat].place for seat in state.winners], Meaning.OBJECTIVE)
    carried = [way for token in lifted for way in _carried(state, token)]
    movable = {transfer.token for _, transfer in carried}
    stray = set(lifted) - movable
    homes = [space for token, space, _ in sight.places(state) if token in stray] if stray else []
    if homes:
        return resting(state) | dict.fromkeys(homes, Cue(Meaning.MISSING))
    if carried:
        return starts(state) | _in_hand(state, carried)
    return _asked(state)


def shown(state: State, action: Action) -> Mapping[str, Cue] | None:
    """What the board shows of a choice that is offered, before it is taken; None: it is for its seat alone to know."""
    if action.verb == "keep":
        return None
    task = state.agenda[-1]
    if isinstance(task, building.Face):
        space, turned = action.args
        return _lies(str(space), state.scenario.tiles[task.kind].shapes[int(turned)])
    place = _named(state, action)
    if place is not None:
        return corridor(state, place, Cue(Meaning.CHOICE))
    spaces = [str(word) for word in action.args if word in state.scenario.spaces]
    if not spaces:
        pawns = [start(state, action.seat)] if action.verb == "pick_character" else _pawns(state, action)
        return _at(state, pawns, Meaning.CHOICE)
    return dict.fromkeys(spaces, Cue(Meaning.CHOICE))


def _pawns(state: State, action: Action) -> list[int]:
    """Where the characters stand that an action names; else the one whose choice it is."""
    names = {n: state.scenario.characters[player.character].id for n, player in enumerate(state.players)}
    named = [player.place for n, player in enumerate(state.players) if names[n] in action.args]
    return named or [state.players[action.seat].place]


def _named(state: State, action: Action) -> int | None:
    """The place that an action names by space and lane; None: it names none."""
    match action.args:
        case (str(space), int(lane)) if action.verb != "face":
            return state.scenario.spaces.index(space) * LANES + lane
        case _:
            return None


def _at(state: State, places: Iterable[int], meaning: Meaning, bright: int = FULL) -> Said:
    """The middles of the spaces of these places."""
    return {state.scenario.spaces[place // LANES]: Cue(meaning, bright) for place in places}


def _corridors(state: State, places: Iterable[int], meaning: Meaning) -> Said:
    said = Said()
    for place in places:
        said |= corridor(state, place, Cue(meaning))
    return said


# ── tokens in hand ──


def _carried(state: State, token: str) -> Iterator[tuple[Action, Transfer]]:
    """How this token may now be carried from where it stands."""
    for action in choices(state).actions:
        for transfer in action.hands:
            if transfer.token == token and transfer.source is not None:
                yield action, transfer


def _in_hand(state: State, carried: list[tuple[Action, Transfer]]) -> Said:
    """Where a token in hand may be set down, and where it came from."""
    said = Said()
    if isinstance(state.agenda[-1], Turn) and any(action.verb == "move" for action, _ in carried):
        said |= _reach(state, FULL, CLEAR)
        if wins(state):
            said[state.scenario.spaces[state.scenario.centre]] = Cue(Meaning.OBJECTIVE)
    for action, transfer in carried:
        place = _named(state, action)
        if place is not None:
            said = corridor(state, place, Cue(Meaning.REACHABLE)) | said
        elif transfer.target:  # the head of a tile, which lies at an edge
            said |= {transfer.target: Cue(Meaning.REACHABLE), str(action.args[0]): Cue(Meaning.CHOICE)}
    return said | {str(transfer.source): Cue(Meaning.ORIGIN, CLEAR) for _, transfer in carried}


def _reach(state: State, near: int, far: int) -> Said:
    """Where the active character can go with one action, and where with all it has; and where something awaits it.

    That may end the way, so nothing is said of how it would turn out.
    """
    offered = choices(state).actions
    if not any(action.verb == "move" for action in offered):
        return {}
    steps = state.actions
    if rule(state) == "second_step_free" and not state.used & REPEATED and (state.used & STEPPED or steps):
        steps += 1
    said, here = Said(), state.player.place
    seen, front, stops = {here}, [here], dangers(state)
    for step in range(steps):
        front = [there for place in front for there in state.maze.near[place]]
        front = [place for place in dict.fromkeys(front) if place not in seen]
        seen.update(front)
        for place in front:
            meaning = Meaning.STOP if place in stops else Meaning.REACHABLE
            said = corridor(state, place, Cue(meaning, far if step else near)) | said
    return said


# ── what is asked ──


def _asked(state: State) -> Said:
    """What the board says of the choice that is open, above what it says all the time."""
    task, spaces = state.agenda[-1], state.scenario.spaces
    said = starts(state) if isinstance(task, traps.SetTrap) else resting(state)  # what is no place for a trap is dark
    if not isinstance(task, Turn | dealing.Pick | dealing.First) and choosing(state) != state.seat:
        said |= _at(state, [start(state, choosing(state))], Meaning.READY)
    match task:
        case Turn():
            return _reach(state, CLEAR, DIM) | said | _active(state)
        case dealing.Pick() | dealing.First():
            return said | _at(state, [start(state, choosing(state))], Meaning.READY)
        case building.Lay():
            return said | _at(state, [hex_ * LANES for hex_ in state.maze.open], Meaning.REACHABLE, CLEAR)
        case building.Face():
            tile = state.scenario.tiles[task.kind]
            first = next(turned for turned in range(tile.turns) if turned != task.was)
            return said | _lies(spaces[task.hex_], tile.shapes[first])
        case building.TurnTile():
            return said | _at(state, [hex_ * LANES for hex_ in building.turnable(state)], Meaning.CHOICE)
        case traps.SetTrap():
            return said | _corridors(state, traps.places(state, state.seat), Meaning.THREAT)
        case traps.Reveal():
            hidden = traps.hidden(state, anywhere=task.anywhere)
            return said | _corridors(state, [trap.place for trap in hidden], Meaning.PEEK)
        case moving.Shift():
            ways = _corridors(state, task.targets(state), Meaning.CHOICE)
            return said | ways | _at(state, [state.players[task.of].place], Meaning.ORIGIN)
        case golem.Walk() | golem.Appear():
            ways = task.ways(state) if isinstance(task, golem.Walk) else golem.empty(state)
            return said | _corridors(state, ways, Meaning.CHOICE) | _at(state, [state.golem], Meaning.ORIGIN)
        case fighting.Meet() | fighting.Fight():
            return said | _at(state, [state.players[choosing(state)].place], Meaning.TARGET)
        case hurting.Die():
            return said | _at(state, [state.players[task.seat].place], Meaning.HURT)
        case moving.JumpTest():
            return said | corridor(state, task.target, Cue(level(state, task.target) or Meaning.CHOICE))
        case _:
            return said | _at(state, [state.players[choosing(state)].place], Meaning.READY)


def _active(state: State) -> Said:
    """The character that has actions to spend, and which corridor it stands on (L-JUMP)."""
    place = state.player.place
    if state.player.daze:
        return corridor(state, place, Cue(Meaning.DAZED))
    return corridor(state, place, Cue(level(state, place) or Meaning.READY, CLEAR))


def _lies(space: str, shape: Shape) -> Said:
    """A tile that is still to be turned, as if it lay so: the edges its corridors lead over."""
    said = {space: Cue(Meaning.CHOICE)}
    for lane, (edges, bridge) in enumerate(zip(shape.edges, shape.bridges, strict=True)):
        cue = Cue(Meaning.ABOVE if bridge else Meaning.CHOICE, _LANES[lane])
        said |= {f"{space}.e{edge}": cue for edge in edges}
    return said
