"""The command line: `underglow run`, `replay`, `journal`, `simulate`, `check`, `flash`, `image` and `bench`."""

from __future__ import annotations

import os
import secrets
import signal
import sys
import threading
import time
import webbrowser
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from underglow import flash, games, image, ports, profile, unfinished
from underglow import journal as journals
from underglow import set_up as set_ups
from underglow import simulate as simulation
from underglow.bench import rules as pace
from underglow.bench.emulator import NoEmulator
from underglow.bench.uf2 import NoUf2
from underglow.bench.vm import Bench, NoMicroPython
from underglow.bots import BOTS
from underglow.documents import Faults
from underglow.explain import Layout
from underglow.games.contract import Scenario
from underglow.history import History, digest
from underglow.journal import Header, Journal, JournalError, resume
from underglow.kiosk.server import AddressTaken, Kiosk
from underglow.link import Happening, Link, LinkError
from underglow.pico import PicoError
from underglow.profile import Board
from underglow.replay import Lamps, moments
from underglow.rng import Rng
from underglow.set_up import SetUp
from underglow.table import Snapshot, Table, standing
from underglow.themes import THEMES, Theme
from underglow.unfinished import Wanted
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
journal_files = typer.Typer(no_args_is_help=True, help="Journals as lines of JSON, and back.")
app.add_typer(journal_files, name="journal")

_errors = Console(stderr=True, highlight=False, soft_wrap=True)
_says = Console(highlight=False, soft_wrap=True)

BoardOption = Annotated[str, typer.Option("--board", help='A serial port, or "vm" for the simulated board.')]
ProfileOption = Annotated[str, typer.Option("--profile", help="A board profile: its name, or a TOML file.")]
ThemeOption = Annotated[str, typer.Option(help=f"How meanings look: {', '.join(THEMES)}.")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON instead of a table.")]


def _complain(sentence: str) -> None:
    _errors.print(sentence, markup=False)


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
    theme: ThemeOption = "default",
    headless: Annotated[bool, typer.Option("--headless", help="No page; the terminal tells and asks.")] = False,
    http_port: Annotated[int, typer.Option("--http", help="The page's port on this machine; 0 for any.")] = 8737,
    journal_path: Annotated[Path | None, typer.Option("--journal", help="Where the game is written down.")] = None,
    go_on: Annotated[
        bool | None, typer.Option("--resume/--new", help="Whether to go on with an unfinished game, without asking.")
    ] = None,
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
        look = _theme(theme)
        physical = profile.load(profile_name)
        set_up = set_ups.load(set_up_path) if set_up_path else SetUp()
        wanted = _wanted(game, scenario, seats, seed, physical)
        kept = _kept(stack, wanted, journal_path, go_on)
        table, bench = _table(stack, board, physical, set_up, wanted, look, kept, journal_path)
        try:
            if headless:
                _narrate(table)
            else:
                kiosk = Kiosk(physical, table, bench)
                address = kiosk.start(http_port)
                stack.callback(kiosk.stop)
                table.watch(kiosk.publish)
                _says.print(f"The board is at {address}   (Ctrl-C ends everything)")
                _open_page(address)
            table.run()
        except KeyboardInterrupt:
            _says.print("Good night.")


def _wanted(game_name: str, scenario_name: str, seats: int, seed: int | None, physical: Board) -> Wanted:
    """What is to be played, once it is known to be possible on that board."""
    game = games.load(game_name)
    scenario = game.load(games.scenario_path(game_name, scenario_name))
    if seats not in scenario.seats:
        few, many = scenario.seats[0], scenario.seats[-1]
        raise typer.BadParameter(f"{scenario.id} is for {few} to {many} seats, not {seats}")
    _check_overlay(scenario, physical)
    header = Header.of(game_name, scenario, seats, secrets.randbits(63) if seed is None else seed, physical)
    return Wanted(game, scenario, header, seed is not None)


def _check_overlay(scenario: Scenario, physical: Board) -> None:
    try:
        scenario.overlay(physical.name)
    except KeyError:
        raise typer.BadParameter(
            f"scenario {scenario.id} does not fit board {physical.name}: it has no overlay"
        ) from None


def _kept(stack: ExitStack, wanted: Wanted, path: Path | None, go_on: bool | None) -> tuple[Journal, History] | None:
    """The unfinished game to go on with: only if somebody says so."""
    if path is None:
        found = None if go_on is False else unfinished.newest(wanted, _complain)
    else:
        found = unfinished.at(path, wanted) if Journal.begun(path) and go_on is not False else None
    if found is None:
        return None
    journal, history = found
    steps = len(history.played)
    there_is = f"{journal.path}: here is an unfinished game of {wanted.scenario.title}, {steps} steps long"
    if journal.damage:
        _complain(journal.damage)
    if go_on is None and sys.stdin.isatty():
        _says.print(f"{there_is}.", markup=False)
        go_on = typer.confirm("Go on with it?", default=None)
    elif go_on is None:
        _complain(f"{there_is}; --resume goes on with it, --new does not.")
    if go_on:
        journal = journal.mend()
        stack.callback(journal.close)
        return journal, history
    journal.close()
    if path is not None:
        raise JournalError(f"{path}: there is a journal already; choose another name.")
    return None


def _table(
    stack: ExitStack,
    board: str,
    physical: Board,
    set_up: SetUp,
    wanted: Wanted,
    theme: Theme,
    kept: tuple[Journal, History] | None,
    journal_path: Path | None,
) -> tuple[Table, Bench | None]:
    """A table with a board connected, to be ended by `stack`."""
    game, scenario, header = wanted.game, wanted.scenario, wanted.header
    history = kept[1] if kept else History(game, game.setup(scenario, header.seats, Rng(header.seed)), header.seats)

    standing_there = standing(game, history.state, scenario.overlay(physical.name), set_up)
    link, bench, first = _connected(stack, board, physical, standing_there)
    if kept:
        journal = kept[0]
    else:
        journal = Journal.create(journal_path or journals.fresh(), header)
        stack.callback(journal.close)
    table = Table(game, scenario, history, physical, link, journal, theme, set_up)
    for happening in first:
        table.take(happening)
    return table, bench


def _connected(
    stack: ExitStack, board: str, physical: Board, layout: Layout
) -> tuple[Link, Bench | None, list[Happening]]:
    """A link to a board, and what it said first; to the simulated one, with that layout on it, if it is "vm"."""
    bench = None
    if board == "vm":
        bench = stack.enter_context(Bench.start(physical, image.board_files(physical)))
        for space, tokens in layout.items():
            for token in tokens:
                bench.place(space, token)
        board = bench.port
    link = Link(board, physical)
    stack.callback(link.close)
    return link, bench, link.connect()


def _theme(name: str) -> Theme:
    if name not in THEMES:
        raise typer.BadParameter(f"there is no theme {name!r}; there are: {', '.join(THEMES)}")
    return THEMES[name]


def _open_page(address: str) -> None:
    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)


def _narrate(table: Table) -> None:
    """Tell the game in the terminal; a number typed in chooses, u, a and r undo, agree to it and redo."""
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

    turns = {"u": table.undo, "a": table.agree, "r": table.redo}

    def listen() -> None:
        for line in sys.stdin:
            word, number = line.strip(), latest[0]["number"]
            if word.isdecimal():
                table.choose(int(word), number)
            elif word in turns:
                turns[word](number)

    _says.print("A number chooses; u takes the last step back, a agrees to that, r plays it again.")
    table.watch(tell)
    threading.Thread(target=listen, daemon=True).start()


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A journal.")],
    board: Annotated[
        str, typer.Option("--board", help='Where to light it: a serial port, "vm", or "none" for words alone.')
    ] = "none",
    speed: Annotated[float, typer.Option(min=0, help="Steps a second; 0 for all at once.")] = 1.0,
    scenario_name: Annotated[
        str | None, typer.Option("--scenario", help="The scenario's TOML file, if Underglow does not come with it.")
    ] = None,
    profile_name: Annotated[
        str | None, typer.Option("--profile", help="The board's profile, if not that of the journal.")
    ] = None,
    theme: ThemeOption = "default",
) -> None:
    """Tell a journal again, step by step, and light it on a board if one is named."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with _sentences(), ExitStack() as stack:
        look = _theme(theme)
        journal = Journal.open(file)
        stack.callback(journal.close)
        header = journal.header
        game = games.load(header.game)
        scenario = game.load(games.scenario_path(header.game, scenario_name or header.scenario))
        final = resume(game, scenario, journal)
        start = History(game, final.start, final.seats)
        lamps = None
        if board != "none":
            physical = profile.load(profile_name or header.board)
            _check_overlay(scenario, physical)
            link, _, _ = _connected(stack, board, physical, {})
            lamps = Lamps(link, physical, scenario, look)
            lamps.show(start)
        wait = lamps.wait if lamps else time.sleep
        _says.print(f"{scenario.title}, seats: {header.seats}, seed: {header.seed}", markup=False)
        for number, (history, words) in enumerate(moments(start, (record.entry for record in journal.records)), 1):
            wait(1 / speed if speed else 0)
            if lamps:
                lamps.show(history)
            _says.print("\n      ".join([f"{number:>4}  {words[0]}", *words[1:]]), markup=False)
        if outcome := game.outcome(final.state):
            _says.print(outcome.reason, markup=False)
        _says.print(f"Final state {digest(final.state)}")
        if journal.damage:
            _complain(journal.damage)
            raise typer.Exit(EXIT_FAILED)


@journal_files.command(name="export")
def export_journal(
    file: Annotated[Path, typer.Argument(help="A journal.")],
    out: Annotated[Path | None, typer.Argument(help="Where to; the terminal if not given.")] = None,
) -> None:
    """Write a journal as lines of JSON: the header, then an entry each."""
    with _sentences(), ExitStack() as stack:
        journal = Journal.open(file)
        stack.callback(journal.close)
        text = "".join(f"{line}\n" for line in journals.lines(journal))
        if out is None:
            sys.stdout.write(text)
        else:
            try:
                out.write_text(text, encoding="utf-8")
            except OSError as error:
                raise JournalError(f"{out}: it can't be written ({error}).") from None
        if journal.damage:
            _complain(journal.damage)
            raise typer.Exit(EXIT_FAILED)


@journal_files.command(name="import")
def import_journal(
    file: Annotated[Path, typer.Argument(help="Lines of JSON, as exported.")],
    out: Annotated[Path, typer.Argument(help="The journal to make.")],
) -> None:
    """Make a journal of lines of JSON."""
    with _sentences():
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise JournalError(f"{file}: it can't be read ({error}).") from None
        Journal.create(out, *journals.read_lines(str(file), text.removesuffix("\n").split("\n"))).close()


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
def kills(
    n: Annotated[int, typer.Option("--n", min=1, help="How many kills.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the games and of the instants.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Kill playing programs at random instants (kill -9): does each game go on? Exit code 1 if one does not."""
    from underglow.bench import kills as measure

    with _sentences():
        figures = measure.measure(n, seed)
    measure.show(figures, as_json)
    raise typer.Exit(0 if figures.same == figures.n else EXIT_FAILED)


@benchmarks.command()
def rules(as_json: JsonOption = False) -> None:
    """Random play of every scenario against random legal chess: the speed of the rules, on one core."""
    with _sentences():
        paces = pace.measure()
    pace.show(paces, as_json)
