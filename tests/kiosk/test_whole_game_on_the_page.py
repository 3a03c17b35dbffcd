"""A whole game on the page alone: every choice and every move is made there, by one way of working it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from screen import Screen
from seated import Keyboard, Mouse, Player, sitting


@pytest.mark.timeout(300)
@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_whole_game_of_lamp_alley_is_played(
    browser: Browser, tmp_path: Path, micropython: list[str], by: str
) -> None:
    with sitting(tmp_path, "lamp-alley", 2, "hex48", 21) as table:
        screen = Screen(browser, table.address, table.board)
        way = Mouse(screen) if by == "mouse" else Keyboard(screen, dict(table.latest["overlay"]))
        player = Player(table, screen.page, way, 4)
        outcome = player.play()
        expect(screen.page.locator("#turn")).to_have_text("Game over")
        expect(screen.page.locator("#says")).to_have_text(outcome)
        assert min(player.carried, player.on_board, player.from_list) > 5, vars(player)
        assert screen.complaints == []
        screen.page.close()
