"""Seat pages in a real browser: phones join the table's own page and play."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from guests import LAN, Network, codes
from phone import PHONE, Phone, code_of
from playwright.sync_api import Browser, Page, expect
from scripted_table import SECRETS
from visiting import House

from underglow.kiosk import audience, invitations, server

CONTRAST = (Path(__file__).parent / "contrast.js").read_text()


@pytest.fixture
def phones(browser: Browser) -> Iterator[list[Phone]]:
    pair = [Phone(browser), Phone(browser)]
    yield pair
    for phone in pair:
        phone.context.close()


@pytest.fixture
def own(browser: Browser, lan_house: House) -> Iterator[Page]:
    """The table's own page."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(lan_house.address)
    yield page
    page.close()


def test_two_phones_sit_down_and_each_sees_its_own(
    lan_house: House, network: Network, own: Page, phones: list[Phone], tmp_path: Path
) -> None:
    join = f"http://{network.netloc}/join"
    expect(own.get_by_role("dialog")).to_contain_text(join)
    expect(own.get_by_role("img", name=re.compile("QR code of Seat 1"))).to_be_visible()
    own.screenshot(path=tmp_path / "doors.png")
    for seat, phone in enumerate(phones):
        phone.scan(join, code_of(own, seat))
        expect(phone.page.locator("#hand")).to_contain_text(SECRETS[seat])
        assert phone.page.url == f"http://{network.netloc}/seat"
    expect(own.locator("#doors")).to_be_hidden()  # all seats are taken
    first, second = phones
    expect(first.page.locator("#turn")).to_have_text("Your turn: Drifter")
    expect(second.page.locator("#turn")).to_have_text("Drifter to move")
    expect(first.page.locator("#says")).to_have_text("Move the Drifter up to 3 spaces.")
    expect(first.page.locator("#log")).to_contain_text("Pit Bruiser")
    first.page.screenshot(path=tmp_path / "phone.png", full_page=True)
    second.button(f"Discard {SECRETS[1]}").tap()
    assert lan_house.table.choosing.wait(5)
    assert lan_house.table.chosen == [(5, 7)]
    for seat, phone in enumerate(phones):
        assert [secret in "".join(phone.traffic) for secret in SECRETS] == [seat == 0, seat == 1]
        assert not any("#" in url or "?" in url.replace("?seat=own", "") for url in phone.requests)
        assert phone.page.evaluate("document.cookie") == ""
        assert phone.complaints == []


def test_a_phone_undoes_what_it_did(lan_house: House, network: Network, phones: list[Phone]) -> None:
    phone = phones[0]
    phone.scan(f"http://{network.netloc}/join", codes(lan_house.join("?seat=public"))[0])
    played = {"played": [{"seat": 0, "text": "Stay on e1"}], "undone": [], "alone": True, "missing": None}
    expect(phone.page.locator("#says")).not_to_be_empty()
    lan_house.table.say(number=8, history=played)
    phone.button("Undo: Stay on e1").tap()
    assert lan_house.table.choosing.wait(5)
    assert lan_house.table.turned == [("undo", 8, 0)]


def test_dice_are_a_pad(lan_house: House, network: Network, phones: list[Phone]) -> None:
    phone = phones[0]
    phone.scan(f"http://{network.netloc}/join", codes(lan_house.join("?seat=public"))[0])
    dice = [
        {
            "index": n, "seat": 0, "text": f"The dice show {n + 2}", "verb": "rolled", "args": [n + 2], "at": [],
            "open": True,
        }
        for n in range(11)
    ]  # fmt: skip
    expect(phone.page.locator("#says")).not_to_be_empty()
    lan_house.table.say(number=8, choices=dice)
    pad = phone.page.locator(".pad button")
    expect(pad).to_have_text([str(n) for n in range(2, 13)])
    for button in pad.all():
        box = button.bounding_box()
        assert box is not None
        assert box["width"] >= 56
        assert box["height"] >= 56
    phone.button("The dice show 12").tap()
    assert lan_house.table.choosing.wait(5)
    assert lan_house.table.chosen == [(10, 8)]


def test_peeks_are_told_in_words(lan_house: House, network: Network, phones: list[Phone]) -> None:
    view = lan_house.table.view
    seen = {"peeks": [{"id": "t1", "name": "Pit Bruiser"}, {"space": "c6", "name": "Axes"}], "role": "Guardian"}
    lan_house.table.view = lambda seat: {**view(seat), **(seen if seat == 0 else {})}  # pyright: ignore[reportAttributeAccessIssue]
    phones[0].scan(f"http://{network.netloc}/join", codes(lan_house.join("?seat=public"))[0])
    expect(phones[0].page.locator("#peeks li")).to_have_text(["a2: Pit Bruiser", "c6: Axes", "Your role: Guardian"])
    phones[0].page.get_by_text("For your eyes").tap()
    expect(phones[0].page.locator("#hand")).to_be_hidden()


def test_a_code_is_typed_in_where_there_is_no_camera(lan_house: House, network: Network, phones: list[Phone]) -> None:
    phone = phones[0].page
    phone.goto(f"http://{network.netloc}/join")
    expect(phone.locator("#link")).to_have_text(audience.NO_SEAT)
    for typed, answer in [
        ("nonsense", "that code leads to no seat"),
        (codes(lan_house.join("?seat=public"))[1], "at the table"),
    ]:
        phone.get_by_label("The code of your seat").fill(typed.lower())
        phone.get_by_role("button", name="Sit down").tap()
        expect(phone.locator("#link")).to_contain_text(answer)
    expect(phone.locator("#hand")).to_contain_text(SECRETS[1])


def test_a_used_code_is_said_and_taken_out_of_the_address(
    lan_house: House, network: Network, phones: list[Phone]
) -> None:
    code = codes(lan_house.join("?seat=public"))[0]
    for phone, answer in zip(phones, ["at the table", "that code leads to no seat"], strict=True):
        phone.scan(f"http://{network.netloc}/join", code)
        expect(phone.page.locator("#link")).to_contain_text(answer)
        assert phone.page.url == f"http://{network.netloc}/seat"
    assert SECRETS[0] not in phones[1].page.content()


@pytest.fixture
def short_lived(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes are good for three seconds."""
    monkeypatch.setattr(invitations, "CODE_S", 3.0)
    monkeypatch.setattr(server, "RENEW_S", 0.1)


@pytest.mark.usefixtures("short_lived", "lan_house")
def test_an_expired_code_is_refused_and_a_new_one_shown(own: Page, network: Network, phones: list[Phone]) -> None:
    join = f"http://{network.netloc}/join"
    old = code_of(own, 0)
    expect(own.locator("#doors [data-seat='0'] .code")).not_to_have_text(old)
    phones[0].scan(join, old)
    expect(phones[0].page.locator("#link")).to_contain_text("that code leads to no seat")
    phones[1].scan(join, code_of(own, 0))
    expect(phones[1].page.locator("#hand")).to_contain_text(SECRETS[0])


def test_a_reload_and_a_server_that_was_away_leave_the_phone_in_its_seat(
    lan_house: House, network: Network, phones: list[Phone]
) -> None:
    phone = phones[0]
    phone.scan(f"http://{network.netloc}/join", codes(lan_house.join("?seat=public"))[0])
    expect(phone.page.locator("#hand")).to_contain_text(SECRETS[0])
    phone.page.reload()
    expect(phone.page.locator("#hand")).to_contain_text(SECRETS[0])
    phone.context.set_offline(True)
    phone.context.set_offline(False)
    # As a phone does that wakes: the page is shown again, whatever became of its socket.
    before = len(phone.traffic)
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.page.wait_for_function("document.querySelector('#phone').dataset.state === 'seated'")
    lan_house.table.say(number=9, prompt="Still here.")
    expect(phone.page.locator("#says")).to_have_text("Still here.")
    assert len(phone.traffic) > before


def test_a_freed_seat_leaves_nothing_on_its_phone(
    lan_house: House, own: Page, network: Network, phones: list[Phone]
) -> None:
    phones[0].scan(f"http://{network.netloc}/join", code_of(own, 0))
    expect(phones[0].page.locator("#hand")).to_contain_text(SECRETS[0])
    own.get_by_role("button", name="One more phone: Seat 1: Drifter").click()
    phones[1].scan(f"http://{network.netloc}/join", code_of(own, 0))
    expect(own.locator("#doors")).to_contain_text("2 phones sit here.")
    own.get_by_role("button", name="Free this seat: Seat 1: Drifter").click()
    for phone in phones:
        expect(phone.page.locator("#link")).to_have_text(audience.NO_SEAT)
        assert SECRETS[0] not in phone.page.locator("body").inner_html()


def test_the_network_s_public_page_shows_no_codes_and_takes_no_seat(
    lan_house: House, network: Network, phones: list[Phone]
) -> None:
    page = phones[0].page
    page.goto(f"http://{network.netloc}/")
    expect(page.locator("#says")).to_have_text("Move the Drifter up to 3 spaces.")
    expect(page.locator("#seats-choice")).to_be_hidden()
    expect(page.get_by_role("button", name="Phones")).to_be_hidden()
    expect(page.get_by_role("button", name="Pass the screen")).to_be_hidden()
    expect(page.locator("[data-figure=drifter]")).to_have_attribute("aria-disabled", "true")
    assert LAN in page.url
    assert not any(secret in "".join(phones[0].traffic) for secret in SECRETS)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_phone_s_words_stand_out_and_fit(browser: Browser, lan_house: House, network: Network, scheme: Any) -> None:
    phone = Phone(browser, color_scheme=scheme)
    phone.page.goto(f"http://{network.netloc}/join")
    expect(phone.page.locator("#link")).to_have_text(audience.NO_SEAT)
    assert phone.page.evaluate(CONTRAST) == []
    phone.scan(f"http://{network.netloc}/join", codes(lan_house.join("?seat=public"))[0])
    expect(phone.page.locator("#hand")).to_contain_text(SECRETS[0])
    assert phone.page.evaluate(CONTRAST) == []
    parts = [phone.page.locator(name).bounding_box() for name in ("#prompt", "#choices", "#private", "#log")]
    for above, below in itertools.pairwise(parts):
        assert above is not None
        assert below is not None
        assert above["y"] + above["height"] <= below["y"]
        assert above["width"] == below["width"] > PHONE["width"] - 30
    expect(phone.page.locator("#history")).to_be_hidden()  # there is nothing yet to take back
    for width in (320, 390, 820):
        phone.page.set_viewport_size({"width": width, "height": 700})
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
    phone.context.close()
