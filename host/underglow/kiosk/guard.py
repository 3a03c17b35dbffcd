"""Who may ask, and what a browser may do with the answer."""

from __future__ import annotations

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class Guard:
    """Refuse what another site's page sends here, and bind our own page to this origin.

    The Host check defeats a foreign name that resolves to this machine; the Origin check a foreign page that opens
    our socket. Programs without an Origin pass: they are no browser, and could write any.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = LOOPBACK) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403 with a sentence, or pass on."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        origin = headers.get("origin", f"http://{host}")
        if host not in self._hosts and host.rpartition(":")[0] not in self._hosts:
            await _refuse("this page answers only by its own address", scope, receive, send)
            return
        if origin != f"http://{host}":
            await _refuse("another site's page may not talk to the table", scope, receive, send)
            return

        async def bind(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, bind)


async def _refuse(sentence: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close"})  # the server makes it a 403; a browser shows nobody why
    else:
        await PlainTextResponse(sentence, 403)(scope, receive, send)
