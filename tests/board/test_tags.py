"""Tags on the readers: what the host hears of them, whatever the air and the chips do."""

from __future__ import annotations

import dataclasses

import pytest
from listening import Host

from underglow.bench.vm import Bench
from underglow.board_file import NfcI2c, Reader
from underglow.profile import Board
from underglow.testing import Hands

SHORT = bytes.fromhex("deadbeef")
LONG = bytes.fromhex("04a1b2c3d4e580")
TWIN = bytes.fromhex("04a1b2c3d4e581")
LONGEST = bytes.fromhex("04a1b2c3d4e5f6071829")
OTHER = bytes.fromhex("0411223344558f")

HUNG = "hung and was reset"


def test_every_reader_tells_the_whole_uid_of_its_tag_and_of_no_neighbours_with_magnet_or_without(
    host: Host, hands: Hands, board_profile: Board
) -> None:
    uids = dict(zip(board_profile.readers, (SHORT, LONG, TWIN, LONGEST, OTHER), strict=True))
    for space, uid in uids.items():
        hands.place(space, f"token of {space}", uid=uid, magnet=space in ("z2", "pad"))
    hands.place("z1", "a figure without a tag")
    host.until(lambda: host.tags() == {space: {uid} for space, uid in uids.items()})
    host.until(lambda: host.felt == {"z1", "z2", "pad"})
    assert all(not reading.disputed and not reading.fault for reading in host.readings.values())


def test_several_tags_in_one_field_come_and_go_one_by_one(host: Host, hands: Hands) -> None:
    hands.place("pad", "first", uid=LONG)
    hands.place("pad", "second", uid=TWIN)
    host.until(lambda: host.tags() == {"pad": {LONG, TWIN}})
    hands.place("pad", "third", uid=LONGEST)
    hands.lift("first")
    host.until(lambda: host.tags() == {"pad": {TWIN, LONGEST}})
    hands.lift("second")
    hands.lift("third")
    host.until(lambda: host.tags() == {} and host.felt == set())


def test_a_tag_that_moves_is_never_in_two_places(host: Host, hands: Hands) -> None:
    hands.place("z1", "card", uid=LONG)
    for space in ("z3", "z2", "pad"):
        host.until(host.tags)
        hands.place(space, "card")
        host.until(lambda space=space: host.tags() == {space: {LONG}})
    for happening in host.tagged:
        assert sum(LONG in reading.uids for reading in happening.readings) <= 1
        assert not any(reading.disputed for reading in happening.readings)


def test_public_report_garbled_reply_taken_as_removal_on_a_whole_board(host: Host, hands: Hands, board: Bench) -> None:
    hands.place("z2", "card", uid=LONG)
    host.until(lambda: host.tags() == {"z2": {LONG}})
    told = len(host.tagged)
    board.garble("z2", 1.0, seed=7)
    host.listen(0.6)  # some eight polls
    assert len(host.tagged) == told
    board.garble("z2", 0)
    hands.lift("card")
    host.until(lambda: host.tags() == {})


def test_a_reader_that_hangs_is_told_of_and_is_back_by_itself(host: Host, hands: Hands, board: Bench) -> None:
    hands.place("z2", "card", uid=LONG)
    host.until(lambda: host.tags() == {"z2": {LONG}})
    board.hang("z2")
    host.until(lambda: host.readings["z2"].fault == HUNG)
    assert host.tags() == {"z2": {LONG}}  # nobody knows better
    host.until(lambda: host.readings["z2"].fault == "")
    assert host.tags() == {"z2": {LONG}}
    hands.lift("card")
    host.until(lambda: host.tags() == {})


def test_a_reader_that_nothing_cures_does_not_stop_the_others_and_new_power_mends_it(
    host: Host, hands: Hands, board: Bench
) -> None:
    hands.place("z2", "card", uid=LONG)
    host.until(lambda: host.tags() == {"z2": {LONG}})
    board.hang("z2", deaf=True)
    host.until(lambda: host.readings["z2"].fault == HUNG)
    hands.place("z3", "tile", uid=SHORT)
    hands.place("h01")
    host.until(lambda: host.tags() == {"z2": {LONG}, "z3": {SHORT}} and "h01" in host.felt)
    hands.lift("tile")
    host.until(lambda: host.tags() == {"z2": {LONG}})
    assert {space for space, reading in host.readings.items() if reading.fault} == {"z2"}
    board.unplug(power=True)
    board.replug()
    host.until(lambda: len(host.boots) == 2 and host.tags() == {"z2": {LONG}} and host.readings["z2"].fault == "")


def test_public_report_neighbour_reads_the_same_tag_is_one_truth_and_a_conflict(host: Host, hands: Hands) -> None:
    hands.place("z1", "card", uid=LONG)
    host.until(lambda: host.tags() == {"z1": {LONG}})
    hands.place("z4", "its copy", uid=LONG)
    host.until(lambda: {space for space, reading in host.readings.items() if reading.disputed} == {"z1", "z4"})
    assert host.tags() == {"z1": {LONG}}
    hands.lift("card")
    host.until(lambda: host.tags() == {"z4": {LONG}})
    host.until(lambda: not any(reading.disputed for reading in host.readings.values()))


class TestBothKindsOfReader:
    """A board with a PN532 under the pad."""

    @pytest.fixture
    def board_profile(self, board_profile: Board) -> Board:
        nfc = board_profile.nfc
        assert nfc
        readers = (*nfc.readers[:-1], Reader(space="pad", chip="pn532", reset=20))
        return dataclasses.replace(
            board_profile, nfc=nfc.model_copy(update={"i2c": NfcI2c(block=0, sda=0, scl=1), "readers": readers})
        )

    def test_read_side_by_side(self, host: Host, hands: Hands, board: Bench) -> None:
        hands.place("z4", "card", uid=SHORT)
        hands.place("pad", "first", uid=LONG)
        hands.place("pad", "second", uid=LONGEST)
        host.until(lambda: host.tags() == {"z4": {SHORT}, "pad": {LONG, LONGEST}})
        board.hang("pad", deaf=True)  # the chip needs its reset pin
        host.until(lambda: host.readings["pad"].fault == HUNG)
        hands.lift("card")
        host.until(lambda: host.readings["pad"].fault == "" and host.tags() == {"pad": {LONG, LONGEST}})
        hands.lift("first")
        host.until(lambda: host.tags() == {"pad": {LONGEST}})
