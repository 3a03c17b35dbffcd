"""A table that could not be started: staff find its logs, and start it again."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from underglow.kiosk import instructions
from underglow.kiosk.attendant import Phase
from underglow.kiosk.instructions import Instruction
from underglow.kiosk.staff import Settled
from underglow.languages import say

SAYS = say("The table could not be started. Its log tells why; Restart tries again.")


class Resting:
    """Waits until staff want the table tried again."""

    def __init__(self) -> None:
        self.restart = threading.Event()
        """Set once they do."""

    def ask(self, instruction: Instruction) -> None:
        """Restart is all that can be done here."""
        if isinstance(instruction, instructions.Restart):
            self.restart.set()

    def came_in(self) -> None:
        """The door stays ajar."""

    def watch(self, watched: bool) -> None:
        """There is nothing to be watched."""

    def news(self) -> Iterator[tuple[str, object]]:
        """What their page shows."""
        settled: Settled = {
            "phase": Phase.SAFE.value,
            "themes": {},
            "theme": "",
            "brightness": 100,
            "offers": [],
            "deaf": [],
            "restarts": True,
        }
        yield "settled", settled
        yield "says", SAYS
