"""The board's end of the link: bytes of the USB console to messages and back, under one session with the host.

Nothing is queued: what the host should know is state, and a frame is made when the console can take it.
"""

import time

import micropython

import wire

_SPACE = 0x20
_STEPS = 8  # frames, or bytes of noise, heard a pass: the scan goes on whatever the host sends
_SILENT_MS = 2000
# Said since the host was last heard. The console holds 256 bytes; the chip does not notice a pulled cable, and then
# one byte more than that would hold up the loop.
_UNHEARD_BYTES = 192
_REPEAT_MS = 15  # a state the host has not named by then is sent again


class Link:
    """Decides when the board speaks. What it says, `board` knows.

    `board` counts its states in `occupancy_number` and `tags_number`, which grow with every change, and makes the
    messages: `welcome()`, `occupancy()`, `tags(reader)` for each of its `readers`, `status(stamp, lamps_number)`.
    `light(lamps)` takes what the host wants to be seen; ValueError: this board can't show it.
    """

    def __init__(self, board, console):
        self._board = board
        self._console = console
        self._decoder = wire.Decoder(wire.TO_BOARD)

        self._session = 0
        self._lamps_number = 0
        self._occupancy_named = 0  # the numbers the host says it holds
        self._tags_named = 0
        self._occupancy_sent_ms = self._tags_sent_ms = time.ticks_ms()
        self._heard_ms = time.ticks_add(self._tags_sent_ms, -_SILENT_MS)
        self._welcome_due = True  # without a session it says: just started
        self._occupancy_due = False
        self._tags_due = 0  # readers still to be told of
        self._status_due = False
        self._stamp = 0
        self._fault = None
        self._unsent = b""
        self._unheard = 0  # bytes said since the host was last heard
        #: Messages heard so far: each leaves some garbage behind.
        self.messages = 0

    @property
    def skipped(self):
        """Bytes heard that were no part of a valid frame."""
        return self._decoder.skipped

    @micropython.native
    def silent(self, now_ms):
        """True if the host has said nothing for two seconds."""
        if time.ticks_diff(now_ms, self._heard_ms) < _SILENT_MS:
            return False
        self._heard_ms = time.ticks_add(now_ms, -_SILENT_MS)  # ticks compare over six days only
        return True

    def fault(self, code, error):
        """Tell the host of an exception."""
        self._fault = wire.Fault(code, repr(error).encode()[: wire.MAX_BODY - 1])

    @micropython.native
    def hear(self, wait_ms):
        """Take what the host has sent, waiting at most `wait_ms` for it. True if a message was among it.

        KeyboardInterrupt: somebody wants the REPL.
        """
        before = self.messages
        decoder = self._decoder
        for _ in range(_STEPS):
            byte = self._console.byte(wait_ms)
            if byte < 0:
                break
            wait_ms = 0
            # Outside frames byte by byte, so that what follows a Ctrl-C is left for the REPL.
            rest = self._console.rest() if byte == wire.START or (decoder.inside and byte > _SPACE) else b""
            frame = decoder.whole(rest) if byte == wire.START else None
            if frame:
                self._obey(frame[0], frame[1])
                if type(frame[1]) is wire.Lamps:
                    break  # to be seen at once
                continue
            for session, message in decoder.feed(bytes((byte,)) + rest):
                self._obey(session, message)
            if decoder.interrupted:
                raise KeyboardInterrupt
        return self.messages != before

    def tell_occupancy(self):
        """It has changed."""
        self._occupancy_due = True

    def tell_tags(self):
        """They have changed."""
        self._tags_due = self._board.readers

    @micropython.native
    def speak(self, now_ms):
        """Send one message if one is due and the console has room."""
        if not self._session:
            due = self._welcome_due
        else:
            if not self.silent(now_ms):
                self._repeat(now_ms)
            due = self._welcome_due or self._occupancy_due or self._tags_due or self._status_due or self._fault
        if (not due and not self._unsent) or self._unheard > _UNHEARD_BYTES:
            return
        if self._console.writable():
            if not self._unsent:
                self._unsent = wire.encode(self._session, self._next(now_ms))
            written = self._console.write(self._unsent)
            self._unheard += written
            self._unsent = self._unsent[written:]

    @micropython.native
    def _repeat(self, now_ms):
        board = self._board
        if board.occupancy_number != self._occupancy_named and _late(now_ms, self._occupancy_sent_ms):
            self._occupancy_due = True
        if board.tags_number != self._tags_named and _late(now_ms, self._tags_sent_ms):
            self.tell_tags()  # from the first, even if it was held up in between: who knows what got through

    @micropython.native
    def _obey(self, session, message):
        self.messages += 1
        kind = type(message)
        if kind is wire.Hello:
            self._session = session
            self._lamps_number = self._occupancy_named = self._tags_named = 0
            self._welcome_due = self._occupancy_due = True
            self.tell_tags()
        elif session != self._session or not session:
            # Somebody else's, or an older session's: no effect. To a host that has not noticed the start it is told
            # once more.
            self._welcome_due |= not self._session
            return
        elif kind is wire.Lamps:
            self._light(message)
            self._status_due = True
        elif kind is wire.Beat:
            self._occupancy_named = message.occupancy
            self._tags_named = message.tags
            self._stamp = message.stamp
            self._status_due = True
        self._heard_ms = time.ticks_ms()
        self._unheard = 0

    @micropython.native
    def _light(self, lamps):
        step = lamps.number - self._lamps_number
        if step < 1 or (step > 1 and not lamps.flags & wire.WHOLE):
            return  # a repeat, or one was lost before it: `status` tells which number is held
        try:
            self._board.light(lamps)
        except ValueError as error:
            self.fault(wire.FAULT_LAMPS, error)
        else:
            self._lamps_number = lamps.number

    def _next(self, now_ms):
        """The most urgent message that is due."""
        if self._welcome_due:
            self._welcome_due = False
            return self._board.welcome()
        if self._occupancy_due:
            self._occupancy_due = False
            self._occupancy_sent_ms = now_ms
            return self._board.occupancy()
        if self._tags_due:
            self._tags_due -= 1
            self._tags_sent_ms = now_ms
            return self._board.tags(self._tags_due)
        if self._fault:
            fault = self._fault
            self._fault = None
            return fault
        stamp = self._stamp
        self._stamp = 0
        self._status_due = False
        return self._board.status(stamp, self._lamps_number)


@micropython.native
def _late(now_ms, sent_ms):
    return time.ticks_diff(now_ms, sent_ms) >= _REPEAT_MS
