"""The journal: every entry of a game, on disk before anybody sees what it did. A game goes on by folding over it.

The file is an SQLite database in WAL mode. Record 0 is the header, every other one an entry with the CRC-32 of the
state it led to. A record's own CRC-32 goes on from that of the record before, so none can be changed, lost or slipped
in between without being found; that a last one is missing can be found only while it lies in the WAL.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar
from zlib import crc32

import platformdirs
from pydantic import Field, TypeAdapter

from underglow.games.contract import Game, IllegalAction, Scenario
from underglow.history import Entry, History, NotNow
from underglow.profile import Board
from underglow.rng import Rng

FORMAT = 2
"""Of a journal's records; 1 had bare actions."""

_SCHEMA = "CREATE TABLE record (number INTEGER PRIMARY KEY, body TEXT NOT NULL, crc INTEGER NOT NULL) STRICT"
_PATIENCE_S = 0.2
"""Somebody may look at a journal for a moment; who plays by it holds it for longer."""

# https://www.sqlite.org/fileformat2.html#walformat: a header, then pages, each behind a header of its own, in which
# bytes 4 to 7 are 0 unless the page ends a transaction.
_PAGE, _WAL_HEADER, _FRAME_HEADER = 1024, 32, 24

_REFUSALS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; of a damaged file its message may quote what is no text."""

Natural32 = Annotated[int, Field(ge=0, lt=2**32)]


class JournalError(Exception):
    """The journal can't be used; the message is one sentence that says why and what to do."""


class InUse(JournalError):
    """Another program plays by this journal."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first record: everything a game starts from. `digest` is the scenario's, `board_crc` the profile's."""

    underglow: str
    game: str
    scenario: str
    digest: str
    seats: Annotated[int, Field(ge=1)]
    seed: Annotated[int, Field(ge=0, lt=2**64)]
    board: str
    board_crc: Natural32
    journal: int = FORMAT

    @classmethod
    def of(cls, game: str, scenario: Scenario, seats: int, seed: int, board: Board) -> Self:
        """The header of a new game, played by this version of Underglow."""
        return cls(version("underglow"), game, scenario.id, scenario.digest, seats, seed, board.name, board.crc)


@dataclass(frozen=True, slots=True)
class Record:
    """An entry, and the CRC-32 of the text form of the state it led to."""

    entry: Annotated[Entry, Field(discriminator="do")]
    state: Natural32


_HEADER = TypeAdapter(Header)
_RECORD = TypeAdapter(Record)
_OBJECT = TypeAdapter(dict[str, object])


class Journal:
    """One game's records in a file that is this program's alone. A record, once written, outlives a crash."""

    def __init__(self, path: Path, connection: sqlite3.Connection, header: Header, crc: int = 0) -> None:
        self.path = path
        self.header = header
        self.records: list[Record] = []
        """All that is whole, in order. To be read only."""
        self.damage = ""
        """What of the file can't be read, in one sentence; "" if it is whole. `mend` comes before it can go on."""
        self._connection = connection
        self._crc = crc  # of the last record, the header included

    @staticmethod
    def begun(path: Path) -> bool:
        """Whether anything lies there that a new journal must not overwrite: not if one was cut off at its very start.

        JournalError: InUse.
        """
        if not path.exists():
            return False
        if not path.is_file():
            return True
        try:
            with closing(_connect(path)) as connection:
                return connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() != (0,)
        except _REFUSALS as error:
            if _code(error) == sqlite3.SQLITE_BUSY:
                raise _unreadable(path, error) from None
            return True

    @classmethod
    def create(cls, path: Path, header: Header, records: Iterable[Record] = ()) -> Self:
        """Begin a new journal, all at once or not at all. JournalError: the file exists or can't be written; InUse."""
        if cls.begun(path):
            raise JournalError(f"{path}: there is a journal already; choose another name.")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = _connect(path)
            connection.execute(f"PRAGMA page_size={_PAGE}")
            connection.execute("PRAGMA journal_mode=WAL")
            journal = cls(path, connection, header)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_SCHEMA)
            journal._append(0, header_text(header))
            for record in records:
                journal._add(record)
            connection.execute("COMMIT")
        except (OSError, sqlite3.Error) as error:
            raise _not_written(path, error) from None
        return journal

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read a journal, as far as it is whole; `damage` tells if that is not all.

        JournalError: it is none, or of another format, or its header is damaged; InUse.
        """
        if not path.is_file():
            raise JournalError(f"{path}: there is no such journal.")
        written = _frames_written(path)
        try:
            connection = _connect(path)
            try:
                return cls._opened(path, connection, written)
            except BaseException:
                connection.close()
                raise
        except _REFUSALS as error:
            raise _unreadable(path, error) from None

    @classmethod
    def _opened(cls, path: Path, connection: sqlite3.Connection, written: int) -> Self:
        _, found, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        # A cursor that is left over keeps a closed connection, and its lock, alive.
        with closing(connection.execute("SELECT number, body, crc FROM record ORDER BY number")) as rows:
            journal = cls(path, connection, *_header(path, next(rows, None)))
            journal._read(rows)
        if found < written or not _is_sound(connection):
            journal._found_damage()
        if not journal.damage:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what is in the WAL from now on is all new
        return journal

    def record(self, entry: Entry, state: Any) -> None:
        """Write one entry, and which state it led to. JournalError: the disk does not take it."""
        try:
            self._add(Record(entry, checksum(state)))
        except sqlite3.Error as error:
            raise _not_written(self.path, error) from None

    def mend(self) -> Self:
        """Go on with all that is whole, under the same name; a damaged file is kept beside it, as `….damaged`.

        Returns the journal to go on with, itself if nothing is damaged.
        """
        if not self.damage:
            return self
        self.close()
        aside, mended = (self.path.with_name(self.path.name + suffix) for suffix in (".damaged", ".mended"))
        try:
            mended.unlink(missing_ok=True)
            self.create(mended, self.header, self.records).close()
            shutil.copy2(self.path, aside)
            if _wal(self.path).exists():
                shutil.move(_wal(self.path), _wal(aside))
            mended.replace(self.path)
        except OSError as error:
            raise _not_written(self.path, error) from None
        return self.open(self.path)

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._connection.close()

    def _read(self, rows: Iterable[tuple[object, object, object]]) -> None:
        """Take over all records up to the first that is not as it was written."""
        try:
            for number, body, check in rows:
                crc = crc32(str(body).encode(), self._crc)
                if (number, check) != (len(self.records) + 1, crc):
                    raise ValueError
                self.records.append(read_record(str(body)))
                self._crc = crc
        except (sqlite3.DatabaseError, ValueError):
            self._found_damage()

    def _found_damage(self) -> None:
        count = len(self.records)
        self.damage = f"{self.path}: damaged after record {count}; all up to there is whole."

    def _add(self, record: Record) -> None:
        self._append(len(self.records) + 1, record_text(record))
        self.records.append(record)

    def _append(self, number: int, body: str) -> None:
        crc = crc32(body.encode(), self._crc)
        self._connection.execute("INSERT INTO record VALUES (?, ?, ?)", (number, body, crc))
        self._crc = crc


def resume(game: Game[Any, Any], scenario: Scenario, journal: Journal) -> History:
    """Fold over a journal. JournalError: of another scenario, or the rules refuse it or lead elsewhere."""
    header, path = journal.header, journal.path
    if scenario.digest != header.digest:
        raise JournalError(
            f"{path}: it was played on another version of scenario {header.scenario} "
            f"(SHA-256 {header.digest[:12]}…); bring that file back, or begin a new game."
        )
    other = f"go on with Underglow {header.underglow}, or begin a new game"
    try:
        history = History(game, game.setup(scenario, header.seats, Rng(header.seed)), header.seats)
    except ValueError as error:
        raise JournalError(f"{path}: {error}") from None
    for number, record in enumerate(journal.records, 1):
        try:
            history = history.then(record.entry)
        except (IllegalAction, NotNow) as refusal:
            raise JournalError(f"{path}: the rules refuse record {number} ({refusal}); {other}.") from None
        if checksum(history.state) != record.state:
            raise JournalError(f"{path}: by these rules, record {number} leads to another state; {other}.")
    return history


def checksum(state: Any) -> int:
    """CRC-32 of a state's text form: equal for equal states."""
    return crc32(state.to_json().encode())


# --- text: in the file, and a line each where a journal is exported ---


def header_text(header: Header) -> str:
    """A header as one line of JSON."""
    return _HEADER.dump_json(header).decode()


def record_text(record: Record) -> str:
    """A record as one line of JSON."""
    return _RECORD.dump_json(record).decode()


def read_header(text: str) -> Header:
    """Read a header's line. ValueError: it is none. JournalError: of another format."""
    values = _OBJECT.validate_json(text)
    if (form := values.get("journal", 1)) != FORMAT:
        raise JournalError(
            f"its format is {form}, this Underglow reads {FORMAT}; go on with the Underglow that wrote it."
        )
    return _exactly(_HEADER, text)


def read_record(text: str) -> Record:
    """Read a record's line. ValueError: it is none."""
    return _exactly(_RECORD, text)


def lines(journal: Journal) -> Iterator[str]:
    """A journal as lines of JSON, the header first."""
    yield header_text(journal.header)
    yield from map(record_text, journal.records)


def read_lines(name: str, given: Iterable[str]) -> tuple[Header, list[Record]]:
    """Read lines of JSON, without looking whether the rules agree. JournalError names the line, in `name`."""
    header: Header | None = None
    records: list[Record] = []
    for number, line in enumerate(given, 1):
        try:
            if header is None:
                header = read_header(line)
            else:
                records.append(read_record(line))
        except JournalError as error:
            raise JournalError(f"{name}: {error}") from None
        except ValueError:
            what = "record" if header else "header"
            raise JournalError(f"{name}:{number}: this is no {what} of a journal.") from None
    if header is None:
        raise JournalError(f"{name}: there is nothing in it.")
    return header, records


T = TypeVar("T")


def _exactly(form: TypeAdapter[T], text: str) -> T:
    """Read a value of which nothing would be lost. ValueError: it is none, or there is more to it."""
    value = form.validate_json(text, strict=True)
    if json.loads(form.dump_json(value)) != json.loads(text):
        raise ValueError("there is more in it than belongs there")
    return value


# --- files ---


def folder() -> Path:
    """Where journals lie that were given no other place."""
    return platformdirs.user_state_path("underglow")


def fresh(place: Path) -> Path:
    """A name in a folder for a game that begins now."""
    return place / f"{time.strftime('%Y-%m-%d-%H%M%S')}-{time.time_ns() % 10**9:09}.sqlite"


def latest(place: Path) -> list[Path]:
    """The journals in a folder, the one begun last first."""
    return sorted(place.glob("*.sqlite"), reverse=True)


def _connect(path: Path) -> sqlite3.Connection:
    # Made in one thread and used in another, never in two at once.
    connection = sqlite3.connect(path, _PATIENCE_S, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")  # until it is closed, or this program ends in whatever way
        # A crash of this program loses nothing; a power cut may lose the last steps, never the order of what stays.
        connection.execute("PRAGMA synchronous=NORMAL")
        # Nothing leaves the WAL while it is written: so a frame in it that SQLite passes over is a damaged one.
        connection.execute("PRAGMA wal_autocheckpoint=0")
    except _REFUSALS:
        connection.close()
        raise
    return connection


def _wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _frames_written(path: Path) -> int:
    """Frames in the WAL up to the last that ends a transaction, whether or not they are whole."""
    try:
        wal = _wal(path).read_bytes()
    except FileNotFoundError:
        return 0
    frames = range(_WAL_HEADER, len(wal) - _FRAME_HEADER - _PAGE + 1, _FRAME_HEADER + _PAGE)
    return max((number for number, at in enumerate(frames, 1) if any(wal[at + 4 : at + 8])), default=0)


def _header(path: Path, row: tuple[object, object, object] | None) -> tuple[Header, int]:
    """The header in record 0, and its CRC-32. JournalError: there is none that is as it was written."""
    number, body, check = row or (None, None, None)
    crc = crc32(str(body).encode())
    if (number, check) != (0, crc):
        raise _no_journal(path)
    try:
        return read_header(str(body)), crc
    except JournalError as error:
        raise JournalError(f"{path}: {error}") from None
    except ValueError:
        raise _no_journal(path) from None


def _is_sound(connection: sqlite3.Connection) -> bool:
    try:
        return connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except _REFUSALS:
        return False


def _code(error: Exception) -> int:
    """The primary code of SQLite's error; of one that Python found by itself, that of any."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _unreadable(path: Path, error: Exception) -> JournalError:
    if _code(error) == sqlite3.SQLITE_BUSY:
        return InUse(f"{path}: another Underglow is playing this game; end that one first.")
    if _code(error) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM):
        return JournalError(f"{path}: the journal can't be opened ({error}).")
    return _no_journal(path)


def _no_journal(path: Path) -> JournalError:
    return JournalError(f"{path}: this is not a journal of Underglow, or its first record is damaged.")


def _not_written(path: Path, error: Exception) -> JournalError:
    return JournalError(f"{path}: the journal can't be written ({error}).")
