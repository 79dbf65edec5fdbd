"""Bad requests: each is refused in a sentence, loses nothing, and disturbs nobody."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.webui.bad.visitors import JSON, NEXT, Visitor, begin, check_refused
from webui.requests.security import LARGEST_REQUEST, Writes

# --- what nothing can decode ---


@pytest.mark.parametrize("asked", ["lang=%FF", "\xff", "key=\xc2", "\xf0\x9f=1&lang=fr"])
@pytest.mark.parametrize("path", ["/", "/host", "/nowhere", "/worker.js", "/api/v1/state"])
def test_an_address_that_cannot_be_decoded_is_answered(app, path, asked):
    environ = {"PATH_INFO": path, "QUERY_STRING": asked}
    answer = app.test_client().get(path, environ_overrides=environ)
    assert answer.status_code in (200, 403, 404)


@pytest.mark.parametrize(
    "path", ["/api/v1/events", "/api/v1/repairs", "/api/v1/answers", "/dispute/{}/3/propose"]
)
def test_lists_in_lists_beyond_what_can_be_read_are_refused(visitor, room, path):
    begin(room)
    path = path.format(room.table.match_id)
    check_refused(visitor().sit(1).post(path, b"[" * 30_000), 422)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"event": "[" * 20_000}, id="lists in lists"),
        pytest.param({"event": '{"do": ["adjust"]}'}, id="a verb that is a list"),
        pytest.param({"points": "001" + "9" * 5_000}, id="a number of many digits"),
    ],
)
def test_a_bad_agreement_is_refused(visitor, room, fields):
    begin(room)
    table, host = room.table, visitor().host()
    event = json.dumps({"do": "adjust", "side": 0, "points": 1})
    sent = {"match": table.match_id, "seen": table.moment.seq, "event": event} | fields
    assert host.form("/agreed", **sent).status_code in (400, 422)


@pytest.mark.parametrize(("length", "status"), [("20", 400), ("9" * 19, 413)])
def test_a_form_that_is_shorter_than_announced_is_answered(visitor, length, status):
    host = visitor().host()
    sent = {
        "data": {"match": "1"},
        "headers": {"X-CSRFToken": host.token},
        "environ_overrides": {"CONTENT_LENGTH": length},
    }
    answer = host.client.post("/host/resume", **sent)
    assert answer.status_code == status


def test_a_phone_at_a_seat_that_this_table_lacks_proposes_nothing(visitor, room):
    begin(room)
    fourth, repair = visitor().sit(3), {"fix": "undo", "seq": 1}
    body = json.dumps({"seen": room.table.moment.seq, "repair": repair})
    check_refused(fourth.post("/api/v1/repairs", body), 403)


# --- who asks ---


@pytest.mark.usefixtures("unmoved")
class TestForged:
    """Requests in the name of somebody else."""

    def test_a_viewer_cannot_play(self, visitor):
        viewer = visitor()
        viewer.get("/")
        check_refused(viewer.say(NEXT), 403)

    def test_a_seat_cannot_play_for_another(self, visitor):
        check_refused(visitor().sit(0).say(NEXT), 403)

    @pytest.mark.parametrize("verb", ["award", "void", "undo"])
    def test_a_seat_is_not_the_host(self, visitor, verb):
        check_refused(visitor().sit(1).say({"do": verb}), 400, 403, 422)

    def test_a_seat_alone_ends_no_game(self, visitor):
        said = visitor().sit(1).say({"do": "end_game"})
        assert said.json["proposed"] == 1  # it waits for the other side

    @pytest.mark.parametrize("token", ["", "x" * 50, "…".encode().decode("latin-1")])
    def test_a_request_with_a_wrong_token_is_refused(self, visitor, token):
        check_refused(visitor().sit(1).say(NEXT, X_CSRFToken=token), 400)

    def test_a_token_belongs_to_one_browser(self, visitor):
        stranger = visitor()
        stranger.get("/")
        check_refused(visitor().sit(1).say(NEXT, X_CSRFToken=stranger.token), 400)

    @pytest.mark.parametrize("path", ["/host/clear", "/host/revoke", "/seat/leave", "/language"])
    def test_forms_ask_for_the_token_too(self, visitor, path):
        host = visitor().host()
        check_refused(host.client.post(path, data={"code": "fr"}), 400)

    @pytest.mark.parametrize("cookie", ["forged", "e30.aaaa.bbbb", "\xff", ""])
    def test_a_forged_cookie_gives_no_rights(self, app, room, cookie):
        visitor = Visitor(room, app.test_client())
        visitor.get("/")
        headers = JSON | {"Cookie": f"trucam_table={cookie}", "X-CSRFToken": visitor.token}
        body = json.dumps({"seen": 3, "event": NEXT})
        answer = app.test_client(use_cookies=False).post(
            "/api/v1/events", data=body, headers=headers
        )
        check_refused(answer, 400)

    @pytest.mark.parametrize("key", ["", "wrong", "é", "x" * 5000, "\x00"])
    def test_a_wrong_key_opens_nothing(self, visitor, key):
        for path in ("/seat/1", "/host"):
            check_refused(visitor().client.get(path, query_string={"key": key}), 403)

    @pytest.mark.parametrize("key", ["", "wrong", "x" * 5000, "\xe9", "a b c"])
    def test_a_program_with_a_wrong_key(self, visitor, key):
        check_refused(visitor().say(NEXT, Authorization=f"Bearer {key}"), 403)

    def test_a_key_of_one_seat_does_not_take_another(self, visitor, room):
        room.access.revoke_seat(1)
        phone = visitor()
        phone.get("/")
        key = room.access.seat_key(0)
        check_refused(phone.client.get("/seat/1", query_string={"key": key}), 403)
        check_refused(phone.form("/seat/1", key=key), 403)
        assert room.access.holder(1) is None

    def test_a_revoked_link_is_worth_nothing(self, visitor, room):
        old = room.access.seat_key(1)
        player, host = visitor().sit(1), visitor().host()
        assert host.form("/host/revoke", seat=1).status_code == 302
        check_refused(player.say(NEXT), 403)
        check_refused(visitor().client.get("/seat/1", query_string={"key": old}), 403)


@pytest.mark.usefixtures("unmoved")
@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example",
     "a@localhost.evil", "local host", "[", "]", "[::1", "::::", "[v1.x]", "\xff", "-", "." * 300,
     "%00"],
)  # fmt: skip
def test_other_host_names_are_refused(visitor, host):
    check_refused(visitor().client.get("/", headers={"Host": host}), 400, 421)
    check_refused(visitor().sit(1).say(NEXT, Host=host), 400, 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "192.168.1.7:8080", "[::1]:8080"])
def test_every_address_of_this_machine_is_answered(visitor, host):
    assert visitor().client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.usefixtures("unmoved")
@pytest.mark.parametrize("path", ["/seat/leave", "/host/clear", "/api/v1/events"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Referer": "http://evil.example/"},
        {"Origin": "http://["},
        {"Origin": "http://localhost:1"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
def test_other_sites_cannot_write(visitor, room, path, headers):
    host = visitor().host()
    headers = {name.replace("-", "_"): value for name, value in headers.items()}
    check_refused(host.post(path, json.dumps({"seen": 3, "event": NEXT}), **headers), 400, 403)


# --- when it comes ---


def test_an_event_for_another_moment_is_stale(visitor, unmoved):
    player = visitor().sit(1)
    for seen in (0, 2, 4, 10**9, -1):
        check_refused(player.say(NEXT, seen=seen), 409)


def test_a_double_tap_appends_one_event(visitor, anew, room):
    player = visitor().sit(1)
    first = player.say(NEXT, seen=3)
    second = player.say(NEXT, seen=3)
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json == second.json
    assert room.table.moment.seq == 4


def test_an_event_for_another_match_is_stale(visitor, unmoved):
    player = visitor().sit(1)
    body = json.dumps({"match": 99, "seen": 3, "event": NEXT})
    check_refused(player.post("/api/v1/events", body), 409)


# --- what it is ---


BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": b"[]",
    "null": b"null",
    "deep lists": b"[" * 30_000,
    "deep objects": b'{"a":' * 10_000,
    "invalid UTF-8": b'{"seen": 3, "event": {"do": "\xff\xfe"}}',
    "UTF-16": '{"seen": 3}'.encode("utf-16"),
    "NUL": b"\0" * 100,
    "NUL in a word": b'{"seen": 3, "event": {"do": "pl\\u0000ay", "seat": 1, "card": "QS"}}',
    "a lone surrogate": b'{"seen": 3, "event": {"do": "\\ud800", "seat": 1}}',
    "a surrogate for a rank": b'{"seen": 3, "event": {"do": "play", "seat": 1, "rank": "\\ud800"}}',
    "a huge number": b'{"seen": 1' + b"0" * 5000 + b', "event": {}}',
    "a large number": b'{"seen": 100000000000000000000000, "event": {"do": "undo"}}',
    "infinity": b'{"seen": Infinity, "event": {"do": "undo"}}',
    "not a number": b'{"seen": NaN}',
    "a fraction": b'{"seen": 3.5, "event": {"do": "play"}}',
    "true": b'{"seen": true, "event": {"do": "play"}}',
    "a huge seat": b'{"seen": 3, "event": {"do": "accept", "seat": 1e400}}',
    "no event": b'{"seen": 3}',
    "an event that is a list": b'{"seen": 3, "event": ["play"]}',
    "no such verb": b'{"seen": 3, "event": {"do": "cheat", "seat": 1}}',
    "no such card": b'{"seen": 3, "event": {"do": "play", "seat": 1, "card": "ZZ"}}',
    "no such rank": b'{"seen": 3, "event": {"do": "play", "seat": 1, "rank": "Z"}}',
    "a rank that is a list": b'{"seen": 3, "event": {"do": "play", "seat": 1, "rank": ["K"]}}',
    "a rank that is a dict": b'{"seen": 3, "event": {"do": "play", "seat": 1, "rank": {"K": 1}}}',
    "a suit of another pack": b'{"seen":3,"event":{"do":"play","seat":1,"rank":"Q","suit":"X"}}',
    "a suit that is a list": b'{"seen":3,"event":{"do":"play","seat":1,"rank":"Q","suit":[]}}',
    "no such seat": b'{"seen": 3, "event": {"do": "play", "seat": 7, "card": "QS"}}',
    "a negative seat": b'{"seen": 3, "event": {"do": "play", "seat": -1, "card": "QS"}}',
    "a card twice": b'{"seen": 3, "event": {"do": "play", "seat": 1, "card": "7S"}}',
    "a match that is a list": b'{"match": [], "seen": 3, "event": {}}',
    "too much": b'{"seen": 3, "x": "' + b"x" * LARGEST_REQUEST + b'"}',
}  # fmt: skip


@pytest.mark.usefixtures("unmoved")
@pytest.mark.parametrize("path", ["/api/v1/events", "/api/v1/repairs"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_nonsense_is_refused(visitor, path, body):
    check_refused(visitor().sit(1).post(path, body), 400, 403, 409, 413, 422)


@pytest.mark.usefixtures("unmoved")
@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "x/\xff"]
)
def test_other_kinds_of_body_are_refused(visitor, kind):
    check_refused(visitor().sit(1).say(NEXT, Content_Type=kind), 422)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
WORDS = ["play", "deal", "trut", "see", "undo", "award", "accept", "redeal", "exposed"]
nearly = st.fixed_dictionaries(
    {"seen": st.sampled_from([3, 2]) | anything},
    optional={
        "event": anything | st.fixed_dictionaries(
            {"do": st.sampled_from(WORDS) | anything},
            optional={
                "seat": st.sampled_from([0, 1]) | anything,
                "card": st.sampled_from(["QS", "JH"]) | anything,
                "rank": st.sampled_from(["Q", "J"]) | anything,
                "suit": st.sampled_from(["S", "H"]) | anything,
                "cards": st.just(3) | anything,
                "side": anything, "points": anything, "group": anything, "seq": anything,
            },
        ),
        "repair": anything | st.lists(anything, max_size=4) | st.fixed_dictionaries(
            {}, optional={"kind": anything, "seq": anything, "events": st.lists(anything)}
        ),
        "match": anything,
    },
)  # fmt: skip


@pytest.fixture(scope="module")
def operator(app, room):
    """The host's browser, which sends many examples."""
    return Visitor(room, app.test_client()).host()


@settings(max_examples=200)
@given(body=anything | nearly, path=st.sampled_from(["/api/v1/events", "/api/v1/repairs"]))
def test_any_json_is_accepted_or_refused_in_a_sentence(app, room, operator, body, path):
    before = room.table.log()
    app.extensions["writes"] = Writes()  # else the examples together would exceed the limit
    answer = operator.post(path, json.dumps(body))
    if answer.status_code == 200:
        assert room.table.moment.seq >= before[0].seq
        begin(room)
    else:
        check_refused(answer, 400, 403, 409, 422)
        assert room.table.log() == before
