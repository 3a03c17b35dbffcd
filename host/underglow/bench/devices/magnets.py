"""Magnets in the feet of tokens, and where they stand."""

from __future__ import annotations

from collections.abc import Mapping

from underglow.bench.devices.hall_chain import HallChain


class Magnets:
    """Every magnet has a name and is at one place or nowhere; a switch feels whether any stands above it.

    `sensors` maps each place (a space "h19", or an edge of one "h19.e2") to its input in `chain`, None where no switch
    is.
    """

    def __init__(self, sensors: Mapping[str, int | None], chain: HallChain) -> None:
        self._sensors = sensors
        self._chain = chain
        self._at: dict[str, str] = {}

    def place(self, token: str, space: str) -> None:
        """Set a magnet down, wherever it was before. ValueError: no such space."""
        self.sensor(space)
        before = self._at.get(token)
        self._at[token] = space
        if before is not None:
            self._feel(before)
        self._feel(space)

    def lift(self, token: str) -> None:
        """Take a magnet off the board. ValueError: it is not on it."""
        if token not in self._at:
            raise ValueError(f"the magnet {token!r} is not on the board; on it are: {', '.join(self._at) or 'none'}")
        self._feel(self._at.pop(token))

    def everywhere(self) -> dict[str, str]:
        """Return the space of each magnet that is on the board."""
        return dict(self._at)

    def sensor(self, space: str) -> int | None:
        """Return the input under a space. ValueError: no such space."""
        if space not in self._sensors:
            spaces = ", ".join(place for place in self._sensors if "." not in place)
            raise ValueError(f"the board has no space {space!r}; it has: {spaces}")
        return self._sensors[space]

    def _feel(self, space: str) -> None:
        sensor = self._sensors[space]
        if sensor is not None:
            self._chain.magnet(sensor, space in self._at.values())
