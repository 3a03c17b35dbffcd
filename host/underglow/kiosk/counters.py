"""What a table counts of its days, about games and faults and never about people; on disk, and for Prometheus."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pydantic import TypeAdapter, ValidationError

from underglow.kiosk import whole_file

METRICS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "games_begun_total": ("counter", "Games that people began."),
        "games_resumed_total": ("counter", "Unfinished games that people went on with."),
        "games_ended_total": ("counter", "Games that ended, by outcome; those left in the middle are put_aside."),
        "game_seconds_total": ("counter", "How long those games took, together."),
        "game_steps_total": ("counter", "How many steps those games had, together."),
        "attract_games_total": ("counter", "Games that bots played for passers-by."),
        "faults_total": ("counter", "What kept the table from playing."),
        "reconnects_total": ("counter", "How often the board came back."),
        "starts_total": ("counter", "How often this program started."),
        "cap_seconds_total": ("counter", "How long the strip drew all that it may."),
        "sensors_stuck": ("gauge", "Sensors that feel a token all day while others come and go."),
    }
)
"""Every metric without its prefix: type, and what it counts."""

STUCK_S = 8 * 3600.0
STUCK_CHANGES = 200
"""A sensor that feels something for so long, while others changed so often, is taken for stuck."""

_FILE = TypeAdapter(dict[str, float])


class Counters:
    """Counts kept in a file; a file that can't be read starts them anew. Any thread may call."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._values: dict[str, float] = {}
        self._written = ""
        try:
            self._values = _FILE.validate_json(path.read_bytes())
        except (OSError, ValidationError):
            self._values = {}

    def add(self, metric: str, by: float = 1, **labels: str) -> None:
        """Count. KeyError: there is no such metric."""
        with self._lock:
            key = _key(metric, labels)
            self._values[key] = self._values.get(key, 0) + by

    def put(self, metric: str, value: float) -> None:
        """Set a gauge. KeyError: there is no such metric."""
        with self._lock:
            self._values[_key(metric, {})] = value

    def text(self) -> str:
        """All of it in Prometheus's text format."""
        with self._lock:
            values = dict(self._values)
        lines: list[str] = []
        for metric, (kind, says) in METRICS.items():
            name = f"underglow_{metric}"
            lines += [f"# HELP {name} {says}", f"# TYPE {name} {kind}"]
            own = [(key, value) for key, value in sorted(values.items()) if key.partition("{")[0] == name]
            lines += [f"{key} {value:.12g}" for key, value in own or [(name, 0)]]
        return "\n".join(lines) + "\n"

    def save(self) -> None:
        """Write them down, whole or not at all, if they have changed. OSError: the disk does not take it."""
        with self._lock:
            text = json.dumps(self._values, indent=1, sort_keys=True)
        if text == self._written:
            return
        whole_file.write(self._path, text)
        self._written = text


class Sensors:
    """Which sensors seem stuck, by what they felt until now."""

    def __init__(self) -> None:
        self._since: dict[int, tuple[float, int]] = {}  # sensor: since when it feels a token, and the changes before
        self._changes = 0

    def feel(self, sensors: frozenset[int], now_s: float) -> None:
        """The settled state, when it changed."""
        self._changes += 1
        known = self._since
        self._since = {sensor: known.get(sensor, (now_s, self._changes)) for sensor in sensors}

    def stuck(self, now_s: float) -> list[int]:
        """Those that feel a token for long while others come and go."""
        return sorted(
            sensor
            for sensor, (since_s, changes) in self._since.items()
            if now_s - since_s >= STUCK_S and self._changes - changes >= STUCK_CHANGES
        )


def _key(metric: str, labels: Mapping[str, str]) -> str:
    if metric not in METRICS:
        raise KeyError(metric)
    named = ",".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in sorted(labels.items()))
    return f"underglow_{metric}{{{named}}}" if named else f"underglow_{metric}"
