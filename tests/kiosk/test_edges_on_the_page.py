"""The page of a board whose spaces have edges."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from screen import Screen
from scripted_table import ScriptedTable
from visiting import House, housed

from underglow import profile
from underglow.board_file import EDGES


@pytest.fixture
def house() -> Iterator[House]:
    with housed(profile.load("hex37-edges"), ScriptedTable()) as house:
        yield house


@pytest.fixture
def screen(browser: Browser, house: House) -> Iterator[Screen]:
    with Screen(browser, f"{house.address}?seat=0", house.board) as shown:
        yield shown


def test_each_edge_glows_by_itself_and_where_it_is(screen: Screen, house: House) -> None:
    way = ("h18.e0", "h19.e3", "h19", "h19.e2", "h25.e5")
    house.bench.glow(**dict.fromkeys(way, (90, 255, 40)))
    pixels = {place: screen.board.lamps[screen.board.lamp_of(place)][0] for place in way}
    pools = screen.page.locator(".pool")
    expect(pools).to_have_count(screen.board.pixels)
    expect(pools.nth(pixels["h19.e2"])).not_to_have_css("opacity", "0")
    lit = pools.evaluate_all("pools => pools.flatMap((pool, n) => Number(pool.style.opacity) ? [n] : [])")
    assert sorted(lit) == sorted(pixels.values())
    tinted = screen.page.locator(".tint").evaluate_all(
        "tints => tints.filter((tint) => Number(tint.style.opacity)).map((tint) => tint.dataset.space)"
    )
    assert tinted == ["h19"]
    for place, pixel in pixels.items():
        box = pools.nth(pixel).bounding_box()
        assert box is not None
        x_mm, y_mm = screen.board.places_mm[place]
        assert (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) == pytest.approx(
            screen.at(x_mm, y_mm), abs=1
        )


def test_the_light_of_an_edge_stays_at_its_edge(screen: Screen) -> None:
    board = screen.board
    (left, _), (right, _) = screen.at(0, 0), screen.at(board.hex_mm, 0)
    for edge in EDGES:
        box = screen.page.locator(".pool").nth(board.lamps[board.lamp_of(f"h19.{edge}")][0]).bounding_box()
        assert box is not None
        assert box["width"] / 2 < 0.4 * (right - left)  # it does not reach the middle


def test_what_belongs_at_an_edge_is_drawn_there(screen: Screen, house: House) -> None:
    house.table.say(layout={"h19.e2": ["drifter"], "h25": ["loader_droid"]})
    ghost = screen.page.get_by_role("img", name="the game believes Drifter on c3.e2")
    expect(ghost).to_be_visible()
    box, (x_px, y_px) = ghost.bounding_box(), screen.at(*screen.board.places_mm["h19.e2"])
    assert box is not None
    assert box["x"] < x_px < box["x"] + box["width"]
    assert box["y"] < y_px < box["y"] + box["height"]
