"""Places whose sensors are out of service: what those say is no matter, and what they would have felt is a choice."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from crossing import ROW, Crossing
from hypothesis import given, settings
from hypothesis import strategies as st
from play import Play
from sensed import BOARD, FOREIGN, Sensed
from shifting import Shifting
from test_clumsy_hands import cards
from unplugged import Unplugged

from underglow import wire
from underglow.bench.vm import Bench
from underglow.bots import BOTS
from underglow.games.contract import Game
from underglow.history import History, Step
from underglow.kiosk.attract import Unwritten
from underglow.languages import Text
from underglow.rng import Rng
from underglow.session import Occupied, Pressed, Reading, Tagged
from underglow.set_up import SetUp
from underglow.snapshot import Snapshot
from underglow.table import Table
from underglow.themes import DEFAULT

H01, H02, H03, H04, H09, H15 = ROW
EVERYWHERE = frozenset(space.id for space in BOARD.spaces)
STEPS = 600
"""A game takes fewer."""


def crossing(folder: Path, *deaf: str, laid: bool = True) -> Sensed:
    sensed = Sensed(folder, "crossing", 0, SetUp(), Crossing(), laid=laid)
    deafen(sensed, *deaf)
    return sensed


def deafen(sensed: Sensed, *places: str) -> None:
    sensed.table.deafen(frozenset(places))
    sensed.table.tick()


def texts(sensed: Sensed) -> list[str]:
    return [choice["text"] for choice in sensed.snapshot["choices"]]


def choose(sensed: Sensed, text: str) -> None:
    snapshot = sensed.snapshot
    sensed.table.choose(texts(sensed).index(text), snapshot["number"])
    sensed.table.tick()


# -- one move ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("finish", ["page", "confirm", "help"])
def test_a_move_onto_a_deaf_space_is_finished_by_word(tmp_path: Path, finish: str) -> None:
    sensed = crossing(tmp_path, H02, H03)
    assert texts(sensed) == []  # its lift is felt: it is not asked about before
    sensed.lift("ann", 60)
    assert texts(sensed) == ["ann to h02", "ann to h03"]
    sensed.place("ann", H02, 400)
    assert (sensed.understood, sensed.table.steps) == ("in_hand", 0)
    if finish == "page":
        choose(sensed, "ann to h02")
    else:
        sensed.table.take(Pressed(wire.HELP))
        if finish == "help":
            sensed.table.take(Pressed(wire.HELP))
        sensed.table.take(Pressed(wire.CONFIRM))
    sensed.rest(60)
    assert (sensed.understood, sensed.table.state.ann) == ("settled", 2 if finish == "help" else 1)


def test_a_move_off_a_deaf_space_is_felt_where_it_ends(tmp_path: Path) -> None:
    sensed = crossing(tmp_path, H01)
    sensed.lift("ann", 60)
    assert sensed.understood == "settled"
    sensed.place("ann", H03, 400)
    assert (sensed.understood, sensed.table.state.ann) == ("settled", 2)


def test_a_move_between_deaf_spaces_is_a_choice(tmp_path: Path) -> None:
    sensed = crossing(tmp_path, H01, H02)
    assert texts(sensed) == ["ann to h02"]
    choose(sensed, "ann to h02")
    sensed.rest(60)
    assert (sensed.understood, sensed.table.state.ann) == ("settled", 1)


@pytest.mark.parametrize("deaf", [H01, H02], ids=["from", "onto"])
def test_a_step_is_taken_back_from_and_onto_deaf_spaces(tmp_path: Path, deaf: str) -> None:
    sensed = crossing(tmp_path, deaf)
    sensed.lift("ann", 60)
    sensed.place("ann", H02, 400)
    if deaf == H02:
        choose(sensed, "ann to h02")
    assert sensed.table.state.ann == 1
    sensed.table.undo(sensed.snapshot["number"])
    sensed.rest(60)
    assert (sensed.snapshot["prompt"], sensed.table.steps) == ("Put the Ann back on h01.", 0)
    sensed.lift("ann", 60)
    sensed.place("ann", H01, 400)
    assert (sensed.understood, sensed.table.steps) == ("settled", 0)


# -- a sensor that breaks ----------------------------------------------------------------------------------------------


def test_a_magnet_that_never_leaves_stops_a_game_until_its_place_is_deaf(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.place(FOREIGN, "h20", 400)
    sensed.lift("ann", 60)
    sensed.place("ann", H04, 400)
    assert (sensed.understood, sensed.table.steps) == ("repair", 0)
    deafen(sensed, "h20")
    sensed.rest(60)
    assert (sensed.understood, sensed.table.steps) == ("settled", 1)  # at once: what hands did is understood now
    sensed.lift("bob", 60)
    sensed.place("bob", H09, 400)
    assert sensed.table.steps == 2
    deafen(sensed)
    sensed.rest(400)
    assert (sensed.understood, sensed.snapshot["understood"]["extra"]) == ("repair", ["h20"])


def test_a_place_becomes_deaf_while_the_table_runs(play: Play) -> None:
    play.board.place("h20", FOREIGN)
    play.until(lambda: play.understood == "repair")
    play.table.deafen(frozenset({"h20"}))
    play.until(lambda: play.understood == "settled")


def test_a_sensor_that_dies_under_a_figure_does_not_lift_it(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    sensed.lift("ann", 400)  # to the table, that is the same
    assert sensed.understood == "in_hand"
    deafen(sensed, H01)
    assert sensed.understood == "settled"


def test_at_the_start_only_what_can_be_felt_is_laid_out(tmp_path: Path) -> None:
    sensed = crossing(tmp_path, laid=False)
    sensed.rest(100)
    assert sensed.snapshot["prompt"] == "Put the Ann on h01. 1 more comes after that, in any order."
    deafen(sensed, H01)
    assert sensed.snapshot["prompt"] == "Put the Bob on h15."
    sensed.place("bob", H15, 60)
    assert sensed.understood == "settled"


def test_after_the_end_a_place_that_becomes_deaf_asks_nobody_to_tidy_up(tmp_path: Path) -> None:
    sensed = crossing(tmp_path)
    for token, space in (("ann", H04), ("bob", H03), ("ann", H15)):
        sensed.lift(token, 60)
        sensed.place(token, space, 400)
    assert sensed.snapshot["outcome"]
    deafen(sensed, H15)
    assert sensed.understood == "settled"


# -- what the game moves -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deaf", [("h01",), ("h02",), ("h01", "h02")], ids=["from", "onto", "both"])
def test_nobody_is_waited_for_who_carries_from_or_onto_a_deaf_space(tmp_path: Path, deaf: tuple[str, ...]) -> None:
    sensed = Sensed(tmp_path, "shifting", 0, SetUp(), Shifting({"clay": "h01"}, [("clay", "h01", "h02")]))
    deafen(sensed, *deaf)
    sensed.lift("ann", 60)
    sensed.place("ann", "h30", 400)
    assert sensed.table.steps == 1
    if len(deaf) == 1:
        assert sensed.snapshot["prompt"] == "Put the Clay on h02."
        sensed.lift("clay", 60)
        sensed.place("clay", "h02", 60)
    assert sensed.understood == "settled"


# -- readers -----------------------------------------------------------------------------------------------------------


def test_a_deaf_reader_is_neither_believed_nor_a_fault(tmp_path: Path) -> None:
    sensed = Sensed(tmp_path, "cinder-wells", 1, cards("cinder-wells"))
    deaf, sound = (sensed.overlay[zone] for zone in ("move", "attack"))
    action = next(a for a in sensed.game.legal(sensed.table.state) if (a.verb, a.args[0]) == ("play", "attack"))
    uid = next(uid for uid, token in sensed.set_up.tags.items() if token == action.hands[0].token)
    assert sensed.snapshot["choices"] == []
    tag, nothing = frozenset({uid}), frozenset[bytes]()
    # It holds a tag that the other reads now, so that this one may not have it.
    heard = {deaf: Reading(tag, tag, Text("hangs")), sound: Reading(nothing, tag, Text(""))}
    deafen(sensed, deaf)
    assert {place for choice in sensed.snapshot["choices"] for place in choice["at"]} == {deaf}
    sensed.table.take(Tagged(tuple(heard.get(place, Reading(nothing, nothing, Text(""))) for place in BOARD.readers)))
    assert [record.entry for record in sensed.journal.records] == [Step.of(action)]
    assert (sensed.understood, sensed.snapshot["faults"]) == ("settled", [])
    deafen(sensed)
    assert sensed.snapshot["faults"] == [f"The reader under {deaf} hangs."]


# -- whole games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "seats"), [("cinder-wells", 1), ("lamp-alley", 2)])
def test_a_game_is_played_to_its_end_by_word_alone_when_every_sensor_is_deaf(
    board: Bench, tmp_path: Path, scenario: str, seats: int
) -> None:
    play = Play(board, tmp_path, 5, SetUp(), scenario, seats, deaf=EVERYWHERE)
    try:
        rng = Rng(5)
        while not play.snapshot["outcome"]:
            assert play.snapshot["steps"] < STEPS
            state = play.table.state
            action, rng = BOTS["greedy"].choose(play.game, state, play.snapshot["turn"][0], rng)
            play.choose(play.game.describe(state, action))
            assert (play.understood, play.snapshot["moves"]) == ("settled", [])
    finally:
        play.end()


# -- any hands ---------------------------------------------------------------------------------------------------------

SPACES = [*ROW, "h20", "z1"]
NOISE = st.sets(st.sampled_from(SPACES))


@settings(max_examples=150)
@given(st.sets(st.sampled_from(SPACES)), st.lists(st.tuples(NOISE, NOISE, st.sampled_from([0.05, 0.3])), max_size=12))
def test_what_deaf_sensors_say_changes_no_verdict(deaf: set[str], felt: list[tuple[set[str], set[str], float]]) -> None:
    tables = [Clocked(deaf), Clocked(deaf)]
    for spaces, noise, pause_s in [({H01, H15}, deaf, 0.3), *felt]:
        told = tables[0].feel(spaces, pause_s)
        assert tables[1].feel((spaces - deaf) | (noise & deaf), pause_s) == told
        understood = told["understood"]
        assert deaf.isdisjoint([*understood["extra"], *(there["space"] for there in understood["missing"])])


class Clocked:
    """A table of two walkers on a clock of its own."""

    def __init__(self, deaf: set[str]) -> None:
        game = cast("Game[Any, Any]", Crossing())
        history = History(game, game.setup(game, 2, Rng(0)), 2)
        self._now_s = 0.0
        link = Unplugged("no port", BOARD)
        self._table = Table(
            game, game, history, BOARD, link, Unwritten(), DEFAULT, SetUp(), lambda: self._now_s, frozenset(deaf)
        )

    def feel(self, spaces: set[str], pause_s: float) -> Snapshot:
        """Let magnets be felt there, and time pass."""
        self._table.take(Occupied(frozenset(s for s, space in BOARD.space_of_sensor.items() if space in spaces)))
        self._now_s += pause_s
        self._table.tick()
        return self._table.snapshot()
