"""The same files on real MicroPython: the same bytes on the buses as in this Python, and nothing allocated at rest."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from world import FIRMWARE, PASS_NS, STEP_NS, Rig, World

from underglow.bench.devices.antenna import Noise
from underglow.bench.devices.iso14443 import Tag

HERE = Path(__file__).parent
SELECT, RESET, SPI, I2C_WRITE, I2C_READ, STEP = range(6)
GO, LOCK, END = range(3)

NTAG = bytes.fromhex("04 a1 b2 c3 d4 e5 80")
CLASSIC = bytes.fromhex("de ad be ef")
TRIPLE = bytes.fromhex("04 a1 b2 c3 d4 e5 f6 07 18 29")


class Guest(World):
    """A world whose readers, two or more, are driven by MicroPython; before each step `plan` says how to go on."""

    def __init__(
        self, micropython: list[str], kinds: list[str], plan: Callable[[Guest], int], pass_ns: int = PASS_NS
    ) -> None:
        super().__init__(kinds)
        self._pass_ns = pass_ns
        self.turns = 0  # that have ended
        self.changes = 0
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with (
            here,
            subprocess.Popen(
                [*micropython, str(HERE / "run_readers.py"), str(there.fileno()), json.dumps(kinds)],
                env={"MICROPYPATH": f"{FIRMWARE}:.frozen"},
                pass_fds=[there.fileno()],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            ) as guest,
        ):
            there.close()
            self._serve(here, plan)
            says, _ = guest.communicate(timeout=10)
        assert guest.returncode == 0, says
        #: What the presence was after each change.
        self.log: list[Any] = json.loads(says)

    def _serve(self, link: socket.socket, plan: Callable[[Guest], int]) -> None:
        turn = 0
        started = False
        while question := link.recv(128):
            match question[0]:
                case 0:
                    self.select(question[1], question[2])
                    answer = b"\x00"
                case 2:
                    answer = self.spi(question[1:])
                case 3:
                    answer = bytes((self.i2c_write(question[1], question[2:]),))
                case 4:
                    got = self.i2c_read(question[1], question[2])
                    answer = b"\x00" if got is None else b"\x01" + got
                case _:
                    self.turns += question[1] != turn
                    turn = question[1]
                    self.changes += question[2]
                    if started:
                        self.now_ns += STEP_NS
                    started = True
                    go = plan(self)
                    self.now_ns += self._pass_ns
                    answer = bytes((go,)) + self.now_us.to_bytes(4, "little")
            link.send(answer.ljust(64, b"\0"))


def test_both_pythons_drive_the_buses_alike(micropython: list[str]) -> None:
    kinds = ["mfrc522", "pn532", "mfrc522"]
    acts: dict[int, Callable[[World], None]] = {
        100: lambda world: world.place(Tag("ntag213", NTAG), 0, near=[1]),
        300: lambda world: world.place(Tag("classic1k", CLASSIC), 1),
        301: lambda world: world.place(Tag("triple", TRIPLE), 1),
        500: lambda world: setattr(world.antennas[0], "noise", Noise(3, flipped=0.3, cut=0.1, hiss=0.2)),
        1200: lambda world: setattr(world.antennas[0], "noise", None),
        1300: lambda world: world.place(Tag("triple", TRIPLE), 2),
        1800: lambda world: world.chips[2].hang(world.now_ns),
        2500: lambda world: world.chips[1].garble(1),
        3000: lambda world: world.place(Tag("ntag213", NTAG)),
    }
    steps = 4000
    rig = Rig(*kinds, started=False)
    for step in range(steps):
        acts.get(step, lambda world: None)(rig)
        rig.step()

    count = iter(range(steps + 1))

    def plan(world: Guest) -> int:
        step = next(count)
        acts.get(step, lambda world: None)(world)
        return END if step == steps else GO

    guest = Guest(micropython, kinds, plan)
    assert guest.transcript == rig.transcript
    assert len(guest.transcript) > 5_000
    number, *readers = guest.log[-1]
    assert number == rig.presence.number == 6
    assert readers == [[[uid.hex() for uid in rig.presence.tags(i)], 0] for i in range(3)]


@pytest.mark.parametrize("kind", ["mfrc522", "pn532"])
def test_nothing_is_allocated_in_a_thousand_polls(micropython: list[str], kind: str) -> None:
    """Two tags lie at one reader of two; in the second half there is noise, in the end one tag moves."""
    settled, polls = 6, 1000
    steps = 0

    def plan(world: Guest) -> int:
        nonlocal steps
        steps += 1
        if steps == 1:
            world.place(Tag("ntag213", NTAG), 0)
            world.place(Tag("classic1k", CLASSIC), 0)
        elif world.turns == settled:
            return LOCK
        elif world.turns == settled + polls // 2:
            world.antennas[0].noise = Noise(1, flipped=0.3, hiss=0.1)
        elif world.turns == settled + polls - 20:
            world.antennas[0].noise = None
            world.place(Tag("ntag213", NTAG), 1)
        return END if world.turns == settled + polls else GO

    guest = Guest(micropython, [kind, kind], plan, pass_ns=1_000_000)
    assert guest.changes == 2
