"""The table of rules in the game's README: no number is missing, and what it says of each is so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from underglow.games import mandalorian
from underglow.games.mandalorian.document import Planning, Switches

FOLDER = Path(mandalorian.__file__).parent
README = (FOLDER / "README.md").read_text()
TESTS = Path(__file__).parents[1]

FAMILIES = {  # how many rules each has in the digest
    "M-GUIDE": 8,
    "M-SETUP": 12,
    "M-DIFF": 5,
    "M-COUNT": 3,
    "M-TURN": 3,
    "M-ACT": 9,
    "M-MOVE": 11,
    "M-ATK": 5,
    "M-INT": 4,
    "M-PLAN": 5,
    "M-EVT": 16,
    "M-DRAW": 3,
    "M-ABIL": 6,
    "M-DISR": 7,
    "M-TACT": 7,
    "M-CHILD": 8,
    "M1": 9,
    "M-CAMP": 3,
    "M-EXP": 1,
}
RULES = [f"{family}-{number}" for family, last in FAMILIES.items() for number in range(1, last + 1)]

STATUS = dict(re.findall(r"^\| (M[\w-]*-\d+) \| ([^|]+) \|.*\|$", README, re.MULTILINE))
SWITCH = r"`(\w+)` \(([^()]+)\)"


def named_in_tests() -> set[str]:
    """The rules in the names of tests: test_M_SETUP_6_7_M_MOVE_7_words holds three."""
    found: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        for name in re.findall(r"^def (test_M\w+)", file.read_text(), re.MULTILINE):
            for family, numbers in re.findall(r"_(M_[A-Z]+|M1)((?:_\d+)+)(?![a-z0-9])", name):
                found |= {f"{family.replace('_', '-')}-{number}" for number in numbers[1:].split("_")}
    return found


def test_every_rule_is_in_the_table_once_and_in_order() -> None:
    assert re.findall(r"^\| (M[\w-]*-\d+) \|", README, re.MULTILINE) == RULES


def test_each_is_enforced_or_a_switch_or_at_the_table() -> None:
    known = rf"enforced|at the table|switch {SWITCH}(, {SWITCH})*"
    assert {rule: status for rule, status in STATUS.items() if not re.fullmatch(known, status)} == {}
    assert list(STATUS) == RULES


def test_what_is_enforced_or_a_switch_has_a_test_of_its_number() -> None:
    assert [rule for rule in RULES if STATUS[rule] != "at the table" and rule not in named_in_tests()] == []


def test_no_test_has_the_number_of_a_rule_that_is_not() -> None:
    assert named_in_tests() - set(RULES) == set()


def test_every_switch_is_in_the_table_with_its_default() -> None:
    named = {found for status in STATUS.values() for found in re.findall(SWITCH, status)}
    assert named == {(name, _word(default)) for name, default in Switches().model_dump().items()}


def _word(default: object) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default) or "none"


def test_every_module_is_in_the_list_of_files() -> None:
    listed = re.findall(r"`(\w+\.py)`", README.split("## ")[0])
    assert sorted(listed) == sorted(file.name for file in FOLDER.glob("[a-z]*.py"))


def test_the_card_it_shows_is_one() -> None:
    (example,) = re.findall(r"```toml\n(.+?)```", README, re.DOTALL)
    assert Planning.model_validate(tomllib.loads(example)["planning"][0]).n == 2
