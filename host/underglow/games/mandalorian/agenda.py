"""The text form of an agenda: each task by the name of its class, and its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, cast

from underglow.games.mandalorian import action, aiming, child, damage, dealing, enemies, movement, plans, turn, zones
from underglow.games.mandalorian.program import Do
from underglow.games.mandalorian.task import Task

if TYPE_CHECKING:
    from underglow.games.mandalorian.state import State

TASKS: tuple[type[Task], ...] = (
    Do,
    action.Act,
    action.ActionPhase,
    aiming.Aim,
    aiming.Jam,
    aiming.Mend,
    aiming.Peek,
    aiming.Shove,
    aiming.Split,
    child.Capture,
    child.Flee,
    child.Rescue,
    damage.Hurt,
    damage.PartingBlow,
    damage.StrikeBack,
    dealing.FirstPlayer,
    dealing.Pick,
    enemies.Enlist,
    enemies.March,
    enemies.Reinforce,
    enemies.Strike,
    movement.Arrive,
    movement.EndMovement,
    movement.Steps,
    plans.Sort,
    turn.AfterEvent,
    turn.Crisis,
    turn.DrawPhase,
    turn.EmptyZone,
    turn.EndTurn,
    turn.EventCard,
    turn.EventPhase,
    zones.ClearZone,
    zones.DisruptZone,
)

_BY_NAME: Mapping[str, type[Task]] = {task.__name__: task for task in TASKS}
_FIELDS: Mapping[type[Task], Mapping[str, str]] = {
    task: {field.name: str(field.type) for field in fields(task)} for task in TASKS
}
_TYPES: dict[str, type] = {"int": int, "bool": bool, "str": str}  # any other is a tuple of numbers


def write(tasks: tuple[Task, ...]) -> list[list[object]]:
    """An agenda as JSON values."""
    return [[type(task).__name__, *(getattr(task, name) for name in _FIELDS[type(task)])] for task in tasks]


def read(entries: object) -> tuple[Task, ...]:
    """Turn what `write` wrote into tasks again. ValueError: it is something else."""
    if not isinstance(entries, list):
        raise ValueError("an agenda is an array")
    return tuple([_task(entry) for entry in cast("list[object]", entries)])


def _task(entry: object) -> Task:
    name, *values = cast("list[object]", entry if isinstance(entry, list) and entry else [None])
    if not isinstance(name, str) or name not in _BY_NAME:
        raise ValueError("there is no such task")
    args = [tuple(cast("list[object]", value)) if isinstance(value, list) else value for value in values]
    types = _FIELDS[_BY_NAME[name]].values()
    if len(args) != len(types) or not all(map(_is, args, types)):
        raise ValueError(f"{name} has other fields")
    return cast("Callable[..., Task]", _BY_NAME[name])(*args)


def _is(value: object, kind: str) -> bool:
    if kind in _TYPES:
        return type(value) is _TYPES[kind]
    return isinstance(value, tuple) and all(type(item) is int for item in cast("tuple[object, ...]", value))


def misfit(state: State) -> str:
    """Return "agenda" when a task speaks of what its state does not have, or nobody is asked; "" if all is well."""
    scenario = state.scenario
    tokens, spaces = range(-1, len(state.threats)), range(len(scenario.spaces))
    limits: dict[str, range] = {
        "figure": range(scenario.parties[state.seats]),
        "by": range(len(state.figures)),
        "enemy": tokens,
        "only": tokens,
        "hit": tokens,
        "zone": range(len(scenario.zones)),
        "laid": range(len(scenario.cards)),
        "space": spaces,
        "path": spaces,
        "program": range(len(scenario.programs)),
        "cards": range(len(scenario.plans)),
    }
    for task in state.agenda:
        for name in _FIELDS[type(task)]:
            value = getattr(task, name)
            numbers = cast("tuple[int, ...]", value if isinstance(value, tuple) else (value,))
            if name in limits and any(number not in limits[name] for number in numbers):
                return "agenda"
        at, program = getattr(task, "at", 0), getattr(task, "program", 0)
        if at not in range(len(scenario.programs[program]) if scenario.programs else 1):
            return "agenda"
    try:
        asked = bool(state.ended) or any(True for _ in state.agenda[-1].options(state))
    except (LookupError, NotImplementedError):
        asked = False
    return "" if asked else "agenda"
