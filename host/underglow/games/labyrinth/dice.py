"""Tests: two dice against a number (L-TEST-1), rolled here or typed in, and what may be done about a roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from underglow.games.agenda import Option, choice
from underglow.games.labyrinth.draft import character
from underglow.games.labyrinth.grammar import Kind
from underglow.games.labyrinth.program import start
from underglow.games.labyrinth.task import Task

if TYPE_CHECKING:
    from underglow.games.labyrinth.draft import Draft
    from underglow.games.labyrinth.state import State

LEAST, MOST = 2, 12
_SUMS = tuple(one + other for one in range(1, 7) for other in range(1, 7))


def rolled(draft: Draft, seat: int) -> int:
    """Roll two dice for a seat."""
    roll = _SUMS[draft.below(len(_SUMS))]
    draft.tell("rolled", draft.who(seat), roll, chance=True)
    return roll


def typed(draft: Draft, seat: int, roll: int) -> None:
    """Take what real dice show."""
    draft.tell("rolled", draft.who(seat), roll)


def bonus(position: State | Draft, seat: int, kind: Kind) -> int:
    """What character and items add to each roll of that kind of test."""
    total = 0
    for ability in character(position, seat).abilities:
        if ability.test == kind:
            total += ability.bonus
    for item in position.players[seat].items:
        held = position.scenario.items[item]
        if held.test == kind and held.when == "held":
            total += held.bonus
    return total


def aids(position: State | Draft, seat: int, kind: Kind) -> tuple[int, ...]:
    """The items that a seat may use before such a test."""
    player = position.players[seat]
    if not player.items or player.daze:
        return ()
    known = position.scenario.items
    return tuple(
        dict.fromkeys(item for item in player.items if known[item].when == "before_test" and known[item].test == kind)
    )


def spend(draft: Draft, seat: int, item: int) -> None:
    """Take an item out of the game."""
    player = draft.players[seat]
    left = list(player.items)
    left.remove(item)
    draft.set_player(seat, player._replace(items=tuple(left)))


def may_repeat(position: State | Draft, seat: int, *, passed: bool) -> bool:
    """Whether a seat may use its crystal to roll its own test again (L-FREE-CRYSTAL, L-DAZE-5)."""
    player, switches = position.players[seat], position.scenario.switches
    if not player.crystal or (player.daze and not switches.dazed_may_use_crystal):
        return False
    return not passed or switches.crystal_after == "any"


def set_crystal(draft: Draft, seat: int, *, active: bool) -> None:
    """Turn a Crystal of Fate; one that lies so already stays as it is (L-TRAP-21)."""
    player = draft.players[seat]
    if player.crystal != active:
        draft.set_player(seat, player._replace(crystal=active))
        draft.tell("crystal", draft.who(seat), "active" if active else "inactive")


def throws(
    state: State,
    seat: int,
    kind: Kind,
    roll: Callable[..., None],
    typed: Callable[..., None],
    aid: Callable[..., None],
) -> Iterator[Option]:
    """What a seat may do that is to roll: let it be rolled, or say what real dice show; before that, use an item."""
    if state.scenario.switches.dice == "typed":
        yield from shown(seat, typed)
    else:
        yield Option(choice(seat, "roll"), roll)
    for item in aids(state, seat, kind):
        yield Option(choice(seat, "use", (state.scenario.items[item].id,)), aid, (item,))


def shown(seat: int, typed: Callable[..., None]) -> Iterator[Option]:
    """What real dice may show."""
    for roll in range(LEAST, MOST + 1):
        yield Option(choice(seat, "rolled", (roll,)), typed, (roll,))


@dataclass(frozen=True, slots=True)
class Test(Task):
    """A roll of two dice by a seat. `bonus`: by items used for it; `roll`: 0 before the dice are down."""

    kind: ClassVar[Kind]

    seat: int
    bonus: int
    roll: int

    def need(self, position: State | Draft) -> int:
        """What the dice and all that is added must come to."""
        raise NotImplementedError

    def settle(self, draft: Draft, *, passed: bool) -> None:
        """Bring about what follows."""
        raise NotImplementedError

    def repeatable(self, position: State | Draft) -> bool:
        """Whether a crystal may repeat this roll by itself."""
        return may_repeat(position, self.seat, passed=self.passed(position))

    def total(self, position: State | Draft) -> int:
        """The dice and all that is added."""
        return self.roll + self.bonus + bonus(position, self.seat, self.kind)

    def passed(self, position: State | Draft) -> bool:
        """Whether that is enough."""
        return self.total(position) >= self.need(position)

    @override
    def run(self, draft: Draft) -> bool:
        if not self.roll:
            if draft.scenario.switches.dice == "typed" or aids(draft, self.seat, self.kind):
                return True
            return replace(self, roll=rolled(draft, self.seat)).down(draft)
        if self.repeatable(draft):
            return True
        self.judge(draft)
        return False

    def down(self, draft: Draft) -> bool:
        """Go on now that the dice are down."""
        if self.repeatable(draft):
            draft.push(self)
        else:
            self.judge(draft)
        return False

    def judge(self, draft: Draft) -> None:
        """Say how it went, and bring about what follows."""
        passed = self.passed(draft)
        verdict = "passed" if passed else "failed"
        draft.tell("tested", draft.who(self.seat), self.kind, self.need(draft), self.total(draft), verdict)
        self.settle(draft, passed=passed)

    @override
    def options(self, state: State) -> Iterator[Option]:
        seat = self.seat
        if self.roll:
            yield Option(choice(seat, "repeat"), _repeat)
            yield Option(choice(seat, "accept"), _accept)
            return
        yield from throws(state, seat, self.kind, _roll, _typed, _aid)


def _roll(draft: Draft, test: Test) -> None:
    draft.push(replace(test, roll=rolled(draft, test.seat)))


def _typed(draft: Draft, test: Test, roll: int) -> None:
    typed(draft, test.seat, roll)
    draft.push(replace(test, roll=roll))


def _aid(draft: Draft, test: Test, item: int) -> None:
    used = draft.scenario.items[item]
    spend(draft, test.seat, item)
    draft.tell("used", draft.who(test.seat), used.id)
    draft.push(replace(test, bonus=test.bonus + used.bonus))


def _repeat(draft: Draft, test: Test) -> None:
    set_crystal(draft, test.seat, active=False)
    draft.push(replace(test, roll=0))


def _accept(draft: Draft, test: Test) -> None:
    test.judge(draft)


@dataclass(frozen=True, slots=True)
class CardTest(Test):
    """A test that a card or a glyph asks for; failing it starts a program."""

    kind: ClassVar[Kind] = "trap"

    least: int
    program: int
    place: int

    @override
    def need(self, position: State | Draft) -> int:
        return self.least

    @override
    def settle(self, draft: Draft, *, passed: bool) -> None:
        if not passed:
            start(draft, self.program, self.seat, self.place)
