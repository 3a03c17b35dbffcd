"""An MFRC522 by its registers: SPI on one side, frames on the air on the other.

Numbers of sections and tables are those of its data sheet, rev. 3.9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from underglow.bench.devices.antenna import Answer, Antenna
from underglow.bench.devices.iso14443 import carrier_ns, crc_a, etu_ns, frame, receive, request_ns

COMMAND, COM_IRQ, DIV_IRQ, ERROR, FIFO_DATA, FIFO_LEVEL = 0x01, 0x04, 0x05, 0x06, 0x09, 0x0A
CONTROL, BIT_FRAMING, COLL, MODE, TX_MODE, RX_MODE = 0x0C, 0x0D, 0x0E, 0x11, 0x12, 0x13
TX_CONTROL, TX_ASK, CRC_RESULT_HIGH, CRC_RESULT_LOW = 0x14, 0x15, 0x21, 0x22
T_MODE, T_PRESCALER, T_RELOAD_HIGH, T_RELOAD_LOW, VERSION = 0x2A, 0x2B, 0x2C, 0x2D, 0x37

IDLE, CALC_CRC, TRANSMIT, NO_COMMAND_CHANGE, TRANSCEIVE, SOFT_RESET = 0x0, 0x3, 0x4, 0x7, 0xC, 0xF

TX_IRQ, RX_IRQ, IDLE_IRQ, ERR_IRQ, TIMER_IRQ, CRC_IRQ = 0x40, 0x20, 0x10, 0x02, 0x01, 0x04
BUFFER_OVFL, COLL_ERR, CRC_ERR, PARITY_ERR, PROTOCOL_ERR = 0x10, 0x08, 0x04, 0x02, 0x01
COLL_POS_NOT_VALID = 0x20

FIFO_BYTES = 64

_RESET = {
    COMMAND: 0x20, 0x02: 0x80, COM_IRQ: 0x14, 0x07: 0x21, 0x0B: 0x08, CONTROL: 0x10, COLL: 0xA0, MODE: 0x3F,
    TX_CONTROL: 0x80, 0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D, 0x1C: 0x62, 0x1F: 0xEB,
    CRC_RESULT_HIGH: 0xFF, CRC_RESULT_LOW: 0xFF, 0x24: 0x26, 0x26: 0x48, 0x27: 0x88, 0x28: 0x20, 0x29: 0x20,
}  # fmt: skip
_POWER_DOWN = 0x10  # of CommandReg: reads 1 until the oscillator runs (8.8.2)
_START_SEND = 0x80
_FORCE_100_ASK = 0x40
_CRC_EN = 0x80
_WAKE_NS = 1_000_000  # the crystal's start-up, and 37.74 µs (8.8.2)
_CRC_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)
_CRC_BYTE_NS = carrier_ns(8)


class Mfrc522:
    """One chip and its `antenna`. Time comes with every edge and byte and must not run backwards.

    Nothing hangs on its IRQ pin: whoever reads a register sees what has happened until then.
    """

    def __init__(self, antenna: Antenna, version: int = 0x92) -> None:
        self.antenna = antenna
        self.version = version
        #: Transfers (falling edges of NSS) and bytes since the start.
        self.transfers = 0
        self.bytes = 0
        self._selected = False
        self._started = False  # a transfer has had its first byte
        self._reading = False
        self._address = 0
        self._running = True  # not held in reset by NRSTPD
        self._unplugged: int | None = None
        self._hung = False
        self._deaf = False  # to a soft reset, too
        self._due: list[tuple[int, Callable[[int], None]]] = []
        self._registers: dict[int, int] = {}
        self._fifo = bytearray()
        self._command = IDLE
        self._timer_ns: int | None = None  # when it will have run down
        self._reset(0)

    # --- pins ---

    @property
    def selected(self) -> bool:
        """Whether NSS is low: only then does it drive MISO."""
        return self._selected

    def nss(self, level: bool, at_ns: int) -> None:
        """Slave select; low begins a transfer."""
        self._happen(at_ns)
        if self._selected == level:
            self._selected = not level
            self._started = False
            self.transfers += self._selected

    def nrstpd(self, level: bool, at_ns: int) -> None:
        """Reset and power-down; low stops everything, the rising edge resets the chip."""
        self._happen(at_ns)
        if level and not self._running:
            self._hung = self._deaf = False
            self._reset(at_ns)
        elif not level:
            self._due.clear()
            self.antenna.switch(False, at_ns)
        self._running = level

    def transfer(self, mosi: int, at_ns: int) -> int:
        """Eight clocks of SPI; the byte on MISO. The first byte says read or write and where (8.1.2)."""
        self._happen(at_ns)
        if not self._selected:
            return 0xFF
        self.bytes += 1
        if self._unplugged is not None:
            return self._unplugged
        if not self._running:
            return 0
        miso = 0
        if not self._started:
            self._started = True
            self._reading = bool(mosi & 0x80)
        elif self._reading:
            miso = self._read(self._address)
        else:
            self._write(self._address, mosi, at_ns)
            return 0
        self._address = mosi >> 1 & 0x3F
        return miso

    # --- faults ---

    def hang(self, at_ns: int, *, deaf: bool = False) -> None:
        """No command ends any more, until a reset; if `deaf`, only NRSTPD does it."""
        self._happen(at_ns)
        self._due.clear()
        self._timer_ns = None
        self._hung, self._deaf = True, deaf

    def brown_out(self, at_ns: int) -> None:
        """The supply dips: it comes back reset, and nobody is told."""
        self._happen(at_ns)
        self._hung = self._deaf = False
        self._reset(at_ns)

    def unplug(self, at_ns: int, miso: int = 0xFF) -> None:
        """The module is gone; what MISO then shows."""
        self.brown_out(at_ns)
        self._unplugged = miso

    def plug(self, at_ns: int) -> None:
        """It is back, freshly started."""
        self.brown_out(at_ns)
        self._unplugged = None

    # --- registers ---

    def _read(self, address: int) -> int:
        if address == FIFO_DATA:
            return self._fifo.pop(0) if self._fifo else 0
        if address == FIFO_LEVEL:
            return len(self._fifo)
        if address == VERSION:
            return self.version
        return self._registers.get(address, 0)

    def _write(self, address: int, value: int, at_ns: int) -> None:
        registers = self._registers
        if self._hung and self._deaf:
            return
        if address == COMMAND:
            self._start(value, at_ns)
        elif address in (COM_IRQ, DIV_IRQ):
            held = registers.get(address, 0)
            registers[address] = held | value & 0x7F if value & 0x80 else held & ~value
        elif address == FIFO_DATA:
            if len(self._fifo) < FIFO_BYTES:
                self._fifo.append(value)
            else:
                registers[ERROR] = registers.get(ERROR, 0) | BUFFER_OVFL
        elif address == FIFO_LEVEL:
            if value & 0x80:
                self._fifo.clear()
                registers[ERROR] = registers.get(ERROR, 0) & ~BUFFER_OVFL
        elif address == BIT_FRAMING:
            registers[address] = value
            if self._command == TRANSCEIVE and not self._hung:
                self._transceive(at_ns)
        elif address == COLL:
            registers[address] = registers[address] & 0x7F | value & 0x80
        elif address == TX_CONTROL:
            registers[address] = value
            self.antenna.switch(bool(value & 3), at_ns)
        elif address not in (ERROR, 0x07, CRC_RESULT_HIGH, CRC_RESULT_LOW, 0x2E, 0x2F, VERSION):
            registers[address] = value

    def _start(self, value: int, at_ns: int) -> None:
        command = value & 0xF
        if command == NO_COMMAND_CHANGE:
            return
        if command == SOFT_RESET:
            self._hung = False
            self._reset(at_ns)
            return
        if self._hung:
            return
        self._registers[COMMAND] = value & 0x2F
        self._due.clear()
        self._timer_ns = None
        self._command = command
        if command == CALC_CRC:
            self._later(at_ns + _CRC_BYTE_NS * len(self._fifo), self._crc_done)
        elif command == TRANSMIT:
            self._send(at_ns)
        elif command == TRANSCEIVE:
            self._transceive(at_ns)
        elif command != IDLE:
            raise NotImplementedError(f"the model of the MFRC522 does not know command {command:#x}")

    def _reset(self, at_ns: int) -> None:
        self._due.clear()
        self._registers = dict(_RESET)
        self._registers[COMMAND] |= _POWER_DOWN
        self._fifo.clear()
        self._command = IDLE
        self._timer_ns = None
        self.antenna.switch(False, at_ns)
        self._later(at_ns + _WAKE_NS, self._awake)

    def _awake(self, _: int) -> None:
        self._registers[COMMAND] &= ~_POWER_DOWN

    def _crc_done(self, _: int) -> None:
        low, high = self._crc(self._fifo)
        self._fifo.clear()
        self._registers[CRC_RESULT_LOW], self._registers[CRC_RESULT_HIGH] = low, high
        self._registers[DIV_IRQ] = self._registers.get(DIV_IRQ, 0) | CRC_IRQ

    def _crc(self, data: Iterable[int]) -> bytes:
        return crc_a(data, _CRC_PRESETS[self._registers[MODE] & 3])

    # --- the air ---

    def _transceive(self, at_ns: int) -> None:
        if self._registers.get(BIT_FRAMING, 0) & _START_SEND:
            self._send(at_ns)

    def _send(self, at_ns: int) -> None:
        registers = self._registers
        data = bytes(self._fifo)
        self._fifo.clear()
        last_bits = registers.get(BIT_FRAMING, 0) & 7
        if registers.get(TX_MODE, 0) & _CRC_EN:
            data += self._crc(data)
        bits = frame(data, last_bits)
        # Tags of type A understand nothing but pauses of 100 % depth.
        answer = self.antenna.send(bits, at_ns) if registers.get(TX_ASK, 0) & _FORCE_100_ASK else None
        sent_ns = at_ns + request_ns(bits)
        self._later(sent_ns, self._sent)
        if self._command == TRANSMIT:
            return
        if registers.get(T_MODE, 0) & 0x80:
            self._timer_ns = sent_ns + self._timer_period_ns()
            self._later(self._timer_ns, self._timer)
        if answer is not None:
            # The timer stops with the fifth bit (table 106).
            self._later(answer.starts_ns + etu_ns(5), self._stop_timer)
            self._later(answer.ends_ns, lambda _: self._received(answer))

    def _sent(self, _: int) -> None:
        self._registers[COM_IRQ] |= TX_IRQ
        if self._command == TRANSMIT:
            self._command = IDLE
            self._registers[COMMAND] &= ~0xF
            self._registers[COM_IRQ] |= IDLE_IRQ

    def _timer_period_ns(self) -> int:
        registers = self._registers
        prescaler = (registers.get(T_MODE, 0) & 0xF) << 8 | registers.get(T_PRESCALER, 0)
        reload = registers.get(T_RELOAD_HIGH, 0) << 8 | registers.get(T_RELOAD_LOW, 0)
        return carrier_ns((2 * prescaler + 1) * (reload + 1))

    def _timer(self, at_ns: int) -> None:
        if self._timer_ns == at_ns:
            self._registers[COM_IRQ] |= TIMER_IRQ
            self._timer_ns = None

    def _stop_timer(self, _: int) -> None:
        self._timer_ns = None

    def _received(self, answer: Answer) -> None:
        registers = self._registers
        align = registers.get(BIT_FRAMING, 0) >> 4 & 7
        heard = receive(answer.bits, align, keep_after_collision=bool(registers[COLL] & 0x80))
        data = heard.data
        error = PARITY_ERR if heard.parity_error else 0
        registers[COLL] = registers[COLL] & 0x80 | COLL_POS_NOT_VALID
        if heard.collision is not None:
            error |= COLL_ERR
            if heard.collision <= 32:
                registers[COLL] = registers[COLL] & 0x80 | heard.collision % 32
        if len(answer.bits) < 4:
            error |= PROTOCOL_ERR
        if registers.get(RX_MODE, 0) & _CRC_EN:
            if heard.last_bits or self._crc(data[:-2]) != data[-2:]:
                error |= CRC_ERR
            data = data[:-2]
        registers[ERROR] = error
        registers[CONTROL] = registers[CONTROL] & ~7 | heard.last_bits
        self._fifo += data
        registers[COM_IRQ] |= RX_IRQ | (ERR_IRQ if error else 0)

    # --- time ---

    def _later(self, at_ns: int, happening: Callable[[int], None]) -> None:
        self._due.append((at_ns, happening))
        self._due.sort(key=lambda due: due[0])

    def _happen(self, now_ns: int) -> None:
        while self._due and self._due[0][0] <= now_ns:
            at_ns, happening = self._due.pop(0)
            happening(at_ns)
