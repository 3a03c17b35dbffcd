"""Games played at random: positions for tests, as Hypothesis draws and shrinks them."""

from __future__ import annotations

from collections.abc import Iterator

from arranging import cinder_wells, salt_harbour
from hypothesis import settings
from hypothesis import strategies as st

from underglow.games import mandalorian
from underglow.games.contract import Action, Event
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import State
from underglow.rng import Rng

thorough = settings(max_examples=150)


def random_play(
    scenario: Scenario, seed: int, seats: int, steps: int
) -> Iterator[tuple[State, Action, State, tuple[Event, ...]]]:
    """Steps of a game with choices drawn from a seed: state, action, the state after it, events."""
    choices = Rng(seed)
    state = mandalorian.setup(scenario, seats, Rng(seed))
    for _ in range(steps):
        if not (legal := mandalorian.legal(state)):
            return
        chosen, choices = choices.below(len(legal))
        after, events = mandalorian.step(state, legal[chosen])
        yield state, legal[chosen], after, events
        state = after


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state somewhere in a random game, from the first choice to past its end."""
    scenario = draw(st.sampled_from([cinder_wells(), salt_harbour()]))
    seed, seats = draw(st.integers(0, 2**64 - 1)), draw(st.integers(1, 4))
    state = mandalorian.setup(scenario, seats, Rng(seed))
    for *_, after, _ in random_play(scenario, seed, seats, draw(st.integers(0, 300))):
        state = after
    return state
