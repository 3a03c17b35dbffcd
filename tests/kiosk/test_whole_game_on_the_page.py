"""A whole game on the page alone: every choice and every move is made there, by one way of working it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from screen import Screen
from seated import Keyboard, Mouse, Player, sitting

LAMP_ALLEY = ("lamp-alley", 2, "hex48", 21)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("game", "by"),
    [
        (LAMP_ALLEY, "mouse"),
        (LAMP_ALLEY, "keyboard"),
        (("glass-warren", 2, "hex37-edges", 1), "mouse"),
        (("cinder-wells", 1, "hex48", 8), "mouse"),
        (("salt-harbour", 1, "hex48", 10), "mouse"),
    ],
    ids=lambda given: given if isinstance(given, str) else given[0],
)
def test_a_whole_game_is_played(
    browser: Browser, tmp_path: Path, micropython: list[str], game: tuple[str, int, str, int], by: str
) -> None:
    with sitting(tmp_path, *game) as table:
        screen = Screen(browser, table.address, table.board)
        way = Mouse(screen) if by == "mouse" else Keyboard(screen, dict(table.latest["overlay"]))
        player = Player(table, screen.page, way, 4)
        outcome = player.play()
        expect(screen.page.locator("#turn")).to_have_text("Game over")
        expect(screen.page.locator("#says")).to_have_text(outcome)
        assert min(player.carried, player.on_board, player.from_list) > 4, vars(player)
        assert screen.complaints == []
        screen.page.close()
