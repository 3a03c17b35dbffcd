"""Attack, Intel and Plan, and what planning cards are used for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from arranging import (
    SALT_HARBOUR,
    Scene,
    Token,
    arrange,
    changed,
    decked,
    figure_of,
    hand,
    keeping,
    salt_harbour,
    seen,
    switched,
)

from underglow.games import mandalorian
from underglow.games.contract import Transfer
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import OFF, State
from underglow.games.state import Deck


def attacking(strength: int, *threats: Token, at: str = "d2", scenario: Scenario | None = None) -> Scene:
    return Scene(arrange(scenario, at={"drifter": at}, threats=threats)).lay("attack", strength)


def damage_of(state: State, token: str) -> int:
    return next(entry["damage"] for entry in seen(state)["tokens"] if entry["id"] == token)


# ── Attack ──


def test_M_ATK_1_2_attack_one_threat_on_the_own_or_an_adjacent_space() -> None:
    scene = attacking(2, ("d2", "Pit Bruiser"), ("d3", "Rim Gunner"), ("d4", "Rim Gunner"), ("c2", "Slag"))
    assert scene.offers("attack") == [("t1",), ("t2",)]
    scene.do("attack", "t1")
    assert damage_of(scene.state, "t1") == 2


def test_M_ATK_2_a_wall_is_not_shot_through() -> None:
    assert attacking(2, ("c4", "Rim Gunner"), at="c3").told == ["laid", "idle"]


def test_M_ATK_3_all_damage_goes_to_one_target() -> None:
    scene = attacking(4, ("d3", "Rim Gunner"), ("d3", "Rim Gunner")).do("attack", "t1")
    assert scene.verbs == {"play"}
    assert scene.state.threats[0].space == OFF
    assert damage_of(scene.state, "t2") == 0


@pytest.mark.parametrize(("switch", "needed"), [("damage>=health", 3), ("damage>health", 4)])
def test_M_ATK_4_an_enemy_whose_damage_reaches_its_health_leaves_the_map(
    switch: str, needed: int, tmp_path: Path
) -> None:
    scenario = switched(tmp_path, defeat_at=switch)
    scene = attacking(needed - 1, ("d2", "Pit Bruiser"), scenario=scenario).do("attack", "t1")
    assert damage_of(scene.state, "t1") == needed - 1
    scene = attacking(1, ("d2", "Pit Bruiser", {"damage": needed - 1}), scenario=scenario).do("attack", "t1")
    assert "t1" not in mandalorian.tokens(scene.state)
    assert scene.told[-2:] == ["hit", "destroyed"]


@pytest.mark.parametrize(("facedown", "offered"), [(False, []), (True, [("t1",), ("t2",)])])
def test_M_ATK_5_face_down_tokens_are_targets_by_switch_only(
    facedown: bool, offered: list[tuple[str, ...]], tmp_path: Path
) -> None:
    scenario = switched(tmp_path, attack_facedown=facedown)
    scene = attacking(2, ("d3", "? Rim Gunner"), ("d3", "? Slag"), scenario=scenario)
    assert scene.offers("attack") == offered
    if facedown:
        scene.do("attack", "t1")
        assert scene.told == ["laid", "revealed", "hit", "destroyed"]
        other = attacking(2, ("d3", "? Rim Gunner"), ("d3", "? Slag"), scenario=scenario).do("attack", "t2")
        assert other.told == ["laid", "revealed"]


# ── abilities of cards ──


@pytest.mark.parametrize(
    ("first", "then", "damage"),
    [
        ("t2", None, (0, 2)),  # corner case 28: an adjacent enemy gets 2, not 4
        ("t1", "t1", (4, 0)),
        ("t2", "t1", (2, 2)),  # corner case 29: 2 to each
    ],
)
def test_M_ACT_8_corner_cases_28_29_extra_damage_on_one_s_own_space(
    first: str, then: str | None, damage: tuple[int, int]
) -> None:
    threats: list[Token] = [("g2", "Old Duellist"), ("g1", "Dock Thug")]
    if then is None:
        threats = [("g3", "Old Duellist"), ("g1", "Dock Thug")]
    state = arrange(salt_harbour(), at={"drifter": "g2"}, threats=threats)
    state = replace(state, threats=tuple(t._replace(damage=-9) for t in state.threats))  # they bear it all
    scene = Scene(state).lay("attack", 2, "double_tap").do("attack", first)
    if then is None:
        assert scene.verbs == {"play"}
    else:
        scene.do("ability", "double_tap").do("attack", then)
    assert tuple(threat.damage + 9 for threat in scene.state.threats) == damage


@pytest.mark.parametrize(("switch", "able"), [("any", True), ("same", False)])
def test_M_ACT_8_corner_case_29_whether_the_extra_damage_must_go_where_the_action_s_went(
    switch: str, able: bool, tmp_path: Path
) -> None:
    scenario = switched(tmp_path, SALT_HARBOUR, extra_damage_target=switch)
    state = arrange(scenario, at={"drifter": "g2"}, threats=[("g2", "Dock Thug"), ("g1", "Dock Thug")])
    scene = Scene(state).lay("attack", 2, "double_tap")
    assert ("ability" in scene.verbs) == able  # with "same", the action comes first
    scene.do("attack", "t2").do("ability", "double_tap")
    assert (scene.verbs == {"attack", "pass"}) == able
    scene = Scene(state).lay("attack", 2, "double_tap").do("attack", "t1").do("ability", "double_tap")
    assert scene.offers("attack") == [("t1",)]


def test_M_ACT_8_an_ability_without_damage_need_not_wait_for_the_action(tmp_path: Path) -> None:
    scenario = switched(tmp_path, extra_damage_target="same")
    scene = Scene(arrange(scenario, at={"loader_droid": "d1"}, threats=[("d2", "Rim Gunner")])).lay("move", 2, "jolt")
    assert scene.verbs == {"move", "ability", "decline"}


# ── Intel ──


def test_M_INT_1_look_at_a_face_down_threat_in_range_or_push_an_enemy() -> None:
    state = arrange(
        at={"drifter": "e1"},
        threats=[("d2", "? Slag"), ("d3", "? Gate key"), ("d2", "Rim Gunner"), ("d4", "Rim Gunner")],
    )
    scene = Scene(state).lay("intel", 1)
    assert scene.offers("look") == [("t1",)]
    assert {args[1] for args in scene.offers("push")} == {"c2", "c3", "d1", "d3", "e1", "e2"}
    assert {args[0] for args in scene.offers("push")} == {"t3"}
    scene.do("push", "t3", "c3")
    assert scene.verbs == {"play"}
    assert mandalorian.layout(scene.state)["c3"] == ("t3",)
    wide = Scene(state).lay("intel", 3)
    assert wide.offers("look") == [("t1",), ("t2",)]
    assert {args[0] for args in wide.offers("push")} == {"t3", "t4"}
    assert "no face-down threat within range" in wide.refused("look", "t3")
    assert "no enemy within range" in wide.refused("push", "t3", "a1")


def test_M_INT_1_a_push_is_a_transfer_by_hand() -> None:
    scene = Scene(arrange(at={"drifter": "e1"}, threats=[("d2", "Rim Gunner")])).lay("intel", 1)
    push = next(action for action in mandalorian.legal(scene.state) if action.args == ("t1", "c3"))
    assert push.hands == (Transfer("t1", "d2", "c3"),)


def test_M_INT_1_M_MOVE_10_an_enemy_is_pushed_through_no_wall_and_no_shut_door() -> None:
    scene = Scene(arrange(at={"drifter": "b2"}, threats=[("b3", "Rim Gunner")])).lay("intel", 1)
    assert scene.offers("push") == [("t1", "b2"), ("t1", "c3"), ("t1", "c4")]
    scene = Scene(arrange(at={"drifter": "b2"}, threats=[("b3", "Rim Gunner")], doors_open=1)).lay("intel", 1)
    assert ("t1", "b4") in scene.offers("push")


def test_M_INT_1_looking_or_pushing_is_one_choice_and_not_both() -> None:
    state = arrange(at={"drifter": "e1"}, threats=[("d2", "? Slag"), ("d2", "Rim Gunner")])
    assert Scene(state).lay("intel", 1).do("look", "t1").verbs == {"play"}
    assert Scene(state).lay("intel", 1).do("push", "t2", "c3").verbs == {"play"}


def test_M_INT_2_3_the_face_is_shown_to_the_acting_seat_only_and_stays_down() -> None:
    scene = Scene(arrange(at={"drifter": "e1"}, threats=[("d2", "? Survey core")])).lay("intel", 1)
    scene.do("look", "t1")
    assert not scene.state.threats[0].up
    assert seen(scene.state, 0)["peeks"] == [{"id": "t1", "name": "Survey core"}]
    assert seen(scene.state, 1)["peeks"] == []
    assert "peeks" not in seen(scene.state)
    assert "Survey" not in repr(scene.events) + str(seen(scene.state, 1)) + str(seen(scene.state))
    assert any(event.reveals for event in scene.events if event.kind == "looked")
    again = Scene(replace(scene.state, used=0)).lay("intel", 1)
    assert again.told == ["laid", "idle"]  # it knows what lies there


@pytest.mark.parametrize(("shared", "words"), [(True, "may tell the others"), (False, "keeps to itself")])
def test_M_INT_3_whether_the_looker_may_tell(shared: bool, words: str, tmp_path: Path) -> None:
    scenario = switched(tmp_path, peek_may_be_shared=shared)
    scene = Scene(arrange(scenario, at={"drifter": "e1"}, threats=[("d2", "? Slag")])).lay("intel", 1)
    scene.do("look", "t1")
    assert words in mandalorian.narrate(scene.state, scene.events[-1])


def test_M_INT_4_corner_cases_34_35_a_pushed_enemy_turns_nothing_up_and_a_pushed_guard_does_nothing() -> None:
    state = arrange(at={"drifter": "e1"}, threats=[("d3", "Ledge Watcher"), ("d2", "? Slag")])
    scene = Scene(state).lay("intel", 2).do("push", "t1", "d2")
    assert not scene.state.threats[1].up
    assert scene.state.figure.damage == 0


def test_M_INT_4_M_ABIL_4_a_pushed_saboteur_sabotages_nothing() -> None:
    scene = Scene(arrange(at={"drifter": "e1"}, threats=[("d2", "Wire Rat")])).lay("intel", 1)
    scene.do("push", "t1", "c3")
    assert "disrupted_zone" not in scene.told


# ── Plan ──


def planning(strength: int, *cards: str, scenario: Scenario | None = None) -> Scene:
    state = decked(arrange(scenario, at={"drifter": "e1"}), planning=cards)
    return Scene(state).lay("plan", strength).do("plan")


def plans(state: State, cards: tuple[int, ...]) -> list[str]:
    return [state.scenario.plans[card].id for card in cards]


def test_M_PLAN_1_2_of_four_keep_one_put_one_back_and_discard_the_rest() -> None:
    scene = planning(4, "brace", "patch", "snap_shot", "brace")
    assert seen(scene.state, 0)["drawn"] == ["Brace", "Patch", "Snap Shot", "Brace"]
    assert "drawn" not in seen(scene.state, 1)
    assert scene.offers("keep") == [("brace",)]
    scene.do("discard", "brace").do("keep", "patch")
    assert scene.verbs == {"top", "discard"}
    scene.do("top")
    assert scene.told[-2:] == ["topped", "thrown"]  # what can only be discarded is
    assert plans(scene.state, scene.state.figure.planning) == ["patch"]
    assert plans(scene.state, scene.state.planning.discard) == ["brace", "brace"]
    assert plans(scene.state, scene.state.planning.draw[:1]) == ["snap_shot"]
    assert len(scene.state.planning.draw) == 20 - 3


@pytest.mark.parametrize(("verb", "kept", "back", "gone"), [("keep", 1, 0, 0), ("top", 0, 1, 0), ("discard", 0, 0, 1)])
def test_M_PLAN_2_of_one_keep_it_or_put_it_back_or_discard_it(verb: str, kept: int, back: int, gone: int) -> None:
    scene = planning(1, "patch")
    assert scene.verbs == {"keep", "top", "discard"}
    scene.do(verb, *(() if verb == "top" else ("patch",)))
    state = scene.state
    assert (len(state.figure.planning), len(state.planning.discard)) == (kept, gone)
    assert not back or plans(state, state.planning.draw[:1]) == ["patch"]
    assert len(state.planning.draw) == 19 + back


def test_M_PLAN_1_nothing_need_be_kept_or_put_back_and_either_may_be_any_card() -> None:
    scene = planning(3, "brace", "patch", "snap_shot")
    scene.do("discard", "brace").do("discard", "patch").do("discard", "snap_shot")
    assert scene.verbs == {"play"}
    assert plans(scene.state, scene.state.planning.discard) == ["brace", "patch", "snap_shot"]
    scene = planning(3, "brace", "patch", "snap_shot").do("top")
    assert scene.verbs == {"keep", "discard"}
    scene.do("discard", "patch").do("keep", "snap_shot")
    assert plans(scene.state, scene.state.planning.draw[:1]) == ["brace"]
    assert plans(scene.state, scene.state.figure.planning) == ["snap_shot"]


def test_M_PLAN_1_what_is_put_back_is_known_to_who_did_it_alone_until_it_is_drawn() -> None:
    scene = planning(1, "patch").do("top")
    assert seen(scene.state, 0)["planning_top"] == "Patch"
    assert "planning_top" not in seen(scene.state, 1)
    assert "atch" not in repr(scene.events)
    scene.lay("attack", 1)
    other = Scene(replace(scene.state, place=1)).lay("plan", 1)
    other.do("plan")
    assert "planning_top" not in seen(other.state, 0)


def test_M_PLAN_3_kept_cards_lie_face_up() -> None:
    state = keeping(arrange(at={"drifter": "e1"}), "brace", "patch")
    rows = [row for row in seen(state)["seats"] if row["character"] == "drifter"]
    assert rows[0]["planning"] == [{"id": "brace", "name": "Brace"}, {"id": "patch", "name": "Patch"}]


def test_M_PLAN_3_4_a_defence_blocks_one_of_the_damage_dealt_and_is_discarded() -> None:
    state = keeping(arrange(at={"drifter": "d1"}, threats=[("d1", "Pit Bruiser"), ("d1", "Pit Bruiser")]), "brace")
    scene = Scene(state).lay("move", 1).do("move", "c1")
    assert scene.verbs == {"use", "accept"}
    assert "is dealt 1 damage" in mandalorian.prompt(scene.state, ())
    scene.do("use", "brace")
    assert figure_of(scene.state, "drifter").damage == 1  # the other grappler's, with no card left
    assert plans(scene.state, scene.state.planning.discard) == ["brace"]
    assert plans(scene.state, figure_of(scene.state, "drifter").planning) == []


def test_M_PLAN_4_any_damage_may_be_blocked_and_need_not_be() -> None:
    state = keeping(arrange(at={"drifter": "d1"}), "brace", "brace")
    scene = Scene(state).effect({"verb": "hurt", "n": 3})
    scene.do("use", "brace").do("use", "brace")
    assert figure_of(scene.state, "drifter").damage == 1
    taken = Scene(state).effect({"verb": "hurt", "n": 3}).do("accept")
    assert figure_of(taken.state, "drifter").damage == 3


def test_M_PLAN_3_striking_back_is_the_choice_of_who_was_attacked() -> None:
    state = arrange(at={"loader_droid": "d1", "drifter": "a1"}, threats=[("d2", "Rim Gunner")], acting="drifter")
    scene = Scene(keeping(state, "snap_shot", of="loader_droid")).event("volley")
    assert {(action.seat, action.verb) for action in mandalorian.legal(scene.state)} == {(1, "use"), (1, "pass")}
    assert seen(scene.state)["character"] == "loader_droid"
    scene.do("use", "snap_shot")
    assert scene.args("hit") == [("t1", 1, "d1")]
    assert figure_of(scene.state, "loader_droid").damage == 1


def test_M_PLAN_3_cards_of_one_s_own_action_phase() -> None:
    state = changed(keeping(arrange(at={"drifter": "e1"}), "patch", "second_wind"), "drifter", damage=2)
    scene = Scene(hand(state, 1, 2))
    assert scene.offers("use") == [("second_wind",), ("patch",)]
    scene.do("use", "patch")
    assert figure_of(scene.state, "drifter").damage == 1
    scene.do("use", "second_wind").do("pass")
    assert scene.verbs == {"play"}


def test_M_PLAN_3_a_crisis_may_be_cancelled() -> None:
    state = keeping(arrange(salt_harbour(), at={"drifter": "e2", "medic": "e3"}), "cool_head", of="medic")
    state = replace(state, piles=(state.piles[0]._replace(disruption=(6,)), *state.piles[1:]))
    scene = Scene(decked(state, events=["prowl"])).event_phase()
    assert scene.offers("use") == [("cool_head", "medic")]
    scene.do("use", "cool_head", "medic")
    assert "track" not in scene.told
    assert "captured" not in scene.told
    assert scene.told.index("used") < scene.told.index("event")


@pytest.mark.parametrize(("limit", "verbs"), [(0, {"keep", "top", "discard"}), (1, {"top", "discard"})])
def test_M_PLAN_5_a_limit_on_kept_cards(limit: int, verbs: set[str], tmp_path: Path) -> None:
    scenario = switched(tmp_path, planning_limit=limit)
    state = keeping(decked(arrange(scenario, at={"drifter": "e1"}), planning=["patch"]), "brace")
    assert Scene(state).lay("plan", 1).do("plan").verbs == verbs


@pytest.mark.parametrize("allowed", [False, True])
def test_M_PLAN_5_handing_over(allowed: bool, tmp_path: Path) -> None:
    scenario = switched(tmp_path, planning_hand_over=allowed)
    scene = Scene(keeping(arrange(scenario, at={"drifter": "e1", "loader_droid": "e1"}), "brace"))
    assert scene.offers("give") == ([("brace", "loader_droid")] if allowed else [])
    if allowed:
        scene.do("give", "brace", "loader_droid")
        assert plans(scene.state, figure_of(scene.state, "loader_droid").planning) == ["brace"]
        assert plans(scene.state, figure_of(scene.state, "drifter").planning) == []
        apart = Scene(keeping(arrange(scenario, at={"drifter": "e1", "loader_droid": "e2"}), "brace"))
        assert apart.offers("give") == []


def test_M_PLAN_5_nobody_is_handed_more_than_the_limit(tmp_path: Path) -> None:
    scenario = switched(tmp_path, planning_hand_over=True, planning_limit=1)
    state = keeping(arrange(scenario, at={"drifter": "e1", "loader_droid": "e1"}), "brace")
    assert Scene(state).offers("give")
    assert not Scene(keeping(state, "patch", of="loader_droid")).offers("give")


@pytest.mark.parametrize(("reshuffle", "drawn"), [(True, 3), (False, 1)])
def test_M_PLAN_5_when_the_deck_runs_out(reshuffle: bool, drawn: int, tmp_path: Path) -> None:
    scenario = switched(tmp_path, planning_reshuffle=reshuffle)
    state = arrange(scenario, at={"drifter": "e1"})
    deck = state.planning.draw
    state = replace(state, planning=Deck(deck[:1], deck[1:]))
    scene = Scene(state).lay("plan", 3).do("plan")
    assert scene.args("drew_plans") == [("drifter", drawn)]
    assert ("plans_reshuffled" in scene.told) == reshuffle
    assert all(event.chance for event in scene.events if event.kind == "plans_reshuffled")
    empty = Scene(replace(state, planning=Deck((), () if reshuffle else deck))).lay("plan", 3)
    assert (empty.told == ["laid", "idle"]) == reshuffle
