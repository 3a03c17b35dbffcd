"""An MFRC522 reader on SPI: which tags are in its field, found by many short steps that never wait."""

import micropython
from micropython import const

from nfc import ABSENT, FINE, HUNG, RESTARTED, TAGS, UID_PLACE, Uids

# What goes out on the bus: the register's address, then what is written to it.
_SOFT_RESET = (b"\x02\x0f",)  # CommandReg
_IDLE = b"\x02\x00"
_TRANSMIT = b"\x02\x04"
_TRANSCEIVE = b"\x02\x0c"
_CLEAR_IRQ = b"\x08\x7f"  # ComIrqReg
_FLUSH = (b"\x14\x80",)  # FIFOLevelReg
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
_WUPA = b"\x12\x52"  # FIFODataReg
_REQA = b"\x12\x26"
_HLTA = b"\x12\x50\x00"

# What is read: the addresses, and a zero while the last answer comes.
_COMMAND = b"\x82\x00"
_HEALTH = b"\xee\xaa\xa8\x88\x00"  # VersionReg, TxASKReg, TxControlReg, ComIrqReg
_STATUS = b"\x88\x8c\x94\x98\x9c\x00"  # ComIrqReg, ErrorReg, FIFOLevelReg, ControlReg, CollReg
_FIFO = b"\x92\x92\x92\x92\x92\x00"

_VERSIONS = b"\x90\x91\x92\x88\x12\xb2"  # NXP's, and the clones that behave
_POWER_DOWN = const(0x10)  # CommandReg
_FORCE_100_ASK = const(0x40)  # TxASKReg
_FIELD_IS_ON = const(0x83)  # TxControlReg
_TX_IRQ = const(0x40)
_RX_IRQ = const(0x20)
_TIMER_IRQ = const(0x01)
_COLL_ERR = const(0x08)
_COLL_POS_NOT_VALID = const(0x20)
_START_SEND = const(0x80)

_SEL = b"\x93\x95\x97"
_SELECT_NVB = const(0x70)
_SELECT_BYTES = const(8)  # FIFODataReg, SEL, NVB, four bytes of the UID, BCC
_CASCADE_TAG = const(0x88)
_CASCADE = const(0x04)  # of SAK: the UID goes on

# What was sent last.
_REQUEST = const(0)
_ANTICOLLISION = const(1)
_SELECT = const(2)
_HALT = const(3)

# What came back.
_SILENCE = const(0)
_ANSWER = const(1)
_COLLISION = const(2)
_GARBAGE = const(3)

_WAKE_US = const(50_000)
_REST_US = const(1_000_000)  # a chip that is not there is looked for so often
_DARK_US = const(6_000)  # no field: after 5 ms every tag has forgotten its state
_POWER_UP_US = const(5_100)  # field: after 5 ms every tag listens
_HANG_US = const(8_000)  # the longest exchange takes 2 ms
_RETRIES = const(2)  # after garbage, in one poll
_ROUNDS = const(12)  # requests in one poll, whatever happens

_TICKS = const(0x3FFFFFFF)  # ticks_us counts modulo 2 ** 30 on the chip


class _Tags(Uids):
    """UIDs, and for each the SELECT frames that name it, level by level, ready to go out."""

    def __init__(self):
        super().__init__()
        self.frames = [[bytearray(_SELECT_BYTES) for _ in _SEL] for _ in range(TAGS)]

    def take(self, other, i):
        """Take over the other's tag number i; what that holds there then is worth nothing."""
        n = self.count
        self.places[n], other.places[i] = other.places[i], self.places[n]
        self.frames[n], other.frames[i] = other.frames[i], self.frames[n]
        self.count = n + 1


class Mfrc522:
    """One of the readers on bus `spi`, there while `select` is called with 0; a Pin serves, or a decoder's output.

    `reset` is its own NRSTPD, if that is wired: it cures what a command cannot. `step` as in nfc.Readers.
    """

    def __init__(self, spi, select, reset=None):
        self.found = _Tags()
        self.fault = FINE
        self._write = spi.write
        self._transfer = spi.write_readinto
        self._select_pin = select
        self._reset = reset
        select(1)
        if reset:
            reset(1)

        self._known = _Tags()  # who was here in the last poll
        self._aim = 0  # at which of them; past the last: whoever answers
        self._uid = bytearray(UID_PLACE)
        self._level = 0
        self._bits = 0  # of this level's UID that are settled
        frame = memoryview(bytearray(_SELECT_BYTES))
        frame[0] = _REQA[0]
        self._frame = frame
        self._frames = [frame[:size] for size in range(_SELECT_BYTES + 1)]
        self._framing = bytearray(b"\x1a\x00")  # BitFramingReg
        self._start = bytearray(b"\x1a\x00")
        # An exchange: StartSend goes off before the command, and on when all is ready. The data's place is the fourth.
        self._exchange = [self._framing, _TRANSCEIVE, _CLEAR_IRQ, _REQA, self._start]
        self._halting = [self._framing, _IDLE, _CLEAR_IRQ, _REQA, _TRANSMIT]
        self._two = bytearray(2)
        self._five = bytearray(5)
        self._status = bytearray(6)
        heard = memoryview(bytearray(6))
        self._fifo = [(memoryview(_FIFO)[5 - size :], heard[: size + 1]) for size in range(6)]

        self._sent = _REQUEST
        self._sent_us = 0
        self._crc = False
        self._dirty = False  # the FIFO holds what nobody read
        self._whole = True
        self._unread = False  # a tag answered, and was not read since
        self._doubt = False  # the last round broke off: a tag may spend the next request on going back to IDLE
        self._retries = 0
        self._rounds = 0
        self._came = _SILENCE
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
            going = self._begin()
            while going:
                yield None
                if self._ended():
                    going = self._go_on()
                elif self._since(self._sent_us) > _HANG_US:
                    yield self._fail(HUNG)
                    return
            self._put(_FIELD_OFF)
            self._dark_us = self._now_us
            self.fault = FINE
            yield self._whole

    def _fail(self, fault):
        self.fault = fault
        self.found.count = 0
        return False

    def _restart(self):
        if self._reset:
            self._reset(0)
            self._reset(1)
        self._put(_SOFT_RESET)
        self._dark_us = self._now_us
        self._crc = False
        self._dirty = False

    # --- the tags in the field: each step takes in what came back and sends what follows from it ---

    def _begin(self):
        self._known, self.found = self.found, self._known
        self.found.count = 0
        self._aim = -1
        self._whole = True
        self._unread = False
        self._doubt = False
        self._retries = 0
        self._rounds = 0
        return self._request(_WUPA)

    @micropython.native
    def _go_on(self):
        """Send the next frame; False: the poll is over."""
        sent = self._sent
        if sent == _SELECT:
            return self._selected()
        if sent == _REQUEST:
            return self._requested()
        if sent == _ANTICOLLISION:
            return self._anticollided()
        return self._request(_REQA)  # whoever is not halted

    @micropython.native
    def _request(self, command):
        self._rounds += 1
        if self._rounds > _ROUNDS:
            self._whole = False
            return False
        return self._send(_REQUEST, command, 7, False)

    @micropython.native
    def _requested(self):
        if self._came == _SILENCE:
            if self._doubt:
                self._doubt = False
                return self._request(_REQA)
            if self._unread:
                self._whole = False
            return False
        self._unread = True
        self._doubt = True
        self._level = 0
        # First those of the last poll, by name: that is quicker, and a stronger tag cannot drown them.
        self._aim += 1
        if self._aim < self._known.count:
            return self._send(_SELECT, self._known.frames[self._aim][0], 0, True)
        self._bits = 0
        return self._anticollide()

    def _anticollide(self):
        """Ask those whose UID begins with the bits that are settled for the rest of it."""
        bits = self._bits
        cut = bits & 7
        frame = self._frame
        frame[1] = _SEL[self._level]
        frame[2] = 0x20 + (bits >> 3 << 4) + cut
        return self._send(_ANTICOLLISION, self._frames[3 + (bits + 7 >> 3)], cut << 4 | cut, False)

    def _anticollided(self):
        if self._came == _SILENCE:
            return self._request(_REQA)
        frame = self._frame
        held = self._bits >> 3
        cut = self._bits & 7
        size = self._status[3]
        if self._came == _GARBAGE or not 1 <= size <= 5 - held:
            return self._garbled()
        heard = self._hear(size)
        at = 3 + held
        kept = frame[at] & (1 << cut) - 1
        for k in range(size):
            frame[at + k] = heard[1 + k]
        frame[at] |= kept
        if self._came == _COLLISION:
            position = self._status[5]
            settled = 8 * held + (position - 1 & 0x1F) + 1  # position 0 is the 32nd bit
            if position & _COLL_POS_NOT_VALID or not self._bits < settled <= 32:
                return self._garbled()
            # Go on with those that have a 1 there.
            at = 3 + (settled - 1 >> 3)
            bit = 1 << (settled - 1 & 7)
            frame[at] = frame[at] & bit - 1 | bit
            self._bits = settled
            return self._anticollide() if settled < 32 else self._select()
        if held + size != 5 or self._status[4] & 7 or frame[3] ^ frame[4] ^ frame[5] ^ frame[6] != frame[7]:
            return self._garbled()
        return self._select()

    def _select(self):
        frame = self._frame
        frame[2] = _SELECT_NVB
        frame[7] = frame[3] ^ frame[4] ^ frame[5] ^ frame[6]
        return self._send(_SELECT, frame, 0, True)

    @micropython.native
    def _selected(self):
        if self._came == _SILENCE:
            return self._request(_REQA)
        if self._came != _ANSWER or self._status[3] != 1 or self._status[4] & 7:
            return self._garbled()
        goes_on = self._hear(1)[1] & _CASCADE
        if self._aim >= self._known.count:
            return self._climb(goes_on)
        # A known tag. What it says of its length must not have changed.
        self._level += 1
        last = self._known.places[self._aim][0] <= 1 + 3 * self._level
        if last == bool(goes_on):
            return self._garbled()
        if goes_on:
            return self._send(_SELECT, self._known.frames[self._aim][self._level], 0, True)
        self.found.take(self._known, self._aim)
        if self._aim < self._known.count - 1:
            return self._halt()
        self._unread = False
        self._doubt = False
        return self._request(_REQA)  # the last known one goes back to IDLE in silence: HLTA would only take time

    def _climb(self, goes_on):
        """Take one level's part of a new tag's UID; go up, or have done."""
        frame = self._frame
        level = self._level
        if (frame[3] == _CASCADE_TAG) != bool(goes_on) or (level == 2 and goes_on):
            return self._garbled()
        if self.found.count < TAGS:
            ready = self.found.frames[self.found.count][level]
            for k in range(_SELECT_BYTES):
                ready[k] = frame[k]
        uid = self._uid
        at = 1 + 3 * level
        for k in range(3 if goes_on else 4):
            uid[at + k] = frame[4 + k] if goes_on else frame[3 + k]
        if goes_on:
            self._level = level + 1
            self._bits = 0
            return self._anticollide()
        for k in range(at + 4, UID_PLACE):
            uid[k] = 0
        uid[0] = 4 + 3 * level
        if not self.found.add(uid):
            self._whole = False  # more tags than can be kept apart
            return False
        return self._halt()

    def _halt(self):
        self._unread = False
        self._doubt = False
        return self._send(_HALT, _HLTA, 0, True)

    def _garbled(self):
        self._whole = False
        self._retries += 1
        return self._retries <= _RETRIES and self._request(_REQA)

    # --- the chip ---

    def _since(self, then_us):
        return self._now_us - then_us & _TICKS

    def _asleep(self):
        self._read(_COMMAND, self._two)
        return self._two[1] & _POWER_DOWN

    def _ailment(self):
        """What is wrong with a chip whose field was turned on."""
        health = self._five
        self._read(_HEALTH, health)
        if health[1] not in _VERSIONS:
            return ABSENT
        if health[2] != _FORCE_100_ASK:
            return RESTARTED
        return FINE if health[3] == _FIELD_IS_ON and not health[4] & (_RX_IRQ | _TIMER_IRQ) else HUNG

    @micropython.native
    def _send(self, what, data, framing, crc):
        """Start an exchange; `framing`: bits sent of the last byte, and << 4 the bit that takes the first one heard."""
        self._sent = what
        self._sent_us = self._now_us
        if crc != self._crc:
            self._crc = crc
            self._put(_CRC_ON if crc else _CRC_OFF)
        if self._dirty:
            self._dirty = False
            self._put(_FLUSH)
        self._framing[1] = framing
        self._start[1] = framing | _START_SEND
        script = self._halting if what == _HALT else self._exchange
        script[3] = data
        self._put(script)
        return True

    @micropython.native
    def _ended(self):
        """True once the exchange is over and `_came` says how."""
        status = self._status
        select = self._select_pin
        select(0)
        self._transfer(_STATUS, status)
        select(1)
        irq = status[1]
        if self._sent == _HALT:
            return irq & _TX_IRQ
        if irq & _RX_IRQ:
            self._dirty = True
            error = status[2]
            self._came = _COLLISION if error & _COLL_ERR else _GARBAGE if error else _ANSWER
            return True
        self._came = _SILENCE
        return irq & _TIMER_IRQ

    @micropython.native
    def _hear(self, size):
        """Empty the FIFO of `size` bytes, which then lie from index 1 on."""
        addresses, heard = self._fifo[size]
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
