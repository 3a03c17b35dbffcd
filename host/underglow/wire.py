r"""The wire protocol, once: these bytes run on the host (CPython) and on the Pico (MicroPython).

A frame is one line of text:

    ":" base64(code u8, session u16, body, crc32 u32) "\n"

so no byte below 0x20 but the newline is ever sent (a single 0x03 would empty the Pico's receive ring), a reader that
lost its place finds the next frame at the next ":", and both base64 and CRC-32 run in C on either side.

What is sent is state, not edges. `occupancy` is the whole settled state under a number that only grows. `lamps` says
what changed from the state numbered one less, or everything when WHOLE is set. `beat` and `status` name what each end
holds; whoever sees a difference sends the whole again. Session and boot ids make stale traffic visible.

Everything here is without I/O and without a clock; input of any origin is bounded, counted and skipped.
"""

# pyright: reportConstantRedefinition=false

import binascii
import struct
from collections import namedtuple

try:
    from typing import TYPE_CHECKING
except ImportError:  # MicroPython
    TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, NamedTuple, ParamSpec, TypeVar

    _P = ParamSpec("_P")
    _T = TypeVar("_T")
else:

    def NamedTuple(name, fields):  # noqa: N802, D103 - stands in for typing's, which MicroPython has not
        return namedtuple(name, [field for field, _ in fields])


if TYPE_CHECKING:

    def _native(function: Callable[_P, _T]) -> Callable[_P, _T]: ...
else:
    try:
        from micropython import native as _native
    except ImportError:  # CPython

        def _native(function):
            return function


PROTOCOL = 1

#: Host to board: open a session (its number is in the frame). The board answers with `welcome`.
Hello = NamedTuple("Hello", [("protocol", int), ("schema", int), ("profile", int)])
#: Board to host: who is there. `boot` differs after every start; `firmware` is a version in ASCII.
Welcome = NamedTuple(
    "Welcome",
    [
        ("protocol", int),
        ("schema", int),
        ("profile", int),
        ("boot", int),
        ("sensors", int),
        ("lamps", int),
        ("firmware", bytes),
    ],
)
#: Board to host: the settled state of all hall sensors (bit 7 of byte 0 is sensor 0; set means "a token is there"), and
#: in `presses` how often each button was pressed, a byte each, confirm lowest (see CONFIRM), wrapping.
Occupancy = NamedTuple("Occupancy", [("number", int), ("presses", int), ("sensors", bytes)])
#: Board to host: what NFC reader `reader` of `readers` reads. All of them together are one state under one number.
#: `fault` is what is wrong with the reader: 0 nothing, 1 it does not answer, 2 it hung and was reset, 3 it lost its
#: settings and was set up again. `uids` holds a byte of flags and length, then the UID, for each tag.
Tags = NamedTuple("Tags", [("number", int), ("reader", int), ("readers", int), ("fault", int), ("uids", bytes)])
#: Host to board: lamp programs as groups (see `groups`) and the brightness of the whole board, 0 to 255.
Lamps = NamedTuple("Lamps", [("number", int), ("flags", int), ("brightness", int), ("groups", bytes)])
#: Host to board: what the host holds. The board answers each with `status`.
Beat = NamedTuple("Beat", [("stamp", int), ("lamps", int), ("occupancy", int), ("tags", int)])
#: Board to host: what the board holds and how it is. `stamp` is the beat's, or 0 when nobody asked; `scans` and
#: `frames` count since the start, `skipped` counts bytes that were no part of a valid frame (all wrap at 2**30).
Status = NamedTuple(
    "Status",
    [
        ("stamp", int),
        ("lamps", int),
        ("lamps_crc", int),
        ("occupancy", int),
        ("occupancy_crc", int),
        ("tags", int),
        ("scans", int),
        ("frames", int),
        ("skipped", int),
        ("load_ma", int),
    ],
)
#: Board to host: something went wrong; `detail` is ASCII for the log.
Fault = NamedTuple("Fault", [("code", int), ("detail", bytes)])

#: One line a message: code, type, body layout ("<" little-endian as in `struct`; "*" takes the rest as bytes).
MESSAGES = (
    (1, Hello, "<BII"),
    (2, Welcome, "<BIIIHH*"),
    (3, Occupancy, "<II*"),
    (4, Tags, "<IBBB*"),
    (5, Lamps, "<IBB*"),
    (6, Beat, "<HIII"),
    (7, Status, "<HIIIIIIIIH"),
    (8, Fault, "<B*"),
)
TO_BOARD = (Hello, Lamps, Beat)
TO_HOST = (Welcome, Occupancy, Tags, Status, Fault)

if TYPE_CHECKING:
    Message = Hello | Welcome | Occupancy | Tags | Lamps | Beat | Status | Fault

#: `Lamps.flags`: the groups say everything from here on; the number before does not matter.
WHOLE = 1

#: Bytes of `Occupancy.presses`; the last counts the staff's gesture, all three held together.
CONFIRM, UNDO, HELP, STAFF = range(4)

#: In `Tags.uids`: the tag counts as being at this reader; another reader reads it as well; the length.
HELD = 0x80
CONFLICT = 0x40
UID_LENGTH = 0x0F

#: `Fault.code`
FAULT_LAMPS = 1  # a lamps message names a lamp or effect this board does not have
FAULT_CRASH = 2  # the loop raised; `detail` is the exception, the loop starts again

OFF, SOLID, PULSE, BLINK, BREATHE, CHASE, SWEEP = range(7)
EFFECTS = ("off", "solid", "pulse", "blink", "breathe", "chase", "sweep")

#: A lamp program: effect, red, green, blue, period in ms, phase in 1/256 of a period.
PROGRAM = "<BBBBHB"
PROGRAM_BYTES = 7

MAX_BODY = 192
_HEAD = "<BH"
_HEAD_BYTES = 3
_CRC_BYTES = 4
_RESIDUE = 0x2144DF1C
_MAX_PAYLOAD = _HEAD_BYTES + MAX_BODY + _CRC_BYTES
#: Base64 text of the longest payload.
MAX_LINE = (_MAX_PAYLOAD + 2) // 3 * 4
MAX_FRAME = MAX_LINE + 2

#: A frame begins with it.
START = 0x3A  # ":"
_END = 0x0A
_CTRL_C = 0x03
_CR = 0x0D
_BASE64 = bytearray(256)
for _c in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=":
    _BASE64[_c] = 1

# Code, type, layout from the head on, where a tail begins, and whether there is one.
_BY_TYPE: "dict[type[Message], tuple[int, type[Message], str, int, bool]]" = {}
for _code, _type, _format in MESSAGES:
    _layout = _HEAD + _format.rstrip("*")[1:]
    _form = (_code, _type, _layout, struct.calcsize(_layout), _format[-1] == "*")
    _BY_TYPE[_type] = _form

#: Both ends must have the same message table; a difference is refused in `welcome` with the remedy.
SCHEMA = binascii.crc32(
    " ".join([f"{c} {t.__name__} {f}" for c, t, f in MESSAGES] + [PROGRAM] + list(EFFECTS)).encode()
)


@_native
def encode(session: int, message: "Message") -> bytes:
    """One frame as bytes. ValueError: the body is longer than MAX_BODY."""
    code, _, layout, _, has_tail = _BY_TYPE[type(message)]
    fields: list[Any] = list(message)
    tail: bytes = fields.pop() if has_tail else b""
    payload = struct.pack(layout, code, session, *fields) + tail
    if len(payload) > _HEAD_BYTES + MAX_BODY:
        raise ValueError(f"a {type(message).__name__} of {len(payload) - _HEAD_BYTES} bytes is longer than {MAX_BODY}")
    return b":" + binascii.b2a_base64(payload + struct.pack("<I", binascii.crc32(payload)))


class Decoder:
    """Bytes in any cuts to whole, valid messages; everything else is counted in `skipped`.

    `accepts` are the message types this end listens to. Memory is one line, whatever comes.
    """

    def __init__(self, accepts: "Sequence[type[Message]]"):
        self._forms = {form[0]: form for form in map(_BY_TYPE.__getitem__, accepts)}
        self._line = bytearray(MAX_LINE)
        self._view = memoryview(self._line)
        self._fill = -1  # bytes of the line so far; -1: not inside a frame
        self._last = 0  # the byte before, outside frames
        self.skipped = 0
        #: A Ctrl-C right after a CR or another Ctrl-C, outside any frame: somebody wants the REPL. A lone 0x03 is
        #: line noise.
        self.interrupted = False

    def feed(self, data: "bytes | bytearray", count: int = -1) -> "Iterator[tuple[int, Message]]":
        """Yield (session, message) for every frame that ends within the first `count` bytes of `data`."""
        line = self._line
        base64 = _BASE64
        fill = self._fill
        for i in range(len(data) if count < 0 else count):
            byte = data[i]
            if fill >= 0:
                if base64[byte] and fill < MAX_LINE:
                    line[fill] = byte
                    fill += 1
                    continue
                found = self._open(self._view[:fill], fill) if byte == _END else None
                if found:
                    self._fill = fill = -1
                    yield found
                    continue
                self._skip(fill + 1)
                fill = -1
            if byte == START:
                self._last = fill = 0
                continue
            self._skip(1)
            if byte == _CTRL_C and (self._last == _CTRL_C or self._last == _CR):
                self.interrupted = True
            self._last = byte
        self._fill = fill

    @_native
    def whole(self, data: "bytes") -> "tuple[int, Message] | None":
        """Take what follows a START, if that is the rest of a frame and nothing else, as it mostly is.

        (session, message), without a look at each byte; None: it is not, and nothing is taken.
        """
        size = len(data) - 1
        if self._fill >= 0 or not 0 < size <= MAX_LINE or data[size] != _END:
            return None
        self._last = 0
        return self._open(data, size)

    @property
    def inside(self) -> bool:
        """Whether a frame has begun and not ended."""
        return self._fill >= 0

    def _skip(self, count: int):
        self.skipped = (self.skipped + count) & 0x3FFFFFFF

    @_native
    def _open(self, text: "bytes | bytearray | memoryview", size: int) -> "tuple[int, Message] | None":
        """Turn a finished line of `size` characters of base64 into (session, message).

        None if it is not a frame this end listens to.
        """
        try:
            payload = binascii.a2b_base64(text)
        except ValueError:
            return None
        # What is no base64 was left out in silence: the length tells. The CRC of data with its CRC is always the same.
        end = len(payload) - _CRC_BYTES
        if size != (end + _CRC_BYTES + 2) // 3 * 4 or end < _HEAD_BYTES or binascii.crc32(payload) != _RESIDUE:
            return None
        form = self._forms.get(payload[0])
        if not form:
            return None
        _, message, layout, tail_at, has_tail = form
        if end < tail_at or (end > tail_at and not has_tail):
            return None
        _, session, *fields = struct.unpack_from(layout, payload)
        if has_tail:
            fields.append(payload[tail_at:end])
        return session, message(*fields)


def group(program: "Sequence[int]", lamps: "Sequence[int]") -> bytes:
    """One group of a `lamps` message: a program for some lamps (at most 255), in order.

    `program` is (effect, red, green, blue, period_ms, phase). A lamp number takes one byte below 128, else two.
    CHASE and SWEEP run along the group: lamp i of n comes i/n of a period later than the phase says.
    """
    numbers = b"".join([bytes((n,)) if n < 0x80 else bytes((0x80 | n & 0x7F, n >> 7)) for n in lamps])
    return struct.pack(PROGRAM, *program) + bytes((len(lamps),)) + numbers


def apply(groups: bytes, programs: bytearray):
    """Write `groups` into `programs` (PROGRAM_BYTES a lamp, in place). ValueError: not for this board."""
    at = 0
    end = len(groups)
    while at < end:
        numbers_at = at + PROGRAM_BYTES + 1
        if numbers_at > end or groups[at] >= len(EFFECTS):
            raise ValueError("no such effect")
        count = groups[numbers_at - 1]
        spread = groups[at] >= CHASE
        program = groups[at : at + PROGRAM_BYTES]
        at = numbers_at
        for i in range(count):
            lamp = groups[at] if at < end else 0x80
            at += 1
            if lamp & 0x80:
                if at >= end:
                    raise ValueError("a group is cut short")
                lamp = lamp & 0x7F | groups[at] << 7
                at += 1
            to = lamp * PROGRAM_BYTES
            if to >= len(programs):
                raise ValueError("no such lamp")
            programs[to : to + PROGRAM_BYTES] = program
            if spread:
                programs[to + PROGRAM_BYTES - 1] = (program[-1] + 256 * i // count) & 0xFF


def picture_crc(programs: bytearray, brightness: int) -> int:
    """CRC of everything the lamps messages have built up, for `status`."""
    return binascii.crc32(programs, brightness)
