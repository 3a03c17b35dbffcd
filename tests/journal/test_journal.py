"""The journal: every entry is on disk before what it did is seen; damage is found and named."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import BOARD, deal

from underglow.history import History, Step, Undo
from underglow.journal import (
    Header,
    InUse,
    Journal,
    JournalError,
    Record,
    header_text,
    lines,
    read_header,
    read_lines,
    read_record,
    resume,
)

DEAL = deal("mandalorian", "cinder-wells", 2, 5)


def played(path: Path, entries: int, seed: int = 1) -> tuple[Journal, History]:
    """A journal of random play, back and forth, and what it led to."""
    journal, history = Journal.create(path, DEAL.header), DEAL.start
    chance = random.Random(seed)
    for entry, history in DEAL.walk(chance.randrange(2**16) for _ in range(entries)):
        journal.record(entry, history.state)
    return journal, history


def copied(journal: Journal, to: Path) -> Path:
    """The files of a journal as a program leaves them that is killed now."""
    to.mkdir()
    for path in journal.path.parent.glob(journal.path.name + "*"):
        (to / path.name).write_bytes(path.read_bytes())
    return to / journal.path.name


@pytest.mark.parametrize("how", ["closed", "killed"])
def test_a_game_goes_on_where_it_was(tmp_path: Path, how: str) -> None:
    journal, history = played(tmp_path / "a.sqlite", 60)
    path = copied(journal, tmp_path / "killed")
    journal.close()
    again = Journal.open(path if how == "killed" else journal.path)
    assert (again.header, again.records, again.damage) == (DEAL.header, journal.records, "")
    resumed = resume(DEAL.game, DEAL.scenario, again)
    assert resumed == history
    more = resumed.step(DEAL.game.legal(resumed.state)[0])
    again.record(Step.of(more.played[-1].action), more.state)
    again.close()
    assert resume(DEAL.game, DEAL.scenario, Journal.open(again.path)) == more


def test_public_report_undo_missing_from_the_log(tmp_path: Path) -> None:
    """What was taken back is still there, and that it was taken back."""
    journal, history = Journal.create(tmp_path / "a.sqlite", DEAL.header), DEAL.start
    for entry, then in DEAL.walk([1, 4]):
        journal.record(entry, then.state)
        history = then
    undo = Undo(history.played[-1].action.seat)
    back = history.then(undo)
    journal.record(undo, back.state)
    journal.close()
    kinds = [record.entry.do for record in Journal.open(journal.path).records]
    assert kinds == ["step", "step", "undo"]


def test_public_report_dice_re_rolled_by_reload(tmp_path: Path) -> None:
    """A program that ends and goes on at every entry rolls, draws and reveals what one does that never ended."""
    journal, history = played(tmp_path / "a.sqlite", 40)
    others = Journal.create(tmp_path / "b.sqlite", DEAL.header)
    for record in journal.records:
        others.close()
        others = Journal.open(others.path)
        then = resume(DEAL.game, DEAL.scenario, others).then(record.entry)
        others.record(record.entry, then.state)
    assert others.records == journal.records
    assert resume(DEAL.game, DEAL.scenario, others) == history


def test_public_report_killed_in_the_middle_nothing_recorded_is_lost(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from test_journal import played; "
        "journal, _ = played(Path(sys.argv[1]), 12); print(len(journal.records), flush=True); input()"
    )
    path = tmp_path / "a.sqlite"
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    player = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert player.stdout
    assert player.stdout.readline() == b"12\n"
    with pytest.raises(InUse, match="another Underglow is playing this game"):
        Journal.open(path)
    with pytest.raises(InUse):
        Journal.create(path, DEAL.header)
    player.send_signal(signal.SIGKILL)
    player.communicate()
    assert len(Journal.open(path).records) == 12


def test_two_in_one_program_cannot_play_by_one_journal_either(tmp_path: Path) -> None:
    journal, _ = played(tmp_path / "a.sqlite", 3)
    with pytest.raises(InUse):
        Journal.open(journal.path)
    journal.close()
    first = Journal.open(journal.path)  # from the moment it is read, not from the first entry on
    with pytest.raises(InUse):
        Journal.open(journal.path)
    first.close()
    Journal.open(journal.path).close()


def test_a_journal_is_never_written_over(tmp_path: Path) -> None:
    journal, _ = played(tmp_path / "a.sqlite", 1)
    journal.close()
    with pytest.raises(JournalError, match="there is a journal already"):
        Journal.create(tmp_path / "a.sqlite", DEAL.header)
    with pytest.raises(JournalError, match="there is a journal already"):
        Journal.create(tmp_path, DEAL.header)


def test_one_cut_off_before_its_first_record_can_be_begun_again(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "a.sqlite")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
    (tmp_path / "b.sqlite").touch()
    for name in ("a.sqlite", "b.sqlite", "c.sqlite"):
        assert not Journal.begun(tmp_path / name)
        Journal.create(tmp_path / name, DEAL.header).close()
        assert Journal.begun(tmp_path / name)


def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no such journal"):
        Journal.open(tmp_path / "a.sqlite")
    (tmp_path / "b.sqlite").write_text("hello, this is not a database, not even nearly" * 20)
    with pytest.raises(JournalError, match="not a journal"):
        Journal.open(tmp_path / "b.sqlite")
    sqlite3.connect(tmp_path / "c.sqlite").close()
    with pytest.raises(JournalError, match="not a journal"):
        Journal.open(tmp_path / "c.sqlite")


def test_where_nothing_can_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="can't be written"):
        Journal.create(tmp_path / "file" / "a.sqlite", DEAL.header)


# --- damage ---


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE record SET body = replace(body, 'seat', 'goat') WHERE number = 7",
        "UPDATE record SET body = (SELECT body FROM record WHERE number = 5) WHERE number = 7",
        "UPDATE record SET (body, crc) = (SELECT body, crc FROM record WHERE number = 5) WHERE number = 7",
        "DELETE FROM record WHERE number = 7",
    ],
)
def test_a_damaged_record_is_named_and_the_game_goes_on_before_it(tmp_path: Path, damage: str) -> None:
    journal, _ = played(tmp_path / "a.sqlite", 9)
    journal.close()
    connection = sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None)
    connection.execute(damage)
    connection.close()
    damaged = Journal.open(tmp_path / "a.sqlite")
    assert damaged.damage == f"{tmp_path}/a.sqlite: damaged after record 6; all up to there is whole."
    assert damaged.records == journal.records[:6]
    mended = damaged.mend()
    assert (mended.damage, mended.records) == ("", journal.records[:6])
    history = resume(DEAL.game, DEAL.scenario, mended)
    mended.record(Step.of(DEAL.game.legal(history.state)[0]), history.step(DEAL.game.legal(history.state)[0]).state)
    mended.close()
    assert len(Journal.open(tmp_path / "a.sqlite").records) == 7
    assert Journal.open(tmp_path / "a.sqlite.damaged").damage


@pytest.mark.parametrize("damage", ["UPDATE record SET body = replace(body, '2', '1') WHERE number = 0",
                                    "DELETE FROM record WHERE number = 0"])  # fmt: skip
def test_a_damaged_header_is_found(tmp_path: Path, damage: str) -> None:
    played(tmp_path / "a.sqlite", 2)[0].close()
    connection = sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None)
    connection.execute(damage)
    connection.close()
    with pytest.raises(JournalError, match="its first record is damaged"):
        Journal.open(tmp_path / "a.sqlite")


def test_a_journal_that_was_refused_is_let_go_of(tmp_path: Path) -> None:
    journal, _ = played(tmp_path / "a.sqlite", 3)
    journal.close()
    content = journal.path.read_bytes()
    journal.path.write_bytes(content[:100] + content[102:])  # SQLite finds out while it reads
    for _ in range(2):  # the second time it would be in use by the first
        with pytest.raises(JournalError, match="its first record is damaged"):
            Journal.open(journal.path)


def test_a_table_whose_very_words_are_damaged_is_no_journal(tmp_path: Path) -> None:
    """SQLite quotes them in its message, and Python cannot decode that."""
    journal, _ = played(tmp_path / "a.sqlite", 3)
    journal.close()
    content = journal.path.read_bytes()
    assert content.count(b"CREATE TABLE record") == 1
    journal.path.write_bytes(content.replace(b"CREATE TABLE record", b"CREATE TABLE re\x81ord"))
    with pytest.raises(JournalError):
        Journal.open(journal.path)
    assert Journal.begun(journal.path)


def test_a_flipped_byte_anywhere_in_the_files_is_found_or_does_no_harm(tmp_path: Path) -> None:
    """Some of the game in the database, and some still in the WAL, as after a kill."""
    journal, _ = played(tmp_path / "a.sqlite", 25)
    journal.close()
    journal = Journal.open(journal.path)
    for _ in range(12):
        journal.record(Undo(0), DEAL.start.state)  # no game, but a record
    whole = copied(journal, tmp_path / "killed")
    contents = {path: path.read_bytes() for path in whole.parent.iterdir()}
    assert len(contents) == 2
    chance = random.Random(1)
    found = dict.fromkeys(contents, 0)
    for path, content in contents.items():
        for _ in range(150):
            flipped = bytearray(content)
            flipped[chance.randrange(len(content))] ^= chance.randrange(1, 256)
            for other in whole.parent.iterdir():
                other.unlink()
            for other, kept in contents.items():
                other.write_bytes(flipped if other == path else kept)
            try:
                read = Journal.open(whole)
            except JournalError:
                found[path] += 1
                continue
            assert read.records == journal.records[: len(read.records)]
            assert read.header == journal.header
            assert read.damage or read.records == journal.records
            found[path] += bool(read.damage)
            read.close()
    assert all(count > 20 for count in found.values()), found


def test_a_record_that_its_page_no_longer_counts_is_missed(tmp_path: Path) -> None:
    """The database would pass over it without a word."""
    journal, _ = played(tmp_path / "a.sqlite", 3)
    journal.close()
    content = bytearray(journal.path.read_bytes())
    page = 1024  # the second page: the table's only leaf, the number of its cells in bytes 3 and 4
    assert content[page : page + 5] == bytes((13, *content[page + 1 : page + 3], 0, 4))
    content[page + 4] = 3
    journal.path.write_bytes(content)
    read = Journal.open(journal.path)
    assert read.records == journal.records[:2]
    assert "damaged after record 2" in read.damage


@pytest.mark.parametrize("left", [0.0, 0.3, 0.7, 0.99])
def test_a_torn_file_keeps_what_is_before_the_tear(tmp_path: Path, left: float) -> None:
    """Torn in the WAL, the records behind the tear were never there; torn in the database, that is found."""
    journal, _ = played(tmp_path / "a.sqlite", 25)
    killed = copied(journal, tmp_path / "killed")
    wal = killed.with_name(killed.name + "-wal")
    os.truncate(wal, int(wal.stat().st_size * left))
    if left:
        read = Journal.open(killed)
        assert read.records == journal.records[: len(read.records)]
        assert 25 * left - 3 < len(read.records) < 25 * left + 3
        assert read.damage == ""
    else:
        assert not Journal.begun(killed)
    journal.close()
    os.truncate(journal.path, int(journal.path.stat().st_size * left))
    try:
        torn = Journal.open(journal.path)
    except JournalError:
        return
    assert torn.damage
    assert torn.records == journal.records[: len(torn.records)]


# --- whose journal it is ---


def test_a_journal_of_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    journal = Journal.create(path, replace(DEAL.header, journal=3))
    journal.close()
    with pytest.raises(JournalError, match="its format is 3, this Underglow reads 2; go on with the Underglow that"):
        Journal.open(path)
    old = header_text(DEAL.header).replace(',"journal":2', "")
    with pytest.raises(JournalError, match="its format is 1, this"):
        read_header(old)


def test_another_version_of_the_scenario_is_refused(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.sqlite", replace(DEAL.header, digest="0" * 64))
    with pytest.raises(JournalError, match=r"another version of scenario cinder-wells .* bring that file back, or"):
        resume(DEAL.game, DEAL.scenario, journal)


def test_a_step_the_rules_refuse_is_named_with_what_to_do(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.sqlite", DEAL.header)
    journal.record(Step(0, "fly", ("a1",)), DEAL.start.state)
    with pytest.raises(
        JournalError, match=r"refuse record 1 .*fly.*; go on with Underglow [\d.]+, or begin a new game"
    ):
        resume(DEAL.game, DEAL.scenario, journal)


def test_rules_that_lead_elsewhere_are_found(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.sqlite", DEAL.header)
    journal.record(Step.of(DEAL.game.legal(DEAL.start.state)[0]), DEAL.start.state)
    with pytest.raises(JournalError, match=r"record 1 leads to another state; go on with Underglow"):
        resume(DEAL.game, DEAL.scenario, journal)


# --- lines of JSON ---


def test_exported_and_imported_nothing_is_lost(tmp_path: Path) -> None:
    journal, history = played(tmp_path / "a.sqlite", 80)
    text = list(lines(journal))
    header, records = read_lines("text", text)
    again = Journal.create(tmp_path / "b.sqlite", header, records)
    again.close()
    again = Journal.open(again.path)
    assert (again.header, again.records) == (journal.header, journal.records)
    assert list(lines(again)) == text
    assert resume(DEAL.game, DEAL.scenario, again) == history


HEADER_LINE = header_text(Header("0.1.0", "mandalorian", "cinder-wells", "0" * 64, 1, 5, BOARD.name, BOARD.crc))
RECORD_LINE = '{"entry":{"do":"step","seat":0,"verb":"play","args":["move",3]},"state":7}'


@pytest.mark.parametrize(
    "line",
    [
        "", "[]", "null", "7", "{", '{"entry":{}}', "[" * 100_000, RECORD_LINE[:-1], HEADER_LINE,
        RECORD_LINE.replace("step", "jump"), RECORD_LINE.replace('"seat":0', '"seat":"0"'),
        RECORD_LINE.replace("7}", "-1}"), RECORD_LINE.replace("7}", "4294967296}"), RECORD_LINE.replace("3]", "3.5]"),
        RECORD_LINE.replace("3]", "true]"), RECORD_LINE.replace("7}", '7,"more":1}'),
        RECORD_LINE.replace('"seat":0', '"seat":0,"more":1'), RECORD_LINE.replace('"verb":"play",', ""),
    ],
)  # fmt: skip
def test_a_line_that_is_no_record_is_named(line: str) -> None:
    assert len(read_lines("a.jsonl", [HEADER_LINE, RECORD_LINE])[1]) == 1
    with pytest.raises(JournalError, match=r"^a\.jsonl:3: this is no record of a journal\.$"):
        read_lines("a.jsonl", [HEADER_LINE, RECORD_LINE, line])
    with pytest.raises(JournalError, match=r"^a\.jsonl: there is nothing in it\.$"):
        read_lines("a.jsonl", [])


@given(st.text() | st.binary().map(lambda data: data.decode(errors="replace")))
def test_any_text_is_a_record_or_none(text: str) -> None:
    for read in (read_record, read_header):
        with pytest.raises((ValueError, JournalError)):
            read(text)


def test_record_is_a_value() -> None:
    assert read_record(RECORD_LINE) == Record(Step(0, "play", ("move", 3)), 7)
