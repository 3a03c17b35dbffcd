"""The kiosk's server: one thread beside the table, which never waits for it."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
import threading
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import PurePath
from types import TracebackType
from typing import Self

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from underglow.kiosk import messages, speech
from underglow.kiosk.attendant import Attendance
from underglow.kiosk.audience import SOCKETS, Audience
from underglow.kiosk.doorway import ADDRESS, GUESTS, doorway
from underglow.kiosk.faces import AttendantFace, BenchFace, TableFace
from underglow.kiosk.guard import Guard
from underglow.kiosk.hands import Hands
from underglow.kiosk.invitations import Invitations
from underglow.kiosk.lobby import Lobby
from underglow.kiosk.office import Door, Office
from underglow.kiosk.passes import Passes
from underglow.languages import LANGUAGES
from underglow.profile import Board
from underglow.snapshot import Snapshot

CONNECTIONS = SOCKETS + 32 + GUESTS
"""Sockets, page loads beside them, and all connections that guests may have."""

RENEW_S = 5.0
"""How often codes and passes are looked at: none is older than it should be by more."""

STALLED_MS = 10_000
"""The kernel ends a connection whose other side takes nothing for so long."""

POLITE_S = 0.5
"""What open pages get to say goodbye when the server ends."""

SWITCH_S = 0.0005
"""So long at most does the table wait until this thread lets it have the interpreter; by default, ten times that."""

PAUSE_S = 1 / 30
"""Between two snapshots shown: a table in a hurry shares its processor with this thread."""

ANYBODY_S = frozenset(
    {
        "Exceeded concurrency limit.",
        "Invalid HTTP request received.",
        "Invalid UTF-8 sequence received from client.",
        "Unsupported upgrade request.",
    }
)
"""What the server has to say of junk: a log that anybody may write into would fill the disk."""

TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class AddressTaken(Exception):
    """The server cannot listen where it was told to; the message is one sentence."""


class Kiosk:
    """Shows a table to browsers on this machine and, on the bench, lends them hands. Phones may join from the network.

    `table` is asked from the kiosk's thread. With `bench` the page moves magnets and sees the strip; without, it
    shows the lamps as last sent. With `attendant` the table changes: `attend` and `turn_to` tell how it stands. With
    `office` staff find a way in: `show_door` opens it, `tell_staff` tells them.
    """

    def __init__(
        self,
        board: Board,
        table: TableFace,
        bench: BenchFace | None = None,
        attendant: AttendantFace | None = None,
        office: Office | None = None,
    ) -> None:
        self._board = board
        self._hands = Hands(bench, self._see) if bench else None
        self._audience = Audience(table, frozenset(space.id for space in board.spaces), self._hands, attendant)
        self._attendant = attendant
        self._office = office
        self._door = Door.SHUT
        self._table = table
        self._told: Attendance | None = None
        self.pulses = 0
        """Beats of the loop that `pulse` asked for."""
        self._audience.show(messages.board(board, bench=False))
        self._audience.show_home(messages.board(board, bench=bench is not None))
        self._audience.show(messages.house(home=False))
        self._audience.show_home(messages.house(home=True))
        if office:
            office.show(messages.board(board, bench=False))
        self._lobby: Lobby | None = None
        self._newest: tuple[Snapshot, TableFace] | None = None  # the table's thread writes it
        self._shown: Snapshot | None = None
        self._pausing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._running = threading.Event()
        self._ending = asyncio.Event()

    def __enter__(self) -> Self:
        """Return itself; `start` is still to be called."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop."""
        self.stop()

    def start(
        self, port: int = 0, lan: str | None = None, *, passes: Passes | None = None, language: str | None = None
    ) -> str:
        """Serve this machine on that port (0: any free one) and return the page's address. AddressTaken.

        With `lan`, one of this machine's own addresses, the network is served there as well, on the same port; `passes`
        are where its phones' seats are kept. `language` is that of pages on which none was chosen; None: whichever
        their browsers prefer.
        """
        listeners = [_listen(ADDRESS, port)]
        port = listeners[0].getsockname()[1]
        if lan is not None:
            try:
                if lan in ("", "0.0.0.0", ADDRESS):  # noqa: S104 - refused
                    raise AddressTaken(f"no other machine reaches this one by {lan!r}: name its address in the network")
                listeners.append(_listen(lan, port))
            except AddressTaken:
                listeners[0].close()
                raise
            self._lobby = Lobby(f"http://{lan}:{port}/join", _invitations(passes), self._audience.renew, language)
            self._audience.receive(self._lobby)
        app = _app(self._audience, self._attendant, self._lobby, self._office, lan, language)
        sys.setswitchinterval(SWITCH_S)
        self._thread = threading.Thread(
            target=asyncio.run, args=(self._serve(app, listeners),), name="kiosk", daemon=True
        )
        self._thread.start()
        self._running.wait()
        return f"http://{ADDRESS}:{port}/"

    @property
    def invitations(self) -> list[tuple[int, str]]:
        """Seats and the addresses that lead a phone there, as of now; they are secrets, for people at the table."""
        if self._lobby is None:
            return []
        return [(seat, f"{self._lobby.address}#{code}") for seat, code in self._lobby.invitations.codes.items()]

    def publish(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot. Never waits; pages that are busy see only the last of several."""
        self._newest = snapshot, self._table
        self._call(self._show_newest)

    def attend(self, told: Attendance) -> None:
        """Show what the attendant has to say. Never waits."""
        self._told = told
        self._call(self._show_told)

    def show_door(self, door: Door) -> None:
        """Open the way in for staff, or shut it. Never waits."""
        self._door = door
        self._call(self._show_door)

    def tell_staff(self, kind: str, value: object) -> None:
        """Show staff a JSON value. Never waits."""
        if self._office:
            self._office.leave(kind, value)
            self._call(self._office.deliver)

    def turn_to(self, table: TableFace) -> None:
        """Snapshots published from now on are of another table."""
        self._table = table

    def pulse(self) -> None:
        """Ask the loop for a beat: `pulses` tells whether it still goes round."""
        self._call(self._beat)

    def stop(self) -> None:
        """End the pages, the server and its threads, within a second. May be called twice."""
        if self._thread is None:
            return
        self._call(self._ending.set)
        self._thread.join()
        self._thread = None

    def _call(self, function: Callable[..., None], *args: object) -> None:
        """Call that on the loop's thread, soon; not at all before the start or after the end."""
        if self._loop is None:
            return
        try:
            self._loop.call_soon_threadsafe(function, *args)
        except RuntimeError:  # the loop has closed
            return

    def _see(self, letter: messages.Letter) -> None:
        self._call(self._audience.show, letter)

    def _show_newest(self) -> None:
        """Show the newest snapshot, unless one was shown a moment ago: then when the moment is over."""
        if self._newest is None or self._pausing:
            return
        snapshot, table = self._newest
        if snapshot is self._shown:
            return
        self._audience.turn_to(table)
        self._shown = snapshot
        self._audience.show_table(snapshot)
        if self._hands is None:
            self._audience.show(messages.glow_of_lamps(self._board, snapshot["lamps"]))
        self._pausing = True
        asyncio.get_running_loop().call_later(PAUSE_S, self._go_on)

    def _show_told(self) -> None:
        self._pausing = False  # whoever hears of another game finds its table, not the one before
        self._show_newest()
        if self._told:
            self._audience.show(messages.attendant(self._told))

    def _show_door(self) -> None:
        if self._office:
            self._audience.show_home(self._office.show_door(self._door))

    def _beat(self) -> None:
        self.pulses += 1

    def _go_on(self) -> None:
        self._pausing = False
        self._show_newest()

    async def _keep_inviting(self) -> None:
        while True:
            self._audience.renew()
            await asyncio.sleep(RENEW_S)

    async def _serve(self, app: Starlette, listeners: list[socket.socket]) -> None:
        self._loop = asyncio.get_running_loop()
        self._running.set()  # whoever asks from now on waits in the listener's queue
        if self._hands:
            self._hands.start()
        self._show_told()
        self._show_newest()
        self._show_door()
        if self._office:
            self._office.deliver()
        server = uvicorn.Server(
            uvicorn.Config(
                app,
                http=doorway(),
                lifespan="off",
                loop="asyncio",
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=CONNECTIONS,
                ws_max_size=messages.MESSAGE_BYTES,
                ws_per_message_deflate=False,
            )
        )
        logging.getLogger("uvicorn.error").addFilter(_tells_of_us)
        serving = asyncio.create_task(server.serve(sockets=listeners))
        inviting = asyncio.create_task(self._keep_inviting())
        await self._ending.wait()
        inviting.cancel()
        server.should_exit = True
        await asyncio.wait({serving}, timeout=POLITE_S)
        for connection in list(server.server_state.connections):
            connection.transport.abort()  # it was asked, and takes nothing
        await serving
        if self._hands:
            await asyncio.to_thread(self._hands.stop, POLITE_S)


def _app(
    audience: Audience,
    attendant: AttendantFace | None,
    lobby: Lobby | None,
    office: Office | None,
    lan: str | None,
    language: str | None,
) -> Starlette:
    # Only files listed now are ever opened: no path from outside reaches the file system.
    entries = (files("underglow.kiosk") / "static").iterdir()
    static = {entry.name: entry for entry in entries if PurePath(entry.name).suffix in TYPES}

    def page(name: str) -> Response:
        if name not in static:
            return PlainTextResponse("no such page", 404)
        return Response(static[name].read_bytes(), media_type=TYPES[PurePath(name).suffix])

    def spoken(request: Request, name: str) -> Response:
        return HTMLResponse(speech.page(name, speech.spoken_there(request, language)))

    async def index(request: Request) -> Response:
        return spoken(request, "index.html")

    async def seat(request: Request) -> Response:
        return spoken(request, "seat.html")

    async def words(request: Request) -> Response:
        asked = request.path_params["language"]
        if asked not in LANGUAGES:
            return PlainTextResponse("no such language", 404)
        return Response(speech.words(asked), media_type="application/json")

    async def part(request: Request) -> Response:
        return page(request.path_params["name"])

    async def metrics(request: Request) -> Response:
        if attendant is None or request.client is None or request.client.host != ADDRESS:
            return PlainTextResponse("no such page", 404)
        return PlainTextResponse(attendant.metrics(), media_type="text/plain; version=0.0.4")

    routes: list[BaseRoute] = [
        Route("/", index),
        Route("/static/{name}", part),
        Route("/words/{language}.json", words),
        Route("/metrics", metrics),
        WebSocketRoute("/live", audience.serve),
    ]
    if lobby:
        routes += [Route("/join", lobby.join, methods=["POST"]), Route("/join", seat), Route("/seat", seat)]
    if office:
        routes += office.routes(lambda request: spoken(request, "staff.html"), language)
    return Starlette(routes=routes, middleware=[Middleware(Guard, lan=lan)])


def _invitations(passes: Passes | None) -> Invitations:
    now_s = time.monotonic
    if passes is None:
        return Invitations(now_s)
    return Invitations(now_s, passes.read(now_s()), lambda held: passes.write(held, now_s()))


def _tells_of_us(record: logging.LogRecord) -> bool:
    return record.msg not in ANYBODY_S


def lan_address() -> str:
    """Return the address by which this machine's network reaches it. AddressTaken: it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for examples; nothing is sent
            address: str = probe.getsockname()[0]
        except OSError as error:
            raise AddressTaken("this machine is in no network that phones could use: join one first") from error
    return address


def _listen(address: str, port: int) -> socket.socket:
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted connections inherit it
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS)
        listener.bind((address, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise AddressTaken(_why(address, port, error)) from error
    return listener


def _why(address: str, port: int, error: OSError | OverflowError) -> str:
    match error:
        case OSError(errno=errno.EADDRINUSE):
            return f"port {port} of {address} is taken by another program: choose another, or 0 for any free one"
        case OSError(errno=errno.EACCES):
            return f"port {port} is reserved for the system: choose one above 1023, or 0 for any free one"
        case OSError(errno=errno.EADDRNOTAVAIL) | socket.gaierror():
            return f"{address} is no address of this machine"
        case OverflowError():
            return f"there is no port {port}: choose one from 1024 to 65535, or 0 for any free one"
        case _:
            return f"cannot listen on port {port} of {address}: {error}"
