"""What the board says, row by row of the digest's table of what each lamp can show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from underglow import games
from underglow.games import labyrinth
from underglow.games.contract import Action, Cue, Event, Meaning
from underglow.games.labyrinth.building import Lay, TurnTile
from underglow.games.labyrinth.hurting import Die
from underglow.games.labyrinth.moving import Shift
from underglow.games.labyrinth.scenario import LANES, NONE, Scenario
from underglow.games.labyrinth.state import Glyph, Lying, State, Trap
from underglow.games.labyrinth.task import Task
from underglow.games.labyrinth.traps import PickTrap, Reveal, SetTrap
from underglow.games.state import Deck
from underglow.rng import Rng

FULL, CLEAR, DIM = 255, 96, 40
"""Three steps of brightness."""


@cache
def glass_warren() -> Scenario:
    return labyrinth.load(games.scenario_path("labyrinth", "glass-warren"))


@cache
def picked(seats: int) -> State:
    """The first turn, of the seat on s1."""
    for seed in range(40):
        state = labyrinth.setup(glass_warren(), seats, Rng(seed))
        while (legal := labyrinth.legal(state))[0].verb == "pick_character":
            state, _ = labyrinth.step(state, legal[0])
        if state.seat == 0:
            return state
    raise AssertionError("nobody on s1 begins")


def place(name: str) -> int:
    """The place of "b3", or of "b3:1": its second corridor."""
    space, _, lane = name.partition(":")
    return glass_warren().spaces.index(space) * LANES + int(lane or 0)


def tile(name: str) -> int:
    return [known.id for known in glass_warren().tiles].index(name)


def trap(name: str, kind: str) -> Trap:
    """A trap on a place, "? spikes" when it lies face down."""
    kinds = [known.id for known in glass_warren().traps]
    return Trap(place(name), kinds.index(kind.removeprefix("? ")), up=not kind.startswith("?"), known=0)


def scene(
    *laid: tuple[str, str, int],
    seats: int = 2,
    at: Mapping[int, str] | None = None,
    traps: tuple[Trap, ...] = (),
    golem: str = "d4",
    **changes: object,
) -> State:
    """The first turn with these tiles laid (space, tile, how often it is turned), and characters at these places."""
    state = picked(seats)
    maze = state.maze
    for space, name, turned in laid:
        maze = maze.with_tile(place(space) // LANES, tile(name), turned)
    players = list(state.players)
    for seat, where in (at or {}).items():
        players[seat] = players[seat]._replace(place=place(where))
    arranged = replace(
        state, maze=maze, players=tuple(players), traps=tuple(sorted(traps)), golem=place(golem), lying=(), glyphs=()
    )
    return replace(arranged, **changes)


def asking(state: State, task: Task) -> State:
    """The state with that choice open."""
    return replace(state, agenda=(*state.agenda, task))


def player(state: State, seat: int, **changes: object) -> State:
    players = list(state.players)
    players[seat] = players[seat]._replace(**changes)
    return replace(state, players=tuple(players))


def meanings(state: State, *lifted: str) -> dict[str, str]:
    return {lamp: str(cue.meaning) for lamp, cue in labyrinth.cues(state, lifted).items()}


def lit(said: Mapping[str, Cue], meaning: Meaning, *levels: int) -> set[str]:
    """The lamps that say this, at these levels if any are named."""
    return {lamp for lamp, cue in said.items() if cue.meaning is meaning and (not levels or cue.level in levels)}


def pawn(state: State, seat: int = 0) -> str:
    return state.scenario.characters[state.players[seat].character].id


def named(state: State, verb: str, *args: str | int) -> Action:
    return next(action for action in labyrinth.legal(state) if (action.verb, action.args) == (verb, args))


KEYS = {"a3", "c6", "f5", "g2", "e1", "b1"}
"""The key tiles, from s1 on."""


def every(space: str) -> set[str]:
    return {space, *(f"{space}.e{edge}" for edge in range(6))}


def test_L_SETUP_1_key_tiles_the_centre_and_who_picks_a_start() -> None:
    state = labyrinth.setup(glass_warren(), 2, Rng(1))
    said = labyrinth.cues(state, ())
    assert said["s1"] == Cue(Meaning.READY)
    assert said["s4"].meaning is Meaning.CRYSTAL
    assert {lamp for lamp in lit(said, Meaning.OBJECTIVE) if "." not in lamp} == {*KEYS, "d4"}
    assert said["d4"].level < said["a3"].level
    assert lit(said, Meaning.ENEMY) == every("d4") - {"d4"}
    after, _ = labyrinth.step(state, labyrinth.legal(state)[0])
    assert labyrinth.cues(after, ())["s4"] == Cue(Meaning.READY)


def test_L_ACT_BUILD_sockets_where_the_drawn_tile_may_be_laid() -> None:
    state = asking(scene(("a2", "gallery", 0)), Lay(tile("gallery")))
    sockets = {str(action.args[0]) for action in labyrinth.legal(state)}
    assert lit(labyrinth.cues(state, ()), Meaning.REACHABLE) == sockets
    assert "a2" not in sockets


def test_L_ACT_BUILD_a_tile_to_be_turned_glows_as_it_would_lie() -> None:
    state = asking(scene(), Lay(tile("underpass")))
    state, _ = labyrinth.step(state, named(state, "lay", "b3"))
    assert lit(labyrinth.cues(state, ()), Meaning.CHOICE) == {"b3", "b3.e1", "b3.e4"}
    assert lit(labyrinth.cues(state, ()), Meaning.ABOVE) == {"b3.e0", "b3.e3"}
    shown = labyrinth.shown(state, named(state, "face", "b3", 2))
    assert shown
    assert lit(shown, Meaning.CHOICE) == {"b3", "b3.e0", "b3.e3"}
    assert lit(shown, Meaning.ABOVE) == {"b3.e2", "b3.e5"}
    twins = asking(scene(), Lay(tile("twin_bends")))
    twins, _ = labyrinth.step(twins, named(twins, "lay", "b3"))
    said = labyrinth.cues(twins, ())
    assert said["b3.e0"] == said["b3.e2"] != said["b3.e3"] == said["b3.e5"]


def test_L_CHAR_2_a_laid_tile_to_be_turned_and_its_head_in_hand() -> None:
    state = asking(scene(("b3", "bend", 0), ("e3", "fork", 0), traps=(trap("e3", "spikes"),)), TurnTile())
    assert lit(labyrinth.cues(state, ()), Meaning.CHOICE) == {"b3"}  # something lies on the other
    state, _ = labyrinth.step(state, named(state, "turn_tile", "b3"))
    assert lit(labyrinth.cues(state, ()), Meaning.CHOICE) == {"b3", "b3.e1", "b3.e3"}
    head = labyrinth.cues(state, ("bend.head",))
    assert head["b3.e0"] == Cue(Meaning.ORIGIN, CLEAR)
    assert lit(head, Meaning.REACHABLE) == every("b3") - {"b3", "b3.e0"}
    assert head["b3"] == Cue(Meaning.CHOICE)
    after, events = labyrinth.step(state, named(state, "face", "b3", 3))
    assert labyrinth.flashes(after, events) == {"b3": Cue(Meaning.REVEALED)}


def test_L_ACT_BUILD_the_corridors_that_get_a_token_flash() -> None:
    state = asking(scene(), Lay(tile("catwalk")))
    state, _ = labyrinth.step(state, named(state, "lay", "b3"))
    state, events = labyrinth.step(state, named(state, "face", "b3", 0))
    flashes = labyrinth.flashes(state, events)
    assert flashes == dict.fromkeys(["b3", "b3.e0", "b3.e3"], Cue(Meaning.REVEALED))
    state = asking(scene(), Lay(tile("underpass")))
    state, _ = labyrinth.step(state, named(state, "lay", "b3"))
    state, events = labyrinth.step(state, named(state, "face", "b3", 0))
    assert labyrinth.flashes(state, events) == dict.fromkeys(["b3", "b3.e1", "b3.e4"], Cue(Meaning.THREAT))


def test_L_ACT_MOVE_reach_with_one_and_two_actions_and_by_which_corridor() -> None:
    state = scene(("a2", "twin_bends", 0), ("b3", "gallery", 1), keys=(NONE,) * 6)
    rest, hand = labyrinth.cues(state, ()), labyrinth.cues(state, (pawn(state),))
    assert rest["s1"] == Cue(Meaning.READY, CLEAR)
    assert hand["s1"] == Cue(Meaning.ORIGIN, CLEAR)
    for said, near, far in ((rest, CLEAR, DIM), (hand, FULL, CLEAR)):
        assert lit(said, Meaning.REACHABLE, near) == every("a3")
        assert lit(said, Meaning.REACHABLE, far) == {"a2", "a2.e0", "a2.e2"}  # b3 shows a wall there
    once = replace(state, actions=1)
    assert not lit(labyrinth.cues(once, (pawn(state),)), Meaning.REACHABLE, CLEAR)
    none = replace(state, actions=0)
    assert not lit(labyrinth.cues(none, ()), Meaning.REACHABLE)


def test_L_ACT_MOVE_the_way_may_end_where_something_waits_and_nobody_is_told_what() -> None:
    looks: set[str] = set()
    for hidden in ("? spikes", "? lightning", "? slumber"):
        state = scene(("a2", "gallery", 0), traps=(trap("a2", hidden),))
        assert lit(labyrinth.cues(state, (pawn(state),)), Meaning.STOP) == {"a2", "a2.e0", "a2.e3"}
        looks.add(repr([labyrinth.cues(state, lifted) for lifted in ((), (pawn(state),))]))
    assert len(looks) == 1
    met = scene(golem="a3")
    assert lit(labyrinth.cues(met, (pawn(met),)), Meaning.STOP) == every("a3")


def test_L_TRAP_G2_G3_G4_where_a_trap_may_be_laid_and_nothing_else() -> None:
    laid = ("a2", "twin_bends", 0), ("b3", "gallery", 0)
    state = scene(*laid, at={1: "b3"}, traps=(trap("a2:1", "spikes"),))
    said = labyrinth.cues(asking(state, SetTrap(NONE)), ())
    lamps = {lamp for lamp in lit(said, Meaning.THREAT) if lamp[0] in "ab"}
    assert lamps == {*every("a3"), *every("b1"), "a2", "a2.e0", "a2.e2"}
    assert {lamp for lamp in said if lamp.partition(".")[0] in ("b3", "d4", "a2")} <= lit(said, Meaning.THREAT)
    assert not any(cue.meaning is Meaning.THREAT for cue in labyrinth.cues(state, ()).values())


def test_L_TRAP_G5_face_down_all_traps_look_alike() -> None:
    kinds = [known.id for known in glass_warren().traps]
    looks = {repr(labyrinth.cues(scene(("e3", "fork", 0), traps=(trap("e3", f"? {kind}"),)), ())) for kind in kinds}
    assert len(looks) == 1
    said = labyrinth.cues(scene(("e3", "fork", 0), traps=(trap("e3", "? axes"),)), ())
    assert lit(said, Meaning.THREAT, DIM) == {"e3", "e3.e0", "e3.e2", "e3.e4"}


@pytest.mark.parametrize(
    ("kind", "meaning", "failing"),
    [
        ("spikes", Meaning.GUARDED, 15),  # 7 or more: 21 of 36
        ("axes", Meaning.GUARDED, 10),
        ("spring", Meaning.GUARDED, 21),
        ("slumber", Meaning.DAZED, 21),
        ("frostball", Meaning.DAZED, 26),
        ("lightning", Meaning.SHIFTING, 30),
        ("circle", Meaning.SHIFTING, 15),
    ],
)
def test_L_TRAP_G5_face_up_it_says_its_kind_and_how_likely_it_fails(kind: str, meaning: Meaning, failing: int) -> None:
    said = labyrinth.cues(scene(("e3", "twin_bends", 0), traps=(trap("e3:1", kind),)), ())
    cue = Cue(meaning, FULL * failing // 36)
    assert {lamp: said[lamp] for lamp in said if lamp.startswith("e3")} == {"e3": cue, "e3.e3": cue, "e3.e5": cue}


def test_L_TRAP_G5_a_trap_turned_up_flashes_there() -> None:
    state = asking(scene(("a2", "gallery", 0), traps=(trap("a2", "? spikes"),)), Reveal(anywhere=True))
    assert lit(labyrinth.cues(state, ()), Meaning.PEEK) == {"a2", "a2.e0", "a2.e3"}
    after, events = labyrinth.step(state, named(state, "reveal", "a2", 0))
    assert labyrinth.flashes(after, events) == {"a2": Cue(Meaning.REVEALED)}


def test_L_TRAP_17_candidates_of_a_shift_and_who_names_one() -> None:
    state = scene(("a2", "twin_bends", 0), ("a4", "gallery", 0), at={0: "a3"})
    for anywhere, lamps in ((False, {"a2.e0", "a2.e2"}), (True, {"a2.e0", "a2.e2", "a2.e3", "a2.e5"})):
        shifted = asking(state, Shift(1, 0, anywhere))
        said = labyrinth.cues(shifted, ())
        assert said["a3"].meaning is Meaning.ORIGIN
        assert said["s4"] == Cue(Meaning.READY)
        choice = lit(said, Meaning.CHOICE)
        assert {lamp for lamp in choice if lamp.startswith("a2.")} == lamps
        assert {lamp for lamp in choice if "." not in lamp} == ({"a2", "a4"} | (set() if anywhere else {"s1"}))
        assert lit(labyrinth.cues(shifted, (pawn(state),)), Meaning.REACHABLE) == choice
    after, events = labyrinth.step(asking(state, Shift(1, 0, True)), named(shifted, "shift", "a2", 1))
    path = [place for place, cue in labyrinth.flashes(after, events).items() if cue.meaning is Meaning.PATH]
    assert path == ["a3", "a2"]


def test_L_GOLEM_1_where_the_golem_is_and_where_it_went() -> None:
    said = labyrinth.cues(scene(("e3", "twin_bends", 0), golem="e3:1"), ())
    assert lit(said, Meaning.ENEMY, CLEAR) == {"e3", "e3.e3", "e3.e5"}
    walk = Event("golem_walked", ("golem", "d4", "d3")), Event("golem_walked", ("golem", "d3", "d2"))
    assert list(labyrinth.flashes(scene(), walk)) == ["d4", "d3", "d2"]


def test_L_JUMP_on_the_bridge_or_under_it() -> None:
    laid = ("b3", "catwalk", 0)
    for lane, meaning, edges in ((0, Meaning.ABOVE, (0, 3)), (1, Meaning.BELOW, (2, 5))):
        state = scene(laid, at={0: f"b3:{lane}"})
        assert lit(labyrinth.cues(state, ()), meaning, CLEAR) == {"b3", *(f"b3.e{edge}" for edge in edges)}
        other = scene(laid, at={1: f"b3:{lane}"})
        assert lit(labyrinth.cues(other, ()), meaning, DIM) == {"b3", *(f"b3.e{edge}" for edge in edges)}
    shown = labyrinth.shown(state, named(state, "jump", "b3", 0))
    assert shown == dict.fromkeys(["b3", "b3.e0", "b3.e3"], Cue(Meaning.CHOICE))


def test_L_JUMP_the_test_flashes() -> None:
    looks: dict[str, Cue] = {}
    for seed in range(30):
        state = scene(("b3", "catwalk", 0), at={0: "b3:1"}, rng=Rng(seed))
        state = player(state, 0, crystal=False)
        after, events = labyrinth.step(state, named(state, "jump", "b3", 0))
        verdict = next(str(event.args[4]) for event in events if event.kind == "tested")
        looks[verdict] = labyrinth.flashes(after, tuple(e for e in events if e.kind == "tested"))["b3"]
    assert looks == {"passed": Cue(Meaning.OBJECTIVE), "failed": Cue(Meaning.HURT)}


def test_L_FIGHT_2_both_flash_and_the_loser_is_hurt() -> None:
    losers: set[str] = set()
    for seed in range(12):
        state = scene(("b3", "gallery", 0), at={0: "b3", 1: "b3"}, rng=Rng(seed))
        for seat in (0, 1):
            state = player(state, seat, crystal=False)
        after, events = labyrinth.step(state, named(state, "attack", pawn(state, 1)))
        loser = 0 if after.players[0].lives < 4 else 1
        homes = ["s1", "s4"]
        flashes = labyrinth.flashes(after, events)
        assert flashes["b3"] == flashes[homes[loser]] == Cue(Meaning.HURT)
        assert flashes[homes[1 - loser]] == Cue(Meaning.OBJECTIVE)
        assert lit(flashes, Meaning.TARGET) == every("b3") - {"b3"}
        assert labyrinth.cues(after, ())[homes[loser]].level < labyrinth.cues(state, ())[homes[loser]].level
        losers.add(homes[loser])
    assert losers == {"s1", "s4"}


def test_lives_daze_and_crystal_at_the_start_space() -> None:
    away = scene(at={0: "a3", 1: "g2"})
    levels: list[int] = []
    for lives in (4, 3, 2, 1):
        said = labyrinth.cues(player(away, 1, lives=lives), ())
        levels.append(said["s4"].level)
        assert len({lamp for lamp in lit(said, Meaning.LIFE) if lamp.startswith("s4.")}) == lives
    assert levels == sorted(levels, reverse=True)
    assert len(set(levels)) == 4
    active, spent = labyrinth.cues(away, ()), labyrinth.cues(player(away, 1, crystal=False), ())
    assert active["s4"].meaning is Meaning.CRYSTAL
    assert spent["s4"].meaning is Meaning.LIFE
    assert {lamp for lamp in lit(active, Meaning.CRYSTAL) if lamp.startswith("s4.")} == {"s4.e1"}  # away from the map
    assert {lamp for lamp in lit(spent, Meaning.CRYSTAL) if lamp.startswith("s4")} == set()
    dazed = player(away, 1, daze=2)
    assert labyrinth.cues(dazed, ())["s4"].meaning is Meaning.DAZED
    own = labyrinth.cues(player(away, 0, daze=1), ())
    assert lit(own, Meaning.DAZED) == {"s1", *every("a3")}
    dying = asking(player(away, 1, lives=0, items=(0, 1)), Die(1))
    assert meanings(dying)["g2"] == "hurt"


def test_L_GOAL_2_keys_but_not_one_s_own() -> None:
    said = labyrinth.cues(scene(), ())
    assert {lamp for lamp in lit(said, Meaning.OBJECTIVE, CLEAR) if "." not in lamp} == KEYS - {"a3"}
    other = replace(scene(), seat=1)
    assert "g2" not in lit(labyrinth.cues(other, ()), Meaning.OBJECTIVE)
    assert "a3" in lit(labyrinth.cues(other, ()), Meaning.OBJECTIVE)


def test_L_GOAL_1_the_centre_is_bright_if_entering_it_would_win() -> None:
    keys = (*(place(space) for space in ("a3", "c6", "f5", "g2", "e1")), -1)
    state = scene(keys=keys)
    for lifted in ((), (pawn(state),)):
        assert labyrinth.cues(state, lifted)["d4"] == Cue(Meaning.OBJECTIVE)
    assert labyrinth.cues(scene(), ())["d4"].meaning is Meaning.ENEMY  # no key
    assert labyrinth.cues(scene(seats=3, keys=keys, at={1: "d4"}), ())["d4"].meaning is Meaning.ENEMY  # not alone
    assert labyrinth.cues(replace(state, seat=1), ())["d4"].meaning is Meaning.ENEMY  # another's key


def test_L_EVENT_1_the_frame_says_which_event_is_in_force() -> None:
    looks: dict[str | None, Cue] = {}
    for number, event in enumerate(glass_warren().events):
        said = labyrinth.cues(scene(event=number), ())
        frame = said["s2"]
        assert {lamp for lamp in said if lamp.startswith("s2") and said[lamp] == frame} == every("s2")
        assert said["s4.e4"] == frame  # of a seat's start the edge to the map
        looks[event.rule] = frame
    assert len(set(looks.values())) == len(looks) == 5
    assert not {lamp for lamp in labyrinth.cues(scene(), ()) if lamp.startswith("s2")}


def test_L_EVENT_1_an_event_that_is_played_flashes_all_around() -> None:
    state = scene(event_deck=Deck((0,), ()))
    after, events = labyrinth.step(state, named(state, "event"))
    assert {f"s{n}" for n in range(1, 7)} <= set(labyrinth.flashes(after, events))


def test_items_and_glyphs_lie_there_dimly() -> None:
    state = scene(("e3", "gallery", 0), lying=(Lying(place("e3"), 0),))
    assert lit(labyrinth.cues(state, ()), Meaning.OBJECTIVE, DIM) == {"e3", "e3.e0", "e3.e3"}
    rival, own = state.players[1].character, state.players[0].character
    laid = scene(("e3", "gallery", 0), glyphs=(Glyph(place("e3"), 0, rival),))
    assert lit(labyrinth.cues(laid, ()), Meaning.GUARDED, DIM) == {"e3", "e3.e0", "e3.e3"}
    assert "e3" not in labyrinth.cues(replace(laid, glyphs=(Glyph(place("e3"), 0, own),)), ())


def test_a_token_that_is_not_to_be_moved_is_missed_where_it_belongs() -> None:
    state = scene(("e3", "gallery", 0), traps=(trap("e3", "? spikes"),))
    for token, home in ((pawn(state, 1), "s4"), ("golem", "d4"), ("trap", "e3"), ("key2", "c6")):
        assert labyrinth.cues(state, (token,))[home] == Cue(Meaning.MISSING)
        assert not lit(labyrinth.cues(state, (token, pawn(state))), Meaning.REACHABLE, FULL)


def test_L_FREE_PICK_what_may_be_picked_up_comes_from_there() -> None:
    state = scene(at={0: "c6"})
    assert labyrinth.cues(state, ("key2",))["c6"] == Cue(Meaning.ORIGIN, CLEAR)


def test_a_choice_among_secrets_is_not_shown() -> None:
    state = asking(scene(), PickTrap((0, 1)))
    assert [labyrinth.shown(state, action) for action in labyrinth.legal(state)] == [None, None]
    assert meanings(state)["s1"] == "ready"


def test_every_other_choice_is_shown_by_what_it_names() -> None:
    state = scene(("b3", "gallery", 0), at={0: "b3", 1: "b3"})
    assert labyrinth.shown(state, named(state, "attack", pawn(state, 1))) == {"b3": Cue(Meaning.CHOICE)}
    assert labyrinth.shown(state, named(state, "build")) == {"b3": Cue(Meaning.CHOICE)}
    first = labyrinth.setup(glass_warren(), 2, Rng(1))
    assert labyrinth.shown(first, labyrinth.legal(first)[0]) == {"s1": Cue(Meaning.CHOICE)}


def test_after_the_end_the_winners_shine() -> None:
    state = replace(scene(at={0: "d4", 1: "g2"}), agenda=(), ended="centre", winners=(0,))
    assert labyrinth.cues(state, ())["d4"] == Cue(Meaning.OBJECTIVE)
    assert "g2" not in labyrinth.cues(state, ())
