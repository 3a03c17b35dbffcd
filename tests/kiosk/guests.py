"""Guests of a table that listens on the network as well: what phones say and hear, without a browser."""

from __future__ import annotations

import http.client
import json
from contextlib import ExitStack
from dataclasses import dataclass
from urllib.parse import urlsplit

from visiting import House, Visitor
from websockets.sync.client import connect

LAN = "127.0.0.2"
"""What these tests take for the network: an address of this machine that is not 127.0.0.1."""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: list[tuple[str, str]]
    text: str

    @property
    def cookie(self) -> str | None:
        """Name and value of the cookie it sets."""
        return next((value.split(";")[0] for name, value in self.headers if name == "set-cookie"), None)


@dataclass
class Network:
    """The way in from the network."""

    netloc: str
    doors: ExitStack

    @classmethod
    def of(cls, house: House) -> Network:
        return cls(f"{LAN}:{urlsplit(house.address).port}", house.doors)

    def ask(self, method: str, path: str, body: bytes | None = None, source: str = "127.0.0.1", **more: str) -> Answer:
        connection = http.client.HTTPConnection(self.netloc, timeout=10, source_address=(source, 0))
        try:
            headers = {name.replace("_", "-"): value for name, value in more.items()}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read().decode())
        finally:
            connection.close()

    def join(self, code: str, source: str = "127.0.0.1", **headers: str) -> Answer:
        return self.ask("POST", "/join", code.encode(), source, **headers)

    def open(self, query: str, cookie: str | None = None, source: str = "127.0.0.1", **headers: str) -> Visitor:
        more = headers | ({"cookie": cookie} if cookie else {})
        socket = connect(
            f"ws://{self.netloc}/live{query}",
            additional_headers=more,
            open_timeout=5,
            close_timeout=1,
            source_address=(source, 0),
        )
        return Visitor(self.doors.enter_context(socket))

    def seated(self, code: str, source: str = "127.0.0.1") -> tuple[Visitor, str]:
        """Join by a code and open the seat's page; return it and the phone's cookie."""
        cookie = self.join(code, source).cookie
        assert cookie
        return self.open("?seat=own", cookie, source), cookie


def codes(page: Visitor) -> dict[int, str]:
    """The codes that the table's own page shows next."""
    told = page.hear("invitations")
    return {seat["seat"]: seat["code"] for seat in told["seats"] if seat["code"]}


def texts(page: Visitor, kind: str) -> list[str]:
    return [text for text in page.heard if next(iter(json.loads(text))) == kind]
