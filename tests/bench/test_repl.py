"""The REPLs of the bench's console, character by character as on the chip."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
import serial
from bare_pico import Pico, opened, until

from underglow.bench.vm import Bench

Start = Callable[..., Bench]

PASTE = b"\r\npaste mode; Ctrl-C to cancel, Ctrl-D to finish\r\n"


@pytest.fixture
def repl(start: Start) -> Iterator[serial.Serial]:
    with opened(start()) as port:
        port.write(b"\r\x03")
        time.sleep(0.05)
        port.write(b"print('be' 'gin')\r")
        until(port, b"begin\n>>> ")
        yield port


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (b"1 + 1\r", b"1 + 1\r\n2\n"),
        (b"1 + 2\x7f3\r", b"1 + 2\b \b3\r\n4\n"),
        (b"x = 5\rx\r", b"x = 5\r\n>>> x\r\n5\n"),
        (b"for i in 1, 2:\r  i\r\r", b"for i in 1, 2:\r\n...   i\r\n... \r\n1\n2\n"),
        (b"(1 +\r1)\r", b"(1 +\r\n... 1)\r\n2\n"),
        (b"'''a\rb'''\r", b"'''a\r\n... b'''\r\n'a\\nb'\n"),
        (b"\x1b[A7\r", b"7\r\n7\n"),
        (b"unfinished\x03", b"unfinished\r\n"),
        (b"if 1:\r  2\x03", b"if 1:\r\n...   2\r\n"),
        (b"\x05a = 4\ra\r\x04", PASTE + b"=== a = 4\r\n=== a\r\n=== \r\n"),
        (b"\x05a\x03", PASTE + b"=== a\r\n"),
        (b"1/0\r", b'1/0\r\nTraceback (most recent call last):\r\n  File "<stdin>", line 1, in <module>\r\n'
                   b"ZeroDivisionError: divide by zero\r\n"),
        (b"1 +\r", b'1 +\r\nTraceback (most recent call last):\r\n  File "<stdin>", line 1\r\n'
                   b"SyntaxError: invalid syntax\r\n"),
    ],
)  # fmt: skip
def test_the_friendly_repl_speaks_as_on_the_chip(repl: serial.Serial, typed: bytes, answer: bytes) -> None:
    repl.write(typed)
    time.sleep(0.03)
    repl.write(b"'e' 'nd'\r")
    assert until(repl, b"'end'\n") == answer + b">>> 'e' 'nd'\r\n'end'\n"


def test_raw_repl_prompts_and_soft_reset_are_those_mpremote_waits_for(repl: serial.Serial) -> None:
    repl.write(b"\x01")
    assert until(repl, b">") == b"\r\nraw REPL; CTRL-B to exit\r\n>"
    repl.write(b"kept = 1\x04")
    assert until(repl, b">") == b"OK\x04\x04>"
    repl.write(b"\x03print(kept)\x04")
    assert until(repl, b">") == b"OK1\n\x04\x04>"
    repl.write(b"raise OSError(5)\x04")
    assert b"\x04Traceback" in until(repl, b"\x04>")
    repl.write(b"\x05B\x01")
    assert until(repl, b">") == b"R\x00>"
    repl.write(b"\x05A\x01")
    assert repl.read(5) == b"R\x01\x80\x00\x01"
    source = b"total = 0\nfor i in range(100): total += i\n" + b"# " + b"-" * 80 + b"\nprint(total)\n"
    repl.write(source + b"\x04")
    assert until(repl, b">") == b"\x01" + b"\x04" + b"4950\n\x04\x04>"
    repl.write(b"\x05A\x01")
    assert repl.read(5) == b"R\x01\x80\x00\x01"
    repl.write(b"never\x03")
    assert until(repl, b">").startswith(b"\x04\x04")
    repl.write(b"\x04")
    assert until(repl, b">") == b"OK\r\nMPY: soft reboot\r\nraw REPL; CTRL-B to exit\r\n>"
    repl.write(b"print('kept' in globals())\x04")
    assert until(repl, b">") == b"OKFalse\n\x04\x04>"
    repl.write(b"\x02")
    assert until(repl, b">>> ").startswith(b"\r\nMicroPython v1.")


def test_a_soft_reset_runs_boot_and_main_again_but_main_not_from_the_raw_repl(start: Start) -> None:
    bench = start("print('main')", {"boot.py": "print('boot')"})
    with opened(bench) as port:
        until(port, b">>> ")
        port.write(b"\x04")
        assert until(port, b">>> ").startswith(b"\r\nMPY: soft reboot\r\nboot\nmain\nMicroPython")
        port.write(b"\x01")
        until(port, b">")
        port.write(b"\x04")
        assert until(port, b">") == b"OK\r\nMPY: soft reboot\r\nboot\nraw REPL; CTRL-B to exit\r\n>"


def test_a_program_that_exits_is_started_again(start: Start) -> None:
    bench = start("import sys\nprint('main')\nsys.stdin.read(1)\nsys.exit()")
    with opened(bench) as port:
        until(port, b"main\n")
        port.write(b"x")
        assert until(port, b"main\n") == b"MPY: soft reboot\r\nmain\n"


def test_what_was_typed_ahead_survives_a_soft_reset(repl: serial.Serial) -> None:
    repl.write(b"\x04" + b"6 * 7\r")
    assert b"42\n" in until(repl, b"42\n>>> ")


def test_a_program_that_died_with_the_heap_locked_leaves_a_repl(start: Start) -> None:
    bench = start("import micropython\nmicropython.heap_lock()\nmicropython.heap_lock()\nx = [1] * 100")
    with opened(bench) as port:
        assert b"heap is locked" in until(port, b">>> ")
        port.write(b"len([1] * 100)\r")
        assert b"100\n" in until(port, b">>> ")


def test_a_broken_main_leaves_a_repl(start: Start) -> None:
    with opened(start("def oops(:")) as port:
        assert b"SyntaxError" in until(port, b">>> ")


def test_interrupting_the_raw_repl_ends_the_program_not_the_repl(pico: Pico) -> None:
    pico.begin("while True: pass")
    time.sleep(0.02)
    pico.port.write(b"\x03")
    output, error = pico.end()
    assert (output, "KeyboardInterrupt" in error) == ("", True)
    assert pico.run("print(1)") == "1"
