"""Threat tokens: where they stop a movement, how they are revealed, and what enemies do to who comes near."""

from __future__ import annotations

from functools import lru_cache

from underglow.games.mandalorian.draft import Draft
from underglow.games.mandalorian.scenario import Scenario, adjacency
from underglow.games.mandalorian.state import OFF, Threat, public_id


@lru_cache(maxsize=4096)
def stops(scenario: Scenario, threats: tuple[Threat, ...]) -> int:
    """The spaces where a movement ends: those of enemies and of face-down threats (M-MOVE-3)."""
    spaces = 0
    for threat in threats:
        if threat.space != OFF and (not threat.up or scenario.kinds[threat.kind].enemy):
            spaces |= 1 << threat.space
    return spaces


def reveal(draft: Draft, space: int) -> None:
    """Turn up what lies face down where a character is (M-MOVE-7)."""
    for number, threat in enumerate(draft.threats):
        if threat.space == space and not threat.up:
            draft.set_threat(number, threat._replace(up=True))
            name = draft.scenario.kinds[threat.kind].name
            draft.tell("revealed", public_id(number), draft.scenario.spaces[space], name, reveals=True)


def grapple(draft: Draft) -> None:
    """Let the acting character suffer for leaving its space: 1 damage from each grappler there (M-ABIL-2, 5)."""
    for number, threat in enumerate(draft.threats):
        if threat.up and threat.space == draft.figure.space and draft.scenario.kinds[threat.kind].grapple:
            _hurt(draft, number, "grapple")


def guard(draft: Draft) -> None:
    """Let the acting character suffer for ending a movement: 1 damage from each guard within range 1 (M-ABIL-1, 5)."""
    space = draft.figure.space
    watched_from = adjacency(draft.scenario, draft.doors_open)[space] | 1 << space
    for number, threat in enumerate(draft.threats):
        if (
            threat.up
            and threat.space != OFF
            and watched_from >> threat.space & 1
            and draft.scenario.kinds[threat.kind].guard
        ):
            _hurt(draft, number, "guard")


def _hurt(draft: Draft, threat: int, ability: str) -> None:
    if draft.ended:
        return
    character = draft.scenario.characters[draft.acting]
    draft.figure = draft.figure._replace(damage=draft.figure.damage + 1)
    draft.tell("damaged", character.id, 1, public_id(threat), ability)
    if draft.figure.damage >= character.health + draft.scenario.spare_health:
        draft.ended = "defeat"  # M1-3: at once
        draft.tell("defeated", character.id)
