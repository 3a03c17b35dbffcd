"""The board leads hands after the game: who is to be carried, along which way, and to the last place only."""

from __future__ import annotations

from pathlib import Path

import pytest
from sensed import BOARD, Sensed
from shifting import ROW, Move, Shifting

from underglow.games.contract import Cue, Meaning
from underglow.set_up import SetUp
from underglow.themes import DEFAULT, picture

FLASH_MS = 1600
LATER = 70


def shifting(folder: Path, start: dict[str, str], *script: list[Move]) -> Sensed:
    return Sensed(folder, "shifting", 0, SetUp(), Shifting(start, *script))


def ann_steps(sensed: Sensed) -> None:
    steps = sensed.table.steps
    sensed.lift("ann", 60)
    sensed.place("ann", ROW[steps + 1], 30)
    assert sensed.table.steps == steps + 1


def lit(sensed: Sensed, meaning: Meaning, level: int = 255) -> list[str]:
    """The spaces that say so, in the order of their lamps in the message."""
    wanted = picture(DEFAULT, {"h01": Cue(meaning, level)}, BOARD)[0][0]
    spaces = {BOARD.lamp_of(space.id): space.id for space in BOARD.spaces}
    return [spaces[lamp] for program, lamps in sensed.link.picture if program == wanted for lamp in lamps]


def test_a_token_that_the_game_moved_is_led_along_its_way_until_it_is_there(tmp_path: Path) -> None:
    sensed = shifting(tmp_path, {"clay": "h01"}, [("clay", "h01", "h02", "h03", "h04")])
    ann_steps(sensed)
    for in_hand in (False, True):
        assert sensed.snapshot["prompt"] == "Put the Clay on h04."
        sensed.rest(FLASH_MS)
        assert lit(sensed, Meaning.PATH) == (["h01", "h02", "h03"] if in_hand else ["h02", "h03"])
        assert lit(sensed, Meaning.MISPLACED) == ([] if in_hand else ["h01"])
        assert lit(sensed, Meaning.MISSING) == ["h04"]
        if not in_hand:
            sensed.lift("clay", 60)
    assert sensed.snapshot["understood"]["tokens"] == ["clay"]
    sensed.place("clay", "h04", 60)
    assert (sensed.understood, sensed.snapshot["prompt"], sensed.link.picture) == ("settled", "Step on.", ())


def test_a_row_that_is_shifted_is_led_one_by_one_from_where_there_is_room(tmp_path: Path) -> None:
    start = {"clay": "h01", "iron": "h02", "stone": "h03"}
    shift = [("clay", "h01", "h02"), ("iron", "h02", "h03"), ("stone", "h03", "h04")]
    sensed = shifting(tmp_path, start, shift)
    ann_steps(sensed)
    sensed.rest(FLASH_MS)
    assert sensed.snapshot["prompt"] == "Put the Stone on h04. 2 more come after that."
    assert (lit(sensed, Meaning.MISPLACED), lit(sensed, Meaning.MISSING)) == (["h03"], ["h04"])
    assert sorted(lit(sensed, Meaning.MISPLACED, LATER)) == ["h01", "h02"]
    for token, _, target in reversed(shift):
        sensed.lift(token, 200)
        assert sensed.snapshot["understood"]["tokens"] == [token]  # not the one that belongs there
        assert sensed.snapshot["prompt"].startswith(f"Put the {token.title()} on {target}.")
        assert (lit(sensed, Meaning.MISPLACED), lit(sensed, Meaning.MISSING)) == ([], [target])
        sensed.place(token, target, 200)
    assert sensed.understood == "settled"
    assert sensed.table.steps == 1


def test_moved_twice_before_hands_follow_a_token_is_led_along_both_ways_to_the_last_place(tmp_path: Path) -> None:
    start = {"clay": "h01", "iron": "h10"}
    sensed = shifting(tmp_path, start, [("clay", "h01", "h02", "h03")], [("clay", "h03", "h09", "h15")])
    ann_steps(sensed)
    ann_steps(sensed)
    sensed.rest(FLASH_MS)
    assert sensed.snapshot["prompt"] == "Put the Clay on h15."
    assert sensed.snapshot["understood"]["missing"] == [{"space": "h15", "tokens": ["clay"]}]
    assert lit(sensed, Meaning.PATH) == ["h02", "h03", "h09"]
    assert (lit(sensed, Meaning.MISPLACED), lit(sensed, Meaning.MISSING)) == (["h01"], ["h15"])
    sensed.lift("clay", 60)
    sensed.place("clay", "h03", 300)  # where it was only for a while
    assert sensed.understood == "repair"
    sensed.place("clay", "h15", 60)
    assert sensed.understood == "settled"


def test_moved_on_by_another_shift_while_the_first_is_half_followed(tmp_path: Path) -> None:
    sensed = shifting(
        tmp_path,
        {"clay": "h01", "iron": "h02"},
        [("clay", "h01", "h02"), ("iron", "h02", "h03")],
        [("clay", "h02", "h03"), ("iron", "h03", "h04")],
    )
    ann_steps(sensed)
    sensed.lift("iron", 60)
    sensed.place("iron", "h03", 60)
    assert sensed.snapshot["prompt"] == "Put the Clay on h02."
    ann_steps(sensed)
    for token, target in (("iron", "h04"), ("clay", "h03")):
        assert sensed.snapshot["prompt"].startswith(f"Put the {token.title()} on {target}.")
        sensed.lift(token, 60)
        sensed.place(token, target, 60)
    assert sensed.understood == "settled"


def test_a_way_that_was_followed_is_forgotten_and_a_detour_is_cut_short(tmp_path: Path) -> None:
    script: list[list[Move]] = [
        [("clay", "h01", "h02")],
        [("clay", "h02", "h03", "h04")],
        [("clay", "h04", "h03", "h09")],
    ]
    sensed = shifting(tmp_path, {"clay": "h01"}, *script)
    ann_steps(sensed)
    sensed.lift("clay", 60)
    sensed.place("clay", "h02", 60)
    ann_steps(sensed)
    ann_steps(sensed)
    sensed.rest(FLASH_MS)
    assert lit(sensed, Meaning.PATH) == ["h03"]
    assert (lit(sensed, Meaning.MISPLACED), lit(sensed, Meaning.MISSING)) == (["h02"], ["h09"])


def test_moved_there_and_back_before_hands_follow_nothing_is_to_be_done(tmp_path: Path) -> None:
    sensed = shifting(tmp_path, {"clay": "h01"}, [("clay", "h01", "h02")], [("clay", "h02", "h01")])
    ann_steps(sensed)
    ann_steps(sensed)
    assert (sensed.understood, sensed.snapshot["prompt"]) == ("settled", "Step on.")


@pytest.mark.parametrize("follows", [False, True])
def test_a_step_taken_back_leads_back_what_the_game_had_moved(tmp_path: Path, follows: bool) -> None:
    sensed = shifting(tmp_path, {"clay": "h01"}, [("clay", "h01", "h02")])
    ann_steps(sensed)
    if follows:
        sensed.lift("clay", 60)
        sensed.place("clay", "h02", 60)
    sensed.table.undo(sensed.snapshot["number"])
    sensed.table.tick()
    sensed.rest(60)
    assert sensed.snapshot["prompt"] == (
        f"Put the Ann back on {ROW[0]}. 1 more comes after that." if follows else f"Put the Ann back on {ROW[0]}."
    )
    sensed.lift("ann", 60)
    sensed.place("ann", ROW[0], 60)
    if follows:
        assert sensed.snapshot["prompt"] == "Put the Clay on h01."
        sensed.lift("clay", 60)
        sensed.place("clay", "h01", 60)
    assert (sensed.understood, sensed.table.steps) == ("settled", 0)


def test_what_leaves_the_game_is_taken_off_and_what_comes_is_put_on(tmp_path: Path) -> None:
    sensed = shifting(tmp_path, {"clay": "h01"}, [("clay", "h01", ""), ("iron", "", "h02")])
    ann_steps(sensed)
    assert sensed.snapshot["prompt"] == "Take the Clay off h01. 1 more comes after that."
    sensed.lift("clay", 60)
    assert sensed.snapshot["prompt"] == "Put the Iron on h02."
    sensed.place("iron", "h02", 60)
    assert sensed.understood == "settled"


def test_who_plays_on_first_is_led_afterwards(tmp_path: Path) -> None:
    sensed = shifting(tmp_path, {"clay": "h01"}, [("clay", "h01", "h02")], [])
    ann_steps(sensed)
    sensed.lift("ann", 60)
    assert sensed.snapshot["understood"]["tokens"] == ["ann"]
    sensed.place("ann", ROW[2], 60)
    assert sensed.table.steps == 2
    assert sensed.snapshot["prompt"] == "Put the Clay on h02."
