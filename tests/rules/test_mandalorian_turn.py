"""Turns and their phases, cards on zones, tactical cards, the draw phase."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from arranging import Scene, arrange, changed, decked, figure_of, hand, keeping, salt_harbour, seen, sums, switched

from underglow.games import mandalorian
from underglow.games.contract import Cue, Meaning
from underglow.games.mandalorian.state import Pile, State


def fresh(*faces: int | str, at: str = "e1", seats: int = 2) -> Scene:
    """The Drifter's turn on an empty map, with these cards in hand and all zones empty."""
    return Scene(hand(arrange(at={"drifter": at}, seats=seats), *(faces or (1, 2, 3, 4))))


def sum_of(state: State, zone: str) -> int:
    return next(entry["sum"] for entry in seen(state)["zones"] if entry["id"] == zone)


# ── turns ──


def test_M_TURN_1_turns_go_round_the_table_until_the_game_ends() -> None:
    scene, acting = fresh(), list[str]()
    for _ in range(4):
        acting.append(seen(scene.state)["active"])
        turn = scene.state.turn
        while scene.state.turn == turn:
            legal = mandalorian.legal(scene.state)
            assert {action.seat for action in legal} == {scene.state.seat}
            action = next((a for a in legal if a.verb in ("decline", "accept", "pass")), legal[0])
            scene.do(action.verb, *action.args)
    assert acting == ["drifter", "loader_droid", "drifter", "loader_droid"]


def test_M_TURN_1_when_the_mission_is_over_nobody_has_a_turn() -> None:
    won = Scene(arrange(at={"drifter": "d1"}, threats=[("d1", "Survey core")])).event_phase()
    lost = Scene(arrange(at={"drifter": "d1"})).effect({"verb": "hurt", "n": 8})
    for scene in (won, lost):
        assert scene.state.ended
        assert mandalorian.legal(scene.state) == ()
        assert scene.refused("play", "move", 1) == "The game is over."


def test_M_TURN_2_action_event_and_draw_phase_follow_each_other() -> None:
    scene = fresh().do("play", "move", 4).do("decline", "move").do("play", "attack", 3)
    assert scene.told == ["laid", "declined", "laid", "idle", "drew", "turn"]
    scene = Scene(sums(fresh().state, 2, 0, 0, 0)).do("play", "move", 3).do("decline", "move").do("play", "attack", 2)
    assert scene.told[4:8] == ["event_due", "event", "no_effect", "no_reinforcement"]
    assert scene.told[-3:] == ["emptied", "drew", "turn"]


def test_M_TURN_3_without_an_event_no_enemy_moves_or_attacks() -> None:
    state = arrange(
        at={"drifter": "d1"}, threats=[("d2", "Rim Gunner"), ("d1", "Pit Bruiser"), ("c3", "Ledge Watcher")]
    )
    scene = Scene(hand(state, 1, 2)).do("play", "plan", 1).do("decline", "plan").do("play", "attack", 2)
    scene.do("decline", "attack")
    assert scene.state.turn == 1
    assert not {"marched", "attacked", "damaged"} & set(scene.told)


# ── cards and zones ──


def test_M_ACT_1_a_turn_has_exactly_two_actions() -> None:
    scene = fresh()
    assert scene.verbs == {"play"}
    assert "exactly 2 actions, and the Drifter has taken 0" in scene.refused("end_turn")
    scene.do("play", "attack", 1)
    assert scene.verbs == {"play"}
    scene.do("play", "plan", 2).do("decline", "plan")
    assert seen(scene.state)["active"] == "loader_droid"
    assert "It is the Loader Droid's turn" in scene.refused("play", "move", 3, seat=0)


def test_M_ACT_1_after_both_actions_there_is_no_third_even_while_a_key_may_be_taken() -> None:
    scene = Scene(hand(arrange(at={"drifter": "d1"}, threats=[("d1", "Gate key")]), 1, 2, 3, 4))
    scene.do("play", "attack", 1).do("play", "plan", 2).do("decline", "plan")
    assert scene.verbs == {"take", "end_turn"}
    assert "both are taken" in scene.refused("play", "move", 3)
    assert scene.do("end_turn").state.turn == 1


def test_M_ACT_1_without_a_card_left_the_turn_goes_on() -> None:
    scene = fresh(1).do("play", "attack", 1)
    assert scene.state.turn == 1


def test_M_ACT_2_5_a_card_goes_from_hand_on_top_of_the_zone() -> None:
    state = replace(fresh().state, piles=(Pile((), ()),) * 3 + (Pile(hand(fresh().state, 4).figure.hand, ()),))
    scene = Scene(hand(state, 2, 2)).do("play", "plan", 2)
    assert [scene.state.scenario.cards[card].strength for card in scene.state.piles[3].cards] == [4, 2]
    assert len(scene.state.figure.hand) == 1
    assert seen(scene.state)["zones"][3]["strengths"] == [4, 2]


def test_M_ACT_3_corner_case_17_move_and_then_move_again_is_refused() -> None:
    scene = fresh().do("play", "move", 1).do("decline", "move")
    assert "Move has a card of this turn already" in scene.refused("play", "move", 2)
    assert not [args for args in scene.offers("play") if args[0] == "move"]


def test_M_ACT_3_a_zone_is_open_again_in_the_next_turn() -> None:
    scene = fresh().do("play", "move", 1).do("decline", "move").do("play", "attack", 2)
    assert {args[0] for args in scene.offers("play")} == {"move", "attack", "intel", "plan"}


def test_M_ACT_4_equal_cards_are_one_choice_and_an_ability_makes_another() -> None:
    state = arrange(at={"drifter": "e1"}, acting="loader_droid")
    scene = Scene(hand(state, 2, 2, 3, 3))
    assert len(scene.offers("play")) == 2 * 4
    scene = Scene(hand(state, 2, 3, "jolt"))
    assert {args[1:] for args in scene.offers("play")} == {(2,), (3,), (2, "jolt")}
    scene.do("play", "plan", 2, "jolt")
    assert {args[1:] for args in scene.do("decline", "plan").offers("play")} == {(2,), (3,)}
    assert sum_of(scene.state, "plan") == 2


def test_M_ACT_6_corner_case_16_a_card_laid_and_declined_counts() -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d1", "Pit Bruiser")])
    scene = Scene(hand(state, 4, 1)).do("play", "attack", 4)
    assert scene.verbs == {"attack", "decline"}
    scene.do("decline", "attack")
    assert sum_of(scene.state, "attack") == 4
    assert scene.state.threats == state.threats
    nothing = fresh().do("play", "attack", 4)
    assert nothing.told == ["laid", "idle"]
    assert sum_of(nothing.state, "attack") == 4


@pytest.mark.parametrize(
    ("zone", "verbs"),
    [
        ("move", {"move", "decline"}),
        ("attack", {"attack", "decline"}),
        ("intel", {"look", "push", "decline"}),
        ("plan", {"plan", "decline"}),
    ],
)
def test_M_ACT_7_each_zone_has_its_action(zone: str, verbs: set[str]) -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d2", "Rim Gunner"), ("d3", "? Slag")])
    scene = Scene(state).lay(zone, 3)
    assert scene.verbs == verbs
    assert "First carry out" in scene.refused("play", "plan", 1)


def test_M_ACT_7_a_mission_may_have_a_zone_more_with_an_action_of_its_own() -> None:
    state = arrange(salt_harbour(), at={"drifter": "g2", "medic": "g3"}, damage={"medic": 4})
    scene = Scene(state).lay("aid", 3)
    assert scene.verbs == {"resolve", "decline"}
    scene.do("resolve", "aid").do("heal", "medic")
    assert figure_of(scene.state, "medic").damage == 1
    assert sum_of(scene.state, "aid") == 3


def test_M_ACT_8_an_ability_is_used_with_the_action_in_the_zone_it_names() -> None:
    state = arrange(at={"loader_droid": "d1"}, threats=[("d2", "Rim Gunner")])
    scene = Scene(state).lay("move", 2, "jolt")
    assert scene.verbs == {"move", "ability", "decline"}
    scene.do("ability", "jolt").do("disrupt", "t1")
    assert scene.verbs == {"move", "decline"}  # either may come first
    scene.do("move", "e1")
    assert scene.verbs == {"play"}
    elsewhere = Scene(state).lay("attack", 2, "jolt")
    assert elsewhere.verbs == {"attack", "decline"}


def test_M_ACT_8_an_ability_that_finds_nothing_before_the_move_may_find_something_after_it() -> None:
    state = arrange(at={"loader_droid": "e1"}, threats=[("d3", "Rim Gunner")])
    scene = Scene(state).lay("move", 2, "jolt")
    assert scene.verbs == {"move", "decline"}
    scene.do("move", "d2")
    assert scene.verbs == {"ability", "decline"}
    scene.do("ability", "jolt")
    assert scene.offers("disrupt") == [("t1",)]


def test_M_ACT_9_the_strength_of_an_action_is_the_cards_own_not_the_piles() -> None:
    scene = Scene(sums(fresh().state, 3, 0, 0, 0)).lay("move", 1)
    assert sum_of(scene.state, "move") == 4
    assert seen(scene.state)["steps"] == 1
    assert max(len(args) - 1 for args in scene.offers("move")) == 1


def test_M_ACT_9_so_it_is_for_attack_intel_and_plan() -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d2", "Pit Bruiser"), ("d3", "? Slag")])
    three = hand(state, 3).figure.hand
    state = replace(state, piles=(Pile(three, (1,)),) * 4)
    attack = Scene(state).lay("attack", 1).do("attack", "t1")
    assert attack.args("hit") == [("t1", 1, "d2")]
    assert Scene(state).lay("intel", 1).offers("look") == []
    assert Scene(state).lay("plan", 1).do("plan").args("drew_plans") == [("drifter", 1)]


def test_a_choice_without_a_card_laid_is_refused() -> None:
    scene = fresh(1, 2)
    assert "First the Drifter lays a skill card" in scene.refused("move", "e1", "e2")
    assert "First the Drifter lays a skill card" in scene.refused("decline", "move")
    assert "has no such card in hand" in scene.refused("play", "move", 4)
    assert "A card goes on one of the zones Move, Attack, Intel, Plan" in scene.refused("play", "roof", 1)
    assert "There is no such choice now" in scene.refused("sing")
    assert "First carry out the Move" in scene.do("play", "move", 1).refused("play", "plan", 2)


# ── tactical cards ──


def test_M_TACT_1_2_3_6_a_tactical_card_gives_no_action_and_its_ability_in_its_own_zone_only() -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d2", "Rim Gunner"), ("d1", "Pit Bruiser")])
    for zone in ("move", "intel", "plan"):
        scene = Scene(state).lay(zone, 0, "scatter")
        assert scene.verbs == {"play"}
        assert scene.state.used.bit_count() == 1
        assert "has a card of this turn already" in scene.refused("play", zone, 1)
    own = Scene(state).lay("attack", 0, "scatter")
    assert own.verbs == {"ability", "decline"}
    own.do("ability", "scatter").do("attack", "t1").do("attack", "t2").do("attack", "t2")
    assert [seen["damage"] for seen in seen_enemies(own.state)] == [1, 2]
    assert own.verbs == {"attack", "pass"}
    assert own.do("pass").verbs == {"play"}


def seen_enemies(state: State) -> list[dict[str, int]]:
    return [token for token in seen(state)["tokens"] if token["kind"] == "enemy"]


@pytest.mark.parametrize("before", [0, 3, 7])
def test_M_TACT_4_corner_cases_13_14_its_zone_counts_as_exactly_5(before: int) -> None:
    scene = Scene(sums(fresh().state, 0, 0, before, 0)).lay("intel", 0, "scatter")
    assert sum_of(scene.state, "intel") == 5
    assert mandalorian.cues(scene.state, ())["intel"] == Cue(Meaning.PINNED)
    scene.event_phase()
    assert "event_due" in scene.told
    assert "crisis_due" not in scene.told
    assert scene.args("emptied")[0][0] == "intel"


def test_M_TACT_5_it_may_be_laid_elsewhere_just_to_avoid_a_crisis() -> None:
    scene = Scene(sums(fresh().state, 0, 0, 0, 9)).lay("plan", 0, "scatter").event_phase()
    assert "crisis_due" not in scene.told


# ── draw phase ──


def drawing(held: int, difficulty: str, folder: Path) -> Scene:
    """At the end of the Drifter's action phase, with that many cards in hand."""
    state = arrange(switched(folder, difficulty=difficulty), at={"drifter": "d1"})
    return Scene(hand(state, *[3, 3, 2, 2, 2, 2][:held]))


@pytest.mark.parametrize(
    ("difficulty", "held", "after"),
    [
        ("standard", 2, 4),  # M-DRAW-1
        ("standard", 0, 4),
        ("veteran", 1, 3),  # corner case 19
        ("standard", 4, 4),  # M-DRAW-2
        ("standard", 5, 5),  # corner case 20
        ("veteran", 4, 4),
    ],
)
def test_M_DRAW_1_2_M_DIFF_4_corner_cases_19_20(difficulty: str, held: int, after: int, tmp_path: Path) -> None:
    scene = drawing(held, difficulty, tmp_path)
    before = scene.state
    done = scene.event_phase().state
    assert len(done.figures[0].hand) == after
    assert set(before.figures[0].hand) <= set(done.figures[0].hand)
    assert scene.args("drew") == ([("drifter", after - held)] if after > held else [])
    assert done.figures[1].hand == before.figures[1].hand


def test_M_DRAW_3_an_empty_deck_is_made_anew_from_the_discards(tmp_path: Path) -> None:
    scene = drawing(1, "beginner", tmp_path)
    figure = scene.state.figures[0]
    scene.state = changed(scene.state, "drifter", deck=figure.deck[:1], discard=figure.deck[1:])
    start = scene.state
    now = figure_of(scene.event_phase().state, "drifter")
    assert figure.deck[0] in now.hand
    assert sorted(now.hand + now.deck) == sorted(figure.hand + figure.deck)
    assert now.discard == ()
    assert [event.chance for event in scene.events if event.kind == "reshuffled"] == [True]
    others = {
        Scene(replace(start, rng=replace(start.rng, seed=seed))).event_phase().state.figures[0].deck
        for seed in range(20)
    }
    assert len(others) > 10


def test_M_DRAW_3_with_deck_and_discards_empty_the_hand_stays_small_and_the_game_goes_on(tmp_path: Path) -> None:
    scene = drawing(0, "beginner", tmp_path)
    scene.state = changed(scene.state, "drifter", deck=())
    scene.event_phase()
    assert "drew" not in scene.told
    assert scene.state.turn == 1
    again = Scene(replace(scene.state, place=0)).event_phase()
    assert again.state.turn == 2


def test_a_planning_card_of_one_s_own_action_phase_may_come_after_the_last_card() -> None:
    state = changed(keeping(arrange(at={"drifter": "e1"}), "patch"), "drifter", damage=1)
    scene = Scene(decked(hand(state, 1, 2))).do("play", "attack", 1).do("play", "plan", 2).do("decline", "plan")
    assert scene.verbs == {"use", "end_turn"}
    scene.do("use", "patch")
    assert scene.state.turn == 1
    assert figure_of(scene.state, "drifter").damage == 0
