"""Who watches the hands: keeps what was seen, waits a moment where they may go on, and changes its mind.

`explain` says what a position means; the witness says when that is to be believed. A figure is put down where it could
be slid on: it waits. A token is felt where it must not be: it may be on its way. What is felt makes no sense now, but
would have before the last step: hands meant something else, and the step is to be taken back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any

from underglow import errands
from underglow.explain import (
    UNSEEN,
    Did,
    Explanation,
    Feel,
    InHand,
    Layout,
    Occupancy,
    Repair,
    Seen,
    Settled,
    Which,
    after,
    compare,
    explain,
    stands,
    unfelt,
)
from underglow.games.contract import Action, Transfer

ONWARD_S = 0.25
"""A token that could be slid on is waited for so long."""
WRONG_S = 0.15
"""So long is a token on its way not called misplaced."""
PAUSE_S = 0.06
"""Where a token rests longer it has stopped, and has not just been slid past."""

REMEMBERED = 8
"""So many steps can be taken back by hand, one after the other."""


@dataclass(frozen=True)
class Moment:
    """A moment of a game as a board sees it.

    `layout` is what should stand where, `feel` what sensors feel of that and of what becomes of it by hand, and `legal`
    the actions by what hands on this board have to do for them. When the game is `over`, nothing is to be put right.
    """

    state: Any
    layout: Layout
    feel: Feel
    legal: Mapping[Action, Action]
    over: bool = False

    @cached_property
    def unfelt(self) -> tuple[Action, ...]:
        """The legal actions that somebody has to say: no hand can do them, or no sensor can tell that it did."""
        return tuple(
            legal for seen, legal in self.legal.items() if not seen.hands or unfelt(self.layout, seen, self.feel)
        )

    def movable(self, tokens: tuple[str, ...]) -> bool:
        """Whether hands may now carry one of these tokens from where it stands."""
        return any(t.source is not None and t.token in tokens for action in self.legal for t in action.hands)


@dataclass(frozen=True, slots=True)
class Take:
    """A legal action is to be taken: hands have made it."""

    action: Action


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last step is to be taken back: hands meant another, or put back what they had moved."""


@dataclass(frozen=True, slots=True)
class _Held:
    """An explanation that is not believed before `until_s`: hands may be on their way past it."""

    said: Explanation
    occupancy: Occupancy | None
    since_s: float
    until_s: float

    @property
    def action(self) -> Action | None:
        """The one action it is about, if it is."""
        return self.said.action if isinstance(self.said, Did) else None


class Witness:
    """Watches hands on one board. `ahead` is the moment after an action, which is not taken."""

    def __init__(self, ahead: Callable[[Moment, Action], Moment], now_s: Callable[[], float]) -> None:
        self._ahead = ahead
        self._now_s = now_s
        self._occupancy: Occupancy | None = None  # None: not heard yet
        self._seen = UNSEEN
        # Steps that hands made and may still mean otherwise, each with the moment before it and what was seen since.
        self._acted: deque[tuple[Action, Moment, Seen]] = deque(maxlen=REMEMBERED)
        self._held: _Held | None = None
        self._passed: Action | None = None  # what a token would have done, had it stayed where it rested on its way
        self._end: Occupancy | None = None  # what was felt when the game ended
        self._stood: Layout = {}  # where hands have left the tokens, as far as known
        self._sent: frozenset[str] = frozenset()  # tokens that somebody said where to carry: that comes before going on
        #: Whether everything has stood in its place once.
        self.laid = False
        #: What is to be shown; None before anything was heard of the board.
        self.understood: Explanation | None = None
        #: What hands have still to do after the game, in order, if nothing else is wrong.
        self.lead: tuple[Transfer, ...] = ()

    @property
    def due_s(self) -> float:
        """When to look again though nothing was felt."""
        return self._held.until_s if self._held else inf

    @property
    def putting_away(self) -> bool:
        """Whether the game is over and somebody has begun to clear the board."""
        return self._end is not None and isinstance(self.understood, Repair)

    @property
    def put_back(self) -> Action | None:
        """The action that hands have made if they did not take the last step back: somebody has to say which."""
        match self.understood:
            case Which((action,)):
                return action
            case _:
                return None

    @property
    def supposed(self) -> Action | None:
        """The action that is about to be believed."""
        return self._held.action if self._held else None

    @property
    def resting(self) -> Explanation | None:
        """What it is that is waited for, or what more belongs to an action begun."""
        return self._held.said if self._held else self.understood

    def asking(self, tokens: tuple[str, ...], moment: Moment) -> Any:
        """The state that says what may be done with tokens in hand: if a step was made with them, that before it."""
        if self._acted and tokens and not moment.movable(tokens):
            before = self._acted[-1][1]
            return before.state if before.movable(tokens) else moment.state
        return moment.state

    def awaited(self, moment: Moment) -> frozenset[str]:
        """The tokens that hands have still to carry to where the game moved them."""
        return frozenset(errand.token for errand in errands.errands(self._stood, moment.layout, moment.feel))

    def feels(self, occupancy: Occupancy, moment: Moment) -> None:
        """Take note of what is felt now."""
        self._occupancy = occupancy
        if self.laid:
            self._stood = errands.follow(self._stood, moment.layout, occupancy, moment.feel)
        self._seen = self._seen.then(moment.layout, occupancy, moment.feel)
        for number in self._open():
            action, before, seen = self._acted[number]
            self._acted[number] = action, before, seen.then(before.layout, occupancy, before.feel)

    def look(self, moment: Moment) -> Take | TakeBack | None:
        """Say what is to be done about the game; None: nothing but to show what is `understood`."""
        occupancy, self.lead = self._occupancy, ()
        if occupancy is None:
            return None
        if moment.over:
            self._held, self.understood = None, self._put_away(occupancy, moment)
            return None
        self._end = None
        if not self.laid:
            self.understood = compare(moment.layout, occupancy, moment.feel)
            self.laid = isinstance(self.understood, Settled)
            self._stood = moment.layout
            return None
        said = explain(moment.layout, moment.legal, occupancy, moment.feel, self._seen)
        said = self._of_all_alike(said, moment)
        if isinstance(said, Did) and self._puts_back(said.action):
            said = Which((said.action,))
        if (supposed := self.supposed) and self._gone_on(supposed, said, occupancy, moment):
            return Take(supposed)
        if isinstance(said, Repair) and self._means_otherwise(occupancy):
            return TakeBack()
        if isinstance(said, Repair) and self._passed and self._went_on(self._passed, occupancy, moment):
            return Take(self._passed)
        if self._waits(said):
            return None
        self.understood = self._led(said, occupancy, moment)
        return Take(said.action) if isinstance(said, Did) else None

    def stepped(
        self,
        action: Action | None,
        before: Moment,
        hands: tuple[Transfer, ...],
        now: Moment,
        *,
        sealed: bool,
        sent: tuple[Transfer, ...] = (),
    ) -> None:
        """Take note of a step, made by hands if `action` tells which.

        `hands` is what they carry by that action. Unless it is `sealed`, they may still mean another. `sent` is what
        they have still to carry, since somebody said so.
        """
        if action is None or sealed:
            self._acted.clear()
        else:
            self._acted.append((action, before, self._seen))
        self._seen = self._seen.stepped(before.feel(after(before.layout, hands)), now.feel(now.layout))
        self._stood = errands.carry(self._stood, hands)
        self._sent = self._sent.difference(t.token for t in hands).union(t.token for t in sent)
        self._held = self._passed = None

    def heed(self) -> None:
        """Take note that other sensors are believed from now on: what was felt before cannot be compared with it."""
        self._acted.clear()
        self._seen = Seen(self._seen.untidy)
        self._held = self._passed = self._end = None

    def went_back(self) -> None:
        """Take note that the last step was taken back: what was seen since the moment before it explains all."""
        action, _, self._seen = self._acted.pop()
        self._stood = errands.carry(self._stood, [Transfer(t.token, t.target, t.source) for t in action.hands])
        self._held = self._passed = None

    def _led(self, said: Explanation, occupancy: Occupancy, moment: Moment) -> Explanation:
        """What to show: where nothing is wrong but what the game moved, hands are led, and what they hold is known."""
        if isinstance(said, Settled):
            self._stood, self._sent = moment.layout, frozenset()
        if not isinstance(said, InHand | Repair):
            return said
        held, todo = errands.lead(self._stood, moment.layout, occupancy, moment.feel)
        if not (moment.movable(held) and self._sent.isdisjoint(held)):
            self.lead = tuple(todo)
        if not held:
            return said
        return replace(said, tokens=held) if isinstance(said, InHand) else InHand(held)

    def _gone_on(self, supposed: Action, said: Explanation, occupancy: Occupancy, moment: Moment) -> bool:
        """Whether a token has stayed where it was set down, and the hands are on to something else."""
        match said:
            case Which():
                return False
            case Did(action):
                return action == supposed and self._held is not None and occupancy != self._held.occupancy
            case _:
                return stands(moment.layout, supposed, occupancy, moment.feel)

    def _put_away(self, occupancy: Occupancy, moment: Moment) -> Settled | Repair:
        """After the end nobody is asked to put anything right; who begins to put the game away is told what is left."""
        if self._end is None:
            self._end = occupancy
        return Settled() if self._end <= occupancy else compare({}, occupancy, moment.feel)

    def _of_all_alike(self, said: Explanation, moment: Moment) -> Explanation:
        """Of actions that all come to the same, the first."""
        if not isinstance(said, Which):
            return said
        different: dict[Any, Action] = {}
        for action in said.actions:
            different.setdefault(self._ahead(moment, action).state, action)
        first, *others = different.values()
        return Which((first, *others), said.onward) if others else Did(first, said.onward)

    def _means_otherwise(self, occupancy: Occupancy) -> bool:
        """Whether what makes no sense now would have made some before the last step."""
        for number in self._open():
            acted, before, seen = self._acted[number]
            match explain(before.layout, before.legal, occupancy, before.feel, seen):
                case Settled():
                    return True
                case Did(action):
                    return action != acted
                case Which(actions):
                    return acted not in actions
                case _:
                    pass
        return False

    def _puts_back(self, action: Action) -> bool:
        """Whether an action is just the contrary of the last step, so that hands may have taken that back instead."""
        hands = self._acted[-1][0].hands if self._acted else ()
        there = [(transfer.token, transfer.target, transfer.source) for transfer in hands]
        return bool(there) and there == [
            (transfer.token, transfer.source, transfer.target) for transfer in action.hands
        ]

    def _open(self) -> Iterator[int]:
        """The last step; while it was but a detail of the one before, that one as well: both are meant at once."""
        for number in range(len(self._acted) - 1, -1, -1):
            yield number
            if number == 0 or not _details(self._acted[number][0], self._acted[number - 1][0]):
                return

    def _went_on(self, passed: Action, occupancy: Occupancy, moment: Moment) -> bool:
        """Whether what followed a rest on the way is an action of its own."""
        if passed not in moment.legal:
            return False
        ahead = self._ahead(moment, passed)
        return not ahead.over and isinstance(explain(ahead.layout, ahead.legal, occupancy, ahead.feel), Did)

    def _waits(self, said: Explanation) -> bool:
        """Whether not to believe it yet; so long it is shown as in hand."""
        now_s, held = self._now_s(), self._held
        if held and held.said != said:
            if held.action and now_s - held.since_s >= PAUSE_S:
                self._passed = held.action
            held = None
        match said:
            case Did(action, True):
                patience_s, tokens = ONWARD_S, tuple(transfer.token for transfer in action.hands)
            case Which(actions, True):
                carried = (transfer.token for action in actions for transfer in action.hands)
                patience_s, tokens = ONWARD_S, tuple(dict.fromkeys(carried))
            case Repair(_, missing, on_the_way=True) if not isinstance(self.understood, Repair):
                patience_s, tokens = WRONG_S, tuple(token for _, there in missing for token in there)
            case _:
                patience_s, tokens = 0.0, ()
        if isinstance(said, Settled):
            self._passed = None
        if patience_s and held is None:
            held = _Held(said, self._occupancy, now_s, now_s + patience_s)
        if held is None or now_s >= held.until_s:
            self._held = None
            return False
        self._held, self.understood = held, InHand(tokens)
        return True


def _details(action: Action, of: Action) -> bool:
    """Whether an action ends on nothing but parts of the spaces that another one ended on."""
    whole = {transfer.target for transfer in of.hands}
    parts = [transfer.target.partition(".") for transfer in action.hands if transfer.target]
    return bool(parts) and all(part and space in whole for space, _, part in parts)
