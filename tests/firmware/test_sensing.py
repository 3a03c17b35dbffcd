"""`firmware/sensing.py`: it needs nothing of MicroPython, so its properties are tested here in CPython."""

import random
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def sensing(repository: Path) -> Any:
    spec = spec_from_file_location("sensing", repository / "firmware" / "sensing.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def model(readings: list[int], settle_scans: int) -> list[int]:
    """One sensor, told plainly: it changes when the last `settle_scans` readings all differ from what it is."""
    settled, differing, states = readings[0], 0, [readings[0]]
    for reading in readings[1:]:
        differing = differing + 1 if reading != settled else 0
        if differing == settle_scans:
            settled, differing = reading, 0
        states.append(settled)
    return states


@given(
    st.integers(1, 7),
    st.booleans(),
    st.integers(1, 3).flatmap(lambda size: st.lists(st.binary(min_size=size, max_size=size), min_size=1, max_size=40)),
)
def test_every_sensor_settles_by_itself_as_the_plain_model_says(
    sensing: Any, settle_scans: int, active_low: bool, scans: list[bytes]
) -> None:
    size = len(scans[0])
    subject = sensing.Sensing(size, settle_scans, active_low)
    expected = [
        model([scan[sensor // 8] >> 7 - sensor % 8 & 1 for scan in scans], settle_scans) for sensor in range(8 * size)
    ]
    number = 0
    before: bytes | None = None
    for at, scan in enumerate(scans):
        changed = subject.feed(bytearray(scan))
        bits = bytearray(size)
        for sensor in range(8 * size):
            bits[sensor // 8] |= (expected[sensor][at] ^ active_low) << 7 - sensor % 8
        assert subject.occupancy(8 * size) == bits
        assert changed == (before != bits)
        number += changed
        assert subject.number == number
        before = bytes(bits)


def spikes(sensing: Any, settle_scans: int, scans: int) -> int:
    """How many events spikes of 0 to 2 scans make of themselves, on all sensors, beginning in 6 % of the scans."""
    bits = random.Random(7).getrandbits
    subject = sensing.Sensing(6, settle_scans, True)
    subject.feed(bytearray(b"\xff" * 6))
    first = second = 0  # sensors in the first scan of a spike, and in its second
    for _ in range(scans):
        begin = bits(48) & bits(48) & bits(48) & bits(48) & ~(first | second)  # a quiet scan between any two
        first, second = begin, first & bits(48)
        subject.feed(bytearray(((1 << 48) - 1 ^ first ^ second).to_bytes(6, "big")))
    return subject.number - 1


def test_public_report_spikes_of_0_to_2_scans_on_all_sensors_over_a_million_scans(sensing: Any) -> None:
    assert spikes(sensing, 3, 1_000_000) == 0


def test_without_settling_the_same_spikes_would_be_events(sensing: Any) -> None:
    assert spikes(sensing, 1, 20_000) > 10_000


def test_unused_inputs_of_the_last_chip_are_no_tokens(sensing: Any) -> None:
    subject = sensing.Sensing(2, 1, True)
    subject.feed(bytearray(2))
    assert subject.occupancy(11) == b"\xff\xe0"


def test_settle_scans_out_of_range_are_refused(sensing: Any) -> None:
    for scans in (0, 8):
        with pytest.raises(ValueError, match="1 to 7"):
            sensing.Sensing(1, scans, True)
