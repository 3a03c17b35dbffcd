"""A served table, and pages without a browser that visit it."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from scripted_table import ScriptedBench, ScriptedTable
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from underglow.kiosk import Kiosk
from underglow.profile import Board


class Visitor:
    """A page without a browser: what it heard, word for word."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[str] = []

    def say(self, message: object) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self, kind: str, when: Callable[[Any], bool] = lambda _: True, timeout_s: float = 5) -> Any:
        """Listen until a message of that kind comes that is as wanted."""
        while True:
            text = self.socket.recv(timeout=timeout_s)
            assert isinstance(text, str)
            self.heard.append(text)
            ((heard, value),) = json.loads(text).items()
            if heard == kind and when(value):
                return value

    def turned_out(self) -> tuple[int, str]:
        """Wait to be turned out; return the close code and the reason."""
        with pytest.raises(ConnectionClosedError) as end:
            self.hear("nothing")
        assert end.value.rcvd is not None
        return end.value.rcvd.code, end.value.rcvd.reason


@dataclass
class House:
    """A served table, and a way in."""

    kiosk: Kiosk
    address: str
    board: Board
    table: ScriptedTable
    bench: ScriptedBench
    doors: ExitStack

    @property
    def netloc(self) -> str:
        return urlsplit(self.address).netloc

    def join(self, query: str = "?seat=0", origin: str | None = None) -> Visitor:
        from_page = Origin(origin) if origin else None
        socket = connect(f"ws://{self.netloc}/live{query}", origin=from_page, open_timeout=5, close_timeout=1)
        return Visitor(self.doors.enter_context(socket))


@contextmanager
def housed(board: Board, table: ScriptedTable, lan: str | None = None, *, real: bool = False) -> Generator[House]:
    """That table, served; with `lan`, to the network as well; of a `real` board no page moves the magnets."""
    bench = ScriptedBench(board)
    with Kiosk(board, table, None if real else bench) as kiosk, ExitStack() as doors:
        address = kiosk.start(lan=lan)
        table.watch(kiosk.publish)
        yield House(kiosk, address, board, table, bench, doors)
