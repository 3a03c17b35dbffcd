"""What the states of games share: how they are made, and their text form."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, NamedTuple, Self, TypeAlias, cast

from pydantic import Field, GetCoreSchemaHandler, TypeAdapter, ValidationError, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from underglow.games.agenda import Choices, TextForm
from underglow.games.contract import Scenario

Natural: TypeAlias = Annotated[int, Field(ge=0)]
Number: TypeAlias = Annotated[int, Field(ge=-1)]
Numbers: TypeAlias = tuple[Natural, ...]


class Deck(NamedTuple):
    """Cards to draw from the front, and those discarded, face up."""

    draw: Numbers
    discard: Numbers


class ByDigest:
    """Scenarios in text: the digest of the file, read as the scenario at hand."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        written = core_schema.plain_serializer_function_ser_schema(lambda scenario: scenario.digest)
        return core_schema.with_info_plain_validator_function(_at_hand, serialization=written)


def _at_hand(digest: object, info: ValidationInfo) -> Scenario:
    scenario = cast("Scenario", info.context)
    if digest != scenario.digest:
        raise ValueError("it was another file")
    return scenario


class ByName:
    """Agendas in text: each task by its name. `tasks` tells the form, once it is needed: tasks know states."""

    def __init__(self, tasks: Callable[[], TextForm]) -> None:
        self._tasks = tasks

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        form = self._tasks()
        written = core_schema.plain_serializer_function_ser_schema(form.write)
        return core_schema.no_info_plain_validator_function(form.read, serialization=written)


class Frozen:
    """A state: a frozen dataclass of values. It has room for what follows from it and is wanted twice.

    That are its choices: by whoever chooses, and when the choice is checked.
    """

    __slots__ = ("choices",)
    choices: Choices

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Self:
        """The state with these fields, all of them; the dictionary is then the state's own."""
        state = object.__new__(cls)
        object.__setattr__(state, "__dict__", fields)
        return state

    def misfit(self) -> str:
        """Return the field whose numbers mean nothing in the state's scenario, "" if all do."""
        raise NotImplementedError

    def to_json(self) -> str:
        """The canonical text form: equal states give equal texts."""
        return _text_form(type(self)).dump_json(self).decode()

    @classmethod
    def from_json(cls, text: str, scenario: Scenario) -> Self:
        """Read the text form. ValueError: it is not a state of that scenario."""
        try:
            state = cast("Self", _text_form(cls).validate_json(text, strict=True, context=scenario))
        except ValidationError as error:
            wrong = ".".join(map(str, error.errors()[0]["loc"])) or "the text"
        else:
            wrong = state.misfit()
            if not wrong:
                return state
        raise ValueError(f"This is not a state of the scenario {scenario.id} at hand: {wrong} does not fit.")


@cache
def _text_form(kind: type[Frozen]) -> TypeAdapter[Frozen]:
    return TypeAdapter(kind)
