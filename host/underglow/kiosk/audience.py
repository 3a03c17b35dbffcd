"""The open pages: what each of them has still to hear, and what each of them may say."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import cast

from starlette.websockets import WebSocket, WebSocketDisconnect

from underglow.kiosk import messages
from underglow.kiosk.faces import TableFace
from underglow.kiosk.hands import Hands
from underglow.snapshot import Snapshot

SOCKETS = 32
"""Pages that may be open at once."""

SEND_S = 5.0
"""A page that takes nothing for so long is dropped."""

MESSAGES_PER_S = 20
BURST = 40
"""No person drags and clicks faster than this; a socket that does is closed."""

# Close codes of RFC 6455: the page broke the rules; the page may try again later.
POLICY, LATER = 1008, 1013


class Crowded(Exception):
    """There is no room for another page."""


class Mailbox:
    """What one page has still to hear: the newest of each kind, so a slow page skips instead of falling behind."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self._letters: dict[str, str] = {}
        self._waiting = asyncio.Event()

    def put(self, kind: str, text: str) -> None:
        """Leave a message; it replaces an older one of its kind."""
        self._letters[kind] = text
        self._waiting.set()

    async def take(self) -> list[str]:
        """Wait for messages and take them all."""
        await self._waiting.wait()
        self._waiting.clear()
        texts = list(self._letters.values())
        self._letters.clear()
        return texts


class Pace:
    """A bucket of messages that refills with time."""

    def __init__(self, now_s: float) -> None:
        self._left = float(BURST)
        self._at_s = now_s

    def spend(self, now_s: float) -> bool:
        """Say whether one more message is still a pace that hands can keep."""
        self._left = min(BURST, self._left + (now_s - self._at_s) * MESSAGES_PER_S) - 1
        self._at_s = now_s
        return self._left >= 0


class Audience:
    """Every open page. Lives on the server's event loop; only the loop's thread may call it."""

    def __init__(self, table: TableFace, spaces: Collection[str], hands: Hands | None) -> None:
        self._table = table
        self._spaces = spaces
        self._hands = hands
        self._open: set[Mailbox] = set()
        self._latest: dict[str, str] = {}
        self._snapshot: Snapshot | None = None
        self._pieces: set[str] = set()  # every token that ever stood on this table

    def show(self, kind: str, text: str) -> None:
        """Show a message that everybody may see, also to pages that come later."""
        self._latest[kind] = text
        for mailbox in self._open:
            mailbox.put(kind, text)

    def show_table(self, snapshot: Snapshot) -> None:
        """Show each page the table as its seat may see it."""
        self._snapshot = snapshot
        self._pieces.update(*snapshot["layout"].values())
        texts: dict[int | None, str] = {}
        for mailbox in self._open:
            if mailbox.seat not in texts:
                texts[mailbox.seat] = messages.table(snapshot, self._table.view(mailbox.seat), mailbox.seat)
            mailbox.put("table", texts[mailbox.seat])

    async def serve(self, websocket: WebSocket) -> None:
        """Keep one page informed and do what it asks, until it leaves or breaks the rules."""
        try:
            # Also whom we refuse: a browser shows its page the reason of a close, never that of a refused handshake.
            await websocket.accept()
            with self._place(websocket.query_params.get("seat")) as mailbox:
                await self._talk(websocket, mailbox)
        except WebSocketDisconnect:
            return
        except messages.Malformed as error:
            await _close(websocket, POLICY, str(error))
        except Crowded as error:
            await _close(websocket, LATER, str(error))

    @contextmanager
    def _place(self, asked: str | None) -> Generator[Mailbox]:
        seat = self._seat(asked)
        if len(self._open) >= SOCKETS:
            raise Crowded(f"{SOCKETS} pages are open already: close one")
        mailbox = Mailbox(seat)
        self._open.add(mailbox)
        self._watch()
        self._greet(mailbox)
        try:
            yield mailbox
        finally:
            self._open.discard(mailbox)
            self._watch()

    def _seat(self, asked: str | None) -> int | None:
        """Seats count from 0. Alone at the table, one need not say who one is."""
        rows = cast("Sequence[Mapping[str, int]]", self._table.view(None)["seats"])
        seats = {row.get("seat", number) for number, row in enumerate(rows)}  # a seat may play several characters
        if asked is None:
            return next(iter(seats)) if len(seats) == 1 else None
        if asked == "public":
            return None
        if asked in map(str, seats):
            return int(asked)
        raise messages.Malformed(f"this table has no seat {asked!r}")

    def _watch(self) -> None:
        if self._hands:
            self._hands.watch(bool(self._open))

    def _greet(self, mailbox: Mailbox) -> None:
        for kind, text in self._latest.items():
            mailbox.put(kind, text)
        if self._snapshot:
            mailbox.put("table", messages.table(self._snapshot, self._table.view(mailbox.seat), mailbox.seat))

    async def _talk(self, websocket: WebSocket, mailbox: Mailbox) -> None:
        """Tell and hear at once; both go on until one of three things happens."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._tell(websocket, mailbox))
                tasks.create_task(self._hear(websocket, mailbox.seat))
        except* WebSocketDisconnect:
            pass  # 1. The page left, or the server ends: nobody is there to be told.
        except* TimeoutError:
            pass  # 2. The page takes nothing; it could not take a reason either.
        except* messages.Malformed as broken:
            await _close(websocket, POLICY, str(broken.exceptions[0]))  # 3. It broke the rules.

    async def _tell(self, websocket: WebSocket, mailbox: Mailbox) -> None:
        while True:
            for text in await mailbox.take():
                async with asyncio.timeout(SEND_S):
                    await websocket.send_text(text)

    async def _hear(self, websocket: WebSocket, seat: int | None) -> None:
        pace = Pace(time.monotonic())
        while True:
            frame = await websocket.receive()
            if frame["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(frame["code"])
            text = frame.get("text")
            if not isinstance(text, str):
                raise messages.Malformed("expected text, not bytes")
            if not pace.spend(time.monotonic()):
                raise messages.Malformed(f"more than {MESSAGES_PER_S} messages a second: slower, please")
            self._do(messages.read(text), seat)

    def _do(self, message: messages.FromPage, seat: int | None) -> None:
        match message:
            case messages.Place(place=(token, space)):
                if space not in self._spaces:
                    raise messages.Malformed(f"this board has no space {space!r}")
                self._carry(token, message)
            case messages.Lift(lift=token):
                self._carry(token, message)
            case messages.Choose(choose=index, number=number):
                self._choose(index, number, seat)
            case messages.Undo(undo=number):
                self._turn(self._table.undo, number, seat)
            case messages.Agree(agree=number):
                self._turn(self._table.agree, number, seat)
            case messages.Redo(redo=number):
                self._turn(self._table.redo, number, seat)

    def _carry(self, token: str, move: messages.Place | messages.Lift) -> None:
        if self._hands is None:
            raise messages.Malformed("this board is real: move its tokens by hand")
        if token not in self._pieces and token not in self._hands.seen:
            raise messages.Malformed(f"no token {token!r} stands on this table")
        self._hands.move(move)

    def _choose(self, index: int, number: int, seat: int | None) -> None:
        snapshot = self._snapshot
        if snapshot is None or number != snapshot["number"]:
            return  # The table moved on while the page clicked.
        offered = messages.offered(snapshot, seat)
        if index >= len(offered):
            raise messages.Malformed("that choice is not offered to this seat")
        self._table.choose(offered[index]["index"], number)

    def _turn(self, post: Callable[[int, int], None], number: int, seat: int | None) -> None:
        """Go back or forth in the history, for a seat."""
        if seat is None:
            raise messages.Malformed("the public takes nothing back: choose a seat first")
        if self._snapshot and number == self._snapshot["number"]:
            post(number, seat)


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    with suppress(WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(SEND_S):
            # A close frame holds at most 123 bytes of reason.
            await websocket.close(code, reason.encode()[:123].decode(errors="ignore"))
