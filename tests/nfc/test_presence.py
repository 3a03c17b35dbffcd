"""The presence rule by itself: what the ends of polls make of tags, and never two truths."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from world import firmware

nfc = firmware("nfc")

A, B, C = b"\x04\xa1\xb2\xc3\xd4\xe5\x80", b"\xde\xad\xbe\xef", b"\x04\xa1\xb2\xc3\xd4\xe5\xf6\x07\x18\x29"
D, E = b"\x01\x02\x03\x04", b"\x01\x02\x03\x05"


def found(*uids: bytes) -> Any:
    result = nfc.Uids()
    for uid in uids:
        assert result.add(bytes((len(uid),)) + uid + bytes(10 - len(uid)))
    return result


class Host:
    """Feeds polls, and holds what must always hold."""

    def __init__(self, readers: int, misses: int = 3) -> None:
        self.presence = nfc.Presence(readers, misses)
        self.readers = readers

    def state(self) -> list[tuple[set[bytes], set[bytes], int]]:
        presence = self.presence
        return [(set(presence.tags(i)), set(presence.conflicts(i)), presence.fault(i)) for i in range(self.readers)]

    def poll(self, reader: int, *uids: bytes, whole: bool = True, fault: int = 0) -> bool:
        before, number = self.state(), self.presence.number
        changed = self.presence.feed(reader, found(*uids), whole, fault)
        assert changed == (self.state() != before)
        assert self.presence.number == number + changed
        everywhere = [uid for i in range(self.readers) for uid in self.presence.tags(i)]
        assert len(everywhere) == len(set(everywhere)), "a tag is at one reader"
        for i in range(self.readers):
            for uid in self.presence.conflicts(i):
                assert sum(uid in self.presence.conflicts(k) for k in range(self.readers)) >= 2
        return changed

    def tags(self, reader: int = 0) -> set[bytes]:
        return set(self.presence.tags(reader))


def test_a_tag_is_there_once_it_was_read_whole() -> None:
    host = Host(1)
    assert host.poll(0, A)
    assert host.tags() == {A}
    assert not host.poll(0, A)


def test_public_report_garbled_reply_taken_as_removal_only_silence_counts() -> None:
    host = Host(1, misses=3)
    host.poll(0, A)
    for _ in range(100):
        assert not host.poll(0, whole=False)
    assert not host.poll(0)
    assert not host.poll(0)
    assert not host.poll(0, whole=False)
    assert host.tags() == {A}
    assert host.poll(0)
    assert host.tags() == set()


def test_public_report_tag_alternates_present_and_absent() -> None:
    host = Host(1, misses=3)
    host.poll(0, A)
    for _ in range(5):
        host.poll(0)
        host.poll(0)
        assert not host.poll(0, A)
    assert host.tags() == {A}


def test_a_garbled_poll_still_adds_what_it_read() -> None:
    host = Host(1)
    host.poll(0, A)
    assert host.poll(0, B, whole=False)
    assert host.tags() == {A, B}


def test_a_new_tag_waits_until_there_is_room() -> None:
    host = Host(1, misses=2)
    host.poll(0, A, B, C, D)
    assert not host.poll(0, A, B, C, E)
    assert host.tags() == {A, B, C, D}
    host.poll(0, A, B, C, E)
    assert host.tags() == {A, B, C, E}


def test_a_move_is_one_change() -> None:
    host = Host(2)
    host.poll(0, A)
    assert not host.poll(1, A)  # who is right?
    assert host.poll(0)  # the second
    assert (host.tags(0), host.tags(1)) == (set(), {A})
    assert host.presence.conflicts(0) == host.presence.conflicts(1) == []


def test_a_glance_at_a_neighbour_is_no_conflict() -> None:
    host = Host(2)
    host.poll(0, A)
    host.poll(1, A)
    assert not host.poll(1)
    assert not host.poll(0, A)
    assert host.state() == [({A}, set(), 0), (set(), set(), 0)]


def test_a_garbled_poll_does_not_decide_a_move() -> None:
    host = Host(2)
    host.poll(0, A)
    host.poll(1, A)
    assert not host.poll(0, whole=False)
    assert host.tags(0) == {A}


def test_both_go_on_reading_it_is_a_conflict() -> None:
    host = Host(3)
    host.poll(0, A)
    host.poll(2, A)
    assert host.poll(0, A)
    assert host.state() == [({A}, {A}, 0), (set(), set(), 0), (set(), {A}, 0)]
    for _ in range(10):
        assert not host.poll(2, A)
        assert not host.poll(0, A)


def test_a_conflict_ends_where_the_tag_goes_silent() -> None:
    for silent, left in ((0, 1), (1, 0)):
        host = Host(2, misses=3)
        host.poll(0, A)
        host.poll(1, A)
        host.poll(0, A)
        host.poll(silent)
        host.poll(silent)
        assert host.tags(0) == {A}
        assert set(host.presence.conflicts(0)) == {A}
        assert host.poll(silent)
        assert host.tags(left) == {A}
        assert host.presence.conflicts(0) == host.presence.conflicts(1) == []


def test_two_tags_that_bear_one_uid_at_three_readers() -> None:
    host = Host(3, misses=2)
    for _ in range(3):
        for reader in range(3):
            host.poll(reader, A)
    assert host.state() == [({A}, {A}, 0), (set(), {A}, 0), (set(), {A}, 0)]
    host.poll(0)
    host.poll(0)
    assert host.state() == [(set(), set(), 0), ({A}, {A}, 0), (set(), {A}, 0)]


def test_a_fault_is_a_change_and_takes_no_tag_away() -> None:
    host = Host(1)
    host.poll(0, A)
    assert host.poll(0, whole=False, fault=nfc.HUNG)
    assert not host.poll(0, whole=False, fault=nfc.HUNG)
    assert host.state() == [({A}, set(), nfc.HUNG)]
    assert host.poll(0, A)
    assert host.state() == [({A}, set(), nfc.FINE)]


def test_a_tag_leaves_a_broken_reader_for_the_one_that_reads_it() -> None:
    host = Host(2)
    host.poll(0, A)
    host.poll(0, whole=False, fault=nfc.ABSENT)
    assert host.poll(1, A)
    assert (host.tags(0), host.tags(1)) == (set(), {A})
    host = Host(2)
    host.poll(0, A)
    host.poll(1, A)
    host.poll(0, whole=False, fault=nfc.ABSENT)
    assert host.poll(1, A)
    assert (host.tags(0), host.tags(1)) == (set(), {A})


def test_uids_made_up_anew_in_every_field_are_passed_over() -> None:
    host = Host(1)
    assert not host.poll(0, b"\x08\x01\x02\x03")
    assert host.poll(0, b"\x08\x01\x02\x03\x04\x05\x06")  # seven bytes are never made up
    assert host.tags() == {b"\x08\x01\x02\x03\x04\x05\x06"}


@pytest.mark.parametrize("misses", [0, 8])
def test_misses_have_bounds(misses: int) -> None:
    with pytest.raises(ValueError, match="misses must be 1 to 7"):
        nfc.Presence(1, misses)


polls = st.tuples(
    st.integers(0, 2), st.sets(st.sampled_from([A, B, C, D, E]), max_size=4), st.booleans(), st.integers(0, 1)
)


@settings(max_examples=300)
@given(st.lists(polls, max_size=40), st.integers(1, 4))
def test_whatever_is_fed_there_are_never_two_truths(fed: list[tuple[int, set[bytes], bool, int]], misses: int) -> None:
    host = Host(3, misses)
    silent: dict[tuple[int, bytes], int] = {}
    for reader, uids, whole, fault in fed:
        host.poll(reader, *sorted(uids), whole=whole and not fault, fault=fault)
        for uid in (A, B, C, D, E):
            key = reader, uid
            silent[key] = 0 if uid in uids else silent.get(key, misses) + (whole and not fault)
            if silent[key] >= misses:
                assert uid not in host.tags(reader)
    for reader in range(3):  # once all is quiet, it is all gone
        for _ in range(misses):
            host.poll(reader)
    for reader in range(3):
        for _ in range(misses):
            host.poll(reader)
    assert [host.tags(i) for i in range(3)] == [set()] * 3
