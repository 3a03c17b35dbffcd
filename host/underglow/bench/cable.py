"""A cable that spoils what it carries, as a seed says: by frame or by byte. No I/O, no clock of its own."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

_NEWLINE = b"\n"
_LONGEST_FRAME = 300
_HALF_FRAME_NS = 5_000_000
"""What has no newline by then is no frame and goes on as it is."""


class Trouble(NamedTuple):
    """What happens to a frame (a line of text with its newline), or to a byte if `by_byte`; chances from 0 to 1.

    `delay_ms` is the longest a frame is late, each by its own; order is kept.
    """

    seed: int = 0
    drop: float = 0.0
    corrupt: float = 0.0
    duplicate: float = 0.0
    delay_ms: float = 0.0
    by_byte: bool = False


class Lane:
    """One direction of a cable: what is `put` in, `get` gives out, in order. `spoilt` is told what did not pass whole.

    Times are in ns of any one clock.
    """

    def __init__(self, spoilt: Callable[[bytes], None] | None = None) -> None:
        self._spoilt = spoilt
        self._trouble: Trouble | None = None
        self._chance = random.Random(0)  # noqa: S311 - trouble, not a secret
        self._half = b""
        self._half_since_ns = 0
        self._queue: deque[tuple[int, bytes]] = deque()  # when it is out, and what
        self._latest_ns = 0
        #: How many frames (or bytes, if by byte) went in while there was trouble.
        self.carried = 0

    def disturb(self, trouble: Trouble | None) -> None:
        """From now on that happens to what is put in; None: nothing."""
        self._trouble = trouble
        if trouble:
            self._chance.seed(trouble.seed)

    def clear(self) -> None:
        """Lose what is under way, as a pulled cable does."""
        self._queue.clear()
        self._half = b""

    def put(self, data: bytes, now_ns: int) -> None:
        """Let bytes in."""
        trouble = self._trouble
        for piece in self._pieces(data, trouble, now_ns) if trouble or self._half else (data,):
            fate = self._fate(piece, trouble) if trouble else piece
            if fate:
                delay_ms = trouble.delay_ms * self._chance.random() if trouble and trouble.delay_ms else 0
                self._latest_ns = max(self._latest_ns, now_ns + int(delay_ms * 1e6))
                self._queue.append((self._latest_ns, fate))

    def get(self, now_ns: int, room: int = 1 << 30) -> bytes:
        """Return at most `room` bytes of what has come through by then."""
        if self._half and now_ns - self._half_since_ns > _HALF_FRAME_NS:
            self._queue.append((now_ns, self._half))
            self._half = b""
        out = b""
        queue = self._queue
        while queue and queue[0][0] <= now_ns and len(out) < room:
            due_ns, piece = queue.popleft()
            fits = room - len(out)
            out += piece[:fits]
            if len(piece) > fits:
                queue.appendleft((due_ns, piece[fits:]))
        return out

    @property
    def waiting(self) -> bool:
        """Whether something is still to come out."""
        return bool(self._queue or self._half)

    def _pieces(self, data: bytes, trouble: Trouble | None, now_ns: int) -> Iterator[bytes]:
        data, self._half = self._half + data, b""
        if trouble is None:
            yield data
        elif trouble.by_byte:
            yield from (data[at : at + 1] for at in range(len(data)))
        else:
            *frames, rest = data.split(_NEWLINE)
            yield from (frame + _NEWLINE for frame in frames)
            if len(rest) > _LONGEST_FRAME:
                yield rest
            elif rest:
                self._half, self._half_since_ns = rest, now_ns

    def _fate(self, piece: bytes, trouble: Trouble) -> bytes:
        self.carried += 1
        chance = self._chance.random()
        if chance < trouble.drop + trouble.corrupt and self._spoilt:
            self._spoilt(piece)
        if chance < trouble.drop:
            return b""
        chance -= trouble.drop
        if chance < trouble.corrupt:
            at = self._chance.randrange(len(piece))
            return piece[:at] + bytes((piece[at] ^ self._chance.randrange(1, 256),)) + piece[at + 1 :]
        return piece + piece if chance - trouble.corrupt < trouble.duplicate else piece
