"""What only the owner of a view may know, and whether anybody else was told."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def searched(told: str, guest: int | None, moments: Sequence[Mapping[int | None, Any]]) -> int:
    """Search what a guest was told for what only another may know; return how many secrets there were to find.

    It was told at one of these moments, each of which is everybody's view.
    """
    may_know = "".join(_compact(views[guest]) for views in moments)  # of two equal cards, one may be public
    everything = {secret for views in moments for view in views.values() for secret in _secrets(view)}
    hidden = [secret for secret in everything if secret not in may_know]
    for secret in hidden:
        assert secret not in told, (guest, secret)
    return len(hidden)


def _compact(value: object) -> str:
    """As it stands in a message."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _secrets(view: Any) -> set[str]:
    own = [card for row in view["seats"] for card in row.get("hand", [])]
    return {
        _compact(secret)
        for secret in (*own, *view.get("peeks", []), *filter(None, [view.get("role"), view.get("drawn")]))
    }
