"""The page in a real browser, before a table that follows a script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from guests import LAN
from playwright.sync_api import Browser, Locator, expect
from screen import Screen
from scripted_table import ScriptedTable
from visiting import House

from underglow.kiosk import Kiosk
from underglow.profile import Board


class HouseScreen(Screen):
    """The page of a table that follows a script."""

    def __init__(self, browser: Browser, house: House, **options: Any) -> None:
        self.house = house
        super().__init__(browser, f"{house.address}?seat=0", house.board, **options)
        expect(self.figure("drifter")).to_be_visible()
        expect(self.page.locator("#says")).to_have_text(house.table.snapshot["prompt"])


@pytest.fixture
def screen(browser: Browser, house: House) -> Iterator[HouseScreen]:
    with HouseScreen(browser, house) as shown:
        yield shown
    assert [url for url in shown.requests if not url.startswith(house.address)] == []


# -- the board --------------------------------------------------------------------------------------------------------


def test_the_board_is_drawn_to_scale(screen: HouseScreen) -> None:
    assert screen.page.locator(".face").count() == 48
    (left, top), (right, bottom) = screen.at(0, 0), screen.at(297, 420)
    assert (right - left) / (bottom - top) == pytest.approx(297 / 420)
    box = screen.page.locator(".board").bounding_box()
    assert box is not None
    assert box["width"] == pytest.approx(right - left, abs=3)
    for space in screen.house.board.spaces:
        face = screen.page.locator(f".face[data-space={space.id}]").bounding_box()
        assert face is not None
        centre = (face["x"] + face["width"] / 2, face["y"] + face["height"] / 2)
        assert centre == pytest.approx(screen.space(space.id), abs=1)


def tint(screen: HouseScreen, space: str) -> Locator:
    return screen.page.locator(f".tint[data-space={space}]")


def test_the_glow_is_the_strip_s_and_low_levels_can_be_seen(screen: HouseScreen) -> None:
    screen.house.bench.glow(h19=(255, 0, 0), h20=(0, 1, 0), h21=(0, 0, 64))
    expect(tint(screen, "h19")).to_have_attribute("fill", "rgb(255,0,0)")
    level = "tint => tint.style.opacity"
    levels = {space: float(tint(screen, space).evaluate(level)) for space in ("h19", "h20", "h21", "h18")}
    assert levels["h19"] > levels["h21"] > levels["h20"] > levels["h18"] == 0
    assert levels["h20"] > levels["h19"] / 20
    expect(tint(screen, "h21")).to_have_attribute("fill", "rgb(0,0,255)")


def test_the_map_is_printed_on_the_board(screen: HouseScreen) -> None:
    assert screen.page.locator(".name.mapped").all_text_contents() == sorted(
        name for name, space in screen.house.table.snapshot["overlay"].items() if space.startswith("h")
    )
    assert screen.page.get_by_role("img", name="wall", exact=True).count() == 7
    assert screen.page.get_by_role("img", name="closed door").count() == 1


def test_pieces_are_told_apart_without_colour(screen: HouseScreen) -> None:
    page = screen.page
    for label in (
        "face-down threat, shape c on a2",
        "face-down threat, shape b on b1",
        "Pit Bruiser, melee, health 2 of 3 on b2",
        "Gate key on d4",
        "Move: cards 3, 1; disruption 2; sum 6",
    ):
        assert page.get_by_role("img", name=label, exact=True).count() == 1
    shapes = {page.locator(f"[data-token={token}] .body").get_attribute("d") for token in ("t1", "t3", "t6")}
    assert len(shapes) == 3


# -- figures ----------------------------------------------------------------------------------------------------------


def test_dragging_lifts_at_once_and_places_at_the_drop(screen: HouseScreen) -> None:
    bench = screen.house.bench
    screen.grab("h30")
    bench.expect(("lift", "drifter"))
    x_px, y_px = screen.space("h31")
    screen.drag(x_px + 8, y_px - 8)  # within half a hex it snaps
    bench.expect(("lift", "drifter"), ("place", "drifter", "h31"))
    screen.stands("drifter", "on e2")


def test_dropped_beside_the_board_it_stays_in_hand(screen: HouseScreen) -> None:
    screen.grab("h30")
    screen.drag(*screen.at(148, -3))
    screen.stands("drifter", "in hand")
    screen.house.bench.expect(("lift", "drifter"))
    box = screen.figure("drifter").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] < screen.at(0, 0)[0]  # it lies in the tray
    screen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    screen.page.mouse.down()
    screen.drag(*screen.space("z2"))
    screen.house.bench.expect(("lift", "drifter"), ("place", "drifter", "z2"))


def test_a_figure_of_a_game_before_lies_in_no_tray(screen: HouseScreen) -> None:
    bench, stranger = screen.house.bench, screen.figure("mason")
    bench.place("h10", "mason")
    expect(stranger).to_have_count(1)  # on the board it is to be seen
    bench.lift("mason")
    expect(stranger).to_have_count(0)


def test_a_click_lifts_and_a_second_one_sets_down(screen: HouseScreen) -> None:
    screen.page.mouse.click(*screen.space("h30"))
    screen.house.bench.expect(("lift", "drifter"))
    screen.page.mouse.click(*screen.space("h26"))
    screen.house.bench.expect(("lift", "drifter"), ("place", "drifter", "h26"))


def test_by_touch(browser: Browser, house: House) -> None:
    screen = HouseScreen(browser, house, has_touch=True)
    screen.page.touchscreen.tap(*screen.space("h30"))
    house.bench.expect(("lift", "drifter"))
    screen.page.touchscreen.tap(*screen.space("h31"))
    house.bench.expect(("lift", "drifter"), ("place", "drifter", "h31"))
    screen.page.close()


def test_by_keyboard(screen: HouseScreen) -> None:
    page, bench = screen.page, screen.house.bench
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.figure") == "drifter":
            break
    page.keyboard.press("Enter")
    bench.expect(("lift", "drifter"))
    for key, name in [("ArrowRight", "e2"), ("ArrowRight", "e3"), ("ArrowUp", "d3"), ("ArrowUp", "c4")]:
        page.keyboard.press(key)
        expect(page.locator("#whisper")).to_have_text(name)
    page.keyboard.press("Enter")
    bench.expect(("lift", "drifter"), ("place", "drifter", "h20"))
    screen.stands("drifter", "on c4")


def test_escape_puts_back_where_it_was(screen: HouseScreen) -> None:
    screen.figure("drifter").focus()
    screen.page.keyboard.press("Enter")
    screen.page.keyboard.press("ArrowRight")
    screen.page.keyboard.press("Escape")
    screen.house.bench.expect(("lift", "drifter"), ("place", "drifter", "h30"))
    screen.grab("h25")
    screen.page.mouse.move(*screen.space("h31"), steps=3)
    screen.page.keyboard.press("Escape")
    screen.page.mouse.up()
    screen.stands("loader_droid", "on d2")
    assert screen.house.bench.magnets() == {"drifter": "h30", "loader_droid": "h25"}


def test_every_space_can_be_reached_by_arrows(screen: HouseScreen) -> None:
    screen.figure("drifter").focus()
    screen.page.keyboard.press("Enter")
    reached = screen.page.evaluate(
        """async () => {
            const { Geometry } = await import("/static/geometry.js");
            const socket = new WebSocket(`ws://${location.host}/live`);
            const first = await new Promise((done) => (socket.onmessage = done));
            socket.close();
            const { board } = JSON.parse(first.data);
            const geometry = new Geometry(board);
            const ways = [{ x: 1, y: 0 }, { x: -1, y: 0 }, { x: 0, y: 1 }, { x: 0, y: -1 }];
            const seen = new Set(["h30"]);
            for (const id of seen) {
                if (id === null) continue;
                for (const way of ways) {
                    const next = geometry.next(geometry.centre(id), way);
                    if (next !== undefined) seen.add(next);
                }
            }
            return [...seen];
        }"""
    )
    assert set(reached) == {space.id for space in screen.house.board.spaces} | {None}


def test_a_figure_is_drawn_where_its_magnet_is_and_a_ghost_where_the_game_believes_it(screen: HouseScreen) -> None:
    screen.house.bench.place("h35", "drifter")
    screen.stands("drifter", "on h35")
    expect(screen.page.get_by_role("img", name="the game believes Drifter on e1")).to_have_count(1)
    screen.house.table.say(number=8, layout={"h35": ["drifter"], "h25": ["loader_droid"]})
    expect(screen.page.locator(".ghost")).to_have_count(0)


def test_on_a_real_board_figures_follow_the_game_and_no_mouse_moves_them(browser: Browser, hex48: Board) -> None:
    table = ScriptedTable()
    with Kiosk(hex48, table) as kiosk:
        page = browser.new_page()
        page.goto(kiosk.start())
        table.watch(kiosk.publish)
        figure = page.locator("[data-figure=drifter]")
        expect(figure).to_have_attribute("aria-label", "Drifter, on e1")
        expect(figure).to_have_attribute("aria-disabled", "true")
        figure.click(force=True)
        page.keyboard.press("Enter")
        table.say(understood={"kind": "in_hand", "tokens": ["drifter"], "extra": [], "missing": []})
        expect(figure).to_have_attribute("aria-label", "Drifter, in hand")
        expect(page.locator("#table")).to_have_attribute("data-live", "true")
        page.close()


# -- the panel --------------------------------------------------------------------------------------------------------


def test_the_panel_says_whose_turn_it_is_and_what_is_legal(screen: HouseScreen) -> None:
    page = screen.page
    expect(page.locator("#turn")).to_have_text("Your turn: Drifter")
    expect(page.locator("#link")).to_have_text("● Board connected, firmware 0.1.0.")
    expect(page.locator("#choices h3")).to_have_text(["play", "end"])
    page.get_by_role("button", name="Lay a 3 on Intel").click()
    assert screen.house.table.choosing.wait(5)
    assert screen.house.table.chosen == [(3, 7)]


def test_the_choice_that_the_board_shows_is_marked_on_its_seat_s_page(screen: HouseScreen) -> None:
    table = screen.house.table
    marked = screen.page.locator("#choices [aria-current=true]")
    expect(screen.page.locator("#choices button")).to_have_count(5)
    expect(marked).to_have_count(0)
    table.say(shown=4, prompt="Confirm: Stay on e1. Help shows the next of 5.")
    expect(marked).to_have_text(["Stay on e1"])
    table.say(shown=5)  # another seat's
    expect(marked).to_have_count(0)


def test_a_seat_sees_its_hand_and_the_public_none(screen: HouseScreen) -> None:
    page = screen.page
    expect(page.locator("#hand li")).to_have_count(3)
    page.get_by_text("Public", exact=True).click()
    expect(page.locator("#hand li")).to_have_count(0)
    expect(page.locator("#choices")).to_contain_text("Choose a seat above")
    page.get_by_text("Loader Droid", exact=True).first.click()
    expect(page.locator("#hand")).to_contain_text("yak-secret")
    assert page.url.endswith("?seat=1")
    page.reload()
    expect(page.locator("#hand")).to_contain_text("yak-secret")


def test_alone_at_the_table_one_s_own_view_comes_first(browser: Browser, hex48: Board) -> None:
    table = ScriptedTable(seats=1)
    with Kiosk(hex48, table) as kiosk:
        page = browser.new_page()
        page.goto(kiosk.start())
        table.watch(kiosk.publish)
        expect(page.locator("#hand li")).to_have_count(6)
        expect(page.get_by_role("radio", name="Drifter & Loader Droid")).to_be_checked()
        page.close()


def told(*played: str, seat: int = 0, undone: tuple[str, ...] = (), alone: bool = True, missing: Any = None) -> Any:
    """A history of one seat's steps, as the table tells it."""
    lines = [[{"seat": seat, "text": text} for text in texts] for texts in (played, undone)]
    return {"played": lines[0], "undone": lines[1], "alone": alone, "missing": missing}


def turned(screen: HouseScreen, way: str, seat: int | None = 0) -> None:
    """Wait for a wish to go back or forth."""
    table = screen.house.table
    assert table.choosing.wait(5)
    assert table.turned == [(way, table.snapshot["number"], seat)]
    table.turned.clear()
    table.choosing.clear()


def test_steps_are_listed_and_taken_back_and_played_again(screen: HouseScreen) -> None:
    page, table = screen.page, screen.house.table
    expect(page.locator("#history")).to_be_empty()
    table.say(number=8, history=told("Lay a 1 on Move", "Stay on e1"))
    expect(page.locator("#history li")).to_have_text(["Stay on e1", "Lay a 1 on Move"])
    expect(page.locator("#history [aria-current=step]")).to_have_text("Stay on e1")
    expect(page.locator("#history button")).to_have_text(["Undo"])
    page.get_by_role("button", name="Undo: Stay on e1").click()
    turned(screen, "undo")
    table.say(number=9, history=told("Lay a 1 on Move", undone=("Stay on e1", "Lay a 3 on Move")))
    expect(page.locator("#history li")).to_have_text(
        ["taken back: Lay a 3 on Move", "taken back: Stay on e1", "Lay a 1 on Move"]
    )
    page.get_by_role("button", name="Redo: Stay on e1").click()
    turned(screen, "redo")
    table.say(number=10, history=told(undone=("Lay a 1 on Move",)))
    expect(page.locator("#history button")).to_have_text(["Redo"])


def test_by_keyboard_one_goes_back_and_back(screen: HouseScreen) -> None:
    page, table = screen.page, screen.house.table
    table.say(number=8, history=told("Lay a 1 on Move", "Stay on e1"))
    page.get_by_role("button", name="Undo: Stay on e1").focus()
    page.keyboard.press("Enter")
    turned(screen, "undo")
    table.say(number=9, history=told("Lay a 1 on Move", undone=("Stay on e1",)))
    expect(page.get_by_role("button", name="Undo: Lay a 1 on Move")).to_be_focused()
    page.keyboard.press("Enter")
    turned(screen, "undo")


def test_what_others_learned_from_is_asked_of_them(screen: HouseScreen) -> None:
    page, table = screen.page, screen.house.table
    history = page.locator("#history")
    for history_told in (told("Reveal b1", alone=False), told("Reveal b1", seat=1)):
        table.say(number=table.snapshot["number"] + 1, history=history_told)
        expect(history.locator("button")).to_have_text(["Ask to undo"])
    page.get_by_role("button", name="Ask to undo: Reveal b1").click()
    turned(screen, "undo")
    table.say(number=20, history=told("Reveal b1", alone=False, missing=[1]))
    expect(history.locator("button")).to_have_count(0)
    expect(history).to_contain_text("Take back “Reveal b1”? To agree: Loader Droid. Playing on keeps it.")
    table.say(number=21, history=told("Reveal b1", alone=False, missing=[0]))
    page.get_by_role("button", name="Agree: Reveal b1").click()
    turned(screen, "agree")


def test_another_s_step_is_not_played_again(screen: HouseScreen) -> None:
    screen.house.table.say(number=8, history=told("Stay on e1", seat=1, undone=("Stay on e2",)))
    expect(screen.page.locator("#history button")).to_have_text(["Ask to undo"])
    expect(screen.page.locator("#history li")).to_have_count(2)


def test_without_a_seat_the_page_goes_back_and_forth_for_whoever_it_concerns(screen: HouseScreen) -> None:
    page, table = screen.page, screen.house.table
    page.get_by_text("Public", exact=True).click()
    table.say(number=8, history=told("Stay on e1", seat=1, undone=("Stay on e2",)))
    expect(page.locator("#history button")).to_have_text(["Undo", "Redo"])
    page.get_by_role("button", name="Undo: Stay on e1").click()
    turned(screen, "undo", None)
    page.get_by_role("button", name="Redo: Stay on e2").click()
    turned(screen, "redo", None)
    table.say(number=9, history=told("Reveal b1", alone=False))
    expect(page.locator("#history button")).to_have_text(["Ask to undo"])
    table.say(number=10, history=told("Reveal b1", alone=False, missing=[0, 1]))
    expect(page.locator("#history")).to_contain_text("To agree: Drifter, Loader Droid.")
    page.get_by_role("button", name="All agree: Reveal b1").click()
    turned(screen, "agree", None)


def test_who_only_watches_from_the_network_sees_the_history_without_a_button(
    browser: Browser, lan_house: House
) -> None:
    page = browser.new_page()
    page.goto(lan_house.address.replace("127.0.0.1", LAN))
    lan_house.table.say(number=8, history=told("Stay on e1", undone=("Stay on e2",), missing=[0, 1]))
    expect(page.locator("#history li")).to_have_count(2)
    expect(page.locator("#history button")).to_have_count(0)
    page.close()


def test_what_is_wrong_is_said_in_words(screen: HouseScreen) -> None:
    wrong = {"kind": "repair", "tokens": [], "extra": ["h35"], "missing": [{"space": "h30", "tokens": ["drifter"]}]}
    screen.house.table.say(prompt="That is no legal move. Put back: Drifter on e1.", understood=wrong)
    expect(screen.page.locator("#turn")).to_have_text("Put the board right")
    expect(screen.page.locator("#says")).to_have_text("That is no legal move. Put back: Drifter on e1.")
    screen.house.table.say(link={"state": "down", "says": "The cable was pulled.", "port": ""})
    expect(screen.page.locator("#link")).to_have_text("▲ The cable was pulled.")
    screen.house.table.say(outcome="The Survey core is safe.")
    expect(screen.page.locator("#turn")).to_have_text("Game over")
    expect(screen.page.locator("#says")).to_have_text("The Survey core is safe.")
    expect(screen.page.locator("#choices button")).to_have_count(0)


def test_names_from_outside_are_text_and_nothing_else(screen: HouseScreen) -> None:
    name = "<img src=x onerror=alert(1)>"
    tokens = screen.house.table.snapshot["tokens"] | {"drifter": {"kind": "character", "name": name}}
    screen.house.table.say(tokens=tokens, prompt=name, log=[name])
    expect(screen.page.locator("#says")).to_have_text(name)
    expect(screen.page.locator("#log li")).to_have_text([name])
    assert screen.page.locator("img[src=x]").count() == 0


# -- bad days ---------------------------------------------------------------------------------------------------------


def test_the_page_says_that_it_lost_the_table_and_finds_it_again(browser: Browser, house: House) -> None:
    screen = HouseScreen(browser, house)
    port = int(house.netloc.split(":")[1])
    screen.grab("h30")
    house.bench.expect(("lift", "drifter"))
    house.kiosk.stop()
    expect(screen.page.locator("#link")).to_contain_text("reconnecting")
    expect(screen.page.locator("#table")).to_have_attribute("data-live", "false")
    screen.page.mouse.up()
    with Kiosk(house.board, house.table, house.bench) as again:
        again.start(port)
        house.table.watch(again.publish)
        house.table.say(prompt="Go on.")
        expect(screen.page.locator("#says")).to_have_text("Go on.", timeout=10_000)
        expect(screen.page.locator("#link")).to_have_text("● Board connected, firmware 0.1.0.")
        screen.stands("drifter", "in hand")
    screen.page.close()


def test_a_seat_that_is_not_there_is_said(browser: Browser, house: House) -> None:
    page = browser.new_page()
    page.goto(house.address + "?seat=9")
    expect(page.locator("#link")).to_contain_text("this table has no seat '9'")
    page.close()


# -- looks ------------------------------------------------------------------------------------------------------------

CONTRAST = (Path(__file__).parent / "contrast.js").read_text()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_words_stand_out_from_their_ground(browser: Browser, house: House, scheme: Any) -> None:
    screen = HouseScreen(browser, house, color_scheme=scheme)
    house.table.say(number=8, history=told("Stay on e1", undone=("Stay on e2",), alone=False, missing=[0]))
    for state in ("up", "down", "connecting"):
        house.table.say(link={"state": state, "says": f"It is {state}.", "port": ""})
        expect(screen.page.locator("#link")).to_contain_text(f"It is {state}.")
        assert screen.page.evaluate(CONTRAST) == []
    screen.page.close()


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 800), (820, 1180), (390, 844)])
def test_it_fits_the_screen(browser: Browser, house: House, width: int, height: int) -> None:
    screen = HouseScreen(browser, house)
    house.table.say(number=8, history=told(*["Lay a 1 on Move"] * 5, undone=("Stay on e1",) * 5))
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.page.wait_for_timeout(100)
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= width
    (left, top), (right, bottom) = screen.at(0, 0), screen.at(297, 420)
    assert left >= 0
    assert right <= width
    if width > height:
        assert top >= 0
        assert bottom <= height
        assert screen.page.evaluate("document.documentElement.scrollHeight") <= height
    screen.page.close()


def test_calm_for_who_asks_for_it(browser: Browser, house: House) -> None:
    screen = HouseScreen(browser, house, reduced_motion="reduce")
    assert tint(screen, "h19").evaluate("tint => getComputedStyle(tint).transitionDuration") == "1.2s"
    screen.page.close()
