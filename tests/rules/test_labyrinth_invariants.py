"""What holds at every moment of every game of Labyrinth, whatever the switches."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mazes import glass_warren, lamp_alley, switched
from wandering import Step, random_play, states, thorough, walks

from underglow.games.contract import Action, IllegalAction
from underglow.games.labyrinth import dealing, rules
from underglow.games.labyrinth.building import Face, Lay
from underglow.games.labyrinth.hurting import Die
from underglow.games.labyrinth.maze import TURNS
from underglow.games.labyrinth.scenario import CENTRE, LANES, NONE
from underglow.games.labyrinth.state import State
from underglow.games.labyrinth.traps import PickTrap, SetTrap
from underglow.games.labyrinth.turn import ITEMS, Turn
from underglow.rng import Rng

NOT_ACTING = {"rest", "end_turn", "rolled", "choose", "box", "drop", "shift"}
"""What a dazed character may still do, or has to."""


@thorough
@given(states())
def test_L_DEATH_8_L_ITEM_1_lives_items_and_actions_stay_within_their_limits(state: State) -> None:
    dying = {task.seat for task in state.agenda if isinstance(task, Die)}
    assert {seat for seat, player in enumerate(state.players) if player.lives == 0} == dying
    for player in state.players:
        assert player.lives >= 0
        assert player.lives <= state.scenario.lives
        assert player.daze >= 0
        assert len(player.items) <= ITEMS
        assert player.items == tuple(sorted(player.items))


@thorough
@given(states())
def test_L_TRAP_G2_G3_a_corridor_has_one_trap_at_most_and_the_centre_none(state: State) -> None:
    places = [trap.place for trap in state.traps]
    assert len(set(places)) == len(places)
    assert set(places) <= set(state.maze.corridors)
    assert state.scenario.centre_place not in places


@thorough
@given(states())
def test_everything_stands_on_a_corridor_that_is_there(state: State) -> None:
    starts = {state.scenario.start(state.seats, seat) for seat in range(state.seats)}
    every = {(state.scenario.sockets + start) * LANES for start in range(len(state.keys))}
    corridors = set(state.maze.corridors)
    assert state.golem in corridors
    assert starts <= every
    assert {player.place for player in state.players} <= corridors | every
    assert {lying.place for lying in state.lying} <= corridors | every
    assert {glyph.place for glyph in state.glyphs} <= corridors | every
    assert {key for key in state.keys if key >= 0} <= corridors | every


@thorough
@given(walks())
def test_L_SETUP_1_L_GOAL_2_every_key_is_in_one_place_and_nobody_has_its_own(walk: list[Step]) -> None:
    for _, _, state, _ in walk:
        assert len(state.keys) == len(state.scenario.key_hexes)
        for seat, start in enumerate(state.scenario.start_use[state.seats]):
            assert state.keys[start] != -1 - seat


def trap_tokens(state: State) -> Counter[int]:
    """The kinds of all traps: in the pool, on the board, and those that somebody is looking at."""
    task = state.agenda[-1] if state.agenda else None
    seen = task.kinds if isinstance(task, PickTrap) else ()
    seen += (task.kind,) if isinstance(task, SetTrap) and task.kind != NONE else ()
    return Counter((*state.pool, *(trap.kind for trap in state.traps), *seen))


@thorough
@given(walks())
def test_no_tile_trap_item_card_or_token_is_lost_or_made(walk: list[Step]) -> None:
    """What was told to leave the game has left it, and nothing else has."""
    gone = Counter[str]()
    for before, _, state, events in walk:
        scenario, switches = state.scenario, state.scenario.switches
        task = state.agenda[-1] if state.agenda else None
        gone.update(event.kind for event in events)
        kinds = [tile // TURNS for tile in state.maze.laid if tile != NONE]
        laid = [kind for kind in kinds if kind not in (CENTRE, CENTRE + 1)]
        hand = [task.kind] if isinstance(task, Lay) or (isinstance(task, Face) and task.was == NONE) else []
        assert sorted((*state.pile, *laid, *hand)) == sorted(scenario.pile)
        assert len(kinds) - len(laid) == 1 + len(scenario.key_hexes)

        traps = trap_tokens(state)
        assert traps <= Counter(scenario.pool)
        boxed = gone["trap_gone"] if switches.traps_removed_to == "box" else 0
        assert traps.total() + boxed == len(scenario.pool)

        items = Counter((*state.stock, *(lying.item for lying in state.lying)))
        items.update(item for player in state.players for item in player.items)
        assert items <= Counter(scenario.stock)
        assert items.total() + gone["used"] + gone["boxed"] == len(scenario.stock)

        force = () if state.event == NONE else (state.event,)
        deck = state.event_deck
        assert sorted((*deck.draw, *deck.discard, *force)) == sorted(scenario.event_deck)
        assert sorted((*state.golem_deck.draw, *state.golem_deck.discard)) == sorted(scenario.golem_deck)
        for kind, number in Counter(glyph.kind for glyph in state.glyphs).items():
            assert number <= scenario.glyphs[kind].n
        assert len(state.glyphs) >= len(before.glyphs)


@thorough
@given(walks())
def test_L_DAZE_1_nobody_acts_while_dazed_but_to_rest_or_with_salts(walk: list[Step]) -> None:
    for _, _, state, _ in walk:
        known = {item.id: item for item in state.scenario.items}
        for action in rules.legal(state):
            if not state.players[action.seat].daze or action.verb in NOT_ACTING:
                continue
            if action.verb == "use":
                assert known[str(action.args[0])].when == "own_turn_even_dazed"
                continue
            assert action.verb in ("repeat", "accept")
            assert state.scenario.switches.dazed_may_use_crystal


@thorough
@given(states())
def test_L_ACT_MOVE_who_is_to_act_may_walk_where_its_corridor_leads_and_nowhere_else(state: State) -> None:
    if not state.agenda or not isinstance(state.agenda[-1], Turn) or state.player.daze:
        return
    moves = {action.args for action in rules.legal(state) if action.verb == "move"}
    spaces, near = state.scenario.spaces, state.maze.near[state.player.place]
    reach = {(spaces[place // LANES], place % LANES) for place in near}
    assert moves == reach or (not state.actions and not moves)


@thorough
@given(states())
def test_what_may_be_chosen_changes_the_state_and_nobody_is_left_without_a_choice(state: State) -> None:
    legal = rules.legal(state)
    assert bool(legal) == (not state.ended) == (rules.outcome(state) is None)
    assert len(set(legal)) == len(legal)
    for action in legal:
        after, _ = rules.step(state, action)
        assert after != state


@thorough
@given(states(), st.integers(0, 5))
def test_what_may_not_be_chosen_is_refused(state: State, seat: int) -> None:
    legal = rules.legal(state)
    for action in (
        Action(seat, "fly"),
        Action(seat, "move", ("d4", 0)),
        Action(seat, "end_turn"),
        Action(seat, "rest"),
    ):
        if action not in legal:
            with pytest.raises(IllegalAction, match=r"^[A-Z].*\.$"):
                rules.step(state, action)


@thorough
@given(states())
def test_the_text_form_there_and_back_is_the_same_state(state: State) -> None:
    text = state.to_json()
    again = State.from_json(text, state.scenario)
    assert again == state
    assert hash(again) == hash(state)
    assert again.to_json() == text
    assert rules.legal(again) == rules.legal(state)
    assert again.maze.near == state.maze.near


@thorough
@given(walks())
def test_the_same_seed_and_choices_are_the_same_game(walk: list[Step]) -> None:
    first, *_ = walk[0]
    state = first
    for _, action, after, events in walk:
        state, told = rules.step(state, action)
        assert (state, told) == (after, events)


@thorough
@given(states(), st.integers(0, 2**64 - 1))
def test_a_redeal_is_a_state_with_the_same_choices_for_everybody_else(state: State, seed: int) -> None:
    for seat in (None, *range(state.seats)):
        other = dealing.redeal(state, seat, Rng(seed))
        assert State.from_json(other.to_json(), state.scenario) == other
        assert trap_tokens(other) == trap_tokens(state)
        assert [a for a in rules.legal(other) if a.seat == seat] == [a for a in rules.legal(state) if a.seat == seat]
        assert [(t.place, t.up, t.known) for t in other.traps] == [(t.place, t.up, t.known) for t in state.traps]


def test_random_games_meet_every_verb() -> None:
    """What is held of random games would be worth little if some things never happened in them."""
    met = Counter[str]()
    by_hand = switched(lamp_alley(), dice="typed", tiles="drawn", build_may_refuse=True)
    for seed in range(120):
        scenario = glass_warren() if seed % 4 else by_hand
        seats = scenario.seats[seed % len(scenario.seats)]
        for _, action, _, _ in random_play(scenario, seed, seats, 250, built=seed % 4 > 1):
            met[action.verb] += 1
    assert met.keys() == VERBS


VERBS = {
    "pick_character",
    "rolled",
    "roll",
    "repeat",
    "accept",
    "choose",
    "pass",
    "build",
    "drew",
    "lay",
    "put_back",
    "face",
    "turn_tile",
    "trap",
    "set",
    "keep",
    "reveal",
    "move",
    "jump",
    "safe_jump",
    "rest",
    "crystal",
    "attack",
    "fight",
    "pick",
    "swap",
    "use",
    "ability",
    "drop",
    "box",
    "shift",
    "golem",
    "golem_walks",
    "golem_appears",
    "event",
    "end_turn",
}
