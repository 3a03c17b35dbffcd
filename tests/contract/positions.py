"""Positions of every game and scenario there is: whole games, played so that rare choices are not rare."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeAlias, cast

from underglow import games
from underglow.bots import Greedy
from underglow.games.contract import Action, Event, Game
from underglow.rng import Rng

SEEDS = 12
"""Games walked through at random for every number of seats."""

LIFTED = 12
"""Tokens that are lifted one by one in a single position, at most."""

ENDLESS = 20_000
"""Steps within which a walk comes to its end."""

Chooser: TypeAlias = Callable[[Game[Any, Any], Any, tuple[Action, ...], Rng], tuple[Action, Rng]]
"""Takes game, state, legal actions and a generator."""


@dataclass(frozen=True)
class Step:
    """One step of a game."""

    before: Any
    action: Action
    after: Any
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Subject:
    """A scenario, and the game whose rules it is played by."""

    game_name: str
    name: str

    @cached_property
    def game(self) -> Game[Any, Any]:
        return games.load(self.game_name)

    @cached_property
    def scenario(self) -> Any:
        return self.game.load(games.scenario_path(self.game_name, self.name))

    @cached_property
    def walks(self) -> tuple[tuple[Step, ...], ...]:
        """Whole games: many at random, and some played well, for what comes late in a game."""
        seats = self.scenario.seats
        games = [self._walk(few, Rng(seed), _each_verb_as_often) for few in seats for seed in range(SEEDS)]
        games += [self._walk(few, Rng(0), _greedily) for few in sorted({seats[0], seats[-1]})]
        return tuple(tuple(game) for game in games)

    def deals(self) -> list[Any]:
        """A state before the first choice, for every number of seats."""
        return [self.game.setup(self.scenario, seats, Rng(1)) for seats in self.scenario.seats]

    def steps(self, of_a_kind: int) -> list[Step]:
        """As many steps of every verb and of every kind of event, from all over the games, and the last of each."""
        kinds: dict[tuple[str, str], list[Step]] = defaultdict(list)
        for walk in self.walks:
            for step in walk:
                kinds["verb", step.action.verb].append(step)
                for event in step.events:
                    kinds["event", event.kind].append(step)
        chosen = {id(walk[-1]): walk[-1] for walk in self.walks}
        for found in kinds.values():
            stride = max(1, len(found) // of_a_kind)
            chosen |= {id(step): step for step in found[::stride][:of_a_kind]}
        return list(chosen.values())

    def states(self, of_a_kind: int) -> list[Any]:
        """The states before those steps, and the last of each game."""
        return [step.before for step in self.steps(of_a_kind)] + [walk[-1].after for walk in self.walks]

    @cached_property
    def actions(self) -> list[Action]:
        """Actions of all kinds that were legal once."""
        return sorted({step.action for step in self.steps(60)}, key=repr)

    def _walk(self, seats: int, rng: Rng, choose: Chooser) -> Iterator[Step]:
        state, choices = self.game.setup(self.scenario, seats, rng), Rng(rng.seed + 1000)
        for _ in range(ENDLESS):
            if not (legal := self.game.legal(state)):
                return
            action, choices = choose(self.game, state, legal, choices)
            after, events = self.game.step(state, action)
            yield Step(state, action, after, events)
            state = after
        raise AssertionError(f"{self.name} with {seats} seats, seed {rng.seed}, does not end")


def _each_verb_as_often(game: Game[Any, Any], state: Any, legal: tuple[Action, ...], rng: Rng) -> tuple[Action, Rng]:
    """What is seldom offered is then often taken."""
    verbs: dict[str, list[Action]] = defaultdict(list)
    for action in legal:
        verbs[action.verb].append(action)
    at, rng = rng.below(len(verbs))
    offered = list(verbs.values())[at]
    at, rng = rng.below(len(offered))
    return offered[at], rng


def _greedily(game: Game[Any, Any], state: Any, legal: tuple[Action, ...], rng: Rng) -> tuple[Action, Rng]:
    return Greedy(worlds=1).choose(game, state, legal[0].seat, rng)


@cache
def subjects() -> tuple[Subject, ...]:
    """Every scenario of every game, found by listing."""
    return tuple(Subject(game, name) for game in games.names() for name in games.scenarios(game))


def seats_of(subject: Subject, state: Any) -> tuple[int | None, ...]:
    """The public, and every seat of a state."""
    rows = cast("list[dict[str, int]]", subject.game.view(state, None)["seats"])
    return (None, *sorted({row.get("seat", number) for number, row in enumerate(rows)}))


def text_form(state: Any) -> Any:
    """The class of a state, whose `from_json` reads what `to_json` wrote."""
    return cast("Any", type(state))


def canonical(value: object) -> str:
    """A JSON value as its one text."""
    return json.dumps(value, sort_keys=True)


def standing(layout: Mapping[str, tuple[str, ...]]) -> Counter[tuple[str, str]]:
    """How many of each token stand on each space: equal cards are one token."""
    return Counter((token, space) for space, here in layout.items() for token in here)


def liftings(layout: Mapping[str, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Nothing in hand, tokens by themselves (of many, other ones in other layouts), and everything."""
    tokens = sorted({token for here in layout.values() for token in here})
    stride = -(-len(tokens) // LIFTED) or 1
    return [(), *((token,) for token in tokens[sum(map(len, layout.values())) % stride :: stride]), tuple(tokens)]
