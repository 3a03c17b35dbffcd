"""How fast anybody may ask: buckets that refill with time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

ADDRESSES = 256
"""Of so many addresses the pace is remembered; who has not asked for longest is forgotten."""


class Pace:
    """A bucket that holds `burst` and refills by `per_s`."""

    def __init__(self, now_s: float, burst: float, per_s: float) -> None:
        self._burst = burst
        self._per_s = per_s
        self._left = float(burst)
        self._at_s = now_s

    def spend(self, now_s: float) -> bool:
        """Take one out, if there is one; say whether there was."""
        self._left = min(self._burst, self._left + (now_s - self._at_s) * self._per_s)
        self._at_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Paces:
    """A bucket for each address."""

    def __init__(self, now_s: Callable[[], float], burst: float, per_s: float) -> None:
        self._now_s = now_s
        self._bucket = (burst, per_s)
        self._of: OrderedDict[str, Pace] = OrderedDict()

    def spend(self, address: str) -> bool:
        """Take one out of that address's bucket, if there is one; say whether there was."""
        now_s = self._now_s()
        pace = self._of.pop(address, None) or Pace(now_s, *self._bucket)
        self._of[address] = pace
        while len(self._of) > ADDRESSES:
            self._of.popitem(last=False)
        return pace.spend(now_s)
