"""Every page fits on every screen, in all languages, and every button is large enough."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import PHONE, TV, Hall, sheet
from tests.browser.test_accessible import size
from tests.browser.tour import mid_hand, tour

SMALL, LANDSCAPE, LAPTOP = (320, 568), (844, 390), (1366, 768)
FINGER = 44
LOCALES = ("en-GB", "fr-FR", "es-ES", "ca-ES")

# Content that is too wide makes the layout of a phone wider than its screen. So this reads the
# width of the screen itself.
WIDTH = "document.scrollingElement.scrollWidth"

TOO_SMALL = """(least) => [...document.querySelectorAll("button, .button, summary, select, " +
      "label:has([type=checkbox], [type=radio])")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, box]) => box.width && Math.min(box.width, box.height) < least - 0.5)
  .map(([one, box]) => `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 20)} ` +
       `${Math.round(box.width)}x${Math.round(box.height)}`)"""

OFF_SCREEN = """(what) => [...document.querySelectorAll(what)]
  .filter((one) => one.checkVisibility())
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, box]) => box.top < 0 || box.left < 0 ||
      box.bottom > innerHeight + 0.5 || box.right > innerWidth + 0.5)
  .map(([one, box]) => `${one.className} ${one.textContent.trim().slice(0, 20)} ` +
       `to ${Math.round(box.right)}, ${Math.round(box.bottom)}`)"""


def off_screen(page: Page, what: str) -> list[str]:
    """The elements that are not visible without scrolling."""
    assert page.locator(what).count() > 0
    found: list[str] = page.evaluate(OFF_SCREEN, what)
    return found


CUT_OFF = """(what) => [...document.querySelectorAll(what)]
  .filter((one) => one.checkVisibility())
  .filter((one) => {
    const box = one.getBoundingClientRect();
    for (let above = one.parentElement; above; above = above.parentElement) {
      if (getComputedStyle(above).overflow === "visible") continue;
      const around = above.getBoundingClientRect();
      if (box.bottom > around.bottom + 1 || box.right > around.right + 1) return true;
    }
    return one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline";
  })
  .map((one) => `${one.className} ${one.textContent.trim().slice(0, 20)}`)"""


def cut_off(page: Page, what: str) -> list[str]:
    """The elements of which their parent cuts a part off."""
    found: list[str] = page.evaluate(CUT_OFF, what)
    return found


COVERED = """() => [...document.querySelectorAll(".felt .card, .felt .name")].filter((one) => {
    const box = one.getBoundingClientRect(), ended = document.querySelector(".ended");
    const over = ended.getBoundingClientRect();
    return ended.checkVisibility() && box.left < over.right - 1 && box.right > over.left + 1 &&
        box.top < over.bottom - 1 && box.bottom > over.top + 1;
  })
  .map((one) => `${one.className} ${one.textContent.trim().slice(0, 20)}`)"""
"""The names and cards that the banner with the winner covers."""


@pytest.mark.parametrize("locale", LOCALES)
def test_no_page_scrolls_sideways_and_every_button_is_large_enough(hall: Hall, locale: str) -> None:
    found = []
    for name, page in tour(hall, locale):
        assert page.locator("html").get_attribute("lang") == locale[:2]
        for pixels in (SMALL, LANDSCAPE, PHONE, TV):
            page.set_viewport_size(size(pixels))
            where = f"{name} {pixels[0]}x{pixels[1]}"
            width = page.evaluate(WIDTH)
            if width > pixels[0]:
                found.append(f"{where}: {width} px wide")
            found += [f"{where}: {small}" for small in page.evaluate(TOO_SMALL, FINGER)]
        page.set_viewport_size(size(PHONE))
    assert not found, "\n".join(dict.fromkeys(found))


@pytest.mark.parametrize("locale", LOCALES)
def test_a_tv_shows_the_whole_board_in_the_third_trick_of_four(hall: Hall, locale: str) -> None:
    mid_hand(hall)
    tv = hall.open("/tv", TV, locale=locale)
    assert tv.locator(".tricks li").count() == 3
    assert off_screen(tv, "#live .side, #live .felt, #live .said, #live .tricks") == []
    assert tv.evaluate("document.scrollingElement.scrollHeight") <= TV[1]


# The second hand: each side has a trick and lacks one point, and a card was just corrected.
FULL = (
    "award 0 11, award 1 9, 1 cut, 0 deal 3, 0 play_on, 3 play 3S, 2 play 7H, 1 play 7D, "
    "0 play 4D, 3 play KD, 2 play 2C, 1 play JH, 0 play 6C, 2 play 5C"
)


@pytest.mark.parametrize("pixels", [TV, LAPTOP, (1280, 720)], ids=["TV", "laptop", "720p"])
@pytest.mark.parametrize("locale", LOCALES)
def test_a_tv_cuts_nothing_off_when_there_is_most_to_say(
    hall: Hall, locale: str, pixels: tuple[int, int]
) -> None:
    names = ("Montserrat", "Bea", "Maximilian", "Dani")
    hall.desk.table("truc_spain", FULL, seats=4, names=names, best_of=3)
    dani = hall.phone(3)
    dani.locator(".tricks li").first.locator("button.card").first.tap()
    hall.tap(sheet(dani).locator(".picker:visible button", has_text="2").first)
    tv = hall.open("/tv", pixels, locale=locale, has_touch=False, is_mobile=False)
    said = ".notice, .corrected, .now, .last span, .tricks .card, .tricks .note, .names, .points"
    assert tv.locator(".notice, .corrected").count() == 2
    assert off_screen(tv, f"{said}, .chair, .felt, .tricks") == []
    assert cut_off(tv, said) == []
    felt, card = (
        tv.locator(one).first.bounding_box() for one in (".felt", ".felt .card:not(.slot)")
    )
    assert felt is not None
    assert card is not None
    assert card["height"] > felt["height"] / 4  # the felt is not half empty
    for best_of in (3, 1):  # a game is won, and the match
        hall.desk.table(
            "truc_spain", GAME_OVER["truc_spain"], seats=4, names=names, best_of=best_of
        )
        hall.settle()
        shown = ".ended, .felt .card, .felt .name"
        assert off_screen(tv, f"{shown}, .felt, .chair") == []
        assert cut_off(tv, shown) == []
        assert tv.evaluate(COVERED) == []


# The last hand of a game of two; the player with the longest name wins it.
GAME_OVER_OF_TWO = (
    "award 0 8, award 1 11, 0 deal 3, 1 i_play, 1 play AS, 0 play 7C, 1 play AH, 0 play 8C"
)


@pytest.mark.parametrize("locale", LOCALES)
def test_a_tv_keeps_two_cards_on_the_felt_whatever_is_said_between_them(
    hall: Hall, locale: str
) -> None:
    names, tv = ("Ana", "Maximilienne-Joséphine D"), hall.open("/tv", TV, locale=locale)
    for best_of in (3, 1):  # a game is won, and the match
        hall.desk.table("le_truc_ace", GAME_OVER_OF_TWO, names=names, best_of=best_of)
        hall.settle()
        felt = tv.locator(".felt").bounding_box()
        cards = [card.bounding_box() for card in tv.locator(".felt .card").all()]
        assert felt is not None
        assert len(cards) == 2
        for card in cards:
            assert card is not None
            assert card["y"] >= felt["y"]
            assert card["y"] + card["height"] <= felt["y"] + felt["height"]
        assert tv.evaluate(COVERED) == []
        assert tv.evaluate("document.scrollingElement.scrollHeight") <= TV[1]


@pytest.mark.parametrize("locale", LOCALES)
def test_a_laptop_shows_the_board_and_the_hosts_desk_without_scrolling(
    hall: Hall, locale: str
) -> None:
    mid_hand(hall)
    computer = {"locale": locale, "has_touch": False, "is_mobile": False}
    for path in ("/", hall.served.host_link):
        page = hall.open(path, LAPTOP, **computer)
        shown = ".felt, .score, .said, .tricks" + (
            ", .picker" if page.locator(".desk").count() else ""
        )
        assert off_screen(page, shown) == [], path
        assert page.evaluate("document.scrollingElement.scrollHeight") <= LAPTOP[1], path


# The last hand of a game.
GAME_OVER = {
    "le_truc_ace": "award 0 11, 0 deal 3, 1 i_play, 1 play KS, 2 play AH, 3 play 8D, 0 play 7C, "
    "2 play KD, 3 play 9S, 0 play 7H, 1 play 8C",
    "truc_spain": "award 0 11, award 1 11, 1 cut, 0 deal 3, 3 play 4S, 2 play 3H, 1 play 7D, "
    "0 play 4D, 2 play KD, 1 play 2C, 0 play 3C, 3 play 6C",
}


@pytest.mark.parametrize("game", GAME_OVER)
@pytest.mark.parametrize("locale", LOCALES)
def test_a_laptop_shows_the_hosts_desk_between_games_without_scrolling(
    hall: Hall, locale: str, game: str
) -> None:
    hall.desk.table(game, GAME_OVER[game], seats=4, best_of=3)
    page = hall.open(hall.served.host_link, LAPTOP, locale=locale, has_touch=False, is_mobile=False)
    assert page.locator(".won").count() == 1
    assert off_screen(page, ".score, .said, .act button, .deal li") == []
    assert page.evaluate("document.scrollingElement.scrollHeight") <= LAPTOP[1]


@pytest.mark.parametrize("locale", LOCALES)
def test_evenings_are_whole_on_a_phone(hall: Hall, locale: str) -> None:
    match_id = mid_hand(hall)
    hall.desk.post("/players/keep", name="Montserrat")
    for path in ("/evenings", f"/match/{match_id}", "/players", "/player/1"):
        for pixels in (PHONE, SMALL):
            page = hall.open(path, pixels, locale=locale)
            inside = "document.querySelector('.scroll').scrollWidth"
            assert page.evaluate(inside) <= pixels[0]
            assert page.locator("td").first.is_visible()


@pytest.mark.parametrize("locale", LOCALES)
def test_who_won_covers_no_name_and_no_card_on_a_phone(hall: Hall, locale: str) -> None:
    names = ("Montserrat", "Bea", "Maximilian", "Dani")
    pages = hall.phone(1, locale=locale), hall.open("/", PHONE, locale=locale)
    for best_of in (3, 1):
        hall.desk.table(
            "truc_spain", GAME_OVER["truc_spain"], seats=4, names=names, best_of=best_of
        )
        hall.settle()
        for page in pages:
            for pixels in (PHONE, (360, 740)):
                page.set_viewport_size(size(pixels))
                assert page.evaluate(COVERED) == []
                said = ".won .names" if best_of == 3 else ".over h2"
                assert "Montserrat" in page.locator(said).inner_text()


@pytest.mark.parametrize(
    "names",
    [("Ana", "Maximilienne"), ("Ana", "Bea", "Maximilienne", "Dani")],
    ids=["of two", "of four, opposite"],
)
def test_a_long_name_whose_turn_it_is_stands_in_one_line_on_the_smallest_phone(
    hall: Hall, names: tuple[str, ...]
) -> None:
    said = "0 deal 3" if len(names) == 2 else "0 deal 3, 1 play 8S"
    hall.desk.table("trut", said, seats=len(names), names=names)
    name = hall.open("/", SMALL).locator(".chair.turn .name")
    expect(name).to_have_text("Maximilienne")
    box = name.bounding_box()
    assert box is not None
    assert box["height"] < 30


def test_the_tv_has_no_links_until_somebody_moves_the_mouse(hall: Hall) -> None:
    mid_hand(hall)
    tv = hall.open("/tv", TV)
    expect(tv.locator(".foot")).to_be_hidden()
    tv.mouse.move(300, 300)
    expect(tv.locator(".foot a").first).to_be_visible()


def test_an_overlay_covers_a_corner_and_a_hall_sees_digits(hall: Hall) -> None:
    mid_hand(hall)
    shares = {}
    for path, what in (("/tv?bare", ".corner-box"), ("/tv?far", ".side .points")):
        box = hall.open(path, TV).locator(what).first.bounding_box()
        assert box is not None
        shares[path] = (box["width"] / TV[0], box["height"] / TV[1])
    width, height = shares["/tv?bare"]
    assert width < 0.4
    assert height < 0.3
    assert shares["/tv?far"][1] > 0.35


@pytest.mark.parametrize("pixels", [PHONE, SMALL], ids=["390x844", "320x568"])
@pytest.mark.parametrize(
    ("game", "events"),
    {
        "trut": "0 deal 3, 1 play 8S",
        "truc_spain": "1 cut, 0 deal 3, 1 play 3S",
        "le_truc_ace": "0 deal 3, 1 i_play, 1 play 8S",
    }.items(),
)
def test_who_is_due_needs_not_scroll(
    hall: Hall, game: str, events: str, pixels: tuple[int, int]
) -> None:
    hall.desk.table(game, events)
    ana = hall.phone(0, size=pixels)
    assert off_screen(ana, ".buttons.due > .picker button, .buttons.due > .calls button") == []
