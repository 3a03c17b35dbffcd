"""A phone: a browser of its own, and whatever its sockets carried."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

PHONE = {"width": 390, "height": 844}


class Phone:
    """A browser of its own, and whatever its sockets carried."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context: BrowserContext = browser.new_context(viewport=PHONE, has_touch=True, **options)  # pyright: ignore[reportArgumentType]
        self.page: Page = self.context.new_page()
        self.traffic: list[str] = []
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on(
            "websocket", lambda socket: socket.on("framereceived", lambda data: self.traffic.append(str(data)))
        )
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def scan(self, address: str, code: str) -> None:
        self.page.goto(f"{address}#{code}")

    def sees(self, number: int) -> bool:
        """Say whether it shows the snapshot of that number."""
        return self.page.locator("#phone").get_attribute("data-number") == str(number)

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name, exact=True)


def code_of(own: Page, seat: int) -> str:
    """The code that the table's own page shows for that seat, as soon as it does."""
    shown = own.locator(f"#doors [data-seat='{seat}'] .code")
    expect(shown).to_be_visible()
    return shown.inner_text()
