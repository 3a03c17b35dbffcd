"""The table's page in a browser without a screen, and what it holds in memory."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_NAMES = "chromium", "chromium-browser", "google-chrome"
_REST_S = 0.5
"""What a page gets to draw what it heard last."""


class NoBrowser(Exception):
    """There is no browser to open the page in; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a page holds after its garbage is collected: bytes of its script's heap, DOM nodes, event listeners."""

    heap_bytes: int
    nodes: int
    listeners: int


class Screen:
    """A page at that address."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._page = browser.new_page(viewport={"width": 1280, "height": 800})
        self._page.goto(address)
        # Its types leave open what comes back.
        self._ask = cast("Callable[[str], Mapping[str, Any]]", self._page.context.new_cdp_session(self._page).send)
        self._ask("Performance.enable")

    def held(self) -> Held:
        """Let it rest and look at it."""
        time.sleep(_REST_S)
        self._page.evaluate("new Promise(requestAnimationFrame)")
        self._ask("HeapProfiler.collectGarbage")
        counts = {metric["name"]: int(metric["value"]) for metric in self._ask("Performance.getMetrics")["metrics"]}
        heap_bytes = int(self._ask("Runtime.getHeapUsage")["usedSize"])
        return Held(heap_bytes, counts["Nodes"], counts["JSEventListeners"])

    def close(self) -> None:
        """Close the page."""
        self._page.close()


def installed() -> str | None:
    """Where this machine's Chromium is, or another browser of its kind; None: it has none."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def chromium() -> Generator[Browser]:
    """A browser without a screen. NoBrowser: it is missing, or what drives it is."""
    path = installed()
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise NoBrowser("the page is opened by Playwright: install it with  pip install playwright") from None
    if path is None:
        raise NoBrowser("there is no Chromium here: install it with  apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()
