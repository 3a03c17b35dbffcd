from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from arranging import CINDER_WELLS, arrange, cinder_wells, hand
from hypothesis import given
from hypothesis import strategies as st
from walking import thorough

from underglow.games import mandalorian
from underglow.games.contract import Action, IllegalAction, Transfer
from underglow.games.mandalorian.state import State, Threat

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "movement.toml").read_text())["case"]
MAP: dict[str, Any] = tomllib.loads(CINDER_WELLS.read_text())


def moves(state: State) -> dict[str, Action]:
    return {str(action.args[-1]): action for action in mandalorian.legal(state) if action.verb == "move"}


def position(case: dict[str, Any]) -> State:
    return arrange(
        at={"drifter": case["from"], "loader_droid": case.get("others", "e3")},
        threats=[(space, name) for space, name in case.get("threats", [])],
        move=case["strength"],
        doors_open=case.get("doors_open", 0),
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["rules"])
def test_M_MOVE_data_file_reach(case: dict[str, Any]) -> None:
    state = position(case)
    cells = dict(zip(cinder_wells().spaces, case["reach"].split(), strict=True))
    assert cells.pop(case["from"]) == "@"
    assert {space: len(action.args) - 1 for space, action in moves(state).items()} == {
        space: int(cell[0]) for space, cell in cells.items() if cell != "."
    }
    meanings = {space: cue.meaning for space, cue in mandalorian.cues(state, ("drifter",)).items()}
    for space, cell in cells.items():
        expected = None if cell == "." else "stop" if cell.endswith("!") else "reachable"
        assert meanings.get(space) == expected, space


@pytest.mark.parametrize("case", [case for case in CASES if "then" in case], ids=lambda case: case["rules"])
def test_M_MOVE_data_file_then(case: dict[str, Any]) -> None:
    before, then = position(case), case["then"]
    after, events = mandalorian.step(before, moves(before)[then["to"]])
    spaces = before.scenario.spaces
    assert spaces[after.figures[0].space] == then["to"]
    assert after.figures[0].damage == then["damage"]
    assert sum(event.kind == "damaged" for event in events) == then["damage"]
    turned_up = [
        spaces[now.space] for was, now in zip(before.threats, after.threats, strict=True) if now.up and not was.up
    ]
    assert turned_up == then.get("up", [])
    assert all(threat.up for threat in after.threats if threat.space == after.figures[0].space)
    assert after.pending is None  # movement is over, whatever the strength was


def test_M_MOVE_1_zero_spaces_is_to_stay() -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d1", "Pit Bruiser"), ("d2", "Ledge Watcher")], move=2)
    after, events = mandalorian.step(state, Action(0, "decline", ("move",)))
    assert after.figures == state.figures
    assert [event.kind for event in events] == ["declined"]


def test_M_MOVE_8_a_guard_shut_out_by_the_gate_reacts_once_it_is_open() -> None:
    for doors_open, damage in ((0, 0), (1, 1)):
        state = arrange(at={"drifter": "b2"}, threats=[("b4", "Ledge Watcher")], move=1, doors_open=doors_open)
        after, _ = mandalorian.step(state, moves(state)["b3"])
        assert after.figure.damage == damage


def test_M_MOVE_7_the_token_turned_up_is_told_as_a_revelation() -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d2", "? Slag")], move=1)
    _, events = mandalorian.step(state, moves(state)["d2"])
    revealed = next(event for event in events if event.kind == "revealed")
    assert revealed.args == ("t1", "d2", "Slag")
    assert revealed.reveals
    assert mandalorian.flashes(state, events)["d2"].meaning == "revealed"


def test_a_move_names_its_path_and_the_hands_that_mean_it() -> None:
    state = arrange(at={"drifter": "d1"}, move=3)
    assert moves(state)["d4"] == Action(0, "move", ("d1", "d2", "d3", "d4"), hands=(Transfer("drifter", "d1", "d4"),))


REFUSED = {
    "past a stop": (("d1", "d2", "d3"), "On d2 the movement ends"),
    "too far": (("d1", "c2", "c3", "d3"), "That path to d3 has 3 steps; the card gives 2"),
    "from elsewhere": (("e1", "e2"), "The Drifter starts from d1"),
    "a jump": (("d1", "c3"), "No step leads from d1 to c3"),
    "to nowhere": (("d1", "z9"), "There is no space z9"),
    "round and back": (("d1", "c1", "d1"), "choose to stay"),
    "along another path": (("d1", "c2", "b1"), "by a shortest path, as offered"),
    "along none": ((), "The Drifter starts from d1"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_M_MOVE_a_move_out_of_the_rules_is_refused_with_the_reason(what: str) -> None:
    path, sentence = REFUSED[what]
    state = arrange(at={"drifter": "d1"}, threats=[("d2", "Rim Gunner")], move=2)
    hands = (Transfer("drifter", "d1", path[-1]),) if path else ()
    with pytest.raises(IllegalAction, match=sentence):
        mandalorian.step(state, Action(0, "move", path, hands))


def test_the_gate_blocks_until_it_is_opened() -> None:
    shut = arrange(at={"drifter": "b3"}, move=1)
    through = Action(0, "move", ("b3", "b4"), (Transfer("drifter", "b3", "b4"),))
    with pytest.raises(IllegalAction, match="The well gate between b3 and b4 is shut"):
        mandalorian.step(shut, through)
    keys = arrange(at={"drifter": "b3"}, threats=[("b3", "Gate key"), ("b3", "Gate key")])
    for token in ("t1", "t2"):
        assert not keys.doors_open
        keys, _ = mandalorian.step(keys, Action(0, "take", (token,)))
    keys = hand(keys, 1, 2, 3, 4)
    laid, _ = mandalorian.step(keys, Action(0, "play", ("move", 1)))
    after, _ = mandalorian.step(laid, through)
    assert after.figure.space == after.scenario.spaces.index("b4")


# ── against a reference that knows only the file and the wording of the rules ──


def neighbours(space: dict[str, Any], doors_open: int) -> list[dict[str, Any]]:
    shut = [door["edge"] for number, door in enumerate(MAP["doors"]) if not doors_open >> number & 1]
    parted = [set(edge) for edge in (*MAP["walls"], *shut)]
    steps = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
    return [
        other
        for other in MAP["spaces"]
        if (other["q"] - space["q"], other["r"] - space["r"]) in steps and {space["id"], other["id"]} not in parted
    ]


def every_walk(state: State, strength: int) -> dict[str, int]:
    """Where a character can end, and in how few steps, by trying every walk one step at a time."""
    names, kinds = state.scenario.spaces, state.scenario.kinds
    here = MAP["spaces"][state.figure.space]
    ends: dict[str, int] = {}

    def stopped(space: str) -> bool:
        there = [threat for threat in state.threats if threat.space >= 0 and names[threat.space] == space]
        return any(not threat.up or kinds[threat.kind].kind == "enemy" for threat in there)

    def walk(space: dict[str, Any], walked: int) -> None:
        name = space["id"]
        ends[name] = min(walked, ends.get(name, walked))
        if walked < strength and not (walked and stopped(name)):
            for further in neighbours(space, state.doors_open):
                walk(further, walked + 1)

    walk(here, 0)
    del ends[here["id"]]
    return ends


@st.composite
def positions(draw: st.DrawFn) -> State:
    scenario = cinder_wells()
    space = st.integers(-1, len(scenario.spaces) - 1)
    threats = draw(
        st.lists(st.builds(Threat, st.integers(0, len(scenario.kinds) - 1), space, st.booleans()), max_size=8)
    )
    state = arrange(
        at={name: draw(st.sampled_from(scenario.spaces)) for name in ("drifter", "loader_droid")},
        move=draw(st.integers(1, 4)),
        doors_open=draw(st.integers(0, 1)),
    )
    return replace(state, threats=tuple(threats))


@thorough
@given(positions())
def test_M_MOVE_2_3_4_legal_moves_are_those_of_brute_force(state: State) -> None:
    strength = state.scenario.cards[state.piles[0].cards[-1]].strength
    offered = moves(state)
    assert {space: len(action.args) - 1 for space, action in offered.items()} == every_walk(state, strength)
    assert len(offered) == len(mandalorian.legal(state)) - 1  # one action a space, and to stay


@thorough
@given(positions(), st.data())
def test_M_MOVE_7_M_ABIL_1_2_what_a_move_does(state: State, data: st.DataObject) -> None:
    if not (offered := moves(state)):
        return
    end = data.draw(st.sampled_from(sorted(offered)))
    after, events = mandalorian.step(state, offered[end])
    names, kinds = state.scenario.spaces, state.scenario.kinds
    start, near = names[state.figure.space], {end, *(s["id"] for s in neighbours(space_of(end), state.doors_open))}
    up = [threat for threat in state.threats if threat.up and threat.space >= 0]
    turned = [threat for threat in state.threats if not threat.up and threat.space >= 0 and names[threat.space] == end]
    grapplers = sum(names[threat.space] == start and kinds[threat.kind].grapple for threat in up)
    guards = sum(names[threat.space] in near and kinds[threat.kind].guard for threat in up + turned)
    health = state.scenario.characters[0].health
    assert after.figures[0].damage == min(grapplers + guards, health)
    assert sum(event.kind == "revealed" for event in events) == (0 if grapplers >= health else len(turned))


def space_of(name: str) -> dict[str, Any]:
    return next(space for space in MAP["spaces"] if space["id"] == name)
