"""Reads scripts of pressing as lines of JSON and prints what `buttons` counts. Runs on MicroPython."""

import json
import sys

from drivers.buttons import Buttons

levels = [1, 1, 1]  # pulled up; a button pulls its pin down


def pin(number):
    return lambda: levels[number]


for line in sys.stdin:
    levels[:] = [1, 1, 1]
    buttons = Buttons([pin(0), pin(1), pin(2)])
    told = []
    now_ms = 0
    for until_ms, down in json.loads(line):
        levels[:] = [0 if down >> i & 1 else 1 for i in range(3)]
        while now_ms < until_ms:
            now_ms += 4
            if buttons.read(now_ms):
                told.append([now_ms, list(buttons.presses)])
    print(json.dumps(told))
