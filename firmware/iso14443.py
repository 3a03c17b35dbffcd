"""ISO/IEC 14443-3 type A as a reader speaks it: frame by frame, until every tag in the field has said its UID."""

import micropython
from micropython import const

from nfc import TAGS, UID_PLACE, Uids

# Kinds of frames: what was sent last.
REQUEST = const(0)
ANTICOLLISION = const(1)
SELECT = const(2)
HALT = const(3)

# What came back.
SILENCE = const(0)
ANSWER = const(1)
COLLISION = const(2)
GARBAGE = const(3)

_SEL = b"\x93\x95\x97"
_SELECT_NVB = const(0x70)
_SELECT_BYTES = const(8)  # the prefix, SEL, NVB, four bytes of the UID, BCC
_CASCADE_TAG = const(0x88)
_CASCADE = const(0x04)  # of SAK: the UID goes on

_RETRIES = const(2)  # after garbage, in one poll
_ROUNDS = const(12)  # requests in one poll, whatever happens


class _Tags(Uids):
    """UIDs, and for each the SELECT frames that name it, level by level, ready to go out."""

    def __init__(self, prefix):
        super().__init__()
        self.frames = [[bytearray((prefix,) + (_SELECT_BYTES - 1) * (0,)) for _ in _SEL] for _ in range(TAGS)]

    def take(self, other, i):
        """Take over the other's tag number i; what that holds there then is worth nothing."""
        n = self.count
        self.places[n], other.places[i] = other.places[i], self.places[n]
        self.frames[n], other.frames[i] = other.frames[i], self.frames[n]
        self.count = n + 1


class Polling:
    """The tags in one field, poll by poll: `begin` sends a first frame, `go_on` takes in what came and sends the next.

    A reader derives from it and gives `_send` and `_hear`, and when an exchange is over `_came`, `_size` (bytes that
    came), `_last_bits` (of the last one, 0: all) and `_position` (of the first collision, from 1 at bit 0 of the first
    byte; 0: unknown).
    Each frame begins with the byte `prefix`, which is not sent to the tags.
    """

    def __init__(self, prefix):
        self.found = _Tags(prefix)
        self._known = _Tags(prefix)  # who was here in the last poll
        self._aim = 0  # at which of them; past the last: at whoever answers
        self._wupa = bytes((prefix, 0x52))
        self._reqa = bytes((prefix, 0x26))
        self._hlta = bytes((prefix, 0x50, 0x00))
        frame = memoryview(bytearray(_SELECT_BYTES))
        frame[0] = prefix
        self._frame = frame
        self._frames = [frame[:size] for size in range(_SELECT_BYTES + 1)]
        self._uid = bytearray(UID_PLACE)
        self._level = 0
        self._bits = 0  # of this level's UID that are settled
        self._retries = 0
        self._rounds = 0
        self._whole = True  # nothing was garbled, and nobody left out
        self._unread = False  # a tag answered, and was not read since
        self._doubt = False  # the last round broke off: a tag may spend the next request on going back to IDLE
        self._sent = REQUEST
        self._came = SILENCE
        self._size = 0
        self._last_bits = 0
        self._position = 0

    def _send(self, kind, data, framing, crc):
        """Send a frame, with CRC_A both ways or without, and return True.

        `framing` tells how many bits of the last byte count (0: all) and, << 4, which bit of the first byte heard takes
        the first bit.
        """
        raise NotImplementedError

    def _hear(self):
        """The bytes that came, from index 1 on."""
        raise NotImplementedError

    def begin(self):
        """Wake everybody."""
        self._known, self.found = self.found, self._known
        self.found.count = 0
        self._aim = -1
        self._whole = True
        self._unread = False
        self._doubt = False
        self._retries = 0
        self._rounds = 0
        return self._request(self._wupa)

    @micropython.native
    def go_on(self):
        """False: the poll is over."""
        sent = self._sent
        if sent == SELECT:
            return self._selected()
        if sent == REQUEST:
            return self._requested()
        if sent == ANTICOLLISION:
            return self._anticollided()
        return self._request(self._reqa)  # whoever is not halted

    @micropython.native
    def _request(self, command):
        self._rounds += 1
        if self._rounds > _ROUNDS:
            self._whole = False
            return False
        return self._send(REQUEST, command, 7, False)

    @micropython.native
    def _requested(self):
        if self._came == SILENCE:
            if self._doubt:
                self._doubt = False
                return self._request(self._reqa)
            if self._unread:
                self._whole = False
            return False
        self._unread = True
        self._doubt = True
        self._level = 0
        # First those of the last poll, by name: that is quicker, and a stronger tag cannot drown them.
        self._aim += 1
        if self._aim < self._known.count:
            return self._send(SELECT, self._known.frames[self._aim][0], 0, True)
        self._bits = 0
        return self._anticollide()

    def _anticollide(self):
        """Ask those whose UID begins with the bits that are settled for the rest of it."""
        bits = self._bits
        cut = bits & 7
        frame = self._frame
        frame[1] = _SEL[self._level]
        frame[2] = 0x20 + (bits >> 3 << 4) + cut
        return self._send(ANTICOLLISION, self._frames[3 + (bits + 7 >> 3)], cut << 4 | cut, False)

    @micropython.native
    def _anticollided(self):
        if self._came == SILENCE:
            return self._request(self._reqa)
        frame = self._frame
        held = self._bits >> 3
        cut = self._bits & 7
        size = self._size
        if self._came == GARBAGE or not 1 <= size <= 5 - held:
            return self._garbled()
        heard = self._hear()
        at = 3 + held
        kept = frame[at] & (1 << cut) - 1
        for k in range(size):
            frame[at + k] = heard[1 + k]
        frame[at] |= kept
        if self._came == COLLISION:
            settled = 8 * held + self._position
            if not self._bits < settled <= 32:
                return self._garbled()
            # Go on with those that have a 1 there.
            at = 3 + (settled - 1 >> 3)
            bit = 1 << (settled - 1 & 7)
            frame[at] = frame[at] & bit - 1 | bit
            self._bits = settled
            return self._anticollide() if settled < 32 else self._select()
        if held + size != 5 or self._last_bits or frame[3] ^ frame[4] ^ frame[5] ^ frame[6] != frame[7]:
            return self._garbled()
        return self._select()

    def _select(self):
        frame = self._frame
        frame[2] = _SELECT_NVB
        frame[7] = frame[3] ^ frame[4] ^ frame[5] ^ frame[6]
        return self._send(SELECT, frame, 0, True)

    @micropython.native
    def _selected(self):
        if self._came == SILENCE:
            return self._request(self._reqa)
        if self._came != ANSWER or self._size != 1 or self._last_bits:
            return self._garbled()
        goes_on = self._hear()[1] & _CASCADE
        if self._aim >= self._known.count:
            return self._climb(goes_on)
        # A known tag. What it says of its length must not have changed.
        self._level += 1
        last = self._known.places[self._aim][0] <= 1 + 3 * self._level
        if last == bool(goes_on):
            return self._garbled()
        if goes_on:
            return self._send(SELECT, self._known.frames[self._aim][self._level], 0, True)
        self.found.take(self._known, self._aim)
        if self._aim < self._known.count - 1:
            return self._halt()
        self._unread = False
        self._doubt = False
        return self._request(self._reqa)  # the last known one goes back to IDLE in silence: HLTA would only take time

    @micropython.native
    def _climb(self, goes_on):
        """Take one level's part of a new tag's UID; go up, or have done."""
        frame = self._frame
        level = self._level
        if (frame[3] == _CASCADE_TAG) != bool(goes_on) or (level == 2 and goes_on):
            return self._garbled()
        if self.found.count < TAGS:
            ready = self.found.frames[self.found.count][level]
            for k in range(1, _SELECT_BYTES):
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
        return self._send(HALT, self._hlta, 0, True)

    def _garbled(self):
        self._whole = False
        self._retries += 1
        return self._retries <= _RETRIES and self._request(self._reqa)
