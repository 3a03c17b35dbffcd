"""The working copy of a state during one step: the rules change it in place, then it is frozen again."""

from __future__ import annotations

from underglow.games import agenda
from underglow.games.agenda import replaced
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import Child, Ending, Figure, Pile, State, Threat
from underglow.games.mandalorian.task import Task
from underglow.games.state import Deck, Numbers
from underglow.rng import Rng


class Draft(agenda.Draft):
    """A state being changed. Of its own it has `acting` and `seat`, the figure and the seat whose turn it is."""

    __slots__ = ("acting", "seat")

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
        super().__init__(state)
        self.seat, self.acting = state.scenario.rotations[state.seats][state.place]

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

    def end(self, how: Ending, by: int) -> None:
        """End the game here and now: nobody is asked anything any more."""
        self.ended, self.ended_by = how, by
        self.finish()
        if self.roles and self.scenario.envelope:
            names = [self.scenario.envelope.roles[role].name for role in self.roles[: self.seats]]
            self.tell("unmasked", *names, reveals=True)

    def freeze(self) -> State:
        """Return the state as it is now; the draft is of no further use."""
        self.agenda = () if self.ended else tuple(self.tasks)
        return State.of(self.__dict__)
