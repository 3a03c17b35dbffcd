"""Buttons, and the staff's gesture: all three held for three seconds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from listening import Host

from underglow import image, wire
from underglow.bench.vm import Bench
from underglow.profile import Board
from underglow.session import Program
from underglow.testing import Hands, Strip

Pixels = tuple[tuple[int, int, int], ...]

ALL = ("confirm", "undo", "help")


def test_a_press_counts_once_however_its_contact_bounces(host: Host, hands: Hands) -> None:
    expected: list[int] = []
    for button in ("confirm", "undo", "help", "undo"):
        hands.press(button, bounce_ms=12)
        expected.append(ALL.index(button))
        host.until(lambda: host.presses == expected)
    hands.press("confirm", "help", bounce_ms=12)  # two together mean nothing
    host.listen(0.2)
    hands.press("help")
    host.until(lambda: host.presses == [*expected, wire.HELP])


def test_the_gesture_takes_three_seconds_and_is_no_press(host: Host, hands: Hands, board: Bench) -> None:
    down_ns = [board.press(button, bounce_ms=12) for button in ALL]
    host.until(lambda: host.presses == [wire.STAFF])
    assert 3.0 <= board.now_us / 1e6 - down_ns[-1] / 1e9 < 4.0
    for button in ALL:
        board.release(button, bounce_ms=12)
    host.listen(0.2)
    assert host.presses == [wire.STAFF]


def is_waiting(pixels: Pixels) -> bool:
    """The board's own light while nobody talks to it: blue."""
    return all(blue > red for red, _, blue in pixels)


def is_test_picture(pixels: Pixels, felt: int | None = None) -> bool:
    """Every lamp a dim white, but green where a magnet is."""
    return all(
        (red, blue) == (0, 0) and green > 100 if pixel == felt else 0 < red == green == blue < 64
        for pixel, (red, green, blue) in enumerate(pixels)
    )


def is_red(pixels: Pixels) -> bool:
    """What the host shows in these tests."""
    return all(red > 0 and (green, blue) == (0, 0) for red, green, blue in pixels)


class TestStaffGesture:
    """It turns the board's own test picture on, and off again. Here it takes 0.3 seconds."""

    @pytest.fixture
    def board_files(self, board_profile: Board) -> Mapping[str, bytes]:
        files = image.board_files(board_profile)
        buttons = files["drivers/buttons.py"]
        assert b"_STAFF_MS = 3000\n" in buttons
        return files | {"drivers/buttons.py": buttons.replace(b"_STAFF_MS = 3000\n", b"_STAFF_MS = 300\n")}

    def test_without_a_host_it_shows_magnets(self, hands: Hands, strip: Strip, board_profile: Board) -> None:
        strip.wait(is_waiting)
        hands.press(*ALL, hold_s=0.5)
        strip.wait(is_test_picture)
        hands.place("h19")
        (pixel,) = board_profile.lamps[board_profile.lamp_of("h19")]
        strip.wait(lambda pixels: is_test_picture(pixels, felt=pixel))
        hands.press(*ALL, hold_s=0.5)
        strip.wait(is_waiting)

    def test_with_a_host_that_goes_while_it_is_on_and_comes_back(
        self, host: Host, hands: Hands, strip: Strip, board: Bench, board_profile: Board
    ) -> None:
        every = tuple(range(len(board_profile.lamps)))
        host.show(((Program(wire.SOLID, 200, 0, 0), every),))
        host.listen(0.1)
        strip.wait(is_red)
        hands.press(*ALL, hold_s=0.5)
        host.until(lambda: host.presses == [wire.STAFF])
        strip.wait(is_test_picture)
        host.show(((Program(wire.SOLID, 100, 0, 0), every),))
        host.listen(0.1)
        assert is_test_picture(strip.pixels)  # what the host wants meanwhile has to wait
        hands.press(*ALL, hold_s=0.5)
        host.until(lambda: host.presses == [wire.STAFF] * 2)
        strip.wait(is_red)
        hands.press(*ALL, hold_s=0.5)
        strip.wait(is_test_picture)
        board.unplug()
        board.sleep(2.2)  # after two seconds it knows that it is alone
        assert is_test_picture(strip.pixels)
        hands.press(*ALL, hold_s=0.5)
        strip.wait(is_waiting)
        boots = len(host.boots)
        board.replug()
        host.until(lambda: len(host.boots) > boots)
        strip.wait(is_red)
