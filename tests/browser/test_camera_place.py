"""The host sees the camera's picture, and marks the table in it."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import expect

from tests.browser.hall import Hall
from vision.geometry.calibration import open_plane

SCRIPT = ['tell:{"size":[1600,900]}']
"""The camera only reports the size of its pictures."""


def test_the_host_drags_the_corners_onto_the_table(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3, void_hand")
    host, tv = hall.host(), hall.tv()
    expect(host.locator("#viewfinder")).to_have_count(0)
    hall.tap(host.get_by_role("button", name="Nobody holds cards: show the picture"))
    expect(tv.locator(".sign")).to_contain_text("the host sees the live picture")
    picture = host.locator("#viewfinder img")
    expect(picture).to_have_js_property("naturalWidth", 160)
    host.get_by_role("button", name="Show where the table is").click()
    box = picture.bounding_box()
    assert box is not None
    for corner, (x, y) in {"upper left": (0.1, 0.3), "lower right": (0.9, 0.7)}.items():
        host.get_by_role("button", name=f"{corner} corner").hover()
        host.mouse.down()
        host.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=3)
        host.mouse.up()
    host.get_by_role("button", name="upper right corner").press("ArrowLeft")
    assert hall.tap_alone(host.get_by_role("button", name="Here is the table")) == 200
    kept = open_plane("0", hall.served.folder / "cameras")
    assert kept is not None
    dragged = [(160, 270), (1272, 180), (1440, 630), (320, 720)]
    assert np.allclose(kept.to_frame(kept.outline), dragged, atol=8)  # a pixel of the screen
    expect(host.locator("#viewfinder")).to_have_count(0)
    expect(tv.locator(".sign")).not_to_contain_text("live picture")


def test_the_picture_is_gone_while_cards_are_held(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3")
    host = hall.host()
    expect(host.locator(".camera")).to_contain_text("The picture is off")
    expect(host.locator("#viewfinder")).to_have_count(0)
