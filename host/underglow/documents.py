"""TOML files from outside: values for the program, or every fault at once with file, line and key.

`tomllib` reads the values, pydantic judges them, tree-sitter knows on which line each of them stands.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar, cast, get_args

import tree_sitter_toml
from pydantic import BaseModel, ConfigDict, GetPydanticSchema, ValidationError, ValidationInfo
from pydantic_core import ErrorDetails, core_schema
from tree_sitter import Language, Node, Parser

from underglow.languages import Text, name

Loc: TypeAlias = tuple[str | int, ...]
"""Where a value stands: keys of tables and indexes of arrays, from the top of the file."""

Finding: TypeAlias = tuple[Loc, str]
"""What is wrong where, the latter in one sentence."""


class Section(BaseModel):
    """A table of a file from outside: frozen, and a key it does not know is a fault."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def words(most: int, pattern: str | None = None) -> GetPydanticSchema:
    """Annotate a `Text`: 1 to `most` characters for people, which a catalogue beside the file may translate."""

    def read(value: str, info: ValidationInfo) -> Text:
        return name(value, cast("Path", info.context))

    text = core_schema.str_schema(min_length=1, max_length=most, pattern=pattern)
    schema = core_schema.with_info_after_validator_function(read, text)
    return GetPydanticSchema(lambda _source, _handler: schema)


_NO_DATES = "dates and times have no use here; put quotes around it if it is text"

ModelT = TypeVar("ModelT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing to put right in a file. `line` counts from 1; 0 stands for the file as a whole."""

    file: Path
    line: int
    key: str
    sentence: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else f"{self.file}"
        return f"{place}: {self.key}: {self.sentence}" if self.key else f"{place}: {self.sentence}"


class Faults(Exception):
    """A file cannot be used; `faults` holds every reason, by line."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(dict.fromkeys(faults), key=lambda fault: fault.line))
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))


def load(
    path: Path,
    model: type[ModelT],
    *,
    check: Callable[[ModelT], Iterable[Finding]] | None = None,
    check_remains: bool = False,
) -> ModelT:
    """Read a TOML file as `model`, or raise `Faults`.

    `check` looks for what no single value shows; its findings come in the same run, also when keys unknown to the
    model had to be left out. With `check_remains` it runs even on what is left of a file without the values at fault:
    right for a check that finds clashes, wrong for one that misses something.
    """
    text = _text(path)
    try:
        data = tomllib.loads(text)
        places = _Places(text)
        value, faulty, unknown = _judge(model, data, path)
    except RecursionError:
        raise Faults([Fault(path, 0, "", "arrays or tables are nested too deeply")]) from None
    except ValueError as error:
        raise Faults([_syntax(path, text, error)]) from None

    found = faulty | dict.fromkeys(places.dates, _NO_DATES)
    remains = _Remains(data)
    if unknown:
        remains.drop(unknown)
        value, faulty, _ = _judge(
            model, data, path
        )  # now also by the model's own validators, which unknown keys held up
        found = faulty | found
    while faulty and check_remains and remains.drop(faulty):
        value, faulty, _ = _judge(model, data, path)
    findings = list(found.items())
    if check is not None and value is not None:
        findings += [(remains.original(loc), sentence) for loc, sentence in check(value)]
    if findings or value is None:
        raise Faults(Fault(path, places.line(loc), dotted(loc), sentence) for loc, sentence in findings)
    return value


def digest(path: Path) -> str:
    """SHA-256 of a file's bytes, hex. `Faults` when it cannot be read."""
    return hashlib.sha256(_bytes(path)).hexdigest()


def dotted(loc: Loc) -> str:
    """A place as people write it: `spaces[3].x_mm`."""
    words = ""
    for piece in loc:
        if isinstance(piece, int):
            words += f"[{piece}]"
        else:
            words += ("." if words else "") + (piece if re.fullmatch("[A-Za-z0-9_-]+", piece) else json.dumps(piece))
    return words


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise Faults([Fault(path, 0, "", "there is no such file")]) from None
    except OSError as error:
        raise Faults([Fault(path, 0, "", f"cannot be read: {error.strerror}")]) from None
    except ValueError as error:  # a NUL in the path
        raise Faults([Fault(path, 0, "", f"cannot be read: {error}")]) from None


def _text(path: Path) -> str:
    content = _bytes(path)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Faults([Fault(path, line, "", "not valid TOML: this line is not UTF-8 text")]) from None


def _syntax(path: Path, text: str, error: ValueError) -> Fault:
    if not isinstance(error, tomllib.TOMLDecodeError):  # Python's limit on the length of numbers
        return Fault(path, 0, "", "a number has too many digits")
    message = str(error)
    line = text.count("\n") + 1
    if place := re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message):
        message = message[: place.start()]
        line = int(place[1] or line)
    return Fault(path, line, "", f"not valid TOML: {message[:1].lower()}{message[1:]}")


class _Places:
    """The line of every key and array item of a TOML text that `tomllib` has accepted."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Loc, int] = {(): 1}
        self._sizes: dict[Loc, int] = {}  # of arrays of tables, so far
        self.dates: list[Loc] = []
        table: Loc = ()
        for node in Parser(Language(tree_sitter_toml.language())).parse(text.encode()).root_node.named_children:
            if node.type == "pair":
                self._pair((), node)
            elif node.type in ("table", "table_array_element"):
                header, *pairs = [child for child in node.named_children if child.type != "comment"]
                table = self._header(header, array=node.type == "table_array_element")
                for pair in pairs:
                    self._pair(table, pair)

    def line(self, loc: Loc) -> int:
        """The line of the value at `loc`; where it is missing, of what should hold it."""
        while loc not in self._lines:
            loc = loc[:-1]
        return self._lines[loc]

    def _header(self, node: Node, *, array: bool) -> Loc:
        line = node.start_point.row + 1
        keys = _keys(node)
        loc: Loc = ()
        for key in keys[:-1]:
            loc = (*loc, key)
            self._lines.setdefault(loc, line)
            if loc in self._sizes:
                loc = (*loc, self._sizes[loc] - 1)
        loc = (*loc, keys[-1])
        if array:
            self._lines.setdefault(loc, line)
            self._sizes[loc] = self._sizes.get(loc, 0) + 1
            loc = (*loc, self._sizes[loc] - 1)
        self._lines[loc] = line
        return loc

    def _pair(self, table: Loc, node: Node) -> None:
        key, *_, value = [child for child in node.named_children if child.type != "comment"]
        loc = table
        for word in _keys(key):
            loc = (*loc, word)
            self._lines.setdefault(loc, node.start_point.row + 1)
        self._value(loc, value)

    def _value(self, loc: Loc, node: Node) -> None:
        children = [child for child in node.named_children if child.type != "comment"]
        if node.type == "array":
            for index, item in enumerate(children):
                self._lines[*loc, index] = item.start_point.row + 1
                self._value((*loc, index), item)
        elif node.type == "inline_table":
            for pair in children:
                self._pair(loc, pair)
        elif "date" in node.type or "time" in node.type:
            self.dates.append(loc)


def _keys(node: Node) -> list[str]:
    text = (node.text or b"").decode()
    if node.type == "bare_key":
        return [text]
    # tomllib reads the key as well, so quotes and escapes mean here what they meant to it.
    value: object = tomllib.loads(f"{text} = 0")
    keys: list[str] = []
    while isinstance(value, dict):
        ((key, value),) = cast("dict[str, object]", value).items()
        keys.append(key)
    return keys


def _judge(model: type[ModelT], data: dict[str, object], path: Path) -> tuple[ModelT | None, dict[Loc, str], set[Loc]]:
    """The value, or what is wrong with it where, and which of that are keys the model does not have."""
    try:
        # By way of JSON, where pydantic's strict mode takes arrays as tuples and text as enums, yet no "3" as 3.
        return model.model_validate_json(json.dumps(data, default=str), strict=True, context=path), {}, set()
    except ValidationError as error:
        details = error.errors(include_url=False)
    sentences: dict[Loc, list[str]] = {}
    unknown: set[Loc] = set()
    for detail in details:
        inside = [other for other in details if other["loc"][: len(detail["loc"])] == detail["loc"]]
        if detail["type"] == "too_short" and len(inside) > 1:
            continue  # pydantic counted the good items only
        loc = _settled(detail, data)
        if detail["type"] == "extra_forbidden":
            unknown.add(loc)
        sentences.setdefault(loc, []).append(_unknown(model, loc) if loc in unknown else _sentence(detail))
    return None, {loc: _either(words) for loc, words in sentences.items()}, unknown


def _settled(detail: ErrorDetails, data: object) -> Loc:
    """The place in the file: without the names of union members that pydantic puts into its own."""
    loc: Loc = ()
    for number, piece in enumerate(detail["loc"], start=1):
        last = number == len(detail["loc"])
        if isinstance(data, dict) and piece in (table := cast("dict[str | int, object]", data)):
            data = table[piece]
        elif isinstance(data, list) and isinstance(piece, int) and piece < len(items := cast("list[object]", data)):
            data = items[piece]
        elif not (last and detail["type"] == "missing"):
            continue
        loc = (*loc, piece)
    return loc


def _unknown(model: type[BaseModel], loc: Loc) -> str:
    """Name the key the writer may have meant."""
    models = {model}
    for piece in loc[:-1]:
        fields = [
            inner.model_fields[piece] for inner in models if isinstance(piece, str) and piece in inner.model_fields
        ]
        models = {inner for field in fields for inner in _models(field.annotation)} if fields else models
    known = [field.alias or name for inner in models for name, field in inner.model_fields.items()]
    near = difflib.get_close_matches(str(loc[-1]), sorted(known), n=1)
    return f"is not a known key; did you mean {near[0]!r}?" if near else "is not a known key"


def _models(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)


_MUST = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "an array",
    "tuple_type": "an array",
    "set_type": "an array",
    "frozen_set_type": "an array",
    "dict_type": "a table",
    "model_type": "a table",
    "literal_error": "{expected}",
    "enum": "{expected}",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "string_pattern_mismatch": "text that matches {pattern}",
    "union_tag_invalid": "a table whose {discriminator} is {expected_tags}",
    "union_tag_not_found": "a table with {discriminator}",
}
"""What a value must be, by pydantic's type of error."""

_COUNT = {
    "too_short": ("at least", "min_length", "item"),
    "too_long": ("at most", "max_length", "item"),
    "string_too_short": ("at least", "min_length", "character"),
    "string_too_long": ("at most", "max_length", "character"),
}


def _sentence(detail: ErrorDetails) -> str:
    kind, given, context = detail["type"], cast("object", detail["input"]), detail.get("ctx", {})
    if kind in _MUST:
        limits = {name: _shown(limit) if isinstance(limit, float) else limit for name, limit in context.items()}
        return f"must be {_MUST[kind].format(**limits)}, not {_shown(given)}"
    if kind in _COUNT:
        bound, name, noun = _COUNT[kind]
        count = int(context[name])
        size = context.get("actual_length") or len(cast("list[object] | str", given))
        return f"must have {bound} {count} {noun}{'' if count == 1 else 's'}, not {size}"
    if kind == "missing":
        return "is required, but missing"
    if kind == "value_error":
        return str(context["error"])
    if kind == "json_invalid":  # json.dumps wrote it, so this is pydantic's own limit
        return "arrays or tables are nested too deeply"
    message = detail["msg"]
    return f"{message[:1].lower()}{message[1:]}"


def _either(sentences: list[str]) -> str:
    """One sentence of the verdicts of all members of a union on the same value."""
    first, *others = dict.fromkeys(sentences)
    heads = [sentence.rpartition(", not ")[0] for sentence in (first, *others)]
    if others and all(head.startswith("must be ") for head in heads):
        return " or ".join([heads[0], *(head.removeprefix("must be ") for head in heads[1:])]) + first[len(heads[0]) :]
    return "; or ".join([first, *others])


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, float):
        return f"{value:.10g}"
    words = json.dumps(value, ensure_ascii=False)
    return words if len(words) <= 40 else f"{words[:36]} ..."


class _Remains:
    """A document that loses its values at fault, and still knows where what is left of it stood."""

    def __init__(self, data: dict[str, object]) -> None:
        self._data = data
        self._indexes: dict[Loc, list[int]] = {}  # of arrays that lost items: where those left stood

    def drop(self, locs: Iterable[Loc]) -> bool:
        """Remove values; for those that are not there, what should hold them. False: that is the whole document."""
        doomed = {self._existing(loc) for loc in locs}
        outer = {loc for loc in doomed if not any(loc[:size] in doomed for size in range(len(loc)))}
        if () in outer:
            return False
        # Last items first, so that the indexes of those before them stay true.
        for loc in sorted(outer, key=lambda loc: [(isinstance(piece, int), piece) for piece in loc], reverse=True):
            *parents, last = loc
            holder: object = self._data
            for piece in parents:
                holder = _item(holder, piece)
            if isinstance(holder, list):
                items = cast("list[object]", holder)
                del self._indexes.setdefault(self.original(loc[:-1]), list(range(len(items))))[cast("int", last)]
                del items[cast("int", last)]
            else:
                del cast("dict[str | int, object]", holder)[last]
        return True

    def original(self, loc: Loc) -> Loc:
        """Where a value stood in the file."""
        stood: Loc = ()
        for piece in loc:
            indexes = self._indexes.get(stood)
            stood = (*stood, indexes[piece] if indexes and isinstance(piece, int) and piece < len(indexes) else piece)
        return stood

    def _existing(self, loc: Loc) -> Loc:
        value: object = self._data
        for size, piece in enumerate(loc):
            try:
                value = _item(value, piece)
            except LookupError:
                return loc[:size]
        return loc


def _item(holder: object, piece: str | int) -> object:
    if isinstance(holder, list):
        return cast("list[object]", holder)[cast("int", piece)]
    return cast("dict[str | int, object]", holder)[piece]
