"""The working copy of a state during one step: the rules change it in place, then it is frozen again."""

from __future__ import annotations

from typing import TypeVar

from underglow.games.contract import Event
from underglow.games.mandalorian.state import Ending, Figure, State, Threat

T = TypeVar("T")


class Draft:
    """A state being changed, and what happened so far. Its values stay immutable; only which it holds changes."""

    __slots__ = (
        "acting",
        "doors_open",
        "ended",
        "events",
        "figures",
        "pending",
        "piles",
        "pool",
        "rng",
        "scenario",
        "seats",
        "threats",
        "turn",
        "used",
    )

    def __init__(self, state: State) -> None:
        self.scenario = state.scenario
        self.seats = state.seats
        self.rng = state.rng
        self.turn = state.turn
        self.acting = state.acting
        self.used = state.used
        self.pending = state.pending
        self.figures = state.figures
        self.threats = state.threats
        self.piles = state.piles
        self.pool = state.pool
        self.doors_open = state.doors_open
        self.ended: Ending = state.ended
        self.events: list[Event] = []

    @property
    def figure(self) -> Figure:
        """The character whose turn it is."""
        return self.figures[self.acting]

    @figure.setter
    def figure(self, figure: Figure) -> None:
        self.figures = replaced(self.figures, self.acting, figure)

    def set_threat(self, number: int, threat: Threat) -> None:
        """Change one threat token."""
        self.threats = replaced(self.threats, number, threat)

    def tell(self, kind: str, *args: str | int, chance: bool = False, reveals: bool = False) -> None:
        """Record what happened, in public words."""
        self.events.append(Event(kind, args, chance, reveals))

    def freeze(self) -> State:
        """Return the state as it is now."""
        return State(
            self.scenario,
            self.seats,
            self.rng,
            self.turn,
            self.acting,
            self.used,
            self.pending,
            self.figures,
            self.threats,
            self.piles,
            self.pool,
            self.doors_open,
            self.ended,
        )


def replaced(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return the values with one of them exchanged."""
    return (*values[:index], value, *values[index + 1 :])
