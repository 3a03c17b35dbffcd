"""The event phase: sums, crises, event cards and reinforcements; and how a mission is won and lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from arranging import (
    Scene,
    Token,
    arrange,
    changed,
    decked,
    edited,
    figure_of,
    hand,
    salt_harbour,
    seen,
    sums,
    switched,
)

from underglow.games import mandalorian
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import OFF, Pile, State
from underglow.games.state import Deck

NOTHING = "rush"  # an event card without any effect where there is no melee enemy


def event_phase(
    *strengths: int,
    events: Sequence[str] = (NOTHING, NOTHING),
    scenario: Scenario | None = None,
    at: tuple[str, str] = ("e1", "e1"),
    threats: Sequence[Token] = (),
    stack: Sequence[str] = (),
    heat: int = 0,
) -> Scene:
    """The Drifter's event phase with zones of these strengths."""
    where = {"drifter": at[0], "loader_droid": at[1]}
    state = sums(arrange(scenario, at=where, threats=threats, stack=stack), *strengths)
    return Scene(decked(replace(state, tracks=(heat,)), events=events)).event_phase()


def sums_of(state: State) -> list[int]:
    return [zone["sum"] for zone in seen(state)["zones"]]


# ── sums and what they bring ──


@pytest.mark.parametrize(("cards", "tokens", "total", "events"), [((1, 2), (1,), 4, 0), ((1, 2), (1, 1), 5, 1)])
def test_M_EVT_1_cards_and_disruption_tokens_of_a_zone_count(
    cards: tuple[int, ...], tokens: tuple[int, ...], total: int, events: int
) -> None:
    state = hand(arrange(at={"drifter": "e1"}), *cards)
    pile = Pile(state.figure.hand, tokens)
    state = replace(changed(state, "drifter", hand=()), piles=(*state.piles[:3], pile))
    assert sums_of(state) == [0, 0, 0, total]
    scene = Scene(decked(state, events=[NOTHING])).event_phase()
    assert scene.told.count("event") == events


def test_M_EVT_2_6_up_to_4_nothing_happens_and_all_cards_stay() -> None:
    scene = event_phase(4, 4, 0, 4)
    assert scene.told == ["turn"]
    assert sums_of(scene.state) == [4, 4, 0, 4]


def test_M_EVT_3_at_5_an_event_and_then_the_zone_is_emptied() -> None:
    scene = event_phase(0, 5, 0, 0)
    assert scene.told == ["event_due", "event", "no_effect", "no_reinforcement", "emptied", "turn"]
    assert sums_of(scene.state) == [0, 0, 0, 0]
    assert seen(scene.state)["events"]["discard"] == ["Rush"]


@pytest.mark.parametrize("strength", [6, 9])
def test_M_EVT_4_from_6_on_the_crisis_and_then_an_event_and_then_the_zone_is_emptied(strength: int) -> None:
    scene = event_phase(0, strength, 0, 0)
    assert scene.told == ["crisis_due", "track", "event", "no_effect", "no_reinforcement", "emptied", "turn"]
    assert sums_of(scene.state) == [0, 0, 0, 0]


def test_M_EVT_5_corner_case_11_zones_at_5_and_7() -> None:
    scene = event_phase(5, 0, 0, 7).do("zone", "plan")
    assert scene.told.count("event") == 2
    assert scene.args("track") == [("heat", 1)]
    assert scene.args("emptied") == [("plan",), ("move",)]


def test_M_EVT_5_two_zones_at_6_bring_two_crises_and_two_events() -> None:
    scene = event_phase(6, 0, 0, 6).do("zone", "move")
    assert scene.args("track") == [("heat", 1), ("heat", 2)]
    assert scene.told.count("event") == 2


@pytest.mark.parametrize(("switch", "asked", "order"), [("active_player", True, "pm"), ("left_to_right", False, "mp")])
def test_M_EVT_8_the_order_of_zones(switch: str, asked: bool, order: str, tmp_path: Path) -> None:
    scene = event_phase(5, 0, 0, 5, scenario=switched(tmp_path, zone_order=switch))
    if asked:
        assert {action.seat for action in mandalorian.legal(scene.state)} == {scene.state.seat}
        assert scene.offers("zone") == [("move",), ("plan",)]
        scene.do("zone", "plan")
    assert [str(args[0])[0] for args in scene.args("emptied")] == list(order)


@pytest.mark.parametrize(("reread", "events", "left"), [(True, 2, [0, 0, 4, 4]), (False, 1, [0, 5, 4, 4])])
def test_M_EVT_9_strengths_are_read_again_before_each_zone_by_switch(
    reread: bool, events: int, left: list[int], tmp_path: Path
) -> None:
    """The first event puts a token on a zone of 4."""
    state = sums(arrange(switched(tmp_path, reread_zone_sums=reread), at={"drifter": "e1"}), 5, 4, 4, 4)
    scene = Scene(decked(replace(state, pool=(1,)), events=["static", NOTHING])).event_phase()
    scene.do("disrupt_zone", "attack")
    assert scene.told.count("event") == events
    assert sums_of(scene.state) == left


def test_M_EVT_9_a_zone_is_resolved_at_most_once_a_phase() -> None:
    state = sums(arrange(at={"drifter": "e1"}), 5, 5, 1, 1)
    scene = Scene(decked(replace(state, pool=()), events=[NOTHING, "static"])).event_phase().do("zone", "move")
    assert sums_of(scene.state) == [5, 0, 1, 1]  # the one token of the pool, a 5, lies on Move again
    assert scene.told.count("event") == 2


def test_M_EVT_10_cards_go_to_their_owners_and_tokens_number_down_to_the_pool() -> None:
    state = arrange(at={"drifter": "e1", "loader_droid": "e1"})
    state = hand(hand(state, 2, 1, of="drifter"), 1, of="loader_droid")
    mine, others = figure_of(state, "drifter").hand, figure_of(state, "loader_droid").hand
    state = changed(changed(state, "drifter", hand=()), "loader_droid", hand=())
    state = replace(state, piles=(Pile((*mine, *others), (1,)), *state.piles[1:]), pool=(1, 2))
    scene = Scene(decked(state, events=[NOTHING])).event_phase()
    assert figure_of(scene.state, "drifter").discard == mine
    assert figure_of(scene.state, "loader_droid").discard == others
    assert scene.state.pool == (1, 1, 2)
    assert seen(scene.state)["disruption_pool"] == 3


@pytest.mark.parametrize(("reshuffle", "told"), [(True, "events_reshuffled"), (False, "no_event")])
def test_M_EVT_16_when_the_event_deck_is_empty(reshuffle: bool, told: str, tmp_path: Path) -> None:
    state = sums(arrange(switched(tmp_path, event_reshuffle=reshuffle), at={"drifter": "e1"}), 5, 0, 0, 0)
    scene = Scene(replace(state, events=Deck((), state.events.draw))).event_phase()
    assert told in scene.told
    assert ("event" in scene.told) == reshuffle
    assert sums_of(scene.state)[0] == 0
    assert all(event.chance for event in scene.events if event.kind == "events_reshuffled")
    assert len(scene.state.events.draw) == (11 if reshuffle else 0)


# ── an event without effect ──


@pytest.mark.parametrize(("switch", "space"), [("active_character", "a1"), ("any_character", "c5")])
def test_M_EVT_7_an_event_without_effect_brings_a_reinforcement_to_the_nearest_spawn_space(
    switch: str, space: str, tmp_path: Path
) -> None:
    scenario = switched(tmp_path, spawn_nearest_to=switch)
    scene = event_phase(5, 0, 0, 0, scenario=scenario, at=("b1", "c5"), stack=["Foundry Hulk"])
    assert scene.args("reinforced") == [("t1", space, "Foundry Hulk")]


def test_M_EVT_7_M_EVT_14_of_spawn_spaces_equally_near_the_players_choose() -> None:
    scene = event_phase(5, 0, 0, 0, at=("b3", "e1"), stack=["Foundry Hulk"])
    assert scene.offers("spawn") == [("a1",), ("c5",)]
    assert scene.do("spawn", "c5").args("reinforced") == [("t1", "c5", "Foundry Hulk")]


@pytest.mark.parametrize(
    ("card", "threat"),
    [
        ("rush", ("c3", "Pit Bruiser")),  # it moves
        ("rush", ("e1", "Pit Bruiser", {"disruption": (1,)})),  # it loses a token
        ("volley", ("e1", "Rim Gunner")),  # it cannot move, and attacks
        ("static", ("e1", "Slag")),  # a zone is disrupted
    ],
)
def test_M_EVT_7_any_effect_is_enough(card: str, threat: Token, tmp_path: Path) -> None:
    scenario = switched(tmp_path, sabotage_tie="first", nearest_tie="first")
    scene = event_phase(5, 0, 0, 0, events=[card], scenario=scenario, threats=[threat], stack=["Foundry Hulk"])
    assert "no_effect" not in scene.told
    assert "reinforced" not in scene.told


def test_M_EVT_7_planning_cards_drawn_are_an_effect(tmp_path: Path) -> None:
    scenario = edited(tmp_path, ('{ verb = "disrupt_zone", zone = "lowest" }', '{ verb = "plan", n = 1 }'))
    scene = event_phase(5, 0, 0, 0, events=["static"], scenario=scenario, stack=["Foundry Hulk"])
    scene.do("top")
    assert "no_effect" not in scene.told


# ── the crisis and reinforcements of the mission ──


@pytest.mark.parametrize(("heat", "after", "arrived"), [(0, 1, []), (1, 2, []), (2, 0, [("t3", "c5", "Tower Gun")])])
def test_M1_4_corner_case_25_the_third_crisis_brings_a_reinforcement_where_fewest_enemies_are(
    heat: int, after: int, arrived: list[tuple[str, ...]]
) -> None:
    threats: list[Token] = [("a1", "Rim Gunner"), ("c5", "? Rim Gunner")]  # what lies face down is no enemy
    scene = event_phase(6, 0, 0, 0, threats=threats, stack=["Tower Gun"], heat=heat)
    assert seen(scene.state)["tracks"][0]["value"] == after
    assert scene.args("reinforced") == arrived


@pytest.mark.parametrize(("switch", "asked"), [("players", True), ("first", False)])
def test_M1_8_a_tie_between_spawn_spaces(switch: str, asked: bool, tmp_path: Path) -> None:
    scenario = switched(tmp_path, spawn_tie=switch)
    scene = event_phase(6, 0, 0, 0, scenario=scenario, stack=["Tower Gun"], heat=2)
    assert scene.offers("spawn") == ([("a1",), ("c5",)] if asked else [])
    if asked:
        scene.do("spawn", "c5")
    assert scene.args("reinforced") == [("t1", "c5" if asked else "a1", "Tower Gun")]


@pytest.mark.parametrize(("face", "kind"), [("up", "enemy"), ("down", "threat")])
def test_M1_8_the_face_of_reinforcements(face: str, kind: str, tmp_path: Path) -> None:
    scenario = switched(tmp_path, reinforcements_face=face, spawn_tie="first")
    scene = event_phase(6, 0, 0, 0, scenario=scenario, stack=["Tower Gun"], heat=2)
    assert mandalorian.tokens(scene.state)["t1"].kind == kind
    assert ("Tower Gun" in repr(scene.events)) == (face == "up")


def test_M1_8_M_MOVE_7_a_face_down_reinforcement_beside_a_character_is_turned_up(tmp_path: Path) -> None:
    scenario = switched(tmp_path, reinforcements_face="down", spawn_tie="first")
    scene = event_phase(6, 0, 0, 0, scenario=scenario, at=("a1", "e1"), stack=["Tower Gun"], heat=2)
    assert scene.args("revealed") == [("t1", "a1", "Tower Gun")]


@pytest.mark.parametrize(("switch", "arrived"), [("nothing", []), ("reuse", [("t2", "c5", "Tower Gun")])])
def test_M1_9_when_the_stack_is_empty(switch: str, arrived: list[tuple[str, ...]], tmp_path: Path) -> None:
    scenario = switched(tmp_path, reinforcements_empty=switch)
    state = arrange(scenario, at={"drifter": "e1"}, threats=[("a1", "Rim Gunner"), ("c5", "Tower Gun")])
    gone = state.threats[1]._replace(space=OFF)  # a defeated reinforcement
    state = sums(replace(state, threats=(state.threats[0], gone), tracks=(2,)), 6, 0, 0, 0)
    scene = Scene(decked(state, events=["volley"])).event_phase()
    assert scene.args("reinforced") == arrived
    assert ("no_reinforcement" in scene.told) == (switch == "nothing")
    assert [event.chance for event in scene.events if event.kind == "reinforcements_reused"] == [True] * len(arrived)


# ── won and lost ──


def test_M1_2_corner_case_26_a_character_on_the_asset_at_the_end_of_another_s_turn_wins() -> None:
    state = arrange(at={"drifter": "e1", "loader_droid": "a2"}, threats=[("a2", "Survey core")])
    scene = Scene(state).event_phase()
    assert scene.told == ["won"]
    over = mandalorian.outcome(scene.state)
    assert over is not None
    assert over.winners == (0, 1)
    assert mandalorian.legal(scene.state) == ()


def test_M1_2_to_enter_the_asset_s_space_is_not_enough() -> None:
    scene = Scene(arrange(at={"drifter": "a3"}, threats=[("a2", "? Survey core")])).lay("move", 1).do("move", "a2")
    assert "revealed" in scene.told
    assert mandalorian.outcome(scene.state) is None
    assert scene.lay("attack", 1).state.ended == "objective"


def test_M1_2_the_event_phase_comes_before_the_objective() -> None:
    state = arrange(at={"drifter": "a2"}, threats=[("a2", "Survey core"), ("a2", "Rim Gunner")], damage={"drifter": 7})
    scene = Scene(decked(sums(state, 5, 0, 0, 0), events=["volley"])).event_phase()
    assert scene.state.ended == "defeat"


def test_M1_3_lost_the_moment_any_character_is_defeated() -> None:
    where = {"drifter": "e1", "loader_droid": "d4"}
    state = arrange(at=where, threats=[("d4", "Rim Gunner"), ("d4", "Rim Gunner")], damage={"loader_droid": 7})
    scene = Scene(decked(sums(state, 5, 5, 0, 0), events=["volley"])).event_phase().do("zone", "move")
    assert scene.told[-3:] == ["attacked", "damaged", "defeated"]  # no second attack, no second zone
    assert mandalorian.legal(scene.state) == ()
    over = mandalorian.outcome(scene.state)
    assert over is not None
    assert (over.winners, over.reason) == ((), "The Loader Droid is defeated.")


@pytest.mark.parametrize(("switch", "defeated"), [("damage>=health", True), ("damage>health", False)])
def test_M1_3_whether_damage_equal_to_health_defeats(switch: str, defeated: bool, tmp_path: Path) -> None:
    state = arrange(switched(tmp_path, defeat_at=switch), at={"drifter": "e1"}, damage={"drifter": 7})
    assert (Scene(state).effect({"verb": "hurt", "n": 1}).state.ended == "defeat") == defeated


def test_M1_3_another_failure_is_seen_the_moment_it_holds(tmp_path: Path) -> None:
    """Here it is lost as soon as a character stands on a face-up enemy: it is turned up by who enters."""
    scenario = edited(
        tmp_path, ('{ is = "turns_at_least", n = 11 }', '{ is = "character_on", kind = "enemy" }'), name="cinder-wells"
    )
    scene = Scene(arrange(scenario, at={"drifter": "d1"}, threats=[("d2", "? Rim Gunner")])).lay("move", 1)
    scene.do("move", "d2")
    assert scene.told[-2:] == ["revealed", "lost"]
    assert scene.state.ended == "failure"


def test_M1_5_corner_case_37_the_door_opens_at_once_and_the_second_action_may_use_it() -> None:
    state = arrange(at={"drifter": "b3"}, threats=[("b3", "Gate key"), ("b3", "Gate key"), ("e1", "Gate key")])
    scene = Scene(state).lay("plan", 1).do("decline", "plan")
    assert scene.offers("take") == [("t1",), ("t2",)]  # from one's own space only
    scene.do("take", "t1")
    assert "opened" not in scene.told
    scene.do("take", "t2")
    assert scene.told[-1] == "opened"
    assert seen(scene.state)["slots"] == [{"item": "Gate key", "filled": 2, "slots": 2}]
    scene.lay("move", 1).do("move", "b4")


def test_M1_5_a_key_is_not_lifted_while_it_lies_face_down_or_by_another() -> None:
    state = arrange(at={"drifter": "e1", "loader_droid": "d1"}, threats=[("d1", "Gate key"), ("e2", "? Gate key")])
    scene = Scene(state)
    assert scene.offers("take") == []
    assert "only what a slot is left for" in scene.refused("take", "t1")


def test_M1_5_what_belongs_elsewhere_is_carried_there_by_its_finder() -> None:
    cells: list[Token] = [("a2", "Power cell"), ("a2", "Power cell"), ("a2", "Power cell")]
    state = arrange(salt_harbour(), at={"drifter": "a2", "loader_droid": "a3"}, threats=cells)
    scene = Scene(state).do("take", "t3").do("take", "t1")
    assert scene.offers("take") == []  # two slots, and two cells on their way
    assert seen(scene.state)["seats"][0]["items"] == ["Power cell", "Power cell"]
    assert mandalorian.layout(scene.state)["a2"] == ("drifter", "t2")
    assert scene.offers("deliver") == []
    assert "only what it carries, where it belongs" in scene.refused("deliver", "t1")
    scene.lay("move", 1).do("move", "a3")
    assert scene.offers("deliver") == [("t1",)]  # equal ones are one choice
    scene.do("deliver", "t1").do("deliver", "t3")
    assert scene.told[-3:] == ["delivered", "delivered", "opened"]
    assert seen(scene.state)["slots"] == [{"item": "Power cell", "filled": 2, "slots": 2}]
