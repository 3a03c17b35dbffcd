"""What the game asks of people, and its choices as words. Public knowledge only, in our own words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from underglow.games.agenda import choices
from underglow.games.contract import Action, Transfer
from underglow.games.labyrinth import building, dealing, dice, effects, fighting, golem, hurting, moving, rules, traps
from underglow.games.labyrinth.draft import others_at
from underglow.games.labyrinth.hexes import COMPASS
from underglow.games.labyrinth.phrases import counted, listed, lying, sentence, who
from underglow.games.labyrinth.phrases import effects as effects_of
from underglow.games.labyrinth.scenario import LANES, NONE
from underglow.games.labyrinth.sight import corridor_name, layout, token_name
from underglow.games.labyrinth.state import State
from underglow.games.labyrinth.task import Task
from underglow.games.labyrinth.turn import Turn, free_step


def prompt(state: State, lifted: tuple[str, ...]) -> str:
    """What is expected now, in one sentence anybody may read."""
    if over := rules.outcome(state):
        return over.reason
    carried: dict[str, list[Transfer]] = {}
    for action in choices(state).actions:
        for transfer in action.hands:
            if transfer.source is not None:
                carried.setdefault(transfer.token, []).append(transfer)
    standing: Mapping[str, tuple[str, ...]] = layout(state) if lifted else {}
    for token in lifted:
        places = [place for place, here in standing.items() if token in here]
        if token not in carried and places:
            back = _on(places[0]) if len(places) == 1 else "where it was"
            return f"Put the {token_name(state, token)} back {back}."
    for token in lifted:
        if token in carried:
            name = token_name(state, token)
            if any(transfer.target for transfer in carried[token]):
                return f"Set the {name} down on a lit space, or back where it stood."
            return f"Keep the {name} off the board to take it, or put it back where it lay."
    return sentence(_asked(state, state.agenda[-1]))


def _on(place: str) -> str:
    """Where a token is, on a space or at an edge of one."""
    space, dot, edge = place.partition(".e")
    return f"at the {COMPASS[int(edge)]} edge of {space}" if dot else f"on {space}"


def _asked(state: State, task: Task) -> str:
    scenario, active = state.scenario, who(state, state.seat)
    match task:
        case dealing.Pick(seat=seat):
            return f"seat {seat + 1} picks a character."
        case dealing.First(among=among, rolls=rolls):
            return f"{who(state, among[len(rolls)])} rolls for who begins: what do the dice show?"
        case Turn():
            return _turn(state)
        case building.Draw():
            return f"{active} draws a tile: which one is it?"
        case building.Lay(kind=kind):
            return f"{active} lays the {scenario.tiles[kind].name} on a lit space."
        case building.Face(hex_=hex_, kind=kind):
            return f"{active} turns the {scenario.tiles[kind].name} on {scenario.spaces[hex_]}: which way shall it lie?"
        case building.TurnTile():
            return f"{active} turns a tile on which nothing lies and nobody stands: choose one."
        case dice.Test():
            return _test(state, task)
        case traps.Series(seat=seat, trap=trap, failures=failures):
            rolls = f"{counted(failures, 'roll')} against {scenario.traps[trap].name}"
            return f"{who(state, seat)} has failed {rolls}: roll them all again with the crystal, or suffer it."
        case fighting.Fight():
            return _fight(state, task)
        case fighting.Meet(seat=seat, of=of):
            rivals = [who(state, other) for other in (others_at(state, of) if seat == of else (of,))]
            return f"{who(state, seat)} has met {listed(rivals)}: is there a fight?"
        case golem.Walk(steps=steps):
            return f"{active} says where the Golem goes: {counted(steps, 'step')} to come."
        case golem.Appear():
            return f"{active} puts the Golem on a laid tile without a character."
        case hurting.BoxItem(seat=seat):
            return f"{who(state, seat)} has to give up an item: which one?"
        case hurting.Die(seat=seat):
            return f"{who(state, seat)} has lost the last life and has to drop something: what?"
        case moving.Shift(seat=seat, of=of):
            return f"{who(state, seat)} says where {who(state, of)} is moved."
        case effects.Either(seat=seat):
            return f"{who(state, seat)} chooses what to suffer."
        case traps.Reveal():
            return f"{active} turns up a face-down trap: which one?"
        case traps.PickTrap(kinds=kinds):
            return f"{active} has looked at {counted(len(kinds), 'trap')} and lays one of them."
        case traps.SetTrap():
            return f"{active} lays a trap face down on a lit space."
        case _:
            return f"{scenario.title} goes on."


def _turn(state: State) -> str:
    name, player, left = who(state, state.seat), state.player, state.actions
    if player.daze:
        dazed = f"{name} is dazed by {counted(player.daze, 'token')}"
        return (
            f"{dazed} and has to rest: {counted(left, 'action')} left."
            if left
            else f"{dazed}, with no action left to rest."
        )
    step = " and a free step" if free_step(state) else ""
    if not left:
        return f"{name} has no actions left{step}: do what is free, or end the turn."
    return f"{name} has {counted(left, 'action')}{step}: move the figure, or choose something else."


def _test(state: State, test: dice.Test) -> str:
    name, need = who(state, test.seat), test.need(state)
    against = {"jump": "for the jump", "golem": "against the Golem"}.get(test.kind, "")
    if isinstance(test, traps.TrapTest):
        trap = state.scenario.traps[test.trap]
        against = f"against {trap.name}"
        if not test.roll and not test.bonus:
            return f"{name} rolls {against}: {need} or more, or else {effects_of(state.scenario, trap.program)}."
    if not test.roll:
        return f"{name} rolls {against}{' ' if against else ''}and needs {need} or more in all."
    return f"{name} came to {test.total(state)} and needs {need}: roll again with the crystal, or leave it at that."


def _fight(state: State, fight: fighting.Fight) -> str:
    seat = fight.asked(state)
    rival = who(state, fight.second if seat == fight.first else fight.first)
    if not (fight.one and fight.two):
        return f"{who(state, seat)} rolls in the fight with {rival}."
    high, low = sorted(fight.totals(state), reverse=True)
    return f"{who(state, seat)} is behind {rival} by {low} to {high}: roll again with the crystal, or lose a life."


def describe(state: State, action: Action) -> str:
    """An action as words for a button or a log. What nobody else may know is not in them: which trap is laid."""
    return _described(state, action) or sentence(action.verb.replace("_", " "))


def _described(state: State, action: Action) -> str:
    args = [str(arg) for arg in action.args]
    match action.verb, args:
        case (("move" | "jump" | "safe_jump" | "set" | "reveal" | "golem_walks" | "golem_appears" | "shift"), [_, _]):
            return _at_corridor(state, action)
        case "pick_character", [character]:
            return f"Play the {token_name(state, character)}"
        case "rolled", [roll]:
            return f"The dice show {roll}"
        case "drew", [tile]:
            return f"It is the {token_name(state, tile)}"
        case "lay", [space]:
            return f"Lay {_drawn(state)} on {space}"
        case "face", [space, turned]:
            return _facing(state, space, turned)
        case "turn_tile", [space]:
            return f"Turn the tile on {space}"
        case "attack", rivals if rivals:
            return f"Attack {listed([f'the {token_name(state, rival)}' for rival in rivals])}"
        case "fight", [rival]:
            return f"Fight the {token_name(state, rival)}"
        case "keep", [number]:
            return f"Lay the {_ORDINALS.get(number, f'{number}th')} trap drawn"
        case "pick", [token]:
            return f"Pick up the {token_name(state, token)}"
        case "swap", [token, left]:
            return f"Pick up the {token_name(state, token)} and leave the {token_name(state, left)}"
        case "use", [item]:
            return f"Use the {token_name(state, item)}"
        case "ability", [ability]:
            return _ability(state, ability)
        case "choose", [number]:
            return _choice(state, number)
        case "drop", [token]:
            return f"Drop the {token_name(state, token)}"
        case "box", [item]:
            return f"Give up the {token_name(state, item)}"
        case "trap", []:
            return f"Set a trap {_COST}"
        case "golem", []:
            return f"Draw a Golem card {_COST}"
        case verb, []:
            return _PLAIN.get(verb, "")
        case verb, args:
            return sentence(" ".join([verb.replace("_", " "), *args]))


_COST = "(1 action)"

_ORDINALS: Mapping[str, str] = MappingProxyType({"1": "first", "2": "second", "3": "third", "4": "fourth"})

_PLAIN: Mapping[str, str] = MappingProxyType(
    {
        "build": f"Build {_COST}",
        "event": f"Play an event {_COST}",
        "rest": f"Rest {_COST}",
        "crystal": "Light up the crystal (2 actions)",
        "put_back": "Put it back under the pile",
        "roll": "Roll the dice",
        "repeat": "Roll again with the crystal",
        "accept": "Leave it at that",
        "pass": "Do not fight",
        "end_turn": "End the turn",
    }
)


def _at_corridor(state: State, action: Action) -> str:
    """A choice of a corridor."""
    space, lane = str(action.args[0]), str(action.args[1])
    name = _corridor(state, space, lane)
    up = _up(state, space, lane)
    match action.verb:
        case "jump":
            return f"Jump {up} to {name} at a risk {_COST}"
        case "safe_jump":
            return f"Climb {up} to {name} without risk (2 actions)"
        case "set":
            return f"Lay the trap on {name}"
        case "reveal":
            return f"Turn up the trap on {name}"
        case "golem_walks":
            return f"Have the Golem walk to {name}"
        case "golem_appears":
            return f"Put the Golem on {name}"
        case _:
            pawn = token_name(state, action.hands[0].token) if action.hands else "figure"
            return f"Move the {pawn} to {name}"


def _place(state: State, space: str, lane: str) -> int:
    """The place of a corridor by its space and number; NONE: there is no such corridor."""
    spaces = state.scenario.spaces
    if space not in spaces or not lane.isdecimal():
        return NONE
    hex_ = spaces.index(space)
    place = hex_ * LANES + int(lane)
    return place if place in state.maze.places(hex_) else NONE


def _corridor(state: State, space: str, lane: str) -> str:
    place = _place(state, space, lane)
    return corridor_name(state, place) if place != NONE else f"{space} ({lane})"


def _up(state: State, space: str, lane: str) -> str:
    place = _place(state, space, lane)
    return "up" if place != NONE and state.maze.is_bridge(place) else "down"


def _drawn(state: State) -> str:
    task = state.agenda[-1] if state.agenda else None
    return f"the {state.scenario.tiles[task.kind].name}" if isinstance(task, building.Lay) else "a tile"


def _facing(state: State, space: str, turned: str) -> str:
    task = state.agenda[-1] if state.agenda else None
    if isinstance(task, building.Face) and turned.isdecimal():
        tile = state.scenario.tiles[task.kind]
        if int(turned) < tile.turns:
            return f"Turn it so that {lying(tile, int(turned))}"
    return f"Turn the tile on {space} by {turned}"


def _ability(state: State, ability: str) -> str:
    for character in state.scenario.characters:
        for known in character.abilities:
            if known.id == ability:
                cost = [counted(known.cost, "action")] if known.cost else []
                cost += ["the crystal goes dark"] if known.crystal else []
                return f"Use {known.name} ({', '.join(cost)})" if cost else f"Use {known.name}"
    return f"Use {ability}"


def _choice(state: State, number: str) -> str:
    task = state.agenda[-1] if state.agenda else None
    programs = task.programs if isinstance(task, effects.Either) else ()
    if number.isdecimal() and 0 < int(number) <= len(programs):
        return sentence(effects_of(state.scenario, programs[int(number) - 1]))
    return f"Choose {number}"
