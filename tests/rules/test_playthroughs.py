from __future__ import annotations

from typing import Any, cast

import pytest
from playthrough import DIGEST, FOLDER, PLAYTHROUGHS

from underglow import games
from underglow.rng import Rng

of_each = pytest.mark.parametrize("name", PLAYTHROUGHS)


@of_each
def test_a_game_goes_as_it_went(name: str) -> None:
    now, then = PLAYTHROUGHS[name].text(), (FOLDER / name).read_text()
    assert now.splitlines() == then.splitlines(), "run `python tests/rules/playthrough.py` and look at the difference"


@of_each
def test_the_states_in_the_file_can_be_read(name: str) -> None:
    played = PLAYTHROUGHS[name]
    state = games.load(played.game).setup(played.scenario, played.seats, Rng(0))
    text_form = cast("Any", type(state))
    written = (FOLDER / name).read_text().replace(DIGEST, played.scenario.digest)
    texts = [line for line in written.splitlines() if line.startswith("{")]
    assert len(texts) > 5
    for text in texts:
        assert text_form.from_json(text, played.scenario).to_json() == text


@pytest.mark.parametrize("game", sorted({played.game for played in PLAYTHROUGHS.values()}))
def test_whatever_is_offered_in_the_playthroughs_of_a_game_is_done_in_one_of_them(game: str) -> None:
    offered, done = set[str](), set[str]()
    for played in PLAYTHROUGHS.values():
        if played.game == game:
            for before, action, *_ in played.walk():
                offered |= {choice.verb for choice in games.load(game).legal(before)}
                done.add(action.verb)
    assert offered == done


def test_no_file_is_left_of_a_game_that_is_not_played() -> None:
    assert {file.name for file in FOLDER.glob("*.txt")} == set(PLAYTHROUGHS)
