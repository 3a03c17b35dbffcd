"""Word to systemd: ready, alive, stopping; a few lines of sd_notify(3)."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping

log = logging.getLogger(__name__)


class Service:
    """What started this program and wants to hear of it; without a NOTIFY_SOCKET in `environment`, nobody."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        name = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + name[1:] if name.startswith("@") else name
        self._moved: tuple[int, ...] | None = None

    @property
    def listens(self) -> bool:
        """Whether anybody would start this program again."""
        return bool(self._address)

    def ready(self) -> None:
        """It is up."""
        self._tell("READY=1")

    def stopping(self) -> None:
        """It is about to end, and means to."""
        self._tell("STOPPING=1")

    def alive(self, *moved: int) -> None:
        """Feed the watchdog, but only if every one of these counts has moved on since it was fed last."""
        if self._moved and any(now == before for now, before in zip(moved, self._moved, strict=True)):
            return
        self._moved = moved
        self._tell("WATCHDOG=1")

    def _tell(self, word: str) -> None:
        if not self._address:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as speaker:
            speaker.setblocking(False)  # a manager that is busy must not hold up a lamp
            try:
                speaker.sendto(word.encode(), self._address)
            except OSError as error:
                log.warning("the service manager does not hear %s: %s", word, error)
