"""`firmware/drivers/buttons.py` on MicroPython: presses without bounce, and the staff's gesture."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
Script = list[tuple[int, int]]  # until when (ms), which are down (a bit each)
Told = list[tuple[int, list[int]]]


@pytest.fixture
def press(micropython: list[str], repository: Path) -> Callable[[Script], Told]:
    def run(script: Script) -> Told:
        out = subprocess.run(
            [*micropython, str(HERE / "run_buttons.py")],
            env={"MICROPYPATH": f"{repository / 'firmware'}:.frozen"},
            input=json.dumps(script) + "\n",
            capture_output=True,
            text=True,
        )
        assert out.returncode == 0, out.stdout + out.stderr
        return [(at_ms, presses) for at_ms, presses in json.loads(out.stdout)]

    return run


def test_a_press_counts_once_when_the_button_is_let_go(press: Callable[[Script], Told]) -> None:
    assert press([(100, 0), (300, 1), (400, 0)]) == [(304, [1, 0, 0, 0])]


def test_bounce_is_no_press(press: Callable[[Script], Told]) -> None:
    bounce = [(100 + 4 * i, i & 1) for i in range(1, 5)]
    back = [(300 + 4 * i, ~i & 1) for i in range(1, 5)]
    told = press([(100, 0), *bounce, (300, 1), *back, (500, 0)])
    assert [presses for _, presses in told] == [[1, 0, 0, 0]]


def test_each_button_counts_for_itself(press: Callable[[Script], Told]) -> None:
    script = [(100, 0)]
    for i in (0, 1, 2, 1):
        at_ms = script[-1][0]
        script += [(at_ms + 100, 1 << i), (at_ms + 200, 0)]
    assert press(script)[-1][1] == [1, 2, 1, 0]


def test_two_together_are_no_press(press: Callable[[Script], Told]) -> None:
    assert press([(100, 0), (200, 1), (300, 3), (400, 2), (500, 0)]) == []


def test_all_held_for_three_seconds_are_the_staffs_gesture_and_nothing_else(press: Callable[[Script], Told]) -> None:
    ((at_ms, presses),) = press([(100, 0), (150, 1), (200, 5), (8000, 7), (8100, 2), (8200, 0)])
    assert presses == [0, 0, 0, 1]
    assert 3200 <= at_ms <= 3212


def test_all_held_shorter_are_nothing(press: Callable[[Script], Told]) -> None:
    assert press([(100, 0), (3000, 7), (3100, 0)]) == []
