"""What hands did, from positions and what was seen before them."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underglow.explain import (
    NOTHING,
    TIDY,
    UNSEEN,
    Did,
    Explanation,
    InHand,
    Layout,
    Occupancy,
    Repair,
    Seen,
    Settled,
    Untidy,
    Which,
    after,
    explain,
)
from underglow.games.contract import Action, Transfer

LAYOUT = {"a": ("ann",), "b": ("bob",), "c": ("cat", "cid")}


def move(token: str, source: str | None, target: str | None, verb: str = "move") -> Action:
    return Action(0, verb, (token, source or "", target or ""), (Transfer(token, source, target),))


ANN_D = move("ann", "a", "d")
ANN_B = move("ann", "a", "b")
CAT_D = move("cat", "c", "d")
PASS = Action(0, "pass")
LEGAL = (ANN_D, ANN_B, CAT_D, PASS)


def felt(layout: Layout) -> Occupancy:
    """A magnet under every token; a reader at r, where tokens in capitals have tags."""
    return Occupancy(
        frozenset(space for space, tokens in layout.items() if tokens),
        {"r": read} if (read := tuple(sorted(filter(str.isupper, layout.get("r", ()))))) else {},
    )


def seen(spaces: str, *tags: str) -> Occupancy:
    return Occupancy(frozenset(spaces), {"r": tags} if tags else {})


def watched(layout: Layout, *positions: str, legal: Iterable[Action] = LEGAL, history: Seen = UNSEEN) -> Explanation:
    """What is made of the last of these positions, each of them the spaces with a magnet, after the others."""
    for spaces in positions:
        history = history.then(layout, seen(spaces), felt)
    return explain(layout, legal, seen(positions[-1]), felt, history)


def test_everything_in_place_is_settled() -> None:
    assert explain(LAYOUT, LEGAL, seen("abc"), felt) == Settled()


def test_a_lifted_token_is_in_hand_and_may_also_stand_with_another() -> None:
    assert explain(LAYOUT, LEGAL, seen("bc"), felt) == InHand(("ann",), (ANN_B,))


def test_a_lifted_token_that_may_not_move_is_in_hand_all_the_same() -> None:
    assert explain(LAYOUT, LEGAL, seen("ac"), felt) == InHand(("bob",))


def test_two_tokens_of_one_space_are_in_hand_when_it_is_empty() -> None:
    assert explain(LAYOUT, LEGAL, seen("ab"), felt) == InHand(("cat", "cid"))


def test_set_down_where_a_legal_action_ends_is_that_action() -> None:
    assert explain(LAYOUT, LEGAL, seen("bcd"), felt) == Did(ANN_D)


def test_a_token_from_a_shared_space_is_told_by_what_is_legal() -> None:
    assert explain(LAYOUT, LEGAL, seen("abcd"), felt) == Did(CAT_D)


def test_set_down_elsewhere_is_to_be_put_back() -> None:
    assert explain(LAYOUT, LEGAL, seen("bce"), felt) == Repair(("e",), (("a", ("ann",)),))


def test_something_foreign_on_the_board_is_too_much() -> None:
    assert explain(LAYOUT, LEGAL, seen("abce"), felt) == Repair(("e",), ())


def test_actions_hands_cannot_tell_apart_are_asked_about() -> None:
    twin = move("cid", "c", "d")
    assert explain(LAYOUT, (*LEGAL, twin), seen("abcd"), felt) == Which((CAT_D, twin))


def test_a_token_from_off_the_board() -> None:
    lay = move("card", None, "z")
    assert explain(LAYOUT, (lay,), seen("abcz"), felt) == Did(lay)


def test_a_choice_without_hands_is_never_understood_from_a_position() -> None:
    for occupied in ("abc", "bc", "bcd", "abce"):
        assert explain(LAYOUT, (PASS,), seen(occupied), felt) != Did(PASS)


# -- what an action changed by itself is no sign of the next one -----------------------------------------------------


def test_what_still_is_to_be_taken_away_means_nothing() -> None:
    assert explain(LAYOUT, LEGAL, seen("abcd"), felt) == Did(CAT_D)
    assert explain(LAYOUT, LEGAL, seen("abcd"), felt, Seen(Untidy(stale=seen("d")))) == Repair(("d",), ())


def test_what_still_is_to_be_carried_over_has_not_been_carried_back() -> None:
    untidy = Untidy(stale=seen("d"), due=seen("a"))
    assert explain(LAYOUT, LEGAL, seen("bcd"), felt, Seen(untidy)) == Repair(("d",), (("a", ("ann",)),))
    assert explain(LAYOUT, LEGAL, seen("bce"), felt, Seen(untidy)) == Repair(("e",), (("a", ("ann",)),))


def test_a_token_carried_to_where_another_was_taken_away_is_understood() -> None:
    shot = Seen(Untidy(stale=seen("d")))
    assert watched(LAYOUT, "abcd", "bcd", history=shot) == InHand(
        ("ann",), (ANN_D, ANN_B)
    )  # the other's magnet is on d
    assert watched(LAYOUT, "abcd", "abc", "bc", "bcd", history=shot) == Did(ANN_D)


def test_what_is_untidy_elsewhere_stops_nobody() -> None:
    untidy = Seen(Untidy(stale=seen("x"), due=seen("y")))
    layout = LAYOUT | {"y": ("yak",)}
    assert watched(layout, "abcx", "bcx", history=untidy) == InHand(("ann",), (ANN_B,))
    assert watched(layout, "abcx", "bcx", "bcdx", history=untidy) == Did(ANN_D)
    assert watched(layout, "abcx", history=untidy) == Repair(("x",), (("y", ("yak",)),))


def test_one_of_two_cards_left_behind_is_not_laid_anew() -> None:
    lay = move("CARD", None, "r")
    assert explain({}, (lay,), seen("r", "CARD"), felt) == Did(lay)
    assert explain({}, (lay,), seen("r", "CARD"), felt, Seen(Untidy(seen("r", "CARD", "CARD")))) == Repair(("r",), ())


def test_what_is_untidy_adds_up_until_hands_have_done_it() -> None:
    first = TIDY.stepped(before=seen("ab"), now=seen("bc"))
    assert first == Untidy(seen("a"), seen("c"))
    both = first.stepped(before=seen("bc"), now=seen("bd"))
    assert both == Untidy(seen("ac"), seen("d"))
    assert both.seen(seen("ab")) == Untidy(seen("a"), seen("d"))
    assert both.seen(seen("bd")) == TIDY
    assert first.stepped(before=seen("bc"), now=seen("ab")).seen(seen("ab")) == TIDY


magnets = st.frozensets(st.sampled_from("abc"))
tags = st.lists(st.sampled_from(["ANN", "BOB"]), max_size=4).map(sorted)
occupancies = st.tuples(magnets, tags).map(lambda felt: seen("".join(felt[0]), *felt[1]))


@given(occupancies, occupancies)
def test_what_is_felt_can_be_added_up_and_taken_apart(one: Occupancy, other: Occupancy) -> None:
    assert one <= one | other == other | one
    assert (one | other) - one == other - one
    assert one - other <= one
    assert one & other == other & one <= one
    assert (one <= other) == (one - other == NOTHING) == (one | other == other)


# -- continuity: the token lifted there is the one put down here ------------------------------------------------------


BOB_D = move("bob", "b", "d")
BOTH = (ANN_D, BOB_D, CAT_D)


def test_of_two_in_hand_the_one_that_was_is_the_one_set_down() -> None:
    """Ann was lifted, set down on d, and only then was Bob lifted; and the other way about."""
    assert watched(LAYOUT, "abc", "bc", "bcd", "cd", legal=BOTH) == Did(ANN_D)
    assert watched(LAYOUT, "abc", "ac", "acd", "cd", legal=BOTH) == Did(BOB_D)


def test_of_two_in_hand_the_legal_one_was_set_down_and_if_both_are_people_are_asked() -> None:
    assert watched(LAYOUT, "abc", "bc", "c", "cd", legal=(BOB_D,)) == Did(BOB_D)
    assert watched(LAYOUT, "abc", "bc", "c", "cd", legal=BOTH) == Which((ANN_D, BOB_D))


def test_a_second_one_set_down_is_not_the_first() -> None:
    ann_e = move("ann", "a", "e")
    assert watched(LAYOUT, "abc", "bc", "bcx", "cx", "cex", legal=(ann_e,)) == Repair(
        ("e", "x"), (("a", ("ann",)), ("b", ("bob",)))
    )


def test_another_lifted_and_put_back_means_nothing() -> None:
    assert watched(LAYOUT, "abc", "ac", "c", "bc", "bcd") == Did(ANN_D)
    assert watched(LAYOUT, "abc", "ac", "c", "bc", "abc") == Settled()


def test_what_else_is_missing_is_in_hand_and_stops_nobody() -> None:
    """A figure that stands askew between two sensors is not felt; the game goes on."""
    assert watched(LAYOUT, "abc", "ac", "c", "cd") == Did(ANN_D)


def test_what_was_in_hand_was_set_down_and_not_what_nobody_saw_lifted() -> None:
    """Cat could have come from under Cid's shoulder; but Ann was in hand."""
    said = watched(LAYOUT, "abc", "bc", "bcd", legal=(CAT_D,))
    assert said == Repair(("d",), (("a", ("ann",)),))
    assert isinstance(said, Repair)
    assert said.perhaps == (CAT_D,)  # who means it can say so


def test_of_two_lifted_from_one_space_one_is_set_down_and_the_other_is_in_hand() -> None:
    assert watched(LAYOUT, "abc", "ab", "abd") == Did(CAT_D)


def test_a_foreign_thing_is_named_and_not_the_move_beside_it() -> None:
    assert watched(LAYOUT, "abc", "abcx", "bcx", "bcdx") == Repair(("x",), ())


# -- sliding ----------------------------------------------------------------------------------------------------------


def slide(token: str, *way: str, onward: bool) -> Action:
    return Action(0, "move", (token, *way), (Transfer(token, way[0], way[-1], way[1:-1], onward),))


def test_where_a_token_could_be_slid_on_hands_may_go_on() -> None:
    near, far = slide("ann", "a", "x", onward=True), slide("ann", "a", "x", "y", onward=False)
    assert watched(LAYOUT, "abc", "bc", "bcx", legal=(near, far)) == Did(near, onward=True)
    assert watched(LAYOUT, "abc", "bc", "bcx", "bc", "bcy", legal=(near, far)) == Did(far)


def test_felt_on_two_spaces_at_once_a_token_is_on_its_way() -> None:
    far = slide("ann", "a", "x", onward=False)
    both = watched(LAYOUT, "abc", "abcx", legal=(far,))
    assert isinstance(both, Repair)
    assert both.on_the_way
    assert watched(LAYOUT, "abc", "abcx", "bcx", legal=(far,)) == Did(far)


def test_the_way_it_was_slid_tells_two_ways_to_one_end_apart() -> None:
    left, right = slide("ann", "a", "l", "y", onward=False), slide("ann", "a", "r", "y", onward=False)
    legal = (left, right)
    assert watched(LAYOUT, "abc", "bc", "bcl", "bc", "bcy", legal=legal) == Did(left)
    assert watched(LAYOUT, "abc", "bc", "bcr", "bc", "bcy", legal=legal) == Did(right)
    assert watched(LAYOUT, "abc", "bc", "bcy", legal=legal) == Which(legal)
    assert watched(LAYOUT, "abc", "bc", "bcl", "bc", "bcr", "bc", "bcy", legal=legal) == Which(legal)


# -- actions of several transfers -------------------------------------------------------------------------------------

TAKE = Action(0, "take", (), (Transfer("ann", "a", "b"), Transfer("bob", "b", None)))
SHOOT = Action(0, "shoot", (), (Transfer("ann", "a", "d"), Transfer("bob", "b", None)))


def test_a_piece_taken_is_lifted_first_and_another_comes_in_its_place() -> None:
    assert watched(LAYOUT, "abc", "ac", "c", legal=(TAKE,)) == InHand(("ann", "bob"))
    assert watched(LAYOUT, "abc", "ac", "c", "bc", legal=(TAKE,)) == Did(TAKE)
    assert watched(LAYOUT, "abc", "bc", "c", "bc", legal=(TAKE,)) == Did(TAKE)


def test_a_piece_looked_at_and_put_back_is_not_taken() -> None:
    assert watched(LAYOUT, "abc", "ac", "abc", "bc", legal=(TAKE,)) == InHand(("ann",), (TAKE,))


def test_whoever_shoots_moves_first_or_last() -> None:
    assert watched(LAYOUT, "abc", "ac", "c", "cd", legal=(SHOOT,)) == Did(SHOOT)
    assert watched(LAYOUT, "abc", "bc", "bcd", legal=(SHOOT,)) == InHand((), (), (SHOOT,))
    assert watched(LAYOUT, "abc", "bc", "bcd", "cd", legal=(SHOOT,)) == Did(SHOOT)


def test_a_move_that_may_become_a_longer_action_is_waited_for() -> None:
    assert watched(LAYOUT, "abc", "bc", "bcd", legal=(ANN_D, SHOOT)) == Did(ANN_D, onward=True)
    assert watched(LAYOUT, "abc", "bc", "bcd", "cd", legal=(ANN_D, SHOOT)) == Did(SHOOT)


# -- where a reader is, tokens are told apart ------------------------------------------------------------------------


READ = {"a": ("ANN",), "r": ("BOB", "cat")}
TO_R = (move("ANN", "a", "r"), move("dan", None, "r"))


def test_a_tagged_token_is_missed_by_name_though_another_magnet_stays() -> None:
    assert explain(READ, TO_R, seen("ar"), felt) == InHand(("BOB",))


def test_a_tagged_token_set_down_with_others_is_understood() -> None:
    assert explain(READ, TO_R, seen("r", "ANN", "BOB"), felt) == Did(TO_R[0])


def test_the_wrong_tagged_token_is_too_much() -> None:
    assert explain(READ, TO_R, seen("ar", "BOB", "EVE"), felt) == Repair(("r",), ())


def test_two_alike_are_counted() -> None:
    layout = {"r": ("CARD",)}
    lay = move("CARD", None, "r")
    assert explain(layout, (lay,), seen("r", "CARD", "CARD"), felt) == Did(lay)
    assert explain({"r": ("CARD", "CARD")}, (), seen("r", "CARD"), felt) == InHand(("CARD",))


def test_taking_a_token_off_that_never_was_there_is_a_fault_of_the_game() -> None:
    with pytest.raises(ValueError, match="not in"):
        after(LAYOUT, (Transfer("ann", "b", None),))


spaces = st.sampled_from("abcdefgh")
layouts = st.dictionaries(st.sampled_from(["t1", "t2", "t3", "t4"]), spaces, min_size=1).map(
    lambda at: {space: tuple(t for t, s in at.items() if s == space) for space in sorted(set(at.values()))}
)


@given(layouts, st.lists(st.tuples(st.integers(0, 9), spaces), max_size=6), st.frozensets(spaces))
def test_an_explanation_accounts_for_every_space(
    layout: dict[str, tuple[str, ...]], wishes: list[tuple[int, str]], occupied: frozenset[str]
) -> None:
    standing = [(token, space) for space, tokens in layout.items() for token in tokens]
    legal: list[Action] = []
    for pick, target in wishes:
        token, source = standing[pick % len(standing)]
        if target != source:
            legal.append(move(token, source, target))
    expected = frozenset(layout)
    match explain(layout, legal, Occupancy(occupied), felt):
        case Settled():
            assert occupied == expected
        case InHand(tokens, perhaps):
            assert occupied < expected
            assert set(tokens) == {token for token, space in standing if space not in occupied}
            assert set(perhaps) <= set(legal)
        case Did(action):
            assert occupied <= {s for s, tokens in after(layout, action.hands).items() if tokens}
            assert occupied - expected
        case Which(actions):
            assert len(actions) > 1
        case Repair(extra, missing):
            assert set(extra) <= occupied - expected != frozenset()
            assert {space for space, _ in missing} <= expected - occupied
            # the nearest position that is understood: once all that is put right, it is
            right = occupied.difference(extra).union(space for space, _ in missing)
            assert not isinstance(explain(layout, legal, Occupancy(right), felt), Repair)


# -- any order --------------------------------------------------------------------------------------------------------


@given(st.permutations("abcdefgh"), st.integers(1, 4), st.randoms(use_true_random=False))
def test_the_transfers_of_an_action_may_be_made_in_any_order(spots: list[str], many: int, chance: Random) -> None:
    """Lifted and set down, one after the other or several in hand at once."""
    homes, ends = spots[:many], spots[4 : 4 + many]
    hands = tuple(Transfer(f"t{home}", home, end) for home, end in zip(homes, ends, strict=True))
    layout = {home: (f"t{home}",) for home in homes}
    waiting = [*homes]
    held: list[str] = []
    spaces = set(homes)
    positions = ["".join(spaces)]
    while waiting or held:
        if waiting and (not held or chance.random() < 0.5):
            home = waiting.pop(chance.randrange(len(waiting)))
            held.append(home)
            spaces.remove(home)
        else:
            home = held.pop(chance.randrange(len(held)))
            spaces.add(ends[homes.index(home)])
        positions.append("".join(spaces))
    whole = Action(0, "march", (), hands)
    for at in range(1, len(positions)):
        assert isinstance(watched(layout, *positions[: at + 1], legal=(whole,)), InHand | Did)
    assert watched(layout, *positions, legal=(whole,)) == Did(whole)


@given(st.permutations(["ann lifted", "bob lifted"]))
def test_a_piece_is_taken_whichever_is_picked_up_first(order: list[str]) -> None:
    first = "bc" if order[0] == "ann lifted" else "ac"
    assert watched(LAYOUT, "abc", first, "c", "bc", legal=(TAKE,)) == Did(TAKE)
