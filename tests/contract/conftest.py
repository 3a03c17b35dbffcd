"""Every test of the contract runs on every scenario of every game; a new one is tested by being there."""

from __future__ import annotations

import pytest
from positions import Subject, subjects


@pytest.fixture(scope="session", params=subjects(), ids=lambda subject: subject.name)
def subject(request: pytest.FixtureRequest) -> Subject:
    return request.param
