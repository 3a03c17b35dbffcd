"""An RP2040 in its own time, with MicroPython in its flash and a board's circuit on its pins.

The chip runs only while `advance` or `run_until` do, and nothing in it knows a wall clock: the same calls give the same
nanoseconds on every machine. What rp2040py gets wrong is put right from outside, here and in `usb`.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.execute_batch import execute_batch
from rp2040py.gpio_pin import GPIOPinState
from rp2040py.peripherals.peripheral import UnimplementedPeripheral
from rp2040py.peripherals.vreg_and_chip_reset import HAD_POR, HAD_RUN
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator

from underglow.bench.buses import I2cBus, SpiBus
from underglow.bench.usb import Cable
from underglow.bench.wiring import Circuit

LOOK_US = 50
"""How often `run_until` looks while nothing comes over USB."""

_CYCLE_NS = 8  # 125 MHz, whatever the program asks for
_ROSC = 0x40060
_RANDOM_BIT = 0x1C
_NEVER_FP = 1 << 62  # when a state machine that waits is due
_SLOW_NS = 20_000  # a slow CPU stops that often
_STEP = 1  # instructions a tick of the clock: more would let devices see stale time


class Chip:
    """Powered up with `flash`, plugged into a host that listens. `seed` is for its random number generator.

    `said` and `port` are told of the console as `usb.Cable` says. A CPU of `slowness` 1.7 needs 1.7 times as long for
    everything, as it does on real chips at worst, whose flash has a small cache; wires and clocks keep their time.
    """

    def __init__(
        self,
        flash: bytes,
        circuit: Circuit,
        said: Callable[[bytes], None],
        port: Callable[[bool], None],
        seed: int = 1,
        slowness: float = 1.0,
    ) -> None:
        self.circuit = circuit
        self._slowness = slowness
        self._said = said
        self.log = _Log()
        mcu = RP2040()
        self.mcu = mcu
        mcu.logger = self.log
        mcu.load_bootrom(BOOTROM_B1)
        mcu.flash[: len(flash)] = flash
        self._clock = mcu.clock
        self._simulator = Simulator(rp2040=mcu)
        self._stop = self._clock.create_alarm(self._halt)
        self.cable = Cable(mcu.usb_ctrl, self._clock, self._heard, port)
        mcu.watchdog.on_watchdog_trigger = self._bitten
        mcu.peripherals[_ROSC] = _RingOscillator(mcu, random.Random(seed))  # noqa: S311 - it must repeat
        self._buses = [bus(mcu, block, circuit) for bus in (SpiBus, I2cBus) for block in (0, 1)]
        self._pace = _PioPace(mcu)
        for pin in range(30):
            mcu.gpio[pin].add_listener(self._wire(pin))
        self._inputs: dict[int, bool | None] = {}
        self._moves = self._clock.create_alarm(self._feel)
        self._powered = True
        self._interrupted = False
        #: Resets by the watchdog or by the program itself, which uses it.
        self.bites = 0
        mcu.leave_reset()

    # --- time ---

    @property
    def now_ns(self) -> int:
        """Nanoseconds since the chip was made; they go on over resets."""
        return int(self._clock.nanos)

    def advance(self, time_us: float) -> None:
        """Let that time pass."""
        end_ns = self._clock.nanos + time_us * 1000
        while (left_ns := end_ns - self._clock.nanos) > 0:
            self._run(left_ns)

    def run_until(self, done: Callable[[], bool], timeout_us: float, look_us: float = LOOK_US) -> bool:
        """Run until `done`, looked at whenever the chip has said something and each `look_us`. False: not in time."""
        end_ns = self._clock.nanos + timeout_us * 1000
        while not done():
            left_ns = end_ns - self._clock.nanos
            if left_ns <= 0:
                return False
            self._run(min(left_ns, look_us * 1000))
        return True

    def at(self, delay_us: float, act: Callable[[], None]) -> None:
        """Let something happen in that time, whatever runs then."""
        self._clock.create_alarm(act).schedule(delay_us * 1000)

    def _run(self, time_ns: float) -> None:
        self._feel()
        if not self._powered:
            self._clock.tick(time_ns)
            return
        if self._slowness == 1.0:
            self._execute(time_ns)
            return
        end_ns = self._clock.nanos + time_ns
        while (left_ns := end_ns - self._clock.nanos) > 0:
            cycles = self.mcu.core.cycles
            self._execute(min(left_ns, _SLOW_NS))
            # The CPU stands still, the world goes on.
            lost_ns = (self.mcu.core.cycles - cycles) * _CYCLE_NS * (self._slowness - 1)
            if lost_ns > 0:  # a reset sets the count back
                self._clock.tick(lost_ns)
            if self._interrupted:
                break

    def _execute(self, time_ns: float) -> None:
        self._interrupted = False
        self._stop.schedule(time_ns)
        self._simulator.stopped = False
        while not self._simulator.stopped:
            execute_batch(self._simulator, _STEP)
        self._stop.cancel()

    def _halt(self) -> None:
        self._simulator.stopped = True

    def _heard(self, data: bytes) -> None:
        self._said(data)
        self._interrupted = True
        self._halt()

    # --- power and reset ---

    @property
    def powered(self) -> bool:
        """Whether the chip has power."""
        return self._powered

    def power_off(self) -> None:
        """Take the power away: flash stays, memory is lost."""
        self._powered = False
        self._enter_reset()
        self.mcu.sram[:] = bytes(len(self.mcu.sram))
        self.mcu.watchdog.reset()

    def power_on(self) -> None:
        """Give it power again; it starts from its flash."""
        self._powered = True
        self.mcu.vreg_and_chip_reset.record_reset_cause(HAD_POR)
        self.mcu.leave_reset()

    def reset(self) -> None:
        """Pull the RUN pin low for a moment."""
        self._enter_reset()
        self.mcu.watchdog.reset()
        self.mcu.vreg_and_chip_reset.record_reset_cause(HAD_RUN)
        self.mcu.leave_reset()

    def _bitten(self) -> None:
        self.bites += 1
        self._enter_reset(from_watchdog=True)
        self.mcu.leave_reset()

    def _enter_reset(self, *, from_watchdog: bool = False) -> None:
        for bus in self._buses:
            bus.cut()
        self.mcu.enter_reset(from_watchdog=from_watchdog)
        for channel in self.mcu.dma.channels:  # rp2040py leaves them busy
            channel.abort()
        for block in self.mcu.pio:  # whose FIFOs are empty now; it forgets to tell the DMA
            for machine in block.machines:
                self.mcu.dma.set_dreq(machine.dreq_tx)
                self.mcu.dma.clear_dreq(machine.dreq_rx)

    # --- pins ---

    def _feel(self) -> None:
        """Let the inputs follow what moves by itself or by hands."""
        circuit = self.circuit
        circuit.settle(self.now_ns)
        for pin in circuit.wiring.buttons.values():
            level = circuit.level(pin)
            if level != self._inputs.get(pin):
                self._inputs[pin] = level
                if level is None:
                    self.mcu.gpio[pin].release_input()
                else:
                    self.mcu.gpio[pin].set_input_value(level)
        if (next_ns := circuit.next_ns) is not None:
            self._moves.schedule(max(0.0, next_ns - self._clock.nanos))

    def _wire(self, pin: int) -> Callable[[GPIOPinState, GPIOPinState], None]:
        """What happens when the chip drives a pin, or lets go of it."""
        circuit, clock, pace = self.circuit, self._clock, self._pace
        feels = self.mcu.gpio[circuit.wiring.miso]
        moves_input = pin in (circuit.wiring.latch, circuit.wiring.sck)

        def changed(level: GPIOPinState, _before: GPIOPinState) -> None:
            if level == GPIOPinState.HIGH or level == GPIOPinState.LOW:
                circuit.drive(pin, level == GPIOPinState.HIGH, int(clock.nanos))
            if moves_input:
                feels.set_input_value(bool(circuit.level(circuit.wiring.miso)))
            else:
                pace.edge()

        return changed


class _PioPace:
    """Lets PIO instructions run when they are due.

    rp2040py runs at most one for each instruction or nap of the CPU: late while that works, hardly any while it sleeps.
    From the first edge that a state machine makes, an alarm stands at the time of its next instruction.
    """

    def __init__(self, mcu: RP2040) -> None:
        self._blocks = mcu.pio
        self._clock = mcu.clock
        self._alarms = [mcu.clock.create_alarm(self._runner(index)) for index in range(len(self._blocks))]
        self._running = [False] * len(self._blocks)

    def edge(self) -> None:
        """A pin has moved, so some state machine may be at work."""
        for index, block in enumerate(self._blocks):
            if not self._running[index] and not block.stopped:
                self._next(index, block.cycle_fp)

    def _next(self, index: int, now_fp: int) -> None:
        """Set the alarm to the next instruction, by the block's count in 1/256 of a clock cycle, which is `now_fp`."""
        due_fp = self._blocks[index].next_due_fp
        self._running[index] = due_fp < _NEVER_FP
        if self._running[index]:
            self._alarms[index].schedule(max(due_fp - now_fp, 0) * _CYCLE_NS / 256)

    def _runner(self, index: int) -> Callable[[], None]:
        block = self._blocks[index]

        def run() -> None:
            counted_fp, due_fp = block.cycle_fp, block.next_due_fp
            if due_fp < _NEVER_FP:  # else a reset came between
                # The block's own count comes after the alarms and lags behind; it catches up by itself.
                block.cycle_fp = max(counted_fp, due_fp)
                block.advance(0)
                block.cycle_fp = counted_fp
            self._next(index, due_fp)

        return run


class _RingOscillator(UnimplementedPeripheral):
    """The ring oscillator's random bit, which rp2040py has not: without it each boot id is the same."""

    def __init__(self, mcu: RP2040, chance: random.Random) -> None:
        super().__init__(mcu, "ROSC_BASE")
        self._chance = chance

    def read_uint32(self, offset: int) -> int:
        if offset == _RANDOM_BIT:
            return self._chance.getrandbits(1)
        return super().read_uint32(offset)


class _Log:
    """The emulator's complaints, the last of them."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def debug(self, component_name: str, message: str) -> None:
        """Not kept."""

    def info(self, component_name: str, message: str) -> None:
        """Not kept."""

    def warning(self, component_name: str, message: str) -> None:
        """Not kept: registers that do not matter here."""

    def error(self, component_name: str, message: str) -> None:
        """Keep it."""
        self.errors = [*self.errors[-19:], f"{component_name}: {message}"]
