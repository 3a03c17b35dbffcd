"""Why an action is not legal now, in one sentence for the people at the table."""

from __future__ import annotations

from itertools import pairwise

from underglow.games.contract import Action, Transfer
from underglow.games.mandalorian import movement, views
from underglow.games.mandalorian.action import ACTIONS, Act, ActionPhase
from underglow.games.mandalorian.state import State
from underglow.games.mandalorian.threats import stops


def refusal(state: State, action: Action) -> str:
    """Say what stands against an action that is not in `legal(state)`."""
    if state.ended:
        return "The game is over."
    task, seat = state.agenda[-1], views.choosing(state)
    if action.seat != seat:
        asked = views.asked(state)
        if asked >= len(state.figures):
            return f"It is seat {seat + 1}'s choice."
        return f"It is the {state.scenario.characters[state.figures[asked].character].name}'s turn."
    if action.verb == "give_child" or (action.verb == "give" and action.args[:1] == ("child",)):
        return "The child can neither be handed over nor set down."
    match task:
        case ActionPhase():
            return _in_turn(state, action)
        case Act():
            return _in_an_action(state, task, action)
        case movement.Steps() if action.verb == "move":
            return _move(state, action)
        case _:
            return "Something else is to be chosen first."


def refuse(state: State, stray: Transfer) -> str:
    """Say why hands must not have done that; "" for what has no rule of its own."""
    scenario, token, target = state.scenario, stray.token, str(stray.target)
    for card, owner in zip(scenario.cards, scenario.owner, strict=True):
        if card.token == token and state.ended == "":
            if all(figure.character != owner for figure in state.figures):
                return ""
            return refusal(state, Action(views.choosing(state), "play", (target, card.strength), (stray,)))
    figures = {scenario.characters[figure.character].id: number for number, figure in enumerate(state.figures)}
    if (number := figures.get(token)) is None or state.ended:
        return ""
    name = scenario.characters[state.figures[number].character].name
    if number != views.asked(state):
        return f"It is not the {name} that may move now."
    if steps := movement.strength(state):
        return f"The {name} cannot get to {target} with {steps} {'step' if steps == 1 else 'steps'}."
    return refusal(state, Action(views.choosing(state), "move", (str(stray.source), target), (stray,)))


def _in_turn(state: State, action: Action) -> str:
    name, done = state.scenario.characters[state.figure.character].name, state.used.bit_count()
    match action.verb:
        case "play":
            return _play(state, action)
        case "move" | "decline" | "attack" | "look" | "push" | "plan" | "resolve" | "ability" | "rescue":
            return f"First the {name} lays a skill card on a zone."
        case "take":
            return f"The {name} can take only what a slot is left for, face up on its own space."
        case "deliver":
            return f"The {name} can deliver only what it carries, where it belongs."
        case "use":
            return f"The {name} has no such card that is of use now."
        case "give":
            return f"The {name} cannot hand that over."
        case "accuse":
            return "That seat cannot be accused, or not any more."
        case "end_turn":
            return f"A turn has exactly {ACTIONS} actions, and the {name} has taken {done}."
        case _:
            return f"There is no such choice as {_word(action.verb)}."


def _word(verb: str) -> str:
    return verb if verb.isidentifier() else "that"


def _in_an_action(state: State, task: Act, action: Action) -> str:
    zone = state.scenario.zones[task.zone]
    if movement.strength(state):
        return _move(state, action) if action.verb == "move" else "First carry out the Move, or choose to stay."
    match action.verb:
        case "play" | "take" | "deliver" | "use" | "give" | "accuse" | "end_turn":
            return f"First carry out {zone.name}, or decline it."
        case "attack":
            return "That is no threat within range that can be damaged now."
        case "look":
            return "That is no face-down threat within range."
        case "push":
            return "That is no enemy within range, or no space beside it."
        case _:
            return f"That is not what {zone.name} gives now."


def _play(state: State, action: Action) -> str:
    scenario, done = state.scenario, state.used.bit_count()
    zones = {zone.id: number for number, zone in enumerate(scenario.zones)}
    if done == ACTIONS:
        return f"A turn has exactly {ACTIONS} actions, and both are taken."
    if not action.args or action.args[0] not in zones:
        return f"A card goes on one of the zones {', '.join(zones)}."
    zone = zones[str(action.args[0])]
    if state.used >> zone & 1:
        return f"{scenario.zones[zone].name} has a card of this turn already: the other action needs another zone."
    return f"The {scenario.characters[state.figure.character].name} has no such card in hand."


def _move(state: State, action: Action) -> str:
    scenario, names = state.scenario, [str(arg) for arg in action.args]
    figure, steps = state.figures[views.asked(state)], movement.strength(state)
    name = scenario.characters[figure.character].name
    numbers = {space: number for number, space in enumerate(scenario.spaces)}
    if any(space not in numbers for space in names):
        return "There is no such space."
    path = [numbers[space] for space in names]
    if not path or path[0] != figure.space:
        return f"The {name} starts from {scenario.spaces[figure.space]}."
    if path[-1] == path[0]:
        return "A movement that ends where it began is none: choose to stay."
    near = scenario.grids[state.doors_open].near
    for one, other in pairwise(path):
        if not near[one] >> other & 1:
            return _no_way(state, one, other)
    for space in path[1:-1]:
        if stops(state) >> space & 1:
            return f"On {scenario.spaces[space]} the movement ends: there is an enemy or a face-down threat."
    if len(path) - 1 > steps:
        return f"That path to {names[-1]} has {len(path) - 1} steps; the card gives {steps}."
    return f"The figure is to be carried to {names[-1]} by a shortest path, as offered."


def _no_way(state: State, one: int, other: int) -> str:
    scenario = state.scenario
    for door in scenario.doors:
        if set(door.edge) == {one, other}:
            return f"The {door.name} between {scenario.spaces[one]} and {scenario.spaces[other]} is shut."
    return f"No step leads from {scenario.spaces[one]} to {scenario.spaces[other]}."
