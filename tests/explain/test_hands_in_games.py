"""What is true of hands in every game: random games of all missions, random sets of physical tokens, random hands."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from underglow import games, profile
from underglow.bots import Random
from underglow.explain import (
    UNSEEN,
    Did,
    Explanation,
    Feel,
    InHand,
    Layout,
    Occupancy,
    Repair,
    Seen,
    Settled,
    Which,
    after,
    compare,
    explain,
    unfelt,
)
from underglow.games.contract import Action, Game, Transfer
from underglow.overlay import by_hand, standing
from underglow.rng import Rng
from underglow.set_up import SetUp

BOARD = profile.load("hex48")
SPACES = sorted(space.id for space in BOARD.spaces if space.kind != "pad")
KINDS = ("character", "card", "threat", "enemy", "item", "asset", "child")


@cache
def states(mission: tuple[str, str]) -> tuple[Any, ...]:
    """Everything that came up in some games of a mission where something can be done by hand."""
    game, scenario = loaded(mission)
    found: list[Any] = []
    for seed in range(6):
        seats = scenario.seats[seed % len(scenario.seats)]
        state, rng = game.setup(scenario, seats, Rng(seed)), Rng(seed)
        while legal := game.legal(state):
            if any(action.hands for action in legal):
                found.append(state)
            action, rng = Random().choose(game, state, legal[0].seat, rng)
            state, _ = game.step(state, action)
    return tuple(found)


@cache
def loaded(mission: tuple[str, str]) -> tuple[Game[Any, Any], Any]:
    name, scenario = mission
    game = games.load(name)
    return game, game.load(games.scenario_path(name, scenario))


MISSIONS = [(game, scenario) for game in games.names() for scenario in games.scenarios(game)]


class Position:
    """A state of a game on the board, and what its hands and sensors are made of."""

    def __init__(self, mission: tuple[str, str], pick: int, physical: frozenset[str], magnets: bool) -> None:
        self.game, scenario = loaded(mission)
        self.state = states(mission)[pick % len(states(mission))]
        self.overlay: Mapping[str, str] = scenario.overlay(BOARD.name)
        self.tokens = self.game.tokens(self.state)
        cards = sorted(token for token, known in self.tokens.items() if known.kind == "card")
        tags = {bytes((4, number, 0, 0)): card for number, card in enumerate(cards)}
        self.set_up = SetUp(physical, physical if magnets else physical - {"card"}, tags)
        self.readers = frozenset(BOARD.readers) & frozenset(self.overlay.values())
        self.feel: Feel = partial(self.set_up.felt, tokens=self.tokens, readers=self.readers)
        self.layout, self.legal = self.of(self.state)

    def of(self, state: Any) -> tuple[Layout, tuple[Action, ...]]:
        """What stands where in a state like this, and what is legal, on the board."""
        tokens = self.game.tokens(state)
        legal = tuple(
            Action(action.seat, action.verb, action.args, by_hand(action, tokens, self.overlay, self.set_up))
            for action in self.game.legal(state)
        )
        return standing(self.game, state, self.overlay, self.set_up), legal

    def watched(self, *layouts: Layout) -> Explanation:
        """What is made of the last of these, after the others and after everything stood in its place."""
        seen = UNSEEN.then(self.layout, self.feel(self.layout), self.feel)
        occupancy = self.feel(self.layout)
        for layout in layouts:
            occupancy = self.feel(layout)
            seen = seen.then(self.layout, occupancy, self.feel)
        return explain(self.layout, self.legal, occupancy, self.feel, seen)


positions = st.builds(
    Position,
    st.sampled_from(MISSIONS),
    st.integers(0, 10**6),
    st.frozensets(st.sampled_from(KINDS), min_size=1).map(lambda kinds: kinds | {"character"}),
    st.booleans(),
)
chances = st.integers(0, 2**32).map(random.Random)


def means(said: Explanation, action: Action, position: Position) -> bool:
    """Whether that is the action, or people are asked between it and what looks just like it."""
    match said:
        case Did(done):
            return done.hands == action.hands
        case Which(actions) | InHand(_, actions):
            return action in actions
        case Settled():
            return unfelt(position.layout, action, position.feel)
        case Repair():
            return False


def pick(position: Position, chance: random.Random) -> Action | None:
    by_hands = [action for action in position.legal if action.hands]
    return chance.choice(by_hands) if by_hands else None


def lifted(layout: Layout, hands: tuple[Transfer, ...]) -> dict[str, tuple[str, ...]]:
    return after(layout, [Transfer(t.token, t.source, None) for t in hands if t.source is not None])


def put(layout: Layout, hands: tuple[Transfer, ...]) -> dict[str, tuple[str, ...]]:
    return after(layout, [Transfer(t.token, None, t.target) for t in hands if t.target is not None])


@given(positions, chances)
def test_neat_hands_are_understood_to_the_letter(position: Position, chance: random.Random) -> None:
    if action := pick(position, chance):
        up = lifted(position.layout, action.hands)
        said = position.watched(up, put(up, action.hands))
        assert means(said, action, position)
        if isinstance(said, Which):  # no sensor could have told these apart
            felt = {repr(position.feel(after(position.layout, each.hands))) for each in said.actions}
            assert len(felt) == 1


@given(positions, chances)
def test_slid_along_its_way_it_is_that_move(position: Position, chance: random.Random) -> None:
    moves = [a for a in position.legal if len(a.hands) == 1 and a.hands[0].via]
    if not moves:
        return
    action = chance.choice(moves)
    (one,) = action.hands
    up = lifted(position.layout, action.hands)
    on_the_way: list[Layout] = []
    for space in (*one.via, str(one.target)):
        on_the_way += [up] * chance.randint(0, 1)
        on_the_way.append(after(up, [Transfer(one.token, None, space)]))
    said = position.watched(*on_the_way)
    assert means(said, action, position)
    if isinstance(said, Did):
        assert set(said.action.hands[0].via) >= {s for s in one.via if not position.feel(up).at(s)}


@given(positions, chances)
def test_a_detour_that_ends_legally_is_what_it_ends_in(position: Position, chance: random.Random) -> None:
    if not (action := pick(position, chance)):
        return
    hands = action.hands
    up = lifted(position.layout, hands)
    detour: list[Layout] = [up]
    for _ in range(chance.randint(1, 6)):
        detour.append(after(up, [Transfer(hands[0].token, None, chance.choice(SPACES))]))
        detour += [up] * chance.randint(0, 1)
    assert means(position.watched(*detour, up, put(up, hands)), action, position)


@given(positions, chances)
def test_put_back_it_never_happened(position: Position, chance: random.Random) -> None:
    standing_there = [(token, space) for space, here in position.layout.items() for token in here]
    if not standing_there:
        return
    layouts: list[Layout] = []
    now = position.layout
    held = chance.sample(standing_there, min(len(standing_there), chance.randint(1, 4)))
    for token, space in held:
        now = after(now, [Transfer(token, space, None)])
        layouts.append(now)
    where = dict(held)
    for token, home in chance.sample(held, len(held)):
        if chance.random() < 0.5:
            layouts.append(after(now, [Transfer(token, None, chance.choice(SPACES))]))
        now = after(now, [Transfer(token, None, home)])
        layouts.append(now)
    assert where
    assert position.watched(*layouts) == Settled()


@given(positions, chances)
def test_another_lifted_and_put_back_meanwhile_changes_nothing(position: Position, chance: random.Random) -> None:
    alone = [here[0] for here in position.layout.values() if len(here) == 1]
    action = pick(position, chance)
    if action is None or not (others := [token for token in alone if token not in {t.token for t in action.hands}]):
        return
    other = chance.choice(others)
    home = next(space for space, here in position.layout.items() if other in here)
    if home in {end for t in action.hands for end in (t.source, t.target)}:
        return
    away, back = Transfer(other, home, None), Transfer(other, None, home)
    moments: list[Transfer] = [Transfer(t.token, t.source, None) for t in action.hands if t.source is not None]
    moments += [Transfer(t.token, None, t.target) for t in action.hands if t.target is not None]
    at = chance.randint(0, len(moments))
    moments.insert(at, away)
    moments.insert(chance.randint(at + 1, len(moments)), back)
    layouts: list[Layout] = [position.layout]
    for moment in moments:
        layouts.append(after(layouts[-1], [moment]))
    assert means(position.watched(*layouts), action, position)


occupancies = st.builds(
    Occupancy,
    st.frozensets(st.sampled_from(SPACES)),
    st.dictionaries(
        st.sampled_from(sorted(space for space in BOARD.readers if space in SPACES)),
        st.lists(st.sampled_from(["drifter:1", "drifter:2", "stranger"]), min_size=1, max_size=3).map(
            lambda names: tuple(sorted(names))
        ),
    ),
)


@given(positions, st.lists(occupancies, min_size=1, max_size=4))
def test_nothing_that_sensors_may_say_raises_and_what_is_to_be_put_right_helps(
    position: Position, felt: list[Occupancy]
) -> None:
    seen = Seen()
    for occupancy in felt:
        seen = seen.then(position.layout, occupancy, position.feel)
        said = explain(position.layout, position.legal, occupancy, position.feel, seen)
        if isinstance(said, Repair):
            assert said.extra or said.missing
            # Magnets as asked for, and the tags that then belong there.
            spaces = {*said.extra, *(space for space, _ in said.missing)}
            expected = position.feel(position.layout)
            magnets = occupancy.magnets - spaces | expected.magnets & spaces
            tags = {space: names for space, names in occupancy.tags.items() if space not in spaces}
            tags |= {space: names for space, names in expected.tags.items() if space in spaces}
            right = Occupancy(frozenset(magnets), tags)
            assert not isinstance(explain(position.layout, position.legal, right, position.feel), Repair)


@given(positions, occupancies)
def test_laid_out_as_the_board_asks_everything_stands_where_it_should(position: Position, felt: Occupancy) -> None:
    said = compare(position.layout, felt, position.feel)
    expected = position.feel(position.layout)
    if isinstance(said, Repair):
        spaces = {*said.extra, *(space for space, _ in said.missing)}
        assert spaces == {space for space in SPACES if felt.at(space) != expected.at(space)}
    else:
        assert felt == expected


@given(positions, occupancies, st.integers(0, 1000))
def test_what_nobody_at_the_board_may_know_makes_no_difference(position: Position, felt: Occupancy, seed: int) -> None:
    """The same hands on two boards that the seat to move could not tell apart are understood alike."""
    seat = position.game.legal(position.state)[0].seat
    layout, legal = position.of(position.game.redeal(position.state, seat, Rng(seed)))
    assert layout == position.layout
    said = explain(position.layout, position.legal, felt, position.feel)
    assert explain(layout, legal, felt, position.feel) == said
