"""Hands on the board: what they carry is there to be carried, and ends where the rules say it stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from positions import Subject, liftings, standing

from underglow import explain, profile
from underglow.board_file import EDGES
from underglow.games.contract import Event
from underglow.overlay import place_on
from underglow.profile import Board


def boards(subject: Subject) -> list[Board]:
    """The boards that the scenario has an overlay for."""
    fitting: list[Board] = []
    for name in profile.names():
        try:
            subject.scenario.overlay(name)
        except KeyError:
            continue
        fitting.append(profile.load(name))
    return fitting


def test_everybody_says_the_same_of_what_stands_where(subject: Subject) -> None:
    game = subject.game
    for state in subject.states(4):
        layout, tokens = game.layout(state), game.tokens(state)
        assert all(layout.values())
        assert {token for here in layout.values() for token in here} <= set(tokens)
        seen: Any = game.view(state, None)["tokens"]
        assert {t["id"]: (t["kind"], t["name"]) for t in seen} == {
            token: (known.kind, known.name) for token, known in tokens.items()
        }
        for token in seen:
            spaces = {space for space, here in layout.items() if token["id"] in here}
            assert token["space"] in (spaces or {None})


def test_what_hands_are_to_carry_stands_where_they_take_it_from(subject: Subject) -> None:
    game = subject.game
    for state in subject.states(8):
        layout, tokens = game.layout(state), game.tokens(state)
        for action in game.legal(state):
            explain.after(layout, action.hands)
            for transfer in action.hands:
                assert transfer.token in tokens
                assert transfer.source != transfer.target


def test_a_step_moves_what_the_hands_moved_and_an_event_names_whatever_else_it_moves(subject: Subject) -> None:
    """The board leads a hand to every token that the game moves by itself, so it must know which and where to.

    After the end nobody is asked to put anything right.
    """
    game = subject.game
    for step in subject.steps(40):
        if game.outcome(step.after):
            continue
        carried = standing(explain.after(game.layout(step.before), step.action.hands))
        now = standing(game.layout(step.after))
        for token, space in now - carried:
            assert named(step.events, token, space), f"{token} came to {space} unsaid, by {step.action}: {step.events}"
        for token, space in carried - now:
            assert named(step.events, token), f"{token} left {space} unsaid, by {step.action}: {step.events}"


def named(events: Iterable[Event], *words: str) -> bool:
    """Whether an event names all of these."""
    return any(set(words) <= set(event.args) for event in events)


def test_it_fits_a_board_and_every_place_it_speaks_of_lies_on_a_space_of_its_own(subject: Subject) -> None:
    game = subject.game
    fitting = boards(subject)
    assert fitting, f"{subject.name} has an overlay for none of {profile.names()}"
    spoken: set[str] = set()
    for step in subject.steps(4):
        state = step.after
        spoken.update(game.layout(state), game.flashes(state, step.events))
        spoken.update(*(game.cues(state, lifted) for lifted in liftings(game.layout(state))))
        spoken.update(*(game.shown(state, action) or () for action in game.legal(state)))
        hands = [transfer for action in game.legal(state) for transfer in action.hands]
        spoken.update(place for transfer in hands for place in (transfer.source, transfer.target) if place)
    assert spoken
    for board in fitting:
        overlay = subject.scenario.overlay(board.name)
        assert len(set(overlay.values())) == len(overlay)
        assert set(overlay.values()) <= {space.id for space in board.spaces}
        has_edges = any(len(space.lamps) > 1 for space in board.spaces)
        for place in spoken:
            part = place.partition(".")[2]
            assert part in ("", "centre", *EDGES)
            assert board.can_light(place_on(overlay, place)) or (part and not has_edges)


def test_a_board_it_has_no_overlay_for_is_a_key_error(subject: Subject) -> None:
    with pytest.raises(KeyError):
        subject.scenario.overlay("no such board")


def test_every_cue_can_be_lit(subject: Subject) -> None:
    game = subject.game
    for step in subject.steps(12):
        said = list(game.flashes(step.after, step.events).values())
        for lifted in (
            (),
            *((token,) for token in game.tokens(step.after)),
            tuple(game.tokens(step.after)),
            ("nobody",),
        ):
            said += game.cues(step.after, lifted).values()
        for action in game.legal(step.after):
            said += (game.shown(step.after, action) or {}).values()
        assert all(1 <= cue.level <= 255 for cue in said)
