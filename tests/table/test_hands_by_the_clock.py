"""What hands do at a table, by the clock: each public report of a board that took it wrongly, and what is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from crossing import ROW, Crossing
from sensed import BOARD, FOREIGN, UNDONE, Sensed, entries

from underglow.games.contract import Cue, Meaning
from underglow.set_up import SetUp
from underglow.themes import DEFAULT, picture

H01, H02, H03, H04, H09, H15 = ROW


def crossing(folder: Path, turns: int = 1, traps: str = "", *, laid: bool = True) -> Sensed:
    game = Crossing(turns, frozenset(traps.split()))
    return Sensed(folder, "crossing", 0, SetUp(), game, laid=laid)


def played(sensed: Sensed) -> list[str]:
    """What is in the journal: where each move ended, and "undo"."""
    return [verb if verb == UNDONE else str(args[-1]) for _, verb, args in entries(sensed.journal)]


def lit(sensed: Sensed, space: str) -> set[Meaning]:
    """What that space says."""
    lamp = BOARD.lamp_of(space)
    programs = {program for program, lamps in sensed.link.picture if lamp in lamps}
    cues = (Cue(meaning, level) for meaning in Meaning for level in range(1, 256))
    return {cue.meaning for cue in cues if picture(DEFAULT, {space: cue}, BOARD)[0][0] in programs}


def carry(sensed: Sensed, token: str, space: str, rest_ms: float) -> None:
    sensed.lift(token, 60)
    sensed.place(token, space, rest_ms)


# -- a slow slide read as a short move; the opponent answers too early -------------------------------------------------


@pytest.mark.parametrize("rest_ms", [10, 90, 200])
def test_a_slide_that_rests_on_spaces_between_is_one_move(tmp_path: Path, rest_ms: float) -> None:
    sensed = crossing(tmp_path)
    for space in (H02, H03):
        sensed.place("ann", space, rest_ms)
        assert sensed.snapshot["turn"] == [0]  # nobody answers
    sensed.place("ann", H04, 20)
    assert played(sensed) == [H04]  # at once: there is no further to go


def test_a_slide_so_slow_that_it_was_taken_for_a_move_is_still_one_move(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.place("ann", H02, 400)
    assert sensed.snapshot["turn"] == [1]
    sensed.place("ann", H03, 400)
    sensed.place("ann", H04, 20)
    assert played(sensed) == [H02, UNDONE, H03, UNDONE, H04]
    assert sensed.table.steps == 1
    assert sensed.understood == "settled"


def test_a_move_that_could_go_on_is_lit_at_once_and_taken_within_250_ms(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    carry(sensed, "ann", H02, 12)
    assert lit(sensed, H02) == {Meaning.READY}
    assert played(sensed) == []
    sensed.rest(250)
    assert played(sensed) == [H02]


def test_a_sensor_that_feels_it_while_the_last_one_still_does_raises_no_alarm(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.place(FOREIGN, H02, 40)  # half of a magnet's field
    assert not lit(sensed, H02)
    sensed.lift(FOREIGN)
    sensed.place("ann", H02, 300)
    assert played(sensed) == [H02]


# -- two quick moves 80 ms apart read as a take-back -------------------------------------------------------------------


def test_two_quick_moves_80_ms_apart_are_two_moves(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.place("ann", H02, 80)
    sensed.place("bob", H09, 300)
    assert played(sensed) == [H02, H09]


def test_two_quick_moves_of_one_token_80_ms_apart_are_two_moves(tmp_path: Path) -> None:
    """Four steps in one go are no move; one and then three are."""
    sensed = crossing(tmp_path, turns=2)
    sensed.place("ann", H02, 80)
    sensed.place("ann", H09, 300)
    assert played(sensed) == [H02, H09]


def test_there_and_back_80_ms_apart_never_happened(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.place("ann", H02, 80)
    sensed.place("ann", H01, 400)
    assert played(sensed) == []
    assert sensed.understood == "settled"


# -- a change of mind --------------------------------------------------------------------------------------------------


def test_set_down_elsewhere_after_it_was_acted_on_the_later_position_counts(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    carry(sensed, "ann", H03, 400)
    sensed.lift("ann", 500)
    assert lit(sensed, H02) == {Meaning.REACHABLE}  # one may still choose
    sensed.place("ann", H02, 300)
    assert played(sensed) == [H03, UNDONE, H02]
    assert any("Taken back" in line for line in sensed.snapshot["log"])


def test_put_back_where_it_came_from_the_step_is_taken_back(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    carry(sensed, "ann", H03, 400)
    carry(sensed, "ann", H01, 20)
    assert played(sensed) == [H03, UNDONE]
    assert (sensed.table.steps, sensed.understood) == (0, "settled")


def test_what_was_revealed_is_not_taken_back(tmp_path: Path) -> None:
    sensed = crossing(tmp_path, traps=H03)
    carry(sensed, "ann", H03, 400)
    carry(sensed, "ann", H01, 300)
    assert played(sensed) == [H03]
    assert sensed.snapshot["understood"]["missing"] == [{"space": H03, "tokens": ["ann"]}]
    carry(sensed, "ann", H03, 20)
    assert sensed.understood == "settled"


def test_once_somebody_has_answered_the_move_before_stays(tmp_path: Path) -> None:
    sensed = crossing(tmp_path, traps=H09)
    carry(sensed, "ann", H03, 400)
    carry(sensed, "bob", H09, 400)
    carry(sensed, "ann", H01, 300)
    assert played(sensed) == [H03, H09]
    assert sensed.understood == "repair"


# -- no feedback on a wrong position; lock-up when pieces are misaligned -----------------------------------------------


def test_a_wrong_position_is_shown_within_300_ms_and_play_goes_on_by_itself(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.lift("ann", 100)
    sensed.place("ann", H09, 0)
    sensed.rest(200)
    assert lit(sensed, H09) == {Meaning.MISPLACED}
    assert lit(sensed, H01) == {Meaning.MISSING}
    assert sensed.snapshot["prompt"] == f"Ann cannot go to {H09}. Put back: Ann on {H01}."
    sensed.place("ann", H02, 300)
    assert played(sensed) == [H02]
    assert not lit(sensed, H09)


def test_pieces_that_stand_askew_lock_nothing_up(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.lift("bob", 500)  # between two sensors: not felt at all
    carry(sensed, "ann", H02, 300)
    assert played(sensed) == [H02]
    assert sensed.snapshot["understood"]["tokens"] == ["bob"]
    sensed.place("bob", H15, 20)
    assert sensed.understood == "settled"


def test_both_pieces_in_each_others_places_are_asked_back_and_not_forgotten(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.lift("ann")
    sensed.lift("bob", 50)
    sensed.place("bob", H04, 400)
    assert played(sensed) == [H04]  # as Ann, for only she may go there: no sensor knows better
    sensed.lift("bob", 50)
    sensed.place("ann", H04, 50)
    sensed.place("bob", H15, 400)
    assert sensed.understood == "settled"
    assert sensed.table.steps == 1


def test_something_foreign_is_shown_and_the_game_goes_on_when_it_is_gone(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.place(FOREIGN, H09, 300)
    assert sensed.snapshot["prompt"] == f"Nothing should stand on {H09}: take it off."
    carry(sensed, "ann", H03, 400)
    assert played(sensed) == []
    assert sensed.snapshot["understood"] == {"kind": "repair", "tokens": [], "extra": [H09], "missing": []}
    sensed.lift(FOREIGN, 300)
    assert played(sensed) == [H03]


# -- a gesture read as moves -------------------------------------------------------------------------------------------


def test_counting_spaces_with_the_figure_in_hand_is_no_move(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    for space in (H02, H03, H04, H03, H02, H03):
        sensed.lift("ann", 60)
        if space != H04:  # there it could not go on, and would have moved
            sensed.place("ann", space, 120)
    sensed.place("ann", H01, 400)
    assert played(sensed) == []


def test_a_hand_that_sweeps_over_the_board_is_no_move(tmp_path: Path) -> None:
    """A ring or a watch that some sensors feel for a moment, one after the other."""
    sensed = crossing(tmp_path)
    for space in (H02, H03, H04, H09, "h10", "h11", "h12"):
        sensed.place(FOREIGN, space, 60)
        assert sensed.understood != "repair"
    sensed.lift(FOREIGN, 400)
    assert (played(sensed), sensed.understood) == ([], "settled")


# -- laying out, and putting away --------------------------------------------------------------------------------------


def test_an_empty_board_is_laid_out_token_by_token_in_any_order(tmp_path: Path) -> None:
    sensed = crossing(tmp_path, laid=False)
    assert sensed.snapshot["prompt"] == f"Put the Ann on {H01}. 1 more comes after that, in any order."
    assert lit(sensed, H01) == lit(sensed, H15) == {Meaning.MISSING}
    sensed.place("bob", H15, 20)
    assert sensed.snapshot["prompt"] == f"Put the Ann on {H01}."
    sensed.place("ann", H02, 20)  # a legal move, were the game on
    assert (sensed.understood, lit(sensed, H02)) == ("repair", {Meaning.MISPLACED})
    sensed.place("ann", H01, 20)
    assert (sensed.understood, sensed.snapshot["prompt"], played(sensed)) == ("settled", "Walk.", [])


def test_a_table_that_is_right_already_is_accepted_and_what_does_not_belong_is_shown(tmp_path: Path) -> None:
    assert crossing(tmp_path).understood == "settled"
    other = crossing(tmp_path / "other", laid=False)
    other.where |= {"ann": H01, "bob": H15, FOREIGN: H09}
    other.rest(20)
    assert other.snapshot["prompt"] == f"Nothing should stand on {H09}: take it off."
    other.lift(FOREIGN, 20)
    assert other.understood == "settled"


def test_after_the_end_nothing_is_asked_until_somebody_begins_to_put_it_away(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    carry(sensed, "ann", H04, 20)
    carry(sensed, "bob", H09, 300)
    carry(sensed, "ann", H15, 300)
    assert sensed.snapshot["outcome"]
    assert sensed.understood == "settled"
    sensed.place("bob", H03, 20)
    assert sensed.understood == "repair"
    assert sensed.snapshot["prompt"] == "Tidying up: 2 more to be taken off the board."
    assert lit(sensed, H03) == lit(sensed, H15) == {Meaning.MISPLACED}
    sensed.lift("bob")
    sensed.lift("ann", 20)
    assert sensed.understood == "settled"


# -- taken back by hand while all are asked ----------------------------------------------------------------------------


def test_put_back_by_hand_while_the_other_seat_asks_to_take_it_back_agrees_to_that(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    carry(sensed, "ann", H03, 400)
    sensed.table.undo(sensed.snapshot["number"], 1)
    sensed.table.tick()
    assert sensed.snapshot["history"]["missing"] == [0]
    carry(sensed, "ann", H01, 400)
    assert sensed.table.steps == 0
    assert [verb for _, verb, _ in entries(sensed.journal)] == ["move", UNDONE, "agree"]


def test_put_back_by_hand_while_others_have_yet_to_agree_waits_for_them(tmp_path: Path) -> None:
    game = Crossing(1, frozenset())
    game.seats = range(3, 4)
    sensed = Sensed(tmp_path, "crossing", 0, SetUp(), game)
    carry(sensed, "ann", H03, 400)
    sensed.table.undo(sensed.snapshot["number"], 1)
    sensed.table.tick()
    carry(sensed, "ann", H01, 400)
    assert (sensed.table.steps, sensed.snapshot["history"]["missing"]) == (1, [2])
    sensed.table.agree(sensed.snapshot["number"], 2)
    sensed.table.tick()
    assert (sensed.table.steps, sensed.understood) == (0, "settled")
