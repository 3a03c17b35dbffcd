"""The attendant in simulated time: what follows what, and what never may."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from underglow.kiosk.attendant import Attendant, Begin, Fault, GoOn, Kept, Offer, Order, Phase, Safe, Times

WELLS = Offer("mandalorian", "cinder-wells", "Cinder Wells", (1, 2))
ALLEY = Offer("labyrinth", "lamp-alley", "Lamp Alley", (2, 3, 4))
KEPT = Kept(Path("a.sqlite"), "Cinder Wells", 12)
TIMES = Times()


def attendant(*offers: Offer) -> Attendant:
    fresh = Attendant(offers or (WELLS, ALLEY), TIMES)
    assert fresh.start(0) == ["attract"]
    return fresh


def playing(now_s: float = 0) -> Attendant:
    busy = attendant()
    assert busy.touched(now_s) == ["welcome"]
    assert busy.begin("mandalorian", "cinder-wells", 2, now_s) == [Begin(WELLS, 2)]
    return busy


def test_any_touch_stops_the_demo_and_nobody_touching_brings_it_back() -> None:
    ours = attendant()
    assert ours.touched(5) == ["welcome"]
    assert ours.tick(5 + TIMES.choosing_s - 0.1) == []
    assert ours.tick(5 + TIMES.choosing_s) == ["attract"]


@pytest.mark.parametrize(
    ("game", "scenario", "seats"),
    [("mandalorian", "cinder-wells", 3), ("mandalorian", "lamp-alley", 2), ("chess", "x", 2), ("labyrinth", "", 0)],
)
def test_only_what_is_offered_begins(game: str, scenario: str, seats: int) -> None:
    ours = attendant()
    ours.touched(0)
    assert ours.begin(game, scenario, seats, 0) == []
    assert ours.phase is Phase.CHOOSING


def test_nothing_begins_over_a_game_that_is_being_played() -> None:
    ours = playing()
    assert ours.begin("labyrinth", "lamp-alley", 2, 1) == []
    assert ours.go_on(1) == []


def test_the_countdown_is_seen_and_a_touch_ends_it() -> None:
    ours = playing()
    begins_s = TIMES.playing_s - TIMES.countdown_s
    assert ours.told(begins_s - 1)["left_s"] is None
    assert [ours.told(begins_s + second)["left_s"] for second in (0, 0.5, 1, 29, 29.9)] == [30, 30, 29, 1, 1]
    assert ours.touched(begins_s + 29.9) == []
    assert ours.told(begins_s + 29.9)["left_s"] is None


def test_a_game_that_was_left_is_offered_for_a_while_and_then_no_more() -> None:
    ours = playing()
    assert ours.tick(TIMES.playing_s) == ["put aside", "welcome"]
    ours.keep(KEPT, TIMES.playing_s)
    assert ours.told(TIMES.playing_s)["unfinished"] == {"title": "Cinder Wells", "steps": 12}
    assert ours.tick(TIMES.playing_s + TIMES.choosing_s) == ["attract"]
    back_s = TIMES.playing_s + TIMES.keep_s - 1
    assert ours.tick(back_s) == []
    assert ours.touched(back_s) == ["welcome"]  # it is asked for, not gone on with
    assert ours.go_on(back_s) == [GoOn(KEPT)]
    assert ours.kept is None


def test_a_game_that_was_left_too_long_ago_is_gone() -> None:
    ours = attendant()
    ours.keep(KEPT, 0)
    ours.touched(TIMES.keep_s)
    assert ours.go_on(TIMES.keep_s) == []
    ours.tick(TIMES.keep_s)
    assert ours.told(TIMES.keep_s)["unfinished"] is None


def test_a_game_from_before_a_restart_is_offered_at_once_for_the_rest_of_its_time() -> None:
    ours = Attendant((WELLS,), TIMES)
    ours.keep(KEPT, 0, age_s=TIMES.keep_s - 10)
    assert ours.start(0) == ["welcome"]
    ours.tick(10)
    assert ours.kept is None


def test_an_undo_after_the_end_goes_on_playing() -> None:
    ours = playing()
    ours.ended(over=True, now_s=10)
    assert ours.phase is Phase.OVER
    ours.ended(over=False, now_s=20)
    assert ours.phase is Phase.PLAYING
    ours.ended(over=True, now_s=30)
    assert ours.tick(30 + TIMES.over_s) == ["put aside", "welcome"]


def test_a_glitch_of_the_cable_stops_nothing() -> None:
    ours = playing()
    ours.board_down("the cable was pulled", 10)
    assert ours.tick(10 + TIMES.glitch_s - 0.1) == []
    assert ours.board_up(10 + TIMES.glitch_s - 0.1) == []
    assert ours.tick(10 + TIMES.glitch_s) == []
    assert ours.phase is Phase.PLAYING


def test_a_board_that_stays_away_is_a_sentence_and_then_an_offer() -> None:
    ours = playing()
    ours.board_down("the cable was pulled", 10)
    away_s = 10 + TIMES.glitch_s
    assert ours.tick(away_s) == ["put aside", Safe(Fault.BOARD)]
    ours.keep(KEPT, away_s)
    assert ours.told(away_s)["says"] == ["the cable was pulled"]
    assert ours.touched(away_s + 1) == ours.begin("mandalorian", "cinder-wells", 1, away_s + 1) == []
    back_s = away_s + 2 * TIMES.keep_s  # it was no fault of theirs
    assert ours.tick(back_s) == []
    assert ours.board_up(back_s) == ["welcome"]
    assert ours.tick(back_s + TIMES.choosing_s - 1) == []
    assert ours.go_on(back_s + TIMES.choosing_s - 1) == [GoOn(KEPT)]


def test_a_full_disk_is_looked_at_now_and_then() -> None:
    ours = playing()
    assert ours.fault(Fault.JOURNAL, "the disk is full", 0) == ["put aside", Safe(Fault.JOURNAL)]
    assert [ours.tick(now_s) for now_s in (29, 30, 31, 60)] == [[], ["look"], [], ["look"]]
    assert ours.mended(Fault.JOURNAL, 61) == ["welcome"]
    assert ours.tick(61) == []


def test_a_broken_scenario_costs_itself_only() -> None:
    ours = playing()
    assert ours.broke(WELLS, "Cinder Wells broke down", 0) == ["put aside", Safe(Fault.GAME)]
    assert ours.tick(TIMES.fault_s) == ["welcome"]
    assert [offer["title"] for offer in ours.told(TIMES.fault_s)["offers"]] == ["Lamp Alley"]
    assert ours.begin("mandalorian", "cinder-wells", 1, TIMES.fault_s) == []


def test_without_any_scenario_the_table_stays_safe() -> None:
    ours = attendant(WELLS)
    ours.broke(WELLS, "Cinder Wells broke down", 0)
    assert ours.tick(10_000) == []
    assert ours.told(10_000)["says"] == ["Cinder Wells broke down"]
    assert Attendant((), TIMES).start(0) == [Safe(Fault.NOTHING)]


def test_it_starts_afresh_at_night_only_when_nobody_is_there() -> None:
    ours = Attendant((WELLS,), TIMES, restart_s=100)
    ours.start(0)
    ours.touched(90)
    ours.begin("mandalorian", "cinder-wells", 1, 90)
    assert ours.tick(200) == []
    ours.leave(200)
    ours.keep(KEPT, 200)
    assert ours.tick(200 + TIMES.choosing_s) == ["attract"]  # somebody may come back for it
    assert ours.tick(200 + TIMES.keep_s) == ["restart"]
    assert ours.tick(201 + TIMES.keep_s) == []


class Days(RuleBasedStateMachine):
    """Everything that can happen, in any order, at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        self.ours = Attendant((WELLS, ALLEY), TIMES, restart_s=5000)
        self.game: Kept | None = None
        self.asked = False  # whether the last call was the one that may go on with a game
        self.down = False

    def obey(self, orders: Iterable[Order]) -> None:
        for order in orders:
            match order:
                case Begin(offer, seats):
                    assert seats in offer.seats
                    assert self.game is None
                    self.game = Kept(Path(f"{self.now_s}"), offer.title, 1)
                case GoOn(kept):
                    assert self.asked
                    assert self.game is None
                    self.game = kept
                case "put aside":
                    if self.game and self.ours.phase is not Phase.OVER:
                        self.ours.keep(self.game, self.now_s)
                    self.game = None
                case "restart":
                    assert self.ours.phase is Phase.ATTRACT
                    assert self.ours.kept is None
                case _:
                    pass

    @initialize(kept=st.booleans())
    def switched_on(self, kept: bool) -> None:
        if kept:
            self.ours.keep(KEPT, 0, age_s=60)
        self.obey(self.ours.start(0))

    @rule(step_s=st.sampled_from([0.02, 0.3, 1, 7, 29, 61, 301, 1000]))
    def time_goes(self, step_s: float) -> None:
        self.now_s += step_s
        self.obey(self.ours.tick(self.now_s))

    @rule()
    def touch(self) -> None:
        self.obey(self.ours.touched(self.now_s))

    @rule(offer=st.sampled_from([WELLS, ALLEY]), seats=st.integers(0, 5))
    def begin(self, offer: Offer, seats: int) -> None:
        self.obey(self.ours.begin(offer.game, offer.scenario, seats, self.now_s))

    @rule()
    def go_on(self) -> None:
        self.asked = True
        self.obey(self.ours.go_on(self.now_s))
        self.asked = False

    @rule()
    def leave(self) -> None:
        self.obey(self.ours.leave(self.now_s))

    @rule(over=st.booleans())
    def end(self, over: bool) -> None:
        self.ours.ended(over, self.now_s)

    @rule()
    def pull(self) -> None:
        self.down = True
        self.ours.board_down("the cable was pulled", self.now_s)

    @precondition(lambda self: self.down)
    @rule()
    def plug(self) -> None:
        self.down = False
        self.obey(self.ours.board_up(self.now_s))

    @rule()
    def disk_full(self) -> None:
        self.obey(self.ours.fault(Fault.JOURNAL, "the disk is full", self.now_s))

    @rule()
    def disk_free(self) -> None:
        self.obey(self.ours.mended(Fault.JOURNAL, self.now_s))

    @precondition(lambda self: len(self.ours.offers) > 1 and self.game is not None)
    @rule()
    def scenario_breaks(self) -> None:
        self.obey(self.ours.broke(self.ours.offers[0], "it broke down", self.now_s))

    @invariant()
    def a_game_is_on_the_table_exactly_while_one_is_played(self) -> None:
        assert (self.game is not None) == (self.ours.phase in (Phase.PLAYING, Phase.OVER))

    @invariant()
    def what_is_wrong_is_said(self) -> None:
        told = self.ours.told(self.now_s)
        assert (told["phase"] == "safe") == bool(told["says"])

    @invariant()
    def every_wait_for_a_hand_ends(self) -> None:
        if self.ours.phase in (Phase.CHOOSING, Phase.PLAYING, Phase.OVER):
            longest_s = max(TIMES.choosing_s, TIMES.playing_s, TIMES.over_s)
            assert self.ours.left_s(self.now_s + longest_s) is not None

    def teardown(self) -> None:
        """Mended and left alone, it comes to rest in the demo: it is never stuck."""
        if self.down:
            self.plug()
        self.disk_free()
        for _ in range(10):
            self.time_goes(301)
        assert self.ours.phase is Phase.ATTRACT


Days.TestCase.settings = settings(max_examples=150, stateful_step_count=40)
TestDays = Days.TestCase


def test_staff_withhold_scenarios_but_never_the_last() -> None:
    ours = attendant()
    ours.withhold({("mandalorian", "cinder-wells")})
    assert ours.offers == (ALLEY,)
    ours.touched(0)
    assert ours.begin("mandalorian", "cinder-wells", 2, 0) == []
    ours.withhold({("mandalorian", "cinder-wells"), ("labyrinth", "lamp-alley")})
    assert ours.offers == (WELLS, ALLEY)


def test_staff_begin_a_game_instead_of_whatever_is_on_the_table() -> None:
    for ours in (attendant(), playing()):
        ours.withhold({("labyrinth", "lamp-alley")})
        assert ours.begin_now("labyrinth", "lamp-alley", 3, 5) == [Begin(ALLEY, 3)]
        assert ours.phase is Phase.PLAYING
        assert ours.begin_now("labyrinth", "lamp-alley", 9, 6) == []
        assert ours.begin_now("chess", "x", 2, 6) == []
        ours.fault(Fault.BOARD, "The cable was pulled.", 7)
        assert ours.begin_now("labyrinth", "lamp-alley", 3, 8) == []


def test_a_withheld_scenario_is_offered_once_all_others_broke_down() -> None:
    ours = attendant()
    ours.withhold({("labyrinth", "lamp-alley")})
    ours.broke(WELLS, "It broke down.", 1)
    assert ours.offers == (ALLEY,)
