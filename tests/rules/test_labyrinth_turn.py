"""A turn: what its two actions buy, and what is free."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mazes import Scene, arrange, by_hand, glass_warren, switched

from underglow.games.labyrinth import rules
from underglow.games.labyrinth.draft import Draft
from underglow.games.labyrinth.moving import enter
from underglow.games.labyrinth.scenario import Scenario
from underglow.games.state import Deck

CORRIDOR = {"d5": "gallery", "d6": "gallery"}
"""A straight way east of the centre: d4, d5, d6."""
APART = {"mason": "d5", "fencer": "s4"}
"""The Mason stands there in its turn, the rival is at home."""


def alone() -> Scene:
    return Scene(arrange(at=APART, tiles=CORRIDOR))


# ── actions ──


def test_L_TURN_1_turns_go_round_the_table_with_two_actions_each() -> None:
    scene = Scene(arrange(at={"mason": "d5", "fencer": "s2", "rigger": "s3"}, tiles=CORRIDOR))
    acting: list[str] = []
    for _ in range(4):
        acting.append(scene.acting)
        assert scene.state.actions == 2
        assert scene.asked == {scene.acting}
        scene.refused("end_turn", seat=(scene.state.seat + 1) % 3)
        scene.do("end_turn")
    assert acting == ["mason", "fencer", "rigger", "mason"]


def test_L_TURN_1_after_two_actions_the_next_player_has_the_turn() -> None:
    scene = alone().do("move", "d6")
    assert (scene.acting, scene.state.actions) == ("mason", 1)
    scene.do("move", "d5")
    assert (scene.acting, scene.state.actions, scene.state.turn) == ("fencer", 2, 1)


def test_L_TURN_2_what_costs_one_action_may_be_done_twice() -> None:
    assert alone().do("move", "d6").do("move", "d5").state.turn == 1
    assert alone().do("trap").do("set", "d6").do("trap").do("set", "d5").state.turn == 1
    build = Scene(arrange(at={"mason": "s1", "fencer": "s4"}, pile=["three_corners", "three_corners"]))
    for _ in range(2):
        build.do("build").do("lay", "d5" if build.state.actions else "d3").do("face", *build.offers("face")[0])
    assert build.state.turn == 1
    fight = Scene(arrange(at={"mason": "d5", "fencer": "d5"}, tiles=CORRIDOR, dark=["mason", "fencer"]))
    for _ in range(2):
        fight.do("attack", "fencer").roll(9, 5)
    assert (fight.player("fencer").lives, fight.state.turn) == (2, 1)


def test_L_TURN_2_section_5_a_free_fight_and_a_paid_attack_both_fit_into_a_turn() -> None:
    scene = Scene(arrange(at={"mason": "d5", "fencer": "d6"}, tiles=CORRIDOR, dark=["mason", "fencer"]))
    scene.do("move", "d6").do("fight", "fencer").roll(9, 5)
    assert scene.state.actions == 1
    scene.do("attack", "fencer").roll(9, 5)
    assert scene.player("fencer").lives == 2


def test_L_TURN_3_a_turn_may_end_with_actions_left_if_the_switch_says_so() -> None:
    assert alone().do("end_turn").acting == "fencer"
    scene = Scene(arrange(switched(unused_actions=False), at=APART, tiles=CORRIDOR))
    assert "end_turn" not in scene.verbs
    scene.refused("end_turn")
    scene.do("move", "d6").refused("end_turn")


def test_L_TURN_3_who_must_use_actions_may_still_end_a_turn_without_anything_to_do() -> None:
    scenario = switched(unused_actions=False)
    state = arrange(scenario, at={"fencer": "e5"}, tiles={"e5": "alcove"})
    empty = Deck((), ())
    state = replace(state, pile=(), pool=(), golem_deck=empty, event_deck=empty)
    assert Scene(state).verbs == {"end_turn"}


def test_L_TURN_3_who_must_use_actions_need_not_pick_anything_up_when_they_are_spent() -> None:
    state = arrange(switched(unused_actions=False), at=APART, tiles=CORRIDOR, items={"d5": "rope"})
    scene = Scene(state).do("move", "d6").do("move", "d5")
    assert scene.verbs == {"pick", "end_turn"}
    assert scene.do("end_turn").acting == "fencer"


# ── moving ──


def test_L_ACT_MOVE_a_step_leads_along_the_own_corridor_onto_the_one_that_meets_it() -> None:
    scene = Scene(arrange(at={"mason": "d5.1"}, tiles={"d5": "underpass", "c5": "twin_bends", "e4": ("bend", 2)}))
    # d5.1 runs from d5 to its south-east and north-west; only c4 and e5 lie there
    assert scene.spaces("move") == set()
    scene = Scene(arrange(at={"mason": "d5.0"}, tiles={"d5": "underpass", "d6": ("twin_bends", 0)}))
    assert scene.spaces("move") == {"d4.0", "d6.1"}
    scene.refused("move", "d6", 0)
    scene.refused("move", "d6", 1, seat=1)
    assert scene.do("move", "d6.1").place("mason") == "d6.1"
    assert scene.state.actions == 1


def test_L_ACT_MOVE_explores_what_it_comes_to() -> None:
    scene = Scene(arrange(at=APART, tiles=CORRIDOR, traps={"d6": "? slumber"}, dark=["mason"])).do("move", "d6")
    assert scene.told == ["revealed"]
    assert scene.roll(7).player("mason").daze == 3


# ── resting ──


def test_L_ACT_REST_takes_one_daze_token_for_one_action() -> None:
    scene = Scene(arrange(at=APART, tiles=CORRIDOR, daze={"mason": 3})).do("rest")
    assert (scene.player("mason").daze, scene.state.actions) == (2, 1)
    assert scene.args("rested") == [("mason", 2)]


def test_L_ACT_REST_takes_all_daze_tokens_if_the_switch_says_so() -> None:
    scene = Scene(arrange(switched(rest_removes="all"), at=APART, tiles=CORRIDOR, daze={"mason": 3}))
    assert scene.do("rest").player("mason").daze == 0
    assert scene.state.actions == 1


def test_L_ACT_REST_is_for_the_dazed_only() -> None:
    alone().refused("rest")


def test_L_ACT_REST_L_DAZE_2_3_corner_case_26_one_daze_costs_one_action_and_the_other_is_free_to_use() -> None:
    scene = Scene(arrange(at=APART, tiles=CORRIDOR, daze={"mason": 1}))
    assert scene.verbs == {"rest"}
    scene.refused("move", "d6", 0)
    scene.do("rest").do("move", "d6")
    assert (scene.place("mason"), scene.acting) == ("d6.0", "fencer")


# ── attacking ──


def test_L_ACT_ATTACK_is_against_characters_on_the_same_corridor() -> None:
    tiles = {"d5": "underpass"}
    other_level = Scene(arrange(at={"mason": "d5.0", "fencer": "d5.1"}, tiles=tiles))
    assert "attack" not in other_level.verbs
    other_level.refused("attack", "fencer")
    scene = Scene(arrange(at={"mason": "d5.0", "fencer": "d5.0"}, tiles=tiles, dark=["fencer"])).do("attack", "fencer")
    assert scene.state.actions == 1
    assert scene.roll(8, 4).player("fencer").lives == 3


# ── laying traps ──


def test_L_ACT_TRAP_the_next_of_the_pool_is_laid_face_down_and_nobody_is_told_which() -> None:
    scene = Scene(arrange(at=APART, tiles=CORRIDOR, pool=["grinder", "axes"])).do("trap")
    assert scene.verbs == {"set"}
    scene.do("set", "d6")
    assert scene.traps == {"d6.0": "? grinder"}
    assert [(event.kind, event.args) for event in scene.events] == [("trap_set", ("mason", "d6"))]
    assert scene.state.traps[0].known == 0
    assert scene.state.actions == 1


def test_L_ACT_TRAP_without_a_token_in_the_pool_there_is_none_to_lay() -> None:
    scene = Scene(replace(alone().state, pool=()))
    assert "trap" not in scene.verbs
    scene.refused("trap")


def test_L_ACT_TRAP_section_5_one_may_lie_under_oneself_and_is_tested_on_entering_only() -> None:
    scene = Scene(arrange(at=APART, tiles=CORRIDOR, pool=["grinder"])).do("trap").do("set", "d5")
    assert scene.traps == {"d5.0": "? grinder"}
    assert "rolled" not in scene.verbs
    scene.do("end_turn").do("end_turn")
    assert scene.verbs >= {"move", "build"}
    scene.do("move", "d6").do("move", "d5")
    assert scene.told[-1] == "revealed"
    assert scene.verbs == {"rolled"}


def test_L_ACT_TRAP_section_5_no_trap_may_lie_on_a_start_space() -> None:
    scene = Scene(arrange(at={"mason": "s1", "fencer": "s4"})).do("trap")
    assert scene.spaces("set") == {"a3.0", "c6.0", "f5.0", "g2.0", "e1.0", "b1.0", "g4.0"}
    scene.refused("set", "s1", 0)


# ── the two decks ──


def test_L_ACT_GOLEM_the_top_card_happens_once_a_turn() -> None:
    state = arrange(at={"mason": "s1", "fencer": "s4"}, tiles=CORRIDOR, golem="d6", golem_cards=["homesick", "mirror"])
    scene = Scene(state).do("golem")
    assert scene.args("golem_card") == [("homesick",)]
    assert (scene.golem, scene.state.actions) == ("d4.0", 1)
    scene.refused("golem")
    scene.do("end_turn").do("golem")
    assert scene.args("golem_card")[-1] == ("mirror",)
    assert scene.verbs == {"golem_appears"}


def test_L_ACT_EVENT_the_top_card_comes_into_force_once_a_turn() -> None:
    state = arrange(at=APART, tiles=CORRIDOR, events=["thick_fog", "tailwind"])
    scene = Scene(state).do("event")
    assert scene.args("event") == [("thick_fog",)]
    assert scene.state.actions == 1
    scene.refused("event")
    scene.do("end_turn").do("event")
    assert scene.args("event")[-1] == ("tailwind",)


@pytest.mark.parametrize("verb", ["golem", "event"])
@pytest.mark.parametrize("again", [True, False])
def test_L_ACT_GOLEM_L_ACT_EVENT_whether_an_empty_deck_begins_anew_is_a_switch(verb: str, again: bool) -> None:
    scenario = switched(decks_reshuffle=again)
    state = arrange(scenario, at=APART, tiles=CORRIDOR)
    sky, fog = ([event.id for event in scenario.events].index(name) for name in ("clear_sky", "thick_fog"))
    state = replace(state, event_deck=Deck((), (sky, sky)), golem_deck=Deck((), (4,)), event=fog)
    scene = Scene(state)
    if not again:
        assert verb not in scene.verbs
        scene.refused(verb)
        return
    scene.do(verb)
    assert scene.told[0] == "reshuffled"
    assert scene.events[0].chance
    deck = scene.state.golem_deck if verb == "golem" else scene.state.event_deck
    assert deck == (Deck((), (4,)) if verb == "golem" else Deck((sky,), (fog,)))


# ── the crystal ──


def trapped(scenario: Scenario | None = None, *, dark: bool = False) -> Scene:
    """The Mason has walked into a trap of three rolls, 7 or more each; a failed one costs a life and a daze."""
    state = arrange(
        scenario or by_hand(),
        at=APART,
        tiles=CORRIDOR,
        traps={"d6": "arrows"},
        dark=["mason"] if dark else [],
    )
    return Scene(state).do("move", "d6")


def test_L_ACT_CRYSTAL_two_actions_turn_it_to_its_active_side() -> None:
    scene = Scene(arrange(at=APART, tiles=CORRIDOR, dark=["mason"])).do("crystal")
    assert scene.player("mason").crystal
    assert scene.args("crystal") == [("mason", "active")]
    assert scene.acting == "fencer"


def test_L_ACT_CRYSTAL_one_action_is_too_few_and_an_active_one_needs_none() -> None:
    alone().refused("crystal")
    scene = Scene(arrange(at=APART, tiles=CORRIDOR, dark=["mason"])).do("move", "d6")
    scene.refused("crystal")


def test_L_FREE_CRYSTAL_repeats_a_failed_roll_and_turns_inactive() -> None:
    scene = trapped().roll(6)
    assert scene.verbs == {"repeat", "accept"}
    actions = scene.state.actions
    scene.do("repeat")
    assert not scene.player("mason").crystal
    assert scene.args("crystal") == [("mason", "inactive")]
    scene.roll(7, 7, 7)
    assert (scene.player("mason").lives, scene.player("mason").daze) == (4, 0)
    assert scene.state.actions == actions


def test_L_FREE_CRYSTAL_need_not_be_used() -> None:
    scene = trapped().roll(6).do("accept")
    assert scene.player("mason").lives == 3
    assert scene.player("mason").crystal


def test_L_FREE_CRYSTAL_an_inactive_one_repeats_nothing() -> None:
    scene = trapped(dark=True).roll(6)
    assert scene.player("mason").lives == 3
    scene.refused("repeat")


def test_L_FREE_CRYSTAL_is_for_own_tests_only_corner_case_37() -> None:
    scene = trapped().roll(6)
    assert scene.asked == {"mason"}
    assert scene.player("fencer").crystal
    scene.refused("repeat", seat=1)
    dark = trapped(dark=True)
    for action in rules.legal(dark.state):
        assert action.seat == 0


@pytest.mark.parametrize("after", ["failure", "any"])
def test_L_FREE_CRYSTAL_whether_a_roll_that_was_good_may_be_repeated_is_a_switch(after: str) -> None:
    scene = trapped(switched(crystal_after=after)).roll(7)
    assert ("repeat" in scene.verbs) == (after == "any")
    if after == "any":
        assert scene.do("repeat").roll(2).player("mason").lives == 3


def test_L_FREE_CRYSTAL_section_5_repeats_a_single_roll_of_several() -> None:
    scene = trapped().roll(9, 2)
    scene.do("repeat").roll(9)
    assert scene.verbs == {"rolled"}
    scene.roll(3)
    assert scene.player("mason").lives == 3
    assert [args[1] for args in scene.args("rolled")] == [9, 2, 9, 3]


def test_L_FREE_CRYSTAL_section_5_repeats_the_whole_test_if_the_switch_says_so() -> None:
    scene = trapped(switched(crystal_repeats="whole_test")).roll(9, 2, 3)
    assert scene.verbs == {"repeat", "accept"}
    assert scene.player("mason").lives == 4
    scene.do("repeat").roll(9, 9, 2)
    assert scene.player("mason").lives == 3
    assert scene.verbs >= {"rest"}
    assert trapped(switched(crystal_repeats="whole_test")).roll(9, 2, 3).do("accept").player("mason").lives == 2


# ── picking up ──


def test_L_FREE_PICK_any_number_of_keys_and_items_without_an_action() -> None:
    state = arrange(
        at=APART,
        tiles=CORRIDOR,
        items={"d5": "rope"},
        keys={"key2": "d5", "key4": "d5", "key5": "d5"},
    )
    scene = Scene(state)
    for token in ("key2", "rope", "key5", "key4"):
        scene.do("pick", token)
    assert scene.held("mason") == ["key2", "key4", "key5", "rope"]
    assert scene.lying == []
    assert scene.args("picked_up")[1] == ("mason", "rope")
    assert scene.state.actions == 2


def test_L_FREE_PICK_from_the_own_corridor_only() -> None:
    state = arrange(
        at={"mason": "d5.1", "fencer": "s4"}, tiles={"d5": "underpass"}, items={"d5.0": "rope"}, keys={"key4": "d5.0"}
    )
    scene = Scene(state)
    assert scene.offers("pick") == []
    scene.refused("pick", "rope")
    scene.refused("pick", "key4")


def test_L_FREE_PICK_is_for_the_active_player() -> None:
    state = arrange(at={"mason": "s1", "fencer": "d5"}, tiles=CORRIDOR, items={"d5": "rope"})
    Scene(state).refused("pick", "rope", seat=1)


def test_L_FREE_PICK_the_turn_waits_for_it_when_the_actions_are_spent() -> None:
    state = arrange(at=APART, tiles=CORRIDOR, items={"d5": "rope"})
    scene = Scene(state).do("move", "d6").do("move", "d5")
    assert (scene.acting, scene.verbs) == ("mason", {"pick", "end_turn"})
    assert scene.do("pick", "rope").acting == "fencer"


def test_L_FREE_PICK_section_5_a_dazed_character_picks_nothing_up() -> None:
    state = arrange(at=APART, tiles=CORRIDOR, keys={"key4": "d5"}, daze={"mason": 1})
    scene = Scene(state)
    scene.refused("pick", "key4")
    assert scene.do("rest").do("pick", "key4").held("mason") == ["key4"]


def test_L_FREE_SWAP_L_ITEM_1_corner_case_23_a_third_item_only_in_exchange_for_one() -> None:
    state = arrange(
        at={"mason": "d5", "fencer": "d6"}, tiles=CORRIDOR, items={"d5": "rope"}, holds={"mason": ["salts", "probe"]}
    )
    scene = Scene(state)
    assert scene.offers("pick") == []
    scene.refused("pick", "rope")
    assert set(scene.offers("swap")) == {("rope", "salts"), ("rope", "probe")}
    scene.do("swap", "rope", "salts")
    assert scene.held("mason") == ["rope", "probe"]
    assert scene.lying == [("d5.0", "salts")]
    assert scene.state.actions == 2
    scene.do("move", "d6").do("pass").do("pass").do("end_turn")
    assert scene.do("move", "d5").do("pick", "salts").held("fencer") == ["salts"]


def test_L_FREE_SWAP_nothing_is_swapped_for_its_like_nor_with_a_hand_free() -> None:
    full = arrange(at=APART, tiles=CORRIDOR, items={"d5": "rope"}, holds={"mason": ["rope", "rope"]})
    scene = Scene(full)
    assert scene.verbs.isdisjoint({"pick", "swap"})
    assert scene.do("move", "d6").do("move", "d5").acting == "fencer"  # nor does the turn wait for it
    free = arrange(at=APART, tiles=CORRIDOR, items={"d5": "rope"}, holds={"mason": ["salts"]})
    assert "swap" not in Scene(free).verbs


def test_L_ITEM_1_keys_are_no_items_and_without_limit() -> None:
    state = arrange(
        at=APART,
        tiles=CORRIDOR,
        keys={"key4": "d5"},
        holds={"mason": ["key2", "key3", "key5", "rope", "salts"]},
    )
    assert Scene(state).do("pick", "key4").held("mason")[:4] == ["key2", "key3", "key4", "key5"]


# ── the free fight ──


def meeting(*, rivals: int = 1) -> Scene:
    """The Mason has walked to others."""
    at = {"mason": "d5", "fencer": "d6", "rigger": "d6" if rivals == 2 else "s3"}
    return Scene(arrange(at=at, tiles=CORRIDOR, dark=at)).do("move", "d6")


def test_L_FREE_FIGHT_one_fight_for_nothing_may_take_place_when_the_active_player_comes_to_another() -> None:
    scene = meeting()
    assert (scene.asked, scene.verbs) == ({"mason"}, {"fight", "pass"})
    scene.do("fight", "fencer").roll(9, 5)
    assert scene.args("fought") == [("mason", 9, "fencer", 6)]
    assert scene.player("fencer").lives == 3
    assert scene.state.actions == 1
    assert "fight" not in scene.verbs


def test_L_FREE_FIGHT_the_other_may_want_it_too_and_if_nobody_does_there_is_none() -> None:
    scene = meeting().do("pass")
    assert scene.asked == {"fencer"}
    scene.do("fight", "mason").roll(4, 9)
    assert scene.player("mason").lives == 3
    scene = meeting().do("pass").do("pass")
    assert scene.player("mason").lives == scene.player("fencer").lives == 4
    assert (scene.acting, scene.verbs >= {"attack", "move"}) == ("mason", True)


def test_L_FREE_FIGHT_there_is_one_however_many_are_met() -> None:
    scene = meeting(rivals=2)
    assert scene.offers("fight") == [("fencer",), ("rigger",)]
    scene.do("fight", "rigger").roll(9, 5)
    assert scene.acting == "mason"
    assert scene.verbs.isdisjoint({"fight", "pass"})


def test_L_FREE_FIGHT_staying_together_is_no_meeting() -> None:
    scene = meeting().do("pass").do("pass").do("end_turn")
    assert scene.acting == "fencer"
    assert "fight" not in scene.verbs


def test_L_FREE_FIGHT_who_is_moved_to_others_in_anothers_turn_starts_none() -> None:
    at = {"rigger": "s2", "mason": "d5", "fencer": "d6"}
    scene = Scene(arrange(at=at, tiles=CORRIDOR))
    mason, there = 1, scene.state.players[2].place
    draft = Draft(scene.state)
    enter(draft, mason, there)
    draft.run()
    scene.state = draft.freeze()
    assert scene.place("mason") == scene.place("fencer") == "d6.0"
    assert scene.asked == {"rigger"}
    assert "fight" not in scene.verbs


def test_dice_of_the_engine_are_rolled_where_nobody_types() -> None:
    state = arrange(glass_warren(), at=APART, tiles=CORRIDOR, traps={"d6": "arrows"}, dark=["mason"])
    scene = Scene(state).do("move", "d6")
    rolls = [event for event in scene.events if event.kind == "rolled"]
    assert len(rolls) == 3
    assert all(event.chance for event in rolls)
    failed = sum(int(event.args[1]) < 7 for event in rolls)
    assert (scene.player("mason").lives, scene.player("mason").daze) == (4 - failed, failed)
