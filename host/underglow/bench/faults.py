"""Faults, counted: frames on a line that spoils them, cables pulled while hands go on moving, and programs killed.

Frames: the host's session and the firmware's loop, in simulated time, with a cable between them that drops and
corrupts. Each side makes news all the time: touches, presses, tags; pictures. Every press must be heard exactly once;
every other state must be known, or overtaken by a newer one, within a second, and never come back after that.

Replugs: the whole board on the bench, its program living on while the cable is out. Kills: see kills.py.
"""

from __future__ import annotations

import json
import random
import time
from binascii import a2b_base64
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from rich.console import Console
from rich.progress import Progress, track
from rich.table import Table as Grid

from underglow import image, profile, wire
from underglow.bench.cable import Lane, Trouble
from underglow.bench.kills import Kills, kill
from underglow.bench.loop import Loop
from underglow.bench.vm import Bench
from underglow.link import Happening, Link
from underglow.profile import Board
from underglow.session import Occupied, Pressed, Program, Session, Tagged

LATE_MS = 1000
"""News that is not known by then is lost."""

_NEWS_MS = 12.0
"""The mean time from one piece of news to the next, on each side."""
_MATTERS = {
    3: ("occupancy",),
    4: ("tags",),
    5: ("picture",),
    6: ("picture", "occupancy", "tags"),  # without a sign of life the board falls silent
    7: ("picture",),
}
"""What a frame of that code carries, asks after, or says the fate of."""

_REPLUG_S = 1.0
_HEX48 = "hex48"


@dataclass(slots=True)
class Replugs:
    """Cables pulled and put back: how many, after how many both ends agreed within a second, and the slowest."""

    n: int = 0
    right: int = 0
    worst_ms: float = 0.0


@dataclass(slots=True)
class Figures:
    """What `underglow bench faults` prints.

    `worst_repair_ms` is from the last spoiled frame that mattered for some news until that is known, `worst_ms` from
    when the news was made, however many of its frames were spoiled.
    """

    frames: int = 0
    spoiled: int = 0
    lost: int = 0
    doubled: int = 0
    worst_repair_ms: float = 0.0
    worst_ms: float = 0.0
    replugs: Replugs = field(default_factory=Replugs)
    kills: Kills = field(default_factory=Kills)

    @property
    def good(self) -> bool:
        """Whether nothing was lost, doubled or wrong."""
        whole = not self.lost and not self.doubled
        return whole and self.replugs.right == self.replugs.n and self.kills.same == self.kills.n


class News:
    """One kind of state that one end makes and the other should come to know; no two states of a run are equal."""

    def __init__(self, figures: Figures, known: object = None) -> None:
        self._figures = figures
        self._made: deque[tuple[object, float]] = deque()  # not known yet, with the time it was made
        self._known = known
        self._spoiled_ms = -1.0

    def make(self, state: object, now_ms: float) -> None:
        """It is so from now on."""
        self._made.append((state, now_ms))

    def spoil(self, now_ms: float) -> None:
        """A frame that carries such a state did not pass."""
        self._spoiled_ms = now_ms

    def know(self, state: object, now_ms: float) -> None:
        """The other end holds this now."""
        if state == self._known:
            return
        at = next((k for k, (made, _) in enumerate(self._made) if made == state), None)
        if at is None:
            self._figures.doubled += 1  # it has been overtaken, or never was
            return
        self._known = state
        since_ms = self._made[0][1]
        for _ in range(at + 1):
            self._made.popleft()
        if self._spoiled_ms >= since_ms:
            self._figures.worst_repair_ms = max(self._figures.worst_repair_ms, now_ms - self._spoiled_ms)
        self._figures.worst_ms = max(self._figures.worst_ms, now_ms - since_ms)

    def expire(self, now_ms: float) -> None:
        """Give up what is late."""
        while self._made and now_ms - self._made[0][1] > LATE_MS:
            self._made.popleft()
            self._figures.lost += 1


class Match:
    """A host and a board on a cable that spoils frames both ways, in simulated time: a pass of the board takes a ms."""

    def __init__(self, board: Board, seed: int) -> None:
        self.figures = Figures()
        self.now_ms = 0
        self._chance = random.Random(seed)  # noqa: S311 - trouble, not a secret
        self.firmware = Loop(board)
        self._session = Session(1 + seed % 0xFFFF, board.crc, len(board.lamps), board.strip.brightness, 0)
        self._lanes = (Lane(self._spoilt), Lane(self._spoilt))  # to the board, to the host
        self._news = {
            "picture": News(self.figures, self._session.programs),
            "occupancy": News(self.figures),
            "tags": News(self.figures),
        }
        self._news_at_ms = [0.0, 0.0]
        self._pressed = [0, 0, 0]
        self._heard: tuple[frozenset[int], list[int]] = frozenset(), [0, 0, 0]
        self._numbers = [0, 0, 0]  # of occupancy, tags and lamps, as the board had them last
        self._lamps = len(board.lamps)
        self._readers = len(board.readers)

    def run(self, frames: int, trouble: Trouble) -> Iterator[int]:
        """Make news until so many frames were on the line, then let it be quiet for a second; yields how many were."""
        while not self._session.up:
            self._step()
        for lane, seed in zip(self._lanes, (trouble.seed, trouble.seed + 1), strict=True):
            lane.disturb(trouble._replace(seed=seed))
        while (carried := sum(lane.carried for lane in self._lanes)) < frames:
            self._make_news()
            self._step()
            yield carried
        self.figures.frames = carried
        for lane in self._lanes:
            lane.disturb(None)
        for _ in range(LATE_MS + 1):
            self._step()

    def _make_news(self) -> None:
        chance, now_ms = self._chance, self.now_ms
        board_at_ms, host_at_ms = self._news_at_ms
        if now_ms >= board_at_ms:
            self._news_at_ms[0] = now_ms + chance.expovariate(1 / _NEWS_MS)
            kind = chance.randrange(4)
            if kind == 0:
                self.firmware.hold(chance.randrange(self._readers), chance.randbytes(7))
            elif kind == 1:
                button = chance.randrange(3)
                self.firmware.press(button)
                self._pressed[button] += 1
            else:
                self.firmware.feel(chance.randbytes(6))
        if now_ms >= host_at_ms:
            self._news_at_ms[1] = now_ms + chance.expovariate(1 / _NEWS_MS)
            program = Program(wire.SOLID, *chance.randbytes(3), period_ms=chance.randrange(1 << 16))
            self._session.show(((program, tuple(sorted(chance.sample(range(self._lamps), 5)))),), now_ms)
            self._news["picture"].make(self._session.programs, now_ms)

    def _step(self) -> None:
        self.now_ms += 1
        now_ms, now_ns = self.now_ms, self.now_ms * 1_000_000
        to_board, to_host = self._lanes
        session, loop = self._session, self.firmware
        if data := to_host.get(now_ns):
            self._hear(data)
        session.tick(now_ms)
        if session.unsent:
            to_board.put(bytes(session.unsent), now_ns)
            session.unsent.clear()
        loop.heard += to_board.get(now_ns)
        loop.clock.now_us += 1000
        loop.turn()
        if loop.said:
            to_host.put(bytes(loop.said), now_ns)
            loop.said.clear()
        self._look()
        for news in self._news.values():
            news.expire(now_ms)

    def _hear(self, data: bytes) -> None:
        sensors, presses = self._heard
        for happening in self._session.receive(data, self.now_ms):
            match happening:
                case Occupied(sensors):
                    pass
                case Pressed(button):
                    presses[button] += 1
                case Tagged(readings):
                    self._news["tags"].know(tuple(reading.uids for reading in readings), self.now_ms)
                case _:
                    continue
        self._heard = sensors, presses
        self._news["occupancy"].know((sensors, *presses), self.now_ms)

    def _look(self) -> None:
        """See what the board has made of hands, and of what it was told."""
        board, now_ms = self.firmware.board, self.now_ms
        occupancy, tags, lamps = self._numbers
        if board.occupancy_number != occupancy:
            self._news["occupancy"].make((_set_bits(board.occupancy().sensors), *self._pressed), now_ms)
        if board.tags_number != tags:
            messages = [board.tags(reader) for reader in range(self._readers)]
            self._news["tags"].make(tuple(frozenset({message.uids[1:]} - {b""}) for message in messages), now_ms)
        for number in self.firmware.lit:
            self.figures.doubled += number <= lamps
            lamps = number
        if self.firmware.lit:
            self.firmware.lit.clear()
            self._news["picture"].know(bytes(self.firmware.programs), now_ms)
        self._numbers = [board.occupancy_number, board.tags_number, lamps]

    def _spoilt(self, frame: bytes) -> None:
        self.figures.spoiled += 1
        code = a2b_base64(frame[1:5])[0] if len(frame) > 5 else None  # a byte may be of any frame
        for name in self._news if code is None else _MATTERS.get(code, ()):
            self._news[name].spoil(self.now_ms)


def pull(count: int, seed: int, board: Board) -> Replugs:
    """Pull the cable of a simulated board and put it back, hands going on meanwhile; some 0.2 s each.

    Right is a board whose tokens the host knows, and which runs the host's newest picture, within a second.
    """
    replugs = Replugs()
    chance = random.Random(seed)  # noqa: S311 - trouble, not a secret
    spaces = [space.id for space in board.spaces if space.hall is not None]
    with Bench.start(board, image.board_files(board)) as bench:
        link = Link(bench.port, board)
        sensors: list[frozenset[int]] = [frozenset()]

        def listen(happenings: list[Happening]) -> None:
            sensors.extend(happening.sensors for happening in happenings if isinstance(happening, Occupied))

        try:
            listen(link.connect())
            for _ in track(range(count), "Replugs", console=Console(stderr=True), transient=True):
                bench.unplug()
                for _ in range(chance.randrange(1, 5)):
                    bench.place(chance.choice(spaces), f"figure {chance.randrange(3)}")
                    time.sleep(chance.random() * 0.01)
                listen(link.wait(chance.random() * 0.1))
                program = Program(wire.SOLID, *chance.randbytes(3))
                link.show(((program, tuple(sorted(chance.sample(range(len(board.lamps)), 5)))),))
                standing = frozenset(board.space(space).hall for space in bench.magnets().values())
                bench.replug()
                back_s = time.monotonic()
                while not (right := sensors[-1] == standing and _seen(link, board)):
                    if time.monotonic() - back_s > _REPLUG_S:
                        break
                    listen(link.wait(0.005))
                replugs.n += 1
                replugs.right += right
                replugs.worst_ms = max(replugs.worst_ms, round((time.monotonic() - back_s) * 1000, 1))
                del sensors[:-1]
        finally:
            link.close()
    return replugs


def _seen(link: Link, board: Board) -> bool:
    """Whether the board says that it runs what the host wants to be seen."""
    status = link.session.status
    wanted = wire.picture_crc(bytearray(link.session.programs), board.strip.brightness)
    return status is not None and status.lamps_crc == wanted


def measure(frames: int, replugs: int, kills: int, seed: int = 1) -> Figures:
    """Take all figures; a million frames take a minute, a thousand replugs four, two hundred kills one.

    The programs to be killed are forked from this one, so it must have no other threads.
    """
    killed = kill(kills, seed)
    board = profile.load(_HEX48)
    match = Match(board, seed)
    progress = Console(stderr=True)
    with Progress(console=progress, transient=True) as bar:
        task = bar.add_task("Frames", total=frames)
        for carried in match.run(frames, Trouble(seed, drop=0.01, corrupt=0.01)):
            if not carried % 1000:
                bar.update(task, completed=carried)
    figures = match.figures
    figures.replugs = pull(replugs, seed, board)
    figures.kills = killed
    return figures


def show(figures: Figures, as_json: bool) -> None:
    """Print them."""
    if as_json:
        print(json.dumps(asdict(figures)))  # noqa: T201 - the one JSON object
        return
    grid = Grid("", "")
    for name, value in asdict(figures).items():
        if name not in ("replugs", "kills"):
            grid.add_row(name.replace("_", " "), f"{value:,g}")
    replugs = figures.replugs
    grid.add_row("replugs: right", f"{replugs.right} of {replugs.n}")
    grid.add_row("replugs: worst ms", f"{replugs.worst_ms:g}")
    grid.add_row("kills: same", f"{figures.kills.same} of {figures.kills.n}")
    console = Console(soft_wrap=True)
    console.print(grid)
    for sentence in figures.kills.wrong:
        console.print(sentence, markup=False)


def _set_bits(bits: bytes) -> frozenset[int]:
    return frozenset(8 * k + i for k, byte in enumerate(bits) for i in range(8) if byte & 0x80 >> i)
