"""Tests of two dice: who rolls and what is added; the Golem's, and combat."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from mazes import Scene, arrange, by_hand, glass_warren, switched

from underglow.games.labyrinth import dice
from underglow.games.labyrinth.draft import Draft
from underglow.games.labyrinth.grammar import Kind
from underglow.games.labyrinth.scenario import Scenario
from underglow.rng import Rng

TILES = {"d5": "gallery", "d6": "gallery", "e5": "twin_bends"}
DARK = ["mason", "courier", "lampwright"]
KINDS: tuple[Kind, ...] = ("jump", "golem", "trap", "fight")


def lending(item: str, test: Kind, bonus: int, when: str = "held") -> Scenario:
    """Glass Warren by hand with one of its items lending another bonus."""
    scenario = by_hand()
    items = [replace(i, test=test, bonus=bonus, when=when) if i.id == item else i for i in scenario.items]
    return replace(scenario, items=tuple(items))


# ── two dice ──


def test_L_TEST_1_a_roll_is_two_dice() -> None:
    draft = Draft(replace(arrange(glass_warren(), at={"mason": "d5"}), rng=Rng(3)))
    rolls = Counter(dice.rolled(draft, 0) for _ in range(7200))
    assert set(rolls) == set(range(2, 13))
    for roll, times in rolls.items():
        ways = 6 - abs(7 - roll)
        assert abs(times - 200 * ways) < 4 * (200 * ways) ** 0.5, roll
    assert all(event.kind == "rolled" and event.chance for event in draft.told)


@pytest.mark.parametrize("chance", ["engine", "typed"])
def test_L_TEST_1_rolled_here_or_typed_in_by_who_rolled(chance: str) -> None:
    scenario = switched(glass_warren(), dice=chance)
    state = arrange(scenario, at={"mason": "d6"}, tiles=TILES, traps={"d5": "spikes"}, dark=DARK)
    scene = Scene(state).do("move", "d5")
    if chance == "typed":
        assert scene.asked == {"mason"}
        assert scene.offers("rolled") == [(roll,) for roll in range(2, 13)]
        scene.roll(7)
        assert scene.args("rolled") == [("mason", 7)]
        assert scene.state.rng == state.rng
    (rolled,) = [event for event in scene.events if event.kind == "rolled"]
    assert rolled.chance == (chance == "engine")
    (tested,) = scene.args("tested")
    assert tested[:4] == ("mason", "trap", 7, rolled.args[1])
    assert (tested[4] == "passed") == (int(rolled.args[1]) >= 7) == (scene.player("mason").lives == 4)


def test_L_TEST_1_nobody_types_in_what_is_rolled_here() -> None:
    state = arrange(glass_warren(), at={"mason": "d6"}, tiles=TILES, traps={"d5": "arrows"}, holds={"mason": ["rope"]})
    assert "rolled" not in Scene(state).do("move", "d5").verbs


@pytest.mark.parametrize("kind", KINDS)
def test_L_TEST_1_of_the_four_kinds_of_test_a_bonus_is_for_one(kind: Kind) -> None:
    for test in KINDS:
        scene = facing(lending("buckler", test, 2), kind, holds={"mason": ["buckler"]})
        scene.roll(*{"jump": (6,), "golem": (10,), "trap": (5,), "fight": (7, 8)}[kind])
        won = (scene.player("mason").lives, scene.place("mason")) == (4, "d6.0" if kind == "fight" else "d5.0")
        assert won == (test == kind), test


def facing(scenario: Scenario, kind: Kind, **position: Any) -> Scene:
    """The Mason is about to roll in such a test; it needs 8, 12, 7, or more than the Courier."""
    if kind == "jump":
        state = arrange(scenario, at={"mason": "d5.1"}, tiles={"d5": "underpass"}, dark=DARK, **position)
        return Scene(state).do("jump", "d5.0")
    if kind == "fight":
        state = arrange(scenario, at={"mason": "d6", "courier": "d6"}, tiles=TILES, dark=DARK, **position)
        return Scene(state).do("attack", "courier")
    here = {"golem": "d5"} if kind == "golem" else {"traps": {"d5": "spikes"}}
    return Scene(arrange(scenario, at={"mason": "d6"}, tiles=TILES, dark=DARK, **here, **position)).do("move", "d5")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("chance", ["engine", "typed"])
def test_L_TEST_1_an_item_for_before_such_a_test_is_used_up_for_one_roll(kind: Kind, chance: str) -> None:
    scenario = switched(lending("rope", kind, 10, when="before_test"), dice=chance)
    scene = facing(scenario, kind, holds={"mason": ["rope", "salts"]})
    assert scene.asked == {"mason"}
    assert scene.verbs == {"use", "rolled" if chance == "typed" else "roll"}
    assert scene.offers("use") == [("rope",)]
    scene.do("use", "rope")
    assert scene.held("mason") == ["salts"]
    assert scene.lying == []
    assert "use" not in scene.verbs
    if chance == "typed":
        scene.roll(2, *((11,) if kind == "fight" else ()))
    assert scene.player("mason").lives == 4
    assert scene.place("mason") == ("d6.0" if kind == "fight" else "d5.0")


def test_L_TEST_1_two_such_items_add_up_and_neither_helps_the_other_side() -> None:
    scenario = lending("rope", "fight", 3, when="before_test")
    scene = facing(scenario, "fight", holds={"mason": ["rope", "rope"], "courier": ["salts"]})
    scene.do("use", "rope").do("use", "rope").roll(4)
    assert (scene.asked, scene.verbs) == ({"courier"}, {"rolled"})
    assert scene.roll(9).args("fought") == [("mason", 10, "courier", 9)]


@pytest.mark.parametrize("kind", KINDS)
def test_L_TEST_1_an_item_lends_nothing_unless_it_is_used_and_nothing_to_another_kind(kind: Kind) -> None:
    scene = facing(lending("rope", kind, 10, when="before_test"), kind, holds={"mason": ["rope"]})
    scene.roll(*(2, 3) if kind == "fight" else (2,))
    assert scene.args("tested" if kind != "fight" else "hurt")
    assert (scene.player("mason").lives, scene.place("mason")) != (4, "d6.0" if kind == "fight" else "d5.0")
    others: list[Kind] = [other for other in KINDS if other != kind]
    for other in others:
        scene = facing(lending("rope", kind, 10, when="before_test"), other, holds={"mason": ["rope"]})
        assert scene.verbs == {"rolled"}


def test_L_FIGHT_2_L_FREE_CRYSTAL_what_an_item_lends_counts_until_the_fight_is_decided() -> None:
    """Found so: what was used before the roll was lost when the dice were rolled again."""
    scenario = lending("rope", "fight", 3, when="before_test")
    for side, rolls, after in (("mason", (4, 7, 4, 6), (4, 3)), ("courier", (7, 4, 6, 4), (3, 4))):
        scene = facing(scenario, "fight", holds={side: ["rope"]})
        if side == "courier":
            scene.roll(rolls[0])
        scene.do("use", "rope").roll(*rolls[side == "courier" : 2])
        assert scene.told.count("tied") == 1
        assert lives(scene.roll(*rolls[2:])) == after
    repeated = fighting(scenario=scenario, holds={"mason": ["rope"]}, dark=["courier"]).do("attack", "courier")
    repeated.do("use", "rope").roll(2, 6).do("repeat").roll(4)
    assert repeated.args("fought") == [("mason", 7, "courier", 6)]


# ── the Golem ──


def meeting(*rolls: int, **position: Any) -> Scene:
    fields: dict[str, Any] = {"at": {"mason": "d6"}, "tiles": TILES, "golem": "d5", "dark": DARK}
    return Scene(arrange(**fields | position)).do("move", "d5").roll(*rolls)


@pytest.mark.parametrize(("roll", "place"), [(2, "s1"), (11, "s1"), (12, "d5.0")])
def test_L_GOLEM_1_2_who_meets_it_stays_on_a_twelve_and_goes_home_on_less(roll: int, place: str) -> None:
    scene = meeting(roll)
    assert scene.place("mason") == place
    assert scene.args("tested") == [("mason", "golem", 12, roll, "passed" if roll == 12 else "failed")]
    mason = scene.player("mason")
    assert (mason.lives, mason.daze) == (4, 0)
    assert scene.golem == "d5.0"
    assert scene.state.actions == 1


def test_L_GOLEM_1_or_more_with_a_bonus() -> None:
    assert meeting(10, scenario=lending("buckler", "golem", 2), holds={"mason": ["buckler"]}).place("mason") == "d5.0"
    assert meeting(9, scenario=lending("buckler", "golem", 2), holds={"mason": ["buckler"]}).place("mason") == "s1"


def test_L_GOLEM_2_nothing_is_dropped_on_the_way_home() -> None:
    held = ["key2", "rope", "salts"]
    scene = meeting(3, holds={"mason": held})
    assert scene.held("mason") == held
    assert scene.args("sent_home") == [("mason", "d5", "s1")]


def test_L_GOLEM_2_it_goes_to_its_own_start_whoever_is_to_act() -> None:
    at = {"mason": "d6", "courier": "d5", "lampwright": "s5"}
    scene = Scene(arrange(at=at, tiles=TILES, golem="d4", dark=DARK, golem_cards=["homesick", "scent"]))
    scene.do("golem")  # on the centre already
    assert scene.told == ["golem_card"]
    scene.do("end_turn").do("end_turn").do("golem").roll(7)
    assert scene.place("courier") == "s3"
    assert scene.golem == "d5.0"


def test_L_GOLEM_3_also_whom_it_walks_onto_and_then_it_walks_on() -> None:
    at = {"lampwright": "s1", "mason": "d5", "courier": "d5"}
    state = arrange(at=at, tiles=TILES, golem="d4", dark=DARK, golem_cards=["whistle"], acting="courier")
    scene = Scene(state).do("golem")
    assert scene.golem == "d5.0"
    assert scene.asked == {"courier"}  # whose turn it is
    scene.roll(12)
    assert scene.asked == {"mason"}
    scene.roll(5)
    assert (scene.place("courier"), scene.place("mason")) == ("d5.0", "s3")
    assert scene.asked == {"courier"}
    assert scene.spaces("golem_walks") == {"d4.0", "d6.0"}


def test_L_GOLEM_3_but_nobody_on_another_corridor_of_its_tile() -> None:
    for place, met in (("d6.0", True), ("d6.1", False)):
        at = {"mason": place, "courier": "s4"}
        tiles = {"d5": "gallery", "d6": "underpass"}
        scene = Scene(arrange(at=at, tiles=tiles, golem="d5", dark=DARK, golem_cards=["whistle"]))
        assert (scene.do("golem").do("golem_walks", "d6").verbs == {"rolled"}) == met


def test_L_GOLEM_4_nobody_fights_it() -> None:
    scene = meeting(12)
    assert scene.verbs & {"attack", "fight"} == set()
    assert scene.refused("attack", "golem")


# ── its cards ──


def walking(card: str, golem: str, **position: Any) -> Scene:
    """The Golem's next card, where a road leads from the centre over d5 to d6, and the key tiles lie apart."""
    fields: dict[str, Any] = {"at": {"mason": "s1", "courier": "s4"}, "tiles": TILES, "dark": DARK}
    return Scene(arrange(golem=golem, golem_cards=[card], **fields | position)).do("golem")


def test_L_GOLEM_5_toward_the_centre_it_walks_as_far_as_the_card_says_or_the_way_goes() -> None:
    assert walking("homesick", "d6").golem == "d4.0"
    assert walking("homesick", "d4").golem == "d4.0"
    assert walking("homesick", "g2").golem == "g2.0"  # no way leads there


def test_L_GOLEM_5_toward_the_nearest_with_a_key_else_the_nearest() -> None:
    at = {"mason": "d6", "courier": "d4"}
    assert walking("scent", "d5", at=at, holds={"mason": ["key2"]}).golem == "d6.0"
    assert walking("scent", "d5", at=at, holds={"courier": ["key2"]}).golem == "d4.0"
    nearer = walking("scent", "d6", at={"mason": "d5", "courier": "d4"}, holds={"courier": ["key2"]})
    assert nearer.golem == "d5.0"
    assert walking("scent", "d6", at={"mason": "s1", "courier": "d4"}).golem == "d5.0"


def test_L_GOLEM_5_of_equally_near_the_active_player_chooses() -> None:
    scene = walking("scent", "d5", at={"mason": "d6", "courier": "d4"})
    assert scene.asked == {"mason"}
    assert scene.spaces("golem_walks") == {"d4.0", "d6.0"}
    assert scene.do("golem_walks", "d4").golem == "d4.0"


def test_L_GOLEM_5_it_does_not_walk_onto_a_start_space() -> None:
    assert walking("scent", "a3").golem == "a3.0"
    walked = walking("whistle", "a3", tiles={"b4": ("gallery", 1)})
    assert walked.args("golem_walked") == [("golem", "a3", "b4"), ("golem", "b4", "a3")]


def test_L_GOLEM_5_at_random_it_takes_any_way_and_that_is_chance() -> None:
    ends: set[str] = set()
    for seed in range(30):
        scene = Scene(arrange(at={"mason": "s1"}, tiles=TILES, golem="d5", golem_cards=["sleepwalk"]))
        scene = Scene(replace(scene.state, rng=Rng(seed))).do("golem")
        (walked,) = [event for event in scene.events if event.kind == "golem_walked"]
        assert walked.chance
        ends.add(scene.golem)
    assert ends == {"d4.0", "d6.0"}


def test_L_GOLEM_5_out_of_nowhere_onto_any_other_tile_without_a_character() -> None:
    scene = walking("mirror", "d5", at={"mason": "d6", "courier": "s4"})
    assert scene.spaces("golem_appears") == {"a3.0", "b1.0", "c6.0", "d4.0", "e1.0", "e5.0", "e5.1", "f5.0", "g2.0"}
    scene.do("golem_appears", "g2")
    assert scene.golem == "g2.0"
    assert scene.asked == {"mason"}


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize(("verb", "deck"), [("golem", "golem_deck"), ("event", "event_deck")])
def test_L_GOLEM_5_L_EVENT_1_an_empty_deck_is_its_discards_again_or_there_is_none(
    verb: str, deck: str, again: bool
) -> None:
    state = arrange(switched(decks_reshuffle=again), at={"mason": "s1"}, golem="g2")
    full = getattr(state, deck)
    empty = replace(state, **{deck: full._replace(draw=(), discard=full.draw)})
    scene = Scene(empty)
    assert (verb in scene.verbs) == again
    if again:
        scene.do(verb)
        (shuffled,) = [event for event in scene.events if event.kind == "reshuffled"]
        assert shuffled.chance
        after = getattr(scene.state, deck)
        assert len(after.draw) == len(full.draw) - 1
    assert verb not in Scene(replace(state, **{deck: full._replace(draw=(), discard=())})).verbs


# ── combat ──


def fighting(**position: Any) -> Scene:
    """The Mason, the Courier and the Lampwright on one corridor."""
    fields: dict[str, Any] = {
        "at": {"mason": "d5", "courier": "d5", "lampwright": "d5"},
        "tiles": TILES,
        "dark": DARK,
    }
    return Scene(arrange(**fields | position))


def lives(scene: Scene) -> tuple[int, ...]:
    return tuple(player.lives for player in scene.state.players)


def test_L_FIGHT_1_by_an_attack_or_when_characters_meet_and_one_of_them_wants_to() -> None:
    assert fighting().do("attack", "courier").verbs == {"rolled"}
    scene = arriving()
    assert (scene.asked, scene.offers("fight")) == ({"mason"}, [("courier",), ("lampwright",)])
    assert scene.do("fight", "lampwright").roll(5, 6).args("fought") == [("mason", 5, "lampwright", 6)]
    scene = arriving().do("pass")
    assert (scene.asked, scene.offers("fight")) == ({"courier"}, [("mason",)])
    scene.do("pass")
    assert scene.asked == {"lampwright"}
    assert scene.do("fight", "mason").asked == {"mason"}  # L-FIGHT-2: whose turn it is rolls first
    scene = arriving().do("pass").do("pass").do("pass")
    assert "fought" not in scene.told
    assert scene.asked == {"mason"}


def arriving() -> Scene:
    at = {"mason": "d6", "courier": "d5", "lampwright": "d5"}
    return fighting(at=at).do("move", "d5")


@pytest.mark.parametrize(("one", "two", "after"), [(7, 6, (4, 3, 4)), (6, 7, (3, 4, 4)), (12, 2, (4, 3, 4))])
def test_L_FIGHT_2_both_roll_the_active_player_first_and_the_lower_loses_a_life(
    one: int, two: int, after: tuple[int, ...]
) -> None:
    scene = fighting().do("attack", "courier")
    assert scene.asked == {"mason"}
    scene.roll(one)
    assert scene.asked == {"courier"}
    scene.roll(two)
    assert lives(scene) == after
    assert scene.args("fought") == [("mason", one, "courier", two)]


def test_L_FIGHT_2_a_tie_is_rolled_again_by_both_until_it_is_decided() -> None:
    scene = fighting().do("attack", "courier").roll(7, 7)
    assert scene.asked == {"mason"}
    scene.roll(9, 9, 3)
    assert lives(scene) == (4, 4, 4)
    assert lives(scene.roll(2)) == (4, 3, 4)
    assert scene.told.count("tied") == 2


def test_L_FIGHT_2_bonuses_make_and_break_ties() -> None:
    held = {"mason": ["buckler", "buckler"], "courier": ["buckler"]}
    assert lives(fighting(holds=held).do("attack", "courier").roll(6, 6)) == (4, 3, 4)
    assert fighting(holds=held).do("attack", "courier").roll(6, 7).told.count("tied") == 1
    fencer = fighting(at={"mason": "d5", "fencer": "d5"}).do("attack", "fencer").roll(7, 7)
    assert lives(fencer) == (3, 4)


def test_L_FIGHT_3_an_attack_names_whom_on_the_same_corridor_or_all_of_them() -> None:
    assert set(fighting().offers("attack")) == {("courier",), ("lampwright",), ("courier", "lampwright")}
    apart = fighting(at={"mason": "e5.0", "courier": "e5.0", "lampwright": "e5.1"})
    assert apart.offers("attack") == [("courier",)]
    assert fighting(at={"mason": "e5.0", "courier": "d5", "lampwright": "e5.1"}).offers("attack") == []


def test_L_FIGHT_3_L_ACT_ATTACK_for_one_action_it_is_one_fight_with_each() -> None:
    scene = fighting(acting="courier").do("attack", "lampwright", "mason").roll(5, 6)
    assert scene.asked == {"courier"}  # and now against the Mason
    scene.roll(8, 3)
    assert scene.args("fought") == [("courier", 5, "lampwright", 6), ("courier", 8, "mason", 3)]
    assert lives(scene) == (3, 3, 4)
    assert scene.state.actions == 1


def test_L_FIGHT_3_who_is_gone_fights_no_more() -> None:
    scene = fighting(lives={"mason": 1}).do("attack", "courier", "lampwright").roll(5, 6)
    assert scene.place("mason") == "s1"
    assert scene.told.count("fought") == 1
    assert scene.verbs != {"rolled"}


def test_L_FIGHT_4_a_dazed_rival_loses_without_a_roll() -> None:
    """Corner case 25."""
    scene = fighting(daze={"courier": 1}).do("attack", "courier")
    assert lives(scene) == (4, 3, 4)
    assert scene.told == ["helpless", "hurt"]
    assert scene.asked == {"mason"}


def test_L_FIGHT_4_or_it_rolls_as_any_other_does() -> None:
    scene = fighting(scenario=switched(dazed_loses_fights=False), daze={"courier": 1}).do("attack", "courier")
    assert scene.verbs == {"rolled"}
    assert lives(scene.roll(3, 9)) == (3, 4, 4)


def test_L_FIGHT_4_so_does_who_arrives_dazed_and_is_attacked_there() -> None:
    at = {"mason": "d6", "courier": "d5"}
    scene = fighting(at=at, traps={"d5": "slumber"}).do("move", "d5").roll(7)
    assert scene.player("mason").daze == 3
    assert scene.asked == {"courier"}  # L-DAZE-1: the Mason wants nothing
    assert scene.offers("fight") == [("mason",)]
    assert lives(scene.do("fight", "mason")) == (3, 4)


def test_L_FREE_CRYSTAL_in_a_fight_the_loser_rolls_its_own_dice_again_and_then_the_other_may() -> None:
    scene = fighting(dark=["lampwright"]).do("attack", "courier").roll(7, 6)
    assert (scene.asked, scene.verbs) == ({"courier"}, {"repeat", "accept"})
    scene.do("repeat").roll(9)
    assert not scene.player("courier").crystal
    assert scene.asked == {"mason"}
    scene.do("repeat").roll(8)
    assert lives(scene) == (3, 4, 4)
    assert not scene.player("mason").crystal
    assert scene.args("fought") == [("mason", 8, "courier", 9)]
    accepted = fighting(dark=["lampwright"]).do("attack", "courier").roll(7, 6).do("accept")
    assert lives(accepted) == (4, 3, 4)
    assert accepted.player("courier").crystal
