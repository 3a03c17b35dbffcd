"""What goes wrong is one sentence that says what to do."""

from __future__ import annotations

import os
import signal
import threading
import tty
from contextlib import suppress
from pathlib import Path

import pytest
import serial
from boards import BOARD, CALIBRATION, IMAGE, Said, bench, digests, holds, littlefs, remove
from interruption import after

from underglow import flash
from underglow.link import LinkError
from underglow.pico import PicoError, PicoLost

#: A boot.py under which `import sys` and others give something else; the rest stays as it is.
_OTHERWISE = """
import sys
class Other:
    pass
def otherwise(name, **changed):
    real = __import__(name)
    other = Other()
    for key in dir(real):
        if key[:2] != "__":
            setattr(other, key, getattr(real, key))
    for key in changed:
        setattr(other, key, changed[key])
    sys.modules[name] = other
implementation = Other()
implementation.name, implementation.version, implementation._machine = "micropython", (1, 29, 0), "a test"
implementation._mpy = sys.implementation._mpy
"""


def told(port: str, error: pytest.ExceptionInfo[Exception]) -> str:
    """The sentence, which names the port first."""
    assert error.value.args[0].startswith(f"{port}: ")
    return error.value.args[0].removeprefix(f"{port}: ")


@pytest.mark.parametrize(
    ("boot", "sentence"),
    [
        (
            "implementation.version = (1, 22, 1)\notherwise('sys', implementation=implementation)",
            "MicroPython 1.22.1 is too old for Underglow, which needs 1.24; hold the board's BOOTSEL button",
        ),
        (
            "implementation.name = 'circuitpython'\notherwise('sys', implementation=implementation)",
            "the board runs circuitpython, not MicroPython;",
        ),
        (
            "implementation._machine = 'Another with ESP32'\notherwise('sys', implementation=implementation)\n"
            "del sys.modules['rp2']",
            "this board is no Raspberry Pi Pico but Another with ESP32;",
        ),
        (
            "class Sha:\n def update(self, data): pass\n def digest(self): return b'wrong'\n"
            "otherwise('hashlib', sha256=Sha)",
            "flashed.json arrived damaged; run this again",
        ),
    ],
)
def test_another_board_than_ours(boot: str, sentence: str, console: Said) -> None:
    with bench({"boot.py": (_OTHERWISE + boot).encode()}) as board:
        with pytest.raises(PicoError) as error:
            flash.flash(board.port, BOARD, console)
        assert told(board.port, error).startswith(sentence)


def test_no_such_port(tmp_path: Path, console: Said) -> None:
    port = str(tmp_path / "none")
    with pytest.raises(LinkError) as error:
        flash.flash(port, BOARD, console)
    assert told(port, error) == "there is no such port; is the board plugged in?"


def test_a_file_is_no_port(tmp_path: Path, console: Said) -> None:
    port = tmp_path / "file"
    port.touch()
    with pytest.raises(LinkError) as error:
        flash.flash(str(port), BOARD, console)
    assert told(str(port), error) == "this is not a serial port."


def test_a_busy_port(console: Said) -> None:
    with bench(IMAGE) as board, serial.Serial(board.port, exclusive=True):
        with pytest.raises(LinkError) as error:
            flash.flash(board.port, BOARD, console)
        assert told(board.port, error).startswith("another program holds this port")


@pytest.mark.parametrize("answer", [b"", b"ERROR\r\n"])
def test_something_else_at_the_port(answer: bytes, console: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("underglow.pico._ENTER_S", (0.2, 0.2))
    monkeypatch.setattr("underglow.pico._ANSWER_S", 0.2)
    modem, port = os.openpty()
    tty.setraw(port)

    def answers() -> None:
        with suppress(OSError):  # once nobody has it open
            while os.read(modem, 100):
                os.write(modem, answer)

    thread = threading.Thread(target=answers)
    thread.start()
    name = os.ttyname(port)
    try:
        with pytest.raises(PicoError) as error:
            flash.flash(name, BOARD, console)
        assert told(name, error).startswith("what is there does not answer like MicroPython;")
    finally:
        os.close(port)
        thread.join()
        os.close(modem)


def test_a_full_board_says_so_and_is_repaired_when_there_is_room(console: Said) -> None:
    with littlefs(CALIBRATION | {"photo": bytes(100_000)}, blocks=40) as board:
        with pytest.raises(PicoError) as error:
            flash.flash(board.port, BOARD, console)
        assert told(board.port, error).startswith("the board's file system is full, ")
        assert ".mpy does not fit; remove files of your own" in str(error.value)
        assert "main.py" not in holds(board.port)
        remove(board.port, "photo")
        flash.flash(board.port, BOARD, console)
        assert holds(board.port) == digests(IMAGE | CALIBRATION)


def test_a_read_only_file_system(console: Said) -> None:
    with littlefs(CALIBRATION, readonly=True) as board:
        with pytest.raises(PicoError) as error:
            flash.flash(board.port, BOARD, console)
        assert "the board's file system is read-only" in told(board.port, error)
        assert holds(board.port) == digests(CALIBRATION)


def test_a_pulled_cable(console: Said) -> None:
    with bench({}) as board, after(5000, lambda: board.unplug(power=True)), pytest.raises(PicoLost) as error:
        flash.flash(board.port, BOARD, console)
    assert told(board.port, error) == (
        "the cable was pulled or the board restarted; run this again, which goes on where it stopped."
    )


def test_ctrl_c(console: Said) -> None:
    with bench({}) as board:
        with after(5000, lambda: signal.raise_signal(signal.SIGINT)), pytest.raises(PicoError) as error:
            flash.flash(board.port, BOARD, console)
        assert told(board.port, error).startswith("stopped. The board waits at its REPL; run this again")
        flash.flash(board.port, BOARD, console)
        assert holds(board.port) == digests(IMAGE)


def test_a_source_that_does_not_compile(console: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("underglow.image.board_files", lambda board: {"lights.py": b"x = 1\ny = = 2\n"})  # pyright: ignore[reportUnknownLambdaType,reportUnknownArgumentType]
    with bench(IMAGE) as board:
        with pytest.raises(PicoError) as error:
            flash.flash(board.port, BOARD, console)
        assert str(error.value).startswith('lights.py does not compile for the board: File "lights.py", line 2')
        assert flash.welcome(board.port, BOARD) == flash.version()  # it runs on as before


def test_firmware_that_does_not_start(console: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("underglow.flash._WELCOME_S", 0.5)
    monkeypatch.setattr("underglow.image.board_files", lambda board: {"main.py": b"import nothing\n"})  # pyright: ignore[reportUnknownLambdaType,reportUnknownArgumentType]
    with bench({}) as board:
        with pytest.raises(PicoError) as error:
            flash.flash(board.port, BOARD, console)
        assert "every file is in place, but the firmware does not start" in told(board.port, error)


def test_an_mpy_cross_of_another_version(console: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "mpy-cross"
    other.write_text("#!/bin/sh\necho MicroPython v1.19.1 on 2022-06-18\\; mpy-cross emitting mpy v6\n")
    other.chmod(0o755)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # pyright: ignore[reportUnknownLambdaType,reportUnknownArgumentType]
    monkeypatch.setenv("PATH", str(tmp_path))
    with bench({}) as board:
        flash.flash(board.port, BOARD, console)
        assert "makes compiled files of version 6, the board takes 6.3; sources are copied instead." in str(console)
        assert "wire.py" in holds(board.port)
