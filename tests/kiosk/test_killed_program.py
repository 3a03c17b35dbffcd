"""The program is killed under open pages and started again: they come back by themselves, to the same game."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from guests import LAN
from phone import Phone, code_of
from playwright.sync_api import Browser, Page, expect
from running_program import Program
from screen import Screen

from underglow.profile import Board


@pytest.fixture
def port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return str(free.getsockname()[1])


@pytest.fixture
def doors() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def started(doors: ExitStack, *arguments: str) -> Program:
    program = Program(*arguments)
    doors.callback(program.end)
    return program


def words(page: Page, *parts: str) -> dict[str, str]:
    return {part: page.locator(part).inner_text() for part in parts}


def shows_again(page: Page, shown: dict[str, str]) -> None:
    """What was drawn before stays until the first message comes, so all of it is waited for."""
    for part, text in shown.items():
        expect(page.locator(part)).to_have_text(text, use_inner_text=True)


def test_page_and_phones_are_back_in_the_same_game(
    browser: Browser, hex48: Board, tmp_path: Path, port: str, doors: ExitStack, micropython: list[str]
) -> None:
    run = ["run", "--http", port, "--lan-address", LAN, "--seats", "2", "--seed", "21"]
    run += ["--journal", str(tmp_path / "journal.sqlite")]
    first = Program(*run)
    screen = Screen(browser, first.address, hex48)
    phones = [Phone(browser), Phone(browser)]
    for seat, phone in enumerate(phones):
        phone.scan(first.address.replace("127.0.0.1", LAN) + "join", code_of(screen.page, seat))
        expect(phone.page.locator("#hand li").first).to_be_visible()
    acting = next(phone for phone in phones if phone.page.locator("#choices button").count())
    acting.page.get_by_role("button", name=re.compile("^Lay a .* on Move$")).last.tap()
    expect(acting.page.get_by_role("button", name=re.compile("^(Ask to undo|Undo): "))).to_be_visible()
    number = int(acting.page.locator("#phone").get_attribute("data-number") or "")
    parts = {screen.page: ("#says", "#turn", "#history")}
    parts |= {phone.page: ("#says", "#hand", "#choices") for phone in phones}
    for page in parts:
        page.wait_for_function("number => document.querySelector('[data-number]').dataset.number >= number", arg=number)
    before = {page: words(page, *of_it) for page, of_it in parts.items()}

    first.kill()
    expect(screen.page.locator("#link")).to_contain_text("reconnecting")
    for phone in phones:
        expect(phone.page.locator("#link")).to_contain_text("reconnecting")
    again = started(doors, *run, "--resume")
    assert again.address == first.address
    expect(screen.page.locator("#link")).to_contain_text("Board connected", timeout=15_000)
    for phone in phones:
        expect(phone.page.locator("#link")).to_have_text("at the table", timeout=15_000)
    for page, shown in before.items():
        shows_again(page, shown)
    figure = "drifter" if "Drifter" in before[screen.page]["#says"] else "loader_droid"
    screen.figure(figure).hover()
    screen.page.mouse.down()
    screen.drag(*screen.space("h31"))
    for phone in phones:
        expect(phone.page.locator("#log")).to_contain_text("to e2")
        phone.context.close()
    screen.page.close()


def test_the_page_of_an_unattended_table_is_offered_the_game_it_had(
    browser: Browser, hex48: Board, tmp_path: Path, port: str, doors: ExitStack, micropython: list[str]
) -> None:
    kiosk = ["kiosk", "--http", port, "--folder", str(tmp_path), "--restart-at", "never"]
    first = Program(*kiosk)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(first.address)
    expect(page.locator("#attendant")).to_contain_text("Demo")
    page.mouse.click(640, 400)
    page.get_by_role("button", name="Cinder Wells, 1 player").click()
    lay = page.locator("#choices button", has_text=re.compile("^Move$"))
    lay.last.click()
    undo = page.get_by_role("button", name=re.compile("^Undo: "))
    expect(undo).to_be_visible()
    shown = words(page, "#says", "#turn", "#hand")
    assert shown["#hand"]

    first.kill()
    expect(page.locator("#link")).to_contain_text("reconnecting")
    started(doors, *kiosk)
    page.get_by_role("button", name="Go on with Cinder Wells, after 1 step").click(timeout=20_000)
    expect(page.locator("body")).to_have_attribute("data-phase", "playing")
    expect(undo).to_be_visible()
    shows_again(page, shown)  # it is in the seat again, too
    page.close()
