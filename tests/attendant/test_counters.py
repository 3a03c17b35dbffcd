"""What a table counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underglow.kiosk.counters import METRICS, STUCK_CHANGES, STUCK_S, Counters, Sensors


def test_counts_outlive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "state" / "counters.json"
    first = Counters(path)
    first.add("games_ended_total", outcome="won", game="mandalorian")
    first.add("game_seconds_total", 61.5)
    first.save()
    again = Counters(path)
    again.add("games_ended_total", outcome="won", game="mandalorian")
    assert 'underglow_games_ended_total{game="mandalorian",outcome="won"} 2\n' in again.text()
    assert "underglow_game_seconds_total 61.5\n" in again.text()


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"a": "b"}', "\xff"])
def test_a_damaged_file_starts_them_anew(tmp_path: Path, text: str) -> None:
    path = tmp_path / "counters.json"
    path.write_text(text, encoding="latin-1")
    counters = Counters(path)
    counters.add("starts_total")
    counters.save()
    assert "underglow_starts_total 1\n" in Counters(path).text()


def test_a_full_disk_keeps_the_old_file(tmp_path: Path) -> None:
    counters = Counters(tmp_path / "counters.json")
    counters.add("starts_total")
    counters.save()
    (tmp_path / "counters.json.new").mkdir()  # in the way, as a disk without room is
    counters.add("starts_total")
    with pytest.raises(OSError, match=r"counters\.json\.new"):
        counters.save()
    assert "underglow_starts_total 1\n" in Counters(tmp_path / "counters.json").text()


def test_no_other_metric_can_be_counted(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        Counters(tmp_path / "c").add("players_total")


@given(game=st.text(max_size=8))
def test_every_line_is_prometheus_text(tmp_path_factory: pytest.TempPathFactory, game: str) -> None:
    counters = Counters(tmp_path_factory.getbasetemp() / "none")
    counters.add("games_begun_total", game=game)
    counters.put("sensors_stuck", 2)
    lines = counters.text().removesuffix("\n").split("\n")
    assert sum(line.startswith("# TYPE") for line in lines) == len(METRICS)
    sample = r'underglow_[a-z_]+(\{[a-z]+="(?:[^"\\\n]|\\.)*"(,[a-z]+="[^"]*")*\})? [0-9.e+]+'
    assert [line for line in lines if not line.startswith("# ") and not re.fullmatch(sample, line)] == []
    assert "underglow_sensors_stuck 2" in lines


def test_a_sensor_that_feels_something_all_day_while_others_change_is_stuck() -> None:
    sensors = Sensors()
    for hour in range(10):
        for move in range(STUCK_CHANGES):
            sensors.feel(frozenset({7, move % 2}), 3600.0 * hour)
    assert sensors.stuck(STUCK_S) == [7]
    sensors.feel(frozenset({0}), STUCK_S)
    assert sensors.stuck(STUCK_S) == []


def test_a_figure_that_nobody_touches_over_night_is_not_stuck() -> None:
    sensors = Sensors()
    sensors.feel(frozenset({7}), 0)
    assert sensors.stuck(10 * STUCK_S) == []
