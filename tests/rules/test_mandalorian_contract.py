"""What this game owes the table beyond what `tests/contract` asks of every game."""

from __future__ import annotations

from arranging import cinder_wells, salt_harbour
from walking import random_play

from underglow.games import mandalorian
from underglow.games.contract import Game
from underglow.games.mandalorian.plans import Sort
from underglow.games.mandalorian.state import State

GAME: Game[mandalorian.Scenario, State] = mandalorian  # the type checker holds the package to the contract


def planning_cards(state: State) -> list[int]:
    kept = [card for figure in state.figures for card in figure.planning]
    drawn = [card for task in state.agenda if isinstance(task, Sort) for card in task.cards]
    return sorted([*state.planning.draw, *state.planning.discard, *kept, *drawn])


def test_no_card_or_token_is_ever_lost_and_what_has_no_order_is_sorted() -> None:
    for seed in range(16):
        scenario = (cinder_wells(), salt_harbour())[seed % 2]
        for number, (state, *_) in enumerate(random_play(scenario, seed, 1 + seed // 2 % 4, 3000)):
            if number % 20 == 0:
                assert State.from_json(state.to_json(), scenario) == state  # it counts skills, events and tokens
                if not state.ended:
                    assert planning_cards(state) == sorted(scenario.planning_deck)
            for figure in state.figures:
                assert figure.hand == tuple(sorted(figure.hand))
                assert figure.planning == tuple(sorted(figure.planning))
