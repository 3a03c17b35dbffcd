"""What people read: every text is there, and is one sentence; a view is what the page can show."""

from __future__ import annotations

import json
from typing import Any

from positions import Subject, liftings, seats_of
from sentences import button_faults, faults


def test_every_prompt_choice_event_and_outcome_is_one_sentence(subject: Subject) -> None:
    game = subject.game
    wrong: list[str] = []
    for step in subject.steps(6):
        state = step.after
        wrong += button_faults(game.describe(step.before, step.action))
        wrong += [fault for event in step.events if (told := game.narrate(state, event)) for fault in faults(told)]
        for lifted in (*liftings(game.layout(state)), ("nobody",)):
            wrong += faults(game.prompt(state, lifted))
        if outcome := game.outcome(state):
            wrong += faults(outcome.reason)
    assert sorted(set(wrong)) == []


def test_choices_of_one_moment_have_different_words(subject: Subject) -> None:
    for state in subject.states(4):
        words = [(action.seat, subject.game.describe(state, action)) for action in subject.game.legal(state)]
        assert len(set(words)) == len(words), sorted(word for word in words if words.count(word) > 1)


def test_a_game_tells_what_happens(subject: Subject) -> None:
    told = [
        game_says
        for walk in subject.walks
        for step in walk
        for event in step.events
        if (game_says := subject.game.narrate(step.after, event))
    ]
    assert len(told) > len(subject.walks)


def test_every_token_and_the_scenario_have_names(subject: Subject) -> None:
    assert subject.scenario.title.strip()
    for state in subject.states(3):
        for token in subject.game.tokens(state).values():
            assert token.kind
            assert token.name.strip() == token.name != ""


def test_a_view_is_json_with_what_the_contract_promises(subject: Subject) -> None:
    for state in subject.states(4):
        seats = seats_of(subject, state)
        for seat in seats:
            view: dict[str, Any] = subject.game.view(state, seat)
            assert json.loads(json.dumps(view)) == view
            legal = subject.game.legal(state)
            assert view["turn"] in ({action.seat for action in legal} if legal else seats)
            for token in view["tokens"]:
                assert {"id", "space", "kind", "name", "face"} <= set(token)
                assert token["face"] in ("up", "down")
            for zone in view["zones"]:
                assert {"id", "name", "strengths", "sum"} <= set(zone)
            for number, row in enumerate(view["seats"]):
                assert {"name", "health", "damage", "cards"} <= set(row)
                assert ("hand" in row) == (row.get("seat", number) == seat)


def test_winners_are_seats_and_an_outcome_is_final(subject: Subject) -> None:
    for walk in subject.walks:
        outcome = subject.game.outcome(walk[-1].after)
        assert outcome
        assert set(outcome.winners) <= set(seats_of(subject, walk[-1].after))
        assert all(subject.game.outcome(step.before) is None for step in walk)
