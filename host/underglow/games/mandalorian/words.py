"""What the game asks of people, and its choices as words. Public knowledge only, in our own words."""

from __future__ import annotations

from collections.abc import Iterator

from underglow.games.agenda import choices
from underglow.games.contract import Action
from underglow.games.mandalorian import aiming, child, damage, dealing, enemies, movement, plans, rules, turn, zones
from underglow.games.mandalorian.action import ACTIONS, Act, ActionPhase
from underglow.games.mandalorian.sight import space_of, token_name, told_apart
from underglow.games.mandalorian.state import State, public_id
from underglow.games.mandalorian.task import Task


def prompt(state: State, lifted: tuple[str, ...]) -> str:
    """What is expected now, in one sentence anybody may read."""
    if over := rules.outcome(state):
        return over.reason
    carried = {t.token: t for action in choices(state).actions for t in action.hands if t.source is not None}
    for token in lifted:
        if token not in carried and (space := space_of(state, token)):
            return f"Put the {token_name(state, token)} back on {space}."
    for token in lifted:
        if token in carried and carried[token].target:
            return f"Set the {token_name(state, token)} down on a lit space, or back where it stood."
    return _asked(state, state.agenda[-1])


def _asked(state: State, task: Task) -> str:
    scenario = state.scenario
    match task:
        case dealing.Pick(figure=figure):
            return f"Seat {plans.player(state, figure) + 1} picks a character."
        case ActionPhase():
            return _action_phase(state)
        case Act():
            return _act(state, task)
        case movement.Steps(figure=figure, strength=steps):
            return f"The {_who(state, figure)} may move up to {steps}: lift the figure, or leave it at that."
        case damage.Hurt(figure=figure, damage=points):
            return f"The {_who(state, figure)} is dealt {points} damage: use a card against it, or take it."
        case damage.StrikeBack(figure=figure, enemy=enemy):
            by = token_name(state, public_id(enemy))
            return f"The {_who(state, figure)} may answer the attack of the {by}."
        case damage.PartingBlow(enemy=enemy):
            return f"Whom does the last blow of the {token_name(state, public_id(enemy))} hit?"
        case plans.Sort(figure=figure, cards=cards):
            return f"The {_who(state, figure)} sorts the planning cards just drawn: {_cards(len(cards))} to go."
        case turn.EventPhase():
            return "Several zones have reached their limit: choose the one to resolve next."
        case turn.Crisis():
            return "A crisis is due: use a card against it, or let it happen."
        case enemies.Enlist():
            return "More enemies could act than the card says: choose the next one."
        case enemies.March(enemy=enemy):
            return f"There are several ways for the {told_apart(state, public_id(enemy))}: choose where it goes."
        case enemies.Strike(enemy=enemy):
            return f"Whom does the {told_apart(state, public_id(enemy))} attack?"
        case enemies.Reinforce():
            return "A reinforcement arrives: choose the spawn space."
        case zones.DisruptZone(where=where):
            return f"Several zones are the {where}: choose the one to disrupt."
        case zones.ClearZone():
            return "Choose the zone to empty."
        case child.Flee():
            return "The child runs away: choose where to."
        case child.Capture():
            return "Choose the enemy that takes the child."
        case child.Rescue(figure=figure):
            return f"The {_who(state, figure)} has come past the child: rescue it, or leave it there."
        case aiming.Split(figure=figure, points=points):
            return f"The {_who(state, figure)} may share {points} more damage among threats in range."
        case aiming.Aim(figure=figure, damage=points):
            return f"The {_who(state, figure)} may deal {points} damage to one threat in range."
        case aiming.Jam(figure=figure):
            return f"The {_who(state, figure)} may disrupt an enemy in range."
        case aiming.Peek(figure=figure):
            return f"The {_who(state, figure)} may look at a face-down threat in range."
        case aiming.Shove(figure=figure, steps=steps):
            return f"The {_who(state, figure)} may push an enemy up to {steps}."
        case aiming.Mend(figure=figure):
            return f"The {_who(state, figure)} may heal a character in range."
        case _:
            return f"{scenario.title} goes on."


def _action_phase(state: State) -> str:
    name, done = _who(state, state.acting), state.used.bit_count()
    if done < ACTIONS and state.figure.hand:
        return f"The {name} lays a skill card on a zone: action {done + 1} of {ACTIONS}."
    return f"The {name} ends the turn, or first does what is free."


def _act(state: State, task: Act) -> str:
    zone, card, name = state.scenario.zones[task.zone], task.card(state), _who(state, state.acting)
    if not task.action:
        return f"The {name} may go on with {zone.name}, or leave it at that."
    match zone.verb:
        case "move":
            return f"The {name} may move up to {card.strength}: lift the figure, or choose to stay."
        case "attack":
            return f"The {name} may deal {card.strength} damage to one threat in range, or decline."
        case "intel":
            return f"The {name} may look at a face-down threat or push an enemy within range {card.strength}."
        case "plan":
            return f"The {name} may draw {_cards(card.strength, 'planning card')}, or decline."
        case _:
            return f"The {name} may use {zone.name} with {card.strength}, or decline."


def describe(state: State, action: Action) -> str:
    """An action as words for a button or a log. What nobody else may know is not in them (M-PLAN-1: what is topped)."""
    return " ".join(_described(state, action)) or action.verb.capitalize()


def _described(state: State, action: Action) -> Iterator[str]:
    zones_by_id = {zone.id: zone.name for zone in state.scenario.zones}
    cards = {plan.id: plan.name for plan in state.scenario.plans}
    abilities = {card.ability: card.name for card in state.scenario.cards if card.ability}
    match action.verb, [str(arg) for arg in action.args]:
        case "play", [zone, strength, *ability]:
            face = f"{abilities.get(ability[0], ability[0])} ({_strength(strength)})" if ability else f"a {strength}"
            yield f"Lay {face} on {zones_by_id.get(zone, zone)}"
        case "move", [_, *between, end]:
            who = token_name(state, action.hands[0].token) if action.hands else "figure"
            yield f"Move the {who} to {end}"
            if between:
                yield f"by {', '.join(between)}"
        case "move", _:
            yield "Move nowhere, yet end a movement"
        case "decline", [zone]:
            yield _declining(state, zones_by_id.get(zone, zone))
        case ("attack" | "look" | "disrupt" | "enemy") as verb, [token]:
            does = {"attack": "Attack", "look": "Look at", "disrupt": "Disrupt", "enemy": "Choose"}[verb]
            yield f"{does} the {told_apart(state, token)} on {space_of(state, token) or 'no space'}"
        case "push", [token, space]:
            yield f"Push the {told_apart(state, token)} from {space_of(state, token) or 'no space'} to {space}"
        case "enemy_moves", [_, *_, space]:
            yield f"Let it go to {space}"
        case "flee", [_, space]:
            yield f"Let it flee to {space}"
        case "spawn", [space]:
            yield f"Bring it to {space}"
        case ("victim" | "heal" | "pick") as verb, [character]:
            yield f"{ {'victim': 'Choose', 'heal': 'Heal', 'pick': 'Play'}[verb] } the {token_name(state, character)}"
        case ("take" | "deliver") as verb, [token]:
            yield f"{verb.capitalize()} the {told_apart(state, token)}"
        case "use", [card, character]:
            yield f"Use {cards.get(card, card)} of the {token_name(state, character)}"
        case "give", [card, character]:
            yield f"Give {cards.get(card, card)} to the {token_name(state, character)}"
        case ("use" | "keep" | "discard") as verb, [card]:
            yield f"{verb.capitalize()} {cards.get(card, card)}"
        case "ability", [ability]:
            yield f"Use {abilities.get(ability, ability)}"
        case "resolve", [zone]:
            yield f"Use {zones_by_id.get(zone, zone)}"
        case ("zone" | "disrupt_zone" | "clear") as verb, [zone]:
            does = {"zone": "Resolve", "disrupt_zone": "Disrupt", "clear": "Empty"}[verb]
            yield f"{does} {zones_by_id.get(zone, zone)}"
        case "accuse", [seat]:
            yield f"Accuse seat {int(seat) + 1 if seat.isdecimal() else seat}"
        case verb, []:
            yield _PLAIN.get(verb, "")
        case verb, args:
            yield " ".join([verb.capitalize(), *args])


_PLAIN = {
    "top": "Put it back on top",
    "accept": "Let it happen",
    "pass": "Leave it at that",
    "plan": "Draw planning cards",
    "rescue": "Rescue the child",
    "end_turn": "End the turn",
}


def _strength(strength: str) -> str:
    return "tactical" if strength == "0" else strength


def _declining(state: State, zone: str) -> str:
    task = state.agenda[-1] if state.agenda else None
    if isinstance(task, Act) and not task.action:
        return "Leave it at that"
    return "Stay" if movement.strength(state) else f"Decline {zone}"


def _who(state: State, figure: int) -> str:
    return state.scenario.characters[state.figures[figure].character].name


def _cards(number: int, card: str = "card") -> str:
    return f"{number} {card}{'' if number == 1 else 's'}"
