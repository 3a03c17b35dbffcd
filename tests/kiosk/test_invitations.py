from __future__ import annotations

import re
import stat
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underglow.kiosk import qr
from underglow.kiosk.invitations import (
    CODE_S,
    LETTERS,
    PASS_S,
    PHONES,
    TRIES,
    TRIES_PER_S,
    Invitations,
    Refused,
    TooFast,
    key_of,
)
from underglow.kiosk.pace import ADDRESSES, Paces
from underglow.kiosk.passes import PASSES, Passes


class Clock:
    def __init__(self) -> None:
        self.s = 1000.0

    def __call__(self) -> float:
        return self.s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def invitations(clock: Clock) -> Invitations:
    offered = Invitations(clock)
    offered.renew({0, 1})
    return offered


def test_every_empty_seat_has_a_code_of_its_own_and_keeps_it(invitations: Invitations) -> None:
    codes = dict(invitations.codes)
    assert list(codes) == [0, 1]
    assert codes[0] != codes[1]
    assert all(re.fullmatch(f"[{LETTERS}]{{4}}-[{LETTERS}]{{4}}", code) for code in codes.values())
    invitations.renew({0, 1})
    assert invitations.codes == codes


def test_a_code_leads_to_its_seat_once(invitations: Invitations) -> None:
    code = invitations.codes[1]
    told = invitations.enter(code, "phone")
    assert invitations.seat_of(key_of(told)) == 1
    with pytest.raises(Refused, match="leads to no seat"):
        invitations.enter(code, "phone")
    invitations.renew({0, 1})
    assert list(invitations.codes) == [0]  # a seat with a phone shows no code by itself


def test_a_code_may_be_typed_carelessly(invitations: Invitations) -> None:
    code = invitations.codes[0]
    told = invitations.enter(f"  {code.lower().replace('-', ' ')}\n", "phone")
    assert invitations.seat_of(key_of(told)) == 0


@pytest.mark.parametrize("typed", ["", "-", "AAAA-AAAA", "ß" * 8, "\u0661" * 8, "\x00"])
def test_what_is_no_code_is_refused_as_a_wrong_one_is(invitations: Invitations, typed: str) -> None:
    with pytest.raises(Refused, match="leads to no seat") as refusal:
        invitations.enter(typed, "phone")
    assert type(refusal.value) is Refused


def test_an_old_code_is_good_no_more_and_replaced(invitations: Invitations, clock: Clock) -> None:
    old = invitations.codes[0]
    clock.s += CODE_S
    assert invitations.codes == {}
    with pytest.raises(Refused):
        invitations.enter(old, "phone")
    invitations.renew({0, 1})
    assert invitations.codes[0] != old


def test_tries_are_counted_by_address(invitations: Invitations, clock: Clock) -> None:
    for _ in range(TRIES):
        with pytest.raises(Refused) as refusal:
            invitations.enter("AAAA-AAAA", "guesser")
        assert not isinstance(refusal.value, TooFast)
    with pytest.raises(TooFast):
        invitations.enter(invitations.codes[0], "guesser")  # the right one, too
    assert 0 in invitations.codes
    invitations.enter(invitations.codes[0], "phone")
    clock.s += 1 / TRIES_PER_S
    invitations.enter(invitations.codes[1], "guesser")


def test_tries_of_a_day_from_one_address_are_few(invitations: Invitations, clock: Clock) -> None:
    tried = 0
    for _ in range(24 * 3600):
        clock.s += 1
        try:
            invitations.enter("AAAA-AAAA", "guesser")
        except TooFast:
            continue
        except Refused:
            tried += 1
    assert tried <= TRIES + 24 * 3600 * TRIES_PER_S
    assert tried / len(LETTERS) ** 8 < 1e-7


def test_a_second_phone_sits_down_by_a_code_that_was_asked_for(invitations: Invitations) -> None:
    keys: list[str] = []
    for _ in range(PHONES + 1):
        invitations.invite(0)
        keys.append(key_of(invitations.enter(invitations.codes[0], f"phone {len(keys)}")))
    assert [invitations.seat_of(key) for key in keys] == [None] + [0] * PHONES
    assert invitations.phones(0) == PHONES


def test_a_freed_seat_knows_its_phones_no_more(invitations: Invitations) -> None:
    one, other = (key_of(invitations.enter(invitations.codes[seat], "phone")) for seat in (0, 1))
    invitations.free(0)
    assert (invitations.seat_of(one), invitations.seat_of(other)) == (None, 1)
    assert list(invitations.codes) == [0]


def test_a_pass_ends_with_the_day_and_with_its_seat(invitations: Invitations, clock: Clock) -> None:
    key = key_of(invitations.enter(invitations.codes[1], "phone"))
    clock.s += PASS_S - 1
    assert invitations.seat_of(key) == 1
    clock.s += 1
    assert invitations.seat_of(key) is None
    invitations.renew({0, 1})
    other = key_of(invitations.enter(invitations.codes[1], "phone"))
    invitations.renew({0})
    assert invitations.seat_of(other) is None
    assert list(invitations.codes) == [0]


# -- passes that outlive the program -----------------------------------------------------------------------------------


@pytest.fixture
def passes(tmp_path: Path) -> Passes:
    return Passes.of(tmp_path / "game.sqlite")


def begun(passes: Passes, now_s: float = 0) -> Invitations:
    """As a program does that starts when its clock says `now_s`."""
    invitations = Invitations(lambda: now_s, passes.read(now_s), lambda held: passes.write(held, now_s))
    invitations.renew({0, 1})
    return invitations


def test_a_phone_is_in_its_seat_again_after_the_program_was_started_again(passes: Passes, tmp_path: Path) -> None:
    first = begun(passes)
    told = first.enter(first.codes[1], "phone")
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert told not in path.read_text()
    again = begun(passes, 1e6)  # a clock that counts from another start
    assert again.seat_of(key_of(told)) == 1
    assert list(again.codes) == [0]


def test_a_pass_that_was_given_up_stays_so(passes: Passes) -> None:
    first = begun(passes)
    keys = [key_of(first.enter(first.codes[seat], "phone")) for seat in (0, 1)]
    first.free(0)
    assert [begun(passes).seat_of(key) for key in keys] == [None, 1]
    passes.forget()
    assert [begun(passes).seat_of(key) for key in keys] == [None, None]


def test_a_pass_ends_while_the_program_is_off_and_no_clock_prolongs_it(
    passes: Passes, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = begun(passes)
    key = key_of(first.enter(first.codes[0], "phone"))
    now_s = time.time()
    monkeypatch.setattr(time, "time", lambda: now_s + PASS_S + 1)
    assert begun(passes).seat_of(key) is None
    monkeypatch.setattr(time, "time", lambda: now_s - 10 * PASS_S)
    assert [held.until_s for held in passes.read(0)] in ([], [PASS_S])


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[1]", '[{"key":"a","seat":0,"until":9e9}]', "\xff", "[" * 100_000,
        '[{"key":"' + "a" * 64 + '","seat":-1,"until":9e9}]', '[{"key":"' + "a" * 64 + '","seat":0,"until":NaN}]',
        "[" + ",".join(['{"key":"' + "a" * 64 + '","seat":0,"until":9e9}'] * (PASSES + 1)) + "]",
    ],
    ids=range(9),
)  # fmt: skip
def test_a_damaged_file_of_passes_is_one_sentence_and_no_pass(
    passes: Passes, tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "game.sqlite.passes").write_text(text, encoding="latin-1")
    assert passes.read(0) == []
    assert [message.partition(": ")[2] for message in caplog.messages] == [
        "this can't be read, so phones scan a new code."
    ]
    invitations = begun(passes)
    invitations.enter(invitations.codes[0], "phone")
    assert len(passes.read(0)) == 1


def test_a_full_disk_costs_the_passes_and_not_the_table(
    passes: Passes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "game.sqlite.passes.new").mkdir()  # in the way, as a disk without room is
    invitations = begun(passes)
    key = key_of(invitations.enter(invitations.codes[0], "phone"))
    assert invitations.seat_of(key) == 0
    assert "can't be written" in caplog.text


# -- anything ----------------------------------------------------------------------------------------------------------


@given(st.text(max_size=80))
def test_any_text_is_a_code_or_refused(typed: str) -> None:
    invitations = Invitations(Clock())
    invitations.renew({0})
    with pytest.raises(Refused):
        invitations.enter(typed, "phone")


def test_the_paces_of_a_few_addresses_are_remembered() -> None:
    clock = Clock()
    paces = Paces(clock, 1, 1)
    assert paces.spend("first")
    for number in range(ADDRESSES - 1):
        assert paces.spend(f"address {number}")
    assert not paces.spend("first")  # it was asked for just now, so it stays
    assert paces.spend("one more")
    assert not paces.spend("first")
    assert paces.spend("address 0")  # forgotten


def test_a_qr_code_drawn_and_written_is_the_same() -> None:
    text = "http://192.168.1.20:8737/join#ABCD-EFGH"
    width, path = qr.drawing(text)
    dark = {
        (int(x) + step, int(y))
        for x, y, run in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", path)
        for step in range(int(run))
    }
    assert re.sub(r"M\d+ \d+h(\d+)v1h-\1z", "", path) == ""
    # Two rows of modules in a line: what is printed is the light ground.
    printed = {
        (x, 2 * row + half)
        for row, line in enumerate(qr.lines(text).splitlines())
        for x, letter in enumerate(line)
        for half in (0, 1)
        if letter in ("█▀", "█▄")[half]
    }
    everything = {(x, y) for x in range(width) for y in range(width)}
    assert everything - printed == dark
    assert all(4 <= x < width - 4 and 4 <= y < width - 4 for x, y in dark)
