"""Tactical skill cards, beside what test_mandalorian_turn.py says of them: how they come, and what they do."""

from __future__ import annotations

from pathlib import Path

import pytest
from arranging import SALT_HARBOUR, Scene, Token, arrange, decked, edited, hand, salt_harbour, seen, sums

from underglow.games import mandalorian
from underglow.games.contract import Action
from underglow.games.mandalorian.state import OFF


def test_M_TACT_1_a_tactical_card_is_known_as_one_and_has_no_strength() -> None:
    state = hand(arrange(at={"drifter": "e1"}), "scatter", 2)
    cards = seen(state, state.seat)["seats"][state.seat]["hand"]
    assert {"strength": 0, "ability": "scatter", "name": "Scatter", "tactical": True} in cards
    assert [card["tactical"] for card in cards].count(True) == 1
    words = mandalorian.describe(state, Action(state.seat, "play", ("attack", 0, "scatter")))
    assert words == "Lay Scatter (tactical) on Attack"


def test_M_TACT_2_3_on_Move_it_moves_by_its_own_ability_alone() -> None:
    state = arrange(salt_harbour(), at={"loader_droid": "e3"}, threats=[("d4", "Dock Thug")])
    scene = Scene(state).lay("move", 0, "bulldoze")
    assert scene.verbs == {"ability", "decline"}
    scene.do("ability", "bulldoze").do("move", "d4")
    scene.do("push", "t1", "d3")
    assert scene.verbs == {"play"}


def test_M_TACT_3_its_ability_may_be_declined() -> None:
    scene = Scene(arrange(at={"drifter": "d1"}, threats=[("d1", "Rim Gunner")])).lay("attack", 0, "scatter")
    assert scene.do("decline", "attack").told == ["laid", "declined"]


def test_M_TACT_3_damage_is_shared_freely_among_threats_within_range() -> None:
    threats: list[Token] = [("d1", "Rim Gunner"), ("d2", "Pit Bruiser"), ("d3", "Pit Bruiser"), ("c1", "? Slag")]
    scene = Scene(arrange(at={"drifter": "d1"}, threats=threats)).lay("attack", 0, "scatter").do("ability", "scatter")
    assert scene.offers("attack") == [("t1",), ("t2",)]
    scene.do("attack", "t1").do("attack", "t2").do("attack", "t1")
    assert scene.state.threats[0].space == OFF
    assert scene.offers("attack") == [("t2",)]
    scene.do("attack", "t2")
    assert scene.state.threats[1].damage == 2  # that was 4 in all


def test_M_TACT_4_a_token_laid_in_its_zone_does_not_change_what_it_counts() -> None:
    state = sums(arrange(at={"drifter": "e1"}), 3, 9, 9, 9)
    scene = Scene(state).lay("move", 0, "scatter").effect({"verb": "disrupt_zone", "zone": "lowest"})
    zone = seen(scene.state)["zones"][0]
    assert (zone["strengths"], len(zone["disruption"]), zone["sum"]) == ([0], 2, 5)


def test_M_TACT_4_M_EVT_3_its_zone_is_emptied_the_same_turn_so_two_never_meet() -> None:
    state = decked(arrange(at={"drifter": "e1"}), events=["rush"])
    scene = Scene(state).lay("intel", 0, "scatter").lay("attack", 1)
    assert scene.state.turn == 1
    assert scene.args("emptied") == [("intel", "drifter:scatter")]
    assert not scene.state.piles[2].cards
    assert len(scene.state.figures[0].discard) == 1


def test_M_TACT_6_it_is_one_of_the_two_actions() -> None:
    scene = Scene(arrange(at={"drifter": "e1"})).lay("plan", 0, "scatter")
    assert "has a card of this turn already" in scene.refused("play", "plan", 1)
    assert scene.lay("attack", 1).state.turn == 1


@pytest.mark.parametrize(("played", "brought"), [(0, []), (1, ["scatter", "bulldoze"]), (2, ["scatter", "bulldoze"])])
def test_M_TACT_7_M_GUIDE_6_they_come_by_the_guide_deck_and_stay(
    played: int, brought: list[str], tmp_path: Path
) -> None:
    scenario = edited(
        tmp_path,
        ('missions = ["cinder-wells"]', 'missions = ["salt-harbour"]'),
        ("games_played = 2", f"games_played = {played}"),
        name="salt-harbour",
        of=SALT_HARBOUR,
    )
    drifter, droid = scenario.characters[:2]
    abilities = [scenario.cards[card].ability for card in (*drifter.deck, *droid.deck) if scenario.cards[card].tactical]
    assert abilities == brought
    assert len(drifter.deck) == (13 if brought else 12)
