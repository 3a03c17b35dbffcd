"""Readers of what comes from outside, fed with damaged input: each refuses it in its own way, and never otherwise.

Every input follows from the seed and its index alone, so one that crashed a reader can be made again by itself.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from underglow import games, profile, wire
from underglow.documents import Faults
from underglow.history import Agree, Redo, Step, Undo
from underglow.journal import Header, InUse, Journal, JournalError, Record, lines, read_lines
from underglow.workers import spread

_SHOWN = 5
_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a million files, and none on a disk
_ODD = b"""
-1|0|3|99999999999999999999|1e400|nan|true|""|"\\u0000\\n"|[]|[[0]]|{}|{ centre = [1] }|[{ id = 3 }]|1979-05-27|"a1"
""".strip().split(b"|")
_VALUE = re.compile(rb"(?<== )(?:[\w.-]+|\"[^\"\n]*\"|\[[^\[\]\n]*\])")
_JUNK = [bytes((byte,)) for byte in b"[]{}=.,#'\"\n\0:\x03\xff"]


@dataclass(frozen=True, slots=True)
class Crash:
    """An input at which a reader did what it must not."""

    reader: str
    index: int
    seed: int
    says: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How a reader took its inputs."""

    reader: str
    inputs: int
    accepted: int
    refused: int
    crashes: tuple[Crash, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """Which reader, and whose chance."""

    reader: str
    seed: int


def measure(reader: str, inputs: int, seed: int = 0, jobs: int = 1, first: int = 0) -> Tally:
    """Feed a reader of `READERS` with `inputs` inputs, from index `first` on, in `jobs` processes."""
    accepted = refused = 0
    crashes: list[Crash] = []
    results = spread(feed, Setting(reader, seed), range(first, first + inputs), jobs)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress, closing(results):
        for result in progress.track(results, total=inputs, description=reader):
            if isinstance(result, Crash):
                crashes.append(result)
            elif result:
                accepted += 1
            else:
                refused += 1
    return Tally(reader, inputs, accepted, refused, tuple(sorted(crashes, key=lambda crash: crash.index)))


def feed(setting: Setting, numbers: range) -> Iterator[bool | Crash]:
    """Yield for each of these inputs whether it was accepted, or what went wrong."""
    with READERS[setting.reader]() as (seeds, read):
        for index in numbers:
            chance = random.Random(f"{setting.seed}:{index}")  # noqa: S311 - it must repeat
            try:
                yield read(damaged(chance, seeds))
            except Exception:  # whatever it is, it is what this looks for
                yield Crash(setting.reader, index, setting.seed, traceback.format_exc())


def damaged(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """One of the seeds with some of it flipped, cut, doubled, overwritten, or taken from another."""
    content = chance.choice(seeds)
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(content) + 1)
        end = min(len(content), start + chance.choice((0, 1, 1, 4, 30, 200)))
        match chance.randrange(6):
            case 0 if end > start:
                new = bytes((content[start] ^ 1 << chance.randrange(8),)) + content[start + 1 : end]
            case 1:
                new = b""
            case 2:
                new = content[start:end] * 2
            case 3:
                other = chance.choice(seeds)
                at = chance.randrange(len(other) + 1)
                new = other[at : at + end - start + 1]
            case 4 if value := _VALUE.search(content, start):
                start, end = value.span()
                new = chance.choice(_ODD)
            case _:
                new = chance.choice(_JUNK)
        content = content[:start] + new + content[end:]
    return content


Reader = tuple[Sequence[bytes], Callable[[bytes], bool]]
"""Good inputs, and what tells of an input whether it is accepted; refusals that it should not make come through."""


@contextmanager
def _wire() -> Generator[Reader]:
    lamps = wire.group((wire.PULSE, 1, 2, 3, 900, 0), range(30)) + wire.group((wire.SOLID, 255, 0, 0, 0, 0), (200,))
    to_board = (wire.Hello(wire.PROTOCOL, wire.SCHEMA, 7), wire.Lamps(1, wire.WHOLE, 255, lamps), wire.Beat(1, 2, 3, 4))
    to_host = (
        wire.Welcome(wire.PROTOCOL, wire.SCHEMA, 7, 8, 48, 52, b"0.2.0"),
        wire.Occupancy(3, 0, bytes(6)),
        wire.Tags(4, 0, 5, 0, b"\x87\x04\x01\x02\x03\x04\x05\x06"),
        wire.Status(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
        wire.Fault(wire.FAULT_CRASH, b"ValueError()"),
    )
    frames = [wire.encode(9, message) for message in (*to_board, *to_host)]
    decoders = wire.Decoder(wire.TO_BOARD), wire.Decoder(wire.TO_HOST)
    programs = bytearray(wire.PROGRAM_BYTES * 52)

    def read(content: bytes) -> bool:
        accepted = False
        for decoder in decoders:
            for _, message in decoder.feed(content):
                accepted = True
                if isinstance(message, wire.Lamps):
                    try:
                        wire.apply(message.groups, programs)
                    except ValueError:
                        accepted = False
        return accepted

    yield [*frames, b"".join(frames)], read


@contextmanager
def _journal() -> Generator[Reader]:
    header = Header("0.1.0", "mandalorian", "cinder-wells", "0" * 64, 2, 7, "hex48", 99)
    entries = [Step(number % 2, "play", ("move", number)) for number in range(20)]
    records = [Record(entry, 7) for entry in (*entries, Undo(1), Agree(0), Redo(1))]
    with tempfile.TemporaryDirectory(dir=_MEMORY) as folder:
        good, path = Path(folder) / "good.sqlite", Path(folder) / "a.sqlite"
        journal = Journal.create(good, header, records)
        text = "\n".join(lines(journal)).encode()
        journal.close()

        def read(content: bytes) -> bool:
            if not content.startswith(b"SQLite"):
                return _accepted_lines(content)
            path.write_bytes(content)
            try:
                journal = Journal.open(path)
            except InUse:  # by whoever read the last one and did not let go
                raise
            except JournalError:
                return False
            journal.close()
            return not journal.damage

        yield [good.read_bytes(), text], read


def _accepted_lines(content: bytes) -> bool:
    try:
        read_lines("a file", content.decode(errors="replace").split("\n"))
    except JournalError:
        return False
    return True


@contextmanager
def _profile() -> Generator[Reader]:
    seeds = [(profile.boards_dir() / f"{name}.toml").read_bytes() for name in profile.names()]
    with _file(lambda path: profile.load(path)) as read:
        yield seeds, read


@contextmanager
def _scenario(name: str) -> Generator[Reader]:
    game = games.load(name)
    seeds = [games.scenario_path(name, scenario).read_bytes() for scenario in games.scenarios(name)]
    with _file(lambda path: game.load(path)) as read:
        yield seeds, read


@contextmanager
def _file(load: Callable[[Path], object]) -> Generator[Callable[[bytes], bool]]:
    with tempfile.TemporaryDirectory(dir=_MEMORY) as folder:
        path = Path(folder) / "a.toml"

        def read(content: bytes) -> bool:
            path.write_bytes(content)
            try:
                load(path)
            except Faults as caught:
                lines = content.count(b"\n") + 1
                if not caught.faults or any(not 0 <= fault.line <= lines for fault in caught.faults):
                    raise AssertionError(f"a refusal without a fault, or not in the file: {caught.faults}") from caught
                return False
            return True

        yield read


READERS = {"wire": _wire, "journal": _journal, "profile": _profile} | {
    game: partial(_scenario, game) for game in games.names()
}
"""What reads what comes from outside, by name; scenarios by the name of their game."""


def show(tallies: Sequence[Tally], as_json: bool) -> None:
    """Print tallies: a table, or a JSON list."""
    if as_json:
        print(json.dumps([asdict(tally) for tally in tallies]))  # noqa: T201
        return
    console = Console(highlight=False)
    grid = Table("reader", "inputs", "accepted", "refused", "crashes", title="Damaged input")
    for tally in tallies:
        numbers = (tally.inputs, tally.accepted, tally.refused, len(tally.crashes))
        grid.add_row(tally.reader, *map(str, numbers))
    console.print(grid)
    for tally in tallies:
        for crash in tally.crashes[:_SHOWN]:
            again = f"--reader {crash.reader} --seed {crash.seed} --first {crash.index} --inputs 1"
            console.print(f"\nunderglow bench fuzz {again}\n{crash.says}", markup=False, soft_wrap=True)
