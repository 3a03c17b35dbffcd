"""The firmware's loop in this Python, in a time of its own: for what has to happen a million times.

`firmware/board.py`, `link.py`, `sensing.py` and `nfc.py` run as they are; pins, pixels and buttons are left out.
"""

from __future__ import annotations

import builtins
from types import ModuleType, SimpleNamespace
from typing import Any

from underglow import image, wire
from underglow.profile import Board

_TICKS = 1 << 30
_LINE = 512


class Clock:
    """What the firmware's `time` is; `now_us` moves when told to. Its functions are MicroPython's, which wrap."""

    def __init__(self) -> None:
        self.now_us = 0

    def ticks_us(self) -> int:
        """As `time.ticks_us`."""
        return self.now_us % _TICKS

    def ticks_ms(self) -> int:
        """As `time.ticks_ms`."""
        return self.now_us // 1000 % _TICKS

    @staticmethod
    def ticks_add(ticks: int, delta: int) -> int:
        """As `time.ticks_add`."""
        return (ticks + delta) % _TICKS

    @staticmethod
    def ticks_diff(ticks: int, before: int) -> int:
        """As `time.ticks_diff`."""
        return (ticks - before + _TICKS // 2) % _TICKS - _TICKS // 2

    def sleep_ms(self, time_ms: int) -> None:
        """As `time.sleep_ms`."""
        self.now_us += 1000 * time_ms


class Loop:
    """One board, running; `turn` is a pass of its loop. What the host sends goes into `heard`, `said` is for the host.

    Hands set what the chain reads (`sensors` as the wire has them: a set bit is a token), count `presses`, and say
    which tag is at a reader.
    """

    def __init__(self, profile: Board) -> None:
        self.clock = Clock()
        self.heard = bytearray()
        self.said = bytearray()
        #: How often each button was pressed: confirm, undo, help, and the staff's gesture; a byte each.
        self.presses = bytearray(4)
        self._pressed = False
        #: What each lamp runs, as the board holds it.
        self.programs = bytearray(wire.PROGRAM_BYTES * len(profile.lamps))
        #: The number of every lamps message that was carried out.
        self.lit: list[int] = []
        self._polls: list[tuple[int, bytes | None]] = []
        modules = Modules(self.clock)
        self._nfc = modules.load("nfc")
        known: dict[str, Any] = profile.firmware()
        self._idle = 0xFF if known["hall"]["active_low"] else 0
        self._reading = bytearray([self._idle] * known["hall"]["chips"])
        self._presence = self._nfc.Presence(len(known["nfc"]["readers"]), 1)
        sensing = modules.load("sensing").Sensing(
            known["hall"]["chips"], known["settle_scans"], known["hall"]["active_low"]
        )
        self.board = modules.load("board").Board(
            known, "0", self, self, sensing, SimpleNamespace(read=self._read_buttons, presses=self.presses),
            SimpleNamespace(presence=self._presence, step=self._poll), _Lights(self.programs),
            _Strip(),
            SimpleNamespace(feed=lambda: None),
        )  # fmt: skip
        light = self.board.light

        def lit(lamps: wire.Lamps) -> None:
            light(lamps)
            self.lit.append(lamps.number)

        self.board.light = lit

    def turn(self) -> None:
        """One pass."""
        self.board.turn(0)

    # --- hands ---

    def feel(self, sensors: bytes) -> None:
        """Let tokens stand so."""
        self._reading[:] = bytes(byte ^ self._idle for byte in sensors)

    def press(self, button: int) -> None:
        """Push a button, as often as this is called."""
        self.presses[button] = self.presses[button] + 1 & 0xFF
        self._pressed = True

    def hold(self, reader: int, uid: bytes | None) -> None:
        """Let that tag alone, or none, lie on a reader."""
        self._polls.append((reader, uid))

    # --- what the firmware asks of its parts: the chain, the console, buttons, readers ---

    def read(self) -> bytearray:
        """As `HallChain.read`."""
        return self._reading

    def byte(self, wait_ms: int) -> int:
        """As `Console.byte`."""
        return self.heard.pop(0) if self.heard else -1

    def rest(self) -> bytes:
        """As `Console.rest`."""
        end = self.heard.find(b"\n", 0, _LINE) + 1 or min(len(self.heard), _LINE)
        line = bytes(self.heard[:end])
        del self.heard[:end]
        return line

    def writable(self) -> bool:
        """As `Console.writable`."""
        return True

    def write(self, data: bytes) -> int:
        """As `Console.write`."""
        self.said += data
        return len(data)

    def _read_buttons(self, now_ms: int) -> bool:
        pressed, self._pressed = self._pressed, False
        return pressed

    def _poll(self, now_us: int) -> bool:
        if not self._polls:
            return False
        reader, uid = self._polls.pop(0)
        found = self._nfc.Uids()
        if uid:
            found.add(bytes((len(uid),)) + uid + bytes(self._nfc.UID_PLACE - 1 - len(uid)))
        return self._presence.feed(reader, found, True, 0)


class _Strip:
    """A strip nobody looks at."""

    words = None

    def ready(self, now_us: int) -> bool:
        return True

    def show(self, now_us: int) -> None:
        pass


class _Lights:
    """Programs without pixels."""

    def __init__(self, programs: bytearray) -> None:
        self.programs = programs
        self.brightness = 255

    def take(self, groups: bytes) -> None:
        wire.apply(groups, self.programs)

    def fill(self, program: object) -> None:
        """The board's own light is nobody's concern here."""

    def draw(self, words: object, now_ms: int, own: bool) -> None:
        """Nor are pixels."""

    def load_ma(self) -> int:
        return 0


class Modules:
    """The firmware's modules on CPython, loaded anew; `time` is `clock`, and native code is plain code."""

    def __init__(self, clock: Clock) -> None:
        self._loaded: dict[str, Any] = {
            "time": clock,
            "micropython": SimpleNamespace(native=lambda function: function),  # pyright: ignore[reportUnknownLambdaType]
            "wire": wire,
        }

    def load(self, name: str) -> Any:
        """A module by its name, and with it what it imports."""
        if name not in self._loaded:
            path = image.firmware_dir() / f"{name}.py"
            module = self._loaded[name] = ModuleType(name)
            vars(module)["__builtins__"] = vars(builtins) | {"__import__": self._import}
            exec(compile(path.read_text(), path, "exec"), vars(module))  # noqa: S102 - our own files
        return self._loaded[name]

    def _import(self, name: str, *rest: Any) -> Any:
        if name in self._loaded or (image.firmware_dir() / f"{name}.py").exists():
            return self.load(name)
        return __import__(name, *rest)
