"""Connections before anything is said on them: how many, from whom, and for how long."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Self, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

ADDRESS = "127.0.0.1"
"""Where pages of this machine come in; whoever comes in elsewhere is a guest."""

GUESTS = 64
"""Connections of guests in all: this machine's own pages always find room."""

GUESTS_OF_ADDRESS = 16
"""Connections of one guest: a browser opens six to load a page, and one socket."""

LIFE_S = 30.0
"""A page is loaded in less; a connection that became no socket by then is ended, whatever it waits for."""


End = tuple[str, int | None] | None
"""Address and port of one end of a connection; None: there is none any more."""


def at_home(server: End, client: End) -> bool:
    """Say whether a connection between these two stays within this machine."""
    return server is not None and client is not None and server[0] == ADDRESS and client[0].startswith("127.")


class Doorway(H11Protocol):
    """The server's protocol, but a guest's connection that is one too many is dropped without a word."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Let it in, or drop it."""
        super().connection_made(transport)
        if at_home(self.server, self.client):
            return
        # `connections` are this class's and, of open sockets, another's, which is alike.
        ends = [(other.server, other.client) for other in cast("Iterable[Self]", self.connections)]
        addresses = [client[0] for server, client in ends if client and not at_home(server, client)]
        own = self.client[0] if self.client else ""
        if len(addresses) > GUESTS or addresses.count(own) > GUESTS_OF_ADDRESS:
            transport.abort()
            return
        self.loop.call_later(LIFE_S, self._expire)

    def _expire(self) -> None:
        if self.transport.get_protocol() is self:  # no socket was made of it
            self.transport.abort()
