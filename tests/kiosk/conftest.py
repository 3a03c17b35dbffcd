from __future__ import annotations

from collections.abc import Iterator

import pytest
from guests import LAN, Network
from playwright.sync_api import Browser, sync_playwright
from screen import ARGUMENTS
from scripted_table import ScriptedTable
from visiting import House, housed

from underglow import profile
from underglow.bench.screen import installed
from underglow.profile import Board
from underglow.testing import cannot_run


@pytest.fixture(scope="session")
def hex48() -> Board:
    return profile.load("hex48")


@pytest.fixture
def house(hex48: Board) -> Iterator[House]:
    with housed(hex48, ScriptedTable()) as house:
        yield house


@pytest.fixture
def lan_house(hex48: Board) -> Iterator[House]:
    """A table that phones of the network may join."""
    with housed(hex48, ScriptedTable(), LAN) as house:
        yield house


@pytest.fixture
def network(lan_house: House) -> Network:
    return Network.of(lan_house)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = installed()
    if path is None:
        cannot_run("no Chromium on PATH: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()
