"""The staff's PIN: kept hashed, and tried slowly, by whomever.

After five wrong ones nobody is heard for a minute, after the next for two, and so on up to an hour; only time and the
right PIN end that, and a restart does not.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import threading
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from underglow.kiosk import whole_file
from underglow.languages import SILENCE, Said, Text, counted, say

log = logging.getLogger(__name__)

PIN = "pin.json"
"""The file's name in the folder of a table."""

DIGITS = 4, 12
"""Least and most of a PIN."""

WRONG = 5
FIRST_S, LONGEST_S = 60.0, 3600.0

_N, _R, _P = 2**14, 8, 1  # 16 MB and some 50 ms: https://www.rfc-editor.org/rfc/rfc7914
_SALT_BYTES = 16

_HEX = Annotated[str, Field(pattern=r"^([0-9a-f]{2}){16,64}$")]
_TRIES: TypeAdapter[int] = TypeAdapter(Annotated[int, Field(ge=0, strict=True)])


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    n: int = Field(ge=2, le=2**16)
    r: int = Field(ge=1, le=8)
    p: int = Field(ge=1, le=4)
    salt: _HEX
    hash: _HEX

    def hashes_to(self, digits: str) -> bytes:
        """What those digits hash to; takes its time."""
        room = 2 * 128 * self.r * self.n + (1 << 20)
        salt = bytes.fromhex(self.salt)
        return hashlib.scrypt(digits.encode(), salt=salt, n=self.n, r=self.r, p=self.p, maxmem=room)


class Unheard(Said):
    """No PIN is heard now; `says` tells why."""


class NoPin(Unheard):
    """There is no PIN that could be right; the message says what to do."""


class Locked(Unheard):
    """There were too many wrong ones; the message says for how long none is heard."""


class Unfit(ValueError):
    """That can't be a PIN; the message says what can."""


def keep(path: Path, digits: str) -> None:
    """Make that the PIN, for whom that folder belongs to. Unfit: it is none. OSError: it can't be written."""
    least, most = DIGITS
    if not (digits.isascii() and digits.isdigit() and least <= len(digits) <= most):
        raise Unfit(f"A PIN has {least} to {most} digits and nothing else.")
    blank = _File(n=_N, r=_R, p=_P, salt=secrets.token_hex(_SALT_BYTES), hash="00" * 64)
    whole_file.write(path, blank.model_copy(update={"hash": blank.hashes_to(digits).hex()}).model_dump_json(), 0o600)
    if os.geteuid() == 0:  # who runs the table has to read it
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


class Pin:
    """The PIN in that file, which may be set while this runs. Any thread may call."""

    def __init__(self, path: Path, now_s: Callable[[], float]) -> None:
        self._path = path
        self._tries_path = path.with_name("pin-tries")
        self._now_s = now_s
        self._lock = threading.Lock()
        self._wrong = _tries(self._tries_path)
        self._until_s = now_s() + _locked_s(self._wrong)

    @property
    def missing(self) -> Text:
        """What to do to have a PIN; "" when there is one."""
        if self._read():
            return SILENCE
        command = f"underglow kiosk --set-pin --folder {self._path.parent}"
        if not self._path.exists():
            return say("No PIN is set: say  {command}  in a terminal of this machine.", command=command)
        return say(
            "The file with the PIN is damaged: say  {command}  in a terminal of this machine, to set it again.",
            command=command,
        )

    def right(self, digits: str) -> bool:
        """Whether that is the PIN. Takes its time, so not for a thread that others wait for. NoPin; Locked."""
        if not self._lock.acquire(blocking=False):
            raise Locked(say("Another PIN is being looked at: try again."))
        try:
            return self._try(digits)
        finally:
            self._lock.release()

    def _try(self, digits: str) -> bool:
        left_s = self._until_s - self._now_s()
        if left_s > 0:
            raise Locked(say("Too many wrong PINs: try again in {time}.", time=_told(left_s)))
        kept = self._read()
        if kept is None:
            raise NoPin(self.missing)
        if secrets.compare_digest(kept.hashes_to(digits), bytes.fromhex(kept.hash)):
            self._count(0)
            return True
        self._count(self._wrong + 1)
        self._until_s = self._now_s() + _locked_s(self._wrong)
        return False

    def _count(self, wrong: int) -> None:
        if wrong == self._wrong:
            return
        self._wrong = wrong
        try:
            whole_file.write(self._tries_path, f"{wrong}\n", 0o600)
        except OSError as error:
            log.warning("how many wrong PINs there were can't be written: %s", error)

    def _read(self) -> _File | None:
        try:
            return _File.model_validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return None


def _locked_s(wrong: int) -> float:
    return min(LONGEST_S, FIRST_S * 2.0 ** min(wrong - WRONG, 10)) if wrong >= WRONG else 0.0


def _told(left_s: float) -> Text:
    if left_s <= FIRST_S:
        return say("{n} s", n=ceil(left_s))
    return counted("{n} minute", "{n} minutes", ceil(left_s / 60))


def _tries(path: Path) -> int:
    try:
        return _TRIES.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return 0
