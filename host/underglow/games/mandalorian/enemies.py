"""Enemies as events drive them: who moves and attacks, and where reinforcements arrive (M-EVT-11 … 15)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.contract import Action, Transfer
from underglow.games.mandalorian import program
from underglow.games.mandalorian.child import ID as CHILD
from underglow.games.mandalorian.damage import attack
from underglow.games.mandalorian.movement import Path, paths
from underglow.games.mandalorian.scenario import FAR, NONE
from underglow.games.mandalorian.state import OFF, STACK, Child, Threat, public_id
from underglow.games.mandalorian.task import Task, settle
from underglow.games.mandalorian.threats import able, enemies, in_range, members, recover, reveal, standing
from underglow.games.mandalorian.zones import DisruptZone

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State

ANYWHERE = -1  # every bit is set


@dataclass(frozen=True, slots=True)
class Enlist(Task):
    """Enemies are to carry out an effect: `left` more of them, without those in the mask `done`."""

    program: int
    at: int
    left: int
    done: int

    @override
    def run(self, draft: Draft) -> bool:
        fit = self._fit(draft)
        if not fit or not self.left:
            return False
        if len(fit) > self.left and draft.scenario.switches.nearest_tie == "players":
            return True
        _order(draft, self, fit[0])
        return False

    @override
    def options(self, state: State) -> Iterator[Option]:
        for number in self._fit(state):
            yield Option(choice(state.seat, "enemy", (public_id(number),)), _order, (number,))

    def _fit(self, position: State | Draft) -> list[int]:
        """Whom the effect can concern: all of its class, for an attack those with a character in range."""
        effect = position.scenario.programs[self.program][self.at]
        spaces = ANYWHERE
        if effect.verb == "enemies_attack":
            spaces = 0
            for figure in position.figures:
                spaces |= in_range(position, figure.space, effect.reach)
        return [number for number in enemies(position, spaces, effect.role) if not self.done >> number & 1]


def _order(draft: Draft, task: Enlist, number: int) -> None:
    deed = Strike if draft.scenario.programs[task.program][task.at].verb == "enemies_attack" else March
    others = Enlist(task.program, task.at, task.left - 1, task.done | 1 << number)
    draft.push(deed(number, task.program, task.at), others)


@dataclass(frozen=True, slots=True)
class March(Task):
    """One enemy moves toward the nearest character, or the child.

    Disruption locks it, and sabotage follows it, in the event phase only (M-DISR-2, M-ABIL-4).
    """

    enemy: int
    program: int
    at: int

    @override
    def run(self, draft: Draft) -> bool:
        if _held_up(draft, self.enemy):
            return False
        return settle(draft, self, self._ways(draft), draft.scenario.switches.nearest_tie, _march)

    @override
    def options(self, state: State) -> Iterator[Option]:
        token = public_id(self.enemy)
        for path in self._ways(state):
            names = [state.scenario.spaces[space] for space in path]
            hands = (Transfer(token, names[0], names[-1]),)
            yield Option(Action(state.seat, "enemy_moves", (token, *names), hands), _march, (path,))

    def _ways(self, position: State | Draft) -> list[Path]:
        """The paths that bring it nearest to where it is drawn, one a space; none: it stays."""
        scenario, threat = position.scenario, position.threats[self.enemy]
        effect = scenario.programs[self.program][self.at]
        far = effect.n + (scenario.kinds[threat.kind].fast and able(position, self.enemy))
        if effect.where == "child" and position.child:
            return _toward_child(position, position.child, threat.space, far)
        grid = scenario.grids[position.doors_open]
        distances = [grid.steps[threat.space][figure.space] for figure in position.figures]
        nearest = min(distances)
        if nearest in (0, FAR):
            return []
        # No character stands on the way to the nearest one, so none stops it before (M-EVT-15).
        steps = min(far, nearest)
        ends = 0
        for figure, distance in zip(position.figures, distances, strict=True):
            if distance == nearest:
                ends |= grid.rings[figure.space][nearest - steps]
        ends &= grid.rings[threat.space][steps]
        return [grid.way(threat.space, end) for end in members(ends)]


def _held_up(draft: Draft, enemy: int) -> bool:
    """Whether disruption locks an enemy in the event phase; then it loses a token of it and does nothing else."""
    locked = bool(draft.threats[enemy].disruption) and not draft.within("action phase")
    if locked:
        recover(draft, enemy)
    return locked


def _toward_child(position: State | Draft, child: Child, start: int, far: int) -> list[Path]:
    """The paths of at most `far` steps that bring an enemy nearest to the child, unless another enemy has it.

    By the switch, an enemy stops where a character is, and does not leave it (M-EVT-15).
    """
    if child.captor != NONE:
        return []
    goal = child.space if child.space != OFF else position.figures[child.carrier].space
    stopping = standing(position) if position.scenario.switches.enemy_stops_at_character else 0
    steps = position.scenario.grids[position.doors_open].steps
    here = steps[start][goal]
    if here in (0, FAR) or stopping >> start & 1:
        return []
    ways = paths(position.scenario, position.doors_open, start, far, stopping)
    best = min([steps[path[-1]][goal] for path in ways], default=FAR)
    return [path for path in ways if steps[path[-1]][goal] == best] if best < here else []


def _march(draft: Draft, task: March, path: Path) -> None:
    relocate(draft, task.enemy, path, "marched")
    sabotage = draft.scenario.kinds[draft.threats[task.enemy].kind].sabotage
    if sabotage and able(draft, task.enemy) and not draft.within("action phase"):
        draft.push(DisruptZone("lowest"))


def relocate(draft: Draft, enemy: int, path: Path, how: str) -> None:
    """Move an enemy, with the child if it carries it. Face-down threats stay face down (M-INT-4)."""
    names = [draft.scenario.spaces[space] for space in path]
    kind, _, up, damage, disruption = draft.threats[enemy]
    draft.set_threat(enemy, Threat(kind, path[-1], up, damage, disruption))
    draft.stirred = draft.unchecked = True
    draft.tell(how, public_id(enemy), *names)
    if draft.child and draft.child.captor == enemy:
        draft.tell("carried_off", CHILD, names[-1])


@dataclass(frozen=True, slots=True)
class Strike(Task):
    """One enemy attacks a character in range."""

    enemy: int
    program: int
    at: int

    @override
    def run(self, draft: Draft) -> bool:
        if _held_up(draft, self.enemy):
            return False
        return settle(draft, self, self._victims(draft), draft.scenario.switches.nearest_tie, _strike)

    @override
    def options(self, state: State) -> Iterator[Option]:
        for figure in self._victims(state):
            character = state.scenario.characters[state.figures[figure].character]
            yield Option(choice(state.seat, "victim", (character.id,)), _strike, (figure,))

    def _victims(self, position: State | Draft) -> list[int]:
        effect = position.scenario.programs[self.program][self.at]
        spaces = in_range(position, position.threats[self.enemy].space, effect.reach)
        return [number for number, figure in enumerate(position.figures) if spaces >> figure.space & 1]


def _strike(draft: Draft, task: Strike, figure: int) -> None:
    attack(draft, task.enemy, figure)


@dataclass(frozen=True, slots=True)
class Reinforce(Task):
    """Reinforcements arrive on a spawn space, one by one (M1-4, M1-8, M1-9, M-EVT-7)."""

    where: str
    left: int

    @override
    def run(self, draft: Draft) -> bool:
        if _next(draft) == NONE and not _reused(draft):
            draft.tell("no_reinforcement")
            return False
        return settle(draft, self, self._spaces(draft), draft.scenario.switches.spawn_tie, _arrive)

    @override
    def options(self, state: State) -> Iterator[Option]:
        for space in self._spaces(state):
            yield Option(choice(state.seat, "spawn", (state.scenario.spaces[space],)), _arrive, (space,))

    def _spaces(self, position: State | Draft) -> list[int]:
        return spawns(position, self.where)


def spawns(position: State | Draft, where: str) -> list[int]:
    """The spawn spaces that come first: with the fewest enemies, or nearest."""
    scenario = position.scenario
    if where == "spawn_fewest_enemies":
        worth = {space: len(enemies(position, 1 << space)) for space in scenario.spawns}
    else:
        steps = scenario.grids[position.doors_open].steps
        all_of_them = scenario.switches.spawn_nearest_to == "any_character"
        from_where = position.figures if all_of_them else (position.figures[position.acting],)
        worth = {space: min([steps[space][figure.space] for figure in from_where]) for space in scenario.spawns}
    least = min(worth.values())
    return [space for space, found in worth.items() if found == least]


def _next(draft: Draft) -> int:
    return next((number for number, threat in enumerate(draft.threats) if threat.space == STACK), NONE)


def _reused(draft: Draft) -> bool:
    """Mix the defeated reinforcements into a new stack, if the switch says so."""
    scenario = draft.scenario
    defeated = [
        number
        for number, threat in enumerate(draft.threats)
        if threat.up and threat.space == OFF and not scenario.kinds[threat.kind].shape
    ]
    if not defeated or scenario.switches.reinforcements_empty == "nothing":
        return False
    kinds = draft.shuffle(tuple([draft.threats[number].kind for number in defeated]))
    for number, kind in zip(defeated, kinds, strict=True):
        draft.set_threat(number, draft.threats[number]._replace(kind=kind, space=STACK, up=False))
    draft.tell("reinforcements_reused", chance=True)
    return True


def _arrive(draft: Draft, task: Reinforce, space: int) -> None:
    number = _next(draft)
    threat, scenario = draft.threats[number], draft.scenario
    face_up = scenario.switches.reinforcements_face == "up"
    draft.set_threat(number, threat._replace(space=space, up=face_up))
    draft.stirred = draft.unchecked = True
    kind = scenario.kinds[threat.kind]
    name = (kind.name,) if face_up else ()
    draft.tell("reinforced", public_id(number), scenario.spaces[space], *name, reveals=face_up)
    if task.left > 1:
        draft.push(replace(task, left=task.left - 1))
    if face_up and kind.mission_effect:  # M-ABIL-3: in the stack it lay face down (M-SETUP-8)
        program.start(draft, scenario.mission_effect, draft.acting)
    if standing(draft) >> space & 1:
        reveal(draft, space)
