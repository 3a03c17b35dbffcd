"""Moves that are said on the page of a real board, whose magnets no page can carry: by the figure, then a space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from guests import LAN, Network, codes
from phone import Phone
from playwright.sync_api import Browser, expect
from screen import Screen
from scripted_table import ScriptedTable
from seated import Mouse, Player, open_chooser, sitting
from typing_extensions import override
from visiting import House, housed

from underglow.games.contract import Action
from underglow.languages import Text
from underglow.profile import Board
from underglow.snapshot import Choice, Move, Snapshot


def choice(text: str, *at: str, seat: int = 0) -> Choice:
    return {"index": 0, "seat": seat, "text": Text(text), "verb": "rest", "args": [], "at": [*at], "open": True}


def move(token: str, text: str, *at: str, seat: int = 0, is_open: bool = True) -> Move:
    return {**choice(text, *at, seat=seat), "verb": "move", "open": is_open, "token": token}


REST = choice("Rest on e1", "h30")
WAYS = [
    move("drifter", "Move the Drifter to d1", "h24"),
    move("drifter", "Move the Drifter to d3 by d1", "h26"),
    move("drifter", "Move the Drifter to d3 by e2", "h26"),
]
TAKE = move("key", "Take the Gate key", "h27")
HIDDEN = move("card_3", "Lay a 3 on Move", "z1", is_open=False)
OTHER = move("loader_droid", "Move the Loader Droid to e2", "h31", seat=1)


def offer(house: House, choices: Sequence[Choice], moves: Sequence[Move], **changes: Any) -> None:
    counted = [one | {"index": index} for index, one in enumerate([*choices, *moves])]
    number = house.table.snapshot["number"] + 1
    house.table.say(number=number, choices=counted[: len(choices)], moves=counted[len(choices) :], **changes)


@pytest.fixture
def real_house(hex48: Board) -> Iterator[House]:
    with housed(hex48, ScriptedTable(), real=True) as house:
        yield house


@pytest.fixture
def joined_house(hex48: Board) -> Iterator[House]:
    """That which phones may join."""
    with housed(hex48, ScriptedTable(), LAN, real=True) as house:
        yield house


@pytest.fixture
def screen(browser: Browser, real_house: House) -> Iterator[Screen]:
    with Screen(browser, f"{real_house.address}?seat=0", real_house.board, has_touch=True) as shown:
        expect(shown.figure("drifter")).to_be_visible()
        yield shown


def labels(screen: Screen) -> list[str]:
    return screen.targets().evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")


def chosen(house: House, index: int) -> None:
    assert house.table.choosing.wait(5)
    assert house.table.chosen == [(index, house.table.snapshot["number"])]


def test_a_figure_is_tapped_then_a_space(screen: Screen, real_house: House) -> None:
    offer(real_house, [choice("Look at b1", "h11"), choice("Discard", seat=1)], [OTHER, *WAYS])
    expect(screen.targets()).to_have_count(1)
    screen.figure("drifter").tap()
    expect(screen.targets()).to_have_count(2)  # the choices make room: one thing at a time
    assert labels(screen) == ["d1: Move the Drifter to d1", "d3: 2 choices"]
    expect(screen.page.locator("#hint")).to_contain_text("Drifter: click or tap a marked space")
    screen.page.touchscreen.tap(*screen.space("h26"))
    chooser = screen.page.get_by_role("dialog", name="d3")
    chooser.get_by_role("button", name="Move the Drifter to d3 by e2").tap()
    chosen(real_house, 5)
    assert real_house.bench.moves == []


def test_where_all_that_is_marked_is_a_move_a_tap_is_one(screen: Screen, real_house: House) -> None:
    offer(real_house, [], WAYS[:2])
    screen.figure("drifter").tap()
    expect(screen.targets()).to_have_count(2)
    screen.page.touchscreen.tap(*screen.space("h24"))
    chosen(real_house, 0)
    expect(screen.targets()).to_have_count(0)


def test_a_button_for_each_token_however_many_the_moves_are(screen: Screen, real_house: House) -> None:
    offer(real_house, [], [*WAYS, TAKE, HIDDEN])
    buttons = screen.page.locator("#choices button")
    expect(buttons).to_have_text(["Move the Drifter to …", "Take the Gate key", "Lay a 3 on Move"])
    expect(buttons.first).to_have_attribute("aria-pressed", "false")
    buttons.first.click()
    expect(buttons.first).to_have_attribute("aria-pressed", "true")
    expect(screen.targets()).to_have_count(2)
    buttons.first.click()
    expect(screen.targets()).to_have_count(0)
    buttons.nth(1).click()
    chosen(real_house, 3)


def test_by_keyboard_alone(screen: Screen, real_house: House) -> None:
    offer(real_house, [REST], WAYS)
    screen.figure("drifter").focus()
    screen.page.keyboard.press("Enter")
    expect(screen.targets().first).to_be_focused()
    screen.page.keyboard.press("Escape")
    expect(screen.page.locator("#choices button", has_text="Move the Drifter")).to_be_focused()
    assert labels(screen) == ["e1: Rest on e1"]
    screen.page.keyboard.press("Enter")
    screen.page.keyboard.press("Space")  # d1 and d3 mean the same verb
    chosen(real_house, 1)


def test_on_a_space_that_a_choice_names_both_are_offered(screen: Screen, real_house: House) -> None:
    offer(real_house, [REST], WAYS)
    expect(screen.targets()).to_have_count(1)
    screen.figure("drifter").tap()
    chooser = screen.page.get_by_role("dialog", name="e1")
    expect(chooser.get_by_role("button")).to_have_text(["Rest on e1", "Move the Drifter …", "Close"])
    chooser.get_by_role("button", name="Move the Drifter").tap()
    expect(screen.targets()).to_have_count(2)


def test_a_table_that_moved_on_leaves_no_figure_chosen(screen: Screen, real_house: House) -> None:
    offer(real_house, [REST], WAYS)
    screen.page.locator("#choices button", has_text="Move the Drifter").click()
    expect(screen.targets()).to_have_count(2)
    offer(real_house, [REST], [])
    expect(screen.targets()).to_have_count(1)
    expect(screen.figure("drifter")).to_have_attribute("aria-disabled", "true")


def test_a_move_is_told_to_who_may_know_it_and_to_no_page_that_carries_magnets(
    joined_house: House, house: House
) -> None:
    network = Network.of(joined_house)
    phone, _ = network.seated(codes(joined_house.join("?seat=public"))[1])
    pages = [joined_house.join("?seat=0"), joined_house.join("?seat=public"), network.open(""), phone, house.join()]
    for served in (joined_house, house):
        offer(served, [REST], [HIDDEN, OTHER])
    told = [page.hear("table", lambda table: table["number"] == 8)["moves"] for page in pages]
    named = [[(one["index"], one["token"]) for one in moves] for moves in told]
    assert named == [[(1, "card_3")], [(1, "loader_droid")], [], [(0, "loader_droid")], []]
    pages[1].say({"choose": 1, "number": 8})
    chosen(joined_house, 2)
    pages[3].say({"choose": 1, "number": 8})
    assert pages[3].turned_out() == (1008, "that choice is not offered to this seat")


def test_a_phone_has_the_moves_of_each_token_under_one_line(browser: Browser, joined_house: House) -> None:
    phone, network = Phone(browser), Network.of(joined_house)
    phone.scan(f"http://{network.netloc}/join", codes(joined_house.join("?seat=public"))[0])
    expect(phone.page.locator("#says")).not_to_be_empty()
    offer(joined_house, [REST], [*WAYS[:2], TAKE])
    lines = phone.page.locator("#choices summary")
    expect(lines).to_have_text(["Move the Drifter to …"])
    expect(phone.page.locator("#choices button:visible")).to_have_text(["Rest on e1", "Take the Gate key"])
    lines.tap()
    expect(phone.page.locator("#choices .pad button")).to_have_text(["d1", "d3"])
    phone.button("Move the Drifter to d3 by d1").tap()
    chosen(joined_house, 2)
    assert phone.complaints == []
    phone.context.close()


# -- a whole game -----------------------------------------------------------------------------------------------------


class Sayer(Player):
    """Says every move on the page; a hand does then what the board asks for."""

    led = 0

    @override
    def _move(self, action: Action, text: str, snapshot: Snapshot) -> None:
        said = next(one for one in snapshot["moves"] if (one["seat"], one["text"]) == (action.seat, text))
        self._page.locator(f"[data-figure='{said['token']}'] .pawn").click()
        if open_chooser(self._page):
            self._page.locator("#chooser").get_by_role("button", name="Move the").last.click()
        self._page.locator(f"[data-target='{said['at'][0]}']").click()
        if open_chooser(self._page):
            self._page.locator("#chooser").get_by_role("button", name=text, exact=True).click()

    @override
    def _follow(self, token: str, space: str) -> None:
        sitting = self._sitting
        if token in sitting.bench.magnets():
            name, there = (
                sitting.latest["tokens"][token]["name"],
                {to: by for by, to in sitting.latest["overlay"].items()},
            )
            self._until(lambda: f"Put the {name} on {there[space]}." in sitting.latest["prompt"], f"lead {token}")
            self.led += 1
        sitting.bench.place(space, token)


@pytest.mark.timeout(300)
def test_a_whole_game_is_said_on_the_page_of_a_real_board_while_a_hand_follows(
    browser: Browser, tmp_path: Path, micropython: list[str]
) -> None:
    with sitting(tmp_path, "lamp-alley", 2, "hex48", 21, real=True) as table:
        screen = Screen(browser, table.address, table.board)
        player = Sayer(table, screen.page, Mouse(screen), 4)
        outcome = player.play()
        expect(screen.page.locator("#says")).to_have_text(outcome)
        assert min(player.carried, player.led) > 5, vars(player)
        assert screen.complaints == []
        screen.page.close()
