"""Positions for tests: a scenario's map with just the figures and threats that matter."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from underglow import games
from underglow.games import mandalorian
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import Pile, State, Threat
from underglow.rng import Rng

CINDER_WELLS = games.scenario_path("mandalorian", "cinder-wells")


@cache
def cinder_wells() -> Scenario:
    return mandalorian.load(CINDER_WELLS)


def edited(folder: Path, *changes: tuple[str, str], name: str = "edited") -> Scenario:
    """Cinder Wells with words of its file exchanged."""
    text = CINDER_WELLS.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    assert tomllib.loads(text)
    file = folder / f"{name}.toml"
    file.write_text(text)
    return mandalorian.load(file)


def arrange(
    scenario: Scenario | None = None,
    *,
    at: Mapping[str, str],
    threats: Sequence[tuple[str, str]] = (),
    acting: str = "drifter",
    move: int | None = None,
    doors_open: int = 0,
    damage: int = 0,
) -> State:
    """A position: figures by character, threats as (space, name), face-down ones as (space, "? name").

    With `move` a card of that strength was just laid on Move by the acting character.
    """
    scenario = scenario or cinder_wells()
    state = mandalorian.setup(scenario, 2, Rng(7))
    characters = [character.id for character in scenario.characters]
    number = characters.index(acting)
    figures = tuple(
        figure._replace(
            space=scenario.spaces.index(at.get(character, "e1")), damage=damage if character == acting else 0
        )
        for character, figure in zip(characters, state.figures, strict=True)
    )
    names = [kind.name for kind in scenario.kinds]
    tokens = tuple(
        Threat(names.index(name.removeprefix("? ")), scenario.spaces.index(space), up=not name.startswith("? "))
        for space, name in threats
    )
    changes: dict[str, Any] = {"figures": figures, "threats": tokens, "acting": number, "doors_open": doors_open}
    if move is not None:
        card = next(c for c in scenario.characters[number].deck if scenario.cards[c].strength == move)
        changes |= {"piles": (Pile((card,), (1,)), *state.piles[1:]), "used": 1, "pending": 0}
    return replace(state, **changes)


def hand(state: State, *strengths: int, character: int | None = None) -> State:
    """The state with these cards in a hand (by default the acting character's), the rest of its cards in the deck."""
    number = state.acting if character is None else character
    scenario, figure = state.scenario, state.figures[number]
    left = list(scenario.characters[number].deck)
    cards: list[int] = []
    for strength in strengths:
        card = next(c for c in left if scenario.cards[c].strength == strength)
        left.remove(card)
        cards.append(card)
    figures = list(state.figures)
    figures[number] = figure._replace(hand=tuple(sorted(cards)), deck=tuple(left), discard=())
    return replace(state, figures=tuple(figures))


def sums(state: State, *strengths: int) -> State:
    """The state with zones of these strengths, all by disruption tokens."""
    return replace(state, piles=tuple(Pile((), (strength,) if strength else ()) for strength in strengths))


def seen(state: State, seat: int | None = None) -> dict[str, Any]:
    """The view of a seat, or the public's."""
    return cast("dict[str, Any]", mandalorian.view(state, seat))
