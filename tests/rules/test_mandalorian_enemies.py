"""Enemies as event cards drive them: who moves where, who attacks whom, and ties as a choice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from arranging import SALT_HARBOUR, Scene, Token, arrange, figure_of, keeping, salt_harbour, switched

from underglow.games import mandalorian
from underglow.games.contract import Cue, Meaning, Transfer
from underglow.games.mandalorian.scenario import Scenario

ONE_OF_EACH: list[Token] = [("d2", "Pit Bruiser"), ("d2", "Rim Gunner"), ("d2", "Ledge Watcher"), ("d2", "Slag")]


def event(
    card: str,
    *threats: Token,
    at: str = "d1",
    other: str = "a3",
    scenario: Scenario | None = None,
    doors_open: int = 0,
) -> Scene:
    """An event card in the Drifter's turn; `other` is where the Loader Droid stands: out of it all, in the bunker."""
    where = {"drifter": at, "loader_droid": other}
    return Scene(arrange(scenario, at=where, threats=threats, doors_open=doors_open)).event(card)


def marched(scene: Scene) -> dict[str | int, str | int]:
    """Where each enemy went that moved."""
    return {args[0]: args[-1] for args in scene.args("marched")}


# ── classes ──


@pytest.mark.parametrize(
    ("card", "moved", "attacked"),
    [
        ("rush", ["t1"], ["t1"]),
        ("volley", ["t2"], ["t2"]),
        ("long_shot", [], ["t3"]),  # sharpshooters shoot, and seldom move
        ("close_in", ["t1", "t2", "t3"], []),  # any class
    ],
)
def test_M_EVT_11_an_event_names_classes(card: str, moved: list[str], attacked: list[str]) -> None:
    scene = event(card, *ONE_OF_EACH)
    assert sorted(map(str, marched(scene))) == moved
    assert [args[0] for args in scene.args("attacked")] == attacked


def test_M_EVT_11_what_lies_face_down_takes_no_part() -> None:
    scene = event("rush", ("d2", "? Pit Bruiser"))
    assert scene.told[:2] == ["event", "no_effect"]


@pytest.mark.parametrize(("reach", "attacked"), [("c5", 0), ("c4", 1)])
def test_M_EVT_12_attacks_are_made_within_their_range_only(reach: str, attacked: int) -> None:
    scene = event("long_shot", (reach, "Ledge Watcher"), at="d1", other="d1")  # range 3
    if attacked:
        scene.do("victim", "drifter")
    assert scene.told.count("attacked") == attacked


def test_M_EVT_12_a_brawl_all_melee_enemies_move_2_and_then_2_of_them_attack_on_their_own_space() -> None:
    scene = event("rush", ("d2", "Pit Bruiser"), ("d3", "Pit Bruiser"), ("c3", "Pit Bruiser"), ("c5", "Pit Bruiser"))
    assert marched(scene) == {"t1": "d1", "t2": "d1", "t3": "d1", "t4": "d3"}
    assert scene.told.index("marched") == 1
    assert "attacked" not in scene.told
    assert scene.offers("enemy") == [("t1",), ("t2",), ("t3",)]
    scene.do("enemy", "t3").do("enemy", "t1")
    assert scene.args("attacked") == [("t3", "drifter"), ("t1", "drifter")]
    assert figure_of(scene.state, "drifter").damage == 2
    assert figure_of(scene.state, "loader_droid").damage == 0


def test_M_EVT_12_enemies_take_the_shortest_way_round_walls_and_shut_doors() -> None:
    assert marched(event("volley", ("b3", "Rim Gunner"), at="b4", doors_open=1, other="b4")) == {"t1": "b4"}
    # With the gate shut nobody reaches b4; the nearest who can be reached draws it.
    assert marched(event("volley", ("b3", "Rim Gunner"), at="b4", other="b1")) == {"t1": "b2"}


@pytest.mark.parametrize("card", ["rush", "volley", "long_shot"])
def test_M_EVT_13_an_attack_deals_always_1_damage(card: str) -> None:
    scene = event(card, *ONE_OF_EACH)
    (damaged,) = scene.args("damaged")
    assert damaged[:2] == ("drifter", 1)
    assert damaged[3] == "attack"


# ── ties ──

TIES = {  # where the enemy stands, the Drifter and the Loader Droid, and where the enemy may go
    "two characters equally near": ("d2", "d1", "d3", ("d1", "d3")),
    "two ways to one character": ("c2", "d3", "a3", ("c3", "d2")),
}


@pytest.mark.parametrize("what", TIES)
def test_M_EVT_14_ties_of_movement_are_a_choice_on_the_board(what: str) -> None:
    start, at, other, ends = TIES[what]
    scene = event("close_in", (start, "Rim Gunner"), at=at, other=other)
    actions = mandalorian.legal(scene.state)
    assert [action.hands for action in actions] == [(Transfer("t1", start, end),) for end in ends]
    assert {action.seat for action in actions} == {scene.state.seat}
    cues = mandalorian.cues(scene.state, ())
    assert {space for space, cue in cues.items() if cue == Cue(Meaning.CHOICE)} == set(ends)
    assert marched(scene.do("enemy_moves", ends[1])) == {"t1": ends[1]}


def test_M_EVT_14_who_is_attacked_is_a_choice() -> None:
    scene = event("long_shot", ("d2", "Ledge Watcher"), at="d1", other="d3")
    assert scene.offers("victim") == [("drifter",), ("loader_droid",)]
    scene.do("victim", "loader_droid")
    assert scene.args("attacked") == [("t1", "loader_droid")]


def test_M_EVT_14_who_attacks_is_a_choice_among_those_in_range_only() -> None:
    threats: list[Token] = [("d2", "Ledge Watcher"), ("c5", "Ledge Watcher"), ("d3", "Ledge Watcher")]
    scene = event("long_shot", *threats, other="d1")
    assert scene.verbs == {"victim"}  # c5 is out of range, so the two others are the two
    scene.do("victim", "drifter").do("victim", "drifter")
    assert [args[0] for args in scene.args("attacked")] == ["t1", "t3"]


def test_M_EVT_14_with_the_switch_on_first_nobody_is_asked(tmp_path: Path) -> None:
    scenario = switched(tmp_path, nearest_tie="first")
    threats: list[Token] = [("d2", "Pit Bruiser"), ("d2", "Pit Bruiser"), ("d2", "Pit Bruiser")]
    scene = event("rush", *threats, other="d3", scenario=scenario)
    assert set(marched(scene).values()) == {"d1"}
    assert scene.args("attacked") == [("t1", "drifter"), ("t2", "drifter")]
    assert scene.verbs == {"play"}


# ── an enemy and a character on one space ──


@pytest.mark.parametrize("stops", [True, False])
def test_M_EVT_15_an_enemy_on_a_character_s_space_is_where_it_wants_to_be(stops: bool, tmp_path: Path) -> None:
    scenario = switched(tmp_path, enemy_stops_at_character=stops)
    assert marched(event("close_in", ("d1", "Rim Gunner"), other="d2", scenario=scenario)) == {}


@pytest.mark.parametrize(
    ("stops", "start", "end"),
    [(True, "c4", "c5"), (False, "c4", "c6"), (True, "c5", None), (False, "c5", "c6")],
)
def test_M_EVT_15_a_character_on_the_way_to_the_child_stops_an_enemy_by_switch(
    stops: bool, start: str, end: str | None, tmp_path: Path
) -> None:
    scenario = switched(tmp_path, SALT_HARBOUR, enemy_stops_at_character=stops)
    scene = event("hue_and_cry", (start, "Dock Thug"), at="c5", other="g1", scenario=scenario)
    if end == "c5":
        assert {args[-1] for args in scene.offers("enemy_moves")} == {"c5", "b5"}  # as near, by another way
        scene.do("enemy_moves", end)
    assert marched(scene) == ({} if end is None else {"t1": end})


# ── striking back, and the child's captor ──


def test_M_PLAN_3_who_is_attacked_may_strike_back_and_defeat_the_attacker_before_its_next_deed() -> None:
    state = arrange(
        at={"drifter": "d1", "loader_droid": "a1"}, threats=[("d1", "Rim Gunner", {"damage": 1}), ("d1", "Rim Gunner")]
    )
    scene = Scene(keeping(state, "snap_shot")).event("volley").do("use", "snap_shot")
    assert scene.told.count("attacked") == 2
    assert scene.args("destroyed") == [("t1", "d1")]


def test_M_CHILD_8_a_captor_carries_the_child_along() -> None:
    state = arrange(salt_harbour(), at={"drifter": "d2", "loader_droid": "d2"}, threats=[("d4", "Dock Thug")])
    assert state.child is not None
    state = replace(state, child=state.child._replace(space=-1, captor=0))
    scene = Scene(state).event("prowl").do("victim", "drifter")
    assert marched(scene) == {"t1": "d2"}
    assert scene.args("carried_off") == [("child", "d2")]
    assert mandalorian.layout(scene.state)["d2"] == ("drifter", "loader_droid", "child", "t1")
