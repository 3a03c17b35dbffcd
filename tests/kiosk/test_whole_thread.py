"""The page before a real game: browser, server, table, link, firmware and strip, with a mouse at one end."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from screen import Screen

from underglow.profile import Board


@pytest.fixture
def address(tmp_path: Path, micropython: list[str]) -> Iterator[str]:
    """Where `underglow run` serves a game of its own."""
    run = subprocess.Popen(
        [
            str(Path(sys.executable).with_name("underglow")), "run", "--http", "0", "--seed", "21",
            "--journal", str(tmp_path / "journal.sqlite"),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert run.stdout
    yield run.stdout.readline().split("The board is at ")[1].split()[0]
    run.terminate()
    run.communicate(timeout=10)


@pytest.fixture
def screen(browser: Browser, address: str, hex48: Board) -> Iterator[Screen]:
    with Screen(browser, address, hex48) as shown:
        yield shown
    assert [url for url in shown.requests if not url.startswith(address)] == []


def glow(screen: Screen, space: str) -> float:
    return float(screen.page.locator(f".tint[data-space={space}]").evaluate("tint => tint.style.opacity || 0"))


def until_lit(screen: Screen, space: str, level: float) -> None:
    end_s = time.monotonic() + 5
    while glow(screen, space) <= level:
        assert time.monotonic() < end_s, f"{space} stays at {glow(screen, space)}"
        screen.page.wait_for_timeout(20)


def lay(screen: Screen, zone: str) -> None:
    """Lay a card on that zone by its button."""
    buttons = screen.page.locator("#choices button", has_text=re.compile(f"^{zone}$"))
    buttons.last.click()


def test_a_figure_is_lifted_sees_its_reach_moves_and_is_corrected(screen: Screen, tmp_path: Path) -> None:
    page = screen.page
    expect(page.locator("#link")).to_contain_text("Board connected")
    says = page.locator("#says")

    lay(screen, "Move")
    expect(says).to_contain_text(re.compile("Drifter|Loader Droid"))
    until_lit(screen, "h31", 0)
    preview = glow(screen, "h31")  # e2, beside the start
    assert 0 < preview < 1

    # Both figures stand on e1; the first is dragged to e2.
    first = "drifter" if "Drifter" in says.inner_text() else "loader_droid"
    screen.page.locator(f"[data-figure={first}]").hover()
    page.mouse.down()
    screen.drag(*screen.space("h31"))
    screen.stands(first, "on e2")
    expect(page.locator("#log")).to_contain_text("to e2")
    expect(says).not_to_contain_text("lift")

    # Somewhere it has no business: the board says so, and is content once it is back.
    screen.grab("h31")
    screen.drag(*screen.space("r4"))
    expect(says).to_contain_text("Put back")
    until_lit(screen, "r4", 0.3)
    page.screenshot(path=tmp_path / "corrected.png")
    screen.grab("r4")
    screen.drag(*screen.space("h31"))
    expect(says).not_to_contain_text("Put back")
    assert page.locator(f"[data-figure={first}]").count() == 1

    # Taken back on the page, the figure is walked back to the other one; its move is then played again.
    page.get_by_role("button", name=re.compile("^Undo: .* to e2")).click()
    expect(says).to_contain_text("back on e1")
    until_lit(screen, "h31", 0.3)
    expect(page.locator("#log")).to_contain_text("Taken back: ")
    screen.grab("h31")
    screen.drag(*screen.space("h30"))
    expect(says).not_to_contain_text("back on")
    page.get_by_role("button", name=re.compile("^Redo: .* to e2")).click()
    expect(page.locator("#log")).to_contain_text("Played again: ")
    page.screenshot(path=tmp_path / "redone.png")
