"""What tests of several tiers need."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from underglow.bench import vm
from underglow.testing import cannot_run

# Other work on the machine is no fault of what is tested.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture(scope="session")
def micropython() -> list[str]:
    """The command that starts MicroPython's unix port."""
    try:
        return vm.micropython()
    except vm.NoMicroPython as reason:
        cannot_run(str(reason))


@pytest.fixture(scope="session")
def repository() -> Path:
    """The checkout."""
    return Path(__file__).parents[1]


@pytest.fixture(scope="session", autouse=True)
def _nothing_outlives_the_tests() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction] - pytest uses it
    """A test that fails half-way may leave a program behind; whatever that has started ends with it."""
    yield
    for started in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        for child in started.read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
