import copy
import itertools
import json
import math
from pathlib import Path
from zlib import crc32

import pytest

from underglow import profile
from underglow.profile import Board


@pytest.fixture(scope="module")
def hex48() -> Board:
    return profile.load("hex48")


def test_48_spaces_each_with_a_sensor_and_a_lamp_of_one_pixel(hex48: Board) -> None:
    ids = [f"h{n:02}" for n in range(1, 38)] + [f"r{n}" for n in range(1, 7)] + [f"z{n}" for n in range(1, 5)] + ["pad"]
    assert [space.id for space in hex48.spaces] == ids
    assert (hex48.sensors, hex48.pixels, len(hex48.lamps)) == (48, 48, 48)
    assert sorted(hex48.space_of_sensor) == list(range(48))
    assert sorted(hex48.space_of_sensor.values()) == sorted(ids)
    assert sorted(hex48.lamps) == [(pixel,) for pixel in range(48)]
    for space in hex48.spaces:
        assert space.hall is not None
        assert hex48.space_of_sensor[space.hall] == space.id
        assert hex48.lamp_of(space.id) == hex48.lamp_of(f"{space.id}.centre") == space.lamps["centre"]
        assert hex48.pixel_mm[hex48.lamps[hex48.lamp_of(space.id)][0]] == (space.x_mm, space.y_mm)
        assert hex48.space(space.id) is space


def test_hexes_stand_where_their_coordinates_say(hex48: Board) -> None:
    hexes = [space for space in hex48.spaces if space.kind == "hex"]
    cells = [(space.q, space.r) for space in hexes if space.q is not None and space.r is not None]
    assert cells == sorted(cells, key=lambda cell: (cell[1], cell[0]))  # row by row, from the top-left
    assert set(cells) == {(q, r) for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3}
    middle = hex48.space("h19")
    for space, (q, r) in zip(hexes, cells, strict=True):
        assert space.x_mm == pytest.approx(middle.x_mm + hex48.hex_mm * (q + r / 2), abs=0.06)
        assert space.y_mm == pytest.approx(middle.y_mm + hex48.hex_mm * r * math.sqrt(3) / 2, abs=0.06)


def test_no_two_spaces_overlap_and_all_are_on_the_sheet(hex48: Board) -> None:
    half_mm = {"zone": (hex48.zone_mm[0] / 2, hex48.zone_mm[1] / 2)}
    for space in hex48.spaces:
        half_width, half_height = half_mm.get(space.kind, (hex48.hex_mm / 2, hex48.hex_mm / math.sqrt(3)))
        assert half_width <= space.x_mm <= hex48.width_mm - half_width
        assert half_height <= space.y_mm <= hex48.height_mm - half_height
        for other in hex48.spaces:
            apart_x, apart_y = abs(space.x_mm - other.x_mm), abs(space.y_mm - other.y_mm)
            if "zone" not in (space.kind, other.kind):
                assert other is space or math.hypot(apart_x, apart_y) >= hex48.hex_mm - 0.1
            elif other is not space:
                other_width, other_height = half_mm.get(other.kind, (hex48.hex_mm / 2, hex48.hex_mm / math.sqrt(3)))
                assert apart_x >= half_width + other_width or apart_y >= half_height + other_height


def test_strip_and_chain_are_short_to_wire(hex48: Board) -> None:
    places = [place for place in hex48.pixel_mm if place is not None]
    for here, there in itertools.pairwise(places):
        assert math.dist(here, there) < 3.2 * hex48.hex_mm
    for chip in range(hex48.hall.chips):
        spaces = [hex48.space(hex48.space_of_sensor[8 * chip + bit]) for bit in range(8)]
        middle = (sum(space.x_mm for space in spaces) / 8, sum(space.y_mm for space in spaces) / 8)
        assert all(math.dist(middle, (space.x_mm, space.y_mm)) < 3.2 * hex48.hex_mm for space in spaces)


def test_sensors_are_numbered_as_the_chain_shifts_out(hex48: Board) -> None:
    assert hex48.space_of_sensor[0] == "r1"  # 1H
    assert hex48.space_of_sensor[7] == "h11"  # 1A
    assert hex48.space_of_sensor[8] == "h03"  # 2H
    assert hex48.space_of_sensor[47] == "z4"  # 6A


def test_what_the_pico_holds(hex48: Board) -> None:
    expected = json.loads((Path(__file__).parent / "hex48.json").read_text())
    assert hex48.firmware() == expected
    del expected["crc"]
    assert hex48.crc == crc32(json.dumps(expected, sort_keys=True, separators=(",", ":")).encode())


def test_a_board_is_a_value(hex48: Board) -> None:
    again = profile.load(profile.boards_dir() / "hex48.toml")
    assert again == hex48
    assert hash(again) == hash(hex48)
    copied = copy.deepcopy(hex48)  # as pickle does on the way to another process
    assert copied == hex48
    assert copied.lamp_of("pad") == hex48.lamp_of("pad")


def test_no_such_space_or_lamp(hex48: Board) -> None:
    for name in ("h38", "h01.e0", "", "."):
        with pytest.raises(KeyError):
            hex48.lamp_of(name)
