"""The board's electronics by themselves: what tokens, fingers and power do to its pins and buses, in their own time."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from underglow.bench.commands import Commands
from underglow.bench.devices.buttons import Button
from underglow.bench.devices.iso14443 import SHORT_BITS, WUPA, frame
from underglow.bench.devices.tokens import Coils, Tokens
from underglow.bench.wiring import LED, Circuit, Wiring
from underglow.board_file import Nfc, NfcI2c, NfcSpi, Reader
from underglow.profile import Board

MS = 1_000_000
UID = bytes.fromhex("04a1b2c3d4e580")
ATQA = b"\x44\x00"


@pytest.fixture
def circuit(board_profile: Board) -> Circuit:
    return Circuit(Wiring.of(board_profile))


_TIMES_NS = itertools.count(100 * MS, 100 * MS)


def heard(circuit: Circuit, space: str, powered_by: str) -> bool:
    """Whether the reader at `space` hears a tag that the field of the other one powers."""
    at_ns = next(_TIMES_NS)
    field, ear = circuit.antennas[powered_by], circuit.antennas[space]
    for antenna in (field, ear):
        antenna.switch(True, at_ns)
    answer = ear.send(frame((WUPA,), SHORT_BITS), at_ns + 10 * MS)
    for antenna in (field, ear):
        antenna.switch(False, at_ns + 20 * MS)
    return answer is not None and answer.bits == frame(ATQA)


def test_a_tag_is_powered_by_the_reader_under_it_alone_and_heard_by_those_close_by(circuit: Circuit) -> None:
    circuit.tokens.equip("card", magnet=False, uid=UID)
    circuit.tokens.place("card", "z2", 0)
    assert {space for space in circuit.readers if heard(circuit, space, powered_by="z2")} == {"z1", "z2", "z3"}
    others = [space for space in circuit.readers if space != "z2"]
    assert not any(heard(circuit, space, powered_by=space) for space in others)
    assert not any(heard(circuit, space, powered_by="z1") for space in others)


def test_a_tag_on_a_space_without_a_reader_is_heard_by_nobody(circuit: Circuit) -> None:
    circuit.tokens.equip("figure", magnet=True, uid=UID)
    circuit.tokens.place("figure", "h37", 0)  # 64 mm from the pad
    assert not any(heard(circuit, space, powered_by=space) for space in circuit.readers)
    circuit.tokens.place("figure", "pad", 0)
    assert heard(circuit, "pad", powered_by="pad")
    circuit.tokens.lift("figure", 0)
    assert not heard(circuit, "pad", powered_by="pad")


def test_tokens_carry_what_was_said_and_a_magnet_by_default(circuit: Circuit) -> None:
    tokens, magnets = circuit.tokens, circuit.magnets
    tokens.equip("card", magnet=False, uid=UID)
    tokens.place("card", "z1", 0)
    tokens.place("figure", "h01", 0)
    assert tokens.everywhere() == {"card": "z1", "figure": "h01"}
    assert magnets.everywhere() == {"figure": "h01"}
    with pytest.raises(ValueError, match="'card' stands on z1; lift it first"):
        tokens.equip("card", magnet=True, uid=None)
    tokens.lift("card", 0)
    tokens.equip("card", magnet=True, uid=None)
    tokens.place("card", "z1", 0)
    assert magnets.everywhere() == {"figure": "h01", "card": "z1"}
    assert not heard(circuit, "z1", powered_by="z1")


@pytest.mark.parametrize("uid", [b"", b"\x04" * 5, b"\x88\x01\x02\x03", b"\x04\x01\x02\x88\x05\x06\x07"])
def test_a_uid_that_no_tag_has_is_refused_and_changes_nothing(uid: bytes) -> None:
    tokens = Tokens(Circuit(_WIRING).magnets, {"a": Coils()})
    with pytest.raises(ValueError, match="UID"):
        tokens.equip("card", magnet=False, uid=uid)
    tokens.place("card", "a", 0)
    with pytest.raises(ValueError, match="no space 'b'"):
        tokens.place("card", "b", 0)
    assert tokens.everywhere() == {"card": "a"}


_WIRING = Wiring(
    sck=2, miso=4, latch=5, chips=1, active_low=True, strip=16, pixels=1, order="GRB", sensors={"a": None},
    places_mm={"a": (0, 0)}, buttons={}, readers=(), reader_spi=None, reader_i2c=None,
)  # fmt: skip
"""The least board there is."""


def test_a_board_with_neither_readers_nor_buttons_has_none(circuit: Circuit) -> None:
    bare = Commands(Circuit(_WIRING), lambda: 0).by_name()
    with pytest.raises(ValueError, match="no button 'confirm'; it has: none"):
        bare["press"]("confirm", 0)
    with pytest.raises(ValueError, match="no reader under 'a'; readers are under: none"):
        bare["hang"]("a", False)
    with pytest.raises(ValueError, match="it has: confirm, undo, help"):
        Commands(circuit, lambda: 0).by_name()["press"]("fire", 0)
    with pytest.raises(ValueError, match="readers are under: z1, z2, z3, z4, pad"):
        Commands(circuit, lambda: 0).by_name()["garble"]("h01", 1.0, 0)


def test_a_button_bounces_and_then_stays() -> None:
    button = Button(1)
    for down in (True, False):
        button.move(down, 100 * MS, bounce_ns=10 * MS)
        edges = 1
        while (next_ns := button.next_ns) is not None:
            assert 100 * MS < next_ns < 110 * MS
            before = button.closed
            button.settle(next_ns - 1)
            assert button.closed == before
            button.settle(next_ns)
            assert button.closed != before
            edges += 1
        assert edges > 10
        assert button.closed == down
    button.move(True, 200 * MS, bounce_ns=50 * MS)
    button.move(False, 210 * MS)
    assert (button.closed, button.next_ns) == (False, None)
    button.settle(300 * MS)
    assert not button.closed


def test_the_circuit_tells_when_a_pin_will_move_by_itself(circuit: Circuit) -> None:
    assert circuit.next_ns is None
    circuit.buttons["help"].move(True, 0, bounce_ns=5 * MS)
    pin = circuit.wiring.buttons["help"]
    assert circuit.level(pin) is False
    first_ns = circuit.next_ns
    assert first_ns is not None
    circuit.settle(first_ns)
    assert circuit.level(pin) is None
    circuit.settle(5 * MS)
    assert (circuit.level(pin), circuit.next_ns) == (False, None)


def test_selecting_a_reader_and_pulling_its_reset_reaches_its_chip(board_profile: Board) -> None:
    nfc = Nfc(
        spi=NfcSpi(block=1, sck=10, mosi=11, miso=12, baudrate=4_000_000),
        i2c=NfcI2c(block=0, sda=0, scl=1),
        readers=(
            Reader(space="z1", chip="mfrc522", select=13, reset=20),
            Reader(space="z2", chip="mfrc522", select=14),
            Reader(space="pad", chip="pn532", reset=21),
        ),
    )
    circuit = Circuit(Wiring.of(dataclasses.replace(board_profile, nfc=nfc)))
    first, second = circuit.spi_devices[10]
    circuit.drive(13, False, 0)
    assert (first.selected, second.selected) == (True, False)
    circuit.drive(20, False, MS)
    assert first.transfer(0xEE, MS) == first.transfer(0, MS) == 0  # held in reset
    circuit.drive(20, True, 2 * MS)
    first.transfer(0xEE, 5 * MS)
    assert first.transfer(0, 5 * MS) == 0x92
    (target,) = circuit.i2c_targets[1].values()
    assert target.start(read=False, at_ns=10 * MS)
    circuit.drive(21, False, 11 * MS)
    assert not target.start(read=False, at_ns=12 * MS)


def test_without_power_all_is_dark_and_forgotten(circuit: Circuit) -> None:
    circuit.drive(LED, True, 0)
    circuit.antennas["z1"].switch(True, 0)
    circuit.power_off(MS)
    assert not circuit.antennas["z1"].on
    assert (circuit.led.lit, circuit.led.changes) == (False, 2)
