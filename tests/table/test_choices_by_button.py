"""Choices without a page: Help shows one after the other on the board, and Confirm takes the one shown."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from choosing import WALK, Choosing, choice
from play import Play
from sensed import BOARD, FOREIGN, Sensed, entries

from underglow import wire
from underglow.games.contract import Action, Meaning
from underglow.kiosk import messages
from underglow.session import Pressed
from underglow.set_up import SetUp
from underglow.testing import Hands
from underglow.themes import DEFAULT

TURNS = tuple(choice("turn", space) for space in ("h10", "h11", "h12"))


def choosing(folder: Path, *rounds: Iterable[Action]) -> Sensed:
    return Sensed(folder, "choosing", 0, SetUp(), Choosing(*rounds))


def press(sensed: Sensed, *buttons: int) -> None:
    for button in buttons:
        sensed.table.take(Pressed(button))


def chosen(sensed: Sensed) -> list[tuple[str | int, ...]]:
    """What was done, by its arguments; what was taken back has none."""
    return [args for _, _, args in entries(sensed.journal)]


def offered(sensed: Sensed) -> list[str]:
    """The spaces that are lit as a choice."""
    spaces = {BOARD.lamp_of(space.id): space.id for space in BOARD.spaces}
    program = DEFAULT[Meaning.CHOICE]
    return [spaces[lamp] for lit, lamps in sensed.link.picture if lit == program for lamp in lamps]


def test_help_shows_one_choice_after_the_other_and_confirm_takes_the_one_shown(tmp_path: Path) -> None:
    sensed = choosing(tmp_path, TURNS)
    assert (sensed.snapshot["shown"], sensed.snapshot["prompt"]) == (None, "Choose.")
    assert offered(sensed) == ["h10", "h11", "h12"]
    for index in (0, 1, 2, 0, 1):  # round and round
        press(sensed, wire.HELP)
        space = f"h1{index}"
        assert (sensed.snapshot["shown"], offered(sensed)) == (index, [space])
        assert sensed.snapshot["prompt"] == f"Confirm: Turn {space}. Help shows the next of 3."
    assert chosen(sensed) == []
    press(sensed, wire.CONFIRM)
    assert chosen(sensed) == [("h11",)]
    assert sensed.snapshot["shown"] is None


def test_confirm_takes_nothing_of_several_before_help_was_asked(tmp_path: Path) -> None:
    sensed = choosing(tmp_path, TURNS)
    press(sensed, wire.CONFIRM)
    assert chosen(sensed) == []


def test_the_only_choice_is_taken_by_confirm_shown_or_not(tmp_path: Path) -> None:
    for shown in (False, True):
        sensed = choosing(tmp_path / str(shown), TURNS[:1])
        if shown:
            press(sensed, wire.HELP)
            assert sensed.snapshot["prompt"] == "Confirm: Turn h10."
        press(sensed, wire.CONFIRM)
        assert chosen(sensed) == [("h10",)]


def test_a_step_is_a_new_beginning_though_the_same_is_offered_again(tmp_path: Path) -> None:
    sensed = choosing(tmp_path, TURNS, TURNS)
    press(sensed, wire.HELP, wire.HELP, wire.CONFIRM, wire.CONFIRM)
    assert chosen(sensed) == [("h11",)]
    assert sensed.snapshot["shown"] is None
    press(sensed, wire.HELP, wire.CONFIRM)
    assert chosen(sensed) == [("h11",), ("h10",)]


@pytest.mark.parametrize("touch", ["figure", "stranger"])
def test_a_touch_that_means_something_else_is_what_the_board_speaks_of_then(tmp_path: Path, touch: str) -> None:
    sensed = choosing(tmp_path, (*TURNS, WALK))
    press(sensed, wire.HELP)
    if touch == "figure":
        sensed.lift("ann", 60)
        assert sensed.snapshot["prompt"] == "Choose."
    else:
        sensed.place(FOREIGN, "h20", 300)
        assert sensed.snapshot["prompt"] == "Nothing should stand on h20: take it off."
    assert sensed.snapshot["shown"] is None
    press(sensed, wire.CONFIRM)
    assert chosen(sensed) == []


def test_a_touch_that_means_nothing_leaves_what_is_shown(tmp_path: Path) -> None:
    sensed = choosing(tmp_path, (*TURNS, WALK))
    press(sensed, wire.HELP)
    sensed.spike(["h20"], 1)
    sensed.rest(60)
    assert sensed.snapshot["shown"] == 0


def test_while_something_is_wrong_on_the_board_choices_are_shown_all_the_same(tmp_path: Path) -> None:
    sensed = choosing(tmp_path, TURNS)
    sensed.place(FOREIGN, "h20", 300)
    press(sensed, wire.HELP, wire.HELP)
    assert offered(sensed) == ["h11"]
    press(sensed, wire.CONFIRM)
    assert chosen(sensed) == [("h11",)]
    assert sensed.understood == "repair"


def test_while_an_undo_is_asked_for_confirm_agrees_and_help_offers_nothing_else(tmp_path: Path) -> None:
    sensed = choosing(tmp_path, TURNS[:1], TURNS)
    press(sensed, wire.CONFIRM)
    sensed.table.undo(sensed.snapshot["number"], 1)
    sensed.table.tick()
    assert sensed.snapshot["history"]["missing"] == [0]
    press(sensed, wire.HELP)
    assert sensed.snapshot["shown"] is None
    press(sensed, wire.CONFIRM)
    assert sensed.table.steps == 0


def test_a_choice_that_only_its_seat_may_know_of_is_never_shown_nor_counted(tmp_path: Path) -> None:
    secret = tuple(choice("keep", card) for card in ("king", "queen"))
    said: list[list[Any]] = []
    for number, keeps in enumerate(((), secret[:1], secret)):
        sensed = choosing(tmp_path / str(number), (*keeps, *TURNS))
        for _ in range(4):
            press(sensed, wire.HELP)
            said.append([sensed.link.picture, messages.table(sensed.snapshot, {}, None).text()])
        assert sensed.snapshot["shown"] == len(keeps)
        assert f'"shown":{len(keeps)}' in messages.table(sensed.snapshot, {}, 0).text()  # on its seat's own page
        assert '"shown":null' in messages.table(sensed.snapshot, {}, 1).text()
    assert said[:4] == said[4:8] == said[8:]


def test_where_all_is_secret_help_shows_nothing(tmp_path: Path) -> None:
    sensed = choosing(tmp_path, (choice("keep", "king"), choice("keep", "queen")))
    press(sensed, wire.HELP, wire.CONFIRM)
    assert (sensed.snapshot["shown"], chosen(sensed)) == (None, [])


def test_of_what_hands_may_have_meant_help_shows_one_after_the_other(tmp_path: Path) -> None:
    other = Action(0, "jump", ("h02",), WALK.hands)
    sensed = choosing(tmp_path, (WALK, other))
    sensed.lift("ann", 60)
    sensed.place("ann", "h02", 60)
    assert sensed.understood == "which"
    press(sensed, wire.HELP)
    assert sensed.snapshot["prompt"] == "Confirm: Walk h02. Help shows the next of 2."
    press(sensed, wire.HELP, wire.CONFIRM)
    assert [verb for _, verb, _ in entries(sensed.journal)] == ["jump"]


def test_on_a_board_help_lights_a_choice_and_confirm_takes_it(play: Play) -> None:
    """A card is laid on Move by page: the figure may be moved, or stay where it is."""
    play.single()
    hands = Hands(play.board)
    stay = play.snapshot["choices"][0]
    steps = play.snapshot["steps"]
    hands.press("help")
    play.until(lambda: play.snapshot["shown"] == stay["index"])
    assert play.snapshot["prompt"].startswith(f"Confirm: {stay['text']}.")
    hands.press("confirm")
    play.until(lambda: play.snapshot["steps"] == steps + 1)
    assert stay["text"] in " ".join(line["text"] for line in play.snapshot["history"]["played"])
