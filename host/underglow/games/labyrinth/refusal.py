"""Why an action is not legal now, in one sentence for the people at the table."""

from __future__ import annotations

from underglow.games.agenda import choices
from underglow.games.contract import Action, Transfer
from underglow.games.labyrinth import building, dealing, fighting, golem, moving, traps, turn
from underglow.games.labyrinth import phrases as part
from underglow.games.labyrinth.dice import Test
from underglow.games.labyrinth.draft import character, trap_at
from underglow.games.labyrinth.hurting import key_token
from underglow.games.labyrinth.phrases import the, who
from underglow.games.labyrinth.scenario import LANES, NONE, Item
from underglow.games.labyrinth.sight import corridor_name, tokens
from underglow.games.labyrinth.state import ABILITY, EVENT, GOLEM, State
from underglow.languages import SILENCE, Text, counted, say

LATER = say("Something else is to be chosen first.")
COSTS = {
    **dict.fromkeys(("build", "move", "rest", "jump", "attack", "trap", "golem", "event"), 1),
    "safe_jump": turn.SAFE,
    "crystal": turn.WAKE,
}


def refusal(state: State, action: Action) -> Text:
    """Say what stands against an action that is not in `legal(state)`."""
    if state.ended:
        return say("The game is over.")
    task, verb = state.agenda[-1], action.verb
    if action.seat != _asked(state):
        if verb == "repeat":
            return say("A crystal repeats its own character's rolls only.")
        if isinstance(task, turn.Turn):
            return say("It is {who}'s turn.", who=who(state, state.seat))
        return say("It is {who} that is asked now.", who=who(state, _asked(state)))
    if any((offered.verb, offered.args) == (verb, action.args) for offered in choices(state).actions):
        return say("That may be chosen, yet other tokens are moved by it.")
    match task:
        case turn.Turn():
            return _in_turn(state, action)
        case dealing.Pick() if verb == "pick_character":
            return say("That character is somebody else's already, or not in this scenario.")
        case building.Lay() if verb == "lay":
            return _lay(state, str(action.args[0]) if action.args else "")
        case building.Lay() if verb == "put_back":
            return say("A tile that was drawn has to be laid.")
        case building.Face(hex_=hex_):
            there = state.scenario.spaces[hex_]
            return say(
                "First comes the tile on {space}: it can lie in any way that differs from how it lay.", space=there
            )
        case traps.SetTrap() if verb == "set":
            return _set(state, _place(state, action))
        case Test() | fighting.Fight():
            return _at_dice(state, action)
        case golem.Walk() if verb == "golem_walks":
            return say("The Golem cannot go there now.")
        case moving.Shift() if verb == "shift":
            return say("It can be moved only to a corridor beside its own.")
        case _:
            return LATER


def refuse(state: State, stray: Transfer) -> Text:
    """Say why hands must not have done that; "" for what has no rule of its own."""
    known = tokens(state).get(stray.token)
    if state.ended or known is None or isinstance(state.agenda[-1], dealing.Pick):
        return SILENCE
    return _stray(state, stray, known.kind)


def _asked(state: State) -> int:
    """The seat that is to choose."""
    return choices(state).actions[0].seat


def _place(state: State, action: Action) -> int:
    """The place that an action's arguments name; NONE: there is no such corridor."""
    match action.args:
        case [str(space), int(lane)] if space in state.scenario.spaces:
            hex_ = state.scenario.spaces.index(space)
            place = hex_ * LANES + lane
            return place if place in state.maze.places(hex_) else NONE
        case _:
            return NONE


# ── in a turn ──


def _in_turn(state: State, action: Action) -> Text:
    verb, active, player, left = action.verb, who(state, state.seat), state.player, state.actions
    if player.daze and verb != "rest":
        return say("{who:capital} is dazed: the first thing is to rest until no daze token is left.", who=active)
    if left < COSTS.get(verb, 0) and not (verb == "move" and turn.free_step(state)):
        return _too_dear(state, COSTS[verb])
    match verb:
        case "move":
            return _move(state, _place(state, action))
        case "jump" | "safe_jump":
            return _jump(state)
        case "rest":
            return say("{who:capital} is not dazed and needs no rest.", who=active)
        case "build" if not state.pile:
            return say("No tile is left to lay.")
        case "build":
            return say("There is no space left for a tile.")
        case "trap" if not state.pool:
            return say("No trap is left to set.")
        case "trap":
            return say("There is no corridor left for a trap.")
        case "golem" if state.used & GOLEM:
            return say("One Golem card a turn is all there is.")
        case "golem":
            return say("No Golem card is left.")
        case "event" if state.used & EVENT:
            return say("One event a turn is all there is.")
        case "event":
            return say("No event is left.")
        case "crystal":
            return say("{who:capital}'s crystal is lit already.", who=active)
        case "attack":
            return say("{who:capital} can attack only who stands on the same corridor.", who=active)
        case "fight" | "pass":
            return say("A free fight is for when {who} comes to somebody: now it takes an attack.", who=active)
        case "pick" | "swap":
            return _pick(state, action)
        case "use":
            return _use(state, str(action.args[0]) if action.args else "")
        case "ability":
            return _ability(state, str(action.args[0]) if action.args else "")
        case "repeat" | "accept" | "roll" | "rolled":
            return say("There is no roll to make or to repeat now.")
        case "set":
            return say("First {who} chooses to set a trap, which costs an action.", who=active)
        case "lay" | "face" | "drew" | "put_back":
            return say("First {who} chooses to build, which costs an action.", who=active)
        case "golem_walks" | "golem_appears":
            return say("The Golem moves only as its cards say.")
        case "end_turn":
            return counted(
                "{who:capital} has to spend {n} action more before the turn ends.",
                "{who:capital} has to spend {n} actions more before the turn ends.",
                left,
                who=active,
            )
        case _:
            return say("{who:capital} cannot do that now.", who=active)


def _too_dear(state: State, cost: int) -> Text:
    active, left, price = who(state, state.seat), state.actions, part.actions(cost)
    if not left:
        return say("That costs {actions}, and {who} has none left.", actions=price, who=active)
    return say("That costs {actions}, and {who} has {left} left.", actions=price, who=active, left=left)


def _move(state: State, place: int) -> Text:
    active, here = who(state, state.seat), state.player.place
    if place == NONE:
        return say("No corridor is there yet.")
    if place == here:
        return say("{who:capital} stands there already.", who=active)
    source, target = corridor_name(state, here), corridor_name(state, place)
    if place in state.maze.jumps(here):
        return say("Only a jump leads {who} from {source} to {target}.", who=active, source=source, target=target)
    return say("No corridor leads from {source} to {target}.", source=source, target=target)


def _jump(state: State) -> Text:
    if not state.maze.jumps(state.player.place):
        return say("{who:capital} stands neither on a bridge nor under one.", who=who(state, state.seat))
    return say("A jump leads between a bridge and what lies under it on the same space.")


def _pick(state: State, action: Action) -> Text:
    active, player = who(state, state.seat), state.player
    own = key_token(state.scenario.start_use[state.seats][state.seat])
    token, *left = map(str, action.args) if action.args else ("",)
    if token == own:
        return say("{who:capital} cannot take the key of its own door.", who=active)
    here = [key_token(key) for key, place in enumerate(state.keys) if place == player.place]
    here += [state.scenario.items[lying.item].id for lying in state.lying if lying.place == player.place]
    if token not in here:
        return say("{who:capital} can pick up only what lies on its own corridor.", who=active)
    if not left and len(player.items) >= turn.ITEMS:
        return say("{who:capital} has 2 items: a third is taken only in exchange for one of them.", who=active)
    if left and len(player.items) < turn.ITEMS:
        return say("{who:capital} has room for it and need leave nothing.", who=active)
    return say("{who:capital} can leave only an item that it has, and for another kind.", who=active)


def _held(state: State, seat: int, item: str) -> Item | None:
    """The item a seat's character has by that name."""
    known = state.scenario.items
    return next((known[number] for number in state.players[seat].items if known[number].id == item), None)


def _use(state: State, token: str) -> Text:
    item = _held(state, state.seat, token)
    if item is None:
        return say("{who:capital} has no such item.", who=who(state, state.seat))
    if item.when == "before_test":
        return say("The time to use {item} is before a roll that it helps with.", item=the(item.name))
    if item.when == "held":
        return say("To have {item} is enough: there is nothing to use.", item=the(item.name))
    return say("To use {item} would change nothing now.", item=the(item.name))


def _ability(state: State, id_: str) -> Text:
    active, player = who(state, state.seat), state.player
    for number, known in enumerate(character(state, state.seat).abilities):
        if known.id != id_:
            continue
        ability, left = known.name, state.actions
        if known.program == NONE:
            return say("{ability} works by itself.", ability=ability)
        if state.used & ABILITY << number:
            return say("{ability} has been used in this turn already.", ability=ability)
        if known.cost > left:
            price = part.actions(known.cost)
            if not left:
                return say(
                    "{ability} costs {actions}, and {who} has none left.", ability=ability, actions=price, who=active
                )
            return say(
                "{ability} costs {actions}, and {who} has {left} left.",
                ability=ability,
                actions=price,
                who=active,
                left=left,
            )
        if known.crystal and not player.crystal:
            return say("{ability} takes the crystal, and {who}'s is dark.", ability=ability, who=active)
        return say("{ability} would change nothing now.", ability=ability)
    return say("{who:capital} has no such ability.", who=active)


# ── in the middle of something ──


def _lay(state: State, space: str) -> Text:
    spaces, maze = state.scenario.spaces, state.maze
    hex_ = spaces.index(space) if space in spaces else len(spaces)
    if hex_ >= state.scenario.sockets:
        return say("A tile goes on a space inside the frame.")
    if maze.kind(hex_) != NONE:
        return say("A tile lies on {space} already.", space=space)
    return say("A tile has to touch another or the frame, and on {space} it would not.", space=space)


def _set(state: State, place: int) -> Text:
    if place == NONE:
        return say("No corridor is there yet.")
    if place // LANES == state.scenario.centre or place // LANES >= state.scenario.sockets:
        return say("There are no traps on the centre and on start spaces.")
    there = corridor_name(state, place)
    if trap_at(state, place):
        return say("A trap lies on {corridor} already.", corridor=there)
    return say("Another character stands on {corridor}.", corridor=there)


def _at_dice(state: State, action: Action) -> Text:
    if action.verb == "use":
        if _held(state, action.seat, str(action.args[0]) if action.args else ""):
            return say("That item is of no use for this roll.")
        return say("{who:capital} has no such item.", who=who(state, action.seat))
    if action.verb in ("repeat", "accept"):
        return say("The dice are not down yet.")
    if action.verb in ("roll", "rolled"):
        return say("These dice are down: choose whether to roll them again.")
    return say("First comes the roll of the dice.")


# ── hands ──


def _stray(state: State, stray: Transfer, kind: str) -> Text:
    task, token, target = state.agenda[-1], stray.token, str(stray.target)
    laid = stray.source is None
    match kind:
        case "character":
            return _stray_character(state, token, target)
        case "golem":
            return say("The Golem goes only where a card and who drew it say.")
        case "key" | "item" if not laid:
            if isinstance(task, turn.Turn) and stray.target is None:
                return refusal(state, Action(_asked(state), "pick", (token,)))
            return say("A key or an item leaves the board when it is picked up, and goes nowhere else.")
        case "tile" if not laid:
            return say("A tile that was laid stays where it lies.")
        case "tile" if isinstance(task, building.Lay):
            drawn = state.scenario.tiles[task.kind]
            if token == drawn.id:
                return _lay(state, target)
            return say("The tile that was drawn is {tile}.", tile=the(drawn.name))
        case "tile" if isinstance(task, turn.Turn):
            return refusal(state, Action(_asked(state), "lay"))
        case "trap" if not laid:
            return say("A trap that was set stays where it lies.")
        case "trap" if isinstance(task, traps.SetTrap):
            return _stray_trap(state, target)
        case "trap" if isinstance(task, turn.Turn):
            return refusal(state, Action(_asked(state), "set"))
        case _:
            return SILENCE


def _stray_character(state: State, token: str, target: str) -> Text:
    scenario, task = state.scenario, state.agenda[-1]
    if target not in scenario.spaces:
        return SILENCE
    seat = next(seat for seat, player in enumerate(state.players) if scenario.characters[player.character].id == token)
    hex_ = scenario.spaces.index(target)
    if isinstance(task, moving.Shift) and seat == task.of:
        return say("{who:capital} can be moved only to a corridor that is lit.", who=who(state, seat))
    if not isinstance(task, turn.Turn):
        return LATER
    if seat != state.seat:
        return say("It is not {who} that may move now.", who=who(state, seat))
    if not state.maze.places(hex_):
        return say("No tile lies on {space} yet.", space=target)
    return refusal(state, Action(seat, "move", (target, 0)))


def _stray_trap(state: State, target: str) -> Text:
    """A trap was laid on a space none of whose corridors may have one."""
    scenario = state.scenario
    if target not in scenario.spaces:
        return SILENCE
    return _set(state, next(iter(state.maze.places(scenario.spaces.index(target))), NONE))
