"""The loop: hear the host, sense, advance the lights, speak. Every pass is short and allocates nothing at rest."""

import gc
import os
import select
import sys
import time
from binascii import crc32
from struct import unpack

import wire

_CHUNK = 64  # bytes heard a pass: the scan goes on whatever the host sends
_SILENT_MS = 2000  # nobody talks: the waiting light
_REPEAT_MS = 25  # an occupancy the host has not named by then is sent again
_FRAME_MS = 16
_SPARE_US = 500  # a pass quicker than this may sleep until the next millisecond
_CALM_MS = 250
_GARBAGE_MESSAGES = 16


class Board:
    """One board: `hall`, `sensing`, `lights` and `strip` under one session with the host on the USB console.

    Nothing is queued: what the host should know is state, and a frame is made when the console can take it.
    """

    def __init__(self, profile_crc, sensors, version, hall, sensing, lights, strip):
        self._profile_crc = profile_crc
        self._sensors = sensors
        self._version = version.encode()
        self._hall = hall
        self._sensing = sensing
        self._lights = lights
        self._strip = strip
        self._boot = unpack("<I", os.urandom(4))[0]

        self._decoder = wire.Decoder(wire.TO_BOARD)
        self._heard = bytearray(_CHUNK)
        view = memoryview(self._heard)
        # The console's read blocks until its buffer is full, so bytes are read one by one, each into its own place.
        self._places = [view[i : i + 1] for i in range(_CHUNK)]
        self._read = sys.stdin.buffer.readinto
        self._write = sys.stdout.buffer.write
        readable = select.poll()
        readable.register(sys.stdin, select.POLLIN)
        self._readable = readable.ipoll
        writable = select.poll()
        writable.register(sys.stdout, select.POLLOUT)
        self._writable = writable.ipoll

        self._session = 0
        self._lamps_number = 0
        self._occupancy_named = 0  # the number the host says it holds
        self._occupancy_sent_ms = 0
        self._welcome_due = True  # without a session it says: just started
        self._occupancy_due = False
        self._status_due = False
        self._status_stamp = 0
        self._fault = None
        self._unsent = b""

        now_ms = time.ticks_ms()
        self._heard_ms = time.ticks_add(now_ms, -_SILENT_MS)
        self._moved_ms = now_ms
        self._drawn_ms = now_ms
        self._redraw = True
        self._messages = 0
        self._scans = 0
        self._frames = 0

    def run(self):
        """Loop until KeyboardInterrupt: somebody wants the REPL."""
        wait_ms = 0
        while True:
            start_us = time.ticks_us()
            self.turn(wait_ms)
            # Waiting for the host's bytes is the only sleep, so what it sends is heard at once.
            busy_us = time.ticks_diff(time.ticks_us(), start_us) - 1000 * wait_ms
            wait_ms = 1 if busy_us < _SPARE_US else 0

    def turn(self, wait_ms):
        """One pass, sleeping at most `wait_ms` before it while the host is quiet."""
        self._hear(wait_ms)
        now_ms = time.ticks_ms()
        self._sense(now_ms)
        self._glow(now_ms)
        self._speak(now_ms)
        if self._messages >= _GARBAGE_MESSAGES and time.ticks_diff(now_ms, self._moved_ms) > _CALM_MS:
            self._messages = 0
            gc.collect()

    def crashed(self, error):
        """Tell the host; `run` may be called again."""
        self._fault = wire.Fault(wire.FAULT_CRASH, repr(error).encode()[: wire.MAX_BODY - 1])
        self._unsent = b""
        time.sleep_ms(100)  # a fault that stays must not fill the line

    def dark(self):
        """Put the lights out, for the REPL."""
        for i in range(len(self._lights.programs)):
            self._lights.programs[i] = 0
        while not self._strip.ready(time.ticks_us()):
            pass
        self._lights.draw(self._strip.words, 0, False)
        self._strip.show(time.ticks_us())

    # --- link ---

    def _hear(self, wait_ms):
        count = 0
        while count < _CHUNK:
            got = 0
            for _ in self._readable(wait_ms):
                got = self._read(self._places[count])
            if not got:
                break
            count += 1
            wait_ms = 0
        if count:
            for session, message in self._decoder.feed(self._heard, count):
                self._obey(session, message)
            if self._decoder.interrupted:
                raise KeyboardInterrupt

    def _obey(self, session, message):
        self._messages += 1
        kind = type(message)
        if kind is wire.Hello:
            self._session = session
            self._lamps_number = 0
            self._occupancy_named = 0
            self._welcome_due = True
            self._occupancy_due = True
        elif session != self._session or not session:
            return  # somebody else's, or an older session's: no effect
        elif kind is wire.Lamps:
            self._light(message)
            self._status_due = True
        elif kind is wire.Beat:
            self._status_stamp = message.stamp
            self._status_due = True
            self._occupancy_named = message.occupancy
        self._heard_ms = time.ticks_ms()

    def _light(self, message):
        if not message.flags & wire.WHOLE and message.number != self._lamps_number + 1:
            return  # a repeat, or one was lost before it: `status` tells which number is held
        try:
            wire.apply(message.groups, self._lights.programs)
        except ValueError as error:
            self._fault = wire.Fault(wire.FAULT_LAMPS, str(error).encode())
            return
        self._lights.brightness = message.brightness
        self._lamps_number = message.number
        self._redraw = True

    def _speak(self, now_ms):
        unnamed = self._sensing.number != self._occupancy_named and not self._silent(now_ms)
        if unnamed and time.ticks_diff(now_ms, self._occupancy_sent_ms) > _REPEAT_MS:
            self._occupancy_due = True
        if not self._unsent and not self._due():
            return
        for _ in self._writable(0):
            if not self._unsent:
                self._unsent = wire.encode(self._session, self._next(now_ms))
            self._unsent = self._unsent[self._write(self._unsent) or 0 :]

    def _due(self):
        if not self._session:
            return self._welcome_due
        return self._welcome_due or self._occupancy_due or self._status_due or self._fault

    def _next(self, now_ms):
        """The most urgent message that is due."""
        sensing = self._sensing
        if self._welcome_due:
            self._welcome_due = False
            return wire.Welcome(
                wire.PROTOCOL, wire.SCHEMA, self._profile_crc, self._boot,
                self._sensors, len(self._lights.programs) // wire.PROGRAM_BYTES, self._version,
            )  # fmt: skip
        if self._occupancy_due:
            self._occupancy_due = False
            self._occupancy_sent_ms = now_ms
            return wire.Occupancy(sensing.number, sensing.occupancy(self._sensors))
        if self._fault:
            fault = self._fault
            self._fault = None
            return fault
        stamp = self._status_stamp
        self._status_stamp = 0
        self._status_due = False
        return wire.Status(
            stamp, self._lamps_number, wire.picture_crc(self._lights.programs, self._lights.brightness),
            sensing.number, crc32(sensing.occupancy(self._sensors)),
            self._scans, self._frames, self._decoder.skipped, self._lights.load_ma(),
        )  # fmt: skip

    def _silent(self, now_ms):
        return time.ticks_diff(now_ms, self._heard_ms) >= _SILENT_MS

    # --- tokens and light ---

    def _sense(self, now_ms):
        self._scans = (self._scans + 1) & 0x3FFFFFFF
        if self._sensing.feed(self._hall.read()):
            self._occupancy_due = True
            self._moved_ms = now_ms

    def _glow(self, now_ms):
        if not self._redraw and time.ticks_diff(now_ms, self._drawn_ms) < _FRAME_MS:
            return
        now_us = time.ticks_us()
        if not self._strip.ready(now_us):
            return
        self._redraw = False
        self._drawn_ms = now_ms
        self._frames = (self._frames + 1) & 0x3FFFFFFF
        self._lights.draw(self._strip.words, now_ms, self._silent(now_ms))
        self._strip.show(now_us)
