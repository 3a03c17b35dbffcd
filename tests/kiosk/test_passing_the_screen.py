"""One screen for all: hands are covered until their seat presses, and covered again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from scripted_table import SECRETS, ScriptedTable
from visiting import House

from underglow.kiosk import Kiosk
from underglow.profile import Board

FIRST = "Pass the screen to seat 1 (Drifter): press to uncover"
SECOND = "Pass the screen to seat 2 (Loader Droid): press to uncover"


@pytest.fixture
def page(browser: Browser, house: House) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1280, "height": 800})
    opened.clock.install()
    opened.goto(house.address)
    opened.get_by_role("button", name="Pass the screen").click()
    yield opened
    opened.close()


def hidden(page: Page) -> None:
    """Nothing secret is on the page: not only out of sight."""
    expect(page.locator("#cover")).to_be_visible()
    expect(page.locator("#hand")).to_be_empty()
    html = page.content()
    assert not any(secret in html for secret in SECRETS)


def test_a_hand_is_shown_to_its_seat_and_covered_when_the_turn_passes(page: Page, house: House, tmp_path: Path) -> None:
    hidden(page)
    page.screenshot(path=tmp_path / "cover.png")
    page.get_by_role("button", name=FIRST).click()
    expect(page.locator("#hand")).to_contain_text(SECRETS[0])
    expect(page.locator("#seats-choice")).to_be_hidden()
    house.table.say(number=8)  # its turn goes on
    page.get_by_role("button", name="Stay on e1").click()
    assert house.table.choosing.wait(5)
    house.table.say(number=9, turn=[1])
    hidden(page)
    page.get_by_role("button", name=SECOND).click()
    expect(page.locator("#hand")).to_contain_text(SECRETS[1])
    assert SECRETS[0] not in page.content()


def test_a_hand_that_nobody_looks_at_is_covered(page: Page) -> None:
    page.get_by_role("button", name=FIRST).click()
    expect(page.locator("#hand")).to_contain_text(SECRETS[0])
    page.clock.run_for(40_000)
    page.mouse.click(5, 5)
    page.clock.run_for(40_000)
    expect(page.locator("#hand")).to_contain_text(SECRETS[0])
    page.clock.run_for(6_000)
    hidden(page)


def test_a_hand_is_gone_even_if_the_table_does_not_answer(page: Page, house: House) -> None:
    page.get_by_role("button", name=FIRST).click()
    expect(page.locator("#hand")).to_contain_text(SECRETS[0])
    house.kiosk.stop()
    page.get_by_role("button", name="Cover").click()
    hidden(page)
    page.get_by_role("button", name="Only look at the board").click()
    assert SECRETS[0] not in page.content()


def test_who_is_asked_to_agree_to_an_undo_gets_the_screen(page: Page, house: House) -> None:
    page.get_by_role("button", name=FIRST).click()
    asked = {"played": [{"seat": 0, "text": "Reveal b1"}], "undone": [], "alone": False, "missing": [1]}
    house.table.say(number=8, history=asked)
    page.get_by_role("button", name="Cover").click()
    hidden(page)
    page.get_by_role("button", name=SECOND).click()
    page.get_by_role("button", name="Agree: Reveal b1").click()
    assert house.table.choosing.wait(5)
    assert house.table.turned == [("agree", 8, 1)]


def test_escape_uncovers_no_hand_and_the_mode_can_be_left(page: Page) -> None:
    hidden(page)
    for _ in range(3):
        page.keyboard.press("Escape")
    expect(page.locator("#hand")).to_be_empty()
    if page.locator("#cover").is_visible():
        page.get_by_role("button", name="Only look at the board").click()
    page.get_by_role("button", name="Pass the screen").click()
    expect(page.locator("#seats-choice")).to_be_visible()
    expect(page.locator("#hand")).to_be_empty()


def test_alone_there_is_nobody_to_hide_from(browser: Browser, hex48: Board) -> None:
    table = ScriptedTable(seats=1)
    with Kiosk(hex48, table) as kiosk:
        page = browser.new_page()
        page.goto(kiosk.start())
        table.watch(kiosk.publish)
        expect(page.locator("#hand li")).to_have_count(6)
        expect(page.get_by_role("button", name="Pass the screen")).to_be_hidden()
        page.close()
