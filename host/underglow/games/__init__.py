"""The games and their scenarios, found by listing folders: a game is a package in here, a scenario a file in it."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from underglow.games.contract import Game

_HERE = Path(__file__).parent


class UnknownGame(LookupError):
    """There is no game of that name; the message says which there are."""


class UnknownScenario(LookupError):
    """The game has no scenario of that name; the message says which it has."""


def names() -> tuple[str, ...]:
    """The games there are, in alphabetical order."""
    return tuple(sorted(rules.parent.name for rules in _HERE.glob("*/rules.py")))


def load(name: str) -> Game[Any, Any]:
    """Import a game. `UnknownGame`: no such folder."""
    if name not in names():
        raise UnknownGame(f"There is no game {name!r}; {_there_is(names())}.")
    return cast("Game[Any, Any]", importlib.import_module(f"{__name__}.{name}"))


def scenarios(game: str) -> tuple[str, ...]:
    """The scenarios a game comes with, in alphabetical order. `UnknownGame`: no such folder."""
    if game not in names():
        raise UnknownGame(f"There is no game {game!r}; {_there_is(names())}.")
    return tuple(sorted(file.stem for file in (_HERE / game / "scenarios").glob("*.toml")))


def scenario_path(game: str, scenario: str) -> Path:
    """Where a scenario's file lies: of one the game comes with, by name, or any, by a path that ends in `.toml`.

    `UnknownScenario`: no such name. `UnknownGame`: no such folder.
    """
    if scenario.endswith(".toml"):
        return Path(scenario)
    if scenario not in scenarios(game):
        raise UnknownScenario(f"{game} has no scenario {scenario!r}; {_there_is(scenarios(game))}.")
    return _HERE / game / "scenarios" / f"{scenario}.toml"


def find(scenario: str, game: str | None = None) -> tuple[str, Path]:
    """Whose scenario it is, and where its file lies: by name, or a path that ends in `.toml`.

    A file beside a game's own is that game's. `UnknownScenario`: no game has it, or `game` must say which.
    `UnknownGame`: no such game.
    """
    if game is None:
        known = {name: scenarios(name) for name in names()}
        folder = Path(scenario).resolve().parent.parent.name if scenario.endswith(".toml") else None
        owners = [name for name in known if name == folder or scenario in known[name]]
        if not owners and folder is None:
            everything = ", ".join(word for words in known.values() for word in words)
            raise UnknownScenario(f"There is no scenario {scenario!r}; there is {everything}.")
        if len(owners) != 1:
            raise UnknownScenario(f"Say which game {scenario} belongs to: {', '.join(owners or known)}.")
        game = owners[0]
    return game, scenario_path(game, scenario)


def _there_is(known: Iterable[str]) -> str:
    return f"there is {', '.join(known) or 'none'}"
