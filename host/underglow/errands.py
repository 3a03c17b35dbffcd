"""What hands have still to do after the game: tokens that it moved, from where they stand to where they belong.

Pure, like `explain`, and the other half of it: that says what hands meant, this leads them. A sensor feels that a space
is taken, seldom by what. So where hands have left each token is followed from step to step; by it a token that was
moved twice has one errand, to the last place, and of two of which one makes room for the other, that one goes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from underglow.explain import Feel, Layout, Occupancy, after
from underglow.games.contract import Transfer

_FEW = 6
"""Of so many errands that left a sign any may be done at a time; of more, any two."""


def errands(stood: Layout, layout: Layout, feel: Feel) -> tuple[Transfer, ...]:
    """What is to be carried from where tokens stood to where they belong, in the order to do it.

    What is seen when it is done comes before what is not; where nothing of it ever will be, nothing is said.
    """
    if stood is layout:  # as after every move that nothing followed
        return ()
    todo = list(_differences(stood, layout))
    seen = [errand for errand in todo if _seen(stood, errand, feel)]
    if not seen and feel(stood) == feel(layout):
        return ()
    todo.sort(key=lambda errand: errand not in seen)
    ordered: list[Transfer] = []
    while todo:
        taken = {errand.source for errand in todo} - {None}
        free = (errand for errand in todo if errand.target not in taken)
        ordered.append(next(free, todo[0]))  # in a ring any is the first
        todo.remove(ordered[-1])
    return tuple(ordered)


def carry(stood: Layout, hands: Iterable[Transfer]) -> Layout:
    """Where tokens stand once hands have carried these: each from where it stood, be it not where it belonged."""
    for transfer in hands:
        spaces = [space for space, here in stood.items() if transfer.token in here]
        source = transfer.source if transfer.source in spaces else next(iter(spaces), None)
        if transfer.source is None:
            source = None
        stood = after(stood, [Transfer(transfer.token, source, transfer.target)])
    return stood


def follow(stood: Layout, layout: Layout, occupancy: Occupancy, feel: Feel) -> Layout:
    """Where tokens stand now that this is felt: the fewest errands are done by which the rest stands or is in hand."""
    todo, before = errands(stood, layout, feel), feel(stood)
    changed = (occupancy - before).spaces | (before - occupancy).spaces
    signs = [errand for errand in todo if errand.source in changed or errand.target in changed]
    for many in range((len(signs) if len(signs) <= _FEW else 2) + 1):
        for some in combinations(signs, many):
            done, rest = after(stood, some), [errand for errand in todo if errand not in some]
            if in_hand(done, rest, occupancy, feel) is not None:
                return done if some else stood
    return stood


def lead(stood: Layout, layout: Layout, occupancy: Occupancy, feel: Feel) -> tuple[tuple[str, ...], list[Transfer]]:
    """The tokens to be carried that are in hand, and what is to be done about all, in order; none if more is wrong.

    What is in hand comes first, unless nobody will see it set down.
    """
    todo = errands(stood, layout, feel)
    held = in_hand(stood, todo, occupancy, feel) if todo else None
    if held is None:
        return (), []

    def late(errand: Transfer) -> int:
        if errand.token not in held:
            return 1
        set_down = feel(after({}, [Transfer(errand.token, None, errand.target)]))
        return 2 if set_down <= occupancy else 0

    return held, sorted(todo, key=late)


def in_hand(stood: Layout, todo: Sequence[Transfer], occupancy: Occupancy, feel: Feel) -> tuple[str, ...] | None:
    """Which of the tokens to be carried somewhere are in hand; None: something else is not as it stood."""
    before = feel(stood)
    if (occupancy - before).spaces:
        return None
    lifted: list[str] = []
    missing = before - occupancy
    for space in missing.spaces:
        here = [errand.token for errand in todo if errand.source == space and errand.target]
        if not here or not set(missing.tags.get(space, ())).issubset(here):
            return None
        lifted += here if space in missing.magnets else missing.tags[space]
    return tuple(lifted)


def _differences(stood: Layout, layout: Layout) -> Iterable[Transfer]:
    """Each token that stands elsewhere than it belongs: equal ones go the shortest way, by name."""
    have = Counter((token, space) for space, here in stood.items() for token in here)
    want = Counter((token, space) for space, here in layout.items() for token in here)
    away, home = list((have - want).elements()), list((want - have).elements())
    for token in dict.fromkeys(token for token, _ in (*away, *home)):
        sources: list[str | None] = [space for name, space in away if name == token]
        targets: list[str | None] = [space for name, space in home if name == token]
        few = max(len(sources), len(targets))
        sources += [None] * (few - len(sources))
        targets += [None] * (few - len(targets))
        for source, target in zip(sources, targets, strict=True):
            yield Transfer(token, source, target)


def _seen(stood: Layout, errand: Transfer, feel: Feel) -> bool:
    """Whether sensors can tell that an errand is done, whatever else is."""
    part = {space: stood.get(space, ()) for space in (errand.source, errand.target) if space}
    return feel(part) != feel(after(part, [errand]))
