"""Why an action is not legal now, in one sentence for the people at the table."""

from __future__ import annotations

from itertools import pairwise

from underglow.games.contract import Action
from underglow.games.mandalorian import movement, turn
from underglow.games.mandalorian.scenario import adjacency
from underglow.games.mandalorian.state import State
from underglow.games.mandalorian.threats import stops


def refusal(state: State, action: Action) -> str:
    """Say what stands against an action that is not in `legal(state)`."""
    name = state.scenario.characters[state.acting].name
    if state.ended:
        return "The game is over."
    if action.seat != state.seat:
        return f"It is the {name}'s turn."
    if state.pending is not None:
        return _in_an_action(state, action, state.pending)
    match action.verb:
        case "play":
            return _play(state, action)
        case "move" | "decline" | "attack" | "intel" | "plan":
            return f"First the {name} lays a skill card on a zone."
        case "take":
            return f"The {name} can take only what a slot is left for, face up on its own space."
        case "end_turn":
            return f"A turn has exactly {turn.ACTIONS} actions; the {name} has taken {state.used.bit_count()}."
        case _:
            return f"There is no such choice as {action.verb}."


def _in_an_action(state: State, action: Action, pending: int) -> str:
    zone = state.scenario.zones[pending]
    moves = movement.strength(state) > 0
    match action.verb:
        case "move" if moves:
            return _move(state, action)
        case _ if moves:
            return "First carry out the Move, or choose to stay."
        case "play" | "take" | "end_turn":
            return f"First decline {zone.name}: the referee does not know its effect yet, and the card counts anyway."
        case _:
            return f"{zone.name} is not refereed yet: its card counts in the zone, and declining is the only choice."


def _play(state: State, action: Action) -> str:
    scenario, done = state.scenario, state.used.bit_count()
    zones = {zone.id: number for number, zone in enumerate(scenario.zones)}
    if done == turn.ACTIONS:
        return f"A turn has exactly {turn.ACTIONS} actions, and both are taken."
    if not action.args or action.args[0] not in zones:
        return f"A card goes on one of the zones {', '.join(zones)}."
    zone = zones[str(action.args[0])]
    if state.used >> zone & 1:
        return f"{scenario.zones[zone].name} has a card of this turn already: the other action needs another zone."
    return f"The {scenario.characters[state.acting].name} has no such card in hand."


def _move(state: State, action: Action) -> str:
    scenario, names = state.scenario, [str(arg) for arg in action.args]
    name, steps = scenario.characters[state.acting].name, movement.strength(state)
    numbers = {space: number for number, space in enumerate(scenario.spaces)}
    if unknown := [space for space in names if space not in numbers]:
        return f"There is no space {unknown[0]}."
    path = [numbers[space] for space in names]
    if not path or path[0] != state.figure.space:
        return f"The {name} starts from {scenario.spaces[state.figure.space]}."
    if path[-1] == path[0]:
        return "A movement that ends where it began is none: choose to stay."
    for one, other in pairwise(path):
        if not adjacency(scenario, state.doors_open)[one] >> other & 1:
            return _no_way(state, one, other)
    for space in path[1:-1]:
        if stops(scenario, state.threats) >> space & 1:
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
