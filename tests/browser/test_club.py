"""A club's pages fit on phones, on a laptop and on the hall's TV, whatever the language."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.pairing import draw
from scorekeeper.engine.events import Event
from scorekeeper.engine.said import Source
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from tests.benchmarks.club import serve
from tests.browser.hall import COMPUTER, PHONE, TV
from tests.browser.served import Served
from tests.browser.test_accessible import size
from tests.browser.test_sizes import FINGER, LOCALES, SMALL, TOO_SMALL, WIDTH, off_screen
from tests.scorekeeper.playouts import any_event
from tests.simulated_club import opened
from tests.webui.serving import Site

PAGES = ("/", "/list", "/codes", "/table/2", "/evenings", "/host", "/host/tables", "/host?new=1")
AT_STAKE = 2
"""The table that is shown large: a side needs one Long, and two cards of a trick lie there."""
HOUSE = {"lead_after_spoiled": "first_tied", "retrut": "two_longs", "target": 5}

STICKS_OUT = """([what, around]) => [...document.querySelectorAll(what)]
  .filter((one) => one.checkVisibility())
  .filter((one) => {
    const box = one.getBoundingClientRect(), room = one.closest(around).getBoundingClientRect();
    return box.top < room.top - 1 || box.bottom > room.bottom + 1 ||
           box.left < room.left - 1 || box.right > room.right + 1;
  })
  .map((one) => `${one.className} ${one.textContent.trim().slice(0, 20)}`)"""


@pytest.fixture(scope="module", params=[12, 18], ids=["12 tables", "18 tables"])
def club(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A hall in its first round; at one table a game is at stake."""
    site = Site(tmp_path_factory.mktemp("club"))
    with Ledger(str(site.ledger)) as ledger:
        hall = opened(ledger, request.param, **HOUSE)
        hall.say(draw(hall.moment.tournament, seed=1), seen=hall.moment.seq)
        table = Table(ledger, hall.moment.tables[AT_STAKE].entry.id)
        rules = table.moment.match.rules
        longs = Event("award", side=1, points=rules.counting.parts * (rules.target - 1))
        table.say(longs, seen=0, source=Source.PHONE)
        chance = Random(3)
        while not two_lie_there(table):
            event = any_event(table.moment.match, chance, operator=0)
            assert event is not None
            table.say(event, seen=table.moment.seq, source=Source.PHONE)
    serve(site)
    yield site
    status, _, errors = site.end()
    assert (status, errors) == (0, "")


def two_lie_there(table: Table) -> bool:
    hand = table.moment.match.hand
    return hand is not None and bool(hand.tricks) and len(hand.tricks[-1].plays) == 2


def opened_by_the_host(browser: Browser, club: Site, locale: str) -> Page:
    """The host's browser."""
    key = json.loads((club.tables / "club.json").read_text())["access"]["host_key"]
    context = browser.new_context(base_url=f"http://127.0.0.1:{club.port}", locale=locale)
    page = context.new_page()
    page.goto(f"/host?key={key}")
    return page


@pytest.mark.parametrize("locale", LOCALES)
def test_no_page_of_a_club_scrolls_sideways(browser: Browser, club: Site, locale: str) -> None:
    page, found = opened_by_the_host(browser, club, locale), []
    for path in PAGES:
        page.goto(path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        for pixels in (SMALL, PHONE, COMPUTER):
            page.set_viewport_size(size(pixels))
            width = page.evaluate(WIDTH)
            found += [f"{path}: {width} px wide"] if width > pixels[0] else []
            found += [f"{path}: {small}" for small in page.evaluate(TOO_SMALL, FINGER)]
            around = ["main table", "main"]
            found += [f"{path} {pixels}: {out}" for out in page.evaluate(STICKS_OUT, around)]
    page.context.close()
    assert not found, "\n".join(dict.fromkeys(found))


@pytest.mark.parametrize(
    ("locale", "pixels"),
    [*((locale, TV) for locale in LOCALES), ("fr-FR", COMPUTER), ("fr-FR", (1366, 768))],
    ids=[*LOCALES, "laptop", "wide laptop"],
)
def test_the_halls_tv_cuts_no_table_and_no_card_off(
    browser: Browser, club: Site, locale: str, pixels: tuple[int, int]
) -> None:
    page = opened_by_the_host(browser, club, locale)
    page.set_viewport_size(size(pixels))
    page.goto("/tv")
    assert page.locator(".large").count() == 1
    assert off_screen(page, ".hall-title > *, .tile, .large .side, .large .now, .ahead") == []
    for what, around in (
        (".tile", ".tiles"),
        (".tile > *", ".tile"),
        (".large .felt .card, .large .felt .name", ".felt"),
        (".large > *", ".large"),
    ):
        assert page.evaluate(STICKS_OUT, [what, around]) == [], what
    page.context.close()


def test_the_host_types_one_pair_after_the_other(browser: Browser, tmp_path: Path) -> None:
    served = Served(tmp_path, command="club")
    served.start()
    with ExitStack() as ends:
        ends.callback(served.stop)
        context = ends.enter_context(browser.new_context(base_url=served.url, locale="en-GB"))
        page = context.new_page()
        page.goto(served.host_link)
        page.locator("[name=title]").fill("Spring Cup")
        page.get_by_role("button", name="Open", exact=True).click()
        names = page.locator("#enter [name=name]")
        for pair in (("Ana", "Bea"), ("Carles", "Dani")):
            expect(names.first).to_be_focused()
            expect(page.locator("body.busy")).to_have_count(0)  # two taps at once count as one
            for field, name in zip(names.all(), pair, strict=True):
                field.fill(name)
            names.last.press("Enter")
            expect(page.locator(".teams .names").first).to_have_text(" & ".join(pair))
            expect(names.first).to_have_value("")
    assert served.errors.read_text() == ""


@pytest.mark.parametrize("tables", [3, 4])
def test_a_hall_of_few_tables_fills_its_tv_and_a_correction_has_room_for_its_reason(
    browser: Browser, tmp_path: Path, tables: int
) -> None:
    site = Site(tmp_path)
    with Ledger(str(site.ledger)) as ledger:
        hall = opened(ledger, tables)
        hall.say(draw(hall.moment.tournament, seed=1), seen=hall.moment.seq)
        result = ClubEvent("result", round=1, table=1, score=(7, 4), winner=0)
        hall.say(result, seen=hall.moment.seq)
    serve(site)
    page = opened_by_the_host(browser, site, "en-GB")
    page.locator("#fix-1-1 summary").click()
    note, score = (
        page.locator(f"#act-1 [name={name}]").bounding_box() for name in ("note", "first")
    )
    assert note is not None
    assert score is not None
    assert note["width"] > 2 * score["width"]
    page.set_viewport_size(size(TV))
    page.goto("/tv")
    letters = "document.querySelector('.tile .names').computedStyleMap().get('font-size').value"
    assert page.evaluate(letters) > TV[1] / 35
    assert off_screen(page, ".tile, .ahead") == []
    assert page.evaluate(STICKS_OUT, [".tile > *", ".tile"]) == []
    page.context.close()
    site.end()
