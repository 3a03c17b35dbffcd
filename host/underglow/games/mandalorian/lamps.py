"""What the board says: a meaning and a level for each space and zone, from public knowledge only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from underglow.games.agenda import choices
from underglow.games.contract import Action, Cue, Event, Meaning, Transfer
from underglow.games.mandalorian import (
    aiming,
    child,
    damage,
    dealing,
    enemies,
    movement,
    sight,
    turn,
    views,
    zones,
)
from underglow.games.mandalorian.action import ACTIONS, Act, ActionPhase
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import NOBODY, State, Threat, public_id
from underglow.games.mandalorian.task import Task
from underglow.games.mandalorian.threats import DISRUPTIONS, stops
from underglow.games.mandalorian.zones import LIMIT, total

FULL = 255
CLEAR = 96  # still easy to see
DIM = 40  # there, but not asking for anything

_FACE_UP = {"asset": Cue(Meaning.OBJECTIVE, CLEAR), "item": Cue(Meaning.OBJECTIVE, DIM)}
_RANK = (Meaning.OBJECTIVE, Meaning.THREAT, Meaning.DISRUPTED, Meaning.ENEMY)  # of several on a space the last is shown

_OF_A_HAND = frozenset({"play", "discard", "keep"})
"""Verbs that name a card which only its seat has seen."""

Said = dict[str, Cue]


def cues(state: State, lifted: tuple[str, ...]) -> Mapping[str, Cue]:
    """What the board should say now, given the tokens in hand."""
    said = _zones(state, lifted)
    if state.ended:
        return said | _ending(state)
    carried = [transfer for token in lifted for transfer in _carried(state, token)]
    movable = {transfer.token for transfer in carried}
    stray = [s for token in lifted if token not in movable and (s := sight.space_of(state, token))]
    if stray:
        return said | _tokens(state) | {space: Cue(Meaning.MISSING) for space in stray}
    if carried:
        return said | _in_hand(state, carried)
    return said | _tokens(state) | _asked(state)


def _carried(state: State, token: str) -> Iterator[Transfer]:
    """How this token may now be carried from where it stands."""
    for action in choices(state).actions:
        for transfer in action.hands:
            if transfer.token == token and transfer.source is not None and ":" not in token:
                yield transfer


def _in_hand(state: State, carried: list[Transfer]) -> Said:
    """Where a token in hand may be set down, and where it came from."""
    said = _reach(state, _movers(state), bright=True) if _movers(state) else {}
    for transfer in carried:
        if transfer.target:
            said.setdefault(transfer.target, Cue(Meaning.REACHABLE))
    for transfer in carried:
        if transfer.source:
            said[transfer.source] = _leaving(state, transfer.token) or Cue(Meaning.ORIGIN, CLEAR)
    return said


# ── what is asked ──


def _asked(state: State) -> Said:
    """What the board says of the choice that is open."""
    task, scenario = state.agenda[-1], state.scenario
    match task:
        case dealing.Pick():
            return {scenario.spaces[scenario.start]: Cue(Meaning.READY)}
        case ActionPhase():
            return {_here(state, state.acting): Cue(Meaning.READY, CLEAR)}
        case Act() | movement.Steps():
            return _act(state, task)
        case aiming.Mend() | enemies.Strike() | damage.PartingBlow() | enemies.Enlist() | child.Capture():
            return _of_tokens(state, Meaning.CHOICE)
        case aiming.Aim() | aiming.Split() | aiming.Jam() | aiming.Shove():
            return _of_tokens(state, Meaning.TARGET)
        case aiming.Peek():
            return _of_tokens(state, Meaning.PEEK)
        case child.Rescue() if (space := sight.child_space(state)) >= 0:
            return {scenario.spaces[space]: Cue(Meaning.CHILD)}
        case enemies.March() | child.Flee():
            return _ways(state)
        case enemies.Reinforce():
            return {scenario.spaces[space]: Cue(Meaning.SPAWN) for space in enemies.spawns(state, task.where)}
        case zones.DisruptZone() | zones.ClearZone() | turn.EventPhase():
            return {str(action.args[0]): Cue(Meaning.CHOICE) for action in choices(state).actions}
        case damage.Hurt() | damage.StrikeBack():
            said = {_here(state, task.figure): Cue(Meaning.HURT)}
            by = task.enemy
            if by != NOBODY and (space := sight.space_of(state, public_id(by))):
                said.setdefault(space, Cue(Meaning.TARGET))
            return said
        case _:
            return {}


def _act(state: State, task: Task) -> Said:
    """The action of a card: where to, whom, what."""
    if ways := _movers(state):
        mover = views.asked(state)
        token = state.scenario.characters[state.figures[mover].character].id
        return _reach(state, ways, bright=False) | {_here(state, mover): _leaving(state, token) or Cue(Meaning.READY)}
    said = _of_tokens(state, Meaning.TARGET)
    said[_here(state, state.acting)] = Cue(Meaning.READY, CLEAR)
    for action in choices(state).actions:
        match action.verb:
            case "look" if space := sight.space_of(state, str(action.args[0])):
                said[space] = Cue(Meaning.PEEK)
            case "attack" | "push" if space := sight.space_of(state, str(action.args[0])):
                said[space] = Cue(Meaning.TARGET)
            case "rescue" if (number := sight.child_space(state)) >= 0:
                said[state.scenario.spaces[number]] = Cue(Meaning.CHILD)
            case _:
                pass
    return said


def _of_tokens(state: State, meaning: Meaning) -> Said:
    """The spaces of the tokens that may be chosen."""
    said: Said = {}
    for action in choices(state).actions:
        if action.args and (space := sight.space_of(state, str(action.args[0]))):
            said[space] = Cue(meaning)
    return said


def _ways(state: State) -> Said:
    """Where a token may go that the rules move: the people choose between equals (M-EVT-14)."""
    said: Said = {}
    for action in choices(state).actions:
        for transfer in action.hands:
            said |= {str(transfer.source): Cue(Meaning.ORIGIN), str(transfer.target): Cue(Meaning.CHOICE)}
    return said


def shown(state: State, action: Action) -> Mapping[str, Cue] | None:
    """What the board shows of a choice: where it ends and by which way, or the places and tokens that it names."""
    if action.verb in _OF_A_HAND:
        return None
    said: Said = {space: Cue(Meaning.PATH) for transfer in action.hands for space in transfer.via}
    ends = [transfer.target or transfer.source for transfer in action.hands] or [_place(state, a) for a in action.args]
    return said | {place: Cue(Meaning.CHOICE) for place in ends if place}


def _place(state: State, word: str | int) -> str | None:
    """The space or zone of that name, or where the token of that name stands; None: it is no such name."""
    if word in state.scenario.spaces or any(word == zone.id for zone in state.scenario.zones):
        return str(word)
    return sight.space_of(state, str(word))


# ── movement ──


def _movers(state: State) -> tuple[movement.Path, ...]:
    """The paths a character may choose from now."""
    if not movement.strength(state):
        return ()
    ways = [option.args[1] for option in choices(state).options if option.action.verb == "move"]
    return tuple(ways)


def _reach(state: State, ways: tuple[movement.Path, ...], *, bright: bool) -> Said:
    """Where the movement may go, the brighter the nearer; where it would end, and where that hurts (M-ABIL-1)."""
    ends, names = stops(state), state.scenario.spaces
    said: Said = {}
    for path in ways:
        space = names[path[-1]]
        if space in said or len(path) == 1:
            continue
        meaning = Meaning.STOP if ends >> path[-1] & 1 else Meaning.REACHABLE
        level = FULL - DIM * (len(path) - 2) if bright else DIM
        if damage.guards(state, path[-1]):
            meaning = Meaning.GUARDED
        said[space] = Cue(meaning, level)
    return said


def _leaving(state: State, token: str) -> Cue | None:
    """What leaving its space means for the character that may move now: a grappler there hurts it (M-ABIL-2)."""
    mover = state.figures[views.asked(state)]
    if token == state.scenario.characters[mover.character].id and damage.grapplers(state, mover.space):
        return Cue(Meaning.HURT)
    return None


def _here(state: State, figure: int) -> str:
    return state.scenario.spaces[state.figures[figure].space]


# ── what lies there ──


def _zones(state: State, lifted: Iterable[str]) -> Said:
    """Each zone by its sum; with a card in hand, by what the sum would become where the card may be laid."""
    faces = {card.token: card.strength for card in state.scenario.cards}
    card = next((faces[token] for token in lifted if token in faces), None)
    task = state.agenda[-1] if state.agenda else None
    laying = card is not None and isinstance(task, ActionPhase) and state.used.bit_count() < ACTIONS
    said: Said = {}
    for number, (zone, pile) in enumerate(zip(state.scenario.zones, state.piles, strict=True)):
        strength, pinned = total(state.scenario, pile), _pinned(state.scenario, pile.cards)
        if card is not None and laying and not state.used >> number & 1:
            pinned = pinned or not card
            strength = LIMIT if pinned else strength + card
        said[zone.id] = _zone(strength, pinned)
    return said


def _pinned(scenario: Scenario, cards: Iterable[int]) -> bool:
    return any(scenario.cards[card].tactical for card in cards)


def _zone(strength: int, pinned: bool) -> Cue:
    if pinned:
        return Cue(Meaning.PINNED)
    if strength < LIMIT:
        return Cue(Meaning.CALM, DIM * max(strength, 1))
    return Cue(Meaning.WARM if strength == LIMIT else Meaning.HOT)


def _tokens(state: State) -> Said:
    """Each threat token known to matter and each face-down one, the goals of the mission, and the child."""
    scenario, said = state.scenario, _goals(state)
    for threat in state.threats:
        cue = _token(state, threat)
        space = scenario.spaces[threat.space]
        if cue and (space not in said or _RANK.index(cue.meaning) >= _RANK.index(said[space].meaning)):
            said[space] = cue
    if state.child:
        carrier, space = state.child.carrier, sight.child_space(state)
        level = DIM if state.child.fled else CLEAR
        said[_here(state, carrier) if carrier != NOBODY else scenario.spaces[space]] = Cue(Meaning.CHILD, level)
    return said


def _token(state: State, threat: Threat) -> Cue | None:
    if threat.space < 0:
        return None
    if not threat.up:
        return Cue(Meaning.THREAT, DIM)
    kind = state.scenario.kinds[threat.kind]
    if kind.enemy and threat.disruption:
        return Cue(Meaning.DISRUPTED, CLEAR * len(threat.disruption) // DISRUPTIONS)
    return Cue(Meaning.ENEMY, DIM) if kind.enemy else _FACE_UP.get(kind.kind)


def _goals(state: State) -> Said:
    """Spaces where something is to be brought."""
    scenario = state.scenario
    spaces = set(scenario.goals)
    for figure in state.figures:
        for item in figure.items:
            spaces |= {rule.deliver_to for rule in scenario.map_rules if rule.take == state.threats[item].kind}
    return {scenario.spaces[space]: Cue(Meaning.OBJECTIVE, DIM) for space in sorted(spaces) if space >= 0}


def _ending(state: State) -> Said:
    won = state.ended == "objective"
    figures = (state.figures[state.ended_by],) if state.ended == "defeat" else state.figures
    cue = Cue(Meaning.OBJECTIVE if won else Meaning.TARGET)
    return {state.scenario.spaces[figure.space]: cue for figure in figures}


# ── moments ──


def flashes(state: State, events: tuple[Event, ...]) -> Mapping[str, Cue]:
    """What the board should say for a moment because of these events; the spaces of a path in its order."""
    paths: Said = {}
    said: Said = {}
    for event in events:
        match event.kind, event.args:
            case (("marched" | "pushed" | "fled"), (_, *spaces)):
                paths |= {str(space): Cue(Meaning.PATH) for space in spaces}
            case _:
                for place, cue in _flash(state, event):
                    if said.get(place) != Cue(Meaning.REVEALED):  # a token just revealed matters more
                        said[place] = cue
    return paths | said


def _flash(state: State, event: Event) -> Iterator[tuple[str, Cue]]:
    names = state.scenario.spaces
    match event.kind, event.args:
        case "revealed", (_, space, *_):
            yield str(space), Cue(Meaning.REVEALED)
        case "looked", (_, _, space):
            yield str(space), Cue(Meaning.PEEK)
        case "damaged", (character, *_) if space := sight.space_of(state, str(character)):
            yield space, Cue(Meaning.HURT)
        case ("hit", (_, _, space)) | ("destroyed", (_, space)) | ("captured", (_, _, space)):
            yield str(space), Cue(Meaning.HURT)
        case "disrupted", (token,) if space := sight.space_of(state, str(token)):
            yield space, Cue(Meaning.DISRUPTED)
        case "reinforced", (_, space, *_):
            yield str(space), Cue(Meaning.SPAWN)
        case ("rescued", (_, _, space)) | ("dropped", (_, space)):
            yield str(space), Cue(Meaning.CHILD)
        case (("opened" | "shut"), (door,)):
            edges = {known.id: known.edge for known in state.scenario.doors}
            yield from ((names[space], Cue(Meaning.OBJECTIVE)) for space in edges[str(door)])
        case "disrupted_zone", (zone, _):
            yield str(zone), Cue(Meaning.DISRUPTED)
        case "emptied", (zone, *_):
            yield str(zone), Cue(Meaning.CALM)
        case _:
            pass
