"""The figure of the rules' speed: both games really played, on one clock."""

from __future__ import annotations

import json

import pytest

from underglow import games
from underglow.bench import rules


def test_every_scenario_is_timed_against_chess(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rules, "_ROUNDS", 2)
    monkeypatch.setattr(rules, "_SLICE_S", 0.02)
    rules.show(rules.measure(), as_json=True)
    paces = json.loads(capsys.readouterr().out)
    assert [pace["scenario"] for pace in paces] == [name for game in games.names() for name in games.scenarios(game)]
    for pace in paces:
        assert set(pace) == {"scenario", "steps_per_s", "chess_plies_per_s", "ratio"}
        assert pace["ratio"] == pytest.approx(pace["steps_per_s"] / pace["chess_plies_per_s"], rel=0.01)
        assert pace["steps_per_s"] > 1000
        assert 1000 < pace["chess_plies_per_s"] < 1_000_000


def test_a_table_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    rules.show([rules.Pace("cinder-wells", 30_000, 25_000, 1.2)], as_json=False)
    assert "cinder-wells │ 30000   │ 25000         │ 1.20" in capsys.readouterr().out
