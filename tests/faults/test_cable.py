"""The cable that spoils what it carries: what it does is what it was told, the same for the same seed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from underglow.bench.cable import Lane, Trouble

MS = 1_000_000
FRAMES = [b":%05d\n" % number for number in range(10_000)]


def carried(trouble: Trouble | None, data: list[bytes]) -> bytes:
    lane = Lane()
    lane.disturb(trouble)
    out = b""
    for at, piece in enumerate(data):
        lane.put(piece, at * MS)
        out += lane.get(at * MS)
    return out + lane.get((len(data) + 100) * MS)


chances = st.sampled_from([0.0, 0.1, 0.5, 1.0])
troubles = st.builds(Trouble, st.integers(0, 99), chances, chances, chances, st.sampled_from([0.0, 7.0]), st.booleans())
pieces = st.lists(st.binary(max_size=40), max_size=20)


@given(pieces, st.integers(1, 50))
def test_without_trouble_all_passes_unchanged_and_in_order(data: list[bytes], room: int) -> None:
    lane = Lane()
    for piece in data:
        lane.put(piece, 0)
    out = b""
    while lane.waiting:
        fresh = lane.get(0, room)
        assert len(fresh) <= room
        out += fresh
        lane.get(0, 0)
    assert out == b"".join(data)


@given(troubles, pieces)
def test_the_same_seed_is_the_same_trouble_and_nothing_stays_in_the_cable(trouble: Trouble, data: list[bytes]) -> None:
    assert carried(trouble, data) == carried(trouble, data)
    lane = Lane()
    lane.disturb(trouble)
    for piece in data:
        lane.put(piece, 0)
    lane.get(100 * MS)
    assert not lane.waiting


def test_frames_are_dropped_corrupted_and_doubled_as_often_as_told() -> None:
    out = carried(Trouble(3, drop=0.02, corrupt=0.03, duplicate=0.05), FRAMES).split(b"\n")
    whole = [frame + b"\n" for frame in out]
    known = set(FRAMES)
    intact = [frame for frame in whole if frame in known]
    doubled = len(intact) - len(set(intact))
    assert 400 < doubled < 600
    assert 9_350 < len(set(intact)) < 9_650  # 5 % are not


def test_what_did_not_pass_whole_is_told() -> None:
    spoilt: list[bytes] = []
    lane = Lane(spoilt.append)
    lane.disturb(Trouble(3, drop=0.02, corrupt=0.03))
    for frame in FRAMES:
        lane.put(frame, 0)
        assert (lane.get(0) != frame) == (spoilt[-1:] == [frame])
    assert lane.carried == len(FRAMES)


def test_bytes_are_dropped_as_often_as_told() -> None:
    assert 58_000 < len(carried(Trouble(4, drop=0.15, by_byte=True), [b"".join(FRAMES)])) < 61_000


def test_what_is_late_keeps_its_order() -> None:
    lane = Lane()
    lane.disturb(Trouble(5, delay_ms=10))
    out = b""
    for at, frame in enumerate(FRAMES[:100]):
        lane.put(frame, at * MS)
        out += lane.get(at * MS)
        assert len(out) >= (at - 10) * len(frame)
    assert len(out) < 100 * len(FRAMES[0])
    assert out + lane.get(110 * MS) == b"".join(FRAMES[:100])


def test_what_has_no_newline_passes_after_a_moment() -> None:
    lane = Lane()
    lane.disturb(Trouble(corrupt=0.0))
    lane.put(b">>> ", 0)
    assert lane.get(MS) == b""
    assert lane.get(6 * MS) == b">>> "
