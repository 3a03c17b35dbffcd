"""A board on an emulated chip with a host on its console, for timing: both live in the chip's time alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter

from rp2040py.gpio_pin import GPIOPinState

from underglow.bench import flash_image, uf2
from underglow.bench.raw_repl import RawRepl
from underglow.bench.scope import Burst, Scope
from underglow.bench.silicon import Chip
from underglow.bench.wiring import Circuit, Wiring
from underglow.profile import Board
from underglow.session import BoardFault, Occupied, Picture, Session, Up

_TICK_US = 1000
_GIVE_UP_US = 3_000_000
_MASK_STEP_US = 1
_WINDOW_US = 20_000

# The board, built from its own files and made to run 1,000 passes.
_MEMORY = """
import gc, json
gc.collect()
from drivers.watchdog import Watchdog
import program
board = program.build(json.load(open("profile.json")), Watchdog(4000))
gc.collect()
free = gc.mem_free()
gc.disable()
def passes(count):
    for _ in range(count):
        board.turn(0)
passes(100)
gc.collect()
before = gc.mem_alloc()
passes(1000)
print(free, gc.mem_alloc() - before)
"""


class Overdue(Exception):
    """The board did not do in time what it should; the message says what."""


class Trial:
    """`board` with `files` on its Pico, powered up now. The host answers in no time; `slowness` as for Chip."""

    def __init__(self, board: Board, files: Mapping[str, bytes], slowness: float = 1.0) -> None:
        self.circuit = Circuit(Wiring.of(board))
        self._files = files
        self._slowness = slowness
        self._flash = uf2.find(build=False).flash
        self.chip = self._made(files, self.circuit, self._said, lambda _there: None)
        self.scope = Scope(self.chip, self.circuit.wiring.strip)
        self.session = Session(1, board.crc, len(board.lamps), board.strip.brightness, 0.0)
        #: What the host understood, each with the chip's time in ns.
        self.heard: list[tuple[int, object]] = []
        self._tick()

    def _made(
        self,
        files: Mapping[str, bytes],
        circuit: Circuit,
        said: Callable[[bytes], None],
        port: Callable[[bool], None],
    ) -> Chip:
        return Chip(flash_image.with_files(self._flash, files), circuit, said, port, slowness=self._slowness)

    # --- the host ---

    def _now_ms(self) -> float:
        return self.chip.now_ns / 1e6

    def _said(self, data: bytes) -> None:
        for happening in self.session.receive(data, self._now_ms()):
            if isinstance(happening, BoardFault):
                raise Overdue(happening.says)
            self.heard.append((self.chip.now_ns, happening))
        self._send()

    def _tick(self) -> None:
        self.session.tick(self._now_ms())
        self._send()
        self.chip.at(_TICK_US, self._tick)

    def _send(self) -> None:
        self.chip.cable.send(bytes(self.session.unsent))
        self.session.unsent.clear()

    def show(self, picture: Picture) -> None:
        """Send a picture."""
        self.session.show(picture, self._now_ms())
        self._send()

    # --- waiting ---

    def until(self, done: Callable[[], bool], what: str) -> None:
        """Let the time pass until that. Overdue: in vain."""
        if not self.chip.run_until(done, _GIVE_UP_US):
            raise Overdue(f"not within {_GIVE_UP_US / 1e6:g} s: {what}")

    def until_up(self) -> int:
        """Wait for the board's answer to `hello`; ns since power-on."""
        return self._next(Up, 0, "welcome")

    def until_occupied(self, since: int) -> int:
        """Wait for an occupancy after the first `since` things heard; when it came in, in ns."""
        return self._next(Occupied, since, "an occupancy")

    def _next(self, kind: type, since: int, what: str) -> int:
        found: list[int] = []

        def came() -> bool:
            found[:] = [at_ns for at_ns, happening in self.heard[since:] if isinstance(happening, kind)]
            return bool(found)

        self.until(came, what)
        return found[0]

    def until_lit(self, pixel: int, before: bytes) -> Burst:
        """Wait for the first frame in which a pixel is not `before`; that frame on the wire."""
        strip = self.circuit.strip
        number = strip.latched.number
        at_ns: list[int] = []

        def lit() -> bool:
            strip.settle(self.chip.now_ns)
            frames = strip.since(number)
            at_ns[:] = [f.at_ns for f in frames if f.rgb[3 * pixel : 3 * pixel + 3] != before]
            return bool(at_ns)

        self.until(lit, f"pixel {pixel} shows its new light")
        return min(self.scope.bursts, key=lambda burst: abs(burst.latched_ns - at_ns[0]))

    # --- figures ---

    def rates(self, time_us: int = 500_000) -> tuple[float, float]:
        """Scans and frames a second, as time goes on."""
        loads, bursts = self.circuit.chain.loads, len(self.scope.bursts)
        self.chip.advance(time_us)
        scans, frames = self.circuit.chain.loads - loads, len(self.scope.bursts) - bursts
        return scans * 1e6 / time_us, frames * 1e6 / time_us

    def slowest_scan_hz(self, time_us: int = 500_000) -> float:
        """The rate of scans in the worst _WINDOW_US of that time."""
        counts = [self.circuit.chain.loads]
        for _ in range(time_us // _WINDOW_US):
            self.chip.advance(_WINDOW_US)
            counts.append(self.circuit.chain.loads)
        return min(after - before for before, after in pairwise(counts)) * 1e6 / _WINDOW_US

    def polls_ms(self, space: str, time_us: int = 500_000) -> list[float]:
        """How long each poll of the reader there takes, from its first request to the field's end.

        The turn of a reader starts with its field, which tags need for some ms before they can answer: that pause,
        the longest, is no part of the poll.
        """
        selects = {reader.select: reader.space for reader in self.circuit.wiring.readers if reader.select is not None}
        transfers: list[tuple[int, str]] = []

        def watch(pin: int) -> Callable[[], None]:
            def selected(level: GPIOPinState, _before: GPIOPinState) -> None:
                if level == GPIOPinState.LOW:
                    transfers.append((self.chip.now_ns, selects[pin]))

            return self.chip.mcu.gpio[pin].add_listener(selected)

        forget = [watch(pin) for pin in selects]
        self.chip.advance(time_us)
        for ended in forget:
            ended()
        turns = [[at_ns for at_ns, _ in turn] for there, turn in groupby(transfers, itemgetter(1)) if there == space]
        return [_poll_ns(turn) / 1e6 for turn in turns[1:-1]]  # the first and the last may be cut

    def longest_mask_us(self, time_us: int = 200_000) -> int:
        """The longest time for which interrupts were masked, by whomever, to a µs."""
        core = self.chip.mcu.core
        longest = masked = looks = 0

        def look() -> None:
            nonlocal longest, masked, looks
            masked = masked + _MASK_STEP_US if core.pm else 0
            longest = max(longest, masked)
            looks += 1
            if looks < time_us:
                alarm.schedule(_MASK_STEP_US * 1000)

        alarm = self.chip.mcu.clock.create_alarm(look)
        alarm.schedule(_MASK_STEP_US * 1000)
        self.chip.advance(time_us)
        return longest

    def memory(self) -> tuple[int, int]:
        """Free heap of a board that has just started, and what 1,000 quiet passes allocate, both in bytes."""
        files = {name: data for name, data in self._files.items() if name != "main.py"}  # so it starts into the REPL
        heard = bytearray()
        there: list[bool] = []
        chip = self._made(files, Circuit(self.circuit.wiring), heard.extend, there.append)
        if not chip.run_until(lambda: bool(there), _GIVE_UP_US):
            raise Overdue("the chip does not start")
        free, allocated = RawRepl(chip, heard).run(_MEMORY, timeout_us=20_000_000).split()[-2:]
        return int(free), int(allocated)


def _poll_ns(turn: Sequence[int]) -> int:
    """Of the times of a reader's transfers: from the first after the longest pause to the last."""
    _, answered = max(pairwise(turn), key=lambda pause: pause[1] - pause[0])
    return turn[-1] - answered
