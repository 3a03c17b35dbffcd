"""A PN532 by its frames: I2C on one side, frames on the air on the other.

Numbers of sections are those of its user manual, UM0701-02.
"""

from __future__ import annotations

from collections.abc import Sequence

from underglow.bench.devices.antenna import Antenna
from underglow.bench.devices.iso14443 import (
    CASCADE_TAG,
    HLTA,
    REQA,
    SEL,
    SHORT_BITS,
    Reception,
    carrier_ns,
    crc_a,
    frame,
    receive,
    request_ns,
)

ADDRESS = 0x24

CIU_TX_MODE, CIU_RX_MODE, CIU_BIT_FRAMING = 0x6302, 0x6303, 0x633D
TIMEOUT, CRC_ERROR, PARITY_ERROR, FRAMING_ERROR, COLLISION = 0x01, 0x02, 0x03, 0x05, 0x06  # 7.1

ACK = b"\x00\x00\xff\x00\xff\x00"
NACK = b"\x00\x00\xff\xff\x00\x00"
ERROR = b"\x00\x00\xff\x01\xff\x7f\x81\x00"

_VERSION = b"\x32\x01\x06\x07"
_WAKE_NS = 2_000_000  # from reset until it answers its address
_ACK_NS = 300_000
_COMMAND_NS = 800_000  # what its firmware needs besides the time on the air
_WAIT_NS = 600_000  # how long it listens for an answer
_GUARD_NS = 5_000_000  # field on to first request, when it turns the field on by itself
_NEVER_NS = 1 << 62
_AUTOMATIC_RATS = 0x10
_CRC_EN = 0x80


def information_frame(data: bytes) -> bytes:
    """Wrap a command or an answer, its first byte D4 or D5 (6.2.1.1)."""
    return bytes((0, 0, 0xFF, len(data), -len(data) & 0xFF)) + data + bytes((-sum(data) & 0xFF, 0))


class Pn532:
    """One chip and its `antenna`, an I2C target at ADDRESS. Time comes with every event and must not run backwards."""

    def __init__(self, antenna: Antenna) -> None:
        self.antenna = antenna
        #: Transactions and bytes, without addresses, since the start.
        self.transactions = 0
        self.bytes = 0
        self._running = True
        self._unplugged = False
        self._hung = self._deaf = False
        self._awake_ns = 0
        self._reset(0)

    # --- pins ---

    def rstpd_n(self, level: bool, at_ns: int) -> None:
        """Reset and power-down; low stops everything, the rising edge resets the chip."""
        if level and not self._running:
            self._hung = False
            self._reset(at_ns)
        elif not level:
            self.antenna.switch(False, at_ns)
        self._running = level

    def start(self, *, read: bool, at_ns: int) -> bool:
        """Start condition and the address, for it and the direction; True: acknowledged."""
        self._position = 0
        self._reading = read
        self._written.clear()
        present = self._running and not self._unplugged and at_ns >= self._awake_ns
        self.transactions += present
        return present

    def write(self, byte: int) -> bool:
        """Take one byte; True: acknowledged."""
        self.bytes += 1
        self._written.append(byte)
        return True

    def read(self, at_ns: int) -> int:
        """Give one byte: first whether it is ready, then the frame, which starts anew with each transaction (6.2.4)."""
        self.bytes += 1
        self._position += 1
        ready = bool(self._output) and at_ns >= self._ready_ns
        if self._position == 1:
            self._was_ready = ready
            return int(ready)
        if not self._was_ready:
            return 0
        place = self._position - 2
        return self._output[place] if place < len(self._output) else 0

    def stop(self, at_ns: int) -> None:
        """Stop condition: a frame that was read, even in part, is done with; one that was written is obeyed."""
        if not self._reading:
            self._obey(bytes(self._written), at_ns)
        elif self._was_ready and self._position > 1:
            self._taken(at_ns)

    # --- faults ---

    def hang(self, at_ns: int, *, deaf: bool = False) -> None:
        """No command is acknowledged any more, until an ACK frame aborts it; if `deaf`, until RSTPD_N does."""
        self._hung, self._deaf = True, deaf
        self._output = self._answer = b""

    def brown_out(self, at_ns: int) -> None:
        """The supply dips: it comes back reset, and nobody is told."""
        self._hung = False
        self._reset(at_ns)

    def unplug(self, at_ns: int) -> None:
        """The module is gone from the bus."""
        self.brown_out(at_ns)
        self._unplugged = True

    def plug(self, at_ns: int) -> None:
        """It is back, freshly started."""
        self.brown_out(at_ns)
        self._unplugged = False

    def garble(self, answers: int) -> None:
        """Give so many next answers with a bit wrong; asked again by NACK, it gives the right one."""
        self._garbled = answers

    # --- frames ---

    def _reset(self, at_ns: int) -> None:
        self.antenna.switch(False, at_ns)
        self._awake_ns = at_ns + _WAKE_NS
        self._written = bytearray()
        self._output = b""
        self._ready_ns = 0
        self._was_ready = False
        self._reading = False
        self._position = 0
        self._answer = b""  # goes out after the ACK
        self._answer_ns = 0
        self._last = b""
        self._garbled = 0
        self._sam = False
        self._parameters = _AUTOMATIC_RATS
        self._retries = 0xFF
        self._ciu = {CIU_TX_MODE: _CRC_EN, CIU_RX_MODE: _CRC_EN, CIU_BIT_FRAMING: 0}
        self._active = False  # a tag was selected and not halted
        self._now_ns = at_ns

    def _taken(self, at_ns: int) -> None:
        was_ack = self._output == ACK
        self._output = b""
        if was_ack and self._answer:
            self._give(self._answer, max(at_ns, self._answer_ns))
            self._answer = b""

    def _give(self, answer: bytes, ready_ns: int) -> None:
        self._last = answer
        if self._garbled:
            self._garbled -= 1
            answer = answer[:-3] + bytes((answer[-3] ^ 0x10,)) + answer[-2:]
        self._output = answer
        self._ready_ns = ready_ns

    def _obey(self, written: bytes, at_ns: int) -> None:
        if written == ACK:  # the host gives up on the command
            self._hung = self._hung and self._deaf
            self._output = self._answer = b""
        if self._hung or written == ACK:
            return
        if written == NACK:
            self._give(self._last, at_ns + _ACK_NS)
            return
        body = written[5:-2]
        if len(body) < 2 or body[0] != 0xD4 or written != information_frame(body):
            return  # not a frame: not even acknowledged
        self._output = ACK
        self._ready_ns = self._now_ns = at_ns + _ACK_NS
        answer = self._execute(body[1], body[2:])
        self._answer = ERROR if answer is None else information_frame(bytes((0xD5, body[1] + 1)) + answer)
        self._answer_ns = self._now_ns + _COMMAND_NS

    def _execute(self, command: int, data: bytes) -> bytes | None:
        """The answer's data; None: an error frame."""
        match command, *data:
            case [0x02]:  # GetFirmwareVersion
                return _VERSION
            case [0x14, 0x01, *_]:  # SAMConfiguration: normal mode, no SAM
                self._sam = True
                return b""
            case _ if not self._sam:  # LowVbat mode
                return None
            case [0x12, flags]:  # SetParameters
                self._parameters = flags
                return b""
            case [0x32, 0x01, field]:  # RFConfiguration: RF field
                self.antenna.switch(bool(field & 1), self._now_ns)
                return b""
            case [0x32, 0x05, _, _, retries]:  # RFConfiguration: MaxRetries
                self._retries = retries
                return b""
            case [0x08, *registers] if registers and len(registers) % 3 == 0:  # WriteRegister
                for k in range(0, len(registers), 3):
                    self._ciu[registers[k] << 8 | registers[k + 1]] = registers[k + 2]
                return b""
            case [0x4A, 1 | 2 as wanted, 0x00]:  # InListPassiveTarget: 106 kbit/s, type A
                return self._list(wanted)
            case [0x44 | 0x52, 0x00]:  # InDeselect, InRelease: all targets
                if self._active:
                    self._halt()
                return b"\x00"
            case [0x42, _, *_]:  # InCommunicateThru
                return self._communicate(data)
            case _:
                return None

    # --- the air ---

    def _send(self, data: Sequence[int], last_bits: int, align: int, *, crc: bool) -> Reception | None:
        if crc:
            data = bytes(data) + crc_a(data)
        bits = frame(data, last_bits)
        answer = self.antenna.send(bits, self._now_ns)
        if answer is None:
            self._now_ns += request_ns(bits) + _WAIT_NS
            return None
        self._now_ns = answer.ends_ns + carrier_ns(1172)
        return receive(answer.bits, align, keep_after_collision=False)

    def _communicate(self, data: bytes) -> bytes:
        heard = self._send(
            data,
            self._ciu[CIU_BIT_FRAMING] & 7,
            self._ciu[CIU_BIT_FRAMING] >> 4 & 7,
            crc=bool(self._ciu[CIU_TX_MODE] & _CRC_EN),
        )
        if heard is None:
            return bytes((TIMEOUT,))
        if heard.collision is not None:
            return bytes((COLLISION,))
        if heard.parity_error:
            return bytes((PARITY_ERROR,))
        if self._ciu[CIU_RX_MODE] & _CRC_EN:
            if heard.last_bits or crc_a(heard.data[:-2]) != heard.data[-2:]:
                return bytes((CRC_ERROR,))
            return b"\x00" + heard.data[:-2]
        return bytes((FRAMING_ERROR if heard.last_bits else 0,)) + heard.data

    def _list(self, wanted: int) -> bytes:
        if self._parameters & _AUTOMATIC_RATS:
            raise NotImplementedError("the model of the PN532 does not know RATS: clear fAutomaticRATS")
        if not self.antenna.on:
            self.antenna.switch(True, self._now_ns)
            self._now_ns += _GUARD_NS
        self._ciu = {CIU_TX_MODE: _CRC_EN, CIU_RX_MODE: _CRC_EN, CIU_BIT_FRAMING: 0}
        listed = b""
        count = 0
        while count < wanted:
            if self._active:
                self._halt()
            found = None
            for _ in range(self._retries + 1 if self._retries < 0xFF else 1):
                found = found or self._activate()
            if found is None:
                break
            count += 1
            listed += bytes((count,)) + found
        if not count and self._retries == 0xFF:
            self._now_ns = _NEVER_NS  # it goes on until it is told to stop
        return bytes((count,)) + listed

    def _activate(self) -> bytes | None:
        """SENS_RES, SEL_RES and the UID with its length, of one tag."""
        request = self._send((REQA,), SHORT_BITS, 0, crc=False)
        if request is None or len(request.data) != 2:
            return None
        uid = b""
        for sel in SEL:
            part = self._anticollision(sel)
            if part is None:
                return None
            select = self._send((sel, 0x70, *part), 0, 0, crc=True)
            if select is None or select.parity_error or select.last_bits or select.collision is not None:
                return None
            if len(select.data) != 3 or crc_a(select.data[:1]) != select.data[1:]:
                return None
            sak = select.data[0]
            if bool(sak & 4) != (part[0] == CASCADE_TAG):
                return None
            if not sak & 4:
                uid += part[:4]
                self._active = True
                return request.data[::-1] + bytes((sak, len(uid))) + uid
            uid += part[1:4]
        return None

    def _anticollision(self, sel: int) -> bytes | None:
        """One level's four bytes and their check byte."""
        part = bytearray()
        known = 0
        while True:
            cut = known % 8
            heard = self._send((sel, 0x20 + (known // 8 << 4) + cut, *part), cut, cut, crc=False)
            if heard is None or not heard.data:
                return None
            data = bytearray(heard.data)
            if cut:
                data[0] |= part.pop()
            part += data
            if heard.collision is None:
                break
            known = 8 * (known // 8) + heard.collision
            if known > 32:
                return None
            del part[(known + 7) // 8 :]
            part[-1] |= 1 << (known - 1) % 8
            if known == 32:
                part.append(part[0] ^ part[1] ^ part[2] ^ part[3])
                return bytes(part)
        if heard.parity_error or len(part) != 5 or part[0] ^ part[1] ^ part[2] ^ part[3] != part[4]:
            return None
        return bytes(part)

    def _halt(self) -> None:
        self._send(HLTA, 0, 0, crc=True)
        self._active = False
