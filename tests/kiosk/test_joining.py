"""Phones join a real server: codes, passes, and what a guest may do."""

from __future__ import annotations

import http.client
import logging
import re
import socket
import time
from contextlib import ExitStack
from http.cookies import SimpleCookie

import pytest
from guests import LAN, Network, codes
from scripted_table import SECRETS, ScriptedTable
from visiting import House
from websockets.exceptions import InvalidStatus

from underglow.kiosk import AddressTaken, Kiosk, audience, doorway, guard
from underglow.kiosk.invitations import PHONES, TRIES
from underglow.kiosk.server import lan_address
from underglow.profile import Board

WRONG = "ABCD-EFGH"


def test_a_phone_joins_by_the_code_that_the_table_s_page_shows(lan_house: House, network: Network) -> None:
    own = lan_house.join("?seat=public")
    told = own.hear("invitations")
    assert told["address"] == f"http://{network.netloc}/join"
    assert [(seat["seat"], seat["phones"]) for seat in told["seats"]] == [(0, 0), (1, 0)]
    answer = network.join(told["seats"][1]["code"], origin=f"http://{network.netloc}")
    assert (answer.status, answer.text) == (204, "")
    table = network.open("?seat=own", answer.cookie, origin=f"http://{network.netloc}").hear("table")
    assert table["seat"] == 1
    assert SECRETS[1] in str(table["view"]["seats"][1]["hand"])
    after = own.hear("invitations")["seats"][1]
    assert (after["code"], after["path"], after["phones"]) == (None, "", 1)


def test_the_pass_is_a_cookie_that_no_script_and_no_other_site_can_use(lan_house: House, network: Network) -> None:
    answer = network.join(codes(lan_house.join("?seat=public"))[0])
    (cookie,) = SimpleCookie(dict(answer.headers)["set-cookie"]).values()
    assert cookie["httponly"]
    assert cookie["samesite"].lower() == "strict"
    assert cookie["path"] == "/"
    assert cookie.key == f"underglow-{network.netloc.split(':')[1]}"
    assert len(cookie.value) >= 43  # 256 bits


def test_wrong_and_used_codes_are_refused_alike(lan_house: House, network: Network) -> None:
    code = codes(lan_house.join("?seat=public"))[0]
    assert network.join(code).status == 204
    wrong, used = network.join(WRONG), network.join(code)
    assert (wrong.status, wrong.text) == (used.status, used.text)
    assert wrong.status == 403
    assert (wrong.cookie, used.cookie) == (None, None)


def test_guessing_is_slow_and_keeps_no_other_from_joining(lan_house: House, network: Network) -> None:
    code = codes(lan_house.join("?seat=public"))[0]
    statuses = [network.join(WRONG, "127.0.0.6").status for _ in range(TRIES + 3)]
    assert statuses == [403] * TRIES + [429] * 3
    assert network.join(code, "127.0.0.6").status == 429
    assert network.join(code, "127.0.0.7").status == 204


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"A" * 65, b"A" * 5_000_000])
def test_a_body_that_is_no_code_is_refused(lan_house: House, network: Network, body: bytes) -> None:
    try:
        assert network.ask("POST", "/join", body).status in (403, 413)
    except (BrokenPipeError, ConnectionResetError):
        assert len(body) > 64  # hung up on, while it still talked
    assert network.join(codes(lan_house.join("?seat=public"))[0]).status == 204


def test_without_a_pass_the_network_sees_what_is_public(lan_house: House, network: Network) -> None:
    watcher = network.open("")
    assert watcher.hear("board")["bench"] is False
    assert watcher.hear("house") == {"home": False}
    assert watcher.hear("table")["seat"] is None
    lan_house.table.say(number=8)
    watcher.hear("table", lambda table: table["number"] == 8)
    traffic = "".join(watcher.heard)
    assert "invitations" not in traffic
    assert not any(secret in traffic for secret in SECRETS)


def test_who_watches_from_the_network_chooses_nothing_though_it_is_open_to_all(
    lan_house: House, network: Network
) -> None:
    for choice in lan_house.table.snapshot["choices"]:
        choice["open"] = True
    assert len(lan_house.join("?seat=public").hear("table")["choices"]) == 6
    watcher = network.open("")
    assert watcher.hear("table")["choices"] == []
    for message in ({"choose": 0, "number": 7}, {"undo": 7}, {"agree": 7}, {"redo": 7}):
        stranger = network.open("")
        stranger.say(message)
        assert stranger.turned_out() == (1008, "who only watches chooses nothing: a code leads to a seat")
    assert lan_house.table.chosen == []
    assert lan_house.table.turned == []


@pytest.mark.parametrize("seat", ["0", "1", "7"])
def test_the_network_takes_no_seat_by_asking(lan_house: House, network: Network, seat: str) -> None:
    assert network.open(f"?seat={seat}").turned_out() == (1008, "on the network, only a code leads to a seat")


def test_alone_at_the_table_the_network_still_needs_a_code(hex48: Board) -> None:
    table = ScriptedTable(seats=1)
    with Kiosk(hex48, table) as kiosk, ExitStack() as doors:
        address = kiosk.start(lan=LAN)
        table.watch(kiosk.publish)
        network = Network(address.split("/")[2].replace("127.0.0.1", LAN), doors)
        assert network.open("").hear("table")["seat"] is None
        ((_, leads),) = kiosk.invitations
        page, _ = network.seated(leads.rpartition("#")[2])
        assert page.hear("table")["seat"] == 0


@pytest.mark.parametrize("cookie", [None, "underglow-{port}=x", "underglow-{port}=", "underglow-1=x"])
def test_a_pass_that_is_none_is_told_so_and_not_to_try_again(
    lan_house: House, network: Network, cookie: str | None
) -> None:
    shown = cookie and cookie.format(port=network.netloc.split(":")[1])
    code, reason = network.open("?seat=own", shown).turned_out()
    assert code == audience.UNSEATED
    assert reason == audience.NO_SEAT


def test_a_phone_hears_of_its_table_and_of_nothing_else(lan_house: House, network: Network) -> None:
    phone, _ = network.seated(codes(lan_house.join("?seat=public"))[0])
    lan_house.bench.glow(h19=(9, 9, 9))
    lan_house.table.say(number=8)
    phone.hear("table", lambda table: table["number"] == 8)
    assert {text.split('"')[1] for text in phone.heard} == {"table"}


@pytest.mark.parametrize(
    "message", [{"lift": "drifter"}, {"place": ["drifter", "h31"]}, {"invite": 0}, {"free": 0}], ids=str
)
def test_guests_neither_move_magnets_nor_let_others_in(
    lan_house: House, network: Network, message: dict[str, object]
) -> None:
    seated, _ = network.seated(codes(lan_house.join("?seat=public"))[0])
    for guest in (network.open(""), seated):
        guest.say(message)
        assert guest.turned_out() == (1008, "only the table's own page does that")
    assert lan_house.bench.moves == []


def test_a_phone_chooses_and_takes_back_for_its_own_seat_only(lan_house: House, network: Network) -> None:
    phone, cookie = network.seated(codes(lan_house.join("?seat=public"))[1])
    phone.say({"choose": 0, "number": 7})
    assert lan_house.table.choosing.wait(5)
    assert lan_house.table.chosen == [(5, 7)]
    phone.say({"undo": 7})
    other = network.open("?seat=own", cookie)
    other.say({"choose": 1, "number": 7})
    assert other.turned_out() == (1008, "that choice is not offered to this seat")
    assert lan_house.table.turned == [("undo", 7, 1)]


# -- a second phone, and phones that slept --------------------------------------------------------------------------


def test_a_phone_that_slept_comes_back_by_its_pass(lan_house: House, network: Network) -> None:
    phone, cookie = network.seated(codes(lan_house.join("?seat=public"))[0])
    phone.hear("table")
    phone.socket.close()
    assert network.open("?seat=own", cookie).hear("table")["seat"] == 0


def test_the_newest_page_of_a_phone_stays(lan_house: House, network: Network) -> None:
    first, cookie = network.seated(codes(lan_house.join("?seat=public"))[0])
    others = [network.open("?seat=own", cookie) for _ in range(audience.PAGES_OF_PASS)]
    assert first.turned_out()[0] == audience.REPLACED
    for page in others:
        assert page.hear("table")["seat"] == 0


def test_a_taken_seat_shows_a_code_when_the_table_s_page_asks(lan_house: House, network: Network) -> None:
    own = lan_house.join("?seat=public")
    first, _ = network.seated(codes(own)[0])
    assert list(codes(own)) == [1]
    own.say({"invite": 0})
    again = codes(own)
    assert list(again) == [0, 1]
    second, _ = network.seated(again[0])
    for number, phone in enumerate((first, second), 8):
        lan_house.table.say(number=number)
        assert phone.hear("table", lambda table, number=number: table["number"] == number)["seat"] == 0
    assert own.hear("invitations")["seats"][0]["phones"] == 2


def test_of_too_many_phones_in_a_seat_the_first_leaves(lan_house: House, network: Network) -> None:
    own = lan_house.join("?seat=public")
    phones = [network.seated(codes(own)[0])[0]]
    own.hear("invitations")
    for number in range(PHONES):
        own.say({"invite": 0})
        phones.append(network.seated(codes(own)[0], f"127.0.0.{10 + number}")[0])
        own.hear("invitations")
    assert phones[0].turned_out() == (audience.UNSEATED, audience.NO_SEAT)
    assert [phone.hear("table")["seat"] for phone in phones[1:]] == [0] * PHONES


def test_a_freed_seat_sends_its_phones_away(lan_house: House, network: Network) -> None:
    own = lan_house.join("?seat=public")
    offered = codes(own)
    gone, cookie = network.seated(offered[0])
    stays, _ = network.seated(offered[1])
    gone.hear("table")
    own.say({"free": 0})
    assert gone.turned_out() == (audience.UNSEATED, audience.NO_SEAT)
    assert network.open("?seat=own", cookie).turned_out()[0] == audience.UNSEATED
    lan_house.table.say(number=8, log=["only for whoever still sits here"])
    stays.hear("table", lambda table: table["number"] == 8)
    assert "still sits here" not in "".join(gone.heard)


def test_a_phone_that_takes_nothing_does_nothing_more_once_its_seat_is_freed(
    lan_house: House, network: Network
) -> None:
    own = lan_house.join("?seat=public")
    cookie = network.join(codes(own)[0]).cookie
    stalled = lan_house.doors.enter_context(socket.socket())
    stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stalled.connect((LAN, int(network.netloc.split(":")[1])))
    stalled.sendall(
        f"GET /live?seat=own HTTP/1.1\r\nHost: {network.netloc}\r\nCookie: {cookie}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert stalled.recv(12) == b"HTTP/1.1 101"
    for number in range(8, 60):  # until the server's next message to it waits
        lan_house.table.say(number=number, log=["x" * 2000] * 60)
        time.sleep(0.04)
    own.say({"free": 0})
    own.hear("invitations", lambda told: told["seats"][0]["code"] is not None)
    choice = b'{"choose":0,"number":59}'
    stalled.sendall(bytes([0x81, 0x80 | len(choice), 0, 0, 0, 0]) + choice)  # masked by zeros
    time.sleep(0.5)
    assert lan_house.table.chosen == []


def test_a_phone_that_changes_seats_leaves_its_first(lan_house: House, network: Network) -> None:
    offered = codes(lan_house.join("?seat=public"))
    first, cookie = network.seated(offered[0])
    answer = network.join(offered[1], cookie=cookie)
    assert first.turned_out()[0] == audience.UNSEATED
    assert network.open("?seat=own", answer.cookie).hear("table")["seat"] == 1


@pytest.mark.parametrize("wish", ["invite", "free"])
def test_there_are_no_phones_without_lan_and_none_in_a_seat_that_is_not_there(
    house: House, lan_house: House, wish: str
) -> None:
    for table, seat, reason in [
        (house, 0, "phones do not reach this table: start it with --lan"),
        (lan_house, 7, "this table has no seat '7'"),
    ]:
        page = table.join()
        page.say({wish: seat})
        assert page.turned_out() == (1008, reason)


# -- who may ask -----------------------------------------------------------------------------------------------------


def test_without_lan_nothing_listens_but_on_loopback(house: House) -> None:
    port = int(house.netloc.split(":")[1])
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((LAN, port))
    for path in ("/join", "/seat"):
        connection = http.client.HTTPConnection(house.netloc, timeout=5)
        connection.request("GET", path)
        assert connection.getresponse().status == 404
        connection.close()


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1:{port}", "evil.example", "127.0.0.2.evil.example", ""])
def test_the_network_is_answered_by_its_own_address_only(lan_house: House, network: Network, name: str) -> None:
    host = name.format(port=network.netloc.split(":")[1])
    assert network.ask("GET", "/", host=host).status == 403
    assert network.ask("POST", "/join", b"x", host=host).status == 403
    refused = network.ask(
        "GET",
        "/live",
        host=host,
        upgrade="websocket",
        connection="upgrade",
        sec_websocket_version="13",
        sec_websocket_key="dGhlIHNhbXBsZSBub25jZQ==",
    )
    assert refused.status == 403


def test_this_machine_is_not_answered_by_the_network_s_address(lan_house: House, network: Network) -> None:
    connection = http.client.HTTPConnection(lan_house.netloc, timeout=5)
    connection.request("GET", "/", headers={"host": network.netloc})
    assert connection.getresponse().status == 403
    connection.close()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://{netloc}", "http://127.0.0.1:{port}"])
def test_another_site_s_page_joins_nobody_and_opens_no_seat(lan_house: House, network: Network, origin: str) -> None:
    page = lan_house.join("?seat=public")
    offered = codes(page)
    foreign = origin.format(netloc=network.netloc, port=network.netloc.split(":")[1])
    answer = network.join(offered[0], origin=foreign)
    assert (answer.status, answer.cookie) == (403, None)
    _, cookie = network.seated(offered[0])
    with pytest.raises(InvalidStatus) as refusal:
        network.open("?seat=own", cookie, origin=foreign)
    assert refusal.value.response.status_code == 403


@pytest.mark.parametrize("path", ["/", "/join", "/seat", "/static/seat.js", "/static/seat.css"])
def test_pages_of_phones_are_bound_to_this_origin(lan_house: House, network: Network, path: str) -> None:
    answer = network.ask("GET", path)
    assert answer.status == 200
    headers = dict(answer.headers)
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert headers["referrer-policy"] == "no-referrer"
    assert not re.search(r"<script>|<style| on\w+=| style=", answer.text)


def test_no_code_and_no_pass_is_ever_logged(
    lan_house: House, network: Network, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        page = lan_house.join("?seat=public")
        code = codes(page)[0]
        phone, cookie = network.seated(code)
        phone.hear("table")
        network.join(code)
        phone.say("{")
        phone.turned_out()
    # The client of this test tells its own side of the handshake; the table's side is what is looked at.
    told = " ".join(
        f"{record.getMessage()} {record.exc_text}" for record in caplog.records if record.name != "websockets.client"
    )
    assert code not in told
    assert cookie.partition("=")[2] not in told


# -- crowds ----------------------------------------------------------------------------------------------------------


def test_watchers_of_the_network_leave_room_for_seats_and_for_the_table_s_own_pages(
    lan_house: House, network: Network
) -> None:
    own = lan_house.join("?seat=public")
    offered = codes(own)
    for address in range(20, 20 + audience.STRANGERS // audience.STRANGERS_OF_ADDRESS):
        crowd = [network.open("", source=f"127.0.0.{address}") for _ in range(audience.STRANGERS_OF_ADDRESS)]
        for watcher in crowd:
            watcher.hear("table")
        turned_out = network.open("", source=f"127.0.0.{address}").turned_out()
        assert turned_out == (1013, "too many only watch: take a seat, or close a page")
    assert network.open("", source="127.0.0.40").turned_out()[0] == 1013
    assert network.seated(offered[0], "127.0.0.20")[0].hear("table")["seat"] == 0
    lan_house.join("?seat=1").hear("table")


def test_pages_of_the_network_are_counted_apart(
    lan_house: House, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience, "GUESTS", 2)
    for address in ("127.0.0.20", "127.0.0.21"):
        network.open("", source=address).hear("table")
    assert network.open("", source="127.0.0.22").turned_out() == (
        1013,
        "2 pages are open on the network already: close one",
    )
    lan_house.join().hear("table")


def dropped(connection: socket.socket, within_s: float) -> bool:
    connection.settimeout(within_s)
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


def test_connections_of_one_guest_and_of_all_are_bounded(lan_house: House, network: Network) -> None:
    port = int(network.netloc.split(":")[1])

    def connected(source: str) -> socket.socket:
        return lan_house.doors.enter_context(socket.create_connection((LAN, port), source_address=(source, 0)))

    crowd = [connected("127.0.0.20") for _ in range(doorway.GUESTS_OF_ADDRESS)]
    assert dropped(connected("127.0.0.20"), 5)
    for address in range(21, 20 + doorway.GUESTS // doorway.GUESTS_OF_ADDRESS):
        crowd += [connected(f"127.0.0.{address}") for _ in range(doorway.GUESTS_OF_ADDRESS)]
    assert len(crowd) == doorway.GUESTS
    assert dropped(connected("127.0.0.60"), 5)
    assert not any(dropped(connection, 0.01) for connection in crowd)
    lan_house.join().hear("table")  # this machine's own pages find room
    crowd[0].close()
    end_s = time.monotonic() + 5
    while dropped(connected("127.0.0.60"), 0.1):
        assert time.monotonic() < end_s


@pytest.mark.parametrize(
    "said", [b"", b"GET / HT", b"POST /join HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\nA"]
)
def test_a_guest_that_never_comes_to_the_point_is_dropped(
    lan_house: House, network: Network, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorway, "LIFE_S", 0.3)
    page = network.open("")
    page.hear("table")
    slow = lan_house.doors.enter_context(socket.create_connection((LAN, int(network.netloc.split(":")[1]))))
    slow.sendall(said.replace(b"{host}", network.netloc.encode()))
    assert dropped(slow, 5)
    time.sleep(0.4)
    lan_house.table.say(number=8)
    page.hear("table", lambda table: table["number"] == 8)  # a socket stays


@pytest.fixture
def slow_refill(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this machine is, it asks faster than that."""
    monkeypatch.setattr(guard, "REQUESTS_PER_S", 0.2)
    monkeypatch.setattr(guard, "SLOWER_S", 0.5)


@pytest.mark.usefixtures("slow_refill", "lan_house")
def test_a_guest_that_asks_without_end_is_slowed_down_alone(network: Network) -> None:
    guest = http.client.HTTPConnection(network.netloc, timeout=5, source_address=("127.0.0.20", 0))

    def ask() -> int:
        guest.request("GET", "/static/icon.svg")
        answer = guest.getresponse()
        answer.read()
        return answer.status

    assert {ask() for _ in range(guard.REQUESTS)} == {200}
    began_s = time.monotonic()
    statuses = [ask() for _ in range(6)]
    assert 429 in statuses
    assert time.monotonic() - began_s >= 0.5 * statuses.count(429)
    assert network.ask("GET", "/static/icon.svg", source="127.0.0.21").status == 200
    guest.close()


def test_a_guest_that_comes_again_and_again_is_dropped_alone(lan_house: House, network: Network) -> None:
    port = int(network.netloc.split(":")[1])
    came = 2 * int(doorway.ARRIVALS_OF_ADDRESS[0])
    ends: list[bool] = []
    for _ in range(came):
        with socket.create_connection((LAN, port), source_address=("127.0.0.20", 0)) as guest:
            guest.sendall(f"GET /nobody HTTP/1.1\r\nHost: {network.netloc}\r\n\r\n".encode())
            ends.append(dropped(guest, 5))
    assert not any(ends[: int(doorway.ARRIVALS_OF_ADDRESS[0])])
    assert sum(ends) > came // 4
    assert network.ask("GET", "/static/icon.svg", source="127.0.0.21").status == 200
    lan_house.join().hear("table")


# -- addresses ---------------------------------------------------------------------------------------------------------


def test_a_network_that_is_not_ours_is_one_sentence(hex48: Board) -> None:
    for address in ("192.0.2.7", "no such host"):
        with pytest.raises(AddressTaken, match=f"^{address} is no address of this machine$"):
            Kiosk(hex48, ScriptedTable()).start(lan=address)


@pytest.mark.parametrize("address", ["", "0.0.0.0", "127.0.0.1"])  # noqa: S104 - refused
def test_the_network_is_one_address_and_not_this_machine_alone(hex48: Board, address: str) -> None:
    with pytest.raises(AddressTaken, match=f"^no other machine reaches this one by '{address}'"):
        Kiosk(hex48, ScriptedTable()).start(lan=address)


def test_the_address_of_this_machine_s_network_is_one_of_its_own() -> None:
    try:
        address = lan_address()
    except AddressTaken:
        pytest.skip("this machine is in no network")
    socket.create_server((address, 0)).close()


def test_a_port_that_is_taken_in_the_network_is_one_sentence_and_frees_the_other(hex48: Board) -> None:
    with socket.create_server((LAN, 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(AddressTaken, match=f"^port {port} of {LAN} is taken by another program"):
            Kiosk(hex48, ScriptedTable()).start(port, LAN)
        socket.create_server(("127.0.0.1", port)).close()
