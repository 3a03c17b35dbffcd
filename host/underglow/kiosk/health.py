"""How board, link and sensors are, as far as this side hears: counted all the time, told to staff."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass
from math import ceil
from typing import TypedDict

from underglow.kiosk.counters import Counters, Sensors
from underglow.languages import SILENCE, Text, say
from underglow.link import Down, Happening, Link
from underglow.profile import Board
from underglow.session import BoardFault, Occupied, Reading, Tagged, Up
from underglow.wire import Status

log = logging.getLogger(__name__)

RATE_S = 5.0
"""Rates are of so long, if the board was there so long."""

BEATS = 256
"""Round trips that count: those of the last minute, if nobody plays."""

AT_CAP = 0.99
"""A strip that draws so much of its cap is at it: how it is dimmed leaves it a little below."""

_WRAP = 1 << 30


class SensorTold(TypedDict):
    """A hall sensor: its number and space, what it feels, how often that changed, and how long ago it did last."""

    sensor: int
    space: str
    felt: bool
    changes: int
    changed_s: float | None
    stuck: bool


class ReaderTold(TypedDict):
    """An NFC reader: its number and place, UIDs in hex, and what is wrong with it, if anything."""

    reader: int
    place: str
    uids: list[str]
    fault: Text


class Told(TypedDict):
    """Everything, for the staff's page. None: not known now."""

    up: bool
    says: Text
    title: str
    firmware: str
    boot: str
    up_s: float | None
    port: str
    beat_p50_ms: float | None
    beat_p95_ms: float | None
    skipped: int
    skipped_by_board: int
    repairs: int
    scans_per_s: float | None
    frames_per_s: float | None
    load_ma: int | None
    load_most_ma: int
    cap_ma: int
    at_cap_s: float
    test_light: bool
    sensors: list[SensorTold]
    readers: list[ReaderTold]


@dataclass(slots=True)
class _Changes:
    """Of one sensor."""

    count: int = 0
    at_s: float | None = None


class Health:
    """Of one table. For the thread that hears the link. Cap time and stuck sensors are counted, too."""

    def __init__(self, board: Board, counters: Counters) -> None:
        self._board = board
        self._counters = counters
        self._sensors = Sensors()
        self._felt: frozenset[int] | None = None  # None: not heard yet
        self._changes = {space.hall: _Changes() for space in board.spaces if space.hall is not None}
        self.readings = self._silent = (Reading(frozenset(), frozenset(), SILENCE),) * len(board.readers)
        """What every reader reads; the board says nothing of them before there is something to say."""
        self._up: Up | None = None
        self._up_s = 0.0
        self._says = say("The board was not heard yet.")
        self._statuses: deque[tuple[float, Status]] = deque()
        self._most_ma = 0
        self._at_cap_s = 0.0

    @property
    def up(self) -> Up | None:
        """What the board said when it came; None: it is away."""
        return self._up

    @property
    def says(self) -> Text:
        """Why the board is away, or what it complained of last."""
        return self._says

    def hear(self, happening: Happening, now_s: float) -> None:
        """One thing the link reports."""
        match happening:
            case Up(firmware, boot):
                self._up, self._up_s, self._says = happening, now_s, SILENCE
                self._statuses.clear()
                log.info("the board is there: firmware %s, boot %08x", firmware, boot)
            case Down(says):
                self._up, self._felt, self.readings, self._says = None, None, self._silent, says
                self._statuses.clear()
                log.warning("%s", says)
            case Occupied(sensors):
                self._sensors.feel(sensors, now_s)
                if self._felt is not None:
                    for sensor in (sensors ^ self._felt) & self._changes.keys():
                        change = self._changes[sensor]
                        change.count, change.at_s = change.count + 1, now_s
                self._felt = sensors
            case Tagged(readings):
                self.readings = readings
            case BoardFault(says):
                self._says = says
                log.warning("%s", says)
            case _:
                pass

    def look(self, link: Link, now_s: float) -> None:
        """Look at what the board says of itself; call it at least a few times a second."""
        status = link.session.status
        if status is None or self._up is None:
            return
        before = self._statuses[-1] if self._statuses else None
        if before and before[1] is status:
            return
        self._statuses.append((now_s, status))
        while now_s - self._statuses[0][0] > RATE_S and len(self._statuses) > 2:
            self._statuses.popleft()
        self._most_ma = max(self._most_ma, status.load_ma)
        if before and min(status.load_ma, before[1].load_ma) >= AT_CAP * self._board.power.cap_ma:
            self._at_cap_s += now_s - before[0]
            self._counters.add("cap_seconds_total", now_s - before[0])

    def stuck(self, now_s: float) -> list[int]:
        """Sensors that feel a token for long while others come and go."""
        return self._sensors.stuck(now_s)

    def told(self, link: Link, now_s: float) -> Told:
        """All of it, as of now."""
        session, up = link.session, self._up
        status = self._statuses[-1][1] if self._statuses else None
        scans, frames = self._rates()
        beats = sorted(list(session.beat_ms)[-BEATS:]) if up else []
        return {
            "up": up is not None,
            "says": self._says,
            "title": self._board.title,
            "firmware": up.firmware if up else "",
            "boot": f"{up.boot:08x}" if up else "",
            "up_s": now_s - self._up_s if up else None,
            "port": link.port,
            "beat_p50_ms": _part(beats, 0.5),
            "beat_p95_ms": _part(beats, 0.95),
            "skipped": session.skipped,
            "skipped_by_board": status.skipped if status else 0,
            "repairs": session.repairs,
            "scans_per_s": scans,
            "frames_per_s": frames,
            "load_ma": status.load_ma if status else None,
            "load_most_ma": self._most_ma,
            "cap_ma": self._board.power.cap_ma,
            "at_cap_s": self._at_cap_s,
            "test_light": session.test_light,
            "sensors": self._sensors_told(now_s),
            "readers": self._readers_told(),
        }

    def _sensors_told(self, now_s: float) -> list[SensorTold]:
        stuck, felt = self.stuck(now_s), self._felt or frozenset()
        return [
            {
                "sensor": sensor,
                "space": self._board.space_of_sensor[sensor],
                "felt": sensor in felt,
                "changes": change.count,
                "changed_s": None if change.at_s is None else now_s - change.at_s,
                "stuck": sensor in stuck,
            }
            for sensor, change in self._changes.items()
        ]

    def _readers_told(self) -> list[ReaderTold]:
        return [
            {
                "reader": number,
                "place": place,
                "uids": sorted(uid.hex(" ") for uid in reading.uids | reading.disputed),
                "fault": reading.fault,
            }
            for number, (place, reading) in enumerate(zip(self._board.readers, self.readings, strict=True))
        ]

    def _rates(self) -> tuple[float | None, float | None]:
        """Scans and frames a second, lately."""
        if len(self._statuses) < 2:
            return None, None
        (from_s, first), (to_s, last) = self._statuses[0], self._statuses[-1]
        span_s = to_s - from_s
        if span_s <= 0:
            return None, None
        return ((last.scans - first.scans) % _WRAP / span_s, (last.frames - first.frames) % _WRAP / span_s)


def _part(ordered: list[float], part: float) -> float | None:
    """The value that so large a part of them does not exceed."""
    return ordered[max(0, ceil(part * len(ordered)) - 1)] if ordered else None
