"""The open pages: what each of them has still to hear, and what each of them may say."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import cast

from starlette.websockets import WebSocket, WebSocketDisconnect

from underglow.kiosk import messages
from underglow.kiosk.faces import AttendantFace, TableFace
from underglow.kiosk.hands import Hands
from underglow.kiosk.invitations import Invitations
from underglow.kiosk.lobby import Caller, Lobby, caller
from underglow.kiosk.messages import Letter
from underglow.kiosk.pace import Pace
from underglow.languages import LANGUAGES, Text, say
from underglow.languages.catalogue import ENGLISH
from underglow.snapshot import Snapshot

SOCKETS = 48
"""Pages that may be open at once."""

GUESTS = 32
"""Of these, pages on the network: this machine's own always find a place."""

STRANGERS = 8
STRANGERS_OF_ADDRESS = 4
"""Of the guests, those who have no seat and only watch."""

PAGES_OF_PASS = 2
"""Of a phone in a seat; a third takes the place of the first, which may be one that fell asleep."""

SEND_S = 5.0
"""A page that takes nothing for so long is dropped."""

MESSAGES_PER_S = 20
BURST = 40
"""No person drags and clicks faster than this; a socket that does is closed."""

# Close codes of RFC 6455: the page broke the rules; the page may try again later.
POLICY, LATER = 1008, 1013

# And of our own: nothing changes if the page tries again by itself.
UNSEATED, REPLACED = 4001, 4002

NO_SEAT = say("this phone has no seat here: scan the code of one at the table")

OWN = "own"
"""The seat a page asks for that has a pass."""


class Crowded(Exception):
    """There is no room for another page."""


class Dismissed(Exception):
    """A page has to go; the message says why."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Mailbox:
    """What one page has still to hear: the newest of each kind, so a slow page skips instead of falling behind.

    `key`: it is in its seat by that pass, and hears of the table only.
    """

    def __init__(self, seat: int | None, caller: Caller, key: str | None, language: str = ENGLISH) -> None:
        self.seat = seat
        self.caller = caller
        self.key = key
        self.language = language
        self.watches = seat is None and not caller.home
        """Whether it may only look on: on the network, whoever has no seat."""
        self._letters: dict[str, Letter] = {}
        self._waiting = asyncio.Event()
        self.dismissed: Dismissed | None = None
        """Why it has to go, once it has to: it hears and does nothing more."""

    def put(self, letter: Letter) -> None:
        """Leave a message; it replaces an older one of its kind."""
        if self.key is not None and letter.kind != "table":
            return
        self._letters[letter.kind] = letter
        self._waiting.set()

    def dismiss(self, code: int, reason: str) -> None:
        """Let it hear nothing more but why it has to go."""
        self.dismissed = Dismissed(code, reason)
        self._waiting.set()

    async def take(self) -> list[str]:
        """Wait for messages and take them all. Dismissed: it has to go."""
        await self._waiting.wait()
        if self.dismissed:
            raise self.dismissed
        self._waiting.clear()
        texts = [letter.text(self.language) for letter in self._letters.values()]
        self._letters.clear()
        return texts


class Audience:
    """Every open page. Lives on the server's event loop; only the loop's thread may call it."""

    def __init__(
        self, table: TableFace, spaces: Collection[str], hands: Hands | None, attendant: AttendantFace | None = None
    ) -> None:
        self._table = table
        self._lobby: Lobby | None = None
        self._attendant = attendant
        self._spaces = spaces
        self._hands = hands
        self._moves = hands is None  # the page that carries magnets need not say what they do
        self._open: dict[Mailbox, None] = {}  # who came first stands first
        self._latest: dict[str, Letter] = {}
        self._latest_at_home: dict[str, Letter] = {}
        self._snapshot: Snapshot | None = None
        self._pieces: set[str] = set()  # every token that ever stood on this table

    def receive(self, lobby: Lobby) -> None:
        """Let phones in there. Before the server begins."""
        self._lobby = lobby
        lobby.invitations.renew(self._seats())

    def show(self, letter: Letter) -> None:
        """Show a message that everybody may see, also to pages that come later."""
        self._latest[letter.kind] = letter
        for mailbox in self._open:
            mailbox.put(letter)

    def show_home(self, letter: Letter) -> None:
        """Show a message to this machine's own pages only."""
        self._latest_at_home[letter.kind] = letter
        for mailbox in self._open:
            if mailbox.caller.home:
                mailbox.put(letter)

    def renew(self) -> None:
        """See that every empty seat has a code, and that nobody sits where a pass leads no more."""
        if self._lobby is None:
            return
        seats = self._seats()
        self._lobby.invitations.renew(seats)
        told = self._lobby.told(seats)
        if told != self._latest_at_home.get("invitations"):
            self.show_home(told)
        for mailbox in self._open:
            if mailbox.key is not None and self._lobby.invitations.seat_of(mailbox.key) != mailbox.seat:
                mailbox.dismiss(UNSEATED, NO_SEAT)

    def turn_to(self, table: TableFace) -> None:
        """The next snapshot to be shown is this table's."""
        self._table = table

    def show_table(self, snapshot: Snapshot) -> None:
        """Show each page the table as its seat may see it."""
        self._snapshot = snapshot
        self._pieces.update(*snapshot["layout"].values())
        letters: dict[tuple[int | None, bool], Letter] = {}
        for mailbox in self._open:
            whose = mailbox.seat, mailbox.watches
            if whose not in letters:
                letters[whose] = self._as_seen(snapshot, mailbox)
            mailbox.put(letters[whose])

    def _as_seen(self, snapshot: Snapshot, mailbox: Mailbox) -> Letter:
        view = self._table.view(mailbox.seat)
        return messages.table(snapshot, view, mailbox.seat, watches=mailbox.watches, moves=self._moves)

    async def serve(self, websocket: WebSocket) -> None:
        """Keep one page informed and do what it asks, until it leaves or breaks the rules."""
        try:
            # Also whom we refuse: a browser shows its page the reason of a close, never that of a refused handshake.
            await websocket.accept()
            with self._place(websocket.query_params.get("seat"), caller(websocket), language_of(websocket)) as mailbox:
                await converse(websocket, mailbox, lambda text: self._hear(text, mailbox))
        except WebSocketDisconnect:
            return
        except Dismissed as error:
            await close(websocket, error.code, str(error))
        except messages.Malformed as error:
            await close(websocket, POLICY, str(error))
        except Crowded as error:
            await close(websocket, LATER, str(error))

    @contextmanager
    def _place(self, asked: str | None, caller: Caller, language: str) -> Generator[Mailbox]:
        mailbox = self._mailbox(asked, caller, language)
        self._make_room(mailbox)
        self._open[mailbox] = None
        self._watch()
        self._greet(mailbox)
        try:
            yield mailbox
        finally:
            self._open.pop(mailbox, None)
            self._watch()

    def _mailbox(self, asked: str | None, caller: Caller, language: str) -> Mailbox:
        """Seats count from 0. Alone at the table's own page, one need not say who one is."""
        if asked == OWN:
            seat = self._lobby.invitations.seat_of(caller.key) if self._lobby else None
            if seat is None:
                raise Dismissed(UNSEATED, NO_SEAT)
            return Mailbox(seat, caller, caller.key, language)
        seats = self._seats()
        if asked == "public" or (asked is None and not (caller.home and len(seats) == 1)):
            return Mailbox(None, caller, None, language)
        if not caller.home:
            raise messages.Malformed(say("on the network, only a code leads to a seat"))
        if asked is None:
            return Mailbox(next(iter(seats)), caller, None, language)
        if asked in map(str, seats):
            return Mailbox(int(asked), caller, None, language)
        if self._attendant:
            return Mailbox(None, caller, None, language)  # it was another game's
        raise messages.Malformed(say("this table has no seat '{seat}'", seat=asked))

    def _make_room(self, mailbox: Mailbox) -> None:
        """Crowded: there is none."""
        if mailbox.key is not None:
            pages = [other for other in self._open if other.key == mailbox.key]
            for other in pages[: 1 - PAGES_OF_PASS]:
                other.dismiss(REPLACED, say("this seat is open on another page of this phone"))
                del self._open[other]
        if len(self._open) >= SOCKETS:
            raise Crowded(say("{n} pages are open already: close one", n=SOCKETS))
        if mailbox.caller.home:
            return
        guests = [other for other in self._open if not other.caller.home]
        strangers = [other.caller.address for other in guests if other.key is None]
        if len(guests) >= GUESTS:
            raise Crowded(say("{n} pages are open on the network already: close one", n=GUESTS))
        crowd = len(strangers) >= STRANGERS or strangers.count(mailbox.caller.address) >= STRANGERS_OF_ADDRESS
        if mailbox.key is None and crowd:
            raise Crowded(say("too many only watch: take a seat, or close a page"))

    def _seats(self) -> set[int]:
        rows = cast("Sequence[Mapping[str, int]]", self._table.view(None)["seats"])
        return {row.get("seat", number) for number, row in enumerate(rows)}  # a seat may play several characters

    def _watch(self) -> None:
        if self._hands:
            self._hands.watch(any(mailbox.key is None for mailbox in self._open))

    def _greet(self, mailbox: Mailbox) -> None:
        for letter in (self._latest | (self._latest_at_home if mailbox.caller.home else {})).values():
            mailbox.put(letter)
        if self._snapshot:
            mailbox.put(self._as_seen(self._snapshot, mailbox))

    def _hear(self, text: str, mailbox: Mailbox) -> None:
        message = messages.read(text)
        if self._attendant and not mailbox.watches:
            self._attendant.touch()  # whatever somebody at the table says is a touch
        match message:
            case messages.Choose() | messages.Undo() | messages.Agree() | messages.Redo():
                if mailbox.watches:
                    raise messages.Malformed("who only watches chooses nothing: a code leads to a seat")
                self._do(message, mailbox.seat)
            case _:
                if not mailbox.caller.home:
                    raise messages.Malformed("only the table's own page does that")
                self._do_at_home(message)

    def _do_at_home(self, message: messages.AtHome) -> None:
        """Do what is for hands at the table, and for whoever looks after it."""
        match message:
            case messages.Place(place=(token, space)):
                if space not in self._spaces:
                    raise messages.Malformed(f"this board has no space {space!r}")
                self._carry(token, message)
            case messages.Lift(lift=token):
                self._carry(token, message)
            case messages.Invite(invite=seat):
                self._open_door(seat).invite(seat)
                self.renew()
            case messages.Free(free=seat):
                self._open_door(seat).free(seat)
                self.renew()
            case _:
                self._attend(message)

    def _open_door(self, seat: int) -> Invitations:
        if self._lobby is None:
            raise messages.Malformed("phones do not reach this table: start it with --lan")
        if seat not in self._seats():
            raise messages.Malformed(f"this table has no seat '{seat}'")
        return self._lobby.invitations

    def _do(self, message: messages.Choose | messages.Undo | messages.Agree | messages.Redo, seat: int | None) -> None:
        match message:
            case messages.Choose(choose=index, number=number):
                self._choose(index, number, seat)
            case messages.Undo(undo=number):
                self._turn(self._table.undo, number, seat)
            case messages.Agree(agree=number):
                self._turn(self._table.agree, number, seat)
            case messages.Redo(redo=number):
                self._turn(self._table.redo, number, seat)

    def _attend(self, message: messages.ToAttendant) -> None:
        if self._attendant is None:
            raise messages.Malformed("nobody attends this table: it plays one game")
        match message:
            case messages.Touch():
                pass
            case messages.Begin(begin=(game, scenario, seats)):
                self._attendant.begin(game, scenario, seats)
            case messages.GoOn():
                self._attendant.go_on()
            case messages.Leave():
                self._attendant.leave()

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
        offered = messages.offered(snapshot, seat, moves=self._moves)
        if index >= len(offered):
            raise messages.Malformed("that choice is not offered to this seat")
        self._table.choose(offered[index]["index"], number)

    def _turn(self, post: Callable[[int, int | None], None], number: int, seat: int | None) -> None:
        """Go back or forth in the history, for a seat; without one as the board's buttons do."""
        if self._snapshot and number == self._snapshot["number"]:
            post(number, seat)


async def converse(websocket: WebSocket, mailbox: Mailbox, hear: Callable[[str], None]) -> None:
    """Tell one page what lies in its mailbox, and `hear` what it says; returns once nobody is there any more.

    Both go on until then, or until something is raised. Malformed: it broke the rules. Dismissed: it has to go.
    """
    reason: Exception | None = None
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_tell(websocket, mailbox))
            tasks.create_task(_listen(websocket, mailbox, hear))
    except* WebSocketDisconnect:
        pass  # The page left, or the server ends: nobody is there to be told.
    except* TimeoutError:
        pass  # The page takes nothing; it could not take a reason either.
    except* (messages.Malformed, Dismissed) as reasons:
        reason = reasons.exceptions[0]
    if reason:
        raise reason


async def _tell(websocket: WebSocket, mailbox: Mailbox) -> None:
    while True:
        for text in await mailbox.take():
            try:
                async with asyncio.timeout(SEND_S):
                    await websocket.send_text(text)
            except RuntimeError:  # the server closed it by itself a moment ago: what came was no WebSocket
                raise WebSocketDisconnect from None


async def _listen(websocket: WebSocket, mailbox: Mailbox, hear: Callable[[str], None]) -> None:
    pace = Pace(time.monotonic(), BURST, MESSAGES_PER_S)
    while True:
        frame = await websocket.receive()
        if frame["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(frame["code"])
        if mailbox.dismissed:
            raise mailbox.dismissed
        text = frame.get("text")
        if not isinstance(text, str):
            raise messages.Malformed("expected text, not bytes")
        if not pace.spend(time.monotonic()):
            raise messages.Malformed(f"more than {MESSAGES_PER_S} messages a second: slower, please")
        hear(text)


async def close(websocket: WebSocket, code: int, reason: str) -> None:
    """Close a socket and say why, if the page takes it."""
    with suppress(WebSocketDisconnect, TimeoutError, RuntimeError):  # as in `_tell`
        async with asyncio.timeout(SEND_S):
            # A close frame holds at most 123 bytes of reason.
            said = reason.spoken(language_of(websocket)) if isinstance(reason, Text) else reason
            await websocket.close(code, said.encode()[:123].decode(errors="ignore"))


def language_of(websocket: WebSocket) -> str:
    """The language that a page asks for; English, if it is none of ours."""
    asked = websocket.query_params.get("language", "")
    return asked if asked in LANGUAGES else ENGLISH
