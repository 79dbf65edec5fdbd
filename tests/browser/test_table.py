"""A table is set up with its pages; phones take seats, leave them and lose them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Dialog, Page, Route, expect

from tests.browser.hall import COMPUTER, Hall, card, laid, sheet

NASTY = ("<img src=x onerror=x()>", "🃏 O'Neil & <b>Söhne</b>")


def set_up(host: Page, title: str, near: str, far: str) -> None:
    """Fills in the page of set-up for two players, and sends it."""
    host.locator(".game", has_text=title).first.locator(".pick").click()
    host.locator("input[name=name0]").fill(near)
    host.locator("input[name=name2]").fill(far)
    host.get_by_role("button", name="To the table").click()


def cut(hall: Hall, page: Page, name: str, rank: str) -> None:
    """Enters on a page what a player has cut."""
    form = page.locator("form.cut", has_text=name)
    assert hall.tap(form.get_by_role("button", name=rank, exact=True)) == 200


def test_a_table_is_set_up_cut_for_and_begun_through_its_pages(hall: Hall) -> None:
    host, tv = hall.host(), hall.tv()
    expect(tv.locator("#live")).to_contain_text("The host is setting the table up.")
    set_up(host, "Trut", "Ana", "Bea")
    bea = hall.phone(1)
    for screen in (host, bea, tv):
        expect(screen.get_by_role("heading", name="Who deals first?")).to_be_visible()
    expect(tv.locator("#live button")).to_have_count(0)
    cut(hall, host, "Ana", "9")
    cut(hall, bea, "Bea", "9")  # equal: they cut again
    expect(host.get_by_role("button", name=re.compile("^Begin"))).to_have_count(0)
    cut(hall, host, "Ana", "7")
    cut(hall, bea, "Bea", "K")
    hall.tap(bea.get_by_role("button", name="Begin: Bea deals"))
    expect(tv.locator(".chair", has_text="Bea").locator(".dealer")).to_be_visible()
    assert hall.do(bea, "deal 3") == 200
    expect(tv.locator(".chair.turn .name")).to_have_text("Ana")
    assert hall.do(host, "8") == 200  # the host plays for a seat without a phone
    expect(laid(tv, "Ana")).to_have_text("8")


def test_an_impossible_table_is_refused_with_a_sentence_and_nothing_is_lost(hall: Hall) -> None:
    hall.expect_complaint("status of 422")
    host = hall.host()
    game = host.locator(".game").first
    game.locator(".pick").click()
    for variant in ("raise_by_two", "raise_by_any"):  # each excludes the other
        game.locator(f"input[value={variant}]").check()
    set_up(host, "Le Truc", "Ana", "Bea")
    expect(host.get_by_role("alert")).to_be_visible()
    expect(host.locator("input[name=name0]")).to_have_value("Ana")
    expect(game.locator("input[value=raise_by_any]")).to_be_checked()


def test_names_are_shown_as_text_and_nothing_in_them_runs(hall: Hall) -> None:
    host = hall.host()
    set_up(host, "Trut", *NASTY)
    host.get_by_text("Decide another way").click()
    hall.tap(host.get_by_role("button", name=re.compile("Söhne.* deals$")))
    screens = [host, hall.tv(), hall.phone(0), hall.open("/")]
    hall.do(host, "deal 3")
    hall.do(host, "8")
    for screen in screens:
        expect(screen.locator(".chair .name")).to_have_text(list(NASTY))
    story = hall.open(f"/match/{hall.desk.state()['match']}")
    evenings = hall.open("/evenings")
    screens[2].get_by_role("button", name="Correct…").tap()
    expect(sheet(screens[2]).locator(".entries")).to_contain_text(NASTY[0])
    for screen in (*screens, story, evenings):
        expect(screen.locator("#main")).to_contain_text("<b>Söhne</b>")
        expect(screen.locator("img, #main b b, .name b, h2 b, th b")).to_have_count(0)
        assert screen.title() != "run"


def test_what_is_unfolded_before_the_script_has_come_stays_so(hall: Hall) -> None:
    host = hall.host()
    held: list[Route] = []
    host.route("**/trucam.js*", lambda route: held.append(route))
    set_up(host, "Trut", "Ana", "Bea")
    host.get_by_text("Decide another way").click()
    (script,) = held
    with host.expect_request("**/live/host"):  # the script has come, and follows the table
        script.continue_()
    cut(hall, host, "Ana", "7")  # everything is drawn anew
    assert hall.tap(host.get_by_role("button", name="Bea deals", exact=True)) == 200


def test_a_tap_before_the_script_has_come_counts_too(hall: Hall) -> None:
    host = hall.host()
    host.route("**/trucam.js*", lambda route: None)  # it never comes
    set_up(host, "Trut", "Ana", "Bea")
    for name, rank, left in (("Ana", "9", 1), ("Bea", "7", 0)):
        form = host.locator("form.cut", has_text=name)
        assert hall.tap_alone(form.get_by_role("button", name=rank, exact=True)) == 302
        expect(host.locator("form.cut")).to_have_count(left)
    assert hall.tap_alone(host.get_by_role("button", name="Begin: Ana deals")) == 302
    expect(host.locator("#live")).to_contain_text("Ana deals")


def test_a_seat_is_taken_over_by_another_phone(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3")
    first, second = hall.phone(1), hall.phone(1)
    expect(first.locator(".buttons")).to_be_visible()
    expect(second.get_by_role("heading")).to_have_text("Another phone holds this seat")
    second.get_by_role("button", name="Take the seat over").tap()
    expect(second.locator(".buttons")).to_be_visible()
    expect(first.locator("#live")).to_contain_text("This phone can only watch now")
    assert hall.do(second, "8") == 200


def test_a_seat_is_given_back(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3")
    bea, host = hall.phone(1), hall.host()
    asked: list[str] = []

    def agree(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.accept()

    bea.on("dialog", agree)
    seat = host.locator(".seat-link summary", has_text="Bea")
    expect(seat).to_contain_text("a phone holds it")
    hall.tap(bea.get_by_role("button", name="Give the seat back"))
    assert len(asked) == 1
    expect(bea.locator("#live")).to_contain_text("This phone can only watch now")
    expect(bea.locator("#live")).to_contain_text("Scan the seat's QR code on the host's page.")
    expect(seat).to_contain_text("no phone yet")
    next_phone = hall.phone(1)  # nobody has to be asked
    expect(next_phone.locator(".buttons")).to_be_visible()


def test_a_new_code_takes_the_seat_away_and_makes_the_old_code_worthless(hall: Hall) -> None:
    hall.expect_complaint("status of 403")
    hall.desk.table("trut", "0 deal 3")
    old = hall.served.seat_link(1)
    bea, host = hall.phone(1), hall.host()
    link = host.locator(".seat-link", has_text="Bea")
    if link.get_attribute("open") is None:
        link.locator("summary").click()
    hall.tap(link.get_by_role("button", name="New code"))
    expect(bea.locator("#live")).to_contain_text("This phone can only watch now")
    bea.goto(old)
    expect(bea.locator("#main")).to_contain_text("This code is no longer valid")
    bea.goto(hall.served.seat_link(1))
    expect(bea.locator(".buttons")).to_be_visible()


def test_whoever_only_looks_on_has_no_button_and_may_not_write(hall: Hall) -> None:
    hall.expect_complaint("status of 403")
    hall.desk.table("trut", "0 deal 3, 1 play 8S")
    for path, shown in (("/", ".felt"), ("/tv", ".felt"), ("/tv?bare", ".corner-box")):
        viewer = hall.open(path)
        expect(viewer.locator(shown)).to_be_visible()
        expect(viewer.locator("#live button, #live form, #live [data-sheet]")).to_have_count(0)
    viewer = hall.open("/")
    said = viewer.evaluate(
        """async () => {
          const token = document.querySelector("meta[name=token]").content;
          const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
          const event = { do: "play", seat: 0, rank: "7" };
          const moment = { seen: 2, match: Number(document.getElementById("live").dataset.match) };
          const body = JSON.stringify({ ...moment, event });
          const write = { method: "POST", headers, body };
          const statuses = [(await fetch("/api/v1/events", write)).status];
          for (const path of ["/repairs/undo", "/repairs/hand", "/host"])
            statuses.push((await fetch(path)).status);
          return statuses;
        }"""
    )
    assert said == [403, 403, 403, 403]
    assert hall.desk.state()["seq"] == 2


@pytest.mark.parametrize(
    ("language", "shown"), [("Français", "fr"), ("Español", "es"), ("Català", "ca")]
)
def test_the_language_is_switched_on_the_board_and_stays(
    hall: Hall, language: str, shown: str
) -> None:
    hall.desk.table("trut", "0 deal 3")
    viewer = hall.open("/")
    english = viewer.locator(".said .now").inner_text()
    viewer.locator(".settings summary").tap()
    with viewer.expect_navigation():
        viewer.locator("select[name=code]").select_option(language)
    expect(viewer.locator("html")).to_have_attribute("lang", shown)
    hall.do(hall.phone(0), "trut")  # the stream speaks it too
    expect(viewer.locator(".offer")).to_contain_text("Ana")
    expect(viewer.locator(".said .now")).not_to_have_text(english)
    viewer.goto("/evenings")
    expect(viewer.locator("html")).to_have_attribute("lang", shown)


def test_what_is_opened_stays_open_while_the_table_goes_on(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3")
    bea, host = hall.phone(1), hall.host()
    hall.settle()
    host.locator(".seat-link summary", has_text="Bea").click()
    hall.do(bea, "8")
    expect(host.locator(".seat-link", has_text="Bea").get_by_text("Open this seat")).to_be_visible()


def reach(page: Page, what: str) -> None:
    """Presses the Tab key until an element has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("what => document.activeElement.matches(what)", what):
            return
    raise AssertionError(f"{what} is not reached with the keyboard")


def test_with_the_keyboard_alone_a_card_is_played_and_a_sheet_closed(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3")
    bea = hall.phone(1, size=COMPUTER)
    reach(bea, "#card-1-8")
    with bea.expect_response("**/api/v1/events"):
        bea.keyboard.press("Enter")
    hall.settle()
    expect(laid(bea, "Bea")).to_have_text("8")
    expect(card(bea, "8")).to_have_count(0)
    reach(bea, ".felt button.card")
    bea.keyboard.press("Enter")
    expect(sheet(bea)).to_be_visible()
    assert bea.evaluate("document.querySelector('#sheet').contains(document.activeElement)")
    bea.keyboard.press("Escape")
    expect(sheet(bea)).to_be_hidden()
    assert bea.evaluate("document.activeElement.matches('.felt button.card')")  # where one was
    outline = bea.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def test_what_is_filled_in_stays_until_it_is_sent(hall: Hall) -> None:
    hall.desk.table("le_truc_ace")
    host = hall.host()
    host.locator("#agreed > summary").click()
    given = host.locator("#agreed details", has=host.get_by_label("How many"))
    given.locator("summary").click()
    many, bea = given.get_by_label("How many"), given.get_by_label("Bea")
    many.fill("3")
    bea.uncheck()
    hall.phone(0)  # everything is drawn anew
    hall.settle()
    expect(many).to_have_value("3")
    expect(bea).not_to_be_checked()
    hall.tap(given.get_by_role("button").first)
    expect(many).to_have_value("1")
    expect(bea).to_be_checked()
