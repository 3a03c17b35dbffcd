"""Why an action is not legal now, in one sentence for the people at the table."""

from __future__ import annotations

from underglow.games.agenda import choices
from underglow.games.contract import Action, Transfer
from underglow.games.labyrinth import building, dealing, fighting, golem, moving, traps, turn
from underglow.games.labyrinth.dice import Test
from underglow.games.labyrinth.draft import character, trap_at
from underglow.games.labyrinth.hurting import key_token
from underglow.games.labyrinth.phrases import counted, sentence, who
from underglow.games.labyrinth.scenario import LANES, NONE, Item
from underglow.games.labyrinth.sight import corridor_name, tokens
from underglow.games.labyrinth.state import ABILITY, EVENT, GOLEM, State

LATER = "something else is to be chosen first."
COSTS = {
    **dict.fromkeys(("build", "move", "rest", "jump", "attack", "trap", "golem", "event"), 1),
    "safe_jump": turn.SAFE,
    "crystal": turn.WAKE,
}


def refusal(state: State, action: Action) -> str:
    """Say what stands against an action that is not in `legal(state)`."""
    return sentence(_refusal(state, action))


def refuse(state: State, stray: Transfer) -> str:
    """Say why hands must not have done that; "" for what has no rule of its own."""
    known = tokens(state).get(stray.token)
    if state.ended or known is None or isinstance(state.agenda[-1], dealing.Pick):
        return ""
    return sentence(_stray(state, stray, known.kind))


def _asked(state: State) -> int:
    """The seat that is to choose."""
    return choices(state).actions[0].seat


def _refusal(state: State, action: Action) -> str:
    if state.ended:
        return "the game is over."
    task, verb = state.agenda[-1], action.verb
    if action.seat != _asked(state):
        if verb == "repeat":
            return "a crystal repeats its own character's rolls only."
        if isinstance(task, turn.Turn):
            return f"it is {who(state, state.seat)}'s turn."
        return f"it is {who(state, _asked(state))} that is asked now."
    if any((offered.verb, offered.args) == (verb, action.args) for offered in choices(state).actions):
        return "that may be chosen, yet other tokens are moved by it."
    match task:
        case turn.Turn():
            return _in_turn(state, action)
        case dealing.Pick() if verb == "pick_character":
            return "that character is somebody else's already, or not in this scenario."
        case building.Lay() if verb == "lay":
            return _lay(state, str(action.args[0]) if action.args else "")
        case building.Lay() if verb == "put_back":
            return "a tile that was drawn has to be laid."
        case building.Face(hex_=hex_):
            there = state.scenario.spaces[hex_]
            return f"first comes the tile on {there}: it can lie in any way that differs from how it lay."
        case traps.SetTrap() if verb == "set":
            return _set(state, _place(state, action))
        case Test() | fighting.Fight():
            return _at_dice(state, action)
        case golem.Walk() if verb == "golem_walks":
            return "the Golem cannot go there now."
        case moving.Shift() if verb == "shift":
            return "it can be moved only to a corridor beside its own."
        case _:
            return LATER


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


def _in_turn(state: State, action: Action) -> str:
    verb, name, player, left = action.verb, who(state, state.seat), state.player, state.actions
    if player.daze and verb != "rest":
        return f"{name} is dazed: the first thing is to rest until no daze token is left."
    if left < COSTS.get(verb, 0) and not (verb == "move" and turn.free_step(state)):
        return f"that costs {counted(COSTS[verb], 'action')}, and {name} has {left or 'none'} left."
    match verb:
        case "move":
            return _move(state, _place(state, action))
        case "jump" | "safe_jump":
            return _jump(state)
        case "rest":
            return f"{name} is not dazed and needs no rest."
        case "build":
            return "no tile is left to lay." if not state.pile else "there is no space left for a tile."
        case "trap":
            return "no trap is left to set." if not state.pool else "there is no corridor left for a trap."
        case "golem":
            return _once(state, GOLEM, "Golem card")
        case "event":
            return _once(state, EVENT, "event")
        case "crystal":
            return f"{name}'s crystal is lit already."
        case "attack":
            return f"{name} can attack only who stands on the same corridor."
        case "fight" | "pass":
            return f"a free fight is for when {name} comes to somebody: now it takes an attack."
        case "pick" | "swap":
            return _pick(state, action)
        case "use":
            return _use(state, str(action.args[0]) if action.args else "")
        case "ability":
            return _ability(state, str(action.args[0]) if action.args else "")
        case "repeat" | "accept" | "roll" | "rolled":
            return "there is no roll to make or to repeat now."
        case "set":
            return f"first {name} chooses to set a trap, which costs an action."
        case "lay" | "face" | "drew" | "put_back":
            return f"first {name} chooses to build, which costs an action."
        case "golem_walks" | "golem_appears":
            return "the Golem moves only as its cards say."
        case "end_turn":
            return f"{name} has to spend {counted(left, 'action')} more before the turn ends."
        case _:
            return f"{name} cannot do that now."


def _once(state: State, bit: int, card: str) -> str:
    return f"one {card} a turn is all there is." if state.used & bit else f"no {card} is left."


def _move(state: State, place: int) -> str:
    name, here = who(state, state.seat), state.player.place
    if place == NONE:
        return "no corridor is there yet."
    if place == here:
        return f"{name} stands there already."
    if place in state.maze.jumps(here):
        return f"only a jump leads {name} from {corridor_name(state, here)} to {corridor_name(state, place)}."
    return f"no corridor leads from {corridor_name(state, here)} to {corridor_name(state, place)}."


def _jump(state: State) -> str:
    name, here = who(state, state.seat), state.player.place
    if not state.maze.jumps(here):
        return f"{name} stands neither on a bridge nor under one."
    return "a jump leads between a bridge and what lies under it on the same space."


def _pick(state: State, action: Action) -> str:
    name, player = who(state, state.seat), state.player
    own = key_token(state.scenario.start_use[state.seats][state.seat])
    token, *left = map(str, action.args) if action.args else ("",)
    if token == own:
        return f"{name} cannot take the key of its own door."
    here = [key_token(key) for key, place in enumerate(state.keys) if place == player.place]
    here += [state.scenario.items[lying.item].id for lying in state.lying if lying.place == player.place]
    if token not in here:
        return f"{name} can pick up only what lies on its own corridor."
    if not left and len(player.items) >= turn.ITEMS:
        return f"{name} has {counted(len(player.items), 'item')}: a third is taken only in exchange for one of them."
    if left and len(player.items) < turn.ITEMS:
        return f"{name} has room for it and need leave nothing."
    return f"{name} can leave only an item that it has, and for another kind."


def _held(state: State, seat: int, item: str) -> Item | None:
    """The item a seat's character has by that name."""
    known = state.scenario.items
    return next((known[number] for number in state.players[seat].items if known[number].id == item), None)


def _use(state: State, token: str) -> str:
    name, item = who(state, state.seat), _held(state, state.seat, token)
    if item is None:
        return f"{name} has no such item."
    if item.when == "before_test":
        return f"the time to use the {item.name} is before a roll that it helps with."
    if item.when == "held":
        return f"to have the {item.name} is enough: there is nothing to use."
    return f"to use the {item.name} would change nothing now."


def _ability(state: State, ability: str) -> str:
    name, player = who(state, state.seat), state.player
    for number, known in enumerate(character(state, state.seat).abilities):
        if known.id != ability:
            continue
        if known.program == NONE:
            return f"{known.name} works by itself."
        if state.used & ABILITY << number:
            return f"{known.name} has been used in this turn already."
        if known.cost > state.actions:
            return f"{known.name} costs {counted(known.cost, 'action')}, and {name} has {state.actions or 'none'} left."
        if known.crystal and not player.crystal:
            return f"{known.name} takes the crystal, and {name}'s is dark."
        return f"{known.name} would change nothing now."
    return f"{name} has no such ability."


# ── in the middle of something ──


def _lay(state: State, space: str) -> str:
    spaces, maze = state.scenario.spaces, state.maze
    hex_ = spaces.index(space) if space in spaces else len(spaces)
    if hex_ >= state.scenario.sockets:
        return "a tile goes on a space inside the frame."
    if maze.kind(hex_) != NONE:
        return f"a tile lies on {space} already."
    return f"a tile has to touch another or the frame, and on {space} it would not."


def _set(state: State, place: int) -> str:
    if place == NONE:
        return "no corridor is there yet."
    if place // LANES == state.scenario.centre or place // LANES >= state.scenario.sockets:
        return "there are no traps on the centre and on start spaces."
    there = corridor_name(state, place)
    if trap_at(state, place):
        return f"a trap lies on {there} already."
    return f"another character stands on {there}."


def _at_dice(state: State, action: Action) -> str:
    if action.verb == "use":
        if _held(state, action.seat, str(action.args[0]) if action.args else ""):
            return "that item is of no use for this roll."
        return f"{who(state, action.seat)} has no such item."
    if action.verb in ("repeat", "accept"):
        return "the dice are not down yet."
    if action.verb in ("roll", "rolled"):
        return "these dice are down: choose whether to roll them again."
    return "first comes the roll of the dice."


# ── hands ──


def _stray(state: State, stray: Transfer, kind: str) -> str:
    task, token, target = state.agenda[-1], stray.token, str(stray.target)
    laid = stray.source is None
    match kind:
        case "character":
            return _stray_character(state, token, target)
        case "golem":
            return "the Golem goes only where a card and who drew it say."
        case "key" | "item" if not laid:
            if isinstance(task, turn.Turn) and stray.target is None:
                return _refusal(state, Action(_asked(state), "pick", (token,)))
            return "a key or an item leaves the board when it is picked up, and goes nowhere else."
        case "tile" if not laid:
            return "a tile that was laid stays where it lies."
        case "tile" if isinstance(task, building.Lay):
            drawn = state.scenario.tiles[task.kind]
            return _lay(state, target) if token == drawn.id else f"the tile that was drawn is the {drawn.name}."
        case "tile" if isinstance(task, turn.Turn):
            return _refusal(state, Action(_asked(state), "lay"))
        case "trap" if not laid:
            return "a trap that was set stays where it lies."
        case "trap" if isinstance(task, traps.SetTrap):
            return _stray_trap(state, target)
        case "trap" if isinstance(task, turn.Turn):
            return _refusal(state, Action(_asked(state), "set"))
        case _:
            return ""


def _stray_character(state: State, token: str, target: str) -> str:
    scenario, task = state.scenario, state.agenda[-1]
    if target not in scenario.spaces:
        return ""
    seat = next(seat for seat, player in enumerate(state.players) if scenario.characters[player.character].id == token)
    hex_ = scenario.spaces.index(target)
    if isinstance(task, moving.Shift) and seat == task.of:
        return f"{who(state, seat)} can be moved only to a corridor that is lit."
    if not isinstance(task, turn.Turn):
        return LATER
    if seat != state.seat:
        return f"it is not {who(state, seat)} that may move now."
    if not state.maze.places(hex_):
        return f"no tile lies on {target} yet."
    return _refusal(state, Action(seat, "move", (target, 0)))


def _stray_trap(state: State, target: str) -> str:
    """A trap was laid on a space none of whose corridors may have one."""
    scenario = state.scenario
    if target not in scenario.spaces:
        return ""
    return _set(state, next(iter(state.maze.places(scenario.spaces.index(target))), NONE))
