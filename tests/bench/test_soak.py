"""`make soak` lasts hours; this is a moment of it."""

from __future__ import annotations

import pytest

from underglow.bench import soak
from underglow.bench.vm import NoMicroPython
from underglow.testing import cannot_run


def test_a_while_of_touches_and_faults_leaves_the_firmware_as_it_was() -> None:
    try:
        figures = soak.measure(120)
    except NoMicroPython as missing:
        cannot_run(str(missing))
    assert figures.wrong == 0
    assert figures.faults > 10
    assert figures.firmware_slope == pytest.approx(0, abs=1e4)  # bytes per million scans
