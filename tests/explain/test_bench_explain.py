"""The benchmark of explain meets every kind of position; its figures are for people."""

from __future__ import annotations

from underglow.bench import explain as bench


def test_positions_of_every_kind_are_timed() -> None:
    figures = bench.measure(600)
    assert figures.ms.n >= 600
    assert set(figures.kinds) == {"Settled", "InHand", "Did", "Which", "Repair"}
    assert figures.spaces == 64
    assert figures.legal > 200
    assert 0 < figures.ms.p50 < 200
