"""What lies face down in Labyrinth: who knows it, and that nothing told names it.

That no view, lamp or byte tells one redeal from another is held for every game by `tests/contract/test_secrets.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from mazes import Scene, arrange, glass_warren, lamp_alley, switched
from wandering import Step, random_play, thorough, walks

from underglow.games.labyrinth import dealing, rules
from underglow.games.labyrinth.scenario import Scenario
from underglow.games.labyrinth.sight import layout
from underglow.games.labyrinth.state import State
from underglow.games.labyrinth.traps import PickTrap
from underglow.rng import Rng

TILES = {"d5": "gallery", "d6": "gallery", "e5": "twin_bends"}


def deals(state: State, seat: int | None, number: int = 300) -> list[State]:
    return [dealing.redeal(state, seat, Rng(seed)) for seed in range(number)]


def choosing(**position: Any) -> Scene:
    """The Snarer has drawn two traps, slumber and axes, to lay one of them."""
    at = {"snarer": "d6", "courier": "s3", "mason": "s5"}
    scene = Scene(arrange(at=at, tiles=TILES, pool=["slumber", "axes", "spikes"], **position))
    return scene.do("ability", "pick_of_two")


def face_down(state: State) -> set[str]:
    """The names of what lies face down and nowhere face up."""
    kinds = {trap.kind for trap in state.traps if not trap.up} - {trap.kind for trap in state.traps if trap.up}
    return {state.scenario.traps[kind].id for kind in kinds}


@thorough
@given(walks())
def test_L_TRAP_G1_the_name_of_what_lies_face_down_is_in_no_action_event_or_token(walk: list[Step]) -> None:
    for _, _, state, events in walk:
        hidden = face_down(state)
        carried = {transfer.token for legal in rules.legal(state) for transfer in legal.hands}
        args = {arg for legal in rules.legal(state) for arg in legal.args}
        standing = {token for here in layout(state).values() for token in here}
        unnamed = [event for event in events if event.kind not in ("revealed", "trap_gone")]
        told = {arg for event in unnamed for arg in event.args}
        assert hidden & (carried | args | standing | told) == set()


@pytest.mark.parametrize("scenario", [glass_warren(), lamp_alley()], ids=lambda scenario: scenario.id)
def test_L_TRAP_G5_what_is_turned_up_is_told_as_a_revelation_and_at_once(scenario: Scenario) -> None:
    turned = 0
    for seed in range(20):
        for before, _, after, events in random_play(scenario, seed, 3, 200, built=True):
            up = [sum(trap.up for trap in state.traps) for state in (before, after)]
            gone = sum(event.kind == "trap_gone" for event in events)
            revealed = [event for event in events if event.kind == "revealed"]
            assert len(revealed) == up[1] - up[0] + gone
            assert all(event.reveals for event in revealed)
            turned += len(revealed)
    assert turned > 50


def test_L_TRAP_G1_a_trap_that_a_tile_brings_is_known_to_nobody() -> None:
    scene = Scene(arrange(at={"mason": "d4"}, pile=["gallery"], pool=["axes"]))
    scene.do("build").do("lay", "d5").do("face", "d5", 0)
    assert scene.traps == {"d5.0": "? axes"}
    for seat in (None, 0, 1):
        assert {deal.traps[0].kind for deal in deals(scene.state, seat)} == set(range(16))


def test_L_ACT_TRAP_what_a_seat_has_drawn_to_choose_from_it_alone_knows() -> None:
    state = choosing().state
    (task,) = [task for task in state.agenda if isinstance(task, PickTrap)]
    assert {deal.agenda[-1] for deal in deals(state, 0)} == {task}
    for seat in (None, 1, 2):
        others = {deal.agenda[-1] for deal in deals(state, seat)}
        assert len(others) > 100
        assert all(isinstance(other, PickTrap) and len(other.kinds) == 2 for other in others)
        assert {len(deal.pool) for deal in deals(state, seat)} == {len(state.pool)}


def test_L_ACT_TRAP_that_it_has_drawn_is_told_as_a_number() -> None:
    scene = choosing()
    (drew,) = [event for event in scene.events if event.kind == "drew_traps"]
    assert (drew.args, drew.reveals) == (("snarer", 2), True)
    assert scene.offers("keep") == [(1,), (2,)]  # no names: what may be chosen is seen by all
    scene.do("keep", 2).do("set", "d5")
    assert {arg for event in scene.events for arg in event.args} & {"axes", "slumber"} == set()


def test_L_ACT_TRAP_what_it_chose_it_knows_where_it_lies_and_the_others_do_not() -> None:
    kept = choosing().do("keep", 2)
    axes = [trap.id for trap in glass_warren().traps].index("axes")
    assert {deal.agenda[-1] for deal in deals(kept.state, 0)} == {kept.state.agenda[-1]}
    assert len({deal.agenda[-1] for deal in deals(kept.state, 1)}) == 16
    kept.do("set", "d5")
    (trap,) = kept.state.traps
    assert (trap.kind, trap.known) == (axes, 0b001)
    assert {deal.traps[0].kind for deal in deals(kept.state, 0)} == {axes}
    for seat in (None, 1, 2):
        assert {deal.traps[0].kind for deal in deals(kept.state, seat)} == set(range(16))


def test_L_TRAP_G1_the_other_trap_is_shuffled_into_the_pool_so_its_setter_does_not_know_where() -> None:
    slumber = [trap.id for trap in glass_warren().traps].index("slumber")
    places: set[int] = set()
    for seed in range(40):
        scene = choosing()
        few = tuple([kind for kind in scene.state.pool if kind != slumber][:3])
        scene = Scene(replace(scene.state, pool=few, rng=Rng(seed))).do("keep", 2)
        assert len(scene.state.pool) == 4
        places.add(scene.state.pool.index(slumber))
        (returned,) = [event for event in scene.events if event.kind == "returned"]
        assert (returned.args, returned.chance) == ((1,), True)
    assert places == set(range(4))


def test_a_trap_turned_up_far_away_is_known_to_all() -> None:
    traps = {"d5": "? axes", "e5.1": "? spikes"}
    scene = Scene(arrange(at={"lampwright": "d6", "courier": "s4"}, tiles=TILES, traps=traps))
    scene.do("ability", "far_light")
    assert scene.spaces("reveal") == {"d5.0", "e5.1"}
    scene.do("reveal", "e5.1")
    assert scene.traps == {"d5.0": "? axes", "e5.1": "spikes"}
    assert [event.args for event in scene.events if event.reveals] == [("trap", "spikes", "e5")]
    assert {deal.traps[1] for deal in deals(scene.state, None)} == {scene.state.traps[1]}


def test_a_probe_reaches_along_corridors_only() -> None:
    traps = {"d5": "? axes", "e5.1": "? spikes"}
    fields: dict[str, Any] = {"at": {"mason": "d6"}, "tiles": TILES, "holds": {"mason": ["probe"]}}
    assert Scene(arrange(traps=traps, **fields)).do("use", "probe").spaces("reveal") == {"d5.0"}
    assert "use" not in Scene(arrange(traps={"e5.1": "? spikes"}, **fields)).verbs
    assert "use" not in Scene(arrange(traps={"d5": "axes"}, **fields)).verbs


def test_a_redeal_exchanges_what_is_hidden_and_nothing_else() -> None:
    walk = list(random_play(switched(glass_warren()), 5, 3, 60))
    state = walk[-1][2]
    for other in deals(state, 0, 20):
        hidden: dict[str, Any] = {
            name: getattr(state, name) for name in ("rng", "traps", "pile", "pool", "stock", "golem_deck", "event_deck")
        }
        assert replace(other, **hidden) == state
        assert sorted((*other.pool, *(trap.kind for trap in other.traps))) == sorted(
            (*state.pool, *(trap.kind for trap in state.traps))
        )
        assert sorted(other.stock) == sorted(state.stock)
        assert other.golem_deck.discard == state.golem_deck.discard
        assert other.event_deck.discard == state.event_deck.discard
    assert len({deal.golem_deck for deal in deals(state, 0, 20)}) > 10
    assert len({deal.event_deck for deal in deals(state, 0, 20)}) > 10
    assert len({deal.stock for deal in deals(state, 0, 20)}) > 5
