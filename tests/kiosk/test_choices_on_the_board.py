"""Choices that name a space are taken there; the list beside the board has all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from screen import Screen
from visiting import House

from underglow.languages import Text
from underglow.snapshot import Choice


def choice(verb: str, text: str, at: Sequence[str] = (), args: Sequence[str | int] = (), seat: int = 0) -> Choice:
    """Open to all, unless it is to play a card."""
    is_open = verb != "play"
    return {"index": 0, "seat": seat, "text": Text(text), "verb": verb, "args": [*args], "at": [*at], "open": is_open}


def offer(house: House, *choices: Choice, **changes: Any) -> None:
    numbered = [one | {"index": index} for index, one in enumerate(choices)]
    house.table.say(number=house.table.snapshot["number"] + 1, choices=numbered, **changes)


# Of two seats, so that an index among all choices is not one among those of a page.
OTHERS = choice("lay", "Lay it on c4", ["h20"], seat=1)
LAY = [choice("lay", "Lay it on c2", ["h18"]), choice("lay", "Lay it on c3", ["h19"])]
MIXED = [*LAY, choice("attack", "Attack the Rim Gunner on c3", ["h19"]), choice("end", "End the turn")]


@pytest.fixture
def screen(browser: Browser, house: House) -> Iterator[Screen]:
    with Screen(browser, f"{house.address}?seat=0", house.board, has_touch=True) as shown:
        expect(shown.figure("drifter")).to_be_visible()
        yield shown


def chosen(house: House, *indices: int) -> None:
    assert house.table.choosing.wait(5)
    assert [index for index, _ in house.table.chosen] == [*indices]
    house.table.choosing.clear()


def test_spaces_that_choices_name_are_marked_and_say_what_they_are(screen: Screen, house: House) -> None:
    offer(house, OTHERS, *MIXED)
    expect(screen.targets()).to_have_count(2)
    labels = screen.targets().evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert labels == ["c2: Lay it on c2", "c3: 2 choices"]
    expect(screen.page.locator("#choices h3")).to_have_text(["end", "lay", "attack"])
    offer(house, *MIXED, outcome="It is over.")
    expect(screen.targets()).to_have_count(0)


def test_where_all_that_is_marked_means_the_same_a_click_chooses(screen: Screen, house: House) -> None:
    offer(house, OTHERS, *LAY)
    expect(screen.targets()).to_have_count(2)
    screen.page.mouse.click(*screen.space("h19"))
    chosen(house, 2)


def test_by_touch(screen: Screen, house: House) -> None:
    offer(house, OTHERS, *LAY)
    expect(screen.targets()).to_have_count(2)
    screen.page.touchscreen.tap(*screen.space("h18"))
    chosen(house, 1)


def test_several_choices_on_a_space_are_asked_there_in_words(screen: Screen, house: House) -> None:
    offer(house, *MIXED)
    expect(screen.targets()).to_have_count(2)
    screen.page.mouse.click(*screen.space("h19"))
    chooser = screen.page.get_by_role("dialog", name="c3")
    expect(chooser.get_by_role("button")).to_have_text(["Lay it on c3", "Attack the Rim Gunner on c3", "Close"])
    chooser.get_by_role("button", name="Attack").click()
    chosen(house, 2)
    expect(chooser).to_be_hidden()


def test_where_marks_mean_different_things_a_single_one_is_said_before_it_is_done(screen: Screen, house: House) -> None:
    offer(house, *MIXED)
    expect(screen.targets()).to_have_count(2)
    screen.page.mouse.click(*screen.space("h18"))
    expect(screen.page.get_by_role("dialog", name="c2")).to_be_visible()
    assert house.table.chosen == []


def test_by_keyboard_a_chooser_opens_closes_and_leads_back(screen: Screen, house: House) -> None:
    offer(house, *MIXED)
    target = screen.targets().nth(1)
    target.focus()
    screen.page.keyboard.press("Enter")
    chooser = screen.page.get_by_role("dialog", name="c3")
    expect(chooser.get_by_role("button", name="Lay it on c3")).to_be_focused()
    screen.page.keyboard.press("Escape")
    expect(chooser).to_be_hidden()
    expect(target).to_be_focused()
    screen.page.keyboard.press("Space")
    screen.page.keyboard.press("Tab")
    screen.page.keyboard.press("Enter")
    chosen(house, 2)
    offer(house, *LAY)
    expect(screen.targets().first).to_be_focused()  # who chooses by keyboard goes on where choices are


def test_an_open_chooser_of_a_table_that_moved_on_closes(screen: Screen, house: House) -> None:
    offer(house, *MIXED)
    expect(screen.targets()).to_have_count(2)
    screen.page.mouse.click(*screen.space("h19"))
    expect(screen.page.locator("#chooser")).to_be_visible()
    offer(house, *MIXED)
    expect(screen.page.locator("#chooser")).to_be_hidden()


def test_a_figure_on_a_marked_space_is_still_dragged_and_can_be_lifted(screen: Screen, house: House) -> None:
    offer(house, choice("rest", "Rest on e1", ["h30"]), choice("look", "Look at e2", ["h31"]))
    expect(screen.targets()).to_have_count(2)
    screen.grab("h30")
    screen.drag(*screen.space("h31"))
    house.bench.expect(("lift", "drifter"), ("place", "drifter", "h31"))
    screen.page.mouse.click(*screen.space("h31"))
    chooser = screen.page.get_by_role("dialog", name="e2")
    expect(chooser.get_by_role("button")).to_have_text(["Look at e2", "Lift the Drifter", "Close"])
    chooser.get_by_role("button", name="Lift the Drifter").click()
    house.bench.expect(("lift", "drifter"), ("place", "drifter", "h31"), ("lift", "drifter"))
    screen.page.mouse.click(*screen.space("h30"))
    expect(chooser).to_be_hidden()
    screen.stands("drifter", "on e1")
    assert house.table.chosen == []


def test_dice_typed_in_are_a_pad(screen: Screen, house: House) -> None:
    rolls = [choice("rolled", f"The dice show {roll}", args=[roll]) for roll in range(2, 13)]
    offer(house, *rolls)
    expect(screen.page.locator("#choices .pad button")).to_have_text([str(roll) for roll in range(2, 13)])
    screen.page.get_by_role("button", name="The dice show 7", exact=True).click()
    chosen(house, 5)


def test_cards_are_laid_by_a_click_on_their_zone(screen: Screen, house: House) -> None:
    lay = [choice("play", f"Lay a {n} on Move", ["z1"], ["move", n]) for n in (1, 3)]
    offer(house, *lay, choice("play", "Lay a 1 on Intel", ["z3"], ["intel", 1]))
    expect(screen.targets()).to_have_count(2)
    screen.page.mouse.click(*screen.space("z1"))
    screen.page.get_by_role("dialog", name="Move", exact=True).get_by_role("button", name="Lay a 3 on Move").click()
    chosen(house, 1)


def test_without_a_seat_one_takes_what_is_open_to_all_and_no_index_tells_of_more(house: House, screen: Screen) -> None:
    secret = choice("play", "Lay a 3 on Move")
    offer(house, secret, secret, *LAY, shown=3)
    screen.page.get_by_text("Public", exact=True).click()
    expect(screen.page.locator("#choices button")).to_have_count(2)  # the seat has four, and as many targets
    expect(screen.targets()).to_have_count(2)
    told = house.join("?seat=public").hear("table")
    assert [(one["index"], one["text"]) for one in told["choices"]] == [(0, "Lay it on c2"), (1, "Lay it on c3")]
    assert told["shown"] == 1
    screen.page.mouse.click(*screen.space("h18"))
    chosen(house, 2)


def test_choices_of_several_seats_say_whose_they_are(house: House, screen: Screen) -> None:
    offer(house, OTHERS, *MIXED)
    screen.page.get_by_text("Public", exact=True).click()
    expect(screen.page.locator("#choices h3")).to_have_text(
        ["Drifter end", "Loader Droid lay", "Drifter lay", "Drifter attack"]
    )


def test_the_list_scrolls_inside_itself(screen: Screen, house: House) -> None:
    offer(house, *(choice("lay", f"Lay it on a lit space, way {n} of many", args=[n]) for n in range(80)))
    expect(screen.page.locator("#choices button")).to_have_count(80)
    for width, height in ((1280, 800), (820, 1180), (390, 844)):
        screen.page.set_viewport_size({"width": width, "height": height})
        box = screen.page.locator("#choices").bounding_box()
        assert box is not None
        assert box["height"] < 0.8 * height
        screen.page.locator("#choices button").first.focus()
        screen.page.locator("#choices button").last.focus()
        last = screen.page.locator("#choices button").last.bounding_box()
        assert last is not None
        assert 0 <= last["y"] <= height
