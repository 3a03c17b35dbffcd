# The VM's end of the bus. Made once; nothing here allocates after that but `setup`, so a scan works under heap_lock.
import json
import sys
import time
from array import array

import records
import uctypes

_SEQUENCE = 0xFFFF
_LIMIT = records.DATAGRAM_BYTES // 4
_FULL = _LIMIT - 2  # a datagram for one record


class Bus:
    def __init__(self, fd):
        self._file = open(fd, "r+b")  # noqa: SIM115 - open as long as the program runs
        self._out = array("I", [0] * _LIMIT)
        self._bytes = uctypes.bytearray_at(uctypes.addressof(self._out), records.DATAGRAM_BYTES)
        self._at = 0
        self._sequence = 0
        self._flushed_ms = time.ticks_ms()
        self.reply = bytearray(records.REPLY_BYTES)

    def post(self, word, c, more=0):
        # `more` words belong to the record; `fill` has put them there. A KeyboardInterrupt before the last line
        # leaves nothing of it.
        at = self._at
        if at >= _LIMIT - 1:
            self.flush()
            at = 0
        self._out[at] = word
        self._out[at + 1] = c
        self._at = at + 2 + more

    def stamp(self, word, more=0):
        # What has no answer says when it happened, for it may wait here.
        self.post(word, time.ticks_us() & 0xFFFFFFFF, more)

    def room(self, wanted):
        # How many words the next record can take along, which is some: at least `wanted` if they fit at all.
        if self._at + 2 + min(wanted, _FULL) > _LIMIT:
            self.flush()
        return _LIMIT - self._at - 2

    def fill(self, index, word):
        self._out[self._at + 2 + index] = word

    def put(self, data, start, size):
        # Bytes of the next record, which has room for them; returns how many words they take.
        place = 4 * self._at + 8 - start
        for i in range(start, start + size):
            self._bytes[place + i] = data[i]
        return (size + 3) // 4

    def flush(self):
        at = self._at
        # First, so that a KeyboardInterrupt in the middle loses records rather than repeating them.
        self._at = 0
        if at:
            self._file.write(self._out, 4 * at)
        self._flushed_ms = time.ticks_ms()

    def ticket(self):
        self._sequence = (self._sequence + 1) & _SEQUENCE
        return self._sequence

    def wait(self):
        # An answer to an older question, whose asker was interrupted, is passed over: each is one datagram.
        self.flush()
        reply = self.reply
        while True:
            self._file.readinto(reply, records.REPLY_BYTES)
            if reply[0] | reply[1] << 8 == self._sequence:
                return

    def value(self):
        reply = self.reply
        return reply[4] | reply[5] << 8 | reply[6] << 16 | reply[7] << 24

    def take(self, into, at, size):
        # The data of the answer.
        reply = self.reply
        for i in range(size):
            into[at + i] = reply[8 + i]

    def ask(self, word):
        self.post(word, self.ticket())
        self.wait()
        return self.value()

    def setup(self, **what):
        data = json.dumps(what).encode()
        size = len(data)
        self.room((size + 3) // 4)
        words = self.put(data, 0, size)
        self.post(records.SETUP | size << 16, self.ticket(), words)
        self.wait()
        return self.value()

    def end(self, kind):
        # A reset: the bench ends this process.
        self.post(records.RESET | kind << 8, 0)
        self.flush()
        while True:
            time.sleep(1)

    def stale_ms(self):
        return time.ticks_diff(time.ticks_ms(), self._flushed_ms)


# The console program's second argument; whatever it imports first gets the bus.
bus = Bus(int(sys.argv[2]))
