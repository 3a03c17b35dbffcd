"""What was played and said, kept and told again: `underglow replay`, `record` and `journal`."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Annotated

import serial
import typer

from underglow import games, profile, recording
from underglow import journal as files
from underglow.cli.terminal import (
    EXIT_FAILED,
    BoardOption,
    ProfileOption,
    ThemeOption,
    check_overlay,
    complain,
    linked,
    powered,
    says,
    sentences,
    theme_named,
)
from underglow.history import History, digest
from underglow.journal import Journal, JournalError, resume
from underglow.languages import say
from underglow.link import Down, LinkError, why_not_open
from underglow.profile import Board
from underglow.replay import Lamps, moments
from underglow.themes import Theme

journals = typer.Typer(no_args_is_help=True, help="Journals as lines of JSON, and back.")


def replay(
    file: Annotated[Path | None, typer.Argument(help="A journal.")] = None,
    board: Annotated[
        str, typer.Option("--board", help='Which board to show it to: a serial port, "vm", or "none" for words alone.')
    ] = "none",
    speed: Annotated[float, typer.Option(min=0, help="Steps a second; 0 for all at once.")] = 1.0,
    scenario_name: Annotated[
        str | None, typer.Option("--scenario", help="The scenario's TOML file, if Underglow does not come with it.")
    ] = None,
    profile_name: Annotated[
        str | None, typer.Option("--profile", help="The board's profile, if not that of the journal.")
    ] = None,
    theme: ThemeOption = "default",
    wire: Annotated[
        Path | None,
        typer.Option("--wire", help="Instead, what `record` or `run --record` wrote: fed to this host, or to --board."),
    ] = None,
    fast: Annotated[bool, typer.Option("--fast", help="With --wire: as fast as the board takes it.")] = False,
) -> None:
    """Tell a journal again, step by step, and light it on a board if one is named; or feed back recorded traffic."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with sentences(), ExitStack() as stack:
        if (file is None) == (wire is None):
            raise typer.BadParameter("name a journal, or a recording with --wire")
        if wire:
            _feed(stack, wire, board, profile.load(profile_name or "hex48"), fast=fast)
        elif file:
            _tell(stack, file, board, profile_name, scenario_name, theme_named(theme), speed)


def _tell(
    stack: ExitStack,
    file: Path,
    board: str,
    profile_name: str | None,
    scenario_name: str | None,
    theme: Theme,
    speed: float,
) -> None:
    """A journal, step by step."""
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
        check_overlay(scenario, physical)
        link, _ = linked(stack, powered(stack, board, physical)[0], physical)
        lamps = Lamps(link, physical, scenario, theme)
        lamps.show(start)
    wait = lamps.wait if lamps else time.sleep
    says.print(f"{scenario.title}, seats: {header.seats}, seed: {header.seed}", markup=False)
    for number, (history, words) in enumerate(moments(start, (record.entry for record in journal.records)), 1):
        wait(1 / speed if speed else 0)
        if lamps:
            lamps.show(history)
        says.print("\n      ".join([f"{number:>4}  {words[0]}", *words[1:]]), markup=False)
    if outcome := game.outcome(final.state):
        says.print(outcome.reason, markup=False)
    says.print(f"Final state {digest(final.state)}")
    if journal.damage:
        complain(journal.damage)
        raise typer.Exit(EXIT_FAILED)


def _feed(stack: ExitStack, file: Path, board: str, physical: Board, *, fast: bool) -> None:
    """Recorded traffic: to this host, which says what it understands, or to a board, which answers."""
    said = list(recording.read(file))
    if board == "none":
        for t_s, happening in recording.understand(said, physical):
            says.print(f"{t_s:10.4f}  {recording.words(happening, physical)}", markup=False)
        return
    try:
        with serial.Serial(powered(stack, board, physical)[0], exclusive=True) as port:
            for t_s, message in recording.ask(said, port, fast=fast):
                says.print(f"{t_s:10.4f}  {message}", markup=False)
    except (OSError, ValueError) as error:
        raise LinkError(say("{port}: {says}", port=board, says=why_not_open(error))) from None


@journals.command(name="export")
def export_journal(
    file: Annotated[Path, typer.Argument(help="A journal.")],
    out: Annotated[Path | None, typer.Argument(help="Where to; the terminal if not given.")] = None,
) -> None:
    """Write a journal as lines of JSON: the header, then an entry each."""
    with sentences(), ExitStack() as stack:
        journal = Journal.open(file)
        stack.callback(journal.close)
        text = "".join(f"{line}\n" for line in files.lines(journal))
        if out is None:
            sys.stdout.write(text)
        else:
            try:
                out.write_text(text, encoding="utf-8")
            except OSError as error:
                raise JournalError(f"{out}: it can't be written ({error}).") from None
        if journal.damage:
            complain(journal.damage)
            raise typer.Exit(EXIT_FAILED)


@journals.command(name="import")
def import_journal(
    file: Annotated[Path, typer.Argument(help="Lines of JSON, as exported.")],
    out: Annotated[Path, typer.Argument(help="The journal to make.")],
) -> None:
    """Make a journal of lines of JSON."""
    with sentences():
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise JournalError(f"{file}: it can't be read ({error}).") from None
        Journal.create(out, *files.read_lines(str(file), text.removesuffix("\n").split("\n"))).close()


def record(
    file: Annotated[Path, typer.Argument(help="A new file.")],
    board: BoardOption = "vm",
    profile_name: ProfileOption = "hex48",
) -> None:
    """Listen to a board without a game, say what is understood, and keep the raw traffic with times."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with sentences(), ExitStack() as stack:
        physical = profile.load(profile_name)
        tape = stack.enter_context(recording.Recording(file))
        link, happenings = linked(stack, powered(stack, board, physical)[0], physical, tape)
        with suppress(KeyboardInterrupt):
            while True:
                for happening in happenings:
                    words = happening.says if isinstance(happening, Down) else recording.words(happening, physical)
                    says.print(words, markup=False)
                happenings = link.wait(1.0)
