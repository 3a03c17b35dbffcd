from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underglow.rng import Rng

WORDS = st.integers(0, 2**64 - 1)


def drawn(rng: Rng, count: int) -> list[int]:
    words: list[int] = []
    for _ in range(count):
        word, rng = rng.word()
        words.append(word)
    return words


def test_words_are_those_of_splitmix64() -> None:
    # Published with the generator's reference implementations, for these two seeds.
    assert drawn(Rng(1234567), 5) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert drawn(Rng(0), 3) == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_known_answers() -> None:
    assert Rng(7).below(6) == (3, Rng(7, 1))
    assert Rng(7).shuffled("abcdefgh") == (tuple("befcgadh"), Rng(7, 7))
    assert Rng(2**64 - 1, 2**64 - 2).word()[0] == 15999695513772384452


def test_a_place_in_the_sequence_is_its_counter() -> None:
    words = drawn(Rng(99), 20)
    assert [Rng(99, counter).word()[0] for counter in range(20)] == words


def test_below_draws_again_where_small_numbers_would_be_favoured() -> None:
    # Below 3 * 2**62, one word in four lies in the last, incomplete run: it has to be drawn again, never folded back.
    n, rng = 3 * 2**62, Rng(5)
    for _ in range(200):
        start = rng.counter
        number, rng = rng.below(n)
        skipped = [Rng(5, counter).word()[0] for counter in range(start, rng.counter - 1)]
        assert all(word >= n for word in skipped)
        assert number == Rng(5, rng.counter - 1).word()[0]
    assert rng.counter > 220


@pytest.mark.parametrize("n", [2, 3, 6, 7, 10])
def test_below_is_uniform(n: int) -> None:
    rng, counts, draws = Rng(n), Counter[int](), 6000
    for _ in range(draws):
        number, rng = rng.below(n)
        counts[number] += 1
    chi_squared = sum((counts[number] - draws / n) ** 2 / (draws / n) for number in range(n))
    assert set(counts) <= set(range(n))
    assert chi_squared < 27.9  # 99.9 % for the 9 degrees of freedom of the widest case


def test_every_order_is_as_likely() -> None:
    rng, counts = Rng(3), Counter[tuple[str, ...]]()
    for _ in range(12000):
        order, rng = rng.shuffled("abcd")
        counts[order] += 1
    assert len(counts) == 24
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 49.7  # 99.9 %, 23 degrees of freedom


@given(WORDS, st.lists(st.integers()))
def test_a_shuffle_keeps_every_item(seed: int, items: list[int]) -> None:
    order, _ = Rng(seed).shuffled(items)
    assert sorted(order) == sorted(items)


@given(WORDS, st.integers(0, 2**60), st.integers(1, 2**64))
def test_below_stays_below_and_moves_on(seed: int, counter: int, n: int) -> None:
    number, after = Rng(seed, counter).below(n)
    assert 0 <= number < n
    assert after.counter > counter
    assert Rng(seed, counter).below(n) == (number, after)


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_a_bound_out_of_range_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="give a number from 1"):
        Rng(1).below(n)


@pytest.mark.parametrize("place", [(-1, 0), (2**64, 0), (0, -1), (0, 2**64)])
def test_a_place_out_of_range_is_refused(place: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="seed and a counter"):
        Rng(*place)
