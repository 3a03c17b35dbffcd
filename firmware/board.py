"""The loop: hear the host, sense, advance the lights, speak. Every pass is short and allocates nothing at rest."""

import gc
import os
import time
from binascii import crc32
from struct import unpack

import micropython

import wire
from link import Link

_FRAME_MS = 16
_SPARE_US = 500  # a pass quicker than this may sleep until the next millisecond
_CALM_MS = 250
_ANSWER_MS = 12  # a change's answer comes within that
_GARBAGE_MESSAGES = 16
_COUNT = 0x3FFFFFFF

# The board's own lights. Nobody talks: a slow, dim blue breath over the whole board.
_WAITING = (wire.BREATHE, 24, 48, 96, 4000, 0)
# The staff's gesture: every lamp a dim white, bright green where a token is felt; until the next gesture.
_LOOKED_AFTER = (wire.SOLID, 70, 70, 70, 0, 0)
_FELT = (wire.SOLID, 0, 255, 0, 0, 0)


class Board:
    """One board: `hall` and `sensing`, `buttons`, NFC `readers`, `lights` and `strip`, and a `watchdog` over them.

    `profile` is what profile.json holds, `version` the firmware's.
    """

    def __init__(self, profile, version, console, hall, sensing, buttons, readers, lights, strip, watchdog):
        self._profile = profile
        self._version = version.encode()
        self._boot = unpack("<I", os.urandom(4))[0]
        self._hall = hall
        self._sensing = sensing
        self._buttons = buttons
        self._readers = readers
        self._lights = lights
        self._strip = strip
        self._watchdog = watchdog
        #: How many NFC readers there are.
        self.readers = len(profile["nfc"]["readers"])
        #: Counts the changes of sensors and buttons.
        self.occupancy_number = 0
        self._link = Link(self, console)

        self._staff = False  # whether the staff look after the board
        self._alone = False  # whether the host is silent
        self._redraw = True
        self._moved_ms = time.ticks_ms()
        self._drawn_ms = self._moved_ms
        self._messages = 0
        self._scans = 0
        self._frames = 0
        self._fed = 0  # frames when the watchdog was fed last

    def run(self):
        """Loop until KeyboardInterrupt: somebody wants the REPL."""
        wait_ms = 0
        while True:
            start_us = time.ticks_us()
            self.turn(wait_ms)
            # Waiting for the host's bytes is the only sleep, so what it sends is heard at once.
            busy_us = time.ticks_diff(time.ticks_us(), start_us) - 1000 * wait_ms
            wait_ms = 1 if busy_us < _SPARE_US else 0

    @micropython.native
    def turn(self, wait_ms):
        """One pass, sleeping at most `wait_ms` before it while the host is quiet."""
        link = self._link
        heard = link.hear(wait_ms)
        now_ms = time.ticks_ms()
        if heard:
            self._glow(now_ms)  # what the host wants to be seen goes first, then what it asked
            link.speak(now_ms)
        self._sense(now_ms)
        self._glow(now_ms)
        link.speak(now_ms)
        if self._frames != self._fed:  # heard, sensed, spoke, and a frame went out
            self._fed = self._frames
            self._watchdog.feed()
        # A reader's step comes last, and waits for what hands should not wait for.
        if self.readers and not self._redraw and not self._answering(now_ms) and self._readers.step(time.ticks_us()):
            link.tell_tags()
            self._moved_ms = now_ms
        if time.ticks_diff(now_ms, self._moved_ms) > _CALM_MS:
            self._moved_ms = time.ticks_add(now_ms, -_CALM_MS - 1)  # ticks compare over six days only
            if link.messages - self._messages >= _GARBAGE_MESSAGES:
                self._messages = link.messages
                gc.collect()

    def crashed(self, error):
        """Tell the host; `run` may be called again."""
        self._link.fault(wire.FAULT_CRASH, error)
        time.sleep_ms(100)  # a fault that stays must not fill the line

    def dark(self):
        """Put the lights out, for the REPL."""
        while not self._strip.ready(time.ticks_us()):
            pass
        self._lights.brightness = 0
        self._lights.draw(self._strip.words, 0, False)
        self._strip.show(time.ticks_us())

    # --- what the link tells the host, and hears from it ---

    @property
    def tags_number(self):
        """Counts the changes of the tags at all readers."""
        return self._readers.presence.number

    def welcome(self):
        """Who is there."""
        profile = self._profile
        return wire.Welcome(
            wire.PROTOCOL, wire.SCHEMA, profile["crc"], self._boot, profile["sensors"], profile["lamps"], self._version
        )

    def occupancy(self):
        """Which sensors feel a token, and how often each button was pressed."""
        presses = unpack("<I", self._buttons.presses)[0]
        return wire.Occupancy(self.occupancy_number, presses, self._felt())

    def tags(self, reader):
        """What one of the readers reads."""
        presence = self._readers.presence
        held = presence.tags(reader)
        disputed = presence.conflicts(reader)
        uids = b""
        for uid in held + [uid for uid in disputed if uid not in held]:
            flags = (wire.HELD if uid in held else 0) | (wire.CONFLICT if uid in disputed else 0)
            uids += bytes((flags | len(uid),)) + uid
        return wire.Tags(presence.number, reader, self.readers, presence.fault(reader), uids)

    def status(self, stamp, lamps_number):
        """How the board is."""
        lights = self._lights
        return wire.Status(
            stamp, lamps_number, wire.picture_crc(lights.programs, lights.brightness),
            self.occupancy_number, crc32(self._felt()), self.tags_number,
            self._scans, self._frames, self._link.skipped, lights.load_ma(),
        )  # fmt: skip

    @micropython.native
    def light(self, lamps):
        """Show what the host wants. ValueError: this board can't."""
        self._lights.take(lamps.groups)
        self._lights.brightness = lamps.brightness
        self._redraw = True

    def _felt(self):
        return self._sensing.occupancy(self._profile["sensors"])

    # --- tokens and light ---

    @micropython.native
    def _sense(self, now_ms):
        self._scans = (self._scans + 1) & _COUNT
        moved = self._sensing.feed(self._hall.read())
        moved |= self._buttons.read(now_ms)
        if moved:
            self.occupancy_number += 1
            self._link.tell_occupancy()
            self._moved_ms = now_ms
            self._look_after()

    def _look_after(self):
        """Every other gesture of the staff turns the board's own test light on, with a host or without."""
        self._staff = bool(self._buttons.presses[wire.STAFF] & 1)
        if self._staff:
            self._lights.fill(_LOOKED_AFTER)
            felt = self._felt()
            for sensor, lamp in enumerate(self._profile["sensor_lamp"]):
                if felt[sensor >> 3] & 0x80 >> (sensor & 7):
                    self._lights.set(lamp, _FELT)
            self._redraw = True
        self._alone = False

    @micropython.native
    def _answering(self, now_ms):
        """True while a change settles, or the host's answer to it may be on the way."""
        return self._sensing.counting or time.ticks_diff(now_ms, self._moved_ms) <= _ANSWER_MS

    @micropython.native
    def _glow(self, now_ms):
        if not self._redraw:
            age_ms = time.ticks_diff(now_ms, self._drawn_ms)
            # A frame on its way would hold up the answer, so that one comes a little later.
            if age_ms < _FRAME_MS or (age_ms < _FRAME_MS + _ANSWER_MS and self._answering(now_ms)):
                return
        now_us = time.ticks_us()
        if not self._strip.ready(now_us):
            return
        alone = self._link.silent(now_ms)
        if alone and not self._alone and not self._staff:
            self._lights.fill(_WAITING)
        self._alone = alone
        self._redraw = False
        self._drawn_ms = now_ms
        self._frames = (self._frames + 1) & _COUNT
        self._lights.draw(self._strip.words, now_ms, alone or self._staff)
        self._strip.show(now_us)
