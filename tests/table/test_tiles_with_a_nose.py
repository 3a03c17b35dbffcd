"""A tile with a second tag near one of its edges: where that is read is how the tile lies."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, cast

import pytest
from unplugged import Unplugged

from underglow import profile
from underglow.board_file import Reader
from underglow.games.contract import Action, Cue, Event, Game, Meaning, Token, Transfer
from underglow.history import History
from underglow.journal import Header, Journal
from underglow.languages import Text
from underglow.profile import Board
from underglow.session import Occupied, Reading, Tagged
from underglow.set_up import SetUp
from underglow.table import Table
from underglow.themes import DEFAULT
from underglow.witness import WRONG_S

TILE = bytes.fromhex("04a1b2c3d4e580")
NOSE = bytes.fromhex("04a1b2c3d4e581")
NO_FAULT = Text("")


class Lies(str):
    """The state of a small game: at which edge of c4 the tile has its nose; "" until it is laid."""

    def to_json(self) -> str:
        return self


class Laying:
    """The game and its only scenario: lay the tile on c4, its nose at e2 or e4."""

    id = "laying"
    title = Text("laying")
    digest = "0" * 64
    seats = range(1, 2)

    def overlay(self, board: str) -> dict[str, str]:
        return {"c4": "h19", "c5": "h20"}

    def tokens(self, state: Lies) -> dict[str, Token]:
        return {"tile": Token("tile", Text("Tile")), "nose": Token("tile", Text("Nose"))}

    def layout(self, state: Lies) -> dict[str, tuple[str, ...]]:
        return {"c4": ("tile",), f"c4.{state}": ("nose",)} if state else {}

    def legal(self, state: Lies) -> tuple[Action, ...]:
        ways = () if state else ("e2", "e4")
        return tuple(
            Action(0, "lay", (way,), (Transfer("tile", None, "c4"), Transfer("nose", None, f"c4.{way}")))
            for way in ways
        )

    def step(self, state: Lies, action: Action) -> tuple[Lies, tuple[Event, ...]]:
        return Lies(action.args[0]), ()

    def cues(self, state: Lies, lifted: tuple[str, ...]) -> dict[str, Cue]:
        return {"c4": Cue(Meaning.OBJECTIVE), "c4.e1": Cue(Meaning.OBJECTIVE), "c5.e3": Cue(Meaning.THREAT)}

    def flashes(self, state: Lies, events: object) -> dict[str, Cue]:
        return {}

    def outcome(self, state: Lies) -> None:
        return None

    def refuse(self, state: Lies, stray: Transfer) -> Text:
        return Text("")

    def words(self, *_: object) -> str:
        return "words"

    describe = narrate = prompt = words


class Laid:
    """A table of that game on a board with readers under the middle and three edges of h19."""

    def __init__(self, folder: Path, board_name: str, lies: str = "") -> None:
        board = profile.load(board_name)
        assert board.nfc
        places = ("h19", "h19.e0", "h19.e2", "h19.e4")
        readers = tuple(Reader(space=place, chip="mfrc522", select=pin) for pin, place in enumerate(places))
        self.board: Board = dataclasses.replace(board, nfc=board.nfc.model_copy(update={"readers": readers}))
        scenario = Laying()
        game = cast("Game[Any, Any]", scenario)
        tagged = SetUp(frozenset({"tile"}), frozenset(), {TILE: "tile", NOSE: "nose"})
        self._now_s = 0.0
        self.link = Unplugged("no port", self.board)
        self._journal = Journal.create(folder / "journal.sqlite", Header.of("laying", scenario, 1, 7, self.board))
        history = History(game, Lies(lies), 1)
        self.table = Table(
            game, scenario, history, self.board, self.link, self._journal, DEFAULT, tagged, lambda: self._now_s
        )
        self.table.take(Occupied(frozenset()))

    def read(self, **uids: bytes) -> None:
        """Let the readers read this ("h19", or "h19_e2"), and wait until it is no longer on its way."""
        places = {place.replace("_", "."): frozenset({uid}) for place, uid in uids.items()}
        assert places.keys() <= set(self.board.readers)
        self.table.take(
            Tagged(
                tuple(Reading(places.get(place, frozenset()), frozenset(), NO_FAULT) for place in self.board.readers)
            )
        )
        self._now_s += 2 * WRONG_S
        self.table.tick()

    def lit(self, meaning: Meaning) -> set[int]:
        return {lamp for program, lamps in self.link.picture if program == DEFAULT[meaning] for lamp in lamps}

    def lamps(self, *places: str) -> set[int]:
        return {self.board.lamp_of(place) for place in places}

    def end(self) -> None:
        self._journal.close()


@pytest.fixture
def laid(tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    table = Laid(tmp_path, request.param)
    yield table
    table.end()


edges_or_not = pytest.mark.parametrize("laid", ["hex37-edges", "hex48"], indirect=True)


@edges_or_not
@pytest.mark.parametrize("way", ["e2", "e4"])
def test_the_reader_under_an_edge_tells_which_way_round_it_was_laid(laid: Laid, way: str) -> None:
    laid.read(h19=TILE)
    assert laid.table.state == ""
    laid.read(**{"h19": TILE, f"h19_{way}": NOSE})
    assert laid.table.state == way
    assert laid.table.snapshot()["layout"] == {"h19": ["tile"], f"h19.{way}": ["nose"]}
    assert laid.table.snapshot()["understood"]["kind"] == "settled"


@edges_or_not
def test_turned_afterwards_it_was_laid_so(laid: Laid) -> None:
    """The tile itself stays where it is, and is part of the other action all the same."""
    laid.read(h19=TILE, h19_e2=NOSE)
    laid.read(h19=TILE, h19_e4=NOSE)
    assert laid.table.state == "e4"
    assert laid.table.steps == 1
    assert laid.table.snapshot()["understood"]["kind"] == "settled"


@edges_or_not
def test_turned_as_it_must_not_lie_it_is_to_be_turned_back_as_the_scenario_names_the_edges(laid: Laid) -> None:
    laid.read(h19=TILE, h19_e2=NOSE)
    laid.read(h19=TILE, h19_e0=NOSE)
    assert laid.table.state == "e2"
    understood = laid.table.snapshot()["understood"]
    assert (understood["kind"], understood["extra"]) == ("repair", ["h19.e0"])
    assert understood["missing"] == [{"space": "h19.e2", "tokens": ["nose"]}]
    assert "Nose on the south-west edge of c4" in laid.table.snapshot()["prompt"]
    laid.read(h19=TILE, h19_e2=NOSE)
    assert laid.table.snapshot()["understood"]["kind"] == "settled"


@pytest.mark.parametrize("laid", ["hex37-edges"], indirect=True)
def test_what_is_to_be_put_right_at_an_edge_is_lit_there(laid: Laid) -> None:
    laid.read(h19=TILE, h19_e2=NOSE)
    laid.read(h19=TILE, h19_e0=NOSE)
    assert laid.lit(Meaning.MISPLACED) == laid.lamps("h19.e0")
    assert laid.lit(Meaning.MISSING) == laid.lamps("h19.e2")


@pytest.mark.parametrize("laid", ["hex48"], indirect=True)
def test_what_is_to_be_put_right_at_an_edge_is_lit_in_the_middle_of_a_space_without_edge_lamps(laid: Laid) -> None:
    laid.read(h19=TILE, h19_e2=NOSE)
    laid.read(h19=TILE, h19_e0=NOSE)
    assert laid.lit(Meaning.MISSING) == laid.lamps("h19")


def test_while_a_tile_is_laid_out_what_comes_later_at_its_edge_does_not_dim_its_space(tmp_path: Path) -> None:
    dark = Laid(tmp_path, "hex48", lies="e2")
    assert [m["space"] for m in dark.table.snapshot()["understood"]["missing"]] == ["h19", "h19.e2"]
    assert dark.lit(Meaning.MISSING) == dark.lamps("h19")
    dark.end()


@pytest.mark.parametrize("laid", ["hex37-edges"], indirect=True)
def test_what_a_game_says_at_an_edge_is_lit_there(laid: Laid) -> None:
    assert laid.lit(Meaning.OBJECTIVE) == laid.lamps("h19", "h19.e1")
    assert laid.lit(Meaning.THREAT) == laid.lamps("h20.e3")


@pytest.mark.parametrize("laid", ["hex48"], indirect=True)
def test_what_a_game_says_at_an_edge_is_left_out_on_a_board_without_edge_lamps(laid: Laid) -> None:
    assert laid.lit(Meaning.OBJECTIVE) == laid.lamps("h19")
    assert laid.lit(Meaning.THREAT) == set()
