"""The journal: what was played, step by step, on disk before anybody sees it. Replay is a fold over it."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self
from zlib import crc32

from underglow.games.contract import Action, Game
from underglow.rng import Rng

_SCHEMA = "CREATE TABLE record (number INTEGER PRIMARY KEY, body TEXT NOT NULL, crc INTEGER NOT NULL) STRICT"


class JournalError(Exception):
    """The journal can't be used; the message is one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first record: everything a replay starts from."""

    underglow: str
    game: str
    scenario: str
    digest: str
    seats: int
    seed: int
    board: str


class Journal:
    """One game's records in an SQLite file (WAL). A record is durable against a crash of this program once written."""

    def __init__(self, path: Path, connection: sqlite3.Connection, header: Header, count: int) -> None:
        self.path = path
        self.header = header
        self._connection = connection
        self._count = count

    @classmethod
    def create(cls, path: Path, header: Header) -> Self:
        """Begin a new journal. JournalError: the file exists or can't be written."""
        if path.exists():
            raise JournalError(f"{path}: there is a journal already; choose another name.")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = _connect(path)
            connection.execute("PRAGMA journal_mode=WAL")
            # A crash of this program loses nothing; a power cut may lose the last steps, never the order of what stays.
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"{path}: the journal can't be written ({error}).") from None
        journal = cls(path, connection, header, 0)
        journal._append(asdict(header))
        return journal

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read a journal. JournalError: not one, or its first record is damaged."""
        if not path.exists():
            raise JournalError(f"{path}: there is no such journal.")
        try:
            connection = _connect(path)
            query = "SELECT count(*), (SELECT body FROM record WHERE number = 0) FROM record"
            count, first = connection.execute(query).fetchone()
            header = Header(**json.loads(first))
        except (sqlite3.Error, TypeError, ValueError):
            raise JournalError(f"{path}: this is not a journal of Underglow.") from None
        return cls(path, connection, header, count)

    def record(self, action: Action) -> None:
        """Write one step."""
        self._append({"seat": action.seat, "verb": action.verb, "args": action.args})

    def actions(self) -> list[Action]:
        """All steps in order, without the hands that made them. JournalError: a record is damaged."""
        actions: list[Action] = []
        for number, body, crc in self._connection.execute("SELECT * FROM record WHERE number > 0 ORDER BY number"):
            if crc32(body.encode()) != crc or number != len(actions) + 1:
                raise JournalError(f"{self.path}: record {number} is damaged; the {len(actions)} before it are whole.")
            fields = json.loads(body)
            actions.append(Action(fields["seat"], fields["verb"], tuple(fields["args"])))
        return actions

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _append(self, fields: dict[str, Any]) -> None:
        body = json.dumps(fields, separators=(",", ":"), sort_keys=True)
        self._connection.execute("INSERT INTO record VALUES (?, ?, ?)", (self._count, body, crc32(body.encode())))
        self._count += 1


def _connect(path: Path) -> sqlite3.Connection:
    # Made in one thread and used in another, never in two at once.
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def replay(game: Game[Any, Any], scenario: Any, journal: Journal) -> Any:
    """The state a journal leads to. JournalError: another scenario, or a step the rules refuse."""
    header = journal.header
    if scenario.digest != header.digest:
        raise JournalError(f"{journal.path}: it was played on another version of scenario {header.scenario}.")
    state = game.setup(scenario, header.seats, Rng(header.seed))
    for number, action in enumerate(journal.actions(), 1):
        whole = next((legal for legal in game.legal(state) if _same(legal, action)), None)
        if whole is None:
            raise JournalError(f"{journal.path}: the rules refuse step {number} ({action.verb}).")
        state, _ = game.step(state, whole)
    return state


def _same(legal: Action, recorded: Action) -> bool:
    return (legal.seat, legal.verb, legal.args) == (recorded.seat, recorded.verb, recorded.args)
