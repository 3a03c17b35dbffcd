from pathlib import Path

from underglow import profile

BOARD = profile.load(Path(__file__).parent / "edges.toml")


def test_lamps_are_numbered_space_by_space_centre_first() -> None:
    assert BOARD.lamps == ((1, 2), (4,), (5,), (3,), (8,))
    assert [BOARD.lamp_of(name) for name in ("a", "a.e0", "a.e1", "a.e2", "b")] == [0, 1, 2, 3, 4]


def test_edges_go_clockwise_from_the_neighbour_at_q_plus_1() -> None:
    assert BOARD.pixel_mm[4] == (120, 100)
    assert BOARD.pixel_mm[5] == (110, 117.3)
    assert BOARD.pixel_mm[3] == (90, 117.3)


def test_spare_pixels_are_nowhere() -> None:
    assert [pixel for pixel, place in enumerate(BOARD.pixel_mm) if place is None] == [0, 6, 7, 9]
    none = profile.NO_LAMP
    assert BOARD.firmware()["pixel_lamp"] == [none, 0, 0, 3, 1, 2, none, none, 4, none]


def test_a_space_may_be_without_a_sensor() -> None:
    assert BOARD.space_of_sensor == {15: "a"}
    assert BOARD.space("b").hall is None
    assert BOARD.sensors == 16


def test_currents_in_microamperes() -> None:
    assert BOARD.firmware()["power"] == {"cap_ma": 400, "idle_ua": 1000, "channel_ua": 12500}
