"""Undo, redo and what is kept of them: over real games of every scenario."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from playing import CHOICES, Deal, deal, deals

from underglow.games.contract import Action, IllegalAction
from underglow.history import Agree, History, NotNow, Redo, Step, Undo, digest
from underglow.journal import Record, checksum, read_record, record_text

thorough = settings(max_examples=150, derandomize=True)
CHOICE = st.integers(0, 2**16)
FOR_ONE = ("mandalorian", "cinder-wells")
"""A scenario that one may play as well."""


def after(deal: Deal, choices: list[int]) -> History:
    return list(deal.walk(choices))[-1][1]


def stepped(history: History, choice: int) -> tuple[Action, History]:
    """One more step, whichever."""
    legal = history.game.legal(history.state)
    assume(legal)
    action = legal[choice % len(legal)]
    return action, history.step(action)


def taken_back(history: History) -> History:
    """Without its last step, by the consent of all if it takes that."""
    history = history.then(Undo(history.played[-1].action.seat))
    return reduce(lambda voting, seat: voting.then(Agree(seat)), history.missing, history)


@thorough
@given(deals(), CHOICES, CHOICE)
def test_a_step_taken_back_leaves_everything_as_it_was(deal: Deal, choices: list[int], choice: int) -> None:
    before = after(deal, choices)
    _, then = stepped(before, choice)
    back = taken_back(then)
    assert back.state == before.state
    assert back.played == before.played
    assert digest(back.state) == digest(before.state)


@thorough
@given(deals(), CHOICES, CHOICE)
def test_public_report_dice_re_rolled_by_undo(deal: Deal, choices: list[int], choice: int) -> None:
    """Played again, by redo or anew, a step comes out the same: what it rolls, draws and reveals included."""
    action, then = stepped(after(deal, choices), choice)
    back = taken_back(then)
    assert back.then(Redo(action.seat)).played == then.played
    assert back.step(action).played == then.played


@thorough
@given(deals(), CHOICES)
def test_public_report_seat_to_move_lost_in_a_save(deal: Deal, choices: list[int]) -> None:
    """The fold over what was written down is the live game at every moment, whose turn it is included."""
    fold = deal.start
    for entry, live in deal.walk(choices):
        read = read_record(record_text(Record(entry, checksum(live.state))))
        fold = fold.then(read.entry)
        assert fold == live
        assert checksum(fold.state) == read.state
        assert deal.game.legal(fold.state) == deal.game.legal(live.state)
        assert fold.told() == live.told()


@thorough
@given(deals(), CHOICES, CHOICE)
def test_something_new_ends_what_could_be_played_again(deal: Deal, choices: list[int], choice: int) -> None:
    action, then = stepped(after(deal, choices), choice)
    back = taken_back(then)
    assert back.undone[-1] == then.played[-1]
    _, new = stepped(back, choice + 1)
    assert new.undone == ()
    with pytest.raises(NotNow, match="Nothing was taken back"):
        new.then(Redo(action.seat))


@thorough
@given(deals(), CHOICES)
def test_a_seat_takes_back_alone_only_what_it_did_itself_and_nobody_learned_from(
    deal: Deal, choices: list[int]
) -> None:
    history = after(deal, choices)
    assume(history.played and history.agreed is None)
    last = history.played[-1]
    for seat in range(history.seats):
        back = history.then(Undo(seat))
        alone = len(back.played) < len(history.played)
        assert alone == (seat == last.action.seat and not any(e.chance or e.reveals for e in last.events))
        assert alone or back.state == history.state


@thorough
@given(deals(), CHOICES)
def test_what_draws_from_chance_says_so(deal: Deal, choices: list[int]) -> None:
    history = after(deal, choices)
    state = history.start
    for step in history.played:
        assert step.seals or step.state.rng == state.rng
        state = step.state


def sealed(seats: int) -> History:
    """A game in which the last step revealed something, and was seat 0's."""
    game = deal(*FOR_ONE, seats, 3)
    histories = (history for _, history in game.walk(range(1, 3000, 3)))
    return next(h for h in histories if h.played[-1].seals and h.played[-1].action.seat == 0)


def test_alone_one_says_twice_that_what_was_revealed_be_taken_back() -> None:
    history = sealed(1)
    asked = history.then(Undo(0))
    assert asked.state == history.state
    assert asked.missing == (0,)
    assert "cannot be unseen" in asked.question()
    with pytest.raises(NotNow, match="asked already"):
        asked.then(Undo(0))
    back = asked.then(Agree(0))
    assert back.state == history.before
    assert back.question() == ""


def test_several_all_agree_and_who_asks_has_agreed() -> None:
    history = sealed(2)
    asked = history.then(Undo(1))
    assert asked.missing == (0,)
    with pytest.raises(NotNow, match="agreed already"):
        asked.then(Agree(1))
    assert asked.then(Agree(0)).state == history.before
    with pytest.raises(NotNow, match="Nobody asks"):
        history.then(Agree(0))


def test_playing_on_turns_an_undo_down() -> None:
    asked = sealed(2).then(Undo(1))
    assert asked.step(asked.game.legal(asked.state)[0]).agreed is None


def test_only_the_seat_whose_step_it_was_plays_it_again() -> None:
    history = sealed(2)
    back = taken_back(history)
    with pytest.raises(NotNow, match="another seat's step"):
        back.then(Redo(1))
    assert back.then(Redo(0)).state == history.state


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    history = deal(*FOR_ONE, 1, 3).start
    for entry, says in ((Undo(0), "Nothing has been played"), (Redo(0), "Nothing was"), (Undo(1), "no seat 1")):
        with pytest.raises(NotNow, match=says):
            history.then(entry)
    with pytest.raises(IllegalAction):
        history.then(Step(0, "fly", ("a1",)))


def test_the_last_steps_are_told_and_those_taken_back() -> None:
    game = deal(*FOR_ONE, 1, 3)
    *_, (_, history) = game.walk(range(1, 60, 3))
    texts = [
        game.game.describe(state, step.action) for state, step in zip(states(history), history.played, strict=False)
    ]
    told = history.told()
    assert [line["text"] for line in told["played"]] == texts[-5:]
    assert (told["undone"], told["missing"]) == ([], None)
    back = taken_back(taken_back(history))
    assert [line["text"] for line in back.told()["undone"]] == texts[-2:]
    assert [line["text"] for line in back.told()["played"]] == texts[-7:-2]


def states(history: History) -> list[object]:
    return [history.start, *(step.state for step in history.played)]
