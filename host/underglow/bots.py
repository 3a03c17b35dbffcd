"""Bots: players made of the contract alone. Each knows what its seat may know, and nothing else.

A game's own part is one number, `Game.worth`: how well it goes for a seat, by that seat's view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from underglow.games.contract import Action, Game
from underglow.rng import Rng


class Bot(Protocol):
    """A player of any game."""

    def choose(self, game: Game[Any, Any], state: Any, seat: int, rng: Rng) -> tuple[Action, Rng]:
        """Choose for a seat that may choose now; the generator is the bot's own, not the game's."""
        ...


@dataclass(frozen=True, slots=True)
class Random:
    """Takes each choice as often as any other."""

    def choose(self, game: Game[Any, Any], state: Any, seat: int, rng: Rng) -> tuple[Action, Rng]:
        """Draw one of the seat's choices."""
        choices = choices_of(game, state, seat)
        at, rng = rng.below(len(choices))
        return choices[at], rng


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes what promises most one step ahead.

    It steps in `worlds` other deals that its seat could not tell from the true one, so neither a hidden card nor the
    chance to come can guide it; of equals it draws one.
    """

    worlds: int = 2

    def choose(self, game: Game[Any, Any], state: Any, seat: int, rng: Rng) -> tuple[Action, Rng]:
        """Draw one of the choices with the best sum of worths."""
        choices = choices_of(game, state, seat)
        if len(choices) == 1:
            return choices[0], rng
        promise = [0.0] * len(choices)
        for _ in range(self.worlds):
            seed, rng = rng.word()
            world = game.redeal(state, seat, Rng(seed))
            for number, action in enumerate(choices):
                promise[number] += worth(game, game.step(world, action)[0], seat)
        best = max(promise)
        equals = [action for action, promised in zip(choices, promise, strict=True) if promised == best]
        at, rng = rng.below(len(equals))
        return equals[at], rng


BOTS: Mapping[str, Bot] = MappingProxyType({"random": Random(), "greedy": Greedy()})
"""Every bot by the name people choose it by."""


def choices_of(game: Game[Any, Any], state: Any, seat: int) -> tuple[Action, ...]:
    """The legal actions of one seat. ValueError: it may not choose now."""
    choices = tuple(action for action in game.legal(state) if action.seat == seat)
    if not choices:
        raise ValueError(f"seat {seat} may not choose now")
    return choices


def worth(game: Game[Any, Any], state: Any, seat: int) -> float:
    """How well it goes for a seat, from 0 (lost) to 1 (won)."""
    outcome = game.outcome(state)
    if outcome is None:
        return game.worth(state, seat)
    return float(seat in outcome.winners)
