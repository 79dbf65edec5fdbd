"""Every page, in every look, keeps WCAG 2.2 AA, as far as the program axe can tell."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.hall import PHONE, TV, Hall
from tests.browser.tour import tour

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
EVERY_RULE = {"type": "tag", "values": TAGS}
RULES_OF_LOOKS = {"type": "rule", "values": ["color-contrast", "link-in-text-block", "target-size"]}
"""The rules that depend on colours, borders and spacing. All others are the same in each look."""
LOOKS = ("light", "dark", "contrast")
"""The looks of a page; it is light at first."""


def test_axe_finds_nothing_on_any_page_in_any_look(hall: Hall) -> None:
    found = []
    for name, page in tour(hall):
        page.set_viewport_size(size(TV if name == "TV" else PHONE))
        found += [f"{name}: {line}" for line in violations(page, EVERY_RULE)]
        for look in LOOKS:
            page.evaluate("look => (document.documentElement.dataset.look = look)", look)
            if look != "light":
                found += [f"{name}, {look}: {line}" for line in violations(page, RULES_OF_LOOKS)]
            page.evaluate("document.body.classList.add('busy')")  # the look right after a tap
            found += [f"{name}, {look}, busy: {line}" for line in violations(page, RULES_OF_LOOKS)]
            page.evaluate("document.body.classList.remove('busy')")
    assert not found, "\n".join(found)


def size(pixels: tuple[int, int]) -> dict[str, int]:
    """A viewport, as Playwright takes it."""
    return {"width": pixels[0], "height": pixels[1]}


def violations(page: Page, rules: dict[str, object] = EVERY_RULE) -> list[str]:
    """What axe finds on a page by these rules; a line for each: the rule, where, and why."""
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    loaded = page.evaluate("'axe' in window")  # it is large, and each page is checked six times
    response = Axe("0" if loaded else AXE_SCRIPT).run(page, options=options).response
    assert response["testEngine"]["name"] == "axe-core"
    return [
        f"{rule['id']}: {' '.join(node['target'])} {node['failureSummary']}"
        for rule in response["violations"]
        for node in rule["nodes"]
    ]
