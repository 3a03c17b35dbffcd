"""Tiles: a tile laid on a space, and its head, which stands on a part of that space and shows how the tile lies."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from underglow.explain import (
    UNSEEN,
    Did,
    Explanation,
    InHand,
    Layout,
    Occupancy,
    Repair,
    Seen,
    Settled,
    Which,
    after,
    explain,
    unfelt,
)
from underglow.games.contract import Action, Transfer
from underglow.witness import Moment, TakeBack, Witness

TILES = ("bend", "straight")
EDGES = tuple(f"e{edge}" for edge in range(6))
OPEN = ("c4", "d5")
START = {"a1": ("hero",)}
WALKS = (Action(0, "walk", ("c4",), (Transfer("hero", "a1", "c4"),)),)


def lay(tile: str, space: str) -> Action:
    return Action(0, "lay", (tile, space), (Transfer(tile, None, space),))


def face(tile: str, space: str, edge: str) -> Action:
    return Action(0, "face", (space, edge), (Transfer(f"{tile}.head", None, f"{space}.{edge}"),))


def turn(tile: str, space: str, edge: str, to: str) -> Action:
    return Action(0, "turn", (space, to), (Transfer(f"{tile}.head", f"{space}.{edge}", f"{space}.{to}"),))


LAYS = tuple(lay(tile, space) for tile in TILES for space in OPEN)


def then(action: Action) -> tuple[Action, ...]:
    """What is legal after an action: a tile laid is faced; a tile faced is left alone, and the hero may walk on it."""
    if action.verb == "lay":
        return tuple(face(str(action.args[0]), str(action.args[1]), edge) for edge in EDGES)
    return WALKS if action.verb == "face" else ()


class Sensors:
    """Readers and hall switches under some places; every tile and head has a tag, and a magnet if `magnets`."""

    def __init__(self, readers: Iterable[str], switches: Iterable[str] = ()) -> None:
        self._readers, self._switches = frozenset(readers), frozenset(switches)

    def feel(self, layout: Layout) -> Occupancy:
        there = {place: tuple(sorted(tokens)) for place, tokens in layout.items() if tokens}
        return Occupancy(
            frozenset(there) & self._switches,
            {place: tokens for place, tokens in there.items() if place in self._readers},
        )


ALL = Sensors(["a1", *OPEN, *(f"{space}.{edge}" for space in OPEN for edge in EDGES)])


class Game:
    """A game that lays a tile, as its table takes it: what is done is a step, and the position is looked at again."""

    def __init__(self, sensors: Sensors, legal: tuple[Action, ...] = LAYS) -> None:
        self._feel = sensors.feel
        self._seen: Seen = UNSEEN.then(START, sensors.feel(START), sensors.feel)
        self.layout: Layout = START
        self.legal = legal
        self.steps: list[Action] = []

    def felt(self, layout: Layout) -> list[Explanation]:
        """What is made of hands having laid this, one explanation a look."""
        occupancy = self._feel(layout)
        self._seen = self._seen.then(self.layout, occupancy, self._feel)
        said: list[Explanation] = []
        while True:
            said.append(explain(self.layout, self.legal, occupancy, self._feel, self._seen))
            if not isinstance(done := said[-1], Did):
                return said
            self.steps.append(done.action)
            self.layout = after(self.layout, done.action.hands)
            self._seen = self._seen.stepped(self._feel(self.layout), self._feel(self.layout))
            self.legal = then(done.action)


def laid(tile: str, space: str, edge: str) -> dict[str, tuple[str, ...]]:
    return START | {space: (tile,), f"{space}.{edge}": (f"{tile}.head",)}


def some(whole: Layout, *there: str) -> Layout:
    """The hero, and of the rest only what lies at these places."""
    return START | {place: whole[place] for place in there}


# -- laid and faced ---------------------------------------------------------------------------------------------------

centre_and_edges = st.frozensets(st.sampled_from(["c4", *(f"c4.{edge}" for edge in EDGES)]))


@given(centre_and_edges, st.sampled_from(EDGES), st.booleans(), st.booleans(), st.booleans())
def test_a_tile_is_laid_and_then_faced_in_whatever_order_it_is_read(
    there: frozenset[str], edge: str, tags: bool, head_first: bool, at_once: bool
) -> None:
    """By tags, or by nothing but magnets where there is but one tile to lay."""
    sensors = Sensors(["a1", *there]) if tags else Sensors((), ["a1", *there])
    game = Game(sensors, LAYS if tags else (lay("bend", "c4"),))
    whole = laid("bend", "c4", edge)
    head = f"c4.{edge}"
    for positions in ([] if at_once else [some(whole, head if head_first else "c4")], [whole]):
        for position in positions:
            assert not any(isinstance(said, Repair) for said in game.felt(position))
    if head in there:
        assert game.steps == [lay("bend", "c4"), face("bend", "c4", edge)]
    elif "c4" in there:
        assert game.steps == [lay("bend", "c4")]
        unsaid = [action for action in game.legal if unfelt(game.layout, action, sensors.feel)]
        assert unsaid == [face("bend", "c4", edge) for edge in EDGES if f"c4.{edge}" not in there]  # people are asked
    else:
        assert game.steps == []
    if head in there and "c4" in there:
        assert isinstance(game.felt(whole)[-1], Settled)


def test_a_head_read_before_its_tile_is_the_beginning_of_laying_it_there() -> None:
    game = Game(ALL)
    assert game.felt(some(laid("bend", "c4", "e2"), "c4.e2")) == [InHand((), begun=(lay("bend", "c4"),))]


def test_a_tile_without_a_tag_is_told_by_its_heads() -> None:
    sensors = Sensors(["a1", "c4.e2"], ["c4"])
    game = Game(sensors)
    assert game.felt(some(laid("bend", "c4", "e2"), "c4")) == [Which((lay("bend", "c4"), lay("straight", "c4")))]
    game.felt(laid("bend", "c4", "e2"))
    assert game.steps == [lay("bend", "c4"), face("bend", "c4", "e2")]


def test_the_head_of_another_tile_is_no_sign_of_this_one() -> None:
    game = Game(ALL, (lay("straight", "c4"),))
    (said,) = game.felt(some(laid("bend", "c4", "e2"), "c4.e2"))
    assert said == Repair(("c4.e2",), ())


def test_a_magnet_on_a_part_is_no_sign_of_a_figure_that_nothing_feels() -> None:
    sensors = Sensors((), ["c4.e2"])
    walk = Action(0, "walk", ("c4",), (Transfer("hero", "u1", "c4"),))
    said = explain({"u1": ("hero",)}, (walk,), Occupancy(frozenset(["c4.e2"])), sensors.feel)
    assert said == Repair(("c4.e2",), ())


def test_a_tile_laid_where_none_may_lie_is_too_much_with_its_head() -> None:
    game = Game(ALL, (lay("bend", "c4"),))
    assert game.felt(laid("bend", "d5", "e0")) == [Repair(("d5", "d5.e0"), ())]
    game.felt(START)
    game.felt(laid("bend", "c4", "e0"))
    assert game.steps == [lay("bend", "c4"), face("bend", "c4", "e0")]


def test_a_stranger_on_another_space_is_too_much_and_not_the_head_of_what_was_laid() -> None:
    game = Game(ALL)
    assert game.felt(laid("bend", "c4", "e0") | {"d5": ("stranger",)}) == [Repair(("d5",), ())]


def test_who_walks_onto_a_tile_is_understood_though_it_was_turned_and_that_is_to_be_put_right() -> None:
    game = Game(ALL)
    game.felt(laid("bend", "c4", "e2"))
    said = game.felt(laid("bend", "c4", "e5") | {"a1": (), "c4": ("bend", "hero")})
    assert game.steps[2:] == list(WALKS)
    assert said[-1] == Repair(("c4.e5",), (("c4.e2", ("bend.head",)),))


def test_a_head_turned_under_a_hero_that_stays_is_no_step_onto_its_tile() -> None:
    game = Game(ALL)
    game.felt(laid("bend", "c4", "e2"))
    assert game.felt(laid("bend", "c4", "e5")) == [Repair(("c4.e5",), (("c4.e2", ("bend.head",)),))]
    assert len(game.steps) == 2


@given(st.permutations(["lift", "turn"]), st.booleans())
def test_a_laid_tile_is_turned_in_place_or_lifted_for_it(how: list[str], whole: bool) -> None:
    game = Game(ALL)
    game.felt(laid("bend", "c4", "e2"))
    game.legal = tuple(turn("bend", "c4", "e2", edge) for edge in EDGES if edge != "e2")
    if how[0] == "lift":
        game.felt(START if whole else some(laid("bend", "c4", "e2"), "c4"))
    game.felt(laid("bend", "c4", "e5"))
    assert game.steps[2:] == [turn("bend", "c4", "e2", "e5")]


# -- meant otherwise: what nothing was rolled or revealed by is taken back --------------------------------------------


class Watched:
    """The same game before a witness, who may take steps back; half a second passes for every position."""

    def __init__(self, sensors: Sensors, legal: tuple[Action, ...] = LAYS) -> None:
        self._now_s = 0.0
        self._feel = sensors.feel
        self._witness = Witness(self._ahead, lambda: self._now_s)
        self._played: list[tuple[Moment, Action]] = []
        self._moment = self._at(START, legal)
        self.felt(START)

    def _at(self, layout: Layout, legal: tuple[Action, ...]) -> Moment:
        state = (tuple(sorted(layout.items())), legal)
        return Moment(state, layout, self._feel, {action: action for action in legal})

    def _ahead(self, moment: Moment, action: Action) -> Moment:
        return self._at(after(moment.layout, action.hands), then(action))

    @property
    def steps(self) -> list[Action]:
        return [action for _, action in self._played]

    def felt(self, *layouts: Layout) -> Explanation | None:
        for layout in layouts:
            self._witness.feels(self._feel(layout), self._moment)
            self._look()
            self._now_s += 0.5
            self._look()
        return self._witness.understood

    def _look(self) -> None:
        while verdict := self._witness.look(self._moment):
            if isinstance(verdict, TakeBack):
                self._moment = self._played.pop()[0]
                self._witness.went_back()
            else:
                before, self._moment = self._moment, self._ahead(self._moment, verdict.action)
                self._played.append((before, verdict.action))
                self._witness.stepped(verdict.action, before, verdict.action.hands, self._moment, sealed=False)


BEND_E2 = [lay("bend", "c4"), face("bend", "c4", "e2")]
BEND_E5 = [lay("bend", "c4"), face("bend", "c4", "e5")]


@given(st.lists(st.sampled_from(["nothing", "tile", "head", "other"]), max_size=4))
def test_a_tile_lifted_and_set_down_turned_otherwise_lies_as_it_lies_last(on_the_way: list[str]) -> None:
    ways: dict[str, Layout] = {
        "nothing": START,
        "tile": some(laid("bend", "c4", "e5"), "c4"),
        "head": some(laid("bend", "c4", "e5"), "c4.e5"),
        "other": laid("bend", "c4", "e1"),
    }
    game = Watched(ALL)
    game.felt(laid("bend", "c4", "e2"))
    assert game.steps == BEND_E2
    assert game.felt(*(ways[way] for way in on_the_way), laid("bend", "c4", "e5")) == Settled()
    assert game.steps == BEND_E5


@given(st.booleans(), st.booleans())
def test_a_tile_laid_elsewhere_after_it_was_faced_lies_there(lifted: bool, head_first: bool) -> None:
    game = Watched(ALL)
    elsewhere = laid("bend", "d5", "e0")
    game.felt(laid("bend", "c4", "e2"))
    game.felt(*[START] * lifted, some(elsewhere, "d5.e0" if head_first else "d5"), elsewhere)
    assert game.steps == [lay("bend", "d5"), face("bend", "d5", "e0")]
    assert game.felt(elsewhere) == Settled()


def test_a_tile_taken_off_again_was_never_laid() -> None:
    """Off the board it is in hand; where something else is laid instead, only that counts."""
    game = Watched(ALL)
    game.felt(laid("bend", "c4", "e2"), START, laid("straight", "c4", "e3"))
    assert game.steps == [lay("straight", "c4"), face("straight", "c4", "e3")]
