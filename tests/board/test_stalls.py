"""Hosts that stop reading or writing in the middle of something, and what else has the port open now and then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import serial
from listening import Host

from underglow import wire
from underglow.bench.vm import Bench
from underglow.profile import Board
from underglow.session import Program
from underglow.testing import Faults, Hands, Strip

SESSION = 9
SIZES = (63, 64, 65, 127, 128, 129, 192)
RED = Program(wire.SOLID, 255, 0, 0)


class RawHost:
    """A host that says what it likes, byte by byte."""

    def __init__(self, board: Bench, profile: Board) -> None:
        self.board = board
        self.port = serial.Serial(board.port, timeout=0)
        self.decoder = wire.Decoder(wire.TO_HOST)
        self.heard: list[wire.Message] = []
        self.send(wire.Hello(wire.PROTOCOL, wire.SCHEMA, profile.crc))
        self.until(wire.Welcome)
        self.send(wire.Beat(1, 0, 1, 1))

    def send(self, message: wire.Message) -> None:
        self.port.write(wire.encode(SESSION, message))

    def read(self) -> list[wire.Message]:
        fresh = [message for session, message in self.decoder.feed(self.port.read(65536)) if session == SESSION]
        self.heard += fresh
        return fresh

    def until(self, kind: type[wire.Message], timeout_s: float = 5.0) -> None:
        until_us = self.board.now_us + timeout_s * 1e6
        while not any(isinstance(message, kind) for message in self.read()):
            assert self.board.now_us < until_us, self.heard[-5:]
            self.board.sleep(0.005)

    def status(self, stamp: int) -> wire.Status:
        """The answer to a beat of that stamp."""
        self.send(wire.Beat(stamp, 0, 0, 0))
        for _ in range(200):
            for message in self.read():
                if isinstance(message, wire.Status) and message.stamp == stamp:
                    return message
            self.board.sleep(0.01)
        raise AssertionError(self.heard[-5:])


@pytest.fixture
def raw(board: Bench, board_profile: Board) -> Iterator[RawHost]:
    host = RawHost(board, board_profile)
    yield host
    host.port.close()


def rates(board: Bench, time_s: float) -> tuple[float, float]:
    """Scans and frames a second, over that time on the board."""
    before, before_us = board.stats(), board.now_us
    board.sleep(time_s)
    after, passed_s = board.stats(), (board.now_us - before_us) / 1e6
    return (after["loads"] - before["loads"]) / passed_s, (after["frames"] - before["frames"]) / passed_s


def test_public_report_board_stops_when_the_terminal_detaches(
    host: Host, hands: Hands, board: Bench, faults: Faults
) -> None:
    """The host stops reading; all that changes after a second or two is that the board shows its waiting light."""
    host.listen(0.3)
    reading = rates(board, 1.0)
    faults.stall("to_host")
    hands.place("h19")
    board.sleep(2.5)
    stalled = rates(board, 1.0)
    print(f"\nscans and frames a second: {reading} while the host reads, {stalled} while it does not")
    assert all(now > before / 2 for now, before in zip(stalled, reading, strict=True))
    faults.stall("to_host", False)
    host.until(lambda: host.felt == {"h19"})


def test_public_report_console_output_past_8_kb_loses_data_when_the_reader_stalls(
    raw: RawHost, hands: Hands, board: Bench
) -> None:
    """A host that goes on asking and reads nothing: the board's answers wait, or are not made; none arrives broken."""
    before = board.stats()["bytes_from_board"]
    for stamp in range(2, 400):
        raw.send(wire.Beat(stamp, 0, 0, 0))
        if stamp == 350:
            hands.place("h19")
        board.sleep(0.003)
    due = board.stats()["bytes_from_board"] - before
    assert due > 2000  # of the 24 kB it was asked for; the rest found no room and was never made
    raw.heard.clear()
    last = raw.status(1000)
    stamps = [message.stamp for message in raw.heard if isinstance(message, wire.Status) and message.stamp]
    assert stamps == sorted(set(stamps))
    assert raw.decoder.skipped == 0
    occupied = [message for message in raw.heard if isinstance(message, wire.Occupancy)]
    assert occupied[-1].number == last.occupancy
    assert any(occupied[-1].sensors)


def test_public_report_poll_says_ready_and_the_read_blocks(raw: RawHost, board: Bench) -> None:
    """Half a frame, then silence: the loop goes on, and the other half still makes it whole."""
    frame = wire.encode(SESSION, wire.Beat(77, 0, 0, 0))
    raw.port.write(frame[:11])
    board.sleep(0.1)
    before = board.stats()
    board.sleep(1.0)
    after = board.stats()
    assert after["loads"] - before["loads"] > 50
    assert after["frames"] - before["frames"] > 5
    raw.read()
    raw.heard.clear()
    raw.port.write(frame[11:])
    raw.until(wire.Status)
    assert any(isinstance(message, wire.Status) and message.stamp == 77 for message in raw.heard)


def test_public_report_frames_of_64_byte_multiples_get_lost(raw: RawHost, board_profile: Board) -> None:
    """Bodies of such sizes, and writes of such sizes."""
    for number, size in enumerate(SIZES, 1):
        lamps = [lamp % len(board_profile.lamps) for lamp in range(size - 6 - wire.PROGRAM_BYTES - 1)]
        message = wire.Lamps(number, wire.WHOLE, 255, wire.group(RED, lamps))
        raw.send(message)
        assert raw.status(100 + number).lamps == number
    for number, size in enumerate(SIZES, 101):
        frame = wire.encode(SESSION, wire.Lamps(number, wire.WHOLE, 255, wire.group(RED, [0])))
        raw.port.write(b"\n" * (size - len(frame)) + frame)
        assert raw.status(100 + number).lamps == number


@pytest.mark.parametrize("probe", [b"AT+GCAP\r", b"~\x00x\xf0~", b"AT\rAT\r" * 50, b"\x7e\x00\x78\xf0\x7e:QUJD"])
def test_public_report_a_modem_prober_types_into_the_port(
    raw: RawHost, probe: bytes, board: Bench, strip: Strip
) -> None:
    skipped = raw.status(2).skipped
    for number in (1, 2, 3):
        raw.port.write(probe)
        raw.send(wire.Lamps(number, wire.WHOLE, 255, wire.group(RED, [0])))
    status = raw.status(3)
    assert status.lamps == 3
    assert status.skipped - skipped >= 3 * len(probe) - 3
    strip.wait(lambda pixels: any(pixel == (255, 0, 0) for pixel in pixels))
