"""Damage: to characters, who may answer it with planning cards, and to enemies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.mandalorian import plans, program
from underglow.games.mandalorian.scenario import NONE
from underglow.games.mandalorian.state import OFF, public_id
from underglow.games.mandalorian.task import Task, leave, settle
from underglow.games.mandalorian.threats import able, in_range, turn_up

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State


@dataclass(frozen=True, slots=True)
class Hurt(Task):
    """Damage that is being dealt to a figure, by an enemy or by the mission (NONE); `cause` is a word."""

    figure: int
    damage: int
    enemy: int
    cause: str

    @override
    def run(self, draft: Draft) -> bool:
        if self.damage > 0 and plans.held(draft, self.figure, "self_damaged"):
            return True
        _deal(draft, self)
        return False

    @override
    def options(self, state: State) -> Iterator[Option]:
        seat = plans.player(state, self.figure)
        for card in plans.held(state, self.figure, "self_damaged"):
            yield Option(choice(seat, "use", (state.scenario.plans[card].id,)), _answer, (card,))
        yield Option(choice(seat, "accept"), _deal)


def _answer(draft: Draft, task: Hurt, card: int) -> None:
    """Use a planning card against the damage; what is left of it may be answered again (M-PLAN-4)."""
    plan = draft.scenario.plans[card]
    plans.spend(draft, task.figure, card)
    draft.push(replace(task, damage=max(0, task.damage - plan.block)))
    program.start(draft, plan.program, task.figure, task.enemy)


def _deal(draft: Draft, task: Hurt) -> None:
    scenario, figure = draft.scenario, draft.figures[task.figure]
    character = scenario.characters[figure.character]
    draft.stirred = True
    if task.damage <= 0:
        return
    damage = figure.damage + task.damage
    draft.set_figure(task.figure, figure._replace(damage=damage))
    by = public_id(task.enemy) if task.enemy != NONE else ""
    draft.tell("damaged", character.id, task.damage, by, task.cause)
    if damage >= character.health + scenario.spare_health:
        draft.tell("defeated", character.id)
        draft.end("defeat", task.figure)  # M1-3: at once


@dataclass(frozen=True, slots=True)
class StrikeBack(Task):
    """A figure was attacked, and may answer the enemy."""

    figure: int
    enemy: int

    @override
    def run(self, draft: Draft) -> bool:
        return draft.threats[self.enemy].space >= 0 and bool(plans.held(draft, self.figure, "enemy_attacks_you"))

    @override
    def options(self, state: State) -> Iterator[Option]:
        seat = plans.player(state, self.figure)
        for card in plans.held(state, self.figure, "enemy_attacks_you"):
            yield Option(choice(seat, "use", (state.scenario.plans[card].id,)), _strike_back, (card,))
        yield Option(choice(seat, "pass"), leave)


def _strike_back(draft: Draft, task: StrikeBack, card: int) -> None:
    plans.spend(draft, task.figure, card)
    draft.push(task)
    program.start(draft, draft.scenario.plans[card].program, task.figure, task.enemy)


def attack(draft: Draft, enemy: int, figure: int) -> None:
    """Let an enemy attack: always 1 damage (M-EVT-13)."""
    character = draft.scenario.characters[draft.figures[figure].character]
    draft.stirred = True
    draft.tell("attacked", public_id(enemy), character.id)
    draft.push(Hurt(figure, 1, enemy, "attack"), StrikeBack(figure, enemy))


def guards(position: State | Draft, space: int) -> list[int]:
    """The guards that react to a movement which ends on that space (M-ABIL-1)."""
    kinds, near = position.scenario.kinds, in_range(position, space, 1)
    return [
        number
        for number, (kind, at, up, _, _) in enumerate(position.threats)
        if up and at >= 0 and kinds[kind].guard and near >> at & 1 and able(position, number)
    ]


def grapplers(position: State | Draft, space: int) -> list[int]:
    """The enemies that react to a movement away from that space (M-ABIL-2)."""
    kinds = position.scenario.kinds
    return [
        number
        for number, (kind, at, up, _, _) in enumerate(position.threats)
        if up and at == space and kinds[kind].grapple and able(position, number)
    ]


def hit(draft: Draft, number: int, damage: int, figure: int) -> None:
    """Let a figure damage a threat. A face-down one is turned up first, and is hit if it is an enemy (M-ATK-5)."""
    if not draft.threats[number].up:
        turn_up(draft, number)
    if draft.scenario.kinds[draft.threats[number].kind].enemy:
        wound(draft, number, damage, figure)


def wound(draft: Draft, number: int, damage: int, figure: int) -> None:
    """Damage an enemy; when its damage reaches its health it is defeated (M-ATK-4)."""
    scenario, threat = draft.scenario, draft.threats[number]
    kind, space = scenario.kinds[threat.kind], scenario.spaces[threat.space]
    draft.stirred = draft.unchecked = True
    draft.tell("hit", public_id(number), damage, space)
    if threat.damage + damage < kind.health + scenario.spare_health:
        draft.set_threat(number, threat._replace(damage=threat.damage + damage))
        return
    blow = kind.parting_blow and able(draft, number)
    draft.pool = tuple(sorted(draft.pool + threat.disruption))
    draft.set_threat(number, threat._replace(space=OFF, damage=0, disruption=()))
    draft.tell("destroyed", public_id(number), space)
    if draft.child and draft.child.captor == number:  # M-CHILD-6
        draft.child = draft.child._replace(space=threat.space, captor=NONE)
        draft.tell("dropped", "child", space)
    if blow:
        draft.push(PartingBlow(number, threat.space, figure))


@dataclass(frozen=True, slots=True)
class PartingBlow(Task):
    """A defeated enemy hurts a character on its space: who defeated it if it is there, else one of choice (M-EXP-1)."""

    enemy: int
    space: int
    by: int

    @override
    def run(self, draft: Draft) -> bool:
        return settle(draft, self, self._there(draft), "players", _blow)

    @override
    def options(self, state: State) -> Iterator[Option]:
        for figure in self._there(state):
            character = state.scenario.characters[state.figures[figure].character]
            yield Option(choice(state.seat, "victim", (character.id,)), _blow, (figure,))

    def _there(self, position: State | Draft) -> list[int]:
        if position.figures[self.by].space == self.space:
            return [self.by]
        return [number for number, figure in enumerate(position.figures) if figure.space == self.space]


def _blow(draft: Draft, task: PartingBlow, figure: int) -> None:
    draft.push(Hurt(figure, 1, task.enemy, "parting_blow"))
