"""A turn: action phase, event phase, draw phase (M-TURN-2), and when a game is won or lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.mandalorian import plans, program
from underglow.games.mandalorian.action import ActionPhase
from underglow.games.mandalorian.child import Flee
from underglow.games.mandalorian.effects import draw_skills
from underglow.games.mandalorian.enemies import Reinforce
from underglow.games.mandalorian.task import Task
from underglow.games.mandalorian.zones import LIMIT, empty, sums
from underglow.games.state import Deck

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State


def begin(draft: Draft) -> None:
    """Lay a whole turn on the agenda."""
    draft.push(ActionPhase(), EventPhase(0, ()), DrawPhase(), EndTurn())


def check(draft: Draft) -> None:
    """Lose the game when a failure holds, at the moment it does."""
    for number, failure in enumerate(draft.scenario.failures):
        if not failure.defeat and failure.when.holds(draft):
            draft.tell("lost", number)
            draft.end("failure", number)
            return


@dataclass(frozen=True, slots=True)
class EventPhase(Task):
    """Every zone at its limit is resolved, one after another (M-EVT-1 … 6).

    `handled` are those that were; `sums` their strengths at the start of the phase, if they are read only once.
    """

    handled: int
    sums: tuple[int, ...]

    @override
    def run(self, draft: Draft) -> bool:
        switches = draft.scenario.switches
        if not switches.reread_zone_sums and not self.sums:
            draft.push(EventPhase(self.handled, sums(draft)))
            return False
        hot = self.hot(draft)
        if not hot:
            if switches.child_flees == "from_enemies":
                draft.push(Flee(1, threatened=True))
            return False
        if len(hot) > 1 and switches.zone_order == "active_player":
            return True
        _resolve(draft, self, hot[0])
        return False

    @override
    def options(self, state: State) -> Iterator[Option]:
        for zone in self.hot(state):
            yield Option(choice(state.seat, "zone", (state.scenario.zones[zone].id,)), _resolve, (zone,))

    def hot(self, position: State | Draft) -> list[int]:
        """The zones still to be resolved: each at most once in a phase (M-EVT-9)."""
        strengths = self.sums or sums(position)
        return [zone for zone, strength in enumerate(strengths) if strength >= LIMIT and not self.handled >> zone & 1]


def _resolve(draft: Draft, task: EventPhase, zone: int) -> None:
    strength = (task.sums or sums(draft))[zone]
    name = draft.scenario.zones[zone].id
    draft.push(EventPhase(task.handled | 1 << zone, task.sums))
    draft.push(EventCard(), EmptyZone(zone))
    if strength > LIMIT:
        draft.tell("crisis_due", name, strength)
        draft.push(Crisis())
    else:
        draft.tell("event_due", name, strength)


@dataclass(frozen=True, slots=True)
class EmptyZone(Task):
    """Cards and tokens of a resolved zone are discarded (M-EVT-3, 4)."""

    zone: int

    @override
    def run(self, draft: Draft) -> bool:
        empty(draft, self.zone)
        return False


@dataclass(frozen=True, slots=True)
class Crisis(Task):
    """The mission's crisis happens (M-EVT-4), unless somebody has a card against it."""

    @override
    def run(self, draft: Draft) -> bool:
        if any(plans.held(draft, figure, "crisis_due") for figure in range(len(draft.figures))):
            return True
        _crisis(draft, self)
        return False

    @override
    def options(self, state: State) -> Iterator[Option]:
        for figure in range(len(state.figures)):
            seat = plans.player(state, figure)
            for card in plans.held(state, figure, "crisis_due"):
                words = (state.scenario.plans[card].id, state.scenario.characters[state.figures[figure].character].id)
                yield Option(choice(seat, "use", words), _against, (figure, card))
        yield Option(choice(state.seat, "accept"), _crisis)


def _crisis(draft: Draft, task: Crisis) -> None:
    program.start(draft, draft.scenario.crisis, draft.acting)


def _against(draft: Draft, task: Crisis, figure: int, card: int) -> None:
    plan = draft.scenario.plans[card]
    plans.spend(draft, figure, card)
    if not plan.cancels:
        draft.push(task)
    program.start(draft, plan.program, figure)


@dataclass(frozen=True, slots=True)
class EventCard(Task):
    """An event card is drawn and resolved; one without any effect brings a reinforcement (M-EVT-7)."""

    @override
    def run(self, draft: Draft) -> bool:
        deck, discard = draft.events
        if not deck:
            if not draft.scenario.switches.event_reshuffle:  # M-EVT-16
                draft.tell("no_event")
                return False
            deck, discard = draft.shuffle(discard), ()
            draft.tell("events_reshuffled", chance=True)
        card = deck[0]
        event = draft.scenario.events[card]
        draft.events = Deck(deck[1:], (*discard, card))
        draft.tell("event", event.id, reveals=True)
        draft.stirred = False
        draft.push(AfterEvent())
        program.start(draft, event.program, draft.acting)
        return False


@dataclass(frozen=True, slots=True)
class AfterEvent(Task):
    """An event card was carried out."""

    @override
    def run(self, draft: Draft) -> bool:
        if not draft.stirred:
            draft.tell("no_effect")
            draft.push(Reinforce("spawn_nearest", 1))
        draft.stirred = False
        return False


@dataclass(frozen=True, slots=True)
class DrawPhase(Task):
    """The player fills the hand (M-DRAW)."""

    @override
    def run(self, draft: Draft) -> bool:
        missing = draft.scenario.hand_size - len(draft.figure.hand)
        if missing > 0:
            draw_skills(draft, draft.acting, missing)
        return False


@dataclass(frozen=True, slots=True)
class EndTurn(Task):
    """The objective is looked at (M1-2), and the next turn begins (M-TURN-1)."""

    @override
    def run(self, draft: Draft) -> bool:
        draft.turn += 1
        if draft.scenario.objective.holds(draft):
            draft.tell("won")
            draft.end("objective", -1)
            return False
        turns = draft.scenario.rotations[draft.seats]
        draft.place = (draft.place + 1) % len(turns)
        draft.seat, draft.acting = turns[draft.place]
        draft.used = 0
        draft.stirred = False
        if draft.child:
            draft.child = draft.child._replace(fled=False)
        draft.unchecked = True
        draft.tell("turn", draft.scenario.characters[draft.figure.character].id)
        begin(draft)
        return False
