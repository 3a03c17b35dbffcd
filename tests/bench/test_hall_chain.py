"""The 74HC165 chain against its data sheet (function table, and a reference of single flip-flops)."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underglow.bench.devices.hall_chain import HallChain


@dataclass
class FlipFlops:
    """The function table of the data sheet, bit by bit: PL over CP, CE or-ed with CP, DS grounded."""

    inputs: list[bool]
    stages: list[bool] = field(default_factory=list[bool])
    pl: bool = True
    cp: bool = False
    ce: bool = False

    def __post_init__(self) -> None:
        self.stages = [False] * len(self.inputs)

    def apply(self, step: tuple[str, int, bool]) -> None:
        what, number, level = step
        before = self.cp or self.ce
        if what == "magnet":
            self.inputs[number % len(self.inputs)] = not level
        else:
            setattr(self, what, level)
        if not self.pl:
            self.stages = list(self.inputs)
        elif (self.cp or self.ce) and not before:
            self.stages = [*self.stages[1:], False]


def apply(chain: HallChain, step: tuple[str, int, bool]) -> None:
    what, number, level = step
    if what == "magnet":
        chain.magnet(number % chain.inputs, level)
    else:
        {"pl": chain.pl, "cp": chain.cp, "ce": chain.ce}[what](level)


steps = st.lists(st.tuples(st.sampled_from(["magnet", "pl", "cp", "cp", "ce"]), st.integers(0, 63), st.booleans()))


@given(chips=st.integers(1, 8), script=steps)
def test_every_sequence_of_edges_does_what_the_function_table_says(
    chips: int, script: list[tuple[str, int, bool]]
) -> None:
    chain = HallChain(chips)
    reference = FlipFlops([True] * chain.inputs)
    for step in script:
        apply(chain, step)
        reference.apply(step)
        assert chain.qh == reference.stages[0]


@given(chips=st.integers(1, 8), script=steps, count=st.integers(1, 12))
def test_a_byte_of_the_bus_is_eight_clocks(chips: int, script: list[tuple[str, int, bool]], count: int) -> None:
    quick, slow = HallChain(chips), HallChain(chips)
    for step in script:
        apply(quick, step)
        apply(slow, step)
    quick.cp(False)
    slow.cp(False)
    for _ in range(count):
        sampled = 0
        for _ in range(8):
            sampled = sampled << 1 | slow.qh
            slow.cp(True)
            slow.cp(False)
        assert quick.clock_byte() == sampled


def scan(chain: HallChain, count: int) -> bytes:
    chain.pl(False)
    chain.pl(True)
    return bytes(chain.clock_byte() for _ in range(count))


@pytest.mark.parametrize("sensor", [0, 7, 8, 20, 47])
def test_sensor_n_is_the_nth_bit_out_and_low_under_a_magnet(sensor: int) -> None:
    chain = HallChain(6)
    assert scan(chain, 6) == b"\xff" * 6
    chain.magnet(sensor, near=True)
    bits = "".join(f"{byte:08b}" for byte in scan(chain, 6))
    assert bits == "1" * sensor + "0" + "1" * (47 - sensor)


def test_a_switch_of_the_other_polarity_is_high_under_a_magnet() -> None:
    chain = HallChain(1, active_low=False)
    chain.magnet(0, near=True)
    assert scan(chain, 1) == b"\x80"


def test_without_a_load_the_bits_are_those_left_in_the_register() -> None:
    chain = HallChain(2)
    chain.magnet(3, near=True)
    assert scan(chain, 1) == b"\xef"
    assert chain.clock_byte() == 0xFF  # the farther chip's
    assert chain.clock_byte() == 0  # DS is grounded


def test_a_latch_of_the_wrong_polarity_gives_input_0_forever() -> None:
    chain = HallChain(6)
    chain.pl(True)
    chain.pl(False)
    assert bytes(chain.clock_byte() for _ in range(6)) == b"\xff" * 6
    chain.magnet(0, near=True)
    chain.magnet(9, near=True)
    assert bytes(chain.clock_byte() for _ in range(6)) == b"\0" * 6


def test_inputs_count_at_the_end_of_the_load() -> None:
    chain = HallChain(1)
    chain.pl(False)
    chain.magnet(0, near=True)
    chain.pl(True)
    chain.magnet(1, near=True)
    assert chain.clock_byte() == 0x7F


def test_a_bouncing_switch_shows_new_and_old_in_turn_then_settles() -> None:
    chain = HallChain(1)
    chain.bounce(0, 4)
    assert [scan(chain, 1)[0] for _ in range(2)] == [0xFF, 0xFF]
    chain.magnet(0, near=True)
    assert [scan(chain, 1)[0] >> 7 for _ in range(8)] == [0, 1, 0, 1, 0, 0, 0, 0]
    chain.magnet(0, near=False)
    assert [scan(chain, 1)[0] >> 7 for _ in range(8)] == [1, 0, 1, 0, 1, 1, 1, 1]
    chain.bounce(0, 0)
    chain.magnet(0, near=True)
    assert [scan(chain, 1)[0] >> 7 for _ in range(3)] == [0, 0, 0]


def test_a_stuck_input_ignores_its_magnet_until_it_is_let_go() -> None:
    chain = HallChain(1)
    chain.stick(2, level=True)
    chain.magnet(2, near=True)
    assert scan(chain, 1) == b"\xff"
    chain.stick(2, level=None)
    assert scan(chain, 1) == b"\xdf"
    chain.stick(2, level=False)
    chain.magnet(2, near=False)
    assert scan(chain, 1) == b"\xdf"


def test_a_flickering_input_spikes_for_one_or_two_loads_with_a_quiet_one_after_it() -> None:
    chain = HallChain(1)
    chain.flicker([3], 0.3, seed=1)
    levels = "".join(str(scan(chain, 1)[0] >> 4 & 1) for _ in range(2000))
    spikes = {len(spike) for spike in levels.split("1") if spike}
    assert spikes == {1, 2}
    chain.flicker([3], 0.3, seed=1)
    assert levels == "".join(str(scan(chain, 1)[0] >> 4 & 1) for _ in range(2000))
    chain.flicker([3], 0)
    assert {scan(chain, 1)[0] for _ in range(100)} == {0xFF}
