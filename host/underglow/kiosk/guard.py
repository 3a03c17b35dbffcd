"""Who may ask, and what a browser may do with the answer."""

from __future__ import annotations

import asyncio
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from underglow.kiosk.doorway import at_home
from underglow.kiosk.pace import Paces

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache",
}

REQUESTS = 120
REQUESTS_PER_S = 20
"""What an address on the network may ask for at once, and then each second; a page is some twenty files."""

SLOWER_S = 1.0
"""Who asks faster waits so long for the refusal. Its connections are counted, so that is all it can ask."""


class Guard:
    """Refuse what another site's page sends here, and bind our own page to this origin.

    The Host check defeats a foreign name that resolves to this machine; the Origin check a foreign page that opens
    our socket. Programs without an Origin pass: they are no browser, and could write any. `lan` is the address by
    which the network reaches this machine, if it may: there, only it is answered to.
    """

    def __init__(self, app: ASGIApp, lan: str | None = None) -> None:
        self._app = app
        self._lan = frozenset({lan} if lan else ())
        self._paces = Paces(time.monotonic, REQUESTS, REQUESTS_PER_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403 or 429 with a sentence, or pass on."""
        home = at_home(scope.get("server"), scope.get("client"))
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        origin = headers.get("origin", f"http://{host}")
        hosts = LOOPBACK if home else self._lan
        if not home and not self._paces.spend(_address(scope)):
            await asyncio.sleep(SLOWER_S)
            await _refuse("slower, please", 429, scope, receive, send)
            return
        if host not in hosts and host.rpartition(":")[0] not in hosts:
            await _refuse("this page answers only by its own address", 403, scope, receive, send)
            return
        if origin != f"http://{host}":
            await _refuse("another site's page may not talk to the table", 403, scope, receive, send)
            return

        async def bind(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, bind)


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


async def _refuse(sentence: str, status: int, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close"})  # the server makes it a 403; a browser shows nobody why
    else:
        await PlainTextResponse(sentence, status)(scope, receive, send)
