"""What the game says to people: prompts, choices, events. Public knowledge only, in our own words."""

from __future__ import annotations

from underglow.games.contract import Action, Event
from underglow.games.mandalorian import movement, turn
from underglow.games.mandalorian.rules import outcome
from underglow.games.mandalorian.sight import space_of, token_name
from underglow.games.mandalorian.state import State


def prompt(state: State, lifted: tuple[str, ...]) -> str:
    """What is expected now, in one sentence anybody may read."""
    if over := outcome(state):
        return over.reason
    scenario, acting = state.scenario, state.scenario.characters[state.acting]
    steps = movement.strength(state)
    stray = [token for token in lifted if space_of(state, token) and not (steps and token == acting.id)]
    if stray:
        return f"Put the {token_name(state, stray[0])} back on {space_of(state, stray[0])}."
    if steps and acting.id in lifted:
        return f"Set the {acting.name} down on a lit space, or back where it stood."
    if steps:
        return f"The {acting.name} may move up to {steps}: lift the figure, or choose to stay."
    if state.pending is not None:
        return f"{scenario.zones[state.pending].name} is not refereed yet: decline it to go on."
    done = state.used.bit_count()
    if done < turn.ACTIONS and state.figure.hand:
        return f"The {acting.name} lays a skill card on a zone: action {done + 1} of {turn.ACTIONS}."
    return f"The {acting.name} ends the turn, or first takes what lies there."


def describe(state: State, action: Action) -> str:
    """An action as words for a button or a log."""
    names = {zone.id: zone.name for zone in state.scenario.zones}
    match action.verb, action.args:
        case "play", (zone, strength):
            return f"Lay {_card(state, strength)} on {names.get(str(zone), zone)}"
        case "play", (zone, strength, ability):
            return f"Lay {_card(state, strength, ability)} on {names.get(str(zone), zone)}"
        case "move", (_, *between, end):
            way = f" by {', '.join(map(str, between))}" if between else ""
            who = token_name(state, action.hands[0].token) if action.hands else "figure"
            return f"Move the {who} to {end}{way}"
        case "decline", (zone,):
            return "Stay" if movement.strength(state) else f"Decline {names.get(str(zone), zone)}"
        case "take", (token,):
            return f"Take the {token_name(state, str(token))}"
        case "end_turn", _:
            return "End the turn"
        case _:
            return " ".join([action.verb, *map(str, action.args)])


def narrate(state: State, event: Event) -> str:
    """An event as words for the log; "" for what the action or the outcome says already.

    `state` is the one after the step.
    """
    zones = {zone.id: zone.name for zone in state.scenario.zones}
    doors = {door.id: door.name for door in state.scenario.doors}
    match event.kind, event.args:
        case "revealed", (_, space, name):
            return f"Revealed on {space}: {name}."
        case "damaged", (who, damage, by, ability):
            return f"The {token_name(state, by)} deals the {token_name(state, who)} {damage} damage ({ability})."
        case "opened", (door,):
            return f"The {doors[str(door)]} opens."
        case "crisis_due", (zone, strength):
            return f"{zones[str(zone)]} reached {strength}: a crisis is due, which the people resolve for now."
        case "event_due", (zone, strength):
            return f"{zones[str(zone)]} reached {strength}: an event card is due, which the people resolve for now."
        case "emptied", (zone,):
            return f"{zones[str(zone)]} is emptied."
        case "reshuffled", (who,):
            return f"The {token_name(state, who)}'s discards are a new deck."
        case "drew", (who, cards):
            return f"The {token_name(state, who)} draws {cards} card{'' if cards == 1 else 's'}."
        case "turn", (who,):
            return f"It is the {token_name(state, who)}'s turn."
        case _:
            return ""


def _card(state: State, strength: str | int, ability: str | int = "") -> str:
    names = {card.ability: card.name for card in state.scenario.cards}
    return f"{names[str(ability)]} ({strength or 'tactical'})" if ability in names and ability else f"a {strength}"
