"""A page in the browser, and hands for it that know the board."""

from __future__ import annotations

import re
from typing import Any, Self

from playwright.sync_api import Browser, Locator, Page, expect

from underglow.profile import Board

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Screen:
    """A page, and a mouse."""

    def __init__(self, browser: Browser, address: str, board: Board, **options: Any) -> None:
        """Open it; a table that waits for a first choice has no figures yet, and is told by its words."""
        self.board = board
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.traffic: list[str] = []
        """What its sockets carried to it."""
        self.page: Page = browser.new_page(viewport={"width": 1280, "height": 800}, **options)
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on(
            "websocket", lambda socket: socket.on("framereceived", lambda data: self.traffic.append(str(data)))
        )
        self.page.goto(address)
        expect(self.page.locator("#says")).not_to_be_empty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close it; nothing may have gone wrong on it."""
        self.page.close()
        if kind is None:
            assert self.complaints == []

    def targets(self) -> Locator:
        """The spaces that choices mark."""
        return self.page.locator("#surface [data-target]")

    def figure(self, token: str) -> Locator:
        return self.page.locator(f"[data-figure={token}]")

    def sees(self, number: int) -> bool:
        """Say whether it shows the snapshot of that number."""
        return self.page.locator("#table").get_attribute("data-number") == str(number)

    def at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Where a point of the board is on the screen, in CSS pixels."""
        script = """([x, y]) => {
            const point = new DOMPoint(x, y).matrixTransform(document.querySelector("#surface").getScreenCTM());
            return [point.x, point.y];
        }"""
        x_px, y_px = self.page.evaluate(script, [x_mm, y_mm])
        return x_px, y_px

    def space(self, space: str) -> tuple[float, float]:
        found = self.board.space(space)
        return self.at(found.x_mm, found.y_mm)

    def stands(self, token: str, place: str) -> None:
        expect(self.figure(token)).to_have_attribute("aria-label", re.compile(f", {place}$"))

    def grab(self, space: str) -> None:
        self.page.mouse.move(*self.space(space))
        self.page.mouse.down()

    def drag(self, x_px: float, y_px: float) -> None:
        self.page.mouse.move(x_px, y_px, steps=4)
        self.page.mouse.up()
