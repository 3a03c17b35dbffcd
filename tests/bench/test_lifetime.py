"""Nothing is left behind, whoever ends first and however; and what there is to say when it cannot start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from bare_pico import wait_for

from underglow.bench import vm
from underglow.bench.vm import Bench, BenchGone, NoMicroPython
from underglow.profile import Board


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def family(pid: int) -> list[int]:
    """A process and all below it."""
    return [pid, *(grand for child in children(pid) for grand in family(child))]


def wait_until_gone(pids: list[int], folder: Path | None, timeout_s: float = 5.0) -> None:
    wait_for(lambda: not any(map(alive, pids)) and not (folder and folder.exists()), "something is left", timeout_s)


SPINNING = "print('spinning')\nwhile True: pass\n"
"""A program that never touches a pin, nor hears of anything."""


@pytest.fixture
def spinning(start: Callable[..., Bench]) -> tuple[Bench, list[int]]:
    """A bench whose program is busy, and the processes that belong to it."""
    bench = start(SPINNING)
    pids = [pid for child in children(os.getpid()) for pid in family(child)]
    wait_for(lambda: bench.stats()["bytes_from_board"] == len("spinning\n"), "it does not start")
    assert len(pids) == 2
    return bench, pids


def test_stop_ends_everything_and_may_be_called_twice(spinning: tuple[Bench, list[int]]) -> None:
    bench, pids = spinning
    folder = Path(bench.port).parent
    bench.stop()
    wait_until_gone(pids, folder, timeout_s=0.5)
    bench.stop()
    with pytest.raises(BenchGone):
        bench.pixels()


def test_kill_9_of_the_parent_leaves_nothing() -> None:
    script = f"""
        import time
        from underglow import profile
        from underglow.bench.vm import Bench
        bench = Bench.start(profile.load("hex48"), {{"main.py": {SPINNING.encode()!r}}})
        print(bench.port, flush=True)
        time.sleep(60)
    """
    parent = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    folder = Path(parent.stdout.readline().strip()).parent
    assert folder.is_dir()
    pids = family(parent.pid)
    assert len(pids) == 3
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_until_gone(pids, folder)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_whoever_ends_the_bench_ends_the_program_too(spinning: tuple[Bench, list[int]], number: int) -> None:
    bench, pids = spinning
    folder = Path(bench.port).parent
    os.kill(pids[0], number)
    wait_until_gone(pids[1:], None)
    with pytest.raises(BenchGone):
        bench.pixels()
    bench.stop()
    wait_until_gone(pids, folder)


def test_ctrl_c_in_the_terminal_is_for_the_parent_alone(spinning: tuple[Bench, list[int]]) -> None:
    bench, pids = spinning
    os.kill(pids[0], signal.SIGINT)
    time.sleep(0.05)
    assert bench.stats()["loads"] == 0
    assert all(map(alive, pids))
    assert all(os.getsid(pid) != os.getsid(0) for pid in pids)


def test_a_program_whose_interpreter_dies_leaves_the_bench_and_reset_brings_it_back(
    spinning: tuple[Bench, list[int]],
) -> None:
    bench, pids = spinning
    os.kill(pids[1], signal.SIGKILL)
    wait_until_gone(pids[1:], None)
    bench.place("h01")
    sent = bench.stats()["bytes_from_board"]
    assert bench.says() == "MicroPython is not running"
    bench.reset()
    wait_for(lambda: bench.stats()["bytes_from_board"] > sent, "it does not start again")


def test_several_threads_may_ask_at_once(start: Callable[..., Bench]) -> None:
    bench = start()
    answers: list[int] = []

    def ask() -> None:
        for _ in range(100):
            bench.place("h01", "mine")
            answers.append(bench.pixels().number)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [0] * 400


def test_two_benches_do_not_know_of_each_other(start: Callable[..., Bench]) -> None:
    one, other = start(), start()
    one.place("h01")
    assert (one.magnets(), other.magnets(), one.port == other.port) == ({"magnet": "h01"}, {}, False)


def test_without_micropython_one_sentence_says_what_to_do(
    board_profile: Board, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # pyright: ignore[reportUnknownLambdaType,reportUnknownArgumentType]
    with pytest.raises(NoMicroPython, match=r"pip install 'underglow\[bench\]'"):
        Bench.start(board_profile, {})


def test_micropython_beside_python_comes_first_then_the_module_then_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = tmp_path / "path" / "micropython"
    found.parent.mkdir()
    found.write_text("#!/bin/sh\n")
    found.chmod(0o755)
    monkeypatch.setenv("PATH", str(found.parent))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with monkeypatch.context() as patched:
        patched.setattr("importlib.util.find_spec", lambda name: None)  # pyright: ignore[reportUnknownLambdaType,reportUnknownArgumentType]
        assert vm.micropython() == [str(found)]
    assert vm.micropython() == [str(tmp_path / "python"), "-m", "micropython_unix"]
    beside = tmp_path / "micropython"
    beside.touch()
    assert vm.micropython() == [str(beside)]


def test_the_module_and_the_command_both_start_a_board(board_profile: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vm, "micropython", lambda: [sys.executable, "-m", "micropython_unix"])
    with Bench.start(board_profile, {"main.py": b"print('here')"}) as bench:
        wait_for(lambda: bench.stats()["bytes_from_board"] >= len("here\n"), "it does not start")
