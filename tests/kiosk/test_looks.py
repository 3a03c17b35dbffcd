"""How the page looks, and sounds to who hears it: both games, both themes, four screens, three languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from looking import AXE, CONTRAST, SHOTS
from playwright.sync_api import Browser, Page, expect
from standing import MAZE, WELLS, Scene, Standing, standing

SCENES = {"maze": MAZE, "wells": WELLS}
SCREENS = [(1920, 1080), (1280, 800), (820, 1180), (390, 844)]
SCHEMES = ["dark", "light"]

# English everywhere; of the other languages each on every screen, and in either theme.
LOOKS = [(size, scheme, "en") for size in SCREENS for scheme in SCHEMES] + [
    (size, SCHEMES[(n + m) % 2], language) for n, size in enumerate(SCREENS) for m, language in enumerate(["pl", "cs"])
]


@pytest.fixture(scope="module", params=["maze", "wells"])
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Standing]]:
    shown: Scene = SCENES[request.param]
    with standing(tmp_path_factory.mktemp("scene"), shown) as table:
        yield request.param, table


@pytest.fixture
def page(browser: Browser, scene: tuple[str, Standing]) -> Iterator[Page]:
    _, table = scene
    opened = browser.new_page(viewport={"width": 1280, "height": 800})
    opened.goto(f"{table.address}?seat={table.seat}")
    expect(opened.locator("#surface [data-target]").first).to_be_attached()
    yield opened
    opened.close()


def ask(page: Page) -> None:
    """Open the chooser of a space."""
    page.locator("#surface [data-target][aria-haspopup]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#chooser")).to_be_visible()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_serious(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    page.evaluate(AXE)
    for show in (lambda: None, lambda: ask(page)):
        show()
        found = page.evaluate("axe.run().then(({ violations }) => violations)")
        assert [
            f"{one['id']}: {one['nodes'][0]['html'][:200]}"
            for one in found
            if one["impact"] in ("serious", "critical", "moderate")
        ] == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_written_or_marked_stands_out(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate(CONTRAST) == []
    ask(page)
    assert page.evaluate(CONTRAST) == []


@pytest.mark.parametrize(("size", "scheme", "language"), LOOKS)
def test_it_fits_every_screen_in_a_real_game(
    page: Page, scene: tuple[str, Standing], size: tuple[int, int], scheme: Any, language: str
) -> None:
    name, _ = scene
    width, height = size
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": height})
    page.locator("#language").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("#surface [data-target]").first).to_be_attached()
    page.wait_for_timeout(100)
    SHOTS.mkdir(parents=True, exist_ok=True)
    shot = SHOTS / f"{name}-{width}x{height}-{scheme}-{language}.png"
    shot.write_bytes(page.screenshot())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width >= 700:
        assert page.evaluate("document.documentElement.scrollHeight") <= height
    list_of_choices = page.locator("#choices").bounding_box()
    assert list_of_choices is not None
    assert list_of_choices["height"] <= 0.7 * height
    # What is to be hit is as large as a fingertip needs (WCAG 2.2: 24 px).
    for box in page.locator("#surface [data-target] .target-bed, #choices button").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => [width, height])"
    ):
        assert min(box) >= 24
    ask(page)
    shot.with_stem(f"{shot.stem}-asked").write_bytes(page.screenshot())
    chooser = page.locator("#chooser").bounding_box()
    assert chooser is not None
    assert chooser["x"] >= 0
    assert chooser["y"] >= 0
    assert chooser["x"] + chooser["width"] <= width
    assert chooser["y"] + chooser["height"] <= height


def test_decks_and_discards_are_counted(page: Page, scene: tuple[str, Standing]) -> None:
    name, table = scene
    view: Any = table.table.view(None)
    decks = {"maze": ("Golem cards", "golem_deck"), "wells": ("Event cards", "events")}
    words, key = decks[name]
    row = page.locator("#supplies li", has_text=words)
    expect(row).to_contain_text(f"{view[key]['deck']} left, {len(view[key]['discard'])} discarded")
    for card in view[key]["discard"]:
        expect(row).to_contain_text(card)


def test_nothing_moves_for_who_wants_calm(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    moving = page.evaluate("""() => [...document.querySelectorAll("body *")].filter((one) => {
        const { transitionProperty, transitionDuration, animationName } = getComputedStyle(one);
        const moves = /all|translate|transform|left|top/.test(transitionProperty) && transitionDuration !== "0s";
        return moves || animationName !== "none";
    }).length""")
    assert moving == 0
