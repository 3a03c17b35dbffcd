"""The way in for staff: the gesture, the PIN, the cookie; and nothing for anybody else."""

from __future__ import annotations

import io
import sqlite3
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from guests import LAN
from tended import DIGITS, Tended, tended
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from underglow.bench.vm import Bench
from underglow.kiosk import badges, logs, pin
from underglow.kiosk.office import LOCKED, PAGES

BEHIND = ["/staff", "/staff/logs.zip"]


@pytest.fixture
def boardless(tmp_path: Path) -> Iterator[Tended]:
    """A table whose board is away: nobody can make the gesture, so the door is ajar."""
    with tended(tmp_path, lan=LAN) as table:
        table.table().hear("door", lambda door: door["is"] == "ajar")
        yield table


def test_the_door_is_shut_until_the_gesture_and_the_pin_gives_a_cookie_for_this_browser_only(
    tmp_path: Path, board: Bench
) -> None:
    with tended(tmp_path, board) as table:
        table.table().hear("table", lambda told: told["link"]["state"] == "up")  # until then it is ajar
        page = table.table()
        page.hear("door", lambda door: door["is"] == "shut")
        answer = table.ask("POST", "/staff/pin", DIGITS.encode())
        assert (answer.status, answer.cookie) == (403, None)
        assert table.staff("").turned_out()[0] == LOCKED
        table.gesture()
        assert page.hear("door", lambda door: door["is"] == "called") == {"is": "called", "missing": ""}
        answer = table.ask("POST", "/staff/pin", DIGITS.encode())
        assert answer.status == 204
        page.hear("door", lambda door: door["is"] == "shut")
        (cookie,) = SimpleCookie(dict(answer.headers)["set-cookie"]).values()
        assert cookie["httponly"]
        assert cookie["samesite"].lower() == "strict"
        assert cookie["path"] == "/staff"
        assert len(cookie.value) >= 43  # 256 bits
        table.cookie = answer.cookie or ""
        assert table.staff().hear("settled")["theme"] == "default"
        assert "staff.js" in table.ask("GET", "/staff", cookie=table.cookie).text


def test_where_no_gesture_can_be_made_the_pin_alone_opens(boardless: Tended) -> None:
    boardless.enter()
    assert boardless.staff().hear("health")["up"] is False


def test_nobody_without_a_good_cookie_gets_anything(boardless: Tended) -> None:
    boardless.enter()
    name = boardless.cookie.partition("=")[0]
    for cookie in ("", f"{name}=", f"{name}={'A' * 43}", boardless.cookie[:-1], f"x{boardless.cookie}"):
        assert boardless.ask("GET", "/staff", cookie=cookie).status == 303
        assert boardless.ask("GET", "/staff/logs.zip", cookie=cookie).status == 404
        visitor = boardless.staff(cookie or "other=1")
        assert visitor.turned_out()[0] == LOCKED
        assert visitor.heard == []


def test_the_network_finds_no_such_page_even_with_the_cookie(boardless: Tended) -> None:
    boardless.enter()
    netloc = boardless.netloc.replace("127.0.0.1", LAN)
    lan = replace(boardless, address=f"http://{netloc}/")
    for path in BEHIND:
        assert lan.ask("GET", path, cookie=boardless.cookie).status == 404
    answer = lan.ask("POST", "/staff/pin", DIGITS.encode())
    assert (answer.status, answer.cookie) == (404, None)
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://{netloc}/staff/live", additional_headers={"cookie": boardless.cookie})
    assert refused.value.response.status_code == 404


def test_another_site_s_page_can_neither_try_a_pin_nor_open_the_socket(boardless: Tended) -> None:
    boardless.enter()
    origin = "http://elsewhere.example"
    assert boardless.ask("POST", "/staff/pin", DIGITS.encode(), origin=origin).status == 403
    with pytest.raises(InvalidStatus):
        connect(
            f"ws://{boardless.netloc}/staff/live", additional_headers={"cookie": boardless.cookie, "origin": origin}
        )


def test_wrong_pins_lock_the_pad_for_the_whole_table(boardless: Tended) -> None:
    answers = [boardless.ask("POST", "/staff/pin", b"0000") for _ in range(pin.WRONG)]
    assert {(answer.status, answer.text, answer.cookie) for answer in answers} == {(403, "That PIN is wrong.", None)}
    locked = boardless.ask("POST", "/staff/pin", DIGITS.encode())
    assert (locked.status, locked.cookie) == (429, None)
    assert "try again in" in locked.text


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"1" * 65])
def test_what_is_no_pin_is_refused_and_counts_as_a_try_at_most(boardless: Tended, body: bytes) -> None:
    assert boardless.ask("POST", "/staff/pin", body).status in (403, 413)
    assert boardless.ask("POST", "/staff/pin", DIGITS.encode()).status == 204


def test_without_a_pin_the_page_says_how_to_set_one(boardless: Tended) -> None:
    (boardless.folder / pin.PIN).unlink()
    answer = boardless.ask("POST", "/staff/pin", DIGITS.encode())
    assert answer.status == 403
    assert "underglow kiosk --set-pin" in answer.text


def test_ten_idle_minutes_lock_the_page(boardless: Tended, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(badges, "IDLE_S", 0.6)
    boardless.enter()
    page = boardless.staff()
    for _ in range(3):
        time.sleep(0.3)
        page.say({"here": True})
    page.hear("health")
    assert page.turned_out() == (LOCKED, "locked: the PIN is asked for again")
    assert boardless.ask("GET", "/staff", cookie=boardless.cookie).status == 303


def test_lock_locks_every_page_of_that_browser(boardless: Tended) -> None:
    boardless.enter()
    one, other = boardless.staff(), boardless.staff()
    one.say({"lock": True})
    assert one.turned_out()[0] == other.turned_out()[0] == LOCKED
    assert boardless.ask("GET", "/staff/logs.zip", cookie=boardless.cookie).status == 404


@pytest.mark.parametrize(
    "junk",
    [
        b"\x00", "", "{", "[]", '{"lock":false}', '{"brightness":4}', '{"brightness":"50"}', '{"brightness":50.5}',
        '{"theme":"' + "x" * 65 + '"}', '{"start":["a","b"]}', '{"offer":["a","b",1]}', '{"deafen":["h01",true],"x":1}',
        '{"touch":true}', "x" * 600,
    ],
)  # fmt: skip
def test_a_page_that_sends_junk_is_closed(boardless: Tended, junk: str | bytes) -> None:
    boardless.enter()
    page = boardless.staff()
    page.say(junk)
    assert page.turned_out()[0] in (1008, 1009)
    assert boardless.staff().hear("settled")["brightness"] == 100


def test_one_page_too_many_is_told_to_wait(boardless: Tended) -> None:
    boardless.enter()
    for _ in range(PAGES):
        boardless.staff().hear("settled")
    assert boardless.staff().turned_out()[0] == 1013


def test_the_logs_are_one_zip_with_log_and_last_journals(boardless: Tended, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "GAMES", 2)
    for day in (1, 2, 3):
        with sqlite3.connect(boardless.folder / f"2030-01-0{day}-120000-000000001.sqlite") as journal:
            journal.execute("CREATE TABLE record (number INTEGER)")
        journal.close()
    (boardless.folder / f"{logs.LOG}.1").write_text("what was\n")
    (boardless.folder / logs.LOG).write_text("what is\n")
    boardless.enter()
    with boardless.raw("GET", "/staff/logs.zip", cookie=boardless.cookie) as answer:
        assert answer.getheader("content-type") == "application/zip"
        packed = zipfile.ZipFile(io.BytesIO(answer.read()))
    assert packed.read(logs.LOG) == b"what is\n"
    journals = [name for name in packed.namelist() if name.endswith(".sqlite")]
    assert journals == ["2030-01-03-120000-000000001.sqlite", "2030-01-02-120000-000000001.sqlite"]
    assert set(packed.namelist()) - set(journals) <= {logs.LOG, f"{logs.LOG}.1", "counters.json", "settings.json"}
