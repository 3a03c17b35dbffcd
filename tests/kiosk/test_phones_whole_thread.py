"""Two phones and the table's own page play a real game: sockets, table, link, firmware and a figure that is carried."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from guests import LAN
from phone import Phone, code_of
from playwright.sync_api import Browser, expect
from running_program import Program
from screen import Screen

from underglow.profile import Board


@pytest.fixture
def run(tmp_path: Path, micropython: list[str]) -> Iterator[Program]:
    """`underglow run --lan`."""
    journal = ["--journal", str(tmp_path / "journal.sqlite")]
    started = Program("run", "--http", "0", "--seed", "21", "--seats", "2", "--lan-address", LAN, *journal)
    yield started
    started.end()


def hands(phone: Phone) -> list[Any]:
    """Every row of a seat with a hand that the phone's socket carried."""
    tables = [json.loads(text)["table"] for text in phone.traffic]
    return [row for table in tables for row in table["view"]["seats"] if "hand" in row]


def test_two_phones_play_while_the_page_moves_a_figure(
    browser: Browser, run: Program, hex48: Board, tmp_path: Path
) -> None:
    screen = Screen(browser, run.address, hex48)
    phones = [Phone(browser), Phone(browser)]
    join = run.address.replace("127.0.0.1", LAN) + "join"
    codes = [code_of(screen.page, seat) for seat in range(len(phones))]
    for phone, code in zip(phones, codes, strict=True):
        phone.scan(join, code)
        expect(phone.page.locator("#hand li").first).to_be_visible()
    expect(screen.page.locator("#doors")).to_be_hidden()

    # Whose turn it is lays a card on Move; the figure is dragged on the table's page.
    acting = next(seat for seat, phone in enumerate(phones) if phone.page.locator("#choices button").count())
    mover = phones[acting].page
    mover.get_by_role("button", name=re.compile("^Lay a .* on Move$")).last.tap()
    says = screen.page.locator("#says")
    expect(says).to_contain_text(re.compile("Drifter|Loader Droid"))
    figure = "drifter" if "Drifter" in says.inner_text() else "loader_droid"
    screen.page.locator(f"[data-figure={figure}]").hover()
    screen.page.mouse.down()
    screen.drag(*screen.space("h31"))
    for phone in phones:
        expect(phone.page.locator("#log")).to_contain_text("to e2")
    mover.get_by_role("button", name=re.compile("^Undo: .* to e2$")).tap()
    expect(says).to_contain_text("back on e1")
    screen.grab("h31")
    screen.drag(*screen.space("h30"))
    mover.get_by_role("button", name=re.compile("^Redo: .* to e2$")).tap()
    expect(mover.locator("#log")).to_contain_text("Played again: ")
    mover.screenshot(path=tmp_path / "phone.png", full_page=True)

    for seat, phone in enumerate(phones):
        rows = hands(phone)
        assert any(row["hand"] for row in rows)
        assert {row["seat"] for row in rows} == {seat}
        assert phone.complaints == []
    shown = "".join(screen.traffic)
    assert '"turn"' in shown
    assert '"hand"' not in shown
    screen.page.close()
    run.end()
    assert not any(code in run.said for code in codes)  # this is no terminal, so it may be a log
    assert "#" not in run.said
