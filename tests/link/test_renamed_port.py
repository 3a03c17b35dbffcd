"""A board that comes back under another name. Real firmware on a real port; only the system's list of ports is ours."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from underglow.bench.vm import Bench
from underglow.link import Down, Happening, Link
from underglow.ports import Elsewhere, Whereabouts
from underglow.profile import Board
from underglow.session import Up

SERIAL, OTHER = "e66164084373532b", "e6614103e7452b2f"


class System:
    """What a system calls its ports: names in a folder, and links by serial number if it is one that makes those."""

    def __init__(self, folder: Path) -> None:
        self.dev = folder / "dev"
        self.by_id = folder / "by-id"
        self.dev.mkdir()
        self.ports: dict[str, str] = {}

    def attach(self, name: str, serial: str, port: str, *, links: bool = True) -> str:
        (self.dev / name).symlink_to(port)
        self.ports[name] = serial
        if links:
            self.by_id.mkdir(exist_ok=True)
            (self.by_id / f"usb-MicroPython_Board_in_FS_mode_{serial}-if00").symlink_to(self.dev / name)
        return str(self.dev / name)

    def detach(self, name: str) -> None:
        (self.dev / name).unlink()
        link = self.by_id / f"usb-MicroPython_Board_in_FS_mode_{self.ports.pop(name)}-if00"
        link.unlink(missing_ok=True)

    def comports(self) -> Iterator[ListPortInfo]:
        for name, serial in self.ports.items():
            info = ListPortInfo(str(self.dev / name), skip_link_detection=True)
            info.vid, info.pid, info.serial_number = 0x2E8A, 0x0005, serial
            yield info

    def whereabouts(self, port: str) -> Whereabouts:
        return Whereabouts(port, self.comports, self.by_id)


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


def heard(link: Link, until: Callable[[list[Happening]], object]) -> list[Happening]:
    end_s = time.monotonic() + 5
    happened: list[Happening] = []
    while not until(happened):
        assert time.monotonic() < end_s, happened
        happened += link.wait(0.05)
    return happened


@pytest.mark.parametrize("links", [True, False], ids=["by-id", "listed"])
def test_a_port_renamed_on_replug_is_found_again(
    board: Bench, board_profile: Board, system: System, links: bool
) -> None:
    first = system.attach("ttyACM0", SERIAL, board.port, links=links)
    link = Link(first, board_profile, whereabouts=system.whereabouts(first))
    link.connect()
    board.unplug()
    heard(link, lambda so_far: any(isinstance(happening, Down) for happening in so_far))
    system.detach("ttyACM0")
    system.attach("ttyACM0", OTHER, "/dev/null")  # another board has the name now
    second = system.attach("ttyACM1", SERIAL, board.port, links=links)
    board.replug()
    heard(link, lambda so_far: any(isinstance(happening, Up) for happening in so_far))
    assert link.port in (second, str(Path(second).resolve()))
    link.close()


def test_another_board_under_the_old_name_is_not_taken_for_it(system: System) -> None:
    port = system.attach("ttyACM0", SERIAL, "/dev/null")
    where = system.whereabouts(port)
    assert where.find() == port
    system.detach("ttyACM0")
    assert where.find() == port  # nothing is there: opening it says so
    system.attach("ttyACM0", OTHER, "/dev/null")
    with pytest.raises(Elsewhere, match=f"another board is here now; the one with the serial number {SERIAL} is not"):
        where.find()


def test_a_port_without_a_serial_number_is_just_its_name(system: System) -> None:
    port = system.attach("ttyS0", "", "/dev/null", links=False)
    where = system.whereabouts(port)
    assert where.find() == port
    system.detach("ttyS0")
    assert where.find() == port
