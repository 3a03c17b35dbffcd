"""The link under fire: host and firmware with a cable between them that spoils frames. `make soak` does it for long."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from underglow import profile, wire
from underglow.bench.cable import Trouble
from underglow.bench.faults import Figures, Match, News
from underglow.bench.loop import Loop
from underglow.cli import app
from underglow.profile import Board
from underglow.session import Session, Up

FRAMES = 20_000


@pytest.fixture(scope="module")
def hex48() -> Board:
    return profile.load("hex48")


def fought(board: Board, trouble: Trouble, frames: int = FRAMES) -> Figures:
    match = Match(board, 7)
    for _ in match.run(frames, trouble):
        pass
    assert match.figures.frames >= frames
    return match.figures


@pytest.mark.parametrize(
    "trouble",
    [
        Trouble(1, drop=0.01, corrupt=0.01),
        Trouble(2, drop=0.2),
        Trouble(3, corrupt=0.2),
        Trouble(4, duplicate=0.5),
        Trouble(5, drop=0.02, corrupt=0.02, duplicate=0.02, delay_ms=15),
        Trouble(6, drop=0.001, corrupt=0.002, duplicate=0.001, by_byte=True),
    ],
    ids=["1 % dropped, 1 % corrupted", "dropped", "corrupted", "doubled", "all of it, and late", "byte by byte"],
)
def test_nothing_is_lost_and_nothing_happens_twice(hex48: Board, trouble: Trouble) -> None:
    figures = fought(hex48, trouble)
    assert (figures.lost, figures.doubled) == (0, 0)


def test_repair_takes_no_longer_than_30_ms_after_the_last_loss(hex48: Board) -> None:
    figures = fought(hex48, Trouble(1, drop=0.01, corrupt=0.01))
    assert figures.spoiled > 200
    assert 0 < figures.worst_repair_ms <= 30  # of simulated time: nothing here depends on the machine


def fought_by(board: Board, trouble: Trouble, break_it: Callable[[Any], None]) -> Figures:
    """The same with the firmware's link broken on purpose."""
    match = Match(board, 7)
    running = match.run(FRAMES, trouble)
    next(running)
    break_it(match.firmware.board._link)
    for _ in running:
        pass
    return match.figures


def test_a_board_that_hears_nothing_is_counted_as_loss(hex48: Board) -> None:
    assert fought_by(hex48, Trouble(1), lambda link: link._decoder._forms.clear()).lost > 100


def test_a_board_that_repeats_nothing_is_counted_as_late(hex48: Board) -> None:
    assert fought_by(hex48, Trouble(1, drop=0.02), lambda link: setattr(link, "_repeat", id)).worst_repair_ms > 30


def test_a_board_that_obeys_whatever_comes_is_counted_as_doubled(hex48: Board) -> None:
    def forget(link: Any) -> None:
        light = link._light

        def obey(lamps: Any) -> None:
            link._lamps_number = lamps.number - 1
            light(lamps)

        link._light = obey

    assert fought_by(hex48, Trouble(1, duplicate=0.1), forget).doubled > 100


def test_a_ghost_is_counted() -> None:
    figures = Figures()
    news = News(figures)
    for state in (1, 2, 3):
        news.make(state, state)
    news.know(2, 10)
    news.know(2, 11)  # said again
    assert figures.doubled == 0
    news.know(1, 12)  # an old state that comes back
    assert figures.doubled == 1
    news.expire(2000)
    assert figures.lost == 1  # the third


def test_the_command_prints_one_object() -> None:
    done = CliRunner().invoke(app, ["bench", "faults", "--frames", "5000", "--replugs", "5", "--kills", "0", "--json"])
    assert done.exit_code == 0, done.output
    printed = json.loads(done.stdout)
    assert printed["frames"] >= 5000
    assert (printed["lost"], printed["doubled"]) == (0, 0)
    assert printed["replugs"]["right"] == printed["replugs"]["n"] == 5


def test_a_restart_whose_first_word_is_lost_is_noticed_all_the_same(hex48: Board) -> None:
    session = Session(5, hex48.crc, len(hex48.lamps), 255, 0)
    happened: list[object] = []
    now_ms = 0

    def converse(loop: Loop, time_ms: int) -> None:
        nonlocal now_ms
        for _ in range(time_ms):
            now_ms += 1
            session.tick(now_ms)
            loop.heard += session.unsent
            session.unsent.clear()
            loop.clock.now_us += 1000
            loop.turn()
            happened.extend(session.receive(bytes(loop.said), now_ms))
            loop.said.clear()

    converse(Loop(hex48), 100)
    started = Loop(hex48)
    started.turn()
    assert started.said
    started.said.clear()  # lost
    converse(started, 300)
    assert [type(happening) for happening in happened].count(Up) == 2


u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
groups = st.binary(max_size=186) | st.lists(
    st.builds(wire.group, st.tuples(st.integers(0, 6), u8, u8, u8, u16, u8), st.lists(st.integers(0, 60), max_size=9)),
    max_size=8,
).map(b"".join)
to_board = st.one_of(
    st.builds(wire.Hello, u8, u32, u32),
    st.builds(wire.Lamps, st.integers(0, 5) | u32, st.integers(0, 1), u8, groups),
    st.builds(wire.Beat, u16, st.integers(0, 5) | u32, st.integers(0, 5) | u32, st.integers(0, 5) | u32),
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(said=st.lists(st.tuples(st.integers(0, 2), to_board, st.binary(max_size=9)), max_size=12))
def test_a_host_that_says_anything_at_all_never_ends_the_board(
    hex48: Board, said: list[tuple[int, wire.Message, bytes]]
) -> None:
    loop = Loop(hex48)
    for session, message, noise in said:
        loop.heard += wire.encode(session, message) + noise.replace(b"\x03", b"")
        for _ in range(4):
            loop.clock.now_us += 1000
            loop.turn()
    loop.heard += b"\n" + wire.encode(9, wire.Hello(wire.PROTOCOL, wire.SCHEMA, hex48.crc))
    for _ in range(60):
        loop.clock.now_us += 1000
        loop.turn()
    heard = list(wire.Decoder(wire.TO_HOST).feed(bytes(loop.said)))
    assert any(session == 9 and isinstance(message, wire.Welcome) for session, message in heard)
