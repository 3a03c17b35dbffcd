"""Reads pictures as lines of JSON and prints what `lights` makes of them. Runs on MicroPython."""

import json
import sys
from array import array

import wire
from lights import Lights


def draw(case):
    lights = Lights(case["lamps"], case["pixel_lamp"], case["order"], case["power"])
    lights.brightness = case["brightness"]
    for program, lamps in case["groups"]:
        wire.apply(wire.group(program, lamps), lights.programs)
    if case["own"]:
        lights.fill(case["own"])
    words = array("I", [0] * len(case["pixel_lamp"]))
    frames = []
    for now_ms in case["at_ms"]:
        lights.draw(words, now_ms, bool(case["own"]))
        frames.append({"words": list(words), "load_ma": lights.load_ma()})
    return frames


for line in sys.stdin:
    print(json.dumps(draw(json.loads(line))))
