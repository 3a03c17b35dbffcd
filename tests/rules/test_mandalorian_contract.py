"""What every game owes the table: values, replay, refusals without effect, words for everything."""

from __future__ import annotations

import json

import pytest
from arranging import cinder_wells, seen
from hypothesis import given
from hypothesis import strategies as st
from walking import random_play, states, thorough

from underglow.games import mandalorian
from underglow.games.contract import Action, Game, IllegalAction, Transfer
from underglow.games.mandalorian.state import State
from underglow.rng import Rng

GAME: Game[mandalorian.Scenario, State] = mandalorian  # the type checker holds the package to the contract

WORDS = st.sampled_from(
    ["play", "move", "decline", "take", "end_turn", "attack", "t1", "t99", "t", "e1", "d1", "c3", "drifter", "", "ß"]
)
ARGS = st.lists(WORDS | st.integers(-2, 5), max_size=5).map(tuple)
HANDS = st.lists(st.builds(Transfer, WORDS, st.none() | WORDS, st.none() | WORDS), max_size=2).map(tuple)
ACTIONS = st.builds(Action, st.integers(-1, 2), WORDS, ARGS, HANDS)


@thorough
@given(states(), ACTIONS)
def test_an_illegal_action_is_refused_with_a_sentence_and_changes_nothing(state: State, action: Action) -> None:
    before = state.to_json()
    if action in mandalorian.legal(state):
        return
    with pytest.raises(IllegalAction) as refusal:
        mandalorian.step(state, action)
    sentence = str(refusal.value)
    assert sentence[:1].isupper()
    assert sentence.endswith(".")
    assert state.to_json() == before
    assert isinstance(mandalorian.describe(state, action), str)


@thorough
@given(states())
def test_every_legal_action_can_be_taken_and_changes_only_what_it_returns(state: State) -> None:
    before, legal = state.to_json(), mandalorian.legal(state)
    assert len(set(legal)) == len(legal)
    assert bool(legal) == (mandalorian.outcome(state) is None)
    for action in legal:
        after, events = mandalorian.step(state, action)
        assert mandalorian.step(state, action) == (after, events)
        assert after != state
        assert mandalorian.describe(state, action)
        assert all(isinstance(mandalorian.narrate(after, event), str) for event in events)
    assert state.to_json() == before
    assert mandalorian.legal(state) == legal


@thorough
@given(states())
def test_the_text_form_round_trips_and_is_canonical(state: State) -> None:
    text = state.to_json()
    again = State.from_json(text, cinder_wells())
    assert again == state
    assert hash(again) == hash(state)
    assert again.to_json() == text
    assert json.loads(text)["scenario"] == cinder_wells().digest


@thorough
@given(st.integers(0, 2**64 - 1), st.integers(1, 2))
def test_a_game_is_a_fold_of_its_actions(seed: int, seats: int) -> None:
    played = list(random_play(seed, seats, 120))
    state = mandalorian.setup(cinder_wells(), seats, Rng(seed))
    for _, action, after, events in played:
        state, told = mandalorian.step(state, action)
        assert (state, told) == (after, events)


@thorough
@given(states())
def test_what_is_seen_agrees(state: State) -> None:
    tokens, layout, view = mandalorian.tokens(state), mandalorian.layout(state), seen(state)
    places = {token: space for space, here in layout.items() for token in here}
    assert set(places) == set(tokens)
    assert sum(map(len, layout.values())) == len(places)
    entries = view["tokens"]
    assert {entry["id"]: entry["space"] for entry in entries} == places
    assert {entry["id"]: (entry["kind"], entry["name"]) for entry in entries} == {
        token: (known.kind, known.name) for token, known in tokens.items()
    }
    assert all((entry["face"] == "down") == (entry["kind"] == "threat") for entry in entries)
    assert json.loads(json.dumps(view)) == view
    lamps = {*cinder_wells().spaces, *(zone.id for zone in cinder_wells().zones)}
    for lifted in ((), ("drifter",), ("loader_droid", "t1"), ("nobody",)):
        cues = mandalorian.cues(state, lifted)
        assert set(cues) <= lamps
        assert all(1 <= cue.level <= 255 for cue in cues.values())
        assert mandalorian.prompt(state, lifted).endswith(".")


def test_long_random_play_never_raises_never_sticks_and_ends_both_ways() -> None:
    endings: set[str] = set()
    cards = sorted(card for character in cinder_wells().characters for card in character.deck)
    for seed in range(60):
        state = mandalorian.setup(cinder_wells(), 1 + seed % 2, Rng(seed))
        for *_, state, events in random_play(seed, 1 + seed % 2, 3000):
            mandalorian.flashes(state, events)
        held = [card for figure in state.figures for card in (*figure.hand, *figure.deck, *figure.discard)]
        assert sorted(held + [card for pile in state.piles for card in pile.cards]) == cards
        assert all(figure.hand == tuple(sorted(figure.hand)) for figure in state.figures)  # one text for one hand
        endings.add(state.ended)
    assert endings == {"objective", "defeat"}
