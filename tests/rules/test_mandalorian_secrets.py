"""What nobody may know never shows: not in a view, a lamp, a token, a layout, a prompt, a log or an event."""

from __future__ import annotations

import json
from typing import Any

from arranging import arrange
from hypothesis import given
from hypothesis import strategies as st
from walking import random_play, states, thorough

from underglow.games import mandalorian
from underglow.games.contract import Action, IllegalAction
from underglow.games.mandalorian.state import State
from underglow.rng import Rng

SEEDS = st.integers(0, 2**64 - 1)


def public(state: State) -> dict[str, Any]:
    """Everything the game says to everybody, in every way hands can be on the board."""
    tokens = mandalorian.tokens(state)
    liftings = [(), *((token,) for token in tokens), tuple(tokens)]
    carried = [action for action in mandalorian.legal(state) if action.hands]
    return {
        "view": mandalorian.view(state, None),
        "tokens": dict(tokens),
        "layout": dict(mandalorian.layout(state)),
        "cues": [dict(mandalorian.cues(state, lifted)) for lifted in liftings],
        "prompts": [mandalorian.prompt(state, lifted) for lifted in liftings],
        "carried": carried,
        "descriptions": [mandalorian.describe(state, action) for action in carried],
        "outcome": mandalorian.outcome(state),
    }


def known(state: State, seat: int | None) -> dict[str, Any]:
    """Everything a seat can know: the public's, its view, and its choices."""
    mine = [action for action in mandalorian.legal(state) if action.seat == seat]
    return public(state) | {
        "own": mandalorian.view(state, seat),
        "choices": mine,
        "words": [mandalorian.describe(state, action) for action in mine],
    }


@thorough
@given(states(), SEEDS)
def test_the_public_and_every_seat_cannot_tell_a_redeal(state: State, seed: int) -> None:
    for seat in (None, *range(state.seats)):
        other = mandalorian.redeal(state, seat, Rng(seed))
        assert known(other, seat) == known(state, seat)


def test_a_redeal_does_exchange_what_is_hidden() -> None:
    state = mandalorian.setup(arrange(at={}).scenario, 2, Rng(4))
    deals = [mandalorian.redeal(state, 0, Rng(seed)) for seed in range(60)]
    assert len({deal.threats for deal in deals}) > 12
    assert len({deal.figures[1].hand for deal in deals}) > 5
    assert {deal.figures[0].hand for deal in deals} == {state.figures[0].hand}
    assert len({deal.figures[0].deck for deal in deals}) > 40
    assert len({deal.rng for deal in deals}) == 60


@thorough
@given(states())
def test_the_name_of_what_lies_face_down_is_in_no_public_word(state: State) -> None:
    seen = {threat.kind for threat in state.threats if threat.up}
    hidden = [kind.name for number, kind in enumerate(state.scenario.kinds) if number not in seen]
    said = repr(public(state)) + json.dumps(mandalorian.view(state, None))
    for seat in range(state.seats):
        said += json.dumps(mandalorian.view(state, seat))
    assert [name for name in hidden if name in said] == []


def test_the_name_of_what_lies_face_down_is_in_no_event_or_log_before_it_is_revealed() -> None:
    revealed = 0
    for seed in range(40):
        for state, action, after, events in random_play(seed, 2, 400):
            up = {threat.kind for threat in after.threats if threat.up}
            hidden = [kind.name for number, kind in enumerate(state.scenario.kinds) if number not in up]
            told = repr(events) + mandalorian.describe(state, action)
            told += " ".join(mandalorian.narrate(after, event) for event in events)
            assert [name for name in hidden if name in told] == []
            turned = sum(threat.up for threat in after.threats) - sum(threat.up for threat in state.threats)
            assert sum(event.reveals and event.kind == "revealed" for event in events) == turned
            revealed += turned
    assert revealed > 100


def test_token_ids_tell_the_space_a_token_began_on_and_nothing_else() -> None:
    scenario = arrange(at={}).scenario
    for seed in range(50):
        state = mandalorian.setup(scenario, 2, Rng(seed))
        threats = {
            token: space for space, here in mandalorian.layout(state).items() for token in here if token[0] == "t"
        }
        spaces = [scenario.spaces[icon.space] for icon in scenario.icons]
        assert threats == {f"t{number}": space for number, space in enumerate(spaces, start=1)}


def test_what_is_drawn_is_told_as_a_number_only() -> None:
    for _, _, _, events in random_play(11, 2, 400):
        for event in events:
            if event.kind == "drew":
                assert event.reveals
                assert isinstance(event.args[1], int)
                assert len(event.args) == 2


def test_a_refusal_tells_nothing_about_another_seat_s_hand() -> None:
    state = arrange(at={"drifter": "d1"})
    sentences: set[str] = set()
    for strength in range(5):
        try:
            mandalorian.step(state, Action(1, "play", ("move", strength)))
        except IllegalAction as refusal:
            sentences.add(str(refusal))
    assert sentences == {"It is the Drifter's turn."}
