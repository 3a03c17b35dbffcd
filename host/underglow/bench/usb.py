"""The USB cable between the emulated chip and a host that behaves like one.

rp2040py's own host serves as far as the enumeration. Beyond that it answers every buffer the chip offers at once, with
an empty packet if it has nothing to say, so that the chip is interrupted every 10 µs for ever; it takes all the chip
says in no time, even with no program listening; it makes a request before the last one is answered, on which
MicroPython panics; and it types a line of its own. A real host sends a packet when it has one, polls while a program
has the port open, makes one request at a time, and a packet takes its time on the wire.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from rp2040py.clock.clock import IClock
from rp2040py.peripherals.usb import RPUSBController
from rp2040py.usb.cdc import CDC_DTR, CDC_RTS, USBCDC

_BITS_A_US = 12  # full speed
_OVERHEAD_BYTES = 13  # of a bulk transaction: token, header, CRC and handshake
_ACCOUNTED_NS = 10_000  # what the emulator takes itself before it hands a packet over
_SUSPENDED = 1 << 4  # in the controller's SIE_STATUS


def wire_ns(size: int) -> int:
    """How long a bulk packet of `size` bytes takes."""
    return (size + _OVERHEAD_BYTES) * 8 * 1000 // _BITS_A_US


class Cable(USBCDC):
    """One end in the chip, the other in a host. `said` is told what the chip writes to its console.

    `port` is told True when the host has enumerated the chip, False when it has lost it.
    """

    def __init__(
        self, usb: RPUSBController, clock: IClock, said: Callable[[bytes], None], port: Callable[[bool], None]
    ) -> None:
        super().__init__(usb)
        self._inside: Any = usb  # what has to be put right has no public name
        self._said = said
        self._port = port
        self._plugged = True
        self._listening = True
        self._held = False
        self._there = False
        self._asking = False  # a request of ours waits for its answer

        self._backlog = bytearray()  # for the chip
        self._armed: deque[int] = deque()  # buffers the chip has ready for it
        self._sending = False
        self._packets: deque[bytes] = deque()  # from the chip
        self._carrying = False
        self._untold = False  # the chip waits to hear that its packets are gone
        self._clock = clock
        self._arrival = clock.create_alarm(self._arrived)
        #: When the chip's USB had the last packet sent to it, in its clock's ns.
        self.landed_ns = 0

        self.on_device_connected = self._enumerated
        self._base_read, usb.on_endpoint_read = usb.on_endpoint_read, self._chip_listens
        self._base_write, usb.on_endpoint_write = usb.on_endpoint_write, self._chip_spoke
        self._tell: Callable[[int, bool], None] = self._inside._indicate_buffer_ready
        self._inside._indicate_buffer_ready = self._buffer_done

    # --- the host ---

    def send(self, data: bytes) -> None:
        """Write to the chip's console; it goes as fast as the chip takes it."""
        self._backlog += data
        self._feed()

    @property
    def backlog(self) -> int:
        """How many bytes have not left for the chip yet."""
        return len(self._backlog)

    @property
    def all_landed(self) -> bool:
        """Whether the chip's USB has all that was sent."""
        return not self._backlog and not self._sending

    @property
    def listening(self) -> bool:
        """Whether a program has the port open: the chip sees it (DTR) and is asked for what it has to say."""
        return self._listening

    @listening.setter
    def listening(self, listening: bool) -> None:
        if listening == self._listening:
            return
        self._listening = listening
        if self._there:
            self._cdc_set_control_line_state()
        self._carry()

    def hold(self, held: bool) -> None:
        """Take no more packets for now: the program that has the port open does not read."""
        self._held = held
        self._carry()

    # --- hands ---

    def pull(self) -> None:
        """Pull the cable out of a chip that goes on living: its bus falls silent, which it takes for a suspend."""
        self._plugged = False
        self._lose()
        self._inside._sie_status |= _SUSPENDED
        self._inside._sie_status_updated()
        self._inside._sie_status &= ~_SUSPENDED

    def plug(self) -> None:
        """Put it in again: the host resets the bus and enumerates the chip."""
        self._plugged = True
        super()._on_controller_reset()
        self.usb.reset_device()

    # --- the life of a connection ---

    def _enumerated(self) -> None:
        self._there = True
        self._port(True)
        self._feed()

    def _on_controller_reset(self) -> None:
        super()._on_controller_reset()
        self._lose()

    def _lose(self) -> None:
        self._arrival.cancel()
        self._backlog.clear()
        self._armed.clear()
        self._packets.clear()
        self._asking = self._sending = self._carrying = self._untold = False
        if self._there:
            self._there = False
            self._port(False)

    def _cdc_set_control_line_state(self, value: int | None = None, interface_number: int | None = None) -> None:
        """Tell the chip whether a program listens, or do so when it has answered the last request."""
        if not self._asking:
            self._asking = True
            super()._cdc_set_control_line_state(CDC_DTR | CDC_RTS if self._listening else 0, interface_number)

    def _answered(self) -> None:
        self._asking = False
        if self.dtr != self._listening:
            self._cdc_set_control_line_state()

    # --- to the chip ---

    def _chip_listens(self, endpoint: int, size: int) -> None:
        if endpoint > 0 and endpoint == self._out_endpoint:
            self._armed.append(size)
            self._feed()
        elif self._base_read and self._plugged:
            self._base_read(endpoint, size)

    def _feed(self) -> None:
        if self._armed and self._backlog and self._there and not self._sending:
            size = self._armed.popleft()
            packet = bytes(self._backlog[:size])
            del self._backlog[:size]
            self._sending = True
            self.usb.endpoint_read_done(self._out_endpoint, packet, wire_ns(len(packet)) // 1000)

    # --- from the chip ---

    def _buffer_done(self, endpoint: int, out: bool) -> None:
        if endpoint > 0 and endpoint == self._in_endpoint and not out:
            self._untold = True
            return
        self._tell(endpoint, out)
        if endpoint > 0 and endpoint == self._out_endpoint and out:
            self._sending = False
            self.landed_ns = int(self._clock.nanos)
            self._feed()

    def _chip_spoke(self, endpoint: int, packet: bytes | bytearray) -> None:
        if endpoint > 0 and endpoint == self._in_endpoint:
            self._packets.append(bytes(packet))
            self._carry(_ACCOUNTED_NS)
        elif endpoint == 0 and self._asking:
            self._answered()
        elif self._base_write and self._plugged:
            self._base_write(endpoint, packet)

    def _carry(self, accounted_ns: int = 0) -> None:
        if self._packets and self._there and self._listening and not self._held and not self._carrying:
            self._carrying = True
            self._arrival.schedule(max(0, wire_ns(len(self._packets[0])) - accounted_ns))

    def _arrived(self) -> None:
        self._carrying = False
        packet = self._packets.popleft()
        if not self._packets and self._untold:
            self._untold = False
            self._tell(self._in_endpoint, False)
        if packet:
            self._said(packet)
        self._carry()
