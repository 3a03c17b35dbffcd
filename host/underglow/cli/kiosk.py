"""`underglow kiosk`: a table that runs unattended."""

from __future__ import annotations

import datetime
import getpass
import logging
import os
import signal
import sys
import time
from contextlib import ExitStack
from math import inf
from pathlib import Path
from typing import Annotated

import typer

from underglow import journal as journals
from underglow import profile
from underglow import set_up as set_ups
from underglow.cli.terminal import (
    EXIT_INPUT,
    BoardOption,
    LanguageOption,
    ProfileOption,
    ThemeOption,
    complain,
    language_named,
    powered,
    says,
    sentences,
    theme_named,
)
from underglow.kiosk import logs, pin
from underglow.kiosk.attendant import Attendant, Fault, Times
from underglow.kiosk.counters import Counters
from underglow.kiosk.keeper import Equipment, Keeper
from underglow.kiosk.offers import offers
from underglow.kiosk.office import Door, Office
from underglow.kiosk.pin import Pin
from underglow.kiosk.posts import Posts
from underglow.kiosk.resting import Resting
from underglow.kiosk.server import Kiosk
from underglow.kiosk.service import Service
from underglow.kiosk.showing import NoTable
from underglow.kiosk.units import BROWSER, ENGINE, STATE, Machine, install
from underglow.languages import say
from underglow.link import Link
from underglow.profile import Board
from underglow.set_up import SetUp


def kiosk(
    board: BoardOption = "vm",
    profile_name: ProfileOption = "hex48",
    theme: ThemeOption = "default",
    language: LanguageOption = None,
    set_up_path: Annotated[
        Path | None, typer.Option("--set-up", help="What is physical, and whose tags (TOML).")
    ] = None,
    http_port: Annotated[int, typer.Option("--http", help="The page's port on this machine; 0 for any.")] = 8737,
    idle_minutes: Annotated[
        float, typer.Option("--idle", min=1, help="Minutes without a touch until a game is put aside.")
    ] = 5,
    keep_minutes: Annotated[
        float, typer.Option("--keep", min=0, help="Minutes for which a game that was put aside is offered.")
    ] = 15,
    night: Annotated[
        str,
        typer.Option("--restart-at", help="HH:MM: when systemd starts it afresh, if nobody is there; or never."),
    ] = "04:00",
    folder: Annotated[Path | None, typer.Option(help="Where journals and counters lie.")] = None,
    installing: Annotated[bool, typer.Option("--install", help="Write systemd units and a udev rule.")] = False,
    user: Annotated[str | None, typer.Option("--as", help="With --install: the user who runs it.")] = None,
    setting_pin: Annotated[bool, typer.Option("--set-pin", help="Ask for the PIN of the staff page, and end.")] = False,
    safe: Annotated[bool, typer.Option("--safe", help="Only the page, which says that the table is resting.")] = False,
) -> None:
    """Run a table that nobody looks after: bots play until somebody comes, who then chooses a game."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    logging.basicConfig(format="%(message)s")
    with sentences(), ExitStack() as stack:
        place = folder or journals.folder() / "kiosk"
        if setting_pin:
            _set_pin(place / pin.PIN)
            return
        theme_named(theme)
        spoken = language_named(language)
        physical = profile.load(profile_name)
        set_up = set_ups.load(set_up_path) if set_up_path else SetUp()
        restart_s = _seconds_until(night, datetime.datetime.now())
        if installing:
            named = f"--profile={profile_name}", f"--theme={theme}"
            times = f"--idle={idle_minutes:g}", f"--keep={keep_minutes:g}", f"--restart-at={night}"
            tokens = (f"--set-up={set_up_path.resolve()}",) if set_up_path else ()
            speaks = (f"--language={spoken}",) if spoken else ()
            _install(Machine(_program(), user or _user(), http_port, (*named, *speaks, *times, *tokens)))
            return
        if logging_to := logs.keep(place):
            stack.callback(logging.getLogger().removeHandler, logging_to)
        if safe:
            _rest(stack, physical, http_port, place, spoken)
            return
        service = Service()
        port, bench = powered(stack, board, physical)
        link = Link(port, physical)
        stack.callback(link.close)
        times = Times(playing_s=60 * idle_minutes, keep_s=60 * keep_minutes)
        # Without somebody to start it again, an end would be an end.
        attendant = Attendant(offers(physical), times, time.monotonic() + restart_s if service.listens else inf)
        equipment = Equipment(physical, link, theme, set_up, place, bench)
        keeper = Keeper(equipment, attendant, Counters(place / "counters.json"), service)
        address = keeper.kiosk.start(http_port, language=spoken)
        stack.callback(keeper.kiosk.stop)
        says.print(f"The table is at {address}   (Ctrl-C ends everything)")
        try:
            keeper.run()
        except KeyboardInterrupt:
            says.print("Good night.")


def _rest(stack: ExitStack, physical: Board, http_port: int, place: Path, language: str | None) -> None:
    """Only the page, and a sentence on it, until somebody ends it or staff want the table tried again."""
    attendant = Attendant((), Times())
    resting = say("The table is resting: it could not be started. Please tell the staff.")
    attendant.fault(Fault.NOTHING, resting, 0)
    staff = Resting()
    office = Office(Pin(place / pin.PIN, time.monotonic), place, staff)
    page = Kiosk(physical, NoTable(), None, Posts(Counters(place / "counters.json"), lambda: None), office)
    page.attend(attendant.told(0))
    page.show_door(Door.AJAR)
    for kind, value in staff.news():
        page.tell_staff(kind, value)
    says.print(f"The page rests at {page.start(http_port, language=language)}   (Ctrl-C ends it)")
    stack.callback(page.stop)
    try:
        staff.restart.wait()
    except KeyboardInterrupt:
        says.print("Good night.")


def _set_pin(path: Path) -> None:
    """Ask for a PIN twice, or read it if nobody can be asked, and keep it."""
    if sys.stdin.isatty():
        digits = getpass.getpass("The new PIN, 4 to 12 digits: ")
        if getpass.getpass("The same again: ") != digits:
            complain("These were two different PINs: nothing was changed.")
            raise typer.Exit(EXIT_INPUT)
    else:
        digits = sys.stdin.readline().strip()
    try:
        pin.keep(path, digits)
    except pin.Unfit as error:
        complain(f"{error} Nothing was changed.")
        raise typer.Exit(EXIT_INPUT) from None
    except OSError as error:
        complain(f"The PIN can't be written to {path}: {error.strerror}.")
        raise typer.Exit(EXIT_INPUT) from None
    says.print(f"The PIN is set, hashed, in {path}.", markup=False)


def _install(machine: Machine) -> None:
    """Write units and rule if we may, else show them."""
    if os.geteuid() != 0:
        for name, text in machine.files().items():
            says.print(f"# /{name}\n{text}", markup=False)
        complain(f"Nothing was written: that takes root. Say  sudo {_program()} kiosk --install --as {machine.user}")
        raise typer.Exit(EXIT_INPUT)
    for path in install(machine, Path("/")):
        says.print(f"{path} is written.", markup=False)
    says.print("Now: udevadm control --reload && udevadm trigger && systemctl daemon-reload")
    says.print(f"Then: systemctl enable --now {ENGINE} {BROWSER}")
    says.print(f"For staff: sudo {_program()} kiosk --set-pin --folder {STATE}", markup=False)


def _program() -> str:
    return str(Path(sys.executable).with_name("underglow"))


def _user() -> str:
    return os.environ.get("SUDO_USER") or getpass.getuser()


def _seconds_until(clock: str, now: datetime.datetime) -> float:
    """From now to the next time it is HH:MM; of "never", inf. BadParameter: it is neither."""
    if clock == "never":
        return inf
    try:
        at = datetime.datetime.strptime(clock, "%H:%M").time()
    except ValueError:
        raise typer.BadParameter(f"{clock} is no time of day: say it like 04:00", param_hint="--restart-at") from None
    next_s = (datetime.datetime.combine(now.date(), at) - now).total_seconds()
    return next_s if next_s > 0 else next_s + 24 * 3600
