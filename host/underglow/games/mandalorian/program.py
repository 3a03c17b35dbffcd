"""A list of effects being carried out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.mandalorian.scenario import NONE, STRENGTH
from underglow.games.mandalorian.task import Task

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft


@dataclass(frozen=True, slots=True)
class Do(Task):
    """What is left of a program, from effect `at` on, for a figure.

    `enemy` is the threat it is about, if any: that attacked, or that the action hit; `strength` is the J of its texts.
    """

    program: int
    figure: int
    enemy: int = NONE
    strength: int = 0
    at: int = 0

    @override
    def run(self, draft: Draft) -> bool:
        program = draft.scenario.programs[self.program]
        if self.at + 1 < len(program):
            draft.tasks.append(_do(self.program, self.figure, self.enemy, self.strength, self.at + 1))
        effect = program[self.at]
        effect.perform(draft, effect, self)
        return False

    def amount(self, number: int) -> int:
        """A number of an effect, which may be the strength of the card."""
        return self.strength if number == STRENGTH else number


_do = lru_cache(maxsize=1 << 14)(Do)


def start(draft: Draft, program: int, figure: int, enemy: int = NONE, strength: int = 0) -> None:
    """Lay a program on the agenda, if it is one."""
    if program != NONE and draft.scenario.programs[program]:
        draft.tasks.append(_do(program, figure, enemy, strength, 0))
