"""Pages in several languages: chosen, kept, and none of the words left behind."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from guests import LAN, Network, codes
from lobby_of_a_table import Lobby
from phone import PHONE, Phone, code_of
from playwright.sync_api import Browser, Page, expect
from standing import MAZE, WELLS, Scene, standing
from tended import DIGITS, Tended, tended
from visiting import House, Visitor
from websockets.sync.client import connect

from underglow.bench.vm import Bench
from underglow.kiosk import Kiosk, audience, self_test
from underglow.kiosk.attendant import Fault, Kept, Phase, Times
from underglow.kiosk.pin import WRONG
from underglow.languages import LANGUAGES, Text, counted, say
from underglow.languages.catalogue import ENGLISH, scripts, words

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
SHOTS = Path(__file__).parents[2] / "artefacts" / "page"

WORDS = """() => {
    // Initials of a name, and pieces of a choice that has all its words as the name of its button.
    const pieces = ".figure text, .ghost text, .picture span, .start, .start ~ button span";
    const shown = (one) => !one.closest(`noscript, script, option, [lang]:not(html), ${pieces}`);
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    const words = [];
    while (walker.nextNode()) if (shown(walker.currentNode.parentElement)) words.push(walker.currentNode.data);
    for (const name of ["aria-label", "aria-roledescription", "title", "placeholder", "alt"])
        for (const one of document.querySelectorAll(`[${name}]`)) if (shown(one)) words.push(one.getAttribute(name));
    return words.map((text) => text.trim()).filter(Boolean);
}"""


class Heard:
    """All words that the table told a page."""

    def __init__(self, page: Page) -> None:
        self.words: set[str] = set()
        page.on("websocket", lambda socket: socket.on("framereceived", lambda data: self._note(json.loads(str(data)))))

    def _note(self, value: Any) -> None:
        match value:
            case str():
                self.words.add(value)
            case dict():
                for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
                    self.words.add(str(key))  # pyright: ignore[reportUnknownArgumentType]
                    self._note(inner)
            case list():
                for inner in value:  # pyright: ignore[reportUnknownVariableType]
                    self._note(inner)
            case _:
                pass


def catalogue_of(language: str) -> dict[str, list[str]]:
    """What the program and its pages say, as messages and their forms."""
    if language == ENGLISH:
        return {}
    own = {message: [form.first for form in forms] for message, forms in words(language, None).items()}
    return own | dict(scripts(language))


def left_over(page: Page, heard: Heard, language: str) -> list[str]:
    """What stands on the page that is neither of the catalogue nor of the table."""
    shown = page.evaluate(WORDS)  # first: what is on it was heard by now
    forms = [form for forms in catalogue_of(language).values() for form in forms]
    parts = {part.strip() for form in forms for part in re.split(r"\{\w+\}", form)}
    known = sorted((parts | heard.words) - {""}, key=len, reverse=True)
    pattern = re.compile("|".join(map(whole, known)), re.IGNORECASE)
    return [text for text in shown if set(re.findall(r"[^\W\d_]{2,}", pattern.sub(" ", text))) - {"Underglow"}]


def whole(words: str) -> str:
    """As a pattern that begins and ends with no half of a word."""
    before = r"(?<!\w)" if words[0].isalnum() else ""
    after = r"(?!\w)" if words[-1].isalnum() else ""
    return f"{before}{re.escape(words)}{after}"


def english(page: Page, *, filled: bool = False) -> list[str]:
    """Messages of the program that stand on the page as they are in English, though the catalogue has other words.

    With `filled` also those that have values in them; a scripted table says some that a game has, too.
    """
    said = [
        ".+".join(map(re.escape, parts))
        for message, forms in catalogue_of("pl").items()
        if message not in forms and message not in catalogue_of("cs").get(message, [])
        for parts in [re.split(r"\{[^{}]*\}", message)]
        if len(parts) == 1 or (filled and len(re.findall(r"[^\W\d_]{2,}", " ".join(parts))) > 2)
    ]
    return [text for text in page.evaluate(WORDS) if re.fullmatch("|".join(said), text)]


def choose(page: Page, language: str) -> None:
    page.locator("#language").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)


def cookie(address: str, language: str) -> Any:
    return {"name": "language", "value": language, "url": address, "sameSite": "Strict"}


# -- all words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("scene", [MAZE, WELLS], ids=["maze", "wells"])
def test_choosing_a_language_turns_every_word_of_a_real_game(
    browser: Browser, tmp_path: Path, scene: Scene, language: str
) -> None:
    with standing(tmp_path, scene) as table:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        heard = Heard(page)
        for seat in ("public", str(table.seat)):
            page.goto(f"{table.address}?seat={seat}")
            choose(page, language)
            expect(page.locator("#says")).not_to_be_empty()
            expect(page.locator("#surface [data-space]").first).to_be_attached()
            expect(page.locator("#health li").first).to_be_attached()
            assert left_over(page, heard, language) == []
            assert english(page) == []
            page.context.clear_cookies()
        page.close()


@pytest.mark.parametrize("language", OTHERS)
def test_hands_and_dialogs_are_told_in_that_language(browser: Browser, lan_house: House, language: str) -> None:
    page = browser.new_page()
    heard = Heard(page)
    page.context.add_cookies([cookie(lan_house.address, language)])
    page.goto(f"{lan_house.address}?seat=0")
    expect(page.locator("#doors")).to_be_visible()
    played = {"played": [{"seat": 0, "text": "One"}, {"seat": 1, "text": "Two"}], "undone": [{"seat": 0, "text": "3"}]}
    waiting: dict[str, Any] = {"understood": {"kind": "waiting", "tokens": [], "extra": [], "missing": []}}
    states: list[dict[str, Any]] = [
        {},
        {"history": played | {"alone": False, "missing": [0]}},
        {"history": played | {"alone": True, "missing": None}, "turn": [1]},
        {"understood": {"kind": "in_hand", "tokens": ["drifter", "loader_droid"], "extra": [], "missing": []}},
        {"understood": {"kind": "which", "tokens": [], "extra": [], "missing": []}},
        {"understood": {"kind": "repair", "tokens": [], "extra": ["h30"], "missing": []}},
        waiting | {"link": {"state": "down", "says": ""}},
        {"outcome": "Won."},
    ]  # fmt: skip
    for n, state in enumerate(states):
        lan_house.table.say(number=20 + n, **state)
        expect(page.locator("#table")).to_have_attribute("data-number", str(20 + n))
        assert left_over(page, heard, language) == []
        assert english(page) == []
    page.locator("#doors > button").click()
    page.locator("[data-figure=drifter]").focus()
    page.keyboard.press("Enter")
    for key in ("ArrowUp", "ArrowLeft", "Enter", "Enter", "Escape"):
        assert left_over(page, heard, language) == []
        page.keyboard.press(key)
    lan_house.table.say(number=40, outcome=None)
    page.locator("#head button", has_text=catalogue_of(language)["Pass the screen"][0]).click()
    expect(page.locator("#cover")).to_be_visible()
    assert left_over(page, heard, language) == []
    expect(page.locator("#language")).to_be_hidden()  # a reload would uncover
    page.close()


def test_three_pages_of_one_table_speak_three_languages_at_once(
    browser: Browser, lan_house: House, network: Network
) -> None:
    phone = Phone(browser, locale="cs-CZ")
    pages = {"pl": browser.new_context(locale="pl-PL").new_page(), "en": browser.new_page()}
    for page in pages.values():
        page.goto(f"{lan_house.address}?seat=1")
    phone.scan(f"http://{network.netloc}/join", code_of(pages["en"], 0))
    expect(phone.page.locator("#hand")).not_to_be_empty()
    asked = Text(
        "{what} {more}",
        {
            "what": say("That is no legal move."),
            "more": counted("{n} more comes after that.", "{n} more come after that.", 2),
        },
    )
    lan_house.table.say(number=30, prompt=asked, log=[asked])
    for language, page in (pages | {"cs": phone.page}).items():
        expect(page.locator("#says")).to_have_text(asked.spoken(language))
        expect(page.locator("#log li")).to_have_text(asked.spoken(language))
        expect(page.locator("html")).to_have_attribute("lang", language)
    assert len({asked.spoken(language) for language in ("en", "pl", "cs")}) == 3
    expect(pages["pl"].locator("#turn")).to_have_text("Ruch: Drifter")
    expect(phone.page.locator("#turn")).to_have_text("Jsi na tahu: Drifter")
    for page in (*pages.values(), phone.page):
        page.context.close()


@pytest.mark.parametrize("language", OTHERS)
def test_a_phone_has_every_word_in_its_language_and_fits(
    browser: Browser, lan_house: House, network: Network, language: str
) -> None:
    phone = Phone(browser, locale=language)
    heard = Heard(phone.page)
    phone.page.goto(f"http://{network.netloc}/join")
    expect(phone.page.locator("#link")).to_have_text(audience.NO_SEAT.spoken(language))
    heard.words.add(audience.NO_SEAT.spoken(language))
    assert left_over(phone.page, heard, language) == []
    SHOTS.mkdir(parents=True, exist_ok=True)
    (SHOTS / f"join-{language}.png").write_bytes(phone.page.screenshot())
    phone.page.locator("#code").fill("nonsense")
    phone.page.locator("#join button").tap()
    leads_nowhere = next(
        message for message in catalogue_of(language) if message.startswith("that code leads to no seat")
    )
    expect(phone.page.locator("#link")).to_have_text(catalogue_of(language)[leads_nowhere][0])
    phone.scan(f"http://{network.netloc}/join", codes(lan_house.join("?seat=public"))[0])
    expect(phone.page.locator("#hand")).not_to_be_empty()
    played = {"played": [{"seat": 0, "text": "Stay on e1"}], "undone": [], "alone": False, "missing": [0, 1]}
    lan_house.table.say(number=31, history=played)
    expect(phone.page.locator("#history")).not_to_be_empty()
    assert left_over(phone.page, heard, language) == []
    assert english(phone.page) == []
    (SHOTS / f"phone-{language}.png").write_bytes(phone.page.screenshot(full_page=True))
    for width in (320, 390, 820):
        phone.page.set_viewport_size({"width": width, "height": 700})
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
    phone.context.close()


@pytest.mark.parametrize("language", OTHERS)
def test_words_of_choices_become_grids_wherever_the_language_puts_them(
    browser: Browser, lan_house: House, network: Network, language: str
) -> None:
    """In English the number comes last; here it stands in the middle, and a full stop clings to it."""
    phone = Phone(browser, locale=language)
    phone.scan(f"http://{network.netloc}/join", codes(lan_house.join("?seat=public"))[0])
    expect(phone.page.locator("#says")).not_to_be_empty()
    dice = [(f"Na kościach {n}, razem", "rolled", n) for n in range(2, 13)]
    walks = [(f"Na {space} idź Golemem", "golem_walks", space) for space in ("c4", "c5")]
    choices = [
        {"index": index, "seat": 0, "text": text, "verb": verb, "args": [arg], "at": [], "open": True}
        for index, (text, verb, arg) in enumerate([*dice, *walks])
    ]
    lan_house.table.say(number=8, choices=choices)
    expect(phone.page.locator(".pad button")).to_have_text([f"{n}," for n in range(2, 13)])
    expect(phone.page.locator("#choices h3")).to_have_text("Na kościach … razem")
    expect(phone.page.locator(".big button")).to_have_text(["Na c4 idź Golemem", "Na c5 idź Golemem"])
    phone.context.close()


@pytest.mark.parametrize("language", OTHERS)
def test_staff_have_every_word_in_their_language_from_the_gesture_to_lock(
    browser: Browser, tmp_path: Path, board: Bench, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(self_test, "COLOUR_S", 0.3)
    with tended(tmp_path, board) as table:
        page = browser.new_page(locale=language, viewport={"width": 1280, "height": 800})
        heard = Heard(page)
        page.goto(table.address)
        expect(page.locator("#says")).not_to_be_empty()
        table.gesture()
        expect(page.locator("#staff-door")).to_be_visible()
        page.keyboard.type("1111")
        assert [*left_over(page, heard, language), *english(page, filled=True)] == []
        page.keyboard.press("Enter")
        refusal = page.locator("#staff-door .refusal")
        expect(refusal).to_have_text(say("That PIN is wrong.").spoken(language))
        SHOTS.mkdir(parents=True, exist_ok=True)
        (SHOTS / f"pin-{language}.png").write_bytes(page.screenshot())
        page.keyboard.type(DIGITS)
        page.keyboard.press("Enter")
        page.wait_for_url("**/staff")
        expect(page.locator("#link")).to_have_text(catalogue_of(language)["The board answers."][0])
        expect(page.locator("#offers li").first).to_be_visible()
        assert [*left_over(page, heard, language), *english(page, filled=True)] == []
        for _ in look_it_over(page, table, language):
            assert [*left_over(page, heard, language), *english(page, filled=True)] == []
        page.locator("#restart").click()
        assert [*left_over(page, heard, language), *english(page, filled=True)] == []
        page.locator("#restart").click()
        expect(page.locator("#says")).not_to_be_empty()
        table.board.unplug()
        expect(page.locator("#link")).to_have_attribute("data-state", "down")
        assert [*left_over(page, heard, language), *english(page, filled=True)] == []
        assert page.locator("#link").text_content() not in ("", *catalogue_of("pl"))
        page.locator("#lock").click()
        page.wait_for_url(table.address)
        page.close()


def look_it_over(page: Page, table: Tended, language: str) -> Iterator[None]:
    """Let a sensor and a reader answer, open what is folded, and let the table test itself, at last to its question."""
    table.board.place("h19", "magnet")
    expect(page.locator("#last")).to_contain_text("h19")
    table.board.hang("z3", deaf=True)
    page.locator("#staff summary").click()
    expect(page.locator("#readers .ill")).to_be_visible(timeout=20_000)
    page.locator("#examine").click()
    expect(page.locator("#findings [data-passed='false']")).to_have_count(2)  # that reader; and its light was left on
    yield
    table.gesture()
    table.board.lift("magnet")
    expect(page.locator("#power")).to_contain_text(catalogue_of(language)["off"][0])
    page.locator("#examine").click()
    expect(page.locator("#asks")).to_be_visible(timeout=20_000)
    expect(page.locator("#findings b").first).to_have_text(catalogue_of(language)["Passed"][0])
    yield


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_is_not_let_in_hears_why_in_the_language_of_the_page(tmp_path: Path, language: str) -> None:
    with tended(tmp_path) as table:
        table.table().hear("door", lambda door: door["is"] == "ajar")

        def told() -> str:
            return table.ask("POST", "/staff/pin", b"0000", cookie=f"language={language}").text

        assert {told() for _ in range(WRONG)} == {say("That PIN is wrong.").spoken(language)}
        time = say("{n} s", n=60)
        assert told() == say("Too many wrong PINs: try again in {time}.", time=time).spoken(language)
        with connect(f"ws://{table.netloc}/staff/live?language={language}") as socket:
            reason = Visitor(socket).turned_out()[1]
        assert reason == say("the PIN is asked for at the table's page").spoken(language)


# -- which language, and how long ------------------------------------------------------------------------------------


def test_the_language_and_the_seat_are_kept_when_the_page_is_opened_anew_and_when_the_table_was_away(
    browser: Browser, house: House
) -> None:
    page = browser.new_page(locale="de-DE")
    page.goto(f"{house.address}?seat=1")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    choose(page, "pl")
    assert page.url == f"{house.address}?seat=1"
    page.reload()
    expect(page.locator("#turn")).to_have_text("Ruch: Drifter")
    port = int(house.netloc.split(":")[1])
    house.kiosk.stop()
    expect(page.locator("#link")).to_contain_text("ponowne łączenie ze stołem")
    with Kiosk(house.board, house.table, house.bench) as again:
        again.start(port)
        house.table.watch(again.publish)
        house.table.say(number=50, prompt=say("That is no legal move."))
        expect(page.locator("#says")).to_have_text("To nie jest dozwolony ruch.", timeout=10_000)
    expect(page.locator("#seats-choice input:checked")).to_have_attribute("aria-label", "Loader Droid")
    page.close()


ACCEPTED = {
    "pl-PL,pl;q=0.9,en;q=0.8": "pl",
    "de,cs;q=0.5,en;q=0.1": "cs",
    "en;q=0.3, pl ; q=0.8": "pl",
    "cs;q=0,pl;q=0.1": "pl",
    "zh": "en",
    "": "en",
    ";;q=,=,*;q=2": "en",
}


@pytest.mark.parametrize(("accepted", "language"), ACCEPTED.items())
def test_where_none_was_chosen_the_browser_s_is_spoken(house: House, accepted: str, language: str) -> None:
    assert lang(house.address, accept_language=accepted) == language


def test_the_table_s_own_language_comes_before_the_browser_s_and_after_what_was_chosen(house: House) -> None:
    with Kiosk(house.board, house.table) as kiosk:
        address = kiosk.start(language="cs")
        assert lang(address, accept_language="pl") == "cs"
        assert lang(address, accept_language="pl", cookie="language=en") == "en"
        assert lang(address, accept_language="pl", cookie="language=tlh") == "cs"


def test_a_language_that_pages_do_not_speak_is_english(house: House) -> None:
    assert lang(house.address, cookie='language="><script>') == "en"
    visitor = house.join("?seat=0&language=tlh")
    house.table.say(number=60, prompt=say("That is no legal move."))
    assert visitor.hear("table", lambda table: table["number"] == 60)["prompt"] == "That is no legal move."
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{house.address}words/tlh.json")  # noqa: S310 - an address of our own


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_without_scripts_has_its_words_too(house: House, language: str) -> None:
    html = got(house.address, cookie=f"language={language}")
    assert "data-say" not in html
    words = catalogue_of(language).get("This page shows a living board and needs JavaScript.", ["This page shows"])[0]
    assert f"<noscript>{words}" in html
    assert f'<option value="{language}" lang="{language}" selected>{LANGUAGES[language]}</option>' in html


def test_who_is_sent_away_hears_why_in_the_language_of_the_page(lan_house: House, network: Network) -> None:
    assert network.open("?seat=own&language=pl").turned_out()[1] == audience.NO_SEAT.spoken("pl")
    refused = network.join("nonsense", cookie="language=cs")
    assert refused.status == 403
    assert refused.text.startswith("tenhle kód nevede k žádnému místu")
    assert LAN in network.netloc


def got(address: str, **headers: str) -> str:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with urllib.request.urlopen(urllib.request.Request(address, headers=named)) as answer:  # noqa: S310 - our own
        return answer.read().decode()


def test_a_guest_s_browser_comes_before_the_table_s_own_language(house: House) -> None:
    with Kiosk(house.board, house.table) as kiosk:
        address = kiosk.start(lan=LAN, language="cs").replace("127.0.0.1", LAN) + "seat"
        assert lang(address, accept_language="pl") == "pl"
        assert lang(address, accept_language="zh") == "cs"
        assert lang(address, accept_language="pl", cookie="language=en") == "en"


def lang(address: str, **headers: str) -> str:
    (found,) = re.findall(r'<html lang="([^"]*)">', got(address, **headers))
    return found


# -- a table that nobody looks after -----------------------------------------------------------------------------------


@pytest.fixture
def lobby(hex48: Any, tmp_path: Path) -> Iterator[Lobby]:
    lobby = Lobby(hex48, tmp_path)
    yield lobby
    lobby.kiosk.stop()


@pytest.mark.parametrize("language", OTHERS)
def test_the_idle_screen_offers_languages_and_forgets_them_with_the_next_demo(
    browser: Browser, lobby: Lobby, language: str
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    heard = Heard(page)
    page.goto(lobby.address)
    expect(page.locator("#attendant")).to_contain_text("Demo")
    page.mouse.click(640, 400)
    lobby.until(page, Phase.CHOOSING)
    names = page.locator(".languages button")
    expect(names).to_have_text(["English", "Polski", "Čeština"])
    assert names.evaluate_all("all => all.map(({ lang }) => lang)") == ["en", "pl", "cs"]
    names.filter(has_text=LANGUAGES[language]).click()
    expect(page.get_by_role("dialog", name=catalogue_of(language)["What shall we play?"][0])).to_be_visible()
    for n in (2, 3, 4):
        players = catalogue_of(language)["{n} player"][1].format(n=n)  # few
        expect(page.get_by_role("button", name=f"Lamp Alley, {players}", exact=True)).to_be_visible()
    lobby.attendant.keep(Kept(Path("a"), "Lamp Alley", 12), lobby.now_s)
    lobby.at(Times().choosing_s - 9)
    expect(page.get_by_role("timer")).to_be_visible()
    games = {"mandalorian", "labyrinth"}
    heard.words |= games
    assert left_over(page, heard, language) == []
    assert english(page) == []
    for width, height in [(1280, 800), PHONE.values()]:
        page.set_viewport_size({"width": width, "height": height})
        for button in page.locator("#attendant button").all():
            box = button.bounding_box()
            assert box
            assert box["height"] >= 44
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
        SHOTS.mkdir(parents=True, exist_ok=True)
        (SHOTS / f"idle-{width}-{language}.png").write_bytes(page.screenshot())
    lobby.at(Times().choosing_s + 1)
    expect(page.locator("#attendant")).to_contain_text("Demo")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.context.cookies() == []
    page.close()


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_wrong_is_said_in_every_language(browser: Browser, lobby: Lobby, language: str) -> None:
    page = browser.new_page(locale=language)
    heard = Heard(page)
    page.goto(lobby.address)
    sentence = say("{port}: the board does not answer.", port="/dev/underglow")
    lobby.orders += lobby.attendant.fault(Fault.BOARD, sentence, 0)
    lobby.tell()
    expect(page.get_by_role("alert")).to_contain_text(sentence.spoken(language))
    assert left_over(page, heard, language) == []
    page.close()
