"""A camera is chosen and set up by somebody who has read nothing, before the first deal."""

from __future__ import annotations

import re
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.hall import PHONE, Hall, sheet
from tests.browser.served import Served
from tests.browser.test_accessible import size, violations
from tests.browser.test_sizes import FINGER, SMALL, TOO_SMALL, WIDTH
from tests.vision.live_camera import Image, LiveCamera
from tests.vision.scripted_play import scripted

STARTED = 90_000
"""Milliseconds that the models may take to be loaded on a busy machine."""

LEFT, RIGHT = re.compile(r"left: [1-3]?\d%"), re.compile(r"left: [6-9]\d%")
ABOVE, BELOW = re.compile(r"top: [1-3]?\d%"), re.compile(r"top: [6-9]\d%")
"""Where a name stands in the picture."""

TABLE = np.array([[340, 90], [940, 90], [1060, 660], [220, 660]])


def table_with_markers(marked: bool) -> Image:
    """A pale table seen aslant, with or without the four corner markers."""
    picture = np.full((720, 1280, 3), (60, 50, 40), np.uint8)
    cv2.fillConvexPoly(picture, TABLE, (150, 165, 175))
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for number, (x, y) in enumerate([(400, 130), (880, 130), (960, 610), (320, 610)]):
        side = 60 if number < 2 else 78
        black = cv2.aruco.generateImageMarker(family, number, side)
        tag = cv2.copyMakeBorder(black, 10, 10, 10, 10, cv2.BORDER_CONSTANT, value=255)
        half = tag.shape[0] // 2
        if marked:
            place = picture[y - half : y - half + len(tag), x - half : x - half + len(tag)]
            place[:] = tag[..., None]
    return picture


@pytest.fixture(scope="module")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A table that nobody has set up, with the program's own worker."""
    served = Served(tmp_path_factory.mktemp("eyes"))
    served.start()
    yield served
    served.stop()
    assert served.errors.read_text().strip() == ""


@pytest.fixture
def phone_camera() -> Iterator[LiveCamera]:
    """A phone that films a table."""
    camera = LiveCamera(lambda: table_with_markers(marked=True))
    yield camera
    camera.close()


def to_the_camera(hall: Hall, source: str) -> Page:
    """Goes the way from the set-up page to the camera's."""
    host = hall.host()
    host.locator("[name=game][value=trut]").check()
    host.locator("[name=name0]").fill("Montserrat")
    host.locator("[name=name2]").fill("Bea")
    host.get_by_text("A camera over the table").click()
    host.get_by_role("button", name="Next: the camera").click()
    host.get_by_text("A phone or a network camera").click()
    host.locator("[name=address]").fill(source)
    host.get_by_role("button", name="Go on").click()
    return host


def test_a_camera_is_set_up_by_markers(hall: Hall, phone_camera: LiveCamera) -> None:
    host = to_the_camera(hall, phone_camera.url)
    found = host.locator(".health .good", has_text="Found by its markers.")
    expect(found).to_be_visible(timeout=STARTED)
    expect(host.locator(".health .good", has_text="1280 × 720")).to_be_visible()
    expect(host.locator("#viewfinder img")).to_have_js_property("naturalWidth", 960)
    near, far = (host.locator(".spot", has_text=name) for name in ("Montserrat", "Bea"))
    expect(near).to_have_attribute("style", BELOW)
    expect(far).to_have_attribute("style", ABOVE)
    hall.tap_alone(host.get_by_role("button", name="Turn the table"))
    expect(near).to_have_attribute("style", LEFT, timeout=STARTED)
    expect(far).to_have_attribute("style", RIGHT)
    expect(host.locator(".todo")).to_have_text("Lay a card on the table.")
    host.locator("#deck summary").click()
    expect(host.locator("#deck .todo")).to_contain_text("0 of 32 cards.", timeout=STARTED)
    host.locator("#deck summary").click()
    phone_camera.black.set()
    picture = host.locator(".health .bad", has_text="Picture")
    expect(picture).to_contain_text("is its lid closed?", timeout=STARTED)
    phone_camera.black.clear()
    expect(picture).to_have_count(0)
    sheets = host.get_by_role("link", name="Print (A4)").get_attribute("href")
    printed = host.request.get(str(sheets), timeout=STARTED)
    assert printed.headers["content-type"] == "application/pdf"
    host.get_by_role("link", name="To the table").click()
    expect(host.get_by_role("heading", name="Who deals first?")).to_be_visible()


@pytest.fixture
def counted(browser: Browser, playwright, tmp_path) -> Iterator[Hall]:
    """A table whose camera sees three cards of a deck."""
    from tests.browser.served import Desk

    program = scripted(
        'tell:{"size":[1280,720],"spots":[[0.5,0.9],[0.5,0.1]],"laid":[["KS",1.0,0]]}',
        "spread:7S,KS,6D",
    )
    served = Served(tmp_path, program=program, options=("--camera", "0"))
    served.start()
    desk = Desk(playwright, served)
    hall = Hall(browser, served, desk)
    yield hall
    hall.close()
    desk.close()
    served.stop()
    hall.check()


def test_a_deck_is_counted_and_a_misread_card_put_right(counted: Hall) -> None:
    counted.desk.post("/host/setup", game="trut", players="2", name0="Ana", name2="Bea",
                      best_of="1", watched="camera")  # fmt: skip
    host = counted.open(counted.served.host_link, PHONE)
    host.goto("/host/camera")
    expect(host.locator(".todo")).to_have_text("All is well: go on to the table.")
    expect(host.locator(".try")).to_have_text("I see: K♠ before Ana")
    for pixels in (SMALL, PHONE):
        host.set_viewport_size(size(pixels))
        assert host.evaluate(WIDTH) <= pixels[0]
        assert host.evaluate(TOO_SMALL, FINGER) == []
    host.locator("#deck summary").tap()
    count = host.locator("#deck .todo")
    expect(count).to_contain_text("2 of 32 cards. Not of this deck: 6♦.")
    assert host.evaluate(TOO_SMALL, FINGER) == []
    host.get_by_role("button", name="6♦").tap()
    assert violations(host) == []
    counted.tap_alone(sheet(host).get_by_role("button", name="8♦"))
    expect(count).to_have_text("3 of 32 cards.")
    assert violations(host) == []
    host.get_by_label("Name of the deck").fill("Home")
    assert counted.tap_alone(host.get_by_role("button", name="Count again")) == 200
    expect(count).to_contain_text("3 of 32 cards.")  # they still lie there


def test_between_hands_the_deck_is_counted_until_the_next_deal(counted: Hall) -> None:
    counted.desk.table("trut", "0 deal 3, void_hand")
    host = counted.host()
    expect(host.locator("#viewfinder")).to_have_count(0)
    counted.tap(host.get_by_role("button", name="Nobody holds cards"))
    expect(host.locator("#viewfinder img")).to_have_js_property("naturalWidth", 160)
    host.locator("#deck summary").click()
    expect(host.locator("#deck .todo")).to_contain_text("2 of 32 cards. Not of this deck: 6♦.")
    counted.tap(host.get_by_role("button", name="Dealt: 3 cards each"))
    for gone in ("#viewfinder", "#deck"):
        expect(host.locator(gone)).to_have_count(0)
    expect(host.get_by_text("Its picture is off while a hand is played.")).to_be_visible()
    counted.expect_complaint("status of 404")  # a look that was under way
