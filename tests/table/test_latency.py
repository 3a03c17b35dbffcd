"""The benchmark of latency plays a real game by hands, to its last touch."""

from __future__ import annotations

from underglow.bench import latency
from underglow.bench.vm import NoMicroPython
from underglow.testing import cannot_run

TOUCHES = 30


def test_every_touch_is_timed() -> None:
    try:
        figures = latency.measure(TOUCHES)
    except NoMicroPython as missing:
        cannot_run(str(missing))
    assert figures.touch_to_event_ms.n == TOUCHES
    assert 0 < figures.touch_to_pixels_ms.n <= TOUCHES
    assert 0 < figures.touch_to_event_ms.p50 < figures.touch_to_pixels_ms.max
