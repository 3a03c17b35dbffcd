"""Events and how long they hold, items that are used, and what characters can do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from mazes import GLASS_WARREN, Scene, arrange, by_hand, lamp_alley, switched

from underglow.documents import Faults
from underglow.games.labyrinth import compiling

WAY = {"d5": "gallery", "d6": "gallery"}
APART = {"mason": "d5", "fencer": "s4"}


# ── in force ──


def test_L_EVENT_1_an_event_holds_over_turns_until_the_next_is_played() -> None:
    scene = Scene(arrange(at=APART, tiles=WAY, events=["tailwind", "thick_fog"])).do("event")
    names = [event.id for event in scene.state.scenario.events]
    for _ in range(4):
        assert names[scene.state.event] == "tailwind"
        scene.do("end_turn")
    assert scene.state.event_deck.discard == ()
    scene.do("event")
    assert names[scene.state.event] == "thick_fog"
    assert [names[card] for card in scene.state.event_deck.discard] == ["tailwind"]


def test_L_EVENT_1_fog_no_free_fight_takes_place_but_an_attack_does() -> None:
    scene = Scene(arrange(at={"mason": "d5", "fencer": "d6"}, tiles=WAY, event="thick_fog")).do("move", "d6")
    assert "attack" in scene.verbs
    assert scene.verbs.isdisjoint({"fight", "pass"})


def test_L_EVENT_1_tailwind_the_second_step_of_a_turn_is_free_and_only_that() -> None:
    scene = Scene(arrange(at=APART, tiles=WAY, event="tailwind")).do("move", "d6")
    assert scene.state.actions == 1
    scene.do("move", "d5")
    assert scene.state.actions == 1
    scene.do("move", "d6")
    assert scene.acting == "fencer"


def test_L_EVENT_1_tailwind_the_turn_waits_for_the_free_step_when_the_actions_are_spent() -> None:
    scene = Scene(arrange(at=APART, tiles=WAY, event="tailwind")).do("move", "d6").do("trap").do("set", "d6")
    assert (scene.acting, scene.verbs) == ("mason", {"move", "end_turn"})
    assert scene.do("move", "d5").acting == "fencer"


def test_L_EVENT_1_tailwind_a_step_taken_before_it_came_up_counts_as_the_first() -> None:
    scene = Scene(arrange(at=APART, tiles=WAY, events=["tailwind"])).do("move", "d6").do("event")
    assert scene.verbs == {"move", "end_turn"}
    without = Scene(arrange(at=APART, tiles=WAY, events=["clear_sky"])).do("move", "d6").do("event")
    assert without.acting == "fencer"


@pytest.mark.parametrize(("event", "need"), [("shaking_bridges", 9), ("clear_sky", 8)])
def test_L_EVENT_1_shaking_bridges_a_jump_needs_one_more(event: str, need: int) -> None:
    state = arrange(at={"mason": "d5.0", "fencer": "s4"}, tiles={"d5": "underpass"}, event=event, dark=["mason"])
    scene = Scene(state).do("jump", "d5.1").roll(8)
    assert scene.args("tested")[0][2] == need
    assert ("fell" in scene.told) == (need == 9)


def test_L_EVENT_1_glass_rain_tests_everybody_from_the_active_player_on_and_leaves_no_rule() -> None:
    at = {"mason": "d5", "fencer": "s2", "rigger": "s3"}
    state = arrange(at=at, tiles=WAY, dark=at, acting="fencer", events=["glass_rain"])
    scene = Scene(state).do("event").roll(6, 7, 2)
    assert [args[0] for args in scene.args("tested")] == ["fencer", "rigger", "mason"]
    assert [scene.player(who).daze for who in ("fencer", "rigger", "mason")] == [1, 0, 1]
    assert scene.state.scenario.events[scene.state.event].rule is None


def test_L_EVENT_1_a_glass_rain_is_ones_own_test_for_each_and_a_crystal_may_repeat_it() -> None:
    state = arrange(at=APART, tiles=WAY, events=["glass_rain"], dark=["mason"])
    scene = Scene(state).do("event").roll(8).roll(3)
    assert (scene.asked, scene.verbs) == ({"fencer"}, {"repeat", "accept"})
    assert scene.do("repeat").roll(7).player("fencer").daze == 0


def test_L_EVENT_1_bells_give_one_more_action_and_the_baker_does_everybody_good() -> None:
    at = {"climber": "s1", "wrestler": "s3"}
    scene = Scene(arrange(lamp_alley(), at=at, events=["bells", "baker"])).do("event")
    assert scene.args("more_actions") == [("climber", 2)]
    assert scene.state.actions == 2
    hurt = arrange(lamp_alley(), at=at, events=["baker"], lives={"climber": 2}, daze={"wrestler": 2})
    scene = Scene(hurt).do("event")
    assert [(player.lives, player.daze) for player in scene.state.players] == [(3, 0), (4, 1)]


@pytest.mark.parametrize("to", ["box", "pool"])
def test_L_EVENT_2_brittle_traps_a_tested_trap_goes_to_where_the_switch_says(to: str) -> None:
    state = arrange(switched(traps_removed_to=to), at=APART, tiles=WAY, traps={"d6": "? spikes"}, event="brittle_traps")
    scene = Scene(state)
    pool = len(scene.state.pool)
    scene.do("move", "d6").roll(7)
    assert scene.traps == {}
    assert scene.args("trap_gone") == [("spikes", "d6")]
    assert len(scene.state.pool) == pool + (to == "pool")


def test_L_EVENT_2_brittle_traps_it_goes_also_when_the_test_fails_or_kills() -> None:
    for trap, roll in (("spikes", 6), ("grinder", 5), ("lightning", 9)):
        state = arrange(
            at=APART, tiles=WAY, traps={"d6": trap}, event="brittle_traps", dark=["mason"], lives={"mason": 2}
        )
        scene = Scene(state).do("move", "d6").roll(roll)
        assert scene.traps == {}, trap


def test_L_EVENT_2_a_trap_that_is_only_turned_up_stays() -> None:
    state = arrange(at=APART, tiles=WAY, traps={"d6": "? spikes"}, event="brittle_traps", holds={"mason": ["probe"]})
    scene = Scene(state).do("use", "probe").do("reveal", "d6")
    assert scene.traps == {"d6.0": "spikes"}


# ── another character ──


def test_L_CHAR_3_who_becomes_another_keeps_all_but_its_abilities() -> None:
    state = arrange(
        at={"warden": "d5", "fencer": "s4"},
        tiles=WAY,
        events=["masquerade"],
        holds={"warden": ["key4", "rope"]},
        lives={"warden": 2},
        dark=["warden"],
    )
    scene = Scene(state)
    before = scene.player("warden")
    scene.do("event")
    (old, new, space), seat = scene.args("became")[0], 0
    assert (old, space) == ("warden", "d5")
    assert new not in ("warden", "fencer")
    assert scene.events[-1].chance
    after = scene.state.players[seat]
    assert after == before._replace(character=after.character)
    assert scene.held(str(new)) == ["key4", "rope"]


def test_L_CHAR_3_the_old_characters_tokens_stay_and_do_nothing() -> None:
    at = {"warden": "d5", "fencer": "d6"}
    for event in ("masquerade", "clear_sky"):
        scene = Scene(arrange(at=at, tiles=WAY, events=[event], dark=at)).do("ability", "lay_rime").do("event")
        assert scene.acting == "fencer"
        assert len(scene.state.glyphs) == 1
        scene.do("move", "d5")
        assert ("glyph_met" in scene.told) == (event == "clear_sky")


def test_L_CHAR_3_with_nobody_left_to_become_nothing_happens() -> None:
    scenario = by_hand()
    at = {character.id: f"s{n}" for n, character in enumerate(scenario.characters[:6], start=1)}
    scene = Scene(arrange(at=at, events=["masquerade"]))
    scene.state = replace(
        scene.state, scenario=replace(scenario, characters=scenario.characters[:6], digest="six characters")
    )
    scene.do("event")
    assert "became" not in scene.told
    assert scene.acting == "mason"


def test_L_CHAR_3_the_new_characters_abilities_are_fresh() -> None:
    at = {"courier": "d5", "mason": "s2", "lampwright": "s3", "fencer": "s4", "rigger": "s5", "snarer": "s6"}
    scene = Scene(arrange(at=at, tiles=WAY, events=["masquerade"])).do("ability", "sprint").do("event")
    assert scene.args("became") == [("courier", "warden", "d5")]  # nobody else was left
    assert scene.do("ability", "lay_rime").args("glyph_laid") == [("warden", "rime", "d5")]


# ── what characters can do ──


def test_L_CHAR_1_a_character_has_four_abilities_at_most(tmp_path: Path) -> None:
    text = GLASS_WARREN.read_text()
    parry = '{ id = "parry", name = "Parry", bonus = { test = "fight", n = 1 } }'
    assert parry in text
    file = tmp_path / "glass-warren.toml"
    for count in (4, 5):
        abilities = ", ".join(parry.replace("parry", f"parry{n}") for n in range(count))
        file.write_text(text.replace(parry, abilities))
        if count == 4:
            fencer = next(who for who in compiling.load(file).characters if who.id == "fencer")
            assert len(fencer.abilities) == 4
        else:
            with pytest.raises(Faults):
                compiling.load(file)


def test_L_CHAR_2_the_mason_turns_an_empty_tile_once_a_turn() -> None:
    tiles = {**WAY, "c3": "gallery", "c4": "bend", "d3": "gallery", "e4": "catwalk"}
    state = arrange(
        at=APART,
        tiles=tiles,
        traps={"c3": "? spikes"},
        items={"d3": "rope"},
        glyphs={"e4.1": ("rime", "warden")},
    )
    scene = Scene(state).do("ability", "turn_stone")
    # d5: a character; c3: a trap; d3: an item; e4: an ability token; g4: the Golem; key tiles: a key, and look alike
    assert {str(space) for (space,) in scene.offers("turn_tile")} == {"c4", "d6"}
    scene.do("turn_tile", "d6")
    assert scene.offers("face") == [("d6", 1), ("d6", 2)]  # not as it lies
    scene.do("face", "d6", 1)
    assert scene.args("turned") == [("gallery", "d6")]
    assert scene.spaces("move") == {"d4.0"}
    assert scene.state.actions == 1
    scene.refused("ability", "turn_stone")


def test_L_CHAR_2_a_turned_tile_is_not_laid_anew() -> None:
    state = arrange(at=APART, tiles={**WAY, "c4": "fork"})
    scene = Scene(state).do("ability", "turn_stone").do("turn_tile", "c4").do("face", "c4", 1)
    assert (scene.traps, scene.lying) == ({}, [])


def test_L_CHAR_2_the_snarer_picks_one_of_two_traps_and_the_other_goes_back() -> None:
    state = arrange(at={"snarer": "d5", "fencer": "s4"}, tiles=WAY, pool=["grinder", "axes"])
    scene = Scene(state)
    pool = len(scene.state.pool)
    scene.do("ability", "pick_of_two")
    assert scene.offers("keep") == [(1,), (2,)]
    scene.do("keep", 2).do("set", "d6")
    assert scene.traps == {"d6.0": "? axes"}
    assert scene.state.traps[0].known == 0b01
    assert len(scene.state.pool) == pool - 1
    assert scene.state.pool != state.pool[:1] + state.pool[2:]
    assert [event.chance for event in scene.events if event.kind == "returned"] == [True]
    assert scene.state.actions == 1


def test_L_CHAR_2_the_couriers_crystal_gives_one_more_action() -> None:
    scene = Scene(arrange(at={"courier": "d5", "fencer": "s4"}, tiles=WAY)).do("ability", "sprint")
    assert scene.state.actions == 3
    assert not scene.player("courier").crystal
    scene.refused("ability", "sprint")
    scene.do("move", "d6").do("move", "d5").do("move", "d6")
    assert scene.acting == "fencer"
    dark = Scene(arrange(at={"courier": "d5", "fencer": "s4"}, tiles=WAY, dark=["courier"]))
    dark.refused("ability", "sprint")


def test_L_CHAR_2_who_spent_both_actions_may_still_use_an_ability_that_costs_none() -> None:
    scene = Scene(arrange(at={"courier": "d5", "fencer": "s4"}, tiles=WAY)).do("move", "d6").do("move", "d5")
    assert scene.verbs == {"ability", "end_turn"}
    scene.do("ability", "sprint")
    assert scene.state.actions == 1


def test_L_CHAR_2_the_lampwrights_crystal_turns_up_a_trap_anywhere() -> None:
    traps = {"d6": "? spikes", "c3": "? axes", "d3": "acid"}
    tiles = {**WAY, "c3": "gallery", "d3": "gallery"}
    scene = Scene(arrange(at={"lampwright": "s1", "fencer": "s4"}, tiles=tiles, traps=traps)).do("ability", "far_light")
    assert scene.spaces("reveal") == {"d6.0", "c3.0"}
    scene.do("reveal", "c3")
    assert scene.traps == {"d6.0": "? spikes", "c3.0": "axes", "d3.0": "acid"}
    assert scene.state.actions == 2
    assert not scene.player("lampwright").crystal
    bare = Scene(arrange(at={"lampwright": "s1", "fencer": "s4"}, tiles=tiles, traps={"d3": "acid"}))
    bare.refused("ability", "far_light")


def test_L_CHAR_2_the_wardens_rime_dazes_others_and_there_are_three_tokens() -> None:
    scene = Scene(arrange(at={"warden": "d5", "fencer": "d6"}, tiles=WAY, dark=["fencer"])).do("ability", "lay_rime")
    assert scene.args("glyph_laid") == [("warden", "rime", "d5")]
    scene.do("end_turn").do("move", "d5")
    assert scene.args("glyph_met") == [("fencer", "rime", "d5")]
    assert scene.roll(6).player("fencer").daze == 1
    used_up = arrange(
        at={"warden": "d5", "fencer": "d6"},
        tiles={**WAY, "d7": "gallery"},
        glyphs={"a3": ("rime", "warden"), "d6": ("rime", "warden"), "d7": ("rime", "warden")},
    )
    Scene(used_up).refused("ability", "lay_rime")
    here = arrange(at={"warden": "d5", "fencer": "d6"}, tiles=WAY, glyphs={"d5": ("rime", "warden")})
    Scene(here).refused("ability", "lay_rime")


def test_L_CHAR_2_an_ability_is_fresh_in_the_next_turn() -> None:
    scene = Scene(arrange(at={"warden": "d5", "fencer": "s4"}, tiles=WAY)).do("ability", "lay_rime").do("move", "d6")
    scene.do("end_turn")
    assert scene.do("ability", "lay_rime").told.count("glyph_laid") == 2


# ── items that are used ──


def test_an_item_that_is_used_leaves_the_game_and_costs_no_action() -> None:
    state = arrange(at=APART, tiles=WAY, holds={"mason": ["poultice", "probe"]}, lives={"mason": 2})
    scene = Scene(state)
    scene.refused("use", "probe")  # no trap next door
    scene.do("use", "poultice")
    assert scene.player("mason").lives == 3
    assert scene.held("mason") == ["probe"]
    assert scene.lying == []
    assert scene.state.actions == 2
    assert scene.args("used") == [("mason", "poultice")]


def test_an_item_that_would_change_nothing_is_not_used() -> None:
    scene = Scene(arrange(at=APART, tiles=WAY, holds={"mason": ["poultice", "salts"]}))
    scene.refused("use", "poultice")
    scene.refused("use", "salts")


def test_a_probe_shows_a_trap_where_the_own_corridor_leads() -> None:
    tiles = {**WAY, "e4": "gallery", "d3": "gallery"}
    state = arrange(
        at=APART, tiles=tiles, traps={"d6": "? axes", "e4": "? acid", "d3": "? spikes"}, holds={"mason": ["probe"]}
    )
    assert Scene(state).do("use", "probe").spaces("reveal") == {"d6.0"}


def test_an_item_waits_for_its_owners_turn() -> None:
    state = arrange(at=APART, tiles=WAY, holds={"fencer": ["poultice"]}, lives={"fencer": 1})
    Scene(state).refused("use", "poultice", seat=1)
