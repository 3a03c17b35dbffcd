"""Where corridors lead, against a drawing of the map made from the scenario file alone."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from mazes import GLASS_WARREN, Scene, arrange, glass_warren, laid, lamp_alley, name_of

from underglow.games.labyrinth.maze import TURNS, Maze
from underglow.games.labyrinth.scenario import LANES, NONE, Scenario

thorough = settings(max_examples=100, deadline=None)
ROUND = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # q and r over each edge, clockwise from the east


@st.composite
def mazes(draw: st.DrawFn) -> Maze:
    """Any tile in any socket, turned any way: more than the rules would ever let lie."""
    scenario = draw(st.sampled_from([glass_warren(), lamp_alley()]))
    tiles = [kind * TURNS + turn for kind, tile in enumerate(scenario.tiles) for turn in range(tile.turns)]
    sockets = st.lists(st.sampled_from([NONE, *tiles]), min_size=scenario.sockets, max_size=scenario.sockets)
    return Maze.of(tuple(draw(sockets)), scenario)


def drawn(maze: Maze) -> dict[str, set[str]]:
    """Corridor to corridors as a drawing shows them: an end of one at an edge touches an end of the other.

    From the scenario's file: the tiles as written, and sockets by counting rows.
    """
    file = tomllib.loads(GLASS_WARREN.with_name(f"{maze.scenario.id}.toml").read_text())
    radius = file["radius"]
    coordinates = {
        f"{'abcdefghi'[r + radius]}{q - max(-radius, -radius - r) + 1}": (q, r)
        for r in range(-radius, radius + 1)
        for q in range(max(-radius, -radius - r), min(radius, radius - r) + 1)
    }
    shapes: dict[str, list[dict[str, Any]]] = {tile["id"]: tile["corridors"] for tile in file["tiles"]}
    everywhere = [{"edges": [0, 1, 2, 3, 4, 5]}]
    ends: dict[tuple[tuple[int, int], int], str] = {}
    for space, tile in zip(maze.scenario.spaces, maze.laid, strict=False):
        if tile != NONE:
            kind, turned = divmod(tile, TURNS)
            for lane, corridor in enumerate(shapes.get(maze.scenario.tiles[kind].id, everywhere)):
                for edge in corridor["edges"]:
                    ends[coordinates[space], (edge + turned) % 6] = f"{space}.{lane}"
    for start in file["starts"]:
        q, r = start["beside"]
        dq, dr = ROUND[int(start["edge"])]
        ends[(q + dq, r + dr), (start["edge"] + 3) % 6] = start["id"]
    ways: dict[str, set[str]] = {}
    for ((q, r), edge), here in ends.items():
        dq, dr = ROUND[edge]
        there = ends.get(((q + dq, r + dr), (edge + 3) % 6))
        if there:
            ways.setdefault(here, set()).add(there)
    return ways


def leads(maze: Maze) -> dict[str, set[str]]:
    """What the rules say, without corridors that lead nowhere."""
    scenario = maze.scenario
    return {
        name_of(scenario, place): {name_of(scenario, other) for other in near}
        for place, near in enumerate(maze.near)
        if near
    }


@thorough
@given(mazes())
def test_L_TILE_1_corridors_meet_where_both_have_an_end_at_the_same_edge(maze: Maze) -> None:
    assert leads(maze) == drawn(maze)


@thorough
@given(mazes())
def test_L_TRAP_17_a_corridor_that_leads_to_another_can_be_reached_from_it(maze: Maze) -> None:
    for place, near in enumerate(maze.near):
        for other in near:
            assert place in maze.near[other]
            assert other // LANES != place // LANES  # levels and loops of one tile do not meet on it


@thorough
@given(mazes(), st.data())
def test_a_tile_laid_later_or_turned_leaves_the_map_as_if_all_lay_at_once(maze: Maze, data: st.DataObject) -> None:
    scenario = maze.scenario
    hex_ = data.draw(st.integers(0, scenario.sockets - 1))
    kind = data.draw(st.integers(0, len(scenario.tiles) - 1))
    turned = data.draw(st.integers(0, scenario.tiles[kind].turns - 1))
    grown = maze.with_tile(hex_, kind, turned)
    at_once = Maze.of(grown.laid, scenario)
    assert (grown.near, grown.open, grown.corridors) == (at_once.near, at_once.open, at_once.corridors)
    assert leads(grown) == drawn(grown)


@thorough
@given(mazes())
def test_the_distance_to_a_goal_is_one_more_than_that_of_the_next_corridor(maze: Maze) -> None:
    goal = maze.scenario.centre_place
    far = maze.distances(goal)
    assert far[goal] == 0
    for place, steps in far.items():
        if place != goal:
            assert steps == 1 + min(far[other] for other in maze.near[place] if other in far)
    for place in set(range(len(maze.near))) - far.keys():
        assert far.keys().isdisjoint(maze.near[place])


def near(maze: Maze, place: str) -> set[str]:
    scenario: Scenario = maze.scenario
    space, lane = place.split(".")
    return {name_of(scenario, other) for other in maze.near[scenario.spaces.index(space) * LANES + int(lane)]}


def test_L_TILE_1_a_bridge_does_not_meet_what_runs_under_it() -> None:
    maze = laid(glass_warren(), d5=("underpass", 0), d6=("gallery", 0), d4=("gallery", 0), e5=("gallery", 1))
    assert near(maze, "d5.0") == {"d4.0", "d6.0"}
    assert near(maze, "d5.1") == {"e5.0"}


def test_L_TILE_1_two_corridors_of_a_tile_that_are_level_do_not_meet_either() -> None:
    scene = Scene(arrange(at={"mason": "d5.0", "fencer": "d5.1"}, tiles={"d5": "twin_bends", "d6": "gallery"}))
    assert scene.spaces("move") == {"d6.0"}
    assert scene.verbs.isdisjoint({"attack", "jump", "safe_jump"})


def test_L_TILE_1_a_dead_end_has_one_way_out() -> None:
    maze = laid(glass_warren(), d5=("alcove", 0), d6=("gallery", 0), d4=("gallery", 0))
    assert near(maze, "d5.0") == {"d6.0"}
    assert near(maze, "d4.0") == set()  # its end at the alcove's back is shut


def test_L_TILE_1_a_corridor_that_ends_at_a_wall_an_empty_socket_or_the_frame_leads_nowhere_there() -> None:
    maze = laid(glass_warren(), d6=("gallery", 0), d7=("gallery", 1), d5=("bend", 1))
    assert near(maze, "d6.0") == set()  # a wall of d7 on the one side, one of d5 on the other
    assert near(maze, "d7.0") == set()  # nothing lies there
    maze = laid(glass_warren(), d6=("gallery", 0), d7=("gallery", 0))
    assert near(maze, "d7.0") == {"d6.0"}  # beyond is the frame


def test_L_TILE_1_a_corridor_may_come_to_two_of_the_next_tile() -> None:
    maze = laid(glass_warren(), d4=("fork", 0), d5=("three_corners", 0), c3=("three_corners", 0), e3=("gallery", 2))
    assert near(maze, "d4.0") == {"d5.1", "c3.0", "e3.0"}
