"""What people read in Labyrinth: why something is refused, what is asked of them, and what is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mazes import Scene, arrange, by_hand, glass_warren, laid, switched

from underglow.games import labyrinth
from underglow.games.contract import Action, Event, Transfer
from underglow.games.labyrinth.effects import Either
from underglow.games.labyrinth.golem import Walk
from underglow.games.labyrinth.moving import Shift
from underglow.games.labyrinth.phrases import danger, lying
from underglow.games.labyrinth.scenario import Shape
from underglow.games.labyrinth.state import EVENT, GOLEM, State
from underglow.games.labyrinth.traps import PickTrap, SetTrap

UNDERPASS = {"d5": "underpass"}  # its bridge leads E-W from the centre, and NW-SE goes under it


def words(state: State) -> list[str]:
    """What may be chosen, as it is called."""
    return [labyrinth.describe(state, action) for action in labyrinth.legal(state)]


def told(scene: Scene, kind: str) -> list[str]:
    """What the log says of what happened."""
    return [labyrinth.narrate(scene.state, event) for event in scene.events if event.kind == kind]


# ── refusals in a turn ──


def test_L_ACT_SAFE_a_safe_jump_with_one_action_left_is_refused() -> None:
    state = replace(arrange(at={"fencer": "d5"}, tiles=UNDERPASS), actions=1)
    assert Scene(state).refused("safe_jump", "d5", 1) == "That costs 2 actions, and the Fencer has 1 left."


def test_L_ACT_CRYSTAL_waking_it_costs_two_actions_and_only_a_dark_one_can_be_woken() -> None:
    state = arrange(at={"fencer": "d5"}, dark=["fencer"])
    assert Scene(replace(state, actions=1)).refused("crystal") == "That costs 2 actions, and the Fencer has 1 left."
    assert Scene(arrange(at={"fencer": "d5"})).refused("crystal") == "The Fencer's crystal is lit already."


@pytest.mark.parametrize("verb", ["build", "rest", "trap", "golem", "event", "move", "jump", "attack"])
def test_L_TURN_1_without_actions_left_nothing_that_costs_one_is_done(verb: str) -> None:
    state = replace(arrange(at={"fencer": "d4"}, items={"d4": "rope"}), actions=0)
    assert Scene(state).refused(verb) == "That costs 1 action, and the Fencer has none left."


@pytest.mark.parametrize(
    ("verb", "bit", "said"),
    [("golem", GOLEM, "One Golem card a turn is all there is."), ("event", EVENT, "One event a turn is all there is.")],
)
def test_L_ACT_GOLEM_EVENT_once_a_turn(verb: str, bit: int, said: str) -> None:
    assert Scene(replace(arrange(at={"fencer": "d4"}), used=bit)).refused(verb) == said


def test_L_ACT_MOVE_where_no_corridor_leads_says_which_is_meant() -> None:
    scene = Scene(arrange(at={"fencer": "d5"}, tiles={**UNDERPASS, "c5": "gallery"}))
    assert scene.refused("move", "c5", 0) == "No corridor leads from d5 (E–W) to c5."  # noqa: RUF001
    assert scene.refused("move", "f1", 0) == "No corridor is there yet."
    assert scene.refused("move", "d5", 0) == "The Fencer stands there already."
    assert (
        scene.refused("move", "d5", 1) == "Only a jump leads the Fencer from d5 (E–W) to d5 (SE–NW)."  # noqa: RUF001
    )


def test_L_ACT_RISK_who_is_not_by_a_bridge_cannot_jump() -> None:
    assert Scene(arrange(at={"fencer": "d4"})).refused("jump", "d4", 0) == (
        "The Fencer stands neither on a bridge nor under one."
    )


def test_L_ACT_ATTACK_only_who_stands_on_the_same_corridor() -> None:
    scene = Scene(arrange(at={"fencer": "d5", "rigger": "d5.1"}, tiles=UNDERPASS))
    assert scene.refused("attack", "rigger") == "The Fencer can attack only who stands on the same corridor."


def test_L_GOAL_2_the_key_of_the_own_door_stays_where_it_is() -> None:
    assert Scene(arrange(at={"fencer": "a3"})).refused("pick", "key1") == (
        "The Fencer cannot take the key of its own door."
    )


def test_L_ITEM_1_L_FREE_SWAP_a_third_item_only_in_exchange() -> None:
    state = arrange(at={"fencer": "d4"}, items={"d4": "rope"}, holds={"fencer": ["salts", "probe"]})
    assert Scene(state).refused("pick", "rope") == (
        "The Fencer has 2 items: a third is taken only in exchange for one of them."
    )
    assert Scene(state).refused("swap", "rope", "buckler") == (
        "The Fencer can leave only an item that it has, and for another kind."
    )
    light = arrange(at={"fencer": "d4"}, items={"d4": "rope"}, holds={"fencer": ["salts"]})
    assert Scene(light).refused("swap", "rope", "salts") == "The Fencer has room for it and need leave nothing."


def test_L_FREE_PICK_only_from_the_own_corridor() -> None:
    state = arrange(at={"fencer": "d5"}, tiles=UNDERPASS, items={"d5.1": "rope"})
    assert Scene(state).refused("pick", "rope") == "The Fencer can pick up only what lies on its own corridor."


def test_L_DAZE_1_a_dazed_character_rests_and_does_nothing_else() -> None:
    scene = Scene(arrange(at={"fencer": "d4"}, daze={"fencer": 1}))
    for verb in ("move", "build", "end_turn", "crystal"):
        assert scene.refused(verb) == "The Fencer is dazed: the first thing is to rest until no daze token is left."


def test_L_ACT_REST_is_for_who_is_dazed() -> None:
    assert Scene(arrange(at={"fencer": "d4"})).refused("rest") == "The Fencer is not dazed and needs no rest."


def test_L_TURN_1_nobody_plays_in_anothers_turn() -> None:
    assert Scene(arrange(at={"fencer": "d4"})).refused("build", seat=1) == "It is the Fencer's turn."


def test_L_TURN_3_where_all_actions_have_to_be_spent_a_turn_does_not_end_before() -> None:
    scene = Scene(arrange(switched(unused_actions=False), at={"fencer": "d4"}))
    assert scene.refused("end_turn") == "The Fencer has to spend 2 actions more before the turn ends."


def test_L_FREE_FIGHT_is_for_who_has_just_come() -> None:
    scene = Scene(arrange(at={"fencer": "d4", "rigger": "d4"}))
    assert scene.refused("fight", "rigger") == (
        "A free fight is for when the Fencer comes to somebody: now it takes an attack."
    )


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("rope", "The time to use the Rope is before a roll that it helps with."),
        ("buckler", "To have the Buckler is enough: there is nothing to use."),
        ("poultice", "To use the Poultice would change nothing now."),
        ("salts", "The Fencer has no such item."),
    ],
)
def test_an_item_that_cannot_be_used_now_says_why(item: str, said: str) -> None:
    held = [] if item == "salts" else [item]
    assert Scene(arrange(at={"fencer": "d4"}, holds={"fencer": held})).refused("use", item) == said


def test_L_FREE_CRYSTAL_an_ability_that_needs_the_crystal_is_refused_while_it_is_dark() -> None:
    scene = Scene(arrange(at={"courier": "d4"}, dark=["courier"]))
    assert scene.refused("ability", "sprint") == "Sprint takes the crystal, and the Courier's is dark."
    assert scene.refused("ability", "parry") == "The Courier has no such ability."
    again = Scene(arrange(at={"courier": "d4"})).do("ability", "sprint").do("crystal")
    assert again.refused("ability", "sprint") == "Sprint has been used in this turn already."
    assert Scene(arrange(at={"fencer": "d4"})).refused("ability", "parry") == "Parry works by itself."
    busy = Scene(replace(arrange(at={"mason": "d4"}), actions=0, used=0))
    assert "costs 1 action, and the Mason has none left" in busy.refused("ability", "turn_stone")


# ── refusals in the middle of something ──


def test_L_TRAP_G2_G3_G4_each_corridor_that_may_have_no_trap_says_why() -> None:
    state = arrange(at={"fencer": "d4", "rigger": "d5"}, tiles={**UNDERPASS, "c5": "gallery"}, traps={"c5": "? spikes"})
    scene = Scene(state).do("trap")
    assert scene.refused("set", "d4", 0) == "There are no traps on the centre and on start spaces."
    assert scene.refused("set", "s1", 0) == "There are no traps on the centre and on start spaces."
    assert scene.refused("set", "c5", 0) == "A trap lies on c5 already."
    assert scene.refused("set", "d5", 0) == "Another character stands on d5 (E–W)."  # noqa: RUF001
    assert scene.refused("set", "b2", 0) == "No corridor is there yet."
    assert scene.refused("end_turn") == "Something else is to be chosen first."
    assert ("d5", 1) in scene.offers("set")  # L-TRAP-G4: by corridor
    assert scene.refused("set", "d5", 1) == "That may be chosen, yet other tokens are moved by it."


def test_L_BUILD_2_where_a_tile_cannot_be_laid_says_why() -> None:
    scene = Scene(arrange(at={"fencer": "d4"}, pile=["bend"])).do("build")
    assert scene.refused("lay", "d4") == "A tile lies on d4 already."
    scene.state = replace(scene.state, maze=laid(by_hand(), d4=("centre", 0)))
    assert scene.refused("lay", "d2") == "A tile has to touch another or the frame, and on d2 it would not."
    assert scene.refused("lay", "s1") == "A tile goes on a space inside the frame."
    assert scene.refused("put_back") == "A tile that was drawn has to be laid."
    scene.do("lay", "d5")
    assert scene.refused("face", "d5", 9) == (
        "First comes the tile on d5: it can lie in any way that differs from how it lay."
    )


def test_L_FREE_CRYSTAL_a_rivals_roll_is_not_repeated() -> None:
    state = arrange(at={"fencer": "d5", "rigger": "d4"}, tiles=UNDERPASS)
    scene = Scene(state).do("jump", "d5", 1)
    assert scene.refused("repeat", seat=1) == "A crystal repeats its own character's rolls only."
    assert scene.refused("repeat") == "The dice are not down yet."
    assert scene.refused("use", "rope") == "The Fencer has no such item."
    scene.roll(3)
    assert scene.refused("rolled", 5) == "These dice are down: choose whether to roll them again."
    assert scene.refused("end_turn", seat=1) == "It is the Fencer that is asked now."


def test_after_the_end_nothing_is_chosen() -> None:
    state = arrange(at={"fencer": "d5"}, tiles=UNDERPASS, holds={"fencer": ["key4"]})
    scene = Scene(state).do("move", "d4")
    assert scene.refused("build") == "The game is over."
    assert labyrinth.refuse(scene.state, Transfer("fencer", "d4", "d5")) == ""
    assert labyrinth.prompt(scene.state, ()) == "The Fencer stands alone on the centre with a key."


# ── hands ──


@pytest.mark.parametrize(
    ("stray", "said"),
    [
        (Transfer("fencer", "d5", "c5"), "No corridor leads from d5 (E–W) to c5."),  # noqa: RUF001
        (Transfer("fencer", "d5", "g4"), "No tile lies on g4 yet."),
        (Transfer("rigger", "s4", "g2"), "It is not the Rigger that may move now."),
        (Transfer("golem", "d3", "d4"), "The Golem goes only where a card and who drew it say."),
        (Transfer("key1", "a3", None), "The Fencer cannot take the key of its own door."),
        (
            Transfer("key1", "a3", "a4"),
            "A key or an item leaves the board when it is picked up, and goes nowhere else.",
        ),
        (Transfer("gallery", "c5", "c2"), "A tile that was laid stays where it lies."),
        (Transfer("gallery", None, "c2"), "First the Fencer chooses to build, which costs an action."),
        (Transfer("trap", "c5", "d5"), "A trap that was set stays where it lies."),
        (Transfer("trap", None, "d5"), "First the Fencer chooses to set a trap, which costs an action."),
        (Transfer("nobody", None, "d5"), ""),
    ],
)
def test_what_hands_do_against_the_rules_is_refused_in_words(stray: Transfer, said: str) -> None:
    state = arrange(
        at={"fencer": "d5", "rigger": "s4"},
        tiles={**UNDERPASS, "c5": "gallery", "d3": "gallery"},
        traps={"c5": "? spikes"},
        golem="d3",
    )
    assert labyrinth.refuse(state, stray) == said


def test_hands_that_lay_a_tile_or_a_trap_where_none_may_lie_hear_why() -> None:
    scene = Scene(arrange(at={"fencer": "d4"}, pile=["bend"])).do("build")
    assert labyrinth.refuse(scene.state, Transfer("bend", None, "d4")) == "A tile lies on d4 already."
    assert labyrinth.refuse(scene.state, Transfer("fork", None, "d5")) == "The tile that was drawn is the Wide Bend."
    scene.do("lay", "d5").do("face", "d5", 0).do("trap")
    assert labyrinth.refuse(scene.state, Transfer("trap", None, "d4")) == (
        "There are no traps on the centre and on start spaces."
    )


def test_L_TRAP_17_who_is_shifted_goes_only_where_it_may_be() -> None:
    scene = Scene(arrange(at={"fencer": "d4", "rigger": "d5"}, tiles=UNDERPASS)).run(Shift(1, 0, anywhere=True))
    assert labyrinth.refuse(scene.state, Transfer("fencer", "d4", "g4")) == (
        "The Fencer can be moved only to a corridor that is lit."
    )
    assert labyrinth.prompt(scene.state, ()) == "The Rigger says where the Fencer is moved."


# ── choices ──


def test_a_tile_is_turned_by_where_its_corridors_lead() -> None:
    scene = Scene(arrange(at={"fencer": "d4"}, pile=["underpass", "fork", "twin_bends"]))
    scene.do("build").do("lay", "d5")
    assert words(scene.state)[0] == (
        "Turn it so that its bridge leads E–W, and the corridor under it SE–NW (trap)"  # noqa: RUF001
    )
    assert len(set(words(scene.state))) == len(words(scene.state)) == 3
    scene.do("face", "d5", 0).do("build").do("lay", "d3")
    assert words(scene.state) == [
        "Turn it so that its corridor leads E–SW–NW",  # noqa: RUF001
        "Turn it so that its corridor leads SE–W–NE",  # noqa: RUF001
    ]


def test_L_TILE_1_of_alike_corridors_the_one_that_gets_the_trap_is_told() -> None:
    scene = Scene(arrange(at={"fencer": "d4"}, pile=["twin_bends"])).do("build").do("lay", "d5")
    assert words(scene.state)[::3] == [
        "Turn it so that its corridors lead E–SW (trap) and W–NE",  # noqa: RUF001
        "Turn it so that its corridors lead W–NE (trap) and E–SW",  # noqa: RUF001
    ]


def test_L_TILE_1_a_bridge_over_two_corridors_is_told_as_such() -> None:
    tile = replace(
        next(tile for tile in by_hand().tiles if tile.id == "three_corners"),
        shapes=(Shape((0, 1, 1, 0, 2, 2), ((0, 3), (1, 2), (4, 5)), (True, False, False), ()),),
        items=(0,),
    )
    assert lying(tile, 0) == (
        "its bridge leads E–W (item), and the corridors under it SE–SW and NW–NE"  # noqa: RUF001
    )


def test_corridors_of_a_tile_are_told_apart_where_they_are_chosen() -> None:
    state = arrange(at={"fencer": "d5"}, tiles=UNDERPASS)
    offered = words(state)
    assert "Jump down to d5 (SE–NW) at a risk (1 action)" in offered  # noqa: RUF001
    assert "Climb down to d5 (SE–NW) without risk (2 actions)" in offered  # noqa: RUF001
    assert "Move the Fencer to d4" in offered


def test_L_FIGHT_3_attacks_on_one_and_on_several_are_told_apart() -> None:
    state = arrange(at={"fencer": "d4", "rigger": "d4", "mason": "d4"})
    assert [said for said in words(state) if said.startswith("Attack")] == [
        "Attack the Rigger",
        "Attack the Mason",
        "Attack the Rigger and the Mason",
    ]


def test_L_TRAP_G1_which_trap_was_looked_at_is_in_no_words() -> None:
    state = Scene(arrange(at={"snarer": "d4"}, tiles=UNDERPASS)).run(PickTrap((0, 1))).state
    assert words(state) == ["Lay the first trap drawn", "Lay the second trap drawn"]
    laying = [Scene(arrange(at={"snarer": "d4"}, tiles=UNDERPASS)).run(SetTrap(kind)).state for kind in (0, 1)]
    assert words(laying[0]) == words(laying[1])
    assert labyrinth.prompt(laying[0], ()) == labyrinth.prompt(laying[1], ())


def test_what_a_trap_lets_one_choose_is_named_by_what_it_does() -> None:
    clubs = next(trap for trap in by_hand().traps if trap.id == "clubs")
    options = by_hand().programs[clubs.program][0].programs
    state = Scene(arrange(at={"fencer": "d4"})).run(Either(0, 0, options)).state
    assert words(state) == ["Lose 2 lives", "Take 2 daze tokens"]


@pytest.mark.parametrize(
    ("trap", "said"),
    [
        ("vortex", "10 or more, or else take 1 daze token, have the crystal go dark and give up an item"),
        ("arrows", "3 rolls, each 7 or more, or else lose 1 life and take 1 daze token"),
        ("fireball", "up to 4 rolls until one is 9 or more, and for each other lose 1 life"),
        ("circle", "7 or more, or else be moved next door through any wall"),
        ("spears", "3 rolls, each 8 or more, or else lose 1 life or take 1 daze token"),
    ],
)
def test_L_TRAP_G6_what_a_trap_asks_for_is_said(trap: str, said: str) -> None:
    scenario = glass_warren()
    assert danger(scenario, next(known for known in scenario.traps if known.id == trap)) == said


# ── prompts and the log ──


def test_a_turn_says_what_is_left_of_it() -> None:
    state = arrange(at={"fencer": "d4"})
    assert labyrinth.prompt(state, ()) == "The Fencer has 2 actions: move the figure, or choose something else."
    assert labyrinth.prompt(replace(state, actions=1), ()).startswith("The Fencer has 1 action:")
    dazed = arrange(at={"fencer": "d4"}, daze={"fencer": 1})
    assert labyrinth.prompt(dazed, ()) == "The Fencer is dazed by 1 token and has to rest: 2 actions left."


def test_a_second_step_that_is_free_is_promised_and_not_refused_for_want_of_actions() -> None:
    scene = Scene(arrange(at={"fencer": "d5"}, tiles={**UNDERPASS, "d3": "gallery"}, event="tailwind"))
    scene.do("move", "d4")
    assert "1 action and a free step" in labyrinth.prompt(scene.state, ())
    spent = replace(scene.state, actions=0)
    assert labyrinth.prompt(spent, ()).startswith("The Fencer has no actions left and a free step")
    assert Scene(spent).refused("move", "c4", 0) == "No corridor is there yet."


def test_a_token_in_hand_is_set_down_or_put_back() -> None:
    state = arrange(at={"fencer": "d5"}, tiles={**UNDERPASS, "c5": "corner"}, items={"d5": "rope"})
    assert labyrinth.prompt(state, ("fencer",)) == ("Set the Fencer down on a lit space, or back where it stood.")
    assert labyrinth.prompt(state, ("rope",)) == (
        "Keep the Rope off the board to take it, or put it back where it lay."
    )
    assert labyrinth.prompt(state, ("key2",)).startswith("Put the key of s2 back on ")
    assert labyrinth.prompt(state, ("underpass.head",)) == "Put the head of Trapped Underpass back where it was."
    assert labyrinth.prompt(state, ("corner.head",)) == "Put the head of Sharp Corner back at the E edge of c5."
    assert labyrinth.prompt(state, ("nobody",)) == labyrinth.prompt(state, ())


def test_L_TRAP_G6_a_roll_says_what_it_is_against_and_what_may_be_done_about_it() -> None:
    scene = Scene(arrange(at={"fencer": "d4"}, tiles=UNDERPASS, traps={"d5": "? spikes"})).do("move", "d5", 0)
    assert told(scene, "revealed") == ["Spikes on d5: 7 or more, or else lose 2 lives."]
    assert labyrinth.prompt(scene.state, ()) == "The Fencer rolls against Spikes: 7 or more, or else lose 2 lives."
    scene.roll(4)
    assert labyrinth.prompt(scene.state, ()) == (
        "The Fencer came to 4 and needs 7: roll again with the crystal, or leave it at that."
    )
    scene.do("accept")
    assert told(scene, "tested") == ["The Fencer fails the test: 4, and 7 was needed."]
    assert told(scene, "hurt") == ["The Fencer loses 2 lives: 2 lives left."]


def test_L_FIGHT_2_the_loser_hears_by_how_much() -> None:
    scene = Scene(arrange(at={"mason": "d4", "rigger": "d4"}, dark=["mason"])).do("attack", "rigger").roll(9, 5)
    assert labyrinth.prompt(scene.state, ()) == (
        "The Rigger is behind the Mason by 5 to 9: roll again with the crystal, or lose a life."
    )
    scene.do("accept")
    assert told(scene, "fought") == ["In the fight the Mason comes to 9, the Rigger to 5."]


def test_an_event_says_what_holds_from_now_on_or_what_happens() -> None:
    for event, said in {
        "brittle_traps": "The event is Brittle Traps: from now on, a trap is gone once it has been tested.",
        "glass_rain": "The event is Glass Rain: all roll 7 or more or else take 1 daze token.",
        "clear_sky": "The event is Clear Sky.",
    }.items():
        scene = Scene(arrange(at={"fencer": "d4"}, events=[event])).do("event")
        assert told(scene, "event") == [said]


def test_the_golem_is_told_by_its_spaces() -> None:
    scene = Scene(arrange(at={"fencer": "a3"}, tiles={"d5": "gallery"}, golem="d5")).run(Walk(1, "centre"))
    assert told(scene, "golem_walked") == ["The Golem goes from d5 to d4."]


def test_L_DAZE_1_daze_is_counted_in_tokens() -> None:
    scene = Scene(arrange(at={"fencer": "d4"}, daze={"fencer": 2})).do("rest")
    assert told(scene, "rested") == ["The Fencer has 1 daze token left."]
    scene.do("rest")
    assert told(scene, "rested")[-1] == "The Fencer has a clear head."


def test_a_tile_that_chance_turns_says_how_it_lies() -> None:
    scene = Scene(arrange(switched(free_rotation=False), at={"fencer": "d4"}, pile=["gallery"]))
    scene.do("build").do("lay", "d5")
    (said,) = told(scene, "faced")
    assert said in {f"As chance has it, its corridor leads {way}." for way in ("E–W", "SE–NW", "SW–NE")}  # noqa: RUF001


def test_what_no_scenario_of_ours_knows_has_words_all_the_same() -> None:
    state = arrange(at={"fencer": "d4"})
    assert labyrinth.describe(state, Action(0, "no_such_verb", ("x", 1))) == "No such verb x 1"
    assert labyrinth.describe(state, Action(0, "move", ("nowhere", 7))) == "Move the figure to nowhere (7)"
    assert labyrinth.narrate(state, Event("no_such_event")) == ""
