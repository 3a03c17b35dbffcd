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
        lights.take(wire.group(program, lamps))
    if case["own"]:
        lights.fill(case["own"])
    words = array("I", [0] * len(case["pixel_lamp"]))
    frames = []
    for now_ms in case["at_ms"]:
        lights.draw(words, now_ms, bool(case["own"]))
        frames.append({"words": list(words), "load_ma": lights.load_ma()})
    return frames


def take(case):
    """What both ends make of groups of any origin: the programs, or what is wrong with them."""
    results = []
    for theirs in (False, True):
        lights = Lights(case["lamps"], [0], "GRB", {"cap_ma": 900, "idle_ua": 600, "channel_ua": 12_000})
        try:
            if theirs:
                wire.apply(bytes(case["take"]), lights.programs)
            else:
                lights.take(bytes(case["take"]))
            results.append(list(lights.programs))
        except ValueError as error:
            results.append(str(error))
    return results


for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps(take(case) if "take" in case else draw(case)))
