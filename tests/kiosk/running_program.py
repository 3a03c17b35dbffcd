"""Underglow as a program of its own, with its page, as somebody starts it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


class Program:
    """`underglow` with these arguments, and all it has said."""

    def __init__(self, *arguments: str) -> None:
        """Return once it has said where its page is."""
        command = [str(Path(sys.executable).with_name("underglow")), *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout
        self.said = ""
        while " is at http" not in self.said:
            line = self.process.stdout.readline()
            assert line, self.said
            self.said += line
        self.address = self.said.split(" is at ")[1].split()[0]

    def end(self) -> None:
        self.process.terminate()
        self.said += self.process.communicate(timeout=10)[0]

    def kill(self) -> None:
        """As a crash does: nothing is said, closed or written any more."""
        self.process.kill()
        self.process.wait()
