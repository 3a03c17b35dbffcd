"""A task of this game, and how the players choose among equals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from typing_extensions import override

from underglow.games import agenda
from underglow.games.agenda import Option

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State

T = TypeVar("T", bound="Task")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Task(agenda.Task):
    """Something left to do."""

    @override
    def run(self, draft: Draft) -> bool:
        return True

    @override
    def options(self, state: State) -> Iterable[Option]:
        raise NotImplementedError

    @override
    def resume(self, draft: Draft) -> None:
        pass

    def movement(self, position: State | Draft) -> int:
        """How far a figure may move by it, if that is what it asks."""
        return 0


def settle(draft: Draft, task: T, found: Sequence[U], tie: str, do: Callable[[Draft, T, U], None]) -> bool:
    """Do it to the one there is, or the first of equals; True: by the switch `tie`, the players choose among them."""
    if len(found) > 1 and tie == "players":
        return True
    for one in found[:1]:
        do(draft, task, one)
    return False


def leave(draft: Draft, task: Task) -> None:
    """Choose nothing."""
