"""Reads vectors as JSON on standard input and prints what `wire` makes of them. Runs on CPython and on MicroPython."""

import json
import sys

import wire

TYPES = {message.__name__: message for _, message, _ in wire.MESSAGES}


def plain(message):
    return [type(message).__name__] + [list(f) if isinstance(f, bytes) else f for f in message]


def encode(case):
    session, (name, *fields) = case["session"], case["message"]
    fields = [bytes(f) if isinstance(f, list) else f for f in fields]
    return wire.encode(session, TYPES[name](*fields)).decode()


def decode(case):
    decoder = wire.Decoder(wire.TO_BOARD if case["to"] == "board" else wire.TO_HOST)
    heard = []
    for piece in case["pieces"]:
        data = bytes([int(piece[i : i + 2], 16) for i in range(0, len(piece), 2)])
        heard += [[session, plain(message)] for session, message in decoder.feed(data)]
    return {"heard": heard, "skipped": decoder.skipped, "interrupted": decoder.interrupted}


def apply(case):
    programs = bytearray(wire.PROGRAM_BYTES * case["lamps"])
    for program, lamps in case["groups"]:
        wire.apply(wire.group(program, lamps), programs)
    return {"programs": list(programs), "crc": wire.picture_crc(programs, case["brightness"])}


vectors = json.loads(sys.stdin.read())
print(
    json.dumps(
        {
            "schema": wire.SCHEMA,
            "encode": [encode(case) for case in vectors["encode"]],
            "decode": [decode(case) for case in vectors["decode"]],
            "apply": [apply(case) for case in vectors["apply"]],
        }
    )
)
