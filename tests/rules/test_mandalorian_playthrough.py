from __future__ import annotations

import pytest
from playthrough import DIGEST, FOLDER, GAMES, playthrough

from underglow.games.mandalorian.state import State


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_as_it_went(name: str) -> None:
    now, then = playthrough(*GAMES[name]), (FOLDER / name).read_text()
    assert now.splitlines() == then.splitlines(), "run `python tests/rules/playthrough.py` and look at the difference"


@pytest.mark.parametrize("name", GAMES)
def test_the_states_in_the_file_can_be_read(name: str) -> None:
    scenario = GAMES[name][0]
    written = (FOLDER / name).read_text().replace(DIGEST, scenario.digest)
    texts = [line for line in written.splitlines() if line.startswith("{")]
    assert len(texts) > 5
    for text in texts:
        assert State.from_json(text, scenario).to_json() == text
