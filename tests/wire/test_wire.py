"""The wire protocol: vectors that both Pythons must agree on, and properties that hold for any bytes."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underglow import wire

HERE = Path(__file__).parent
VECTORS: dict[str, list[dict[str, Any]]] = json.loads((HERE / "vectors.json").read_text())
WIRE_DIR = str(Path(wire.__file__).parent)

u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
messages = st.one_of(
    st.builds(wire.Hello, u8, u32, u32),
    st.builds(wire.Welcome, u8, u32, u32, u32, u16, u16, st.binary(max_size=32)),
    st.builds(wire.Occupancy, u32, u32, st.binary(max_size=184)),
    st.builds(wire.Tags, u32, u8, u8, u8, st.binary(max_size=185)),
    st.builds(wire.Lamps, u32, u8, u8, st.binary(max_size=186)),
    st.builds(wire.Beat, u16, u32, u32, u32),
    st.builds(wire.Status, u16, u32, u32, u32, u32, u32, u32, u32, u32, u16),
    st.builds(wire.Fault, u8, st.binary(max_size=191)),
)
ALL = wire.TO_BOARD + wire.TO_HOST


def run_vectors(python: list[str], env: dict[str, str]) -> dict[str, Any]:
    out = subprocess.run(
        [*python, str(HERE / "run_vectors.py")], env=env, input=json.dumps(VECTORS), capture_output=True, text=True
    )
    assert out.returncode == 0, out.stdout + out.stderr
    return json.loads(out.stdout)


def check_vectors(given: dict[str, Any]) -> None:
    assert given["schema"] == wire.SCHEMA
    for kind, cases in VECTORS.items():
        for case, result in zip(cases, given[kind], strict=True):
            assert result == case["gives"], case["why"]


def test_vectors_on_cpython() -> None:
    check_vectors(run_vectors([sys.executable], {"PYTHONPATH": WIRE_DIR}))


def test_vectors_on_micropython(micropython: list[str]) -> None:
    check_vectors(run_vectors(micropython, {"MICROPYPATH": f"{WIRE_DIR}:.frozen"}))


def cut(data: bytes, cuts: list[int]) -> list[bytes]:
    ends = sorted({c % (len(data) + 1) for c in cuts})
    return [data[a:b] for a, b in zip([0, *ends], [*ends, len(data)], strict=True)]


@given(st.lists(st.tuples(u16, messages), max_size=6), st.lists(st.integers(0, 2000), max_size=12))
def test_what_was_sent_is_heard_in_any_cuts(sent: list[tuple[int, wire.Message]], cuts: list[int]) -> None:
    data = b"".join(wire.encode(session, message) for session, message in sent)
    decoder = wire.Decoder(ALL)
    assert [heard for piece in cut(data, cuts) for heard in decoder.feed(piece)] == sent
    assert decoder.skipped == 0


@given(u16, messages)
def test_public_report_0x03_in_data_ends_the_program(session: int, message: wire.Message) -> None:
    frame = wire.encode(session, message)
    assert all(byte >= 0x20 for byte in frame[:-1])
    assert frame[-1:] == b"\n"
    assert len(frame) <= wire.MAX_FRAME


@given(st.binary(max_size=2000), st.lists(st.integers(0, 2000), max_size=8))
def test_noise_is_counted_and_never_heard(noise: bytes, cuts: list[int]) -> None:
    decoder = wire.Decoder(ALL)
    assert [heard for piece in cut(noise, cuts) for heard in decoder.feed(piece)] == []
    left = noise.rpartition(b":")[2] if b":" in noise else b""  # what may still become a frame
    assert len(noise) - len(left) - 1 <= decoder.skipped <= len(noise)


@given(st.binary(max_size=40), messages, st.data())
def test_a_damaged_frame_is_not_heard_and_the_next_one_is(noise: bytes, message: wire.Message, data: Any) -> None:
    frame = wire.encode(7, message)
    at = data.draw(st.integers(0, len(frame) - 1))
    damaged = bytearray(frame)
    damaged[at] ^= data.draw(st.integers(1, 255))
    decoder = wire.Decoder(ALL)
    heard = list(decoder.feed(noise.replace(b":", b"") + bytes(damaged) + frame))
    # Base64 has spare bits and ignores foreign characters: a damaged frame may still say the same, never another thing.
    assert heard[-1] == (7, message)
    assert all(one == (7, message) for one in heard)


@given(st.binary(max_size=200), st.integers(0, 300))
def test_groups_of_any_origin_are_applied_or_refused(groups: bytes, lamps: int) -> None:
    programs = bytearray(wire.PROGRAM_BYTES * lamps)
    with contextlib.suppress(ValueError):
        wire.apply(groups, programs)
    assert len(programs) == wire.PROGRAM_BYTES * lamps


def test_a_body_too_long_is_refused_before_it_is_sent() -> None:
    with pytest.raises(ValueError, match="longer than 192"):
        wire.encode(1, wire.Fault(1, bytes(192)))


def test_decoder_memory_does_not_grow() -> None:
    decoder = wire.Decoder(ALL)
    for _ in range(100):
        assert not list(decoder.feed(b":" + b"A" * 1000))
    assert sum(len(value) for value in vars(decoder).values() if isinstance(value, bytearray)) == wire.MAX_LINE
