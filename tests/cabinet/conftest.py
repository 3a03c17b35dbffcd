from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from raspberry import Writer, cpuinfo, detector, modules

FIRMWARE = Path(__file__).parents[2] / "firmware"


@pytest.fixture
def writer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Writer]:
    """A Raspberry Pi, as long as the test lasts: other tests mean the firmware's module by `board`."""
    writer = Writer()
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if Path(folder) != FIRMWARE])
    monkeypatch.delitem(sys.modules, "board", raising=False)
    before = set(sys.modules)
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")  # set anyway; so it is unset after the test
    monkeypatch.setattr(detector(), "get_cpuinfo_field", cpuinfo)
    for name, module in modules(writer).items():
        monkeypatch.setitem(sys.modules, name, module)
    yield writer
    for name in set(sys.modules) - before:
        if not name.startswith("underglow"):
            del sys.modules[name]
