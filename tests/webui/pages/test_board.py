"""The board, and what every visitor finds: languages, version, licence and source."""

from __future__ import annotations

import html
import io
import re
import zipfile
from importlib.metadata import version

import pytest

from scorekeeper.text.i18n import LANGUAGES
from tests.webui.evening import say
from tests.webui.phones import Phone, begin, host_of
from tests.webui.watching import WHICH, FakeSupervisor, camera_of
from webui.app import create_app
from webui.table.memory import Memory
from webui.table.room import Room

BACK = re.compile(r'name="back" value="([^"]*)"')
QUESTION = re.compile(r"/api/v1/questions/[^\"]*jpg")


@pytest.mark.parametrize("path", ["/", "/tv", "/about", "/evenings"])
def test_everybody_may_look_and_reads_version_licence_and_source(client, path) -> None:
    page = client.page(path)
    assert f"trucam {version('trucam')}" in page
    assert "AGPL-3.0-or-later" in page
    assert 'href="/source.zip"' in page


def test_an_overlay_is_the_board_and_nothing_else(room, client) -> None:
    begin(room)
    assert "<footer" in client.page("/tv")
    page = client.page("/tv?bare")
    assert "<footer" not in page
    assert 'class="tv overlay"' in page


def test_the_title_names_the_game(room, client) -> None:
    assert "<title>trucam</title>" in client.page("/")
    begin(room, "trut")
    assert "<title>Trut · trucam</title>" in client.page("/")


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_is_chosen_and_kept(client, code) -> None:
    answer = client.send("/language", {"code": code, "back": "/tv"})
    assert (answer.status_code, answer.location) == (302, "/tv")
    for path in ("/", "/tv", "/about"):
        assert f'<html lang="{code}">' in client.page(path, headers={"Accept-Language": "xx"})
    assert client.get("/live/board/poll").status_code == 200


def test_a_language_that_we_do_not_speak_changes_nothing(client) -> None:
    client.send("/language", {"code": "ca"})
    for code in ("de", "", "x" * 1000, "../en"):
        assert client.send("/language", {"code": code}).location == "/"
    assert '<html lang="ca">' in client.page("/")


@pytest.mark.parametrize(
    "back",
    ["https://example.org", "//example.org", "/\\example.org", "/\t/example.org", "/\n/example.org",
     "\\\\example.org", "javascript:alert(1)", "", " /tv", "/\x00", "/é\r\nSet-Cookie: a=b"],
)  # fmt: skip
def test_a_form_leads_back_only_to_pages_of_this_machine(client, back) -> None:
    answer = client.send("/language", {"code": "fr", "back": back})
    assert (answer.status_code, answer.location) == (302, "/")


def test_every_file_that_pages_load_exists(room, host) -> None:
    import re

    begin(room)
    pages = [host.page(path) for path in ("/", "/tv", "/host", "/about", "/evenings")]
    links = {link for page in pages for link in re.findall(r'(?:src|href)="(/static[^"]+)"', page)}
    assert len(links) > 3
    for link in links:
        answer = host.get(link)
        assert answer.status_code == 200, link
        answer.close()
    for page in pages:
        assert not re.search(r'(?:src|href)="(?:https?:)?//(?!127\.0\.0\.1)', page)


def test_the_source_is_served_by_the_machine_itself(client) -> None:
    answer = client.get("/source.zip")
    assert answer.mimetype == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        assert archive.testzip() is None
        names = {name.split("/", 1)[1] for name in archive.namelist()}
    assert {
        "webui/app.py",
        "scorekeeper/engine/match.py",
        "webui/static/trucam.js",
        "LICENSE",
    } <= names
    assert not [name for name in names if "__pycache__" in name]


@pytest.mark.parametrize("path", ["/tv", "/tv?far", "/tv?bare"])
def test_a_tv_shows_what_anybody_may_see_whoever_opened_it(ledger, monkeypatch, path) -> None:
    with camera_of(monkeypatch) as camera:
        room = Room(ledger, Memory(), camera)
        begin(room, "trut")
        say(room, "0 deal 3")
        (supervisor,) = FakeSupervisor.started
        supervisor.pictured = {WHICH.id: b"jpeg"}
        supervisor.see(questions=(WHICH,))
        app = create_app(room)
        for own in ("/", path):
            shown = [
                QUESTION.findall(phone.page(own)) for phone in (Phone(app), host_of(app, room))
            ]
            assert [bool(pictures) for pictures in shown] == [False, own == "/"], own
        name = "far" if "far" in path else "overlay" if "bare" in path else "tv"
        polled = host_of(app, room).get(f"/live/{name}/poll").get_data(as_text=True)
        assert not QUESTION.search(polled)


@pytest.mark.parametrize("page", ["/tv?far=", "/rules?game=trut", "/evenings", "/evenings?x=1%262"])
def test_whoever_chooses_a_language_stays_where_he_is(client, page) -> None:
    shown = client.page(f"{page}{'&' if '?' in page else '?'}lang=fr&key=secret")
    (back,) = {html.unescape(found) for found in BACK.findall(shown)}
    assert client.send("/language", {"code": "es", "back": back}).location == page
