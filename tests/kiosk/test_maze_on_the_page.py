"""The page of a game whose map is built while it is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Locator, expect
from screen import Screen
from scripted_table import ScriptedTable
from visiting import House, housed

from underglow import games, profile
from underglow.games import labyrinth
from underglow.games.labyrinth.building import Face
from underglow.games.labyrinth.scenario import LANES, NONE
from underglow.games.labyrinth.state import Lying, State, Trap
from underglow.rng import Rng
from underglow.snapshot import Choice

LAID = (("b3", "underpass", 1), ("a2", "twin_bends", 0), ("e3", "alcove", 2), ("e4", "fork", 0))


@cache
def built() -> State:
    """Some tiles are laid, one is being turned, and something lies on both corridors of one and about a seat."""
    scenario = labyrinth.load(games.scenario_path("labyrinth", "glass-warren"))
    state = labyrinth.setup(scenario, 2, Rng(1))
    while (legal := labyrinth.legal(state))[0].verb == "pick_character":
        state, _ = labyrinth.step(state, legal[0])
    kinds = [tile.id for tile in scenario.tiles]
    maze = state.maze
    for space, kind, turned in LAID:
        maze = maze.with_tile(scenario.spaces.index(space), kinds.index(kind), turned)
    a2 = scenario.spaces.index("a2") * LANES
    first, *others = state.players
    return replace(
        state,
        maze=maze,
        traps=(Trap(a2, 0, up=False, known=0),),
        lying=(Lying(a2 + 1, 0),),
        players=(first._replace(daze=2, items=(1,)), *others),
        keys=(-1, *state.keys[1:]),
        agenda=(*state.agenda, Face(scenario.spaces.index("f3"), kinds.index("gallery"), NONE)),
    )


@dataclass
class MazeTable(ScriptedTable):
    """A table that stands still at a moment of Labyrinth."""

    state: State = field(default_factory=built)

    def view(self, seat: int | None) -> Mapping[str, object]:
        return labyrinth.view(self.state, seat)


@pytest.fixture(params=["hex37-edges", "hex48"])
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    board = profile.load(request.param)
    table = MazeTable()
    table.snapshot["overlay"] = dict(table.state.scenario.overlay(board.name))
    with housed(board, table) as house:
        yield house


@pytest.fixture
def screen(browser: Browser, house: House) -> Iterator[Screen]:
    with Screen(browser, f"{house.address}?seat=0", house.board) as shown:
        expect(shown.page.locator(".maze .tile").first).to_be_attached()
        yield shown


def corridor(screen: Screen, name: str) -> Locator:
    return screen.page.locator(f"[data-corridor='{name}']")


def test_every_corridor_is_drawn_between_the_edges_that_the_view_names(screen: Screen, house: House) -> None:
    view = cast("dict[str, Any]", labyrinth.view(built(), None))
    overlay = house.table.snapshot["overlay"]
    count = 0
    for tile in view["maze"]:
        middle = house.board.space(overlay[tile["space"]])
        for drawn in tile["corridors"]:
            count += 1
            paving = corridor(screen, f"{tile['space']}:{drawn['lane']}").locator("path.paving")
            ends = paving.evaluate("""path => path.getAttribute("d").split("M").slice(1).flatMap((part) => {
                const [first, ...rest] = part.split(/[LQ]/).map((piece) => piece.trim().split(" ").map(Number));
                return [first, rest.at(-1).slice(-2)];
            })""")
            edges = [middle_of_edge(middle.x_mm, middle.y_mm, house.board.hex_mm, edge) for edge in drawn["edges"]]
            arms = [] if len(edges) == 2 else [(middle.x_mm, middle.y_mm)] * len(edges)
            for end in ends:
                assert tuple(end) in [pytest.approx(there, abs=0.01) for there in (*edges, *arms)]
            assert len(ends) == len(edges) + len(arms)
    being_turned = screen.page.locator(".turning .corridor")
    assert screen.page.locator(".maze .corridor").count() == count + being_turned.count()
    expect(being_turned).to_have_attribute("aria-label", "corridor E–W on f3")  # noqa: RUF001 - a way between


def middle_of_edge(x_mm: float, y_mm: float, hex_mm: float, edge: int) -> tuple[float, float]:
    """Half the way to the neighbour over that edge."""
    right, down = [(1, 0), (0.5, 1), (-0.5, 1), (-1, 0), (-0.5, -1), (0.5, -1)][edge]
    return x_mm + right * hex_mm / 2, y_mm + down * hex_mm / 2 * 3**0.5 / 2


def test_a_bridge_lies_above_what_it_crosses(screen: Screen) -> None:
    labels = screen.page.locator("[data-corridor^='b3:']").evaluate_all(
        "drawn => drawn.map((corridor) => corridor.getAttribute('aria-label'))"
    )
    assert labels == ["corridor SW–NE on b3", "bridge SE–NW on b3"]  # noqa: RUF001 - a way between


def test_what_lies_on_a_corridor_is_drawn_on_it(screen: Screen, house: House) -> None:
    middle = screen.space(house.table.snapshot["overlay"]["a2"])
    for name, side in (("face-down trap on a2", 1), ("Rope on a2", -1)):
        box = screen.page.get_by_role("img", name=name, exact=True).bounding_box()
        assert box is not None
        assert (box["y"] + box["height"] / 2 - middle[1]) * side > 3  # one bends below the middle, one above


def test_tiles_are_drawn_as_the_map_and_not_as_chips(screen: Screen) -> None:
    kinds = screen.page.locator(".chip").evaluate_all(
        "chips => [...new Set(chips.map((chip) => chip.classList[1]))].toSorted()"
    )
    assert kinds == ["character", "golem", "item", "key", "threat"]


def test_the_panel_says_what_a_character_has(screen: Screen) -> None:
    rows = screen.page.locator("#health li")
    expect(rows.first).to_contain_text("dazed: 2 rests · crystal active · key of s1 · ")
    expect(rows.last).to_contain_text("crystal active")
    expect(screen.page.locator("#hand")).to_be_empty()


def test_the_ways_a_tile_can_lie_are_pictures(screen: Screen, house: House) -> None:
    state = built()
    legal = labyrinth.legal(state)
    choices: list[Choice] = [
        {
            "index": index, "seat": 0, "text": labyrinth.describe(state, action), "verb": action.verb,
            "args": [*action.args], "at": [house.table.snapshot["overlay"]["f3"]], "open": True,
        }
        for index, action in enumerate(legal)
    ]  # fmt: skip
    house.table.say(number=8, choices=choices)
    tile = next(tile for tile in state.scenario.tiles if tile.id == "gallery")
    expect(screen.page.locator("#choices button.picture")).to_have_count(tile.turns)
    for action, choice in zip(legal, choices, strict=True):
        shape = tile.shapes[int(action.args[1])]
        drawn = screen.page.locator(f"#choices button[aria-label='{choice['text']}'] .corridor")
        edges = drawn.evaluate_all("all => all.map((one) => one.dataset.edges.split(' ').map(Number))")
        assert edges == [[*edges] for edges in shape.edges]
    screen.page.mouse.click(*screen.space(house.table.snapshot["overlay"]["f3"]))
    expect(screen.page.locator("#chooser button.picture svg")).to_have_count(tile.turns)
