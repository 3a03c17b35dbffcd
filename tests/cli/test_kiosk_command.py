"""`underglow kiosk` as systemd starts it, and as people do."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
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
