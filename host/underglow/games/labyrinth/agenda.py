"""Every task of this game, for the text form of its agendas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from underglow.games.agenda import TextForm, asks
from underglow.games.labyrinth import building, dealing, dice, effects, fighting, golem, hurting, moving, traps, turn
from underglow.games.labyrinth.program import Do
from underglow.games.labyrinth.scenario import LANES, NONE

if TYPE_CHECKING:
    from underglow.games.labyrinth.state import State

TEXT = TextForm(
    (
        Do,
        building.Draw,
        building.Face,
        building.Lay,
        building.TurnTile,
        dealing.First,
        dealing.Pick,
        dice.CardTest,
        effects.Either,
        fighting.Fight,
        fighting.Meet,
        golem.Appear,
        golem.GolemTest,
        golem.Walk,
        hurting.BoxItem,
        hurting.Die,
        moving.Explore,
        moving.JumpTest,
        moving.Shift,
        traps.PickTrap,
        traps.Reveal,
        traps.Series,
        traps.SetTrap,
        traps.TrapTest,
        turn.Attack,
        turn.Turn,
    )
)


def misfit(state: State) -> str:
    """Return "agenda" when a task speaks of what its state does not have, or nobody is asked; "" if all is well."""
    scenario = state.scenario
    seats, programs = range(state.seats), range(NONE, len(scenario.programs))
    places = range(len(scenario.spaces) * LANES)
    limits: dict[str, range] = {
        **dict.fromkeys(("seat", "of", "first", "second", "by", "rival", "among"), seats),
        **dict.fromkeys(("place", "target"), places),
        **dict.fromkeys(("program", "programs"), programs),
        **dict.fromkeys(("trap", "kinds"), range(len(scenario.traps))),
        **dict.fromkeys(("bonus", "bonus_one", "bonus_two", "roll", "rolls", "one", "two"), range(1000)),
        **dict.fromkeys(("steps", "left", "failures"), range(1000)),
        "step": range(NONE, 1000),
        "hex_": range(scenario.sockets),
    }
    for task in state.agenda:
        for name, numbers in TEXT.numbers(task):
            if name in limits and any(number not in limits[name] for number in numbers):
                return "agenda"
        kinds = len(scenario.tiles if isinstance(task, (building.Face, building.Lay)) else scenario.traps)
        if isinstance(task, (building.Face, building.Lay, traps.SetTrap)) and task.kind not in range(NONE, kinds):
            return "agenda"
        if isinstance(task, Do) and task.at not in range(len(scenario.programs[task.program])):
            return "agenda"
    return "" if state.ended or asks(state) else "agenda"
