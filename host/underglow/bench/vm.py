"""The bench's VM tier: real firmware on MicroPython's unix port, its board simulated, its console on a PTY."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

from underglow.bench.cable import Trouble
from underglow.bench.devices.pixel_strip import Latched
from underglow.bench.process import Start
from underglow.bench.wiring import Wiring

if TYPE_CHECKING:
    from underglow.profile import Board

_HERE = Path(__file__).parent
_CHILD = (
    "import pathlib, sys; from underglow.bench.process import main; main(int(sys.argv[1]), pathlib.Path(sys.argv[2]))"
)
_ANSWER_TIMEOUT_S = 10.0
_END_TIMEOUT_S = 5.0
_LOOK_S = 0.001


class NoMicroPython(RuntimeError):
    """There is no MicroPython for this machine; the message says how to get one."""


class BenchGone(OSError):
    """The bench's process has ended."""


class Frame(NamedTuple):
    """What the strip shows since `at_ns` (of the board's clock), frame `number` since power came on first."""

    number: int
    at_ns: int
    pixels: tuple[tuple[int, int, int], ...]


def micropython() -> list[str]:
    """The command that starts MicroPython. NoMicroPython: there is none."""
    beside = Path(sys.executable).with_name("micropython")
    if beside.is_file():
        return [str(beside)]
    if importlib.util.find_spec("micropython_unix"):
        return [sys.executable, "-m", "micropython_unix"]
    if found := shutil.which("micropython"):
        return [found]
    raise NoMicroPython(
        "no MicroPython here: install the bench with `pip install 'underglow[bench]'`, "
        "or put MicroPython's unix port on PATH as `micropython`"
    )


class Bench:
    """A simulated board with power and cable in place. All of it lives in one child process and ends with `stop`.

    Any thread may call. ValueError: no such space, token, button or reader; BenchGone: it was stopped or has died.
    """

    def __init__(self, process: subprocess.Popen[bytes], control: Connection, folder: Path) -> None:
        self._process = process
        self._control = control
        self._folder = folder
        self._lock = threading.Lock()
        #: What pyserial opens. It stays the same while the cable is pulled and plugged in again.
        self.port = str(folder / "port")

    @classmethod
    def start(cls, board: Board, files: Mapping[str, bytes]) -> Self:
        """Power a board up with those files, by relative path, on its Pico. NoMicroPython: there is none."""
        command = micropython()
        folder = Path(tempfile.mkdtemp(prefix="underglow-bench-"))
        flash = folder / "flash"
        flash.mkdir()
        for name, data in files.items():
            path = flash / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        control, theirs = cast("tuple[Connection, Connection]", Pipe())
        # Not multiprocessing's Process: it would import the parent's main module again, which takes longer than all
        # the rest. Without site (-S) the interpreter is up in 10 ms; the bench needs nothing but itself.
        path = (str(_HERE.parents[1]), os.environ.get("PYTHONPATH"))
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-S", "-c", _CHILD, str(theirs.fileno()), str(folder)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # what the terminal sends is for the parent; when that ends, the pipe closes
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))},
            )
        bench = cls(process, control, folder)
        try:
            control.send(Start(Wiring.of(board), command, str(_HERE / "shims")))
            bench._receive()
        except BaseException:
            bench.stop()
            raise
        return bench

    # --- time ---

    @property
    def now_us(self) -> float:
        """The board's clock; the times of hands and frames are on it, in ns."""
        return time.monotonic_ns() / 1000

    def sleep(self, time_s: float) -> None:
        """Let that time pass on the board."""
        until_us = self.now_us + time_s * 1e6
        while (left_us := until_us - self.now_us) > 0:
            if self._process.poll() is not None:
                raise BenchGone("the bench's process has ended by itself")
            time.sleep(max(left_us / 1e6, _LOOK_S))

    # --- hands ---

    def equip(self, token: str, *, magnet: bool = True, uid: bytes | None = None) -> None:
        """Say what a token carries, a magnet, a tag or both, while it is off the board; others carry just a magnet."""
        self._ask("equip", token, magnet, uid)

    def place(self, space: str, token: str = "magnet") -> int:  # noqa: S107 - a token on a board
        """Set the token of that name down, wherever it was; when it stood there, in ns of the board's clock."""
        return cast("int", self._ask("place", space, token))

    def lift(self, token: str) -> int:
        """Take that token off the board; when it was gone, in ns of the board's clock."""
        return cast("int", self._ask("lift", token))

    def tokens(self) -> dict[str, str]:
        """Return the space of each token on the board."""
        return cast("dict[str, str]", self._ask("tokens"))

    def magnets(self) -> dict[str, str]:
        """Return the space of each token on the board that carries a magnet."""
        return cast("dict[str, str]", self._ask("magnets"))

    def press(self, button: str, bounce_ms: float = 0) -> int:
        """Push a button down; its contact chatters for that long. When, in ns of the board's clock."""
        return cast("int", self._ask("press", button, bounce_ms))

    def release(self, button: str, bounce_ms: float = 0) -> int:
        """Let a button go; its contact chatters for that long. When, in ns of the board's clock."""
        return cast("int", self._ask("release", button, bounce_ms))

    # --- eyes ---

    def pixels(self) -> Frame:
        """Return the frame that is visible."""
        return _frame(self._ask("pixels"))

    def frames_since(self, number: int) -> list[Frame]:
        """Return the frames after that one, oldest first; the last 512 are kept."""
        return [_frame(latched) for latched in self._ask("frames_since", number)]

    # --- faults ---

    def bounce(self, space: str, scans: int) -> None:
        """Let the switch there chatter for that many scans after each change."""
        self._ask("bounce", space, scans)

    def flicker(self, space: str | None, rate: float, seed: int = 0) -> None:
        """Let the switch there (None: all) spike for one or two scans; one begins with that probability in each scan.

        Any switch that flickered before does so no more.
        """
        self._ask("flicker", space, rate, seed)

    def stick(self, space: str, occupied: bool | None) -> None:
        """Hold the switch there, as if a magnet were (True) or were never (False) near; None lets go."""
        self._ask("stick", space, occupied)

    def garble(self, space: str, rate: float, seed: int = 0) -> None:
        """Garble what the reader there hears, silence included, with that probability a frame; 0: no more."""
        self._ask("garble", space, rate, seed)

    def hang(self, space: str, *, deaf: bool = False) -> None:
        """Let the reader there finish nothing any more until its chip is reset; if `deaf`, by its pin or by power."""
        self._ask("hang", space, deaf)

    def disturb(self, trouble: Trouble | None) -> None:
        """Let that happen to all that passes through the cable, either way; None: nothing any more."""
        self._ask("disturb", trouble)

    def stall(self, way: str, stalled: bool) -> None:
        """Let nothing pass "to_board", as if the board had hung, or "to_host", as if the host did not read."""
        self._ask("stall", way, stalled)

    def cut(self, after_bytes: int = 0) -> None:
        """Break the cable once so many bytes more have gone to the host, maybe in the middle of a frame."""
        self._ask("cut", after_bytes)

    def unplug(self, power: bool = False) -> None:
        """Pull the USB cable. With `power` the board lives off it and goes dark; else it goes on."""
        self._ask("unplug", power)

    def replug(self) -> None:
        """Put the cable back; a board that was dark starts anew."""
        self._ask("replug")

    def reset(self) -> None:
        """Press reset: the firmware starts anew and the port goes away for a moment."""
        self._ask("reset")

    # --- state ---

    def stats(self) -> dict[str, int]:
        """Return counts since the start.

        `loads` (scans), `frames`, `led_changes` (of the Pico's own light), `bytes_to_board`, `bytes_from_board`.
        """
        return cast("dict[str, int]", self._ask("stats"))

    def says(self) -> str:
        """Return what MicroPython and the bench complained of, for messages to people."""
        return cast("str", self._ask("says"))

    def stop(self) -> None:
        """End everything and leave nothing behind. May be called twice."""
        with self._lock:
            self._control.close()
        try:
            self._process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _ask(self, name: str, *arguments: object) -> Any:
        with self._lock:
            try:
                self._control.send((name, arguments))
                return self._receive()
            except OSError as error:
                raise BenchGone(f"the bench has ended ({error})") from None

    def _receive(self) -> Any:
        if not self._control.poll(_ANSWER_TIMEOUT_S):
            raise BenchGone("the bench's process does not answer")
        try:
            answer = self._control.recv()
        except EOFError:
            raise BenchGone("the bench's process has ended by itself") from None
        if isinstance(answer, Exception):
            raise answer
        return answer


def _frame(latched: Latched) -> Frame:
    number, at_ns, rgb = latched
    return Frame(number, at_ns, tuple(zip(rgb[0::3], rgb[1::3], rgb[2::3], strict=True)))
