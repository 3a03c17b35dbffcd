"""What the game asks of people, and its choices as words. Public knowledge only, in our own words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from underglow.games.agenda import choices
from underglow.games.contract import Action, Transfer
from underglow.games.labyrinth import building, dealing, dice, effects, fighting, golem, hurting, moving, rules, traps
from underglow.games.labyrinth import phrases as part
from underglow.games.labyrinth.draft import others_at
from underglow.games.labyrinth.phrases import COMPASS, every, lying, the, who
from underglow.games.labyrinth.scenario import LANES, NONE
from underglow.games.labyrinth.sight import corridor_name, layout, the_token, token_name
from underglow.games.labyrinth.state import State
from underglow.games.labyrinth.task import Task
from underglow.games.labyrinth.turn import Turn, free_step
from underglow.languages import Text, capital, say


def prompt(state: State, lifted: tuple[str, ...]) -> Text:
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
            return _back(the_token(state, token), places)
    for token in lifted:
        if token in carried:
            name = the_token(state, token)
            if any(transfer.target for transfer in carried[token]):
                return say("Set {token} down on a lit space, or back where it stood.", token=name)
            return say("Keep {token} off the board to take it, or put it back where it lay.", token=name)
    return _asked(state, state.agenda[-1])


def _back(token: Text, places: list[str]) -> Text:
    """A token has to be put back on a space, at an edge of one, or wherever of several it was."""
    space, dot, edge = places[0].partition(".e")
    if len(places) > 1:
        return say("Put {token} back where it was.", token=token)
    if dot:
        return say("Put {token} back at the {edge} edge of {space}.", token=token, edge=COMPASS[int(edge)], space=space)
    return say("Put {token} back on {space}.", token=token, space=space)


def _asked(state: State, task: Task) -> Text:
    scenario, active = state.scenario, who(state, state.seat)
    match task:
        case dealing.Pick(seat=seat):
            return say("{who:capital} picks a character.", who=who(state, seat))
        case dealing.First(among=among, rolls=rolls):
            first = who(state, among[len(rolls)])
            return say("{who:capital} rolls for who begins: what do the dice show?", who=first)
        case Turn():
            return _turn(state)
        case building.Draw():
            return say("{who:capital} draws a tile: which one is it?", who=active)
        case building.Lay(kind=kind):
            return say("{who:capital} lays {tile} on a lit space.", who=active, tile=the(scenario.tiles[kind].name))
        case building.Face(hex_=hex_, kind=kind):
            return say(
                "{who:capital} turns {tile} on {space}: which way shall it lie?",
                who=active,
                tile=the(scenario.tiles[kind].name),
                space=scenario.spaces[hex_],
            )
        case building.TurnTile():
            return say("{who:capital} turns a tile on which nothing lies and nobody stands: choose one.", who=active)
        case dice.Test():
            return _test(state, task)
        case traps.Series(seat=seat, trap=trap, failures=0):
            return say(
                "{who:capital} has failed no roll against {trap}: roll them all again with the crystal, or leave it.",
                who=who(state, seat),
                trap=scenario.traps[trap].name,
            )
        case traps.Series(seat=seat, trap=trap, failures=failures):
            return say(
                "{who:capital} has failed {rolls} against {trap}: roll them all again with the crystal, or suffer it.",
                who=who(state, seat),
                rolls=part.rolls(failures),
                trap=scenario.traps[trap].name,
            )
        case fighting.Fight():
            return _fight(state, task)
        case fighting.Meet(seat=seat, of=of):
            rivals = [who(state, other) for other in (others_at(state, of) if seat == of else (of,))]
            return say("{who:capital} has met {rivals}: is there a fight?", who=who(state, seat), rivals=every(rivals))
        case golem.Walk(steps=steps):
            return say("{who:capital} says where the Golem goes: {steps} to come.", who=active, steps=part.steps(steps))
        case golem.Appear():
            return say("{who:capital} puts the Golem on a laid tile without a character.", who=active)
        case hurting.BoxItem(seat=seat):
            return say("{who:capital} has to give up an item: which one?", who=who(state, seat))
        case hurting.Die(seat=seat):
            return say("{who:capital} has lost the last life and has to drop something: what?", who=who(state, seat))
        case moving.Shift(seat=seat, of=of):
            return say("{who:capital} says where {other} is moved.", who=who(state, seat), other=who(state, of))
        case effects.Either(seat=seat):
            return say("{who:capital} chooses what to suffer.", who=who(state, seat))
        case traps.Reveal():
            return say("{who:capital} turns up a face-down trap: which one?", who=active)
        case traps.PickTrap(kinds=kinds):
            return say(
                "{who:capital} has looked at {traps} and lays one of them.", who=active, traps=part.traps(len(kinds))
            )
        case traps.SetTrap():
            return say("{who:capital} lays a trap face down on a lit space.", who=active)
        case _:
            return say("{title} goes on.", title=scenario.title)


def _turn(state: State) -> Text:
    active, daze, left = who(state, state.seat), state.player.daze, state.actions
    if daze and not left:
        tokens = part.tokens(daze)
        return say("{who:capital} is dazed by {tokens}, with no action left to rest.", who=active, tokens=tokens)
    if daze:
        return say(
            "{who:capital} is dazed by {tokens} and has to rest: {actions} left.",
            who=active,
            tokens=part.tokens(daze),
            actions=part.actions(left),
        )
    match left, free_step(state):
        case 0, True:
            return say(
                "{who:capital} has no actions left and a free step: do what is free, or end the turn.", who=active
            )
        case 0, False:
            return say("{who:capital} has no actions left: do what is free, or end the turn.", who=active)
        case _, True:
            return say(
                "{who:capital} has {actions} and a free step: move the figure, or choose something else.",
                who=active,
                actions=part.actions(left),
            )
        case _:
            return say(
                "{who:capital} has {actions}: move the figure, or choose something else.",
                who=active,
                actions=part.actions(left),
            )


def _test(state: State, test: dice.Test) -> Text:
    roller, need = who(state, test.seat), test.need(state)
    if test.roll:
        return say(
            "{who:capital} came to {total} and needs {need}: roll again with the crystal, or leave it at that.",
            who=roller,
            total=test.total(state),
            need=need,
        )
    if isinstance(test, traps.TrapTest):
        trap = state.scenario.traps[test.trap]
        if test.bonus:
            return say(
                "{who:capital} rolls against {trap} and needs {need} or more in all.",
                who=roller,
                trap=trap.name,
                need=need,
            )
        return say(
            "{who:capital} rolls against {trap}: {need} or more, or else {fail}.",
            who=roller,
            trap=trap.name,
            need=need,
            fail=part.effects(state.scenario, trap.program),
        )
    match test.kind:
        case "jump":
            return say("{who:capital} rolls for the jump and needs {need} or more in all.", who=roller, need=need)
        case "golem":
            return say("{who:capital} rolls against the Golem and needs {need} or more in all.", who=roller, need=need)
        case _:
            return say("{who:capital} rolls and needs {need} or more in all.", who=roller, need=need)


def _fight(state: State, fight: fighting.Fight) -> Text:
    seat = fight.asked(state)
    fighter, rival = who(state, seat), who(state, fight.second if seat == fight.first else fight.first)
    if not (fight.one and fight.two):
        return say("{who:capital} rolls in the fight with {rival}.", who=fighter, rival=rival)
    high, low = sorted(fight.totals(state), reverse=True)
    return say(
        "{who:capital} is behind {rival} by {low} to {high}: roll again with the crystal, or lose a life.",
        who=fighter,
        rival=rival,
        low=low,
        high=high,
    )


def describe(state: State, action: Action) -> Text:
    """An action as words for a button or a log. What nobody else may know is not in them: which trap is laid."""
    args = [str(arg) for arg in action.args]
    match action.verb, args:
        case (("move" | "jump" | "safe_jump" | "set" | "reveal" | "golem_walks" | "golem_appears" | "shift"), [_, _]):
            return _at_corridor(state, action)
        case "pick_character", [character]:
            return say("Play {who}", who=the_token(state, character))
        case "rolled", [roll]:
            return say("The dice show {roll}", roll=roll)
        case "drew", [tile]:
            return say("It is {tile}", tile=the_token(state, tile))
        case "lay", [space]:
            return _laying(state, space)
        case "face", [space, turned]:
            return _facing(state, space, turned)
        case "turn_tile", [space]:
            return say("Turn the tile on {space}", space=space)
        case "attack", rivals if rivals:
            return say("Attack {rivals}", rivals=every([the_token(state, rival) for rival in rivals]))
        case "fight", [rival]:
            return say("Fight {rival}", rival=the_token(state, rival))
        case "keep", [number] if number in _KEEP:
            return _KEEP[number]
        case "pick", [token]:
            return say("Pick up {token}", token=the_token(state, token))
        case "swap", [token, left]:
            return say("Pick up {token} and leave {left}", token=the_token(state, token), left=the_token(state, left))
        case "use", [item]:
            return say("Use {item}", item=the_token(state, item))
        case "ability", [ability]:
            return _ability(state, ability)
        case "choose", [number]:
            return _choice(state, number)
        case "drop", [token]:
            return say("Drop {token}", token=the_token(state, token))
        case "box", [item]:
            return say("Give up {item}", item=the_token(state, item))
        case verb, [] if verb in _PLAIN:
            return _PLAIN[verb]
        case verb, args:
            return capital(Text(" ".join([verb.replace("_", " "), *args])))


_KEEP: Mapping[str, Text] = MappingProxyType(
    {
        "1": say("Lay the first trap drawn"),
        "2": say("Lay the second trap drawn"),
        "3": say("Lay the third trap drawn"),
        "4": say("Lay the fourth trap drawn"),
    }
)

_PLAIN: Mapping[str, Text] = MappingProxyType(
    {
        "build": say("Build (1 action)"),
        "trap": say("Set a trap (1 action)"),
        "golem": say("Draw a Golem card (1 action)"),
        "event": say("Play an event (1 action)"),
        "rest": say("Rest (1 action)"),
        "crystal": say("Light up the crystal (2 actions)"),
        "put_back": say("Put it back under the pile"),
        "roll": say("Roll the dice"),
        "repeat": say("Roll again with the crystal"),
        "accept": say("Leave it at that"),
        "pass": say("Do not fight"),
        "end_turn": say("End the turn"),
    }
)


def _at_corridor(state: State, action: Action) -> Text:
    """A choice of a corridor."""
    space, lane = str(action.args[0]), str(action.args[1])
    place = _place(state, space, lane)
    there = corridor_name(state, place) if place != NONE else f"{space} ({lane})"
    up = place != NONE and state.maze.is_bridge(place)
    match action.verb:
        case "jump" if up:
            return say("Jump up to {corridor} at a risk (1 action)", corridor=there)
        case "jump":
            return say("Jump down to {corridor} at a risk (1 action)", corridor=there)
        case "safe_jump" if up:
            return say("Climb up to {corridor} without risk (2 actions)", corridor=there)
        case "safe_jump":
            return say("Climb down to {corridor} without risk (2 actions)", corridor=there)
        case "set":
            return say("Lay the trap on {corridor}", corridor=there)
        case "reveal":
            return say("Turn up the trap on {corridor}", corridor=there)
        case "golem_walks":
            return say("Have the Golem walk to {corridor}", corridor=there)
        case "golem_appears":
            return say("Put the Golem on {corridor}", corridor=there)
        case _:
            figure = token_name(state, action.hands[0].token) if action.hands else say("figure")
            return say("Move {figure} to {corridor}", figure=the(figure), corridor=there)


def _place(state: State, space: str, lane: str) -> int:
    """The place of a corridor by its space and number; NONE: there is no such corridor."""
    spaces = state.scenario.spaces
    if space not in spaces or not lane.isdecimal():
        return NONE
    hex_ = spaces.index(space)
    place = hex_ * LANES + int(lane)
    return place if place in state.maze.places(hex_) else NONE


def _laying(state: State, space: str) -> Text:
    task = state.agenda[-1] if state.agenda else None
    if isinstance(task, building.Lay):
        return say("Lay {tile} on {space}", tile=the(state.scenario.tiles[task.kind].name), space=space)
    return say("Lay a tile on {space}", space=space)


def _facing(state: State, space: str, turned: str) -> Text:
    task = state.agenda[-1] if state.agenda else None
    if isinstance(task, building.Face) and turned.isdecimal():
        tile = state.scenario.tiles[task.kind]
        if int(turned) < tile.turns:
            return say("Turn it so that {lying}", lying=lying(tile, int(turned)))
    return say("Turn the tile on {space} by {turned}", space=space, turned=turned)


def _ability(state: State, id_: str) -> Text:
    known = (ability for character in state.scenario.characters for ability in character.abilities)
    ability = next((ability for ability in known if ability.id == id_), None)
    if ability is None:
        return say("Use {ability}", ability=id_)
    match ability.cost, ability.crystal:
        case 0, False:
            return say("Use {ability}", ability=ability.name)
        case 0, True:
            return say("Use {ability} (the crystal goes dark)", ability=ability.name)
        case cost, False:
            return say("Use {ability} ({actions})", ability=ability.name, actions=part.actions(cost))
        case cost, _:
            return say(
                "Use {ability} ({actions}, the crystal goes dark)", ability=ability.name, actions=part.actions(cost)
            )


def _choice(state: State, number: str) -> Text:
    task = state.agenda[-1] if state.agenda else None
    programs = task.programs if isinstance(task, effects.Either) else ()
    if number.isdecimal() and 0 < int(number) <= len(programs):
        return capital(part.effects(state.scenario, programs[int(number) - 1]))
    return say("Choose {number}", number=number)
