"""The Mandalorian in Polish and Czech: in whole games nothing that people read stays English."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from itertools import chain

import pytest
from unsaid import places, shown, unsaid

from underglow import games
from underglow.games import mandalorian
from underglow.games.contract import Action, Event, IllegalAction, Transfer
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import State
from underglow.languages import LANGUAGES, Text, gather
from underglow.languages.catalogue import ENGLISH, words
from underglow.rng import Rng

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
FOLDER = games.scenario_path("mandalorian", "cinder-wells").parent
SOURCES = [source for source in gather.sources() if FOLDER.parent in source.files[OTHERS[0]].parents]

IDS = frozenset(
    ["id", "space", "kind", "face", "shape", "class", "abilities", "ability", "edge", "walls", "back", "pending"]
) | {"character", "active", "carrier", "captor"}
"""Keys of a view under which stand words of the program; pages know them."""

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


@pytest.mark.parametrize("language", OTHERS)
def test_the_catalogues_have_every_message_and_no_other(language: str) -> None:
    assert [fault for source in SOURCES for fault in gather.faults(source, language)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_whole_games_are_played_in_that_language(language: str, steps: list[Step]) -> None:
    texts = {(type(text), text): text for text in said(steps)}.values()
    assert {fault for text in texts for fault in unsaid(text, language)} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_refusals_are_in_that_language(language: str, steps: list[Step]) -> None:
    refused = set(refusals(steps))
    assert len(refused) > 30
    assert {fault for text in refused for fault in unsaid(text, language)} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_names_have_every_case_that_messages_ask_for(language: str) -> None:
    messages = [key if isinstance(key, str) else key[0] for key in SOURCES[0].messages]
    forms = chain.from_iterable(words(language, None)[message] for message in messages)
    asked: dict[str, set[str]] = {"who": set(), "track": set(), "door": set()}
    for template in chain.from_iterable((form.first, *form.others.values()) for form in forms):
        for place, case in places(template).items():
            kind = "who" if place in ("enemy", "item", "what") else place
            asked.setdefault(kind, set()).update({case} - {"", "*"})
    for name in ("cinder-wells", "salt-harbour"):
        scenario = mandalorian.load(games.scenario_path("mandalorian", name))
        for kind, things in {
            "who": (*scenario.characters, *scenario.kinds),
            "track": scenario.tracks,
            "door": scenario.doors,
        }.items():
            for thing in things:
                assert [*chain.from_iterable(unsaid(thing.name, language, case) for case in asked[kind])] == []


def said(steps: list[Step]) -> Iterator[str]:
    """What people read in games, now with one token in hand, now with another, now at one seat, now at another."""
    choices = random.Random(2)
    for state, action, after, events in steps:
        yield mandalorian.describe(state, action)
        yield from (mandalorian.narrate(after, event) for event in events)
        yield mandalorian.prompt(after, ())
        yield mandalorian.prompt(after, (choices.choice(sorted(mandalorian.tokens(after))),))
        yield from (mandalorian.describe(after, choice) for choice in mandalorian.legal(after))
        yield from (token.name for token in mandalorian.tokens(after).values())
        yield from shown(mandalorian.view(after, choices.choice([None, *range(after.seats)])), IDS)
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
