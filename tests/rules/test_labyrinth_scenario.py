from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from underglow import profile
from underglow.documents import Faults
from underglow.games.labyrinth import compiling
from underglow.games.labyrinth.document import Switches
from underglow.games.labyrinth.effects import VERBS
from underglow.games.labyrinth.hexes import DIRECTIONS, across, beyond, sockets
from underglow.games.labyrinth.phrases import COMPASS
from underglow.games.labyrinth.scenario import CENTRE, KEY_TILE, LANES, NONE, UNTIL_SUCCESS, Effect, Scenario, Tile

FOLDER = Path(compiling.__file__).parent / "scenarios"
SHIPPED = tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))
TEXT = (FOLDER / "glass-warren.toml").read_text()


@cache
def shipped(name: str) -> Scenario:
    return compiling.load(FOLDER / f"{name}.toml")


def changed(*changes: tuple[str, str]) -> str:
    """Glass Warren with words of its file exchanged, each where they stand first."""
    text = TEXT
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    assert tomllib.loads(text)
    return text


def edited(folder: Path, *changes: tuple[str, str], name: str = "edited") -> Scenario:
    file = folder / f"{name}.toml"
    file.write_text(changed(*changes))
    return compiling.load(file)


def faults(folder: Path, text: str) -> list[str]:
    file = folder / "broken.toml"
    file.write_text(text)
    with pytest.raises(Faults) as raised:
        compiling.load(file)
    return [str(fault).removeprefix(f"{file}:") for fault in raised.value.faults]


def line(text: str, words: str) -> int:
    """The line where these words begin."""
    return text[: text.index(words)].count("\n") + 1


def test_the_sample_is_read() -> None:
    scenario = shipped("glass-warren")
    assert (scenario.id, scenario.title, list(scenario.seats)) == ("glass-warren", "Glass Warren", [2, 3, 4, 5, 6])
    assert re.fullmatch("[0-9a-f]{64}", scenario.digest)
    assert (scenario.rounds, scenario.lives, len(scenario.characters)) == (30, 4, 7)


def test_a_scenario_is_its_file(tmp_path: Path) -> None:
    same, other = edited(tmp_path, name="glass-warren"), shipped("glass-warren")
    assert same == other
    assert hash(same) == hash(other)
    assert edited(tmp_path, ("Glass Warren", "Ash Warren"), name="glass-warren") != other


def test_counts_of_the_box() -> None:
    scenario = shipped("glass-warren")
    assert scenario.sockets == 37 == 1 + len(scenario.key_hexes) + len(scenario.pile)
    assert (len(scenario.key_hexes), len(scenario.pile)) == (6, 30)
    assert (len(scenario.pool), len(scenario.traps)) == (60, 16)
    assert (len(scenario.golem_deck), len(scenario.event_deck), len(scenario.stock)) == (12, 12, 15)
    kinds = {scenario.tiles[tile].id: n for tile, n in Counter(scenario.pile).items()}
    assert kinds["gallery"] == 5
    assert sum(kinds.values()) == 30
    assert {"centre", "key"}.isdisjoint(kinds)
    assert (scenario.tiles[CENTRE].id, scenario.tiles[KEY_TILE].id) == ("centre", "key")


def test_lamp_alley_is_small_and_ends() -> None:
    scenario = shipped("lamp-alley")
    assert (scenario.sockets, len(scenario.pile), list(scenario.seats)) == (19, 14, [2, 3, 4])
    assert scenario.rounds == 10
    for trap in scenario.traps:
        assert sum(effect.n for effect in scenario.programs[trap.program] if effect.verb == "lose_life") <= 1


def test_2_5_the_sixteen_traps_do_what_the_sheet_says() -> None:
    life, daze = ("lose_life", 1), ("daze", 1)
    shift = ("shift", "adjacent_corridor")
    sheet = {
        "vortex": (1, 10, [daze, ("crystal", "inactive"), ("box_item",)]),
        "spring": (1, 8, [life, daze, shift]),
        "lightning": (1, 10, [shift]),
        "arrows": (3, 7, [life, daze]),
        "fireball": (UNTIL_SUCCESS, 9, [life]),
        "hammers": (2, 7, [life, ("daze", 2)]),
        "frostball": (UNTIL_SUCCESS, 9, [daze]),
        "spikes": (1, 7, [("lose_life", 2)]),
        "treadwheel": (1, 9, [life, shift]),
        "circle": (1, 7, [("shift", "adjacent_tile")]),
        "spears": (3, 8, [("choose", [[life], [daze]])]),
        "acid": (3, 6, [life, ("daze", 2)]),
        "clubs": (2, 8, [("choose", [[("lose_life", 2)], [("daze", 2)]])]),
        "axes": (2, 6, [("lose_life", 2), ("box_item",)]),
        "slumber": (1, 8, [("daze", 3)]),
        "grinder": (1, 6, [("lose_life", 4)]),
    }
    scenario = shipped("glass-warren")

    def said(program: int) -> list[tuple[object, ...]]:
        return [words(effect) for effect in scenario.programs[program]]

    def words(effect: Effect) -> tuple[object, ...]:
        found = [effect.n, effect.where, [said(program) for program in effect.programs]]
        return (effect.verb, *(word for word in found if word))

    assert {trap.id: (trap.rolls, trap.need, said(trap.program)) for trap in scenario.traps} == sheet
    assert {trap.most for trap in scenario.traps} == {4}


def test_a_light_may_say_how_a_trap_hurts_whatever_is_chosen() -> None:
    traps = {trap.id: (trap.hurts, trap.dazes, trap.shifts) for trap in shipped("glass-warren").traps}
    assert traps["spring"] == (True, True, True)
    assert traps["spears"] == (True, True, False)
    assert traps["circle"] == (False, False, True)
    assert traps["slumber"] == (False, True, False)
    assert traps["grinder"] == (True, False, False)


def test_a_light_looks_through_tests_within_a_trap(tmp_path: Path) -> None:
    inner = '{ verb = "test", need = 9, fail = [{ verb = "every_character", do = [{ verb = "lose_life", n = 1 }] }] }'
    scenario = edited(tmp_path, ('fail = [{ verb = "daze", n = 3 }]', f"fail = [{inner}]"))
    slumber = next(trap for trap in scenario.traps if trap.id == "slumber")
    assert (slumber.hurts, slumber.dazes, slumber.shifts) == (True, False, False)


def test_effects_carry_what_the_file_says() -> None:
    scenario = shipped("glass-warren")
    abilities = {ability.id: ability for character in scenario.characters for ability in character.abilities}

    def only(program: int) -> tuple[str, int, str, int]:
        (effect,) = scenario.programs[program]
        return effect.verb, effect.n, effect.where, effect.number

    assert only(abilities["turn_stone"].program) == ("turn_tile", 0, "", NONE)
    assert only(abilities["far_light"].program) == ("reveal_trap", 0, "anywhere", NONE)
    assert only(abilities["pick_of_two"].program) == ("choose_trap", 2, "", NONE)
    assert only(abilities["sprint"].program) == ("extra_action", 1, "", NONE)
    assert only(abilities["lay_rime"].program) == ("lay_glyph", 0, "", 0)
    golem = {card.id: only(card.program) for card in scenario.golem_cards}
    assert golem["homesick"] == ("golem_walks", 3, "centre", NONE)
    assert golem["mirror"] == ("golem_appears", 0, "", NONE)
    events = {event.id: event for event in scenario.events}
    (everybody,) = scenario.programs[events["glass_rain"].program]
    ((test,),) = (scenario.programs[program] for program in everybody.programs)
    assert (everybody.verb, test.verb, test.n) == ("every_character", "test", 7)
    assert [only(program) for program in test.programs] == [("daze", 1, "", NONE)]
    assert (events["clear_sky"].program, events["clear_sky"].rule) == (NONE, None)
    assert (events["tailwind"].program, events["tailwind"].rule) == (NONE, "second_step_free")
    for program in scenario.programs:
        for effect in program:
            assert effect.perform is VERBS[effect.verb]


def test_an_option_may_be_nothing(tmp_path: Path) -> None:
    scenario = edited(
        tmp_path, ('[[{ verb = "lose_life", n = 1 }], [{ verb = "daze", n = 1 }]]', '[[{ verb = "daze" }], []]')
    )
    spears = next(trap for trap in scenario.traps if trap.id == "spears")
    (choose,) = scenario.programs[spears.program]
    assert choose.programs[1] == NONE
    assert scenario.programs[choose.programs[0]][0].verb == "daze"


def test_a_bonus_is_lent_by_items_and_lasts_by_abilities() -> None:
    scenario = shipped("glass-warren")
    items = {item.id: (item.when, item.test, item.bonus, item.program == NONE) for item in scenario.items}
    assert items["rope"] == ("before_test", "jump", 2, True)
    assert items["buckler"] == ("held", "fight", 1, True)
    assert items["salts"] == ("own_turn_even_dazed", None, 0, False)
    abilities = {ability.id: ability for character in scenario.characters for ability in character.abilities}
    sure_foot, sprint = abilities["sure_foot"], abilities["sprint"]
    assert (sure_foot.test, sure_foot.bonus, sure_foot.program) == ("jump", 2, NONE)
    assert (sprint.test, sprint.bonus, sprint.cost, sprint.crystal) == (None, 0, 0, True)


# For each way a tile can lie, the corridor over each edge from the east clockwise, and where its heads are.
ROUND = [("000000", "......")]
ONE_WAY = ["H.....", ".H....", "..H...", "...H..", "....H.", ".....H"]
TWO_WAYS = ["H..H..", ".H..H.", "..H..H"]
THREE_WAYS = ["H.H.H.", ".H.H.H"]
STRAIGHT = list(zip(["0..0..", ".0..0.", "..0..0"], TWO_WAYS, strict=True))
BEND = list(zip(["0.0...", ".0.0..", "..0.0.", "...0.0", "0...0.", ".0...0"], ONE_WAY, strict=True))
UNDERPASS = list(zip(["01.01.", ".01.01", "1.01.0"], TWO_WAYS, strict=True))
TWINS = list(zip(["0.01.1", "10.01.", ".10.01", "1.10.0", "01.10.", ".01.10"], ONE_WAY, strict=True))  # one has a trap
FORK = list(zip(["0.0.0.", ".0.0.0"], THREE_WAYS, strict=True))
LYING = {
    "glass-warren": {
        "centre": ROUND,
        "key": ROUND,
        "gallery": STRAIGHT,
        "bend": BEND,
        "corner": list(zip(["00....", ".00...", "..00..", "...00.", "....00", "0....0"], ONE_WAY, strict=True)),
        "underpass": UNDERPASS,
        "catwalk": list(zip(["0.10.1", "10.10.", ".10.10"], TWO_WAYS, strict=True)),
        "twin_bends": TWINS,
        "fork": FORK,
        "three_corners": list(zip(["001122", "200112"], THREE_WAYS, strict=True)),
        "alcove": list(zip(["0.....", ".0....", "..0...", "...0..", "....0.", ".....0"], ONE_WAY, strict=True)),
    },
    "lamp-alley": {
        "centre": ROUND,
        "key": ROUND,
        "lane": STRAIGHT,
        "bend": BEND,
        "square": FORK,
        "two_lanes": TWINS,
        "footbridge": UNDERPASS,
    },
}


def lying(tile: Tile) -> list[tuple[str, str]]:
    """How the shapes of a tile look, as in LYING."""
    return [
        (
            "".join("." if lane == NONE else str(lane) for lane in shape.lane_at),
            "".join("H" if edge in shape.heads else "." for edge in range(6)),
        )
        for shape in tile.shapes
    ]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_tile_lies_in_as_many_ways_as_differ(name: str) -> None:
    tiles = shipped(name).tiles
    assert {tile.id: lying(tile) for tile in tiles} == LYING[name]
    for tile in tiles:
        assert tile.turns == len(tile.shapes)
        for shape in tile.shapes:
            assert shape.bridges == tile.shapes[0].bridges
            assert list(shape.heads) == sorted(set(shape.heads))
            for lane, edges in enumerate(shape.edges):
                assert [edge for edge in range(6) if shape.lane_at[edge] == lane] == list(edges)


def test_bridges_and_slots_belong_to_corridors() -> None:
    tiles = {tile.id: tile for tile in shipped("glass-warren").tiles}
    shown = {name: (tile.shapes[0].bridges, tile.traps, tile.items) for name, tile in tiles.items()}
    assert shown["underpass"] == ((True, False), (1,), ())
    assert shown["catwalk"] == ((True, False), (), (0,))
    assert shown["fork"] == ((False,), (0,), (0,))
    assert shown["three_corners"] == ((False, False, False), (), ())


def test_a_turn_that_exchanges_levels_is_another_way_to_lie(tmp_path: Path) -> None:
    star = "corridors = [{ edges = [4, 2, 0], bridge = true }, { edges = [1, 3, 5] }] }"
    scenario = edited(tmp_path, ("corridors = [{ edges = [0, 2, 4], trap = true, item = true }] }", star))
    fork = next(tile for tile in scenario.tiles if tile.id == "fork")
    assert lying(fork) == [("010101", "H.H.H."), ("101010", ".H.H.H")]
    assert fork.shapes[1].edges == ((1, 3, 5), (0, 2, 4))


def names(scenario: Scenario, hex_: int) -> list[str]:
    """What lies over each edge of a hex, by name."""
    return ["" if other == NONE else scenario.spaces[other] for other in scenario.beside[hex_]]


def test_hexes_are_named_row_by_row_and_know_what_lies_beside_them() -> None:
    scenario = shipped("glass-warren")
    number = {space: hex_ for hex_, space in enumerate(scenario.spaces)}
    rows = {letter: [space for space in scenario.spaces if space[0] == letter] for letter in "abcdefgs"}
    assert [len(row) for row in rows.values()] == [4, 5, 6, 7, 6, 5, 4, 6]
    assert list(scenario.spaces) == [space for row in rows.values() for space in row]
    assert scenario.spaces[scenario.centre] == "d4"
    assert names(scenario, number["d4"]) == ["d5", "e4", "e3", "d3", "c3", "c4"]
    assert names(scenario, number["a1"]) == ["a2", "b2", "b1", "", "", ""]
    assert names(scenario, number["g4"]) == ["", "", "", "g3", "f4", "f5"]
    assert names(scenario, number["d7"]) == ["", "", "e6", "d6", "c6", ""]


def test_a_start_space_lies_over_one_edge_of_one_key_tile() -> None:
    scenario = shipped("glass-warren")
    number = {space: hex_ for hex_, space in enumerate(scenario.spaces)}
    keys = ["a3", "c6", "f5", "g2", "e1", "b1"]
    assert [scenario.spaces[hex_] for hex_ in scenario.key_hexes] == keys
    assert names(scenario, number["a3"]) == ["a4", "b4", "b3", "a2", "s1", ""]
    assert names(scenario, number["s1"]) == ["", "a3", "", "", "", ""]
    assert names(scenario, number["a2"])[5] == ""  # as near to s1, but no way
    for start, key in enumerate(keys, start=1):
        assert [space for space in names(scenario, number[f"s{start}"]) if space] == [key]


@pytest.mark.parametrize("name", SHIPPED)
def test_what_lies_beside_a_hex_has_it_beside_itself(name: str) -> None:
    scenario = shipped(name)
    assert len(scenario.beside) == len(scenario.spaces) == scenario.sockets + len(scenario.key_hexes)
    for hex_, row in enumerate(scenario.beside):
        for edge, other in enumerate(row):
            if other != NONE:
                assert scenario.beside[other][across(edge)] == hex_


def test_the_rim_touches_the_frame() -> None:
    scenario = shipped("lamp-alley")
    inner = [space for space, rim in zip(scenario.spaces[: scenario.sockets], scenario.rim, strict=True) if not rim]
    assert inner == ["b2", "b3", "c2", "c3", "c4", "d2", "d3"]
    assert sum(shipped("glass-warren").rim) == 18


def test_edges_count_clockwise_from_the_east() -> None:
    for edge, step in enumerate(DIRECTIONS):
        assert beyond((0, 0), edge) == step
        angle = math.atan2(step[1] * math.sqrt(3) / 2, step[0] + step[1] / 2)  # y downwards: clockwise
        assert math.degrees(angle) % 360 == pytest.approx(60 * edge)
        assert beyond(beyond((2, -1), edge), across(edge)) == (2, -1)
    assert COMPASS[DIRECTIONS.index((1, -1))] == "NE"
    assert [len(sockets(radius)) for radius in (1, 2, 3, 4)] == [7, 19, 37, 61]


@pytest.mark.parametrize("name", SHIPPED)
def test_L_SETUP_4_starts_are_as_far_apart_as_can_be(name: str) -> None:
    scenario = shipped(name)
    count = len(scenario.key_hexes)
    for seats, starts in scenario.start_use.items():
        gaps = [(after - start) % count for start, after in zip(starts, (*starts[1:], starts[0]), strict=True)]
        assert sum(gaps) == count  # clockwise, once round
        assert min(gaps) == count // seats
    assert scenario.start(2, 1) == (scenario.sockets + count // 2) * LANES


@pytest.mark.parametrize("name", SHIPPED)
def test_doors_are_alike(name: str) -> None:
    scenario = shipped(name)
    places = list(sockets({37: 3, 19: 2}[scenario.sockets]))
    keys = [places[hex_] for hex_ in scenario.key_hexes]
    assert {max(abs(q), abs(r), abs(q + r)) for q, r in keys} == {3 if name == "glass-warren" else 2}
    steps = [(a[0] - b[0], a[1] - b[1]) for a, b in zip(keys, (*keys[1:], keys[0]), strict=True)]
    assert {max(abs(q), abs(r), abs(q + r)) for q, r in steps} == {3}


FITTING = [(name, board) for name in SHIPPED for board in profile.names() if board in shipped(name).overlays]


def test_every_scenario_fits_the_default_board() -> None:
    assert {name for name, board in FITTING if board == "hex48"} == set(SHIPPED)


@pytest.mark.parametrize(("name", "on"), FITTING)
def test_neighbours_in_the_scenario_are_neighbours_on_the_board(name: str, on: str) -> None:
    scenario, board = shipped(name), profile.load(on)
    spaces = [board.space(scenario.overlay(on)[space]) for space in scenario.spaces]
    assert {space.kind for space in spaces[: scenario.sockets]} == {"hex"}
    met = 0
    for one, row in zip(spaces, scenario.beside, strict=True):
        for edge, number in enumerate(row):
            if number == NONE:
                continue
            other = spaces[number]
            if None not in (one.q, one.r, other.q, other.r):
                assert (other.q, other.r) == beyond((one.q or 0, one.r or 0), edge)
            east, south = math.cos(math.radians(60 * edge)), math.sin(math.radians(60 * edge))
            assert other.x_mm - one.x_mm == pytest.approx(board.hex_mm * east, abs=0.2)
            assert other.y_mm - one.y_mm == pytest.approx(board.hex_mm * south, abs=0.2)
            met += 1
    assert met == {"glass-warren": 2 * (90 + 6), "lamp-alley": 2 * (42 + 4)}[name]


def test_a_small_map_lies_in_the_middle_of_the_board() -> None:
    centre = shipped("lamp-alley").spaces[shipped("lamp-alley").centre]
    board = profile.load("hex48").space(shipped("lamp-alley").overlay("hex48")[centre])
    assert (board.q, board.r) == (0, 0)


def test_a_board_without_overlay_is_a_key_error_with_those_there_are() -> None:
    with pytest.raises(KeyError, match="lamp-alley has no overlay for board grid64; it has one for hex37-edges, hex48"):
        shipped("lamp-alley").overlay("grid64")


GALLERY = "corridors = [{ edges = [0, 3], trap = true }] }"
UNDER = "    { edges = [1, 4], trap = true },\n"
SLUMBER = 'fail = [{ verb = "daze", n = 3 }]'
MIRROR = 'do = [{ verb = "golem_appears" }]'
MASQUERADE = 'do = [{ verb = "swap_character" }]'
RIME = 'enter = [{ verb = "test", need = 7, fail = [{ verb = "daze", n = 1 }] }]'
PROBE = 'do = [{ verb = "reveal_trap", where = "adjacent" }]'
SPRINT = 'crystal = true, do = [{ verb = "extra_action", n = 1 }]'
CENTRE_LINE = "centre = [{ edges = [0, 1, 2, 3, 4, 5] }]"
KEY_LINE = "key_tile = [{ edges = [0, 1, 2, 3, 4, 5] }]"

# What is written instead of what, words on the line at fault, and the fault.
FAULTS = {
    "an edge twice": (
        GALLERY,
        "corridors = [{ edges = [0, 0] }] }",
        "[0, 0]",
        "tiles[0].corridors[0].edges[1]: this corridor leads over edge 0 already",
    ),
    "an edge of two corridors": (
        "{ edges = [3, 5] }] }",
        "{ edges = [2, 5] }] }",
        "{ edges = [2, 5] }] }",
        "tiles[5].corridors[1].edges: corridor 0 of this tile leads over edge 2 already",
    ),
    "corridors that cross on one level": (
        "{ edges = [3, 5] }] }",
        "{ edges = [1, 5] }] }",
        "{ edges = [1, 5] }] }",
        "tiles[5].corridors[1]: crosses corridor 0 on the same level: one of them must be a bridge",
    ),
    "bridges that cross": (
        UNDER,
        "    { edges = [1, 4], bridge = true },\n    { edges = [2, 5] },\n",
        "{ edges = [1, 4], bridge = true }",
        "tiles[3].corridors[1]: crosses corridor 0 on the same level: one of them must be a bridge",
    ),
    "a fork across a bend": (
        "{ edges = [0, 2], trap = true }, { edges = [3, 5] }",
        "{ edges = [0, 2], trap = true }, { edges = [1, 3, 5] }",
        "{ edges = [1, 3, 5] }",
        "tiles[5].corridors[1]: crosses corridor 0 on the same level: one of them must be a bridge",
    ),
    "a bridge beside what it should cross": (
        UNDER,
        "    { edges = [1, 2], trap = true },\n",
        "{ edges = [1, 2], trap = true }",
        "tiles[3].corridors[1]: does not cross corridor 0, but one of them is a bridge: a bridge crosses all corridors "
        "that are none",
    ),
    "a dead end before a bridge": (
        UNDER,
        "    { edges = [1, 4], trap = true },\n    { edges = [2] },\n",
        "{ edges = [2] }",
        "tiles[3].corridors[2]: does not cross corridor 0, but one of them is a bridge: a bridge crosses all corridors "
        "that are none",
    ),
    "a bridge alone": (
        GALLERY,
        "corridors = [{ edges = [0, 3], bridge = true }] }",
        'id = "gallery"',
        "tiles[0].corridors[0].bridge: a bridge needs a corridor under it: one corridor of this tile is none",
    ),
    "bridges over nothing": (
        "{ edges = [0, 2], trap = true }, { edges = [3, 5] }",
        "{ edges = [0, 2], bridge = true }, { edges = [3, 5], bridge = true }",
        'id = "twin_bends"',
        "tiles[5].corridors[0].bridge: a bridge needs a corridor under it: one corridor of this tile is none",
    ),
    "a centre of two corridors": (
        CENTRE_LINE,
        "centre = [{ edges = [0, 2] }, { edges = [3, 5] }]",
        "centre = [",
        "centre: the centre has exactly one corridor, where the game is won, not 2",
    ),
    "a trap on the centre": (
        CENTRE_LINE,
        "centre = [{ edges = [0, 3], trap = true }]",
        "centre = [",
        "centre[0].trap: only tiles of the pile get a trap when they are laid",
    ),
    "an item on a key tile": (
        KEY_LINE,
        "key_tile = [{ edges = [0, 1, 2, 3, 4, 5], item = true }]",
        "key_tile = [",
        "key_tile[0].item: only tiles of the pile get an item when they are laid",
    ),
    "a key tile with a bridge over nothing": (
        KEY_LINE,
        "key_tile = [{ edges = [0, 1, 2, 3, 4, 5], bridge = true }]",
        "key_tile = [",
        "key_tile[0].bridge: a bridge needs a corridor under it: one corridor of this tile is none",
    ),
    "a door behind a wall": (
        KEY_LINE,
        "key_tile = [{ edges = [0, 1, 2, 3, 5] }]",
        'id = "s1", beside',
        "starts[0].edge: the key tile has a wall at edge 4, and nobody could leave",
    ),
    "two tiles of one id": (
        'id = "bend"',
        'id = "gallery"',
        'id = "gallery", name = "Wide',
        "tiles[1].id: gallery is what another piece is called; give the tile another id",
    ),
    "two pieces of one id": (
        'id = "mason"',
        'id = "rope"',
        'id = "rope"\nname = "Mason"',
        "characters[0].id: rope is what another piece is called; give the character another id",
    ),
    "a piece called like a key": (
        'id = "rime"\nname',
        'id = "key3"\nname',
        'id = "key3"',
        "glyphs[0].id: key3 is what another piece is called; give the glyph another id",
    ),
    "a trap called like the Golem": (
        'id = "spikes"',
        'id = "golem"',
        'id = "golem"',
        "traps[7].id: golem is what another piece is called; give the trap another id",
    ),
    "an item called like a trap face down": (
        'id = "rope"',
        'id = "trap"',
        'id = "trap"',
        "items[0].id: trap is what another piece is called; give the item another id",
    ),
    "two Golem cards of one id": (
        'id = "whistle"',
        'id = "scent"',
        'id = "scent"\nname = "Whistle"',
        "golem[1].id: scent is another Golem card",
    ),
    "two events of one id": (
        'id = "thick_fog"',
        'id = "brittle_traps"',
        'id = "brittle_traps"\nname = "Thick Fog"',
        "events[1].id: brittle_traps is another event",
    ),
    "two abilities of one id": (
        '[{ id = "parry", name = "Parry", bonus = { test = "fight", n = 1 } }]',
        '[{ id = "parry", name = "Parry", bonus = { test = "fight", n = 1 } },\n'
        '{ id = "parry", name = "Riposte", bonus = { test = "jump", n = 1 } }]',
        '"Riposte"',
        "characters[2].abilities[1].id: parry is another ability of this character",
    ),
    "a start out of order": (
        'id = "s2", beside',
        'id = "s7", beside',
        'id = "s7"',
        "starts[1].id: must be s2: starts are numbered in their order",
    ),
    "a start beside no socket": (
        "beside = [2, -3]",
        "beside = [2, -4]",
        "beside = [2, -4]",
        "starts[0].beside: (2, -4) is no socket of a board of radius 3",
    ),
    "a start beside the centre": (
        "beside = [2, -3]",
        "beside = [0, 0]",
        "beside = [0, 0]",
        "starts[0].beside: the centre cannot be a key tile",
    ),
    "two starts beside one tile": (
        "beside = [3, -1], edge = 5",
        "beside = [2, -3], edge = 5",
        "beside = [2, -3], edge = 5",
        "starts[1].beside: another start space lies beside (2, -3) already: each has a key tile of its own",
    ),
    "two starts in one place": (
        "beside = [3, -1], edge = 5",
        "beside = [1, -3], edge = 5",
        "beside = [1, -3], edge = 5",
        "starts[1].edge: another start space lies over this edge already, at (2, -4)",
    ),
    "a start inside the board": (
        "edge = 4 },",
        "edge = 1 },",
        "edge = 1 },",
        "starts[0].edge: edge 1 of (2, -3) does not lead out of the board",
    ),
    "no number of seats": (
        '2 = ["s1", "s4"]',
        'two = ["s1", "s4"]',
        'two = ["s1", "s4"]',
        'start_use.two: a key is a number of seats, from "2" to "6"',
    ),
    "a number of seats left out": (
        '4 = ["s1", "s2", "s4", "s5"]\n',
        "",
        "[start_use]",
        "start_use: broken is for 2 to 6 seats: name the starts of 4 too",
    ),
    "too few starts": (
        '3 = ["s1", "s3", "s5"]',
        '3 = ["s1", "s3"]',
        '3 = ["s1", "s3"]',
        "start_use.3: names 2 starts for 3 seats",
    ),
    "an unknown start": (
        '3 = ["s1", "s3", "s5"]',
        '3 = ["s1", "s3", "s9"]',
        '3 = ["s1", "s3", "s9"]',
        "start_use.3[2]: there is no start s9",
    ),
    "two seats at one start": (
        '3 = ["s1", "s3", "s5"]',
        '3 = ["s1", "s3", "s1"]',
        '3 = ["s1", "s3", "s1"]',
        "start_use.3[2]: s1 is another seat's start",
    ),
    "too many tiles": (
        'name = "Gallery", n = 5',
        'name = "Gallery", n = 6',
        "tiles = [\n",
        "tiles: 31 tiles are too many for the 30 sockets that centre and key tiles leave",
    ),
    "a pile for a smaller board": (
        "radius = 3",
        "radius = 2",
        "tiles = [\n",
        "tiles: 30 tiles are too many for the 12 sockets that centre and key tiles leave",
    ),
    "too few items": (
        'name = "Gallery", n = 5, corridors = [{ edges = [0, 3], trap = true }]',
        'name = "Gallery", n = 5, corridors = [{ edges = [0], item = true }, { edges = [3], item = true }]',
        '[[items]]\nid = "rope"',
        "items: 15 tokens are too few for the 20 that the tiles call for",
    ),
    "a limit to one roll": (
        "n = 3\nneed = 10",
        "n = 3\nmost = 3\nneed = 10",
        "most = 3",
        'traps[0].most: stands with rolls = "until_success" only: other traps have a number of rolls',
    ),
    "a help that helps nothing": (
        'when = "before_test"\nbonus = { test = "jump", n = 2 }',
        'when = "before_test"',
        '[[items]]\nid = "rope"',
        'items[0]: an item with when = "before_test" needs a bonus',
    ),
    "an item held for nothing": (
        'when = "held"\nbonus = { test = "fight", n = 1 }',
        'when = "held"',
        '[[items]]\nid = "buckler"',
        'items[2]: an item with when = "held" needs a bonus',
    ),
    "an item held that acts": (
        'when = "held"\n',
        'when = "held"\ndo = [{ verb = "gain_life", n = 2 }]\n',
        '"gain_life", n = 2',
        'items[2].do: an item with when = "held" has a bonus and no effects in `do`',
    ),
    "an item that does nothing": (
        f'when = "own_turn"\n{PROBE}',
        'when = "own_turn"',
        '[[items]]\nid = "probe"',
        'items[3]: an item with when = "own_turn" needs effects in `do`',
    ),
    "a bonus to no test": (
        'when = "own_turn_even_dazed"\n',
        'when = "own_turn_even_dazed"\nbonus = { test = "golem", n = 1 }\n',
        'test = "golem"',
        'items[1].bonus: a bonus stands with when = "before_test" or "held" only',
    ),
    "an ability of nothing": (
        f"{SPRINT} ",
        "crystal = true ",
        'id = "sprint"',
        "characters[5].abilities[0]: an ability has either a lasting bonus or effects in `do`",
    ),
    "an ability of both kinds": (
        SPRINT,
        'bonus = { test = "jump", n = 1 }, do = [{ verb = "extra_action" }]',
        'id = "sprint"',
        "characters[5].abilities[0]: an ability has either a lasting bonus or effects in `do`",
    ),
    "a bonus at a price": (
        'name = "Parry", bonus',
        'name = "Parry", cost = 1, bonus',
        'name = "Parry"',
        "characters[2].abilities[0].cost: a lasting bonus costs no actions",
    ),
    "a bonus by the crystal": (
        'name = "Parry", bonus',
        'name = "Parry", crystal = true, bonus',
        'name = "Parry"',
        "characters[2].abilities[0].crystal: a lasting bonus needs no crystal",
    ),
    "a trap that gives an action": (
        SLUMBER,
        'fail = [{ verb = "extra_action" }]',
        '"extra_action" }]',
        "traps[14].fail[0].verb: extra_action makes no sense in a trap: it stands in a Golem card, an event or an "
        "ability",
    ),
    "a trap in which the Golem walks": (
        SLUMBER,
        'fail = [{ verb = "golem_walks", n = 2, toward = "random" }]',
        'n = 2, toward = "random"',
        "traps[14].fail[0].verb: golem_walks makes no sense in a trap: it stands in a Golem card, an event or an "
        "ability",
    ),
    "a glyph in which the Golem appears": (
        RIME,
        'enter = [{ verb = "golem_appears" }]',
        "enter = [",
        "glyphs[0].enter[0].verb: golem_appears makes no sense in a glyph: it stands in a Golem card, an event or an "
        "ability",
    ),
    "an item that shifts": (
        PROBE,
        'do = [{ verb = "shift", to = "adjacent_tile" }]',
        'do = [{ verb = "shift"',
        "items[3].do[0].verb: shift makes no sense in an item: it stands in a trap, a Golem card, an event, a glyph or "
        "every_character",
    ),
    "an event that aims": (
        MASQUERADE,
        'do = [{ verb = "turn_tile" }]',
        'do = [{ verb = "turn_tile" }]',
        "events[6].do[0].verb: turn_tile makes no sense in an event: it stands in an item or an ability",
    ),
    "a Golem card that reveals": (
        MIRROR,
        'do = [{ verb = "reveal_trap", where = "anywhere" }]',
        'do = [{ verb = "reveal_trap"',
        "golem[4].do[0].verb: reveal_trap makes no sense in a Golem card: it stands in an item or an ability",
    ),
    "a trap that chooses traps, as an option": (
        SLUMBER,
        'fail = [{ verb = "choose", of = [[{ verb = "daze" }], [{ verb = "choose_trap" }]] }]',
        '[{ verb = "choose_trap" }]',
        "traps[14].fail[0].of[1][0].verb: choose_trap makes no sense in a trap: it stands in an item or an ability",
    ),
    "a glyph that lays a glyph, on a failure": (
        RIME,
        'enter = [{ verb = "test", need = 7, fail = [{ verb = "lay_glyph", glyph = "rime" }] }]',
        "enter = [",
        "glyphs[0].enter[0].fail[0].verb: lay_glyph makes no sense in a glyph: it stands in an item or an ability",
    ),
    "everybody's extra action": (
        MASQUERADE,
        'do = [{ verb = "every_character", do = [{ verb = "extra_action" }] }]',
        'do = [{ verb = "extra_action" }]',
        "events[6].do[0].do[0].verb: extra_action makes no sense in every_character: it stands in a Golem card, an "
        "event or an ability",
    ),
    "everybody of everybody": (
        MASQUERADE,
        'do = [{ verb = "every_character", do = [{ verb = "every_character", do = [{ verb = "daze" }] }] }]',
        '[{ verb = "daze" }]',
        "events[6].do[0].do[0].verb: every_character makes no sense in every_character: it stands in a trap, a Golem "
        "card, an event, an item, an ability or a glyph",
    ),
    "an unknown glyph": (
        'glyph = "rime"',
        'glyph = "frost"',
        'glyph = "frost"',
        "characters[6].abilities[0].do[0].glyph: there is no glyph frost",
    ),
    "an overlay of no space": (
        'a1 = "h01"',
        'z9 = "h01"',
        'z9 = "h01"',
        "overlay.hex48.z9: there is no space z9",
    ),
    "an overlay with a gap": (
        's6 = "r6"\n',
        "",
        "[overlay.hex48]",
        "overlay.hex48: does not say where s6 lies",
    ),
    "two spaces on one": (
        's6 = "r6"\n',
        's6 = "h01"\n',
        's6 = "h01"',
        "overlay.hex48.s6: another space lies on h01 already",
    ),
    "an unknown key": ("golem_spoils_centre", "golem_spoils_center", "golem_spoils_center", "switches.golem_spoils"),
    "an unknown verb": ('verb = "golem_appears"', 'verb = "appear"', 'verb = "appear"', "golem[4].do[0]: must be"),
    "an edge of no hex": (GALLERY, "corridors = [{ edges = [0, 6] }] }", "[0, 6]", "tiles[0].corridors[0].edges[1]: m"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_is_named_with_line_and_key(what: str, tmp_path: Path) -> None:
    old, new, at, fault = FAULTS[what]
    text = changed((old, new))
    expected = f"{line(text, at)}: {fault}"
    assert any(found.startswith(expected) for found in faults(tmp_path, text)), faults(tmp_path, text)


def test_a_scenario_has_a_character_for_every_seat(tmp_path: Path) -> None:
    fewer = TEXT
    for name in ("snarer", "rigger"):
        fewer = re.sub(rf'\[\[characters\]\]\nid = "{name}"\n(.+\n)+\n', "", fewer)
    assert "5 characters are too few for 6 seats" in faults(tmp_path, fewer)[0]


def test_a_scenario_has_a_trap_for_every_slot(tmp_path: Path) -> None:
    fewer = re.sub(r'(?s)\[\[traps\]\]\nid = "hammers".+?\n# The Golem', "# The Golem", TEXT)
    assert faults(tmp_path, fewer.replace("n = 4\nrolls = 3", "n = 1\nrolls = 3")) == [
        f"{line(TEXT, '[[traps]]')}: traps: 16 tokens are too few for the 21 that the tiles call for"
    ]


def test_all_faults_come_in_one_run(tmp_path: Path) -> None:
    text = changed(
        (GALLERY, "corridors = [{ edges = [0, 0] }] }"),
        ("edge = 4 },", "edge = 1 },"),
        ('3 = ["s1", "s3", "s5"]', '3 = ["s1", "s3", "s9"]'),
        (SLUMBER, 'fail = [{ verb = "turn_tile" }]'),
        ('when = "held"\nbonus = { test = "fight", n = 1 }', 'when = "held"'),
        ('name = "Parry", bonus', 'name = "Parry", cost = 1, bonus'),
        ('glyph = "rime"', 'glyph = "frost"'),
        ('a1 = "h01"', 'z9 = "h01"'),
    )
    keys = [found.split(": ")[1] for found in faults(tmp_path, text)]
    assert keys == [
        "tiles[0].corridors[0].edges[1]",
        "starts[0].edge",
        "start_use.3[2]",
        "traps[14].fail[0].verb",
        "items[2]",
        "characters[2].abilities[0].cost",
        "characters[6].abilities[0].do[0].glyph",
        "overlay.hex48",
        "overlay.hex48.z9",
    ]


def test_every_verb_that_needs_a_turn_may_stand_where_there_is_one(tmp_path: Path) -> None:
    scenario = edited(
        tmp_path,
        (MASQUERADE, 'do = [{ verb = "golem_walks", toward = "centre" }, { verb = "extra_action" }]'),
        (MIRROR, 'do = [{ verb = "shift", to = "adjacent_tile" }, { verb = "extra_action" }]'),
        (PROBE, 'do = [{ verb = "turn_tile" }, { verb = "lay_glyph", glyph = "rime" }, { verb = "choose_trap" }]'),
        (SPRINT, 'do = [{ verb = "golem_appears" }]'),
    )
    assert [effect.verb for effect in scenario.programs[scenario.events[-1].program]] == ["golem_walks", "extra_action"]


@pytest.mark.parametrize(
    "corridors",
    [
        "{ edges = [0, 1] }, { edges = [2, 5] }, { edges = [3, 4] }",
        "{ edges = [0] }, { edges = [1, 5] }",
        "{ edges = [0, 2, 3] }, { edges = [4, 5] }, { edges = [1] }",
        "{ edges = [0, 1, 2] }, { edges = [3, 4, 5] }",
        "{ edges = [0, 3], bridge = true }, { edges = [1, 5] }, { edges = [2, 4] }",
        "{ edges = [0, 2], bridge = true }, { edges = [3, 5], bridge = true }, { edges = [1, 4] }",
    ],
)
def test_corridors_that_do_not_meet_may_lie_on_one_level(corridors: str, tmp_path: Path) -> None:
    gallery = edited(tmp_path, (GALLERY, f"corridors = [{corridors}] }}")).tiles[KEY_TILE + 1]
    assert len(gallery.shapes[0].edges) == corridors.count("edges")


def test_the_switches_are_set_as_the_digest_proposes() -> None:
    proposed = {
        "dice": "engine",
        "tiles": "engine",
        "crystal_starts": "active",
        "crystal_repeats": "single_roll",
        "crystal_after": "failure",
        "unused_actions": True,
        "build_must_touch": True,
        "build_may_refuse": False,
        "free_rotation": True,
        "rest_removes": "one",
        "jump_landing_explores": "all",
        "dazed_loses_fights": True,
        "golem_spoils_centre": False,
        "death_cancels_rest_of_trap": True,
        "daze_survives_rebirth": True,
        "crystal_survives_rebirth": True,
        "dazed_may_use_crystal": False,
        "decks_reshuffle": True,
        "traps_removed_to": "box",
    }
    assert Switches().model_dump() == proposed
    assert shipped("glass-warren").switches.model_dump() == proposed
    assert set(tomllib.loads(TEXT)["switches"]) == set(proposed)
