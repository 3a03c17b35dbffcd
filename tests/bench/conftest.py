"""A bare board for tests of the bench itself: no firmware but what the test puts there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack

import pytest
from bare_pico import Pico

from underglow.bench.vm import Bench
from underglow.profile import Board


@pytest.fixture
def start(board_profile: Board) -> Iterator[Callable[..., Bench]]:
    """Start benches that end with the test: start(main="...", other_files={...})."""
    with ExitStack() as benches:

        def started(main: str | None = None, files: Mapping[str, str] | None = None) -> Bench:
            sources = dict(files or {})
            if main is not None:
                sources["main.py"] = main
            return benches.enter_context(
                Bench.start(board_profile, {name: text.encode() for name, text in sources.items()})
            )

        yield started


@pytest.fixture
def pico(start: Callable[..., Bench]) -> Iterator[Pico]:
    """A bare board with a REPL."""
    opened = Pico(start())
    yield opened
    opened.close()
