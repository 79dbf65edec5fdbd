"""Opens all pages, one after another, at a table of four in the middle of a hand."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page, expect

from tests.browser.hall import PHONE, Hall, sheet

PLAYERS = {f"name{seat}": name for seat, name in enumerate(("Montserrat", "Bea", "Carles", "Dani"))}

# Each side has won a trick, and the third one has begun. It is Ana's turn; she dealt.
MID_HAND = (
    "0 deal 3, 1 play 8S, 2 play 9S, 3 play 10S, 0 play KS, "
    "1 play 9H, 2 play 7H, 3 play 10H, 0 play KH, 2 play AD, 3 play KD"
)


def mid_hand(hall: Hall) -> int:
    """Brings the table into the third trick of a hand of four."""
    return hall.desk.table("trut", MID_HAND, seats=4, names=PLAYERS.values())


def tour(hall: Hall, locale: str = "en-GB") -> Iterator[tuple[str, Page]]:
    """Yields name and page of every page; its details are unfolded, except on the TV."""
    hall.expect_complaint("status of 403")
    host = hall.open(hall.served.host_link, PHONE, locale=locale)
    yield "set-up", unfolded(host)
    hall.desk.post("/host/setup", game="trut", players="4", best_of="3", **PLAYERS)
    host.goto("/host/camera")
    yield "which camera", host
    host.goto("/host")
    yield "cutting, host", unfolded(host)
    seat = hall.open(hall.served.seat_link(0), PHONE, locale=locale)
    yield "cutting, seat", unfolded(seat)
    match_id = mid_hand(hall)
    hall.desk.post("/players/keep", name="Montserrat")
    hall.settle()
    yield "host", unfolded(host)
    yield "seat", unfolded(seat)
    seat.locator(".felt button.card").first.tap()
    expect(sheet(seat)).to_be_visible()
    yield "sheet of a card", unfolded(seat)
    sheet(seat).locator("button[data-sheet]").last.tap()
    expect(sheet(seat).locator(".entries")).to_be_visible()
    yield "sheet of the hand", seat
    seat.goto(f"/dispute/{match_id}")
    yield "disputes", unfolded(seat)
    seat.goto(f"/dispute/{match_id}/5")
    yield "dispute of a trick", unfolded(seat)
    viewer = hall.open("/", PHONE, locale=locale)
    yield "board", unfolded(viewer)
    for name, path in {
        "story": f"/match/{match_id}",
        "evenings": "/evenings",
        "kept names": "/players",
        "a player": "/player/1",
        "rules": "/rules",
        "about": "/about",
        "no seat": "/seat/1",
        "no host": "/host",
        "no phone": "/phone?key=old",
        "a phone as the camera": f"/phone?key={hall.served.camera_key}",
        "the table does not answer": "/offline",
        "TV": "/tv",
    }.items():
        viewer.goto(path)
        yield name, viewer if name == "TV" else unfolded(viewer)


def unfolded(page: Page) -> Page:
    """Unfolds all details of a page, and returns it."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    return page
