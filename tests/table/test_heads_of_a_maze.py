"""Every tile of Labyrinth, laid every way it can lie, on a board that reads its tags: nobody is asked how it lies."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from pathlib import Path

import pytest
from unplugged import Unplugged

from underglow import games, profile
from underglow.board_file import Reader
from underglow.games import labyrinth
from underglow.games.labyrinth.building import Face, Lay
from underglow.games.labyrinth.maze import TURNS
from underglow.games.labyrinth.state import State
from underglow.games.labyrinth.turn import Turn
from underglow.history import History
from underglow.journal import Header, Journal
from underglow.languages import Text
from underglow.rng import Rng
from underglow.session import Occupied, Reading, Tagged
from underglow.set_up import SetUp
from underglow.table import Table
from underglow.themes import DEFAULT

WARREN = labyrinth.load(games.scenario_path("labyrinth", "glass-warren"))
SOCKET, SPACE = "d5", "h20"
HEX = WARREN.spaces.index(SOCKET)
WAYS = [(kind, turned) for kind in dict.fromkeys(WARREN.pile) for turned in range(WARREN.tiles[kind].turns)]
GALLERY = next(kind for kind, tile in enumerate(WARREN.tiles) if tile.id == "gallery")
"""A straight corridor: its tile has two heads, and lies in three ways."""
EVERYWHERE = range(6)
TILE = bytes.fromhex("04a1b2c3d4e580")
HEADS = tuple(bytes((4, 1, 2, 3, 4, 5, edge)) for edge in EVERYWHERE)
"""One tag for each head that a tile may have."""


def begun() -> State:
    """The first turn of a game."""
    state = labyrinth.setup(WARREN, 2, Rng(1))
    while not isinstance(state.agenda[-1], Turn):
        state, _ = labyrinth.step(state, labyrinth.legal(state)[0])
    return state


def drawn(kind: int) -> State:
    """A tile of that kind has been drawn, and is to be laid."""
    return replace(begun(), agenda=(Turn(), Lay(kind)))


def turning(kind: int, turned: int) -> State:
    """A tile of that kind lies so, and is to be turned."""
    state = begun()
    return replace(state, maze=state.maze.with_tile(HEX, kind, turned), agenda=(Turn(), Face(HEX, kind, turned)))


class Laid:
    """A table at which a tile is to be laid, with readers under the middle of a socket and some of its edges."""

    def __init__(self, folder: Path, kind: int, edges: range, state: State | None = None) -> None:
        board = profile.load("hex37-edges")
        assert board.nfc
        places = (SPACE, *(f"{SPACE}.e{edge}" for edge in edges))
        readers = tuple(Reader(space=place, chip="mfrc522", select=pin) for pin, place in enumerate(places))
        self._board = dataclasses.replace(board, nfc=board.nfc.model_copy(update={"readers": readers}))
        tile = WARREN.tiles[kind]
        set_up = SetUp(frozenset({"tile", "head"}), frozenset(), {TILE: tile.id} | dict.fromkeys(HEADS, tile.head))
        self._journal = Journal.create(folder / "journal.sqlite", Header.of("labyrinth", WARREN, 2, 1, self._board))
        history = History(labyrinth, state or drawn(kind), 2)
        link = Unplugged("no port", self._board)
        self.table = Table(labyrinth, WARREN, history, self._board, link, self._journal, DEFAULT, set_up)
        self.table.take(Occupied(frozenset()))
        self.table.settle()

    def read(self, heads: tuple[int, ...]) -> None:
        """Lay the tile down, its heads at these edges."""
        under = {SPACE: TILE} | {f"{SPACE}.e{edge}": HEADS[edge] for edge in heads}
        self.table.take(
            Tagged(
                tuple(
                    Reading(frozenset({under[place]}) if place in under else frozenset(), frozenset(), Text(""))
                    for place in self._board.readers
                )
            )
        )

    @property
    def laid(self) -> int:
        state = self.table.state
        assert isinstance(state, State)
        return state.maze.laid[HEX]

    def end(self) -> None:
        self._journal.close()


@pytest.mark.parametrize(("kind", "turned"), WAYS, ids=lambda number: str(number))
def test_a_tile_is_laid_and_faced_by_its_tags(tmp_path: Path, kind: int, turned: int) -> None:
    table = Laid(tmp_path, kind, EVERYWHERE)
    table.read(WARREN.tiles[kind].shapes[turned].heads)
    assert table.laid == kind * TURNS + turned
    table.end()


@pytest.mark.parametrize("turned", range(3))
def test_two_tags_and_three_readers_tell_every_way_of_a_straight_tile(tmp_path: Path, turned: int) -> None:
    table = Laid(tmp_path, GALLERY, range(3))
    table.read(WARREN.tiles[GALLERY].shapes[turned].heads)
    assert table.laid == GALLERY * TURNS + turned
    table.end()


@pytest.mark.parametrize(("was", "turned"), [(was, turned) for was in range(3) for turned in range(3) if was != turned])
def test_a_laid_tile_is_turned_by_its_tags(tmp_path: Path, was: int, turned: int) -> None:
    table = Laid(tmp_path, GALLERY, range(3), turning(GALLERY, was))
    assert table.laid == GALLERY * TURNS + was
    table.read(WARREN.tiles[GALLERY].shapes[turned].heads)
    assert table.laid == GALLERY * TURNS + turned
    table.end()


def test_without_a_reader_under_its_edges_it_is_asked_how_it_lies(tmp_path: Path) -> None:
    table = Laid(tmp_path, GALLERY, range(0))
    table.read(WARREN.tiles[GALLERY].shapes[1].heads)
    assert table.laid < 0
    assert [choice["verb"] for choice in table.table.snapshot()["choices"]] == ["face"] * 3
    table.end()
