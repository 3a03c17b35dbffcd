"""Steps taken back on the board: real firmware, its buttons, and hands that walk the figures back by the lights."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from play import Play
from test_whole_game import Player, everything

from underglow.bench.vm import Bench
from underglow.games.contract import Action
from underglow.history import Step, Undo
from underglow.journal import resume
from underglow.testing import Hands

KINDS = 9
"""Verbs that a game comes to use early."""


def move(play: Play, *, free: bool) -> Action:
    """A move by hand of a figure that stands alone: to a space with nothing on it, or onto a face-down threat."""
    play.single()
    tokens, layout = play.game.tokens(play.table.state), play.game.layout(play.table.state)

    def fits(action: Action) -> bool:
        kinds = {tokens[token].kind for token in layout.get(str(action.hands[0].target), ())}
        return not kinds if free else kinds == {"threat"}

    return next(action for action in play.moves() if fits(action))


def walk_back(play: Play, action: Action) -> None:
    """Do with the hand what the board asks for: here is too much, there is missing."""
    (transfer,) = action.hands
    home, there = play.overlay[str(transfer.source)], play.place(action)
    play.until(lambda: play.understood == "repair")
    understood = play.snapshot["understood"]
    assert (understood["extra"], understood["missing"]) == ([there], [{"space": home, "tokens": [transfer.token]}])
    lamps = [play.profile.lamps[play.profile.lamp_of(space)][0] for space in (home, there)]
    play.until(lambda: all(any(play.board.pixels().pixels[pixel]) for pixel in lamps))
    play.board.lift(transfer.token)
    play.until(lambda: play.understood == "in_hand")
    play.board.place(home, transfer.token)
    play.until(lambda: play.understood == "settled")


def test_the_undo_button_takes_a_move_back_and_the_lights_walk_the_figure_back(play: Play) -> None:
    action = move(play, free=True)
    before, steps = play.table.state, play.snapshot["steps"]
    play.carry(action)
    after = play.table.state
    Hands(play.board).press("undo")
    play.until(lambda: play.snapshot["steps"] == steps)
    assert play.table.state == before
    time.sleep(0.3)  # what still stands there is no new move
    assert play.snapshot["steps"] == steps
    walk_back(play, action)
    assert play.table.state == before
    assert play.snapshot["log"][-1] == f"Taken back: {play.game.describe(before, action)}"

    play.table.redo(play.snapshot["number"])
    play.until(lambda: play.understood == "repair")
    assert play.table.state == after
    play.board.lift(action.hands[0].token)
    play.board.place(play.place(action), action.hands[0].token)
    play.until(lambda: play.understood == "settled")
    assert play.table.state == after
    assert [record.entry.do for record in play.journal.records][-3:] == ["step", "undo", "redo"]
    assert resume(play.game, play.scenario, play.written()).state == after


def test_after_an_undo_another_move_is_one_and_the_first_cannot_be_played_again(play: Play) -> None:
    action = move(play, free=True)
    (transfer,) = action.hands
    play.carry(action)
    steps = play.snapshot["steps"]
    Hands(play.board).press("undo")
    play.until(lambda: play.snapshot["steps"] == steps - 1)
    other = next(a for a in play.moves() if a.hands[0].token == transfer.token and a.args != action.args)
    play.board.lift(transfer.token)
    play.board.place(play.place(other), transfer.token)
    play.until(lambda: play.snapshot["steps"] == steps and play.understood == "settled")
    assert play.journal.records[-1].entry == Step.of(other)
    assert play.snapshot["history"]["undone"] == []


def test_the_same_move_made_again_by_hand_after_an_undo_is_that_move(play: Play) -> None:
    action = move(play, free=True)
    (transfer,) = action.hands
    play.carry(action)
    after, steps = play.table.state, play.snapshot["steps"]
    Hands(play.board).press("undo")
    play.until(lambda: play.understood == "repair")
    play.board.lift(transfer.token)
    play.until(lambda: play.understood == "in_hand")
    play.board.place(play.place(action), transfer.token)
    play.until(lambda: play.snapshot["steps"] == steps and play.understood == "settled")
    assert play.table.state == after


def test_what_was_revealed_is_taken_back_only_when_confirmed_and_comes_out_the_same(play: Play) -> None:
    action = move(play, free=False)
    before, steps = play.table.state, play.snapshot["steps"]
    play.carry(action)
    after = play.table.state
    hands = Hands(play.board)
    hands.press("undo")
    play.until(lambda: play.snapshot["history"]["missing"] == [0])
    assert play.table.state == after
    assert "It cannot be unseen" in play.snapshot["prompt"]
    hands.press("confirm")
    play.until(lambda: play.snapshot["steps"] == steps)
    assert play.table.state == before
    walk_back(play, action)
    play.carry(action)
    assert play.table.state == after
    assert [record.entry.do for record in play.journal.records][-4:] == ["step", "undo", "agree", "step"]


def test_what_was_chosen_is_taken_back_without_a_hand(play: Play) -> None:
    before = play.table.state
    play.choose("Move")
    play.table.undo(play.snapshot["number"] - 1)  # of a moment that is over
    play.table.undo(play.snapshot["number"])
    play.until(lambda: play.snapshot["steps"] == 0)
    assert play.table.state == before
    assert play.understood == "settled"
    assert [type(record.entry) for record in play.journal.records] == [Step, Undo]


@pytest.mark.parametrize("button", ["undo", "confirm"])
def test_a_button_with_nothing_to_take_back_changes_nothing(play: Play, button: str) -> None:
    before = play.snapshot
    Hands(play.board).press(button)
    if button == "undo":
        play.until(lambda: play.snapshot["prompt"] == "Nothing has been played that could be taken back.")
    time.sleep(0.1)
    assert (play.snapshot["steps"], play.snapshot["choices"]) == (0, before["choices"])
    assert play.journal.records == []


def test_every_kind_of_step_goes_back_and_forth_with_hands_that_put_all_tokens_right(
    board: Bench, tmp_path: Path
) -> None:
    """Every token is tagged or has a magnet: cards that were laid, enemies that the game moved, what came and went."""
    play = Play(board, tmp_path, 7, everything())
    try:
        player = Player(play, "greedy", 7)
        verbs: set[str] = set()
        while len(verbs) < KINDS:
            before = play.table.state
            player.act()
            entry = play.journal.records[-1].entry
            assert isinstance(entry, Step)
            assert not play.snapshot["outcome"]
            if entry.verb in verbs:
                continue
            verbs.add(entry.verb)
            back_and_forth(play, player, before, play.table.state)
        assert player.put_right
        assert resume(play.game, play.scenario, play.written()).state == play.table.state
    finally:
        play.end()


def back_and_forth(play: Play, player: Player, before: object, after: object) -> None:
    steps = play.snapshot["steps"]
    play.table.undo(play.snapshot["number"])
    play.until(lambda: play.snapshot["history"]["missing"] == [0] or play.snapshot["steps"] < steps)
    if play.snapshot["steps"] == steps:
        play.table.agree(play.snapshot["number"])
        play.until(lambda: play.snapshot["steps"] < steps)
    player.tidy_up()
    assert play.table.state == before
    play.table.redo(play.snapshot["number"])
    play.until(lambda: play.snapshot["steps"] == steps)
    player.tidy_up()
    assert play.table.state == after
