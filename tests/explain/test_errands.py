"""What the game moved: hands are led token by token, each to where it was moved last."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from underglow.errands import errands, follow, in_hand, lead
from underglow.explain import InHand, Layout, Occupancy, Repair, Settled, after
from underglow.games.contract import Action, Transfer
from underglow.witness import Moment, Take, TakeBack, Witness

SPACES = "abcdefgh"
ROW = {"a": ("ann",), "b": ("bob",), "c": ("cat",)}


def magnets(layout: Layout) -> Occupancy:
    return Occupancy(frozenset(space for space, here in layout.items() if here))


def tags(layout: Layout) -> Occupancy:
    return Occupancy(frozenset(), {space: tuple(sorted(here)) for space, here in layout.items() if here})


def moved(token: str, source: str | None, target: str | None) -> Transfer:
    return Transfer(token, source, target)


# -- the order --------------------------------------------------------------------------------------------------------


def test_of_a_row_that_is_shifted_the_one_with_room_before_it_goes_first() -> None:
    shifted = {"b": ("ann",), "c": ("bob",), "d": ("cat",)}
    assert errands(ROW, shifted, magnets) == (moved("cat", "c", "d"), moved("bob", "b", "c"), moved("ann", "a", "b"))


def test_in_a_ring_somebody_begins_and_where_only_magnets_are_felt_the_ring_comes_last() -> None:
    ring = {"b": ("ann",), "a": ("bob",), "e": ("cat",)}
    assert errands(ROW, ring, magnets)[0] == moved("cat", "c", "e")
    assert len(errands(ROW, ring, magnets)) == 3


def test_what_no_sensor_can_tell_is_no_errand() -> None:
    stacked = {"a": ("ann", "dan"), "b": ("bob",)}
    assert errands(stacked, {"a": ("ann",), "b": ("bob", "dan")}, magnets) == ()
    assert errands(stacked, {"a": ("ann",), "b": ("bob", "dan")}, tags) == (moved("dan", "a", "b"),)


def test_what_left_the_game_is_taken_off_and_what_came_is_put_on() -> None:
    assert errands({"a": ("ann",)}, {"b": ("bob",)}, magnets) == (moved("ann", "a", None), moved("bob", None, "b"))


def test_what_is_seen_when_it_is_done_goes_first() -> None:
    stood = {"a": ("ann",), "b": ("dan", "eve")}
    assert errands(stood, {"a": ("ann", "dan"), "d": ("eve",)}, magnets) == (
        moved("eve", "b", "d"),
        moved("dan", "b", "a"),
    )


def test_in_hand_it_goes_first_unless_nobody_will_see_it_set_down() -> None:
    stood = {"a": ("ann",), "b": ("dan",), "c": ("eve",)}
    apart = {"a": ("ann",), "f": ("eve",), "g": ("dan",)}
    assert lead(stood, apart, Occupancy(frozenset("ab")), magnets) == (
        ("eve",),
        [moved("eve", "c", "f"), moved("dan", "b", "g")],
    )
    stacked = {"a": ("ann", "dan"), "f": ("eve",)}
    assert lead(stood, stacked, Occupancy(frozenset("ac")), magnets) == (
        ("dan",),
        [moved("eve", "c", "f"), moved("dan", "b", "a")],
    )


# -- what hands have done of it ---------------------------------------------------------------------------------------


def test_lifted_from_where_another_belongs_it_is_the_one_that_stood_there() -> None:
    shifted = {"b": ("ann",), "c": ("bob",)}
    stood = {"a": ("ann",), "b": ("bob",)}
    todo = errands(stood, shifted, magnets)
    assert in_hand(stood, todo, magnets({"a": ("ann",)}), magnets) == ("bob",)
    assert in_hand(stood, todo, magnets(stood), magnets) == ()
    assert in_hand(stood, todo, magnets(stood | {"x": ("somebody",)}), magnets) is None


def test_two_errands_in_two_hands_are_both_done_once_both_are_seen() -> None:
    """Bob is lifted, Ann comes to where he stood, and only then is he set down."""
    shifted = {"b": ("ann",), "c": ("bob",), "z": ("zoe",)}
    stood: Layout = {"a": ("ann",), "b": ("bob",), "y": ("zoe",)}
    for felt in ("ay", "by", "bcy"):
        stood = follow(stood, shifted, Occupancy(frozenset(felt)), magnets)
    assert errands(stood, shifted, magnets) == (moved("zoe", "y", "z"),)


class Hands:
    """A game that moves its tokens by itself, before a witness, and hands that do nothing but follow."""

    def __init__(self, layout: Layout, *, tagged: bool) -> None:
        self._feel = tags if tagged else magnets
        self.witness = Witness(lambda moment, action: moment, lambda: 0.0)
        self.stood = layout
        self._moment = self._at(layout)
        self.felt()

    def _at(self, layout: Layout) -> Moment:
        return Moment(0, layout, self._feel, {Action(0, "pass"): Action(0, "pass")})

    def game_moves(self, *layouts: Layout) -> None:
        """Step by step, by choices that are not made on the board."""
        for layout in layouts:
            before, self._moment = self._moment, self._at(layout)
            self.witness.stepped(None, before, (), self._moment, sealed=True)
        self.felt()

    def felt(self) -> None:
        self.witness.feels(self._feel(self.stood), self._moment)
        assert self.witness.look(self._moment) is None

    def carry(self, errand: Transfer) -> None:
        if errand.source:
            self.stood = after(self.stood, [Transfer(errand.token, errand.source, None)])
            self.felt()
        if errand.target:
            self.stood = after(self.stood, [Transfer(errand.token, None, errand.target)])
            self.felt()

    def done(self, errand: Transfer) -> bool:
        """Whether it is done, which no sensor may have told."""
        return {space for space, here in self.stood.items() if errand.token in here} == {errand.target} - {None}

    @property
    def lead(self) -> tuple[Transfer, ...]:
        return self.witness.lead


def test_moved_twice_before_hands_follow_a_token_is_led_to_the_last_place_only() -> None:
    hands = Hands(ROW, tagged=False)
    hands.game_moves(ROW | {"c": (), "d": ("cat",)}, ROW | {"c": (), "e": ("cat",)})
    assert hands.lead == (moved("cat", "c", "e"),)
    assert hands.witness.understood == Repair(("c",), (("e", ("cat",)),))
    hands.carry(hands.lead[0])
    assert hands.witness.understood == Settled()


def test_moved_there_and_back_it_stands_where_it_should() -> None:
    hands = Hands(ROW, tagged=False)
    hands.game_moves(ROW | {"c": (), "d": ("cat",)}, ROW)
    assert (hands.lead, hands.witness.understood) == ((), Settled())


def test_moved_again_while_in_hand_it_is_led_from_hand_to_hand() -> None:
    hands = Hands(ROW, tagged=False)
    hands.game_moves(ROW | {"c": (), "d": ("cat",)})
    hands.stood = ROW | {"c": ()}
    hands.felt()
    assert isinstance(hands.witness.understood, InHand)
    hands.game_moves(ROW | {"c": (), "e": ("cat",)})
    assert hands.witness.understood == InHand(("cat",))
    assert hands.lead == (moved("cat", "c", "e"),)


def moment(layout: Layout, *hands: Transfer) -> Moment:
    """A moment in which each of these transfers is legal."""
    legal = [Action(0, "move", (), (transfer,)) for transfer in hands]
    return Moment(layout, layout, magnets, {action: action for action in legal})


def test_what_the_game_moved_may_be_carried_on_from_there_by_who_may_move_it() -> None:
    witness = Witness(lambda before, action: before, lambda: 0.0)
    before, now = moment(ROW), moment(ROW | {"c": (), "d": ("cat",)}, moved("cat", "d", "e"))
    for at, felt in ((before, "abc"), (now, "abc"), (now, "ab")):
        if felt == "abc" and at is now:
            witness.stepped(None, before, (), now, sealed=True)
        witness.feels(Occupancy(frozenset(felt)), at)
        assert witness.look(at) is None
    assert isinstance(witness.understood, InHand)
    assert (witness.understood.tokens, witness.lead) == (("cat",), ())  # the game says where it may go
    witness.feels(Occupancy(frozenset("abe")), now)
    assert witness.look(now) == Take(Action(0, "move", (), (moved("cat", "d", "e"),)))


def test_what_hands_put_back_for_something_else_stands_where_they_put_it() -> None:
    """Cat has still to follow the game, while Ann goes, comes back, and Bob has gone instead."""
    ann, bob = moved("ann", "a", "x"), moved("bob", "b", "y")
    start = moment(ROW)
    one = moment(ROW | {"c": (), "d": ("cat",)}, ann, bob)
    gone, other = moment(after(one.layout, [ann]), bob), moment(after(one.layout, [bob]), ann)
    witness = Witness(lambda before, action: before, lambda: 0.0)

    def feels(spaces: str, at: Moment) -> object:
        witness.feels(Occupancy(frozenset(spaces)), at)
        return witness.look(at)

    assert feels("abc", start) is None
    witness.stepped(None, start, (), one, sealed=True)
    assert feels("bcx", one) == Take(Action(0, "move", (), (ann,)))
    witness.stepped(Action(0, "move", (), (ann,)), one, (ann,), gone, sealed=False)
    assert feels("bcx", gone) is None
    assert feels("acy", gone) == TakeBack()
    witness.went_back()
    assert witness.look(one) == Take(Action(0, "move", (), (bob,)))
    witness.stepped(Action(0, "move", (), (bob,)), one, (bob,), other, sealed=False)
    assert witness.look(other) is None
    assert witness.lead == (moved("cat", "c", "d"),)


def layouts(tokens: Iterable[str]) -> st.SearchStrategy[Layout]:
    """Each of them somewhere, or off the board."""
    somewhere = st.sampled_from([*SPACES, ""])
    return st.fixed_dictionaries(dict.fromkeys(tokens, somewhere)).map(
        lambda at: {space: tuple(t for t, s in at.items() if s == space) for space in SPACES if space in at.values()}
    )


TOKENS = ("ann", "bob", "cat", "dan", "eve")


@given(layouts(TOKENS), st.lists(layouts(TOKENS), min_size=1, max_size=4), st.booleans())
def test_who_follows_the_lead_comes_to_the_end_whatever_the_game_has_moved(
    start: Layout, moves: list[Layout], tagged: bool
) -> None:
    hands = Hands(start, tagged=tagged)
    hands.game_moves(*moves)
    for _ in range(2 * len(TOKENS)):
        if not hands.lead:
            break
        errand = next(errand for errand in hands.lead if not hands.done(errand))
        assert errand.target is None or errand.token in moves[-1][errand.target]  # the last place, and no other
        hands.carry(errand)
    assert hands.witness.understood == Settled()
    assert hands.lead == ()


@given(st.permutations(TOKENS), st.integers(1, 4), st.booleans())
def test_a_chain_of_shifts_is_followed_from_where_there_is_room(order: list[str], shifts: int, tagged: bool) -> None:
    """Each shift moves everything in the row one on, before hands have followed the last one."""
    rows: list[Layout] = [
        {space: (token,) for space, token in zip("abcdefghi"[by:], order, strict=False)} for by in range(shifts + 1)
    ]
    hands = Hands(rows[0], tagged=tagged)
    hands.game_moves(*rows[1:])
    for left in range(len(TOKENS), 0, -1):
        assert len(hands.lead) == left
        assert not hands.stood.get(str(hands.lead[0].target))
        hands.carry(hands.lead[0])
    assert {space: here for space, here in hands.stood.items() if here} == rows[-1]  # each in its own place, by name
    assert hands.witness.understood == Settled()
