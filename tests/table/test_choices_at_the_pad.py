"""A token held to the pad says which choice is meant, if just one names it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from choosing import TILES, WALK, Choosing, choice
from sensed import Sensed, entries

from underglow.games.contract import Action, Transfer
from underglow.set_up import SetUp

TAGS = {bytes((4, number, copy, 0)): tile for number, tile in enumerate(TILES) for copy in range(2)}
DRAWS = tuple(choice("draw", tile) for tile in TILES)
BEND, STRAIGHT = (f"{tile} {next(uid for uid in TAGS if TAGS[uid] == tile).hex()}" for tile in TILES)
"""A piece of each."""


def choosing(folder: Path, *rounds: Iterable[Action]) -> Sensed:
    return Sensed(folder, "choosing", 0, SetUp(tags=TAGS), Choosing(*rounds))


def chosen(sensed: Sensed) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(verb, args) for _, verb, args in entries(sensed.journal)]


def test_a_token_held_to_the_pad_chooses_the_one_choice_that_names_it(tmp_path: Path) -> None:
    sensed = choosing(tmp_path, DRAWS)
    sensed.place(STRAIGHT, "pad", 120)
    assert chosen(sensed) == [("draw", ("straight",))]
    assert sensed.snapshot["log"][:2] == [f"On the pad: Straight ({STRAIGHT.split()[1].upper()}).", "Draw straight"]


def test_it_chooses_once_as_long_as_it_lies_there_whatever_else_is_read(tmp_path: Path) -> None:
    sensed = choosing(tmp_path, DRAWS, DRAWS, DRAWS)
    sensed.place(STRAIGHT, "pad", 300)
    sensed.place(BEND, "pad", 300)  # beside it
    assert chosen(sensed) == [("draw", ("straight",)), ("draw", ("bend",))]
    sensed.lift(STRAIGHT, 300)
    assert len(chosen(sensed)) == 2
    sensed.place(STRAIGHT, "pad", 300)  # held there again
    assert chosen(sensed)[2:] == [("draw", ("straight",))]
    assert sum("On the pad" in line for line in sensed.snapshot["log"]) == 3


@pytest.mark.parametrize(
    "offered",
    [
        (choice("draw", "bend"),),
        (*DRAWS, choice("discard", "straight")),
        (WALK, Action(0, "lay", ("straight",), (Transfer("ann", "h01", "h03"),))),
    ],
    ids=["none names it", "two name it", "hands do it"],
)
def test_otherwise_it_is_only_named(tmp_path: Path, offered: tuple[Action, ...]) -> None:
    sensed = choosing(tmp_path, offered)
    sensed.place(STRAIGHT, "pad", 300)
    assert chosen(sensed) == []
    assert "On the pad: Straight" in sensed.snapshot["log"][-1]


def test_a_figure_that_could_have_been_slid_on_has_moved_before_the_pad_is_read(tmp_path: Path) -> None:
    far = Action(0, "walk", ("h03",), (Transfer("ann", "h01", "h03", ("h02",)),))
    near = Action(0, "walk", ("h02",), (Transfer("ann", "h01", "h02", (), onward=True),))
    sensed = choosing(tmp_path, (near, far, *DRAWS), DRAWS)
    sensed.lift("ann", 60)
    sensed.place("ann", "h02", 20)
    sensed.place(BEND, "pad", 100)
    assert chosen(sensed) == [("walk", ("h02",)), ("draw", ("bend",))]


def test_while_an_undo_is_asked_for_nothing_is_chosen_at_the_pad(tmp_path: Path) -> None:
    sensed = choosing(tmp_path, DRAWS, DRAWS)
    sensed.place(STRAIGHT, "pad", 120)
    sensed.table.undo(sensed.snapshot["number"], 1)
    sensed.table.tick()
    sensed.place(BEND, "pad", 120)
    assert sensed.snapshot["history"]["missing"] == [0]
    assert len(chosen(sensed)) == 2  # the draw, and who asks
