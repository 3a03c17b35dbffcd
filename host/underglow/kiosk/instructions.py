"""What staff may ask for on their page: JSON objects of one kind each."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from underglow.kiosk.messages import Count, Malformed, Message, Name

Percent = Annotated[int, Field(ge=5, le=100)]


class Here(Message):
    """Somebody is still at the page."""

    here: Literal[True]


class Lock(Message):
    """Nobody is any more: ask for the PIN again."""

    lock: Literal[True]


class Dress(Message):
    """Show meanings by that theme."""

    theme: Name


class Dim(Message):
    """Light the board so brightly, in percent of its profile's brightness."""

    brightness: Percent


class Offer(Message):
    """Offer a scenario or not: game, scenario, whether."""

    offer: tuple[Name, Name, bool]


class Start(Message):
    """Begin a game now, whatever is on the table: game, scenario, seats."""

    start: tuple[Name, Name, Count]


class Deafen(Message):
    """Take a place's sensors out of service, or back: place, whether it is out."""

    deafen: tuple[Name, bool]


class Examine(Message):
    """Test the table."""

    examine: Literal[True]


class Seen(Message):
    """Whether a person saw all the colours of the test on every space."""

    seen: bool


class Restart(Message):
    """End the program, for whoever starts it again."""

    restart: Literal[True]


Instruction = Dress | Dim | Offer | Start | Deafen | Examine | Seen | Restart
"""What the keeper of the table does."""
_MESSAGES: TypeAdapter[Instruction | Here | Lock] = TypeAdapter(Instruction | Here | Lock)


def read(text: str) -> Instruction | Here | Lock:
    """Read what the staff's page sent. Malformed: it is nothing that it ever sends."""
    try:
        return _MESSAGES.validate_json(text)
    except ValidationError as error:
        raise Malformed('expected {"theme": name}, {"brightness": percent} or another wish of the staff') from error
