"""Every page fits on every screen, in all languages, and fingers find every button."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.hall import PHONE, TV, Hall
from tests.browser.test_accessible import size
from tests.browser.tour import mid_hand, tour

SMALL, LANDSCAPE = (320, 568), (844, 390)
FINGER = 44
LOCALES = ("en-GB", "fr-FR", "es-ES", "ca-ES")

# A page whose content is too wide makes a phone's layout wider than its screen: nothing but the
# screen itself is asked for its width.
WIDTH = "document.scrollingElement.scrollWidth"

TOO_SMALL = """(least) => [...document.querySelectorAll("button, .button, summary, select")]
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
    """What cannot be seen without scrolling."""
    assert page.locator(what).count() > 0
    found: list[str] = page.evaluate(OFF_SCREEN, what)
    return found


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
