"""The staff's PIN: what is kept of it, and how slowly it can be guessed."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from underglow.kiosk import pin
from underglow.kiosk.pin import FIRST_S, LONGEST_S, WRONG, Locked, NoPin, Pin, Unfit

DIGITS = "314159"


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept(tmp_path: Path, clock: Clock) -> Pin:
    pin.keep(tmp_path / "state" / pin.PIN, DIGITS)
    return Pin(tmp_path / "state" / pin.PIN, clock)


def try_wrong(kept: Pin, times: int) -> None:
    for _ in range(times):
        assert kept.right("000000") is False


def test_the_right_pin_is_right_and_its_file_does_not_tell_it(kept: Pin, tmp_path: Path) -> None:
    assert kept.right(DIGITS)
    assert not kept.right(DIGITS + "0")
    (file,) = (tmp_path / "state").glob("pin.json*")
    assert DIGITS not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_text()
    pin.keep(file, DIGITS)
    assert file.read_text() != before  # another salt


@pytest.mark.parametrize(
    "digits", ["", "123", "1" * 13, "12a4", "12 34", "-1234", "\u0661\u0662\u0663\u0664", "1234\n"]
)
def test_what_can_not_be_typed_on_the_pad_is_no_pin(tmp_path: Path, digits: str) -> None:
    with pytest.raises(Unfit, match="4 to 12 digits"):
        pin.keep(tmp_path / pin.PIN, digits)
    assert list(tmp_path.iterdir()) == []


def test_without_a_pin_and_with_a_damaged_one_a_sentence_says_what_to_do(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / pin.PIN
    kept = Pin(path, clock)
    assert "--set-pin" in kept.missing
    with pytest.raises(NoPin, match="No PIN is set"):
        kept.right(DIGITS)
    for text in ("{", '{"n":2}', '{"n":1073741824,"r":8,"p":1,"salt":"' + "00" * 16 + '","hash":"' + "00" * 64 + '"}'):
        path.write_text(text)
        assert "damaged" in kept.missing
        with pytest.raises(NoPin, match="damaged"):
            kept.right(DIGITS)
    pin.keep(path, DIGITS)
    assert kept.missing == ""
    assert kept.right(DIGITS)


def test_five_wrong_ones_lock_it_even_for_the_right_one_and_each_more_for_twice_as_long(
    kept: Pin, clock: Clock
) -> None:
    try_wrong(kept, WRONG)
    with pytest.raises(Locked, match="try again in 60 s"):
        kept.right(DIGITS)
    locked_s = FIRST_S
    for _ in range(8):
        clock.now_s += locked_s - 0.1
        with pytest.raises(Locked):
            kept.right(DIGITS)
        clock.now_s += 0.2
        try_wrong(kept, 1)
        locked_s = min(LONGEST_S, 2 * locked_s)
    assert locked_s == LONGEST_S
    clock.now_s += LONGEST_S + 0.1
    assert kept.right(DIGITS)
    try_wrong(kept, WRONG - 1)  # the right one forgave all
    assert kept.right(DIGITS)


def test_a_restart_forgives_nothing(kept: Pin, clock: Clock, tmp_path: Path) -> None:
    try_wrong(kept, WRONG)
    again = Pin(tmp_path / "state" / pin.PIN, clock)
    with pytest.raises(Locked):
        again.right(DIGITS)
    clock.now_s += FIRST_S + 1
    assert again.right(DIGITS)


def test_many_at_once_get_no_more_tries_than_one_after_the_other(kept: Pin) -> None:
    told: list[bool | None] = []

    def guess() -> None:
        try:
            told.append(kept.right("000000"))
        except Locked:
            told.append(None)

    for _ in range(4):
        threads = [threading.Thread(target=guess) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert 1 <= told.count(False) <= WRONG
    assert True not in told
