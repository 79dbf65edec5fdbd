"""Phones that tap at the same time, lose the network, or lose the server."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.browser.hall import Hall, call, card, laid, points

LOST = "Connection lost"
OFFLINE = "ERR_INTERNET_DISCONNECTED"
GONE = (
    "ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY"
    "|error occurred when fetching the script"  # a slow machine asks for the service worker late
)

# Notes when the page was told that the network is back, and when it first showed a new change.
WATCH = """() => {
  const live = document.getElementById("live");
  window.back = {};
  window.addEventListener("online", () => (back.online = performance.now()), { once: true });
  new MutationObserver(() => back.online && (back.shown ??= performance.now()))
    .observe(live, { attributes: true, attributeFilter: ["data-number"] });
}"""


def lost(screen: Page) -> None:
    """Checks that a screen says that the connection is lost."""
    expect(screen.locator("#lost")).to_contain_text(LOST)
    expect(screen.locator("#lost")).to_be_visible()


def test_of_two_phones_that_answer_at_once_one_is_told_that_somebody_was_quicker(
    hall: Hall,
) -> None:
    hall.expect_complaint("status of 409")
    hall.desk.table("le_truc_ace", "0 deal 3, 1 i_play, 1 raise 2", seats=4)
    ana, carles, tv = hall.phone(0), hall.phone(2), hall.tv()
    held: list[Route] = []
    carles.route(
        "**/api/v1/events", lambda route: held.append(route)
    )  # his tap is still on its way
    with carles.expect_request("**/api/v1/events"):
        call(carles, "reject").tap()
    hall.do(ana, "accept")
    held[0].continue_()
    expect(carles.locator("#toast")).to_have_text("Somebody was quicker; look again.")
    expect(tv.locator(".worth")).to_have_text("worth 2 points")
    expect(points(tv)).to_have_text(["0", "0"])  # nothing was rejected


def test_two_taps_on_one_button_play_one_card(hall: Hall) -> None:
    hall.desk.table("le_truc_ace", "0 deal 3, 1 i_play")
    bea, tv = hall.phone(1), hall.tv()
    card(bea, "K").dblclick()
    expect(laid(tv, "Bea")).to_have_text("K")
    hall.settle()
    assert hall.desk.state()["seq"] == 3
    expect(bea.locator("#toast")).to_have_text("")


def test_a_tap_of_which_nothing_is_heard_does_not_hold_up_the_next_one(hall: Hall) -> None:
    hall.desk.table("le_truc_ace", "0 deal 3, 1 i_play")
    bea = hall.phone(1)
    held: list[Route] = []
    bea.route("**/api/v1/events", lambda route: route.continue_() if held else held.append(route))
    bea.clock.install()
    with bea.expect_request("**/api/v1/events"):
        card(bea, "K").tap()
    bea.clock.run_for(13_000)
    expect(bea.locator("#toast")).to_contain_text(LOST)
    card(bea, "K").tap()
    expect(laid(bea, "Bea")).to_have_text("K")


def test_a_phone_without_network_says_so_and_comes_back_within_a_second(hall: Hall) -> None:
    hall.expect_complaint(OFFLINE)
    hall.desk.table("le_truc_ace", "0 deal 3, 1 i_play")
    ana, bea = hall.phone(0), hall.phone(1)
    ana.evaluate(WATCH)
    ana.context.set_offline(True)
    lost(ana)
    hall.tap_alone(card(bea, "K"))
    expect(laid(bea, "Bea")).to_have_text("K")
    ana.context.set_offline(False)
    expect(laid(ana, "Bea")).to_have_text("K")
    expect(ana.locator("#lost")).to_be_hidden()
    seconds = ana.evaluate("(back.shown - back.online) / 1000")
    print(f"back {seconds:.3f} s after the network")
    assert 0 <= seconds <= 1
    assert hall.do(ana, "A") == 200


def test_a_tap_without_network_is_not_lost_in_silence(hall: Hall) -> None:
    hall.expect_complaint(OFFLINE)
    hall.desk.table("le_truc_ace", "0 deal 3, 1 i_play")
    bea = hall.phone(1)
    bea.context.set_offline(True)
    card(bea, "K").tap()
    expect(bea.locator("#toast")).to_contain_text(LOST)
    bea.context.set_offline(False)
    expect(bea.locator("#lost")).to_be_hidden()
    assert hall.do(bea, "K") == 200


def test_after_the_server_was_killed_phones_reconnect_and_the_hand_goes_on(hall: Hall) -> None:
    hall.expect_complaint(GONE)
    hall.desk.table("le_truc_ace", "0 deal 3, 1 i_play")
    ana, bea, tv = hall.phone(0), hall.phone(1), hall.tv()
    hall.do(bea, "K")
    hall.served.kill()
    for screen in (ana, bea, tv):
        lost(screen)
    hall.served.start()
    for screen in (ana, bea, tv):
        expect(screen.locator("#lost")).to_be_hidden()
        expect(laid(screen, "Bea")).to_have_text("K")
    hall.do(ana, "A")
    expect(tv.locator(".taken")).to_have_text("Trick: Ana")
    assert [seat["held"] for seat in hall.desk.state()["seats"]] == [True, True]


def test_where_streams_are_blocked_the_page_asks_again_and_again(hall: Hall) -> None:
    hall.expect_complaint("status of 503|MIME|EventSource")
    hall.desk.table("le_truc_ace", "0 deal 3, 1 i_play")
    viewer = hall.open("about:blank")
    viewer.route("**/live/board", lambda route: route.fulfill(status=503, body="no"))
    viewer.goto("/")
    bea = hall.phone(1)
    hall.tap_alone(card(bea, "K"))
    expect(laid(viewer, "Bea")).to_have_text("K")
    expect(viewer.locator("#lost")).to_be_hidden()
