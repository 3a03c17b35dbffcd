"""Hands, faults and figures of a running bench, with a program that only scans."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from bare_pico import CHAIN, STRIP, Pico, wait_for

from underglow.bench.vm import Bench, BenchGone
from underglow.profile import Board

# One line a scan: the bits of the chain, first bit out first.
SCANS = (
    CHAIN
    + """
def scans(times):
    for _ in range(times):
        scan()
        print("".join("{:08b}".format(cell) for cell in cells))
"""
)


@pytest.fixture
def scanner(pico: Pico) -> Pico:
    pico.run(SCANS)
    return pico


def felt(scanner: Pico, board: Board, times: int = 1) -> list[set[str]]:
    """The spaces where each scan read low."""
    return [
        {space.id for space in board.spaces if space.hall is not None and bits[space.hall] == "0"}
        for bits in scanner.run(f"scans({times})").split()
    ]


def test_every_space_is_felt_where_the_profile_says(scanner: Pico, board_profile: Board) -> None:
    for space in board_profile.spaces:
        scanner.bench.place(space.id, "finger")
        assert felt(scanner, board_profile) == [{space.id}]


def test_two_magnets_on_a_space_feel_like_one(scanner: Pico, board_profile: Board) -> None:
    scanner.bench.place("h07", "one")
    scanner.bench.place("h07", "other")
    scanner.bench.lift("one")
    assert felt(scanner, board_profile) == [{"h07"}]
    scanner.bench.place("z1", "other")
    assert felt(scanner, board_profile) == [{"z1"}]
    scanner.bench.lift("other")
    assert felt(scanner, board_profile) == [set()]


def test_a_bouncing_space_chatters_after_each_change(scanner: Pico, board_profile: Board) -> None:
    scanner.bench.bounce("h05", 3)
    scanner.bench.place("h05")
    assert felt(scanner, board_profile, 6) == [{"h05"}, set(), {"h05"}, {"h05"}, {"h05"}, {"h05"}]
    scanner.bench.lift("magnet")
    assert felt(scanner, board_profile, 5) == [set(), {"h05"}, set(), set(), set()]


def test_a_stuck_space_says_the_same_whatever_lies_there(scanner: Pico, board_profile: Board) -> None:
    bench = scanner.bench
    bench.stick("h05", True)
    assert felt(scanner, board_profile) == [{"h05"}]
    bench.place("h05")
    bench.stick("h05", False)
    assert felt(scanner, board_profile) == [set()]
    bench.stick("h05", None)
    assert felt(scanner, board_profile) == [{"h05"}]


def test_faults_need_a_sensor_that_exists(scanner: Pico) -> None:
    with pytest.raises(ValueError, match="no space 'h99'"):
        scanner.bench.stick("h99", True)
    with pytest.raises(ValueError, match="no space 'h99'"):
        scanner.bench.bounce("h99", 3)


def test_a_token_without_a_magnet_is_not_felt_but_stands_there(scanner: Pico, board_profile: Board) -> None:
    bench = scanner.bench
    bench.equip("card", magnet=False, uid=bytes.fromhex("04a1b2c3d4e580"))
    bench.place("z1", "card")
    bench.place("h07", "figure")
    assert felt(scanner, board_profile) == [{"h07"}]
    assert (bench.tokens(), bench.magnets()) == ({"card": "z1", "figure": "h07"}, {"figure": "h07"})


def test_the_boards_clock_is_that_of_its_frames_and_hands(scanner: Pico) -> None:
    bench = scanner.bench
    before_us = bench.now_us
    placed_ns = bench.place("h01")
    bench.sleep(0.05)
    after_us = bench.now_us
    assert before_us <= placed_ns / 1000 <= after_us - 50_000
    bench.stop()
    with pytest.raises(BenchGone):
        bench.sleep(60)


def test_magnets_stay_over_unplug_power_and_reset(start: Callable[..., Bench], board_profile: Board) -> None:
    bench = start()
    bench.place("h10", "figure")
    bench.unplug(power=True)
    bench.place("h11", "figure")
    bench.replug()
    bench.reset()
    time.sleep(0.1)
    scanner = Pico(bench)
    scanner.run(SCANS)
    assert felt(scanner, board_profile) == [{"h11"}]
    scanner.close()


def test_frames_are_kept_in_order_with_their_times(start: Callable[..., Bench]) -> None:
    bench = start(
        STRIP
        + """
made = machine()
for blue in range(1, 31):
    made.put(blue, 8)
    time.sleep_us(2000)
print("done")
"""
    )
    wait_for(lambda: bench.stats()["bytes_from_board"], "it is not done")
    frames = bench.frames_since(0)
    assert [frame.pixels[0] for frame in frames] == [(0, 0, blue) for blue in range(1, 31)]
    assert [frame.number for frame in frames] == list(range(1, 31))
    gaps_ns = [after.at_ns - before.at_ns for before, after in pairwise(frames)]
    assert min(gaps_ns) >= 2_000_000
    assert bench.frames_since(28) == frames[28:]
    assert bench.pixels() == frames[-1]


def test_what_went_wrong_can_be_asked_for(start: Callable[..., Bench]) -> None:
    bench = start("""
import rp2, sys
from machine import Pin
@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW)
def stuck():
    wait(1, gpio, 3).side(1)
rp2.StateMachine(0, stuck, freq=10_000_000, sideset_base=Pin(16))
print("said on stderr", file=sys.stderr)
print("done")
""")
    wait_for(lambda: bench.stats()["bytes_from_board"], "it is not done")
    assert bench.says().splitlines() == [
        "state machine 0 lights nothing: it waits, reads pins or uses interrupts, which the bench does not know",
        "said on stderr",
    ]
