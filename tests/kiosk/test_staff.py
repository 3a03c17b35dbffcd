"""What staff see and do, at a table that a real keeper runs on a simulated board."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tended import BOARD, HARBOUR, WELLS, Tended, tended
from visiting import Visitor

from underglow import wire
from underglow.bench.vm import Bench
from underglow.kiosk import self_test, settings
from underglow.kiosk.attendant import Phase
from underglow.kiosk.service import Service
from underglow.kiosk.settings import Settings
from underglow.session import Picture, Program


@pytest.fixture
def table(tmp_path: Path, board: Bench) -> Iterator[Tended]:
    board.unplug()
    with tended(tmp_path, board) as table:
        table.enter()
        board.replug()
        table.table().hear("door", lambda door: door["is"] == "shut")
        yield table


@pytest.fixture
def page(table: Tended) -> Visitor:
    return table.staff()


def wait(done: Any, timeout_s: float = 10) -> None:
    until_s = time.monotonic() + timeout_s
    while not done():
        assert time.monotonic() < until_s
        time.sleep(0.02)


def settled(page: Visitor, **wanted: Any) -> Any:
    return page.hear("settled", lambda told: all(told[name] == value for name, value in wanted.items()), 10)


def solid(*colour: int) -> Picture:
    return ((Program(wire.SOLID, *colour), tuple(range(len(BOARD.lamps)))),)


def phase(page: Visitor, wanted: Phase) -> None:
    settled(page, phase=wanted.value)


def findings(page: Visitor) -> dict[str, tuple[bool | None, str]]:
    """The findings of a self-test that has come to its end or its question."""
    told = page.hear("test", lambda test: test["asks"] or all(f["passed"] is not None for f in test["findings"]), 20)
    return {finding["about"]: (finding["passed"], finding["says"]) for finding in told["findings"]}


def test_health_is_told_live(table: Tended, page: Visitor) -> None:
    told = page.hear("health", lambda health: health["scans_per_s"] and health["beat_p50_ms"])
    assert (told["up"], told["title"], told["port"]) == (True, BOARD.title, table.board.port)
    assert told["scans_per_s"] > 100
    assert 0 < told["beat_p50_ms"] <= told["beat_p95_ms"]
    assert told["cap_ma"] == BOARD.power.cap_ma
    table.board.place("h19", "magnet")
    page.hear("health", lambda health: [one["space"] for one in health["sensors"] if one["felt"]] == ["h19"])
    table.board.equip("tag", magnet=False, uid=bytes.fromhex("04A1B2C3"))
    table.board.place("z2", "tag")
    page.hear("health", lambda health: health["readers"][1]["uids"] == ["04 a1 b2 c3"])


def test_nothing_of_a_game_is_on_the_staff_s_socket(table: Tended, page: Visitor) -> None:
    page.say({"start": ["mandalorian", "cinder-wells", 2]})
    phase(page, Phase.PLAYING)
    for _ in range(3):
        page.hear("health")
    for text in page.heard:
        assert not any(f'"{key}"' in text for key in ("hand", "deck", "view", "choices", "log", "seed"))


def test_theme_and_brightness_are_on_the_board_at_once_and_after_a_restart(
    table: Tended, page: Visitor, tmp_path: Path
) -> None:
    page.say({"start": ["mandalorian", "cinder-wells", 1]})
    phase(page, Phase.PLAYING)
    before = table.keeper.table
    lamps = table.keeper.link.session.programs
    page.say({"theme": "colour-safe"})
    settled(page, theme="colour-safe")
    wait(lambda: table.keeper.link.session.programs != lamps)
    table.keeper.link.cover(solid(0, 255, 0))
    wait(lambda: {green for _, green, _ in table.board.pixels().pixels} == {255})
    page.say({"brightness": 20})
    settled(page, brightness=20)
    wait(lambda: {green for _, green, _ in table.board.pixels().pixels} <= {50, 51, 52})
    assert table.keeper.table is before
    session = table.keeper.link.session
    wait(lambda: session.status and session.status.lamps_crc == wire.picture_crc(bytearray(session.programs), 51))
    assert settings.load(tmp_path / "settings.json", Settings("default"), BOARD) == Settings("colour-safe", 20)


def test_what_is_settled_holds_after_a_restart(tmp_path: Path) -> None:
    kept = Settings("colour-safe", 20, frozenset({("mandalorian", "salt-harbour")}), frozenset({"h07"}))
    settings.save(tmp_path / "settings.json", kept)
    with tended(tmp_path) as table:
        table.enter()
        told = settled(table.staff(), theme="colour-safe", brightness=20, deaf=["h07"])
        assert [offer["offered"] for offer in told["offers"]] == [True, False]
        offers = table.table().hear("attendant", lambda said: said["offers"])["offers"]
        assert [offer["scenario"] for offer in offers] == ["cinder-wells"]


def test_a_scenario_is_withheld_and_offered_again_but_never_the_last(table: Tended, page: Visitor) -> None:
    people = table.table()
    page.say({"offer": ["mandalorian", "cinder-wells", False]})
    people.hear("attendant", lambda said: [offer["title"] for offer in said["offers"]] == [HARBOUR.title])
    page.say({"offer": ["mandalorian", "salt-harbour", False]})
    page.hear("says", lambda says: says == "One game at least has to be offered.")
    page.say({"offer": ["mandalorian", "cinder-wells", True]})
    people.hear("attendant", lambda said: [offer["title"] for offer in said["offers"]] == [WELLS.title, HARBOUR.title])


def test_a_game_is_begun_now_and_the_one_before_is_kept(table: Tended, page: Visitor) -> None:
    page.say({"start": ["mandalorian", "cinder-wells", 1]})
    phase(page, Phase.PLAYING)
    people = table.table()
    shown = people.hear("table", lambda table: table["choices"])
    people.say({"choose": shown["choices"][0]["index"], "number": shown["number"]})
    people.hear("table", lambda table: table["history"]["played"])
    page.say({"start": ["mandalorian", "salt-harbour", 2]})
    people.hear("table", lambda table: table["title"] == HARBOUR.title)
    said = people.hear("attendant", lambda said: said["unfinished"])
    assert said["unfinished"]["title"] == WELLS.title
    page.say({"start": ["mandalorian", "salt-harbour", 9]})
    page.hear("says", lambda says: says.startswith("That game can't be begun now"))


def test_a_place_is_taken_out_of_service_and_back(table: Tended, page: Visitor) -> None:
    page.say({"start": ["mandalorian", "cinder-wells", 1]})
    phase(page, Phase.PLAYING)
    people = table.table()
    people.hear("table", lambda told: told["understood"]["extra"] == [])
    table.board.place("h07", "magnet")  # as a switch that sticks
    people.hear("table", lambda told: told["understood"]["extra"] == ["h07"])
    page.say({"deafen": ["h07", True]})
    settled(page, deaf=["h07"])
    people.hear("table", lambda told: told["understood"]["extra"] == [])
    page.say({"deafen": ["nowhere", True]})
    page.say({"deafen": ["h07", False]})
    settled(page, deaf=[])
    people.hear("table", lambda told: told["understood"]["extra"] == ["h07"])


def test_settings_that_the_disk_does_not_take_hold_until_the_next_start(table: Tended, page: Visitor) -> None:
    (table.folder / "settings.json.new").mkdir()
    page.say({"brightness": 30})
    settled(page, brightness=30)
    page.hear("says", lambda says: says.startswith("This holds until the next start only"))


def test_where_nobody_would_start_it_again_restart_says_so(table: Tended, page: Visitor) -> None:
    page.say({"restart": True})
    page.hear("says", lambda says: says.startswith("Nobody would start this program again"))
    assert table.thread.is_alive()


def test_restart_ends_the_program_for_systemd(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        with tended(tmp_path, service=Service({"NOTIFY_SOCKET": str(tmp_path / "notify")})) as table:
            table.enter()
            table.staff().say({"restart": True})
            table.thread.join(10)
            assert not table.thread.is_alive()


def test_the_time_at_the_cap_is_counted_on_the_board(table: Tended, page: Visitor) -> None:
    table.keeper.link.cover(solid(255, 255, 255))
    page.hear("health", lambda health: health["at_cap_s"] > 0.4)
    assert table.counted("cap_seconds_total") > 0.4


def test_the_self_test_passes_on_a_sound_board_and_a_person_tells_of_the_lamps(
    table: Tended, page: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(self_test, "COLOUR_S", 0.3)
    table.gesture()
    page.hear("health", lambda health: health["test_light"])
    page.say({"examine": True})
    hidden = findings(page)["lamps"]
    assert hidden == (
        False,
        "The board's test light hides the lamps: hold its three buttons once more, and test again.",
    )
    table.gesture()
    page.hear("health", lambda health: not health["test_light"])
    shown = table.board.pixels().number
    page.say({"examine": True})
    asked = page.hear("test", lambda test: test["asks"], 20)["findings"]
    assert [finding["passed"] for finding in asked] == [True] * (len(asked) - 1) + [None]
    assert {finding["about"] for finding in asked} == {"board", "readers", "sensors", "journals", "beat", "lamps"}
    frames = [frame.pixels for frame in table.board.frames_since(shown)]
    for seen in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)):
        assert any({tuple(int(channel > 0) for channel in pixel) for pixel in frame} == {seen} for frame in frames)
    page.say({"seen": True})
    assert findings(page)["lamps"][0] is True
    page.say({"seen": False})  # that was answered already
    page.say({"examine": True})
    page.hear("test", lambda test: test["asks"], 20)
    page.say({"seen": False})
    assert findings(page)["lamps"][0] is False


def test_the_self_test_names_a_reader_that_does_not_answer_and_a_folder_that_takes_nothing(
    table: Tended, page: Visitor
) -> None:
    table.board.hang("z3", deaf=True)
    ill = page.hear("health", lambda health: health["readers"][2]["fault"], 20)["readers"][2]
    assert ill["place"] == "z3"
    (table.folder / "probe").mkdir()  # in the way, as a disk without room is
    page.say({"examine": True})
    found = findings(page)
    assert found["readers"] == (False, f"The NFC reader at z3 {ill['fault']}: look at its cable.")
    assert found["journals"][0] is False


def test_the_self_test_of_a_board_that_is_away_says_so(tmp_path: Path) -> None:
    with tended(tmp_path) as table:
        table.enter()
        page = table.staff()
        page.say({"examine": True})
        found = findings(page)
        assert found["board"] == (
            False,
            "The board is away. /dev/nowhere: there is no such port; is the board plugged in?",
        )
        assert "beat" not in found
