from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from arranging import CINDER_WELLS, cinder_wells, edited

from underglow.documents import Faults
from underglow.games import mandalorian
from underglow.games.mandalorian.document import Switches

TEXT = CINDER_WELLS.read_text()


def fault(folder: Path, old: str, new: str) -> str:
    assert TEXT.count(old) >= 1
    file = folder / "broken.toml"
    file.write_text(TEXT.replace(old, new, 1))
    with pytest.raises(Faults) as faults:
        mandalorian.load(file)
    return "\n".join(str(fault).removeprefix(f"{file}:") for fault in faults.value.faults)


def line(words: str) -> int:
    return next(number for number, row in enumerate(TEXT.splitlines(), start=1) if words in row)


def test_the_sample_is_read() -> None:
    scenario = cinder_wells()
    assert (scenario.id, scenario.title, list(scenario.seats)) == ("cinder-wells", "Cinder Wells", [1, 2, 3, 4])
    assert len(scenario.spaces) == 19
    assert [len(character.deck) for character in scenario.characters] == [12, 12]
    assert re.fullmatch("[0-9a-f]{64}", scenario.digest)


def test_a_scenario_is_its_file(tmp_path: Path) -> None:
    assert edited(tmp_path, name="cinder-wells") == cinder_wells()
    assert edited(tmp_path, ("Cinder Wells", "Ash Wells")) != cinder_wells()


def test_M1_5_walls_part_and_doors_part_until_open() -> None:
    scenario = cinder_wells()
    number = {space: number for number, space in enumerate(scenario.spaces)}
    shut, opened = (scenario.grids[doors].near for doors in (0, 1))
    b3, b4 = number["b3"], number["b4"]
    assert not shut[b3] >> b4 & 1
    assert opened[b3] >> b4 & 1
    assert opened[b4] >> b3 & 1
    for one in range(19):
        assert not shut[one] >> one & 1
        for other in range(19):
            assert shut[one] >> other & 1 == shut[other] >> one & 1


def test_the_overlay_lies_on_the_inner_hexes_of_hex48() -> None:
    overlay = cinder_wells().overlay("hex48")
    rows = [["a1", "a2", "a3"], ["b1", "b2", "b3", "b4"], ["c1", "c2", "c3", "c4", "c5"]]
    rows += [["d1", "d2", "d3", "d4"], ["e1", "e2", "e3"]]
    assert [overlay[row[0]] for row in rows] == ["h06", "h11", "h17", "h24", "h30"]
    for row in rows:
        for one, other in pairwise(row):
            assert int(overlay[other][1:]) == int(overlay[one][1:]) + 1
    assert [overlay[zone] for zone in ("move", "attack", "intel", "plan")] == ["z1", "z2", "z3", "z4"]
    assert len(set(overlay.values())) == 23


def test_a_board_without_overlay_is_a_key_error_with_those_there_are() -> None:
    with pytest.raises(
        KeyError, match="cinder-wells has no overlay for board grid64; it has one for hex37-edges, hex48"
    ):
        cinder_wells().overlay("grid64")


FAULTS = {
    "unknown space in a wall": ('["a1", "a2"]', '["a1", "a9"]', "walls[0]: there is no space a9"),
    "wall between spaces apart": ('["a1", "a2"]', '["a1", "a3"]', "walls[0]: a1 and a3 share no edge"),
    "door between spaces apart": (
        'edge = ["b3", "b4"]',
        'edge = ["b3", "e1"]',
        "doors[0].edge: b3 and e1 share no edge",
    ),
    "door in a wall": (
        'edge = ["b3", "b4"]',
        'edge = ["a2", "a1"]',
        "doors[0].edge: the edge a1 to a2 has a wall or door already",
    ),
    "two spaces of one id": ('id = "a2"', 'id = "a1"', "spaces[1].id: a1 is the id of another space or zone"),
    "a zone with a space's id": ('id = "plan"', 'id = "a1"', "zones[3].id: a1 is the id of another space or zone"),
    "two spaces in one place": ('"a2", q = 1', '"a2", q = 0', "spaces[1]: another space lies at (0, -2) already"),
    "two characters of one id": (
        'id = "loader_droid"',
        'id = "drifter"',
        "characters[1].id: drifter is the id of another character",
    ),
    "a character called like a token": (
        'id = "drifter"',
        'id = "t3"',
        "characters[0].id: t3 is what another token is called; give the character another id",
    ),
    "more icons than threats": (
        'id = "c1", q = -2, r = 0',
        'id = "c1", q = -2, r = 0, icons = ["up_a", "hid_b"]',
        "threats.b: 4 tokens are too few for 5 icons of shape b",
    ),
    "an icon without threats": ('"hid_b"', '"hid_d"', "spaces[0].icons[1]: there are no threats of shape d"),
    "no start": ('icons = ["start"]', "icons = []", "spaces: exactly one space has the icon start, not 0"),
    "an unknown ability": ('abilities = ["guard"]', 'abilities = ["gard"]', "threats.a[2].abilities[0]: must be"),
    "two threats of one name": ('name = "Slag"', 'name = "Wire Rat"', "threats.c[2].name: Wire Rat is another threat"),
    "a threat that cannot be met": (
        'kind = "asset", name',
        'kind = "empty", name',
        "objective.kind: there is no threat of kind asset",
    ),
    "a deck too small": ("n = 4, strength = 2", "n = 3, strength = 2", "characters[0].skills: a skill deck has 12"),
    "a strength that no card has": (
        "n = 2, strength = 4",
        "n = 2, strength = 5",
        "characters[0].skills[3].strength: must be",
    ),
    "equal cards twice": (
        "{ n = 4, strength = 2 }",
        "{ n = 2, strength = 2 }, { n = 2, strength = 2 }",
        "characters[0].skills[2]: strength 2 is in this deck already; count equal cards with n",
    ),
    "an ability in no zone": ('zone = "attack"', 'zone = "atack"', "characters[0].skills[4].ability.zone: there is no"),
    "a tactical card with nothing": (
        """, ability = { id = "scatter", name = "Scatter", zone = "attack", do = [
    { verb = "split_damage", n = 4, range = 1 },
  ] }""",
        "",
        "characters[0].skills[4]: a tactical card (strength 0) has an ability",
    ),
    "too few white tokens": (
        "white = [1, 1, 1, 2, 2]",
        "white = [1, 1, 1]",
        "disruption_tokens.white: 3 tokens are too few for 4 zones",
    ),
    "a rule for no item": ('take = "Gate key"', 'take = "Wire Rat"', "map_rules[0].take: there is no item 'Wire Rat'"),
    "more slots than items": ("slots = 2", "slots = 3", "map_rules[0].slots: there are only 2 of 'Gate key'"),
    "an effect on no door": (
        'door = "well_gate"',
        'door = "gate"',
        "map_rules[0].then[0].door: there is no door gate",
    ),
    "an effect on no track": (
        'track = "heat" }',
        'track = "haet" }',
        "crisis[0].track: there is no track haet",
    ),
    "an effect inside another": (
        '{ verb = "reset_track", track = "heat" }',
        '{ verb = "reset_track", track = "haet" }',
        "crisis[1].then[0].track: there is no track haet",
    ),
    "a track that does not go so far": (
        'track = "heat", n = 3',
        'track = "heat", n = 4',
        "crisis[1].condition.n: the track heat ends at 3",
    ),
    "an unknown verb": ('verb = "disrupt_zone"', 'verb = "disrupt_zones"', "events[4].do[0]"),
    "an effect without its number": (
        '{ verb = "block", n = 1 }',
        '{ verb = "block" }',
        "planning[0].do[0].n: is required, but missing",
    ),
    "a strength where no card is played": (
        '{ verb = "heal", n = 1 }',
        '{ verb = "heal", n = "J" }',
        "planning[3].do[0].n: no card is played here whose strength J could be",
    ),
    "an answer to nothing": (
        'on = "self_damaged"',
        'on = "own_action_phase"',
        'planning[0].do[0].verb: block stands on a planning card used on = "self_damaged" only',
    ),
    "an unknown moment": ('on = "self_damaged"', 'on = "damaged"', "planning[0].on: must be"),
    "a child where there is none": (
        '{ verb = "block", n = 1 }',
        '{ verb = "child_flees" }',
        "planning[0].do[0].verb: there is no child in this mission",
    ),
    "an event deck too small": (
        'back = "melee"\nn = 3',
        'back = "melee"\nn = 2',
        "events: the event deck has 12 cards, not 11",
    ),
    "a planning deck too big": (
        'name = "Brace"\nn = 8',
        'name = "Brace"\nn = 9',
        "planning: the planning deck has 20 cards, not 21",
    ),
    "a zone with an effect of its own": (
        'name = "Plan", verb = "plan"',
        'name = "Plan", verb = "effect"',
        "zones[3]: a zone has effects in `do` when its verb is",
    ),
    "no defeat": (
        'is = "any_character_defeated"',
        'is = "turns_at_least", n = 9',
        "failure: one failure is any_character_defeated",
    ),
    "a sheet that is not there": (
        'difficulty = "beginner"',
        'sheet = "night"\ndifficulty = "beginner"',
        "switches.sheet: there is no sheet 'night'",
    ),
    "an overlay of no space": ('a1 = "h06"', 'x1 = "h06"', "overlay.hex48.x1: there is no space or zone x1"),
    "an overlay with a gap": ('a1 = "h06"\n', "", "overlay.hex48: does not say where a1 lies"),
    "two spaces on one": ('a1 = "h06"', 'a1 = "h07"', "overlay.hex48.a2: another space or zone lies on h07 already"),
    "an unknown key": ("defeat_at", "defeated_at", "switches.defeated_at: is not a known key"),
    "a switch set to nonsense": ('"beginner" # standard', '"easy" # standard', "switches.difficulty: must be"),
    "text for a number": ("health = 3", 'health = "3"', "threats.a[0].health: must be a whole number"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_is_named_with_line_and_key(what: str, tmp_path: Path) -> None:
    old, new, sentence = FAULTS[what]
    assert sentence in fault(tmp_path, old, new)


def test_a_fault_stands_where_the_line_says(tmp_path: Path) -> None:
    wall, place = '["a2", "b2"]', 'a1 = "h06"'
    assert fault(tmp_path, wall, '["a2", "e1"]').startswith(f"{line(wall)}: walls[1]: ")
    assert fault(tmp_path, place, 'x1 = "h06"').splitlines()[1].startswith(f"{line(place)}: overlay.hex48.x1: ")


def test_all_faults_come_in_one_run(tmp_path: Path) -> None:
    broken = edit_all(
        ('["a1", "a2"]', '["a1", "a9"]'), ('take = "Gate key"', 'take = "Key"'), ('id = "plan"', 'id = "move"')
    )
    file = tmp_path / "broken.toml"
    file.write_text(broken)
    with pytest.raises(Faults) as faults:
        mandalorian.load(file)
    assert {fault.key for fault in faults.value.faults} >= {"walls[0]", "map_rules[0].take", "zones[3].id"}


def test_the_switches_are_set_as_the_digest_proposes() -> None:
    proposed = {
        "difficulty": "beginner",  # M-DIFF-5, for a first game
        "games_played": 0,
        "sheet": "",
        "shared_turns": "by_seat",
        "walls_block_range": True,
        "zero_move_triggers_guard": False,
        "attack_facedown": False,
        "defeat_at": "damage>=health",
        "extra_damage_target": "any",
        "peek_may_be_shared": True,
        "planning_limit": 0,
        "planning_hand_over": False,
        "planning_reshuffle": True,
        "zone_order": "active_player",
        "reread_zone_sums": True,
        "spawn_nearest_to": "active_character",
        "nearest_tie": "players",
        "enemy_stops_at_character": True,
        "event_reshuffle": True,
        "sabotage_tie": "players",
        "pool_empty": "nothing",
        "child_flees": "events",
        "spawn_tie": "players",
        "reinforcements_face": "up",
        "reinforcements_empty": "nothing",
    }
    assert Switches().model_dump() == proposed
    assert cinder_wells().switches.model_dump() == proposed


def edit_all(*changes: tuple[str, str]) -> str:
    text = TEXT
    for old, new in changes:
        text = text.replace(old, new, 1)
    return text
