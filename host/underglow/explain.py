"""What did the hands do? From where tokens should stand and what the sensors feel, to what was meant.

Pure and the same for every game: a position is matched against the transfers by which hands mean an action; the rules
are never played forward, and there is no clock. A position tells little by itself: which of two lifted figures was set
down, whether a piece was put back or another came in its place, what way it went. `Seen` keeps what was seen before.

Theory of operation. What is felt too much must have been set down, what is missing must have been lifted. An action is
*done* if its spaces feel as they would after it and each of its transfers has been seen; *begun* if that may still come
true. What is done explains the position unless something else is too much; what else is missing is in hand.

A space may have parts ("c4.e2" of "c4", an edge of it), on which parts of tokens stand ("tile.head" of "tile"). What is
felt on a part of a space that an action ends on is a detail of that action, for the choice after it to explain; and
whoever feels the part of a token there has a sign of the token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from underglow.games.contract import Action, Transfer

Layout = Mapping[str, tuple[str, ...]]
"""Space to the tokens that stand there."""


class Felt(NamedTuple):
    """What is felt of one space: whether a magnet is there, and the tokens read by their tags, sorted."""

    magnet: bool
    tags: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether anything is felt."""
        return self.magnet or bool(self.tags)

    def less(self, other: Felt) -> Felt:
        """What is felt here and not there."""
        return Felt(self.magnet and not other.magnet, _less(self.tags, other.tags))

    def more(self, other: Felt) -> Felt:
        """What is felt here or there."""
        tags = tuple(sorted((Counter(self.tags) | Counter(other.tags)).elements())) if other.tags else self.tags
        return Felt(self.magnet or other.magnet, tags)


@dataclass(frozen=True, slots=True)
class Occupancy:
    """What the sensors feel: the spaces with a magnet, and the tokens that readers read by their tags, sorted."""

    magnets: frozenset[str]
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def spaces(self) -> frozenset[str]:
        """Where anything is felt at all."""
        return self.magnets.union(self.tags) if self.tags else self.magnets

    def at(self, space: str) -> Felt:
        """What is felt of one space."""
        return Felt(space in self.magnets, self.tags.get(space, ()))

    def __le__(self, other: Occupancy) -> bool:
        """True if the other has all that is here."""
        return not (self - other).spaces

    def __sub__(self, other: Occupancy) -> Occupancy:
        """What is here and not there."""
        tags = {
            space: left
            for space, tokens in self.tags.items()
            if tokens != (theirs := other.tags.get(space, ())) and (left := _less(tokens, theirs))
        }
        return Occupancy(self.magnets - other.magnets, tags)

    def __and__(self, other: Occupancy) -> Occupancy:
        """What is here and there."""
        return self - (self - other)

    def __or__(self, other: Occupancy) -> Occupancy:
        """What is here or there; of a token read by its tag, the more."""
        spaces = {*self.tags, *other.tags}
        return Occupancy(
            self.magnets | other.magnets, {space: self.at(space).more(other.at(space)).tags for space in spaces}
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


TIDY = Untidy()

Feel = Callable[[Layout], Occupancy]
"""What the sensors would feel of a layout, of every space by itself: a part of it feels like that part of the whole."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen before a position, since the last step.

    `came`: to spaces where something was set down since, the tokens that were in hand then; it is one of them, or was
    not felt to be lifted. Where nothing was in hand, it may have been felt on two spaces at once. `passed`: all such
    spaces in turn, also those it has left again, up to the last moment when nothing was in hand.
    """

    untidy: Untidy = TIDY
    last: Occupancy | None = None
    came: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    passed: tuple[tuple[str, frozenset[str]], ...] = ()

    def then(self, layout: Layout, occupancy: Occupancy, feel: Feel) -> Seen:
        """What was seen once this is felt, by the layout that should be there."""
        expected, untidy = feel(layout), self.untidy.seen(occupancy)
        if self.last is None or occupancy == expected:
            return Seen(untidy, occupancy)
        missing = expected - occupancy
        # From one position to the next a token may have been lifted and set down: before or after, it was in hand.
        hand = frozenset(_tokens(layout, missing)).union(_tokens(layout, expected - self.last))
        came = {space: tokens for space, tokens in self.came.items() if occupancy.at(space)}
        passed = self.passed if (occupancy - expected).spaces or missing.spaces else ()
        for space in sorted((occupancy - self.last).spaces):
            down = frozenset(token for tokens in came.values() if len(tokens) == 1 for token in tokens)
            held = hand - down or hand
            if expected.at(space) and held.issubset(layout.get(space, ())):
                continue  # put back
            came[space] = held
            passed = (*passed, (space, held))
        # What is back in its place is nowhere else.
        away = frozenset(_tokens(layout, missing)).union(*(layout.get(space, ()) for space in came))
        return Seen(untidy, occupancy, {space: tokens & away for space, tokens in came.items()}, passed)

    def stepped(self, before: Occupancy, now: Occupancy) -> Seen:
        """What was seen when a step has been taken, or taken back: see `Untidy.stepped`."""
        untidy = self.untidy.stepped(before, now)
        return Seen(untidy if self.last is None else untidy.seen(self.last), self.last)


UNSEEN = Seen()


@dataclass(frozen=True, slots=True)
class Settled:
    """Everything stands where it should, as far as the sensors can tell."""


@dataclass(frozen=True, slots=True)
class InHand:
    """These tokens are off the board.

    Or one of them was set down where no sensor can tell: `perhaps` are the actions that would mean. Or they belong to
    an action of several transfers, some of which are made: `begun` are those it can still become.
    """

    tokens: tuple[str, ...]
    perhaps: tuple[Action, ...] = ()
    begun: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Did:
    """The hands have carried out this action.

    `onward`: they may be about to go on, by sliding the token further or with what else belongs to a longer action.
    """

    action: Action
    onward: bool = False


@dataclass(frozen=True, slots=True)
class Which:
    """The hands have carried out one of these, and only a person can say which; `onward` as for `Did`."""

    actions: tuple[Action, ...]
    onward: bool = False


@dataclass(frozen=True, slots=True)
class Repair:
    """No legal action looks like this, and these are the fewest changes after which it is understood.

    Something stands on `extra`; `missing` are spaces without their tokens. `strays` are the transfers that hands seem
    to have made and must not: a token that is missing, or read by its tag, and the space it came to. `on_the_way`:
    hands may not be done yet; not so if all that is wrong is what actions changed by themselves. `perhaps` are actions
    that it would be if no token were the one that was in hand.
    """

    extra: tuple[str, ...]
    missing: tuple[tuple[str, tuple[str, ...]], ...]
    strays: tuple[Transfer, ...] = field(default=(), compare=False)
    on_the_way: bool = field(default=False, compare=False)
    perhaps: tuple[Action, ...] = field(default=(), compare=False)


Explanation = Settled | InHand | Did | Which | Repair


def explain(
    layout: Layout, legal: Iterable[Action], occupancy: Occupancy, feel: Feel, history: Seen = UNSEEN
) -> Explanation:
    """Say what was meant by a position, given the layout that should be there and the actions that are legal."""
    expected = feel(layout)
    if occupancy == expected:
        return Settled()
    look = _Look(layout, expected, occupancy, feel, history)
    fits = [fit for action in legal if (fit := look.at(action))]
    if whole := [fit for fit in fits if fit.done and not fit.left]:
        fewest = min(len(fit.hand) for fit in whole)
        best = _by_way(look.by_part([fit for fit in whole if len(fit.hand) == fewest]), history)
        onward = any(not (fit.done or fit.perhaps or fit.left) for fit in fits)
        onward = onward or any(transfer.onward for fit in best for transfer in fit.action.hands)
        actions = tuple(fit.action for fit in best)
        return Did(actions[0], onward) if len(actions) == 1 else Which(actions, onward)
    if begun := [fit for fit in fits if not (fit.perhaps or fit.left)]:
        tokens = _tokens(layout, look.missing, begun[0].hand)
        return InHand(tokens, begun=tuple(fit.action for fit in begun))
    perhaps = tuple(fit.action for fit in fits if fit.perhaps and not fit.left and not fit.hand)
    if not look.extra.spaces and look.missing.spaces:
        return InHand(_tokens(layout, look.missing), perhaps)
    if not (occupancy - expected).spaces:
        return InHand(_tokens(layout, expected - occupancy), perhaps)
    return look.repair(fits)


def compare(layout: Layout, occupancy: Occupancy, feel: Feel) -> Settled | Repair:
    """Say what is not as in the layout, whatever hands may mean by it: while a game is laid out, or put away."""
    expected = feel(layout)
    if occupancy == expected:
        return Settled()
    return _Look(layout, expected, occupancy, feel, UNSEEN).repair(())


def unfelt(layout: Layout, action: Action, feel: Feel) -> bool:
    """Whether no sensor can tell that the action is carried out, so that somebody has to say so."""
    part = {space: layout.get(space, ()) for space in _spaces(action.hands)}
    return feel(part) == feel(after(part, action.hands))


def stands(layout: Layout, action: Action, occupancy: Occupancy, feel: Feel) -> bool:
    """Whether the spaces of an action feel as they would after it, whatever is felt elsewhere."""
    spaces = _spaces(action.hands)
    want = feel(after({space: layout.get(space, ()) for space in spaces}, action.hands))
    return all(occupancy.at(space) == want.at(space) for space in spaces)


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


class _Fit(NamedTuple):
    """How a position looks like an action.

    `done` by all signs; `perhaps`: as if done, but a transfer left no sign. Spaces with something too much that it does
    not account for are `left`, but for parts of those it ends on; those with something missing are in `hand`.
    """

    action: Action
    done: bool
    perhaps: bool
    left: frozenset[str]
    hand: frozenset[str]


class _Look:
    """A look at one position: `extra` is too much and `missing` is not there, but for what is merely untidy."""

    def __init__(self, layout: Layout, expected: Occupancy, occupancy: Occupancy, feel: Feel, seen: Seen) -> None:
        self._layout = layout
        self._expected = expected
        self._occupancy = occupancy
        self._feel = feel
        self._untidy = seen.untidy.seen(occupancy)
        self._came = seen.came
        self._known: dict[tuple[str, tuple[str, ...]], Felt] = {}  # of a space and the tokens on it
        self.extra = occupancy - expected - self._untidy.stale
        self.missing = expected - occupancy - self._untidy.due
        self._extra, self._missing = self.extra.spaces, self.missing.spaces
        self._changed = self._extra | self._missing | seen.came.keys()
        self._parts: dict[str, set[str]] = {}  # by space, those of its parts where something is too much
        for place in self._extra:
            space, dot, _ = place.partition(".")
            if dot:
                self._parts.setdefault(space, set()).add(place)
        self._changed |= self._parts.keys()

    def at(self, action: Action) -> _Fit | None:
        """How the position looks like an action; None: not at all."""
        changed = self._changed
        for transfer in action.hands:  # what has left no sign anywhere is passed over at once: most actions
            if transfer.source in changed or transfer.target in changed:
                break
        else:
            return None
        want = self._want(action.hands)
        targets = {transfer.target for transfer in action.hands}
        same, lifted = True, self._missing.difference(want)
        for space, wanted in want.items():
            now = self._occupancy.at(space)
            if now == wanted:
                continue
            too_much = now.less(wanted).less(self._untidy.stale.at(space))
            if too_much.less(self._expected.at(space)):
                return None
            if wanted.less(now).less(self._untidy.due.at(space)):
                same = same and space not in targets
                lifted |= {space}  # from a stack, along with what was carried
            same = same and not too_much
        sources = {transfer.source for transfer in action.hands}
        signs = self._signs(action.hands, want, sources)
        if None in signs or not (same or any(signs)):
            return None
        # Off the board is in hand, and no sign by itself.
        off = [transfer.source for transfer in action.hands if transfer.target is None]
        seen = bool(signs) and all(signs) and all(source in changed for source in off)
        left = self._extra.difference(want)
        if self._parts:
            left = left.difference(*(self._parts.get(str(target), ()) for target in targets))
        return _Fit(action, same and seen, same and not seen, left, lifted)

    def _want(self, hands: Iterable[Transfer]) -> dict[str, Felt]:
        """What would be felt of each space that these transfers begin or end on."""
        wanted: dict[str, Felt] = {}
        layout = self._layout
        part = {space: layout.get(space, ()) for space in _spaces(hands)}
        for place in after(part, hands).items():
            if (felt := self._known.get(place)) is None:
                felt = self._known[place] = self._feel(dict((place,))).at(place[0])
            wanted[place[0]] = felt
        return wanted

    def _signs(
        self, hands: Iterable[Transfer], want: Mapping[str, Felt], sources: Container[str | None]
    ) -> list[bool | None]:
        """The sign of each transfer that ends on the board.

        Equal tokens on parts of one space are one piece, as the heads of a tile are: one that is read there speaks for
        those where no sensor is.
        """
        signs = [(t.token, t.target, self._sign(t, want, sources)) for t in hands if t.target is not None]
        pieces = {(token, target.partition(".")[0]) for token, target, sign in signs if sign and "." in target}

        def spoken_for(token: str, target: str) -> bool:
            return not want[target] and (token, target.partition(".")[0]) in pieces

        return [True if sign is False and spoken_for(token, target) else sign for token, target, sign in signs]

    def _sign(self, transfer: Transfer, want: Mapping[str, Felt], sources: Container[str | None]) -> bool | None:
        """Whether a token has been seen to come to a transfer's target; None: something else has.

        Where another was lifted, that has been put back unless it is one of those carried away, from `sources`.
        """
        token, source, target = transfer.token, transfer.source, str(transfer.target)
        if target in self._parts and (sign := self._sign_of_part(transfer)) is not None:
            return sign
        came = () if token in self.extra.tags.get(target, ()) else self._came.get(target)  # whose tag is read is known
        if source is not None and (lift := self._expected.at(source).less(want[source])):
            if source not in self._came and not lift.less(self._occupancy.at(source)):
                return False
            if came and token not in came:
                return None
        elif came and token not in came:
            return False  # it left no sign where it was, and something else was in hand
        return target in self._extra or (target in sources and token in (came or ()))

    def _sign_of_part(self, transfer: Transfer) -> bool | None:
        """Whether a part of a token has been seen to come to a part of its target; None: that tells nothing."""
        part_of = f"{transfer.token}."
        for place in self._parts[str(transfer.target)]:
            known = self.extra.tags.get(place) or self._came.get(place, ())
            if any(token.startswith(part_of) for token in known):
                return True
            if not known and transfer.source is None:  # a magnet that nobody saw lifted
                return True
        return None

    def by_part(self, fits: Sequence[_Fit]) -> Sequence[_Fit]:
        """Of actions alike, those whose token is read by the tag of a part of it; if any are."""
        if len(fits) == 1 or not self._parts:
            return fits
        return [fit for fit in fits if any(self._read_by_part(transfer) for transfer in fit.action.hands)] or fits

    def _read_by_part(self, transfer: Transfer) -> bool:
        places = self._parts.get(str(transfer.target), ())
        read = (token for place in places for token in self.extra.tags.get(place, ()))
        return any(token.startswith(f"{transfer.token}.") for token in read)

    def repair(self, fits: Sequence[_Fit]) -> Repair:
        """The fewest changes to a position that can be understood: that of the layout, or of an action done."""
        extra, missing = self._occupancy - self._expected, self._expected - self._occupancy
        done = [fit for fit in fits if fit.done]
        nearest = min(done, key=lambda fit: len(fit.left) + len(fit.hand), default=None)
        if nearest is None or len(nearest.left) + len(nearest.hand) >= len(self._extra) + len(self._missing):
            ours, back = extra.spaces, missing.spaces
        else:
            spaces = _spaces(nearest.action.hands)
            ours = extra.spaces.difference(spaces, self._extra) | nearest.left
            back = missing.spaces.difference(spaces)
        gone = [(space, _tokens(self._layout, missing, (space,))) for space in self._layout if space in back]
        perhaps = tuple(fit.action for fit in fits if fit.perhaps and not fit.left)
        return Repair(tuple(sorted(ours)), tuple(gone), tuple(self._strays(ours)), bool(self._extra), perhaps)

    def _strays(self, spaces: frozenset[str]) -> Iterable[Transfer]:
        """What came to these spaces, as far as it is known."""
        homes = {token: space for space in self._missing for token in self._layout[space]}
        for space in sorted(spaces & self._extra):
            read = self.extra.tags.get(space, ())
            came = read or tuple(self._came.get(space, homes))
            if len(came) == 1:
                yield Transfer(came[0], homes.get(came[0]), space)


def _by_way(fits: Sequence[_Fit], history: Seen) -> Sequence[_Fit]:
    """Of actions alike but for the way, those that go where the token was felt on its way; if any do."""
    if len(fits) == 1 or not history.passed:
        return fits
    chosen = [fit for fit in fits if all(_passes(transfer, history) for transfer in fit.action.hands)]
    return chosen or fits


def _passes(transfer: Transfer, history: Seen) -> bool:
    way = {*transfer.via, transfer.source, transfer.target}
    return all(space in way for space, tokens in history.passed if transfer.token in tokens)


def _spaces(hands: Iterable[Transfer]) -> tuple[str, ...]:
    """The spaces that transfers begin or end on."""
    ends = (end for transfer in hands for end in (transfer.source, transfer.target) if end is not None)
    return tuple(dict.fromkeys(ends))


def _tokens(layout: Layout, missing: Occupancy, spaces: Iterable[str] | None = None) -> tuple[str, ...]:
    """The tokens that are not felt where they should be, in the order of the layout; only of these spaces if given."""
    there = missing.spaces if spaces is None else missing.spaces.intersection(spaces)
    if not there:
        return ()
    found: list[str] = []
    for space, tokens in layout.items():
        if space in there:
            found += tokens if space in missing.magnets else missing.tags[space]
    return tuple(found)


def _less(tokens: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens that are not among the others, each counted as often as it is there."""
    if not tokens or not others:
        return tokens
    return tuple((Counter(tokens) - Counter(others)).elements())
