"""Whole games of The Mandalorian, heard in every language: nothing stays English, and names are inflected."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator

import pytest
from hearing import Hearing

from underglow import games
from underglow.games import mandalorian
from underglow.games.contract import Action, Event, IllegalAction, Transfer
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import State
from underglow.languages import LANGUAGES, Text
from underglow.languages.catalogue import ENGLISH, words
from underglow.languages.gather import Source, faults, sources
from underglow.rng import Rng

in_each_language = pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])

FOLDER = games.scenario_path("mandalorian", "cinder-wells").parent
SOURCES = [source for source in sources() if "mandalorian" in source.files["pl"].parts]

SWITCHES = """
peek_may_be_shared = false
planning_hand_over = true
planning_limit = 1
zero_move_triggers_guard = true
attack_facedown = true
event_reshuffle = false
pool_empty = "from_fullest_zone"
child_flees = "from_enemies"
reinforcements_face = "down"
reinforcements_empty = "reuse"
"""

Step = tuple[State, Action, State, tuple[Event, ...]]


@pytest.fixture(scope="module", params=["cinder-wells", "salt-harbour", "salt-harbour under other switches"])
def steps(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Step]:
    """Whole games at random, for every number of seats."""
    name, _, switched = str(request.param).partition(" ")
    folder = shutil.copytree(FOLDER, tmp_path_factory.mktemp("scenarios"), dirs_exist_ok=True)
    path = folder / f"{name}.toml"
    if switched:
        path.write_text(path.read_text().replace("[switches]\n", f"[switches]{SWITCHES}"))
    scenario = mandalorian.load(path)
    return [step for seats in scenario.seats for seed in range(3) for step in played(scenario, seats, seed)]


def played(scenario: Scenario, seats: int, seed: int) -> Iterator[Step]:
    """A whole game in which each verb that is offered is as likely."""
    choices = random.Random(seed)
    state = mandalorian.setup(scenario, seats, Rng(seed))
    while legal := mandalorian.legal(state):
        verb = choices.choice(sorted({action.verb for action in legal}))
        action = choices.choice([action for action in legal if action.verb == verb])
        after, events = mandalorian.step(state, action)
        yield state, action, after, events
        state = after


@in_each_language
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.files["pl"].stem)
def test_the_catalogues_of_the_game_and_its_scenarios_are_complete(source: Source, language: str) -> None:
    assert list(faults(source, language)) == []


@in_each_language
def test_nothing_of_a_game_stays_english_and_no_name_lacks_a_form(language: str, steps: list[Step]) -> None:
    heard = Hearing(language)
    for text in said(steps):
        heard.hear(text)
    assert sorted(heard.faults) == []
    assert len(heard.sentences) > 500


@in_each_language
def test_nothing_that_a_page_shows_of_a_view_stays_english(language: str, steps: list[Step]) -> None:
    heard = Hearing(language)
    for _, _, state, _ in steps[::3]:
        for seat in (None, *range(state.seats)):
            heard.see(mandalorian.view(state, seat))
    assert sorted(heard.faults) == []
    assert len(heard.sentences) > 20


@in_each_language
def test_refusals_are_in_that_language(language: str, steps: list[Step]) -> None:
    heard = Hearing(language)
    for text in refusals(steps):
        heard.hear(text)
    assert sorted(heard.faults) == []
    assert len(heard.sentences) > 30


@in_each_language
def test_a_case_asked_of_one_name_is_there_of_every_name_of_its_kind(language: str, steps: list[Step]) -> None:
    heard = Hearing(language)
    for text in (*said(steps), *refusals(steps)):
        heard.hear(text)
    scenario = steps[0][0].scenario
    for things in ((*scenario.characters, *scenario.kinds), scenario.tracks, scenario.doors):
        names = [thing.name for thing in things]
        asked = {case for name in names for case in heard.cases[name.message, name.book]} - {""}
        for name in names:
            (forms,) = words(language, name.book)[name.message]
            assert asked <= forms.others.keys(), name


def said(steps: list[Step]) -> Iterator[Text]:
    """What people read in games, now with one token in hand, now with another, now at one seat, now at another."""
    choices = random.Random(2)
    for state, action, after, events in steps:
        yield mandalorian.describe(state, action)
        yield from (mandalorian.narrate(after, event) for event in events)
        yield mandalorian.prompt(after, ())
        yield mandalorian.prompt(after, (choices.choice(sorted(mandalorian.tokens(after))),))
        yield from (mandalorian.describe(after, choice) for choice in mandalorian.legal(after))
        yield from (token.name for token in mandalorian.tokens(after).values())
        if outcome := mandalorian.outcome(after):
            yield outcome.reason


def refusals(steps: list[Step]) -> Iterator[Text]:
    """What the rules say to choices of other moments, and to what hands do at random."""
    choices = random.Random(1)
    spaces, actions = steps[0][0].scenario.spaces, list(dict.fromkeys(action for _, action, *_ in steps))
    for _, _, state, _ in steps:
        start, end, token = *choices.sample(spaces, 2), choices.choice(sorted(mandalorian.tokens(state)))
        yield mandalorian.refuse(state, Transfer(token, start, end))
        yield mandalorian.refuse(state, Transfer(token, start, choices.choice(state.scenario.zones).id))
        for action in (*choices.sample(actions, 3), Action(choices.randrange(4), "move", (start, end))):
            try:
                mandalorian.step(state, action)
            except IllegalAction as refusal:
                (sentence,) = refusal.args
                assert isinstance(sentence, Text)
                yield sentence
