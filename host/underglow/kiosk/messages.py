"""The messages between server and page: JSON objects of one kind each.

Server to page: `board`, `table`, `glow`, `magnets`, of a table that nobody looks after `attendant`; to the table's own
pages, also `house`, `door` and, with phones, `invitations`. Page to server: `place`, `lift`, `choose`, `undo`, `agree`,
`redo`, `invite`, `free`, and to the attendant `touch`, `begin`, `go_on`, `leave`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from underglow.kiosk import qr
from underglow.kiosk.attendant import Attendance
from underglow.languages import Text, spoken
from underglow.languages.catalogue import ENGLISH
from underglow.profile import Board
from underglow.snapshot import Choice, Snapshot

MESSAGE_BYTES = 512
"""A longer message from a page closes its socket."""

LOG_LINES = 60
"""What the page shows of the log: the newest lines."""

LED_GAMMA = 2.4
"""What the firmware's lights apply between a lamp's colour and the strip."""

# An allow-list: a key the table adds later stays in the house until somebody decides that it is public.
PUBLIC = (
    "title",
    "link",
    "number",
    "turn",
    "prompt",
    "understood",
    "layout",
    "tokens",
    "overlay",
    "history",
    "outcome",
)

ATTENDANCE = ("phase", "says", "left_s", "round", "offers", "unfinished")
"""The same of the attendant."""

Colour = tuple[int, int, int]
Name = Annotated[str, Field(min_length=1, max_length=64)]
Count = Annotated[int, Field(ge=0, lt=2**53)]


class Malformed(ValueError):
    """A page sent something that it never sends; the sentence closes its socket."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message to pages, of one kind: written once in each language that one of them speaks."""

    kind: str
    value: object
    _texts: dict[str, str] = field(default_factory=dict[str, str], compare=False, repr=False)

    def text(self, language: str = ENGLISH) -> str:
        """The message in that language."""
        text = self._texts.get(language)
        if text is None:
            said = self.value if language == ENGLISH else spoken(self.value, language)
            text = json.dumps({self.kind: said}, ensure_ascii=False, separators=(",", ":"))
            self._texts[language] = text
        return text


class Message(BaseModel):
    """What a page says: exactly these keys and types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Place(Message):
    """The mouse set a magnet down: token, then space of the board."""

    place: tuple[Name, Name]


class Lift(Message):
    """The mouse took a magnet off the board."""

    lift: Name


class Choose(Message):
    """A page chose: index among the choices and moves it was told, and number of the snapshot that offered them."""

    choose: Count
    number: Count


class Undo(Message):
    """A seat, or the table, takes the last step back, or asks for it: number of the snapshot that shows it."""

    undo: Count


class Agree(Message):
    """A seat agrees to an undo, or all at the table do: number of the snapshot that asks for it."""

    agree: Count


class Redo(Message):
    """A seat, or the table, plays again what was taken back last: number of the snapshot that shows it."""

    redo: Count


class Invite(Message):
    """The table's own page wants another code for a seat, for a second phone."""

    invite: Count


class Free(Message):
    """The table's own page frees a seat: its phones leave."""

    free: Count


class Touch(Message):
    """Somebody touched the page."""

    touch: Literal[True]


class Begin(Message):
    """Somebody chose a game on the idle screen: game, scenario, seats."""

    begin: tuple[Name, Name, Count]


class GoOn(Message):
    """Somebody wants the unfinished game back."""

    go_on: Literal[True]


class Leave(Message):
    """Somebody wants another game."""

    leave: Literal[True]


ToAttendant = Touch | Begin | GoOn | Leave
AtHome = ToAttendant | Place | Lift | Invite | Free
"""What only the table's own pages say."""
FromPage = AtHome | Choose | Undo | Agree | Redo
_MESSAGES: TypeAdapter[FromPage] = TypeAdapter(FromPage)


def read(text: str) -> FromPage:
    """Read a page's message. Malformed: it is none."""
    try:
        return _MESSAGES.validate_json(text)
    except ValidationError as error:
        sentence = 'expected {"place": [token, space]}, {"lift": token}, {"choose": index, "number": n} or {"undo": n}'
        raise Malformed(sentence) from error


def board(profile: Board, *, bench: bool) -> Letter:
    """What never changes: spaces, lamps and pixels in mm from the board's top-left corner."""
    return Letter(
        "board",
        {
            "name": profile.name,
            "title": profile.title,
            "width_mm": profile.width_mm,
            "height_mm": profile.height_mm,
            "hex_mm": profile.hex_mm,
            "zone_mm": profile.zone_mm,
            "bench": bench,
            "spaces": [
                {
                    "id": space.id,
                    "kind": space.kind,
                    "x_mm": space.x_mm,
                    "y_mm": space.y_mm,
                    "lamps": dict(space.lamps),
                }
                for space in profile.spaces
            ],
            "lamps": profile.lamps,
            "pixels": profile.pixel_mm,
        },
    )


def table(
    snapshot: Snapshot,
    view: Mapping[str, object],
    seat: int | None,
    *,
    watches: bool = False,
    moves: bool = False,
) -> Letter:
    """The table as one seat (None: the public) may see it: its own view and its own choices.

    With `moves`, what hands can show is told beside the choices.

    Who only `watches`, from elsewhere on the network, is offered nothing.
    """
    shown: dict[str, object] = {key: value for key, value in snapshot.items() if key in PUBLIC}
    shown["log"] = snapshot["log"][-LOG_LINES:]
    own = [] if watches else offered(snapshot, seat, moves=moves)
    indices = [choice["index"] for choice in own]
    # Counted for itself: an index among all choices tells everybody how many there are before it.
    counted = [choice | {"index": index} for index, choice in enumerate(own)]
    choices = sum(index < len(snapshot["choices"]) for index in indices)
    shown["choices"], shown["moves"] = counted[:choices], counted[choices:]
    shown["shown"] = indices.index(snapshot["shown"]) if snapshot["shown"] in indices else None
    return Letter("table", shown | {"seat": seat, "view": view})


def offered(snapshot: Snapshot, seat: int | None, *, moves: bool) -> list[Choice]:
    """The choices that a page may take: a seat its own, the public what is no secret of anybody (as the buttons do).

    With `moves`, what hands can show comes after them.
    """
    every: list[Choice] = [*snapshot["choices"], *(snapshot["moves"] if moves else ())]
    if seat is None:
        return [choice for choice in every if choice["open"]]
    return [choice for choice in every if choice["seat"] == seat]


def house(*, home: bool) -> Letter:
    """Whether that page is one of this machine: it may take any seat and move magnets."""
    return Letter("house", {"home": home})


def invitations(address: str, seats: Iterable[tuple[int, str | None, int]]) -> Letter:
    """For each seat the code that leads there, if there is one, and how many phones sit there.

    The code stands behind the #: a browser keeps that part to itself.
    """
    told: list[dict[str, object]] = []
    for seat, code, phones in seats:
        width, path = qr.drawing(f"{address}#{code}") if code else (0, "")
        told.append({"seat": seat, "code": code, "phones": phones, "width": width, "path": path})
    return Letter("invitations", {"address": address, "seats": told})


def attendant(told: Attendance) -> Letter:
    """What the attendant of a table that nobody looks after has to say."""
    return Letter("attendant", {key: told[key] for key in ATTENDANCE})


def door(way: str, missing: Text) -> Letter:
    """The way in for staff: shut, ajar or called; and what to do first to have a PIN, if there is none."""
    return Letter("door", {"is": way, "missing": missing})


def glow(pixels: Sequence[Colour]) -> Letter:
    """The strip: six hex digits a pixel, red first, as the LEDs got them (linear, not for a screen)."""
    return Letter("glow", bytes(chain.from_iterable(pixels)).hex())


def glow_of_lamps(board: Board, lamps: Sequence[Sequence[str | int]]) -> Letter:
    """The strip as the lamps were last sent: what is known of it when nobody can watch the strip itself."""
    pixels: list[Colour] = [(0, 0, 0)] * len(board.pixel_mm)
    for members, (effect, red, green, blue) in zip(board.lamps, lamps, strict=False):
        lit = effect != "off"
        for pixel in members if lit else ():
            pixels[pixel] = (_linear(red), _linear(green), _linear(blue))
    return glow(pixels)


def magnets(where: Mapping[str, str]) -> Letter:
    """Where the magnets stand: token to space; a magnet that is nowhere is not named."""
    return Letter("magnets", dict(where))


def _linear(channel: str | int) -> int:
    return round(255 * (int(channel) / 255) ** LED_GAMMA)
