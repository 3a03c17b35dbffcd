"""The tags' model against the standard's own examples, published figures, and traces in text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underglow.bench.devices.antenna import POWER_DOWN_NS, POWER_UP_NS, Antenna, Noise, Placed
from underglow.bench.devices.iso14443 import (
    CARRIER_HZ,
    REQA,
    WUPA,
    Bit,
    State,
    Tag,
    answer_after_ns,
    crc_a,
    frame,
    receive,
    reply_ns,
    request_ns,
)

HERE = Path(__file__).parent
UID = bytes.fromhex("04 a1 b2 c3 d4 e5 80")


def lines(name: str) -> list[str]:
    """Return what is not comment in a file of data, without the sources on the right."""
    text = (HERE / name).read_text().splitlines()
    return [line.split("   ")[0].strip() for line in text if line.strip() and not line.startswith("#")]


@pytest.mark.parametrize("line", lines("crc_a.txt"))
def test_crc_a(line: str) -> None:
    data, _, crc = line.partition("->")
    assert crc_a(bytes.fromhex(data)) == bytes.fromhex(crc)
    assert crc_a(bytes.fromhex(data + crc)) == b"\x00\x00"


@pytest.mark.parametrize("line", lines("times.txt"))
def test_frames_last_as_long_as_the_data_sheets_say(line: str) -> None:
    what, _, figures = line.partition(":")
    count, _, us = figures.partition("->")
    bits = frame(bytes(int(count)))
    length_ns = request_ns(bits) if what.startswith("reader") else reply_ns(bits)
    assert round(length_ns / 1000) == int(us)


@pytest.mark.parametrize("last", [0, 1])
def test_the_frame_delay_counts_from_the_last_pause(last: int) -> None:
    """A 1 is a pause in the middle of its bit, a 0 after a 0 one at its beginning; pauses are 32 periods long."""
    bits = (0, last)
    after_start = 128
    pause = after_start + 128 + 64 if last else after_start + 2 * 128  # the logic 0 that ends the frame
    delay = 1236 if last else 1172
    assert answer_after_ns(bits) == (pause + 32 + delay) * 10**9 // CARRIER_HZ


def test_a_short_frame_goes_out_least_significant_bit_first() -> None:
    assert frame((REQA,), 7) == (0, 1, 1, 0, 0, 1, 0)
    assert frame((WUPA,), 7) == (0, 1, 0, 0, 1, 0, 1)


def test_each_byte_has_odd_parity() -> None:
    assert frame(b"\x00\x01\xff") == (0,) * 8 + (1,) + (1,) + (0,) * 7 + (0,) + (1,) * 8 + (1,)


@given(st.binary(min_size=1, max_size=12), st.integers(0, 7))
def test_what_is_framed_is_received(data: bytes, last_bits: int) -> None:
    heard = receive(frame(data, last_bits))
    whole = data[:-1] if last_bits else data
    assert heard.data[: len(whole)] == whole
    assert heard.last_bits == last_bits
    assert heard.collision is None
    assert not heard.parity_error
    if last_bits:
        assert heard.data[-1] == data[-1] & (1 << last_bits) - 1


@given(st.binary(min_size=1, max_size=6), st.data())
def test_one_bit_wrong_is_a_parity_error(data: bytes, draw: st.DataObject) -> None:
    bits: list[Bit] = list(frame(data))
    place = draw.draw(st.integers(0, len(bits) - 1))
    bits[place] = 1 - (bits[place] or 0)
    assert receive(bits).parity_error


# --- traces ---


def told(said: str) -> tuple[int, ...]:
    """Bits of a frame in a trace: bytes, `crc` for the CRC_A of those before, `/n` for n bits of the last one."""
    text, _, last_bits = said.partition("/")
    data = bytes.fromhex(text.replace("crc", ""))
    return frame(data + crc_a(data) if "crc" in text else data, int(last_bits or 0))


def show(bits: tuple[Bit, ...] | None, align: int) -> str:
    """Text of an answer: bytes; of the first one only /n bits if it was cut; `?` where four bits hold a collision."""
    if not bits:
        return ""
    words: list[str] = []
    place, nibbles, count = align, [0, 0], 0
    collided = [False, False]
    for bit in bits:
        if place == 8:
            cut = f"/{count}" if count < 8 else ""
            value = (nibbles[1] << 4 | nibbles[0]) >> (8 - count)
            words.append(
                f"{value:02x}{cut}" if cut else "".join("?" if collided[k] else f"{nibbles[k]:x}" for k in (1, 0))
            )
            place, nibbles, count, collided = 0, [0, 0], 0, [False, False]
            continue
        if bit is None:
            collided[place // 4] = True
        elif bit:
            nibbles[place // 4] |= 1 << place % 4
        place += 1
        count += 1
    return " ".join(words)


@pytest.mark.parametrize("path", sorted((HERE / "traces").glob("*.txt")), ids=lambda path: path.stem)
def test_trace(path: Path) -> None:
    antenna = Antenna()
    now_ns = 0
    antenna.switch(True, now_ns)
    asked = ""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        mark, _, said = line.partition(" ")
        if mark == "tags":
            for name in said.split(", "):
                kind, _, uid = name.partition(" ")
                Placed(Tag(kind, bytes.fromhex(uid))).put(now_ns, [antenna])
            now_ns += POWER_UP_NS
        elif mark == ">":
            asked = said
        elif mark == "<":
            align = int(asked.partition("/")[2] or 0) % 7
            answer = antenna.send(told(asked), now_ns)
            assert show(answer.bits if answer else None, align) == said, f"{path.name}:{number}"
            now_ns += 10_000_000
        else:
            assert mark in ("", "#"), f"{path.name}:{number}: {line}"


# --- power ---


def test_a_tag_listens_once_it_has_had_power_long_enough() -> None:
    antenna, tag = Antenna(), Tag("ntag213", UID)
    Placed(tag).put(0, [antenna])
    antenna.switch(True, 0)
    assert antenna.send(frame((REQA,), 7), POWER_UP_NS - 1) is None
    assert antenna.send(frame((REQA,), 7), POWER_UP_NS) is not None


def test_a_tag_forgets_its_state_only_when_the_field_was_off_long_enough() -> None:
    antenna, tag = Antenna(), Tag("ntag213", UID)
    Placed(tag).put(0, [antenna])
    antenna.switch(True, 0)
    antenna.send(frame((REQA,), 7), POWER_UP_NS)
    for off_ns, state in ((POWER_DOWN_NS - 1, State.READY), (POWER_DOWN_NS, State.POWER_OFF)):
        antenna.switch(False, 10**9)
        antenna.switch(True, 10**9 + off_ns)
        assert tag.state is state


def test_a_tag_near_a_coil_hears_it_only_if_another_one_powers_it() -> None:
    on, near = Antenna(), Antenna()
    Placed(Tag("ntag213", UID)).put(0, [on], [near])
    near.switch(True, 0)
    assert near.send(frame((REQA,), 7), POWER_UP_NS) is None
    on.switch(True, POWER_UP_NS)
    assert near.send(frame((REQA,), 7), 2 * POWER_UP_NS) is not None


def test_without_a_field_nothing_is_sent() -> None:
    antenna = Antenna()
    Placed(Tag("ntag213", UID)).put(0, [antenna])
    assert antenna.send(frame((REQA,), 7), 10**9) is None


def test_noise_is_the_same_from_the_same_seed() -> None:
    def heard(seed: int) -> list[tuple[Bit, ...]]:
        noise = Noise(seed, flipped=0.5, cut=0.3, lost=0.2, hiss=0.5)
        return [noise.spoil(bits) for bits in (frame(b"\x44\x00"), ()) * 50]

    assert heard(1) == heard(1) != heard(2)


# --- mistakes ---


@pytest.mark.parametrize(
    ("kind", "uid", "says"),
    [
        ("ntag214", "04 a1 b2 c3 d4 e5 80", "there is no kind of tag 'ntag214'; there are: ntag213"),
        ("ntag213", "de ad be ef", r"the UID of a ntag213 has 7 bytes, not 4 \(de ad be ef\)"),
        ("classic1k", "88 ad be ef", "no UID has the cascade tag 88 where 88 ad be ef has it"),
        ("ntag213", "04 a1 b2 88 d4 e5 80", "no UID has the cascade tag 88"),
    ],
)
def test_tags_that_cannot_be(kind: str, uid: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Tag(kind, bytes.fromhex(uid))
