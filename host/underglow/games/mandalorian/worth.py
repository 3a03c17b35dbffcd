"""How well it goes for a seat: a rough estimate for bots, by what the seat may know.

What is left to do for the objective, in steps; how much health the characters have; who threatens them; and which zones
are about to bring an event. All weights were found by trying.
"""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property
from math import exp

from underglow.games.mandalorian import conditions, envelope, movement
from underglow.games.mandalorian.action import Act
from underglow.games.mandalorian.scenario import FAR, NONE
from underglow.games.mandalorian.state import OFF, State, Threat
from underglow.games.mandalorian.threats import targets
from underglow.games.mandalorian.zones import LIMIT, sums

STRIDE = 18.0  # steps that lower the odds by a factor of e
CALM = 0.55  # the odds of a character with 1 health left are 1 less this, with 2 left 1 less its square …
SEARCH = 1.5  # steps that each further place costs where a thing may lie
LATER = 6.0  # steps that something costs of which no more is known
REACH = {"melee": 2, "shooter": 2, "sharpshooter": 3}  # how near an enemy is to be feared


def worth(state: State, seat: int) -> float:
    """How likely that seat seems to win, from 0 to 1."""
    odds = _odds(state, seat)
    secret = not state.exposed >> seat & 1
    if seat in envelope.traitors(state):
        return 1 - odds if secret else 0.0
    return odds


def _odds(state: State, seat: int) -> float:
    outlook = Outlook(state, seat)
    odds = 0.1 + 0.9 * exp(-outlook.left(state.scenario.objective) / STRIDE)
    for figure in state.figures:
        health = state.scenario.characters[figure.character].health + state.scenario.spare_health
        odds *= 1 - CALM ** max(0, health - figure.damage)
    events = sum([(strength >= LIMIT) + (strength > LIMIT) for strength in sums(state)])
    gifts = sum([len(figure.planning) for figure in state.figures]) + 0.2 * state.known[seat].bit_count()
    odds *= exp(0.008 * gifts + 0.004 * _pending(state) - 0.015 * _danger(state) - 0.025 * events)
    return max(0.0, min(odds, 1.0))


def _act(state: State) -> Act | None:
    task = state.agenda[-1] if state.agenda else None
    return task if isinstance(task, Act) else None


def _pending(state: State) -> float:
    """What a card just laid still promises, beyond movement and attack."""
    act = _act(state)
    if act is None:
        return 0.0
    promise = float(act.ability)
    if act.action and state.scenario.zones[act.zone].verb in ("plan", "intel", "effect"):
        promise += 0.5 * act.card(state).strength
    return promise


def _danger(state: State) -> float:
    """How many enemies are to be feared, and how much."""
    scenario, steps = state.scenario, state.scenario.grids[state.doors_open].steps
    act = _act(state)
    hits = act.card(state).strength if act and act.action and scenario.zones[act.zone].verb == "attack" else 0
    fears: dict[int, float] = {}
    for number, threat in enumerate(state.threats):
        kind = scenario.kinds[threat.kind]
        if threat.up and threat.space != OFF and kind.enemy:
            near = min([steps[threat.space][figure.space] for figure in state.figures], default=FAR)
            left = (kind.health - threat.damage) / kind.health
            fear = (1.0 if near <= REACH[kind.role] else 0.5) * (0.4 + 0.6 * left)
            fears[number] = fear * 0.4 ** len(threat.disruption)
    if hits and fears:
        near = targets(state, state.acting, 1)
        relief = [fears.get(number, 1.0) * _share(state, state.threats[number], hits) for number in near]
        return sum(fears.values()) - 0.9 * max(relief, default=0.0)
    return sum(fears.values())


def _share(state: State, threat: Threat, hits: int) -> float:
    """How much of an enemy such damage would take away."""
    if not threat.up:
        return 0.3
    left = state.scenario.kinds[threat.kind].health + state.scenario.spare_health - threat.damage
    return 1.0 if hits >= left else 0.6 * hits / left


class Outlook:
    """How far it is to what, as one seat can know it."""

    def __init__(self, state: State, seat: int) -> None:
        self._state = state
        self._known = state.known[seat]
        self._steps = state.scenario.grids[state.doors_open].steps
        doors = len(state.scenario.doors)
        self._open = state.scenario.grids[(1 << doors) - 1].steps if doors else self._steps
        self._ahead = 0.9 * movement.strength(state)

    def left(self, condition: conditions.Condition) -> float:
        """What is left to do until a condition holds, in steps."""
        state = self._state
        match condition:
            case conditions.CharacterOn(kinds):
                return self._find(kinds)
            case conditions.CharacterAt(space):
                return self._nearest(space)
            case conditions.ChildBroughtTo(space):
                return self._bring_child(space)
            case conditions.SlotsFilled(rule):
                return self._fill(rule)
            case conditions.DoorOpen(door):
                return 0.0 if state.doors_open >> door & 1 else self._locks or LATER
            case conditions.TrackAtLeast(track, n):
                return 2.0 * max(0, n - state.tracks[track])
            case conditions.TurnsAtLeast(n):
                return float(max(0, n - state.turn))
            case conditions.AllOf(parts):
                return sum(map(self.left, parts))
            case conditions.AnyOf(parts):
                return min(map(self.left, parts))
            case _:
                return 0.0 if condition.holds(state) else LATER

    @cached_property
    def _locks(self) -> float:
        """What is left to do for the slots that open doors."""
        programs, rules = self._state.scenario.programs, self._state.scenario.map_rules
        opening = [
            number
            for number, rule in enumerate(rules)
            if rule.program != NONE and any(effect.verb == "open_door" for effect in programs[rule.program])
        ]
        return sum(map(self._fill, opening))

    def _way(self, start: int, end: int) -> float:
        """From space to space; through shut doors, with what it takes to open them."""
        distance = self._steps[start][end]
        return float(distance) if distance != FAR else self._open[start][end] + self._locks

    def _nearest(self, space: int) -> float:
        """From the nearest character to a space."""
        return min([self._from(number, space) for number in range(len(self._state.figures))], default=float(FAR))

    def _from(self, figure: int, space: int) -> float:
        way = self._way(self._state.figures[figure].space, space)
        return max(0.0, way - self._ahead) if figure == self._state.acting else way

    def _find(self, kinds: Set[int]) -> float:
        """To the nearest token of these kinds, or to where the first may lie."""
        state = self._state
        shapes = {state.scenario.kinds[kind].shape for kind in kinds}
        seen: list[float] = []
        unseen: list[float] = []
        for number, threat in enumerate(state.threats):
            if threat.space < 0:
                continue
            if threat.up or self._known >> number & 1:
                if threat.kind in kinds:
                    seen.append(self._nearest(threat.space) + (not threat.up))
            elif state.scenario.kinds[threat.kind].shape in shapes:
                unseen.append(self._nearest(threat.space))
        if seen:
            return min(seen)
        return min(unseen) + SEARCH * len(unseen) if unseen else LATER

    def _fill(self, number: int) -> float:
        """To fill the slots of a map rule."""
        state, rule = self._state, self._state.scenario.map_rules[number]
        wanted, work = rule.slots - state.slots[number], 0.0
        for figure, carrying in enumerate(state.figures):
            for item in carrying.items:
                if state.threats[item].kind == rule.take:
                    work += self._from(figure, rule.deliver_to) + 1
                    wanted -= 1
        if wanted > 0:
            bring = 0.0 if rule.deliver_to == NONE else self._far(rule.deliver_to) + 1
            work += wanted * (bring + 2) + self._find({rule.take}) + (wanted - 1) * LATER / 2
        return work

    def _far(self, space: int) -> float:
        """From somewhere on the map to a space."""
        return sum(self._open[space]) / len(self._open[space])

    def _bring_child(self, space: int) -> float:
        state, child = self._state, self._state.child
        if child is None:
            return LATER
        if child.carrier != NONE:
            return self._from(child.carrier, space)
        if child.captor == NONE:
            return self._nearest(child.space) + 2 + 2 * child.fled + self._way(child.space, space)
        captor = state.threats[child.captor]
        kind = state.scenario.kinds[captor.kind]
        return self._nearest(captor.space) + 2 * (kind.health - captor.damage) + 4 + self._way(captor.space, space)
