"""What the table says in words of tokens that stand elsewhere than they should."""

from __future__ import annotations

import pytest

from underglow.explain import Repair
from underglow.games.contract import Token, Transfer
from underglow.languages import Text
from underglow.prompts import Prompts

NAMES = ("ann", "bend", "bend.head", "golem")
PROMPTS = Prompts({"h01": "c4", "h02": "d5"}, {name: Token("", Text(name.title())) for name in NAMES})
BEND = (("h01", ("bend",)), ("h01.e2", ("bend.head",)))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (Repair(("h01", "h01.e2"), ()), "Nothing should stand on c4: take it off."),
        (Repair(("h01.e2",), ()), "Nothing should stand on the south-west edge of c4: take it off."),
        (Repair((), BEND), "Still missing: Bend on c4."),
        (Repair(("h02", "h02.e1"), BEND), "That is no legal move. Put back: Bend on c4."),
        (Repair(("h01.e5",), BEND[1:]), "That is no legal move. Put back: Bend.Head on the south-west edge of c4."),
    ],
)
def test_a_tile_is_named_without_its_head_unless_only_that_is_wrong(wrong: Repair, words: str) -> None:
    assert PROMPTS.put_right(wrong, Text("")) == words


def test_a_space_outside_the_scenario_goes_by_the_board_s_name() -> None:
    assert PROMPTS.put_right(Repair(("r1",), ()), Text("")) == "Nothing should stand on r1: take it off."


def test_what_was_taken_back_is_put_back_and_what_only_the_game_moved_is_put() -> None:
    errands = [Transfer("ann", "h02", "h01"), Transfer("golem", "h01", "h02")]
    assert PROMPTS.lead(errands, [Transfer("ann", "h01", "h02")]) == "Put the Ann back on c4. 1 more comes after that."
    assert PROMPTS.lead(errands[1:], [Transfer("ann", "h01", "h02")]) == "Put the Golem on d5."
    assert PROMPTS.lead([Transfer("golem", "h02", None)], ()) == "Take the Golem off d5."
