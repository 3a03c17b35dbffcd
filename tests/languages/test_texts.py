"""Texts say in other languages what they say in English, names inflected as the sentence asks."""

import json
import logging
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underglow.games.contract import IllegalAction
from underglow.languages import Text, capital, counted, joined, listed, name, say, spoken, together

POLISH = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "Weaver"
msgstr "Tkacz | acc: Tkacza | ins: Tkaczem"

msgid "Sluice"
msgstr "Śluza | acc: Śluzę"

msgid "Lift it."
msgstr ""
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "tale.pl.po").write_text(POLISH)
    return tmp_path / "tale.toml"


def in_polish(book: Path, english: str, polish: str) -> None:
    """Translate another message of that book."""
    with (book.parent / "tale.pl.po").open("a") as file:
        file.write(f"\nmsgid {json.dumps(english)}\nmsgstr {json.dumps(polish, ensure_ascii=False)}\n")


def test_a_text_is_its_english_words() -> None:
    text = say("Lift the {who} from {space}.", who="Weaver", space="c4")
    assert text == "Lift the Weaver from c4."
    assert hash(text) == hash("Lift the Weaver from c4.")
    assert json.dumps([text]) == '["Lift the Weaver from c4."]'
    assert f"{text}" == text == text.spoken("en")


@pytest.mark.parametrize(
    ("text", "english"),
    [
        (counted("{n} life", "{n} lives", 1), "1 life"),
        (counted("{n} life", "{n} lives", 0), "0 lives"),
        (capital(say("seat {n}", n=2)), "Seat 2"),
        (say("{who:capital} waits.", who=say("the {name}", name="Weaver")), "The Weaver waits."),
        (together(say("One."), Text(""), say("Two.")), "One. Two."),
        (together(), ""),
        (listed([say("a")]), "a"),
        (listed([say("a"), say("b"), say("c")]), "a, b and c"),
        (listed([say("a"), say("b")], "{others:*} or {last:*}"), "a or b"),
        (joined("; ", ["c4", say("d5")]), "c4; d5"),
    ],
)
def test_what_texts_are_made_of_reads_well_in_english(text: Text, english: str) -> None:
    assert text == english


def test_a_name_is_inflected_as_the_sentence_asks(book: Path) -> None:
    in_polish(book, "Lift the {who}.", "Podnieś {who:acc}.")
    weaver, lift = name("Weaver", book), "Lift the {who}."
    assert weaver.spoken("pl") == "Tkacz"
    assert Text(lift, {"who": weaver}, book=book).spoken("pl") == "Podnieś Tkacza."


def test_a_case_reaches_the_names_inside_a_text(book: Path) -> None:
    in_polish(book, "the {name}", "{name:*}")
    both = listed([name("Weaver", book), name("Sluice", book)])
    assert both.spoken("pl", "acc") == "Tkacza i Śluzę"
    assert capital(name("Sluice", book)).spoken("pl") == "Śluza"
    the_weaver = Text("the {name}", {"name": name("Weaver", book)}, book=book)
    assert the_weaver.spoken("pl", "ins") == "Tkaczem"


def test_without_the_case_asked_for_the_first_form_serves(book: Path) -> None:
    assert name("Sluice", book).spoken("pl", "ins") == "Śluza"


@pytest.mark.parametrize(("n", "words"), [(0, "0 żyć"), (1, "1 życie"), (3, "3 życia"), (5, "5 żyć"), (22, "22 życia")])
def test_plurals_follow_the_language(book: Path, n: int, words: str) -> None:
    with (book.parent / "tale.pl.po").open("a") as file:
        file.write('\nmsgid "{n} life"\nmsgid_plural "{n} lives"\n')
        file.writelines(f'msgstr[{at}] "{{n}} {form}"\n' for at, form in enumerate(("życie", "życia", "żyć")))
    english = "{n} life" if n == 1 else "{n} lives"
    assert Text(english, {"n": n}, message="{n} life", number=n, book=book).spoken("pl") == words


def test_what_nobody_translated_stays_english(book: Path) -> None:
    assert name("Lift it.", book).spoken("pl") == "Lift it."
    assert name("Weaver", book).spoken("cs") == "Weaver"
    assert name("Weaver", book.with_name("other.toml")).spoken("pl") == "Weaver"


def test_a_damaged_catalogue_leaves_its_texts_english_and_says_so(book: Path, caplog: pytest.LogCaptureFixture) -> None:
    (book.parent / "tale.pl.po").write_text(POLISH + '\nmsgid "Weaver\n')
    with caplog.at_level(logging.WARNING):
        assert name("Weaver", book).spoken("pl") == "Weaver"
    (record,) = caplog.records
    assert "tale.pl.po" in record.getMessage()


def test_a_translators_slip_leaves_its_text_english_and_says_so(book: Path, caplog: pytest.LogCaptureFixture) -> None:
    for at, slip in enumerate(("Podnieś {kto}.", "Podnieś {", "Podnieś {who.name}.", "Podnieś {}.")):
        english = "Lift the {who}" + "!" * at
        in_polish(book, english, slip)
    for at in range(4):
        text = Text("Lift the {who}" + "!" * at, {"who": name("Weaver", book)}, book=book)
        assert text.spoken("pl") == text
    assert len(caplog.records) == 4


def test_a_text_survives_the_way_to_another_process(book: Path) -> None:
    text = say("{who} has {lives}.", who=name("Weaver", book), lives=counted("{n} life", "{n} lives", 2))
    again = pickle.loads(pickle.dumps(text))  # noqa: S301 - our own
    assert again == text
    assert again.spoken("pl") == text.spoken("pl")


def test_an_exception_keeps_the_text_it_was_raised_with() -> None:
    text = say("It is {who}'s turn.", who="Weaver")
    assert IllegalAction(text).says is text
    assert str(IllegalAction(text)) is text


def test_every_text_in_a_json_value_is_said(book: Path) -> None:
    value = {"name": name("Weaver", book), "id": "Weaver", "rows": [1, None, (name("Sluice", book),)]}
    assert spoken(value, "pl") == {"name": "Tkacz", "id": "Weaver", "rows": [1, None, ["Śluza"]]}


@given(st.text(), st.integers())
def test_a_value_is_never_taken_for_a_message(words: str, number: int) -> None:
    assert say("{words}, {number}", words=words, number=number) == f"{words}, {number}"
    assert Text(words) == words
    assert name(words, Path("tale.toml")).spoken("pl") == words
