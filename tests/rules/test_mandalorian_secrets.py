"""What nobody may know never shows: not in a view, a token, a prompt, a log or an event.

That no view, lamp or byte tells one redeal from another is held for every game by `tests/contract/test_secrets.py`.
"""

from __future__ import annotations

import json

import pytest
from arranging import Scene, arrange, begun, changed, cinder_wells, hand, salt_harbour, seen
from hypothesis import given
from walking import random_play, states, thorough

from underglow.games import mandalorian
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import State
from underglow.rng import Rng


def hidden_names(state: State) -> list[str]:
    """What lies face down and nowhere face up; what a map rule is about is printed in the mission."""
    scenario = state.scenario
    known = {threat.kind for threat in state.threats if threat.up} | {rule.take for rule in scenario.map_rules}
    return [kind.name for number, kind in enumerate(scenario.kinds) if number not in known]


@thorough
@given(states())
def test_M_INT_2_the_name_of_what_lies_face_down_is_in_no_word_for_everybody(state: State) -> None:
    legal = mandalorian.legal(state)
    said: list[object] = [*mandalorian.tokens(state).values(), mandalorian.prompt(state, ()), *legal]
    said += [mandalorian.describe(state, action) for action in legal]
    for seat in (None, *range(state.seats)):
        said.append(json.dumps({key: value for key, value in seen(state, seat).items() if key != "peeks"}))
    told = " ".join(map(str, said))
    assert [name for name in hidden_names(state) if name in told] == []


@pytest.mark.parametrize("scenario", [cinder_wells(), salt_harbour()], ids=lambda scenario: scenario.id)
def test_M_MOVE_7_the_name_of_what_lies_face_down_is_told_when_it_is_revealed_and_not_before(
    scenario: Scenario,
) -> None:
    revealed = 0
    for seed in range(30):
        for state, action, after, events in random_play(scenario, seed, 2, 400):
            told = repr(events) + mandalorian.describe(state, action)
            told += " ".join(mandalorian.narrate(after, event) for event in events)
            assert [name for name in hidden_names(after) if name in told] == []
            turned = sum(threat.up for threat in after.threats) - sum(threat.up for threat in state.threats)
            assert sum(event.reveals for event in events if event.kind in ("revealed", "reinforced")) == turned
            revealed += turned
    assert revealed > 100


def test_a_redeal_exchanges_what_is_hidden_and_keeps_what_the_seat_knows() -> None:
    state = begun(cinder_wells(), 2, seed=4)
    deals = [mandalorian.redeal(state, 0, Rng(seed)) for seed in range(60)]
    assert len({deal.threats for deal in deals}) > 12
    assert len({deal.figures[1].hand for deal in deals}) > 5
    assert {deal.figures[0].hand for deal in deals} == {state.figures[0].hand}
    assert len({deal.figures[0].deck for deal in deals}) > 40
    assert len({deal.events for deal in deals}) > 40
    assert len({deal.planning for deal in deals}) > 40


def test_M_SETUP_6_token_ids_tell_the_space_a_token_began_on_and_nothing_else() -> None:
    scenario = cinder_wells()
    spaces = [scenario.spaces[icon.space] for icon in scenario.icons]
    for seed in range(50):
        layout = mandalorian.layout(mandalorian.setup(scenario, 2, Rng(seed)))
        threats = {token: space for space, here in layout.items() for token in here if token[0] == "t"}
        assert threats == {f"t{number}": space for number, space in enumerate(spaces, start=1)}


def test_M_DRAW_1_what_is_drawn_is_told_as_a_number_only() -> None:
    drawn = 0
    for _, _, _, events in random_play(cinder_wells(), 11, 2, 400):
        for event in events:
            if event.kind in ("drew", "drew_plans"):
                assert event.reveals
                assert [type(arg) for arg in event.args] == [str, int]
                drawn += 1
    assert drawn > 3


def test_M_SETUP_11_a_refusal_tells_nothing_about_another_seat_s_hand() -> None:
    state = arrange(at={"drifter": "d1"})
    for held in ((1, 1), (3, 3)):
        scene = Scene(hand(changed(state, "loader_droid", hand=()), *held, of="loader_droid"))
        sentences = {scene.refused("play", "move", strength, seat=1) for strength in range(5)}
        assert sentences == {"It is the Drifter's turn."}
