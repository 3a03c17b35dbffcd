"""A Raspberry Pi 4 for Blinka, down to what is no Python: its GPIO lines, and the library that times a strip's bits.

Blinka's pins by name, its NeoPixel driver for the Pi and `neopixel.NeoPixel` above them are the real ones. As a program
it is `underglow` on that Pi; every transfer is then a line of JSON in the file STRIP names.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

CPUINFO = {"Hardware": "BCM2711", "Revision": "c03112"}
"""What `/proc/cpuinfo` says on a Raspberry Pi 4 Model B."""

PINS = "adafruit_blinka.microcontroller.generic_linux.raspberry_pi_pin"

Colours = list[tuple[int, int, int]]


class Pin:
    """One GPIO line."""

    IN, OUT, PULL_NONE, PULL_UP, PULL_DOWN = range(5)

    def __init__(self, number: int) -> None:
        self.id = number
        self.level = 0

    def init(self, mode: int = IN, pull: int | None = None) -> None:
        pass

    def value(self, level: int | None = None) -> int:
        self.level = self.level if level is None else level
        return self.level

    def deinit(self) -> None:
        pass


class Writer(ModuleType):
    """The compiled module `_rpi_ws281x`, as far as Blinka calls it, and what reached the strip through it."""

    WS2811_SUCCESS, WS2811_STRIP_RGB, SK6812_STRIP_RGBW = range(3)

    def __init__(self) -> None:
        super().__init__("_rpi_ws281x")
        #: Of each transfer the pin, and red, green, blue of every pixel as the pixels take them.
        self.transfers: list[tuple[int, Colours]] = []
        #: Called at the start of each transfer.
        self.before: Callable[[], object] = bool
        #: What it answers to being set up, and to a transfer: 0 for good.
        self.refuses = self.fails = 0
        self._pixels: dict[int, int] = {}
        self._pins: dict[int, int] = {}

    @property
    def colours(self) -> Colours:
        """What the strip shows."""
        return self.transfers[-1][1]

    def new_ws2811_t(self) -> object:
        return object()

    def ws2811_channel_get(self, _strip: object, channel: int) -> int:
        return channel

    def ws2811_channel_t_gpionum_set(self, channel: int, pin: int) -> None:
        self._pins[channel] = pin

    def ws2811_channel_t_gpionum_get(self, channel: int) -> int:
        return self._pins[channel]

    def ws2811_channel_t_strip_type_get(self, _channel: int) -> int:
        return self.WS2811_STRIP_RGB

    def _pass_over(self, _subject: object, _value: object = None) -> None:
        pass

    ws2811_channel_t_count_set = ws2811_channel_t_invert_set = ws2811_channel_t_brightness_set = _pass_over
    ws2811_channel_t_strip_type_set = ws2811_t_freq_set = ws2811_t_dmanum_set = _pass_over
    ws2811_fini = delete_ws2811_t = _pass_over

    def ws2811_init(self, _strip: object) -> int:
        return self.refuses

    def ws2811_led_set(self, _channel: int, pixel: int, bits: int) -> None:
        self._pixels[pixel] = bits

    def ws2811_render(self, _strip: object) -> int:
        self.before()
        if not self.fails:
            # NeoPixels take green first.
            colours = [(bits >> 8 & 255, bits >> 16, bits & 255) for _, bits in sorted(self._pixels.items())]
            self.transfers.append((self._pins[0], colours))
        return self.fails

    def ws2811_get_return_t_str(self, _code: int) -> str:
        return "Failed to write"


def detector() -> Any:
    """The class by which Blinka finds out where it is; `get_cpuinfo_field` is all it needs for a Raspberry Pi."""
    return importlib.import_module("adafruit_platformdetect").Detector


def cpuinfo(_detector: object, field: str) -> str | None:
    """Stands in for `Detector.get_cpuinfo_field`."""
    return CPUINFO.get(field)


def modules(writer: Writer) -> dict[str, ModuleType]:
    """What stands in for hardware, by the names under which Blinka imports it."""
    pins = ModuleType(PINS)
    vars(pins)["Pin"] = Pin
    return {PINS: pins, writer.__name__: writer}


def main() -> None:
    """`underglow` on that Raspberry Pi."""
    from underglow.cli import app

    told = Path(os.environ["STRIP"])

    class Told(list[tuple[int, Colours]]):
        def append(self, transfer: tuple[int, Colours], /) -> None:
            with told.open("a") as file:
                file.write(json.dumps(transfer) + "\n")

    writer = Writer()
    writer.transfers = Told()
    sys.modules.update(modules(writer))
    detector().get_cpuinfo_field = cpuinfo
    app()


if __name__ == "__main__":
    main()
