"""In place of main.py: the real board, a thousand passes without one byte allocated."""

import json
import time

import micropython

from drivers.watchdog import Watchdog
from program import build

with open("profile.json") as file:
    board = build(json.load(file), Watchdog(4000))
for _ in range(200):  # until the first reading is settled and the first frames are out
    board.turn(0)
    time.sleep_us(200)
micropython.heap_lock()
try:
    for _ in range(1000):
        board.turn(0)
        time.sleep_us(200)
finally:
    micropython.heap_unlock()
print("steady")
