"""Runs the firmware's readers on MicroPython; what their buses do goes out on a socket, whose other end has the clock.

One datagram a question, one an answer, that always full. At rest nothing here allocates, either.
"""

import json
import sys

import micropython

from drivers.mfrc522 import Mfrc522
from drivers.pn532 import Pn532
from nfc import Readers

SELECT, RESET, SPI, I2C_WRITE, I2C_READ, STEP = range(6)
GO, LOCK, END = range(3)

link = open(int(sys.argv[1]), "r+b")  # noqa: SIM115 - as long as the program
kinds = json.loads(sys.argv[2])
question = bytearray(128)
answer = bytearray(64)


def ask(size):
    link.write(question, size)
    if not link.readinto(answer):
        sys.exit()


class Pin:
    def __init__(self, what, reader):
        self.what = what
        self.reader = reader

    def __call__(self, level):
        question[0] = self.what
        question[1] = self.reader
        question[2] = level
        ask(3)


class Spi:
    def write(self, buf):
        question[0] = SPI
        for k in range(len(buf)):
            question[1 + k] = buf[k]
        ask(1 + len(buf))

    def write_readinto(self, write_buf, read_buf):
        self.write(write_buf)
        for k in range(len(read_buf)):
            read_buf[k] = answer[k]


class I2c:
    def __init__(self, reader):
        self.reader = reader

    def writeto(self, addr, buf):
        question[0] = I2C_WRITE
        question[1] = self.reader
        for k in range(len(buf)):
            question[2 + k] = buf[k]
        ask(2 + len(buf))
        if not answer[0]:
            raise OSError(5)

    def readfrom_into(self, addr, buf):
        question[0] = I2C_READ
        question[1] = self.reader
        question[2] = len(buf)
        ask(3)
        if not answer[0]:
            raise OSError(5)
        for k in range(len(buf)):
            buf[k] = answer[1 + k]


spi = Spi()
readers = []
for i, kind in enumerate(kinds):
    readers.append(Mfrc522(spi, Pin(SELECT, i)) if kind == "mfrc522" else Pn532(I2c(i)))
board = Readers(readers, 3)

changed = False
locked = False
log = []
while True:
    question[0] = STEP
    question[1] = board._turn
    question[2] = changed
    ask(3)
    if answer[0] == LOCK and not locked:
        micropython.heap_lock()
        locked = True
    elif answer[0] == END:
        break
    changed = board.step(answer[1] | answer[2] << 8 | answer[3] << 16 | answer[4] << 24)
    if changed and not locked:
        presence = board.presence
        log.append(
            [presence.number]
            + [[[uid.hex() for uid in presence.tags(i)], presence.fault(i)] for i in range(len(kinds))]
        )

if locked:
    micropython.heap_unlock()
print(json.dumps(log))
