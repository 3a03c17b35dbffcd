"""The staff's page in the browser: from the gesture to Lock, by touch and by keys, on every screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from looking import AXE, CONTRAST, SHOTS
from playwright.sync_api import Browser, Page, expect
from tended import BOARD, DIGITS, Tended, tended

from underglow import image
from underglow.bench.vm import Bench
from underglow.kiosk import pin
from underglow.kiosk.attendant import Phase
from underglow.languages import LANGUAGES

SCREENS = [(1280, 800), (820, 1180), (390, 844)]
SCHEMES = ["dark", "light"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory, micropython: list[str]) -> Iterator[Tended]:
    with (
        Bench.start(BOARD, image.board_files(BOARD)) as board,
        tended(tmp_path_factory.mktemp("table"), board) as table,
    ):
        yield table


@pytest.fixture
def page(browser: Browser, table: Tended) -> Iterator[Page]:
    """A page of the table, on which nothing may go wrong."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto(table.address)
    expect(opened.locator("#says")).not_to_be_empty()
    yield opened
    context.close()
    assert [text for text in complaints if "403" not in text] == []  # Chromium tells of a wrong PIN's answer


@pytest.fixture
def inside(page: Page, table: Tended) -> Page:
    """The staff's page."""
    table.gesture()
    expect(page.get_by_role("dialog", name="For staff")).to_be_visible()
    page.keyboard.type(DIGITS)
    page.keyboard.press("Enter")
    page.wait_for_url("**/staff")
    expect(page.locator("#link")).to_have_text("The board answers.")
    return page


def test_from_the_gesture_to_lock_by_touch(page: Page, table: Tended) -> None:
    pad = page.get_by_role("dialog", name="For staff")
    table.gesture()
    expect(pad).to_be_visible()
    for digit in "99999":
        pad.get_by_role("button", name=digit, exact=True).click()
    pad.get_by_role("button", name="Delete").click()
    expect(pad.get_by_role("status")).to_have_text("●●●●")
    pad.get_by_role("button", name="OK").click()
    expect(pad.get_by_role("alert")).to_have_text("That PIN is wrong.")
    for digit in DIGITS:
        pad.get_by_role("button", name=digit, exact=True).click()
    pad.get_by_role("button", name="OK").click()
    page.wait_for_url("**/staff")

    lit = page.locator("#surface .face.felt")
    expect(lit).to_have_count(0)
    table.board.place("h19", "magnet")
    expect(lit).to_have_attribute("data-space", "h19")
    expect(page.locator("#last")).to_contain_text("h19 feels a token.")
    table.board.lift("magnet")
    expect(lit).to_have_count(0)

    slider = page.get_by_label("Brightness")
    slider.focus()
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#percent")).to_have_text("40 %")
    page.reload()
    expect(page.get_by_label("Brightness")).to_have_value("40")

    page.get_by_role("button", name="Lock").click()
    page.wait_for_url(table.address)
    page.goto(table.address + "staff")
    expect(page).to_have_url(table.address)


def test_whoever_came_by_chance_goes_back_and_has_touched_no_table(
    browser: Browser, tmp_path: Path, board: Bench
) -> None:
    with tended(tmp_path, board) as table:
        page = browser.new_page()
        page.goto(table.address)
        come_by_chance(page, table)
        assert table.attendant.phase is Phase.ATTRACT
        page.close()


def test_without_a_pin_the_way_in_says_how_to_set_one(browser: Browser, tmp_path: Path) -> None:
    with tended(tmp_path) as table:
        (tmp_path / pin.PIN).unlink()
        table.table().hear("door", lambda door: door["is"] == "ajar")
        page = browser.new_page()
        page.goto(table.address)
        page.get_by_role("button", name="Staff").click()
        expect(page.get_by_role("dialog", name="For staff")).to_contain_text("underglow kiosk --set-pin")
        expect(page.get_by_role("group", name="PIN pad")).to_be_hidden()
        page.close()


def come_by_chance(page: Page, table: Tended) -> None:
    pad = page.get_by_role("dialog", name="For staff")
    table.gesture()
    expect(pad).to_be_visible()
    pad.get_by_role("button", name="Back to the table").click()
    expect(pad).to_be_hidden()
    page.get_by_role("button", name="Staff").click()
    expect(pad).to_be_visible()
    page.keyboard.type("12")
    page.keyboard.press("Escape")
    expect(pad).to_be_hidden()


def test_games_themes_and_sensors_are_settled_by_keyboard(inside: Page, table: Tended) -> None:
    box = inside.get_by_role("checkbox", name="Salt Harbour")
    box.focus()
    inside.keyboard.press("Space")
    expect(box).not_to_be_checked()
    expect(inside.get_by_role("checkbox", name="Salt Harbour")).to_be_focused()
    inside.get_by_role("checkbox", name="Cinder Wells").focus()
    inside.keyboard.press("Space")
    expect(inside.get_by_role("alert")).to_have_text("One game at least has to be offered.")
    expect(inside.get_by_role("checkbox", name="Cinder Wells")).to_be_checked()
    box.focus()
    inside.keyboard.press("Space")
    expect(box).to_be_checked()

    inside.get_by_role("radio", name="default").focus()
    inside.keyboard.press("ArrowDown")
    expect(inside.get_by_role("radio", name="colour safe")).to_be_checked()

    inside.get_by_text("Every sensor").focus()
    inside.keyboard.press("Enter")
    out = inside.get_by_role("checkbox", name="h07 out of service")
    out.focus()
    inside.keyboard.press("Space")
    expect(out).to_be_checked()
    expect(inside.locator(".face.deaf")).to_have_attribute("data-space", "h07")
    inside.keyboard.press("Space")
    expect(out).not_to_be_checked()


def test_a_restart_is_asked_for_twice_and_refused_where_it_would_be_an_end(inside: Page, table: Tended) -> None:
    inside.get_by_role("button", name="Restart").click()
    inside.get_by_role("button", name="Press again to restart").click()
    expect(inside.get_by_role("alert")).to_contain_text("Nobody would start this program again")
    assert table.thread.is_alive()


def test_the_logs_are_downloaded(inside: Page, tmp_path: Path) -> None:
    with inside.expect_download() as coming:
        inside.get_by_role("link", name="Download logs").click()
    assert coming.value.suggested_filename.startswith("underglow-")
    coming.value.save_as(tmp_path / "logs.zip")
    assert (tmp_path / "logs.zip").read_bytes().startswith(b"PK")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_fits_stands_out_and_axe_finds_nothing(inside: Page, table: Tended, language: str) -> None:
    inside.locator("#language").select_option(language)
    expect(inside.locator("html")).to_have_attribute("lang", language)
    expect(inside.locator("#sensors tbody tr").first).to_be_attached()
    inside.locator("#staff summary").click()
    table.board.place("h19", "magnet")
    table.board.place("z1", "card")
    expect(inside.locator("#surface .face.felt")).to_have_count(2)
    inside.locator("#examine").click()
    expect(inside.locator("#findings [data-passed='true']").first).to_be_visible()
    inside.evaluate(AXE)
    SHOTS.mkdir(parents=True, exist_ok=True)
    for scheme in SCHEMES:
        looks: Any = scheme
        inside.emulate_media(color_scheme=looks)
        for width, height in SCREENS:
            inside.set_viewport_size({"width": width, "height": height})
            (SHOTS / f"staff-{width}x{height}-{scheme}-{language}.png").write_bytes(inside.screenshot(full_page=True))
            assert inside.evaluate("document.documentElement.scrollWidth") <= width
            assert inside.evaluate("sensors.scrollWidth <= sensors.clientWidth")
            for box in inside.locator("#staff :is(button, input, select, a)").evaluate_all(
                "all => all.map((one) => one.getBoundingClientRect()).filter(({ width }) => width)"
                ".map(({ width, height }) => [width, height])"
            ):
                assert min(box) >= 24
        found = inside.evaluate("axe.run().then(({ violations }) => violations)")
        serious = [one for one in found if one["impact"] in ("serious", "critical", "moderate")]
        assert [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in serious] == []
        assert inside.evaluate(CONTRAST) == []
    for token in ("magnet", "card"):
        table.board.lift(token)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_on_the_pad(page: Page, table: Tended, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    table.gesture()
    expect(page.get_by_role("dialog", name="For staff")).to_be_visible()
    page.evaluate(AXE)
    found = page.evaluate("axe.run('#staff-door').then(({ violations }) => violations)")
    assert [one["id"] for one in found] == []
