"""Where characters go, and what they meet there: moving, exploring, jumping, being shifted (L-EXP, L-JUMP)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from underglow.games.agenda import Option
from underglow.games.labyrinth import fighting, golem, traps
from underglow.games.labyrinth.dice import Test
from underglow.games.labyrinth.draft import others_at, rule, trap_at
from underglow.games.labyrinth.grammar import Kind
from underglow.games.labyrinth.hands import carry
from underglow.games.labyrinth.hurting import daze, lose_lives
from underglow.games.labyrinth.program import start
from underglow.games.labyrinth.task import Task

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft
    from underglow.games.labyrinth.state import State

JUMP = 8  # L-JUMP-1
ONLY_TRAP = -1
"""Instead of a step of exploring: L-JUMP-6 may be read so."""
FALL_LIVES, FALL_DAZE = 2, 1  # L-JUMP-3, 5


def enter(draft: Draft, seat: int, place: int) -> None:
    """Have a character enter a corridor and explore it (L-EXP-1, 3)."""
    draft.put(seat, place)
    draft.push(Explore(seat, 0))


@dataclass(frozen=True, slots=True)
class Explore(Task):
    """What a character meets where it stands: the Golem, ability tokens one by one, a trap, other characters.

    `step` counts what was met so far, or is ONLY_TRAP. Keys and items come last, and are picked up in one's own turn
    (L-FREE-PICK).
    """

    until: ClassVar[str] = "moved"

    seat: int
    step: int

    @override
    def run(self, draft: Draft) -> bool:
        place = draft.players[self.seat].place
        if self.step == ONLY_TRAP:
            if trap := trap_at(draft, place):
                traps.spring(draft, self.seat, trap)
            return False
        if self.step == 0 and draft.golem == place:
            draft.push(golem.GolemTest(self.seat, 0, 0), Explore(self.seat, 1))
            return False
        glyphs = traps.glyphs_against(draft, self.seat) if draft.glyphs else ()
        met = max(0, self.step - 1)
        if met < len(glyphs):
            glyph = glyphs[met]
            draft.tell("glyph_met", draft.who(self.seat), draft.scenario.glyphs[glyph.kind].id, draft.space(place))
            draft.push(Explore(self.seat, met + 2))
            start(draft, draft.scenario.glyphs[glyph.kind].program, self.seat, place)
            return False
        if met == len(glyphs) and (trap := trap_at(draft, place)):
            draft.push(Explore(self.seat, met + 2))
            traps.spring(draft, self.seat, trap)
            return False
        if self.seat == draft.seat and rule(draft) != "no_free_fights" and others_at(draft, self.seat):
            draft.push(fighting.Meet(self.seat, self.seat))
        return False


@dataclass(frozen=True, slots=True)
class Shift(Task):
    """A seat names where another's character is moved (L-TRAP-17)."""

    seat: int
    of: int
    anywhere: bool

    @override
    def run(self, draft: Draft) -> bool:
        targets = self.targets(draft)
        if len(targets) > 1:
            return True
        if not targets:  # L-TRAP-19
            draft.tell("not_shifted", draft.who(self.of))
        for place in targets:
            shift(draft, self, place)
        return False

    def targets(self, position: State | Draft) -> tuple[int, ...]:
        """Where to."""
        place = position.players[self.of].place
        return position.maze.beside(place) if self.anywhere else position.maze.near[place]

    @override
    def options(self, state: State) -> Iterator[Option]:
        scenario, player = state.scenario, state.players[self.of]
        pawn = scenario.characters[player.character].id
        for place in self.targets(state):
            yield Option(carry(scenario, self.seat, "shift", pawn, player.place, place), shift, (place,))


def shift(draft: Draft, task: Shift, place: int) -> None:
    """Move a character where it was told."""
    here = draft.players[task.of].place
    draft.tell("shifted", draft.who(task.of), draft.space(here), draft.space(place))
    enter(draft, task.of, place)


@dataclass(frozen=True, slots=True)
class JumpTest(Test):
    """A risky jump to or from a bridge (L-ACT-RISK)."""

    kind: ClassVar[Kind] = "jump"

    target: int

    @override
    def need(self, position: State | Draft) -> int:
        return JUMP + (rule(position) == "shaking_bridges")

    @override
    def settle(self, draft: Draft, *, passed: bool) -> None:
        if passed:
            land(draft, self.seat, self.target)
            return
        if draft.maze.is_bridge(draft.players[self.seat].place):
            draft.tell("fell", draft.who(self.seat), draft.space(self.target))
            land(draft, self.seat, self.target)
        daze(draft, self.seat, FALL_DAZE)
        lose_lives(draft, self.seat, FALL_LIVES)


def land(draft: Draft, seat: int, place: int) -> None:
    """Come down on the other corridor of a tile (L-JUMP-6)."""
    draft.tell("landed", draft.who(seat), draft.space(place), "up" if draft.maze.is_bridge(place) else "down")
    draft.put(seat, place)
    draft.push(Explore(seat, 0 if draft.scenario.switches.jump_landing_explores == "all" else ONLY_TRAP))
