"""The action phase: laying cards, carrying out what they give, and what is free (M-ACT)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from underglow.games.agenda import Choices, Option, choice, replaced
from underglow.games.contract import Action, Transfer
from underglow.games.mandalorian import aiming, child, effects, envelope, items, movement, plans, program
from underglow.games.mandalorian.damage import hit
from underglow.games.mandalorian.scenario import NONE, Card, Scenario
from underglow.games.mandalorian.state import Pile, public_id
from underglow.games.mandalorian.task import Task
from underglow.games.mandalorian.threats import targets

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State

ACTIONS = 2  # M-ACT-1


@dataclass(frozen=True, slots=True)
class ActionPhase(Task):
    """The player lays cards until two actions are taken, with what is free before, between and after them."""

    while_there: ClassVar[str] = "action phase"

    @override
    def run(self, draft: Draft) -> bool:
        if _may_lay(draft):
            return True
        return next(self._free(draft), None) is not None

    @override
    def options(self, state: State) -> Iterable[Option]:
        free = list(self._free(state))
        if not _may_lay(state):
            return [*free, Option(choice(state.seat, "end_turn"), _end)]
        plays = _plays(state.scenario, state.seat, state.figure.hand, state.used)
        return [*plays, *free] if free else plays

    @override
    def resume(self, draft: Draft) -> None:
        draft.push(self)

    def _free(self, position: State | Draft) -> Iterator[Option]:
        yield from items.free(position)
        if position.figure.planning:
            yield from _plannings(position)
        if position.roles:
            yield from envelope.accusations(position)


def _may_lay(position: State | Draft) -> bool:
    return position.used.bit_count() < ACTIONS and bool(position.figure.hand)


def _end(draft: Draft, task: Task) -> None:
    """Leave what is free."""
    draft.tell("ended", draft.scenario.characters[draft.figure.character].id)


@lru_cache(maxsize=1 << 14)
def _plays(scenario: Scenario, seat: int, hand: tuple[int, ...], used: int) -> Choices:
    """Each card once on each zone without a card of this turn (M-ACT-3); equal cards are one choice."""
    zones = [zone for zone in range(len(scenario.zones)) if not used >> zone & 1]
    return Choices([_play(scenario, seat, card, zone) for card in dict.fromkeys(hand) for zone in zones])


@lru_cache(maxsize=1 << 12)
def _play(scenario: Scenario, seat: int, card: int, number: int) -> Option:
    face, zone = scenario.cards[card], scenario.zones[number]
    words = (face.strength, face.ability) if face.ability else (face.strength,)
    hands = (Transfer(face.token, None, zone.id),)
    return Option(Action(seat, "play", (zone.id, *words), hands), _lay, (number, card))


def _plannings(position: State | Draft) -> Iterator[Option]:
    """Kept planning cards that are used in one's own action phase, and those that may be handed over."""
    scenario, figure, acting = position.scenario, position.figure, position.acting
    for card in plans.held(position, acting, "own_action_phase"):
        plan = scenario.plans[card]
        if effects.useful(position, plan.program, acting, 0):
            yield Option(choice(position.seat, "use", (plan.id,)), _use, (card,))
    if not scenario.switches.planning_hand_over:
        return
    for card in dict.fromkeys(figure.planning):
        for number, other in enumerate(position.figures):
            if number != acting and other.space == figure.space and plans.room(position, number):
                words = (scenario.plans[card].id, scenario.characters[other.character].id)
                yield Option(choice(position.seat, "give", words), plans.hand_over, (card, acting, number))


def _use(draft: Draft, task: ActionPhase, card: int) -> None:
    draft.push(task)
    plans.spend(draft, draft.acting, card)
    program.start(draft, draft.scenario.plans[card].program, draft.acting)


def _lay(draft: Draft, task: ActionPhase, zone: int, card: int) -> None:
    """Put a card from the hand on a zone (M-ACT-2, 5)."""
    scenario, figure, pile = draft.scenario, draft.figure, draft.piles[zone]
    face, at = scenario.cards[card], figure.hand.index(card)
    draft.set_figure(
        draft.acting, figure.holding(figure.hand[:at] + figure.hand[at + 1 :], figure.deck, figure.discard)
    )
    draft.piles = replaced(draft.piles, zone, Pile((*pile.cards, card), pile.disruption))
    draft.used |= 1 << zone
    words = (face.ability,) if face.ability else ()
    draft.tell("laid", scenario.characters[figure.character].id, scenario.zones[zone].id, face.strength, *words)
    # M-TACT-2, 3: a tactical card never gives the zone's action, and any card its ability only in the zone it names.
    action, ability = not face.tactical, face.ability_zone == zone
    draft.push(Act(zone, card, action=action, ability=ability, hit=NONE), task)


@dataclass(frozen=True, slots=True)
class Act(Task):
    """The card `laid` on a zone gives its action and its ability (M-ACT-8), as far as they are still to be used.

    Both may be declined (M-ACT-6). It stays on the agenda until all is done, for an action is being performed so long:
    that is when the child may be rescued (M-CHILD-2). `hit` is the threat the action damaged.
    """

    while_there: ClassVar[str] = "action"

    zone: int
    laid: int
    action: bool
    ability: bool
    hit: int

    @override
    def run(self, draft: Draft) -> bool:
        if (self.action and self._can_act(draft)) or self._has_ability(draft) or child.reachable(draft, draft.acting):
            return True
        if self.action:
            zone = draft.scenario.zones[self.zone].id
            draft.tell("idle", draft.scenario.characters[draft.figure.character].id, zone)
        return False

    @override
    def options(self, state: State) -> list[Option]:
        seat, zone = state.seat, state.scenario.zones[self.zone]
        options = self._actions(state) if self.action else []
        if self._has_ability(state):
            options.append(Option(choice(seat, "ability", (self.card(state).ability,)), _ability))
        if child.reachable(state, state.acting):
            options += child.rescuing(state, state.acting)
        options.append(Option(choice(seat, "decline", (zone.id,)), _decline))
        return options

    @override
    def resume(self, draft: Draft) -> None:
        draft.push(Act(self.zone, self.laid, action=False, ability=self.ability, hit=self.hit))

    @override
    def movement(self, position: State | Draft) -> int:
        moves = self.action and position.scenario.zones[self.zone].verb == "move"
        return self.card(position).strength if moves else 0

    def card(self, position: State | Draft) -> Card:
        """The card it is about: its own strength counts, not the pile's (M-ACT-9)."""
        return position.scenario.cards[self.laid]

    def _can_act(self, draft: Draft) -> bool:
        strength, acting = self.card(draft).strength, draft.acting
        match draft.scenario.zones[self.zone].verb:
            case "move":
                return movement.possible(draft, acting, strength)
            case "attack":
                return bool(targets(draft, acting, 1))
            case "intel":
                return bool(aiming.lookable(draft, acting, strength) or aiming.pushable(draft, acting, strength))
            case "plan":
                return bool(draft.planning.draw or draft.planning.discard)
            case _:
                return effects.useful(draft, draft.scenario.zones[self.zone].program, acting, strength)

    def _actions(self, state: State) -> list[Option]:
        scenario, seat, acting, strength = state.scenario, state.seat, state.acting, self.card(state).strength
        zone = scenario.zones[self.zone]
        match zone.verb:
            case "move":
                return movement.options(state, seat, acting, strength, action=True)
            case "attack":
                numbers = targets(state, acting, 1)
                return [Option(choice(seat, "attack", (public_id(number),)), _attack, (number,)) for number in numbers]
            case "intel":
                return [*aiming.looks(state, acting, strength), *aiming.pushes(state, acting, strength)]
            case "plan" if state.planning.draw or state.planning.discard:
                return [Option(choice(seat, "plan"), _plan)]
            case "effect" if effects.useful(state, zone.program, acting, strength):
                return [Option(choice(seat, "resolve", (zone.id,)), _resolve)]
            case _:
                return []

    def _has_ability(self, position: State | Draft) -> bool:
        if not self.ability:
            return False
        card = self.card(position)
        # With the switch on "same", what goes beyond the action's damage waits for it, and goes where it went.
        waits = self.action and position.scenario.switches.extra_damage_target == "same"
        if waits and any(effect.verb == "damage" for effect in position.scenario.programs[card.program]):
            return False
        return effects.useful(position, card.program, position.acting, card.strength)


def _decline(draft: Draft, task: Act) -> None:
    draft.tell("declined", draft.scenario.characters[draft.figure.character].id, draft.scenario.zones[task.zone].id)


def _attack(draft: Draft, task: Act, number: int) -> None:
    """Deal the card's strength to one target (M-ATK-1, 3)."""
    draft.push(Act(task.zone, task.laid, action=False, ability=task.ability, hit=number))
    hit(draft, number, task.card(draft).strength, draft.acting)


def _plan(draft: Draft, task: Act) -> None:
    task.resume(draft)
    plans.draw(draft, draft.acting, task.card(draft).strength)


def _resolve(draft: Draft, task: Act) -> None:
    task.resume(draft)
    program.start(draft, draft.scenario.zones[task.zone].program, draft.acting, strength=task.card(draft).strength)


def _ability(draft: Draft, task: Act) -> None:
    card = task.card(draft)
    draft.push(replace(task, ability=False))
    draft.tell("ability", draft.scenario.characters[draft.figure.character].id, card.ability)
    program.start(draft, card.program, draft.acting, task.hit, card.strength)
