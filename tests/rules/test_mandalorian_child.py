"""The child: rescued, captured, dropped, fleeing, and brought to where it belongs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from arranging import (
    SALT_HARBOUR,
    Scene,
    Token,
    arrange,
    edited,
    figure_of,
    keeping,
    salt_harbour,
    seen,
    sums,
    switched,
)

from underglow.games import mandalorian
from underglow.games.contract import Cue, Meaning, Transfer
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import NOBODY, OFF, Child, State


def position(
    child: str | Child,
    *threats: Token,
    at: str = "e3",
    other: str = "g1",
    who: str = "drifter",
    scenario: Scenario | None = None,
) -> State:
    """A position with the child on a space, or as it says; `who` is to act, and stands `at`."""
    scenario = scenario or salt_harbour()
    partner = "loader_droid" if who == "drifter" else "drifter"
    state = arrange(scenario, at={who: at, partner: other}, threats=threats)
    there = child if isinstance(child, Child) else Child(scenario.spaces.index(child), NOBODY, NOBODY, fled=False)
    return replace(state, child=there)


CARRIED = Child(OFF, 0, NOBODY, fled=False)
CAPTURED = Child(OFF, NOBODY, 0, fled=False)


def test_M_CHILD_1_only_some_missions_use_it() -> None:
    assert seen(arrange(at={"drifter": "e1"}))["child"] is None
    state = mandalorian.setup(salt_harbour(), 2, arrange(at={}).rng)
    assert seen(state)["child"] == {"carrier": None, "captor": None, "fled": False}
    assert mandalorian.layout(state)["c6"] == ("child",)


# ── rescue ──


@pytest.mark.parametrize("zone", ["move", "attack", "intel", "plan", "aid"])
def test_M_CHILD_2_during_any_action_on_its_space_it_may_be_rescued(zone: str) -> None:
    scene = Scene(position("e3", at="e3")).lay(zone, 2)
    rescue = next(action for action in mandalorian.legal(scene.state) if action.verb == "rescue")
    assert rescue.hands == (Transfer("child", "e3", None),)
    before = scene.verbs - {"rescue"}
    scene.do("rescue")
    assert scene.args("rescued") == [("child", "drifter", "e3")]
    assert seen(scene.state)["child"] == {"carrier": "drifter", "captor": None, "fled": False}
    assert "child" not in mandalorian.tokens(scene.state)
    assert scene.verbs == (before if before != {"decline"} else {"play"})  # the action itself is still to come


def test_M_CHILD_2_M_TACT_6_laying_a_tactical_card_is_an_action_too_whatever_the_zone() -> None:
    scene = Scene(position("e3", at="e3")).lay("plan", 0, "scatter")
    assert scene.verbs == {"rescue", "decline"}


def test_M_CHILD_2_not_without_an_action_nor_from_elsewhere() -> None:
    scene = Scene(position("e3", at="e3"))
    assert "rescue" not in scene.verbs
    assert "First the Drifter lays a skill card" in scene.refused("rescue")
    assert "rescue" not in Scene(position("d4", at="e3")).lay("plan", 1).verbs
    assert Scene(position("d4", at="e3")).lay("attack", 1).told == ["laid", "idle"]


def test_M_CHILD_2_at_the_end_of_a_move_and_before_it() -> None:
    scene = Scene(position("d4", at="e3")).lay("move", 1).do("move", "d4")
    assert scene.verbs == {"rescue", "decline"}
    assert mandalorian.cues(scene.state, ())["d4"] == Cue(Meaning.CHILD)
    scene.do("rescue")
    ahead = Scene(position("e3", at="e3")).lay("move", 1).do("rescue").do("move", "d4")
    assert seen(ahead.state)["child"]["carrier"] == "drifter"


def test_M_CHILD_3_while_passing_through_its_space() -> None:
    scene = Scene(position("e3", at="f2")).lay("move", 2).do("move", "d4")
    assert scene.args("moved") == [("drifter", "f2", "e3", "d4")]
    assert scene.verbs == {"rescue", "pass"}
    assert Scene(scene.state).do("pass").state.child == scene.state.child
    scene.do("rescue")
    assert seen(scene.state)["child"]["carrier"] == "drifter"
    assert mandalorian.layout(scene.state)["d4"] == ("drifter",)


def test_M_CHILD_3_by_a_detour_that_the_strength_allows() -> None:
    """The shortest way from f2 to e2 is one step; by way of the child on e3 it takes two."""
    scene = Scene(position("e3", at="f2")).lay("move", 2)
    assert [args for args in scene.offers("move") if args[-1] == "e2"] == [("f2", "e2"), ("f2", "e3", "e2")]
    assert Scene(scene.state).do("move", "f2", "e2").verbs == {"play"}
    assert scene.do("move", "f2", "e3", "e2").verbs == {"rescue", "pass"}
    short = Scene(position("e3", at="f2")).lay("move", 1)
    assert [args for args in short.offers("move") if args[-1] == "e2"] == [("f2", "e2")]


def test_M_CHILD_3_an_enemy_beside_the_child_stops_whoever_comes_for_it() -> None:
    scene = Scene(position("e3", ("e3", "Dock Thug"), at="f2")).lay("move", 3)
    assert not [args for args in scene.offers("move") if "e3" in args[:-1]]
    assert scene.do("move", "e3").verbs == {"rescue", "decline"}


def test_M_CHILD_3_while_an_ability_moves_one_in_an_action() -> None:
    scene = Scene(position("e3", at="f2", who="scout")).lay("intel", 1, "dash")
    scene.do("ability", "dash").do("move", "d4")
    assert scene.verbs == {"rescue", "pass"}


def test_M_CHILD_2_3_a_planning_card_is_no_action() -> None:
    state = position("d4", at="e3")
    scene = Scene(keeping(state, "second_wind")).do("use", "second_wind").do("move", "d4")
    assert scene.verbs == {"play"}


@pytest.mark.parametrize("child", [Child(OFF, 1, NOBODY, fled=False), CAPTURED], ids=["partner", "enemy"])
def test_M_CHILD_4_not_while_another_or_an_enemy_carries_it(child: Child) -> None:
    scene = Scene(position(child, ("e3", "Dock Thug"), at="e3", other="e3")).lay("plan", 1)
    assert scene.verbs == {"plan", "decline"}
    assert "rescue" not in scene.do("decline", "plan").verbs


def test_M_CHILD_5_not_when_it_fled_this_turn_but_in_the_next() -> None:
    fled = Child(salt_harbour().spaces.index("e3"), NOBODY, NOBODY, fled=True)
    scene = Scene(position(fled, at="e3", other="e3")).lay("plan", 1)
    assert "rescue" not in scene.verbs
    assert seen(scene.state)["child"]["fled"]
    scene.do("decline", "plan").lay("attack", 1)
    assert scene.state.turn == 1
    assert "rescue" in scene.lay("plan", 1).verbs


# ── the captor, and who carries it ──


def test_M_CHILD_6_corner_case_31_the_captor_s_defeat_drops_it_on_its_space() -> None:
    scene = Scene(position(CAPTURED, ("d4", "Wrecker"), at="e3")).lay("attack", 2).do("attack", "t1")
    assert scene.told == ["laid", "hit", "destroyed", "dropped"]
    assert mandalorian.layout(scene.state)["d4"] == ("child",)
    assert "rescue" not in scene.verbs  # nobody has acted there yet
    assert scene.lay("move", 1).do("move", "d4").verbs == {"rescue", "decline"}


def test_M_CHILD_2_6_defeated_on_one_s_own_space_it_may_be_rescued_in_the_same_action() -> None:
    scene = Scene(position(CAPTURED, ("e3", "Wrecker"), at="e3")).lay("attack", 2).do("attack", "t1")
    assert scene.verbs == {"rescue", "decline"}


def test_M_CHILD_7_corner_case_32_it_is_neither_handed_over_nor_set_down() -> None:
    scene = Scene(position(CARRIED, at="e3", other="e3"))
    assert scene.verbs == {"play"}
    assert "neither be handed over nor set down" in scene.refused("give", "child", "loader_droid")
    scene.lay("move", 1).do("move", "d4")
    assert scene.verbs == {"play"}
    assert seen(scene.state)["child"]["carrier"] == "drifter"
    assert mandalorian.cues(scene.state, ())["d4"].meaning == Meaning.READY


# ── capture and flight: our reading of M-CHILD-8 ──


@pytest.mark.parametrize(
    ("child", "threat", "taken"),
    [
        ("e3", ("e3", "Dock Thug"), True),
        ("e3", ("d4", "Dock Thug"), True),  # within range 1
        ("e3", ("c4", "Dock Thug"), False),
        ("e3", ("e3", "Dock Thug", {"disruption": (1,)}), False),
        ("e3", ("e3", "? Dock Thug"), False),
        ("e3", ("e3", "Power cell"), False),
        (CARRIED, ("e3", "Dock Thug"), False),
    ],
)
def test_M_CHILD_8_an_enemy_near_it_takes_the_child_if_nobody_carries_it(
    child: str | Child, threat: Token, taken: bool
) -> None:
    scene = Scene(position(child, threat, at="g1")).effect({"verb": "capture_child", "range": 1})
    assert scene.args("captured") == ([("child", "t1", threat[0])] if taken else [])
    assert (scene.state.child == CAPTURED) == taken


@pytest.mark.parametrize(("switch", "asked"), [("players", True), ("first", False)])
def test_M_CHILD_8_M_EVT_14_of_several_the_players_choose_who_takes_it(
    switch: str, asked: bool, tmp_path: Path
) -> None:
    scenario = switched(tmp_path, SALT_HARBOUR, nearest_tie=switch)
    state = position("e3", ("e3", "Dock Thug"), ("d4", "Wrecker"), scenario=scenario)
    scene = Scene(state).effect({"verb": "capture_child", "range": 1})
    if asked:
        assert scene.offers("enemy") == [("t1",), ("t2",)]
        scene.do("enemy", "t2")
    assert scene.args("captured")[0][1] == ("t2" if asked else "t1")


@pytest.mark.parametrize(
    ("threats", "ends"),
    [
        ([("d3", "Dock Thug")], ["e4", "f2"]),  # two steps away; the other three neighbours are one
        ([("d4", "Dock Thug"), ("e2", "Dock Thug")], ["g1", "g2"]),
        ([], []),  # nobody to run from
        ([("d3", "? Dock Thug")], []),
    ],
)
def test_M_CHILD_8_it_flees_to_where_the_enemies_are_farthest(threats: Sequence[Token], ends: list[str]) -> None:
    child = "e3" if len(threats) < 2 else "f2"
    scene = Scene(position(child, *threats, at="g1")).effect({"verb": "child_flees", "n": 1})
    assert [args[-1] for args in scene.offers("flee")] == ends
    if ends:
        assert {action.hands for action in mandalorian.legal(scene.state)} == {
            (Transfer("child", child, end),) for end in ends
        }
        scene.do("flee", ends[0])
        assert scene.args("fled") == [("child", child, ends[0])]


@pytest.mark.parametrize("child", [CARRIED, CAPTURED], ids=["carried", "captured"])
def test_M_CHILD_8_it_flees_only_while_nobody_carries_it(child: Child) -> None:
    scene = Scene(position(child, ("e3", "Dock Thug"))).effect({"verb": "child_flees"})
    assert "fled" not in scene.told


@pytest.mark.parametrize(("switch", "fled"), [("events", False), ("from_enemies", True)])
@pytest.mark.parametrize("threat", ["e3", "d4"])
def test_M_CHILD_8_whether_it_flees_by_itself_from_an_enemy_on_its_space(
    switch: str, fled: bool, threat: str, tmp_path: Path
) -> None:
    scenario = switched(tmp_path, SALT_HARBOUR, child_flees=switch, nearest_tie="first")
    scene = Scene(position("e3", (threat, "Dock Thug"), scenario=scenario)).event_phase()
    assert ("fled" in scene.told) == (fled and threat == "e3")


def test_M_CHILD_5_8_when_it_flees_in_an_action_nobody_rescues_it_in_that_turn(tmp_path: Path) -> None:
    """Here the alarm scares it: it runs to the very space where the Drifter has set the alarm off."""
    change = ('{ verb = "close_door", door = "lock_gate" }', '{ verb = "child_flees" }')
    scenario = edited(tmp_path, change, of=SALT_HARBOUR, name="salt-harbour")
    state = position("e3", ("d4", "? Alarm"), ("e2", "Dock Thug"), at="d3", scenario=scenario)
    scene = Scene(state).lay("move", 1).do("move", "d4").do("flee", "d4").do("enemy_moves", "e3")
    assert mandalorian.layout(scene.state)["d4"] == ("drifter", "child", "t1")
    assert scene.verbs == {"play"}
    assert scene.lay("plan", 1).verbs == {"plan", "decline"}


# ── brought home ──


def test_M1_2_M_CHILD_2_the_mission_is_won_when_its_carrier_stands_there_at_the_end_of_a_turn() -> None:
    scene = Scene(position(CARRIED, at="a4")).lay("plan", 1)
    assert mandalorian.outcome(scene.state) is None
    assert scene.do("decline", "plan").lay("attack", 1).state.ended == "objective"
    without = Scene(position("a4", at="a4")).event_phase()  # it only lies there
    assert without.state.ended == ""


def test_M_CHILD_8_the_event_cards_of_the_harbour() -> None:
    state = position("c6", ("c4", "Dock Thug"), at="g1")
    scene = Scene(state).event("hue_and_cry")
    assert scene.args("marched") == [("t1", "c4", "c5", "c6")]
    assert scene.args("captured") == [("child", "t1", "c6")]
    taken = Scene(replace(scene.state, place=state.place))
    assert figure_of(taken.state, "drifter").damage == 0
    assert "marched" not in taken.event("hue_and_cry").told  # it has what it wanted


def test_M_EVT_4_M_CHILD_8_a_crisis_takes_the_child_and_the_next_one_raises_the_alarm() -> None:
    state = position("e3", ("d4", "Dock Thug"), at="g1")
    scene = Scene(sums(state, 6, 6, 0, 0, 0)).event_phase().do("zone", "move")
    assert scene.told.index("captured") < scene.told.index("track")
    assert scene.args("track") == [("alarm", 1)]
