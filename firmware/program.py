"""What the Pico runs: build the board its profile describes, then loop until somebody asks for the REPL."""

import json
import sys

import micropython
import rp2
from machine import PWM, SPI, Pin

from board import Board
from drivers.buttons import Buttons
from drivers.console import Console
from drivers.hall165 import HallChain
from drivers.watchdog import Watchdog
from drivers.ws2812 import PixelStrip
from lights import Lights
from nfc import Readers
from sensing import Sensing

VERSION = "0.2.0"
_CTRL_C = 3
_WATCHDOG_MS = 4000
_I2C_TIMEOUT_US = 2000
_LED = 25  # on the Pico itself


def build(profile, watchdog):
    """The board of a profile.json: every driver is handed its pins here and nowhere else."""
    wiring = profile["hall"]
    hall = HallChain(_spi(wiring["spi"], wiring), Pin(wiring["latch"], Pin.OUT, value=1), wiring["chips"])
    sensing = Sensing(wiring["chips"], profile["settle_scans"], wiring["active_low"])
    buttons = Buttons([Pin(pin, Pin.IN, Pin.PULL_UP) for pin in profile["buttons"]])
    strip = PixelStrip(Pin(profile["strip"]["pin"], Pin.OUT, value=0), profile["strip"]["pixels"], 0, rp2.DMA())
    lights = Lights(profile["lamps"], profile["pixel_lamp"], profile["strip"]["order"], profile["power"])
    lights.brightness = profile["brightness"]
    readers = _readers(profile["nfc"])
    return Board(profile, VERSION, Console(), hall, sensing, buttons, readers, lights, strip, watchdog)


def _readers(nfc):
    """NFC readers, each kind's driver imported only where there is one: the others' memory stays free."""
    readers = []
    spi = _spi(nfc["spi"]["block"], nfc["spi"]) if nfc["spi"] else None
    for wiring in nfc["readers"]:
        reset = Pin(wiring["reset"], Pin.OUT, value=1) if wiring["reset"] is not None else None
        if wiring["chip"] == "mfrc522":
            from drivers.mfrc522 import Mfrc522

            readers.append(Mfrc522(spi, Pin(wiring["select"], Pin.OUT, value=1), reset))
        else:
            from machine import I2C

            from drivers.pn532 import Pn532

            bus = nfc["i2c"]
            i2c = I2C(bus["block"], scl=Pin(bus["scl"]), sda=Pin(bus["sda"]), freq=bus["hz"], timeout=_I2C_TIMEOUT_US)
            readers.append(Pn532(i2c, reset))
    return Readers(readers, nfc["misses"])


def _spi(block, wiring):
    return SPI(
        block,
        baudrate=wiring["baudrate"],
        sck=Pin(wiring["sck"]),
        mosi=Pin(wiring["mosi"]),
        miso=Pin(wiring["miso"]),
    )


def main():
    """Run the board; a fault in the loop is told to the host and the loop goes on."""
    watchdog = Watchdog(_WATCHDOG_MS)
    try:
        with open("profile.json") as file:
            board = build(json.load(file), watchdog)
    except Exception as error:
        # No board without its profile: the Pico's own light blinks by itself, and the REPL tells why.
        PWM(Pin(_LED), freq=8, duty_u16=0x8000)
        print("profile.json does not describe this board; flash it again.")
        sys.print_exception(error)
        return
    micropython.kbd_intr(-1)  # 0x03 is data from here on; the link knows when somebody means it
    watchdog.start()
    try:
        while True:
            try:
                board.run()
            except Exception as error:
                board.crashed(error)
    except KeyboardInterrupt:
        board.dark()
    finally:
        watchdog.stop()
        micropython.kbd_intr(_CTRL_C)
