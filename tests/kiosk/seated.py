"""A game on a simulated board with its page: a bot decides, and what it decides is done on the page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from phone import Phone
from playwright.sync_api import Page
from screen import Screen

from underglow import games, image, profile
from underglow.bench.vm import Bench
from underglow.bots import Greedy
from underglow.games.contract import Action, Game
from underglow.history import History
from underglow.journal import Header, Journal
from underglow.kiosk import Kiosk
from underglow.link import Link
from underglow.profile import Board
from underglow.rng import Rng
from underglow.set_up import SetUp
from underglow.snapshot import Choice, Snapshot
from underglow.table import Table
from underglow.themes import THEMES

PATIENCE_S = 20
TABS = 250
"""More than a page has of what can be focused."""
ARROWS = 40


class Sitting:
    """A table with a board of its own, and a page served of it."""

    def __init__(self, game: Game[Any, Any], table: Table, bench: Bench, board: Board, address: str) -> None:
        self.game = game
        self.table = table
        self.bench = bench
        self.board = board
        self.address = address
        self.latest: Snapshot = table.snapshot()
        self.states: dict[int, Any] = {}
        """Every state that was shown, by the number of its snapshot."""
        table.watch(self._hear)

    def _hear(self, snapshot: Snapshot) -> None:
        self.states[snapshot["number"]] = self.table.state
        self.latest = snapshot


@contextmanager
def sitting(
    folder: Path,
    scenario_name: str,
    seats: int,
    board_name: str,
    seed: int,
    *,
    real: bool = False,
    lan: str | None = None,
) -> Generator[Sitting]:
    """Begin a game on an empty board; to the page it may be as if the board were `real`; with `lan` phones may join."""
    name, path = games.find(scenario_name, None)
    game, board = games.load(name), profile.load(board_name)
    scenario = game.load(path)
    history = History(game, game.setup(scenario, seats, Rng(seed)), seats)
    journal = Journal.create(folder / "journal.sqlite", Header.of(name, scenario, seats, seed, board))
    with Bench.start(board, image.board_files(board)) as bench:
        link = Link(bench.port, board)
        table = Table(game, scenario, history, board, link, journal, THEMES["default"], SetUp())
        for happening in link.connect():
            table.take(happening)
        with Kiosk(board, table, None if real else bench) as kiosk:
            begun = Sitting(game, table, bench, board, kiosk.start(lan=lan))
            table.watch(kiosk.publish)
            thread = threading.Thread(target=table.run)
            thread.start()
            try:
                yield begun
            finally:
                table.stop()
                thread.join()
                link.close()
                journal.close()


class Way(Protocol):
    """How somebody works the page."""

    def carry(self, token: str, space: str) -> None:
        """Carry a figure to a space of the board."""
        ...

    def take(self, choice: Choice) -> None:
        """Choose: on the board where the choice names a space, else from the list."""
        ...

    def sees(self, number: int) -> bool:
        """Say whether the snapshot of that number is what is shown."""
        ...


class Mouse:
    """Works a page by mouse alone."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._page = screen.page

    def carry(self, token: str, space: str) -> None:
        box = self._screen.figure(token).locator(".pawn").bounding_box()
        assert box is not None
        self._page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self._page.mouse.down()
        self._screen.drag(*self._screen.space(space))

    def take(self, choice: Choice) -> None:
        page = self._page
        if not choice["at"]:
            page.locator("#choices").get_by_role("button", name=choice["text"], exact=True).click()
            return
        page.mouse.click(*self._screen.space(choice["at"][0]))
        if open_chooser(page):
            page.locator("#chooser").get_by_role("button", name=choice["text"], exact=True).click()

    def sees(self, number: int) -> bool:
        return self._screen.sees(number)


class Keyboard:
    """Works a page by keyboard alone."""

    def __init__(self, screen: Screen, names: dict[str, str]) -> None:
        self._screen = screen
        self._page = screen.page
        self._spaces = names

    def carry(self, token: str, space: str) -> None:
        self._tab_to(f"[data-figure='{token}']")
        self._page.keyboard.press("Enter")
        goal = self._screen.board.space(space)
        here: str | None = None
        for _ in range(ARROWS):
            if here == space:
                break
            at = self._screen.board.space(here) if here else None
            # Who comes from the tray steps onto the board first: it lies to the left at this size.
            right, down = (goal.x_mm - at.x_mm, goal.y_mm - at.y_mm) if at else (1.0, 0.0)
            across, along = "Left" if right < 0 else "Right", "Up" if down < 0 else "Down"
            self._page.keyboard.press(f"Arrow{across if abs(down) < 1 else along}")
            said = self._page.locator("#whisper").inner_text()
            here = self._spaces.get(said, said) if said != "in hand, off the board" else None
        assert here == space, f"arrows came to {here} instead of {space}"
        self._page.keyboard.press("Enter")

    def take(self, choice: Choice) -> None:
        label = f"[aria-label={quoted(choice['text'])}]"
        if not choice["at"]:
            self._press(f"#choices button{label}")
            return
        self._press(f"[data-target='{choice['at'][0]}']")
        if open_chooser(self._page):
            self._press(f"#chooser button{label}")

    def sees(self, number: int) -> bool:
        return self._screen.sees(number)

    def _press(self, selector: str) -> None:
        self._tab_to(selector)
        self._page.keyboard.press("Enter")

    def _tab_to(self, selector: str) -> None:
        for _ in range(TABS):
            if self._page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
            self._page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not come to {selector}")


class Phones:
    """Each seat chooses on its phone; figures are carried by mouse on the table's own page."""

    def __init__(self, screen: Screen, phones: Sequence[Phone]) -> None:
        self._mouse = Mouse(screen)
        self._phones = phones

    def carry(self, token: str, space: str) -> None:
        self._mouse.carry(token, space)

    def take(self, choice: Choice) -> None:
        self._phones[choice["seat"]].button(choice["text"]).first.tap()

    def sees(self, number: int) -> bool:
        return self._mouse.sees(number) and all(phone.sees(number) for phone in self._phones)


def quoted(text: str) -> str:
    """As a CSS string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def open_chooser(page: Page) -> bool:
    return page.locator("#chooser:popover-open").count() == 1


class Player:
    """Plays a sitting to its end, for every seat, by one way of working one page."""

    def __init__(self, sitting: Sitting, page: Page, way: Way, seed: int) -> None:
        self._sitting = sitting
        self._page = page
        self._way = way
        self._rng = Rng(seed)
        self.carried = 0
        self.on_board = 0
        self.from_list = 0

    def play(self) -> str:
        """Return how it ended, in words."""
        sitting = self._sitting
        while (snapshot := self._settled())["outcome"] is None:
            seat = snapshot["turn"][0]
            action, self._rng = Greedy().choose(sitting.game, sitting.table.state, seat, self._rng)
            self._do(action, snapshot)
            self._until(lambda since=snapshot: self._since(since), str(action))
        return snapshot["outcome"] or ""

    def _do(self, action: Action, snapshot: Snapshot) -> None:
        text = self._sitting.game.describe(self._sitting.table.state, action)
        if not self._offered(action.seat, text):
            self.carried += 1
            self._move(action, text, snapshot)
            # Set down where another stands already, it is not felt: then the table asks.
            self._until(lambda: self._since(snapshot) or bool(self._offered(action.seat, text)), text)
            if self._since(snapshot):
                return
            self._until(lambda: self._way.sees(self._sitting.latest["number"]), "the newest is shown")
        chosen = self._offered(action.seat, text)[0]
        self.on_board += bool(chosen["at"])
        self.from_list += not chosen["at"]
        self._way.take(chosen)

    def _offered(self, seat: int, text: str) -> list[Choice]:
        choices = self._sitting.latest["choices"]
        return [choice for choice in choices if (choice["seat"], choice["text"]) == (seat, text)]

    def _since(self, snapshot: Snapshot) -> bool:
        return self._sitting.latest["steps"] > snapshot["steps"]

    def _move(self, action: Action, text: str, snapshot: Snapshot) -> None:
        (transfer,) = action.hands
        assert transfer.target
        self._way.carry(transfer.token, snapshot["overlay"][transfer.target])

    def _settled(self) -> Snapshot:
        """Carry figures to where the game has them, until it has nothing to complain of and the page says so too."""
        sitting = self._sitting
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            snapshot, magnets = sitting.latest, sitting.bench.magnets()
            wrong = [
                (token, space)
                for space, here in snapshot["layout"].items()
                for token in here
                if magnets.get(token) != space
            ]
            seen = self._way.sees(snapshot["number"])
            if seen and (snapshot["outcome"] or (not wrong and snapshot["understood"]["kind"] == "settled")):
                return snapshot
            if seen and wrong:
                self._follow(*wrong[0])
            self._page.wait_for_timeout(5)
        raise AssertionError(f"the table does not settle: {sitting.latest['prompt']} {sitting.latest['understood']}")

    def _follow(self, token: str, space: str) -> None:
        self._way.carry(token, space)
        self._until(lambda: self._sitting.bench.magnets().get(token) == space, f"carry {token} to {space}")

    def _until(self, done: Callable[[], bool], what: str) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end_s, f"{what}: {self._sitting.latest['prompt']}"
            self._page.wait_for_timeout(5)
