"""Effects as a scenario file writes them: what each verb does, each condition asks, and each fault is told as."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from arranging import (
    CINDER_WELLS,
    SALT_HARBOUR,
    Scene,
    arrange,
    cinder_wells,
    edited,
    faults_of,
    keeping,
    salt_harbour,
    sums,
)

from underglow.games import mandalorian
from underglow.games.mandalorian import grammar
from underglow.games.mandalorian.effects import VERBS
from underglow.games.mandalorian.state import NOBODY, OFF, Child, State

Told = tuple[str | int, ...]


def position(
    *,
    at: str = "e3",
    child: Child | None = None,
    alarm: int = 1,
    doors_open: int = 1,
    turn: int = 0,
    filled: int = 0,
    fallen: Sequence[str] = (),
    under: str = "Crate",
    seats: int = 2,
) -> State:
    """The Drifter, with 2 damage, among threats in Salt Harbour: t1 beside it, t2 and t4 with it, t3 face down."""
    state = arrange(
        salt_harbour(),
        at={"drifter": at, "loader_droid": "g1"},
        threats=[("d3", "Wrecker"), ("e3", "Harpooner"), ("e4", "? Crate"), ("e3", under)],
        stack=["Wrecker"],
        damage={"drifter": 2},
        doors_open=doors_open,
        seats=seats,
    )
    threats = tuple(t._replace(space=OFF) if f"t{n}" in fallen else t for n, t in enumerate(state.threats, 1))
    there = child or Child(salt_harbour().spaces.index("f2"), NOBODY, NOBODY, fled=False)
    return replace(
        sums(state, 1, 2, 3, 0, 0), threats=threats, pool=(2,), tracks=(alarm,), slots=(filled,), turn=turn, child=there
    )


# ── verbs ──

EXAMPLES: dict[str, tuple[dict[str, Any], list[Told], list[Told]]] = {
    # verb: what it needs, what is chosen, and what happens
    "damage": ({"n": 2}, [("attack", "t1")], [("hit", "t1", 2, "d3"), ("destroyed", "t1", "d3")]),
    "split_damage": (
        {"n": 2},
        [("attack", "t1"), ("attack", "t2")],
        [("hit", "t1", 1, "d3"), ("hit", "t2", 1, "e3")],
    ),
    "disrupt_enemy": ({}, [("disrupt", "t1")], [("disrupted", "t1")]),
    "push": (
        {"n": 2, "range": 0},
        [("push", "t2", "d4"), ("push", "t2", "e4")],
        [("pushed", "t2", "e3", "d4"), ("pushed", "t2", "d4", "e4")],
    ),
    "look": ({}, [("look", "t3")], [("looked", "drifter", "t3", "e4")]),
    "heal": ({"n": 3}, [], [("healed", "drifter", 2)]),
    "move_self": ({"n": 2}, [("move", "g2")], [("moved", "drifter", "e3", "f2", "g2")]),
    "draw": ({"n": 2}, [], [("drew", "drifter", 2)]),
    "plan": ({"n": 1}, [("top",)], [("drew_plans", "drifter", 1), ("topped", "drifter")]),
    "clear_zone": ({"zone": "highest"}, [], [("emptied", "intel")]),
    "enemies_move": ({"n": 1, "class": "melee"}, [], [("marched", "t1", "d3", "e3")]),
    "enemies_attack": (
        {"enemies": "all", "class": "shooter", "range": 0},
        [],
        [("attacked", "t2", "drifter"), ("damaged", "drifter", 1, "t2", "attack")],
    ),
    "capture_child": ({"range": 1}, [], [("captured", "child", "t2", "e3")]),
    "child_flees": ({}, [("flee", "f2", "g2")], [("fled", "child", "f2", "g2")]),
    "reinforce": (
        {"at": "spawn_fewest_enemies"},
        [("spawn", "d7")],
        [("reinforced", "t5", "d7", "Wrecker")],
    ),
    "disrupt_zone": ({"zone": "highest"}, [], [("disrupted_zone", "intel", 2)]),
    "hurt": (
        {"n": 1, "who": "all"},
        [],
        [("damaged", "drifter", 1, "", "mission"), ("damaged", "loader_droid", 1, "", "mission")],
    ),
    "turn_up": ({"range": 1}, [], [("revealed", "t3", "e4", "Crate")]),
    "add_track": ({"track": "alarm", "n": 2}, [], [("track", "alarm", 3)]),
    "reset_track": ({"track": "alarm"}, [], [("track", "alarm", 0)]),
    "open_door": ({"door": "lock_gate"}, [], [("opened", "lock_gate")]),
    "close_door": ({"door": "boom_gate"}, [], [("shut", "boom_gate")]),
    "if": (
        {
            "condition": {"is": "character_at", "space": "e3"},
            "then": [{"verb": "hurt", "n": 1}],
            "else": [{"verb": "heal", "n": 1}],
        },
        [],
        [("damaged", "drifter", 1, "", "mission")],
    ),
}
ANSWERS = ("block", "damage_attacker", "cancel_crisis")
"""Verbs of planning cards used against something."""


@pytest.mark.parametrize("verb", EXAMPLES)
def test_what_a_verb_does(verb: str) -> None:
    fields, chosen, told = EXAMPLES[verb]
    scene = Scene(position()).effect({"verb": verb, **fields})
    for action, *args in chosen:
        scene.do(str(action), *args)
    assert [(event.kind, *event.args) for event in scene.events][: len(told)] == told


def test_each_verb_of_the_grammar_is_there_and_has_an_example() -> None:
    union = get_args(get_args(grammar.Effect)[0])
    verbs = [get_args(effect.model_fields["verb"].annotation)[0] for effect in union]
    assert list(VERBS) == verbs
    assert set(verbs) == {*EXAMPLES, *ANSWERS}


def test_effects_happen_one_after_another() -> None:
    scene = Scene(position()).effect({"verb": "heal", "n": 1}, {"verb": "move_self", "n": 1}, {"verb": "heal", "n": 1})
    assert scene.told == ["healed"]
    assert scene.do("move", "f2").told[:3] == ["healed", "moved", "healed"]


def test_the_other_branch_and_nested_ones() -> None:
    no = {"is": "character_at", "space": "a1"}
    inner = {"verb": "if", "condition": {"is": "not", "of": no}, "then": [{"verb": "heal", "n": 1}]}
    scene = Scene(position()).effect({"verb": "if", "condition": no, "else": [inner]})
    assert scene.told[0] == "healed"
    nothing = Scene(position()).effect({"verb": "if", "condition": no})
    assert nothing.told == ["turn"]


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        ({"verb": "damage", "n": "J", "range": 0}, ("hit", "t2", 3, "e3")),  # the strength is 3
        ({"verb": "heal", "n": "J", "range": "J"}, ("healed", "drifter", 2)),
    ],
)
def test_M_ACT_9_J_is_the_strength_of_the_card_just_played(effect: Mapping[str, Any], told: Told) -> None:
    scene = Scene(position()).effect(effect)
    scene.do(*(("attack", "t2") if effect["verb"] == "damage" else ("heal", "drifter")))
    assert (scene.events[0].kind, *scene.events[0].args) == told


@pytest.mark.parametrize("verb", ["damage", "split_damage", "disrupt_enemy", "push", "look", "move_self"])
def test_what_a_character_may_do_it_may_leave(verb: str) -> None:
    scene = Scene(position()).effect({"verb": verb, **EXAMPLES[verb][0]})
    assert "pass" in scene.verbs
    assert scene.do("pass").told == ["turn"]


@pytest.mark.parametrize("card", ["spyglass", "flare", "patch"])
def test_a_planning_card_is_offered_only_where_it_finds_something(card: str) -> None:
    state = arrange(salt_harbour(), at={"drifter": "e3"}, threats=[("e4", "? Crate")], damage={"drifter": 1})
    assert Scene(keeping(state, card)).offers("use") == [(card,)]
    without = arrange(salt_harbour(), at={"drifter": "e3"}, threats=[("e4", "Crate")])
    assert Scene(keeping(without, card)).offers("use") == []


@pytest.mark.parametrize("where", ["chosen", "highest"])
def test_clear_zone_empties_one_that_holds_something_without_an_event(where: str) -> None:
    state = sums(position(), 9, 0, 9, 0, 0)
    scene = Scene(state).effect({"verb": "clear_zone", "zone": where})
    assert scene.offers("clear") == [("move",), ("intel",)]
    scene.do("clear", "intel")
    assert scene.told[0] == "emptied"
    assert (scene.state.piles[0].disruption, scene.state.piles[2].disruption) == ((9,), ())


def test_clear_zone_may_clear_away_the_very_card_that_is_being_used(tmp_path: Path) -> None:
    scenario = edited(
        tmp_path, ('{ verb = "disrupt_enemy", n = 1, range = 1 }', '{ verb = "clear_zone", zone = "chosen" }')
    )
    state = arrange(scenario, at={"loader_droid": "e1"})
    scene = Scene(state).lay("move", 2, "jolt").do("ability", "jolt").do("clear", "move")
    assert scene.do("move", "d2").verbs == {"play"}


def test_a_track_stays_between_0_and_its_end() -> None:
    assert Scene(position()).effect({"verb": "add_track", "track": "alarm", "n": -9}).args("track") == [("alarm", 0)]
    up = Scene(position()).effect({"verb": "add_track", "track": "alarm", "n": 12})
    assert up.args("track") == [("alarm", 5)]
    assert up.state.ended == "failure"  # at once: five alarms are too many


def test_several_reinforcements_arrive_one_by_one() -> None:
    state = arrange(salt_harbour(), at={"drifter": "e3"}, stack=["Wrecker", "Harpooner"])
    scene = Scene(state).effect({"verb": "reinforce", "n": 3, "at": "spawn_fewest_enemies"})
    scene.do("spawn", "d7")
    assert scene.offers("spawn") == [("a1",), ("f5",)]  # d7 has an enemy by now
    scene.do("spawn", "a1")
    assert scene.told[:3] == ["reinforced", "reinforced", "no_reinforcement"]


# ── answers ──


def answering(change: tuple[str, str], card: str, folder: Path) -> Scene:
    scenario = edited(folder, change, of=SALT_HARBOUR, name="salt-harbour")
    state = arrange(scenario, at={"drifter": "e3"}, threats=[("e3", "Dock Thug")])
    return Scene(keeping(replace(state, tracks=(1,)), card))


def test_block_takes_off_as_much_as_it_says(tmp_path: Path) -> None:
    scene = answering(('verb = "block", n = 1', 'verb = "block", n = 2'), "brace", tmp_path)
    scene.effect({"verb": "hurt", "n": 3}).do("use", "brace")
    assert scene.args("damaged") == [("drifter", 1, "", "mission")]


def test_damage_attacker_damages_who_attacked(tmp_path: Path) -> None:
    change = ('verb = "damage_attacker", n = 1', 'verb = "damage_attacker", n = 2')
    scene = answering(change, "snap_shot", tmp_path)
    scene.effect({"verb": "enemies_attack", "enemies": 1, "range": 0}).do("use", "snap_shot")
    assert scene.args("hit") == [("t1", 2, "e3")]


def test_cancel_crisis_lets_it_pass_and_what_else_the_card_says_happens(tmp_path: Path) -> None:
    change = ('{ verb = "cancel_crisis" }', '{ verb = "cancel_crisis" }, { verb = "reset_track", track = "alarm" }')
    scene = answering(change, "cool_head", tmp_path)
    scene.state = sums(scene.state, 6, 0, 0, 0, 0)
    scene.event_phase().do("use", "cool_head", "drifter")
    assert scene.told[:4] == ["crisis_due", "used", "track", "event"]


# ── conditions ──

CARRIED = Child(OFF, 0, NOBODY, fled=False)
CAPTURED = Child(OFF, NOBODY, 1, fled=False)
ALARM: dict[str, Any] = {"is": "track_at_least", "track": "alarm", "n": 2}
HERE: dict[str, Any] = {"is": "character_at", "space": "c4"}

CONDITIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    # a condition that does not hold, and what makes it hold
    ({"is": "character_on", "kind": "item"}, {"under": "Power cell"}),
    (HERE, {"at": "c4"}),
    ({"is": "child_brought_to", "space": "e3"}, {"child": CARRIED}),
    ({"is": "child_captured"}, {"child": CAPTURED}),
    ({"is": "child_captured", "space": "e3"}, {"child": CAPTURED}),
    (ALARM, {"alarm": 2}),
    ({"is": "door_open", "door": "lock_gate"}, {"doors_open": 2}),
    ({"is": "slots_filled", "item": "Power cell"}, {"filled": 2}),
    ({"is": "defeated", "name": "Wrecker"}, {"fallen": ["t1"]}),
    ({"is": "turns_at_least", "n": 3}, {"turn": 3}),
    ({"is": "characters_at_least", "n": 3}, {"seats": 3}),
    ({"is": "all", "of": [ALARM, HERE]}, {"alarm": 2, "at": "c4"}),
    ({"is": "any", "of": [ALARM, HERE]}, {"at": "c4"}),
    ({"is": "not", "of": {"is": "door_open", "door": "boom_gate"}}, {"doors_open": 0}),
]


@pytest.mark.parametrize(("condition", "change"), CONDITIONS, ids=[condition["is"] for condition, _ in CONDITIONS])
def test_what_a_condition_asks(condition: Mapping[str, Any], change: dict[str, Any]) -> None:
    effect = {"verb": "if", "condition": condition, "then": [{"verb": "hurt", "n": 1}]}
    assert "damaged" not in Scene(position()).effect(effect).told
    assert "damaged" in Scene(position(**change)).effect(effect).told


def test_all_holds_only_when_each_part_does() -> None:
    effect = {"verb": "if", "condition": {"is": "all", "of": [ALARM, HERE]}, "then": [{"verb": "hurt", "n": 1}]}
    assert "damaged" not in Scene(position(at="c4")).effect(effect).told


def test_each_condition_of_the_grammar_has_an_example() -> None:
    union = get_args(get_args(grammar.Condition)[0])
    words = {get_args(condition.model_fields["is_"].annotation)[0] for condition in union}
    assert words == {condition["is"] for condition, _ in CONDITIONS} | {"any_character_defeated"}  # M1-3 is its test


# ── faults ──

FAULTS: dict[str, tuple[str, str, str, str]] = {
    "an unknown verb": ('"child_flees", n = 1', '"child_sings", n = 1', "events[4].do[0]", "whose 'verb' is 'damage'"),
    "no verb": ('{ verb = "hurt", n = 1 }', "{ n = 1 }", "envelope.wrong[0]", "must be a table with 'verb'"),
    "an unknown key": (
        '{ verb = "disrupt_zone", zone = "lowest" }',
        '{ verb = "disrupt_zone", zoone = "lowest" }',
        "events[2].do[1].zoone",
        "is not a known key; did you mean 'zone'?",
    ),
    "a key too few": ('{ verb = "hurt", n = 1 }', '{ verb = "hurt" }', "envelope.wrong[0].n", "is required, but"),
    "a number too high": ("n = 2, range = 4", "n = 2, range = 40", "planning[5].do[0].range", "at most 12"),
    "a number too low": (
        '{ verb = "hurt", n = 1 }',
        '{ verb = "hurt", n = 0 }',
        "envelope.wrong[0].n",
        "must be at least 1, not 0",
    ),
    "text for a number": (
        '{ verb = "hurt", n = 1 }',
        '{ verb = "hurt", n = "one" }',
        "envelope.wrong[0].n",
        "must be a whole number",
    ),
    "an unknown class": (
        '{ verb = "child_flees", n = 1 },',
        '{ verb = "capture_child", class = "boss" },',
        "events[4].do[0].class",
        "must be 'melee', 'shooter' or 'sharpshooter' or 'any'",
    ),
    "an unknown place": (
        'verb = "reinforce", at = "spawn_fewest_enemies"',
        'verb = "reinforce", at = "anywhere"',
        "crisis[1].else[0].at",
        "must be 'spawn_fewest_enemies' or 'spawn_nearest'",
    ),
    "an unknown zone of": (
        'verb = "clear_zone", zone = "highest"',
        'verb = "clear_zone", zone = "lowest"',
        "characters[2].skills[5].ability.do[0].zone",
        "must be 'highest' or 'chosen'",
    ),
    "no such track": (
        '"reset_track", track = "alarm"',
        '"reset_track", track = "horn"',
        "envelope.right[0].track",
        "there is no track horn",
    ),
    "no such door": (
        '"close_door", door = "lock_gate"',
        '"close_door", door = "gate"',
        "mission_effect[1].door",
        "there is no door gate",
    ),
    "no such door, in a branch": (
        '{ verb = "reinforce", at = "spawn_fewest_enemies" }',
        '{ verb = "open_door", door = "gate" }',
        "crisis[1].else[0].door",
        "there is no door gate",
    ),
    "a J without a card": (
        'on = "own_action_phase"\ndo = [{ verb = "heal", n = 1 }]',
        'on = "own_action_phase"\ndo = [{ verb = "heal", n = "J" }]',
        "planning[3].do[0].n",
        "no card is played here whose strength J could be",
    ),
    "a J of a tactical card": (
        'verb = "split_damage", n = 4',
        'verb = "split_damage", n = "J"',
        "guide[1].skills[0].ability.do[0].n",
        "no card is played here whose strength J could be",
    ),
    "an answer at the wrong moment": (
        'on = "self_damaged"\ndo = [{ verb = "block", n = 1 }]',
        'on = "own_action_phase"\ndo = [{ verb = "block", n = 1 }]',
        "planning[0].do[0].verb",
        'block stands on a planning card used on = "self_damaged" only',
    ),
    "an answer elsewhere": (
        '{ verb = "hurt", n = 1 }',
        '{ verb = "cancel_crisis" }',
        "envelope.wrong[0].verb",
        'cancel_crisis stands on a planning card used on = "crisis_due" only',
    ),
    "a card that does nothing": (
        'do = [{ verb = "cancel_crisis" }]',
        "do = []",
        "planning[4].do",
        "must have at least 1 item",
    ),
    "a zone that does nothing": (
        'verb = "effect", do = [{ verb = "heal", n = "J", range = 1 }]',
        'verb = "effect"',
        "zones[4]",
        'effects in `do` when its verb is "effect"',
    ),
    "an unknown condition": (
        '{ is = "child_captured" }',
        '{ is = "child_asleep" }',
        "crisis[0].condition",
        "is 'character_on', 'character_at', 'child_brought_to'",
    ),
    "a condition on no track": (
        '{ is = "child_captured" }',
        '{ is = "track_at_least", track = "horn", n = 1 }',
        "crisis[0].condition.track",
        "there is no track horn",
    ),
    "a condition beyond a track": (
        'track = "alarm", n = 5',
        'track = "alarm", n = 6',
        "failure[1].when.n",
        "the track alarm ends at 5",
    ),
    "a condition on no space": (
        '"child_brought_to", space = "a4"',
        '"child_brought_to", space = "a9"',
        "objective.space",
        "there is no space a9",
    ),
    "a condition on no enemy": (
        '{ is = "child_captured" }',
        '{ is = "defeated", name = "Crate" }',
        "crisis[0].condition.name",
        "there is no enemy 'Crate'",
    ),
    "a condition on no item": (
        '{ is = "child_captured" }',
        '{ is = "slots_filled", item = "Crate" }',
        "crisis[0].condition.item",
        "no map rule takes 'Crate'",
    ),
    "a condition on no kind": (
        '{ is = "child_captured" }',
        '{ is = "character_on", kind = "asset" }',
        "crisis[0].condition.kind",
        "there is no threat of kind asset",
    ),
    "a condition on no door, deep inside": (
        '{ is = "child_captured" }',
        '{ is = "any", of = [{ is = "not", of = { is = "door_open", door = "gate" } }] }',
        "crisis[0].condition.of[0].of.door",
        "there is no door gate",
    ),
}


def faults_by_key(folder: Path, *changes: tuple[str, str]) -> dict[str, tuple[str, str]]:
    """By key: what is at fault, and the line in the file."""
    faults = faults_of(folder, *changes)
    rows = (folder / "salt-harbour.toml").read_text().splitlines()
    return {fault.key: (fault.sentence, rows[fault.line - 1] if fault.line else "") for fault in faults}


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_of_an_effect_is_named_with_line_and_key(what: str, tmp_path: Path) -> None:
    old, new, key, sentence = FAULTS[what]
    found = faults_by_key(tmp_path, (old, new))
    assert sentence in found[key][0]
    assert new.splitlines()[-1] in found[key][1]


def test_M_CHILD_1_what_speaks_of_the_child_needs_one(tmp_path: Path) -> None:
    found = faults_by_key(tmp_path, ('child = { start = "c6" }\n', ""))
    assert {key for key, (sentence, _) in found.items() if sentence == "there is no child in this mission"} == {
        "objective.is",
        "crisis[0].condition.is",
        "crisis[0].else[0].verb",
        "events[3].do[0].toward",
        "events[3].do[1].verb",
        "events[4].do[0].verb",
    }


# ── the scenarios we ship ──


def tables(value: object) -> Iterator[dict[str, Any]]:
    """Every table in a file."""
    if isinstance(value, dict):
        yield cast("dict[str, Any]", value)
        for inner in cast("dict[str, object]", value).values():
            yield from tables(inner)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from tables(inner)


def test_the_two_scenarios_together_use_every_verb_class_ability_and_moment() -> None:
    found = [table for path in (CINDER_WELLS, SALT_HARBOUR) for table in tables(tomllib.loads(path.read_text()))]
    assert {table["verb"] for table in found if "verb" in table} >= set(VERBS)
    assert {table["class"] for table in found if table.get("kind") == "enemy"} == {"melee", "shooter", "sharpshooter"}
    assert {ability for table in found for ability in table.get("abilities", ())} == {
        *("guard", "grapple", "sabotage", "mission_effect", "fast", "parting_blow", "vigilant", "duel")
    }
    assert {table["on"] for table in found if "on" in table} == {
        *("self_damaged", "enemy_attacks_you", "own_action_phase", "crisis_due")
    }


def test_salt_harbour_uses_what_cinder_wells_does_not() -> None:
    wells, harbour = cinder_wells(), salt_harbour()
    assert (len(wells.zones), len(harbour.zones)) == (4, 5)
    assert (wells.child_start, harbour.child_start) == (OFF, harbour.spaces.index("c6"))
    assert (wells.mission_effect, harbour.mission_effect >= 0) == (OFF, True)
    assert (wells.envelope, bool(harbour.envelope)) == (None, True)
    assert (wells.guide, len(harbour.guide)) == ((), 4)
    assert [rule.deliver_to for rule in wells.map_rules] == [OFF]
    assert [harbour.spaces[rule.deliver_to] for rule in harbour.map_rules] == ["a3"]
    tactical = {card.ability for card in harbour.cards if card.tactical}
    assert tactical == {"scatter", "bulldoze", "vent"}
    assert mandalorian.setup(harbour, 3, arrange(at={}).rng).roles
