"""Building, moving, laying traps and picking up in Labyrinth by brute force: from the scenario's file and a view alone.

The map is drawn anew from the tiles in the file, each turned as the view says; nothing is shared with the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from underglow.games.contract import Action

Choice: TypeAlias = tuple[str, ...]
Hex: TypeAlias = tuple[int, int]
Corridor: TypeAlias = tuple[str, int]
"""A space and the number of the corridor there."""

OVER = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # q and r over each edge, clockwise from the east
CROSSROADS = [{"edges": [0, 1, 2, 3, 4, 5]}]
HAND = 2  # L-ITEM-1
IN_A_TURN = ("move", "jump", "safe_jump", "pick", "swap")


def meaning(action: Action) -> Choice | None:
    """What an action comes to. None: not covered here."""
    if action.verb in IN_A_TURN:
        return ("turn", action.verb, *map(str, action.args))
    return (action.verb, *map(str, action.args)) if action.verb in ("lay", "face", "set") else None


def choices(document: Mapping[str, Any], view: Mapping[str, Any]) -> set[Choice] | None:
    """Every such choice of the seat whose view this is, when it may choose. None: it is another kind of choice now."""
    match view["pending"]:
        case None:
            return _turn(document, view)
        case "Lay":
            return {("lay", space) for space in _open(document, view)}
        case "Face" if view["drawn"]:
            return {("face", view["drawn"]["space"], str(turn)) for turn in _turns(document, view["drawn"]["tile"])}
        case "SetTrap":
            return {("set", space, str(lane)) for space, lane in _bare(document, view)}
        case _:
            return None


def _turn(document: Mapping[str, Any], view: Mapping[str, Any]) -> set[Choice] | None:
    """The ways to go and what to pick up in a turn (L-ACT-MOVE, L-ACT-RISK, L-ACT-SAFE, L-FREE-PICK, L-FREE-SWAP)."""
    row = next(row for row in view["seats"] if "hand" in row)
    if row["daze"]:
        return set()
    actions = view["actions"]
    if not actions and view["event"] and view["event"]["rule"] == "second_step_free":
        return None  # whether that step has been taken is not in the view
    here = next(_corridor(token) for token in view["tokens"] if token["id"] == row["character"])
    found = set(_picks(document, view, row, here))
    if actions:
        ends = _ends(document, view)
        for (place, edge), corridor in ends.items():
            if corridor == here:
                met = ends.get((_beyond(place, edge), (edge + 3) % 6))
                found |= {("turn", "move", met[0], str(met[1]))} if met else set()
        for verb, cost in (("jump", 1), ("safe_jump", 2)):
            if cost <= actions:
                found |= {("turn", verb, here[0], str(lane)) for lane in _other_level(document, view, here)}
    return found


def _picks(
    document: Mapping[str, Any], view: Mapping[str, Any], row: Mapping[str, Any], here: Corridor
) -> Iterator[Choice]:
    """Keys but that of the own door (L-GOAL-2), and items: in exchange for another if the hand is full."""
    own = "key" + str([start["id"] for start in document["starts"]].index(row["start"]) + 1)
    held = [item["id"] for item in row["items"]]
    for token in view["tokens"]:
        name = token["id"]
        if not token["space"] or token["kind"] not in ("key", "item") or _corridor(token) != here or name == own:
            continue
        if token["kind"] == "key" or len(held) < HAND:
            yield "turn", "pick", name
        else:
            yield from (("turn", "swap", name, old) for old in held if old != name)


def _corridor(token: Mapping[str, Any]) -> Corridor:
    return token["space"], token.get("corridor", 0)


# ── the map ──


def _sockets(document: Mapping[str, Any]) -> dict[str, Hex]:
    """Each socket by its name: letters for rows from the top, numbers along each."""
    radius = document["radius"]
    rows = [[(q, r) for q in range(-radius, radius + 1) if abs(q + r) <= radius] for r in range(-radius, radius + 1)]
    return {f"{chr(ord('a') + i)}{n}": place for i, row in enumerate(rows) for n, place in enumerate(row, start=1)}


def _beyond(place: Hex, edge: int) -> Hex:
    return place[0] + OVER[edge][0], place[1] + OVER[edge][1]


def _corridors(document: Mapping[str, Any], tile: str) -> list[dict[str, Any]]:
    """The corridors of a tile as the file writes them."""
    special = {"centre": document.get("centre", CROSSROADS), "key": document.get("key_tile", CROSSROADS)}
    return special.get(tile) or next(kind["corridors"] for kind in document["tiles"] if kind["id"] == tile)


def _ends(document: Mapping[str, Any], view: Mapping[str, Any]) -> dict[tuple[Hex, int], Corridor]:
    """Each end of a corridor: the hex and edge it lies at, and whose it is."""
    sockets = _sockets(document)
    ends: dict[tuple[Hex, int], Corridor] = {}
    for laid in view["maze"]:
        for lane, corridor in enumerate(_corridors(document, laid["tile"])):
            for edge in corridor["edges"]:
                ends[sockets[laid["space"]], (edge + laid["turned"]) % 6] = (laid["space"], lane)
    for start in document["starts"]:
        q, r = start["beside"]
        ends[_beyond((q, r), start["edge"]), (start["edge"] + 3) % 6] = (start["id"], 0)
    return ends


def _other_level(document: Mapping[str, Any], view: Mapping[str, Any], here: Corridor) -> Iterator[int]:
    """The corridors of the same tile above or below."""
    for laid in view["maze"]:
        if laid["space"] == here[0]:
            levels = [corridor.get("bridge", False) for corridor in _corridors(document, laid["tile"])]
            yield from (lane for lane, bridge in enumerate(levels) if bridge != levels[here[1]])


def _open(document: Mapping[str, Any], view: Mapping[str, Any]) -> Iterator[str]:
    """Empty sockets that touch a tile or the frame (L-BUILD-2)."""
    sockets, taken = _sockets(document), {laid["space"] for laid in view["maze"]}
    full = {sockets[space] for space in taken}
    for space, place in sockets.items():
        around = [_beyond(place, edge) for edge in range(6)]
        touches = any(other in full or other not in sockets.values() for other in around)
        if space not in taken and (touches or not document.get("switches", {}).get("build_must_touch", True)):
            yield space


def _turns(document: Mapping[str, Any], tile: str) -> Iterator[int]:
    """How often a tile can be turned until it looks as it did before, slots and all (L-BUILD-2)."""
    pictures: list[set[tuple[object, ...]]] = []
    for turn in range(6):
        picture: set[tuple[object, ...]] = {
            (
                frozenset((edge + turn) % 6 for edge in corridor["edges"]),
                *(corridor.get(mark, False) for mark in ("bridge", "trap", "item")),
            )
            for corridor in _corridors(document, tile)
        }
        if picture not in pictures:
            yield turn
        pictures.append(picture)


def _bare(document: Mapping[str, Any], view: Mapping[str, Any]) -> Iterator[Corridor]:
    """Corridors of laid tiles but the centre, without a trap and without another's character (L-TRAP-G1 … G4)."""
    own = next(row["character"] for row in view["seats"] if "hand" in row)
    taken = {
        _corridor(token)
        for token in view["tokens"]
        if token["space"] and (token["kind"] == "trap" or (token["kind"] == "character" and token["id"] != own))
    }
    middle = next(space for space, place in _sockets(document).items() if place == (0, 0))
    for laid in view["maze"]:
        for lane in range(len(_corridors(document, laid["tile"]))):
            if laid["space"] != middle and (laid["space"], lane) not in taken:
                yield laid["space"], lane
