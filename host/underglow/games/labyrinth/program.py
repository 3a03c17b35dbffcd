"""A list of effects being carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.labyrinth.scenario import NONE
from underglow.games.labyrinth.task import Task

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft


@dataclass(frozen=True, slots=True)
class Do(Task):
    """What is left of a program, from effect `at` on, for a seat; `place` is where its character stood then."""

    program: int
    seat: int
    place: int
    at: int = 0

    @override
    def run(self, draft: Draft) -> bool:
        program = draft.scenario.programs[self.program]
        if self.at + 1 < len(program):
            draft.push(Do(self.program, self.seat, self.place, self.at + 1))
        effect = program[self.at]
        effect.perform(draft, effect, self)
        return False


def start(draft: Draft, program: int, seat: int, place: int) -> None:
    """Lay a program on the agenda, if it is one."""
    if program != NONE:
        draft.push(Do(program, seat, place))
