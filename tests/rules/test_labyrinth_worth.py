"""What a bot makes of a position of Labyrinth: what is worth striving for, by what its seat may know."""

from __future__ import annotations

from dataclasses import replace

from mazes import Scene, arrange, by_hand

from underglow import games, simulate
from underglow.games import labyrinth

UNDERPASS = {"d5": "underpass"}


def test_no_seat_is_worth_more_for_what_it_cannot_know() -> None:
    state = arrange(at={"fencer": "d5"}, tiles={**UNDERPASS, "c5": "gallery"}, traps={"d5.1": "? grinder"})
    mild = arrange(at={"fencer": "d5"}, tiles={**UNDERPASS, "c5": "gallery"}, traps={"d5.1": "? circle"})
    assert labyrinth.worth(state, 0) == labyrinth.worth(mild, 0)
    seen = [replace(each, traps=tuple(trap._replace(known=1) for trap in each.traps)) for each in (state, mild)]
    assert [labyrinth.worth(each, 1) for each in seen] == [labyrinth.worth(state, 1)] * 2


def test_a_key_is_worth_having_and_so_is_the_way_to_the_centre() -> None:
    before = arrange(at={"fencer": "s1"})
    holding = arrange(at={"fencer": "s1"}, holds={"fencer": ["key2"]})
    near = arrange(at={"fencer": "d5"}, tiles=UNDERPASS, holds={"fencer": ["key2"]})
    assert labyrinth.worth(before, 0) < labyrinth.worth(holding, 0) < labyrinth.worth(near, 0)
    assert labyrinth.worth(holding, 1) < labyrinth.worth(before, 1)


def test_a_tile_is_worth_laying_whatever_traps_come_with_it() -> None:
    scenario = by_hand()
    acid = next(kind for kind, trap in enumerate(scenario.traps) if trap.id == "acid")
    dreadful = replace(scenario, pool=(acid,) * len(scenario.pool), digest="dreadful")
    state = arrange(dreadful, at={"fencer": "a3"}, holds={"fencer": ["key2"]}, pile=["gallery"])
    drawn = Scene(state).do("build").state
    laid = [labyrinth.step(drawn, action)[0] for action in labyrinth.legal(drawn)]
    faced = [labyrinth.step(each, action)[0] for each in laid for action in labyrinth.legal(each)]
    best = max(labyrinth.worth(each, 0) for each in faced)
    assert labyrinth.worth(state, 0) < best
    assert max(labyrinth.worth(each, 0) for each in laid) == labyrinth.worth(drawn, 0)


def test_a_bot_may_end_its_turn_rather_than_exchange_items_for_ever() -> None:
    state = arrange(at={"fencer": "d4"}, items={"d4": "rope"}, holds={"fencer": ["salts", "probe"]})
    exchanged = Scene(state).do("swap", "rope", "salts").state
    ended = Scene(state).do("end_turn").state
    assert labyrinth.worth(exchanged, 0) == labyrinth.worth(state, 0) == labyrinth.worth(ended, 0)


def test_the_golem_on_the_centre_is_feared_the_more_the_nearer_it_is() -> None:
    def fear(at: str) -> float:
        tiles = {"d5": "gallery", "d6": "gallery"}
        there = arrange(at={"fencer": at}, tiles=tiles, holds={"fencer": ["key2"]}, golem="d4")
        away = arrange(at={"fencer": at}, tiles=tiles, holds={"fencer": ["key2"]})
        return labyrinth.worth(there, 0) / labyrinth.worth(away, 0)

    assert fear("d5") < fear("d6") < fear("s1") < 1


def test_bots_win_at_the_centre_and_not_by_rounds() -> None:
    path = games.scenario_path("labyrinth", "glass-warren")
    report = simulate.simulate(simulate.Setting("labyrinth", path, seed=1, bots=("greedy",)), games=10)
    assert report.failures == ()
    assert all("centre" in reason for reason in report.ended_by), report.ended_by
