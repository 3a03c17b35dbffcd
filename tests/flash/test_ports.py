"""Which board is meant, and blank Picos."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from boards import BOARD, Said, bench
from serial.tools.list_ports_common import ListPortInfo

from underglow import flash, ports
from underglow.bench import uf2
from underglow.pico import PicoError
from underglow.ports import Attached, Blank, NoBoard, SeveralBoards


def listed(
    device: str, serial: str | None, says: str, vid: int | None = 0x2E8A, pid: int | None = 0x0005
) -> ListPortInfo:
    info = ListPortInfo(device, skip_link_detection=True)
    info.vid, info.pid, info.serial_number, info.description = vid, pid, serial, says
    return info


ONE = listed("/dev/ttyACM0", "e66164084373532b", "Board in FS mode")
TWO = listed("/dev/ttyACM1", "e6614103e7452b2f", "Board in FS mode")
ADAPTER = listed("/dev/ttyUSB0", "A50285BI", "FT232R USB UART", 0x0403, 0x6001)
BUILT_IN = listed("/dev/ttyS0", None, "n/a", None, None)


def choose(
    target: str | None,
    *there: ListPortInfo,
    mounted: Sequence[Path] = (),
    ask: Callable[[Sequence[ports.Found]], str] | None = None,
) -> ports.Found:
    return ports.choose(target, ask, lambda: there, lambda: mounted)


@pytest.fixture
def volume(tmp_path: Path) -> Path:
    """The disk of a Pico in BOOTSEL."""
    folder = tmp_path / "RPI-RP2"
    folder.mkdir()
    (folder / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n")
    return folder


def micropython(folder: Path, banner: bytes = b"MicroPython v1.25.0 on 2025-04-15") -> Path:
    path = folder / "micropython.uf2"
    path.write_bytes(uf2.pack(b"\0" * 300 + banner + b"\0" * 300))
    return path


def test_the_only_board_is_taken() -> None:
    found = choose(None, BUILT_IN, ADAPTER, ONE)
    assert found == Attached("/dev/ttyACM0", "e66164084373532b", "Board in FS mode")


def test_several_boards_are_never_chosen_among_silently() -> None:
    with pytest.raises(SeveralBoards) as told:
        choose(None, TWO, ONE, ADAPTER)
    assert str(told.value).splitlines() == [
        "Several boards are attached; name one by its serial number:",
        "  e66164084373532b  /dev/ttyACM0  Board in FS mode",
        "  e6614103e7452b2f  /dev/ttyACM1  Board in FS mode",
    ]


@pytest.mark.parametrize("target", ["/dev/ttyACM1", "e6614103e7452b2f", "E6614103E7452B2F", "2b2f"])
def test_a_board_goes_by_its_port_or_its_serial_number(target: str) -> None:
    assert choose(target, ONE, TWO) == Attached("/dev/ttyACM1", "e6614103e7452b2f", "Board in FS mode")


def test_a_number_that_fits_several_is_not_enough() -> None:
    with pytest.raises(SeveralBoards):
        choose("b", ONE, listed("/dev/ttyACM1", "00b", ""))


def test_a_port_no_list_knows_is_taken_at_its_word() -> None:
    assert choose("/dev/serial/by-id/mine", ONE, TWO) == Attached("/dev/serial/by-id/mine")
    assert choose("/dev/ttyUSB0", ADAPTER, ONE) == Attached("/dev/ttyUSB0", "A50285BI", "FT232R USB UART")


def test_a_person_is_asked_until_the_answer_fits() -> None:
    answers = iter(["", "nonsense", "e66", "532b"])
    asked: list[Sequence[ports.Found]] = []

    def ask(found: Sequence[ports.Found]) -> str:
        asked.append(found)
        return next(answers)

    assert choose(None, ONE, TWO, ask=ask) == Attached("/dev/ttyACM0", "e66164084373532b", "Board in FS mode")
    assert [len(found) for found in asked] == [2, 2, 2, 2]


def test_the_question_at_the_terminal(console: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("2b2f\n"))
    found = choose(None, ONE, TWO, ask=flash.ask_person(console))
    assert found == Attached("/dev/ttyACM1", "e6614103e7452b2f", "Board in FS mode")
    assert "  e66164084373532b  /dev/ttyACM0  Board in FS mode\n" in str(console)


def test_nothing_attached() -> None:
    with pytest.raises(NoBoard, match="No Pico is attached; plug it in with a cable that carries data"):
        choose(None, BUILT_IN)
    with pytest.raises(NoBoard, match=r"one of the other serial ports \(/dev/ttyUSB0\), name it"):
        choose(None, BUILT_IN, ADAPTER)


def test_a_blank_pico_is_a_board_like_another(volume: Path, tmp_path: Path) -> None:
    assert choose(None, mounted=[tmp_path, volume]) == Blank(volume)
    assert choose(str(volume), ONE) == Blank(volume)
    with pytest.raises(SeveralBoards, match="a blank Pico"):
        choose(None, ONE, mounted=[volume])
    assert choose("rpi-rp2", ONE, mounted=[volume]) == Blank(volume)


def test_another_chip_in_bootsel_is_none(volume: Path) -> None:
    (volume / "INFO_UF2.TXT").write_text("UF2 Bootloader v1.0\r\nModel: Raspberry Pi RP2350\r\nBoard-ID: RP2350\r\n")
    with pytest.raises(NoBoard):
        choose(None, mounted=[volume])


def test_disks_of_this_machine_are_listed() -> None:
    assert Path("/") in ports.volumes()


def test_a_blank_pico_gets_micropython_and_comes_back_as_a_port(
    volume: Path, tmp_path: Path, console: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("underglow.ports._SETTLE_S", 0)
    given = micropython(tmp_path)
    copied = volume / given.name
    with bench({}) as born:

        def comports() -> Iterator[ListPortInfo]:
            yield TWO
            if copied.exists() and copied.read_bytes() == given.read_bytes():
                yield listed(born.port, "e6616408", "Board in FS mode")

        port = flash.find(str(volume), given, console, comports=comports, mounted=lambda: [volume])
        assert port == born.port
        assert "copying MicroPython 1.25.0 to a blank Pico" in str(console)
        flash.flash(port, BOARD, console)


def test_a_blank_pico_that_does_not_come_back(volume: Path, tmp_path: Path) -> None:
    with pytest.raises(NoBoard, match="no board has come back"):
        ports.install(Blank(volume), uf2.read(micropython(tmp_path)), list, wait_s=0.3)
    (volume / "micropython.uf2").unlink()
    (volume / "micropython.uf2").mkdir()
    with pytest.raises(NoBoard, match=r"no board has come back \(Is a directory\)"):
        ports.install(Blank(volume), uf2.read(micropython(tmp_path)), list, wait_s=0.3)


def find(volume: Path, given: Path | None, console: Said) -> str:
    return flash.find(None, given, console, comports=list, mounted=lambda: [volume])


def test_a_blank_pico_without_a_uf2_says_what_to_do(
    volume: Path, tmp_path: Path, console: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(uf2.ENVIRONMENT, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(uf2.NoUf2, match=r"needs MicroPython first; name its UF2 .* with --uf2 or \$UNDERGLOW_UF2"):
        find(volume, None, console)
    assert list(volume.iterdir()) == [volume / "INFO_UF2.TXT"]


def test_a_uf2_that_will_not_do_is_not_copied(volume: Path, tmp_path: Path, console: Said) -> None:
    with pytest.raises(PicoError, match=r"MicroPython 1\.22 is too old for Underglow, which needs 1\.24"):
        find(volume, micropython(tmp_path, b"MicroPython v1.22.1 on 2024-01-05"), console)
    with pytest.raises(uf2.NoUf2):
        find(volume, micropython(tmp_path, b"something else"), console)
    other = tmp_path / "other.uf2"
    block = bytearray(micropython(tmp_path).read_bytes())
    for at in range(0, len(block), 512):
        struct.pack_into("<I", block, at + 28, 0xE48BFF59)  # the family of the RP2350
    other.write_bytes(block)
    with pytest.raises(uf2.NoUf2):
        find(volume, other, console)
    assert list(volume.iterdir()) == [volume / "INFO_UF2.TXT"]


def test_a_uf2_for_a_board_that_has_micropython_is_not_needed(tmp_path: Path, console: Said) -> None:
    given = micropython(tmp_path)
    assert flash.find(None, given, console, comports=lambda: [ONE], mounted=list) == "/dev/ttyACM0"
    assert "--uf2 is for a blank Pico; this one keeps its MicroPython." in str(console)


def test_two_boards_one_named_by_its_serial_number_is_flashed(console: Said) -> None:
    with ExitStack() as stack:
        left, right = (stack.enter_context(bench({})) for _ in range(2))
        there = [listed(left.port, "e66164aaaa", "left"), listed(right.port, "e66164bbbb", "right")]
        with pytest.raises(SeveralBoards):
            flash.find(None, None, console, comports=lambda: there, mounted=list)
        port = flash.find("bbbb", None, console, comports=lambda: there, mounted=list)
        flash.flash(port, BOARD, console)
        assert not flash.check(left.port, BOARD, console)
        assert flash.check(right.port, BOARD, console)
