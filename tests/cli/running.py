"""The program as people start it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

UNDERGLOW = str(Path(sys.executable).with_name("underglow"))


class Run:
    """A started `underglow run`. Its journal is `journal` if it is `named`, else lies where they lie by themselves."""

    def __init__(self, folder: Path, *arguments: str, named: bool = True, stdin: int | None = None) -> None:
        self.journal = folder / "journal.sqlite"
        self.temporary = folder / "temporary"
        self.temporary.mkdir(exist_ok=True)
        place = ["--journal", str(self.journal)] if named else []
        self.process = subprocess.Popen(
            [UNDERGLOW, "run", "--seed", "3", *place, *arguments],
            stdin=subprocess.PIPE if stdin is None else stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"TMPDIR": str(self.temporary), "XDG_STATE_HOME": str(folder / "state")},
            start_new_session=True,
        )
        self.said = ""

    def until(self, words: str) -> str:
        """Read what it says up to a line with these words, and return that line."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.said += line
            if words in line:
                return line
        raise AssertionError(self.said)

    def type(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self, how: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(how)
        out, _ = self.process.communicate(timeout=10)
        self.said += out
        return self.process.returncode

    def left(self) -> list[str]:
        """Processes of its session and files in its temporary folder that are still there."""
        session = str(self.process.pid)
        processes = [path.parent.name for path in Path("/proc").glob("[0-9]*/stat") if _session_of(path) == session]
        return processes + [path.name for path in self.temporary.iterdir()]


def _session_of(stat: Path) -> str:
    try:
        return stat.read_text().rpartition(")")[2].split()[3]
    except OSError:
        return ""
