"""A board whose spaces have edges: each edge is lit, and read, by itself."""

from __future__ import annotations

import dataclasses

import pytest
from listening import Host

from underglow import profile, themes
from underglow.board_file import EDGES, Reader
from underglow.games.contract import Cue, Meaning
from underglow.profile import Board
from underglow.testing import Hands, Strip

TILE = bytes.fromhex("04a1b2c3d4e580")
NOSE = bytes.fromhex("04a1b2c3d4e581")


@pytest.fixture
def board_profile() -> Board:
    """A board with edges, and readers under the middle and two edges of one hex besides its own."""
    board = profile.load("hex37-edges")
    assert board.nfc
    added = {"h19": 19, "h19.e2": 20, "h19.e4": 21}
    readers = tuple(Reader(space=place, chip="mfrc522", select=pin) for place, pin in added.items())
    return dataclasses.replace(board, nfc=board.nfc.model_copy(update={"readers": (*board.nfc.readers, *readers)}))


def test_an_edge_is_lit_by_itself_and_a_corridor_from_edge_to_edge(
    host: Host, strip: Strip, board_profile: Board
) -> None:
    def lit(pixels: tuple[tuple[int, int, int], ...]) -> set[int]:
        return {pixel for pixel, colour in enumerate(pixels) if any(colour)}

    ways = [*([f"h19.{edge}"] for edge in EDGES), ["h18.e0", "h19.e3", "h19", "h19.e1", "h26.e4", "h26", "r4.e5"]]
    for way in ways:
        host.show(themes.picture(themes.DEFAULT, dict.fromkeys(way, Cue(Meaning.OBJECTIVE)), board_profile))
        there = {pixel for place in way for pixel in board_profile.lamps[board_profile.lamp_of(place)]}
        assert len(there) == len(way)
        strip.wait(lambda pixels, there=there: lit(pixels) == there)


def test_a_tag_under_an_edge_is_read_there_and_nowhere_near(host: Host, hands: Hands) -> None:
    hands.place("h19", "tile", uid=TILE)
    hands.place("h19.e2", "its nose", uid=NOSE, magnet=False)
    host.until(lambda: host.tags() == {"h19": {TILE}, "h19.e2": {NOSE}})
    assert host.felt == {"h19"}
    hands.lift("its nose")
    hands.place("h19.e4", "its nose")  # the tile is turned by a third
    host.until(lambda: host.tags() == {"h19": {TILE}, "h19.e4": {NOSE}})
    hands.place("h19.e0", "its nose")  # where no reader is
    host.until(lambda: host.tags() == {"h19": {TILE}})
    assert not any(reading.disputed or reading.fault for reading in host.readings.values())


def test_no_switch_lies_under_an_edge(host: Host, hands: Hands) -> None:
    hands.place("h19.e2", "a magnet astray")
    hands.place("h20")
    host.until(lambda: host.felt == {"h20"})
    hands.place("h19", "a magnet astray")
    host.until(lambda: host.felt == {"h19", "h20"})
    with pytest.raises(ValueError, match=r"no space 'pad\.e0'; it has: h01, h02,"):
        hands.place("pad.e0", "a magnet astray")
