"""What is left to do in a game, as a stack of tasks: the theory of operation of rules that ask in the middle of others.

A state holds an agenda of tasks, the next one last. To take a step is to carry out what was chosen, and then to run
tasks, each of which may lay others on the agenda, until one finds that somebody has to choose. So a rule that asks in
the middle of another, such as a block in the middle of an enemy's attack in the middle of an event card, is written
like one that does not, and every moment is a value with a text form.

Two rules for every task: `run` draws no conclusion that `options` does not share, and what is offered always changes
the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, cast

from underglow.games.contract import Action, Event
from underglow.rng import Rng

T = TypeVar("T")

_event = lru_cache(maxsize=1 << 14)(Event)  # the same few come up all the time, and to look one up is quicker
choice = lru_cache(maxsize=1 << 14)(Action)
"""An action without hands: the same few come up all the time, and to look one up is quicker than to make it."""


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
    """Something left to do. Its fields are numbers, words, and tuples of numbers; its class and they are its text.

    Each game narrows what `draft` and `state` are.
    """

    while_there: ClassVar[str] = ""
    """What goes on as long as such a task is on the agenda: "action phase", "action"."""

    def run(self, draft: Any) -> bool:
        """Go on with it, now that it is off the agenda; True: somebody has to choose first, and it stays on.

        Without a rule of its own, a task always asks.
        """
        return True

    def options(self, state: Any) -> Iterable[Option]:
        """Return what there is to choose, when `run` asked."""
        raise NotImplementedError

    def resume(self, draft: Any) -> None:
        """Lay on the agenda what is left of it, before something chosen in it is carried out."""


class Moment(Protocol):
    """What every state with an agenda has."""

    @property
    def agenda(self) -> tuple[Any, ...]:
        """What is left to do, the next task last: the one that asks. Empty when the game is over."""
        ...


def choices(state: Moment) -> Choices:
    """What is offered now, and what carries it out."""
    offered: Choices | None = getattr(state, "choices", None)
    if offered is None:
        options = state.agenda[-1].options(state)
        offered = options if isinstance(options, Choices) else Choices(options)
        object.__setattr__(state, "choices", offered)  # a state is frozen, and so is what follows from it
    return offered


class Draft:
    """The working copy of a state during one step: the rules change it in place, then it is frozen again.

    It has the fields of a state, and of its own: `tasks`, the agenda as a list; the events `told`; whether
    something is `unchecked` that may end the game, and whether it is `over`. The values of its fields stay immutable;
    only which it holds changes.
    """

    # Only what a state has is in its __dict__: so both copies, there and back, are one operation each.
    __slots__ = ("__dict__", "over", "tasks", "told", "unchecked")

    rng: Rng

    def __init__(self, state: Moment) -> None:
        self.__dict__.update(state.__dict__)
        self.tasks: list[Any] = list(state.agenda)
        self.told: list[Event] = []
        self.unchecked = False
        self.over = False

    def run(self, check: Callable[[Any], None] | None = None) -> None:
        """Do what is on the agenda until somebody has to choose or the game is over; `check` what is unchecked."""
        tasks = self.tasks
        if self.unchecked:
            self._look(check)
        while tasks and not self.over:
            task = tasks.pop()
            asks = task.run(self)
            if self.unchecked:
                self._look(check)
            if asks and not self.over:
                tasks.append(task)
                return

    def _look(self, check: Callable[[Any], None] | None) -> None:
        self.unchecked = False
        if check and not self.over:
            check(self)

    def finish(self) -> None:
        """End the game here and now: nobody is asked anything any more."""
        self.over = True
        self.tasks.clear()

    def push(self, *tasks: Task) -> None:
        """Lay tasks on the agenda, the first of them to be done first."""
        self.tasks += reversed(tasks)

    def tell(self, kind: str, *args: str | int, chance: bool = False, reveals: bool = False) -> None:
        """Record what happened, in public words."""
        self.told.append(_event(kind, args, chance, reveals))

    def within(self, what: str) -> bool:
        """Whether that goes on now: see `Task.while_there`."""
        return any(task.while_there == what for task in self.tasks)

    def shuffle(self, items: tuple[int, ...]) -> tuple[int, ...]:
        """Draw an order."""
        order, self.rng = self.rng.shuffled(items)
        return order

    def below(self, n: int) -> int:
        """Draw a number from 0 to n - 1."""
        number, self.rng = self.rng.below(n)
        return number


class TextForm:
    """The text form of agendas made of these tasks: each by the name of its class, and its fields."""

    def __init__(self, tasks: Iterable[type[Task]]) -> None:
        self._fields: Mapping[type[Task], Mapping[str, str]] = {
            task: {field.name: str(field.type) for field in fields(task)} for task in tasks
        }
        self._by_name = {task.__name__: task for task in self._fields}

    def write(self, tasks: tuple[Task, ...]) -> list[list[object]]:
        """An agenda as JSON values."""
        return [[type(task).__name__, *(getattr(task, name) for name in self._fields[type(task)])] for task in tasks]

    def read(self, entries: object) -> tuple[Task, ...]:
        """Turn what `write` wrote into tasks again. ValueError: it is something else."""
        if not isinstance(entries, list):
            raise ValueError("an agenda is an array")
        return tuple([self._task(entry) for entry in cast("list[object]", entries)])

    def numbers(self, task: Task) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Each field of a task that holds numbers, with them."""
        for name in self._fields[type(task)]:
            value = getattr(task, name)
            if isinstance(value, tuple):
                yield name, cast("tuple[int, ...]", value)
            elif type(value) is int:
                yield name, (value,)

    def _task(self, entry: object) -> Task:
        name, *values = cast("list[object]", entry if isinstance(entry, list) and entry else [None])
        if not isinstance(name, str) or name not in self._by_name:
            raise ValueError("there is no such task")
        args = [tuple(cast("list[object]", value)) if isinstance(value, list) else value for value in values]
        types = self._fields[self._by_name[name]].values()
        if len(args) != len(types) or not all(map(_is, args, types)):
            raise ValueError(f"{name} has other fields")
        return cast("Callable[..., Task]", self._by_name[name])(*args)


_TYPES: dict[str, type] = {"int": int, "bool": bool, "str": str}  # any other is a tuple of numbers


def _is(value: object, kind: str) -> bool:
    if kind in _TYPES:
        return type(value) is _TYPES[kind]
    return isinstance(value, tuple) and all(type(item) is int for item in cast("tuple[object, ...]", value))


def asks(state: Moment) -> bool:
    """Whether the last task of a state read from outside does ask somebody something."""
    try:
        return any(True for _ in state.agenda[-1].options(state))
    except (LookupError, NotImplementedError):
        return False


def replaced(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return the values with one of them exchanged."""
    return (*values[:index], value, *values[index + 1 :])
