"""Whatever comes from outside, its reader takes it or refuses it, and nothing else. `make soak` does it for long."""

from __future__ import annotations

import random
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from underglow import games
from underglow.bench import fuzz

INPUTS = {"wire": 5000, "journal": 1000, "profile": 200} | dict.fromkeys(games.names(), 200)


@pytest.mark.parametrize("reader", fuzz.READERS)
def test_no_damaged_input_crashes_its_reader(reader: str) -> None:
    tally = fuzz.measure(reader, INPUTS[reader])
    assert not tally.crashes, tally.crashes[0].says
    assert tally.accepted
    assert tally.refused


def test_a_reader_that_crashes_is_found_and_its_input_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []

    @contextmanager
    def careless() -> Generator[fuzz.Reader]:
        def number(content: bytes) -> bool:
            read.append(content)
            return int(content) > 0

        yield [b"12345"], number

    monkeypatch.setitem(fuzz.READERS, "careless", careless)
    (crash, *_) = fuzz.measure("careless", 50, seed=3).crashes
    assert "ValueError: invalid literal for int()" in crash.says
    first = read[crash.index]
    (again,) = fuzz.measure("careless", 1, seed=3, first=crash.index).crashes
    assert again == crash
    assert read[-1] == first


def test_one_job_or_two_make_the_same_inputs() -> None:
    assert fuzz.measure("wire", 300, jobs=2) == fuzz.measure("wire", 300)


def test_damage_changes_nearly_every_input() -> None:
    chance = random.Random(5)
    same = sum(fuzz.damaged(chance, [b'key = "value"\n' * 9]) == b'key = "value"\n' * 9 for _ in range(1000))
    assert same < 100
