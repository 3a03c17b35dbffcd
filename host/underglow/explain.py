"""What did the hands do? From where tokens should stand and where the sensors feel some, to what was meant.

Pure and the same for every game: a position is matched against the transfers by which hands mean an action; the rules
are never played forward. This understands one token at a time, on sensors that cannot tell tokens apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from underglow.games.contract import Action, Transfer

Layout = Mapping[str, tuple[str, ...]]
"""Space to the tokens that stand there."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Everything stands where it should, as far as the sensors can tell."""


@dataclass(frozen=True, slots=True)
class InHand:
    """These tokens are off the board.

    Or one of them was set down where a token stands already, which no sensor can tell: `perhaps` are the actions that
    would mean.
    """

    tokens: tuple[str, ...]
    perhaps: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Did:
    """The hands have carried out this action."""

    action: Action


@dataclass(frozen=True, slots=True)
class Which:
    """The hands have carried out one of these, and only a person can say which."""

    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """No legal action looks like this: something stands on `extra`; `missing` are spaces without their tokens."""

    extra: tuple[str, ...]
    missing: tuple[tuple[str, tuple[str, ...]], ...]


Explanation = Settled | InHand | Did | Which | Repair


def explain(layout: Layout, legal: Iterable[Action], occupied: frozenset[str]) -> Explanation:
    """Say what was meant by a position, given the layout that should be there and the actions that are legal."""
    expected = _occupied(layout)
    if occupied == expected:
        return Settled()
    fitting = tuple(action for action in legal if action.hands and _occupied(after(layout, action.hands)) == occupied)
    if occupied < expected:
        lifted = tuple(token for space in layout if space not in occupied for token in layout[space])
        return InHand(lifted, fitting)
    if len(fitting) == 1:
        return Did(fitting[0])
    if fitting:
        return Which(fitting)
    return Repair(
        tuple(sorted(occupied - expected)),
        tuple((space, tokens) for space, tokens in layout.items() if tokens and space not in occupied),
    )


def after(layout: Layout, hands: Iterable[Transfer]) -> dict[str, tuple[str, ...]]:
    """The layout once hands have carried out these transfers."""
    result = dict(layout)
    for transfer in hands:
        if transfer.source is not None:
            left = list(result.get(transfer.source, ()))
            left.remove(transfer.token)
            result[transfer.source] = tuple(left)
        if transfer.target is not None:
            result[transfer.target] = (*result.get(transfer.target, ()), transfer.token)
    return result


def _occupied(layout: Layout) -> frozenset[str]:
    return frozenset(space for space, tokens in layout.items() if tokens)
