"""Why an action is not legal now, in one sentence for the people at the table."""

from __future__ import annotations

from itertools import pairwise

from underglow.games.contract import Action, Transfer
from underglow.games.mandalorian import movement, views
from underglow.games.mandalorian.action import ACTIONS, Act, ActionPhase
from underglow.games.mandalorian.phrases import steps
from underglow.games.mandalorian.state import State
from underglow.games.mandalorian.threats import stops
from underglow.languages import SILENCE, Text, listed, say


def refusal(state: State, action: Action) -> Text:
    """Say what stands against an action that is not in `legal(state)`."""
    if state.ended:
        return say("The game is over.")
    task, seat = state.agenda[-1], views.choosing(state)
    if action.seat != seat:
        asked = views.asked(state)
        if asked >= len(state.figures):
            return say("It is seat {n}'s choice.", n=seat + 1)
        return say("It is the {who}'s turn.", who=_name(state, asked))
    if action.verb == "give_child" or (action.verb == "give" and action.args[:1] == ("child",)):
        return say("The child can neither be handed over nor set down.")
    match task:
        case ActionPhase():
            return _in_turn(state, action)
        case Act():
            return _in_an_action(state, task, action)
        case movement.Steps() if action.verb == "move":
            return _move(state, action)
        case _:
            return say("Something else is to be chosen first.")


def refuse(state: State, stray: Transfer) -> Text:
    """Say why hands must not have done that; "" for what has no rule of its own."""
    scenario, token, target = state.scenario, stray.token, str(stray.target)
    for card, owner in zip(scenario.cards, scenario.owner, strict=True):
        if card.token == token and state.ended == "":
            if all(figure.character != owner for figure in state.figures):
                return SILENCE
            return refusal(state, Action(views.choosing(state), "play", (target, card.strength), (stray,)))
    figures = {scenario.characters[figure.character].id: number for number, figure in enumerate(state.figures)}
    if (number := figures.get(token)) is None or state.ended:
        return SILENCE
    who = _name(state, number)
    if number != views.asked(state):
        return say("It is not the {who} that may move now.", who=who)
    if far := movement.strength(state):
        place = next((zone.name for zone in scenario.zones if zone.id == target), target)
        return say("The {who} cannot get to {space} with {steps}.", who=who, space=place, steps=steps(far))
    return refusal(state, Action(views.choosing(state), "move", (str(stray.source), target), (stray,)))


def _in_turn(state: State, action: Action) -> Text:
    who, done = _name(state, state.acting), state.used.bit_count()
    match action.verb:
        case "play":
            return _play(state, action)
        case "move" | "decline" | "attack" | "look" | "push" | "plan" | "resolve" | "ability" | "rescue":
            return say("First the {who} lays a skill card on a zone.", who=who)
        case "take":
            return say("The {who} can take only what a slot is left for, face up on its own space.", who=who)
        case "deliver":
            return say("The {who} can deliver only what it carries, where it belongs.", who=who)
        case "use":
            return say("The {who} has no such card that is of use now.", who=who)
        case "give":
            return say("The {who} cannot hand that over.", who=who)
        case "accuse":
            return say("That seat cannot be accused, or not any more.")
        case "end_turn":
            return say("A turn has exactly {most} actions, and the {who} has taken {n}.", most=ACTIONS, who=who, n=done)
        case _:
            return say("There is no such choice now.")


def _in_an_action(state: State, task: Act, action: Action) -> Text:
    zone = state.scenario.zones[task.zone]
    if movement.strength(state):
        if action.verb == "move":
            return _move(state, action)
        return say("First carry out the {zone}, or choose to stay.", zone=zone.name)
    match action.verb:
        case "play" | "take" | "deliver" | "use" | "give" | "accuse" | "end_turn":
            return say("First carry out {zone}, or decline it.", zone=zone.name)
        case "attack":
            return say("That is no threat within range that can be damaged now.")
        case "look":
            return say("That is no face-down threat within range.")
        case "push":
            return say("That is no enemy within range, or no space beside it.")
        case _:
            return say("That is not what {zone} gives now.", zone=zone.name)


def _play(state: State, action: Action) -> Text:
    scenario, done = state.scenario, state.used.bit_count()
    zones = {zone.id: number for number, zone in enumerate(scenario.zones)}
    if done == ACTIONS:
        return say("A turn has exactly {most} actions, and both are taken.", most=ACTIONS)
    if not action.args or action.args[0] not in zones:
        names = listed([zone.name for zone in scenario.zones], "{others:*}, {last:*}")
        return say("A card goes on one of the zones {zones}.", zones=names)
    zone = zones[str(action.args[0])]
    if state.used >> zone & 1:
        name = scenario.zones[zone].name
        return say("{zone} has a card of this turn already: the other action needs another zone.", zone=name)
    return say("The {who} has no such card in hand.", who=_name(state, state.acting))


def _move(state: State, action: Action) -> Text:
    scenario, names = state.scenario, [str(arg) for arg in action.args]
    asked, far = views.asked(state), movement.strength(state)
    start = state.figures[asked].space
    numbers = {space: number for number, space in enumerate(scenario.spaces)}
    if any(space not in numbers for space in names):
        return say("There is no such space.")
    path = [numbers[space] for space in names]
    if not path or path[0] != start:
        return say("The {who} starts from {space}.", who=_name(state, asked), space=scenario.spaces[start])
    if path[-1] == path[0]:
        return say("A movement that ends where it began is none: choose to stay.")
    near = scenario.grids[state.doors_open].near
    for one, other in pairwise(path):
        if not near[one] >> other & 1:
            return _no_way(state, one, other)
    for space in path[1:-1]:
        if stops(state) >> space & 1:
            name = scenario.spaces[space]
            return say("On {space} the movement ends: there is an enemy or a face-down threat.", space=name)
    if len(path) - 1 > far:
        long = steps(len(path) - 1)
        return say("That path to {space} has {steps}; the card gives {n}.", space=names[-1], steps=long, n=far)
    return say("The figure is to be carried to {space} by a shortest path, as offered.", space=names[-1])


def _no_way(state: State, one: int, other: int) -> Text:
    spaces = state.scenario.spaces
    for door in state.scenario.doors:
        if set(door.edge) == {one, other}:
            between = {"one": spaces[one], "other": spaces[other]}
            return say("The {door} between {one} and {other} is shut.", door=door.name, **between)
    return say("No step leads from {one} to {other}.", one=spaces[one], other=spaces[other])


def _name(state: State, figure: int) -> Text:
    return state.scenario.characters[state.figures[figure].character].name
