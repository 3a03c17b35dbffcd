"""What the tests of flashing need."""

from __future__ import annotations

import pytest
from boards import Said

from underglow.bench import vm
from underglow.testing import cannot_run


@pytest.fixture(autouse=True, scope="session")
def _bench_runs() -> None:  # pyright: ignore[reportUnusedFunction] - pytest uses it
    try:
        vm.micropython()
    except vm.NoMicroPython as reason:
        cannot_run(str(reason))


@pytest.fixture
def console() -> Said:
    """Where the command line writes to."""
    return Said()
