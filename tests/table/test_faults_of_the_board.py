"""What is wrong with the board is told for as long as it is wrong, to whoever has to call staff for it."""

from __future__ import annotations

from pathlib import Path

from sensed import BOARD, Sensed

from underglow.kiosk.messages import PUBLIC
from underglow.languages import Text
from underglow.link import Down
from underglow.session import BoardFault, Reading, Tagged, Up
from underglow.set_up import SetUp

CRASH = "The board's program stopped and started again: MemoryError()"


def reading(**faults: str) -> Tagged:
    """What all readers read: nothing, and some of them not even that."""
    return Tagged(tuple(Reading(frozenset(), frozenset(), Text(faults.get(place, ""))) for place in BOARD.readers))


def test_a_reader_is_at_fault_until_it_reads_again(tmp_path: Path) -> None:
    sensed = Sensed(tmp_path, "cinder-wells", 1, SetUp())
    assert sensed.snapshot["faults"] == []
    first, second, *_ = BOARD.readers
    sensed.table.take(reading(**{first: "does not answer", second: "is the wrong chip"}))
    told = [f"The reader under {first} does not answer.", f"The reader under {second} is the wrong chip."]
    assert sensed.snapshot["faults"] == told
    sensed.table.take(reading(**{second: "is the wrong chip"}))
    assert sensed.snapshot["faults"] == told[1:]
    sensed.table.take(reading())
    assert sensed.snapshot["faults"] == []


def test_a_fault_of_the_boards_program_stands_until_the_board_connects_anew(tmp_path: Path) -> None:
    sensed = Sensed(tmp_path, "cinder-wells", 1, SetUp())
    sensed.table.take(BoardFault(Text(CRASH)))
    sensed.table.take(reading())
    assert sensed.snapshot["faults"] == [CRASH]
    sensed.table.take(Down(Text("The board is gone.")))
    assert sensed.snapshot["faults"] == [CRASH]
    sensed.table.take(Up("0.1.0", 7))
    assert sensed.snapshot["faults"] == []


def test_faults_are_not_for_the_public_page() -> None:
    assert "faults" not in PUBLIC
