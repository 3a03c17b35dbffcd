"""What the board says: of a movement, of what lies there, of zones, and for a moment of what has just happened."""

from __future__ import annotations

from dataclasses import replace

import pytest
from arranging import Scene, arrange, hand, keeping, salt_harbour, seen, sums

from underglow.games import mandalorian
from underglow.games.contract import Action, Cue, Event, Meaning
from underglow.games.mandalorian.movement import Steps
from underglow.games.mandalorian.state import State


def said(state: State, *lifted: str) -> dict[str, Cue]:
    """Cues of spaces only."""
    return {lamp: cue for lamp, cue in mandalorian.cues(state, lifted).items() if lamp in state.scenario.spaces}


def meanings(state: State, *lifted: str) -> dict[str, str]:
    return {lamp: str(cue.meaning) for lamp, cue in said(state, *lifted).items()}


BOARD = [
    ("c1", "? Survey core"),
    ("c3", "Rim Gunner"),
    ("c4", "? Rim Gunner"),
    ("c4", "Wire Rat"),
    ("e3", "Gate key"),
    ("a1", "Survey core"),
    ("a2", "Slag"),
]


def test_before_a_move_the_board_says_who_acts_and_where_danger_is() -> None:
    state = arrange(at={"drifter": "d1"}, threats=BOARD)
    assert meanings(state) == {
        "d1": "ready",
        "c1": "threat",
        "c3": "enemy",
        "c4": "enemy",
        "e3": "objective",
        "a1": "objective",
    }
    assert all(cue.level < 128 for cue in said(state).values())
    assert "ready" not in meanings(state, "drifter").values()
    assert meanings(state, "drifter")["d1"] == "missing"


def moving(strength: int, *threats: tuple[str, str]) -> State:
    """The Drifter has laid a card on Move, and the Loader Droid stands on e2."""
    return Scene(arrange(at={"drifter": "d1", "loader_droid": "e2"}, threats=threats)).lay("move", strength).state


def test_M_MOVE_1_3_the_reach_is_there_before_the_lift_and_bright_in_the_hand() -> None:
    state = moving(2, *BOARD)
    before, lifted = said(state), said(state, "drifter")
    assert before["d1"] == Cue(Meaning.READY)
    assert lifted["d1"].meaning is Meaning.ORIGIN
    reach = {action.args[-1] for action in mandalorian.legal(state) if action.verb == "move"}
    assert set(lifted) == {*reach, "d1"}
    for space in reach:
        stop = space in ("c1", "c3")
        assert before[str(space)].meaning is lifted[str(space)].meaning is (Meaning.STOP if stop else Meaning.REACHABLE)
        assert before[str(space)].level < 64 < lifted[str(space)].level
    assert lifted["d2"].level > lifted["d3"].level  # the nearer, the brighter
    assert before["a1"].meaning is Meaning.OBJECTIVE


@pytest.mark.parametrize("token", ["loader_droid", "t1"])
def test_another_token_in_the_hand_is_missed_where_it_belongs(token: str) -> None:
    state = moving(2, *BOARD)
    home = {"loader_droid": "e2", "t1": "c1"}[token]
    assert said(state, token)[home] == Cue(Meaning.MISSING)
    assert not {"reachable", "stop"} & set(meanings(state, token).values())
    assert meanings(state, "drifter", token)[home] == "missing"
    assert mandalorian.prompt(state, (token,)).endswith(f"back on {home}.")


def test_M_MOVE_3_a_stop_looks_the_same_whatever_lies_there() -> None:
    hidden = ("Rim Gunner", "Ledge Watcher", "Gate key", "Survey core", "Slag")
    for lifted in ((), ("drifter",)):
        looks = {tuple(sorted(said(moving(2, ("d2", f"? {name}")), *lifted).items())) for name in hidden}
        assert len(looks) == 1


def test_M_ABIL_1_2_where_stopping_or_leaving_hurts() -> None:
    state = moving(2, ("d1", "Pit Bruiser"), ("d3", "Ledge Watcher"))
    assert meanings(state)["d1"] == "hurt"
    guarded = {space for space, meaning in meanings(state).items() if meaning == "guarded"}
    assert guarded == {"c3", "d2", "d3", "e2"}
    assert guarded == {space for space, meaning in meanings(state, "drifter").items() if meaning == "guarded"}


def test_M_ATK_1_M_INT_1_what_an_action_may_be_aimed_at() -> None:
    threats = [("d2", "Rim Gunner"), ("c1", "? Slag"), ("e3", "Rim Gunner")]
    scene = Scene(arrange(at={"drifter": "d1"}, threats=threats))
    attack = meanings(scene.lay("attack", 1).state)
    assert attack == {"d1": "ready", "d2": "target", "c1": "threat", "e3": "enemy"}
    intel = Scene(arrange(at={"drifter": "d1"}, threats=threats)).lay("intel", 1).state
    assert meanings(intel) == {"d1": "ready", "d2": "target", "c1": "peek", "e3": "enemy"}
    pushed = meanings(intel, "t1")
    assert pushed.pop("d2") == "origin"
    assert pushed == dict.fromkeys(["c2", "c3", "d1", "d3", "e1", "e2"], "reachable")


def test_M_EVT_14_a_tie_is_shown_as_several_places_to_choose_from() -> None:
    state = arrange(at={"drifter": "e1", "loader_droid": "e3"}, threats=[("c3", "Rim Gunner")])
    scene = Scene(state).event("volley")
    assert meanings(scene.state) == {"c3": "origin", "d2": "choice", "d3": "choice"}


def test_M_EVT_7_M1_4_the_spawn_spaces_to_choose_from() -> None:
    scene = Scene(arrange(at={"drifter": "d1"}, stack=["Tower Gun"]))
    scene.effect({"verb": "reinforce", "at": "spawn_fewest_enemies"})
    assert meanings(scene.state)["a1"] == meanings(scene.state)["c5"] == "spawn"
    scene.do("spawn", "c5")
    assert mandalorian.flashes(scene.state, tuple(scene.events))["c5"] == Cue(Meaning.SPAWN)


def test_M_DISR_2_a_disrupted_enemy_is_shown_the_stronger_the_more_tokens() -> None:
    one, two = (
        said(arrange(at={"drifter": "d1"}, threats=[("c3", "Rim Gunner", {"disruption": tokens})]))["c3"]
        for tokens in ((1,), (1, 1))
    )
    assert one.meaning is two.meaning is Meaning.DISRUPTED
    assert one.level < two.level


def test_M_CHILD_1_the_child_is_shown_where_it_is_and_dim_when_it_fled() -> None:
    state = arrange(salt_harbour(), at={"drifter": "g2"})
    assert state.child
    assert said(state)["c6"].meaning is Meaning.CHILD
    fled = replace(state, child=state.child._replace(fled=True))
    assert said(fled)["c6"].level < said(state)["c6"].level
    carried = replace(state, child=state.child._replace(space=-1, carrier=0))
    assert "c6" not in meanings(carried)


def test_M_PLAN_4_who_is_dealt_damage_and_by_whom() -> None:
    state = keeping(arrange(at={"drifter": "d1"}, threats=[("d2", "Ledge Watcher")]), "brace")
    scene = Scene(state).lay("move", 1).do("move", "e1")
    assert meanings(scene.state) == {"e1": "hurt", "d2": "target"}


@pytest.mark.parametrize(
    ("strength", "meaning"),
    [(0, "calm"), (1, "calm"), (3, "calm"), (4, "calm"), (5, "warm"), (6, "hot"), (11, "hot")],
)
def test_M_EVT_1_4_a_zone_says_how_near_its_limit_it_is(strength: int, meaning: str) -> None:
    cues = mandalorian.cues(sums(arrange(at={}), 0, 0, strength, 0), ())
    assert cues["intel"].meaning == meaning
    assert cues["move"].meaning == "calm"


def test_M_EVT_1_a_calm_zone_glows_by_its_sum() -> None:
    cues = mandalorian.cues(sums(arrange(at={}), 1, 2, 3, 4), ())
    levels = [cues[zone].level for zone in ("move", "attack", "intel", "plan")]
    assert levels == sorted(set(levels))


def test_M_TACT_4_a_tactical_card_pins_its_zone() -> None:
    state = hand(sums(arrange(at={}), 0, 0, 0, 9), "scatter", 1, 2, 3)
    lay = next(a for a in mandalorian.legal(state) if a.args == ("plan", 0, "scatter"))
    assert mandalorian.cues(state, ("drifter:scatter",))["plan"] == Cue(Meaning.PINNED)
    assert mandalorian.cues(mandalorian.step(state, lay)[0], ())["plan"] == Cue(Meaning.PINNED)


def test_M_EVT_1_a_card_in_the_hand_shows_what_each_zone_would_become() -> None:
    state = hand(sums(arrange(at={"drifter": "d1"}), 1, 2, 3, 0), 3, 1)
    preview = mandalorian.cues(state, ("drifter:3",))
    assert [str(preview[zone].meaning) for zone in ("move", "attack", "intel", "plan")] == [
        "calm",
        "warm",
        "hot",
        "calm",
    ]
    laid = Scene(state).do("play", "attack", 3).state
    assert mandalorian.cues(laid, ("drifter:1",))["attack"].meaning is Meaning.WARM  # it has a card of this turn


def test_flashes_show_a_revelation_a_damage_and_a_gate() -> None:
    scene = Scene(moving(1, ("d1", "Pit Bruiser"), ("d2", "? Slag"))).do("move", "d2")
    events = tuple(scene.events)
    assert [event.kind for event in events] == ["moved", "damaged", "revealed"]
    assert mandalorian.flashes(scene.state, events) == {"d2": Cue(Meaning.REVEALED)}
    assert mandalorian.flashes(scene.state, events[:2]) == {"d2": Cue(Meaning.HURT)}
    opened = mandalorian.flashes(scene.state, (Event("opened", ("well_gate",)),))
    assert opened == {"b3": Cue(Meaning.OBJECTIVE), "b4": Cue(Meaning.OBJECTIVE)}


def test_M_EVT_12_the_way_of_an_enemy_is_flashed_in_its_order() -> None:
    state = arrange(at={"drifter": "e1", "loader_droid": "e1"}, threats=[("b1", "Wire Rat")])
    scene = Scene(state).event("rush")
    while "marched" not in scene.told:
        scene.do("enemy_moves", scene.offers("enemy_moves")[0][-1])
    way = scene.args("marched")[0][1:]
    assert len(way) == 3
    assert [space for space in mandalorian.flashes(scene.state, tuple(scene.events)) if space in way] == list(way)


def test_the_end_is_shown_where_it_happened() -> None:
    state = arrange(at={"drifter": "d1", "loader_droid": "a2"}, threats=BOARD)
    assert meanings(replace(state, ended="defeat", ended_by=0, agenda=())) == {"d1": "target"}
    assert meanings(replace(state, ended="objective", agenda=())) == {"d1": "objective", "a2": "objective"}


def test_M_MOVE_8_who_moves_out_of_turn_is_asked_and_shown() -> None:
    at = {"drifter": "e1", "loader_droid": "d1"}
    scene = Scene(arrange(at=at, threats=[("d1", "Pit Bruiser"), ("e1", "Pit Bruiser")])).run(Steps(1, 1, action=False))
    assert (seen(scene.state)["turn"], seen(scene.state)["character"]) == (1, "loader_droid")
    assert meanings(scene.state)["d1"] == meanings(scene.state, "loader_droid")["d1"] == "hurt"
    assert "starts from d1" in scene.refused("move", "e1", "e2", seat=1)
    assert "Loader Droid's turn" in scene.refused("move", "e1", "e2", seat=0)


def shown(state: State, verb: str, *args: str | int) -> dict[str, str] | None:
    """What the board shows of the choice with these words."""
    action = next(a for a in mandalorian.legal(state) if a.verb == verb and a.args[: len(args)] == args)
    cues = mandalorian.shown(state, action)
    return None if cues is None else {place: str(cue.meaning) for place, cue in cues.items()}


def test_a_choice_is_shown_by_its_way_and_end_or_by_what_it_names() -> None:
    state = moving(3, ("c3", "Rim Gunner"))
    assert shown(state, "move", "d1", "d2", "d3") == {"d2": "path", "d3": "choice"}
    assert shown(state, "move", "d1", "d2") == {"d2": "choice"}
    assert shown(state, "decline", "move") == {"move": "choice"}
    attack = Scene(arrange(at={"drifter": "c2"}, threats=[("c3", "Rim Gunner")])).lay("attack", 1).state
    assert shown(attack, "attack", "t1") == {"c3": "choice"}


def test_what_lies_nowhere_is_shown_nowhere() -> None:
    state = keeping(arrange(at={"drifter": "d1"}), "brace")
    action = Action(0, "use", ("brace",))
    assert mandalorian.shown(state, action) == {}


def test_a_card_of_the_hand_is_never_shown() -> None:
    assert shown(hand(arrange(at={"drifter": "d1"}), 3, 1), "play") is None
