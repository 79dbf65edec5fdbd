"""Bad addresses and bad form fields: each is refused in a sentence, and changes nothing."""

from __future__ import annotations

import re

import pytest

from tests.webui.bad.visitors import HEADER, begin, check_headers, check_refused

# --- where to ---


PATHS = [
    "/nothing", "/seat/9", "/seat/99999999999999999999999", "/seat/x", "/seat/-1",
    "/match/0", "/match/99999999999999999999999999", "/match/99999999999999999999999999.csv",
    "/match/99999999999999999999999999.jsonl", "/match/99999999999999999999999999.svg",
    "/player/0", "/player/99999999999999999999999999", "/player/99999999999999999999999999.csv",
    "/match/-1", "/live/nothing", "/live/..", "/live/nothing/poll", "/api/v1/nothing",
    "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/%2e%2e/pyproject.toml",
    "/static//etc/passwd", "/static/..\\app.py", "/static/%00", "/static/a%00.css", "/%00",
    "/static/" + "x" * 5000, "/" + "x" * 5000, "/\ud83d\ude00", "/%ff%fe", "/..%c0%af..",
]  # fmt: skip


@pytest.mark.usefixtures("unmoved")
@pytest.mark.parametrize("path", PATHS, ids=lambda path: ascii(path[:40]))
def test_there_is_no_such_page(visitor, path):
    path = path.encode("utf-16", "surrogatepass").decode("utf-16")
    check_refused(visitor().get(path), 400, 404)
    check_refused(visitor().sit(1).get(path), 400, 404)


@pytest.mark.usefixtures("unmoved")
@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/"), ("PUT", "/api/v1/events"), ("DELETE", "/match/1"), ("PATCH", "/host"),
     ("GET", "/host/clear"), ("GET", "/seat/leave"), ("GET", "/api/v1/repairs"),
     ("TRACE", "/"), ("PROPFIND", "/"), ("POST", "/static/trucam.js"), ("POST", "/live/board")],
)  # fmt: skip
def test_other_methods_are_refused(visitor, method, path):
    host = visitor().host()
    headers = {"X-CSRFToken": host.token}
    check_refused(host.client.open(path, method=method, headers=headers), 405)


QUESTIONS = [
    "/repairs/hand?hand=x", "/repairs/hand?hand=-5", f"/repairs/hand?hand={10**30}",
    f"/repairs/hand?hand={'9' * 5000}", "/repairs/event/0", f"/repairs/event/{10**30}",
    "/repairs/gap?seq=x", "/repairs/gap?seq=-1", f"/repairs/gap?seq={10**30}",
    f"/api/v1/events?since={10**30}", "/api/v1/events?since=x", "/api/v1/events?since=-1",
    "/live/board/poll?seen=%00", "/?lang=xx", "/?lang=%ff", "/tv?bare=%00", "/repairs/not-me",
    "/repairs/undo", "/evenings?%ff=%00",
]  # fmt: skip


@pytest.mark.usefixtures("unmoved")
@pytest.mark.parametrize("path", QUESTIONS, ids=lambda path: path[:40])
def test_odd_query_strings_are_answered(visitor, path):
    answer = visitor().sit(1).client.get(path)
    assert answer.status_code in (200, 204, 404, 422)
    check_headers(answer)


# --- set-up ---


NAMES = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "{{ 7 * 7 }}", "%s%n",
    "' OR 1=1", "👨‍👩‍👧‍👦 Ana", "\u202eanA", "אבא", "\x00\x1b[31m", "a\nb", "x" * 30_000,
    "é" * 1000, "&lt;", "\\u0000", "Ａｎａ", "\ufeff",
]  # fmt: skip


@pytest.fixture
def setting_up(room):
    """A table that is being set up; after the test a match is played there again."""
    room.clear()
    yield
    begin(room)


@pytest.mark.usefixtures("setting_up")
@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name[:20]))
def test_an_odd_name_is_shown_as_text(visitor, room, name):
    host = visitor().host()
    answer = host.form("/host/setup", game="trut", players="2", best_of="1", name0=name, name2="B")
    assert answer.status_code in (302, 413)
    if answer.status_code == 413:
        check_refused(answer, 413)
        return
    host.form("/host/begin", dealer=0)
    for path in ("/", "/tv", "/host", "/evenings", f"/match/{room.snapshot().match_id}"):
        page = host.get(path)
        assert page.status_code == 200
        for raw in ("<script>alert", "<img src=x", "\x1b", "\x00"):
            assert raw not in page.text
        assert ">49<" not in page.text
        page.text.encode()
    for kind in ("jsonl", "csv", "svg"):
        answer = host.get(f"/match/{room.snapshot().match_id}.{kind}")
        assert answer.status_code == 200
        assert kind != "svg" or "<script" not in answer.text
    assert host.get("/live/board/poll").status_code == 200


SETUPS = [
    {},
    {"game": "bridge"},
    {"game": "trut", "players": "99", "best_of": "1000000000000000000000"},
    {"game": "trut", "best_of": "2"},
    {"game": "trut", "best_of": "-1"},
    {"game": "trut", "trut.variants": "nothing"},
    {"game": "trut", "trut.option.target": "x"},
    {"game": "trut", "trut.option.target": "9" * 5000},
    {"game": "le_truc_ace", "le_truc_ace.option.target": "-1"},
    {"game": "le_truc_ace", "le_truc_ace.option.__class__": "1"},
    {"game": "\ud800", "players": "\x00"},
]


@pytest.mark.usefixtures("setting_up")
@pytest.mark.parametrize("fields", SETUPS, ids=lambda fields: ascii(fields)[:50])
def test_a_wrong_set_up_begins_nothing(visitor, room, fields):
    fields = {key: value.encode("utf-8", "surrogatepass") for key, value in fields.items()}
    answer = visitor().host().form("/host/setup", **fields)
    assert answer.status_code in (302, 422)
    if answer.status_code == 422:
        assert room.snapshot().header is None
    else:
        assert room.snapshot().header.best_of in range(1, 100)


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/host/begin", {"dealer": "99"}),
        ("/host/begin", {"dealer": "-1"}),
        ("/host/begin", {"dealer": "9" * 5000}),
        ("/host/begin", {}),
        ("/host/cut", {"seat": "9", "rank": "K"}),
        ("/host/cut", {"seat": "-1", "rank": "K"}),
        ("/host/cut", {"seat": "0", "rank": "\x00"}),
        ("/host/cut", {"seat": "0", "rank": "ZZ"}),
        ("/host/cut", {"seat": "x", "rank": "K"}),
        ("/host/cut", {}),
        ("/host/resume", {"match": "0"}),
        ("/host/resume", {"match": str(10**30)}),
        ("/host/resume", {"match": "-1"}),
        ("/host/resume", {}),
        ("/host/again", {}),
        ("/host/revoke", {"seat": "4"}),
        ("/host/revoke", {"seat": str(10**30)}),
        (f"/match/{10**30}/forget", {}),
        ("/match/0/forget", {}),
        ("/player/0/drop", {}),
        (f"/player/{10**30}/drop", {}),
        ("/players/keep", {}),
        ("/players/keep", {"name": "\x00"}),
        ("/players/keep", {"name": "Nobody"}),
    ],
    ids=lambda given: ascii(given)[:40],
)
def test_the_hosts_forms_refuse_nonsense(visitor, room, setting_up, path, fields):
    room.prepare(HEADER)
    before = room.snapshot()[1:]
    check_refused(visitor().host().form(path, **fields), 400, 403, 404, 409, 422, 503)
    assert room.snapshot()[1:] == before


@pytest.mark.parametrize(
    "back",
    ["//evil.example", "http://evil.example", "/\\evil.example", "\\\\evil", "/\t/evil", "\n"],
)
def test_nobody_is_sent_to_another_site(visitor, back):
    viewer = visitor()
    viewer.get("/")
    answer = viewer.form("/language", code="fr", back=back)
    assert answer.status_code == 302
    assert re.fullmatch(r"/([^/\\\t].*)?", answer.headers["Location"])
