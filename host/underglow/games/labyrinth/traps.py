"""Traps: where they may be laid, what happens to who enters, and how they are looked at (L-TRAP). And glyphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.labyrinth import dice
from underglow.games.labyrinth.dice import Test
from underglow.games.labyrinth.draft import rule, trap_at
from underglow.games.labyrinth.grammar import Kind
from underglow.games.labyrinth.hands import laying
from underglow.games.labyrinth.program import start
from underglow.games.labyrinth.scenario import LANES, NONE, UNTIL_SUCCESS
from underglow.games.labyrinth.state import Glyph, Trap
from underglow.games.labyrinth.task import Task

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft
    from underglow.games.labyrinth.state import State

HIDDEN = "trap"
"""The token of a trap that lies face down."""


def places(position: State | Draft, seat: int) -> Iterator[int]:
    """The corridors where a seat may lay a trap: not on the centre or a start, by a trap, or under another's feet.

    L-TRAP-G2 … G4: a corridor with one's own character is not excluded.
    """
    taken = {trap.place for trap in position.traps}
    taken |= {player.place for other, player in enumerate(position.players) if other != seat}
    centre = position.scenario.centre
    return (place for place in position.maze.corridors if place not in taken and place // LANES != centre)


def lay(draft: Draft, place: int, kind: int, known: int = 0) -> None:
    """Put a trap face down on a corridor, or the next of the pool (L-TRAP-G1)."""
    if kind == NONE:
        kind, draft.pool = draft.pool[0], draft.pool[1:]
    draft.traps = tuple(sorted((*draft.traps, Trap(place, kind, up=False, known=known))))


def spring(draft: Draft, seat: int, trap: Trap) -> None:
    """Somebody has entered: the trap is turned up, and is to be tested (L-TRAP-G5)."""
    turn_up(draft, trap)
    kind = draft.scenario.traps[trap.kind]
    draft.push(TrapTest(seat, 0, 0, trap.place, trap.kind, kind.rolls or kind.most, 0))


def turn_up(draft: Draft, trap: Trap) -> None:
    """Turn a trap face up, if it is not."""
    if not trap.up:
        draft.traps = tuple([trap._replace(up=True) if other == trap else other for other in draft.traps])
        name = draft.scenario.traps[trap.kind].id
        draft.tell("revealed", HIDDEN, name, draft.space(trap.place), reveals=True)


def tested(draft: Draft, place: int) -> None:
    """A trap has been tested: it stays, unless the event in force says otherwise (L-TRAP-G7, L-EVENT-2)."""
    trap = trap_at(draft, place)
    if trap is None or rule(draft) != "tested_traps_go":
        return
    draft.traps = tuple([other for other in draft.traps if other != trap])
    back = draft.scenario.switches.traps_removed_to == "pool"
    if back:  # shuffled, since traps are drawn at random (L-TRAP-G1)
        draft.pool = draft.shuffle((*draft.pool, trap.kind))
    draft.tell("trap_gone", draft.scenario.traps[trap.kind].id, draft.space(place), chance=back)


@dataclass(frozen=True, slots=True)
class TrapTest(Test):
    """A roll against a trap. `left`: rolls to come with this one; or, until one succeeds, failures to come.

    `failures`: those so far that have not yet had their effect, where a crystal repeats the whole test.
    """

    kind: ClassVar[Kind] = "trap"
    until: ClassVar[str] = "died"

    place: int
    trap: int
    left: int
    failures: int

    @override
    def need(self, position: State | Draft) -> int:
        return position.scenario.traps[self.trap].need

    @override
    def repeatable(self, position: State | Draft) -> bool:
        single = position.scenario.switches.crystal_repeats == "single_roll"
        return single and dice.may_repeat(position, self.seat, passed=self.passed(position))

    @override
    def dropped(self, draft: Draft) -> None:
        tested(draft, self.place)

    @override
    def settle(self, draft: Draft, *, passed: bool) -> None:
        trap = draft.scenario.traps[self.trap]
        over = self.left == 1 or (passed and trap.rolls == UNTIL_SUCCESS)  # L-TRAP-18
        whole = draft.scenario.switches.crystal_repeats == "whole_test"
        failures = self.failures + (not passed)
        if whole and over:
            draft.push(Series(self.seat, self.place, self.trap, failures))
            return
        if over:
            tested(draft, self.place)
        else:
            draft.push(TrapTest(self.seat, 0, 0, self.place, self.trap, self.left - 1, failures if whole else 0))
        if not passed and not whole:
            start(draft, trap.program, self.seat, self.place)


@dataclass(frozen=True, slots=True)
class Series(Task):
    """All rolls against a trap are down, and have still to take effect: until `accepted`, a crystal may repeat them."""

    until: ClassVar[str] = "died"

    seat: int
    place: int
    trap: int
    failures: int
    accepted: bool = False

    @override
    def run(self, draft: Draft) -> bool:
        if not self.accepted and dice.may_repeat(draft, self.seat, passed=not self.failures):
            return True
        _suffer(draft, self)
        return False

    @override
    def dropped(self, draft: Draft) -> None:
        tested(draft, self.place)

    @override
    def options(self, state: State) -> Iterator[Option]:
        yield Option(choice(self.seat, "repeat"), _repeat)
        yield Option(choice(self.seat, "accept"), _suffer)


def _repeat(draft: Draft, task: Series) -> None:
    trap = draft.scenario.traps[task.trap]
    dice.set_crystal(draft, task.seat, active=False)
    draft.push(TrapTest(task.seat, 0, 0, task.place, task.trap, trap.rolls or trap.most, 0))


def _suffer(draft: Draft, task: Series) -> None:
    if not task.failures:
        tested(draft, task.place)
        return
    if task.failures > 1:
        draft.push(replace(task, failures=task.failures - 1, accepted=True))
    else:
        tested(draft, task.place)
    start(draft, draft.scenario.traps[task.trap].program, task.seat, task.place)


@dataclass(frozen=True, slots=True)
class SetTrap(Task):
    """The active player lays a trap: the next of the pool unseen (kind NONE), or one it has looked at."""

    kind: int

    @override
    def options(self, state: State) -> Iterator[Option]:
        for place in places(state, state.seat):
            yield Option(laying(state.scenario, state.seat, "set", HIDDEN, place), _set, (place,))


def _set(draft: Draft, task: SetTrap, place: int) -> None:
    lay(draft, place, task.kind, 0 if task.kind == NONE else 1 << draft.seat)
    draft.tell("trap_set", draft.who(draft.seat), draft.space(place))


@dataclass(frozen=True, slots=True)
class PickTrap(Task):
    """The active player has looked at traps and picks the one to lay; the others are shuffled into the pool again."""

    kinds: tuple[int, ...]

    @override
    def options(self, state: State) -> Iterator[Option]:
        for number in range(len(self.kinds)):
            yield Option(choice(state.seat, "keep", (number + 1,)), _keep, (number,))


def _keep(draft: Draft, task: PickTrap, number: int) -> None:
    others = (*task.kinds[:number], *task.kinds[number + 1 :])
    draft.pool = draft.shuffle((*draft.pool, *others))
    draft.tell("returned", len(others), chance=True)
    draft.push(SetTrap(task.kinds[number]))


@dataclass(frozen=True, slots=True)
class Reveal(Task):
    """The active player turns a face-down trap up, beside its own corridor or anywhere."""

    anywhere: bool

    @override
    def options(self, state: State) -> Iterator[Option]:
        for trap in hidden(state, anywhere=self.anywhere):
            space = state.scenario.spaces[trap.place // LANES]
            yield Option(choice(state.seat, "reveal", (space, trap.place % LANES)), _reveal, (trap,))


def hidden(position: State | Draft, *, anywhere: bool) -> list[Trap]:
    """The traps that lie face down: all, or those on corridors next to the active player's."""
    near = position.maze.near[position.player.place]
    return [trap for trap in position.traps if not trap.up and (anywhere or trap.place in near)]


def _reveal(draft: Draft, task: Reveal, trap: Trap) -> None:
    turn_up(draft, trap)


def glyphs_against(position: State | Draft, seat: int) -> tuple[Glyph, ...]:
    """The ability tokens that work on a seat where it stands: another's, of a character in play (L-CHAR-3)."""
    player = position.players[seat]
    playing = {other.character for other in position.players} - {player.character}
    return tuple(glyph for glyph in position.glyphs if glyph.place == player.place and glyph.character in playing)
