"""The campaign: the guide deck, the envelope with its traitors, and sheets laid over a mission."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from arranging import (
    CINDER_WELLS,
    SALT_HARBOUR,
    Scene,
    arrange,
    begun,
    cinder_wells,
    edited,
    faults_of,
    salt_harbour,
    seen,
    sums,
)

from underglow.documents import Faults
from underglow.games import mandalorian
from underglow.games.contract import Action, Outcome
from underglow.games.mandalorian import guide
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import State
from underglow.rng import Rng


def after(games: int, folder: Path, *changes: tuple[str, str]) -> Scenario:
    """Salt Harbour as it is played when so many games have ended; here it may also be the first mission."""
    first = ('missions = ["cinder-wells"]', 'missions = ["salt-harbour"]')
    played = ("games_played = 2", f"games_played = {games}")
    return edited(folder, first, played, *changes, of=SALT_HARBOUR, name="salt-harbour")


# ── the guide deck ──


@pytest.mark.parametrize(("games", "cards"), [(0, [1]), (1, [1, 2]), (2, [1, 2, 3]), (3, [1, 2, 3, 4])])
def test_M_GUIDE_1_2_3_4_cards_are_resolved_in_order_up_to_a_stop(games: int, cards: list[int]) -> None:
    deck = salt_harbour().guide
    for order in (deck, deck[::-1]):  # by the number on each, however they lie
        assert [card.number for card in guide.resolved(order, games)] == cards


def test_M_GUIDE_1_2_the_order_of_the_file_means_nothing(tmp_path: Path) -> None:
    mixed = after(1, tmp_path, ("number = 1\n", "number = 9\n"), ("number = 2\n", "number = 1\n"))
    assert [card.number for card in mixed.guide] == [1, 3, 4, 9]


@pytest.mark.parametrize("ending", ["objective", "defeat", "failure"])
def test_M_GUIDE_3_4_a_stop_card_is_turned_when_its_game_has_ended_won_or_lost(ending: str, tmp_path: Path) -> None:
    state = arrange(after(1, tmp_path), at={"drifter": "g1"})
    before = seen(state)["guide"]
    assert (before["game"], before["stop"], before["next"]) == (2, 3, [])
    assert [card["number"] for card in before["resolved"]] == [1, 2]
    assert "envelope" not in repr(before)  # what the next card says is not seen before
    ended = seen(replace(state, ended=ending, ended_by=0, agenda=()))["guide"]
    assert (ended["next"], ended["stop"]) == ([3], 4)
    assert ended["resolved"][-1]["says"] == "Open the envelope, and do not trust everybody."


def test_M_GUIDE_3_a_card_that_is_no_stop_card_is_resolved_with_the_one_before(tmp_path: Path) -> None:
    loose = after(1, tmp_path, ("stop = 2\n", ""))
    assert [card.number for card in guide.resolved(loose.guide, 1)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("games", "missions"),
    [(0, ("cinder-wells",)), (1, ("salt-harbour", "cinder-wells")), (2, ("salt-harbour",))],
)
def test_M_GUIDE_5_the_guide_deck_names_the_missions_of_the_next_game(games: int, missions: tuple[str, ...]) -> None:
    assert guide.missions(salt_harbour().guide, games) == missions


def test_M_GUIDE_5_another_mission_is_refused_with_line_and_key(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path, ("games_played = 2", "games_played = 0"))
    assert fault.key == "switches.games_played"
    assert fault.sentence == "game 1 of the guide deck plays cinder-wells, not salt-harbour"
    line = next(i for i, row in enumerate(fault.file.read_text().splitlines(), 1) if row.startswith("games_played"))
    assert fault.line == line


def test_M_GUIDE_5_without_a_guide_deck_anything_is_played() -> None:
    assert cinder_wells().guide == ()
    assert guide.missions(cinder_wells().guide, 0) == ()
    assert seen(arrange(at={"drifter": "e1"}))["guide"] == {"game": 1, "resolved": [], "next": [], "stop": None}


@pytest.mark.parametrize(("games", "planning", "skills"), [(0, 20, 12), (1, 20, 13), (2, 21, 13)])
def test_M_GUIDE_6_cards_that_join_stay_for_every_later_game(
    games: int, planning: int, skills: int, tmp_path: Path
) -> None:
    scenario = after(games, tmp_path)
    assert len(scenario.planning_deck) == planning
    assert [len(character.deck) for character in scenario.characters] == [skills, skills, 12, 12]
    state = begun(scenario, 2, "drifter", "loader_droid")
    assert len(state.figures[0].hand + state.figures[0].deck) == skills


def test_M_GUIDE_6_event_cards_may_join_too(tmp_path: Path) -> None:
    event = '[{ id = "squall", name = "Squall", back = "any", n = 2, do = [{ verb = "hurt", n = 1 }] }]'
    scenario = after(2, tmp_path, ("stop = 2\n", f"stop = 2\nevents = {event}\n"))
    assert len(scenario.event_deck) == 14
    scene = Scene(arrange(scenario, at={"drifter": "g1"})).event("squall")
    assert scene.args("damaged") == [("drifter", 1, "", "mission")]


GUIDE_FAULTS = {
    "two cards of one number": ("number = 3\n", "number = 2\n", "number", "another guide card has number 2 already"),
    "games out of order": ("stop = 2\n", "stop = 5\n", "guide", "an order in which they cannot be turned over"),
    "a game beyond the deck": (
        "games_played = 2",
        "games_played = 4",
        "switches.games_played",
        "the guide deck knows of 3 games only",
    ),
    "no such character": (
        '{ character = "drifter"',
        '{ character = "gunner"',
        "guide[1].skills[0].character",
        "there is no character gunner",
    ),
    "an ability twice": (
        'id = "scatter", name',
        'id = "double_tap", name',
        "guide[1].skills[0].ability.id",
        "double_tap is in that deck already",
    ),
    "no such zone": (
        'name = "Scatter", zone = "attack"',
        'name = "Scatter", zone = "roof"',
        "guide[1].skills[0].ability.zone",
        "there is no zone roof",
    ),
    "a planning card twice": (
        'id = "flare"',
        'id = "brace"',
        "guide[2].planning[0].id",
        "brace is another planning card",
    ),
    "an unknown effect": ('verb = "turn_up"', 'verb = "turn_down"', "guide[2].planning[0].do[0]", "must be a table"),
    "more seats than there are": ("seats = 3\n", "seats = 9\n", "envelope.seats", "4"),
    "too few roles": ('name = "Loyal", n = 9', 'name = "Loyal", n = 2', "envelope.roles", "fewer than 4 roles"),
}


@pytest.mark.parametrize("what", GUIDE_FAULTS)
def test_M_GUIDE_M_CAMP_3_faults_of_the_campaign_are_named_with_line_and_key(what: str, tmp_path: Path) -> None:
    old, new, key, sentence = GUIDE_FAULTS[what]
    fault = next(fault for fault in faults_of(tmp_path, (old, new)) if key in fault.key)
    assert sentence in fault.sentence
    assert fault.line > 0


def test_M_GUIDE_7_a_card_that_opens_no_envelope_is_a_fault(tmp_path: Path) -> None:
    text = SALT_HARBOUR.read_text()
    start, end = text.index("[envelope]"), text.index("[[guide]]")
    (tmp_path / "salt-harbour.toml").write_text(text[:start] + text[end:])
    with pytest.raises(Faults, match=r"guide\[2\].opens_envelope: there is no envelope"):
        mandalorian.load(tmp_path / "salt-harbour.toml")


# ── the envelope ──


def accusing(*roles: int, alarm: int = 2) -> Scene:
    """Seat 0, the Drifter, to act, with these roles (1: the turncoat) for three seats and the others left over."""
    state = arrange(salt_harbour(), at={"drifter": "e3", "loader_droid": "g1", "medic": "g1"}, seats=3)
    left = tuple([0] * 7) if 1 in roles else tuple([0] * 6 + [1])
    return Scene(replace(state, roles=(*roles, *left), tracks=(alarm,), place=0))


@pytest.mark.parametrize(("games", "seats", "dealt"), [(1, 3, False), (2, 2, False), (2, 3, True), (2, 4, True)])
def test_M_GUIDE_7_the_envelope_stays_shut_until_a_card_opens_it(
    games: int, seats: int, dealt: bool, tmp_path: Path
) -> None:
    state = mandalorian.setup(after(games, tmp_path), seats, Rng(4))
    assert bool(state.roles) == dealt
    for seat in range(seats):
        assert ("role" in seen(state, seat)) == dealt
    assert "role" not in seen(state)


def test_M_CAMP_3_a_role_is_known_to_its_seat_alone() -> None:
    state = accusing(0, 1, 0).state
    assert [seen(state, seat)["role"] for seat in range(3)] == ["Loyal", "Turncoat", "Loyal"]
    assert seen(state)["roles"] == {}
    assert "Turncoat" not in repr(seen(state, 0)) + repr(seen(state))


def test_M_CAMP_3_roles_are_dealt_at_random_so_there_may_be_no_traitor_at_all() -> None:
    traitors = {mandalorian.setup(salt_harbour(), 3, Rng(seed)).roles[:3] for seed in range(60)}
    assert traitors == {(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)}


def test_M_CAMP_3_a_traitor_rightly_accused_is_exposed_and_the_envelope_says_what_happens() -> None:
    scene = accusing(0, 1, 0)
    assert scene.offers("accuse") == [(1,), (2,)]
    scene.do("accuse", 1)
    assert scene.args("accused") == [(0, 1, "Turncoat")]
    assert scene.args("track") == [("alarm", 0)]
    assert seen(scene.state)["roles"] == {"1": "Turncoat"}
    assert "drawn" in seen(scene.state, 0)  # and planning cards to choose from


def test_M_CAMP_3_who_accuses_wrongly_is_hurt_and_accuses_nobody_again() -> None:
    scene = accusing(0, 1, 0).do("accuse", 2)
    assert scene.args("damaged") == [("drifter", 1, "", "mission")]
    assert scene.offers("accuse") == []
    assert "cannot be accused" in scene.refused("accuse", 1)
    scene.lay("attack", 1).lay("plan", 1).do("decline", "plan")
    while scene.state.seat != 1:
        legal = mandalorian.legal(scene.state)
        action = next((a for a in legal if a.verb in ("decline", "accept", "pass", "end_turn")), legal[0])
        scene.do(action.verb, *action.args)
    assert scene.offers("accuse") == [(0,)]  # the role of seat 2 is known


def outcome_of(state: State, ended: str) -> Outcome:
    over = mandalorian.outcome(replace(state, ended=ended, ended_by=0, agenda=()))
    assert over is not None
    return over


def test_M_CAMP_3_a_traitor_wins_alone_when_the_mission_is_lost_unless_exposed() -> None:
    scene = accusing(0, 1, 0)
    assert outcome_of(scene.state, "objective").winners == (0, 2)
    assert outcome_of(scene.state, "defeat").winners == (1,)
    scene.do("accuse", 1)
    assert outcome_of(scene.state, "failure").winners == ()


def test_M_CAMP_3_at_the_end_all_roles_are_known() -> None:
    scene = accusing(0, 1, 0, alarm=4).effect({"verb": "add_track", "track": "alarm"})
    assert scene.state.ended == "failure"
    assert scene.args("unmasked") == [("Loyal", "Turncoat", "Loyal")]
    assert seen(scene.state)["roles"] == {"0": "Loyal", "1": "Turncoat", "2": "Loyal"}


def test_M_CAMP_3_nobody_accuses_where_no_envelope_is_open() -> None:
    scene = Scene(arrange(at={"drifter": "e1"}))
    assert "accuse" not in scene.verbs
    assert "cannot be accused" in scene.refused("accuse", 1)
    assert mandalorian.describe(scene.state, Action(0, "accuse", (1,))) == "Accuse seat 2"


# ── sheets: mercenary missions ──

SHEET = """
[sheets.night_watch]
title = "Night Watch"
objective = { is = "turns_at_least", n = 2 }
failure = [
  { when = { is = "any_character_defeated" }, says = "A character is defeated." },
  { when = { is = "track_at_least", track = "heat", n = 2 }, says = "The watch has seen you." },
]
crisis = [{ verb = "add_track", track = "heat", n = 2 }]
"""


def night_watch(folder: Path, sheet: str = SHEET) -> Scenario:
    text = CINDER_WELLS.read_text().replace("[switches]", '[switches]\nsheet = "night_watch"')
    (folder / "cinder-wells.toml").write_text(text + sheet)
    return mandalorian.load(folder / "cinder-wells.toml")


def test_M_CAMP_2_a_sheet_replaces_objective_failure_and_crisis_but_not_the_map_rules(tmp_path: Path) -> None:
    scenario = night_watch(tmp_path)
    assert scenario.title == "Night Watch"
    assert scenario.map_rules == cinder_wells().map_rules
    assert scenario.spaces == cinder_wells().spaces
    on_the_asset = arrange(scenario, at={"drifter": "a2"}, threats=[("a2", "Survey core"), ("a2", "Gate key")])
    assert Scene(on_the_asset).offers("take") == [("t2",)]
    once = Scene(on_the_asset).event_phase()
    assert once.state.ended == ""
    assert once.event_phase().state.ended == "objective"
    lost = Scene(sums(on_the_asset, 6, 0, 0, 0)).event_phase()
    assert lost.told == ["crisis_due", "track", "lost"]
    over = mandalorian.outcome(lost.state)
    assert over is not None
    assert over.reason == "The watch has seen you."


def test_M_CAMP_2_faults_of_a_sheet_are_named_with_line_and_key(tmp_path: Path) -> None:
    with pytest.raises(Faults) as faults:
        night_watch(tmp_path, SHEET.replace('verb = "add_track", track = "heat"', 'verb = "add_track", track = "cold"'))
    (fault,) = faults.value.faults
    assert (fault.key, fault.sentence) == ("sheets.night_watch.crisis[0].track", "there is no track cold")
    assert fault.file.read_text().splitlines()[fault.line - 1].startswith("crisis = [")
    with pytest.raises(Faults, match="there is no sheet 'night_watch'"):
        night_watch(tmp_path, "")
