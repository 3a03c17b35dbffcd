"""In place of main.py: the real board; once every reader holds a tag, a thousand passes without one byte allocated."""

import json
import time

import micropython

from drivers.watchdog import Watchdog
from program import build

with open("profile.json") as file:
    board = build(json.load(file), Watchdog(4000))
readers = board._readers
while not all(readers.presence.tags(reader) for reader in range(board.readers)):
    board.turn(0)
    time.sleep_us(200)
for _ in range(200):  # until the magnets are settled and the first frames are out
    board.turn(0)
    time.sleep_us(200)
polls = 0
micropython.heap_lock()
try:
    for _ in range(1000):
        turn = readers._turn
        board.turn(0)
        time.sleep_us(200)
        polls += turn != readers._turn
finally:
    micropython.heap_unlock()
while True:
    print("steady through", polls, "polls")
    time.sleep_ms(100)
