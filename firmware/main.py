"""What the Pico runs: build the board its profile describes, then loop until somebody asks for the REPL."""

import json

import micropython
import rp2
from machine import SPI, Pin

from board import Board
from drivers.hall165 import HallChain
from drivers.ws2812 import PixelStrip
from lights import Lights
from sensing import Sensing

VERSION = "0.1.0"
_CTRL_C = 3


def build(profile):
    """The board of a profile.json: every driver is handed its pins here and nowhere else."""
    wiring = profile["hall"]
    bus = SPI(
        wiring["spi"],
        baudrate=wiring["baudrate"],
        sck=Pin(wiring["sck"]),
        mosi=Pin(wiring["mosi"]),
        miso=Pin(wiring["miso"]),
    )
    hall = HallChain(bus, Pin(wiring["latch"], Pin.OUT, value=1), wiring["chips"])
    strip = PixelStrip(Pin(profile["strip"]["pin"], Pin.OUT, value=0), profile["strip"]["pixels"], 0, rp2.DMA())
    lights = Lights(profile["lamps"], profile["pixel_lamp"], profile["strip"]["order"], profile["power"])
    lights.brightness = profile["brightness"]
    sensing = Sensing(wiring["chips"], profile["settle_scans"], wiring["active_low"])
    return Board(profile["crc"], profile["sensors"], VERSION, hall, sensing, lights, strip)


def main():
    """Run the board; a fault in the loop is told to the host and the loop goes on."""
    with open("profile.json") as file:
        board = build(json.load(file))
    micropython.kbd_intr(-1)  # 0x03 is data from here on; the link knows when somebody means it
    try:
        while True:
            try:
                board.run()
            except Exception as error:
                board.crashed(error)
    except KeyboardInterrupt:
        board.dark()
    finally:
        micropython.kbd_intr(_CTRL_C)


if __name__ == "__main__":
    main()
