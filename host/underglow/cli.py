"""The command line: `underglow` and its commands."""

from __future__ import annotations

import os
import secrets
import signal
import sys
import threading
import time
import webbrowser
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import platformdirs
import serial
import typer
from rich.console import Console

from underglow import flash, games, image, ports, profile, recording
from underglow import set_up as set_ups
from underglow import simulate as simulation
from underglow.bench import rules as pace
from underglow.bench.emulator import NoEmulator
from underglow.bench.uf2 import NoUf2
from underglow.bench.vm import Bench, NoMicroPython
from underglow.bots import BOTS
from underglow.documents import Faults
from underglow.journal import Header, Journal, JournalError
from underglow.kiosk.server import AddressTaken, Kiosk
from underglow.link import Down, Link, LinkError, why_not_open
from underglow.pico import PicoError
from underglow.profile import Board
from underglow.rng import Rng
from underglow.set_up import SetUp
from underglow.table import Snapshot, Table, standing
from underglow.themes import THEMES
from underglow.workers import WorkerGone

#: It was done, and what came of it is not as it should be.
EXIT_FAILED = 1
#: Something from outside (a file, a port, an option) is not as it should be.
EXIT_INPUT = 2
#: The board can't be reached or does not fit.
EXIT_BOARD = 3

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
benchmarks = typer.Typer(no_args_is_help=True, help="Measure. A table in a terminal, with --json one JSON value.")
app.add_typer(benchmarks, name="bench")

_errors = Console(stderr=True, highlight=False, soft_wrap=True)
_says = Console(highlight=False, soft_wrap=True)

BoardOption = Annotated[str, typer.Option("--board", help='A serial port, or "vm" for the simulated board.')]
ProfileOption = Annotated[str, typer.Option("--profile", help="A board profile: its name, or a TOML file.")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON instead of a table.")]


@contextmanager
def _sentences() -> Generator[None]:
    """Turn what is wrong outside into its sentence and an exit code."""
    try:
        yield
    except (
        Faults, games.UnknownGame, games.UnknownScenario, JournalError, AddressTaken, NoUf2, ports.SeveralBoards,
        pace.NoChess, WorkerGone,
        recording.RecordingError,
    ) as error:  # fmt: skip
        _errors.print(str(error), markup=False)
        raise typer.Exit(EXIT_INPUT) from None
    except (LinkError, NoMicroPython, NoEmulator, PicoError, ports.NoBoard) as error:
        _errors.print(str(error), markup=False)
        raise typer.Exit(EXIT_BOARD) from None


@app.command()
def run(
    board: BoardOption = "vm",
    profile_name: ProfileOption = "hex48",
    game: Annotated[str, typer.Option(help="Which game.")] = "mandalorian",
    scenario: Annotated[str, typer.Option(help="One of the game's scenarios, or a TOML file.")] = "cinder-wells",
    seats: Annotated[int, typer.Option(help="How many play.")] = 1,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**64 - 1, help="The seed of chance; a new one each time if not given.")
    ] = None,
    theme: Annotated[str, typer.Option(help=f"How meanings look: {', '.join(THEMES)}.")] = "default",
    headless: Annotated[bool, typer.Option("--headless", help="No page; the terminal tells and asks.")] = False,
    http_port: Annotated[int, typer.Option("--http", help="The page's port on this machine; 0 for any.")] = 8737,
    journal_path: Annotated[Path | None, typer.Option("--journal", help="Where the game is written down.")] = None,
    set_up_path: Annotated[
        Path | None, typer.Option("--set-up", help="What is physical, and whose tags (TOML).")
    ] = None,
    record_path: Annotated[
        Path | None, typer.Option("--record", help="Keep the raw traffic with the board in a new file.")
    ] = None,
) -> None:
    """Referee a game on a board: simulated, or a real one on a serial port."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with _sentences(), ExitStack() as stack:
        if theme not in THEMES:
            raise typer.BadParameter(f"there is no theme {theme!r}; there are: {', '.join(THEMES)}")
        physical = profile.load(profile_name)
        set_up = set_ups.load(set_up_path) if set_up_path else SetUp()
        tape = stack.enter_context(recording.Recording(record_path)) if record_path else None
        table, bench = _table(stack, board, physical, set_up, game, scenario, seats, seed, theme, journal_path, tape)
        if headless:
            _narrate(table)
        else:
            kiosk = Kiosk(physical, table, bench)
            address = kiosk.start(http_port)
            stack.callback(kiosk.stop)
            table.watch(kiosk.publish)
            _says.print(f"The board is at {address}   (Ctrl-C ends everything)")
            _open_page(address)
        try:
            table.run()
        except KeyboardInterrupt:
            _says.print("Good night.")


def _table(
    stack: ExitStack,
    board: str,
    physical: Board,
    set_up: SetUp,
    game_name: str,
    scenario_name: str,
    seats: int,
    seed: int | None,
    theme: str,
    journal_path: Path | None,
    tape: recording.Recording | None,
) -> tuple[Table, Bench | None]:
    """A table with a board connected, to be ended by `stack`."""
    game = games.load(game_name)
    scenario = game.load(games.scenario_path(game_name, scenario_name))
    if seats not in scenario.seats:
        few, many = scenario.seats[0], scenario.seats[-1]
        raise typer.BadParameter(f"{scenario.id} is for {few} to {many} seats, not {seats}")
    try:
        overlay = scenario.overlay(physical.name)
    except KeyError:
        raise typer.BadParameter(
            f"scenario {scenario.id} does not fit board {physical.name}: it has no overlay"
        ) from None
    seed = secrets.randbits(63) if seed is None else seed
    state = game.setup(scenario, seats, Rng(seed))

    bench = None
    if board == "vm":
        bench = stack.enter_context(Bench.start(physical, image.board_files(physical)))
        for space, tokens in standing(game, state, overlay, set_up).items():
            for token in tokens:
                bench.place(space, token)
        board = bench.port
    link = Link(board, physical, recording=tape)
    stack.callback(link.close)
    first = link.connect()

    header = Header(version("underglow"), game_name, scenario.id, scenario.digest, seats, seed, physical.name)
    journal = Journal.create(journal_path or _journal_path(), header)
    stack.callback(journal.close)
    table = Table(game, scenario, state, physical, link, journal, THEMES[theme], set_up)
    for happening in first:
        table.take(happening)
    return table, bench


def _journal_path() -> Path:
    folder = platformdirs.user_state_path("underglow")
    return folder / f"{time.strftime('%Y-%m-%d-%H%M%S')}-{os.getpid()}.sqlite"


def _open_page(address: str) -> None:
    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)


def _narrate(table: Table) -> None:
    """Tell the game in the terminal; a number typed in chooses."""
    told = 0
    asked: list[str] = ["", ""]
    latest: list[Snapshot] = []

    def tell(snapshot: Snapshot) -> None:
        nonlocal told
        latest[:] = [snapshot]
        fresh = min(snapshot["log_end"] - told, len(snapshot["log"]))
        told = snapshot["log_end"]
        for line in snapshot["log"][len(snapshot["log"]) - fresh :]:
            _says.print(f"  {line}", markup=False)
        choices = "\n".join(f"  [{choice['index']}] {choice['text']}" for choice in snapshot["choices"])
        for number, words in enumerate((snapshot["prompt"], choices)):
            if words and words != asked[number]:
                _says.print(words, markup=False)
            asked[number] = words

    def listen() -> None:
        for line in sys.stdin:
            if line.strip().isdecimal():
                table.choose(int(line), latest[0]["number"])

    table.watch(tell)
    threading.Thread(target=listen, daemon=True).start()


@app.command()
def simulate(
    scenario: Annotated[str, typer.Argument(help="A scenario's name, or a TOML file.")],
    count: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="The seed of chance.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes; the result is the same for any.")] = 1,
    bots: Annotated[
        list[str] | None, typer.Option("--bot", help=f"Who plays, seat by seat in turn: {', '.join(BOTS)}.")
    ] = None,
    seats: Annotated[
        list[int] | None, typer.Option(help="How many play, game by game in turn; if not given, every number that may.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="Whose scenario it is, where its name does not say.")] = None,
    first: Annotated[int, typer.Option(min=0, help="The first game's index: to play some of them again.")] = 0,
    limit: Annotated[int, typer.Option(min=1, help="How many steps make a game endless.")] = simulation.LIMIT,
    as_json: JsonOption = False,
) -> None:
    """Let bots play many games; exit code 1 if any raised, never ended, or got stuck."""
    with _sentences():
        setting = simulation.Setting(
            *simulation.find(scenario, game), seed, tuple(bots or ("random",)), tuple(seats or ()), limit
        )
        try:
            report = simulation.simulate(setting, count, jobs, first)
        except ValueError as error:  # what a game raises is in the report
            raise typer.BadParameter(str(error)) from None
    simulation.show(report, as_json)
    raise typer.Exit(EXIT_FAILED if report.failures else 0)


@app.command()
def record(
    file: Annotated[Path, typer.Argument(help="A new file.")],
    board: BoardOption = "vm",
    profile_name: ProfileOption = "hex48",
) -> None:
    """Listen to a board without a game, say what is understood, and keep the raw traffic with times."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with _sentences(), ExitStack() as stack:
        physical = profile.load(profile_name)
        tape = stack.enter_context(recording.Recording(file))
        link = Link(_port(stack, board, physical), physical, recording=tape)
        stack.callback(link.close)
        happenings = link.connect()
        with suppress(KeyboardInterrupt):
            while True:
                for happening in happenings:
                    says = happening.says if isinstance(happening, Down) else recording.words(happening, physical)
                    _says.print(says, markup=False)
                happenings = link.wait(1.0)


@app.command()
def replay(
    wire: Annotated[Path, typer.Option("--wire", help="What `underglow record` or `run --record` wrote.")],
    board: Annotated[
        str | None, typer.Option("--board", help='Tell it to a board: a serial port, or "vm". Without: to the host.')
    ] = None,
    fast: Annotated[bool, typer.Option("--fast", help="As fast as the board takes it, not as it was.")] = False,
    profile_name: ProfileOption = "hex48",
) -> None:
    """Feed recorded traffic to this host, and say what it understands; or to a board, and say what that answers."""
    with _sentences(), ExitStack() as stack:
        physical = profile.load(profile_name)
        said = list(recording.read(wire))
        if board is None:
            for t_s, happening in recording.understand(said, physical):
                _says.print(f"{t_s:10.4f}  {recording.words(happening, physical)}", markup=False)
            return
        try:
            with serial.Serial(_port(stack, board, physical), exclusive=True) as port:
                for t_s, message in recording.ask(said, port, fast=fast):
                    _says.print(f"{t_s:10.4f}  {message}", markup=False)
        except (OSError, ValueError) as error:
            raise LinkError(f"{board}: {why_not_open(error)}") from None


def _port(stack: ExitStack, board: str, physical: Board) -> str:
    """The board's port; the simulated board is started, and ended by `stack`."""
    if board != "vm":
        return board
    return stack.enter_context(Bench.start(physical, image.board_files(physical))).port


@app.command()
def check(files: Annotated[list[Path], typer.Argument(help="Board profiles or scenarios (TOML).")]) -> None:
    """Read board profiles and scenarios and name every fault at once."""
    wrong = False
    for file in files:
        owner = file.resolve().parent.parent
        try:
            if owner.name in games.names():
                games.load(owner.name).load(file)
            else:
                profile.load(file)
        except Faults as faults:
            _errors.print(str(faults), markup=False)
            wrong = True
        else:
            _says.print(f"{file}: good", markup=False)
    raise typer.Exit(EXIT_INPUT if wrong else 0)


@app.command(name="flash")
def flash_board(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="PORT", help="A serial port, a board's serial number or its end, or a blank Pico's disk."
        ),
    ] = None,
    given: Annotated[Path | None, typer.Option("--uf2", help="MicroPython for a blank Pico.")] = None,
    only_check: Annotated[bool, typer.Option("--check", help="Only say what differs; exit code 1 if it does.")] = False,
    profile_name: ProfileOption = "hex48",
) -> None:
    """Put the firmware and a board's profile on a Pico; only what changed is copied."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with _sentences():
        board = profile.load(profile_name)
        port = flash.find(target, given, _says, flash.ask_person(_says) if sys.stdin.isatty() else None)
        if only_check:
            raise typer.Exit(0 if flash.check(port, board, _says) else 1)
        flash.flash(port, board, _says)


@app.command(name="image")
def write_image(
    folder: Annotated[Path, typer.Argument(help="Where to; made if it is not there.")],
    profile_name: ProfileOption = "hex48",
) -> None:
    """Write what belongs on a Pico into a folder, for `mpremote cp -r FOLDER/. :`."""
    with _sentences():
        for name, content in image.board_files(profile.load(profile_name)).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


@benchmarks.command()
def latency(
    board: BoardOption = "vm",
    touches: Annotated[int, typer.Option(min=1, help="How many touches.")] = 500,
    as_json: JsonOption = False,
) -> None:
    """Touch to event, touch to light, and the link's round trip, on the simulated board with a real game."""
    from underglow.bench import latency as measure

    if board != "vm":
        raise typer.BadParameter("hands can be timed on the simulated board only: vm", param_hint="--board")
    with _sentences():
        figures = measure.measure(touches)
    measure.show(figures, as_json)


@benchmarks.command()
def faults(
    frames: Annotated[int, typer.Option(min=0, help="How many frames on a line that spoils 2 % of them.")] = 100_000,
    replugs: Annotated[int, typer.Option(min=0, help="How many times the cable is pulled.")] = 20,
    seed: Annotated[int, typer.Option(help="What the faults are drawn from.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """What is lost, doubled or late on a line under fire, and after replugs. Exit code 1: something is."""
    from underglow.bench import faults as measure

    with _sentences():
        figures = measure.measure(frames, replugs, seed)
    measure.show(figures, as_json)
    raise typer.Exit(0 if figures.good else 1)


@benchmarks.command()
def chip(
    touches: Annotated[int, typer.Option(min=1, help="How many touches.")] = 100,
    as_json: JsonOption = False,
) -> None:
    """The same on an emulated RP2040, in the chip's own time: as emulated, and on a CPU 1.7 times as slow."""
    with _sentences():
        try:
            from underglow.bench import chip_figures as measure
        except ModuleNotFoundError:
            raise NoEmulator("there is no emulator here; install it with  pip install 'underglow[chip]'") from None
        emulated, bound = measure.measure(touches), measure.measure(touches, measure.BOUND)
    measure.show(emulated, bound, as_json)


@benchmarks.command()
def rules(as_json: JsonOption = False) -> None:
    """Random play of every scenario against random legal chess: the speed of the rules, on one core."""
    with _sentences():
        paces = pace.measure()
    pace.show(paces, as_json)
