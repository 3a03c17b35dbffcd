"""What a character meets where it comes to, and in which order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from mazes import GLASS_WARREN, Scene, arrange, switched

from underglow.games.labyrinth import compiling

WAY = {"d5": "gallery", "d6": "gallery"}


def walking(**there: object) -> Scene:
    """The Mason, its crystal dark, steps from d5 to d6, where all that lies or stands is."""
    more: dict[str, object] = {"at": {"mason": "d5", "fencer": "s4", "warden": "s5"}, **there}
    return Scene(arrange(tiles=WAY, dark=["mason", "fencer"], **more)).do("move", "d6")  # pyright: ignore[reportArgumentType]


# ── the order ──


def test_L_EXP_1_the_golem_then_ability_tokens_then_the_trap_then_characters_then_what_lies_there() -> None:
    scene = walking(
        at={"mason": "d5", "fencer": "d6", "warden": "s5"},
        golem="d6",
        glyphs={"d6": ("rime", "warden")},
        traps={"d6": "? arrows"},
        items={"d6": "rope"},
    )
    assert scene.verbs == {"rolled"}
    assert scene.told == []
    scene.roll(12)
    assert scene.told == ["rolled", "tested", "glyph_met"]
    scene.roll(7)
    assert scene.told[-3:] == ["rolled", "tested", "revealed"]
    scene.roll(7, 7, 7)
    assert [args[1] for args in scene.args("tested")] == ["golem", "trap", "trap", "trap", "trap"]
    assert [args[2] for args in scene.args("tested")] == [12, 7, 7, 7, 7]
    assert scene.verbs == {"fight", "pass"}
    scene.do("pass").do("pass")
    assert scene.verbs >= {"pick", "move"}


def test_L_EXP_1_2_corner_case_1_who_fails_against_the_golem_leaves_the_trap_untested_and_face_down() -> None:
    scene = walking(golem="d6", traps={"d6": "? spikes"}).roll(9)
    assert scene.place("mason") == "s1"
    assert scene.args("sent_home") == [("mason", "d6", "s1")]
    assert scene.traps == {"d6.0": "? spikes"}
    assert scene.player("mason").lives == 4
    assert (scene.acting, scene.state.actions) == ("mason", 1)


def test_L_EXP_1_L_GOLEM_2_corner_case_2_who_passes_stays_and_the_trap_follows() -> None:
    scene = walking(golem="d6", traps={"d6": "? spikes"}).roll(12)
    assert scene.place("mason") == "d6.0"
    assert scene.told[-1] == "revealed"
    assert scene.roll(6).player("mason").lives == 2


def test_L_EXP_1_only_what_is_on_the_same_corridor_is_met() -> None:
    tiles = {"d5": "gallery", "d6": "underpass"}
    state = arrange(
        tiles=tiles,
        at={"mason": "d5", "fencer": "d6.1", "warden": "s5"},
        golem="d6.1",
        glyphs={"d6.1": ("rime", "warden")},
        traps={"d6.1": "? spikes"},
        items={"d6.1": "rope"},
    )
    scene = Scene(state).do("move", "d6.0")
    assert scene.told == []
    assert scene.verbs.isdisjoint({"rolled", "fight", "pick"})


def test_L_EXP_1_every_ability_token_is_met() -> None:
    state = arrange(
        tiles=WAY,
        at={"mason": "d5", "warden": "s5"},
        dark=["mason"],
        traps={"d6": "slumber"},
        glyphs={"d6": ("rime", "warden")},
    )
    scene = Scene(replace(state, glyphs=state.glyphs * 2)).do("move", "d6").roll(6, 6)
    assert scene.told.count("glyph_met") == 2
    assert scene.player("mason").daze == 2
    assert scene.verbs == {"rolled"}
    assert scene.roll(7).player("mason").daze == 5


def test_L_EXP_1_an_own_ability_token_does_nothing() -> None:
    state = arrange(tiles=WAY, at={"warden": "d5", "fencer": "s4"}, glyphs={"d6": ("rime", "warden")})
    scene = Scene(state).do("move", "d6")
    assert scene.told == []
    assert scene.acting == "warden"


def test_L_EXP_2_who_is_taken_away_by_a_trap_does_not_meet_the_characters_there() -> None:
    state = arrange(
        tiles=WAY,
        at={"mason": "d5", "fencer": "d6"},
        traps={"d6": "lightning"},
        dark=["mason"],
    )
    scene = Scene(state).do("move", "d6").roll(9)
    assert scene.place("mason") == "d5.0"
    assert scene.verbs.isdisjoint({"fight", "pass"})
    stayed = Scene(state).do("move", "d6").roll(10)
    assert stayed.verbs == {"fight", "pass"}


def test_L_EXP_2_who_dies_of_a_trap_does_not_meet_the_characters_there() -> None:
    state = arrange(
        tiles=WAY, at={"mason": "d5", "fencer": "d6"}, traps={"d6": "grinder"}, dark=["mason"], lives={"mason": 1}
    )
    scene = Scene(state).do("move", "d6").roll(5)
    assert (scene.place("mason"), scene.player("mason").lives) == ("s1", 4)
    assert scene.verbs.isdisjoint({"fight", "pass"})


def test_L_EXP_3_who_is_shifted_explores_all_of_the_new_corridor() -> None:
    state = arrange(
        tiles={**WAY, "d7": "gallery", "d3": ("gallery", 1)},
        at={"mason": "d5", "fencer": "d7"},
        golem="d7",
        traps={"d6": "lightning", "d7": "? slumber"},
        dark=["mason"],
    )
    scene = Scene(state).do("move", "d6").roll(9)
    assert scene.asked == {"fencer"}
    assert scene.spaces("shift") == {"d5.0", "d7.0"}
    scene.do("shift", "d7").roll(12)
    assert scene.told[-1] == "revealed"
    scene.roll(8)
    assert scene.verbs == {"fight", "pass"}
    scene.do("pass").do("pass")  # and that is all: nothing is left of the corridor it was taken from
    assert scene.verbs >= {"move", "attack"}


def test_L_EXP_2_who_is_sent_home_meets_nobody_there() -> None:
    state = arrange(tiles=WAY, at={"mason": "d5", "fencer": "s1"}, golem="d6", dark=["mason"])
    scene = Scene(state).do("move", "d6").roll(9)
    assert scene.place("mason") == scene.place("fencer") == "s1"
    assert scene.verbs >= {"move", "attack"}


def test_L_EXP_1_section_5_on_a_start_space_characters_may_meet_who_walk_there() -> None:
    scene = Scene(arrange(at={"mason": "a3", "fencer": "s1"})).do("move", "s1")
    assert scene.verbs == {"fight", "pass"}


# ── when a trap is tested ──


def test_L_TRAP_G5_corner_case_34_standing_on_a_trap_that_is_face_up_is_no_entering() -> None:
    scene = Scene(arrange(tiles=WAY, at={"mason": "d5", "fencer": "s4"}, traps={"d5": "grinder"}, acting="fencer"))
    scene.do("end_turn")
    assert scene.acting == "mason"
    assert scene.told == ["turn"]
    assert scene.verbs >= {"move", "build"}


def test_L_TRAP_G5_G7_corner_case_35_coming_back_to_a_trap_tests_it_again() -> None:
    scene = walking(traps={"d6": "? slumber"}).roll(8)
    assert scene.traps == {"d6.0": "slumber"}
    scene.do("move", "d5").do("end_turn").do("end_turn")
    scene.do("move", "d6")
    assert scene.verbs == {"rolled"}
    assert scene.roll(7).player("mason").daze == 3
    assert scene.traps == {"d6.0": "slumber"}


# ── jumping ──

BRIDGE = {"d5": "underpass", "d6": "gallery"}
"""d5.0 is the bridge, d5.1 runs under it."""


def jumping(at: str, *, verb: str = "jump", switch: str = "all", **more: object) -> Scene:
    """The Mason, its crystal dark, jumps from there to the other level."""
    scenario = switched(jump_landing_explores=switch)
    state = arrange(
        scenario,
        at={"mason": at, "fencer": "s4"},
        tiles=BRIDGE,
        dark=["mason", "fencer"],
        **more,  # pyright: ignore[reportArgumentType]
    )
    (target,) = Scene(state).spaces("jump")
    return Scene(state).do(verb, target)


def test_L_ACT_RISK_a_jump_costs_one_action_and_is_to_or_from_a_bridge() -> None:
    assert jumping("d5.0").roll(8).state.actions == 1
    scene = Scene(arrange(at={"mason": "d6", "fencer": "s4"}, tiles=BRIDGE))
    assert scene.verbs.isdisjoint({"jump", "safe_jump"})
    scene.refused("jump", "d5", 0)


def test_L_ACT_RISK_who_is_on_the_other_level_of_another_tile_is_out_of_reach() -> None:
    tiles = {"d5": "underpass", "d6": "underpass"}
    scene = Scene(arrange(at={"mason": "d5.0", "fencer": "s4"}, tiles=tiles))
    assert scene.spaces("jump") == {"d5.1"}


def test_L_ACT_RISK_from_a_bridge_over_two_corridors_to_either_and_never_between_those(tmp_path: Path) -> None:
    text = GLASS_WARREN.read_text()
    corners = "{ edges = [0, 1] },\n    { edges = [2, 3] },\n    { edges = [4, 5] },"
    assert corners in text
    file = tmp_path / "glass-warren.toml"
    file.write_text(text.replace(corners, "{ edges = [1, 5] }, { edges = [0, 3], bridge = true }, { edges = [2, 4] }"))
    scenario = compiling.load(file)
    targets = {"d5.0": {"d5.1"}, "d5.1": {"d5.0", "d5.2"}, "d5.2": {"d5.1"}}
    for at, there in targets.items():
        scene = Scene(arrange(scenario, at={"mason": at, "fencer": "s4"}, tiles={"d5": "three_corners"}))
        assert scene.spaces("jump") == scene.spaces("safe_jump") == there


@pytest.mark.parametrize(("at", "there"), [("d5.0", "d5.1"), ("d5.1", "d5.0")])
def test_L_ACT_SAFE_two_actions_and_no_test(at: str, there: str) -> None:
    scene = jumping(at, verb="safe_jump")
    assert scene.place("mason") == there
    assert scene.told[0] == "landed"
    assert "rolled" not in scene.told
    assert scene.acting == "fencer"


def test_L_ACT_SAFE_corner_case_17_with_one_action_left_it_is_refused() -> None:
    scene = Scene(arrange(at={"mason": "d6", "fencer": "s4"}, tiles=BRIDGE)).do("move", "d5.0")
    assert "jump" in scene.verbs
    scene.refused("safe_jump", "d5", 1)


@pytest.mark.parametrize(("roll", "verdict"), [(7, "failed"), (8, "passed")])
def test_L_JUMP_1_eight_or_more(roll: int, verdict: str) -> None:
    assert jumping("d5.0").roll(roll).args("tested") == [("mason", "jump", 8, roll, verdict)]


def test_L_JUMP_2_down_and_well() -> None:
    scene = jumping("d5.0").roll(8)
    assert scene.place("mason") == "d5.1"
    assert scene.args("landed") == [("mason", "d5", "down")]
    assert (scene.player("mason").lives, scene.player("mason").daze) == (4, 0)


def test_L_JUMP_3_down_and_badly_it_is_below_all_the_same_and_pays() -> None:
    scene = jumping("d5.0").roll(7)
    assert scene.place("mason") == "d5.1"
    assert (scene.player("mason").lives, scene.player("mason").daze) == (2, 1)
    assert scene.told.index("fell") < scene.told.index("hurt")


def test_L_JUMP_3_section_5_who_falls_pays_before_the_trap_below_is_tested() -> None:
    for switch in ("all", "trap"):
        scene = jumping("d5.0", switch=switch, traps={"d5.1": "? spikes"}).roll(7)
        assert scene.verbs == {"rolled"}, switch
        assert scene.player("mason").lives == 2
        assert scene.told.index("hurt") < scene.told.index("revealed"), switch
        assert scene.roll(7).player("mason").lives == 2


@pytest.mark.parametrize("switch", ["all", "trap"])
@pytest.mark.parametrize("cancels", [True, False])
def test_L_JUMP_3_who_dies_of_the_fall_drops_a_key_below_and_tests_no_trap(switch: str, cancels: bool) -> None:
    scenario = switched(jump_landing_explores=switch, death_cancels_rest_of_trap=cancels)
    state = arrange(
        scenario,
        at={"mason": "d5.0", "fencer": "s4"},
        tiles=BRIDGE,
        traps={"d5.1": "? spikes"},
        lives={"mason": 2},
        holds={"mason": ["key4"]},
        dark=["mason"],
    )
    scene = Scene(state).do("jump", "d5.1").roll(7)
    assert (scene.place("mason"), scene.player("mason").lives) == ("s1", 4)
    assert scene.keys["key4"] == "d5.1"
    assert "rolled" not in scene.verbs
    assert scene.traps == {"d5.1": "? spikes"}


def test_L_JUMP_4_up_and_well() -> None:
    scene = jumping("d5.1").roll(8)
    assert scene.place("mason") == "d5.0"
    assert scene.args("landed") == [("mason", "d5", "up")]
    assert (scene.player("mason").lives, scene.player("mason").daze) == (4, 0)


def test_L_JUMP_5_section_5_corner_case_16_up_and_badly_it_stays_pays_and_tests_no_trap() -> None:
    scene = jumping("d5.1", traps={"d5.1": "spikes", "d5.0": "? spikes"}).roll(7)
    assert scene.place("mason") == "d5.1"
    assert (scene.player("mason").lives, scene.player("mason").daze) == (2, 1)
    assert scene.verbs == {"rest"}
    assert scene.traps == {"d5.1": "spikes", "d5.0": "? spikes"}


@pytest.mark.parametrize("verb", ["jump", "safe_jump"])
@pytest.mark.parametrize("switch", ["all", "trap"])
def test_L_JUMP_6_whether_all_of_the_corridor_is_explored_or_only_its_trap_is_a_switch(verb: str, switch: str) -> None:
    scene = jumping("d5.0", verb=verb, switch=switch, golem="d5.1", traps={"d5.1": "? slumber"})
    if verb == "jump":
        scene.roll(8)
    if switch == "all":
        assert "revealed" not in scene.told
        scene.roll(12)
        assert scene.args("tested")[-1][:3] == ("mason", "golem", 12)
    assert scene.told[-1] == "revealed"
    assert scene.roll(7).player("mason").daze == 3


@pytest.mark.parametrize("switch", ["all", "trap"])
def test_L_JUMP_6_only_who_explores_all_meets_others_where_it_lands(switch: str) -> None:
    scenario = switched(jump_landing_explores=switch)
    state = arrange(scenario, at={"mason": "d5.0", "fencer": "d5.1"}, tiles=BRIDGE)
    scene = Scene(state).do("jump", "d5.1").roll(8)
    assert ("fight" in scene.verbs) == (switch == "all")


def test_L_JUMP_6_a_trap_above_is_tested_as_well() -> None:
    scene = jumping("d5.1", traps={"d5.0": "? spikes"}).roll(8)
    assert scene.place("mason") == "d5.0"
    assert scene.roll(6).player("mason").lives == 2


def test_L_JUMP_1_a_rope_and_a_sure_foot_each_add_two() -> None:
    state = arrange(at={"rigger": "d5.0", "fencer": "s4"}, tiles=BRIDGE, holds={"rigger": ["rope"]}, dark=["rigger"])
    scene = Scene(state).do("jump", "d5.1").roll(6)
    assert scene.args("tested") == [("rigger", "jump", 8, 8, "passed")]
    scene = Scene(state).do("jump", "d5.1").do("use", "rope").roll(3)
    assert scene.args("tested") == [("rigger", "jump", 8, 7, "failed")]
    assert scene.held("rigger") == []
