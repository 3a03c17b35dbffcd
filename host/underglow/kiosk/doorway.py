"""Connections before anything is said on them: how many, from whom, and for how long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Self, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from underglow.kiosk.pace import Pace, Paces

ADDRESS = "127.0.0.1"
"""Where pages of this machine come in; whoever comes in elsewhere is a guest."""

GUESTS = 64
"""Connections of guests in all: this machine's own pages always find room."""

GUESTS_OF_ADDRESS = 16
"""Connections of one guest: a browser opens six to load a page, and one socket."""

LIFE_S = 30.0
"""A page is loaded in less; a connection that became no socket by then is ended, whatever it waits for."""


ARRIVALS_OF_ADDRESS = 32, 2.0
GUESTS_ARRIVALS = 96, 10.0
"""Connections that one guest, and that all of them, may make at once, and then each second: a page takes seven."""

OWN_ARRIVALS = 200, 10.0
"""The same of this machine's own pages."""

End = tuple[str, int | None] | None
"""Address and port of one end of a connection; None: there is none any more."""


def at_home(server: End, client: End) -> bool:
    """Say whether a connection between these two stays within this machine."""
    return server is not None and client is not None and server[0] == ADDRESS and client[0].startswith("127.")


def doorway() -> type[H11Protocol]:
    """A server's protocol, but a connection that is one too many, or too soon, is dropped without a word.

    That is the cheapest answer there is: whoever comes again and again costs the table next to nothing.
    """
    own, guests = (Pace(time.monotonic(), *pace) for pace in (OWN_ARRIVALS, GUESTS_ARRIVALS))
    paces = Paces(time.monotonic, *ARRIVALS_OF_ADDRESS)

    class Doorway(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            if at_home(self.server, self.client):
                if not own.spend(time.monotonic()):
                    transport.abort()
                return
            address = self.client[0] if self.client else ""
            # Who comes too often is no burden to the others.
            in_time = paces.spend(address) and guests.spend(time.monotonic())
            if not in_time or self._is_crowded(address):
                transport.abort()
                return
            self.loop.call_later(LIFE_S, self._expire)

        def _is_crowded(self, own: str) -> bool:
            # `connections` are this class's and, of open sockets, another's, which is alike.
            ends = [(other.server, other.client) for other in cast("Iterable[Self]", self.connections)]
            addresses = [client[0] for server, client in ends if client and not at_home(server, client)]
            return len(addresses) > GUESTS or addresses.count(own) > GUESTS_OF_ADDRESS

        def _expire(self) -> None:
            if self.transport.get_protocol() is self:  # no socket was made of it
                self.transport.abort()

    return Doorway
