from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from guests import LAN, Network
from playwright.sync_api import Browser, sync_playwright
from screen import ARGUMENTS
from scripted_table import ScriptedBench, ScriptedTable
from visiting import House

from underglow import profile
from underglow.kiosk import Kiosk
from underglow.profile import Board
from underglow.testing import cannot_run


@pytest.fixture(scope="session")
def hex48() -> Board:
    return profile.load("hex48")


@pytest.fixture
def house(hex48: Board) -> Iterator[House]:
    table, bench = ScriptedTable(), ScriptedBench(hex48)
    with Kiosk(hex48, table, bench) as kiosk, ExitStack() as doors:
        address = kiosk.start()
        table.watch(kiosk.publish)
        yield House(kiosk, address, hex48, table, bench, doors)


@pytest.fixture
def lan_house(hex48: Board) -> Iterator[House]:
    """A table that phones of the network may join."""
    table, bench = ScriptedTable(), ScriptedBench(hex48)
    with Kiosk(hex48, table, bench) as kiosk, ExitStack() as doors:
        address = kiosk.start(lan=LAN)
        table.watch(kiosk.publish)
        yield House(kiosk, address, hex48, table, bench, doors)


@pytest.fixture
def network(lan_house: House) -> Network:
    return Network.of(lan_house)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        cannot_run("no Chromium on PATH: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()
