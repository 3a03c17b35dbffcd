"""What all commands share: their words on a terminal, their exit codes, their options, and a board to work with."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Annotated

import typer
from rich.console import Console

from underglow import games, image, ports
from underglow.bench.emulator import NoEmulator
from underglow.bench.rules import NoChess
from underglow.bench.screen import NoBrowser
from underglow.bench.uf2 import NoUf2
from underglow.bench.vm import Bench, NoMicroPython
from underglow.cabinet import NoCabinet
from underglow.documents import Faults
from underglow.explain import Layout
from underglow.games.contract import Scenario
from underglow.journal import JournalError
from underglow.kiosk.server import AddressTaken
from underglow.languages import LANGUAGES
from underglow.link import Happening, Link, LinkError
from underglow.pico import PicoError
from underglow.profile import Board
from underglow.recording import Recording, RecordingError
from underglow.themes import THEMES, Theme
from underglow.workers import WorkerGone

#: It was done, and what came of it is not as it should be.
EXIT_FAILED = 1
#: Something from outside (a file, a port, an option) is not as it should be.
EXIT_INPUT = 2
#: The board can't be reached or does not fit.
EXIT_BOARD = 3

errors = Console(stderr=True, highlight=False, soft_wrap=True)
says = Console(highlight=False, soft_wrap=True)

BoardOption = Annotated[str, typer.Option("--board", help='A serial port, or "vm" for the simulated board.')]
ProfileOption = Annotated[str, typer.Option("--profile", help="A board profile: its name, or a TOML file.")]
ThemeOption = Annotated[str, typer.Option(help=f"How meanings look: {', '.join(THEMES)}.")]
LanguageOption = Annotated[
    str | None,
    typer.Option(
        help=f"What pages speak until one is chosen there: {', '.join(LANGUAGES)}; if not given, as browsers ask."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON instead of a table.")]


def complain(sentence: str) -> None:
    """Tell what is wrong, beside what is asked for."""
    errors.print(sentence, markup=False)


@contextmanager
def sentences() -> Generator[None]:
    """Turn what is wrong outside into its sentence and an exit code."""
    try:
        yield
    except (
        Faults, games.UnknownGame, games.UnknownScenario, JournalError, AddressTaken, NoUf2, ports.SeveralBoards,
        NoBrowser, NoCabinet, NoChess, RecordingError, WorkerGone,
    ) as error:  # fmt: skip
        errors.print(str(error), markup=False)
        raise typer.Exit(EXIT_INPUT) from None
    except (LinkError, NoMicroPython, NoEmulator, PicoError, ports.NoBoard) as error:
        errors.print(str(error), markup=False)
        raise typer.Exit(EXIT_BOARD) from None


def check_overlay(scenario: Scenario, physical: Board) -> None:
    """BadParameter: the scenario does not fit that board."""
    try:
        scenario.overlay(physical.name)
    except KeyError:
        raise typer.BadParameter(
            f"scenario {scenario.id} does not fit board {physical.name}: it has no overlay"
        ) from None


def theme_named(name: str) -> Theme:
    """BadParameter: there is none."""
    if name not in THEMES:
        raise typer.BadParameter(f"there is no theme {name!r}; there are: {', '.join(THEMES)}")
    return THEMES[name]


def language_named(name: str | None) -> str | None:
    """BadParameter: pages do not speak it."""
    if name is not None and name not in LANGUAGES:
        raise typer.BadParameter(f"pages do not speak {name!r}; they speak: {', '.join(LANGUAGES)}")
    return name


def powered(stack: ExitStack, board: str, physical: Board, layout: Layout | None = None) -> tuple[str, Bench | None]:
    """A board's port; of "vm", a simulated board's that `stack` will end, with that layout on it."""
    if board != "vm":
        return board, None
    bench = stack.enter_context(Bench.start(physical, image.board_files(physical)))
    for space, tokens in (layout or {}).items():
        for token in tokens:
            bench.place(space, token)
    return bench.port, bench


def linked(
    stack: ExitStack, port: str, physical: Board, recording: Recording | None = None
) -> tuple[Link, list[Happening]]:
    """A link to the board at that port, which `stack` will end, and what the board said first."""
    link = Link(port, physical, recording=recording)
    stack.callback(link.close)
    return link, link.connect()
