"""`firmware/lights.py` on MicroPython: effects, gamma, brightness, and the current cap on every path."""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from underglow import wire

HERE = Path(__file__).parent
POWER = {"cap_ma": 900, "idle_ua": 600, "channel_ua": 12_000}


class Draw:
    """Draws cases with the firmware's own lights."""

    def __init__(self, micropython: list[str], repository: Path) -> None:
        self._micropython = micropython
        self._path = f"{repository / 'firmware'}:{Path(wire.__file__).parent}:.frozen"

    def __call__(self, *cases: dict[str, Any]) -> list[list[dict[str, Any]]]:
        usual = {"lamps": 4, "pixel_lamp": [0, 1, 2, 3], "order": "GRB", "power": POWER, "brightness": 255}
        usual |= {"groups": [], "at_ms": [0], "own": None}
        out = subprocess.run(
            [*self._micropython, str(HERE / "run_lights.py")],
            env={"MICROPYPATH": self._path},
            input="".join(json.dumps(usual | case) + "\n" for case in cases),
            capture_output=True,
            text=True,
        )
        assert out.returncode == 0, out.stdout + out.stderr
        return [json.loads(line) for line in out.stdout.splitlines()]


@pytest.fixture(scope="module")
def draw(micropython: list[str], repository: Path) -> Draw:
    return Draw(micropython, repository)


def levels(frames: list[dict[str, Any]], pixel: int = 0) -> list[int]:
    """The blue of one pixel over time (the lowest of the three bytes of a GRB word)."""
    return [frame["words"][pixel] >> 8 & 0xFF for frame in frames]


def effect(number: int, period_ms: int = 1000, lamps: tuple[int, ...] = (0, 1, 2, 3), phase: int = 0) -> dict[str, Any]:
    return {"groups": [[[number, 0, 0, 255, period_ms, phase], list(lamps)]], "at_ms": list(range(0, period_ms, 50))}


def test_colours_go_out_in_the_order_of_the_strip(draw: Draw) -> None:
    solid = {"groups": [[[wire.SOLID, 255, 128, 0, 0, 0], [0]]]}
    (grb,), (rgb,) = draw(solid | {"order": "GRB"}, solid | {"order": "RGB"})
    half = round(255 * (128 / 255) ** 2.4)
    assert grb["words"] == [half << 24 | 255 << 16, 0, 0, 0]
    assert rgb["words"] == [255 << 24 | half << 16, 0, 0, 0]


def test_each_effect_moves_as_its_name_says(draw: Draw) -> None:
    frames = dict(zip(wire.EFFECTS, draw(*(effect(number) for number in range(7))), strict=True))
    assert set(levels(frames["off"])) == {0}
    assert set(levels(frames["solid"])) == {255}
    assert levels(frames["blink"]) == [255] * 10 + [0] * 10
    pulse = levels(frames["pulse"])
    assert pulse[0] == 0
    assert max(pulse) == pulse[3]
    assert pulse[3:] == sorted(pulse[3:], reverse=True)
    breathe = levels(frames["breathe"])
    assert all(abs(rise - fall) <= 6 for rise, fall in zip(breathe[1:10], breathe[:10:-1], strict=True))
    assert 0 < min(breathe) < max(breathe) == 255
    for pixel in range(4):  # a comet that reaches lamp i after i quarters of the period, its tail a quarter long
        chase = levels(frames["chase"], pixel)
        assert chase.index(255) == 5 * pixel
        assert sum(level > 0 for level in chase) == 5
    assert [levels(frames["sweep"], pixel).count(255) for pixel in range(4)] == [20, 15, 10, 5]  # one joins the other


def test_phase_shifts_an_effect_by_its_part_of_the_period(draw: Draw) -> None:
    plain, shifted = draw(effect(wire.BLINK), effect(wire.BLINK, phase=128))
    assert levels(shifted) == levels(plain)[10:] + levels(plain)[:10]


def test_a_lamp_is_all_its_pixels_and_a_pixel_of_no_lamp_stays_dark(draw: Draw) -> None:
    ((frame,),) = draw({"pixel_lamp": [1, 0, 0xFFFF, 1], "groups": [[[wire.SOLID, 0, 0, 255, 0, 0], [1]]]})
    assert levels([frame], 0) == levels([frame], 3) == [255]
    assert frame["words"][1:3] == [0, 0]


def test_brightness_dims_everything(draw: Draw) -> None:
    results = draw(*(effect(wire.SOLID) | {"brightness": b} for b in (0, 1, 128, 255)))
    assert [levels(frames)[0] for frames in results] == [0, 1, 128, 255]


def load_ma(frame: dict[str, Any], power: dict[str, int]) -> float:
    """The strip's current, worked out from the words alone."""
    channels = sum(word >> shift & 0xFF for word in frame["words"] for shift in (8, 16, 24))
    return (channels * power["channel_ua"] / 255 + len(frame["words"]) * power["idle_ua"]) / 1000


def test_the_current_cap_holds_for_any_picture(draw: Draw) -> None:
    chance = random.Random(1)
    cases: list[dict[str, Any]] = []
    for _ in range(60):
        pixels = chance.randrange(1, 301)
        power = {
            "cap_ma": chance.randrange(200, 2000),
            "idle_ua": chance.randrange(0, 1000),
            "channel_ua": chance.randrange(1000, 20_000),
        }
        program = [chance.randrange(7), *(chance.randrange(256) for _ in range(3)), chance.randrange(4000), 0]
        cases.append(
            {"lamps": 1, "pixel_lamp": [0] * pixels, "power": power, "groups": [[program, [0]]]}
            | {"at_ms": [0, 333, 7777], "brightness": chance.choice([40, 255]), "own": chance.choice([None, program])}
        )
    capped = 0
    for case, frames in zip(cases, draw(*cases), strict=True):
        for frame in frames:
            assert load_ma(frame, case["power"]) <= max(
                case["power"]["cap_ma"], case["power"]["idle_ua"] * len(case["pixel_lamp"]) / 1000
            )
            assert abs(frame["load_ma"] - load_ma(frame, case["power"])) <= 2
            capped += load_ma(frame, case["power"]) > 0.9 * case["power"]["cap_ma"]
    assert capped > 10  # the cap was at work


def test_a_capped_picture_keeps_its_colours(draw: Draw) -> None:
    white = {"pixel_lamp": [0] * 48, "groups": [[[wire.SOLID, 255, 255, 255, 0, 0], [0]]]}
    ((frame,),) = draw(white)
    red, green, blue = (frame["words"][0] >> shift & 0xFF for shift in (16, 24, 8))
    assert red == green == blue < 255
    assert 880 < frame["load_ma"] <= 900


def test_the_boards_own_light_leaves_the_hosts_as_it_is(draw: Draw) -> None:
    picture = {"groups": [[[wire.SOLID, 255, 0, 0, 0, 0], [0]]]}
    (own,), (again,) = draw(picture | {"own": [wire.SOLID, 0, 0, 255, 0, 0]}, picture)
    assert own["words"] == [255 << 8] * 4
    assert again["words"] == [255 << 16, 0, 0, 0]


def test_the_board_takes_groups_exactly_as_the_host_believes(draw: Draw) -> None:
    chance = random.Random(2)
    cases: list[dict[str, Any]] = []
    for _ in range(400):
        lamps = chance.randrange(1, 300)
        groups = b"".join(
            wire.group(
                (chance.randrange(8), *(chance.randrange(256) for _ in range(3)), chance.randrange(5000), 17),
                [chance.randrange(lamps + chance.choice((0, 0, 3))) for _ in range(chance.randrange(12))],
            )
            for _ in range(chance.randrange(4))
        )
        cases.append({"lamps": lamps, "take": list(groups[: chance.choice((None, None, None, len(groups) // 2))])})
    both: list[Any] = draw(*cases)
    assert all(ours == theirs for ours, theirs in both)
    assert {str(ours) for ours, _ in both if isinstance(ours, str)} == {
        "no such effect",
        "a group is cut short",
        "no such lamp",
    }
    assert sum(isinstance(ours, list) for ours, _ in both) > 100
