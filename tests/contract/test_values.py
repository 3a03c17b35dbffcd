"""States are values and rules are functions of them: nothing is changed in place, and replay is a fold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from positions import Subject, subjects, text_form
from sentences import faults

from underglow import profile
from underglow.games.contract import Action, IllegalAction, Transfer
from underglow.history import Step
from underglow.journal import Header, Journal, resume
from underglow.rng import Rng

quick = settings(max_examples=150, derandomize=True)


def test_a_step_changes_only_what_it_returns_and_always_returns_the_same(subject: Subject) -> None:
    game = subject.game
    for step in subject.steps(6):
        text, number, legal = step.before.to_json(), hash(step.before), game.legal(step.before)
        assert game.step(step.before, step.action) == (step.after, step.events)
        assert step.before.to_json() == text
        assert hash(step.before) == number
        assert game.legal(step.before) == legal
        assert step.after != step.before


def test_the_same_seed_deals_the_same_game_and_another_seed_another(subject: Subject) -> None:
    for seats in subject.scenario.seats:
        deals = [subject.game.setup(subject.scenario, seats, Rng(seed)) for seed in range(10)]
        assert deals == [subject.game.setup(subject.scenario, seats, Rng(seed)) for seed in range(10)]
        assert len({deal.to_json() for deal in deals}) == 10
    for seats in (0, -1, subject.scenario.seats[-1] + 1):
        with pytest.raises(ValueError, match=r"^[A-Z].*\.$"):
            subject.game.setup(subject.scenario, seats, Rng(1))


def test_the_text_form_round_trips_and_equal_states_have_equal_texts(subject: Subject) -> None:
    for state in subject.states(6):
        again = text_form(state).from_json(state.to_json(), subject.scenario)
        assert again == state
        assert hash(again) == hash(state)
        assert again.to_json() == state.to_json()
        assert subject.game.legal(again) == subject.game.legal(state)


def test_a_text_that_is_no_state_is_refused_with_a_sentence(subject: Subject) -> None:
    state = subject.walks[0][0].before
    for text in ("", "{}", "[]", "null", state.to_json()[:-1], state.to_json().replace(subject.scenario.digest, "0")):
        with pytest.raises(ValueError, match=r"^[A-Z].*\.$"):
            text_form(state).from_json(text, subject.scenario)


def test_replay_of_a_journal_leads_to_the_same_state(subject: Subject, tmp_path: Path) -> None:
    scenario = subject.scenario
    header = Header.of(subject.game_name, scenario, scenario.seats[-1], 0, profile.load("hex48"))
    walk = subject.walks[-1]
    assert walk[0].before == subject.game.setup(scenario, header.seats, Rng(header.seed))
    journal = Journal.create(tmp_path / "journal.sqlite", header)
    for step in walk:
        journal.record(Step.of(step.action), step.after)
    journal.close()
    assert resume(subject.game, scenario, Journal.open(tmp_path / "journal.sqlite")).state == walk[-1].after


def test_every_choice_can_be_taken_and_told_from_the_others(subject: Subject) -> None:
    game = subject.game
    for state in subject.states(2):
        legal = game.legal(state)
        assert len({(action.seat, action.verb, action.args) for action in legal}) == len(legal)  # as the journal has it
        assert bool(legal) == (game.outcome(state) is None)
        for action in legal:
            after, _ = game.step(state, action)
            assert after != state


JUNK = st.sampled_from(["", "ß", "t", "t99", "nobody", "a1", "\n", "*"]) | st.integers(-2, 9)


@st.composite
def bent(draw: st.DrawFn, actions: list[Action]) -> Action:
    """An action that was legal somewhere, or one with something about it changed."""
    action = draw(st.sampled_from(actions))
    other = draw(st.sampled_from(actions))
    args = list(action.args)
    at = draw(st.integers(0, len(args)))
    transfer = draw(st.builds(Transfer, JUNK.map(str), st.none() | JUNK.map(str), st.none() | JUNK.map(str)))
    return draw(
        st.sampled_from(
            [
                action,
                replace(action, seat=draw(st.integers(-1, 9))),
                replace(action, verb=draw(st.sampled_from(["fly", "", other.verb]))),
                replace(action, args=tuple(args[:at])),
                replace(action, args=(*args[:at], draw(JUNK), *args[at:])),
                replace(action, args=(*args[:at], draw(JUNK), *args[at + 1 :])),
                replace(action, args=other.args),
                replace(action, args=tuple(reversed(args))),
                replace(action, hands=()),
                replace(action, hands=(*action.hands, transfer)),
                replace(action, hands=other.hands),
            ]
        )
    )


@pytest.mark.parametrize("subject", subjects(), ids=lambda subject: subject.name)
def test_what_is_not_legal_is_refused_with_a_sentence_and_changes_nothing(subject: Subject) -> None:
    game, states = subject.game, subject.states(3)

    @quick
    @given(st.sampled_from(range(len(states))), bent(subject.actions))
    def refused(number: int, action: Action) -> None:
        state = states[number]
        assume(action not in game.legal(state))
        text = state.to_json()
        with pytest.raises(IllegalAction) as refusal:
            game.step(state, action)
        assert faults(str(refusal.value)) == []
        assert state.to_json() == text
        assert isinstance(game.describe(state, action), str)  # a log may hold it

    refused()


def test_a_choice_of_another_moment_is_refused(subject: Subject) -> None:
    game = subject.game
    for state in subject.states(2):
        legal = set(game.legal(state))
        text = state.to_json()
        for action in subject.actions:
            if action not in legal:
                with pytest.raises(IllegalAction):
                    game.step(state, action)
        assert state.to_json() == text
