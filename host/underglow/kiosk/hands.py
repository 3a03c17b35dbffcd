"""Hands and eyes of the page on the bench: the mouse moves magnets, the glow is what the strip latched."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable

from underglow.kiosk import messages
from underglow.kiosk.faces import BenchFace

log = logging.getLogger(__name__)

LOOK_S = 1 / 30
"""How often the strip is looked at while a page is open."""

WAITING_MOVES = 64
"""Moves that may wait for the bench; a page that sends more is too fast for any hand."""


class Hands:
    """One thread that is alone with the bench: it carries out moves at once and looks at the strip in between.

    `show(letter)` gets `magnets` and `glow` messages when they changed, from that thread.
    """

    def __init__(self, bench: BenchFace, show: Callable[[messages.Letter], None]) -> None:
        self._bench = bench
        self._show = show
        self.seen: frozenset[str] = frozenset()
        """Every magnet that was ever on the board while it was looked at."""
        self._moves: queue.Queue[messages.Place | messages.Lift | None] = queue.Queue(WAITING_MOVES)
        self._watched = False
        self._ending = False
        self._thread = threading.Thread(target=self._run, name="kiosk-hands", daemon=True)
        self._shown: dict[str, messages.Letter] = {}
        self._frame = -1

    def start(self) -> None:
        """Begin; nothing is looked at before `watch(True)`."""
        self._thread.start()

    def watch(self, watched: bool) -> None:
        """Say whether anybody is looking."""
        self._watched = watched
        self._nudge()

    def move(self, move: messages.Place | messages.Lift) -> None:
        """Carry a magnet, soon. Malformed: too many moves wait already."""
        try:
            self._moves.put_nowait(move)
        except queue.Full:
            raise messages.Malformed("more moves than two hands can make: wait for the bench") from None

    def stop(self, timeout_s: float) -> None:
        """End the thread, at the latest after that time."""
        self._ending = True
        self._nudge()
        self._thread.join(timeout_s)

    def _nudge(self) -> None:
        # A full queue wakes the thread just as well.
        try:
            self._moves.put_nowait(None)
        except queue.Full:
            return

    def _run(self) -> None:
        try:
            self._work()
        except (OSError, EOFError) as error:
            if not self._ending:
                log.warning("the bench is gone, the page shows what it saw last: %s", error)

    def _work(self) -> None:
        next_look_s = 0.0
        while not self._ending:
            wait_s = max(0.0, next_look_s - time.monotonic()) if self._watched else None
            try:
                move = self._moves.get(timeout=wait_s)
            except queue.Empty:
                move = None
            match move:
                case messages.Place(place=(token, space)):
                    self._bench.place(space, token)
                case messages.Lift(lift=token):
                    with contextlib.suppress(ValueError):  # a second page may have lifted it a moment ago
                        self._bench.lift(token)
                case None if not self._watched or time.monotonic() < next_look_s:
                    continue
                case None:
                    next_look_s = time.monotonic() + LOOK_S
            self._look()

    def _look(self) -> None:
        magnets = self._bench.magnets()
        self.seen |= magnets.keys()
        self._tell(messages.magnets(magnets))
        frame = self._bench.pixels()
        if frame.number != self._frame:
            self._frame = frame.number
            self._tell(messages.glow(frame.pixels))

    def _tell(self, letter: messages.Letter) -> None:
        if self._shown.get(letter.kind) != letter:
            self._shown[letter.kind] = letter
            self._show(letter)
