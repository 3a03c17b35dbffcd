"""Where phones come in: a code is exchanged for a pass, which the browser keeps as a cookie that no script can read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response

from underglow.kiosk import messages, speech
from underglow.kiosk.doorway import at_home
from underglow.kiosk.invitations import PASS_S, Invitations, Refused, TooFast, key_of

CODE_BYTES = 64
"""A longer body is no code."""

BODY_S = 5.0
"""A code that takes longer to arrive is not waited for."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: from this machine or from which address, and the key of the pass that the browser shows."""

    home: bool
    address: str
    key: str | None


def caller(connection: HTTPConnection) -> Caller:
    """Say who is at the other end of a request or a socket."""
    told = connection.cookies.get(cookie_of(connection))
    home = at_home(connection.scope.get("server"), connection.scope.get("client"))
    return Caller(home, connection.client.host if connection.client else "", key_of(told) if told else None)


class Lobby:
    """Joining, by HTTP. `address` is the page a code leads to; `changed` is called after somebody joined.

    `language` is that of the table, if it has one of its own.
    """

    def __init__(
        self, address: str, invitations: Invitations, changed: Callable[[], None], language: str | None = None
    ) -> None:
        self.address = address
        self.invitations = invitations
        self._changed = changed
        self._language = language

    def told(self, seats: Collection[int]) -> messages.Letter:
        """What the table's own page shows of these seats."""
        codes, phones = self.invitations.codes, self.invitations.phones
        return messages.invitations(self.address, [(seat, codes.get(seat), phones(seat)) for seat in sorted(seats)])

    async def join(self, request: Request) -> Response:
        """Answer a code: 204 and the pass, or 403, 413, 429 and a sentence."""
        who = caller(request)
        try:
            told = self.invitations.enter(await body_of(request), who.address)
        except TooFast as error:
            return self._sentence(request, error, 429)
        except Refused as error:
            return self._sentence(request, error, 403)
        except (ValueError, TimeoutError):
            return PlainTextResponse("expected a code", 413)
        if who.key:
            self.invitations.leave(who.key)
        self._changed()
        answer = Response(status_code=204)
        answer.set_cookie(cookie_of(request), told, max_age=int(PASS_S), httponly=True, samesite="strict")
        return answer

    def _sentence(self, request: Request, error: Refused, status: int) -> Response:
        return PlainTextResponse(error.says.spoken(speech.spoken_there(request, self._language)), status)


def cookie_of(connection: HTTPConnection, of: str = "underglow") -> str:
    """The name of a cookie: cookies know no ports, and one machine may have two tables."""
    server = connection.scope.get("server")
    return f"{of}-{server[1] if server else ''}"


async def body_of(request: Request) -> str:
    """The few letters that a request brings. ValueError: it is no text, or too long. TimeoutError: it does not come."""
    body = b""
    async with asyncio.timeout(BODY_S):
        async for chunk in request.stream():
            body += chunk
            if len(body) > CODE_BYTES:
                raise ValueError("too long")
    return body.decode()
