"""The working copy of a state during one step: the rules change it in place, then it is frozen again."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

from underglow.games.contract import Event
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import Child, Deck, Ending, Figure, Numbers, Pile, State, Threat
from underglow.games.mandalorian.task import Task
from underglow.rng import Rng

T = TypeVar("T")

_event = lru_cache(maxsize=1 << 14)(Event)  # the same few come up all the time, and to look one up is quicker


class Draft:
    """A state being changed, and what happened so far.

    It has the fields of a state, and of its own: `acting` and `seat`, the figure and the seat whose turn it is;
    `tasks`, the agenda as a list; the events `told`; and whether something is `unchecked` that a failure may look at.
    The values of its fields stay immutable; only which it holds changes.
    """

    # Only what a state has is in its __dict__: so both copies, there and back, are one operation each.
    __slots__ = ("__dict__", "acting", "seat", "tasks", "told", "unchecked")

    scenario: Scenario
    seats: int
    rng: Rng
    turn: int
    place: int
    used: int
    agenda: tuple[Task, ...]
    figures: tuple[Figure, ...]
    threats: tuple[Threat, ...]
    piles: tuple[Pile, ...]
    pool: Numbers
    doors_open: int
    events: Deck
    planning: Deck
    topped: int
    tracks: Numbers
    slots: Numbers
    child: Child | None
    known: Numbers
    roles: Numbers
    accused: int
    exposed: int
    stirred: bool
    ended: Ending
    ended_by: int

    def __init__(self, state: State) -> None:
        self.__dict__.update(state.__dict__)
        self.seat, self.acting = state.scenario.rotations[state.seats][state.place]
        self.tasks = list(state.agenda)
        self.told: list[Event] = []
        self.unchecked = False

    @property
    def figure(self) -> Figure:
        """The character whose turn it is."""
        return self.figures[self.acting]

    def set_figure(self, number: int, figure: Figure) -> None:
        """Change one character."""
        self.figures = replaced(self.figures, number, figure)

    def set_threat(self, number: int, threat: Threat) -> None:
        """Change one threat token."""
        self.threats = replaced(self.threats, number, threat)

    def push(self, *tasks: Task) -> None:
        """Lay tasks on the agenda, the first of them to be done first."""
        self.tasks += reversed(tasks)

    def tell(self, kind: str, *args: str | int, chance: bool = False, reveals: bool = False) -> None:
        """Record what happened, in public words."""
        self.told.append(_event(kind, args, chance, reveals))

    def within(self, what: str) -> bool:
        """Whether that goes on now: "action phase", "action"."""
        return any(task.while_there == what for task in self.tasks)

    def shuffle(self, items: tuple[int, ...]) -> tuple[int, ...]:
        """Draw an order."""
        order, self.rng = self.rng.shuffled(items)
        return order

    def below(self, n: int) -> int:
        """Draw a number from 0 to n - 1."""
        number, self.rng = self.rng.below(n)
        return number

    def end(self, how: Ending, by: int) -> None:
        """End the game here and now: nobody is asked anything any more."""
        self.ended, self.ended_by = how, by
        self.tasks.clear()
        if self.roles and self.scenario.envelope:
            names = [self.scenario.envelope.roles[role].name for role in self.roles[: self.seats]]
            self.tell("unmasked", *names, reveals=True)

    def freeze(self) -> State:
        """Return the state as it is now; the draft is of no further use."""
        self.agenda = () if self.ended else tuple(self.tasks)
        return State.of(self.__dict__)


def replaced(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return the values with one of them exchanged."""
    return (*values[:index], value, *values[index + 1 :])
