"""Daze, and the loss of the last life."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from mazes import Scene, arrange, by_hand, switched

TILES = {"d5": "gallery", "d6": "gallery", "e5": "twin_bends"}
DARK = ["mason", "courier"]


def placed(**position: Any) -> Scene:
    """The Mason on d6, the Courier at its own start; both with dark crystals."""
    fields: dict[str, Any] = {"at": {"mason": "d6", "courier": "s4"}, "tiles": TILES, "dark": DARK}
    return Scene(arrange(**fields | position))


# ── daze ──


def test_L_DAZE_1_a_dazed_character_rests_and_does_nothing_else() -> None:
    """Neither what costs an action nor what is free, however much there is to do."""
    rich: dict[str, Any] = {
        "at": {"mason": "d6.0", "courier": "d6.0"},
        "tiles": {"d5": "gallery", "d6": "underpass"},
        "traps": {"d5": "? spikes"},
        "keys": {"key2": "d6.0"},
        "items": {"d6.0": "rope"},
        "holds": {"mason": ["poultice", "probe"]},
        "lives": {"mason": 2},
    }
    awake = placed(**rich).verbs
    assert awake > {"move", "jump", "attack", "build", "trap", "golem", "event", "crystal", "pick", "use"}
    scene = placed(daze={"mason": 1}, **rich)
    assert scene.verbs == {"rest"}
    for verb, *args in (("move", "d5", 0), ("pick", "key2"), ("attack", "courier"), ("use", "poultice"), ("end_turn",)):
        assert scene.refused(str(verb), *args)


def test_L_DAZE_1_but_for_what_is_made_for_the_dazed() -> None:
    scene = placed(daze={"mason": 1}, holds={"mason": ["salts", "poultice"]}, lives={"mason": 1})
    assert scene.verbs == {"rest", "use"}
    assert scene.offers("use") == [("salts",)]
    scene.do("use", "salts")
    assert scene.player("mason").daze == 0
    assert scene.state.actions == 2
    assert scene.held("mason") == ["poultice"]


def test_L_DAZE_1_salts_also_help_who_has_no_action_left() -> None:
    scene = placed(traps={"d5": "slumber"}, holds={"mason": ["salts"]})
    scene.state = replace(scene.state, actions=1)
    scene.do("move", "d5").roll(7)
    assert scene.verbs == {"use", "end_turn"}
    assert scene.do("use", "salts").player("mason").daze == 2
    assert scene.asked == {"courier"}


def test_L_DAZE_1_nor_does_it_use_an_item_before_a_test() -> None:
    scenario = by_hand()
    ropes = [replace(item, test="golem") if item.id == "rope" else item for item in scenario.items]
    scenario = replace(scenario, items=tuple(ropes))
    for daze, verbs in ((0, {"rolled", "use"}), (1, {"rolled"})):
        scene = placed(
            scenario=scenario,
            holds={"mason": ["rope"]},
            daze={"mason": daze},
            acting="courier",
            golem="d5",
            golem_cards=["scent"],
        )
        assert scene.do("golem").verbs == verbs


def test_L_DAZE_1_nor_is_a_free_fight_offered_to_it_but_to_the_other() -> None:
    scene = placed(at={"mason": "d6", "courier": "d5"}, daze={"courier": 1}).do("move", "d5")
    assert scene.asked == {"mason"}
    assert scene.verbs == {"fight", "pass"}
    scene.do("pass")
    assert scene.asked == {"mason"}
    assert "fight" not in scene.verbs


@pytest.mark.parametrize(("rest", "turns"), [("one", [2, 2, 1]), ("all", [1])])
def test_L_DAZE_2_L_ACT_REST_a_token_an_action_or_all_at_once(rest: str, turns: list[int]) -> None:
    """Three tokens cost a whole turn and an action of the next; here it is five."""
    scene = placed(scenario=switched(rest_removes=rest), daze={"mason": 5})
    for rests in turns:
        assert scene.acting == "mason"
        for _ in range(rests):
            assert scene.verbs == {"rest"}
            scene.do("rest")
        if scene.asked == {"courier"}:
            scene.do("end_turn")
    assert scene.player("mason").daze == 0
    assert scene.acting == "mason"
    assert scene.state.actions == 1
    assert scene.told.count("rested") == sum(turns)


def test_L_DAZE_3_once_free_the_rest_of_the_turn_is_as_any_other() -> None:
    scene = placed(daze={"mason": 1}).do("rest")
    assert scene.verbs >= {"move", "build", "trap", "golem", "event", "end_turn"}
    assert scene.do("move", "d5").place("mason") == "d5.0"


def test_L_DAZE_4_it_does_not_keep_off_what_is_compulsory() -> None:
    scene = placed(acting="courier", daze={"mason": 2}, golem="d5", golem_cards=["scent"]).do("golem")
    assert scene.asked == {"mason"}
    assert scene.roll(3).place("mason") == "s1"  # tested, and sent home
    dazed = placed(daze={"mason": 1}, events=["glass_rain"], acting="courier").do("event").roll(7)
    assert dazed.asked == {"mason"}
    assert dazed.roll(6).player("mason").daze == 2
    fallen = placed(at={"mason": "d5", "courier": "d5"}, acting="courier", daze={"mason": 1}, lives={"mason": 1})
    fallen.do("attack", "mason")
    assert fallen.place("mason") == "s1"
    assert fallen.player("mason").lives == 4


def test_L_DAZE_4_a_dazed_victim_still_chooses() -> None:
    scene = placed(traps={"d5": "vortex"}, holds={"mason": ["rope", "salts"]}).do("move", "d5").roll(9)
    assert scene.player("mason").daze == 1
    assert (scene.asked, scene.verbs) == ({"mason"}, {"box"})


@pytest.mark.parametrize("allowed", [True, False])
def test_L_DAZE_5_the_crystal_repeats_until_daze_has_landed_and_after_that_by_the_switch(allowed: bool) -> None:
    scene = placed(scenario=switched(dazed_may_use_crystal=allowed), traps={"d5": "arrows"}, dark=())
    scene.do("move", "d5").roll(6)
    assert scene.verbs == {"repeat", "accept"}
    scene.do("accept").roll(6)
    assert scene.player("mason").daze == (1 if allowed else 2)
    assert scene.verbs == ({"repeat", "accept"} if allowed else {"rolled"})
    if allowed:
        scene.do("repeat").roll(7)
        assert not scene.player("mason").crystal
        assert scene.player("mason").daze == 1


def test_L_DAZE_6_there_is_no_end_of_daze_tokens() -> None:
    scene = placed(traps={"d5": "slumber"}).do("move", "d5").roll(7)
    scene.state = replace(
        scene.state, players=tuple(player._replace(daze=14) for player in scene.state.players), actions=2
    )
    scene.do("rest").do("rest")
    assert [player.daze for player in scene.state.players] == [12, 14]


# ── the last life ──


def dying(*moves: int, trap: str = "grinder", **position: Any) -> Scene:
    """The Mason has just walked onto a trap, and rolled."""
    return placed(traps={"d5": trap}, **position).do("move", "d5").roll(*(moves or (5,)))


def test_L_DEATH_1_5_a_key_is_dropped_one_of_two_and_all_else_is_kept() -> None:
    """Corner case 13."""
    scene = dying(holds={"mason": ["key2", "key3", "rope", "salts"]})
    assert (scene.asked, scene.offers("drop")) == ({"mason"}, [("key2",), ("key3",)])
    scene.do("drop", "key3")
    assert scene.held("mason") == ["key2", "rope", "salts"]
    assert scene.keys["key3"] == "d5.0"
    assert scene.args("dropped") == [("mason", "key3", "d5")]
    assert scene.place("mason") == "s1"
    assert scene.lying == []


def test_L_DEATH_1_the_only_key_is_dropped_without_a_question() -> None:
    scene = dying(holds={"mason": ["key2", "rope", "salts"]})
    assert scene.held("mason") == ["rope", "salts"]
    assert scene.keys["key2"] == "d5.0"
    assert "drop" not in scene.verbs


def test_L_DEATH_1_the_key_lies_where_it_fell_for_whoever_comes() -> None:
    scene = dying(holds={"mason": ["key2"]}, at={"mason": "d6", "courier": "d4"}, golem="g2").do("end_turn")
    assert scene.acting == "courier"
    scene.do("move", "d5").roll(12).do("pick", "key2")
    assert scene.held("courier") == ["key2"]


def test_L_DEATH_2_5_without_a_key_an_item_of_one_s_choice() -> None:
    """Corner case 14."""
    scene = dying(holds={"mason": ["rope", "salts"]})
    assert (scene.asked, scene.offers("drop")) == ({"mason"}, [("rope",), ("salts",)])
    scene.do("drop", "rope")
    assert scene.held("mason") == ["salts"]
    assert scene.lying == [("d5.0", "rope")]
    same = dying(holds={"mason": ["rope", "rope"]})
    assert same.lying == [("d5.0", "rope")]
    assert same.held("mason") == ["rope"]


def test_L_DEATH_3_with_neither_nothing_is_dropped() -> None:
    scene = dying()
    assert scene.told == ["rolled", "tested", "hurt", "died", "sent_home"]
    assert scene.lying == []


def test_L_DEATH_4_home_at_once_with_all_lives_and_the_turn_goes_on() -> None:
    scene = dying()
    assert scene.place("mason") == "s1"
    assert scene.player("mason").lives == 4
    assert scene.asked == {"mason"}
    assert scene.state.actions == 1
    assert scene.spaces("move") == {"a3.0"}


def test_L_DEATH_4_in_a_rival_s_turn_as_well() -> None:
    at = {"mason": "d5", "courier": "d5"}
    scene = placed(at=at, acting="courier", lives={"mason": 1}, holds={"mason": ["key2"]})
    scene.do("attack", "mason").roll(9, 3)
    assert scene.place("mason") == "s1"
    assert scene.keys["key2"] == "d5.0"
    assert scene.offers("pick") == [("key2",)]


@pytest.mark.parametrize("stays", [True, False])
def test_L_DEATH_6_daze_stays_or_goes(stays: bool) -> None:
    scene = dying(scenario=switched(daze_survives_rebirth=stays), trap="arrows", lives={"mason": 2}).roll(6)
    assert scene.place("mason") == "s1"
    assert scene.player("mason").daze == (2 if stays else 1)  # the daze of the roll that killed it lands afterwards


@pytest.mark.parametrize(
    ("stays", "starts", "dark", "after"),
    [
        (True, "active", True, False),
        (True, "inactive", False, True),
        (False, "active", True, True),
        (False, "inactive", False, False),
    ],
)
def test_L_DEATH_6_the_crystal_stays_as_it_is_or_begins_anew(stays: bool, starts: str, dark: bool, after: bool) -> None:
    scenario = switched(crystal_survives_rebirth=stays, crystal_starts=starts)
    scene = placed(scenario=scenario, traps={"d5": "grinder"}, dark=["mason"] if dark else []).do("move", "d5").roll(5)
    if not dark:
        scene.do("accept")
    assert scene.told.count("died") == 1
    assert scene.player("mason").crystal is after


@pytest.mark.parametrize("cancels", [True, False])
def test_L_DEATH_7_the_rest_of_the_trap_is_cancelled_or_goes_on(cancels: bool) -> None:
    scene = dying(6, scenario=switched(death_cancels_rest_of_trap=cancels), trap="arrows", lives={"mason": 1})
    assert scene.place("mason") == "s1"
    assert scene.player("mason").daze == 1  # of the same failed roll
    if cancels:
        assert scene.verbs == {"rest"}
        return
    scene.roll(6, 7)
    assert (scene.player("mason").lives, scene.player("mason").daze) == (3, 2)
    assert scene.verbs == {"rest"}


@pytest.mark.parametrize("cancels", [True, False])
@pytest.mark.parametrize("trap", ["spring", "treadwheel"])
def test_L_DEATH_7_the_dead_are_not_shifted(trap: str, cancels: bool) -> None:
    scene = dying(7, scenario=switched(death_cancels_rest_of_trap=cancels), trap=trap, lives={"mason": 1})
    assert scene.place("mason") == "s1"
    assert "names" not in scene.told
    assert scene.player("mason").daze == (trap == "spring")


@pytest.mark.parametrize("repeats", ["single_roll", "whole_test"])
def test_L_DEATH_7_the_other_rolls_are_cancelled_however_a_crystal_repeats_them(repeats: str) -> None:
    scene = placed(scenario=switched(crystal_repeats=repeats), traps={"d5": "acid"}, lives={"mason": 1})
    scene.do("move", "d5").roll(*[5] * (3 if repeats == "whole_test" else 1))
    assert scene.told.count("died") == 1
    assert (scene.player("mason").lives, scene.player("mason").daze) == (4, 2)
    assert scene.verbs == {"rest"}


@pytest.mark.parametrize("cancels", [True, False])
@pytest.mark.parametrize("landing", ["all", "trap"])
def test_L_JUMP_3_L_DEATH_4_who_dies_of_a_fall_meets_nothing_down_there(landing: str, cancels: bool) -> None:
    """Found so: where a landing explores a trap only, it was turned up before the fall had hurt anybody."""
    scenario = switched(jump_landing_explores=landing, death_cancels_rest_of_trap=cancels)
    at = {"mason": "d5.0", "courier": "s4"}
    scene = placed(
        scenario=scenario,
        at=at,
        tiles={"d5": "underpass"},
        traps={"d5.1": "? spikes"},
        lives={"mason": 2},
        holds={"mason": ["key2"]},
    )
    scene.do("jump", "d5.1").roll(7)
    assert scene.place("mason") == "s1"
    assert scene.keys["key2"] == "d5.1"
    assert scene.traps == {"d5.1": "? spikes"}
    assert scene.verbs == {"rest"}


def test_L_DEATH_8_lives_are_from_none_to_all() -> None:
    scene = dying(lives={"mason": 2})
    assert scene.args("hurt") == [("mason", 2, 0)]
    assert scene.player("mason").lives == 4
    hale = placed(holds={"mason": ["poultice"]})
    assert "use" not in hale.verbs
    hurt = placed(holds={"mason": ["poultice", "poultice"]}, lives={"mason": 3}).do("use", "poultice")
    assert hurt.player("mason").lives == 4
    assert "use" not in hurt.verbs
