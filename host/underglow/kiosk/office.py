"""Where staff come in, on this machine only: the PIN, their page, its socket, and the logs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import IO

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from underglow.kiosk import instructions, logs, messages, speech
from underglow.kiosk.audience import LATER, POLICY, Dismissed, Mailbox, close, converse, language_of
from underglow.kiosk.badges import Badges
from underglow.kiosk.faces import StaffFace
from underglow.kiosk.invitations import key_of
from underglow.kiosk.lobby import body_of, caller, cookie_of
from underglow.kiosk.messages import Letter, Malformed
from underglow.kiosk.pin import Locked, NoPin, Pin
from underglow.languages import SILENCE, Text, say

PAGES = 4
"""Pages of the staff that may be open at once."""

LOCKED = 4003
"""Close code of our own: without the PIN, nothing changes if the page tries again."""

CHUNK_BYTES = 64 * 1024

_COOKIE = "underglow-staff"


class Door(StrEnum):
    """The way in for staff, as the table's own pages show it."""

    SHUT = "shut"
    AJAR = "ajar"  # no gesture can be made now: a button leads to the PIN pad
    CALLED = "called"  # the gesture was made: the PIN pad shows by itself


class Office:
    """Lives on the server's event loop; only `leave` may be called from another thread.

    `folder` holds what is packed for a download, `staff` does what is asked for.
    """

    def __init__(self, pin: Pin, folder: Path, staff: StaffFace, now_s: Callable[[], float] = time.monotonic) -> None:
        self._pin = pin
        self._folder = folder
        self._staff = staff
        self._badges = Badges(now_s)
        self._door = Door.SHUT
        self._language: str | None = None
        self._open: set[Mailbox] = set()
        self._news: dict[str, object] = {}  # the staff's thread leaves it, newest of each kind
        self._latest: dict[str, Letter] = {}
        self._packing = False

    # --- what staff are told ---

    def leave(self, kind: str, value: object) -> None:
        """Leave news for the staff's pages, until `deliver`."""
        self._news[kind] = value

    def deliver(self) -> None:
        """Show what was left since."""
        for kind in list(self._news):
            self.show(Letter(kind, self._news.pop(kind)))

    def show(self, letter: Letter) -> None:
        """Show a message to the staff's pages, also to those that come later."""
        self._latest[letter.kind] = letter
        for mailbox in self._open:
            mailbox.put(letter)

    def show_door(self, door: Door) -> Letter:
        """Open the way to the PIN, or shut it; return what the table's own pages show of it."""
        self._door = door
        return messages.door(door.value, self._pin.missing if door is not Door.SHUT else SILENCE)

    # --- the way in ---

    def routes(self, page: Callable[[Request], Response], language: str | None = None) -> list[BaseRoute]:
        """Everything of it; `page` is the staff's, `language` that of the table, if it has one of its own."""
        self._language = language

        async def show(request: Request) -> Response:
            if not caller(request).home:
                return _nothing()
            return page(request) if self._key(request) else RedirectResponse("/", 303)

        return [
            Route("/staff", show),
            Route("/staff/pin", self._enter, methods=["POST"]),
            Route("/staff/logs.zip", self._pack),
            WebSocketRoute("/staff/live", self._serve),
        ]

    async def _enter(self, request: Request) -> Response:
        """Answer a PIN: 204 and a badge, or 403, 413, 429 and a sentence."""
        if not caller(request).home:
            return _nothing()
        if self._door is Door.SHUT:
            return self._sentence(request, say("Hold all three buttons of the board for three seconds."), 403)
        try:
            right = await asyncio.to_thread(self._pin.right, await body_of(request))
        except Locked as error:
            return self._sentence(request, error.says, 429)
        except NoPin as error:
            return self._sentence(request, error.says, 403)
        except (ValueError, TimeoutError):
            return PlainTextResponse("expected a PIN", 413)
        if not right:
            return self._sentence(request, say("That PIN is wrong."), 403)
        self._staff.came_in()
        answer = Response(status_code=204)
        answer.set_cookie(
            cookie_of(request, _COOKIE), self._badges.give(), path="/staff", httponly=True, samesite="strict"
        )
        return answer

    def _sentence(self, request: Request, sentence: Text, status: int) -> Response:
        return PlainTextResponse(sentence.spoken(speech.spoken_there(request, self._language)), status)

    def _key(self, connection: HTTPConnection) -> str | None:
        """The key of the badge that a browser of this machine shows, if it is good."""
        told = connection.cookies.get(cookie_of(connection, _COOKIE))
        key = key_of(told) if told else None
        return key if key and caller(connection).home and self._badges.good(key) else None

    # --- inside ---

    async def _pack(self, request: Request) -> Response:
        key = self._key(request)
        if key is None:
            return _nothing()
        if self._packing:
            return self._sentence(request, say("The logs are being packed already."), 429)
        self._badges.use(key)
        self._packing = True
        try:
            packed = await asyncio.to_thread(logs.pack, self._folder)
        except OSError as error:
            says = say("The logs can't be packed: {why}.", why=error.strerror or type(error).__name__)
            return self._sentence(request, says, 503)
        finally:
            self._packing = False
        name = f"underglow-{time.strftime('%Y-%m-%d-%H%M')}.zip"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return StreamingResponse(_chunks(packed), media_type="application/zip", headers=headers)

    async def _serve(self, websocket: WebSocket) -> None:
        if not caller(websocket).home:
            await websocket.send_denial_response(_nothing())
            return
        with suppress(WebSocketDisconnect):
            await websocket.accept()  # whom we refuse, too: else a browser shows its page no reason
            key = self._key(websocket)
            if key is None:
                await close(websocket, LOCKED, say("the PIN is asked for at the table's page"))
            elif len(self._open) >= PAGES:
                await close(websocket, LATER, say("{n} pages of the staff are open already: close one", n=PAGES))
            else:
                await self._talk(websocket, key)

    async def _talk(self, websocket: WebSocket, key: str) -> None:
        mailbox = Mailbox(None, caller(websocket), None, language_of(websocket))
        self._open.add(mailbox)
        self._staff.watch(True)
        for letter in self._latest.values():
            mailbox.put(letter)
        watching = asyncio.create_task(self._see_out(mailbox, key))
        try:
            await converse(websocket, mailbox, lambda text: self._hear(text, key))
        except Malformed as error:
            await close(websocket, POLICY, str(error))
        except Dismissed as error:
            await close(websocket, error.code, str(error))
        finally:
            watching.cancel()
            self._open.discard(mailbox)
            self._staff.watch(bool(self._open))
            if not self._open:
                self._latest.pop("health", None)  # it would be old by the time that somebody sees it

    async def _see_out(self, mailbox: Mailbox, key: str) -> None:
        """Dismiss a page whose badge is good no more."""
        while self._badges.good(key):
            await asyncio.sleep(0.2)
        mailbox.dismiss(LOCKED, say("locked: the PIN is asked for again"))

    def _hear(self, text: str, key: str) -> None:
        said = instructions.read(text)
        self._badges.use(key)
        match said:
            case instructions.Here():
                pass
            case instructions.Lock():
                self._badges.end(key)
            case _:
                self._staff.ask(said)


def _nothing() -> Response:
    return PlainTextResponse("no such page", 404)


def _chunks(packed: IO[bytes]) -> Iterator[bytes]:
    with packed:
        while chunk := packed.read(CHUNK_BYTES):
            yield chunk
