"""What lies on the board at first, who plays whom, who begins; and how a game is won."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from mazes import Scene, arrange, by_hand, glass_warren, lamp_alley, name_of, switched

from underglow.games.labyrinth import dealing, rules
from underglow.games.labyrinth.dealing import First
from underglow.games.labyrinth.scenario import CENTRE, KEY_TILE, LANES, NONE, Scenario
from underglow.games.labyrinth.turn import Turn
from underglow.rng import Rng

SCENARIOS = pytest.mark.parametrize("scenario", [glass_warren(), lamp_alley()], ids=lambda scenario: scenario.id)


def dealt(scenario: Scenario, seats: int, seed: int = 1) -> Scene:
    return Scene(dealing.setup(scenario, seats, Rng(seed)))


def picked(scenario: Scenario, seats: int) -> Scene:
    """Every seat has picked the first character it could."""
    scene = dealt(scenario, seats)
    while "pick_character" in scene.verbs:
        scene.do("pick_character", *scene.offers("pick_character")[0])
    return scene


# ── what lies where ──


@SCENARIOS
def test_L_SETUP_1_centre_and_key_tiles_lie_with_golem_and_keys_and_nothing_else(scenario: Scenario) -> None:
    state = dealt(scenario, 2).state
    maze = state.maze
    assert maze.kind(scenario.centre) == CENTRE
    assert [maze.kind(hex_) for hex_ in scenario.key_hexes] == [KEY_TILE] * len(scenario.key_hexes)
    assert sum(tile != NONE for tile in maze.laid) == 1 + len(scenario.key_hexes)
    assert state.golem == scenario.centre_place
    assert [key // LANES for key in state.keys] == list(scenario.key_hexes)
    assert (state.traps, state.lying, state.glyphs) == ((), (), ())


@SCENARIOS
def test_L_SETUP_1_each_start_space_leads_to_its_own_key_tile_and_nowhere_else(scenario: Scenario) -> None:
    state = dealt(scenario, 2).state
    for number, hex_ in enumerate(scenario.key_hexes):
        start = (scenario.sockets + number) * LANES
        assert state.maze.near[start] == (hex_ * LANES,)
        assert state.maze.near[hex_ * LANES] == (start,)
    assert scenario.spaces[scenario.sockets :] == tuple(f"s{n}" for n in range(1, len(scenario.key_hexes) + 1))


def test_L_SETUP_2_tiles_traps_items_and_both_decks_are_shuffled() -> None:
    scenario = glass_warren()
    orders: list[set[tuple[int, ...]]] = [set(), set(), set(), set(), set()]
    whole = (scenario.pile, scenario.pool, scenario.stock, scenario.golem_deck, scenario.event_deck)
    assert [len(pieces) for pieces in whole] == [30, 60, 15, 12, 12]
    for seed in range(4):
        state = dealt(scenario, 2, seed).state
        dealt_out = (state.pile, state.pool, state.stock, state.golem_deck.draw, state.event_deck.draw)
        for order, pieces, everything in zip(orders, dealt_out, whole, strict=True):
            assert sorted(pieces) == sorted(everything)
            order.add(pieces)
    assert [len(order) for order in orders] == [4] * 5


@pytest.mark.parametrize("side", ["active", "inactive"])
def test_L_SETUP_3_a_character_has_four_lives_and_a_crystal_on_the_side_of_the_switch(side: str) -> None:
    scene = picked(switched(crystal_starts=side), 3)
    for seat, player in enumerate(scene.state.players):
        assert (player.lives, player.daze, player.items) == (4, 0, ())
        assert player.crystal == (side == "active")
        assert player.place == scene.state.scenario.start(3, seat)


def test_L_SETUP_3_L_CHAR_1_everybody_picks_a_character_in_turn_and_nobody_picks_one_twice() -> None:
    scene = dealt(by_hand(), 6)
    for seat in range(6):
        free = scene.offers("pick_character")
        assert {action.seat for action in rules.legal(scene.state)} == {seat}
        assert len(free) == len(scene.state.scenario.characters) - seat
        scene.do("pick_character", *free[-1])
        scene.refused("pick_character", *free[-1], seat=seat + 1)
    assert len({player.character for player in scene.state.players}) == 6
    assert scene.args("picked")[0] == ("warden", "s1")


# ── who begins ──


def test_L_SETUP_4_the_highest_roll_begins() -> None:
    scene = picked(by_hand(), 3).roll(4, 9, 8)
    assert scene.acting == "lampwright"
    assert scene.args("turn") == [("lampwright",)]
    assert scene.state.actions == 2


def test_L_SETUP_4_of_equal_rolls_only_those_roll_again() -> None:
    scene = picked(by_hand(), 3).roll(9, 5, 9)
    assert isinstance(scene.state.agenda[-1], First)
    assert scene.asked == {"mason"}
    scene.roll(3)
    assert scene.asked == {"fencer"}
    scene.roll(3).roll(7)
    scene.roll(11)
    assert scene.acting == "fencer"
    assert [who for who, _ in scene.args("rolled")] == ["mason", "lampwright", "fencer", *["mason", "fencer"] * 2]


def test_L_SETUP_4_dice_of_the_engine_are_rolled_for_everybody_and_marked_as_chance() -> None:
    firsts: set[str] = set()
    for seed in range(12):
        scene = dealt(glass_warren(), 2, seed).do("pick_character", "mason").do("pick_character", "fencer")
        assert isinstance(scene.state.agenda[-1], Turn)
        rolls = [event for event in scene.events if event.kind == "rolled"]
        assert all(event.chance and 2 <= int(event.args[1]) <= 12 for event in rolls)
        one, two = rolls[-2:]
        assert scene.acting == max((one.args[1], one.args[0]), (two.args[1], two.args[0]))[1]
        firsts.add(scene.acting)
    assert firsts == {"mason", "fencer"}


@SCENARIOS
def test_L_SETUP_4_start_spaces_are_as_far_apart_as_can_be(scenario: Scenario) -> None:
    doors = len(scenario.key_hexes)
    assert list(scenario.seats) == list(scenario.start_use)
    for seats, used in scenario.start_use.items():
        gaps = [later - earlier for earlier, later in pairwise((*used, used[0] + doors))]
        assert len(used) == seats
        assert min(gaps) == doors // seats


def test_L_SETUP_4_a_number_of_seats_without_start_spaces_cannot_play() -> None:
    for seats in (0, 1, 7):
        with pytest.raises(ValueError, match=f"Glass Warren is for 2 to 6 seats, not {seats}"):
            dealing.setup(glass_warren(), seats, Rng(1))


# ── the centre ──


def before_the_centre(rival: str = "s4") -> Scene:
    """The Mason beside the centre with the key of the other door."""
    return Scene(arrange(at={"mason": "d5", "fencer": rival}, tiles={"d5": "gallery"}, holds={"mason": ["key4"]}))


def test_L_GOAL_1_alone_on_the_centre_with_a_key_wins_at_once() -> None:
    scene = before_the_centre().do("move", "d4")
    assert scene.state.ended == "centre"
    assert scene.args("won") == [("mason",)]
    outcome = rules.outcome(scene.state)
    assert outcome
    assert outcome.winners == (0,)
    assert rules.legal(scene.state) == ()
    assert scene.refused("end_turn") == "The game is over."


def test_L_GOAL_1_without_a_key_the_centre_is_a_corridor_like_any_other() -> None:
    scene = Scene(arrange(at={"mason": "d5"}, tiles={"d5": "gallery"})).do("move", "d4")
    assert not scene.state.ended
    assert rules.outcome(scene.state) is None
    assert scene.acting == "mason"


def test_L_GOAL_1_corner_case_29_with_a_rival_on_the_centre_there_is_no_win_yet() -> None:
    scene = before_the_centre(rival="d4").do("move", "d4")
    assert not scene.state.ended
    assert scene.verbs == {"fight", "pass"}
    scene.do("pass").do("pass")
    assert not scene.state.ended
    assert scene.acting == "mason"


def test_L_GOAL_1_a_rival_beaten_off_the_centre_in_ones_own_turn_wins_at_once() -> None:
    state = arrange(
        at={"mason": "d5", "fencer": "d4"},
        tiles={"d5": "gallery"},
        holds={"mason": ["key4"]},
        lives={"fencer": 1},
        dark=["fencer"],
    )
    scene = Scene(state).do("move", "d4").do("fight", "fencer").roll(12, 2)
    assert scene.place("fencer") == "s4"
    assert scene.state.winners == (0,)


def test_L_GOAL_1_a_rival_who_leaves_in_its_own_turn_gives_the_win_at_the_start_of_the_next() -> None:
    state = arrange(
        at={"mason": "d4", "fencer": "d4"}, tiles={"d5": "gallery"}, holds={"mason": ["key4"]}, acting="fencer"
    )
    scene = Scene(state).do("move", "d5")
    assert not scene.state.ended
    assert scene.acting == "fencer"
    scene.do("end_turn")
    assert scene.told[-2:] == ["turn", "won"]
    assert scene.state.winners == (0,)


def test_L_GOAL_1_a_dazed_character_alone_on_the_centre_wins_at_the_start_of_its_turn() -> None:
    state = arrange(at={"mason": "d4", "fencer": "s4"}, holds={"mason": ["key4"]}, daze={"mason": 1}, acting="fencer")
    assert Scene(state).do("end_turn").state.winners == (0,)


@pytest.mark.parametrize("spoils", [False, True])
def test_L_GOAL_1_section_5_whether_the_golem_spoils_the_centre_is_a_switch(spoils: bool) -> None:
    scenario = switched(golem_spoils_centre=spoils)
    state = arrange(
        scenario, at={"mason": "d5"}, tiles={"d5": "gallery"}, holds={"mason": ["key4"]}, golem="d4", dark=["mason"]
    )
    scene = Scene(state).do("move", "d4").roll(12)
    assert scene.place("mason") == "d4.0"
    assert bool(scene.state.ended) != spoils


def test_L_GOAL_2_corner_case_28_the_key_beside_ones_own_start_cannot_be_taken() -> None:
    scene = Scene(arrange(at={"mason": "s1"})).do("move", "a3")
    assert scene.keys["key1"] == "a3.0"
    assert scene.offers("pick") == []
    scene.refused("pick", "key1")


def test_L_GOAL_2_nor_may_it_be_taken_where_a_rival_has_dropped_it() -> None:
    state = arrange(at={"mason": "d5"}, tiles={"d5": "gallery"}, keys={"key1": "d5", "key4": "d5"})
    scene = Scene(state)
    assert scene.offers("pick") == [("key4",)]
    scene.refused("pick", "key1")


def test_L_GOAL_2_any_other_key_may_be_taken_also_from_a_door_where_nobody_began() -> None:
    scene = Scene(arrange(at={"mason": "c6", "fencer": "a3"}))
    assert scene.do("pick", "key2").held("mason") == ["key2"]
    scene.do("end_turn").do("pick", "key1")
    assert scene.keys == {**scene.keys, "key2": "mason", "key1": "fencer"}


# ── rounds, where the scenario counts them ──


def last_turn(holds: dict[str, list[str]], **at: str) -> Scene:
    """The last turn of Lamp Alley for two players."""
    state = arrange(lamp_alley(), at=at, holds=holds, tiles={"c4": "lane"}, acting=list(at)[1])
    scene = Scene(state)
    while scene.state.turn < 18:
        scene.do("end_turn")
    return scene.do("end_turn")


def test_after_the_last_round_most_keys_win() -> None:
    scene = last_turn({"wrestler": ["key1"]}, climber="c4", wrestler="s3")
    assert not scene.state.ended
    scene.do("end_turn")
    assert scene.told[-1] == "time"
    assert (scene.state.ended, scene.state.winners) == ("rounds", (1,))


def test_after_the_last_round_of_equal_keys_the_shortest_way_to_the_centre_wins() -> None:
    scene = last_turn({"climber": ["key3"], "wrestler": ["key1"]}, climber="c4", wrestler="s3").do("end_turn")
    assert scene.state.winners == (0,)
    outcome = rules.outcome(scene.state)
    assert outcome
    assert outcome.winners == (0,)


def test_after_the_last_round_those_who_are_level_win_together() -> None:
    scene = last_turn({}, climber="s1", wrestler="s3").do("end_turn")
    assert scene.state.winners == (0, 1)


def test_a_scenario_without_rounds_goes_on() -> None:
    endless = replace(by_hand(), rounds=0, digest="no rounds")
    scene = Scene(arrange(endless, at={"mason": "s1"}))
    for _ in range(60):
        scene.do("end_turn")
    assert not scene.state.ended
    assert name_of(scene.state.scenario, scene.state.players[0].place) == "s1"
