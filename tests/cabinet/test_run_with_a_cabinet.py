"""`underglow run --cabinet` as keepers type it: on a Raspberry Pi, and where it cannot be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from raspberry import Colours
from test_cabinet import OFF, emitted, until

from underglow.themes import SEATS

UNDERGLOW = str(Path(sys.executable).with_name("underglow"))
PI = Path(__file__).with_name("raspberry.py")
NO_PI = {"BLINKA_FORCECHIP": "GENERIC_X86", "BLINKA_FORCEBOARD": "GENERIC_LINUX_PC"}


def started(folder: Path, *command: str, **env: str) -> subprocess.Popen[str]:
    """A headless game on the simulated board, started by that command."""
    return subprocess.Popen(
        [*command, "--headless", "--seed", "3", "--journal", str(folder / "journal.sqlite")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | env,
        start_new_session=True,
    )


def end(run: subprocess.Popen[str], how: signal.Signals) -> str:
    run.send_signal(how)
    said, _ = run.communicate(timeout=20)
    assert run.returncode == 0, said
    return said


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_game_lights_the_cabinet_and_leaves_it_dark(
    tmp_path: Path, how: signal.Signals, micropython: list[str]
) -> None:
    strip = tmp_path / "strip"
    run = started(tmp_path, sys.executable, str(PI), "run", "--cabinet", "12@D18", STRIP=str(strip))

    def shown() -> list[tuple[int, Colours]]:
        lines = strip.read_text().split("\n")[:-1] if strip.exists() else []
        return [(pin, [(r, g, b) for r, g, b in colours]) for pin, colours in map(json.loads, lines)]

    turn = (18, [emitted(SEATS[0])] * 12)
    try:
        until(lambda: turn in shown())
    finally:
        said = end(run, how)
    assert shown()[-1] == (18, [OFF] * 12)
    assert "cabinet lights are out" not in said


def test_without_the_option_nothing_of_it_is_imported(tmp_path: Path, micropython: list[str]) -> None:
    modules = tmp_path / "modules"
    modules.mkdir()
    for name in ("adafruit_blinka", "adafruit_pixelbuf", "board", "digitalio", "microcontroller", "neopixel"):
        (modules / f"{name}.py").write_text("import os\nprint('imported after all')\nos._exit(9)\n")
    run = started(tmp_path, UNDERGLOW, "run", PYTHONPATH=str(modules))
    assert run.stdout
    assert any("lays a skill card" in line for line in run.stdout)
    assert "imported after all" not in end(run, signal.SIGINT)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("", "'' names no strip: say how many pixels (2 to 144) on which pin, such as 12@D18"),
        ("D18", "'D18' names no strip: say how many pixels (2 to 144) on which pin, such as 12@D18"),
        ("12@D18", "cabinet lights need a computer with pins that Blinka knows, such as a Raspberry Pi"),
    ],
)
def test_what_is_wrong_with_the_cabinet_is_one_sentence_and_a_code(tmp_path: Path, given: str, says: str) -> None:
    run = started(tmp_path, UNDERGLOW, "run", "--cabinet", given, **NO_PI)
    said, _ = run.communicate(timeout=20)
    assert run.returncode == 2
    assert said.split("\n")[-2] == says
    assert not (tmp_path / "journal.sqlite").exists(), "it is told before a game begins"


def test_a_pin_this_pi_does_not_have_is_one_sentence_and_a_code(tmp_path: Path) -> None:
    run = started(tmp_path, sys.executable, str(PI), "run", "--cabinet", "12@D88", STRIP=str(tmp_path / "strip"))
    said, _ = run.communicate(timeout=20)
    assert run.returncode == 2
    assert said.startswith("this computer has no pin 'D88'; there are: D0, D1, ")
    assert said.count("\n") == 1
