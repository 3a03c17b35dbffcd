# `rp2` as MicroPython has it on the RP2040, as far as the bench knows: PIO programs are assembled here and run there.
import time

import bench_bus
import pio_asm
import records

asm_pio = pio_asm.asm_pio

_bus = bench_bus.bus
_UNPACED = 0x3F
_CHANNELS = 12
_BYTES = (bytes, bytearray)


class PIO:
    IN_LOW = 0
    IN_HIGH = 1
    OUT_LOW = 2
    OUT_HIGH = 3
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1
    JOIN_NONE = 0
    JOIN_TX = 1
    JOIN_RX = 2


class StateMachine:
    def __init__(self, id, program=None, freq=-1, **config):
        if not 0 <= id < 8:
            raise ValueError("invalid StateMachine")
        self.id = id
        # The data request of its transmit FIFO: 0 to 3 are PIO 0's, 8 to 11 are PIO 1's.
        self.request = id if id < 4 else id + 4
        self.depth = 4
        self.word_ns = 0
        self.free_us = time.ticks_us()
        self._running = False
        if program is not None:
            self.init(program, freq, **config)

    def init(
        self, program, freq=-1, *, sideset_base=None, out_base=None, set_base=None, pull_thresh=None, out_shiftdir=None
    ):
        if not isinstance(program, pio_asm.Program):
            raise TypeError("a program made by rp2.asm_pio")
        setup = dict(program.setup)
        if pull_thresh is not None:
            setup["pull_thresh"] = pull_thresh
        if out_shiftdir is not None:
            setup["out_shiftdir"] = out_shiftdir
        for name, pin in (("sideset_base", sideset_base), ("out_base", out_base), ("set_base", set_base)):
            setup[name] = pin.id if pin else None
        self.depth = 8 if setup["fifo_join"] == PIO.JOIN_TX else 4
        self.active(0)
        self.word_ns = _bus.setup(do="machine", id=self.id, freq=freq, **setup)

    def active(self, value=None):
        if value is not None:
            self._running = bool(value)
            _bus.post(records.MACHINE_RUN | self.id << 8 | self._running << 16, 0)
        return self._running

    def put(self, value, shift=0):
        if isinstance(value, int):
            value = (value,)
        for word in value:
            while self.tx_fifo() >= self.depth:
                pass
            self._send(time.ticks_us(), word << shift & 0xFFFFFFFF)
        _bus.flush()

    def tx_fifo(self):
        # Words that wait behind the one being shifted out.
        if not self.word_ns:
            return 0
        left_us = time.ticks_diff(self.free_us, time.ticks_us())
        return max(0, min(self.depth, left_us * 1000 // self.word_ns))

    def _send(self, now_us, word):
        _bus.room(1)
        _bus.fill(0, word)
        _bus.post(records.WORDS | self.id << 8 | 1 << 16, now_us & 0xFFFFFFFF, 1)
        self.queued(now_us, 1)

    def queued(self, now_us, words):
        start_us = self.free_us if time.ticks_diff(self.free_us, now_us) > 0 else now_us
        self.free_us = time.ticks_add(start_us, words * self.word_ns // 1000)


class DMA:
    _taken = [False] * _CHANNELS

    def __init__(self):
        for channel in range(_CHANNELS):
            if not DMA._taken[channel]:
                DMA._taken[channel] = True
                self.channel = channel
                break
        else:
            raise OSError(16)  # EBUSY
        self._read = self._write = None
        self._count = 0
        self._ctrl = self.pack_ctrl()
        self._done_us = time.ticks_us()
        self._stalled = False

    def pack_ctrl(
        self, default=None, *, enable=True, high_pri=False, size=2, inc_read=True, inc_write=True, ring_size=0,
        ring_sel=False, chain_to=None, treq_sel=_UNPACED, irq_quiet=True, bswap=False, sniff_en=False,
    ):  # fmt: skip
        # The bits of the RP2040's CTRL register.
        if default is not None:
            raise NotImplementedError("the bench knows no default for pack_ctrl")
        if size != 2 or ring_size or bswap or sniff_en or chain_to not in (None, self.channel):
            raise NotImplementedError("the bench knows plain DMA of 32-bit words only")
        return (
            enable
            | high_pri << 1
            | size << 2
            | inc_read << 4
            | inc_write << 5
            | self.channel << 11
            | treq_sel << 15
            | irq_quiet << 21
        )

    def config(self, read=None, write=None, count=None, ctrl=None, trigger=False):
        if read is not None:
            self._read = read
        if write is not None:
            self._write = write
        if count is not None:
            self._count = count
        if ctrl is not None:
            self._ctrl = ctrl
        if trigger:
            self._start()

    def active(self, value=None):
        if value:
            self._start()
        if self._stalled:
            return True
        return time.ticks_diff(self._done_us, time.ticks_us()) > 0

    def close(self):
        DMA._taken[self.channel] = False

    def _start(self):
        read = self._read
        machine = self._write
        count = self._count
        if not isinstance(machine, StateMachine):
            raise NotImplementedError("the bench knows DMA into a state machine only")
        step = self._ctrl >> 4 & 1
        wide = isinstance(read, _BYTES)  # four to a word; everything else is taken for words
        if len(read) < (4 if wide else 1) * (count if step else 1):
            raise ValueError("the bench does not read past the end of a buffer")
        now_us = time.ticks_us()
        paced = self._ctrl >> 15 & 0x3F == machine.request
        if not paced:
            # Nothing waits for room in the FIFO: what does not fit at once is lost.
            count = min(count, machine.depth - machine.tx_fifo())
        sent = 0
        while sent < count:
            some = min(count - sent, _bus.room(count - sent))
            for i in range(some):
                at = sent + i if step else 0
                if wide:
                    at *= 4
                    _bus.fill(i, read[at] | read[at + 1] << 8 | read[at + 2] << 16 | read[at + 3] << 24)
                else:
                    _bus.fill(i, read[at])
            _bus.post(records.WORDS | machine.id << 8 | some << 16, now_us & 0xFFFFFFFF, some)
            sent += some
        _bus.flush()
        machine.queued(now_us, count)
        # Done when the last word is in the FIFO, which is that many words before it is out.
        inside_us = (machine.depth + 1) * machine.word_ns // 1000
        self._done_us = time.ticks_add(machine.free_us, -inside_us) if paced else now_us
        self._stalled = paced and count > machine.depth and not (machine.word_ns and machine.active())
