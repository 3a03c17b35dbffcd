"""legal() against brute force, for every game that has a `brute_GAME.py` here."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path
from typing import Any

import pytest
from positions import Subject, seats_of

from underglow import games


def test_legal_offers_what_brute_force_finds_and_nothing_else(subject: Subject) -> None:
    """A module offers `meaning(action)` and `choices(scenario file, view)`; None where it knows nothing."""
    if not Path(__file__).with_name(f"brute_{subject.game_name}.py").exists():
        pytest.skip(f"there is no brute force for {subject.game_name}")
    brute: Any = importlib.import_module(f"brute_{subject.game_name}")
    document = tomllib.loads(games.scenario_path(subject.game_name, subject.name).read_text())
    compared: dict[str, int] = {}
    for state in subject.states(25):
        if subject.game.outcome(state):
            continue
        legal = subject.game.legal(state)
        for seat in seats_of(subject, state)[1:]:
            own = [action for action in legal if action.seat == seat]
            found = brute.choices(document, subject.game.view(state, seat)) if own else None
            if found is not None:
                assert {means for action in own if (means := brute.meaning(action))} == found
                for kind, *_ in found:
                    compared[kind] = compared.get(kind, 0) + 1
    assert len(compared) > 1
    assert min(compared.values()) > 50
