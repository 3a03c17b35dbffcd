"""What the readers read to presence: which tag is where. No pins, no clock; time is counted in polls."""

import micropython

TAGS = 4  # that one reader keeps apart
UID_PLACE = 11  # bytes: how long the UID is, then the UID, then zeros

# What may be wrong with a reader.
FINE = 0
ABSENT = 1  # no such chip answers
HUNG = 2  # it did not finish what it began
RESTARTED = 3  # it forgot its settings: a dip of its supply

_RANDOM = 0x08  # first byte of a 4-byte UID made up anew in every field: a phone or a bank card, never a token


class Uids:
    """Up to TAGS different UIDs; the places are made once."""

    def __init__(self):
        self.places = [bytearray(UID_PLACE) for _ in range(TAGS)]
        self.count = 0

    def index(self, uid):
        """Where that UID is; -1: nowhere."""
        for i in range(self.count):
            if self.places[i] == uid:
                return i
        return -1

    def add(self, uid):
        """Take a copy, once. False: no place is left."""
        if self.index(uid) >= 0:
            return True
        if self.count == TAGS:
            return False
        place = self.places[self.count]
        for k in range(UID_PLACE):
            place[k] = uid[k]
        self.count += 1
        return True


class Readers:
    """The readers of a board, polled one after another: only one has its field on, so that neighbours stay apart.

    A reader has `step(now_us)`: None while its poll goes on; at its end True if every tag that is there was read,
    False if something answered that could not be read, or the reader failed. Then `found` holds the UIDs (Uids) and
    `fault` what is wrong with it. The next `step` begins its next poll.
    """

    def __init__(self, readers, misses):
        self._readers = readers
        self._turn = 0
        self.presence = Presence(len(readers), misses)

    def step(self, now_us):
        """One short step of the poll that is under way. True if the presence changed."""
        reader = self._readers[self._turn]
        whole = reader.step(now_us)
        if whole is None:
            return False
        changed = self.presence.feed(self._turn, reader.found, whole, reader.fault)
        self._turn += 1
        if self._turn == len(self._readers):
            self._turn = 0
        return changed


# What is known of a tag at one reader.
_NOTHING = 0
_HELD = 1  # it is here
_CLAIMED = 2  # it was read here, though it is held elsewhere; which of the two is right, the next polls tell
_DISPUTED = 3  # both readers went on reading it


class _Sighting:
    def __init__(self, reader):
        self.reader = reader
        self.state = _NOTHING
        self.read = False  # in the poll that is being taken in
        self.uid = bytearray(UID_PLACE)
        self.misses = 0


class Presence:
    """Which tags are at which of the `readers`.

    A tag is there once it was read whole, and gone after `misses` polls in a row in which all that answered was read
    and it was not among that; a poll with a garbled answer takes nothing away. A tag that is read at a second reader
    is there as soon as the first misses it or fails. While both read it, it stays at the first, and both are in
    conflict over it.
    """

    def __init__(self, readers, misses):
        if not 1 <= misses <= 7:
            raise ValueError("misses must be 1 to 7")
        self._misses = misses
        self._all = [_Sighting(i // TAGS) for i in range(readers * TAGS)]
        self._of = [self._all[i : i + TAGS] for i in range(0, readers * TAGS, TAGS)]
        self._faults = bytearray(readers)
        self._rivals = 0  # sightings that are CLAIMED or DISPUTED
        #: Grows by one with every change.
        self.number = 0

    @micropython.native
    def feed(self, reader, found, whole, fault):
        """Take the end of one poll: the UIDs read, whether that was all, and the reader's fault. True if it changed."""
        changed = fault != self._faults[reader]
        self._faults[reader] = fault
        sightings = self._of[reader]
        strangers = found.count
        for i in range(found.count):
            place = found.places[i]
            for sighting in sightings:
                if sighting.uid == place and sighting.state:
                    sighting.read = True
                    strangers -= 1
        for sighting in sightings:
            if sighting.read:
                sighting.read = False
                sighting.misses = 0
                if self._rivals:
                    changed |= self._seen(sighting)
            elif whole and sighting.state:
                changed |= self._missed(sighting)
        if strangers:
            for i in range(found.count):
                changed |= self._meet(reader, found.places[i])
        if changed:
            self.number += 1
        return changed

    def tags(self, reader):
        """The UIDs that are there, as bytes."""
        return [_bytes(sighting.uid) for sighting in self._of[reader] if sighting.state == _HELD]

    def conflicts(self, reader):
        """The UIDs that both this reader and another go on reading, as bytes."""
        return [_bytes(sighting.uid) for sighting in self._of[reader] if self._is_disputed(sighting)]

    def fault(self, reader):
        """What is wrong with the reader: FINE, ABSENT, HUNG or RESTARTED."""
        return self._faults[reader]

    def _seen(self, sighting):
        if sighting.state == _HELD:
            rival = self._elsewhere(sighting.uid, _CLAIMED, sighting.reader)
            if rival:
                rival.state = _DISPUTED
            return rival is not None
        holder = self._elsewhere(sighting.uid, _HELD, sighting.reader)
        if holder and not self._faults[holder.reader]:
            return False
        self._hand_over(holder, sighting)
        return True

    def _missed(self, sighting):
        sighting.misses += 1
        if sighting.state == _HELD:
            heir = self._elsewhere(sighting.uid, _CLAIMED, sighting.reader)
            if not heir:
                if sighting.misses < self._misses:
                    return False
                heir = self._elsewhere(sighting.uid, _DISPUTED, sighting.reader)
            self._hand_over(sighting, heir)
            return True
        if sighting.state == _CLAIMED or sighting.misses == self._misses:
            disputed = sighting.state == _DISPUTED
            sighting.state = _NOTHING
            self._rivals -= 1
            return disputed
        return False

    def _hand_over(self, holder, heir):
        if holder:
            holder.state = _NOTHING
        if heir:
            heir.state = _HELD
            self._rivals -= 1

    def _meet(self, reader, uid):
        """Take note of a tag if it is new here."""
        if uid[0] == 4 and uid[1] == _RANDOM:
            return False
        free = None
        for sighting in self._of[reader]:
            if not sighting.state:
                free = free or sighting
            elif sighting.uid == uid:
                return False
        if not free:
            return False  # crowded: it must wait until one is gone
        for k in range(UID_PLACE):
            free.uid[k] = uid[k]
        free.misses = 0
        holder = self._elsewhere(uid, _HELD, reader)
        if holder and not self._faults[holder.reader]:
            free.state = _CLAIMED
            self._rivals += 1
            return False
        if holder:
            holder.state = _NOTHING
        free.state = _HELD
        return True

    @micropython.native
    def _elsewhere(self, uid, state, reader):
        """The sighting of that tag in that state at any other reader, or None."""
        for sighting in self._all:
            if sighting.state == state and sighting.reader != reader and sighting.uid == uid:
                return sighting
        return None

    def _is_disputed(self, sighting):
        if sighting.state == _HELD:
            return self._elsewhere(sighting.uid, _DISPUTED, sighting.reader) is not None
        return sighting.state == _DISPUTED


def _bytes(uid):
    return bytes(uid[1 : 1 + uid[0]])
