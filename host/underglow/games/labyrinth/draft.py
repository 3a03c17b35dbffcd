"""The working copy of a state during one step: the rules change it in place, then it is frozen again."""

from __future__ import annotations

from underglow.games import agenda
from underglow.games.agenda import replaced
from underglow.games.labyrinth.document import Rule
from underglow.games.labyrinth.maze import Maze
from underglow.games.labyrinth.scenario import LANES, NONE, Character, Scenario
from underglow.games.labyrinth.state import Ending, Glyph, Lying, Player, State, Trap
from underglow.games.labyrinth.task import Task
from underglow.games.state import Deck, Numbers
from underglow.rng import Rng


class Draft(agenda.Draft):
    """A state being changed."""

    __slots__ = ()

    scenario: Scenario
    seats: int
    rng: Rng
    turn: int
    seat: int
    actions: int
    used: int
    agenda: tuple[Task, ...]
    players: tuple[Player, ...]
    maze: Maze
    golem: int
    traps: tuple[Trap, ...]
    keys: tuple[int, ...]
    lying: tuple[Lying, ...]
    glyphs: tuple[Glyph, ...]
    pile: Numbers
    pool: Numbers
    stock: Numbers
    golem_deck: Deck
    event_deck: Deck
    event: int
    ended: Ending
    winners: Numbers

    @property
    def player(self) -> Player:
        """The character whose turn it is."""
        return self.players[self.seat]

    def set_player(self, seat: int, player: Player) -> None:
        """Change one character."""
        self.players = replaced(self.players, seat, player)

    def put(self, seat: int, place: int) -> None:
        """Set a character down; what was still to be explored where it stood is not (L-EXP-2)."""
        self.set_player(seat, self.players[seat]._replace(place=place))
        self.drop(seat, "moved")

    def drop(self, seat: int, until: str) -> None:
        """Drop what a seat had still to do until then."""
        gone: list[Task] = [task for task in self.tasks if task.until == until and task.seat == seat]
        if gone:
            self.tasks[:] = [task for task in self.tasks if task not in gone]
            for task in gone:
                task.dropped(self)

    def who(self, seat: int) -> str:
        """The token of a seat's character; "" before it has one."""
        character = self.players[seat].character
        return self.scenario.characters[character].id if character != NONE else ""

    def space(self, place: int) -> str:
        """The name of the hex that a place is on."""
        return self.scenario.spaces[place // LANES]

    def end(self, how: Ending, winners: Numbers) -> None:
        """End the game here and now: nobody is asked anything any more."""
        self.ended, self.winners = how, winners
        self.finish()

    def freeze(self) -> State:
        """Return the state as it is now; the draft is of no further use."""
        self.agenda = tuple(self.tasks)
        return State.of(self.__dict__)


def rule(position: State | Draft) -> Rule | None:
    """The rule of the event in force (L-EVENT-1)."""
    return position.scenario.events[position.event].rule if position.event != NONE else None


def character(position: State | Draft, seat: int) -> Character:
    """The character that a seat plays."""
    return position.scenario.characters[position.players[seat].character]


def held(position: State | Draft, seat: int) -> list[int]:
    """The keys that a seat holds, by the number of the start space they were beside."""
    return [key for key, place in enumerate(position.keys) if place == -1 - seat]


def start(position: State | Draft, seat: int) -> int:
    """The place of a seat's own start space."""
    return position.scenario.start(position.seats, seat)


def others_at(position: State | Draft, seat: int) -> tuple[int, ...]:
    """The other seats whose characters stand on the same corridor, from the next one in turn on."""
    place, players, n = position.players[seat].place, position.players, position.seats
    return tuple([other for i in range(1, n) if players[other := (seat + i) % n].place == place])


def trap_at(position: State | Draft, place: int) -> Trap | None:
    """The trap on a corridor."""
    for trap in position.traps:
        if trap.place == place:
            return trap
    return None
