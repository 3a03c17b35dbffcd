from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from arranging import arrange, cinder_wells, edited, seen
from hypothesis import given
from hypothesis import strategies as st
from walking import thorough

from underglow.games import mandalorian
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import OFF, State
from underglow.rng import Rng

SEEDS = st.integers(0, 2**64 - 1)


def dealt(seed: int = 1, seats: int = 2, scenario: Scenario | None = None) -> State:
    return mandalorian.setup(scenario or cinder_wells(), seats, Rng(seed))


@thorough
@given(SEEDS)
def test_M_SETUP_5_a_white_disruption_token_in_each_zone_the_others_in_the_pool(seed: int) -> None:
    state, scenario = dealt(seed), cinder_wells()
    laid = [number for pile in state.piles for number in pile.disruption]
    assert [(len(pile.cards), len(pile.disruption)) for pile in state.piles] == [(0, 1)] * 4
    assert not Counter(laid) - Counter(scenario.white)
    assert len(state.pool) == 6
    assert Counter((*laid, *state.pool)) == Counter(scenario.white + scenario.other)


@thorough
@given(SEEDS)
def test_M_SETUP_6_7_each_icon_gets_a_token_of_its_shape_and_face(seed: int) -> None:
    state, scenario = dealt(seed), cinder_wells()
    for icon, threat in zip(scenario.icons, state.threats, strict=True):
        assert (threat.space, threat.up) == (icon.space, icon.up)
        assert scenario.kinds[threat.kind].shape == icon.shape
    assert Counter(threat.kind for threat in state.threats) == Counter(k for p in scenario.pools.values() for k in p)


def test_M_SETUP_6_each_shape_is_mixed() -> None:
    boards = {tuple(threat.kind for threat in dealt(seed).threats) for seed in range(300)}
    assert len(boards) > 100
    assert {board[0] for board in boards} == set(cinder_wells().pools["c"])


def test_M_SETUP_6_tokens_without_an_icon_stay_in_the_box_unseen(tmp_path: Path) -> None:
    scenario = edited(
        tmp_path, ('n = 2 },\n  { kind = "enemy", name = "Ledge', 'n = 4 },\n  { kind = "enemy", name = "Ledge')
    )
    state = dealt(3, 2, scenario)
    boxed = [threat for threat in state.threats if threat.space == OFF]
    assert len(boxed) == 2
    assert not any(threat.up for threat in boxed)
    assert len(mandalorian.tokens(state)) == 2 + len(state.threats) - 2
    reached = {
        tuple(threat.kind for threat in mandalorian.redeal(state, None, Rng(seed)).threats if threat.space == OFF)
        for seed in range(200)
    }
    assert len(reached) > 4  # what the box holds is hidden, so it may be exchanged with what lies face down


@thorough
@given(SEEDS)
def test_M_SETUP_10_characters_stand_on_the_start_space(seed: int) -> None:
    state = dealt(seed)
    assert mandalorian.layout(state)["e1"] == ("drifter", "loader_droid")


@thorough
@given(SEEDS)
def test_M_SETUP_11_decks_are_shuffled_and_hands_drawn(seed: int) -> None:
    state = dealt(seed)
    for character, figure in zip(cinder_wells().characters, state.figures, strict=True):
        assert (len(figure.hand), len(figure.deck), figure.discard) == (4, 8, ())
        assert Counter(figure.hand + figure.deck) == Counter(character.deck)


def test_M_SETUP_11_a_hand_is_seen_by_its_seat_alone() -> None:
    state = dealt()
    for seat in (0, 1, None):
        hands = ["hand" in entry for entry in seen(state, seat)["seats"]]
        assert hands == [seat == 0, seat == 1]


def test_M_SETUP_12_the_first_player_is_drawn() -> None:
    firsts = Counter(dealt(seed).acting for seed in range(400))
    assert 150 < firsts[0] < 250


@pytest.mark.parametrize(("difficulty", "health", "cards"), [("beginner", 8, 4), ("standard", 6, 4), ("veteran", 6, 3)])
def test_M_DIFF_2_3_4_health_and_hand(difficulty: str, health: int, cards: int, tmp_path: Path) -> None:
    scenario = edited(tmp_path, ('difficulty = "beginner"', f'difficulty = "{difficulty}"'))
    entries = seen(dealt(1, 2, scenario))["seats"]
    assert [(entry["health"], entry["cards"]) for entry in entries] == [(health, cards)] * 2


def test_M_COUNT_1_two_players_have_a_character_each() -> None:
    assert [entry["seat"] for entry in seen(dealt(), None)["seats"]] == [0, 1]


def test_M_COUNT_3_a_solo_player_has_both_characters_each_with_its_hand_and_turns() -> None:
    state = dealt(seats=1)
    assert [(entry["seat"], len(str(entry["hand"])) > 9) for entry in seen(state, 0)["seats"]] == [(0, True), (0, True)]
    actors: list[int] = []
    while len(actors) < 4:
        if not state.used and state.pending is None:
            actors.append(state.acting)
            held = set(state.figure.hand)
            offered = {action.args[1:] for action in mandalorian.legal(state) if action.verb == "play"}
            assert len(offered) == len(held)
        action = mandalorian.legal(state)[-1]
        assert action.seat == 0
        state, _ = mandalorian.step(state, mandalorian.legal(state)[0] if action.verb == "play" else action)
    assert actors in ([0, 1, 0, 1], [1, 0, 1, 0])


@pytest.mark.parametrize("number", [-1, 0, 3])
def test_M_COUNT_other_numbers_of_seats_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"Cinder Wells is for 1 to 2 seats, not {number}"):
        dealt(seats=number)


@thorough
@given(SEEDS)
def test_the_same_seed_deals_the_same_game(seed: int) -> None:
    assert dealt(seed) == dealt(seed)
    assert dealt(seed).rng.seed == seed


def test_M_MOVE_7_a_face_down_token_on_the_start_space_is_turned_up_at_once(tmp_path: Path) -> None:
    scenario = edited(
        tmp_path,
        ('icons = ["start"]', 'icons = ["start", "hid_b"]'),
        ('{ kind = "item", name = "Gate key", n = 2 }', '{ kind = "item", name = "Gate key", n = 3 }'),
    )
    assert all(threat.up for threat in dealt(1, 2, scenario).threats if threat.space == scenario.start)


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
        "acting": (replace(dealt(), acting=2).to_json(), scenario),
        "pending": (replace(dealt(), pending=1).to_json(), scenario),
        "pool": (replace(dealt(), pool=()).to_json(), scenario),
        "rng": (text.replace('"counter":', '"counter":-'), scenario),
        "figures": (text.replace("[[16,0,", "[[19,0,", 1), scenario),
    }
    for field, (given_text, at_hand) in wrong.items():
        with pytest.raises(ValueError, match=f"This is not a state of the scenario .* at hand: {field}.* does not fit"):
            State.from_json(given_text, at_hand)
