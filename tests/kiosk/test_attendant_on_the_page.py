"""A table that nobody looks after, in the browser: what the attendant says, and what pages say to it."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from lobby_of_a_table import Lobby
from playwright.sync_api import Browser, Page, expect
from visiting import House, Visitor
from websockets.sync.client import connect

from underglow.kiosk import messages
from underglow.kiosk.attendant import Fault, Kept, Phase, Times
from underglow.profile import Board


@pytest.fixture
def lobby(hex48: Board, tmp_path: Path) -> Iterator[Lobby]:
    lobby = Lobby(hex48, tmp_path)
    yield lobby
    lobby.kiosk.stop()


@pytest.fixture
def page(browser: Browser, lobby: Lobby) -> Iterator[Page]:
    shown = browser.new_page(viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    shown.on("console", lambda message: complaints.append(message.text))
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.goto(lobby.address)
    expect(shown.locator("#attendant")).to_contain_text("Demo")
    yield shown
    shown.close()
    assert complaints == []


def test_a_touch_anywhere_wakes_the_table_and_chooses_nothing_yet(page: Page, lobby: Lobby) -> None:
    expect(page.locator("#attendant")).to_contain_text("Touch the board or this page to play")
    page.mouse.click(640, 400)
    lobby.until(page, Phase.CHOOSING)
    assert lobby.orders == ["attract", "welcome"]
    expect(page.get_by_role("dialog", name="What shall we play?")).to_be_visible()


def test_a_game_is_chosen_by_keyboard_alone(page: Page, lobby: Lobby) -> None:
    page.keyboard.press("Space")
    lobby.until(page, Phase.CHOOSING)
    expect(page.get_by_role("button", name="Cinder Wells, 1 player")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    lobby.until(page, Phase.PLAYING)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="New game")).to_be_visible()


def test_the_countdown_counts_and_the_unfinished_game_is_a_button(page: Page, lobby: Lobby) -> None:
    page.mouse.click(640, 400)
    lobby.until(page, Phase.CHOOSING)
    page.get_by_role("button", name="Lamp Alley, 3 players").click()
    lobby.until(page, Phase.PLAYING)
    expect(page.get_by_role("timer")).to_have_count(0)
    for left_s in (30, 29, 1):
        lobby.at(Times().playing_s - left_s)
        expect(page.get_by_role("timer")).to_contain_text(f"This game is put aside in {left_s} s.")
    lobby.attendant.keep(Kept(Path("a"), "Lamp Alley", 12), lobby.now_s)
    lobby.at(Times().playing_s)
    page.get_by_role("button", name="Go on with Lamp Alley, after 12 steps").click()
    lobby.until(page, Phase.PLAYING)


def test_the_safe_mode_says_why_and_takes_nothing(page: Page, lobby: Lobby) -> None:
    lobby.orders += lobby.attendant.fault(Fault.BOARD, "The cable was pulled.", 0)
    lobby.tell()
    expect(page.get_by_role("alert")).to_contain_text("The cable was pulled.")
    expect(page.get_by_role("alert").get_by_role("button")).to_have_count(0)
    lobby.attendant.mended(Fault.BOARD, 1)
    lobby.tell()
    expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800), (820, 1180), (390, 844)])
def test_the_idle_screen_fits(page: Page, lobby: Lobby, size: tuple[int, int], tmp_path: Path) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.mouse.click(200, 400)
    lobby.until(page, Phase.CHOOSING)
    lobby.at(Times().choosing_s - 9)
    expect(page.get_by_role("timer")).to_be_visible()
    for button in page.get_by_role("button").all():
        box = button.bounding_box()
        assert box
        assert box["height"] >= 44  # for a thumb
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
    (tmp_path / f"idle-{size[0]}.png").write_bytes(page.screenshot())


# -- without a browser -------------------------------------------------------------------------------------------------


def test_pages_of_a_table_without_an_attendant_may_not_speak_to_one(house: House) -> None:
    page = house.join()
    page.say({"touch": True})
    assert page.turned_out() == (1008, "nobody attends this table: it plays one game")


@pytest.mark.parametrize(
    "text", ['{"touch":"yes"}', '{"begin":["a","b"]}', '{"begin":["a","b","2"]}', '{"leave":false}']
)
def test_what_no_page_says_to_the_attendant_is_refused(text: str) -> None:
    with pytest.raises(messages.Malformed):
        messages.read(text)


def test_a_seat_of_another_game_becomes_the_public(lobby: Lobby) -> None:
    with connect(lobby.address.replace("http", "ws") + "live?seat=3") as socket:
        assert Visitor(socket).hear("attendant")["phase"] == "attract"


def test_metrics_are_told_to_this_machine(lobby: Lobby, house: House) -> None:
    with urllib.request.urlopen(lobby.address + "metrics") as answer:  # noqa: S310 - an address of our own
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert re.search(rb"^underglow_starts_total 0$", answer.read(), re.MULTILINE)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(house.address + "metrics")  # noqa: S310 - the same
