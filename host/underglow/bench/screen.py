"""The table's page in a browser without a screen, and what it holds in memory."""

from __future__ import annotations

import importlib.util
import os
import shutil
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from typing import Any, cast

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


def installed() -> str | None:
    """Where this machine's Chromium is, or another browser of its kind; None: it has none."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def opened(address: str) -> Generator[Callable[[], Held]]:
    """Have the page at that address open; what this gives lets it rest and looks at it.

    What drives the browser remembers every socket that the page ever opened, so it has a process of its own and is not
    measured with whoever asks. NoBrowser: the browser is missing, or its driver, or it has ended.
    """
    path = installed()
    if path is None:
        raise NoBrowser("there is no Chromium here: install it with  apt-get install chromium")
    if importlib.util.find_spec("playwright") is None:
        raise NoBrowser("the page is opened by Playwright: install it with  pip install playwright")
    control, theirs = cast("tuple[Connection, Connection]", Pipe())

    def held() -> Held:
        try:
            control.send("look")
            return cast("Held", control.recv())
        except (EOFError, OSError):
            raise NoBrowser("the browser, or what drives it, has ended") from None

    with control:
        driver = get_context("spawn").Process(target=_drive, args=(path, address, theirs), daemon=True)
        driver.start()
        theirs.close()
        try:
            held()  # then it is open
            yield held
        finally:
            control.close()
            driver.join()


def _drive(path: str, address: str, control: Connection) -> None:
    os.setsid()  # what the terminal sends is for the parent; when that ends, we do, and the browser with us
    from playwright.sync_api import sync_playwright

    with control, sync_playwright() as playwright, suppress(EOFError, OSError):  # nobody asks any more
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        # Its types leave open what comes back.
        ask = cast("Callable[[str], Mapping[str, Any]]", page.context.new_cdp_session(page).send)
        ask("Performance.enable")
        while control.recv():
            time.sleep(_REST_S)
            page.evaluate("new Promise(requestAnimationFrame)")
            ask("HeapProfiler.collectGarbage")
            counts = {metric["name"]: int(metric["value"]) for metric in ask("Performance.getMetrics")["metrics"]}
            heap_bytes = int(ask("Runtime.getHeapUsage")["usedSize"])
            control.send(Held(heap_bytes, counts["Nodes"], counts["JSEventListeners"]))
