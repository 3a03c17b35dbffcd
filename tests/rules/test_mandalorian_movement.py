from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from arranging import CINDER_WELLS, Scene, arrange, cinder_wells, edited, keeping, salt_harbour, seen, switched
from hypothesis import given
from hypothesis import strategies as st
from walking import states, thorough

from underglow.games import mandalorian
from underglow.games.contract import Action, Transfer
from underglow.games.mandalorian.movement import Arrive, strength
from underglow.games.mandalorian.state import State, Threat

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "movement.toml").read_text())["case"]
MAP: dict[str, Any] = tomllib.loads(CINDER_WELLS.read_text())


def moves(state: State) -> dict[str, Action]:
    return {str(action.args[-1]): action for action in mandalorian.legal(state) if action.verb == "move"}


def moving(strength: int, *threats: tuple[str, str], at: str = "d1", others: str = "e3", doors_open: int = 0) -> Scene:
    """The Drifter has just laid a card of that strength on Move."""
    where = {"drifter": at, "loader_droid": others}
    return Scene(arrange(at=where, threats=threats, doors_open=doors_open)).lay("move", strength)


def position(case: dict[str, Any]) -> Scene:
    threats = [(space, name) for space, name in case.get("threats", [])]
    others, doors_open = case.get("others", "e3"), case.get("doors_open", 0)
    return moving(case["strength"], *threats, at=case["from"], others=others, doors_open=doors_open)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["rules"])
def test_M_MOVE_1_2_3_4_5_6_9_data_file_reach(case: dict[str, Any]) -> None:
    state = position(case).state
    cells = dict(zip(cinder_wells().spaces, case["reach"].split(), strict=True))
    assert cells.pop(case["from"]) == "@"
    assert {space: len(action.args) - 1 for space, action in moves(state).items()} == {
        space: int(cell[0]) for space, cell in cells.items() if cell != "."
    }
    guards = {state.scenario.spaces[t.space] for t in state.threats if t.up and state.scenario.kinds[t.kind].guard}
    meanings = {space: cue.meaning for space, cue in mandalorian.cues(state, ("drifter",)).items()}
    for space, cell in cells.items():
        near = {space, *(s["id"] for s in neighbours(space_of(space), state.doors_open))}
        expected = "guarded" if near & guards else "stop" if cell.endswith("!") else "reachable"
        assert meanings.get(space) == (None if cell == "." else expected), space


@pytest.mark.parametrize("case", [case for case in CASES if "then" in case], ids=lambda case: case["rules"])
def test_M_MOVE_3_6_7_11_M_ABIL_1_2_data_file_then(case: dict[str, Any]) -> None:
    scene, then = position(case), case["then"]
    before = scene.state
    after = scene.do("move", then["to"]).state
    spaces = before.scenario.spaces
    assert spaces[after.figures[0].space] == then["to"]
    assert after.figures[0].damage == then["damage"]
    assert scene.told.count("damaged") == then["damage"]
    turned_up = [
        spaces[now.space] for was, now in zip(before.threats, after.threats, strict=True) if now.up and not was.up
    ]
    assert turned_up == then.get("up", [])
    assert all(threat.up for threat in after.threats if threat.space == after.figures[0].space)
    assert not scene.offers("move")  # movement is over, whatever the strength was


def test_M_MOVE_1_zero_spaces_is_to_stay() -> None:
    scene = moving(2, ("d1", "Pit Bruiser"), ("d2", "Ledge Watcher"))
    before = scene.state.figures
    scene.do("decline", "move")
    assert scene.state.figures == before
    assert scene.told == ["laid", "declined"]


def test_M_MOVE_4_5_others_and_tokens_that_do_not_fight_let_pass_and_share_a_space() -> None:
    scene = moving(2, ("d2", "Slag"), ("d2", "Gate key"), ("d3", "Rim Gunner"), ("d3", "? Slag"), others="d2")
    scene.do("move", "d3")
    assert mandalorian.layout(scene.state)["d3"] == ("drifter", "t3", "t4")


def test_M_MOVE_6_who_starts_on_an_enemy_may_leave_freely() -> None:
    scene = moving(2, ("d1", "Rim Gunner")).do("move", "d3")
    assert "damaged" not in scene.told


def test_M_MOVE_7_the_token_turned_up_is_told_as_a_revelation() -> None:
    scene = moving(1, ("d2", "? Slag")).do("move", "d2")
    revealed = next(event for event in scene.events if event.kind == "revealed")
    assert revealed.args == ("t1", "d2", "Slag")
    assert revealed.reveals


def test_M_MOVE_8_so_it_is_when_an_ability_moves_a_character() -> None:
    state = arrange(salt_harbour(), at={"scout": "g2"}, threats=[("g3", "? Crate"), ("f2", "Dock Thug")])
    scene = Scene(state).lay("intel", 1, "dash").do("ability", "dash")
    ends = {str(args[-1]) for args in scene.offers("move")}
    assert {"g3", "f2"} <= ends
    assert "g4" not in ends
    scene.do("move", "g3")
    assert scene.told[-4:] == ["moved", "revealed", "drew", "idle"]  # nothing is in range for Intel itself


def test_M_MOVE_8_the_rules_hold_for_every_movement_of_a_character() -> None:
    """A planning card moves one space: leaving a grappler, onto a face-down token, beside a guard."""
    state = arrange(at={"drifter": "d1"}, threats=[("d1", "Pit Bruiser"), ("d2", "? Slag"), ("d3", "Ledge Watcher")])
    scene = Scene(keeping(state, "second_wind")).do("use", "second_wind")
    assert {str(args[-1]) for args in scene.offers("move")} == {"c1", "c2", "d2", "e1"}
    scene.do("move", "d2")
    assert scene.told == ["used", "moved", "damaged", "revealed", "damaged"]


def test_M_MOVE_8_so_they_do_for_one_whose_turn_it_is_not(tmp_path: Path) -> None:
    """Here the answer to an attack is to run."""
    scenario = edited(tmp_path, ('verb = "damage_attacker", n = 1', 'verb = "move_self", n = 1'), name="cinder-wells")
    threats = [("d1", "Rim Gunner"), ("d1", "Pit Bruiser"), ("c1", "? Slag")]
    state = arrange(scenario, at={"drifter": "b2", "loader_droid": "d1"}, threats=threats)
    scene = Scene(keeping(state, "snap_shot", of="loader_droid")).event("volley").do("use", "snap_shot")
    assert {action.seat for action in mandalorian.legal(scene.state)} == {1}
    assert seen(scene.state)["character"] == "loader_droid"
    scene.do("move", "c1")
    assert [args[0] for args in scene.args("moved")] == ["loader_droid"]
    assert scene.told[scene.told.index("moved") :][1:3] == ["damaged", "revealed"]


@thorough
@given(states())
def test_M_MOVE_7_8_nothing_ever_lies_face_down_where_a_character_stands(state: State) -> None:
    if state.ended or any(isinstance(task, Arrive) for task in state.agenda):
        return  # whoever leaves a grappler arrives when that has been answered, if it lives
    standing = {figure.space for figure in state.figures}
    assert [threat for threat in state.threats if not threat.up and threat.space in standing] == []


def test_M_MOVE_8_a_guard_shut_out_by_the_gate_reacts_once_it_is_open() -> None:
    for doors_open, damage in ((0, 0), (1, 1)):
        scene = moving(1, ("b4", "Ledge Watcher"), at="b2", doors_open=doors_open).do("move", "b3")
        assert scene.state.figure.damage == damage


def test_M_MOVE_9_a_space_behind_an_enemy_is_not_reached_through_it() -> None:
    assert "d3" in moves(moving(2).state)
    assert "d3" not in moves(moving(2, ("d2", "Rim Gunner"), ("c2", "Rim Gunner"), ("e1", "Rim Gunner")).state)


@pytest.mark.parametrize(("blocks", "offered"), [(True, []), (False, [("t1",)])])
def test_M_MOVE_10_walls_part_spaces_and_by_switch_not_for_range(
    blocks: bool, offered: list[tuple[str, ...]], tmp_path: Path
) -> None:
    scenario = switched(tmp_path, walls_block_range=blocks)
    state = arrange(scenario, at={"drifter": "c3"}, threats=[("c4", "Rim Gunner")])
    assert Scene(state).lay("attack", 2).offers("attack") == offered
    assert "c4" not in moves(Scene(state).lay("move", 1).state)


def test_M_MOVE_11_a_stop_ends_the_movement_even_if_the_token_is_harmless() -> None:
    scene = moving(4, ("d2", "? Slag")).do("move", "d2")
    assert not scene.offers("move")
    assert "revealed" in scene.told


def test_a_move_names_its_path_and_the_hands_that_mean_it() -> None:
    assert moves(moving(3).state)["d4"] == Action(
        0, "move", ("d1", "d2", "d3", "d4"), hands=(Transfer("drifter", "d1", "d4"),)
    )


REFUSED = {
    "past a stop": (("d1", "d2", "d3"), "On d2 the movement ends"),
    "too far": (("d1", "c2", "c3", "d3"), "That path to d3 has 3 steps; the card gives 2"),
    "from elsewhere": (("e1", "e2"), "The Drifter starts from d1"),
    "a jump": (("d1", "c3"), "No step leads from d1 to c3"),
    "to nowhere": (("d1", "z9"), "There is no such space"),
    "round and back": (("d1", "c1", "d1"), "choose to stay"),
    "along another path": (("d1", "c2", "b1"), "by a shortest path, as offered"),
    "along none": ((), "The Drifter starts from d1"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_M_MOVE_1_2_3_a_move_out_of_the_rules_is_refused_with_the_reason(what: str) -> None:
    path, sentence = REFUSED[what]
    assert sentence in moving(2, ("d2", "Rim Gunner")).refused("move", *path)


def test_M_MOVE_10_the_gate_blocks_until_it_is_opened() -> None:
    scene = moving(1, at="b3")
    assert "The well gate between b3 and b4 is shut" in scene.refused("move", "b3", "b4")
    keys = Scene(arrange(at={"drifter": "b3"}, threats=[("b3", "Gate key"), ("b3", "Gate key")]))
    keys.do("take", "t1").do("take", "t2")
    assert "opened" in keys.told
    keys.lay("move", 1).do("move", "b4")
    assert keys.state.figure.space == keys.state.scenario.spaces.index("b4")


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


def every_walk(state: State, far: int) -> dict[str, int]:
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
        if walked < far and not (walked and stopped(name)):
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
        st.lists(
            st.builds(Threat, st.integers(0, len(scenario.kinds) - 1), space, st.booleans(), st.just(0), st.just(())),
            max_size=8,
        )
    )
    state = arrange(
        at={name: draw(st.sampled_from(scenario.spaces)) for name in ("drifter", "loader_droid")},
        doors_open=draw(st.integers(0, 1)),
    )
    return Scene(replace(state, threats=tuple(threats))).lay("move", draw(st.integers(1, 4))).state


@thorough
@given(positions())
def test_M_MOVE_2_3_4_legal_moves_are_those_of_brute_force(state: State) -> None:
    offered = moves(state)
    assert {space: len(action.args) - 1 for space, action in offered.items()} == every_walk(state, strength(state))
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
