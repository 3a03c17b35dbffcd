"""What the game asks of people, and its choices as words. Public knowledge only, in our own words."""

from __future__ import annotations

from underglow.games.agenda import choices
from underglow.games.contract import Action
from underglow.games.mandalorian import (
    aiming,
    child,
    damage,
    dealing,
    enemies,
    movement,
    phrases,
    plans,
    turn,
    views,
    zones,
)
from underglow.games.mandalorian.action import ACTIONS, Act, ActionPhase
from underglow.games.mandalorian.rules import reason
from underglow.games.mandalorian.sight import space_of, token_name, told_apart
from underglow.games.mandalorian.state import State, public_id
from underglow.games.mandalorian.task import Task
from underglow.languages import Text, say


def prompt(state: State, lifted: tuple[str, ...]) -> Text:
    """What is expected now, in one sentence anybody may read."""
    if state.ended:
        return reason(state)
    carried = {t.token: t for action in choices(state).actions for t in action.hands if t.source is not None}
    for token in lifted:
        if token not in carried and (space := space_of(state, token)):
            return say("Put the {who} back on {space}.", who=token_name(state, token), space=space)
    for token in lifted:
        if token in carried and carried[token].target:
            return say("Set the {who} down on a lit space, or back where it stood.", who=token_name(state, token))
    return _asked(state, state.agenda[-1])


def _asked(state: State, task: Task) -> Text:
    match task:
        case dealing.Pick(figure=figure):
            return say("Seat {n} picks a character.", n=plans.player(state, figure) + 1)
        case ActionPhase():
            return _action_phase(state)
        case Act():
            return _act(state, task)
        case turn.EventPhase():
            return say("Several zones have reached their limit: choose the one to resolve next.")
        case turn.Crisis():
            return say("A crisis is due: use a card against it, or let it happen.")
        case enemies.Enlist():
            return say("More enemies could act than the card says: choose the next one.")
        case enemies.March(enemy=enemy):
            who = told_apart(state, public_id(enemy))
            return say("There are several ways for the {who}: choose where it goes.", who=who)
        case enemies.Strike(enemy=enemy):
            return say("Whom does the {who} attack?", who=told_apart(state, public_id(enemy)))
        case damage.PartingBlow(enemy=enemy):
            return say("Whom does the last blow of the {who} hit?", who=token_name(state, public_id(enemy)))
        case enemies.Reinforce():
            return say("A reinforcement arrives: choose the spawn space.")
        case zones.DisruptZone(where="lowest"):
            return say("Several zones are the lowest: choose the one to disrupt.")
        case zones.DisruptZone():
            return say("Several zones are the highest: choose the one to disrupt.")
        case zones.ClearZone():
            return say("Choose the zone to empty.")
        case child.Flee():
            return say("The child runs away: choose where to.")
        case child.Capture():
            return say("Choose the enemy that takes the child.")
        case _:
            return _asked_of_a_figure(state, task)


def _asked_of_a_figure(state: State, task: Task) -> Text:
    who = _who(state, views.asked(state))
    match task:
        case movement.Steps(strength=steps):
            return say("The {who} may move up to {n}: lift the figure, or leave it at that.", who=who, n=steps)
        case damage.Hurt(damage=points):
            dealt = phrases.damage(points)
            return say("The {who} is dealt {damage}: use a card against it, or take it.", who=who, damage=dealt)
        case damage.StrikeBack(enemy=enemy):
            by = token_name(state, public_id(enemy))
            return say("The {who} may answer the attack of the {enemy}.", who=who, enemy=by)
        case plans.Sort(cards=cards):
            left = phrases.cards(len(cards))
            return say("The {who} sorts the planning cards just drawn: {cards} to go.", who=who, cards=left)
        case child.Rescue():
            return say("The {who} has come past the child: rescue it, or leave it there.", who=who)
        case aiming.Split(points=points):
            return say("The {who} may share {n} more damage among threats in range.", who=who, n=points)
        case aiming.Aim(damage=points):
            dealt = phrases.damage(points)
            return say("The {who} may deal {damage} to one threat in range.", who=who, damage=dealt)
        case aiming.Jam():
            return say("The {who} may disrupt an enemy in range.", who=who)
        case aiming.Peek():
            return say("The {who} may look at a face-down threat in range.", who=who)
        case aiming.Shove(steps=steps):
            return say("The {who} may push an enemy up to {n}.", who=who, n=steps)
        case aiming.Mend():
            return say("The {who} may heal a character in range.", who=who)
        case _:
            return say("{title} goes on.", title=state.scenario.title)


def _action_phase(state: State) -> Text:
    who, done = _who(state, state.acting), state.used.bit_count()
    if done < ACTIONS and state.figure.hand:
        return say("The {who} lays a skill card on a zone: action {n} of {most}.", who=who, n=done + 1, most=ACTIONS)
    return say("The {who} ends the turn, or first does what is free.", who=who)


def _act(state: State, task: Act) -> Text:
    zone, card, who = state.scenario.zones[task.zone], task.card(state), _who(state, state.acting)
    if not task.action:
        return say("The {who} may go on with {zone}, or leave it at that.", who=who, zone=zone.name)
    match zone.verb:
        case "move":
            return say("The {who} may move up to {n}: lift the figure, or choose to stay.", who=who, n=card.strength)
        case "attack":
            dealt = phrases.damage(card.strength)
            return say("The {who} may deal {damage} to one threat in range, or decline.", who=who, damage=dealt)
        case "intel":
            far = card.strength
            return say("The {who} may look at a face-down threat or push an enemy within range {n}.", who=who, n=far)
        case "plan":
            cards = phrases.planning_cards(card.strength)
            return say("The {who} may draw {cards}, or decline.", who=who, cards=cards)
        case _:
            strength = card.strength
            return say("The {who} may use {zone} with {n}, or decline.", who=who, zone=zone.name, n=strength)


def describe(state: State, action: Action) -> Text:
    """An action as words for a button or a log. What nobody else may know is not in them (M-PLAN-1: what is topped)."""
    match action.verb, [str(arg) for arg in action.args]:
        case "play", [zone, strength]:
            return say("Lay a {strength} on {zone}", strength=strength, zone=_zone(state, zone))
        case "play", [zone, strength, ability]:
            return say("Lay {card} on {zone}", card=_face(state, strength, ability), zone=_zone(state, zone))
        case "move", [_, end]:
            return say("Move the {who} to {space}", who=_moving(state, action), space=end)
        case "move", [_, *between, end]:
            way = ", ".join(between)
            return say("Move the {who} to {space} by {way}", who=_moving(state, action), space=end, way=way)
        case "move", _:
            return say("Move nowhere, yet end a movement")
        case "decline", [zone]:
            return _declining(state, zone)
        case "attack", [token]:
            return say("Attack the {who} on {space}", who=told_apart(state, token), space=_where(state, token))
        case "look", [token]:
            return say("Look at the {who} on {space}", who=told_apart(state, token), space=_where(state, token))
        case "disrupt", [token]:
            return say("Disrupt the {who} on {space}", who=told_apart(state, token), space=_where(state, token))
        case "enemy", [token]:
            return say("Choose the {who} on {space}", who=told_apart(state, token), space=_where(state, token))
        case "push", [token, space]:
            start, who = _where(state, token), told_apart(state, token)
            return say("Push the {who} from {start} to {space}", who=who, start=start, space=space)
        case "enemy_moves", [_, *_, space]:
            return say("Let it go to {space}", space=space)
        case "flee", [_, space]:
            return say("Let it flee to {space}", space=space)
        case "spawn", [space]:
            return say("Bring it to {space}", space=space)
        case "victim", [character]:
            return say("Choose the {who}", who=token_name(state, character))
        case "heal", [character]:
            return say("Heal the {who}", who=token_name(state, character))
        case "pick", [character]:
            return say("Play the {who}", who=token_name(state, character))
        case "take", [token]:
            return say("Take the {item}", item=told_apart(state, token))
        case "deliver", [token]:
            return say("Deliver the {item}", item=told_apart(state, token))
        case "use", [card, character]:
            return say("Use {card} of the {who}", card=_card(state, card), who=token_name(state, character))
        case "give", [card, character]:
            return say("Give {card} to the {who}", card=_card(state, card), who=token_name(state, character))
        case "use", [card]:
            return say("Use {card}", card=_card(state, card))
        case "keep", [card]:
            return say("Keep {card}", card=_card(state, card))
        case "discard", [card]:
            return say("Discard {card}", card=_card(state, card))
        case "ability", [ability]:
            return say("Use {ability}", ability=_ability(state, ability))
        case "resolve", [zone]:
            return say("Use {zone}", zone=_zone(state, zone))
        case "zone", [zone]:
            return say("Resolve {zone}", zone=_zone(state, zone))
        case "disrupt_zone", [zone]:
            return say("Disrupt {zone}", zone=_zone(state, zone))
        case "clear", [zone]:
            return say("Empty {zone}", zone=_zone(state, zone))
        case "accuse", [seat]:
            return say("Accuse seat {n}", n=int(seat) + 1 if seat.isdecimal() else seat)
        case verb, []:
            return _PLAIN.get(verb, Text(verb.capitalize()))
        case verb, args:
            return Text(" ".join([verb.capitalize(), *args]))


_PLAIN = {
    "top": say("Put it back on top"),
    "accept": say("Let it happen"),
    "pass": say("Leave it at that"),
    "plan": say("Draw planning cards"),
    "rescue": say("Rescue the child"),
    "end_turn": say("End the turn"),
}


def _declining(state: State, zone: str) -> Text:
    task = state.agenda[-1] if state.agenda else None
    if isinstance(task, Act) and not task.action:
        return say("Leave it at that")
    return say("Stay") if movement.strength(state) else say("Decline {zone}", zone=_zone(state, zone))


def _face(state: State, strength: str, ability: str) -> Text:
    name = _ability(state, ability)
    if strength == "0":
        return say("{ability} (tactical)", ability=name)
    return say("{ability} ({strength})", ability=name, strength=strength)


def _moving(state: State, action: Action) -> Text:
    return token_name(state, action.hands[0].token) if action.hands else say("figure")


def _where(state: State, token: str) -> str:
    return space_of(state, token) or "?"


def _who(state: State, figure: int) -> Text:
    return state.scenario.characters[state.figures[figure].character].name


def _zone(state: State, zone: str) -> Text:
    return next((known.name for known in state.scenario.zones if known.id == zone), Text(zone))


def _card(state: State, card: str) -> Text:
    return next((plan.name for plan in state.scenario.plans if plan.id == card), Text(card))


def _ability(state: State, ability: str) -> Text:
    return next((card.name for card in state.scenario.cards if card.ability == ability), Text(ability))
