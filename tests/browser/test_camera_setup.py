"""A host chooses a camera and sets it up before the first deal, by what the pages say."""

from __future__ import annotations

import re
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import Hall
from tests.vision.live_camera import Image, LiveCamera

STARTED = 90_000
"""Milliseconds that loading the models may take on a busy machine."""

LEFT, RIGHT = re.compile(r"left: [1-3]?\d%"), re.compile(r"left: [6-9]\d%")
ABOVE, BELOW = re.compile(r"top: [1-3]?\d%"), re.compile(r"top: [6-9]\d%")
"""The style of a name in the upper and in the lower part of the picture."""

TABLE = np.array([[340, 90], [940, 90], [1060, 660], [220, 660]])


def table_with_markers(marked: bool) -> Image:
    """A picture of a pale table, seen at an angle, with or without its four corner markers."""
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


@pytest.fixture
def phone_camera() -> Iterator[LiveCamera]:
    """A phone that films a table."""
    camera = LiveCamera(lambda: table_with_markers(marked=True))
    yield camera
    camera.close()


def to_the_camera(hall: Hall, source: str) -> Page:
    """Goes from the page of set-up to that of the camera."""
    host = hall.host()
    host.locator("[name=game][value=trut]").check()
    host.locator("[name=name0]").fill("Montserrat")
    host.locator("[name=name2]").fill("Bea")
    host.get_by_text("Another camera over the table").click()
    host.get_by_role("button", name="Next: the camera").click()
    host.get_by_text("A network camera, or an app on a phone").click()
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
