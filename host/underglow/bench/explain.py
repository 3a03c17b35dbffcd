"""How fast a position is explained: a crowded board of 64 spaces, hundreds of legal actions, hands that do anything.

Every change that hands make is one position: it is noted in what was seen, and explained. That is timed together, with
what the sensors would feel asked of a real set-up, by the processor's time it uses.
"""

from __future__ import annotations

import gc
import json
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise

from rich.console import Console
from rich.table import Table

from underglow.bench.latency import Spread
from underglow.explain import UNSEEN, Layout, Occupancy, after, explain
from underglow.games.contract import Action, Token, Transfer
from underglow.languages import Text
from underglow.set_up import SetUp

_SIDE = 8
_TOKENS = 44
_MOVERS = 12
_READERS = 16
_CHANGES = 12
"""What hands change before everything is back in its place."""

_SPACES = tuple(f"{column}{row}" for column in "abcdefgh" for row in range(1, _SIDE + 1))


@dataclass(frozen=True, slots=True)
class Figures:
    """What `underglow bench explain` prints: what was explained, and how long it took."""

    spaces: int
    tokens: int
    legal: int
    ms: Spread
    kinds: dict[str, int]


def measure(positions: int) -> Figures:
    """Explain that many positions, some 0.3 ms each."""
    chance = random.Random(1)  # noqa: S311 - no secrets
    taken_ms: list[float] = []
    kinds: dict[str, int] = {}
    legal_most = 0
    while len(taken_ms) < positions:
        tokens, layout, set_up = _crowd(chance)
        legal = _legal(chance, layout)
        legal_most = max(legal_most, len(legal))
        feel = partial(set_up.felt, tokens=tokens, readers=frozenset(_SPACES[:_READERS]))
        seen = UNSEEN.then(layout, feel(layout), feel)
        gc.collect()
        for occupancy in _positions(chance, layout, legal, set_up, tokens):
            start_ns = time.process_time_ns()
            seen = seen.then(layout, occupancy, feel)
            said = explain(layout, legal, occupancy, feel, seen)
            taken_ms.append((time.process_time_ns() - start_ns) / 1e6)
            kind = type(said).__name__
            kinds[kind] = kinds.get(kind, 0) + 1
    return Figures(len(_SPACES), _TOKENS, legal_most, Spread.of(taken_ms), dict(sorted(kinds.items())))


def _crowd(chance: random.Random) -> tuple[dict[str, Token], Layout, SetUp]:
    """Tokens all over the board, some of them two in a space, all with magnets, and every other one with a tag."""
    names = [f"t{number}" for number in range(_TOKENS)]
    where: dict[str, tuple[str, ...]] = {}
    for name in names:
        space = chance.choice(_SPACES)
        where[space] = (*where.get(space, ()), name)
    tags = {bytes((4, number, 0, 0)): name for number, name in enumerate(names[::2])}
    kinds = frozenset({"piece"})
    return {name: Token("piece", Text(name)) for name in names}, where, SetUp(kinds, kinds, tags)


def _legal(chance: random.Random, layout: Layout) -> list[Action]:
    """Moves of some tokens by a shortest way to everything near, and every fourth of them to take what stands there."""
    at = {token: space for space, here in layout.items() for token in here}
    legal: list[Action] = []
    for token in chance.sample(sorted(at), _MOVERS):
        for way in _ways(at[token], 4):
            hands = [Transfer(token, way[0], way[-1], way[1:-1], onward=len(way) < 5)]
            if (there := layout.get(way[-1])) and chance.random() < 0.25:
                hands.append(Transfer(there[0], way[-1], None))
            legal.append(Action(0, "move", way, tuple(hands)))
    return legal


def _ways(start: str, reach: int) -> Iterator[tuple[str, ...]]:
    reached, edge = {start}, [(start,)]
    for _ in range(reach):
        further: list[tuple[str, ...]] = []
        for way in edge:
            for space in _beside(way[-1]):
                if space not in reached:
                    reached.add(space)
                    further.append((*way, space))
        yield from further
        edge = further


def _beside(space: str) -> Iterator[str]:
    column, row = ord(space[0]), int(space[1:])
    for over, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if f"{chr(column + over)}{row + up}" in _SPACES:
            yield f"{chr(column + over)}{row + up}"


def _positions(
    chance: random.Random, layout: Layout, legal: list[Action], set_up: SetUp, tokens: dict[str, Token]
) -> Iterator[Occupancy]:
    """What is felt while one or two tokens are lifted, slid and set down anywhere, then all put back."""
    feel = partial(set_up.felt, tokens=tokens, readers=frozenset(_SPACES[:_READERS]))
    at = {token: space for space, here in layout.items() for token in here}
    for _ in range(_CHANGES):
        action = chance.choice(legal)
        carried = [*action.hands]
        if chance.random() < 0.3:
            other = chance.choice(sorted(at))
            carried.append(Transfer(other, at[other], chance.choice(_SPACES)))
        steps: list[Transfer] = []
        for transfer in {transfer.token: transfer for transfer in carried}.values():
            stops = [transfer.source, *transfer.via, transfer.target]
            if chance.random() < 0.5:
                stops = [transfer.source, None, transfer.target]
            steps += [Transfer(transfer.token, one, other) for one, other in pairwise(stops) if one != other]
        now = layout
        for step in steps:
            now = after(now, (step,))
            yield feel(now)
        yield feel(layout)


def show(figures: Figures, as_json: bool) -> None:
    """Print figures: a table, or one JSON object."""
    if as_json:
        print(json.dumps(asdict(figures)))  # noqa: T201
        return
    title = f"{figures.spaces} spaces, {figures.tokens} tokens, up to {figures.legal} legal actions"
    grid = Table("positions", "p50 ms", "p95 ms", "p99 ms", "max ms", title=title)
    spread = figures.ms
    grid.add_row(str(spread.n), *(f"{value:.2f}" for value in (spread.p50, spread.p95, spread.p99, spread.max)))
    Console().print(grid)
