"""A dispute about a spoiled trick: the picture confirms it, or both sides correct it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.storage.ledger import Ledger
from tests.browser.hall import Hall, laid
from tests.webui.kept import about, keep, table_picture
from vision.evidence.clips import outlined, write_clip

LENGTH = """async video => {
    await video.play();
    return [video.duration, video.videoWidth];
}"""


@pytest.fixture
def spoiled(hall: Hall, tmp_path: Path) -> int:
    """A spoiled trick, with a picture and a clip of its second card; the next trick has begun."""
    match_id = hall.desk.table("le_truc_ace", "0 deal 3, 1 play KS, 0 play KH, 1 play 9H")
    clip = tmp_path / "clip.mp4"
    table = table_picture("KS", "KH")
    write_clip(clip, ((number / 15, table) for number in range(30)))
    with Ledger(str(hall.served.folder / "ledger.sqlite3")) as ledger:
        read = about(3, "KH", ("KH", 0.93), ("QH", 0.05))
        keep(ledger, match_id, read, still=outlined(table, None), clip=clip)
    return match_id


def look_again(phone: Page) -> None:
    """Goes from a seat's page to the page of the trick."""
    phone.get_by_role("link", name="Review it: trick 1").tap()
    expect(phone.locator(".ruling")).to_contain_text("C-11")


def test_a_spoiled_trick_is_disputed_and_upheld(hall: Hall, spoiled: int) -> None:
    bea, ana = hall.phone(1), hall.phone(0)
    look_again(bea)
    expect(bea.locator(".ruling")).to_contain_text("Spoiled: K♠ (Bea), K♥ (Ana) tie for the top.")
    expect(bea.locator("main")).to_contain_text("The camera read K♥ 93%, Q♥ 5%.")
    assert bea.locator(".moments img").evaluate("image => image.decode().then(() => "
                                                "image.naturalWidth)") == 1280  # fmt: skip
    duration, width = bea.locator("video").evaluate(LENGTH)
    assert 1.9 <= duration <= 2.1
    assert width == 960
    # Bea holds that it was a queen; Ana looks at the picture, and does not agree.
    hall.tap(bea.locator(".otherwise .picker:visible button", has_text="Q").first)
    expect(bea.locator(".proposal")).to_contain_text("Waiting for the other side")
    ana.get_by_role("link", name="Look at it").tap()
    expect(ana.locator(".proposal")).to_contain_text("Trick 1: Bea instead of spoiled.")
    hall.tap(ana.get_by_role("button", name="No"))
    for phone in (ana, bea):
        expect(phone.locator(".proposal")).to_have_count(0)
        expect(phone.locator(".ruling")).to_contain_text("Spoiled")


def test_a_spoiled_trick_is_corrected_by_both_sides(hall: Hall, spoiled: int) -> None:
    bea, ana, tv = hall.phone(1), hall.phone(0), hall.tv()
    look_again(bea)
    hall.tap(bea.locator(".otherwise .picker:visible button", has_text="Q").first)
    ana.get_by_role("link", name="Look at it").tap()
    expect(tv.locator(".tricks li").first).to_contain_text("Spoiled")
    hall.tap(ana.get_by_role("button", name="We agree"))
    for phone in (ana, bea):
        expect(phone.locator(".ruling")).to_contain_text("Trick for Bea")
        expect(phone.locator(".agreed")).to_contain_text("Agreed by Ana & Bea: Ana plays Q")
    expect(tv.locator(".tricks li").first).to_contain_text("→ Bea")
    expect(laid(tv, "Bea")).to_have_text("9")


def test_a_trick_is_shared_as_one_picture(hall: Hall, spoiled: int) -> None:
    host = hall.host()
    host.goto(f"/dispute/{spoiled}/3")
    with host.expect_download() as saved:
        host.get_by_role("link", name="Share as a picture").click()
    assert saved.value.suggested_filename == f"trucam-{spoiled}-3.png"
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_page_of_an_earlier_match_does_not_follow_the_one_that_is_played(
    hall: Hall, spoiled: int
) -> None:
    hall.desk.table("trut", "0 deal 3")
    host = hall.host()
    host.goto(f"/dispute/{spoiled}/3")
    expect(host.locator(".ruling")).to_contain_text("Spoiled")
    tapping = hall.host()
    hall.do(tapping, "8")
    hall.settle()
    expect(host.locator("#main")).not_to_contain_text("The match has moved on")
