"""Items: lifted into slots, or carried to where they belong (M1-5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from underglow.games.agenda import Option, choice, replaced
from underglow.games.contract import Action, Transfer
from underglow.games.mandalorian import program
from underglow.games.mandalorian.scenario import NONE
from underglow.games.mandalorian.state import OFF, public_id
from underglow.games.mandalorian.task import Task

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State


def free(position: State | Draft) -> Iterator[Option]:
    """What the character whose turn it is may take up or deliver where it stands."""
    if not position.scenario.map_rules:
        return
    figure, seat, kinds = position.figure, position.seat, position.scenario.kinds
    here = figure.space
    for number in [n for n, threat in enumerate(position.threats) if threat[1] == here and threat[2]]:
        if kinds[position.threats[number].kind].kind == "item" and takeable(position, number):
            hands = (Transfer(public_id(number), position.scenario.spaces[here], None),)
            yield Option(Action(seat, "take", (public_id(number),), hands), _take, (number,))
    carried = {position.threats[number].kind: number for number in reversed(figure.items)}  # equal ones are one choice
    for number in carried.values():
        if deliverable(position, number):
            yield Option(choice(seat, "deliver", (public_id(number),)), _deliver, (number,))


def _rule(position: State | Draft, number: int) -> int:
    kind = position.threats[number].kind
    return next((at for at, rule in enumerate(position.scenario.map_rules) if rule.take == kind), NONE)


def takeable(position: State | Draft, number: int) -> bool:
    """Whether a slot is left for an item, counting those that are on their way."""
    at = _rule(position, number)
    if at == NONE:
        return False
    rule = position.scenario.map_rules[at]
    carried = [item for figure in position.figures for item in figure.items]
    on_the_way = sum(position.threats[item].kind == rule.take for item in carried)
    return position.slots[at] + on_the_way < rule.slots


def deliverable(position: State | Draft, number: int) -> bool:
    """Whether the character whose turn it is has brought a carried item to its slots."""
    rule = position.scenario.map_rules[_rule(position, number)]
    return rule.deliver_to == position.figure.space


def _take(draft: Draft, task: Task, number: int) -> None:
    scenario, figure, threat, at = draft.scenario, draft.figure, draft.threats[number], _rule(draft, number)
    task.resume(draft)
    name = scenario.characters[figure.character].id
    draft.tell("taken", name, public_id(number), scenario.spaces[threat.space])
    draft.set_threat(number, threat._replace(space=OFF))
    if scenario.map_rules[at].deliver_to == NONE:
        _fill(draft, at)
    else:
        draft.set_figure(draft.acting, figure._replace(items=tuple(sorted((*figure.items, number)))))


def _deliver(draft: Draft, task: Task, number: int) -> None:
    figure = draft.figure
    task.resume(draft)
    draft.set_figure(draft.acting, figure._replace(items=tuple(item for item in figure.items if item != number)))
    name = draft.scenario.characters[figure.character].id
    draft.tell("delivered", name, public_id(number), draft.scenario.spaces[figure.space])
    _fill(draft, _rule(draft, number))


def _fill(draft: Draft, at: int) -> None:
    """Put an item in its slot; with the last one, what is to happen happens at once."""
    rule = draft.scenario.map_rules[at]
    draft.slots = replaced(draft.slots, at, draft.slots[at] + 1)
    draft.unchecked = True
    if draft.slots[at] == rule.slots:
        program.start(draft, rule.program, draft.acting)
