"""Readings to occupancy: what of the sensors' flicker is a token. No pins, no clock; time is counted in scans."""


class Sensing:
    """The settled state of up to 8 * `size` sensors.

    A sensor changes once it has read different for `settle_scans` (1 to 7) scans in a row; anything shorter leaves
    no trace. All sensors settle side by side: each has a three-bit counter, kept as three bit planes.
    """

    def __init__(self, size, settle_scans, active_low):
        if not 1 <= settle_scans <= 7:
            raise ValueError("settle_scans must be 1 to 7")
        self._idle = 0xFF if active_low else 0
        self._settled = bytearray(size)
        self._ones = bytearray(size)
        self._twos = bytearray(size)
        self._fours = bytearray(size)
        self._busy = bytearray(size)  # bytes whose counters are not all zero
        self._settle_scans = settle_scans
        #: Whether a change is on its way to be settled.
        self.counting = False
        #: Grows by one with every change; 0 until the first reading.
        self.number = 0

    def feed(self, reading):
        """Take one scan (bytes, as read). True if the settled state changed."""
        settled = self._settled
        if reading == settled and self.number:
            if self.counting:
                self._forget()
            return False
        if not self.number:
            settled[:] = reading
            self.number = 1
            return True
        return self._count(reading)

    def _forget(self):
        for k in range(len(self._ones)):
            self._ones[k] = self._twos[k] = self._fours[k] = self._busy[k] = 0
        self.counting = False

    def _count(self, reading):
        settle = self._settle_scans
        not_ones = 0 if settle & 1 else 0xFF
        not_twos = 0 if settle & 2 else 0xFF
        not_fours = 0 if settle & 4 else 0xFF
        changed = False
        settled, busy = self._settled, self._busy
        for k in range(len(reading)):
            differs = reading[k] ^ settled[k]
            if not differs and not busy[k]:
                continue
            ones = self._ones[k]
            twos = self._twos[k]
            fours = (self._fours[k] ^ (twos & ones)) & differs
            twos = (twos ^ ones) & differs
            ones = ~ones & differs
            done = differs & (ones ^ not_ones) & (twos ^ not_twos) & (fours ^ not_fours)
            if done:
                self._settled[k] ^= done
                changed = True
            self._ones[k] = ones & ~done
            self._twos[k] = twos & ~done
            self._fours[k] = fours & ~done
            busy[k] = differs & ~done
        self.counting = True
        if changed:
            self.number += 1
        return changed

    def occupancy(self, sensors):
        """The settled state as the wire carries it: a set bit is a token; bits past `sensors` are clear."""
        size = (sensors + 7) // 8
        unused = -sensors & 7
        bits = int.from_bytes(self._settled[:size], "big")
        if self._idle:
            bits ^= (1 << 8 * size) - 1
        return (bits >> unused << unused).to_bytes(size, "big")
