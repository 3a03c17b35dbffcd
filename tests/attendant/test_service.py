"""Word to systemd, on a real socket."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from underglow.kiosk.service import Service


@pytest.fixture(params=["/", "@"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, Service]]:
    """A manager's socket, as a file and as an abstract one, and a service that knows of it."""
    name = f"@{tmp_path}" if request.param == "@" else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(name.replace("@", "\0"))
        ear.settimeout(2)
        yield ear, Service({"NOTIFY_SOCKET": name})


def test_ready_and_stopping_arrive(manager: tuple[socket.socket, Service]) -> None:
    ear, service = manager
    service.ready()
    service.stopping()
    assert [ear.recv(99), ear.recv(99)] == [b"READY=1", b"STOPPING=1"]


@pytest.mark.parametrize("hung", [0, 1, 2])
def test_the_watchdog_is_fed_only_while_table_link_and_page_all_move(
    manager: tuple[socket.socket, Service], hung: int
) -> None:
    ear, service = manager
    moved = [1, 1, 1]
    service.alive(*moved)
    for _ in range(3):
        moved = [count if at == hung else count + 1 for at, count in enumerate(moved)]
        service.alive(*moved)
    service.stopping()
    assert [ear.recv(99), ear.recv(99)] == [b"WATCHDOG=1", b"STOPPING=1"]


def test_all_that_move_feed_it_again(manager: tuple[socket.socket, Service]) -> None:
    ear, service = manager
    for turn in range(3):
        service.alive(turn, turn, turn)
    assert [ear.recv(99) for _ in range(3)] == [b"WATCHDOG=1"] * 3


def test_one_that_hung_and_goes_on_feeds_it_again(manager: tuple[socket.socket, Service]) -> None:
    ear, service = manager
    service.alive(1, 1)
    service.alive(2, 1)
    service.alive(2, 2)
    service.stopping()
    assert [ear.recv(99) for _ in range(3)] == [b"WATCHDOG=1", b"WATCHDOG=1", b"STOPPING=1"]


def test_a_manager_that_is_gone_or_full_holds_nothing_up(
    manager: tuple[socket.socket, Service], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _, service = manager
    with caplog.at_level(logging.WARNING):
        for turn in range(5000):  # nobody reads
            service.alive(turn)
        Service({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).ready()
    assert "does not hear READY=1" in caplog.text
    assert "does not hear WATCHDOG=1" in caplog.text


def test_without_a_manager_nobody_is_told() -> None:
    nobody = Service({})
    assert not nobody.listens
    nobody.ready()
