"""Every task of this game, for the text form of its agendas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from underglow.games.agenda import TextForm, asks
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

TEXT = TextForm(TASKS)


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
        for name, numbers in TEXT.numbers(task):
            if name in limits and any(number not in limits[name] for number in numbers):
                return "agenda"
        at, program = getattr(task, "at", 0), getattr(task, "program", 0)
        if at not in range(len(scenario.programs[program]) if scenario.programs else 1):
            return "agenda"
    return "" if state.ended or asks(state) else "agenda"
