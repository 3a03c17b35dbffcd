"""`underglow run`: a game on a board."""

from __future__ import annotations

import os
import secrets
import signal
import sys
import threading
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from underglow import games, profile, unfinished
from underglow import journal as journals
from underglow import set_up as set_ups
from underglow.bench.vm import Bench
from underglow.cabinet import Cabinet
from underglow.cli.terminal import (
    BoardOption,
    LanguageOption,
    ProfileOption,
    ThemeOption,
    check_overlay,
    complain,
    language_named,
    linked,
    powered,
    says,
    sentences,
    theme_named,
)
from underglow.games.contract import Scenario
from underglow.history import History
from underglow.journal import Header, Journal, JournalError
from underglow.kiosk import qr, server
from underglow.kiosk.passes import Passes
from underglow.kiosk.server import Kiosk
from underglow.overlay import standing
from underglow.profile import Board
from underglow.recording import Recording
from underglow.rng import Rng
from underglow.set_up import SetUp
from underglow.snapshot import Snapshot
from underglow.table import Table
from underglow.themes import Theme
from underglow.unfinished import Wanted


def run(
    board: BoardOption = "vm",
    profile_name: ProfileOption = "hex48",
    scenario: Annotated[str, typer.Option(help="A scenario that comes with a game, or a TOML file.")] = "cinder-wells",
    game: Annotated[str | None, typer.Option(help="Whose scenario it is, where its name does not say.")] = None,
    seats: Annotated[int | None, typer.Option(help="How many play; if not given, as few as may.")] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**64 - 1, help="The seed of chance; a new one each time if not given.")
    ] = None,
    theme: ThemeOption = "default",
    language: LanguageOption = None,
    headless: Annotated[bool, typer.Option("--headless", help="No page; the terminal tells and asks.")] = False,
    http_port: Annotated[int, typer.Option("--http", help="The page's port on this machine; 0 for any.")] = 8737,
    lan: Annotated[bool, typer.Option("--lan", help="Let phones of this network join, each by a code.")] = False,
    lan_address: Annotated[
        str | None, typer.Option(help="By which of its addresses the network reaches this machine; implies --lan.")
    ] = None,
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
    strip: Annotated[
        str | None,
        typer.Option(
            "--cabinet", metavar="PIXELS@PIN", help="NeoPixels on the cabinet of a Raspberry Pi, such as 12@D18."
        ),
    ] = None,
) -> None:
    """Referee a game on a board: simulated, or a real one on a serial port."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with sentences(), ExitStack() as stack:
        look = theme_named(theme)
        spoken = language_named(language)
        physical = profile.load(profile_name)
        set_up = set_ups.load(set_up_path) if set_up_path else SetUp()
        wanted = _wanted(game, scenario, seats, seed, physical)
        cabinet = stack.enter_context(Cabinet.open(strip)) if strip is not None else None
        kept = _kept(stack, wanted, journal_path, go_on)
        tape = stack.enter_context(Recording(record_path)) if record_path else None
        table, bench, passes = _table(stack, board, physical, set_up, wanted, look, kept, journal_path, tape)
        try:
            if cabinet:
                table.watch(cabinet.publish)
            if headless:
                _narrate(table)
            else:
                kiosk = Kiosk(physical, table, bench)
                lan_at = lan_address or (server.lan_address() if lan else None)
                address = kiosk.start(http_port, lan_at, passes=passes, language=spoken)
                stack.callback(kiosk.stop)
                table.watch(kiosk.publish)
                says.print(f"The board is at {address}   (Ctrl-C ends everything)")
                _invite(kiosk)
                _open_page(address)
            table.run()
        except KeyboardInterrupt:
            says.print("Good night.")


def _wanted(owner: str | None, scenario_name: str, players: int | None, seed: int | None, physical: Board) -> Wanted:
    """What is to be played, once it is known to be possible on that board."""
    game_name, path = games.find(scenario_name, owner)
    game = games.load(game_name)
    scenario: Scenario = game.load(path)
    seats = scenario.seats[0] if players is None else players
    if seats not in scenario.seats:
        few, many = scenario.seats[0], scenario.seats[-1]
        raise typer.BadParameter(f"{scenario.id} is for {few} to {many} seats, not {seats}")
    check_overlay(scenario, physical)
    header = Header.of(game_name, scenario, seats, secrets.randbits(63) if seed is None else seed, physical)
    return Wanted(game, scenario, header, seed is not None)


def _kept(stack: ExitStack, wanted: Wanted, path: Path | None, go_on: bool | None) -> tuple[Journal, History] | None:
    """The unfinished game to go on with: only if somebody says so."""
    if path is None:
        found = None if go_on is False else unfinished.newest(wanted, complain)
    else:
        found = unfinished.at(path, wanted) if Journal.begun(path) and go_on is not False else None
    if found is None:
        return None
    journal, history = found
    steps = len(history.played)
    there_is = f"{journal.path}: here is an unfinished game of {wanted.scenario.title}, {steps} steps long"
    if journal.damage:
        complain(journal.damage)
    if go_on is None and sys.stdin.isatty():
        says.print(f"{there_is}.", markup=False)
        go_on = typer.confirm("Go on with it?", default=None)
    elif go_on is None:
        complain(f"{there_is}; --resume goes on with it, --new does not.")
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
    tape: Recording | None,
) -> tuple[Table, Bench | None, Passes]:
    """A table with a board connected, to be ended by `stack`, and the passes of its game."""
    game, scenario, header = wanted.game, wanted.scenario, wanted.header
    history = kept[1] if kept else History(game, game.setup(scenario, header.seats, Rng(header.seed)), header.seats)

    port, bench = powered(
        stack, board, physical, standing(game, history.state, scenario.overlay(physical.name), set_up)
    )
    link, first = linked(stack, port, physical, tape)
    if kept:
        journal = kept[0]
    else:
        journal = Journal.create(journal_path or journals.fresh(journals.folder()), header)
        stack.callback(journal.close)
    passes = Passes.of(journal.path)
    if not kept:
        passes.forget()
    table = Table(game, scenario, history, physical, link, journal, theme, set_up)
    for happening in first:
        table.take(happening)
    return table, bench, passes


def _invite(kiosk: Kiosk) -> None:
    """Tell people at a terminal how phones join; never a file or a log, for codes are secrets."""
    if not says.is_terminal:
        return
    for seat, leads in kiosk.invitations:
        says.print(f"Seat {seat + 1}: {leads}   (good once, for ten minutes; the page shows new ones)", markup=False)
        says.print(qr.lines(leads), markup=False)


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
            says.print(f"  {line}", markup=False)
        choices = "\n".join(f"  [{choice['index']}] {choice['text']}" for choice in snapshot["choices"])
        for number, words in enumerate((snapshot["prompt"], choices)):
            if words and words != asked[number]:
                says.print(words, markup=False)
            asked[number] = words

    turns = {"u": table.undo, "a": table.agree, "r": table.redo}

    def listen() -> None:
        for line in sys.stdin:
            word, number = line.strip(), latest[0]["number"]
            if word.isdecimal():
                table.choose(int(word), number)
            elif word in turns:
                turns[word](number)

    says.print("A number chooses; u takes the last step back, a agrees to that, r plays it again.")
    table.watch(tell)
    threading.Thread(target=listen, daemon=True).start()
