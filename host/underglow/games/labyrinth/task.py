"""A task of this game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from underglow.games import agenda
from underglow.games.agenda import Option

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft
    from underglow.games.labyrinth.state import State


@dataclass(frozen=True, slots=True)
class Task(agenda.Task):
    """Something left to do."""

    until: ClassVar[str] = ""
    """It is dropped from the agenda when the character of its `seat` "moved", or when it "died"."""

    @override
    def run(self, draft: Draft) -> bool:
        return True

    @override
    def options(self, state: State) -> Iterable[Option]:
        raise NotImplementedError

    def dropped(self, draft: Draft) -> None:
        """Bring about what follows when it is dropped."""
