"""Threat tokens: where they stop a movement, who is in range of whom, how they are turned up and disrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from underglow.games.mandalorian import program
from underglow.games.mandalorian.state import public_id
from underglow.games.mandalorian.zones import draw_token, tokens_left

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State

DISRUPTIONS = 2  # M-DISR-4


def stops(position: State | Draft) -> int:
    """The spaces where a movement ends: those of enemies and of face-down threats (M-MOVE-3)."""
    fights = position.scenario.fights
    spaces = 0
    for kind, space, up, _, _ in position.threats:
        if space >= 0 and (not up or fights[kind]):
            spaces |= 1 << space
    return spaces


def members(spaces: int) -> list[int]:
    """The spaces of a mask, in order."""
    found: list[int] = []
    while spaces:
        lowest = spaces & -spaces
        found.append(lowest.bit_length() - 1)
        spaces ^= lowest
    return found


def standing(position: State | Draft) -> int:
    """The spaces of the characters."""
    spaces = 0
    for figure in position.figures:
        spaces |= 1 << figure.space
    return spaces


def in_range(position: State | Draft, space: int, reach: int) -> int:
    """The spaces within a range of one (M-ATK-2)."""
    return position.scenario.grids[position.doors_open].in_range(space, reach)


def enemies(position: State | Draft, spaces: int, role: str = "any") -> list[int]:
    """The enemies of a class on these spaces, by number."""
    scenario = position.scenario
    fights = scenario.fights if role == "any" else scenario.roles[role]
    return [
        number
        for number, (kind, space, up, _, _) in enumerate(position.threats)
        if up and space >= 0 and spaces >> space & 1 and fights[kind]
    ]


def hidden(position: State | Draft, spaces: int) -> list[int]:
    """The face-down threats on these spaces, by number."""
    return [
        number
        for number, threat in enumerate(position.threats)
        if not threat.up and threat.space >= 0 and spaces >> threat.space & 1
    ]


def targets(position: State | Draft, figure: int, reach: int) -> list[int]:
    """What a character may damage within a range (M-ATK-1, 5)."""
    spaces = in_range(position, position.figures[figure].space, reach)
    found = [number for number in enemies(position, spaces) if vulnerable(position, number, figure)]
    return sorted(found + hidden(position, spaces)) if position.scenario.switches.attack_facedown else found


def vulnerable(position: State | Draft, number: int, figure: int) -> bool:
    """Whether a figure can damage an enemy on the map: one that duels, from its own space only (M-EXP-1)."""
    threat = position.threats[number]
    if threat.space < 0:
        return False
    here = position.figures[figure].space
    return threat.space == here or not position.scenario.kinds[threat.kind].duel or not able(position, number)


def able(position: State | Draft, number: int) -> bool:
    """Whether an enemy can use its abilities (M-DISR-3)."""
    threat = position.threats[number]
    return not threat.disruption or position.scenario.kinds[threat.kind].vigilant


def turn_up(draft: Draft, number: int) -> None:
    """Turn a threat face up, and let its mission effect happen (M-MOVE-7, M-ABIL-3)."""
    scenario, threat = draft.scenario, draft.threats[number]
    kind = scenario.kinds[threat.kind]
    draft.set_threat(number, threat._replace(up=True))
    draft.known = tuple([known & ~(1 << number) for known in draft.known])
    draft.stirred = draft.unchecked = True
    draft.tell("revealed", public_id(number), scenario.spaces[threat.space], kind.name, reveals=True)
    if kind.mission_effect:
        program.start(draft, scenario.mission_effect, draft.acting)


def reveal(draft: Draft, space: int) -> None:
    """Turn up what lies face down where a character is (M-MOVE-7)."""
    for number in hidden(draft, 1 << space):
        turn_up(draft, number)


def disrupt(draft: Draft, number: int) -> None:
    """Lay a disruption token on an enemy, number down (M-DISR-1, 4, 7)."""
    threat = draft.threats[number]
    token = draw_token(draft)
    if token is not None:
        draft.set_threat(number, threat._replace(disruption=(*threat.disruption, token)))
        draft.stirred = True
        draft.tell("disrupted", public_id(number), chance=True)


def disruptable(position: State | Draft, spaces: int) -> list[int]:
    """The enemies on these spaces that can take another disruption token (M-DISR-4, M-EXP-1)."""
    if not position.scenario.disrupting or not tokens_left(position):
        return []
    threats, kinds = position.threats, position.scenario.kinds
    return [
        number
        for number in enemies(position, spaces)
        if len(threats[number].disruption) < DISRUPTIONS and not kinds[threats[number].kind].vigilant
    ]


def recover(draft: Draft, number: int) -> None:
    """Take a disruption token off an enemy instead of what it would do (M-DISR-2); it returns to the pool."""
    threat = draft.threats[number]
    *left, token = threat.disruption
    draft.set_threat(number, threat._replace(disruption=tuple(left)))
    draft.pool = tuple(sorted((*draft.pool, token)))
    draft.stirred = True
    draft.tell("recovered", public_id(number))
