"""The raw traffic of a link in a file, both ways and with times: a bug report from a user becomes a test.

A line is one JSON object: `t_s`, seconds since the recording began; `to`, "board" or "host"; `bytes`, in base64.
Fed back, the host's half shows what this host would understand, the board's half what a board would answer.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import serial
from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, ValidationError

from underglow import wire
from underglow.profile import Board
from underglow.session import BoardFault, Occupied, Pressed, Refused, Session, Tagged, Up

TO_BOARD: Literal["board"] = "board"
TO_HOST: Literal["host"] = "host"
_LISTEN_S = 0.5
"""How long a board is listened to after the last it was told."""

Understood = Up | Occupied | Pressed | Tagged | BoardFault | Refused


class RecordingError(Exception):
    """The file can't be written or is no recording; the message is one sentence."""


class Said(BaseModel):
    """One line: what was said to whom, when."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    t_s: float = Field(ge=0, allow_inf_nan=False)
    to: Literal["board", "host"]
    data: Base64Bytes = Field(alias="bytes")


class Recording:
    """A recording that goes on until it is closed. RecordingError: the file exists or can't be written.

    A disk that takes no more ends the recording, never the game: closing it tells.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("x", buffering=1)  # a line at a time: whatever ends this program, the file is whole
        except FileExistsError:
            raise RecordingError(f"{path}: there is such a file already; choose another name.") from None
        except OSError as error:
            raise RecordingError(f"{path}: the recording can't be written ({error.strerror}).") from None
        self._path = path
        self._begun_s = time.monotonic()
        self._failure: OSError | None = None

    def add(self, to: Literal["board", "host"], data: bytes) -> None:
        """Take what was just said."""
        t_s = round(time.monotonic() - self._begun_s, 6)
        if not self._failure:
            try:
                self._file.write(json.dumps({"t_s": t_s, "to": to, "bytes": base64.b64encode(data).decode()}) + "\n")
            except OSError as error:
                self._failure = error

    def close(self) -> None:
        """End it. RecordingError: the disk took only a part."""
        try:
            self._file.close()
        except OSError as error:
            self._failure = self._failure or error
        if self._failure:
            raise RecordingError(f"{self._path}: only a part was recorded ({self._failure.strerror}).")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read(path: Path) -> Iterator[Said]:
    """Yield the lines of a recording. RecordingError: it can't be read, or a line is none; those before it were."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield Said.model_validate_json(line)
                except ValidationError as error:
                    what = error.errors(include_url=False)[0]["msg"]
                    raise RecordingError(f"{path}:{number}: this is no line of a recording ({what}).") from None
    except OSError as error:
        raise RecordingError(f"{path}: the recording can't be read ({error.strerror}).") from None


def understand(recording: Iterable[Said], board: Board) -> Iterator[tuple[float, Understood]]:
    """Feed the host's half to sessions as they were opened then; yield what they make of it, and when."""
    session: Session | None = None
    decoder = wire.Decoder(wire.TO_BOARD)
    for said in recording:
        now_ms = said.t_s * 1000
        if said.to == TO_BOARD:
            for number, message in decoder.feed(said.data):
                if isinstance(message, wire.Hello) and (session is None or number != session.number):
                    session = Session(number, board.crc, len(board.lamps), board.strip.brightness, now_ms)
        elif session:
            try:
                for happening in session.receive(said.data, now_ms):
                    yield said.t_s, happening
            except Refused as refused:
                yield said.t_s, refused
            session.unsent.clear()


def ask(recording: Iterable[Said], port: serial.Serial, *, fast: bool = False) -> Iterator[tuple[float, wire.Message]]:
    """Feed the board's half to a board, at the times it was said then or as `fast` as it takes it.

    Yields what the board says to it, and when, in seconds. OSError: the board is gone.
    """
    begun_s = time.monotonic()
    decoder = wire.Decoder(wire.TO_HOST)

    def listen(until_s: float) -> Iterator[tuple[float, wire.Message]]:
        while True:
            left_s = until_s - time.monotonic()
            port.timeout = max(0.0, left_s)
            data: bytes = port.read(1)
            data += port.read(port.in_waiting)
            for _, message in decoder.feed(data):
                yield time.monotonic() - begun_s, message
            if left_s <= 0:
                return

    for said in recording:
        if said.to == TO_BOARD:
            yield from listen(begun_s if fast else begun_s + said.t_s)
            port.write(said.data)
    yield from listen(time.monotonic() + _LISTEN_S)


def words(happening: Understood, board: Board) -> str:
    """Say it in a line, spaces by their names."""
    match happening:
        case Up(firmware, boot):
            return f"up: firmware {firmware}, boot {boot:08x}"
        case Occupied(sensors):
            spaces = board.space_of_sensor
            return (
                f"felt: {' '.join(spaces.get(sensor, f'sensor {sensor}') for sensor in sorted(sensors)) or 'nothing'}"
            )
        case Pressed(button):
            return f"pressed: {('confirm', 'undo', 'help', 'the staff')[button]}"
        case Tagged(readings):
            held = [
                f"{space} {uid.hex()}"
                for space, reading in zip(board.readers, readings, strict=False)
                for uid in sorted(reading.uids)
            ]
            return f"read: {', '.join(held) or 'nothing'}"
        case BoardFault(says):
            return f"fault: {says}"
        case Refused():
            return f"refused: {happening}"
