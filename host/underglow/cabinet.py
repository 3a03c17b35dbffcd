"""Lights on the cabinet: a strip of NeoPixels on a Raspberry Pi that says whose turn it is, seen from across the room.

Blinka and `adafruit-circuitpython-neopixel` (the extra `cabinet`) are imported by `Cabinet.open` alone. A cabinet
watches a table, and the table never waits for it: one thread has the strip to itself and shows the newest snapshot.
"""

from __future__ import annotations

import logging
import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from math import inf
from types import ModuleType
from typing import Protocol, Self

from underglow.kiosk.messages import LED_GAMMA
from underglow.snapshot import Snapshot
from underglow.themes import GLOW, RESULT, SEATS, STAFF, Colour

log = logging.getLogger(__name__)

STAFF_AFTER_S = 60.0
"""A board that is away for so long does not come back by itself: somebody has to look."""

IDLE_AFTER_S = 300.0
"""Nobody sits at a table where nothing happens for so long."""

FEWEST_PIXELS, MOST_PIXELS = 2, 144  # a metre of the densest strip
MOST_BRIGHTNESS = 0.25
"""Enough to be seen by day; more of it dazzles who sits before it."""
MOST_MA = 500
"""What the strip may draw, were all of it white: a Raspberry Pi's own supply has that to spare."""
_PIXEL_MA = 60  # one pixel, white and at its brightest

_STOP_S = 1.0
_OFF: Colour = (0, 0, 0)


class NoCabinet(Exception):
    """The lights can't be driven as asked; the message is one sentence."""


class Strip(Protocol):
    """What a cabinet needs of `neopixel.NeoPixel`; `show` is one transfer. Any exception: the driver has failed."""

    def __len__(self) -> int: ...

    def __setitem__(self, where: slice, colours: Sequence[Colour], /) -> None: ...

    def show(self) -> None:
        """Send all pixels."""
        ...

    def deinit(self) -> None:
        """Go dark and release the pin."""
        ...


def colours(pixels: int, snapshot: Snapshot, *, idle: bool = False, staff: bool = False) -> list[Colour]:
    """The strip as a screen would show it, red, green, blue of every pixel.

    Each seat that is to move, or has won, has an equal share of it. Every third pixel is white once the game is over,
    every second one red while staff is needed: so each is told from the others without its colour.
    """
    over = snapshot["outcome"] is not None
    seats = snapshot["winners"] if over else snapshot["turn"]
    shares = [SEATS[seat % len(SEATS)] for seat in seats] or [_OFF if over else GLOW]
    if idle:
        shares = [GLOW]
    mark, every = (STAFF, 2) if staff else (RESULT, 3) if over and not idle else (_OFF, 0)
    marked = range(0, pixels, every) if every else range(0)
    left = pixels - len(marked)
    strip = [shares[pixel * len(shares) // left] for pixel in range(left)]
    for pixel in marked:
        strip.insert(pixel, mark)
    return strip


class Cabinet:
    """The lights of one table, as long as the context lasts; dark after it.

    Staff is needed while the board reports a fault, or once the link has been down for STAFF_AFTER_S. A driver that
    fails is told of once in the log and ends the lights.
    """

    def __init__(self, strip: Strip, now_s: Callable[[], float] = time.monotonic) -> None:
        self._strip = strip
        self._now_s = now_s
        self._newest: Snapshot | None = None
        self._heard_s = 0.0
        self._down_s = inf  # since when the link is
        self._ending = False
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="cabinet", daemon=True)

    @classmethod
    def open(cls, given: str) -> Self:
        """On the strip that "12@D18" names: how many pixels, on which pin of Blinka's. NoCabinet: why there is none."""
        return cls(_open(given))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Go dark; a driver that hangs is left behind."""
        with self._news:
            self._ending = True
            self._news.notify()
        self._thread.join(_STOP_S)

    def publish(self, snapshot: Snapshot) -> None:
        """Show the newest snapshot, soon. For `Table.watch`; never waits for the strip."""
        with self._news:
            self._newest = snapshot
            self._heard_s = self._now_s()
            if snapshot["link"]["state"] == "up":
                self._down_s = inf
            else:
                self._down_s = min(self._down_s, self._heard_s)
            self._news.notify()

    def _run(self) -> None:
        try:
            self._work()
            self._strip.deinit()
        except Exception as error:
            log.warning("The cabinet lights are out, the game goes on: %s", _one_line(error))
            with suppress(Exception):  # light that stands still would name the wrong seat
                self._strip.deinit()

    def _work(self) -> None:
        shown: list[Colour] = []
        while wanted := self._await(shown):
            shown = wanted
            self._strip[:] = [_linear(colour) for colour in wanted]
            self._strip.show()

    def _await(self, shown: list[Colour]) -> list[Colour]:
        """Wait until the strip should look otherwise, and return how; nothing at the end."""
        with self._news:
            while not self._ending:
                wanted, due_s = self._wanted()
                if wanted != shown:
                    return wanted
                self._news.wait(None if due_s == inf else max(0.0, due_s - self._now_s()))
        return []

    def _wanted(self) -> tuple[list[Colour], float]:
        """What the strip should show, and when the clock alone may change that."""
        if self._newest is None:
            return [GLOW] * len(self._strip), inf
        now_s, idle_s, staff_s = self._now_s(), self._heard_s + IDLE_AFTER_S, self._down_s + STAFF_AFTER_S
        staff = bool(self._newest["faults"]) or now_s >= staff_s
        wanted = colours(len(self._strip), self._newest, idle=now_s >= idle_s, staff=staff)
        return wanted, min((due_s for due_s in (idle_s, staff_s) if due_s > now_s), default=inf)


def _open(given: str) -> Strip:
    named = re.fullmatch(r"([0-9]{1,3})@([A-Za-z]\w*)", given)
    if not named or not FEWEST_PIXELS <= (pixels := int(named[1])) <= MOST_PIXELS:
        raise NoCabinet(
            f"{given!r} names no strip: say how many pixels ({FEWEST_PIXELS} to {MOST_PIXELS}) on which pin, "
            "such as 12@D18"
        )
    # Or it would ask at the terminal whether to install what it misses; so it says in its error what that is.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        neopixel = import_module("neopixel")
        pin = _pin(named[2], import_module("board"), import_module("microcontroller").Pin)
        brightness = min(MOST_BRIGHTNESS, MOST_MA / (_PIXEL_MA * pixels))
        strip: Strip = neopixel.NeoPixel(pin, pixels, brightness=brightness, auto_write=False)
        strip.show()  # the first transfer is when most of what can be wrong is found
    except NoCabinet:
        raise
    except ModuleNotFoundError:
        raise NoCabinet(
            "the packages for cabinet lights are missing; install them with  pip install 'underglow[cabinet]'"
        ) from None
    except NotImplementedError:
        raise NoCabinet("cabinet lights need a computer with pins that Blinka knows, such as a Raspberry Pi") from None
    except Exception as error:  # each platform's driver has exceptions of its own
        raise NoCabinet(f"the cabinet lights at {named[2]} can't be driven: {_one_line(error)}") from error
    return strip


def _pin(name: str, board: ModuleType, kind: type) -> object:
    pins = {word: thing for word, thing in vars(board).items() if isinstance(thing, kind)}
    if name not in pins:
        known = sorted((word for word in pins if re.fullmatch(r"D[0-9]+", word)), key=lambda word: int(word[1:]))
        raise NoCabinet(f"this computer has no pin {name!r}; there are: {', '.join(known)}")
    return pins[name]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _linear(colour: Colour) -> Colour:
    red, green, blue = (round(255 * (channel / 255) ** LED_GAMMA) for channel in colour)
    return red, green, blue
