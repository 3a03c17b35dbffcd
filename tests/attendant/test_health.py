"""Health: figures of a board, from what the link reports of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from underglow import profile
from underglow.bench.attract import Sped
from underglow.kiosk.counters import Counters
from underglow.kiosk.health import Health, Told
from underglow.languages import Text
from underglow.link import Down
from underglow.session import Occupied, Reading, Tagged, Up
from underglow.wire import Status

BOARD = profile.load("hex48")
CAP_MA = BOARD.power.cap_ma
WRAP = 1 << 30
QUIET = Reading(frozenset(), frozenset(), Text(""))


class Watched:
    """The health of a board that says what a test lets it say."""

    def __init__(self, folder: Path) -> None:
        self.link = Sped(BOARD)
        self.counters = Counters(folder / "counters.json")
        self.health = Health(BOARD, self.counters)
        self.health.hear(Up("1.2.3", 0xABCD), 0)

    def status(self, now_s: float, *, scans: int = 0, frames: int = 0, load_ma: int = 0, skipped: int = 0) -> None:
        self.link.session.status = Status(1, 0, 0, 0, 0, 0, scans % WRAP, frames % WRAP, skipped, load_ma)
        self.health.look(self.link, now_s)

    def told(self, now_s: float) -> Told:
        return self.health.told(self.link, now_s)


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


def test_rates_are_of_the_last_seconds_and_survive_the_wrap(watched: Watched) -> None:
    assert watched.told(0)["scans_per_s"] is None
    for beat in range(60):
        now_s = beat / 4
        scans = WRAP - 3000 + (100 if now_s <= 5 else 800) * now_s
        watched.status(now_s, scans=int(scans), frames=int(WRAP - 300 + 60 * now_s))
        watched.health.look(watched.link, now_s + 0.1)  # the same status again is no news
    told = watched.told(15)
    assert told["scans_per_s"] == pytest.approx(800, rel=0.01)
    assert told["frames_per_s"] == pytest.approx(60, rel=0.01)


def test_a_board_that_starts_anew_has_no_rate_before_it_has_counted(watched: Watched) -> None:
    watched.status(0, scans=900_000)
    watched.status(1, scans=901_000)
    watched.health.hear(Down(Text("the cable was pulled")), 1.5)
    assert watched.told(2)["scans_per_s"] is None
    assert watched.told(2)["says"] == "the cable was pulled"
    watched.health.hear(Up("1.2.3", 0xABCE), 3)
    watched.status(3, scans=10)
    assert watched.told(3)["scans_per_s"] is None
    watched.status(4, scans=860)
    assert watched.told(4)["scans_per_s"] == 850
    assert watched.told(4)["boot"] == "0000abce"


def test_the_time_at_the_cap_is_counted_and_only_that(watched: Watched) -> None:
    loads = [100, CAP_MA, CAP_MA, round(CAP_MA * 0.995), 100, round(CAP_MA * 0.97), 100]
    for beat, load_ma in enumerate(loads):
        watched.status(beat / 4, load_ma=load_ma)
    told = watched.told(2)
    assert told["at_cap_s"] == pytest.approx(0.5)  # between the three in a row
    assert (told["load_ma"], told["load_most_ma"], told["cap_ma"]) == (100, CAP_MA, CAP_MA)
    assert "underglow_cap_seconds_total 0.5\n" in watched.counters.text()


def test_every_sensor_tells_what_it_feels_how_often_that_changed_and_when(watched: Watched) -> None:
    sensor = BOARD.space("h19").hall
    assert sensor is not None
    watched.health.hear(Occupied(frozenset()), 0)
    for at_s in (1, 2, 3):
        watched.health.hear(Occupied(frozenset({sensor} if at_s != 2 else ())), at_s)
    sensors = {told["space"]: told for told in watched.told(5)["sensors"]}
    assert sensors.keys() == set(BOARD.space_of_sensor.values())
    assert sensors["h19"] == {
        "sensor": sensor, "space": "h19", "felt": True, "changes": 3, "changed_s": 2, "stuck": False,
    }  # fmt: skip
    assert (sensors["h20"]["changes"], sensors["h20"]["changed_s"]) == (0, None)


def test_what_stands_on_the_board_when_it_comes_is_no_change(watched: Watched) -> None:
    watched.health.hear(Occupied(frozenset({3, 4})), 0)
    watched.health.hear(Down(Text("away")), 1)
    watched.health.hear(Up("1.2.3", 2), 2)
    watched.health.hear(Occupied(frozenset({4, 5})), 3)
    assert {told["changes"] for told in watched.told(5)["sensors"]} == {0}


def test_readers_tell_their_uids_and_their_faults(watched: Watched) -> None:
    assert {(reader["fault"], *reader["uids"]) for reader in watched.told(0)["readers"]} == {("",)}
    ill = Reading(frozenset(), frozenset(), Text("does not answer"))
    held = Reading(frozenset({bytes.fromhex("04a1b2c3")}), frozenset(), Text(""))
    watched.health.hear(Tagged((ill, held, *[QUIET] * (len(BOARD.readers) - 2))), 1)
    first, second, *_ = watched.told(1)["readers"]
    assert (first["place"], first["fault"]) == (BOARD.readers[0], "does not answer")
    assert second["uids"] == ["04 a1 b2 c3"]
