from __future__ import annotations

from dataclasses import replace

import pytest
from arranging import arrange, hand, sums

from underglow.games import mandalorian
from underglow.games.contract import Cue, Event, Meaning
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


def test_with_a_move_pending_the_reach_is_there_before_the_lift_and_bright_in_the_hand() -> None:
    state = arrange(at={"drifter": "d1", "loader_droid": "e2"}, threats=BOARD, move=2)
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
    state = arrange(at={"drifter": "d1", "loader_droid": "e2"}, threats=BOARD, move=2)
    home = {"loader_droid": "e2", "t1": "c1"}[token]
    assert said(state, token)[home] == Cue(Meaning.MISSING)
    assert not {"reachable", "stop"} & set(meanings(state, token).values())
    assert meanings(state, "drifter", token)[home] == "missing"
    assert mandalorian.prompt(state, (token,)).endswith(f"back on {home}.")


def test_a_stop_looks_the_same_whatever_lies_there() -> None:
    hidden = ("Rim Gunner", "Ledge Watcher", "Gate key", "Survey core", "Slag")
    for lifted in ((), ("drifter",)):
        looks = {
            tuple(sorted(said(arrange(at={"drifter": "d1"}, threats=[("d2", f"? {name}")], move=2), *lifted).items()))
            for name in hidden
        }
        assert len(looks) == 1


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
    state = hand(sums(arrange(at={}), 0, 0, 0, 9), 0, 1, 2, 3)
    lay = next(a for a in mandalorian.legal(state) if a.args == ("plan", 0, "scatter"))
    assert mandalorian.cues(mandalorian.step(state, lay)[0], ())["plan"] == Cue(Meaning.WARM)


def test_flashes_show_a_revelation_a_damage_and_a_gate() -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d1", "Pit Bruiser"), ("d2", "? Slag")], move=1)
    go = next(action for action in mandalorian.legal(state) if action.args[-1] == "d2")
    after, events = mandalorian.step(state, go)
    assert [event.kind for event in events[:3]] == ["damaged", "moved", "revealed"]
    assert mandalorian.flashes(after, events) == {"d2": Cue(Meaning.REVEALED)}
    assert mandalorian.flashes(after, events[:1]) == {"d2": Cue(Meaning.TARGET)}
    opened = mandalorian.flashes(after, (Event("opened", ("well_gate",)),))
    assert opened == {"b3": Cue(Meaning.OBJECTIVE), "b4": Cue(Meaning.OBJECTIVE)}


def test_the_end_is_shown_where_it_happened() -> None:
    state = arrange(at={"drifter": "d1", "loader_droid": "a2"}, threats=BOARD, move=2)
    assert meanings(replace(state, ended="defeat")) == {"d1": "target"}
    assert meanings(replace(state, ended="objective")) == {"d1": "objective", "a2": "objective"}
