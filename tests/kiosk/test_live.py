from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_table import OVERLAY, SECRETS, Frame, ScriptedTable
from visiting import House, Visitor
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from underglow.kiosk import Kiosk, messages
from underglow.profile import Board

# -- what pages hear ---------------------------------------------------------------------------------------------------


def test_the_board_is_told_in_mm(house: House) -> None:
    board = house.join().hear("board")
    assert (board["width_mm"], board["height_mm"], board["hex_mm"]) == (297, 420, 38)
    assert [space["id"] for space in board["spaces"]] == [space.id for space in house.board.spaces]
    h19 = next(space for space in board["spaces"] if space["id"] == "h19")
    assert (h19["kind"], h19["x_mm"], h19["y_mm"]) == ("hex", 148.5, 157.0)
    (pixel,) = board["lamps"][h19["lamps"]["centre"]]
    assert board["pixels"][pixel] == [148.5, 157.0]
    assert board["bench"] is True


def test_a_seat_sees_its_own_hand_and_choices(house: House) -> None:
    table = house.join("?seat=0").hear("table")
    assert table["seat"] == 0
    assert SECRETS[0] in str(table["view"]["seats"][0]["hand"])
    assert [choice["index"] for choice in table["choices"]] == [0, 1, 2, 3, 4]
    assert (table["number"], table["prompt"], table["overlay"]) == (7, "Move the Drifter up to 3 spaces.", OVERLAY)


def test_nobody_hears_what_is_another_s(house: House) -> None:
    visitors = {0: house.join("?seat=0"), 1: house.join("?seat=1"), None: house.join("?seat=public")}
    for number in range(8, 12):
        house.table.say(number=number)
        house.bench.glow(h19=(number, 0, 0))
        for visitor in visitors.values():
            visitor.hear("table", lambda table, number=number: table["number"] == number)
    for seat, visitor in visitors.items():
        traffic = "".join(visitor.heard)
        assert [secret in traffic for secret in SECRETS] == [seat == 0, seat == 1]


def test_the_public_has_no_choices(house: House) -> None:
    table = house.join("?seat=public").hear("table")
    assert (table["seat"], table["choices"]) == (None, [])


def test_alone_at_the_table_one_need_not_say_who_one_is(hex48: Board) -> None:
    table = ScriptedTable(seats=1)
    with Kiosk(hex48, table) as kiosk, connect(kiosk.start().replace("http", "ws") + "live") as page:
        table.watch(kiosk.publish)
        seen = Visitor(page).hear("table")
    assert seen["seat"] == 0
    assert all(SECRETS[n] in str(seen["view"]["seats"][n]["hand"]) for n in (0, 1))


def test_with_several_seats_a_page_begins_as_public(house: House) -> None:
    assert house.join("").hear("table")["seat"] is None


@pytest.mark.parametrize("seat", ["2", "-1", "00", "+1", "x", "", "\u0661", "9" * 400])
def test_a_seat_that_is_not_there_is_refused_with_a_reason(house: House, seat: str) -> None:
    code, reason = house.join(f"?seat={seat}").turned_out()
    assert code == 1008
    assert reason.startswith("this table has no seat")


def test_keys_the_page_does_not_know_stay_in_the_house(house: House) -> None:
    visitor = house.join()
    house.table.say(number=8, deck_order="spoiler")
    assert "deck_order" not in visitor.hear("table", lambda table: table["number"] == 8)
    assert "spoiler" not in "".join(visitor.heard)


def test_the_newest_lines_of_a_long_log_are_told(house: House) -> None:
    house.table.say(number=8, log=[f"line {n}" for n in range(500)])
    log = house.join().hear("table", lambda table: table["number"] == 8)["log"]
    assert (len(log), log[-1]) == (messages.LOG_LINES, "line 499")


# -- the glow ----------------------------------------------------------------------------------------------------------


def test_the_glow_is_what_the_strip_received(house: House) -> None:
    visitor = house.join()
    house.bench.glow(h19=(1, 2, 255))
    strip = visitor.hear("glow", lambda strip: "0102ff" in strip)
    assert strip == "".join(f"{r:02x}{g:02x}{b:02x}" for r, g, b in house.bench.frame.pixels)


def test_a_page_that_comes_later_sees_the_glow_at_once(house: House) -> None:
    house.bench.glow(h19=(1, 2, 255))
    house.join().hear("glow", lambda strip: "0102ff" in strip)
    house.join("?seat=1").hear("glow", lambda strip: "0102ff" in strip)


def test_glow_comes_at_most_thirty_times_a_second_and_only_when_it_changed(house: House) -> None:
    visitor = house.join()
    visitor.hear("glow")
    end_s = time.monotonic() + 1
    shade = 0
    while time.monotonic() < end_s:
        shade += 1
        house.bench.glow(h19=(shade // 256, 0, shade % 256))
        time.sleep(0.002)
    house.bench.glow(h19=(0, 255, 0))
    (pixel,) = house.board.lamps[house.board.lamp_of("h19")]
    visitor.hear("glow", lambda strip: strip[6 * pixel :].startswith("00ff00"))
    glows = [text for text in visitor.heard if text.startswith('{"glow"')]
    assert 15 <= len(glows) <= 34
    assert len(set(glows)) == len(glows)
    with pytest.raises(TimeoutError):
        visitor.hear("glow", timeout_s=0.3)


def test_the_same_pixels_in_a_new_frame_are_not_told_again(house: House) -> None:
    visitor = house.join()
    visitor.hear("glow")
    house.bench.frame = Frame(house.bench.frame.number + 1, house.bench.frame.pixels)
    with pytest.raises(TimeoutError):
        visitor.hear("glow", timeout_s=0.3)


def test_nobody_watching_nobody_looks(house: House) -> None:
    looks = 0
    frame = house.bench.frame

    def count() -> Frame:
        nonlocal looks
        looks += 1
        return frame

    house.bench.pixels = count
    time.sleep(0.2)
    assert looks == 0
    house.join().hear("glow")
    house.doors.close()
    time.sleep(0.3)
    seen = looks
    time.sleep(0.2)
    assert looks == seen > 0


def test_without_a_bench_the_glow_is_the_lamps_as_last_sent(hex48: Board) -> None:
    table = ScriptedTable()
    with Kiosk(hex48, table) as kiosk, connect(kiosk.start().replace("http", "ws") + "live?seat=0") as page:
        lamps: list[list[str | int]] = [["off", 9, 9, 9] for _ in hex48.lamps]
        lamps[hex48.lamp_of("h19")] = ["pulse", 255, 128, 0]
        table.watch(kiosk.publish)
        table.say(lamps=lamps)
        visitor = Visitor(page)
        assert visitor.hear("board")["bench"] is False
        strip = visitor.hear("glow", lambda strip: "ff3100" in strip)
        (pixel,) = hex48.lamps[hex48.lamp_of("h19")]
        assert strip == "000000" * pixel + "ff3100" + "000000" * (47 - pixel)
        visitor.say({"lift": "drifter"})
        assert visitor.turned_out() == (1008, "this board is real: move its tokens by hand")


# -- what pages may do -------------------------------------------------------------------------------------------------


def test_the_mouse_moves_magnets_and_every_page_sees_where_they_are(house: House) -> None:
    mover, watcher = house.join("?seat=0"), house.join("?seat=public")
    mover.say({"lift": "drifter"})
    house.bench.expect(("lift", "drifter"))
    watcher.hear("magnets", lambda magnets: magnets == {"loader_droid": "h25"})
    mover.say({"place": ["drifter", "h31"]})
    watcher.hear("magnets", lambda magnets: magnets == {"drifter": "h31", "loader_droid": "h25"})
    house.bench.expect(("lift", "drifter"), ("place", "drifter", "h31"))


def test_lifting_what_is_lifted_already_does_nothing(house: House) -> None:
    visitor = house.join()
    visitor.hear("magnets")
    for message in ({"lift": "drifter"}, {"lift": "drifter"}, {"place": ["drifter", "pad"]}):
        visitor.say(message)
    house.bench.expect(("lift", "drifter"), ("place", "drifter", "pad"))


def test_a_magnet_the_game_does_not_know_can_be_taken_off(house: House) -> None:
    house.bench.where = house.bench.where | {"coin": "r1"}
    visitor = house.join()
    visitor.hear("magnets", lambda magnets: "coin" in magnets)
    visitor.say({"lift": "coin"})
    visitor.hear("magnets", lambda magnets: "coin" not in magnets)


def test_a_choice_is_posted_with_the_number_it_was_offered_under(house: House) -> None:
    house.join("?seat=0").say({"choose": 2, "number": 7})
    assert house.table.choosing.wait(5)
    assert house.table.chosen == [(2, 7)]


def test_a_choice_of_a_table_that_has_moved_on_is_passed_over(house: House) -> None:
    visitor = house.join("?seat=0")
    visitor.hear("table")
    visitor.say({"choose": 99, "number": 6})
    visitor.say({"choose": 0, "number": 7})
    assert house.table.choosing.wait(5)
    assert house.table.chosen == [(0, 7)]


@pytest.mark.parametrize(("seat", "index"), [("0", 5), ("1", 1), ("public", 0), ("0", 6)])
def test_nobody_chooses_for_another(house: House, seat: str, index: int) -> None:
    visitor = house.join(f"?seat={seat}")
    visitor.say({"choose": index, "number": 7})
    assert visitor.turned_out() == (1008, "that choice is not offered to this seat")
    assert house.table.chosen == []


@pytest.mark.parametrize("way", ["undo", "agree", "redo"])
def test_a_seat_goes_back_and_forth_as_of_what_it_sees(house: House, way: str) -> None:
    visitor = house.join("?seat=1")
    visitor.hear("table")
    visitor.say({way: 6})  # of a table that has moved on
    visitor.say({way: 7})
    assert house.table.choosing.wait(5)
    assert house.table.turned == [(way, 7, 1)]


@pytest.mark.parametrize("way", ["undo", "agree", "redo"])
def test_without_a_seat_it_is_said_at_the_table(house: House, way: str) -> None:
    visitor = house.join("?seat=public")
    visitor.hear("table")
    visitor.say({way: 6})  # of a table that has moved on
    visitor.say({way: 7})
    assert house.table.choosing.wait(5)
    assert house.table.turned == [(way, 7, None)]


def test_every_page_sees_the_history(house: House) -> None:
    told = {"played": [{"seat": 0, "text": "Stay"}], "undone": [], "alone": True, "missing": None}
    visitors = [house.join("?seat=0"), house.join("?seat=public")]
    house.table.say(number=8, history=told)
    for visitor in visitors:
        assert visitor.hear("table", lambda table: table["number"] == 8)["history"] == told


MALFORMED: list[Any] = [
    "",
    "null",
    "[]",
    "{}",
    "{",
    '"lift"',
    "[" * 400,
    '{"lift": "drifter"} {"lift": "drifter"}',
    '{"lift": "\\ud800"}',
    b'{"lift": "drifter"}',
    {"lift": 5},
    {"lift": None},
    {"lift": ""},
    {"lift": "x" * 65},
    {"lift": ["drifter"]},
    {"lift": "drifter", "place": ["drifter", "h31"]},
    {"place": "drifter"},
    {"place": ["drifter"]},
    {"place": ["drifter", "h31", "h32"]},
    {"place": ["drifter", 31]},
    {"place": {"token": "drifter", "space": "h31"}},
    {"choose": 0},
    {"choose": True, "number": 7},
    {"choose": 0.0, "number": 7},
    {"choose": "0", "number": 7},
    {"choose": -1, "number": 7},
    {"choose": 0, "number": 2**63},
    {"choose": 0, "number": 7, "seat": 1},
    {"undo": "7"},
    {"undo": 7, "redo": 7},
    {"agree": -1},
    {"redo": None},
    {"glow": "00"},
]


@pytest.mark.parametrize("message", MALFORMED, ids=lambda message: str(message)[:24])
def test_a_malformed_message_closes_that_socket_only(house: House, message: Any) -> None:
    bad, good = house.join("?seat=0"), house.join("?seat=0")
    bad.say(message)
    code, reason = bad.turned_out()
    assert code == 1008
    assert reason.startswith("expected ")
    good.say({"lift": "drifter"})
    house.bench.expect(("lift", "drifter"))


def test_what_is_not_on_this_table_is_refused_by_name(house: House) -> None:
    for message, reason in [
        ({"place": ["drifter", "a1"]}, "this board has no space 'a1'"),
        ({"place": ["t4", "h31"]}, "no token 't4' stands on this table"),
        ({"lift": "nobody"}, "no token 'nobody' stands on this table"),
    ]:
        visitor = house.join()
        visitor.say(message)
        assert visitor.turned_out() == (1008, reason)
    assert house.bench.moves == []


def test_a_reason_too_long_for_a_close_frame_is_cut(house: House) -> None:
    visitor = house.join()
    visitor.say({"place": ["drifter", "ł" * 64]})
    code, reason = visitor.turned_out()
    assert code == 1008
    assert reason.startswith("this board has no space 'łł")
    assert 120 <= len(reason.encode()) <= 123


def test_a_message_beyond_the_bound_closes_the_socket(house: House) -> None:
    visitor = house.join()
    visitor.say('{"lift": "drifter"}' + " " * messages.MESSAGE_BYTES)
    assert visitor.turned_out()[0] == 1009
    assert house.bench.moves == []


def test_a_socket_faster_than_any_hand_is_closed(house: House) -> None:
    fast, calm = house.join(), house.join()
    fast.hear("table")
    with suppress(ConnectionClosedError):  # it is closed while it still talks
        for _ in range(1000):
            fast.say({"choose": 0, "number": 0})
    assert fast.turned_out() == (1008, "more than 20 messages a second: slower, please")
    calm.say({"choose": 1, "number": 7})
    assert house.table.choosing.wait(5)
    assert house.table.chosen == [(1, 7)]


KEYS = st.sampled_from(["lift", "place", "choose", "number", "undo", "agree", "redo"])
LEAVES = st.none() | st.booleans() | st.floats() | st.integers() | st.text()
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner)).map(json.dumps)


@given(st.text() | JSON)
def test_any_text_is_a_message_or_malformed(text: str) -> None:
    try:
        message = messages.read(text)
    except messages.Malformed:
        return
    assert messages.read(message.model_dump_json()) == message
