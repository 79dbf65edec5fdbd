"""A browser plays a clip from the first frame to the last."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from playwright.sync_api import Browser

from tests.browser.hall import PATIENCE, PHONE
from vision.evidence.clips import write_clip

PAGE = "<!doctype html><title>clip</title><video muted playsinline src=/clip.mp4></video>"
PLAY = """async video => {
    const ended = new Promise((done, fail) => {
        video.onended = done;
        video.onerror = () => fail(new Error(video.error.message));
    });
    await video.play();
    await ended;
    const drawn = document.createElement("canvas").getContext("2d");
    drawn.drawImage(video, 0, 0);
    return {
        duration: video.duration, size: [video.videoWidth, video.videoHeight],
        colour: Array.from(drawn.getImageData(50, 50, 1, 1).data.slice(0, 3)),
    };
}"""


def test_a_clip_plays_to_its_end(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    blue = [np.full((720, 1280, 3), (40 + 6 * number, 60, 40), np.uint8) for number in range(30)]
    write_clip(path, ((number / 15, picture) for number, picture in enumerate(blue)))
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
    context.set_default_timeout(PATIENCE)
    context.route("http://127.0.0.1/", lambda route: route.fulfill(
        content_type="text/html", body=PAGE))  # fmt: skip
    context.route("**/clip.mp4", lambda route: route.fulfill(
        content_type="video/mp4", body=path.read_bytes()))  # fmt: skip
    page = context.new_page()
    page.goto("http://127.0.0.1/")
    played = page.locator("video").evaluate(PLAY)
    context.close()
    assert 1.9 <= played["duration"] <= 2.1
    assert played["size"] == [960, 540]
    red, green, blue_at_end = played["colour"]
    assert max(abs(red - 40), abs(green - 60), abs(blue_at_end - 214)) < 12
