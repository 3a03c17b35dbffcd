"""The table of rules in each game's README: no number is missing, and what it says of each is so."""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from pydantic import BaseModel, TypeAdapter

from underglow import games

TESTS = Path(__file__).parents[1]
DIGESTS: Mapping[str, tuple[str, ...]] = {  # in their order: the families of rules, and which each has
    "labyrinth": (
        "L-GOAL 1-2",
        "L-SETUP 1-4",
        "L-TURN 1",
        "L-ACT BUILD MOVE RISK REST ATTACK TRAP GOLEM EVENT SAFE CRYSTAL",
        "L-FREE CRYSTAL PICK SWAP FIGHT",
        "L-TURN 2-3",
        "L-ITEM 1",
        "L-BUILD 1-3",
        "L-EXP 1-3",
        "L-TRAP G1-8 01-22",
        "L-TEST 1",
        "L-GOLEM 1-5",
        "L-FIGHT 1-4",
        "L-JUMP 1-6",
        "L-DAZE 1-6",
        "L-DEATH 1-8",
        "L-CHAR 1-3",
        "L-EVENT 1-2",
        "L-TILE 1",
    ),
    "mandalorian": (
        "M-GUIDE 1-8",
        "M-SETUP 1-12",
        "M-DIFF 1-5",
        "M-COUNT 1-3",
        "M-TURN 1-3",
        "M-ACT 1-9",
        "M-MOVE 1-11",
        "M-ATK 1-5",
        "M-INT 1-4",
        "M-PLAN 1-5",
        "M-EVT 1-16",
        "M-DRAW 1-3",
        "M-ABIL 1-6",
        "M-DISR 1-7",
        "M-TACT 1-7",
        "M-CHILD 1-8",
        "M1 1-9",
        "M-CAMP 1-3",
        "M-EXP 1",
    ),
}
ROW = re.compile(r"^\| ([A-Z][A-Z\d]*(?:-[A-Z\d]+)+) \| ([^|]+) \|.*\|$", re.MULTILINE)
SWITCH = r"`(\w+)` \(([^()]+)\)"

every_game = pytest.mark.parametrize("game", games.names())


def folder(game: str) -> Path:
    return games.scenario_path(game, games.scenarios(game)[0]).parents[1]


def readme(game: str) -> str:
    return (folder(game) / "README.md").read_text()


def table(game: str, name: str) -> type[BaseModel]:
    """One of the tables that a scenario file of the game may hold."""
    return getattr(importlib.import_module(f"underglow.games.{game}.document"), name)


def rules(game: str) -> list[str]:
    found: list[str] = []
    for line in DIGESTS[game]:
        family, *names = line.split()
        for name in names:
            found += [f"{family}-{number}" for number in numbers(name)]
    return found


def numbers(name: str) -> list[str]:
    """What a word of a digest's line stands for: "G1-8" is G1 to G8, "01-22" has two digits throughout."""
    if not (several := re.fullmatch(r"(\D?)(\d+)-(\d+)", name)):
        return [name]
    letter, first, last = several.groups()
    return [f"{letter}{number:0{len(first)}}" for number in range(int(first), int(last) + 1)]


def status(game: str) -> dict[str, str]:
    """What the table says of each rule."""
    return dict(ROW.findall(readme(game)))


@cache
def named_in_tests(game: str) -> frozenset[str]:
    """The rules in the names of tests: test_M_SETUP_6_7_M_MOVE_7_words holds three."""
    families = {line.split()[0].replace("-", "_"): line.split()[0] for line in DIGESTS[game]}
    either = "|".join(sorted(families, reverse=True))
    several = re.compile(rf"_({either})((?:_(?!(?:{either})_)[A-Z]?\d+|_(?!(?:{either})_)[A-Z]{{2,}})+)(?![A-Za-z0-9])")
    found: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE):
            for family, those in several.findall(name):
                found |= {f"{families[family]}-{number}" for number in those[1:].split("_")}
    return frozenset(found)


def test_every_game_has_its_digest() -> None:
    assert tuple(DIGESTS) == games.names()


@every_game
def test_every_rule_is_in_the_table_once_and_in_order(game: str) -> None:
    assert [rule for rule, _ in ROW.findall(readme(game))] == rules(game)


@every_game
def test_each_is_enforced_or_a_switch_or_at_the_table(game: str) -> None:
    known = rf"enforced|at the table|switch {SWITCH}(, {SWITCH})*"
    assert {rule: words for rule, words in status(game).items() if not re.fullmatch(known, words)} == {}


@every_game
def test_what_is_enforced_or_a_switch_has_a_test_of_its_number(game: str) -> None:
    told = status(game)
    assert [rule for rule in rules(game) if told[rule] != "at the table" and rule not in named_in_tests(game)] == []


@every_game
def test_no_test_has_the_number_of_a_rule_that_is_not(game: str) -> None:
    assert named_in_tests(game) - set(rules(game)) == set()


@every_game
def test_every_switch_is_in_the_table_with_its_default(game: str) -> None:
    named = {found for words in status(game).values() for found in re.findall(SWITCH, words)}
    assert named == {(name, _word(default)) for name, default in table(game, "Switches")().model_dump().items()}


def _word(default: object) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default) or "none"


@every_game
def test_every_module_is_in_the_list_of_files(game: str) -> None:
    listed = re.findall(r"`(\w+\.py)`", readme(game).split("## ")[0])
    assert sorted(listed) == sorted(file.name for file in folder(game).glob("[a-z]*.py"))


@every_game
def test_what_it_shows_of_a_scenario_is_what_a_file_may_say(game: str) -> None:
    (example,) = re.findall(r"```toml\n(.+?)```", readme(game), re.DOTALL)
    for name, rows in tomllib.loads(example).items():
        kind = table(game, "Document").model_fields[name].annotation
        assert kind
        assert TypeAdapter(kind).validate_python(rows)
