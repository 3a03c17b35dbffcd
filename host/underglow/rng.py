"""Chance that means the same on every machine: SplitMix64, used as a function of seed and counter.

Python's own `random` promises its sequences for some methods only; a journal has to replay for years.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

_WORD = 1 << 64
_MASK = _WORD - 1
_GAMMA = 0x9E3779B97F4A7C15  # 2**64 / golden ratio, odd: counter * _GAMMA visits every word once


@dataclass(frozen=True, slots=True)
class Rng:
    """A place in the sequence of a seed. Methods return what was drawn and the place after it.

    `seed` and `counter` (the number of words drawn so far) are below 2**64.
    """

    seed: int
    counter: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.seed < _WORD and 0 <= self.counter < _WORD):
            raise ValueError(f"a seed and a counter lie from 0 to 2**64 - 1, not {self.seed} and {self.counter}")

    def word(self) -> tuple[int, Rng]:
        """Draw 64 bits."""
        return _word(self.seed, self.counter), Rng(self.seed, self.counter + 1)

    def below(self, n: int) -> tuple[int, Rng]:
        """Draw a whole number from 0 to n - 1, each as likely as the others. ValueError: n is not in 1 … 2**64."""
        number, counter = _below(n, self.seed, self.counter)
        return number, Rng(self.seed, counter)

    def shuffled(self, items: Iterable[T]) -> tuple[tuple[T, ...], Rng]:
        """Draw an order of `items`, each as likely as the others (Fisher-Yates, from the end)."""
        order, counter = list(items), self.counter
        for last in range(len(order) - 1, 0, -1):
            chosen, counter = _below(last + 1, self.seed, counter)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order), Rng(self.seed, counter)


def _word(seed: int, counter: int) -> int:
    word = (seed + (counter + 1) * _GAMMA) & _MASK
    word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ word >> 27) * 0x94D049BB133111EB) & _MASK
    return word ^ word >> 31


def _below(n: int, seed: int, counter: int) -> tuple[int, int]:
    if not 1 <= n <= _WORD:
        raise ValueError(f"cannot draw below {n}: give a number from 1 to 2**64")
    # The last, incomplete run of n words would favour the small numbers: words from it are drawn again.
    fair = _WORD - _WORD % n
    while True:
        word = _word(seed, counter)
        counter += 1
        if word < fair:
            return word % n, counter
