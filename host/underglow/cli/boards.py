"""Boards, and files for people: `underglow check`, `words`, `flash` and `image`."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from underglow import flash as pico
from underglow import games, profile
from underglow import image as images
from underglow.cli.terminal import EXIT_FAILED, EXIT_INPUT, ProfileOption, errors, says, sentences
from underglow.documents import Faults
from underglow.languages import gather
from underglow.languages.gather import Source


def check(files: Annotated[list[Path], typer.Argument(help="Board profiles or scenarios (TOML).")]) -> None:
    """Read board profiles and scenarios and name every fault at once."""
    wrong = False
    for file in files:
        owner = file.resolve().parent.parent
        try:
            if owner.name in games.names():
                games.load(owner.name).load(file)
                found = _left_to_translate(gather.of_scenario(file))
            else:
                profile.load(file)
                found = []
        except Faults as faults:
            found = [str(faults)]
        for sentence in found or [f"{file}: good"]:
            (errors if found else says).print(sentence, markup=False)
        wrong |= bool(found)
    raise typer.Exit(EXIT_INPUT if wrong else 0)


def words(
    files: Annotated[list[Path] | None, typer.Argument(help="Scenarios (TOML); without, the program's own.")] = None,
    languages: Annotated[list[str] | None, typer.Option("--language", help="Only these, by code: pl, cs.")] = None,
) -> None:
    """Bring message catalogues (PO) up to date: what is new comes in, to be translated, what is said no more goes."""
    sources = map(gather.of_scenario, files) if files else gather.sources()
    left: list[str] = []
    try:
        for source in sources:
            for language in source.files.keys() & (languages or source.files):
                gather.update(source, language)
            left += _left_to_translate(source)
    except (OSError, ValueError) as error:
        errors.print(f"The catalogue can't be brought up to date: {error}", markup=False)
        raise typer.Exit(EXIT_INPUT) from None
    for sentence in left or ["Every message is translated."]:
        says.print(sentence, markup=False)


def _left_to_translate(source: Source) -> list[str]:
    """What is wrong with the catalogues that there are."""
    there = [language for language, path in source.files.items() if path.exists()]
    return [fault for language in there for fault in gather.faults(source, language)]


def flash(
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
    with sentences():
        board = profile.load(profile_name)
        port = pico.find(target, given, says, pico.ask_person(says) if sys.stdin.isatty() else None)
        if only_check:
            raise typer.Exit(0 if pico.check(port, board, says) else EXIT_FAILED)
        pico.flash(port, board, says)


def image(
    folder: Annotated[Path, typer.Argument(help="Where to; made if it is not there.")],
    profile_name: ProfileOption = "hex48",
) -> None:
    """Write what belongs on a Pico into a folder, for `mpremote cp -r FOLDER/. :`."""
    with sentences():
        for name, content in images.board_files(profile.load(profile_name)).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
