"""`underglow bench attract --page` plays for minutes; this is a moment of it."""

from __future__ import annotations

import pytest

from underglow.bench import attract, screen
from underglow.kiosk.attendant import Offer

ALLEY = Offer("labyrinth", "lamp-alley", "Lamp Alley", (2, 3))
WELLS = Offer("mandalorian", "cinder-wells", "Cinder Wells", (1, 2))


@pytest.mark.usefixtures("browser")
def test_a_page_holds_no_more_after_game_upon_game() -> None:
    figures = attract.measure(12, [ALLEY, WELLS], page=True)
    fourth, eighth, twelfth = figures.page.values()
    assert twelfth.nodes == eighth.nodes == fourth.nodes > 200
    assert twelfth.listeners == eighth.listeners == fourth.listeners > 10


def test_so_few_games_that_nothing_comes_round_are_refused() -> None:
    with pytest.raises(ValueError, match="looked at after every 4 games: say --games 8 or more"):
        attract.measure(7, [ALLEY, WELLS], page=True)


def test_without_a_browser_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(screen.NoBrowser, match="install it with  apt-get install chromium"):
        attract.measure(8, [ALLEY, WELLS], page=True)
