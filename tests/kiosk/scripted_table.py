"""A table and a bench that follow a script: what the kiosk shows is then known to the letter."""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from underglow.languages import Text
from underglow.profile import Board
from underglow.snapshot import Choice, Snapshot

ROWS = {"a": range(6, 9), "b": range(11, 15), "c": range(17, 22), "d": range(24, 28), "e": range(30, 33)}
SPACES = {f"{row}{n}": f"h{number:02}" for row, hexes in ROWS.items() for n, number in enumerate(hexes, 1)}
OVERLAY = SPACES | {"move": "z1", "attack": "z2", "intel": "z3", "plan": "z4"}

SECRETS = ("zebra-secret", "yak-secret")
"""The name of a card in each seat's hand: it must never reach anybody else."""

WALLS = [["a1", "a2"], ["a2", "b2"], ["a2", "b3"], ["a3", "b3"], ["b4", "c4"], ["b4", "c5"], ["c3", "c4"]]


def _token(token: str, space: str, kind: str, name: str, **more: object) -> dict[str, object]:
    return {"id": token, "space": space, "kind": kind, "name": name, "face": "up"} | more


def _threat(token: str, space: str, shape: str) -> dict[str, object]:
    return _token(token, space, "threat", "face-down threat", face="down", shape=shape)


TOKENS = [
    _token("drifter", "e1", "character", "Drifter"),
    _token("loader_droid", "d2", "character", "Loader Droid"),
    _threat("t1", "a2", "c"),
    _threat("t2", "a3", "c"),
    _threat("t3", "b1", "b"),
    _token("t4", "b2", "enemy", "Pit Bruiser", shape="a", **{"class": "melee"}, health=3, damage=1),
    _threat("t5", "b4", "c"),
    _threat("t6", "c3", "a"),
    _token("t7", "c4", "enemy", "Rim Gunner", shape="a", **{"class": "shooter"}, health=2),
    _threat("t8", "d1", "a"),
    _token("t9", "d4", "item", "Gate key", shape="b"),
    _token("t10", "e3", "asset", "Survey core", shape="c"),
]


def _zone(zone: str, name: str, strengths: list[int], disruption: list[int]) -> dict[str, object]:
    total = sum(strengths) + sum(disruption)
    return {"id": zone, "name": name, "strengths": strengths, "disruption": disruption, "sum": total, "used": False}


ZONES = [
    _zone("move", "Move", [3, 1], [2]),
    _zone("attack", "Attack", [], [1]),
    _zone("intel", "Intel", [2], [1]),
    _zone("plan", "Plan", [], [1]),
]


@dataclass
class ScriptedTable:
    """Two seats, one character each. `watch` as the real table does; `say` publishes a changed snapshot."""

    seats: int = 2
    chosen: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    turned: list[tuple[str, int, int | None]] = field(default_factory=list[tuple[str, int, int | None]])
    choosing: threading.Event = field(default_factory=threading.Event)
    watchers: list[Any] = field(default_factory=list[Any])

    def __post_init__(self) -> None:
        self.snapshot: Snapshot = {
            "number": 7,
            "link": {"state": "up", "says": "Board connected, firmware 0.1.0.", "port": "/dev/pts/9"},
            "faults": [],
            "steps": 7,
            "title": Text("Cinder Wells"),
            "turn": [0],
            "prompt": Text("Move the Drifter up to 3 spaces."),
            "understood": {"kind": "settled", "tokens": [], "extra": [], "missing": []},
            "choices": [
                *self._choices(
                    0, ["Lay a 1 on Move", "Lay a 1 on Intel", "Lay a 3 on Move", "Lay a 3 on Intel"], "play"
                ),
                *self._choices(0, ["Stay on e1"], "end"),
                *self._choices(1, [f"Discard {SECRETS[1]}"], "discard"),
            ],
            "moves": [],
            "shown": None,
            "layout": {"h30": ["drifter"], "h25": ["loader_droid"]},
            "tokens": {str(t["id"]): {"kind": str(t["kind"]), "name": str(t["name"])} for t in TOKENS},
            "overlay": OVERLAY,
            "lamps": [["off", 0, 0, 0]] * 48,
            "log": [
                Text("The Drifter lays a 3 on Move."),
                Text("A face-down threat on b2 is turned up: Pit Bruiser."),
            ],
            "log_end": 2,
            "history": {"played": [], "undone": [], "alone": False, "missing": None},
            "outcome": None,
            "winners": [],
        }
        for index, choice in enumerate(self.snapshot["choices"]):
            choice["index"] = index

    @staticmethod
    def _choices(seat: int, texts: list[str], verb: str) -> list[Choice]:
        return [
            {"index": 0, "seat": seat, "text": Text(text), "verb": verb, "args": [], "at": [], "open": False}
            for text in texts
        ]

    def view(self, seat: int | None) -> Mapping[str, object]:
        rows: list[dict[str, object]] = []
        for number, name in enumerate(["Drifter", "Loader Droid"]):
            owner = min(number, self.seats - 1)
            row: dict[str, object] = {"seat": owner, "character": name, "name": name, "health": 8, "damage": number * 3}
            if owner == seat:
                row["hand"] = [
                    {"strength": 1, "ability": "", "name": "", "tactical": False},
                    {"strength": 3, "ability": "", "name": "", "tactical": False},
                    {"strength": 0, "ability": "x", "name": SECRETS[number], "tactical": True},
                ]
            rows.append(row | {"cards": 3})
        doors = [{"id": "well_gate", "name": "well gate", "edge": ["b3", "b4"], "open": False}]
        return {
            "turn": 0,
            "character": "Drifter",
            "tokens": TOKENS,
            "zones": ZONES,
            "seats": rows,
            "doors": doors,
            "walls": WALLS,
        }

    def choose(self, index: int, number: int) -> None:
        self.chosen.append((index, number))
        self.choosing.set()

    def undo(self, number: int, seat: int | None) -> None:
        self._turn("undo", number, seat)

    def agree(self, number: int, seat: int | None) -> None:
        self._turn("agree", number, seat)

    def redo(self, number: int, seat: int | None) -> None:
        self._turn("redo", number, seat)

    def _turn(self, way: str, number: int, seat: int | None) -> None:
        self.turned.append((way, number, seat))
        self.choosing.set()

    def watch(self, watcher: Any) -> None:
        self.watchers.append(watcher)
        watcher(self.snapshot)

    def say(self, **changes: Any) -> None:
        self.snapshot = copy.deepcopy(self.snapshot)
        self.snapshot.update(changes)  # pyright: ignore[reportCallIssue, reportArgumentType]
        for watcher in self.watchers:
            watcher(self.snapshot)


@dataclass(frozen=True)
class Frame:
    number: int
    pixels: tuple[tuple[int, int, int], ...]


class ScriptedBench:
    """Magnets that move when told; pixels that show what the test wants."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.where = {"drifter": "h30", "loader_droid": "h25"}
        self.moves: list[tuple[str, ...]] = []
        self.moved = threading.Condition()
        self.frame = Frame(0, ((0, 0, 0),) * len(board.pixel_mm))

    def glow(self, **colours: tuple[int, int, int]) -> None:
        pixels = list(self.frame.pixels)
        for space, colour in colours.items():
            for pixel in self.board.lamps[self.board.lamp_of(space)]:
                pixels[pixel] = colour
        self.frame = Frame(self.frame.number + 1, tuple(pixels))

    def place(self, space: str, token: str) -> int:
        self._note("place", token, space)
        self.where = self.where | {token: space}
        return time.monotonic_ns()

    def lift(self, token: str) -> int:
        if token not in self.where:
            raise ValueError(f"the magnet {token!r} is not on the board")
        self._note("lift", token)
        self.where = {other: space for other, space in self.where.items() if other != token}
        return time.monotonic_ns()

    def magnets(self) -> Mapping[str, str]:
        return self.where

    def pixels(self) -> Frame:
        return self.frame

    def _note(self, *move: str) -> None:
        with self.moved:
            self.moves.append(move)
            self.moved.notify_all()

    def expect(self, *moves: tuple[str, ...], timeout_s: float = 5) -> None:
        """Wait until exactly these moves were made, in this order."""
        with self.moved:
            self.moved.wait_for(lambda: len(self.moves) >= len(moves), timeout_s)
            assert self.moves == list(moves)
