"""The cabinet's lights with the real NeoPixel class on a Raspberry Pi whose pins and bit timing are replaced."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from raspberry import Colours, Writer

from underglow import cabinet as cabinets
from underglow import games
from underglow.cabinet import Cabinet, NoCabinet
from underglow.snapshot import Snapshot
from underglow.themes import GLOW, RESULT, SEATS, STAFF, Colour

PATIENCE_S = 20.0
OFF = (0, 0, 0)


def snapshot(
    *turn: int, link: str = "up", faults: tuple[str, ...] = (), winners: tuple[int, ...] | None = None
) -> Snapshot:
    """As much of a table as a cabinet looks at."""
    told = {
        "turn": list(turn),
        "link": {"state": link, "says": "", "port": ""},
        "faults": list(faults),
        "outcome": None if winners is None else "It is over.",
        "winners": list(winners or ()),
    }
    return cast("Snapshot", told)


def until(done: Callable[[], bool]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < end_s
        time.sleep(0.002)


def emitted(colour: Colour, pixels: int = 12) -> Colour:
    """What a pixel of so many emits for a colour of a screen."""
    share = min(0.25, 500 / (60 * pixels))
    red, green, blue = (int(round(255 * (channel / 255) ** 2.4) * share) for channel in colour)
    return red, green, blue


def lit(writer: Writer, wanted: list[Colour]) -> bool:
    return writer.colours == [emitted(colour, len(wanted)) for colour in wanted]


class Clock:
    """Stands still until a test moves it on."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.asked = 0

    def __call__(self) -> float:
        self.asked += 1
        return self.now_s


def nudge(cabinet: Cabinet) -> None:
    """Wake its thread, as its own time-out would; how long it waits is asked for elsewhere."""
    with cabinet._news:  # pyright: ignore[reportPrivateUsage]
        cabinet._news.notify()  # pyright: ignore[reportPrivateUsage]


# --- what it says ---


@pytest.mark.parametrize("seat", range(len(SEATS)))
def test_the_strip_has_the_colour_of_the_seat_to_move(writer: Writer, seat: int) -> None:
    with Cabinet.open("12@D18") as cabinet:
        cabinet.publish(snapshot(seat))
        until(lambda: lit(writer, [SEATS[seat]] * 12))


def test_seats_that_may_all_move_share_the_strip(writer: Writer) -> None:
    with Cabinet.open("7@D18") as cabinet:
        cabinet.publish(snapshot(0, 2))
        until(lambda: lit(writer, [SEATS[0]] * 4 + [SEATS[2]] * 3))


def test_the_end_shows_the_winners_and_white_between(writer: Writer) -> None:
    with Cabinet.open("6@D18") as cabinet:
        cabinet.publish(snapshot(winners=(1, 3)))
        until(lambda: lit(writer, [RESULT, SEATS[1], SEATS[1], RESULT, SEATS[3], SEATS[3]]))
        cabinet.publish(snapshot(winners=()))
        until(lambda: lit(writer, [RESULT, OFF, OFF, RESULT, OFF, OFF]))
        cabinet.publish(snapshot(winners=(0, 1, 2, 3)))  # no winner hides behind the white
        until(lambda: lit(writer, [RESULT, SEATS[0], SEATS[1], RESULT, SEATS[2], SEATS[3]]))


def test_a_fault_of_the_board_calls_staff_without_hiding_whose_turn_it_is(writer: Writer) -> None:
    with Cabinet.open("4@D18") as cabinet:
        cabinet.publish(snapshot(1, faults=("The reader under z1 does not answer.",)))
        until(lambda: lit(writer, [STAFF, SEATS[1], STAFF, SEATS[1]]))
        cabinet.publish(snapshot(1))
        until(lambda: lit(writer, [SEATS[1]] * 4))


def test_staff_is_called_for_a_link_that_stays_down_and_not_for_a_short_loss(writer: Writer) -> None:
    clock = Clock()
    strip = cabinets.Cabinet.open("2@D18")._strip  # pyright: ignore[reportPrivateUsage]
    with Cabinet(strip, clock) as cabinet:
        cabinet.publish(snapshot(0, link="down"))
        clock.now_s += cabinets.STAFF_AFTER_S - 1
        cabinet.publish(snapshot(1, link="connecting"))
        until(lambda: lit(writer, [SEATS[1]] * 2))
        clock.now_s += 2
        nudge(cabinet)
        until(lambda: lit(writer, [STAFF, SEATS[1]]))
        cabinet.publish(snapshot(1))
        until(lambda: lit(writer, [SEATS[1]] * 2))
        cabinet.publish(snapshot(0, link="down"))  # a loss of its own, counted anew
        until(lambda: lit(writer, [SEATS[0]] * 2))


def test_it_glows_before_the_game_and_when_nobody_plays(writer: Writer) -> None:
    clock = Clock()
    strip = cabinets.Cabinet.open("3@D18")._strip  # pyright: ignore[reportPrivateUsage]
    with Cabinet(strip, clock) as cabinet:
        until(lambda: lit(writer, [GLOW] * 3))
        cabinet.publish(snapshot(0))
        until(lambda: lit(writer, [SEATS[0]] * 3))
        clock.now_s += cabinets.IDLE_AFTER_S
        nudge(cabinet)
        until(lambda: lit(writer, [GLOW] * 3))
        cabinet.publish(snapshot(0))
        until(lambda: lit(writer, [SEATS[0]] * 3))


@pytest.mark.parametrize(
    ("after", "wanted"), [("STAFF_AFTER_S", [STAFF, SEATS[0]]), ("IDLE_AFTER_S", [GLOW, GLOW])], ids=["staff", "glow"]
)
def test_the_clock_alone_brings_it(
    writer: Writer, monkeypatch: pytest.MonkeyPatch, after: str, wanted: list[Colour]
) -> None:
    monkeypatch.setattr(cabinets, after, 0.2)
    with Cabinet.open("2@D18") as cabinet:
        cabinet.publish(snapshot(0, link="down"))
        assert not lit(writer, [STAFF, SEATS[0]])
        until(lambda: lit(writer, wanted))


# --- how it drives the strip ---


def test_what_was_due_long_ago_does_not_keep_it_awake(writer: Writer) -> None:
    clock = Clock()
    strip = cabinets.Cabinet.open("2@D18")._strip  # pyright: ignore[reportPrivateUsage]
    with Cabinet(strip, clock) as cabinet:
        cabinet.publish(snapshot(0, link="down"))
        until(lambda: lit(writer, [SEATS[0]] * 2))
        clock.now_s += cabinets.IDLE_AFTER_S
        nudge(cabinet)
        until(lambda: lit(writer, [STAFF, GLOW]))
        time.sleep(0.05)
        asked = clock.asked
        time.sleep(0.1)
        assert clock.asked == asked


def test_a_change_is_one_transfer_and_no_change_is_none(writer: Writer) -> None:
    with Cabinet.open("12@D18") as cabinet:
        until(lambda: len(writer.transfers) == 2)  # dark at first, then the glow
        for turn in range(5):
            cabinet.publish(snapshot(turn % 2))
            cabinet.publish(snapshot(turn % 2))
            until(lambda turn=turn: lit(writer, [SEATS[turn % 2]] * 12))
        time.sleep(0.05)
        assert len(writer.transfers) == 2 + 5
    assert len(writer.transfers) == 2 + 5 + 1


def test_it_is_dark_before_and_after(writer: Writer) -> None:
    with Cabinet.open("3@D18") as cabinet:
        assert writer.transfers[0] == (18, [OFF] * 3)
        cabinet.publish(snapshot(0))
        until(lambda: lit(writer, [SEATS[0]] * 3))
    assert writer.colours == [OFF] * 3


def test_the_pin_is_the_one_asked_for(writer: Writer) -> None:
    with Cabinet.open("2@MOSI"):
        pass
    assert {pin for pin, _ in writer.transfers} == {10}


@pytest.mark.parametrize("pixels", [cabinets.FEWEST_PIXELS, 12, 60, cabinets.MOST_PIXELS])
def test_no_strip_draws_more_than_the_computer_can_spare(writer: Writer, pixels: int) -> None:
    said: list[Snapshot] = [
        *(snapshot(seat) for seat in range(len(SEATS))),
        *(snapshot(winners=(seat,)) for seat in range(len(SEATS))),
        snapshot(0, faults=("broken",)),
    ]
    with Cabinet.open(f"{pixels}@D18") as cabinet:
        for one in said:
            before = len(writer.transfers)
            cabinet.publish(one)
            until(lambda before=before: len(writer.transfers) > before)
    assert len(writer.transfers) >= len(said)
    for _, colours in writer.transfers:
        assert sum(map(sum, colours)) * 20 / 255 <= 500
        assert max(map(max, colours)) <= 255 // 4
    colours: Colours = writer.transfers[2][1]
    assert any(map(max, colours)), "and yet it can be seen"


def test_the_table_never_waits_for_a_slow_strip_and_the_newest_snapshot_wins(writer: Writer) -> None:
    go_on, begun = threading.Event(), threading.Event()
    with Cabinet.open("2@D18") as cabinet:
        until(lambda: lit(writer, [GLOW] * 2))

        def block() -> None:
            begun.set()
            go_on.wait(PATIENCE_S)

        writer.before = block
        cabinet.publish(snapshot(0))
        assert begun.wait(PATIENCE_S)
        start_s = time.perf_counter()
        for turn in range(2000):
            cabinet.publish(snapshot(turn % 6))
        took_s = time.perf_counter() - start_s
        cabinet.publish(snapshot(4))
        before = len(writer.transfers)
        go_on.set()
        until(lambda: lit(writer, [SEATS[4]] * 2))
        assert len(writer.transfers) == before + 2, "the one under way, and the newest"
    assert took_s < PATIENCE_S / 2, "2000 snapshots while a transfer hangs"


def test_a_hanging_strip_does_not_keep_the_program_from_ending(writer: Writer) -> None:
    go_on = threading.Event()
    cabinet = Cabinet.open("2@D18")
    writer.before = lambda: go_on.wait(PATIENCE_S)
    start_s = time.monotonic()
    with cabinet:
        cabinet.publish(snapshot(0))
    assert time.monotonic() - start_s < PATIENCE_S / 2
    go_on.set()
    until(lambda: not any(thread.name == "cabinet" for thread in threading.enumerate()))


def test_a_driver_that_fails_is_told_once_and_ends_the_lights_alone(
    writer: Writer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), Cabinet.open("2@D18") as cabinet:
        until(lambda: lit(writer, [GLOW] * 2))
        writer.fails = -10
        for turn in range(20):
            cabinet.publish(snapshot(turn % 2))
        until(lambda: bool(caplog.records))
        writer.fails = 0
        sent = len(writer.transfers)
        for turn in range(20):
            cabinet.publish(snapshot(turn % 2))
        until(lambda: not any(thread.name == "cabinet" for thread in threading.enumerate()))
    (record,) = caplog.records
    assert record.getMessage() == (
        "The cabinet lights are out, the game goes on: ws2811_render failed with code -10 (Failed to write)"
    )
    assert all(colours == [OFF] * 2 for _, colours in writer.transfers[sent:])


# --- what can be wrong with what was asked for ---


@pytest.mark.parametrize(
    "given", ["", "12", "D18", "@D18", "12@", "0@D18", "1@D18", "145@D18", "12@D18@D18", "12 @D18", "-1@D18"]
)
def test_what_names_no_strip_is_told_before_anything_is_imported(given: str) -> None:
    with pytest.raises(NoCabinet, match=re.escape(f"{given!r} names no strip: say how many pixels (2 to 144)")):
        Cabinet.open(given)
    assert "neopixel" not in sys.modules


@pytest.mark.parametrize("pin", ["D99", "I2C", "sys", "d18"])
def test_what_is_no_pin_of_this_computer_is_told_with_those_that_are(writer: Writer, pin: str) -> None:
    with pytest.raises(NoCabinet) as told:
        Cabinet.open(f"12@{pin}")
    assert str(told.value).startswith(f"this computer has no pin '{pin}'; there are: D0, D1, D2, ")
    assert str(told.value).endswith(" D26, D27")


def test_a_missing_extra_is_told_with_how_to_install_it(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "neopixel", None)
    with pytest.raises(NoCabinet, match=re.escape("pip install 'underglow[cabinet]'")):
        Cabinet.open("12@D18")


def test_a_missing_driver_of_the_platform_is_told_and_not_installed(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("nothing may be started or asked")

    monkeypatch.setitem(sys.modules, "_rpi_ws281x", None)
    monkeypatch.delenv("BLINKA_SKIP_DEPENDENCY_CHECK")
    monkeypatch.setattr(subprocess, "run", never)
    monkeypatch.setattr("builtins.input", never)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(getattr(sys, stream), "isatty", lambda: True, raising=False)
    with pytest.raises(NoCabinet, match=r"platform library '_rpi_ws281x' was not found.*rpi_ws281x>=4"):
        Cabinet.open("12@D18")


def test_a_driver_that_may_not_is_told_at_the_start(writer: Writer) -> None:
    writer.refuses = -5
    with pytest.raises(NoCabinet, match="the cabinet lights at D18 can't be driven: NeoPixel support requires running"):
        Cabinet.open("12@D18")


# --- the colours ---


def test_every_seat_of_every_game_has_a_colour_of_its_own() -> None:
    most = max(
        games.load(name).load(path).seats[-1]
        for name in games.names()
        for path in (Path(cabinets.__file__).parent / "games" / name / "scenarios").glob("*.toml")
    )
    assert most <= len(set(SEATS))


def test_the_page_tints_figures_in_the_colours_of_the_seats() -> None:
    static = Path(cabinets.__file__).parent / "kiosk" / "static"
    tints = re.findall(r"--tint: #([0-9a-f]{6});", (static / "style.css").read_text())
    assert [tuple(bytes.fromhex(tint)) for tint in tints] == list(SEATS)
    assert f"known.size % {len(SEATS)}" in (static / "figures.js").read_text()
