from __future__ import annotations

from pathlib import Path

import pytest

from underglow import games
from underglow.games.contract import Game


def test_games_and_scenarios_are_found_by_listing() -> None:
    assert "mandalorian" in games.names()
    assert "cinder-wells" in games.scenarios("mandalorian")
    for name in games.names():
        game = games.load(name)
        for scenario in games.scenarios(name):
            assert game.load(games.scenario_path(name, scenario)).id == scenario


def test_every_game_offers_the_whole_contract() -> None:
    offered = {name for name in vars(Game) if not name.startswith("_")}
    assert len(offered) > 10
    for name in games.names():
        game = games.load(name)
        assert [word for word in sorted(offered) if not callable(getattr(game, word, None))] == []


@pytest.mark.parametrize("name", ["chess", "", "contract", "../games/mandalorian", "__pycache__"])
def test_an_unknown_game_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(games.UnknownGame, match=r"There is no game .*; there is .*mandalorian"):
        games.load(name)
    with pytest.raises(games.UnknownGame, match="mandalorian"):
        games.scenarios(name)


def test_an_unknown_scenario_is_refused_with_those_there_are() -> None:
    with pytest.raises(games.UnknownScenario, match=r"mandalorian has no scenario 'atlantis'; there is .*cinder-wells"):
        games.scenario_path("mandalorian", "atlantis")


def test_a_scenario_of_ones_own_is_named_by_its_path() -> None:
    assert games.scenario_path("mandalorian", "mine/here.toml") == Path("mine/here.toml")
