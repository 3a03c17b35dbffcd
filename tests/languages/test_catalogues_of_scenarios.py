"""A scenario of one's own is translated by catalogues beside it: `underglow words` makes them, `check` reads them."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from underglow import games
from underglow.cli import app


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "labyrinth" / "scenarios" / "mine.toml"
    path.parent.mkdir(parents=True)
    return Path(shutil.copy(games.scenario_path("labyrinth", "lamp-alley"), path))


def said(*words: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*map(str, words)], env={"COLUMNS": "200"})
    return result.exit_code, result.output


def test_words_makes_a_catalogue_and_check_counts_what_is_left(scenario: Path) -> None:
    assert said("check", scenario) == (0, f"{scenario}: good\n")  # nobody has to translate
    code, told = said("words", scenario, "--language", "pl")
    catalogue = scenario.with_name("mine.pl.po")
    assert code == 0
    assert [path.name for path in sorted(scenario.parent.iterdir())] == ["mine.pl.po", "mine.toml"]
    assert told.count("is not translated") == catalogue.read_text().count("msgid") - 1
    code, told = said("check", scenario)
    assert code == 2
    assert f"{catalogue}:5: 'Lamp Alley': is not translated" in told


def test_words_keeps_what_is_translated_and_drops_what_is_gone(scenario: Path) -> None:
    said("words", scenario, "--language", "pl")
    catalogue = scenario.with_name("mine.pl.po")
    text = catalogue.read_text().replace('msgid "Lamp Alley"\nmsgstr ""', 'msgid "Lamp Alley"\nmsgstr "Zaułek Lamp"')
    catalogue.write_text(text + '\nmsgid "Gone"\nmsgstr "Nie ma"\n')
    assert "'Gone' is said nowhere" in said("check", scenario)[1]
    said("words", scenario, "--language", "pl")
    assert 'msgstr "Zaułek Lamp"' in catalogue.read_text()
    assert "Gone" not in catalogue.read_text()


@pytest.mark.parametrize(
    ("translation", "fault"),
    [
        ("Zaułek {who}", "has no place 'who'"),
        ("Zaułek | abl: Zaułkiem", "'abl' is no case"),
        ("Zaułek {", "Single '{'"),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(scenario: Path, translation: str, fault: str) -> None:
    said("words", scenario, "--language", "pl")
    catalogue = scenario.with_name("mine.pl.po")
    text = catalogue.read_text().replace('msgid "Lamp Alley"\nmsgstr ""', f'msgid "Lamp Alley"\nmsgstr "{translation}"')
    catalogue.write_text(text)
    code, told = said("check", scenario)
    assert code == 2
    assert f"{catalogue}:5: 'Lamp Alley': " in told
    assert fault in told


def test_a_damaged_catalogue_is_one_sentence_and_stays_as_it_is(scenario: Path) -> None:
    catalogue = scenario.with_name("mine.pl.po")
    catalogue.write_text('msgid "Lamp Alley\n')
    for command in (("check", scenario), ("words", scenario)):
        code, told = said(*command)
        assert code == 2
        assert f"{catalogue}:1" in told
    assert catalogue.read_text() == 'msgid "Lamp Alley\n'
