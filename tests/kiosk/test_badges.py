"""Badges of the staff: until when they are good."""

from __future__ import annotations

from underglow.kiosk.badges import BADGES, IDLE_S, Badges
from underglow.kiosk.invitations import key_of


class Clock:
    now_s = 50.0

    def __call__(self) -> float:
        return self.now_s


def test_a_badge_is_good_until_nobody_used_it_for_ten_minutes() -> None:
    clock = Clock()
    badges = Badges(clock)
    key = key_of(badges.give())
    for _ in range(5):
        clock.now_s += IDLE_S - 1
        assert badges.good(key)
        badges.use(key)
    clock.now_s += IDLE_S
    assert not badges.good(key)
    badges.use(key)
    assert not badges.good(key)


def test_it_can_be_given_back_and_a_fifth_ends_the_first() -> None:
    badges = Badges(Clock())
    keys = [key_of(badges.give()) for _ in range(BADGES + 1)]
    assert [badges.good(key) for key in keys] == [False, *[True] * BADGES]
    badges.end(keys[1])
    assert not badges.good(keys[1])
    assert not badges.good(key_of("made up"))
