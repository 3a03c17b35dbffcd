"""What is printed on enemies: guard, grapple, sabotage, mission effect, those of Clan of Two; and disruption."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from arranging import (
    SALT_HARBOUR,
    Scene,
    Token,
    arrange,
    cinder_wells,
    decked,
    edited,
    figure_of,
    keeping,
    salt_harbour,
    seen,
    sums,
    switched,
)

from underglow.games import mandalorian
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import State

JAMMED = {"disruption": (1,)}


def moving(strength: int, *threats: Token, at: str = "d1", scenario: Scenario | None = None) -> Scene:
    """The Drifter has laid a card of that strength on Move."""
    return Scene(arrange(scenario, at={"drifter": at}, threats=threats)).lay("move", strength)


def harbour(*threats: Token, at: str = "d3", other: str = "g1") -> State:
    """A position in Salt Harbour, the Drifter to act."""
    return arrange(salt_harbour(), at={"drifter": at, "loader_droid": other}, threats=threats)


def tokens_on(state: State, threat: str) -> int:
    return next(token["disruption"] for token in seen(state)["tokens"] if token["id"] == threat)


# ── guard and grapple ──


@pytest.mark.parametrize(
    ("end", "damage"),
    [
        ("d2", 1),  # beside the guard
        ("d3", 1),  # on its space
        ("e1", 0),
    ],
)
def test_M_ABIL_1_a_guard_hurts_whoever_ends_a_movement_within_range_1(end: str, damage: int) -> None:
    scene = moving(2, ("d3", "Ledge Watcher")).do("move", end)
    assert scene.args("damaged") == [("drifter", 1, "t1", "guard")] * damage


def test_M_ABIL_1_corner_case_8_who_passes_by_is_not_hurt() -> None:
    scene = moving(2, ("c4", "Ledge Watcher"), at="c3").do("move", "e3")
    assert scene.args("moved") == [("drifter", "c3", "d3", "e3")]  # d3 is beside the guard
    assert scene.state.figure.damage == 0


def test_M_ABIL_1_corner_case_10_a_guard_revealed_on_the_space_just_entered_hurts() -> None:
    scene = moving(3, ("d2", "? Ledge Watcher")).do("move", "d2")
    assert scene.told == ["laid", "moved", "revealed", "damaged"]


def test_M_ABIL_1_a_guard_that_walls_shut_out_does_nothing() -> None:
    assert moving(1, ("b4", "Ledge Watcher"), at="d4").do("move", "c4").state.figure.damage == 0


@pytest.mark.parametrize("triggers", [False, True])
def test_M_ABIL_1_whether_moving_0_ends_a_movement(triggers: bool, tmp_path: Path) -> None:
    scenario = switched(tmp_path, zero_move_triggers_guard=triggers)
    scene = moving(2, ("d2", "Ledge Watcher"), scenario=scenario)
    assert (("d1",) in scene.offers("move")) == triggers
    if triggers:
        assert scene.do("move", "d1").state.figure.damage == 1
    else:
        assert scene.do("decline", "move").state.figure.damage == 0


def test_M_ABIL_2_a_grappler_hurts_whoever_leaves_its_space() -> None:
    threats: list[Token] = [("d1", "Pit Bruiser"), ("d2", "Pit Bruiser")]
    scene = moving(2, *threats).do("move", "c1")
    assert scene.args("damaged") == [("drifter", 1, "t1", "grapple")]
    assert moving(2, *threats).do("decline", "move").state.figure.damage == 0
    assert moving(2, threats[1]).do("move", "d2").state.figure.damage == 0  # to come is not to leave


def test_M_ABIL_2_who_is_defeated_by_a_grappler_turns_nothing_up() -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d1", "Pit Bruiser"), ("d2", "? Slag")], damage={"drifter": 7})
    scene = Scene(state).lay("move", 1).do("move", "d2")
    assert scene.told[-1] == "defeated"
    assert not scene.state.threats[1].up


def test_M_ABIL_5_each_enemy_reacts_by_itself() -> None:
    scene = moving(2, ("d3", "Ledge Watcher"), ("c2", "Ledge Watcher"), ("d1", "Pit Bruiser"), ("d1", "Pit Bruiser"))
    scene.do("move", "d2")
    assert [args[2:] for args in scene.args("damaged")] == [
        ("t3", "grapple"),
        ("t4", "grapple"),
        ("t1", "guard"),
        ("t2", "guard"),
    ]


# ── mission effect ──


def test_M_ABIL_3_the_mission_effect_happens_when_its_icon_is_turned_up() -> None:
    state = replace(harbour(("d4", "? Alarm"), ("f2", "Dock Thug"), at="e3"), doors_open=2)
    scene = Scene(state).lay("move", 1).do("move", "d4")
    assert scene.told == ["laid", "moved", "revealed", "track", "shut", "marched"]
    assert seen(scene.state)["tracks"] == [{"id": "alarm", "name": "alarm", "value": 1, "most": 5}]


def test_M_ABIL_3_to_look_at_it_is_not_to_turn_it_up() -> None:
    scene = Scene(harbour(("d4", "? Alarm"))).lay("intel", 1).do("look", "t1")
    assert "track" not in scene.told


def test_M_ABIL_3_a_face_down_reinforcement_that_arrives_face_up_is_turned_up_too(tmp_path: Path) -> None:
    scenario = edited(
        tmp_path,
        ('name = "Wrecker"\nclass = "melee"', 'name = "Wrecker"\nabilities = ["mission_effect"]\nclass = "melee"'),
        name="salt-harbour",
        of=SALT_HARBOUR,
    )
    state = arrange(scenario, at={"drifter": "g1"}, stack=["Wrecker"])
    scene = Scene(state).effect({"verb": "reinforce", "at": "spawn_nearest"})
    assert scene.told[:2] == ["reinforced", "track"]


# ── sabotage ──


def sabotage(card: str, *threats: Token, scenario: Scenario | None = None, lowest: int = 1) -> Scene:
    """An event in which a saboteur may move, with Intel the zone of the lowest strength and 3 in the pool."""
    state = arrange(scenario, at={"drifter": "d1", "loader_droid": "a3"}, threats=threats)
    state = replace(sums(state, 2, 3, lowest, 2), pool=(3,))
    return Scene(state).event(card)


def test_M_ABIL_4_a_saboteur_that_has_moved_disrupts_the_lowest_zone() -> None:
    scene = sabotage("rush", ("d3", "Wire Rat"))
    assert scene.told[1:3] == ["marched", "disrupted_zone"]
    assert scene.args("disrupted_zone") == [("intel", 3)]
    assert next(zone["disruption"] for zone in seen(scene.state)["zones"] if zone["id"] == "intel") == [1, 3]
    assert scene.state.pool == ()


def test_M_ABIL_4_a_saboteur_that_stays_disrupts_nothing() -> None:
    assert "disrupted_zone" not in sabotage("rush", ("d1", "Wire Rat")).told


def test_M_ABIL_4_a_zone_disrupted_may_come_to_its_limit_in_the_same_phase() -> None:
    state = arrange(at={"drifter": "d1", "loader_droid": "a3"}, threats=[("d3", "Wire Rat")])
    state = decked(replace(sums(state, 5, 3, 4, 4), pool=(3,)), events=["rush", "volley"])
    scene = Scene(state).event_phase()
    assert scene.args("disrupted_zone") == [("attack", 3)]
    assert [args[0] for args in scene.args("crisis_due")] == ["attack"]


def test_M_ABIL_4_M_DISR_2_in_the_action_phase_enemies_move_without_sabotage_and_disruption_holds_none() -> None:
    """The alarm makes enemies move, and it may go off in an action."""
    scene = Scene(
        harbour(("d4", "? Alarm"), ("f2", "Bilge Jammer"), ("f2", "Gaff Hunter", JAMMED), at="e3", other="d4")
    )
    scene.lay("move", 1).do("move", "d4")
    while "enemy_moves" in scene.verbs:
        scene.do("enemy_moves", "e3")
    assert [args[0] for args in scene.args("marched")] == ["t2", "t3"]
    assert "disrupted_zone" not in scene.told
    assert tokens_on(scene.state, "t3") == 1


@pytest.mark.parametrize(("switch", "asked"), [("players", True), ("first", False)])
def test_M_ABIL_6_a_tie_for_the_lowest_zone(switch: str, asked: bool, tmp_path: Path) -> None:
    scene = sabotage("rush", ("d3", "Wire Rat"), scenario=switched(tmp_path, sabotage_tie=switch), lowest=2)
    if asked:
        assert scene.offers("disrupt_zone") == [("move",), ("intel",), ("plan",)]
        assert {action.seat for action in mandalorian.legal(scene.state)} == {scene.state.seat}
        scene.do("disrupt_zone", "intel")
    assert scene.args("disrupted_zone") == [("intel" if asked else "move", 3)]


# ── disruption ──


def jamming(*threats: Token, scenario: Scenario | None = None) -> Scene:
    """The Loader Droid has laid its Jolt on Move."""
    state = arrange(scenario, at={"loader_droid": "d1"}, threats=threats)
    return Scene(state).lay("move", 2, "jolt")


def test_M_DISR_1_a_token_from_the_pool_goes_on_an_enemy_number_down() -> None:
    scene = jamming(("d2", "Rim Gunner"), ("d3", "Rim Gunner"))
    pool = scene.state.pool
    scene.do("ability", "jolt")
    assert scene.offers("disrupt") == [("t1",)]  # within range
    scene.do("disrupt", "t1")
    assert tokens_on(scene.state, "t1") == 1
    assert len(scene.state.pool) == len(pool) - 1
    (laid,) = scene.state.threats[0].disruption
    assert sorted((*scene.state.pool, laid)) == list(pool)
    assert scene.args("disrupted") == [("t1",)]  # nobody is told its number


def test_M_DISR_2_corner_case_22_its_move_removes_one_token_and_its_attack_the_other() -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d1", "Pit Bruiser", {"disruption": (1, 2)})])
    state = replace(state, pool=())
    scene = Scene(state).event("rush")
    assert scene.told[:3] == ["event", "recovered", "recovered"]
    assert tokens_on(scene.state, "t1") == 0
    assert scene.state.pool == (1, 2)
    assert figure_of(scene.state, "drifter").damage == 0
    again = Scene(replace(scene.state, place=state.place)).event("rush")
    assert again.told.count("attacked") == 1


def test_M_DISR_2_an_enemy_with_one_token_stays_and_then_attacks() -> None:
    state = arrange(at={"drifter": "d1", "loader_droid": "a3"}, threats=[("d2", "Rim Gunner", JAMMED)])
    scene = Scene(state).event("volley")
    assert scene.told[1:4] == ["recovered", "attacked", "damaged"]
    assert mandalorian.layout(scene.state)["d2"] == ("t1",)


@pytest.mark.parametrize("threat", [("d1", "Pit Bruiser"), ("c1", "Ledge Watcher")])
@pytest.mark.parametrize(("more", "damage"), [({}, 1), (JAMMED, 0)])
def test_M_DISR_3_corner_cases_6_7_a_disrupted_enemy_does_not_react_and_keeps_its_token(
    threat: tuple[str, str], more: dict[str, tuple[int]], damage: int
) -> None:
    scene = moving(1, (*threat, more)).do("move", "c2" if threat[1] == "Ledge Watcher" else "e1")
    assert scene.state.figure.damage == damage
    assert tokens_on(scene.state, "t1") == len(more)


def test_M_DISR_3_M_ABIL_4_a_disrupted_saboteur_neither_moves_nor_sabotages() -> None:
    assert sabotage("rush", ("d3", "Wire Rat", JAMMED)).told[1:2] == ["recovered"]


def test_M_DISR_4_corner_case_23_a_third_token_is_not_placed() -> None:
    full: Token = ("d2", "Rim Gunner", {"disruption": (1, 1)})
    assert jamming(full).verbs == {"move", "decline"}
    scene = jamming(full, ("d1", "Rim Gunner", JAMMED)).do("ability", "jolt")
    assert scene.offers("disrupt") == [("t2",)]


def test_M_DISR_5_enemies_are_disrupted_only_once_the_guide_card_that_says_so_is_resolved(tmp_path: Path) -> None:
    missions = ('missions = ["cinder-wells"]', 'missions = ["salt-harbour"]')
    before = edited(tmp_path, missions, ("games_played = 2", "games_played = 0"), name="salt-harbour", of=SALT_HARBOUR)
    assert not before.disrupting
    threats: list[Token] = [("d2", "Gaff Hunter")]
    assert (
        "ability" not in Scene(arrange(before, at={"loader_droid": "d2"}, threats=threats)).lay("move", 2, "jolt").verbs
    )
    assert salt_harbour().disrupting
    assert cinder_wells().disrupting  # no guide deck, nothing to wait for


def test_M_DISR_6_intel_moves_a_disrupted_enemy() -> None:
    scene = Scene(arrange(at={"drifter": "d1"}, threats=[("d2", "Rim Gunner", JAMMED)])).lay("intel", 1)
    scene.do("push", "t1", "d3")
    assert tokens_on(scene.state, "t1") == 1


@pytest.mark.parametrize(("switch", "taken"), [("nothing", []), ("from_fullest_zone", [("plan", 3)])])
def test_M_DISR_7_when_the_pool_is_empty(switch: str, taken: list[tuple[str, int]], tmp_path: Path) -> None:
    scenario = switched(tmp_path, pool_empty=switch)
    state = arrange(scenario, at={"loader_droid": "d1"}, threats=[("d2", "Rim Gunner")])
    state = replace(sums(state, 0, 2, 2, 3), pool=())
    scene = Scene(state).lay("move", 2, "jolt")
    assert ("ability" in scene.verbs) == bool(taken)
    if taken:
        scene.do("ability", "jolt").do("disrupt", "t1")
    assert scene.args("borrowed") == taken
    disrupting = Scene(state).effect({"verb": "disrupt_zone", "zone": "lowest"})
    assert disrupting.args("borrowed") == taken
    assert disrupting.args("disrupted_zone") == ([("move", 3)] if taken else [])


@pytest.mark.parametrize("switch", ["nothing", "from_fullest_zone"])
def test_M_DISR_7_with_no_token_in_reach_nobody_is_asked_where_to_lay_it(switch: str, tmp_path: Path) -> None:
    state = arrange(switched(tmp_path, pool_empty=switch), at={"drifter": "d1"})
    scene = Scene(replace(state, pool=())).effect({"verb": "disrupt_zone", "zone": "lowest"})
    assert scene.told == ["turn"]


def test_M_DISR_1_the_tokens_of_a_defeated_enemy_return_to_the_pool() -> None:
    state = replace(arrange(at={"drifter": "d1"}, threats=[("d2", "Rim Gunner", {"disruption": (1, 3)})]), pool=(2,))
    scene = Scene(state).lay("attack", 2).do("attack", "t1")
    assert scene.state.pool == (1, 2, 3)


# ── Clan of Two ──


def test_M_EXP_1_a_fast_enemy_moves_1_more() -> None:
    scene = Scene(harbour(("g3", "Gaff Hunter"), ("g3", "Harpooner"), at="d1", other="d1")).event("broadside")
    steps = {args[0]: len(args) - 2 for args in scene.args("marched")}
    assert steps == {"t1": 2, "t2": 1}


@pytest.mark.parametrize(
    ("at", "other", "hurt"),
    [("d4", "g1", ["drifter"]), ("e3", "d4", ["loader_droid"]), ("e3", "g1", []), ("d4", "d4", ["drifter"])],
)
def test_M_EXP_1_a_parting_blow_hurts_a_character_on_its_space(at: str, other: str, hurt: list[str]) -> None:
    """Of several, who has defeated it."""
    scene = Scene(harbour(("d4", "Bilge Jammer"), at=at, other=other)).lay("attack", 1).do("attack", "t1")
    assert [args[:1] + args[2:] for args in scene.args("damaged")] == [(who, "t1", "parting_blow") for who in hurt]


def test_M_EXP_1_of_several_others_on_its_space_the_players_choose_whom_a_parting_blow_hurts() -> None:
    where = {"drifter": "e3", "loader_droid": "d4", "medic": "d4"}
    state = arrange(salt_harbour(), at=where, threats=[("d4", "Bilge Jammer")], seats=3)
    scene = Scene(state).lay("attack", 1).do("attack", "t1")
    assert scene.offers("victim") == [("loader_droid",), ("medic",)]
    assert scene.do("victim", "medic").args("damaged") == [("medic", 1, "t1", "parting_blow")]


def test_M_EXP_1_M_DISR_3_a_disrupted_enemy_gives_no_parting_blow() -> None:
    scene = Scene(harbour(("d3", "Bilge Jammer", JAMMED))).lay("attack", 1).do("attack", "t1")
    assert scene.told[-1] == "destroyed"


def test_M_EXP_1_a_vigilant_enemy_cannot_be_disrupted_and_its_abilities_hold() -> None:
    state = harbour(("d4", "Old Duellist"), at="d3", other="e3")
    scene = Scene(replace(state, place=1)).lay("move", 2, "jolt")
    assert "ability" not in scene.verbs
    jammed = Scene(harbour(("d4", "Old Duellist", JAMMED), at="e3")).lay("attack", 1)
    assert jammed.offers("attack") == []  # it still duels


def test_M_EXP_1_a_duellist_is_damaged_from_its_own_space_only() -> None:
    assert Scene(harbour(("d4", "Old Duellist"), at="e3")).lay("attack", 2).told == ["laid", "idle"]
    assert Scene(harbour(("d4", "Old Duellist"), at="d4")).lay("attack", 2).offers("attack") == [("t1",)]


@pytest.mark.parametrize(("at", "hits"), [("e3", []), ("d4", [("t1", 1, "d4")])])
def test_M_EXP_1_nor_does_striking_back_from_afar_damage_a_duellist(at: str, hits: list[tuple[str | int, ...]]) -> None:
    scene = Scene(keeping(harbour(("d4", "Old Duellist"), at=at), "snap_shot"))
    scene.effect({"verb": "enemies_attack", "enemies": 1, "range": 1}).do("use", "snap_shot")
    assert scene.args("hit") == hits
