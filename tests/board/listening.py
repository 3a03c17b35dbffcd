"""The host's end of the link, on the board's clock, with what it was told so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from underglow.bench.vm import Bench
from underglow.link import Happening, Link
from underglow.profile import Board
from underglow.session import BoardFault, Occupied, Picture, Pressed, Reading, Tagged, Up

_STEP_S = 0.02


class Host:
    """A host that is on the board's port now. It goes on listening when the board comes and goes."""

    def __init__(self, board: Bench, profile: Board) -> None:
        self._board = board
        self._profile = profile
        self.link = Link(board.port, profile, now_s=lambda: board.now_us / 1e6)
        #: Everything heard, oldest first.
        self.heard: list[Happening] = []
        self._take(self.link.connect())

    def listen(self, time_s: float) -> None:
        """Keep the link up while that time passes on the board."""
        self._listen_until(lambda: False, time_s)

    def until(self, done: Callable[[], object], timeout_s: float = 5.0) -> None:
        """Keep the link up until that; fail after so long on the board."""
        assert self._listen_until(done, timeout_s), self.heard[-10:]

    def show(self, picture: Picture) -> None:
        """Light the board so."""
        self.link.show(picture)

    @property
    def boots(self) -> list[int]:
        """The boot id of each start of the board that was noticed."""
        return [happening.boot for happening in self.heard if isinstance(happening, Up)]

    @property
    def presses(self) -> list[int]:
        """The buttons pressed (`wire.CONFIRM` ...), in order."""
        return [happening.button for happening in self.heard if isinstance(happening, Pressed)]

    @property
    def felt(self) -> set[str]:
        """The spaces where a magnet is felt."""
        last = next((happening for happening in reversed(self.heard) if isinstance(happening, Occupied)), None)
        return {self._profile.space_of_sensor[sensor] for sensor in last.sensors} if last else set()

    @property
    def tagged(self) -> list[Tagged]:
        """What all readers read, whenever that changed."""
        return [happening for happening in self.heard if isinstance(happening, Tagged)]

    @property
    def readings(self) -> Mapping[str, Reading]:
        """What each reader reads, by its space."""
        tagged = self.tagged
        return dict(zip(self._profile.readers, tagged[-1].readings, strict=True)) if tagged else {}

    def tags(self) -> dict[str, set[bytes]]:
        """The UIDs at each space where there are some."""
        return {space: set(reading.uids) for space, reading in self.readings.items() if reading.uids}

    def _listen_until(self, done: Callable[[], object], time_s: float) -> bool:
        until_us = self._board.now_us + time_s * 1e6
        while not done():
            if self._board.now_us >= until_us:
                return False
            self._take(self.link.wait(_STEP_S))
        return True

    def _take(self, happenings: list[Happening]) -> None:
        faults = [happening.says for happening in happenings if isinstance(happening, BoardFault)]
        assert not faults, faults
        self.heard += happenings
