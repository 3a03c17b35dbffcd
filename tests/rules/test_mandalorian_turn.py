from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from arranging import arrange, edited, hand, seen, sums

from underglow.games import mandalorian
from underglow.games.contract import Action, Event, IllegalAction, Outcome, Token
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import Pile, State


def fresh(*strengths: int, at: str = "d1", seats: int = 2) -> State:
    """The Drifter's turn on an empty map, with these cards in hand and all zones empty."""
    state = hand(sums(arrange(at={"drifter": at}), 0, 0, 0, 0), *(strengths or (1, 2, 3, 4)))
    return replace(state, seats=seats)


def play(state: State, *actions: Action) -> tuple[State, list[Event]]:
    told: list[Event] = []
    for action in actions:
        state, events = mandalorian.step(state, action)
        told += events
    return state, told


def lay(zone: str, strength: int, *ability: str, seat: int = 0) -> Action:
    return Action(seat, "play", (zone, strength, *ability))


def decline(zone: str, seat: int = 0) -> Action:
    return Action(seat, "decline", (zone,))


def sum_of(state: State, zone: str) -> int:
    return next(entry["sum"] for entry in seen(state)["zones"] if entry["id"] == zone)


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def refused(state: State, action: Action) -> str:
    before = state.to_json()
    with pytest.raises(IllegalAction) as refusal:
        mandalorian.step(state, action)
    assert state.to_json() == before
    sentence = str(refusal.value)
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    return sentence


def test_M_TURN_1_turns_go_round_the_table() -> None:
    state, acting = fresh(), list[int]()
    for _ in range(4):
        acting.append(state.acting)
        while state.acting == acting[-1]:
            legal = mandalorian.legal(state)
            assert {action.seat for action in legal} == {state.acting}
            state, _ = mandalorian.step(state, legal[-1] if state.pending is not None else legal[0])
    assert acting == [0, 1, 0, 1]
    assert state.turn == 4


def test_M_TURN_2_action_event_and_draw_phase_follow_each_other() -> None:
    _, events = play(fresh(), lay("attack", 4), decline("attack"), lay("plan", 3), decline("plan"))
    assert kinds(events) == ["laid", "declined", "laid", "declined", "drew", "turn"]
    _, events = play(sums(fresh(), 0, 1, 0, 0), lay("attack", 4), decline("attack"), lay("plan", 3), decline("plan"))
    assert kinds(events)[4:] == ["event_due", "emptied", "drew", "turn"]


def test_M_ACT_1_a_turn_has_exactly_two_actions() -> None:
    state = fresh()
    assert {action.verb for action in mandalorian.legal(state)} == {"play"}
    assert "exactly 2 actions" in refused(state, Action(0, "end_turn"))
    once, _ = play(state, lay("attack", 1), decline("attack"))
    assert once.acting == 0
    assert {action.verb for action in mandalorian.legal(once)} == {"play"}
    twice, _ = play(once, lay("plan", 2), decline("plan"))
    assert twice.acting == 1
    assert "It is the Loader Droid's turn" in refused(twice, lay("move", 3))


def test_M_ACT_1_after_both_actions_there_is_no_third_even_while_a_key_may_be_taken() -> None:
    state = hand(arrange(at={"drifter": "d1"}, threats=[("d1", "Gate key")]), 1, 2, 3, 4)
    state, _ = play(state, lay("attack", 1), decline("attack"), lay("plan", 2), decline("plan"))
    assert state.acting == 0
    assert "both are taken" in refused(state, lay("move", 3))


def test_M_ACT_2_5_a_card_goes_from_hand_on_top_of_the_zone() -> None:
    state, _ = play(fresh(1, 1, 2, 2), lay("plan", 1), decline("plan"), lay("move", 2), decline("move"))
    state = replace(state, acting=0, used=0)
    state, _ = play(hand(state, 2, 2), lay("plan", 2))
    strengths = [state.scenario.cards[card].strength for card in state.piles[3].cards]
    assert strengths == [1, 2]
    assert len(state.figure.hand) == 1


def test_M_ACT_3_corner_case_17_move_and_then_move_again_is_refused() -> None:
    state, _ = play(fresh(), lay("move", 1), decline("move"))
    assert "Move has a card of this turn already" in refused(state, lay("move", 2))
    assert not [action for action in mandalorian.legal(state) if action.args[0] == "move"]


def test_M_ACT_3_a_zone_is_open_again_in_the_next_turn() -> None:
    state, _ = play(fresh(), lay("move", 1), decline("move"), lay("plan", 2), decline("plan"))
    assert {action.args[0] for action in mandalorian.legal(state)} == {"move", "attack", "intel", "plan"}


def test_M_ACT_4_equal_cards_are_one_choice_and_an_ability_makes_another() -> None:
    state = hand(replace(fresh(), acting=1), 2, 2, 3, 3)
    assert len(mandalorian.legal(state)) == 2 * 4
    jolt = next(number for number, card in enumerate(state.scenario.cards) if card.ability == "jolt")
    figure = state.figures[1]
    state = replace(state, figures=(state.figures[0], figure._replace(hand=tuple(sorted((*figure.hand[:3], jolt))))))
    assert {action.args[1:] for action in mandalorian.legal(state)} == {(2,), (3,), (2, "jolt")}
    after, _ = play(state, lay("plan", 2, "jolt", seat=1))
    assert jolt in after.piles[3].cards
    assert jolt not in after.figure.hand


def test_M_ACT_6_corner_case_16_a_card_laid_and_declined_counts() -> None:
    state, _ = play(fresh(), lay("attack", 4))
    assert mandalorian.legal(state) == (decline("attack"),)
    state, _ = play(state, decline("attack"))
    assert sum_of(state, "attack") == 4


@pytest.mark.parametrize("zone", ["attack", "intel", "plan"])
def test_M_ACT_7_what_is_not_refereed_yet_is_refused_with_a_sentence(zone: str) -> None:
    state, _ = play(fresh(), lay(zone, 2))
    name = zone.capitalize()
    assert f"{name} is not refereed yet" in refused(state, Action(0, zone, ("t1",)))
    assert f"First decline {name}" in refused(state, lay("move", 1))
    assert f"{name} is not refereed yet" in mandalorian.prompt(state, ())


def test_M_ACT_9_the_strength_of_a_move_is_the_cards_own_not_the_piles() -> None:
    state = sums(fresh(), 3, 0, 0, 0)
    state, _ = play(state, lay("move", 1))
    assert sum_of(state, "move") == 4
    assert seen(state)["steps"] == 1
    assert max(len(action.args) - 1 for action in mandalorian.legal(state) if action.verb == "move") == 1


def test_a_choice_without_a_card_laid_is_refused() -> None:
    assert "First the Drifter lays a skill card" in refused(fresh(), Action(0, "move", ("d1", "d2")))
    assert "First the Drifter lays a skill card" in refused(fresh(), decline("move"))
    assert "has no such card in hand" in refused(fresh(1, 2), lay("move", 4))
    assert "A card goes on one of the zones move, attack, intel, plan" in refused(fresh(), lay("roof", 1))
    assert "There is no such choice as sing" in refused(fresh(), Action(0, "sing"))
    assert "First carry out the Move" in refused(play(fresh(), lay("move", 1))[0], lay("plan", 2))


# ── event phase ──


@pytest.mark.parametrize(
    ("before", "told"),
    [
        (2, []),  # M-EVT-2: 4
        (3, ["event_due", "emptied"]),  # M-EVT-3: 5
        (4, ["crisis_due", "event_due", "emptied"]),  # M-EVT-4: 6
    ],
)
def test_M_EVT_1_2_3_4_the_sum_of_cards_and_tokens_decides(before: int, told: list[str]) -> None:
    state = sums(fresh(), 0, before, 0, 0)
    state, events = play(state, lay("attack", 2), decline("attack"), lay("plan", 1), decline("plan"))
    assert [kind for kind in kinds(events) if kind in ("crisis_due", "event_due", "emptied")] == told
    assert sum_of(state, "attack") == (0 if told else 4)
    assert sum_of(state, "plan") == 1


def test_M_EVT_5_corner_case_11_each_zone_at_its_limit_has_its_own_event() -> None:
    state = sums(fresh(), 3, 3, 1, 1)
    state, events = play(state, lay("move", 2), decline("move"), lay("attack", 4), decline("attack"))
    due = [(event.kind, *event.args) for event in events if event.kind.endswith("_due")]
    assert due == [("event_due", "move", 5), ("crisis_due", "attack", 7), ("event_due", "attack", 7)]
    assert [sum_of(state, zone) for zone in ("move", "attack", "intel", "plan")] == [0, 0, 1, 1]


def test_M_EVT_6_below_the_limit_nothing_happens() -> None:
    state = sums(fresh(1, 1, 2, 3), 3, 3, 4, 4)
    after, events = play(state, lay("move", 1), decline("move"), lay("attack", 1), decline("attack"))
    assert not [event for event in events if event.kind.endswith("_due")]
    assert [sum_of(after, zone) for zone in ("move", "attack", "intel", "plan")] == [4, 4, 4, 4]


def test_M_EVT_10_cards_go_to_their_owners_and_tokens_to_the_pool() -> None:
    state, _ = play(fresh(1, 1, 2, 3), lay("plan", 1), decline("plan"), lay("move", 1), decline("move"))
    state = hand(state, 4, 4, 3, 3) if state.acting == 0 else hand(state, 4, 3, 3, 3)
    pool = state.pool
    state = replace(state, piles=(*state.piles[:3], state.piles[3]._replace(disruption=(3,))))
    state, _ = play(state, lay("plan", 4, seat=1), decline("plan", 1), lay("attack", 3, seat=1), decline("attack", 1))
    drifter, droid = state.figures
    assert [state.scenario.cards[card].strength for card in drifter.discard] == [1]
    assert [state.scenario.cards[card].strength for card in droid.discard] == [4]
    assert state.pool == tuple(sorted((*pool, 3)))
    assert state.piles[3] == ((), ())


def test_M_EVT_the_people_are_told_that_a_card_is_due() -> None:
    state, events = play(
        sums(fresh(), 0, 2, 0, 0), lay("attack", 4), decline("attack"), lay("plan", 1), decline("plan")
    )
    log = [mandalorian.narrate(state, event) for event in events]
    assert "Attack reached 6: a crisis is due, which the people resolve for now." in log
    assert "Attack reached 6: an event card is due, which the people resolve for now." in log
    assert "Attack is emptied." in log


# ── tactical cards ──


def test_M_TACT_2_3_5_6_a_tactical_card_gives_no_action_and_counts_as_one() -> None:
    state = fresh(0, 1, 2, 3)
    for zone in ("move", "intel", "plan"):
        after, _ = play(state, lay(zone, 0, "scatter"))
        assert after.pending is None
        assert after.used.bit_count() == 1
        assert "has a card of this turn already" in refused(after, lay(zone, 1))
    own, _ = play(state, lay("attack", 0, "scatter"))
    assert mandalorian.legal(own) == (decline("attack"),)


@pytest.mark.parametrize("before", [0, 3, 7])
def test_M_TACT_4_corner_cases_13_14_its_zone_counts_as_exactly_5(before: int) -> None:
    state = sums(fresh(0, 1, 2, 3), 0, 0, before, 0)
    state, events = play(state, lay("intel", 0, "scatter"), lay("plan", 1), decline("plan"))
    assert [event.kind for event in events if event.kind.endswith("_due")] == ["event_due"]
    assert sum_of(state, "intel") == 0


# ── draw phase ──


def rest(state: State, held: int) -> State:
    """The state just before the end of the acting character's turn, with that many cards in hand."""
    strengths = [3, 3, 2, 2, 2, 2][:held]
    laid = Pile(state.scenario.characters[0].deck[:1], ())
    piles = (state.piles[0], laid, *state.piles[2:])
    return replace(hand(state, *strengths), used=0b11, pending=1, piles=piles)


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
def test_M_DRAW_1_2_corner_cases_19_20(difficulty: str, held: int, after: int, tmp_path: Path) -> None:
    scenario = edited(tmp_path, ('difficulty = "beginner"', f'difficulty = "{difficulty}"'))
    state = rest(sums(arrange(scenario, at={"drifter": "d1"}), 0, 0, 0, 0), held)
    done, events = play(state, decline("attack"))
    assert len(done.figures[0].hand) == after
    assert set(state.figures[0].hand) <= set(done.figures[0].hand)
    assert [event.args[1] for event in events if event.kind == "drew"] == ([after - held] if after > held else [])
    assert len(done.figures[1].hand) == len(state.figures[1].hand)


def test_M_DRAW_3_an_empty_deck_is_made_anew_from_the_discards() -> None:
    state = rest(fresh(), 1)
    figure = state.figures[0]
    discard, deck = figure.deck[1:], figure.deck[:1]
    state = replace(state, figures=(figure._replace(deck=deck, discard=discard), state.figures[1]))
    done, events = play(state, decline("attack"))
    now = done.figures[0]
    assert deck[0] in now.hand
    assert sorted(now.hand + now.deck) == sorted(figure.hand + figure.deck)
    assert now.discard == ()
    assert [event.chance for event in events if event.kind == "reshuffled"] == [True]
    others = {
        mandalorian.step(replace(state, rng=replace(state.rng, seed=seed)), decline("attack"))[0].figures[0].deck
        for seed in range(20)
    }
    assert len(others) > 10


def test_M_DRAW_3_with_deck_and_discards_empty_the_hand_stays_small_and_the_turn_can_be_ended() -> None:
    state = rest(fresh(), 0)
    state = replace(state, figures=(state.figures[0]._replace(deck=(), hand=()), state.figures[1]))
    done, events = play(state, decline("attack"))
    assert "drew" not in kinds(events)
    again = replace(done, acting=0)
    assert mandalorian.legal(again) == (Action(0, "end_turn"),)
    assert play(again, Action(0, "end_turn"))[0].acting == 1


# ── the mission ──


def test_M1_2_corner_case_26_the_objective_is_checked_at_the_end_of_any_turn() -> None:
    state = arrange(at={"drifter": "d1", "loader_droid": "a3"}, threats=[("a3", "Survey core")], acting="drifter")
    state = hand(sums(state, 0, 0, 0, 0), 1, 2, 3, 4)
    state, _ = play(state, lay("plan", 1), decline("plan"), lay("attack", 2))
    assert mandalorian.outcome(state) is None
    state, events = play(state, decline("attack"))
    assert kinds(events) == ["declined", "drew", "won"]
    assert mandalorian.outcome(state) == Outcome((0, 1), "The objective of Cinder Wells is reached.")
    assert mandalorian.legal(state) == ()
    assert "The game is over" in refused(state, lay("move", 3, seat=state.seat))


def test_M1_2_an_asset_nobody_knows_of_is_no_objective() -> None:
    state = arrange(at={"drifter": "d1", "loader_droid": "a3"}, threats=[("a3", "? Survey core")])
    state = hand(sums(state, 0, 0, 0, 0), 1, 2, 3, 4)
    state, _ = play(state, lay("plan", 1), decline("plan"), lay("attack", 2), decline("attack"))
    assert mandalorian.outcome(state) is None


def test_M1_2_entering_the_asset_s_space_is_not_enough_and_neither_is_a_face_down_one() -> None:
    state = hand(arrange(at={"drifter": "b4"}, threats=[("a3", "? Survey core")], doors_open=1), 1, 2, 3, 4)
    state, _ = play(state, lay("move", 1))
    go = next(action for action in mandalorian.legal(state) if action.args[-1] == "a3")
    state, _ = play(state, go)
    assert mandalorian.outcome(state) is None
    assert mandalorian.tokens(state)["t1"] == Token("asset", "Survey core")


@pytest.mark.parametrize(("switch", "lost_at"), [("damage>=health", 8), ("damage>health", 9)])
def test_M1_3_a_character_is_defeated_at_once(switch: str, lost_at: int, tmp_path: Path) -> None:
    scenario = edited(tmp_path, ('defeat_at = "damage>=health"', f'defeat_at = "{switch}"'))
    for damage in (lost_at - 2, lost_at - 1):
        after, events = guarded(scenario, damage)
        lost = damage == lost_at - 1
        assert ("defeated" in kinds(events)) == lost
        assert mandalorian.outcome(after) == (Outcome((), "The Drifter is defeated.") if lost else None)


def guarded(scenario: Scenario, damage: int) -> tuple[State, list[Event]]:
    state = arrange(scenario, at={"drifter": "d1"}, threats=[("d3", "Ledge Watcher")], move=1, damage=damage)
    go = next(action for action in mandalorian.legal(state) if action.args[-1] == "d2")
    return play(state, go)


def test_M1_3_the_last_damage_ends_the_game_in_the_middle_of_a_movement() -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d1", "Pit Bruiser"), ("d2", "? Ledge Watcher")], move=1, damage=7)
    go = next(action for action in mandalorian.legal(state) if action.args[-1] == "d2")
    after, events = play(state, go)
    assert kinds(events) == ["damaged", "defeated"]
    assert not after.threats[1].up
    assert after.turn == state.turn


def test_M1_3_nobody_is_hurt_further_once_the_game_is_over() -> None:
    two = [("d1", "Pit Bruiser"), ("d1", "Pit Bruiser")]
    state = arrange(at={"drifter": "d1"}, threats=two, move=1, damage=7)
    after, events = play(state, next(action for action in mandalorian.legal(state) if action.args[-1] == "d2"))
    assert kinds(events) == ["damaged", "defeated"]
    assert after.figure.damage == 8


def test_M1_5_corner_case_37_the_second_key_opens_the_gate_at_once() -> None:
    state = arrange(at={"drifter": "b3"}, threats=[("b3", "Gate key"), ("e1", "Gate key")], move=1)
    assert "First carry out the Move" in refused(state, Action(0, "take", ("t1",)))
    state, _ = play(state, decline("move"))
    assert "face up on its own space" in refused(state, Action(0, "take", ("t2",)))
    state, events = play(state, Action(0, "take", ("t1",)))
    assert kinds(events) == ["taken"]
    assert "t1" not in mandalorian.tokens(state)
    assert state.used.bit_count() == 1  # it costs no action
    state = replace(state, figures=(state.figures[0]._replace(space=state.scenario.start), state.figures[1]))
    state, events = play(state, Action(0, "take", ("t2",)))
    assert kinds(events) == ["taken", "opened"]
    assert seen(state)["doors"] == [{"id": "well_gate", "name": "well gate", "edge": ["b3", "b4"], "open": True}]
    assert [mandalorian.narrate(state, event) for event in events] == ["", "The well gate opens."]


def test_M1_5_a_key_turned_up_by_the_second_action_may_still_be_taken() -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d2", "? Gate key")], move=1)
    state = replace(state, used=0b11)
    go = next(action for action in mandalorian.legal(state) if action.args[-1] == "d2")
    state, _ = play(state, go)
    assert mandalorian.legal(state) == (Action(0, "take", ("t1",)), Action(0, "end_turn"))
    assert play(state, Action(0, "end_turn"))[0].acting == 1
    taken, _ = play(state, Action(0, "take", ("t1",)))
    assert taken.acting == 1  # nothing is left to choose


def test_M1_5_no_more_is_taken_than_there_are_slots(tmp_path: Path) -> None:
    scenario = edited(tmp_path, ('name = "Gate key", n = 2', 'name = "Gate key", n = 3'))
    state = arrange(scenario, at={"drifter": "d1"}, threats=[("d1", "Gate key")] * 3)
    state, _ = play(state, Action(0, "take", ("t1",)), Action(0, "take", ("t2",)))
    assert state.doors_open
    assert "only what a slot is left for" in refused(state, Action(0, "take", ("t3",)))


def test_M1_5_a_key_that_is_face_down_elsewhere_or_no_key_cannot_be_taken() -> None:
    state = arrange(at={"drifter": "d1"}, threats=[("d1", "Survey core"), ("d2", "? Gate key"), ("c1", "Gate key")])
    assert not [action for action in mandalorian.legal(state) if action.verb == "take"]
