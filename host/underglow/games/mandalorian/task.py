"""What is left to do in a game, as a stack of tasks: the theory of operation of these rules.

A state holds an agenda of tasks, the next one last. To take a step is to carry out what was chosen, and then to run
tasks, each of which may lay others on the agenda, until one finds that somebody has to choose. So a rule that asks in
the middle of another, such as a block in the middle of an enemy's attack in the middle of an event card, is written
like one that does not, and every moment is a value with a text form.

Two rules for every task: `run` draws no conclusion that `options` does not share, and what is offered always changes
the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from underglow.games.contract import Action

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State

T = TypeVar("T", bound="Task")
U = TypeVar("U")


class Option(NamedTuple):
    """A choice, and what carries it out: `do(draft, task, *args)`, when the task is off the agenda."""

    action: Action
    do: Callable[..., None]
    args: tuple[Any, ...] = ()


class Choices:
    """Options in a fixed order, and the actions by which the table knows them."""

    __slots__ = ("actions", "options")

    def __init__(self, options: Iterable[Option]) -> None:
        self.options = tuple(options)
        self.actions = tuple([option.action for option in self.options])

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)

    def find(self, action: Action) -> Option | None:
        """Return the option of an action; None: it is not offered."""
        for number, offered in enumerate(self.actions):
            if offered is action:  # as it is when the caller took it from `actions`; far quicker than to compare
                return self.options[number]
        return next((option for option in self.options if option.action == action), None)


@dataclass(frozen=True, slots=True)
class Task:
    """Something left to do. Its fields are numbers, words, and tuples of numbers; its class and they are its text."""

    while_there: ClassVar[str] = ""
    """What goes on as long as such a task is on the agenda: "action phase", "action"."""

    def run(self, draft: Draft) -> bool:
        """Go on with it, now that it is off the agenda; True: somebody has to choose first, and it stays on."""
        raise NotImplementedError

    def options(self, state: State) -> Iterable[Option]:
        """Return what there is to choose, when `run` asked."""
        raise NotImplementedError

    def resume(self, draft: Draft) -> None:
        """Lay on the agenda what is left of it, before something chosen in it is carried out."""

    def movement(self, position: State | Draft) -> int:
        """How far a figure may move by it, if that is what it asks."""
        return 0


choice = lru_cache(maxsize=1 << 14)(Action)
"""An action without hands: the same few come up all the time, and to look one up is quicker than to make it."""


def settle(draft: Draft, task: T, found: Sequence[U], tie: str, do: Callable[[Draft, T, U], None]) -> bool:
    """Do it to the one there is, or the first of equals; True: by the switch `tie`, the players choose among them."""
    if len(found) > 1 and tie == "players":
        return True
    for one in found[:1]:
        do(draft, task, one)
    return False


def leave(draft: Draft, task: Task) -> None:
    """Choose nothing."""
