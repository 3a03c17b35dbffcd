"""Both readers against the models of their chips: what they find, and what no noise or fault makes them say."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from world import Rig, Watched, firmware

from underglow.bench.devices.antenna import Antenna, Noise
from underglow.bench.devices.iso14443 import CASCADE_TAG, KINDS, SHORT_BITS, Bit, State, Tag, crc_a, frame, receive
from underglow.bench.devices.pn532 import Pn532

nfc = firmware("nfc")

KINDS_OF_READER = ["mfrc522", "pn532"]
NTAG = Tag("ntag213", bytes.fromhex("04 a1 b2 c3 d4 e5 80"))
TWIN = Tag("ntag215", bytes.fromhex("04 a1 b2 c3 d4 e5 81"))  # differs in the last bit of the UID that is sent
CLASSIC = Tag("classic1k", bytes.fromhex("de ad be ef"))
TRIPLE = Tag("triple", bytes.fromhex("04 a1 b2 c3 d4 e5 f6 07 18 29"))
DESFIRE = Tag("desfire", bytes.fromhex("04 a1 b2 c3 d4 e5 82"))
ALL = [NTAG, TWIN, CLASSIC, TRIPLE]


@pytest.fixture(params=KINDS_OF_READER)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def fresh(tag: Tag) -> Tag:
    return Tag(tag.kind, tag.uid)


def uids(*tags: Tag) -> set[bytes]:
    return {tag.uid for tag in tags}


def lay(rig: Rig, *tags: Tag, reader: int = 0) -> None:
    for tag in tags:
        rig.place(fresh(tag), reader)


@st.composite
def heaps(draw: st.DrawFn, most: int = 4) -> list[Tag]:
    """Up to so many tags, their UIDs as alike as can be or not at all: bytes from a few, so that prefixes agree."""
    kinds = draw(st.lists(st.sampled_from(sorted(KINDS)), max_size=most))
    few = st.sampled_from([0x00, 0x01, 0x04, 0x80, 0x87, 0xFF]) | st.integers(0, 255)
    heap: dict[bytes, Tag] = {}
    for name in kinds:
        size = KINDS[name].uid_bytes
        uid = bytes(draw(st.lists(few, min_size=size, max_size=size)))
        if uid[{4: 0, 7: 3, 10: 6}[size]] != CASCADE_TAG and not (size == 4 and uid[0] == 0x08):
            heap[uid] = Tag(name, uid)
    return list(heap.values())


# --- finding ---


def test_a_tag_is_found_and_stays_until_it_is_silent(kind: str) -> None:
    rig = Rig(kind)
    lay(rig, NTAG)
    rig.turns()
    assert rig.tags() == {NTAG.uid}
    assert rig.presence.number == 1
    rig.turns(20)
    assert rig.presence.number == 1
    rig.place(NTAG)
    rig.turns(2)
    assert rig.tags() == {NTAG.uid}
    rig.turns()
    assert rig.tags() == set()
    assert rig.presence.number == 2
    assert all(rig.readers[0].ends[1:])


@settings(max_examples=150)
@given(heap=heaps(), reader=st.sampled_from(KINDS_OF_READER))
def test_any_set_of_four_tags_is_read_whole(heap: list[Tag], reader: str) -> None:
    rig = Rig(reader)
    for tag in heap:
        rig.place(tag, 0)
    rig.turns()
    assert rig.readers[0].ends[-1]
    assert rig.readers[0].uids() == uids(*heap)
    rig.turns()  # again, by name
    assert rig.readers[0].ends[-1]
    assert rig.readers[0].uids() == uids(*heap) == rig.tags()


@pytest.mark.parametrize("bit", range(32))
def test_two_tags_that_differ_in_one_bit(kind: str, bit: int) -> None:
    rig = Rig(kind)
    uid = 0x13579BDF
    pair = [Tag("classic1k", value.to_bytes(4, "little")) for value in (uid, uid ^ 1 << bit)]
    lay(rig, *pair)
    rig.turns()
    assert rig.readers[0].uids() == uids(*pair)


@settings(max_examples=40)
@given(before=heaps(), after=heaps(), reader=st.sampled_from(KINDS_OF_READER))
def test_one_set_changes_into_another(before: list[Tag], after: list[Tag], reader: str) -> None:
    rig = Rig(reader)
    for tag in before:
        rig.place(tag, 0)
    rig.turns(2)
    for tag in before:
        rig.place(tag)
    for tag in after:
        rig.place(tag, 0)
    rig.turns(5)
    assert rig.tags() == uids(*after)


def test_a_crowd_never_loses_those_that_were_there(kind: str) -> None:
    rig = Rig(kind)
    lay(rig, *ALL)
    rig.turns(2)
    lay(rig, DESFIRE)
    rig.turns(10)
    assert rig.tags() == uids(*ALL)
    assert not rig.readers[0].ends[-1]  # there is one more, and the poll says that it was not all
    rig.place(CLASSIC)
    rig.turns(10)
    assert rig.tags() == uids(NTAG, TWIN, TRIPLE, DESFIRE)


def test_a_phone_is_no_token(kind: str) -> None:
    rig = Rig(kind)
    lay(rig, NTAG)
    for k in range(10):  # it makes up another UID in every field
        phone = Tag("classic1k", bytes((0x08, k, 0x22, 0x33)))
        rig.place(phone, 0)
        rig.turns()
        rig.place(phone)
    assert rig.tags() == {NTAG.uid}
    assert rig.presence.number == 1


def test_a_halted_tag_that_kept_its_power_is_woken() -> None:
    """Another field holds it up all the time, so it is still in HALT when its turn comes; REQA would not wake it."""
    rig = Rig("mfrc522")
    rig.antennas.append(Antenna())
    rig.antennas[1].switch(True, rig.now_ns)
    tag = fresh(NTAG)
    rig.place(tag, 0, 1)
    rig.turns()
    assert tag.state is State.HALT
    rig.turns()
    assert rig.readers[0].uids() == {NTAG.uid}


# --- noise ---


@settings(max_examples=25)
@given(
    heap=heaps(3),
    reader=st.sampled_from(KINDS_OF_READER),
    seed=st.integers(0, 10**6),
    flipped=st.floats(0, 0.5),
    cut=st.floats(0, 0.3),
    hiss=st.floats(0, 0.5),
)
def test_public_report_garbled_reply_taken_as_removal(
    heap: list[Tag], reader: str, seed: int, flipped: float, cut: float, hiss: float
) -> None:
    rig = Rig(reader)
    for tag in heap:
        rig.place(tag, 0)
    rig.turns(2)
    assert rig.tags() == uids(*heap)
    rig.antennas[0].noise = Noise(seed, flipped=flipped, cut=cut, hiss=hiss)
    for _ in range(25):
        rig.turns()
        assert rig.readers[0].uids() <= uids(*heap)
        assert rig.tags() == uids(*heap)
    assert rig.readers[0].fault == nfc.FINE


@settings(max_examples=25)
@given(heap=heaps(3), reader=st.sampled_from(KINDS_OF_READER), seed=st.integers(0, 10**6))
def test_under_any_noise_only_silent_polls_in_a_row_remove(heap: list[Tag], reader: str, seed: int) -> None:
    rig = Rig(reader, misses=3)
    chance = random.Random(seed)
    rig.antennas[0].noise = Noise(
        seed, flipped=chance.random() / 2, cut=0.1, lost=chance.random() / 2, deaf=chance.random() / 2, hiss=0.2
    )
    for tag in heap:
        rig.place(tag, 0)
    silent = dict.fromkeys(uids(*heap), 3)
    for _ in range(40):
        rig.turns()
        found = rig.readers[0].uids()
        assert found <= uids(*heap)
        for uid in silent:
            silent[uid] = 0 if uid in found else silent[uid] + rig.readers[0].ends[-1]
            assert (uid in rig.tags()) == (silent[uid] < 3)


class Spoils(Noise):
    """Does to the answers, numbered from 0 for each poll, what it is told."""

    def __init__(self, how: Callable[[int, tuple[Bit, ...]], tuple[Bit, ...]]) -> None:
        super().__init__(0)
        self._how = how
        self.answers = 0

    def spoil(self, bits: tuple[Bit, ...]) -> tuple[Bit, ...]:
        if not bits:
            return bits
        self.answers += 1
        return self._how(self.answers - 1, bits)


def flipped(bits: tuple[Bit, ...], *places: int) -> tuple[Bit, ...]:
    return tuple(1 - (bit or 0) if place in places else bit for place, bit in enumerate(bits))


@pytest.mark.parametrize("known", [False, True])
def test_a_poll_gets_over_one_garbled_answer(known: bool) -> None:
    for spoilt in range(1, 5):
        rig = Rig("mfrc522")
        lay(rig, NTAG)
        rig.turns(2 if known else 0)
        noise = Spoils(lambda number, bits, spoilt=spoilt: flipped(bits, 3) if number == spoilt else bits)
        rig.antennas[0].noise = noise
        rig.turns()
        assert rig.readers[0].uids() == {NTAG.uid}
        assert noise.answers > spoilt or known


@pytest.mark.parametrize("known", [False, True])
def test_a_tag_that_falls_silent_in_the_middle_was_not_silent(known: bool) -> None:
    for heard in range(1, 3):
        rig = Rig("mfrc522")
        lay(rig, NTAG)
        rig.turns(2 if known else 0)
        rig.antennas[0].noise = Spoils(lambda number, bits, heard=heard: bits if number < heard else ())
        rig.turns()
        assert rig.readers[0].uids() == set()
        assert not rig.readers[0].ends[-1]


def test_a_uid_whose_check_byte_is_wrong_is_no_uid(kind: str) -> None:
    """The answers of ANTICOLLISION have five bytes; in the last one a bit is wrong, and its parity fits."""
    rig = Rig(kind)
    lay(rig, NTAG)
    rig.antennas[0].noise = Spoils(lambda _, bits: flipped(bits, 38, 44) if len(bits) == 45 else bits)
    rig.turns(5)
    assert rig.readers[0].uids() == rig.tags() == set()


def test_public_report_uid_cut_to_4_of_7_bytes(kind: str) -> None:
    """A tag whose SAK forgets to say that the UID goes on, with a CRC that fits."""
    rig = Rig(kind)
    lay(rig, NTAG)
    whole, half = frame(b"\x04" + crc_a(b"\x04")), frame(b"\x00" + crc_a(b"\x00"))
    rig.antennas[0].noise = Spoils(lambda _, bits: half if bits == whole else bits)
    rig.turns(5)
    assert rig.readers[0].uids() == rig.tags() == set()
    rig.antennas[0].noise = None
    rig.turns(2)
    assert rig.tags() == {NTAG.uid}
    if kind == "mfrc522":  # and a known one that suddenly does so is garbled, not gone
        rig.antennas[0].noise = Spoils(lambda _, bits: half if bits == whole else bits)
        rig.turns(5)
        assert not any(rig.readers[0].ends[-5:])
        assert rig.tags() == {NTAG.uid}


def test_silence_then_garbage_is_one_miss(kind: str) -> None:
    rig = Rig(kind, misses=2)
    lay(rig, NTAG)
    rig.turns(2)
    rig.antennas[0].noise = Spoils(lambda _, bits: ())
    rig.turns()
    rig.antennas[0].noise = Spoils(lambda _, bits: flipped(bits, 3))
    rig.turns(6)
    assert rig.tags() == {NTAG.uid}
    rig.antennas[0].noise = Spoils(lambda _, bits: ())
    rig.turns()
    assert rig.tags() == set()


class Endless(Tag):
    """A tag with evil in mind: at every level its UID goes on."""

    def __init__(self) -> None:
        super().__init__("triple", TRIPLE.uid)

    def hear(self, bits: Sequence[int]) -> tuple[int, ...] | None:
        heard = receive(bits)
        part = bytes((CASCADE_TAG, 1, 2, 3, CASCADE_TAG))
        if len(bits) == SHORT_BITS:
            return frame(b"\x84\x00")
        if heard.data[1:2] == b"\x20":
            return frame(part)
        return frame(b"\x04" + crc_a(b"\x04")) if heard.data[1:2] == b"\x70" else None


def test_a_uid_without_end_is_no_uid(kind: str) -> None:
    rig = Rig(kind)
    rig.place(Endless(), 0)
    rig.turns(5)
    assert rig.readers[0].uids() == rig.tags() == set()
    assert rig.readers[0].fault == nfc.FINE


class Liar(Pn532):
    """Its list is what it likes."""

    lie = b""

    def _list(self, wanted: int) -> bytes:
        return self.lie


@pytest.mark.parametrize(
    "lie",
    [
        "01 01 00 44 00 04 88 04 a1 b2",  # half a UID
        "01 01 00 44 00 05 01 02 03 04 05",
        "01 01 00 44 00 ff 01",
        "03 01 00 44 00 0a 04 a1 b2 c3 d4 e5 f6 07 18 29 02 00 44 00 0a 04 a1 b2 c3 d4 e5 f6 07 18 28",
        "ff",
    ],
)
def test_a_list_that_makes_no_sense_is_garbage(lie: str) -> None:
    rig = Rig("pn532", started=False)
    rig.chips[0] = Liar(rig.antennas[0])
    rig.chips[0].lie = bytes.fromhex(lie)
    rig.turns(3)
    assert rig.tags() == set()
    assert not any(rig.readers[0].ends)


def test_noise_ends_and_all_is_as_before(kind: str) -> None:
    rig = Rig(kind)
    lay(rig, *ALL)
    rig.turns(2)
    rig.antennas[0].noise = Noise(7, flipped=1.0)
    rig.turns(10)
    assert not any(rig.readers[0].ends[-10:])
    rig.antennas[0].noise = None
    rig.turns(2)
    assert rig.readers[0].ends[-1]
    assert rig.readers[0].uids() == uids(*ALL)
    assert rig.presence.number == 1


def test_a_tag_that_is_gone_behind_noise_goes_once_the_noise_ends(kind: str) -> None:
    rig = Rig(kind)
    lay(rig, NTAG, CLASSIC)
    rig.turns(2)
    rig.antennas[0].noise = Noise(7, flipped=1.0)
    rig.place(NTAG)
    rig.turns(10)
    assert rig.tags() == uids(NTAG, CLASSIC)
    rig.antennas[0].noise = None
    rig.turns(4)
    assert rig.tags() == uids(CLASSIC)


# --- faults ---


def test_a_hung_reader_is_reset_and_reported(kind: str) -> None:
    rig = Rig(kind)
    lay(rig, NTAG)
    rig.turns(2)
    rig.chips[0].hang(rig.now_ns)
    rig.turns()
    assert rig.presence.fault(0) == nfc.HUNG
    assert rig.tags() == {NTAG.uid}  # nobody knows better
    assert rig.presence.number == 2
    rig.turns(2)
    assert rig.presence.fault(0) == nfc.FINE
    assert rig.tags() == {NTAG.uid}
    assert rig.presence.number == 3


@pytest.mark.parametrize("reset", [False, True])
def test_a_chip_that_nothing_reaches_is_cured_by_its_reset_pin_alone(kind: str, reset: bool) -> None:
    for moment in range(60):  # whatever it was about: its registers stay as they were
        rig = Rig(kind, reset=reset)
        lay(rig, NTAG)
        for _ in range(40 + moment):
            rig.step()
        rig.now_ns += 5_000 * moment
        rig.chips[0].hang(rig.now_ns, deaf=True)
        for _ in range(100 if kind == "mfrc522" else 600):
            rig.step()
        assert reset or rig.presence.fault(0) == nfc.HUNG
        if moment % 20 == 0:
            for _ in range(5_000):
                rig.step()
            assert rig.presence.fault(0) == (nfc.FINE if reset else nfc.HUNG)


def test_a_reader_that_hangs_does_not_keep_its_field(kind: str) -> None:
    rig = Rig(kind, kind, reset=kind == "pn532")
    rig.turns(2)
    while not rig.antennas[0].on:
        rig.step()
    rig.chips[0].hang(rig.now_ns)
    rig.turns(4)
    assert rig.fields == 1


def test_a_supply_dip_is_noticed_and_mended(kind: str) -> None:
    rig = Rig(kind)
    lay(rig, NTAG)
    rig.turns(2)
    rig.chips[0].brown_out(rig.now_ns)
    rig.turns()
    assert rig.presence.fault(0) == nfc.RESTARTED
    for _ in range(5000):
        rig.step()
    assert rig.presence.fault(0) == nfc.FINE
    assert rig.tags() == {NTAG.uid}
    assert rig.presence.number == 3


@pytest.mark.parametrize("miso", [0x00, 0xFF])
def test_an_unplugged_reader_is_absent_and_comes_back(kind: str, miso: int) -> None:
    rig = Rig(kind, kind)
    lay(rig, NTAG, reader=1)
    rig.turns(2)
    rig.chips[0].unplug(rig.now_ns, *([miso] if kind == "mfrc522" else []))
    rig.turns(3)
    assert rig.presence.fault(0) == nfc.ABSENT
    number = rig.presence.number
    for _ in range(10_000):
        rig.step()
    assert rig.presence.number == number
    ends = len(rig.readers[1].ends)
    for _ in range(5_000):  # two seconds
        rig.step()
    assert len(rig.readers[1].ends) - ends > 40  # the other goes on as if it were alone
    rig.chips[0].plug(rig.now_ns)
    lay(rig, CLASSIC, reader=0)
    for _ in range(6_000):
        rig.step()
    assert rig.presence.fault(0) == nfc.FINE
    assert rig.tags(0) == {CLASSIC.uid}


def test_a_reader_that_never_was_there(kind: str) -> None:
    rig = Rig(kind, started=False)
    rig.chips[0].unplug(0)
    rig.turns()
    assert rig.presence.fault(0) == nfc.ABSENT
    assert rig.readers[0].ends == [False]


def test_an_error_in_a_step_costs_a_reset_and_no_more(kind: str) -> None:
    rig = Rig(kind)
    lay(rig, NTAG)
    rig.turns(2)
    rig.error = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        rig.turns()
    rig.error = None
    if kind == "mfrc522":
        rig.chips[0].nss(True, rig.now_ns)
    rig.turns(3)
    assert rig.readers[0].ends[-1]
    assert rig.tags() == {NTAG.uid}
    assert rig.presence.fault(0) == nfc.FINE


def test_garbled_frames_on_the_bus_are_asked_for_again() -> None:
    rig = Rig("pn532")
    lay(rig, NTAG, CLASSIC)
    rig.turns()
    for answers in (1, 2):
        rig.chips[0].garble(answers)
        rig.turns()
        assert rig.readers[0].ends[-1]
        assert rig.readers[0].uids() == uids(NTAG, CLASSIC)
    rig.chips[0].garble(20)
    rig.turns()
    assert rig.presence.fault(0) == nfc.HUNG


def test_a_board_that_is_held_up_half_way_through_a_step_blames_no_reader(kind: str) -> None:
    class HeldUp(list[tuple[str, int, bytes, bytes]]):
        """A transcript whose board stands still for a moment at one operation."""

        def append(self, operation: tuple[str, int, bytes, bytes]) -> None:
            super().append(operation)
            if len(self) == held_up_at:
                rig.now_ns += 40_000_000

    rig = Rig(kind)
    lay(rig, NTAG)
    rig.turns(2)
    for held_up_at in range(1, 120):
        rig.transcript = HeldUp()
        rig.turns(2)
        assert rig.presence.fault(0) == nfc.FINE, held_up_at
        assert rig.tags() == {NTAG.uid}


# --- several readers ---


def test_only_one_field_is_on_at_a_time() -> None:
    rig = Rig("mfrc522", "pn532", "mfrc522", "mfrc522", "pn532")
    lay(rig, NTAG, CLASSIC, reader=1)
    rig.turns(4)
    assert rig.fields == 1


def test_a_field_left_on_by_an_earlier_life_is_off_before_the_first_poll(kind: str) -> None:
    rig = Rig(kind, kind, started=False)
    rig.antennas[1].switch(True, 0)  # the board restarted, its readers did not
    rig.place(fresh(NTAG), 1, near=[0])
    rig.turns(4)
    assert rig.tags(0) == set()
    assert rig.tags(1) == {NTAG.uid}


def test_public_report_neighbour_reads_the_same_tag(kind: str) -> None:
    rig = Rig(*[kind] * 3)
    rig.place(fresh(NTAG), 0, near=[1])
    rig.place(fresh(TWIN), 1, near=[0, 2])
    rig.place(fresh(CLASSIC), 2, near=[1])
    rig.turns(5)
    assert [rig.tags(i) for i in range(3)] == [{NTAG.uid}, {TWIN.uid}, {CLASSIC.uid}]
    assert rig.presence.number == 3


def test_the_neighbour_test_can_fail() -> None:
    """With the neighbour's field on all the time, the tag that lies there is powered, and heard here."""
    rig = Rig("mfrc522")
    rig.antennas.append(Antenna())
    rig.antennas[1].switch(True, 0)
    rig.place(fresh(NTAG), 1, near=[0])
    rig.turns(2)
    assert rig.tags() == {NTAG.uid}


def test_a_tag_on_two_readers_is_one_truth_and_a_conflict(kind: str) -> None:
    rig = Rig(kind, kind)
    rig.place(fresh(NTAG), 0)
    rig.turns(2)
    rig.place(NTAG, 0, 1)
    rig.turns(6)
    assert rig.tags(0) == {NTAG.uid}
    assert rig.tags(1) == set()
    assert set(rig.presence.conflicts(0)) == set(rig.presence.conflicts(1)) == {NTAG.uid}
    rig.place(NTAG, 1)
    rig.turns(4)
    assert rig.tags(1) == {NTAG.uid}
    assert rig.tags(0) == set()
    assert rig.presence.conflicts(0) == rig.presence.conflicts(1) == []


def test_a_tag_that_moves_is_never_at_two_readers(kind: str) -> None:
    rig = Rig(kind, kind, kind)
    tag = fresh(NTAG)
    for at in (0, 2, 1, 0, 1):
        rig.place(tag, at)
        for _ in range(600):
            rig.step()
            assert sum(len(rig.tags(i)) for i in range(3)) <= 1
        assert rig.tags(at) == {NTAG.uid}
        assert rig.presence.conflicts(at) == []


def test_a_decoder_selects_as_pins_do() -> None:
    """74HC138: three address lines choose the output that an enable line pulls low."""
    rig = Rig("mfrc522", "mfrc522", started=False)
    address = 0

    def output(number: int) -> object:
        def select(level: int) -> None:
            nonlocal address
            if not level:
                address = number
            rig.select(address, level)

        return select

    driver = firmware("drivers.mfrc522").Mfrc522
    rig.readers[:] = [Watched(driver(rig.bus, output(i))) for i in range(2)]
    lay(rig, NTAG, reader=0)
    lay(rig, CLASSIC, reader=1)
    rig.turns(3)
    assert [rig.tags(i) for i in range(2)] == [{NTAG.uid}, {CLASSIC.uid}]


# --- time ---


def test_the_clock_may_wrap(kind: str) -> None:
    rig = Rig(kind, started=False)
    rig.now_ns = ((1 << 30) - 100_000) * 1000
    lay(rig, NTAG)
    for _ in range(3000):  # a second before and after
        rig.step()
    assert rig.tags() == {NTAG.uid}
    assert rig.presence.number == 1
    assert all(rig.readers[0].ends[1:])


def test_a_poll_is_a_sequence_of_short_steps() -> None:
    rig = Rig(*["mfrc522"] * 5)
    lay(rig, NTAG, reader=0)
    lay(rig, *ALL, reader=3)
    rig.turns(10)
    assert rig.longest_ns < 700_000
    assert max(rig.readers[i].ends.count(False) for i in range(5)) == 1  # the turn that sets up


def test_what_one_poll_costs_on_the_bus() -> None:
    rig = Rig("mfrc522")
    lay(rig, NTAG)
    rig.turns(2)
    rig.transcript.clear()
    rig.turns()
    transfers = [data for operation, _, data, _ in rig.transcript if operation == "spi"]
    looks = [data for data in transfers if data[0] == 0x88]
    assert len(transfers) - len(looks) == 31
    assert sum(map(len, transfers)) - sum(map(len, looks)) == 76
    # To be told when an exchange is over: it takes so many looks in passes of 0.4 ms.
    assert len(looks) == 8
    rig = Rig("mfrc522")
    lay(rig, *ALL)
    rig.turns(2)
    rig.transcript.clear()
    rig.turns()
    transfers = [data for operation, _, data, _ in rig.transcript if operation == "spi"]
    assert len([data for data in transfers if data[0] != 0x88]) == 112
    pn = Rig("pn532")
    lay(pn, NTAG)
    pn.turns(2)
    pn.transcript.clear()
    pn.turns()
    reads = [got for operation, _, _, got in pn.transcript if operation == "read" and len(got) > 1]
    assert [len(data) for operation, _, data, _ in pn.transcript if operation == "write"] == [11, 11, 11]
    assert [len(got) for got in reads] == [7, 14, 7, 26, 7, 14]
