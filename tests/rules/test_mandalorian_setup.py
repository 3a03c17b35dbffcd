"""Set-up, difficulty, and how many play."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from arranging import Scene, arrange, begun, cinder_wells, edited, hand, salt_harbour, seen, switched
from hypothesis import given
from hypothesis import strategies as st
from walking import thorough

from underglow.games import mandalorian
from underglow.games.contract import Action, IllegalAction
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import OFF, STACK, State
from underglow.rng import Rng

SEEDS = st.integers(0, 2**64 - 1)
SCENARIOS = st.sampled_from([cinder_wells(), salt_harbour()])


def dealt(seed: int = 1, seats: int = 2, scenario: Scenario | None = None) -> State:
    return mandalorian.setup(scenario or cinder_wells(), seats, Rng(seed))


# ── the order of it, decks and tokens ──


def test_M_SETUP_1_cards_and_tokens_are_dealt_then_characters_are_picked_then_the_first_player_drawn() -> None:
    state = dealt(scenario=salt_harbour())
    assert all([state.planning.draw, state.events.draw, state.pool, state.threats])
    assert all(pile.disruption for pile in state.piles)
    assert seen(state)["seats"][0]["name"] == "Seat 1"
    told: list[str] = []
    for seat in (0, 1):
        assert {(action.seat, action.verb) for action in mandalorian.legal(state)} == {(seat, "pick")}
        assert mandalorian.prompt(state, ()) == f"Seat {seat + 1} picks a character."
        state, events = mandalorian.step(state, mandalorian.legal(state)[0])
        told += [event.kind for event in events]
    assert told == ["picked", "picked", "turn"]
    assert {action.verb for action in mandalorian.legal(state)} == {"play"}


@thorough
@given(SEEDS)
def test_M_SETUP_2_the_20_planning_cards_are_one_shuffled_pile(seed: int) -> None:
    deck = dealt(seed).planning
    assert len(deck.draw) == 20
    assert Counter(deck.draw) == Counter(cinder_wells().planning_deck)
    assert deck.discard == ()


def test_M_SETUP_2_all_draw_from_the_same_pile() -> None:
    state, drawn = dealt(), list[str]()
    ids = [plan.id for plan in state.scenario.plans]
    first = [ids[card] for card in state.planning.draw[:3]]
    for place in (0, 1):
        scene = Scene(replace(state, place=place, used=0)).lay("plan", 1 + place).do("plan")
        while scene.offers("discard"):
            drawn.append(str(scene.offers("discard")[0][0]))
            scene.do("discard", drawn[-1])
        state = scene.state
    assert drawn == first


def test_M_SETUP_2_3_decks_come_in_another_order_with_another_seed() -> None:
    deals = [dealt(seed) for seed in range(40)]
    assert len({deal.planning.draw for deal in deals}) == 40
    assert len({deal.events.draw for deal in deals}) > 35


def test_M_SETUP_3_the_back_on_top_is_public_and_nothing_below_it() -> None:
    state = dealt()
    draw = state.events.draw
    back = state.scenario.events[draw[0]].back
    for seat in (None, 0, 1):
        assert seen(state, seat)["events"] == {"deck": 12, "back": back, "discard": []}
    below = replace(state, events=state.events._replace(draw=(draw[0], *reversed(draw[1:]))))
    assert seen(below, 0) == seen(state, 0)
    others = [mandalorian.redeal(state, 0, Rng(seed)).events.draw for seed in range(40)]
    assert {state.scenario.events[other[0]].back for other in others} == {back}
    assert len({other[1:] for other in others}) > 35


@thorough
@given(SEEDS)
def test_M_SETUP_5_a_white_disruption_token_in_each_zone_the_others_in_the_pool(seed: int) -> None:
    state, scenario = dealt(seed), cinder_wells()
    laid = [number for pile in state.piles for number in pile.disruption]
    assert [(len(pile.cards), len(pile.disruption)) for pile in state.piles] == [(0, 1)] * 4
    assert not Counter(laid) - Counter(scenario.white)
    assert len(state.pool) == 6
    assert Counter((*laid, *state.pool)) == Counter(scenario.white + scenario.other)


def test_M_SETUP_5_with_five_zones_no_white_token_is_left_over() -> None:
    state, scenario = dealt(scenario=salt_harbour()), salt_harbour()
    laid = [number for pile in state.piles for number in pile.disruption]
    assert Counter(laid) == Counter(scenario.white)
    assert state.pool == tuple(sorted(scenario.other))


def test_M_SETUP_5_the_tokens_in_the_zones_lie_number_up_and_those_in_the_pool_do_not() -> None:
    state = dealt()
    public = seen(state)
    assert [zone["disruption"] for zone in public["zones"]] == [list(pile.disruption) for pile in state.piles]
    assert public["disruption_pool"] == 6
    assert len({dealt(seed).piles for seed in range(60)}) > 5


@thorough
@given(SEEDS, SCENARIOS)
def test_M_SETUP_6_7_each_icon_gets_a_token_of_its_shape_and_face(seed: int, scenario: Scenario) -> None:
    threats = dealt(seed, 2, scenario).threats
    laid = threats[: len(scenario.icons)]
    for icon, threat in zip(scenario.icons, laid, strict=True):
        assert (threat.space, threat.up) == (icon.space, icon.up)
        assert scenario.kinds[threat.kind].shape == icon.shape
    assert Counter(threat.kind for threat in threats) == Counter(k for pool in scenario.pools.values() for k in pool)


def test_M_SETUP_6_each_shape_is_mixed() -> None:
    scenario = cinder_wells()
    boards = {tuple(threat.kind for threat in dealt(seed).threats) for seed in range(300)}
    assert len(boards) > 100
    for number, icon in enumerate(scenario.icons):
        assert {board[number] for board in boards} == set(scenario.pools[icon.shape])


def test_M_SETUP_6_tokens_without_an_icon_stay_in_the_box_unseen(tmp_path: Path) -> None:
    scenario = edited(
        tmp_path,
        ('"Rim Gunner", class = "shooter", health = 2, n = 2', '"Rim Gunner", class = "shooter", health = 2, n = 4'),
    )
    state = dealt(3, 2, scenario)
    boxed = [threat for threat in state.threats if threat.space == OFF]
    assert len(boxed) == 2
    assert not any(threat.up for threat in boxed)
    assert sum(token.startswith("t") for token in mandalorian.tokens(state)) == len(scenario.icons)
    reached = {
        tuple(threat.kind for threat in mandalorian.redeal(state, None, Rng(seed)).threats if threat.space == OFF)
        for seed in range(200)
    }
    assert len(reached) > 4  # what the box holds is hidden, so it may be exchanged with what lies face down


def test_M_SETUP_8_reinforcements_are_a_face_down_stack_of_which_only_the_number_is_known() -> None:
    state = dealt()
    stack = [threat for threat in state.threats if threat.space == STACK]
    assert Counter(threat.kind for threat in stack) == Counter(state.scenario.pools[""])
    assert not any(threat.up for threat in stack)
    assert seen(state)["reinforcements"] == 4
    assert not [here for here in mandalorian.layout(state).values() if "t13" in here]
    assert "t13" not in mandalorian.tokens(state)
    tops = {next(t.kind for t in dealt(seed).threats if t.space == STACK) for seed in range(40)}
    assert tops == set(state.scenario.pools[""])


# ── characters and the first player ──


def test_M1_6_nothing_is_set_up_beyond_what_every_mission_has() -> None:
    state = dealt()
    assert (state.doors_open, state.tracks, state.slots, state.child, state.roles) == (0, (0,), (0,), None, ())
    assert mandalorian.layout(state).keys() == {state.scenario.spaces[icon.space] for icon in state.scenario.icons} | {
        "e1"
    }


def test_M_SETUP_9_each_picks_another_character_of_the_mission_s_list() -> None:
    state = dealt(scenario=salt_harbour(), seats=3)
    listed = {character.id for character in salt_harbour().characters}
    for taken, picked in enumerate(("scout", "drifter", "medic")):
        offered = {action.args[0] for action in mandalorian.legal(state)}
        assert offered <= listed
        assert len(offered) == 4 - taken
        if taken:
            with pytest.raises(IllegalAction):
                mandalorian.step(state, Action(taken, "pick", ("scout",)))
        pick = next(action for action in mandalorian.legal(state) if action.args == (picked,))
        state, _ = mandalorian.step(state, pick)
    assert [row["character"] for row in seen(state)["seats"]] == ["scout", "drifter", "medic"]


def test_M_SETUP_9_M1_1_a_mission_with_as_many_characters_as_play_leaves_no_choice() -> None:
    assert {action.verb for action in mandalorian.legal(dealt())} == {"play"}
    assert [row["character"] for row in seen(dealt())["seats"]] == ["drifter", "loader_droid"]


@thorough
@given(SEEDS)
def test_M_SETUP_10_characters_stand_on_the_start_space(seed: int) -> None:
    assert mandalorian.layout(dealt(seed))["e1"] == ("drifter", "loader_droid")
    assert set(mandalorian.layout(begun(salt_harbour(), 2, "scout", "medic", seed=seed))["g1"]) == {"scout", "medic"}


@thorough
@given(SEEDS)
def test_M_SETUP_11_decks_are_shuffled_and_hands_drawn(seed: int) -> None:
    state = dealt(seed)
    for character, figure in zip(cinder_wells().characters, state.figures, strict=True):
        assert (len(figure.hand), len(figure.deck), figure.discard) == (4, 8, ())
        assert Counter(figure.hand + figure.deck) == Counter(character.deck)


def test_M_SETUP_11_another_seed_gives_other_hands_and_decks() -> None:
    deals = [dealt(seed).figures[0] for seed in range(40)]
    assert len({figure.hand for figure in deals}) > 10
    assert len({figure.deck for figure in deals}) > 30


def test_M_SETUP_11_a_hand_is_seen_by_its_seat_alone() -> None:
    state = dealt()
    for seat in (0, 1, None):
        hands = ["hand" in row for row in seen(state, seat)["seats"]]
        assert hands == [seat == 0, seat == 1]
        assert [row["cards"] for row in seen(state, seat)["seats"]] == [4, 4]


def test_M_SETUP_12_the_first_player_is_drawn() -> None:
    firsts = Counter(dealt(seed).seat for seed in range(400))
    assert 150 < firsts[0] < 250


def test_M_MOVE_7_a_face_down_token_on_the_start_space_is_turned_up_at_once(tmp_path: Path) -> None:
    scenario = edited(
        tmp_path,
        ('icons = ["start"]', 'icons = ["start", "hid_b"]'),
        ('name = "Locker", n = 2', 'name = "Locker", n = 3'),
    )
    (threat,) = [threat for threat in dealt(1, 2, scenario).threats if threat.space == scenario.start]
    assert threat.up


# ── difficulty ──


@pytest.mark.parametrize(("difficulty", "health", "cards"), [("beginner", 8, 4), ("standard", 6, 4), ("veteran", 6, 3)])
def test_M_DIFF_1_2_3_4_health_and_hand(difficulty: str, health: int, cards: int, tmp_path: Path) -> None:
    rows = seen(dealt(1, 2, switched(tmp_path, difficulty=difficulty)))["seats"]
    assert [(row["health"], row["cards"]) for row in rows] == [(health, cards)] * 2


@pytest.mark.parametrize(("difficulty", "hurts"), [("beginner", 8), ("standard", 6)])
def test_M_DIFF_2_3_a_character_bears_what_its_side_says(difficulty: str, hurts: int, tmp_path: Path) -> None:
    state = arrange(switched(tmp_path, difficulty=difficulty), at={"drifter": "d1"})
    scene = Scene(state).effect({"verb": "hurt", "n": hurts - 1})
    assert scene.state.ended == ""
    assert Scene(state).effect({"verb": "hurt", "n": hurts}).state.ended == "defeat"


# ── how many play ──


def acting(state: State, turns: int) -> list[tuple[int, str]]:
    """Seat and character of so many turns that follow each other, nothing happening in them."""
    scene, found = Scene(state), list[tuple[int, str]]()
    for _ in range(turns):
        found.append((scene.state.seat, seen(scene.state)["active"]))
        scene.event_phase()
    return found


def still(scenario: Scenario, seats: int) -> State:
    """A game in which no zone comes near its limit and no threat is about, at the first turn of the first seat."""
    return arrange(scenario, at={}, seats=seats)


def test_M_COUNT_1_two_players_have_a_character_each() -> None:
    assert [row["seat"] for row in seen(dealt())["seats"]] == [0, 1]
    assert acting(still(cinder_wells(), 2), 3) == [(0, "drifter"), (1, "loader_droid"), (0, "drifter")]


@pytest.mark.parametrize("seats", [3, 4])
def test_M_COUNT_1_as_many_characters_as_players_where_the_mission_has_them(seats: int) -> None:
    state = begun(salt_harbour(), seats)
    assert len(state.figures) == seats
    assert [row["seat"] for row in seen(state)["seats"]] == list(range(seats))


@pytest.mark.parametrize(
    ("switch", "turns"),
    [
        ("by_seat", [(0, "drifter"), (1, "loader_droid"), (2, "drifter"), (0, "drifter")]),
        ("by_character", [(0, "drifter"), (1, "loader_droid"), (2, "drifter"), (1, "loader_droid"), (0, "drifter")]),
    ],
)
def test_M_COUNT_2_more_players_than_characters_share_them_by_switch_in_turns_of_seats_or_of_characters(
    switch: str, turns: list[tuple[int, str]], tmp_path: Path
) -> None:
    state = still(switched(tmp_path, shared_turns=switch), 3)
    assert len(state.figures) == 2
    assert acting(state, len(turns)) == turns


def test_M_COUNT_2_who_share_a_character_share_its_hand_and_act_in_their_own_turn_only() -> None:
    state = still(cinder_wells(), 3)
    for seat, sees in ((0, {"drifter"}), (1, {"loader_droid"}), (2, {"drifter"})):
        assert {row["character"] for row in seen(state, seat)["seats"] if "hand" in row} == sees
    assert {action.seat for action in mandalorian.legal(state)} == {0}
    later = replace(state, place=2)
    assert {action.seat for action in mandalorian.legal(later)} == {2}
    assert "turn" in Scene(hand(later, 1, 2)).refused("play", "move", 1, seat=0)


def test_M_COUNT_3_a_solo_player_has_both_characters_each_with_its_hand_and_turns() -> None:
    state = still(cinder_wells(), 1)
    rows = seen(state, 0)["seats"]
    assert [(row["seat"], row["character"], len(row["hand"])) for row in rows] == [
        (0, "drifter", 4),
        (0, "loader_droid", 4),
    ]
    assert acting(state, 4) == [(0, "drifter"), (0, "loader_droid")] * 2


def test_M_COUNT_3_a_solo_player_picks_both_characters() -> None:
    state = dealt(seats=1, scenario=salt_harbour())
    for _ in range(2):
        assert {(action.seat, action.verb) for action in mandalorian.legal(state)} == {(0, "pick")}
        state, _ = mandalorian.step(state, mandalorian.legal(state)[0])
    assert len(state.figures) == 2


@pytest.mark.parametrize("number", [-1, 0, 5])
def test_M_COUNT_1_3_other_numbers_of_seats_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"Cinder Wells is for 1 to 4 seats, not {number}"):
        dealt(seats=number)


# ── the text form ──


def test_the_text_form_of_another_scenario_or_of_nonsense_is_refused(tmp_path: Path) -> None:
    state = arrange(at={"drifter": "e1"})
    text, scenario = dealt().to_json(), cinder_wells()
    assert State.from_json(text, scenario) == dealt()
    other = edited(tmp_path, ("Cinder Wells", "Ash Wells"))
    wrong = {
        "scenario": (text, other),
        "the text": ("not json", scenario),
        "turn": (text.replace('"turn":0', '"turn":-1'), scenario),
        "ended": (text.replace('"ended":""', '"ended":"draw"'), scenario),
        "threats": (state.to_json(), scenario),
        "place": (replace(dealt(), place=2).to_json(), scenario),
        "agenda": (replace(dealt(), agenda=()).to_json(), scenario),
        "pool": (replace(dealt(), pool=()).to_json(), scenario),
        "events": (replace(dealt(), events=dealt().planning).to_json(), scenario),
        "tracks": (replace(dealt(), tracks=()).to_json(), scenario),
        "rng": (text.replace('"counter":', '"counter":-'), scenario),
        "figures": (text.replace("[[0,16,0,", "[[0,19,0,", 1), scenario),
    }
    for field, (given_text, at_hand) in wrong.items():
        with pytest.raises(ValueError, match=f"This is not a state of the scenario .* at hand: {field}.* does not fit"):
            State.from_json(given_text, at_hand)
