"""A phone that has opened the table once shows a cached page if the table does not answer."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.hall import Hall

KEPT = (
    "() => navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)"
)


def test_without_the_table_the_page_says_so_and_comes_back(hall: Hall) -> None:
    phone = hall.open("/")
    phone.evaluate(f"({KEPT})().then(() => true)")
    hall.expect_complaint("ERR_INTERNET_DISCONNECTED")
    phone.context.set_offline(True)
    phone.goto("/")
    expect(phone.locator("h1")).to_have_text("The table does not answer")
    phone.get_by_role("link", name="Rules").click()
    expect(phone.get_by_label("Search the rules")).to_be_visible()
    phone.go_back()
    phone.context.set_offline(False)
    expect(phone.locator("h1")).not_to_have_text("The table does not answer")
