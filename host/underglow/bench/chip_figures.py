"""What the firmware takes on the RP2040: its scan rate, its frames, and how long from a touch to light.

Everything is timed by the emulated chip's own clock, so the figures are the same, to the bit, on every machine. They
are taken twice: as emulated, and as a bound with a CPU that is BOUND times as slow, while wires keep their time. The
emulator knows no misses of the flash cache; by published scores of real chips its bytecode is so much too fast at most.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace

from rich.console import Console
from rich.table import Table as Grid

from underglow import wire
from underglow.bench import emulator
from underglow.bench.chip import compiled_files
from underglow.bench.latency import Spread
from underglow.profile import Board
from underglow.session import Picture, Program

emulator.use()
from underglow.bench.chip_trial import Trial  # noqa: E402 - the fastest emulator must be found first

BOUND = 1.7
HOST_MS = 2.0
"""What the host needs from an occupancy to its lamps: more than the p95 that `underglow bench latency` leaves it."""

_MANY_PIXELS = 300
_QUIET_US = 300_000
_POLLS_US = 1_500_000
_HANDS_US = (20_000, 60_000)

_STAND = (Program(wire.SOLID, 255, 0, 0), Program(wire.SOLID, 0, 0, 255))
_REACH = Program(wire.PULSE, 0, 160, 40, 1200)
_STOP = Program(wire.BLINK, 160, 80, 0, 800)
_SWEEP = Program(wire.CHASE, 90, 60, 0, 900)
# Bright, so that the current cap has to dim it all.
_ALL = (
    Program(wire.CHASE, 255, 160, 90, 900),
    Program(wire.PULSE, 90, 255, 160, 1200),
    Program(wire.BREATHE, 160, 90, 255, 2400),
    Program(wire.BLINK, 255, 255, 90, 800),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run finds; see the README for what each is.

    Those of 300 are with so many pixels at least, and every lamp of theirs in motion.
    """

    scan_hz: float
    fps: float
    scan_hz_300: float
    fps_300: float
    touch_to_frame_ms: Spread
    lamps_to_pixel_ms: Spread
    touch_to_pixels_ms: Spread
    irq_off_us: int
    zero_high_ns: tuple[int, int]
    one_high_ns: tuple[int, int]
    latch_us: float
    allocated_bytes: int
    free_ram_bytes: int
    start_to_welcome_ms: float
    nfc_poll_ms: Spread
    scan_hz_with_nfc: float


@dataclass(frozen=True, slots=True)
class _Touch:
    frame_ms: float
    lamps_ms: float
    pixels_ms: float


def measure(board: Board, touches: int = 100, slowness: float = 1.0) -> Figures:
    """Take all figures of a board.

    NoUf2: there is no MicroPython; PicoError: a source does not compile; Overdue: it is stuck.
    """
    files = compiled_files(board)
    trial, start_ms = _started(board, files, slowness)
    scan_hz, fps = trial.rates()
    irq_off_us = trial.longest_mask_us()
    timed = list(_touches(trial, board, touches))
    polls_ms, scan_hz_with_nfc = _tagged(trial, board)
    free, allocated = trial.memory()
    zero, one = _high_ns(trial.scope.highs)

    longer, its_files = (board, files) if board.pixels >= _MANY_PIXELS else _longer(board, files)
    many, _ = _started(longer, its_files, slowness)
    many.show(_all_in_motion(longer))
    many.chip.advance(_QUIET_US)
    scan_hz_300, fps_300 = many.rates()
    return Figures(
        round(scan_hz, 1),
        round(fps, 1),
        round(scan_hz_300, 1),
        round(fps_300, 1),
        Spread.of([touch.frame_ms for touch in timed]),
        Spread.of([touch.lamps_ms for touch in timed]),
        Spread.of([touch.pixels_ms for touch in timed]),
        irq_off_us,
        zero,
        one,
        round(min(trial.scope.pauses_ns) / 1000, 1),
        allocated,
        free,
        round(start_ms, 1),
        Spread.of(polls_ms),
        round(scan_hz_with_nfc, 1),
    )


def _started(board: Board, files: Mapping[str, bytes], slowness: float) -> tuple[Trial, float]:
    """A board in its stride, its lamps in motion; and how many ms it took to answer."""
    trial = Trial(board, files, slowness)
    start_ms = trial.until_up() / 1e6
    trial.show(_picture(board, 0, random.Random(0)))  # noqa: S311 - it must repeat
    trial.chip.advance(_QUIET_US)
    return trial, start_ms


def _touches(trial: Trial, board: Board, count: int) -> Iterator[_Touch]:
    """Set down and lift a magnet, answer with lamps, and time it."""
    chance = random.Random(1)  # noqa: S311 - it must repeat
    spaces = [space.id for space in board.spaces if space.hall is not None]
    tokens, chip = trial.circuit.tokens, trial.chip
    answer = board.lamps[_answer(board)][0]
    for number in range(1, count + 1):
        chip.advance(chance.uniform(*_HANDS_US))
        heard = len(trial.heard)
        touched_ns = chip.now_ns
        if number & 1:
            tokens.place("figure", chance.choice(spaces), touched_ns)
        else:
            tokens.lift("figure", touched_ns)
        felt_ns = trial.until_occupied(heard)
        chip.advance(HOST_MS * 1000 - (chip.now_ns - felt_ns) / 1000)
        before = trial.circuit.strip.latched.rgb[3 * answer : 3 * answer + 3]
        trial.show(_picture(board, number, chance))
        trial.until(lambda: chip.cable.all_landed, "the lamps arrive")
        landed_ns = chip.cable.landed_ns
        burst = trial.until_lit(answer, before)
        yield _Touch(
            *((ns / 1e6) for ns in (felt_ns - touched_ns, burst.first_ns - landed_ns, burst.last_ns - touched_ns))
        )


def _tagged(trial: Trial, board: Board) -> tuple[list[float], float]:
    """How long polls take of a reader with a tag, and the slowest scans while every reader has one."""
    spaces = [reader.space for reader in board.nfc.readers] if board.nfc else []
    for number, space in enumerate(spaces):
        name = f"card {number}"
        trial.circuit.tokens.equip(name, magnet=False, uid=bytes((4, number, *range(0x10, 0x15))))
        trial.circuit.tokens.place(name, space, trial.chip.now_ns)
    trial.chip.advance(_QUIET_US)
    return trial.polls_ms(spaces[0], _POLLS_US), trial.slowest_scan_hz()


def _answer(board: Board) -> int:
    return len(board.lamps) // 2


def _picture(board: Board, number: int, chance: random.Random) -> Picture:
    """Such as a game shows: where the figure stands, where it can go and where it must stop; a sweep goes on."""
    others = [lamp for lamp in range(len(board.lamps)) if lamp != _answer(board)]
    sweep, rest = tuple(others[:6]), others[6:]
    chance.shuffle(rest)
    reach = chance.randrange(4, 14)
    return (
        (_STAND[number & 1], (_answer(board),)),
        (_REACH, tuple(rest[:reach])),
        (_STOP, tuple(rest[reach : reach + 2])),
        (_SWEEP, sweep),
    )


def _all_in_motion(board: Board) -> Picture:
    """Every lamp of the board moves, and all four programs are there."""
    lamps = range(len(board.lamps))
    return tuple((program, tuple(lamps[number :: len(_ALL)])) for number, program in enumerate(_ALL))


def _longer(board: Board, files: Mapping[str, bytes]) -> tuple[Board, dict[str, bytes]]:
    """The same board with a strip of _MANY_PIXELS."""
    count = len(board.lamps)
    lamps = tuple(tuple(range(lamp, _MANY_PIXELS, count)) for lamp in range(count))
    longer = replace(board, lamps=lamps, strip=board.strip.model_copy(update={"pixels": _MANY_PIXELS}))
    return longer, {**files, "profile.json": json.dumps(longer.firmware()).encode()}


def _high_ns(highs: Counter[int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Shortest and longest high of a 0, and of a 1."""
    middle = (min(highs) + max(highs)) / 2
    zeros, ones = [ns for ns in highs if ns < middle], [ns for ns in highs if ns >= middle]
    return (min(zeros), max(zeros)), (min(ones), max(ones))


def show(board: Board, emulated: Figures, bound: Figures, as_json: bool) -> None:
    """Print a board's figures: a table, or one JSON object whose `bound` holds the same once more."""
    if as_json:
        print(json.dumps({**asdict(emulated), "bound": asdict(bound)}))  # noqa: T201
        return
    title = f"{board.name} on an emulated RP2040; below each, a CPU {BOUND} times as slow"
    grid = Grid("figure", "n", "p50", "p95", "p99", "max", title=title)
    for name in (field.name for field in fields(Figures)):
        for label, figures in ((name, emulated), ("", bound)):
            value: object = getattr(figures, name)
            if isinstance(value, Spread):
                spread = (value.p50, value.p95, value.p99, value.max)
                grid.add_row(label, str(value.n), *(f"{ms:.2f}" for ms in spread))
            else:
                grid.add_row(label, "", str(value), "", "", "")
    Console().print(grid)
