"""What hands, eyes and faults do to a circuit, by the names that `vm.Bench` asks for: the same on both tiers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from underglow.bench.devices.antenna import Noise
from underglow.bench.devices.buttons import Button
from underglow.bench.devices.mfrc522 import Mfrc522
from underglow.bench.devices.pixel_strip import Latched
from underglow.bench.devices.pn532 import Pn532
from underglow.bench.wiring import Circuit


class Commands:
    """Acts on `circuit` at the time that `now_ns` tells. ValueError: the board has no such thing."""

    def __init__(self, circuit: Circuit, now_ns: Callable[[], int]) -> None:
        self._circuit = circuit
        self._now_ns = now_ns

    def by_name(self) -> dict[str, Callable[..., object]]:
        """Return what may be asked for."""
        tokens = self._circuit.tokens
        return {
            "equip": tokens.equip,
            "place": self._place,
            "lift": self._lift,
            "tokens": tokens.everywhere,
            "magnets": self._circuit.magnets.everywhere,
            "press": partial(self._move, True),
            "release": partial(self._move, False),
            "pixels": self._pixels,
            "frames_since": self._frames_since,
            "bounce": self._bounce,
            "flicker": self._flicker,
            "stick": self._stick,
            "hang": self._hang,
            "garble": self._garble,
            "stats": self.stats,
        }

    # --- hands ---

    def _place(self, space: str, token: str) -> int:
        now_ns = self._now_ns()
        self._circuit.tokens.place(token, space, now_ns)
        return now_ns

    def _lift(self, token: str) -> int:
        now_ns = self._now_ns()
        self._circuit.tokens.lift(token, now_ns)
        return now_ns

    def _move(self, down: bool, name: str, bounce_ms: float) -> int:
        now_ns = self._now_ns()
        self._button(name).move(down, now_ns, int(bounce_ms * 1e6))
        return now_ns

    # --- eyes ---

    def _pixels(self) -> Latched:
        self._circuit.settle(self._now_ns())
        return self._circuit.strip.latched

    def _frames_since(self, number: int) -> list[Latched]:
        self._circuit.settle(self._now_ns())
        return self._circuit.strip.since(number)

    def stats(self) -> dict[str, int]:
        """Return counts since the start: `loads` (scans), `frames`, `led_changes`."""
        self._circuit.settle(self._now_ns())
        return {
            "loads": self._circuit.chain.loads,
            "frames": self._circuit.strip.latched.number,
            "led_changes": self._circuit.led.changes,
        }

    # --- faults ---

    def _bounce(self, space: str, scans: int) -> None:
        self._circuit.chain.bounce(self._sensor(space), scans)

    def _flicker(self, space: str | None, rate: float, seed: int) -> None:
        sensors = self._circuit.wiring.sensors.values() if space is None else (self._sensor(space),)
        self._circuit.chain.flicker([sensor for sensor in sensors if sensor is not None], rate, seed)

    def _stick(self, space: str, occupied: bool | None) -> None:
        active_low = self._circuit.wiring.active_low
        self._circuit.chain.stick(self._sensor(space), None if occupied is None else occupied != active_low)

    def _hang(self, space: str, deaf: bool) -> None:
        self._reader(space).hang(self._now_ns(), deaf=deaf)

    def _garble(self, space: str, rate: float, seed: int) -> None:
        self._reader(space).antenna.noise = Noise(seed, flipped=rate, cut=rate / 4, hiss=rate / 4) if rate else None

    # --- by name ---

    def _sensor(self, space: str) -> int:
        sensor = self._circuit.magnets.sensor(space)
        if sensor is None:
            raise ValueError(f"the space {space!r} has no sensor")
        return sensor

    def _button(self, name: str) -> Button:
        buttons = self._circuit.buttons
        if name not in buttons:
            raise ValueError(f"the board has no button {name!r}; it has: {', '.join(buttons) or 'none'}")
        return buttons[name]

    def _reader(self, space: str) -> Mfrc522 | Pn532:
        readers = self._circuit.readers
        if space not in readers:
            raise ValueError(f"there is no reader under {space!r}; readers are under: {', '.join(readers) or 'none'}")
        return readers[space]
