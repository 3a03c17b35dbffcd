"""The view of a seat: what it may know, as JSON values. Built by an allow-list."""

from __future__ import annotations

from collections.abc import Iterator

from underglow.games.agenda import choices
from underglow.games.labyrinth import sight
from underglow.games.labyrinth.building import Face, Lay
from underglow.games.labyrinth.draft import held, start
from underglow.games.labyrinth.hurting import key_token
from underglow.games.labyrinth.maze import TURNS
from underglow.games.labyrinth.scenario import LANES, NONE, UNTIL_SUCCESS, Shape
from underglow.games.labyrinth.state import ABILITY, State
from underglow.games.labyrinth.traps import HIDDEN, PickTrap, SetTrap
from underglow.games.labyrinth.turn import Turn
from underglow.languages import say


def view(state: State, seat: int | None) -> dict[str, object]:
    """What that seat may know (None: the public): the public's, and what is its own.

    Beside the keys of the contract:
    `active` (the seat whose turn it is), `actions` (how many it has left), `pending` (None while it spends them; else
    the kind of choice), `maze` (each laid tile and its corridors: lane and absolute edges), `drawn` (a tile on its way
    there), `facing` (a tile that is being turned: its space, and its corridors in each way that it can lie), `starts`,
    `open` (sockets for the next tile), `pile`, `pool` and `stock` (how many tiles, traps and items are left),
    `golem_deck` and `event_deck` (how many to draw, and the discards), `event`, `round`, `rounds`; and of a seat's own
    `peeks` (traps it has seen that lie face down). A token on a corridor has its lane as `corridor`; one of which there
    are several has an entry for each that lies on the board.
    A seat's `cards` are its items; its `hand`, the traps that it looks at.
    """
    seen: dict[str, object] = {
        "turn": choosing(state),
        "tokens": list(_tokens(state)),
        "zones": [],
        "seats": [_seat(state, number, seat) for number in range(state.seats)],
    }
    seen |= _map(state) | _supplies(state)
    if seat is not None:
        seen["peeks"] = [
            {
                "space": state.scenario.spaces[trap.place // LANES],
                "corridor": trap.place % LANES,
                "name": state.scenario.traps[trap.kind].name,
            }
            for trap in state.traps
            if not trap.up and trap.known >> seat & 1
        ]
    return seen


def choosing(state: State) -> int:
    """The seat that is to choose something now; after the end, the one whose turn it was."""
    return state.seat if state.ended else choices(state).actions[0].seat


def _map(state: State) -> dict[str, object]:
    scenario, maze = state.scenario, state.maze
    task = state.agenda[-1] if state.agenda else None
    used = {start(state, seat): seat for seat in range(state.seats)}
    starts = range(scenario.sockets, len(scenario.spaces))
    drawn = None
    if isinstance(task, Lay) or (isinstance(task, Face) and task.was == NONE):
        tile = scenario.tiles[task.kind]
        lies = scenario.spaces[task.hex_] if isinstance(task, Face) else None
        drawn = {"tile": tile.id, "name": tile.name, "space": lies, "corridors": _corridors(tile.shapes[0])}
    return {
        "active": state.seat,
        "actions": state.actions,
        "pending": None if task is None or isinstance(task, Turn) else type(task).__name__,
        "maze": [
            {
                "space": scenario.spaces[hex_],
                "tile": scenario.tiles[laid // TURNS].id,
                "turned": laid % TURNS,
                "corridors": _corridors(scenario.tiles[laid // TURNS].shapes[laid % TURNS]),
            }
            for hex_, laid in enumerate(maze.laid)
            if laid != NONE
        ],
        "drawn": drawn,
        "facing": _facing(state, task) if isinstance(task, Face) else None,
        "starts": [
            {"space": scenario.spaces[hex_], "edges": list(maze.edges(hex_ * LANES)), "seat": used.get(hex_ * LANES)}
            for hex_ in starts
        ],
        "open": [scenario.spaces[hex_] for hex_ in maze.open],
    }


def _facing(state: State, task: Face) -> dict[str, object]:
    tile = state.scenario.tiles[task.kind]
    ways = [{"turned": turned, "corridors": _corridors(tile.shapes[turned])} for turned in range(tile.turns)]
    return {"space": state.scenario.spaces[task.hex_], "ways": ways}


def _corridors(shape: Shape) -> list[dict[str, object]]:
    return [
        {"lane": lane, "edges": list(edges), "bridge": bridge}
        for lane, (edges, bridge) in enumerate(zip(shape.edges, shape.bridges, strict=True))
    ]


def _supplies(state: State) -> dict[str, object]:
    scenario = state.scenario
    event = scenario.events[state.event] if state.event != NONE else None
    return {
        "pile": len(state.pile),
        "pool": len(state.pool),
        "stock": len(state.stock),
        "golem_deck": {
            "deck": len(state.golem_deck.draw),
            "discard": [scenario.golem_cards[card].name for card in state.golem_deck.discard],
        },
        "event_deck": {
            "deck": len(state.event_deck.draw),
            "discard": [scenario.events[card].name for card in state.event_deck.discard],
        },
        "event": event and {"id": event.id, "name": event.name, "rule": event.rule},
        "round": state.turn // state.seats + 1,
        "rounds": scenario.rounds or None,
    }


def _tokens(state: State) -> Iterator[dict[str, object]]:
    known = sight.tokens(state)
    off = dict.fromkeys(known)
    for token, space, lane in sight.places(state):
        off.pop(token, None)
        yield _token(state, token, space, lane)
    for token in off:
        yield _token(state, token, None, NONE)


def _token(state: State, token: str, space: str | None, lane: int) -> dict[str, object]:
    known = sight.tokens(state)[token]
    face = "down" if token == HIDDEN else "up"
    seen: dict[str, object] = {"id": token, "space": space, "kind": known.kind, "name": known.name, "face": face}
    if lane != NONE:
        seen["corridor"] = lane
    return seen


def _seat(state: State, seat: int, viewer: int | None) -> dict[str, object]:
    """One character, or the seat that has still to pick one."""
    scenario, player = state.scenario, state.players[seat]
    picked = player.character != NONE
    character = scenario.characters[player.character] if picked else None
    keys = held(state, seat)
    spent = state.used if seat == state.seat else 0
    seen: dict[str, object] = {
        "seat": seat,
        "character": character and character.id,
        "name": character.name if character else say("Seat {n}", n=seat + 1),
        "health": scenario.lives,
        "damage": scenario.lives - player.lives,
        "cards": len(player.items),
        "daze": player.daze,
        "crystal": player.crystal,
        "keys": [{"id": key_token(number), "name": sight.token_name(state, key_token(number))} for number in keys],
        "items": [{"id": scenario.items[item].id, "name": scenario.items[item].name} for item in player.items],
        "start": scenario.spaces[start(state, seat) // LANES],
        "abilities": [
            {
                "id": ability.id,
                "name": ability.name,
                "cost": ability.cost,
                "crystal": ability.crystal,
                "used": bool(spent & ABILITY << number),
            }
            for number, ability in enumerate(character.abilities if character else ())
        ],
    }
    if seat == viewer:
        seen["hand"] = [_trap(state, kind) for kind in _looked_at(state, seat)]
    return seen


def _looked_at(state: State, seat: int) -> tuple[int, ...]:
    """The kinds of traps that a seat has drawn and looks at, before it has laid one."""
    match state.agenda[-1] if state.agenda and seat == state.seat else None:
        case PickTrap(kinds=kinds):
            return kinds
        case SetTrap(kind=kind) if kind != NONE:
            return (kind,)
        case _:
            return ()


def _trap(state: State, kind: int) -> dict[str, object]:
    trap = state.scenario.traps[kind]
    rolls = None if trap.rolls == UNTIL_SUCCESS else trap.rolls
    return {"id": trap.id, "name": trap.name, "strength": trap.need, "rolls": rolls, "tactical": False}
