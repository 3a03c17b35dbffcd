"""Traps: where one may be laid, who has to test it, and what the sixteen do: that is in `traps.toml`, row by row."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mazes import GLASS_WARREN, Scene, arrange, by_hand, glass_warren, laid, switched

from underglow.games.labyrinth import dealing
from underglow.games.labyrinth.state import Trap
from underglow.rng import Rng

ROWS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "traps.toml").read_text())["trap"]
CASES = [(row["id"], case) for row in ROWS for case in row["outcomes"]]
NAMES = [f"{row['rule']} {' '.join(map(str, case['play']))}" for row in ROWS for case in row["outcomes"]]


def stepping_on(trap: str, **position: Any) -> Scene:
    """The Mason has just walked from d6 onto d5, where that trap lies face down; the Courier is far away."""
    fields: dict[str, Any] = {
        "at": {"mason": "d6", "courier": "s4"},
        "tiles": {"d5": "gallery", "d6": "gallery", "e5": "twin_bends"},
        "traps": {"d5": f"? {trap}"},
        "dark": ["mason", "courier"],
    }
    return Scene(arrange(**fields | position)).do("move", "d5")


def play(scene: Scene, moves: Sequence[int | str]) -> Scene:
    """A number is a roll, words are what is chosen."""
    for move in moves:
        verb, *words = f"rolled {move}".split() if isinstance(move, int) else move.split()
        scene.do(verb, *(int(word) if word.isdecimal() else word for word in words))
    return scene


@pytest.mark.parametrize(("trap", "case"), CASES, ids=NAMES)
def test_L_TRAP_01_02_03_04_05_06_07_08_09_10_11_12_13_14_15_16_data_file(trap: str, case: dict[str, Any]) -> None:
    had, left = case.get("has", []), case.get("holds", [])
    dark = ["courier"] if case.get("crystal_before") else ["mason", "courier"]
    scene = play(stepping_on(trap, holds={"mason": had}, dark=dark), case["play"])
    mason = scene.player("mason")
    assert (mason.lives, mason.daze) == (case.get("lives", 4), case.get("daze", 0))
    assert scene.place("mason") == case.get("at", "d5.0")
    assert scene.held("mason") == left
    assert mason.crystal is case.get("crystal", False)
    assert scene.told.count("boxed") == len(had) - len(left)
    assert scene.traps == {"d5.0": trap}
    assert scene.verbs & {"rest", "end_turn"}  # all rolls are down: the turn goes on
    assert scene.asked == {"mason"}


def test_L_TRAP_22_the_data_file_has_every_trap_of_the_sheet_and_glass_warren_no_other() -> None:
    assert [row["rule"] for row in ROWS] == [f"L-TRAP-{number:02}" for number in range(1, 17)]
    assert [row["id"] for row in ROWS] == [trap.id for trap in glass_warren().traps]
    assert len(glass_warren().pool) == 60


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_L_TRAP_G6_the_data_file_has_both_sides_of_what_is_needed(row: dict[str, Any]) -> None:
    """A roll that is just enough, and one that just is not."""
    trap = next(trap for trap in glass_warren().traps if trap.id == row["id"])
    rolls = {move for case in row["outcomes"] for move in case["play"] if isinstance(move, int)}
    assert {trap.need, trap.need - 1} <= rolls


# ── setting ──

FREE = {"a3.0", "c6.0", "f5.0", "g2.0", "e1.0", "b1.0"}
"""The key tiles."""


def setting(**position: Any) -> Scene:
    """The Mason, on d5, is about to lay a trap; the Courier stands on the first corridor of e5."""
    fields: dict[str, Any] = {
        "at": {"mason": "d5", "courier": "e5.0"},
        "tiles": {"d5": "gallery", "e5": "twin_bends", "d6": "gallery"},
        "golem": "d4",
    }
    return Scene(arrange(**fields | position)).do("trap")


def test_L_ACT_TRAP_L_TRAP_G1_the_next_of_the_pool_is_laid_on_any_corridor_and_nobody_has_seen_it() -> None:
    scene = setting(pool=["axes", "spikes"])
    assert scene.state.actions == 1
    assert scene.spaces("set") == {"d5.0", "d6.0", "e5.1"} | FREE
    scene.do("set", "d6")
    assert scene.traps == {"d6.0": "? axes"}
    assert [trap.known for trap in scene.state.traps] == [0]
    assert [(event.kind, event.args, event.reveals) for event in scene.events] == [("trap_set", ("mason", "d6"), False)]
    scene.do("trap").do("set", "g2")  # L-TURN-2
    assert scene.traps == {"d6.0": "? axes", "g2.0": "? spikes"}


def test_L_TRAP_G1_the_setter_does_not_peek() -> None:
    """Corner case 22: to the one who lays it, it could be any, before it lies and after."""
    drawn = setting(pool=["axes"]).state
    assert {dealing.redeal(drawn, 0, Rng(seed)).pool[0] for seed in range(400)} == set(range(16))
    laid = Scene(drawn).do("set", "d6").state
    assert {dealing.redeal(laid, 0, Rng(seed)).traps[0].kind for seed in range(400)} == set(range(16))


def test_L_TRAP_G2_never_on_the_centre_nor_on_a_start_space() -> None:
    scene = setting()
    assert {str(space) for space, _ in scene.offers("set")} & {"d4", "s1", "s2", "s3", "s4", "s5", "s6"} == set()
    for where in ("d4", "s1"):
        assert scene.refused("set", where, 0)


@pytest.mark.parametrize("trap", ["spikes", "? spikes"])
def test_L_TRAP_G3_a_corridor_with_a_trap_takes_no_other(trap: str) -> None:
    """Corner case 19."""
    scene = setting(traps={"d6": trap})
    assert scene.spaces("set") == {"d5.0", "e5.1"} | FREE
    assert scene.refused("set", "d6", 0)


def test_L_TRAP_G3_G4_the_other_corridor_of_a_tile_is_free() -> None:
    """Corner case 20: beside a rival, and beside another trap."""
    assert "e5.1" in setting().do("set", "e5.1").traps
    scene = setting(traps={"e5.1": "spikes"}, at={"mason": "d5", "courier": "s4"})
    assert scene.spaces("set") & {"e5.0", "e5.1"} == {"e5.0"}


def test_L_TRAP_G4_never_under_another_but_under_oneself_and_then_there_is_no_test() -> None:
    scene = setting()
    assert scene.refused("set", "e5", 0)
    scene.do("set", "d5")
    assert scene.traps == {"d5.0": next(iter(scene.traps.values()))}
    assert scene.told == ["trap_set"]
    assert "d5.0" not in setting(at={"mason": "d5", "courier": "d5"}).spaces("set")


def test_L_ACT_TRAP_is_not_offered_without_a_trap_or_without_a_place_for_one() -> None:
    state = arrange(at={"mason": "d4"})
    assert "trap" in Scene(state).verbs
    assert "trap" not in Scene(replace(state, pool=())).verbs
    everywhere = tuple(Trap(place, 0, up=True, known=0) for place in state.maze.corridors)
    assert "trap" not in Scene(replace(state, traps=everywhere)).verbs


# ── entering ──


def crossing(trap_at: str, stands: str, **position: Any) -> Scene:
    """The Mason on a tile with a bridge, d5.0, over d5.1."""
    tiles = {"d5": "underpass", "d6": "gallery"}
    where = {"mason": stands, "courier": "s4"}
    return Scene(arrange(at=where, tiles=tiles, traps={trap_at: "? spikes"}, dark=["mason", "courier"], **position))


def on_spikes(scene: Scene) -> bool:
    """Whether the Mason has turned the spikes up just now and is to roll against them."""
    up = [args for args in scene.args("revealed") if args[:2] == ("trap", "spikes")]
    return len(up) == 1 and scene.verbs == {"rolled"} and scene.asked == {"mason"}


def test_L_TRAP_G5_who_enters_turns_it_up_and_is_tested_whatever_the_reason() -> None:
    assert on_spikes(stepping_on("spikes"))
    assert on_spikes(crossing("d5.1", "d5.0").do("safe_jump", "d5.1"))
    assert on_spikes(crossing("d5.0", "d5.1").do("safe_jump", "d5.0"))
    assert on_spikes(crossing("d5.0", "d5.1").do("jump", "d5.0").roll(8))
    fallen = crossing("d5.1", "d5.0").do("jump", "d5.1").roll(7)
    assert on_spikes(fallen)
    assert fallen.player("mason").lives == 2  # L-JUMP-3: first what the fall costs
    traps = {"d5": "? circle", "e5.1": "? spikes"}
    assert on_spikes(stepping_on("circle", traps=traps).roll(6).do("shift", "e5.1"))


def test_L_TRAP_G5_that_it_is_turned_up_is_a_revelation() -> None:
    (revealed,) = stepping_on("spikes").events
    assert (revealed.kind, revealed.args, revealed.reveals) == ("revealed", ("trap", "spikes", "d5"), True)


def test_L_TRAP_G5_who_stands_there_already_has_not_entered() -> None:
    scene = crossing("d5.0", "d5.0")
    assert "revealed" not in scene.do("jump", "d5.1").roll(12).told  # to the other corridor, which has none
    still = crossing("d5.1", "d5.1").do("jump", "d5.0").roll(7)  # L-JUMP-5: fails, and stays
    assert still.traps == {"d5.1": "? spikes"}
    assert still.verbs == {"rest"}


@pytest.mark.parametrize("shift", ["spring", "lightning", "treadwheel"])
def test_L_EXP_3_L_TRAP_02_03_09_a_shift_onto_another_trap_is_another_test(shift: str) -> None:
    """Corner cases 4 and 5."""
    scene = stepping_on(shift, traps={"d5": f"? {shift}", "d6": "? acid"}).roll(7)
    assert scene.asked == {"courier"}
    assert scene.spaces("shift") == {"d4.0", "d6.0"}
    scene.do("shift", "d6").roll(5, 5, 6)
    assert scene.traps == {"d5.0": shift, "d6.0": "acid"}
    before = {"spring": (3, 1), "lightning": (4, 0), "treadwheel": (3, 0)}[shift]
    mason = scene.player("mason")
    assert (mason.lives, mason.daze) == (before[0] - 2, before[1] + 4)


def test_L_TRAP_G6_every_failed_roll_takes_effect_before_the_next() -> None:
    scene = stepping_on("arrows")
    for lives in (3, 2, 1):
        scene.roll(6)
        assert scene.player("mason").lives == lives
    assert scene.verbs == {"rest"}


def test_L_TRAP_G6_what_a_seat_lends_is_added_to_each_roll() -> None:
    scenario = by_hand()
    gloves = replace(scenario.items[2], test="trap", bonus=1)
    assert gloves.when == "held"
    scenario = replace(scenario, items=(*scenario.items[:2], gloves, *scenario.items[3:]))
    scene = stepping_on("arrows", scenario=scenario, holds={"mason": [gloves.id]}).roll(6, 5, 6)
    assert scene.player("mason").lives == 3
    assert [args[2:] for args in scene.args("tested")] == [(7, 7, "passed"), (7, 6, "failed"), (7, 7, "passed")]


def test_L_TRAP_G7_it_stays_face_up_and_is_tested_by_whoever_enters_next() -> None:
    scene = stepping_on("spikes").roll(7)
    assert scene.traps == {"d5.0": "spikes"}
    scene.do("move", "d6").do("end_turn")
    assert scene.traps == {"d5.0": "spikes"}
    again = stepping_on("spikes", traps={"d5": "spikes"})
    assert again.told == []  # nothing to turn up
    assert again.verbs == {"rolled"}


def test_L_TRAP_G8_one_roll_where_the_file_names_no_number() -> None:
    """The sheet names a number for eight: the question marks of two count."""
    file: dict[str, Any] = tomllib.loads(GLASS_WARREN.read_text())
    single = {trap["id"] for trap in file["traps"] if "rolls" not in trap}
    assert len(single) == 8
    for trap in single:
        assert "end_turn" in stepping_on(trap).roll(12).verbs


@pytest.mark.parametrize(("to", "pool"), [("box", 0), ("pool", 1)])
@pytest.mark.parametrize(
    ("trap", "moves"),
    [
        ("spikes", [7]),
        ("spikes", [6]),
        ("spring", [7, "shift d6"]),
        ("arrows", [6, 6, 6]),
        ("fireball", [8, 9]),
        ("fireball", [8, 8, 8, 8]),
        ("grinder", [5]),
        ("clubs", [7, "choose 1", 7, "choose 1"]),
    ],
)
def test_L_EVENT_2_L_TRAP_G7_a_tested_trap_goes_while_that_event_is_in_force(
    trap: str, moves: list[int | str], to: str, pool: int
) -> None:
    for event, left in (("brittle_traps", {}), ("clear_sky", {"d5.0": trap})):
        scene = stepping_on(trap, scenario=switched(traps_removed_to=to), event=event)
        before = len(scene.state.pool)
        scene = play(scene, moves)
        assert scene.traps == left
        assert scene.told.count("trap_gone") == (not left)
        assert len(scene.state.pool) == before + (0 if left else pool)


def test_L_EVENT_2_it_stays_until_its_last_roll() -> None:
    scene = stepping_on("arrows", event="brittle_traps").roll(6, 7)
    assert scene.traps == {"d5.0": "arrows"}
    assert scene.roll(7).traps == {}


def test_L_EVENT_2_L_DEATH_7_who_dies_of_it_has_tested_it() -> None:
    scene = stepping_on("arrows", event="brittle_traps", lives={"mason": 1}).roll(6)
    assert scene.place("mason") == "s1"
    assert scene.traps == {}


def test_L_EVENT_2_L_TRAP_G1_a_trap_back_in_the_pool_may_be_drawn_next_or_last() -> None:
    """The pool is drawn from at random, and all have just seen which trap went back."""
    ends: set[int] = set()
    for seed in range(60):
        scene = stepping_on("grinder", scenario=switched(traps_removed_to="pool"), event="brittle_traps")
        few = tuple(kind for kind in scene.state.pool if scene.state.scenario.traps[kind].id == "axes")
        scene = Scene(replace(scene.state, pool=few, rng=Rng(seed))).roll(6)
        assert len(scene.state.pool) == len(few) + 1
        ends.add(next(n for n, kind in enumerate(scene.state.pool) if kind != few[0]))
    assert ends == set(range(4))


# ── shifts ──


def test_L_TRAP_17_to_shift_is_along_a_corridor_the_circle_goes_through_walls() -> None:
    """Corner case 32."""
    assert stepping_on("lightning").roll(9).spaces("shift") == {"d4.0", "d6.0"}
    assert stepping_on("circle").roll(6).spaces("shift") == {"d4.0", "d6.0", "e5.0", "e5.1"}


def test_L_TRAP_17_a_bridge_is_no_neighbour_of_what_lies_under_it_but_the_circle_minds_no_level() -> None:
    tiles = {"d5": "gallery", "d6": "underpass"}
    corridor = stepping_on("lightning", tiles=tiles).roll(9)
    assert corridor.spaces("shift") == {"d4.0", "d6.0"}
    assert stepping_on("circle", tiles=tiles).roll(6).spaces("shift") == {"d4.0", "d6.0", "d6.1"}


def test_L_TRAP_10_the_circle_explores_where_it_leads() -> None:
    scene = stepping_on("circle", golem="e5.1").roll(6).do("shift", "e5.1").roll(11)
    assert scene.place("mason") == "s1"  # by the Golem


@pytest.mark.parametrize(("trap", "most"), [("fireball", 4), ("frostball", 4)])
def test_L_TRAP_05_07_18_until_the_first_success_or_the_fourth_failure(trap: str, most: int) -> None:
    """Corner case 10; with lives to spare, nothing else ends it."""
    scenario = replace(by_hand(), lives=8)
    for failures in range(most):
        scene = stepping_on(trap, scenario=scenario).roll(*[8] * failures)
        assert scene.verbs == {"rolled"}
        assert scene.roll(9).verbs != {"rolled"}
        mason = scene.player("mason")
        assert (8 - mason.lives) + mason.daze == failures
    scene = stepping_on(trap, scenario=scenario).roll(*[8] * most)
    assert scene.verbs != {"rolled"}
    assert (8 - scene.player("mason").lives) + scene.player("mason").daze == most
    assert scene.place("mason") == "d5.0"


@pytest.mark.parametrize("trap", ["spring", "lightning", "treadwheel"])
def test_L_TRAP_19_with_nowhere_to_go_nothing_moves(trap: str) -> None:
    where = {"mason": "d5.0", "courier": "s4"}
    scene = Scene(arrange(at=where, tiles={"d5": "underpass"}, traps={"d5.1": trap}, dark=["mason"]))
    scene.do("safe_jump", "d5.1").roll(7)
    assert scene.place("mason") == "d5.1"
    assert scene.args("not_shifted") == [("mason",)]
    assert "shift" not in scene.verbs


def test_L_TRAP_19_nor_by_the_circle_with_no_tile_beside() -> None:
    where = {"mason": "b2.0", "courier": "s4"}
    scene = Scene(arrange(at=where, tiles={"b2": "underpass"}, traps={"b2.1": "circle"}, dark=["mason"]))
    scene.state = replace(scene.state, maze=laid(scene.state.scenario, b2=("underpass", 0), d4=("centre", 0)))
    assert scene.do("safe_jump", "b2.1").roll(6).args("not_shifted") == [("mason",)]


def test_L_TRAP_19_with_one_place_to_go_nobody_is_asked() -> None:
    scene = stepping_on("lightning", tiles={"d5": ("alcove", 0), "d6": "gallery"}).roll(9)
    assert scene.place("mason") == "d6.0"
    assert scene.args("shifted") == [("mason", "d5", "d6")]


def test_L_TRAP_20_of_two_players_it_is_the_opponent_and_no_chance() -> None:
    scene = stepping_on("lightning")
    rng = scene.state.rng
    scene.roll(9)
    assert scene.state.rng == rng
    assert [(event.args, event.chance) for event in scene.events if event.kind == "names"] == [
        (("courier", "mason"), False)
    ]


def test_L_TRAP_02_a_random_one_of_the_others_names_where() -> None:
    named: list[str] = []
    for seed in range(60):
        where = {"mason": "d6", "courier": "s3", "fencer": "s5"}
        scene = stepping_on("spring", at=where, dark=list(where))
        scene = Scene(replace(scene.state, rng=Rng(seed))).roll(7)
        (event,) = [event for event in scene.events if event.kind == "names"]
        assert event.chance
        assert scene.asked == {event.args[0]}
        named.append(str(event.args[0]))
    assert set(named) == {"courier", "fencer"}
    assert 15 < named.count("fencer") < 45


def test_L_TRAP_21_what_cannot_be_done_is_skipped_and_the_rest_applies() -> None:
    """Corner case 31."""
    scene = stepping_on("vortex").roll(9)
    assert scene.player("mason").daze == 1
    assert scene.told == ["revealed", "rolled", "tested", "dazed"]


def test_L_TRAP_14_the_victim_chooses_the_item_and_that_leaves_the_game() -> None:
    scene = stepping_on("axes", holds={"mason": ["rope", "salts"]}).roll(5)
    assert scene.asked == {"mason"}
    assert scene.offers("box") == [("rope",), ("salts",)]
    scene.do("box", "salts")
    assert scene.held("mason") == ["rope"]
    assert scene.lying == []


def test_L_TRAP_11_13_the_victim_chooses_anew_for_each_failed_roll() -> None:
    """Corner case 11."""
    scene = stepping_on("clubs").roll(7)
    assert (scene.asked, scene.verbs) == ({"mason"}, {"choose"})
    scene.do("choose", 1).roll(7)
    assert (scene.asked, scene.verbs) == ({"mason"}, {"choose"})


def test_L_TRAP_04_12_corner_cases_7_and_8() -> None:
    arrows = stepping_on("arrows").roll(7, 6, 11).player("mason")
    assert (arrows.lives, arrows.daze) == (3, 1)
    acid = stepping_on("acid").roll(5, 5, 5).player("mason")
    assert (acid.lives, acid.daze) == (1, 6)


# ── all rolls of a trap as one test ──


def test_L_FREE_CRYSTAL_once_all_rolls_are_accepted_they_all_take_effect() -> None:
    """Found so: after each failure that had taken effect, the crystal could repeat them all."""
    scene = stepping_on("spears", scenario=switched(crystal_repeats="whole_test"), dark=())
    scene.roll(7, 7, 7)
    assert scene.player("mason").lives == 4
    assert scene.verbs == {"repeat", "accept"}
    scene.do("accept").do("choose", 1)
    assert scene.verbs == {"choose"}
    scene.do("choose", 1).do("choose", 2)
    assert (scene.player("mason").lives, scene.player("mason").daze) == (2, 1)
    assert scene.player("mason").crystal
