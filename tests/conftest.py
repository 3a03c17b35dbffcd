"""What tests of several tiers need."""

from pathlib import Path

import pytest

from underglow.bench import vm
from underglow.testing import cannot_run


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
