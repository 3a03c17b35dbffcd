import copy
import hashlib
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import Field, RootModel, model_validator

from underglow import documents
from underglow.documents import Fault, Faults, Finding, Loc

HERE = Path(__file__).parent


class Person(documents.Section):
    name: str = Field(min_length=1)
    age: int = Field(default=30, ge=0, le=130)
    pets: dict[str, int] = Field(default={})


class Camp(documents.Section):
    name: str
    tents: int
    rations: int
    length_m: float
    level: Annotated[int, Field(le=5)]
    mood: Literal["glad", "tired"]
    when: str
    tag: int | str
    pair: tuple[int, int]
    people: tuple[Person, ...]
    gear: dict[str, int] = Field(default={})


class Rope(documents.Section):
    from_m: float
    to_m: float

    @model_validator(mode="after")
    def _forwards(self) -> "Rope":
        if self.from_m > self.to_m:
            raise ValueError("a rope ends after it begins")
        return self


class Ropes(documents.Section):
    ropes: dict[str, Rope]


class People(documents.Section):
    people: tuple[Person, ...] = Field(min_length=2)


def namesakes(group: People) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for index, person in enumerate(group.people):
        if person.name in first:
            yield ("people", index, "name"), f"{person.name} again"
        first.setdefault(person.name, index)


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "file.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def faults_of(path: Path, *, check_remains: bool = False) -> list[tuple[int, str, str]]:
    with pytest.raises(Faults) as caught:
        documents.load(path, People, check=namesakes, check_remains=check_remains)
    return [(fault.line, fault.key, fault.sentence) for fault in caught.value.faults]


def test_every_fault_in_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)
    with pytest.raises(Faults) as caught:
        documents.load(Path("faults.toml"), Camp)
    assert f"{caught.value}\n" == Path("faults.txt").read_text()


def test_a_good_file_becomes_its_model(tmp_path: Path) -> None:
    path = written(tmp_path, 'people = [{ name = "Ada", pets.cat = 2 }, { name = "Bob" }]')
    group = documents.load(path, People, check=namesakes)
    assert group.people == (Person(name="Ada", pets={"cat": 2}), Person(name="Bob"))


@pytest.mark.parametrize(
    ("content", "line", "sentence"),
    [
        ("a = 1\nb =\n", 2, "not valid TOML: invalid value"),
        ("a = 1\n\na = 2\n", 3, "not valid TOML: cannot overwrite a value"),
        ("a = [1,\n2", 2, "not valid TOML: unclosed array"),
        ("a = 1\n[a.b]\n", 2, "not valid TOML: cannot overwrite a value"),
        (b"a = 1\nb = '\xff'\n", 2, "not valid TOML: this line is not UTF-8 text"),
        ("a = " + "9" * 5000, 0, "a number has too many digits"),
        ("a = 0x" + "f" * 5000, 0, "a number has too many digits"),
        ("a = " + "[" * 3000 + "]" * 3000, 0, "arrays or tables are nested too deeply"),
        ("people = " + "[" * 250 + "]" * 250, 1, "arrays or tables are nested too deeply"),
    ],
)
def test_what_is_no_toml_is_one_fault_with_its_line(
    tmp_path: Path, content: str | bytes, line: int, sentence: str
) -> None:
    assert faults_of(written(tmp_path, content)) == [(line, "", sentence)]


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert faults_of(tmp_path / "none.toml") == [(0, "", "there is no such file")]
    assert faults_of(tmp_path) == [(0, "", "cannot be read: Is a directory")]
    assert faults_of(tmp_path / "a\0b") == [(0, "", "cannot be read: embedded null byte")]
    assert str(Fault(Path("x.toml"), 0, "", "there is no such file")) == "x.toml: there is no such file"


def test_check_looks_past_unknown_keys(tmp_path: Path) -> None:
    path = written(tmp_path, '[[people]]\nname = "Ada"\nnmae = 1\n[[people]]\nname = "Ada"\n')
    expected = [(3, "people[0].nmae", "is not a known key; did you mean 'name'?"), (5, "people[1].name", "Ada again")]
    assert faults_of(path) == expected


def test_a_model_judges_itself_past_unknown_keys(tmp_path: Path) -> None:
    path = written(tmp_path, "[ropes.long]\nform_m = 1\nfrom_m = 2\nto_m = 1.5\n")
    with pytest.raises(Faults) as caught:
        documents.load(path, Ropes)
    assert [(fault.line, fault.key, fault.sentence) for fault in caught.value.faults] == [
        (1, "ropes.long", "a rope ends after it begins"),
        (2, "ropes.long.form_m", "is not a known key; did you mean 'from_m'?"),
    ]


FAULTY = """\
people = [
  { name = "Ada" },
  { name = 7, pets = { cat = 1.5 } },
  { age = 3 },
  { name = "Ada", pets = { cat = "none" } },
  { name = "Bob" },
  { name = "Bob" },
]
"""


def test_check_runs_on_the_remains_only_when_asked(tmp_path: Path) -> None:
    path = written(tmp_path, FAULTY)
    bad_values = [
        (3, "people[1].name", "must be text, not 7"),
        (3, "people[1].pets.cat", "must be a whole number, not 1.5"),
        (4, "people[2].name", "is required, but missing"),
        (5, "people[3].pets.cat", 'must be a whole number, not "none"'),
    ]
    assert faults_of(path) == bad_values
    clashes = [(5, "people[3].name", "Ada again"), (7, "people[5].name", "Bob again")]
    assert faults_of(path, check_remains=True) == sorted(bad_values + clashes, key=lambda fault: fault[0])


def test_nothing_remains_of_a_file_without_its_only_key(tmp_path: Path) -> None:
    path = written(tmp_path, "people = 3\n")
    assert faults_of(path, check_remains=True) == [(1, "people", "must be an array, not 3")]


def test_an_array_is_not_called_short_because_of_a_bad_item(tmp_path: Path) -> None:
    path = written(tmp_path, 'people = [{ name = "Ada" }, { name = 1 }]')
    assert faults_of(path) == [(1, "people[1].name", "must be text, not 1")]
    path = written(tmp_path, 'people = [{ name = "Ada" }]')
    assert faults_of(path) == [(1, "people", "must have at least 2 items, not 1")]


def test_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    content = b"a = 1\r\n\xff"
    assert documents.digest(written(tmp_path, content)) == hashlib.sha256(content).hexdigest()
    with pytest.raises(Faults, match="there is no such file"):
        documents.digest(tmp_path / "none.toml")


def test_faults_survive_the_way_between_processes() -> None:
    faults = Faults(
        [Fault(Path("b"), 2, "k", "late"), Fault(Path("b"), 1, "k", "early"), Fault(Path("b"), 2, "k", "late")]
    )
    again = copy.copy(faults)  # by the same protocol as pickle
    assert str(again) == "b:1: k: early\nb:2: k: late"


Anything = RootModel[dict[str, object]]


def numbers(value: object, loc: Loc = ()) -> Iterator[tuple[Loc, int]]:
    if isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            yield from numbers(inner, (*loc, key))
    elif isinstance(value, list):
        for index, inner in enumerate(cast("list[object]", value)):
            yield from numbers(inner, (*loc, index))
    elif isinstance(value, int):
        yield loc, value


def lines_found(path: Path) -> list[tuple[int, str]]:
    """Where `documents` sees each number of a file, beside the number."""

    def check(everything: Anything) -> Iterator[Finding]:
        for loc, number in numbers(everything.root):
            yield loc, f"{number} at {documents.dotted(loc)}"

    with pytest.raises(Faults) as caught:
        documents.load(path, Anything, check=check)
    return [(fault.line, fault.sentence) for fault in caught.value.faults]


def test_the_line_of_every_value() -> None:
    found = lines_found(HERE / "lines.toml")
    assert len(found) == 24
    for line, sentence in found:
        assert sentence.startswith(f"{line} at ")


KEYS = st.sampled_from(["a", "b", '"c.d"', "'e f'", "a.b", 'b . "c.d"'])
STATEMENTS = st.sampled_from(
    [
        "[{key}]",
        "[ {key} ] # comment",
        "[[{key}]]",
        "{key} = {line}",
        "{key} = [{line}, {line}] # comment",
        "{key} = [\n# comment\n{line2},\n{{ a = {line3}, b.c = [{line3}] }}, ]",
        "{key} = {{ a = {line}, 'x y' = {{ b = {line} }} }}",
        '{key} = """\n[[a]]\na = 1"""',
        "# [{key}]",
        "",
    ]
)


@given(st.lists(st.tuples(STATEMENTS, KEYS), min_size=3, max_size=14), st.sampled_from(["\n", "\r\n"]))
def test_lines_of_any_file_tomllib_reads(
    tmp_path_factory: pytest.TempPathFactory, parts: list[tuple[str, str]], end: str
) -> None:
    text = ""
    for statement, key in parts:
        line = text.count("\n") + 1
        addition = statement.format(key=key, line=line, line2=line + 2, line3=line + 3) + "\n"
        try:
            tomllib.loads(text + addition)
        except tomllib.TOMLDecodeError:
            continue
        text += addition
    assume(any(numbers(tomllib.loads(text))))
    path = written(tmp_path_factory.getbasetemp(), text.replace("\n", end))
    for line, sentence in lines_found(path):
        assert sentence.startswith(f"{line} at "), text
