"""Labyrinth played at random, under any switches: positions for tests, as Hypothesis draws and shrinks them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from hypothesis import settings
from hypothesis import strategies as st
from mazes import glass_warren, lamp_alley, switched

from underglow.games.agenda import replaced
from underglow.games.contract import Action, Event
from underglow.games.labyrinth import building, dealing, rules
from underglow.games.labyrinth.document import Switches
from underglow.games.labyrinth.draft import Draft
from underglow.games.labyrinth.scenario import NONE, Scenario
from underglow.games.labyrinth.state import State
from underglow.rng import Rng

Step = tuple[State, Action, State, tuple[Event, ...]]
"""The state before, what was chosen, the state after, and what happened."""

thorough = settings(max_examples=60, deadline=None)  # no deadline: other work on the machine is no fault of the rules

_LIKELY = {"move": 8, "pick": 8, "attack": 4, "fight": 4, "jump": 4, "use": 4, "end_turn": 1}
"""What meets most; any other verb counts 2, and ending a turn comes last."""
_CHOICES = {
    name: [True, False] if field.annotation is bool else list(get_args(field.annotation))
    for name, field in Switches.model_fields.items()
}


def random_play(scenario: Scenario, seed: int, seats: int, steps: int, *, built: bool = False) -> Iterator[Step]:
    """Steps of a game with choices drawn from a seed, so that much happens in few; `built`: from the middle on."""
    choices = Rng(seed)
    state = dealing.setup(scenario, seats, Rng(seed))
    if built:
        state, choices = whole(state, choices)
    for _ in range(steps):
        if not (legal := rules.legal(state)):
            return
        verbs = [verb for verb in sorted({action.verb for action in legal}) for _ in range(_LIKELY.get(verb, 2))]
        number, choices = choices.below(len(verbs) or 1)
        those = [action for action in legal if not verbs or action.verb == verbs[number]]
        number, choices = choices.below(len(those))
        after, events = rules.step(state, those[number])
        yield state, those[number], after, events
        state = after


def whole(state: State, rng: Rng) -> tuple[State, Rng]:
    """The state as if players had built and gathered all that time: no gap in the map, two items and a key each."""
    draft = Draft(state)
    empty = [hex_ for hex_, tile in enumerate(state.maze.laid) if tile == NONE]
    for hex_, kind in zip(empty, draft.pile, strict=False):
        turned, rng = rng.below(state.scenario.tiles[kind].turns)
        building.place(draft, hex_, kind, turned)
    draft.pile = draft.pile[len(empty) :]
    starts = state.scenario.start_use[state.seats]
    for seat, player in enumerate(state.players):
        items, draft.stock = draft.stock[:2], draft.stock[2:]
        draft.set_player(seat, player._replace(items=tuple(sorted(items))))
        draft.keys = replaced(draft.keys, starts[seat - 1], -1 - seat)
    return draft.freeze(), rng


@st.composite
def games(draw: st.DrawFn) -> tuple[Scenario, int, int]:
    """A scenario we ship under switches of any kind, a seed and a number of seats."""
    scenario = draw(st.sampled_from([glass_warren(), lamp_alley()]))
    switches = {name: draw(st.sampled_from(values)) for name, values in _CHOICES.items()}
    seats = draw(st.sampled_from(list(scenario.seats)))
    return switched(scenario, **switches), draw(st.integers(0, 2**64 - 1)), seats


@st.composite
def walks(draw: st.DrawFn) -> list[Step]:
    """The beginning of a random game, or all of it."""
    scenario, seed, seats = draw(games())
    return list(random_play(scenario, seed, seats, draw(st.integers(1, 250)), built=draw(st.booleans())))


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state somewhere in a random game."""
    *_, (_, _, state, _) = draw(walks())
    return state
