"""Drawing tiles and laying them: where, which way round, and what comes with them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mazes import Scene, arrange, glass_warren, laid, switched

from underglow.games.labyrinth import dealing
from underglow.games.labyrinth.maze import TURNS
from underglow.games.labyrinth.scenario import CENTRE, KEY_TILE, LANES, Scenario
from underglow.rng import Rng

AT_HOME = {"fencer": "s1", "rigger": "s4"}
RING = {"c2", "c5", "d2", "d6", "e2", "e5"}
"""Sockets that lie neither at the frame nor beside the centre."""


def building(*pile: str, scenario: Scenario | None = None) -> Scene:
    """The Fencer is about to build, with these on top of the pile."""
    return Scene(arrange(scenario, at=AT_HOME, pile=pile))


def test_L_ACT_BUILD_the_top_tile_is_drawn_for_all_to_see_and_laid_for_one_action() -> None:
    scene = building("gallery", "bend").do("build")
    assert [(event.kind, event.args, event.reveals) for event in scene.events] == [
        ("drew", ("fencer", "gallery"), True)
    ]
    assert scene.verbs == {"lay"}
    left = len(scene.state.pile)
    scene.do("lay", "d5").do("face", "d5", 1)
    maze, scenario = scene.state.maze, scene.state.scenario
    assert scenario.tiles[maze.kind(scenario.spaces.index("d5"))].id == "gallery"
    assert maze.edges(scenario.spaces.index("d5") * LANES) == (1, 4)
    assert (scene.state.actions, len(scene.state.pile)) == (1, left)
    assert scene.do("build").args("drew")[-1] == ("fencer", "bend")


def test_L_ACT_BUILD_a_tile_gets_the_trap_face_down_and_the_item_it_calls_for_on_that_corridor() -> None:
    state = arrange(at=AT_HOME, pile=["underpass", "catwalk"], pool=["grinder"], stock=["probe"])
    scene = Scene(state).do("build").do("lay", "d5").do("face", "d5", 0)
    assert scene.traps == {"d5.1": "? grinder"}  # under the bridge
    assert scene.args("trap_lies") == [("trap", "d5")]
    scene.do("build").do("lay", "d3").do("face", "d3", 0)
    assert scene.lying == [("d3.0", "probe")]  # up on the bridge
    assert scene.args("item_lies") == [("probe", "d3")]
    assert (scene.traps, scene.state.traps[0].known) == ({"d5.1": "? grinder"}, 0)


def test_L_ACT_BUILD_one_that_calls_for_nothing_gets_nothing() -> None:
    scene = building("three_corners").do("build").do("lay", "d5").do("face", "d5", 0)
    assert (scene.traps, scene.lying) == ({}, [])


def test_L_ACT_BUILD_without_tokens_left_a_tile_is_laid_bare() -> None:
    scene = building("fork", "fork")
    scene.state = replace(scene.state, pool=scene.state.pool[:1], stock=scene.state.stock[:1])
    scene.do("build").do("lay", "d5").do("face", "d5", 0)
    assert (len(scene.traps), len(scene.lying)) == (1, 1)
    scene.do("build").do("lay", "d3").do("face", "d3", 0)
    assert (len(scene.traps), len(scene.lying)) == (1, 1)


def test_L_ACT_BUILD_tiles_drawn_by_hand_are_named_by_who_draws() -> None:
    scene = building("gallery", scenario=switched(tiles="drawn"))
    scene.state = replace(scene.state, pile=(2, 2, 5))  # two galleries and an underpass
    scene.do("build")
    assert scene.offers("drew") == [("gallery",), ("underpass",)]
    scene.refused("drew", "fork")
    scene.do("drew", "underpass")
    assert scene.state.pile == (2, 2)
    assert scene.args("drew") == [("fencer", "underpass")]
    scene.do("lay", "d5").do("face", "d5", 0)
    assert scene.traps.keys() == {"d5.1"}


def test_L_BUILD_1_beside_the_centre_from_the_first_turn_and_far_from_the_own_pawn() -> None:
    state = dealing.setup(glass_warren(), 2, Rng(3))
    scene = Scene(state).do("pick_character", "mason").do("pick_character", "fencer").do("build")
    around_centre = {("d3",), ("d5",), ("c3",), ("c4",), ("e3",), ("e4",)}
    assert around_centre <= set(scene.offers("lay"))
    assert ("g1",) in scene.offers("lay")


def test_L_BUILD_1_ends_of_corridors_need_not_meet() -> None:
    scene = building("alcove").do("build").do("lay", "d5")
    assert len(scene.offers("face")) == 6
    scene.do("face", "d5", 0)  # its one end turns its back on the centre
    scenario = scene.state.scenario
    assert scene.state.maze.near[scenario.spaces.index("d5") * LANES] == ()


@pytest.mark.parametrize("touching", [True, False])
def test_L_BUILD_2_whether_a_tile_must_touch_another_or_the_frame_is_a_switch(touching: bool) -> None:
    scenario = switched(build_must_touch=touching)
    scene = building("gallery", scenario=scenario)
    # the key tiles of Glass Warren touch every socket that neither frame nor centre does: here it has none of them
    scene.state = replace(scene.state, maze=laid(scenario, d4=("centre", 0)))
    scene.do("build")
    free = {str(space) for (space,) in scene.offers("lay")}
    touches = {f"{row}{n}" for row in "ag" for n in range(1, 5)} | {f"{row}{end}" for row in "bf" for end in (1, 5)}
    touches |= {"c1", "c6", "e1", "e6", "d1", "d7", "d3", "d5", "c3", "c4", "e3", "e4"}
    assert touches <= free
    assert free - touches == (set() if touching else {f"{row}{n}" for row in "bf" for n in (2, 3, 4)} | RING)


def test_L_BUILD_2_no_socket_takes_a_second_tile() -> None:
    scene = building("gallery").do("build")
    scene.refused("lay", "d4")
    scene.refused("lay", "a3")
    scene.refused("lay", "s1")


@pytest.mark.parametrize("refusing", [True, False])
def test_L_BUILD_2_whether_the_tile_may_be_refused_is_a_switch(refusing: bool) -> None:
    scene = building("gallery", "bend", scenario=switched(build_may_refuse=refusing)).do("build")
    if not refusing:
        scene.refused("put_back")
        return
    pile = scene.state.pile
    scene.do("put_back")
    gallery = scene.state.scenario.tiles[scene.state.pile[-1]].id
    assert (gallery, scene.state.pile[:-1]) == ("gallery", pile)
    assert scene.args("put_back") == [("gallery",)]
    assert (scene.acting, scene.state.actions) == ("fencer", 1)


def test_L_BUILD_2_a_tile_may_lie_in_every_way_that_differs() -> None:
    ways = {
        "gallery": 3,
        "bend": 6,
        "underpass": 3,
        "catwalk": 3,
        "twin_bends": 6,
        "three_corners": 2,
        "fork": 2,
        "alcove": 6,
    }
    for tile, turns in ways.items():
        scene = building(tile).do("build").do("lay", "d5")
        assert scene.offers("face") == [("d5", turned) for turned in range(turns)], tile
        scene.refused("face", "d5", turns)


def test_L_BUILD_2_without_free_rotation_chance_turns_the_tile() -> None:
    turned: set[int] = set()
    for seed in range(12):
        scene = building("bend", scenario=switched(free_rotation=False))
        scene.state = replace(scene.state, rng=Rng(seed))
        scene.do("build").do("lay", "d5")
        (faced,) = (event for event in scene.events if event.kind == "faced")
        assert faced.chance
        assert "face" not in scene.verbs
        turn = scene.state.maze.laid[scene.state.scenario.spaces.index("d5")] % TURNS
        assert faced.args == ("bend.head", f"d5.e{turn}")
        turned.add(turn)
    assert len(turned) > 3


def test_L_BUILD_3_without_a_tile_in_the_pile_nothing_can_be_built() -> None:
    scene = building()
    scene.state = replace(scene.state, pile=())
    assert "build" not in scene.verbs
    scene.refused("build")


def test_L_TILE_1_tiles_carry_straight_and_bent_corridors_bridges_and_dead_ends() -> None:
    scenario = glass_warren()
    pile = [tile for number, tile in enumerate(scenario.tiles) if number not in (CENTRE, KEY_TILE)]
    corridors = [edges for tile in pile for edges in tile.shapes[0].edges]
    spans = {(edges[-1] - edges[0]) % 6 for edges in corridors if len(edges) == 2}
    assert spans >= {1, 2, 3}
    assert {len(tile.shapes[0].edges) for tile in pile} == {1, 2, 3}
    assert {len(edges) for edges in corridors} >= {1, 3}
    assert any(True in tile.shapes[0].bridges for tile in pile)


def test_L_TILE_1_a_tile_lies_differently_for_each_way_it_can_be_turned() -> None:
    for tile in glass_warren().tiles:
        slots = [(lane in tile.traps, lane in tile.items) for lane in range(len(tile.shapes[0].edges))]
        ways = {
            frozenset(zip(map(frozenset[int], shape.edges), shape.bridges, slots, strict=True)) for shape in tile.shapes
        }
        assert len(ways) == tile.turns, tile.id
