"""The keeper: real games, journals and counters; only the board and the clock are played."""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from keeping import BOARD, HARBOUR, WELLS, House

from underglow import games, wire
from underglow.journal import Journal
from underglow.kiosk import keeper as keepers
from underglow.kiosk.attendant import Phase, Times
from underglow.kiosk.offers import offers
from underglow.kiosk.service import Service
from underglow.languages import Text
from underglow.link import Down
from underglow.session import Pressed, Up

TIMES = Times()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House.open(tmp_path)
    yield house
    house.keeper.end()


def begin(house: House, seats: int = 1) -> None:
    house.keeper.posts.touch()
    house.keeper.posts.begin("mandalorian", "cinder-wells", seats)
    house.phase(Phase.PLAYING)


def journals(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sqlite"))


def test_every_scenario_laid_over_this_board_is_offered_and_no_other() -> None:
    found = {(offer.game, offer.scenario) for offer in offers(BOARD)}
    there = {(game, name) for game in games.names() for name in games.scenarios(game)}
    fitting = set[tuple[str, str]]()
    for game, name in there:
        scenario: Any = games.load(game).load(games.scenario_path(game, name))
        try:
            scenario.overlay(BOARD.name)
        except KeyError:
            continue
        fitting.add((game, name))
    assert found == fitting
    assert fitting


def test_a_scenario_that_can_not_even_be_loaded_costs_itself_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: Path) -> None:
        raise RuntimeError(path)

    monkeypatch.setattr(games.load("labyrinth"), "load", broken)
    assert {offer.game for offer in offers(BOARD)} == {"mandalorian"}


def test_bots_play_whole_games_with_words_and_lights_and_write_nothing_down(house: House) -> None:
    house.until(lambda: house.snapshot["steps"] > 5)
    assert len(house.snapshot["log"]) > 5
    assert house.snapshot["understood"]["kind"] == "settled"
    assert {effect for effect, *_ in house.snapshot["lamps"]} != {"off"}
    house.until(lambda: house.counted("attract_games_total") == "2")
    assert house.attendant.phase is Phase.ATTRACT
    assert journals(house.folder) == []


def test_bots_play_at_a_pace_that_people_can_follow(house: House) -> None:
    house.until(lambda: house.snapshot["steps"] == 1)
    began_s, steps = house.link.clock_s, 40
    house.until(lambda: house.snapshot["steps"] == steps)
    assert 1.4 < (house.link.clock_s - began_s) / (steps - 1) < 8


def test_any_token_any_button_and_any_page_stops_the_demo(tmp_path: Path) -> None:
    for number, touch in enumerate(["token", "button", "page"]):
        house = House.open(tmp_path / str(number))
        house.feel("h30")  # stands there since before
        assert house.attendant.phase is Phase.ATTRACT
        match touch:
            case "token":
                house.feel()
            case "button":
                house.link.happen.append(Pressed(wire.HELP))
            case _:
                house.keeper.posts.touch()
        house.turns(2)
        assert house.attendant.phase is Phase.CHOOSING, touch
        house.keeper.end()


def test_a_board_that_comes_back_is_no_touch(house: House) -> None:
    house.feel("h30")
    house.link.happen += [Down(Text("the cable was pulled")), Up("0.0.0", 2)]
    house.feel("h30", "h31")
    assert house.attendant.phase is Phase.ATTRACT
    assert house.counted("reconnects_total") == "1"


def test_a_game_that_was_left_is_offered_and_goes_on_where_it_was(house: House) -> None:
    begin(house)
    house.feel("h30")
    for _ in range(3):
        house.choose_first()
    state = house.keeper.table.state
    assert house.snapshot["steps"] > 0
    house.phase(Phase.CHOOSING)
    assert house.attendant.kept
    assert house.counted("games_ended_total") == "1"
    house.phase(Phase.ATTRACT)
    house.keeper.posts.touch()
    house.phase(Phase.CHOOSING)
    house.keeper.posts.go_on()
    house.phase(Phase.PLAYING)
    assert house.keeper.table.state == state


def test_an_unfinished_game_survives_the_program_and_is_only_offered(house: House) -> None:
    begin(house)
    house.feel("h30")
    house.choose_first()
    state = house.keeper.table.state
    house.keeper.end()
    again = House.open(house.folder)
    assert again.attendant.phase is Phase.CHOOSING
    assert again.attendant.kept
    again.keeper.posts.go_on()
    again.phase(Phase.PLAYING)
    assert again.keeper.table.state == state
    again.keeper.end()
    (path,) = journals(house.folder)
    long_ago = time.time() - TIMES.keep_s - 1
    for file in house.folder.glob(path.name + "*"):
        os.utime(file, (long_ago, long_ago))
    late = House.open(house.folder)
    assert late.attendant.kept is None
    late.keeper.end()


def test_a_journal_that_can_not_be_read_again_is_not_offered_or_passed_over(house: House) -> None:
    begin(house)
    house.feel("h30")
    house.choose_first()
    house.keeper.posts.leave()
    house.phase(Phase.CHOOSING)
    (path,) = journals(house.folder)
    path.write_bytes(b"no journal at all")
    house.keeper.posts.go_on()
    house.turns(3)
    assert house.attendant.phase is Phase.CHOOSING
    again = House.open(house.folder)
    assert again.attendant.kept is None
    again.keeper.end()


def test_a_full_disk_is_a_sentence_and_the_game_is_kept(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(house)
    house.feel("h30")
    house.choose_first()
    steps = house.snapshot["steps"]

    def full(self: Journal, number: int, body: str) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as disk:
        disk.setattr(Journal, "_append", full)
        (house.folder / "probe").mkdir()  # in the way, as a disk without room is
        house.choose_first()
        assert house.attendant.phase is Phase.SAFE
        assert "disk is full" in house.attendant.told(house.link.clock_s)["says"][0]
        house.turns(1000)
        assert house.attendant.phase is Phase.SAFE
    (house.folder / "probe").rmdir()
    house.phase(Phase.CHOOSING)
    assert house.attendant.kept
    assert house.attendant.kept.steps == steps
    assert house.counted("faults_total") == "1"


def test_a_scenario_that_breaks_down_costs_itself_and_not_the_table(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(house)

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(games.load("mandalorian"), "cues", broken)
    house.feel("h30")
    assert house.attendant.phase is Phase.SAFE
    assert house.attendant.told(house.link.clock_s)["says"][0].startswith("Cinder Wells broke down")
    monkeypatch.undo()
    house.phase(Phase.CHOOSING)
    assert house.attendant.offers == (HARBOUR,)
    house.phase(Phase.ATTRACT)
    assert house.snapshot["title"] == "Salt Harbour"


def test_a_board_that_is_not_there_at_all_is_a_sentence(tmp_path: Path) -> None:
    house = House.open(tmp_path, WELLS)
    house.link.happen.append(Down(Text("the cable was pulled")))
    house.phase(Phase.SAFE)
    assert house.attendant.told(house.link.clock_s)["says"] == ["the cable was pulled"]
    house.link.happen.append(Up("0.0.0", 2))
    house.phase(Phase.ATTRACT)
    house.keeper.end()


def test_old_journals_do_not_fill_the_disk(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keepers, "JOURNALS", 2)
    for _ in range(5):
        begin(house)
        house.feel("h30")
        house.choose_first()
        house.keeper.posts.leave()
        house.phase(Phase.CHOOSING)
    assert len(journals(house.folder)) == 3  # two, and the one being played
    assert house.attendant.kept
    assert house.attendant.kept.journal == journals(house.folder)[-1]


def test_the_watchdog_hears_of_a_table_that_goes_round_and_not_of_a_page_that_hangs(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.setblocking(False)
        house = House.open(tmp_path, service=Service({"NOTIFY_SOCKET": str(tmp_path / "notify")}))
        assert ear.recv(99) == b"READY=1"
        assert ear.recv(99) == b"WATCHDOG=1"  # the first; the page is not even served yet
        house.turns(300)
        with pytest.raises(BlockingIOError):
            ear.recv(99)
        house.keeper.kiosk.start()
        for _ in range(300):
            house.turns(1)
            time.sleep(0.001)  # the page's thread has a turn, too
        assert ear.recv(99) == b"WATCHDOG=1"
        house.keeper.kiosk.stop()
        house.keeper.end()


def test_at_night_it_ends_by_itself_once_nobody_is_there(tmp_path: Path) -> None:
    house = House.open(tmp_path, restart_s=1000)
    house.keeper.end()
    house.link.happen.append(Up("0.0.0", 1))
    house.keeper.run()
    assert house.link.clock_s >= 1000
