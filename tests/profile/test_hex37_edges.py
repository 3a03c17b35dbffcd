import itertools
import math

import pytest

from underglow import profile
from underglow.board_file import EDGES
from underglow.profile import Board, Space


@pytest.fixture(scope="module")
def board() -> Board:
    return profile.load("hex37-edges")


@pytest.fixture(scope="module")
def hex48() -> Board:
    return profile.load("hex48")


def edged(board: Board) -> list[Space]:
    return [space for space in board.spaces if space.kind in ("hex", "rim")]


def test_it_has_the_spaces_and_sensors_of_hex48_so_that_overlays_are_alike(board: Board, hex48: Board) -> None:
    assert [(space.id, space.kind, space.q, space.r, space.hall) for space in board.spaces] == [
        (space.id, space.kind, space.q, space.r, space.hall) for space in hex48.spaces
    ]
    assert board.readers == hex48.readers


def test_hexes_and_rim_spaces_lie_to_each_other_as_on_hex48(board: Board, hex48: Board) -> None:
    larger = board.hex_mm / hex48.hex_mm
    middle, theirs = board.space("h19"), hex48.space("h19")
    for space in edged(board):
        other = hex48.space(space.id)
        assert space.x_mm - middle.x_mm == pytest.approx(larger * (other.x_mm - theirs.x_mm), abs=0.2)
        assert space.y_mm - middle.y_mm == pytest.approx(larger * (other.y_mm - theirs.y_mm), abs=0.2)


def test_no_two_spaces_overlap_and_all_are_on_the_sheet(board: Board) -> None:
    half_mm = {"zone": (board.zone_mm[0] / 2, board.zone_mm[1] / 2)}
    cell_mm = (board.hex_mm / 2, board.hex_mm / math.sqrt(3))
    for space in board.spaces:
        half_width, half_height = half_mm.get(space.kind, cell_mm)
        assert half_width <= space.x_mm <= board.width_mm - half_width
        assert half_height <= space.y_mm <= board.height_mm - half_height
    for one, other in itertools.combinations(board.spaces, 2):
        apart_x, apart_y = abs(one.x_mm - other.x_mm), abs(one.y_mm - other.y_mm)
        if "zone" in (one.kind, other.kind):
            (width, height), (other_width, other_height) = (half_mm.get(s.kind, cell_mm) for s in (one, other))
            assert apart_x >= width + other_width or apart_y >= height + other_height
        else:
            assert math.hypot(apart_x, apart_y) >= board.hex_mm - 0.1


def test_each_hex_and_rim_space_has_a_lamp_in_the_middle_and_a_ring_of_six(board: Board) -> None:
    assert sorted(board.lamps) == [(pixel,) for pixel in range(7 * 43 + 5)]
    for space in edged(board):
        assert tuple(space.lamps) == ("centre", *EDGES)
        around = [board.pixel_mm[board.lamps[space.lamps[edge]][0]] for edge in EDGES]
        for place, following in itertools.pairwise([*around, around[0]]):
            assert place
            assert following
            from_middle = (place[0] - space.x_mm, place[1] - space.y_mm)
            turned = (following[0] - space.x_mm, following[1] - space.y_mm)
            assert math.hypot(*from_middle) == pytest.approx(0.4 * board.hex_mm, abs=0.1)
            # A sixth of a turn, clockwise where y counts downwards.
            turn = math.atan2(turned[1], turned[0]) - math.atan2(from_middle[1], from_middle[0])
            assert math.degrees(turn) % 360 == pytest.approx(60, abs=0.3)


def test_an_edge_lies_against_the_neighbour_s_opposite_one_and_apart_from_it(board: Board) -> None:
    spaces = edged(board)
    for one, other in itertools.permutations(spaces, 2):
        if math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) > 1.1 * board.hex_mm:
            continue
        angle = math.degrees(math.atan2(other.y_mm - one.y_mm, other.x_mm - one.x_mm))
        edge = round(angle / 60) % 6
        ours, theirs = (board.places_mm[f"{s.id}.e{e}"] for s, e in ((one, edge), (other, (edge + 3) % 6)))
        assert math.dist(ours, theirs) == pytest.approx(0.2 * board.hex_mm, abs=0.2)


def test_the_strip_is_short_to_wire(board: Board) -> None:
    places = [place for place in board.pixel_mm if place is not None]
    assert len(places) == board.pixels
    for pixel, (here, there) in enumerate(itertools.pairwise(places)):
        within_a_space = pixel % 7 != 6 and pixel < 7 * 42
        assert math.dist(here, there) < (0.41 if within_a_space else 3) * board.hex_mm


def test_dark_pixels_count_in_the_power_it_may_draw(board: Board) -> None:
    dark_ma = board.pixels * board.strip.idle_ua / 1000
    assert dark_ma == pytest.approx(184, abs=1)
    white_ma = dark_ma + board.pixels * 3 * board.strip.channel_ma
    assert dark_ma + (white_ma - dark_ma) / 4 < board.power.cap_ma < board.power.supply_ma < white_ma


def test_a_place_without_a_lamp_is_told_from_a_space_there_is_not(board: Board, hex48: Board) -> None:
    assert board.can_light("h01.e0")
    assert hex48.can_light("h01")
    assert not hex48.can_light("h01.e0")
    assert not board.can_light("pad.e0")
    with pytest.raises(KeyError):
        hex48.can_light("h38.e0")
