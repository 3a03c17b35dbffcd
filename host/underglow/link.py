"""The serial link to a board: opens the port, keeps a session on it, and opens it again when the cable comes back."""

from __future__ import annotations

import errno
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import serial

from underglow import wire
from underglow.languages import Said, Text, say
from underglow.ports import Elsewhere, Whereabouts
from underglow.profile import Board
from underglow.recording import TO_BOARD, TO_HOST, Recording
from underglow.session import BoardFault, Occupied, Picture, Pressed, Refused, Session, Tagged, Up

_RETRY_S = 0.1
#: The longest wait for bytes without a look at what else there is.
_STEP_S = 0.02
#: A line that takes nothing for so long is not waited for.
_WRITE_S = 0.02


class LinkError(Said):
    """The board can't be reached; `says` tells what to do."""


@dataclass(frozen=True, slots=True)
class Down:
    """The board is gone; the link goes on trying."""

    says: Text


Happening = Up | Down | Occupied | Pressed | Tagged | BoardFault


class Link:
    """The board on serial port `port`, which holds `board`'s profile. For one thread; only `wake` is for others.

    A board that comes back under another name is found by its USB serial number (`whereabouts`, by default those of
    `port`); `recording` gets everything said, both ways.
    """

    def __init__(
        self,
        port: str,
        board: Board,
        now_s: Callable[[], float] = time.monotonic,
        *,
        recording: Recording | None = None,
        whereabouts: Whereabouts | None = None,
    ) -> None:
        self.port = port
        self._board = board
        self._now_s = now_s
        self._recording = recording
        self._whereabouts = whereabouts or Whereabouts(port)
        self._closing = threading.Lock()
        self._serial: serial.Serial | None = None
        self._session_number = secrets.randbelow(0xFFFF)
        self._brightness = board.strip.brightness
        self._session = self._new_session()
        self._picture: Picture = ()
        self._cover: Picture | None = None
        self._told: Text | None = None  # why it is down, once said
        self._retry_at_s = 0.0
        self._woken = threading.Event()
        self.moves = 0
        """Times the board was asked or looked for: it grows as long as somebody waits for it, board or no board."""

    @property
    def session(self) -> Session:
        """The present session, for its figures."""
        return self._session

    def connect(self, timeout_s: float = 3.0) -> list[Happening]:
        """Open the port and wait for the board. LinkError: not reached in time, or it does not fit."""
        until_s = self._now_s() + timeout_s
        self._open()
        try:
            while self._now_s() < until_s:
                if happenings := self._exchange(_STEP_S):
                    return happenings
        except Refused as refused:
            self.close()
            raise LinkError(_at(self.port, refused.says)) from None
        except OSError as error:
            self.close()
            away = say("the board went away while connecting ({reason}).", reason=_reason(error))
            raise LinkError(_at(self.port, away)) from None
        heard = self._session.skipped
        self.close()
        why = (
            say(
                "something answers, but it does not speak Underglow's protocol; "
                "is the firmware on the board and running? (`mpremote reset` starts it.)"
            )
            if heard
            else say("nothing answers; is this the board's port, and is the firmware on the board?")
        )
        raise LinkError(_at(self.port, why))

    def wait(self, timeout_s: float) -> list[Happening]:
        """Keep the link up for at most `timeout_s`; returns as soon as something happened or `wake` was called."""
        until_s = self._now_s() + timeout_s
        while not self._woken.is_set():
            left_s = until_s - self._now_s()
            if left_s <= 0:
                break
            if happenings := self._step(min(left_s, _STEP_S)):
                return happenings
        self._woken.clear()
        return []

    def wake(self) -> None:
        """End a `wait` early. May be called from any thread."""
        self._woken.set()
        with self._closing:  # a closed port's pipe may be somebody else's file by now
            if self._serial:
                self._serial.cancel_read()

    def show(self, picture: Picture) -> None:
        """Light the board so, now or as soon as it is back."""
        self._picture = picture
        self._relight()

    def cover(self, picture: Picture | None) -> None:
        """Light the board so whatever `show` wants, until None uncovers what it wanted last."""
        self._cover = picture
        self._relight()

    def dim(self, brightness: int) -> None:
        """Light the board at that brightness from now on, 0 to 255, whatever its profile says."""
        self._brightness = brightness
        self._session.dim(brightness, self._now_ms())
        self._try_write()

    def beat(self) -> None:
        """Ask the board how it is, now; `session.status` and `session.beat_ms` tell."""
        self._session.beat(self._now_ms())
        self._try_write()

    def lamps(self) -> list[list[str | int]]:
        """What each lamp was last told: name of the effect, red, green, blue."""
        programs = self._session.programs
        size = wire.PROGRAM_BYTES
        return [[wire.EFFECTS[programs[at]], *programs[at + 1 : at + 4]] for at in range(0, len(programs), size)]

    def close(self) -> None:
        """Give the port back."""
        with self._closing:
            port, self._serial = self._serial, None
            if port:
                with suppress(OSError):  # it was gone before us
                    port.close()

    def _now_ms(self) -> float:
        return self._now_s() * 1000

    def _new_session(self) -> Session:
        self._session_number = self._session_number % 0xFFFF + 1
        board = self._board
        return Session(self._session_number, board.crc, len(board.lamps), self._brightness, self._now_ms())

    def _relight(self) -> None:
        self._session.show(self._picture if self._cover is None else self._cover, self._now_ms())
        self._try_write()

    def _open(self) -> None:
        """Open the port under a new session. LinkError: it can't be opened."""
        try:
            self.port = self._whereabouts.find()
            self._serial = serial.Serial(self.port, exclusive=True, timeout=_STEP_S, write_timeout=_WRITE_S)
        except Elsewhere as missing:
            raise LinkError(_at(self.port, missing.says)) from None
        except (OSError, ValueError) as error:
            raise LinkError(_at(self.port, why_not_open(error))) from None
        self._session = self._new_session()
        self._relight()

    def _step(self, timeout_s: float) -> list[Happening]:
        self.moves += 1
        if self._serial is None:
            self._woken.wait(min(timeout_s, max(0.0, self._retry_at_s - self._now_s())))
            if self._now_s() < self._retry_at_s:
                return []
            try:
                self._open()
            except LinkError as error:
                return self._lost(error.says)
        try:
            happenings = self._exchange(timeout_s)
        except Refused as refused:
            return self._lost(_at(self.port, refused.says))
        except OSError as error:
            gone = say("the cable was pulled or the board switched off ({reason}).", reason=_reason(error))
            return self._lost(_at(self.port, gone))
        if not happenings and self._session.silent(self._now_ms()):
            return self._lost(_at(self.port, say("the board has stopped answering.")))
        if any(isinstance(happening, Up) for happening in happenings):
            self._told = None
        return happenings

    def _lost(self, says: Text) -> list[Happening]:
        self.close()
        self._retry_at_s = self._now_s() + _RETRY_S
        if self._told is None:
            self._told = says
            return [Down(says)]
        return []

    def _exchange(self, timeout_s: float) -> list[Happening]:
        port = self._serial
        assert port is not None  # noqa: S101 - only called while open
        self._session.tick(self._now_ms())
        self._write()
        timeout_s = max(0.0, min(timeout_s, self._session.due_ms / 1000 - self._now_s()))
        if port.timeout != timeout_s:
            port.timeout = timeout_s
        data: bytes = port.read(1)
        if data:
            data += port.read(port.in_waiting)
            if self._recording:
                self._recording.add(TO_HOST, data)
        happenings: list[Happening] = list(self._session.receive(data, self._now_ms()))
        self._write()
        return happenings

    def _try_write(self) -> None:
        with suppress(OSError):  # the next `wait` finds the port gone and says so
            self._write()

    def _write(self) -> None:
        unsent = self._session.unsent
        if not unsent or self._serial is None:
            return
        if self._recording:
            self._recording.add(TO_BOARD, bytes(unsent))
        # If nobody drains the line: what was to be said is state and will be said again, whole.
        with suppress(serial.SerialTimeoutException):
            self._serial.write(unsent)
        unsent.clear()


def _at(port: str, says: Text) -> Text:
    return say("{port}: {says}", port=port, says=says)


def _reason(error: OSError) -> str:
    return str(error).partition("(")[0].strip().rstrip(".") or type(error).__name__


def why_not_open(error: OSError | ValueError) -> Text:
    """What to tell somebody whose serial port can't be opened."""
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.ENOENT:
        return say("there is no such port; is the board plugged in?")
    if code == errno.EACCES:
        return say("you may not open this port; add yourself to its group (on Debian: dialout) and log in again.")
    if code in (errno.EAGAIN, errno.EBUSY):
        return say("another program holds this port; close it (a terminal? a second Underglow?) and try again.")
    if code in (errno.ENOTTY, errno.EINVAL, None):
        return say("this is not a serial port.")
    reason = _reason(error) if isinstance(error, OSError) else str(error)
    return say("the port can't be opened ({reason}).", reason=reason)
