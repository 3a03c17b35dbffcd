"""How well it goes for a seat: a rough estimate for bots, by what the seat may know.

What is left to do to get a key and then to the centre, in actions, also by ways that have yet to be built; how sound
the character is; and how far its rivals are. What is left of a turn counts for nothing, so that a bot which sees
nothing to gain may end it: else it would exchange items to and fro for ever. All weights were found by trying.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp

from underglow.games.labyrinth import building, roads
from underglow.games.labyrinth.draft import held
from underglow.games.labyrinth.roads import FAR, Goals, Terms
from underglow.games.labyrinth.scenario import LANES, NONE, UNTIL_SUCCESS, Scenario
from underglow.games.labyrinth.state import State

STRIDE = 15.0  # actions that lower the odds by a factor of e
SLACK = 4.0  # what soundness can be worth more than the way is long
FOUND = 0.7  # actions that picking a key up is worth
RIVAL = 0.5  # how much of a seat's odds a rival who is there takes away
HURT, CALM = 5.0, 0.55  # actions that having no life left would cost; each life lowers that by this factor
DAZE, CRYSTAL, ITEM = 1.0, 0.8, 0.4
GOLEM = 5.0  # actions that passing the Golem costs
GUARD, NEAR = 5.0, 0.85  # what it costs that it stands on the centre, and what of that each action before is
ROBBING = 7.0  # actions that it takes to get a key from who has it
LIFE, MOVED, LOST = 1.0, 1.5, 0.4  # actions that a life costs; being moved; an item or a crystal gone


def worth(state: State, seat: int) -> float:
    """How likely that seat seems to win, from 0 to 1."""
    outlook = Outlook(state, seat)
    odds = exp(-outlook.left() / STRIDE)
    for rival in range(state.seats):
        if rival != seat:
            odds *= 1.0 - RIVAL * exp(-outlook.rival_left(rival) / STRIDE)
    return max(0.0, min(odds, 1.0))


class Outlook:
    """How far it is to what, as one seat can know it."""

    def __init__(self, state: State, seat: int) -> None:
        self._state = state
        self._seat = seat
        self._centre = state.scenario.centre_place
        dangers = _dangers(state.scenario)
        seen = 1 << seat
        tolls = [
            (trap.place, dangers[trap.kind] if trap.up or trap.known & seen else dangers[-1]) for trap in state.traps
        ]
        if state.golem != self._centre:
            tolls.append((state.golem, GOLEM))
        self._terms = Terms(bool(state.pile), dangers[-1] if state.pool else 0.0, tuple(tolls))
        self._home = self._from_all(((self._centre, 0.0),))

    def left(self) -> float:
        """What is left to do until the seat has won, in actions."""
        state, seat = self._state, self._seat
        place, has_key = state.players[seat].place, bool(held(state, seat))
        far = self._way(place, has_key)
        if place == self._centre and has_key:
            rivals = [
                rival.lives + 1 for other, rival in enumerate(state.players) if other != seat and rival.place == place
            ]
            far += sum(rivals)
        far += self._upkeep(seat)
        if state.golem == self._centre:
            far += GUARD * NEAR**far
        return max(0.0, SLACK + far)

    def _way(self, place: int, has_key: bool) -> float:
        """How far it is to win, also by the tile that the seat is about to lay or to turn."""
        maze, terms = self._state.maze, self._terms
        after = self._home if has_key else self._from_all(self._keys())
        best, spots = after[place], self._spots()
        if not spots:
            return best
        before = roads.spent(maze, terms, place)
        legs = [(0.0, before, after)]
        if not has_key:
            key = min([there for there, _ in self._keys()], key=lambda there: before[there] + self._home[there])
            legs.append((before[key] + FOUND, roads.spent(maze, terms, key), self._home))
        for hex_, kind in spots:
            node = hex_ * LANES
            for first, here, there in legs:
                if not terms.building or first + here[node] + there[node] - roads.LAYING - terms.unseen < best:
                    best = min(best, first + roads.across_tile(maze, terms, hex_, kind, here, there))
        return best

    def _spots(self) -> list[tuple[int, int]]:
        """Where a tile is about to lie, and its kind."""
        state = self._state
        if self._seat != state.seat or state.ended:
            return []
        match state.agenda[-1]:
            case building.Lay(kind=kind):
                return [(hex_, kind) for hex_ in state.maze.open]
            case building.Face(hex_=hex_, kind=kind):
                return [(hex_, kind)]
            case building.TurnTile():
                return [(hex_, state.maze.kind(hex_)) for hex_ in building.turnable(state)]
            case _:
                return []

    def rival_left(self, rival: int) -> float:
        """What is left to do for another seat, roughly if it has no key yet."""
        place = self._state.players[rival].place
        far = self._home[place] if held(self._state, rival) else FAR / 3
        return max(0.0, SLACK + far + self._upkeep(rival))

    def _upkeep(self, seat: int) -> float:
        """How sound a character is."""
        player = self._state.players[seat]
        soundness = CRYSTAL * player.crystal + ITEM * len(player.items)
        return DAZE * player.daze + HURT * CALM**player.lives - soundness

    def _from_all(self, goals: Goals) -> tuple[float, ...]:
        return roads.left(self._state.maze, self._terms, goals)

    def _keys(self) -> Goals:
        """The keys that the seat may take, and what is left to do from there on; else those that others have."""
        state = self._state
        own = state.scenario.start_use[state.seats][self._seat]
        lying = [
            (place, self._home[place] + FOUND) for key, place in enumerate(state.keys) if place >= 0 and key != own
        ]
        if lying:
            return tuple(lying)
        holders = [state.players[-1 - key].place for key in state.keys if key < 0]
        return tuple([(place, self._home[place] + ROBBING) for place in holders])


@lru_cache(maxsize=1 << 4)
def _dangers(scenario: Scenario) -> tuple[float, ...]:
    """What entering a trap of each kind costs on average, in actions; last, one of which nothing is known."""
    each = [_danger(scenario, kind) for kind in range(len(scenario.traps))]
    return (*each, sum([each[kind] for kind in scenario.pool]) / len(scenario.pool))


def _danger(scenario: Scenario, kind: int) -> float:
    trap = scenario.traps[kind]
    fails = sum([one + other < trap.need for one in range(1, 7) for other in range(1, 7)]) / 36
    failures = sum([fails**n for n in range(1, trap.most + 1)]) if trap.rolls == UNTIL_SUCCESS else trap.rolls * fails
    return failures * _harm(scenario, trap.program)


def _harm(scenario: Scenario, program: int) -> float:
    """What a list of effects costs to whom it befalls."""
    harm = 0.0
    for effect in scenario.programs[program] if program != NONE else ():
        match effect.verb:
            case "lose_life":
                harm += LIFE * effect.n
            case "daze":
                harm += DAZE * effect.n
            case "shift":
                harm += MOVED
            case "crystal" | "box_item":
                harm += LOST
            case "choose":
                harm += min([_harm(scenario, option) for option in effect.programs])
            case _:
                pass
    return harm
