"""Whole games of Labyrinth, heard in every language: nothing stays English, and names are inflected."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from hearing import Hearing
from mazes import glass_warren, lamp_alley, switched
from wandering import Step, random_play

from underglow.games import labyrinth
from underglow.games.contract import Action, IllegalAction, Transfer
from underglow.games.labyrinth import phrases
from underglow.games.labyrinth.refusal import refusal
from underglow.games.labyrinth.scenario import Scenario
from underglow.games.labyrinth.sight import token_name
from underglow.games.labyrinth.state import State
from underglow.languages import LANGUAGES, Text
from underglow.languages.catalogue import ENGLISH, words
from underglow.languages.gather import Source, faults, sources

in_each_language = pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])

SOURCES = [source for source in sources() if "labyrinth" in source.files["pl"].parts]


@cache
def games() -> tuple[tuple[Step, ...], ...]:
    """Games at random of both scenarios, under several switches, from the beginning and in a maze that is built."""
    sets = [glass_warren(), lamp_alley()]
    sets += [
        switched(scenario, dice="typed", tiles="drawn", build_may_refuse=True, free_rotation=False)
        for scenario in (glass_warren(), lamp_alley())
    ]
    sets += [
        switched(scenario, unused_actions=False, crystal_repeats="whole_test", crystal_after="any")
        for scenario in (glass_warren(), lamp_alley())
    ]
    return tuple(
        tuple(random_play(scenario, seed, seats, 400, built=built))
        for scenario in sets
        for seed, (seats, built) in enumerate(((2, False), (scenario.seats[-1], True), (3, True)))
    )


@cache
def said() -> tuple[Text, ...]:
    """What is said in these games, and what the scenarios could say beside."""
    texts = [text for game in games() for text in _in_a_game(game)]
    for scenario in (glass_warren(), lamp_alley()):
        texts += [scenario.title]
        texts += [phrases.effects(scenario, program) for program in range(len(scenario.programs))]
        texts += [phrases.lying(tile, turned) for tile in scenario.tiles for turned in range(tile.turns)]
    return tuple(texts)


@cache
def hearing(language: str) -> Hearing:
    """All of it heard in a language."""
    heard = Hearing(language)
    for text in said():
        heard.hear(text)
    return heard


def _in_a_game(game: tuple[Step, ...]) -> Iterator[Text]:
    scenario = game[0][0].scenario
    others = sorted({action for _, action, *_ in game}, key=repr)
    others += [Action(0, "use", (item.id,)) for item in scenario.items]
    others += [Action(0, "ability", (known.id,)) for who in scenario.characters for known in who.abilities]
    for number, (before, action, after, events) in enumerate(game):
        yield labyrinth.describe(before, action)
        for event in events:
            yield labyrinth.narrate(after, event)
        yield labyrinth.prompt(after, ())
        if number % 10 == 0 or number == len(game) - 1:
            yield from _around(after, others[number % 7 :: 7])


def _around(state: State, others: list[Action]) -> Iterator[Text]:
    """What is said of a state beside what happens in it: all choices, tokens in hand, refusals."""
    for action in labyrinth.legal(state):
        yield labyrinth.describe(state, action)
    for token in labyrinth.tokens(state):
        yield token_name(state, token)
        yield labyrinth.prompt(state, (token,))
        source = next((space for space, here in labyrinth.layout(state).items() if token in here), None)
        for target in (*state.scenario.spaces[::5], state.scenario.spaces[-1], None):
            yield labyrinth.refuse(state, Transfer(token, source, target))
    for action in others:
        for seat in {state.seat, action.seat % state.seats}:
            stray = Action(seat, action.verb, action.args)
            if stray not in labyrinth.legal(state):
                yield refusal(state, stray)


@in_each_language
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.files["pl"].stem)
def test_the_catalogues_of_the_game_and_its_scenarios_are_complete(source: Source, language: str) -> None:
    assert list(faults(source, language)) == []


@in_each_language
def test_nothing_of_a_game_stays_english_and_no_name_lacks_a_form(language: str) -> None:
    heard = hearing(language)
    assert sorted(heard.faults) == []
    assert len(heard.sentences) > 3000


@in_each_language
def test_nothing_that_a_page_shows_of_a_view_stays_english(language: str) -> None:
    heard = Hearing(language)
    for game in games():
        for _, _, state, _ in game[::20]:
            for seat in (None, *range(state.seats)):
                heard.see(labyrinth.view(state, seat))
    assert sorted(heard.faults) == []
    assert len(heard.sentences) > 100


@in_each_language
@pytest.mark.parametrize("scenario", [glass_warren(), lamp_alley()], ids=lambda scenario: scenario.id)
def test_a_case_asked_of_one_name_is_there_of_every_name_of_its_kind(scenario: Scenario, language: str) -> None:
    kinds = (scenario.characters, scenario.items, scenario.tiles[2:], scenario.traps, scenario.glyphs)
    for names in ([piece.name for piece in kind] for kind in kinds if kind):
        asked = {case for name in names for case in hearing(language).cases[name.message, name.book]} - {""}
        assert asked
        for name in names:
            (forms,) = words(language, name.book)[name.message]
            assert asked <= forms.others.keys(), name


def test_an_outcome_and_a_refusal_are_texts() -> None:
    """Exceptions and outcomes go through hands that might make plain words of them."""
    heard = Hearing("pl")
    for game in games():
        *_, (before, action, after, _) = game
        with pytest.raises(IllegalAction) as refused:
            labyrinth.step(after if labyrinth.outcome(after) else before, Action(action.seat, "no_such_verb"))
        heard.hear(refused.value.args[0])
        if over := labyrinth.outcome(after):
            heard.hear(over.reason)
    assert sorted(heard.faults) == []
    assert {"The game is over.", "The last round is over, and {who} came furthest."} <= heard.heard
