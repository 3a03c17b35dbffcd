"""What a seat sees of Labyrinth: the map as it lies, and secrets only if they are its own."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, cast

import pytest

from underglow import games
from underglow.games import labyrinth
from underglow.games.labyrinth.building import Face, Lay
from underglow.games.labyrinth.scenario import LANES, NONE, Scenario
from underglow.games.labyrinth.state import ABILITY, Lying, State, Trap
from underglow.games.labyrinth.task import Task
from underglow.games.labyrinth.traps import PickTrap, SetTrap
from underglow.rng import Rng


@cache
def glass_warren() -> Scenario:
    return labyrinth.load(games.scenario_path("labyrinth", "glass-warren"))


@cache
def begun() -> State:
    state = labyrinth.setup(glass_warren(), 2, Rng(1))
    while (legal := labyrinth.legal(state))[0].verb == "pick_character":
        state, _ = labyrinth.step(state, legal[0])
    return state


def view(state: State, seat: int | None = None) -> dict[str, Any]:
    return cast("dict[str, Any]", labyrinth.view(state, seat))


def asking(task: Task) -> State:
    return replace(begun(), agenda=(*begun().agenda, task))


def tile(name: str) -> int:
    return [known.id for known in glass_warren().tiles].index(name)


def hex_(space: str) -> int:
    return glass_warren().spaces.index(space)


def test_the_map_says_where_each_corridor_of_a_laid_tile_leads() -> None:
    state = replace(begun(), maze=begun().maze.with_tile(hex_("b3"), tile("underpass"), 2))
    (laid,) = [laid for laid in view(state)["maze"] if laid["space"] == "b3"]
    assert laid == {
        "space": "b3",
        "tile": "underpass",
        "turned": 2,
        "corridors": [
            {"lane": 0, "edges": [2, 5], "bridge": True},
            {"lane": 1, "edges": [0, 3], "bridge": False},
        ],
    }
    assert "b3" not in view(state)["open"]
    assert "b3" in view(begun())["open"]
    assert [(start["space"], start["seat"]) for start in view(state)["starts"]][:4] == [
        ("s1", 0),
        ("s2", None),
        ("s3", None),
        ("s4", 1),
    ]


def test_a_drawn_tile_is_seen_by_all_and_lies_where_it_is_laid() -> None:
    lay, face = view(asking(Lay(tile("bend")))), view(asking(Face(hex_("b3"), tile("bend"), NONE)))
    assert (lay["pending"], lay["drawn"]["tile"], lay["drawn"]["space"]) == ("Lay", "bend", None)
    assert (face["pending"], face["drawn"]["space"]) == ("Face", "b3")
    assert (view(begun())["pending"], view(begun())["drawn"]) == (None, None)


def test_each_token_has_an_entry_wherever_it_lies() -> None:
    rope = [item.id for item in glass_warren().items].index("rope")
    places = [hex_("c6") * LANES, hex_("f5") * LANES]
    state = replace(
        begun(),
        lying=tuple(Lying(place, rope) for place in places),
        traps=tuple(Trap(place, 0, up=place == places[1], known=0) for place in places),
    )
    entries = [(t["id"], t["space"], t.get("corridor"), t["face"]) for t in view(state)["tokens"]]
    assert {entry for entry in entries if entry[0] == "rope"} == {("rope", "c6", 0, "up"), ("rope", "f5", 0, "up")}
    assert {entry for entry in entries if entry[0] == "trap"} == {("trap", "c6", 0, "down")}
    first = glass_warren().traps[0].id
    assert ("golem", "d4", 0, "up") in entries
    assert (first, "f5", 0, "up") in entries
    assert ("catwalk", None, None, "up") in entries


@pytest.mark.parametrize("task", [PickTrap((3, 7)), SetTrap(3)])
def test_L_TRAP_G1_only_who_looks_at_a_drawn_trap_sees_it(task: PickTrap | SetTrap) -> None:
    state = asking(task)
    kinds = task.kinds if isinstance(task, PickTrap) else (task.kind,)
    hand = view(state, state.seat)["seats"][state.seat]["hand"]
    assert [card["name"] for card in hand] == [glass_warren().traps[kind].name for kind in kinds]
    for seat in (None, 1 - state.seat):
        rows = view(state, seat)["seats"]
        assert "hand" not in rows[state.seat]
        assert [row.get("hand") for row in rows if "hand" in row] == ([[]] if seat is not None else [])
    assert view(asking(SetTrap(NONE)), state.seat)["seats"][state.seat]["hand"] == []


def test_a_face_down_trap_is_known_to_who_laid_it_after_a_look() -> None:
    state = replace(begun(), traps=(Trap(hex_("c6") * LANES, 2, up=False, known=0b10),))
    assert view(state, 1)["peeks"] == [{"space": "c6", "corridor": 0, "name": glass_warren().traps[2].name}]
    assert view(state, 0)["peeks"] == []
    assert "peeks" not in view(state)


def test_a_seat_s_row_says_what_its_character_has_and_has_done() -> None:
    state = begun()
    players = list(state.players)
    players[state.seat] = players[state.seat]._replace(lives=3, daze=2, crystal=False, items=(0, 4))
    changed = replace(state, players=tuple(players), keys=(-1 - state.seat, *state.keys[1:]), used=ABILITY)
    row = view(changed)["seats"][state.seat]
    assert (row["health"], row["damage"], row["daze"], row["crystal"], row["cards"]) == (4, 1, 2, False, 2)
    assert row["keys"] == [{"id": "key1", "name": "key of s1"}]
    assert [item["id"] for item in row["items"]] == [glass_warren().items[0].id, glass_warren().items[4].id]
    assert row["abilities"][0]["used"] is True
    assert view(state)["seats"][state.seat]["abilities"][0]["used"] is False
    assert view(changed)["seats"][1 - state.seat]["damage"] == 0
