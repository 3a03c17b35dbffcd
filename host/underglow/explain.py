"""What did the hands do? From where tokens should stand and what the sensors feel, to what was meant.

Pure and the same for every game: a position is matched against the transfers by which hands mean an action; the rules
are never played forward. This understands one token at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from underglow.games.contract import Action, Transfer

Layout = Mapping[str, tuple[str, ...]]
"""Space to the tokens that stand there."""


@dataclass(frozen=True, slots=True)
class Occupancy:
    """What the sensors feel: the spaces with a magnet, and the tokens that readers read by their tags, sorted."""

    magnets: frozenset[str]
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def spaces(self) -> frozenset[str]:
        """Where anything is felt at all."""
        return self.magnets.union(self.tags)

    def __le__(self, other: Occupancy) -> bool:
        """True if the other has all that is here."""
        return not (self - other).spaces

    def __sub__(self, other: Occupancy) -> Occupancy:
        """What is here and not there."""
        tags = {space: _less(tokens, other.tags.get(space, ())) for space, tokens in self.tags.items()}
        return Occupancy(self.magnets - other.magnets, {space: left for space, left in tags.items() if left})

    def __and__(self, other: Occupancy) -> Occupancy:
        """What is here and there."""
        return self - (self - other)

    def __or__(self, other: Occupancy) -> Occupancy:
        """What is here or there; of a token read by its tag, the more."""
        both = {
            space: Counter(self.tags.get(space, ())) | Counter(other.tags.get(space, ()))
            for space in {*self.tags, *other.tags}
        }
        return Occupancy(
            self.magnets | other.magnets, {space: tuple(sorted(more.elements())) for space, more in both.items()}
        )


NOTHING = Occupancy(frozenset())


@dataclass(frozen=True, slots=True)
class Untidy:
    """What actions changed by themselves, and hands have not yet: no sign of the next action.

    `stale` is still to be taken away, `due` still to be set down.
    """

    stale: Occupancy = NOTHING
    due: Occupancy = NOTHING

    def stepped(self, before: Occupancy, now: Occupancy) -> Untidy:
        """What is untidy after one more action, by what should be felt once hands have done it, and what now."""
        return Untidy((self.stale | before) - now, (self.due | (now - before)) & now)

    def seen(self, occupancy: Occupancy) -> Untidy:
        """What of it is still untidy."""
        return Untidy(self.stale & occupancy, self.due - occupancy)

    def explains(self, extra: Occupancy, missing: Occupancy) -> bool:
        """Whether nothing else is too much or missing."""
        return extra <= self.stale and missing <= self.due


TIDY = Untidy()

Feel = Callable[[Layout], Occupancy]
"""What the sensors would feel of a layout."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Everything stands where it should, as far as the sensors can tell."""


@dataclass(frozen=True, slots=True)
class InHand:
    """These tokens are off the board.

    Or one of them was set down where no sensor can tell: `perhaps` are the actions that would mean.
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


def explain(
    layout: Layout, legal: Iterable[Action], occupancy: Occupancy, feel: Feel, untidy: Untidy = TIDY
) -> Explanation:
    """Say what was meant by a position, given the layout that should be there and the actions that are legal."""
    expected = feel(layout)
    if occupancy == expected:
        return Settled()
    fitting = tuple(action for action in legal if action.hands and feel(after(layout, action.hands)) == occupancy)
    missing = tuple(
        (space, gone) for space, tokens in layout.items() if (gone := _gone(space, tokens, expected, occupancy))
    )
    extra = occupancy - expected
    if not extra.spaces:
        return InHand(tuple(token for _, tokens in missing for token in tokens), fitting)
    if fitting and not untidy.explains(extra, expected - occupancy):
        return Did(fitting[0]) if len(fitting) == 1 else Which(fitting)
    return Repair(tuple(sorted(extra.spaces)), missing)


def after(layout: Layout, hands: Iterable[Transfer]) -> dict[str, tuple[str, ...]]:
    """The layout once hands have carried out these transfers. ValueError: a token is not where they take it from."""
    result = dict(layout)
    for transfer in hands:
        if transfer.source is not None:
            left = list(result.get(transfer.source, ()))
            left.remove(transfer.token)
            result[transfer.source] = tuple(left)
        if transfer.target is not None:
            result[transfer.target] = (*result.get(transfer.target, ()), transfer.token)
    return result


def _gone(space: str, tokens: tuple[str, ...], expected: Occupancy, occupancy: Occupancy) -> tuple[str, ...]:
    """The tokens that should stand on a space and are not felt there."""
    if space in expected.magnets and space not in occupancy.magnets:
        return tokens
    return _less(expected.tags.get(space, ()), occupancy.tags.get(space, ()))


def _less(tokens: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens that are not among the others, each counted as often as it is there."""
    return tuple((Counter(tokens) - Counter(others)).elements())
