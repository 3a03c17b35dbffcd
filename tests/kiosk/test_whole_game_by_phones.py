"""A whole game at which each seat chooses on its phone and figures are carried on the table's own page.

What came over each of the three sockets is then searched for what only another may know.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from guests import LAN
from phone import Phone, code_of
from playwright.sync_api import Browser, expect
from screen import Screen
from seated import Phones, Player, Sitting, sitting
from secrecy import searched

SEATS = 2


@pytest.fixture
def phones(browser: Browser) -> Iterator[list[Phone]]:
    pair = [Phone(browser) for _ in range(SEATS)]
    yield pair
    for phone in pair:
        phone.context.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("scenario", "seed"), [("lamp-alley", 7), ("cinder-wells", 36)])
def test_two_phones_and_the_table_s_page_play_a_whole_game(
    browser: Browser, phones: list[Phone], tmp_path: Path, micropython: list[str], scenario: str, seed: int
) -> None:
    with sitting(tmp_path, scenario, SEATS, "hex48", seed, lan=LAN) as table:
        screen = Screen(browser, table.address, table.board)
        for seat, phone in enumerate(phones):
            phone.scan(table.address.replace("127.0.0.1", LAN) + "join", code_of(screen.page, seat))
        expect(screen.page.locator("#doors")).to_be_hidden()
        player = Player(table, screen.page, Phones(screen, phones), 4)
        outcome = player.play()
        for page in (screen.page, *(phone.page for phone in phones)):
            expect(page.locator("#turn")).to_have_text("Game over")
            expect(page.locator("#says")).to_have_text(outcome)
        assert player.carried > 3
        assert player.on_board + player.from_list > 10
        assert [screen.complaints, *(phone.complaints for phone in phones)] == [[]] * (SEATS + 1)
        screen.page.close()
    hidden = [told_its_own(table, seat, phone.traffic) for seat, phone in enumerate(phones)]
    hidden.append(told_its_own(table, None, screen.traffic))
    # Of two in Lamp Alley nobody looks at a trap, and nothing else there is hidden.
    assert min(hidden) > 20 or scenario == "lamp-alley", hidden


def told_its_own(table: Sitting, guest: int | None, traffic: Sequence[str]) -> int:
    """Search every frame a guest's socket carried; return how many secrets of others there were to find."""
    told: list[Any] = [json.loads(frame) for frame in traffic]
    numbers = [message["table"]["number"] for message in told if "table" in message]
    assert numbers == sorted(numbers)
    assert numbers[-1] == max(table.states)
    found, now = 0, 0
    for frame, message in zip(traffic, told, strict=True):
        if "table" in message:
            now += 1
            own = {guest} if guest is not None else set(range(SEATS))  # what is no secret, the public may choose
            assert {choice["seat"] for choice in message["table"]["choices"]} <= own
        # Its view was taken then or a little later, but before the next was.
        first, last = numbers[max(0, now - 1)], numbers[min(now, len(numbers) - 1)]
        moments = [views(table, state) for number, state in table.states.items() if first <= number <= last]
        assert moments
        found += searched(frame, guest, moments)
    return found


def views(table: Sitting, state: Any) -> dict[int | None, Any]:
    return {guest: table.game.view(state, guest) for guest in (None, *range(SEATS))}
