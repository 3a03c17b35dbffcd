"""The models of the reader chips by themselves, register by register and frame by frame, as the data sheets say."""

from __future__ import annotations

import pytest

from underglow.bench.devices.antenna import POWER_UP_NS, Antenna, Noise, Placed
from underglow.bench.devices.iso14443 import Tag, answer_after_ns, crc_a, etu_ns, frame, reply_ns, request_ns
from underglow.bench.devices.mfrc522 import Mfrc522
from underglow.bench.devices.pn532 import ACK, ADDRESS, ERROR, NACK, Pn532, information_frame

COMMAND, COM_IRQ, DIV_IRQ, ERROR_REG, FIFO, LEVEL, CONTROL, FRAMING, COLL = 1, 4, 5, 6, 9, 10, 12, 13, 14
MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK, CRC_HIGH, CRC_LOW, VERSION = 0x11, 0x12, 0x13, 0x14, 0x15, 0x21, 0x22, 0x37
T_MODE, T_PRESCALER, T_RELOAD_LOW = 0x2A, 0x2B, 0x2D
TX, RX, IDLE, ERR, TIMER = 0x40, 0x20, 0x10, 0x02, 0x01
UID = bytes.fromhex("04 a1 b2 c3 d4 e5 80")


class Spi:
    """An MFRC522 on a bus with a clock of its own."""

    def __init__(self, *tags: Tag) -> None:
        self.now_ns = 0
        self.antenna = Antenna()
        self.chip = Mfrc522(self.antenna)
        for tag in tags:
            Placed(tag).put(0, [self.antenna])
        self.wait(1_000_000)

    def wait(self, ns: int) -> None:
        self.now_ns += ns

    def transfer(self, *data: int) -> bytes:
        self.chip.nss(False, self.now_ns)
        got = bytes(self.chip.transfer(byte, self.now_ns) for byte in data)
        self.chip.nss(True, self.now_ns)
        return got

    def write(self, register: int, *values: int) -> None:
        self.transfer(register << 1, *values)

    def read(self, *registers: int) -> bytes:
        return self.transfer(*(0x80 | register << 1 for register in registers), 0)[1:]

    def set_up(self) -> None:
        for register, value in ((TX_ASK, 0x40), (MODE, 0x3D), (T_MODE, 0x80), (T_PRESCALER, 0xA9), (T_RELOAD_LOW, 9)):
            self.write(register, value)
        self.write(TX_CONTROL, 0x83)
        self.wait(POWER_UP_NS)

    def exchange(self, data: bytes, framing: int = 0) -> None:
        self.write(COMMAND, 0)
        self.write(COM_IRQ, 0x7F)
        self.write(LEVEL, 0x80)
        self.write(FIFO, *data)
        self.write(FRAMING, framing)
        self.write(COMMAND, 0x0C)
        self.write(FRAMING, 0x80 | framing)

    def answer(self) -> bytes:
        self.wait(3_000_000)
        return self.read(*[FIFO] * self.read(LEVEL)[0])


# --- MFRC522: the bus ---


def test_reads_come_one_byte_behind_their_addresses() -> None:
    spi = Spi()
    assert spi.transfer(0x80 | VERSION << 1, 0x80 | FIFO << 1, 0x00) == b"\x00\x92\x00"
    assert spi.read(VERSION, COLL, TX_CONTROL) == b"\x92\xa0\x80"


def test_writes_all_go_to_the_address_they_began_with() -> None:
    spi = Spi()
    spi.write(FIFO, 1, 2, 3)
    assert spi.read(LEVEL, FIFO, FIFO, FIFO, LEVEL) == b"\x03\x01\x02\x03\x00"


def test_it_is_silent_unless_it_is_selected() -> None:
    spi = Spi()
    assert not spi.chip.selected
    assert spi.chip.transfer(0x80 | VERSION << 1, spi.now_ns) == 0xFF


def test_irq_bits_are_set_and_cleared_by_mask() -> None:
    spi = Spi()
    spi.write(COM_IRQ, 0x7F)
    assert spi.read(COM_IRQ) == b"\x00"
    spi.write(COM_IRQ, 0x80 | 0x41)
    assert spi.read(COM_IRQ) == b"\x41"
    spi.write(COM_IRQ, 0x40)
    assert spi.read(COM_IRQ) == b"\x01"


def test_the_fifo_holds_64_bytes() -> None:
    spi = Spi()
    spi.write(FIFO, *range(65))
    assert spi.read(LEVEL, ERROR_REG) == b"\x40\x10"
    spi.write(LEVEL, 0x80)
    assert spi.read(LEVEL, ERROR_REG) == b"\x00\x00"


def test_a_soft_reset_takes_its_time_and_the_field() -> None:
    spi = Spi()
    spi.set_up()
    spi.write(COMMAND, 0x0F)
    assert spi.read(COMMAND)[0] & 0x10
    assert not spi.antenna.on
    spi.wait(1_000_000)
    assert spi.read(COMMAND, TX_ASK, MODE, VERSION) == b"\x20\x00\x3f\x92"


def test_nrstpd_stops_everything_until_it_is_high_again() -> None:
    spi = Spi()
    spi.set_up()
    spi.chip.nrstpd(False, spi.now_ns)
    assert not spi.antenna.on
    assert spi.read(VERSION) == b"\x00"
    spi.chip.nrstpd(True, spi.now_ns)
    assert spi.read(VERSION, TX_ASK) == b"\x92\x00"


def test_the_coprocessor_works_out_crc_a() -> None:
    spi = Spi()
    spi.write(MODE, 0x3D)
    spi.write(DIV_IRQ, 0x04)
    spi.write(FIFO, 0x12, 0x34)
    spi.write(COMMAND, 0x03)
    assert not spi.read(DIV_IRQ)[0] & 0x04
    spi.wait(10_000)
    assert spi.read(DIV_IRQ)[0] & 0x04
    assert spi.read(CRC_LOW, CRC_HIGH) == b"\x26\xcf"


def test_it_refuses_what_it_does_not_know() -> None:
    with pytest.raises(NotImplementedError, match="does not know command 0xe"):
        Spi().write(COMMAND, 0x0E)


# --- MFRC522: the air ---


def test_an_exchange_takes_the_time_it_takes_on_the_air() -> None:
    spi = Spi(Tag("ntag213", UID))
    spi.set_up()
    spi.exchange(b"\x26", 7)
    begun_ns = spi.now_ns
    bits = frame(b"\x26", 7)
    for after_ns, irq in (
        (request_ns(bits) - 1, 0),
        (request_ns(bits), TX),
        (answer_after_ns(bits) + reply_ns(frame(b"\x44\x00")) - 1, TX),
        (answer_after_ns(bits) + reply_ns(frame(b"\x44\x00")), TX | RX),
        (20_000_000, TX | RX),
    ):
        spi.now_ns = begun_ns + after_ns
        assert spi.read(COM_IRQ)[0] & ~IDLE == irq, after_ns
    assert spi.read(LEVEL, FIFO, FIFO, ERROR_REG) == b"\x02\x44\x00\x00"


def test_silence_is_told_by_the_timer() -> None:
    spi = Spi()
    spi.set_up()
    spi.exchange(b"\x26", 7)
    ends_ns = request_ns(frame(b"\x26", 7)) + (2 * 0xA9 + 1) * 10 * 10**9 // 13_560_000
    spi.wait(ends_ns - 1)
    assert spi.read(COM_IRQ)[0] & (RX | TIMER) == 0
    spi.wait(1)
    assert spi.read(COM_IRQ)[0] & (RX | TIMER) == TIMER


def test_the_timer_stops_with_the_fifth_bit() -> None:
    spi = Spi(Tag("ntag213", UID))
    spi.set_up()
    fifth_ns = answer_after_ns(frame(b"\x26", 7)) + etu_ns(5) - request_ns(frame(b"\x26", 7))
    ticks = fifth_ns * 13_560_000 // 10**9 // (2 * 0xA9 + 1)
    for reload, irq in ((ticks - 1, RX | TIMER), (ticks, RX)):
        spi.write(T_RELOAD_LOW, reload)
        spi.exchange(b"\x52", 7)
        spi.answer()
        assert spi.read(COM_IRQ)[0] & (RX | TIMER) == irq
        spi.exchange(b"\x52", 7)  # back to IDLE


def test_without_full_modulation_no_tag_understands() -> None:
    spi = Spi(Tag("ntag213", UID))
    spi.set_up()
    spi.write(TX_ASK, 0)
    spi.exchange(b"\x26", 7)
    assert spi.answer() == b""


def test_start_send_means_nothing_without_transceive() -> None:
    spi = Spi(Tag("ntag213", UID))
    spi.set_up()
    spi.write(FIFO, 0x26)
    spi.write(FRAMING, 0x87)
    spi.wait(3_000_000)
    assert spi.read(LEVEL) == b"\x01"


def test_crc_goes_out_and_comes_in_if_asked() -> None:
    spi = Spi(Tag("classic1k", bytes.fromhex("de ad be ef")))
    spi.set_up()
    spi.exchange(b"\x26", 7)
    spi.answer()
    spi.write(TX_MODE, 0x80)
    spi.write(RX_MODE, 0x80)
    spi.exchange(bytes.fromhex("93 70 de ad be ef 22"))
    assert spi.answer() == b"\x08"
    assert spi.read(ERROR_REG) == b"\x00"


def test_a_wrong_crc_is_an_error() -> None:
    spi = Spi(Tag("ntag213", UID))
    spi.set_up()
    spi.write(RX_MODE, 0x80)
    spi.exchange(b"\x26", 7)
    spi.answer()
    assert spi.read(ERROR_REG) == b"\x04"
    assert spi.read(COM_IRQ)[0] & ERR


@pytest.mark.parametrize(
    ("one", "two", "asked", "framing", "position", "kept", "cleared"),
    [
        # Collisions in bit 1, 8 and 32 of the UID; what is received after one is kept or cleared.
        ("00 11 22 33", "01 11 22 33", "93 20", 0x00, 1, "00 11 22 33 00", "00 00 00 00 00"),
        ("10 11 12 13", "90 11 12 13", "93 20", 0x00, 8, "10 11 12 13 00", "10 00 00 00 00"),
        ("10 11 12 13", "10 11 12 93", "93 20", 0x00, 0, "10 11 12 13 00", "10 11 12 13 00"),
        # Three bits are known, the first one heard is bit 4: the position counts from bit 1 of the byte all the same.
        ("13 11 12 13", "33 11 12 13", "93 23 03", 0x33, 6, "10 11 12 13 00", "10 00 00 00 00"),
    ],
)
def test_where_answers_collide(
    one: str, two: str, asked: str, framing: int, position: int, kept: str, cleared: str
) -> None:
    for values_after_coll, wanted in ((0x80, kept), (0x00, cleared)):
        spi = Spi(Tag("classic1k", bytes.fromhex(one)), Tag("classic1k", bytes.fromhex(two)))
        spi.set_up()
        spi.write(COLL, values_after_coll)
        spi.exchange(b"\x26", 7)
        spi.answer()
        spi.exchange(bytes.fromhex(asked), framing)
        got = spi.answer()
        assert spi.read(ERROR_REG) == b"\x08"
        assert spi.read(COLL)[0] == values_after_coll | position
        assert got[:4] == bytes.fromhex(wanted)[:4]


def test_a_collision_past_the_32nd_bit_has_no_position() -> None:
    spi = Spi(Tag("classic1k", bytes.fromhex("00 11 22 33")))
    spi.set_up()
    spi.exchange(b"\x26", 7)
    spi.answer()

    class InTheLastByte(Noise):
        def spoil(self, bits: tuple[int | None, ...]) -> tuple[int | None, ...]:
            return (*bits[:36], None, *bits[37:])

    spi.antenna.noise = InTheLastByte(0)
    spi.exchange(b"\x93\x20")
    spi.answer()
    assert spi.read(ERROR_REG) == b"\x08"
    assert spi.read(COLL)[0] & 0x20


def test_a_tag_that_is_cut_short_leaves_a_piece_of_a_byte() -> None:
    spi = Spi(Tag("ntag213", UID))
    spi.set_up()

    class Cut(Noise):
        def spoil(self, bits: tuple[int | None, ...]) -> tuple[int | None, ...]:
            return bits[:12]

    spi.antenna.noise = Cut(0)
    spi.exchange(b"\x26", 7)
    assert spi.answer() == b"\x44\x00"
    assert spi.read(CONTROL)[0] & 7 == 3


def test_transmit_sends_and_is_idle_again() -> None:
    tag = Tag("classic1k", bytes.fromhex("de ad be ef"))
    spi = Spi(tag)
    spi.set_up()
    spi.exchange(b"\x26", 7)
    spi.answer()
    select = bytes.fromhex("93 70 de ad be ef 22")
    spi.exchange(select + crc_a(select))
    assert spi.answer() == bytes.fromhex("08 b6 dd")
    spi.write(FRAMING, 0)
    spi.write(COM_IRQ, 0x7F)
    spi.write(FIFO, 0x50, 0x00, 0x57, 0xCD)
    spi.write(COMMAND, 0x04)
    spi.wait(request_ns(frame(bytes(4))))
    assert spi.read(COM_IRQ)[0] & (TX | IDLE) == TX | IDLE
    assert spi.read(COMMAND)[0] & 0xF == 0
    assert tag.halted


def test_a_hung_chip_answers_the_bus_but_ends_nothing() -> None:
    spi = Spi(Tag("ntag213", UID))
    spi.set_up()
    spi.chip.hang(spi.now_ns)
    spi.exchange(b"\x26", 7)
    spi.wait(10**9)
    assert spi.read(COM_IRQ, VERSION) == b"\x00\x92"
    spi.write(COMMAND, 0x0F)
    spi.wait(1_000_000)
    spi.set_up()
    spi.exchange(b"\x26", 7)
    assert spi.answer() == b"\x44\x00"


# --- PN532 ---


class I2c:
    """A PN532 on a bus with a clock of its own."""

    def __init__(self, *tags: Tag, awake: bool = True) -> None:
        self.now_ns = 0
        self.antenna = Antenna()
        self.chip = Pn532(self.antenna)
        for tag in tags:
            Placed(tag).put(0, [self.antenna])
        self.now_ns += 10_000_000
        if awake:
            self.ask(0x14, 0x01, 0x14, 0x00)
            self.ask(0x12, 0x00)
            self.ask(0x32, 0x05, 0xFF, 0x01, 0x00)

    def write(self, data: bytes) -> None:
        assert self.chip.start(read=False, at_ns=self.now_ns)
        assert all(self.chip.write(byte) for byte in data)
        self.chip.stop(self.now_ns)

    def read(self, size: int) -> bytes:
        assert self.chip.start(read=True, at_ns=self.now_ns)
        got = bytes(self.chip.read(self.now_ns) for _ in range(size))
        self.chip.stop(self.now_ns)
        return got

    def wait(self) -> None:
        """Until it is ready."""
        for _ in range(1000):
            if self.read(1) == b"\x01":
                return
            self.now_ns += 200_000
        pytest.fail("it was never ready")

    def ask(self, *command: int) -> bytes:
        """One command; the data of its answer."""
        self.write(information_frame(bytes((0xD4, *command))))
        self.wait()
        assert self.read(1 + len(ACK)) == b"\x01" + ACK
        self.wait()
        answer = self.read(60)[1:]
        body = answer[5 : 5 + answer[3]]
        assert answer[: len(body) + 7] == information_frame(body)
        assert body[:2] == bytes((0xD5, command[0] + 1))
        return body[2:]


def test_it_says_what_it_is() -> None:
    assert ADDRESS == 0x24
    assert I2c(awake=False).ask(0x02) == b"\x32\x01\x06\x07"


def test_frames_are_as_the_manual_prints_them() -> None:
    assert information_frame(b"\xd4\x02") == bytes.fromhex("00 00 ff 02 fe d4 02 2a 00")
    assert information_frame(bytes.fromhex("d5 03 32 01 06 07")) == bytes.fromhex("0000ff06fad50332010607e800")


def test_before_it_has_slept_enough_it_does_not_answer_its_address() -> None:
    chip = Pn532(Antenna())
    assert not chip.start(read=False, at_ns=0)
    assert chip.start(read=False, at_ns=10_000_000)


def test_until_sam_configuration_it_knows_little() -> None:
    i2c = I2c(awake=False)
    i2c.write(information_frame(b"\xd4\x4a\x01\x00"))
    i2c.wait()
    i2c.read(7)
    i2c.wait()
    assert i2c.read(9) == b"\x01" + ERROR


def test_a_command_it_does_not_know_is_answered_by_an_error_frame() -> None:
    i2c = I2c()
    i2c.write(information_frame(b"\xd4\x99"))
    i2c.wait()
    assert i2c.read(7)[1:] == ACK
    i2c.wait()
    assert i2c.read(9)[1:] == ERROR


@pytest.mark.parametrize("place", range(9))
def test_a_damaged_frame_is_not_even_acknowledged(place: int) -> None:
    i2c = I2c()
    damaged = bytearray(information_frame(b"\xd4\x02"))
    damaged[place] ^= 0x04
    i2c.write(bytes(damaged))
    i2c.now_ns += 100_000_000
    assert i2c.read(1) == b"\x00"


def test_an_answer_is_given_again_for_a_nack() -> None:
    i2c = I2c()
    i2c.write(information_frame(b"\xd4\x02"))
    i2c.wait()
    i2c.read(7)
    i2c.wait()
    assert i2c.read(4) == b"\x01\x00\x00\xff"  # only a piece of it
    i2c.write(NACK)
    i2c.wait()
    assert i2c.read(14)[1:] == information_frame(bytes.fromhex("d5 03 32 01 06 07"))


def test_an_ack_from_the_host_aborts_a_command() -> None:
    i2c = I2c()
    i2c.ask(0x32, 0x05, 0xFF, 0x01, 0xFF)  # try for ever
    i2c.write(information_frame(b"\xd4\x4a\x01\x00"))
    i2c.wait()
    i2c.read(7)
    i2c.now_ns += 10**10
    assert i2c.read(1) == b"\x00"
    i2c.write(ACK)
    assert i2c.ask(0x02)[:1] == b"\x32"


def test_it_lists_tags_by_their_whole_names() -> None:
    tags = (Tag("ntag213", UID), Tag("classic1k", bytes.fromhex("de ad be ef")))
    listed = I2c(*tags).ask(0x4A, 0x02, 0x00)
    ntag = bytes.fromhex("00 44 00 07") + UID
    classic = bytes.fromhex("00 04 08 04 de ad be ef")
    assert listed in (b"\x02\x01" + ntag + b"\x02" + classic, b"\x02\x01" + classic + b"\x02" + ntag)
    assert I2c(tags[0]).ask(0x4A, 0x01, 0x00) == b"\x01\x01" + ntag
    assert I2c().ask(0x4A, 0x01, 0x00) == b"\x00"


def test_a_raw_frame_tells_silence_from_an_answer() -> None:
    i2c = I2c(Tag("ntag213", UID))
    i2c.ask(0x32, 0x01, 0x01)
    i2c.now_ns += POWER_UP_NS
    i2c.ask(0x08, 0x63, 0x02, 0x00, 0x63, 0x03, 0x00, 0x63, 0x3D, 0x07)
    assert i2c.ask(0x42, 0x26) == b"\x00\x44\x00"
    assert i2c.ask(0x42, 0x26) == b"\x01"  # back to IDLE
    i2c.ask(0x32, 0x01, 0x00)
    assert i2c.ask(0x42, 0x26) == b"\x01"
