"""A PN532 reader on I2C: which tags are in its field, found by many short steps that never wait."""

import micropython
from micropython import const

from nfc import ABSENT, FINE, HUNG, RESTARTED, UID_PLACE, Uids

ADDRESS = 0x24

_READY = const(0x01)  # the first byte of whatever is read
_ACK = b"\x01\x00\x00\xff\x00\xff\x00"
_ABORT = b"\x00\x00\xff\x00\xff\x00"
_NACK = b"\x00\x00\xff\xff\x00\x00"
_OVERHEAD = const(8)  # ready, 00 00 FF, LEN, LCS; DCS, 00
_TARGET = const(15)  # Tg, SENS_RES, SEL_RES, length and ten bytes of NFCID1
_BODY = const(6)  # where D5 lies in what is read
_TWO = _OVERHEAD + 3 + 2 * _TARGET
_ONE = _OVERHEAD + 3 + _TARGET
_FEW = _OVERHEAD + 6  # answers to all but a list

_TIMEOUT = const(0x01)  # status of InCommunicateThru: silence
_CASCADE_TAG = const(0x88)

_REST_US = const(1_000_000)  # a chip that is not there is looked for so often
_RETRY_US = const(10_000)  # to a chip that does not acknowledge its address: it may be waking up
_PACE_US = const(700)  # between questions whether it is ready
_ACCEPT_US = const(30_000)  # within that a command is acknowledged
_ANSWER_US = const(150_000)  # no command here takes half of that
_DARK_US = const(6_000)  # no field anywhere: after 5 ms every tag has forgotten its state, and none is in HALT
_POWER_UP_US = const(5_100)  # field: after 5 ms every tag listens
_REPEATS = const(2)  # of one answer, by NACK
_WARY = const(8)  # polls after a miss that make sure it was silence: more than make a tag gone

_TICKS = const(0x3FFFFFFF)  # ticks_us counts modulo 2 ** 30 on the chip


def _command(*data):
    """A command's frame."""
    body = b"\xd4" + bytes(data)
    return bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


class Pn532:
    """The reader on bus `i2c` (its time-out at most 2 ms, or a chip that holds the clock holds up the board).

    `reset` is its RSTPDN, if that is wired. `step` as in nfc.Readers.
    """

    def __init__(self, i2c, reset=None):
        self.found = Uids()
        self.fault = FINE
        self._i2c = i2c
        self._reset = reset
        if reset:
            reset(1)
        self._set_up = (
            _command(0x14, 0x01, 0x14, 0x00),  # SAMConfiguration: there is none; also wakes the chip up
            _command(0x12, 0x00),  # SetParameters: no RATS, a tag is only asked for its name
            _command(0x32, 0x05, 0xFF, 0x01, 0x00),  # RFConfiguration, MaxRetries: one try, then say so
            _command(0x32, 0x01, 0x00),  # RFConfiguration: no field
        )
        self._field_on = _command(0x32, 0x01, 0x01)
        self._field_off = _command(0x32, 0x01, 0x00)
        self._list = _command(0x4A, 0x02, 0x00)  # InListPassiveTarget: two, type A
        self._release = _command(0x52, 0x00)  # InRelease: all
        # WriteRegister: CIU_TxMode and CIU_RxMode without CRC, CIU_BitFraming 7 bits; InCommunicateThru: REQA
        self._short_frame = _command(0x08, 0x63, 0x02, 0x00, 0x63, 0x03, 0x00, 0x63, 0x3D, 0x07)
        self._reqa = _command(0x42, 0x26)

        self._known = Uids()  # who was here in the last poll
        self._uid = bytearray(UID_PLACE)
        answer = memoryview(bytearray(_TWO))
        self._answer = answer
        self._first = answer[:1]
        self._ack = answer[: len(_ACK)]
        self._few = answer[:_FEW]
        self._one = answer[:_ONE]

        self._asked = self._frame = self._field_off  # the command, and what is to be sent for it
        self._accepted = False  # that was, and
        self._acknowledged = False  # the command was understood
        self._ready = False
        self._repeats = 0
        self._trouble = FINE
        self._whole = True
        self._wary = 0  # polls to go that ask twice
        self._now_us = 0
        self._asked_us = 0
        self._looked_us = 0
        self._pause_us = 0  # from then on, before anything else is done
        self._life = self._live()

    def step(self, now_us):
        """Go on with the poll: at most one transaction on the bus, of 26 bytes with one tag and 41 with more."""
        self._now_us = now_us
        try:
            return next(self._life)
        except StopIteration:  # an error ended it in the step before
            self._life = self._live()
            return False

    # --- from reset to reset; these yield what `step` returns ---

    def _live(self):
        while True:
            self._trouble = FINE
            if self._reset:
                self._reset(1)
            else:
                self._send(_ABORT)
            for command in self._set_up:
                self._ask(command)
                while self._busy():
                    yield None
            if self._trouble:
                yield self._fail()
                begun_us = self._now_us
                while self._since(begun_us) < _REST_US:
                    yield False
            else:
                # Without a poll: once each reader has had this turn, no field is left on from an earlier life.
                yield False
                yield from self._poll()

    def _poll(self):
        """Poll after poll, until the chip fails; after trouble nothing is asked any more."""
        while True:
            begun_us = self._now_us
            while self._since(begun_us) < _DARK_US:
                yield None
            self._ask(self._field_on)
            while self._busy():
                yield None
            begun_us = self._now_us
            while self._since(begun_us) < _POWER_UP_US:
                yield None
            self._known, self.found = self.found, self._known
            self.found.count = 0
            self._whole = True

            listed = 2
            while listed == 2 and self._whole:
                self._ask(self._list)
                while self._busy():
                    yield None
                yield None  # to read that much and to take it in are two steps
                listed = self._take_targets()
                if self._missing():
                    self._wary = _WARY
                if listed == 2 or (listed and self._wary):
                    self._ask(self._release)  # HLTA: the next request is for the others
                    while self._busy():
                        yield None
            if self._wary:
                # Silence or garbage? A list does not tell. The first request may only send a tag back to IDLE.
                self._ask(self._short_frame)
                while self._busy():
                    yield None
                for _ in range(2):
                    self._ask(self._reqa)
                    while self._busy():
                        yield None
                    self._whole = self._whole and self._answer[_BODY + 2] == _TIMEOUT
                self._wary -= self._whole

            self._ask(self._field_off)
            while self._busy():
                yield None
            if self._trouble:
                yield self._fail()
                return
            self.fault = FINE
            yield self._whole

    def _fail(self):
        self.fault = self._trouble
        self.found.count = 0
        if self._reset:
            self._reset(0)  # until its next turn: its field must not stay on in the others'
        return False

    # --- the tags ---

    @micropython.native
    def _take_targets(self):
        """Note the UIDs of a list; how many there were."""
        if self._trouble:
            return 0
        answer = self._answer
        uid = self._uid
        count = answer[_BODY + 2]
        at = _BODY + 3
        if count > 2:
            self._whole = False
            count = 0
        for _ in range(count):
            size = answer[at + 4]
            first = answer[at + 5]
            if at + 5 + size > _TWO - 2 or size not in (4, 7, 10) or (size == 4 and first == _CASCADE_TAG):
                self._whole = False
                return 0
            uid[0] = size
            for k in range(UID_PLACE - 1):
                uid[1 + k] = answer[at + 5 + k] if k < size else 0
            if not self.found.add(uid):
                self._whole = False  # more tags than can be kept apart
            at += 5 + size
        return count

    def _missing(self):
        """How many tags of the last poll were not read in this one."""
        count = self._known.count
        for i in range(self._known.count):
            if self.found.index(self._known.places[i]) >= 0:
                count -= 1
        return count

    # --- the chip ---

    def _since(self, then_us):
        return self._now_us - then_us & _TICKS

    def _ask(self, command):
        """Make this the command to go on with; the next step sends it."""
        self._asked = command
        self._asked_us = self._now_us
        self._acknowledged = False
        self._repeats = 0
        self._put(command)

    def _put(self, frame):
        self._frame = frame
        self._accepted = False
        self._ready = False
        self._pause(1)

    def _pause(self, us):
        self._looked_us = self._now_us
        self._pause_us = us

    def _busy(self):
        """Go on with the command, by one transaction at most; False once it is answered, or in trouble."""
        if self._trouble:
            return False
        if self._since(self._looked_us) < self._pause_us:
            return True
        if self._ready:
            self._ready = False
            self._pause(_PACE_US)
            return self._take()
        if not self._accepted:
            self._accepted = moved = self._send(self._frame)
            self._pause(_PACE_US if moved else _RETRY_US)
        else:
            self._ready = moved = self._receive(self._first) and self._answer[0] == _READY
            self._pause(1 if moved else _PACE_US)
        # Only after a look: the board may have been held up, and the chip not.
        if not moved and self._since(self._asked_us) > (_ANSWER_US if self._acknowledged else _ACCEPT_US):
            self._trouble = HUNG if self._accepted else ABSENT
            return False
        return True

    def _take(self):
        """Read the ACK, or the answer; False once that is whole."""
        if not self._acknowledged:
            self._acknowledged = self._receive(self._ack) and self._ack == _ACK
            if not self._acknowledged:
                self._trouble = HUNG
            return True
        if self._asked is not self._list:
            answer = self._few
        elif self._repeats or self._known.count > 1:
            answer = self._answer
        else:
            answer = self._one
        if self._receive(answer) and self._fits(len(answer)):
            if answer[_BODY] != 0xD5 or answer[_BODY + 1] != self._asked[6] + 1:
                self._trouble = RESTARTED  # it does not know the command: it sleeps, as after power-on
            return False
        # Garbled, or longer than was read: once more, from the start.
        self._repeats += 1
        if self._repeats > _REPEATS:
            self._trouble = HUNG
            return False
        self._put(_NACK)
        return True

    @micropython.native
    def _fits(self, size):
        """Whether a whole frame was read into the first `size` bytes of the answer."""
        answer = self._answer
        length = answer[4]
        if answer[0] != _READY or answer[1] or answer[2] or answer[3] != 0xFF or length + answer[5] & 0xFF:
            return False
        if not 1 <= length <= size - _OVERHEAD:
            return False
        total = 0
        for k in range(_BODY, _BODY + length + 1):
            total += answer[k]
        return not total & 0xFF

    def _send(self, data):
        try:
            self._i2c.writeto(ADDRESS, data)
        except OSError:
            return False
        return True

    def _receive(self, into):
        try:
            self._i2c.readfrom_into(ADDRESS, into)
        except OSError:
            return False
        return True
