"""Every message that people may read is in every catalogue, and its translation fits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from underglow import games
from underglow.bots import BOTS
from underglow.games.contract import Action
from underglow.kiosk import audience
from underglow.languages import LANGUAGES, Text, gather
from underglow.languages.catalogue import ENGLISH, read, scripts
from underglow.rng import Rng

STATIC = gather.HOME / "kiosk" / "static"
SOURCES = list(gather.sources())
PROGRAM, PAGES = SOURCES[:2]
OTHERS = [language for language in LANGUAGES if language != ENGLISH]

REASON_BYTES = 123
"""What a close frame holds."""


def named(source: gather.Source) -> str:
    return str(source.files[OTHERS[0]].relative_to(gather.HOME))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("source", SOURCES, ids=named)
def test_a_message_that_is_not_translated_or_does_not_fit_fails(source: gather.Source, language: str) -> None:
    assert list(gather.faults(source, language)) == []


@pytest.mark.parametrize("script", sorted(STATIC.glob("*.js")), ids=lambda path: path.name)
def test_every_message_of_a_script_is_found(script: Path) -> None:
    """Also within template literals, over lines, and beside characters that are not ASCII."""
    messages = {key if isinstance(key, str) else key[0] for key in PAGES.messages}
    calls = re.findall(r'\b(?:say|counted)\(\s*(?!message|one)("?[^",)]*)', script.read_text())
    said = [call.removeprefix('"') for call in calls if call.startswith('"')]
    assert len(said) == len(calls), "a message is a plain string"
    for start in said:
        assert any(message.startswith(start) for message in messages), start


def test_every_word_of_the_pages_is_found() -> None:
    for page in STATIC.glob("*.html"):
        body = re.sub(r"<title>[^<]*</title>|<!--.*?-->", "", page.read_text())
        plain = {words.strip() for words in re.findall(r">([^<>]*[A-Za-z][^<>]*)<", body)}
        assert plain <= {"Underglow"}, page.name
        assert re.findall(r'\saria-(?:label|roledescription)="', body) == [], page.name


def test_heads_over_choices_have_words_for_all_that_bots_meet() -> None:
    heads = set(re.findall(r"^  (\w+): say", (STATIC / "verbs.js").read_text(), re.MULTILINE))
    assert met() - heads == set()


def met() -> set[str]:
    """The verbs of some games."""
    verbs: set[str] = set()
    for name in games.names():
        game = games.load(name)
        for scenario_name in games.scenarios(name):
            scenario = game.load(games.scenario_path(name, scenario_name))
            for seats in scenario.seats:
                state, rng = game.setup(scenario, seats, Rng(seats)), Rng(seats)
                for _ in range(300):
                    legal: tuple[Action, ...] = game.legal(state)
                    verbs |= {action.verb for action in legal}
                    if not legal:
                        break
                    action, rng = BOTS["random"].choose(game, state, legal[0].seat, rng)
                    state, _ = game.step(state, action)
    return verbs


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_a_page_is_closed_fits_into_the_frame_that_says_so(language: str) -> None:
    reasons = [key for key, where in PROGRAM.messages.items() if {"audience.py", "office.py"}.intersection(where)]
    assert str(audience.NO_SEAT) in reasons
    for reason in reasons:
        assert isinstance(reason, str)
        said = Text(reason, dict.fromkeys(re.findall(r"\{(\w+)\}", reason), 48)).spoken(language)
        assert len(said.encode()) <= REASON_BYTES, said


@pytest.mark.parametrize("language", OTHERS)
def test_scripts_get_their_messages_without_marks_of_cases(language: str) -> None:
    told = scripts(language)
    assert {key if isinstance(key, str) else key[0] for key in PAGES.messages} == told.keys()
    assert [form for forms in told.values() for form in forms if " | " in form or re.search(r"\{\w+:", form)] == []


def test_english_needs_no_catalogue() -> None:
    assert scripts(ENGLISH) == {}


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_said_in_several_places_is_said_alike(language: str) -> None:
    """The program's own catalogues are one, so that a game may say what the table says."""
    said: dict[object, set[object]] = {}
    for source in SOURCES:
        path = source.files[language]
        if path.parent.name not in ("kiosk", "scenarios"):
            for message in read(path, language):
                said.setdefault(message.id, set()).add(message.string)
    assert {message: forms for message, forms in said.items() if len(forms) > 1} == {}
