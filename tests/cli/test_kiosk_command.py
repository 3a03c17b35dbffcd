"""`underglow kiosk` as systemd starts it, and as people do."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import termios
import urllib.request
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import typer
from running import UNDERGLOW
from websockets.sync.client import ClientConnection, connect

from underglow.bench.vm import Bench
from underglow.cli import kiosk


@contextmanager
def started(folder: Path, *arguments: str, **environment: str) -> Generator[tuple[subprocess.Popen[str], str]]:
    """The command, and its page's address; ended as systemd ends it."""
    process = subprocess.Popen(
        [UNDERGLOW, "kiosk", "--http", "0", "--folder", str(folder / "kiosk"), *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    )
    try:
        assert process.stdout
        yield process, process.stdout.readline().split(" at ")[1].split()[0]
    finally:
        process.terminate()
        process.communicate(timeout=20)


@contextmanager
def visiting(address: str) -> Generator[ClientConnection]:
    with connect(address.replace("http", "ws") + "live") as page:
        yield page


def hear(page: ClientConnection, kind: str, when: Callable[[Any], bool]) -> Any:
    while True:
        ((heard, value),) = json.loads(page.recv(timeout=20)).items()
        if heard == kind and when(value):
            return value


def say(page: ClientConnection, **message: object) -> None:
    page.send(json.dumps(message))


def test_bots_play_people_play_and_a_kill_is_forgiven_but_nothing_resumed_unasked(
    folder: Path, micropython: list[str]
) -> None:
    with started(folder) as (process, address), visiting(address) as page:
        hear(page, "attendant", lambda said: said["phase"] == "attract")
        hear(page, "table", lambda table: table["history"]["played"])
        say(page, touch=True)
        hear(page, "attendant", lambda said: said["phase"] == "choosing")
        say(page, begin=["mandalorian", "cinder-wells", 1])
        hear(page, "attendant", lambda said: said["phase"] == "playing")
        with visiting(address) as seat:
            table = hear(seat, "table", lambda table: table["choices"])
            say(seat, choose=table["choices"][0]["index"], number=table["number"])
            played = hear(seat, "table", lambda table: table["history"]["played"])["history"]["played"]
        process.send_signal(signal.SIGKILL)
        process.wait()
    with started(folder) as (process, address), visiting(address) as page:
        said = hear(page, "attendant", lambda said: said["phase"] == "choosing")
        assert said["unfinished"] == {"title": "Cinder Wells", "steps": 1}
        say(page, go_on=True)
        hear(page, "attendant", lambda said: said["phase"] == "playing")
        again = hear(page, "table", lambda table: table["history"]["played"])
        assert again["history"]["played"] == played
        with urllib.request.urlopen(address + "metrics") as answer:  # noqa: S310 - an address of our own
            assert b"underglow_starts_total 2\n" in answer.read()
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_systemd_hears_that_it_is_ready_alive_and_ends(folder: Path, micropython: list[str]) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(folder / "notify"))
        ear.settimeout(20)
        with started(folder, NOTIFY_SOCKET=str(folder / "notify")):
            assert [ear.recv(99) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        heard = b""
        while heard != b"STOPPING=1":
            heard = ear.recv(99)


def test_a_token_lifted_on_a_board_stops_the_demo_and_a_pulled_cable_is_a_sentence(folder: Path, board: Bench) -> None:
    board.place("h30", "drifter")
    with started(folder, "--board", board.port) as (_, address), visiting(address) as page:
        hear(page, "table", lambda table: table["link"]["state"] == "up" and table["history"]["played"])
        board.lift("drifter")
        hear(page, "attendant", lambda said: said["phase"] == "choosing")
        board.unplug()
        said = hear(page, "attendant", lambda said: said["phase"] == "safe")
        assert board.port in said["says"][0]
        board.replug()
        hear(page, "attendant", lambda said: said["phase"] == "choosing")


def test_without_a_board_it_starts_and_says_so(folder: Path) -> None:
    with started(folder, "--board", "/dev/nowhere") as (_, address), visiting(address) as page:
        said = hear(page, "attendant", lambda said: said["phase"] == "safe")
        assert said["says"] == ["/dev/nowhere: there is no such port; is the board plugged in?"]


def test_the_safe_mode_is_a_page_with_a_sentence(folder: Path) -> None:
    with started(folder, "--safe") as (_, address), visiting(address) as page:
        said = hear(page, "attendant", lambda said: said["phase"] == "safe")
        assert "tell the staff" in said["says"][0]


def test_its_page_speaks_the_language_that_was_named(folder: Path) -> None:
    with started(folder, "--safe", "--language", "cs") as (_, address):
        with urllib.request.urlopen(address) as answer:  # noqa: S310 - an address of our own
            assert b'<html lang="cs">' in answer.read()
        with connect(address.replace("http", "ws") + "live?language=cs") as page:
            said = hear(page, "attendant", lambda said: said["phase"] == "safe")
            assert "obsluze" in said["says"][0]


@pytest.mark.parametrize("command", ["kiosk", "run"])
def test_a_language_that_pages_do_not_speak_is_a_sentence(command: str) -> None:
    out = subprocess.run([UNDERGLOW, command, "--language", "tlh"], capture_output=True, text=True, timeout=20)
    assert out.returncode == 2
    assert "pages do not speak 'tlh'; they speak: en, pl, cs" in " ".join(out.stderr.replace("│", " ").split())


def test_without_root_what_would_be_written_is_shown_and_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(typer.Exit) as end:
        kiosk.kiosk(installing=True, user="kim", profile_name="hex37-edges", language="pl", idle_minutes=3)
    assert end.value.exit_code == 2
    said = capsys.readouterr()
    assert 'kiosk --board=/dev/underglow --http=8737 "--profile=hex37-edges"' in said.out
    assert '"--language=pl"' in said.out
    assert '"--idle=3"' in said.out
    assert "User=kim" in said.out
    assert said.err.startswith("Nothing was written: that takes root. Say  sudo ")


@pytest.mark.parametrize("clock", ["25:00", "noon"])
def test_a_time_that_never_comes_is_a_sentence(clock: str) -> None:
    out = subprocess.run([UNDERGLOW, "kiosk", "--restart-at", clock], capture_output=True, text=True, timeout=20)
    assert out.returncode == 2
    assert "is no time of day: say it like 04:00" in " ".join(out.stderr.replace("│", " ").split())


# --- staff ---

DIGITS = "271828"


def set_pin(folder: Path, typed: str) -> subprocess.CompletedProcess[str]:
    command = [UNDERGLOW, "kiosk", "--set-pin", "--folder", str(folder)]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=20)


def enter(address: str) -> str:
    """Type the PIN; return the cookie."""
    request = urllib.request.Request(address + "staff/pin", DIGITS.encode())  # noqa: S310 - an address of our own
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - the same
        return answer.headers["set-cookie"].partition(";")[0]


def test_a_pin_is_set_hashed_and_what_is_none_changes_nothing(tmp_path: Path) -> None:
    out = set_pin(tmp_path, f"{DIGITS}\n")
    assert out.returncode == 0
    assert out.stdout.replace("\n", "").startswith("The PIN is set, hashed, in")
    before = (tmp_path / "pin.json").read_text()
    assert DIGITS not in before + out.stdout
    out = set_pin(tmp_path, "abc\n")
    assert (out.returncode, out.stderr) == (2, "A PIN has 4 to 12 digits and nothing else. Nothing was changed.\n")
    assert (tmp_path / "pin.json").read_text() == before


def test_on_a_terminal_the_pin_is_asked_for_twice_and_not_shown(tmp_path: Path) -> None:
    for again, code in ((DIGITS, 0), ("271829", 2)):
        ours, theirs = os.openpty()
        process = subprocess.Popen(
            [UNDERGLOW, "kiosk", "--set-pin", "--folder", str(tmp_path / again)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        said = ""
        for answer in (DIGITS, again):
            while not said.endswith(": "):
                said += os.read(ours, 1).decode()
            os.write(ours, f"{answer}\n".encode())
            said += " "
        assert process.wait(20) == code
        assert (tmp_path / again / "pin.json").exists() == (code == 0)
        assert DIGITS not in said
        os.close(ours)


def test_the_log_is_kept_beside_the_journals(folder: Path) -> None:
    with started(folder, "--board", "/dev/nowhere") as (_, address), visiting(address) as page:
        hear(page, "attendant", lambda said: said["phase"] == "safe")
        assert "there is no such port" in (folder / "kiosk" / "underglow.log").read_text()


def test_in_the_safe_mode_staff_get_the_logs_and_start_the_table_again(folder: Path) -> None:
    set_pin(folder / "kiosk", f"{DIGITS}\n")
    with started(folder, "--safe") as (process, address):
        with visiting(address) as page:
            hear(page, "door", lambda door: door["is"] == "ajar")
        cookie = {"cookie": enter(address)}
        request = urllib.request.Request(address + "staff/logs.zip", headers=cookie)  # noqa: S310 - an address of our own
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - the same
            assert answer.read(2) == b"PK"
        with connect(address.replace("http", "ws") + "staff/live", additional_headers=cookie) as page:
            hear(page, "says", lambda says: "could not be started" in says)
            say(page, restart=True)
        assert process.wait(20) == 0
