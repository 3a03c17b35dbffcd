"""An MFRC522 reader on SPI: which tags are in its field, found by many short steps that never wait."""

import micropython
from micropython import const

from iso14443 import ANSWER, COLLISION, GARBAGE, HALT, SILENCE, Polling
from nfc import ABSENT, FINE, HUNG, RESTARTED

# What goes out on the bus: the register's address, then what is written to it.
_FIFO_DATA = const(0x12)
_SOFT_RESET = (b"\x02\x0f",)  # CommandReg
_IDLE = b"\x02\x00"
_TRANSMIT = b"\x02\x04"
_TRANSCEIVE = b"\x02\x0c"
_CLEAR_IRQ = b"\x08\x7f"  # ComIrqReg
_FLUSH = (b"\x14\x80",)  # FIFOLevelReg
_BIT_FRAMING = b"\x1a\x00"
_CRC_ON = (b"\x24\x80", b"\x26\x80")  # TxModeReg, RxModeReg: the coprocessor appends CRC_A and checks it
_CRC_OFF = (b"\x24\x00", b"\x26\x00")
_FIELD_ON = (b"\x28\x83", _CLEAR_IRQ)  # TxControlReg: TX2 is TX1 inverted
_FIELD_OFF = (b"\x28\x80",)
_SETTINGS = (
    b"\x2a\x40",  # TxASKReg: 100 % modulation, as type A wants it
    b"\x22\x3d",  # ModeReg: CRC_A's preset, 0x6363
    b"\x4c\x60",  # RFCfgReg: 43 dB of gain, for a reader under a board
    b"\x54\x80",  # TModeReg: the timer starts with the end of what is sent, and stops with the fifth bit heard
    b"\x56\xa9",  # TPrescalerReg: 25 us a tick
    b"\x58\x00",  # TReloadReg: 10 ticks. Tags answer after 70 us or not at all, and the fifth bit is 47 us later
    b"\x5a\x09",
)

# What is read: the addresses, and a zero while the last answer comes.
_COMMAND = b"\x82\x00"
_HEALTH = b"\xee\xaa\x88\x00"  # VersionReg, TxASKReg, ComIrqReg
_STATUS = b"\x88\x8c\x94\x98\x9c\x00"  # ComIrqReg, ErrorReg, FIFOLevelReg, ControlReg, CollReg
_FIFO = b"\x92\x92\x92\x92\x92\x00"

_VERSIONS = b"\x90\x91\x92\x88\x12\xb2"  # NXP's, and the clones that behave
_POWER_DOWN = const(0x10)  # CommandReg
_FORCE_100_ASK = const(0x40)  # TxASKReg
_TX_IRQ = const(0x40)
_RX_IRQ = const(0x20)
_TIMER_IRQ = const(0x01)
_COLL_ERR = const(0x08)
_COLL_POS_NOT_VALID = const(0x20)
_START_SEND = const(0x80)

_WAKE_US = const(50_000)
_REST_US = const(1_000_000)  # a chip that is not there is looked for so often
_DARK_US = const(6_000)  # no field: after 5 ms every tag has forgotten its state
_POWER_UP_US = const(5_100)  # field: after 5 ms every tag listens
_HANG_US = const(8_000)  # the longest exchange takes 2 ms

_TICKS = const(0x3FFFFFFF)  # ticks_us counts modulo 2 ** 30 on the chip


class Mfrc522(Polling):
    """One of the readers on bus `spi`, there while `select` is called with 0; a Pin serves, or a decoder's output.

    `reset` is its own NRSTPD, if that is wired: it cures what a command cannot. `step` as in nfc.Readers.
    """

    def __init__(self, spi, select, reset=None):
        super().__init__(_FIFO_DATA)
        self.fault = FINE
        self._write = spi.write
        self._transfer = spi.write_readinto
        self._select_pin = select
        self._reset = reset
        select(1)
        if reset:
            reset(1)

        self._framing = bytearray(_BIT_FRAMING)
        self._start = bytearray(_BIT_FRAMING)
        # An exchange: StartSend goes off before the command, and on when all is ready. The data's place is the fourth.
        self._exchange = [self._framing, _TRANSCEIVE, _CLEAR_IRQ, None, self._start]
        self._transmission = [self._framing, _IDLE, _CLEAR_IRQ, None, _TRANSMIT]
        self._crc = False
        self._dirty = False  # the FIFO holds what nobody read
        self._two = bytearray(2)
        self._four = bytearray(4)
        self._status = bytearray(6)
        heard = memoryview(bytearray(6))
        self._fifo = [(memoryview(_FIFO)[5 - size :], heard[: size + 1]) for size in range(6)]

        self._now_us = 0
        self._dark_us = 0  # since when there has been no field
        self._life = self._live()

    def step(self, now_us):
        """Go on with the poll: at most some twelve short transfers on the bus."""
        self._now_us = now_us
        try:
            return next(self._life)
        except StopIteration:  # an error ended it in the step before
            self._life = self._live()
            return False

    # --- from reset to reset; these yield what `step` returns ---

    def _live(self):
        while True:
            self._restart()
            begun_us = self._now_us
            while (self._asleep() or self._ailment() == ABSENT) and self._since(begun_us) < _WAKE_US:
                yield None
            if self._ailment() == ABSENT:
                yield self._fail(ABSENT)
                begun_us = self._now_us
                while self._since(begun_us) < _REST_US:
                    yield False
            else:
                self._put(_SETTINGS)
                # Without a poll: once each reader has had this turn, no field is left on from an earlier life.
                yield False
                yield from self._poll()

    def _poll(self):
        """Poll after poll, until the chip fails."""
        while True:
            while self._since(self._dark_us) < _DARK_US:
                yield None
            self._put(_FIELD_ON)
            begun_us = self._now_us
            while self._since(begun_us) < _POWER_UP_US:
                yield None
            ailment = self._ailment()
            if ailment:
                yield self._fail(ailment)
                return
            going = self.begin()
            while going:
                yield None
                begun_us = self._now_us  # not when it was sent: that step may have been held up half-way
                while not self._ended():
                    if self._since(begun_us) > _HANG_US:
                        yield self._fail(HUNG)
                        return
                    yield None
                going = self.go_on()
            self._put(_FIELD_OFF)
            self._dark_us = self._now_us
            self.fault = FINE
            yield self._whole

    def _fail(self, fault):
        self.fault = fault
        self.found.count = 0
        self._restart()  # at once: its field must not stay on in the others' turns
        return False

    def _restart(self):
        if self._reset:
            self._reset(0)
            self._reset(1)
        self._put(_SOFT_RESET)
        self._dark_us = self._now_us
        self._crc = False
        self._dirty = False

    # --- the chip ---

    def _since(self, then_us):
        return self._now_us - then_us & _TICKS

    def _asleep(self):
        self._read(_COMMAND, self._two)
        return self._two[1] & _POWER_DOWN

    def _ailment(self):
        """What is wrong with a chip whose field was turned on, and its interrupt requests cleared."""
        health = self._four
        self._read(_HEALTH, health)
        if health[1] not in _VERSIONS:
            return ABSENT
        if health[2] != _FORCE_100_ASK:
            return RESTARTED
        return HUNG if health[3] & (_RX_IRQ | _TIMER_IRQ) else FINE  # was cleared; or else nothing it says is news

    @micropython.native
    def _send(self, kind, data, framing, crc):
        self._sent = kind
        if crc != self._crc:
            self._crc = crc
            self._put(_CRC_ON if crc else _CRC_OFF)
        if self._dirty:
            self._dirty = False
            self._put(_FLUSH)
        self._framing[1] = framing
        self._start[1] = framing | _START_SEND
        script = self._transmission if kind == HALT else self._exchange  # nobody answers HLTA
        script[3] = data
        self._put(script)
        return True

    @micropython.native
    def _ended(self):
        """True once the exchange is over, and what came of it is known."""
        status = self._status
        select = self._select_pin
        select(0)
        self._transfer(_STATUS, status)
        select(1)
        irq = status[1]
        if self._sent == HALT:
            return irq & _TX_IRQ
        if not irq & _RX_IRQ:
            self._came = SILENCE
            return irq & _TIMER_IRQ
        self._dirty = True
        self._size = status[3]
        self._last_bits = status[4] & 7
        error = status[2]
        if not error:
            self._came = ANSWER
        elif error & _COLL_ERR:
            self._came = COLLISION
            position = status[5]
            self._position = 0 if position & _COLL_POS_NOT_VALID else (position - 1 & 0x1F) + 1  # 0 is the 32nd bit
        else:
            self._came = GARBAGE
        return True

    @micropython.native
    def _hear(self):
        addresses, heard = self._fifo[self._size]
        self._read(addresses, heard)
        self._dirty = False
        return heard

    @micropython.native
    def _put(self, script):
        """Write registers, one after another."""
        select = self._select_pin
        write = self._write
        for data in script:
            select(0)
            write(data)
            select(1)

    @micropython.native
    def _read(self, addresses, into):
        self._select_pin(0)
        self._transfer(addresses, into)
        self._select_pin(1)
