from __future__ import annotations

import http.client
import logging
import re
import socket
import threading
import time
from contextlib import ExitStack
from importlib.resources import files

import pytest
from scripted_table import Frame, ScriptedBench, ScriptedTable
from visiting import House, Visitor
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from underglow.kiosk import AddressTaken, Kiosk, audience, messages
from underglow.kiosk.hands import WAITING_MOVES, Hands
from underglow.profile import Board


def get(house: House, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(house.netloc, timeout=5)
    try:
        connection.request("GET", path, headers={key.replace("_", "-"): value for key, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


# -- address and pages -------------------------------------------------------------------------------------------------


def test_it_listens_on_loopback_only_and_says_where(house: House) -> None:
    host, port = house.netloc.split(":")
    assert host == "127.0.0.1"
    assert house.address == f"http://127.0.0.1:{port}/"
    assert get(house, "/")[0] == 200


def test_a_busy_port_is_one_sentence(house: House, hex48: Board) -> None:
    port = int(house.netloc.split(":")[1])
    with pytest.raises(AddressTaken, match=f"^port {port} of 127.0.0.1 is taken by another program: choose another"):
        Kiosk(hex48, ScriptedTable()).start(port)


@pytest.mark.parametrize("port", [-1, 65536, 99999])
def test_a_port_that_cannot_be_is_one_sentence(hex48: Board, port: int) -> None:
    with pytest.raises(AddressTaken, match=f"^there is no port {port}: choose one from 1024 to 65535"):
        Kiosk(hex48, ScriptedTable()).start(port)


def test_every_file_of_the_page_is_served_with_its_type_and_bound_to_this_origin(house: House) -> None:
    types = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
    names = [entry.name for entry in (files("underglow.kiosk") / "static").iterdir()]
    assert {"index.html", "main.js", "style.css"} <= set(names)
    for path in ["/", *(f"/static/{name}" for name in names)]:
        status, headers, body = get(house, path)
        assert (status, headers["content-type"].split(";")[0]) == (
            200,
            types[path.rpartition(".")[2].replace("/", "html")],
        )
        assert body
        policy = headers["content-security-policy"].split("; ")
        assert policy[0] == "default-src 'none'"
        assert all(rule.split()[1:] in (["'self'"], ["'none'"]) for rule in policy)
        assert headers["x-content-type-options"] == "nosniff"


def test_no_file_of_the_page_names_another_place() -> None:
    for entry in (files("underglow.kiosk") / "static").iterdir():
        text = entry.read_text().replace("http://www.w3.org/2000/svg", "")
        assert re.findall(r"(?:https?:|wss?:)?//[\w.]+", text) == [], entry.name


@pytest.mark.parametrize(
    "path", ["../server.py", "%2e%2e/server.py", "..%2fserver.py", "%2e%2e%2fserver.py", "", "nope.js"]
)
def test_no_path_leads_out_of_the_page(house: House, path: str) -> None:
    status, _, body = get(house, f"/static/{path}")
    assert status == 404
    assert b"import" not in body


# -- who may ask -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "evil.example:80", "[::2]:80", ""])
def test_a_foreign_host_name_is_refused(house: House, name: str) -> None:
    assert get(house, "/", Host=name)[0] == 403


def test_this_machine_s_names_are_answered(house: House) -> None:
    port = house.netloc.split(":")[1]
    for name in ["localhost", f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}"]:
        assert get(house, "/", Host=name)[0] == 200


def test_a_foreign_page_may_not_open_the_socket(house: House) -> None:
    for origin in ["http://evil.example", "null", f"https://{house.netloc}", "http://127.0.0.1:1"]:
        with pytest.raises(InvalidStatus) as refusal:
            house.join(origin=origin)
        assert refusal.value.response.status_code == 403
    house.join(origin=f"http://{house.netloc}").hear("table")


def test_a_foreign_page_may_not_read_the_page(house: House) -> None:
    assert get(house, "/", Origin="http://evil.example")[0] == 403


# -- crowds, slow pages, the end ---------------------------------------------------------------------------------------


def test_there_is_room_for_so_many_pages_and_then_a_reason(house: House) -> None:
    crowd = [house.join() for _ in range(audience.SOCKETS)]
    for visitor in crowd:
        visitor.hear("table")
    assert house.join().turned_out() == (1013, f"{audience.SOCKETS} pages are open already: close one")
    crowd[0].socket.close()
    for _ in range(50):
        late = house.join()
        try:
            late.hear("table")
        except ConnectionClosedError:
            time.sleep(0.05)
            continue
        return
    pytest.fail("the place of a page that left stayed taken")


def sleeper(house: House) -> socket.socket:
    """A page that opens its socket and then takes nothing any more."""
    page = house.doors.enter_context(socket.socket())
    page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    page.connect(("127.0.0.1", int(house.netloc.split(":")[1])))
    page.sendall(
        f"GET /live?seat=0 HTTP/1.1\r\nHost: {house.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert page.recv(12) == b"HTTP/1.1 101"
    return page


def flood(house: House, numbers: range) -> list[float]:
    """Publish many large snapshots; return how long each call took."""
    log = ["x" * 2000] * 60
    took: list[float] = []
    for number in numbers:
        began = time.perf_counter()
        house.table.say(number=number, log=log)
        took.append(time.perf_counter() - began)
        time.sleep(0.003)
    return took


def test_a_page_that_takes_nothing_delays_nobody_and_loses_its_place(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience, "SOCKETS", 2)
    monkeypatch.setattr(audience, "SEND_S", 0.4)
    sleeper(house)
    awake = house.join("?seat=1")
    awake.hear("table")
    assert house.join().turned_out()[0] == 1013
    took: list[float] = []
    flooding = threading.Thread(target=lambda: took.extend(flood(house, range(100, 500))))
    flooding.start()
    awake.hear("table", lambda table: table["number"] == 499)
    flooding.join()
    assert max(took) < 0.2  # the sleeper is given up after twice as long
    time.sleep(0.6)
    house.join("?seat=0").hear("table")


def test_a_page_that_was_busy_sees_the_newest_and_not_all(house: House) -> None:
    visitor = house.join()
    visitor.hear("table")
    for number in range(1000, 6000):
        house.table.say(number=number)
    visitor.hear("table", lambda table: table["number"] == 5999)
    assert len(visitor.heard) < 150


def test_stop_ends_pages_server_and_threads(house: House) -> None:
    before = set(threading.enumerate())  # also the test browser's
    assert {"kiosk", "kiosk-hands"} <= {thread.name for thread in before}
    sleeper(house)
    idle = house.doors.enter_context(socket.create_connection(house.netloc.split(":")))  # pyright: ignore[reportArgumentType]
    flood(house, range(8, 100))
    visitors = [house.join(), house.join("?seat=public")]
    for visitor in visitors:
        visitor.hear("table")
    began = time.monotonic()
    house.kiosk.stop()
    assert time.monotonic() - began < 5  # a stalled page would hold it up for ten
    after = threading.enumerate()
    assert not [thread for thread in after if thread not in before or thread.name.startswith("kiosk")]
    assert [visitor.turned_out()[0] for visitor in visitors] == [1012, 1012]
    assert idle.recv(1) == b""
    house.kiosk.stop()
    house.kiosk.publish(house.table.snapshot)


def test_after_stop_the_port_is_free_at_once(house: House, hex48: Board) -> None:
    port = int(house.netloc.split(":")[1])
    house.join().hear("table")
    house.kiosk.stop()
    with Kiosk(hex48, house.table) as again:
        assert again.start(port) == house.address
        again.publish(house.table.snapshot)
        house.join().hear("table")


def test_stop_before_start_is_nothing(hex48: Board) -> None:
    table = ScriptedTable()
    kiosk = Kiosk(hex48, table)
    table.watch(kiosk.publish)
    kiosk.stop()


def test_what_was_published_before_the_start_is_shown(hex48: Board) -> None:
    table = ScriptedTable()
    with Kiosk(hex48, table) as kiosk, ExitStack() as doors:
        table.watch(kiosk.publish)
        page = doors.enter_context(connect(kiosk.start().replace("http", "ws") + "live"))
        assert Visitor(page).hear("table")["number"] == 7


def test_a_bench_that_went_away_leaves_the_table_on_the_page(house: House, caplog: pytest.LogCaptureFixture) -> None:
    visitor = house.join()
    visitor.hear("glow")

    def gone() -> Frame:
        raise BrokenPipeError("the bench process has ended")

    with caplog.at_level(logging.WARNING):
        house.bench.pixels = gone
        time.sleep(0.2)
        house.table.say(number=8)
        visitor.hear("table", lambda table: table["number"] == 8)
    assert caplog.messages == ["the bench is gone, the page shows what it saw last: the bench process has ended"]


def test_more_moves_than_the_bench_can_take_are_refused(hex48: Board) -> None:
    bench = ScriptedBench(hex48)
    hands = Hands(bench, lambda letter: None)  # never started: nobody takes the moves
    for _ in range(WAITING_MOVES):
        hands.move(messages.Lift(lift="drifter"))
    with pytest.raises(messages.Malformed, match="more moves than two hands can make"):
        hands.move(messages.Lift(lift="drifter"))
