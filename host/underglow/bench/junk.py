"""A crowd that means no good: sockets that come and come again, and all that no page says. A process of its own.

`python -m underglow.bench.junk PORT SOCKETS MESSAGES_PER_S` crowds a table of this machine until its input ends, and
then says, as JSON, what it came to. Half of the sockets come in as this machine's own, half from many addresses of the
network; half talk as pages do, half as nobody does.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import sys
from collections import Counter
from contextlib import suppress
from itertools import count

HOME, LAN = "127.0.0.1", "127.0.0.2"
"""Where a table must listen to be crowded: LAN stands for the network, as it is not 127.0.0.1."""

ADDRESSES = 20
"""Of the network, from which guests come."""

PAUSE_S = 0.25
"""Whoever was turned away comes again so soon, as our own page does at first."""

REQUESTS_PER_S = 50.0

TICK_S = 0.01

_HANDSHAKE = (
    "GET /live?seat=public HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

_PATHS = ("/", "/static/../server.py", "/static/%2e%2e/pin", "/nobody", "/metrics", "/static/main.js?a=" + "b" * 400)


def _frame(body: bytes, opcode: int = 1, told: int | None = None) -> bytes:
    """A frame as a client sends it, masked by zeros, that is said to have `told` bytes."""
    size = len(body) if told is None else told
    head = bytes([0x80 | opcode])
    if size < 126:
        return head + bytes([0x80 | size, 0, 0, 0, 0]) + body
    return head + bytes([0x80 | 127]) + size.to_bytes(8) + bytes(4) + body


POLITE = _frame(b'{"choose":0,"number":0}')
"""What a page says whose table has moved on."""

RUDE = (
    POLITE,
    _frame(b'{"choose":-1,"number":0}'),
    _frame(b"[" * 400),
    _frame(b'{"place":["nobody","nowhere"]}'),
    _frame(b"\x00" * 40, opcode=2),
    _frame(b"\xff\xfe"),
    _frame(b"x" * 1000, told=1 << 20),
    b"\x81\xfe\x01",
    b"\xff\xff\xff\xff",
    b"GET / HTTP/1.1\r\n\r\n",
)


class Crowd:
    """So many visitors, who together say so many messages a second, whoever of them is let in."""

    def __init__(self, port: int, sockets: int, messages_per_s: float) -> None:
        self._port = port
        self._sockets = sockets
        self._messages_per_s = messages_per_s
        self._chance = random.Random(1)  # noqa: S311 - no secrets
        self._inside: dict[asyncio.StreamWriter, tuple[bytes, ...]] = {}
        self.counts: Counter[str] = Counter()

    async def gather(self) -> None:
        """Crowd the table until this is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            for number in range(self._sockets):
                tasks.create_task(self._visit(number))
            tasks.create_task(self._talk())
            tasks.create_task(self._ask())

    async def _visit(self, number: int) -> None:
        at_home, rude = number % 2 == 0, number % 4 > 1
        host, source = (HOME, HOME) if at_home else (LAN, f"127.0.1.{number // 2 % ADDRESSES + 1}")
        while True:
            with suppress(OSError, EOFError, asyncio.LimitOverrunError):
                await self._stay(host, source, RUDE if rude else (POLITE,))
            await asyncio.sleep(PAUSE_S)

    async def _stay(self, host: str, source: str, says: tuple[bytes, ...]) -> None:
        """Come in and listen until turned out."""
        self.counts["came"] += 1
        reader, writer = await asyncio.open_connection(host, self._port, local_addr=(source, 0))
        try:
            writer.write(_HANDSHAKE.format(host=host, port=self._port).encode())
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 101 " not in head.partition(b"\r\n")[0]:
                return
            self._inside[writer] = says
            self.counts["let_in"] += 1
            while told := await reader.read(1 << 16):
                if told[0] == 0x88:  # a close: no more is said to it
                    break
        finally:
            self._inside.pop(writer, None)
            writer.close()

    async def _talk(self) -> None:
        """Say what is due, each time by somebody who is inside."""
        loop = asyncio.get_running_loop()
        began_s, said = loop.time(), 0
        while True:
            due = int((loop.time() - began_s) * self._messages_per_s) - said
            inside = list(self._inside)
            for writer in self._chance.choices(inside, k=due) if inside and due else []:
                writer.write(self._chance.choice(self._inside[writer]))
                self.counts["messages"] += 1
            said += due
            await asyncio.sleep(TICK_S)

    async def _ask(self) -> None:
        """Ask for odd pages."""
        if not self._messages_per_s:
            return
        for number in count():
            host = (HOME, LAN)[number % 2]
            with suppress(OSError, EOFError):
                reader, writer = await asyncio.open_connection(host, self._port)
                path = _PATHS[number % len(_PATHS)]
                writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{self._port}\r\n\r\n".encode())
                async with asyncio.timeout(1):
                    await reader.readline()
                writer.close()
            self.counts["requests"] += 1
            await asyncio.sleep(1 / REQUESTS_PER_S)


async def _main(port: int, sockets: int, messages_per_s: float) -> None:
    os.nice(19)  # in life it is on machines of its own: the table's processor is not to make it
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # that whom we talk to has gone is no news
    crowd = Crowd(port, sockets, messages_per_s)
    crowding = asyncio.create_task(crowd.gather())
    await asyncio.to_thread(sys.stdin.read)
    crowding.cancel()
    with suppress(asyncio.CancelledError):
        await crowding
    print(json.dumps(crowd.counts))  # noqa: T201


if __name__ == "__main__":
    asyncio.run(_main(*(int(argument) for argument in sys.argv[1:])))
