"""A pawn that is back where it came from has walked there, if it has an action left, or has never gone: who knows?"""

from __future__ import annotations

from pathlib import Path

import pytest
from sensed import UNDONE, Sensed, entries

from underglow import wire
from underglow.games.contract import Action
from underglow.games.labyrinth.state import State
from underglow.session import Pressed
from underglow.set_up import SetUp


def state_of(sensed: Sensed) -> State:
    state = sensed.table.state
    assert isinstance(state, State)
    return state


def walked(folder: Path) -> tuple[Sensed, Action, str, str]:
    """A maze where the first pawn has made a step and an action is left; where it came from, and where it stands."""
    sensed = Sensed(folder, "lamp-alley", 1, SetUp())
    while not any(action.verb == "move" for action in sensed.game.legal(sensed.table.state)):
        assert sensed.choose(sensed.game.legal(sensed.table.state)[0])
        for space, tokens in sensed.snapshot["layout"].items():
            for token in tokens:
                sensed.place(token, space, 20)
    step = next(action for action in sensed.game.legal(sensed.table.state) if action.verb == "move")
    (transfer,) = step.hands
    here, there = (sensed.overlay[str(space)] for space in (transfer.source, transfer.target))
    sensed.lift(transfer.token, 100)
    sensed.place(transfer.token, there, 400)
    assert state_of(sensed).actions == 1
    sensed.lift(transfer.token, 100)
    sensed.place(transfer.token, here, 400)
    return sensed, step, here, there


@pytest.mark.parametrize("button", [wire.UNDO, wire.CONFIRM])
def test_it_is_asked_whether_a_step_was_taken_back_or_made_back(tmp_path: Path, button: int) -> None:
    sensed, step, _, _ = walked(tmp_path)
    steps = sensed.table.steps
    assert sensed.understood == "which"
    assert sensed.snapshot["prompt"].startswith("Is that a step taken back? Undo says so; or Confirm: Move the ")
    assert sensed.snapshot["choices"][0]["verb"] == "move"
    sensed.table.take(Pressed(button))
    sensed.rest(100)
    assert sensed.understood == "settled"
    assert sensed.table.steps == steps + (1 if button == wire.CONFIRM else -1)
    assert (entries(sensed.journal)[-1][1] == UNDONE) == (button == wire.UNDO)
    assert (state_of(sensed).seat == step.seat and state_of(sensed).actions == 2) == (button == wire.UNDO)


def test_until_somebody_says_so_the_pawn_may_go_there_again(tmp_path: Path) -> None:
    sensed, step, _, there = walked(tmp_path)
    steps = sensed.table.steps
    sensed.lift(step.hands[0].token, 100)
    sensed.place(step.hands[0].token, there, 400)
    assert sensed.understood == "settled"
    assert sensed.table.steps == steps
    assert state_of(sensed).actions == 1
