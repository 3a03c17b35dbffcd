from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from arranging import CINDER_WELLS, cinder_wells, edited

from underglow.documents import Faults
from underglow.games import mandalorian
from underglow.games.mandalorian.scenario import adjacency

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
    assert (scenario.id, scenario.title, list(scenario.seats)) == ("cinder-wells", "Cinder Wells", [1, 2])
    assert len(scenario.spaces) == 19
    assert [len(character.deck) for character in scenario.characters] == [12, 12]
    assert re.fullmatch("[0-9a-f]{64}", scenario.digest)


def test_a_scenario_is_its_file(tmp_path: Path) -> None:
    assert edited(tmp_path, name="cinder-wells") == cinder_wells()
    assert edited(tmp_path, ("Cinder Wells", "Ash Wells")) != cinder_wells()


def test_M1_5_walls_part_and_doors_part_until_open() -> None:
    scenario = cinder_wells()
    number = {space: number for number, space in enumerate(scenario.spaces)}
    shut, opened = (adjacency(scenario, doors) for doors in (0, 1))
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
    with pytest.raises(KeyError, match="cinder-wells has no overlay for board grid64; it has one for hex48"):
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
        "characters[0].id: t3 is what threat tokens are called; give the character another id",
    ),
    "more icons than threats": (
        'id = "c1", q = -2, r = 0',
        'id = "c1", q = -2, r = 0, icons = ["up_a", "hid_b"]',
        "threats.b: 2 tokens are too few for 3 icons of shape b",
    ),
    "an icon without threats": ('"hid_b"', '"hid_d"', "spaces[3].icons[0]: there are no threats of shape d"),
    "no start": ('icons = ["start"]', "icons = []", "spaces: exactly one space has the icon start, not 0"),
    "an unknown ability": ('abilities = ["guard"]', 'abilities = ["gard"]', "threats.a[2].abilities[0]: must be"),
    "two threats of one name": ('name = "Slag"', 'name = "Wire Rat"', "threats.c[2].name: Wire Rat is another threat"),
    "a threat that cannot be met": ('kind = "asset"', 'kind = "item"', "objective.character_on: there is no threat"),
    "a deck too small": ("n = 4, strength = 2", "n = 3, strength = 2", "characters[0].skills: a skill deck has 12"),
    "equal cards twice": (
        "{ n = 4, strength = 2 }",
        "{ n = 2, strength = 2 }, { n = 2, strength = 2 }",
        "characters[0].skills[2]: strength 2 is in this deck already; count equal cards with n",
    ),
    "an ability in no zone": ('zone = "attack"', 'zone = "atack"', "characters[0].skills[4].ability.zone: there is no"),
    "a tactical card with nothing": (
        ', ability = { id = "scatter", name = "Scatter", zone = "attack" }',
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
    "a rule for no door": ('opens = "well_gate"', 'opens = "gate"', "map_rules[0].opens: there is no door gate"),
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


def edit_all(*changes: tuple[str, str]) -> str:
    text = TEXT
    for old, new in changes:
        text = text.replace(old, new, 1)
    return text
