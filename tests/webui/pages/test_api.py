"""The API accepts an event only from its seat and for this moment; it refuses in a sentence."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.engine.said import Source
from scorekeeper.errors import LedgerError
from tests.scorekeeper.talk import event
from tests.webui.phones import Phone, begin, seat_of
from tests.webui.playing import UnlimitedWrites

DEAL = {"do": "deal", "seat": 0, "cards": 3}
KING = {"do": "play", "seat": 1, "card": "KS"}


@pytest.fixture
def ana(room, seated) -> Phone:
    begin(room)
    return seated(0)


@pytest.fixture
def bea(ana, seated) -> Phone:
    return seated(1)


def key(secret: str) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer {secret}"}}


def test_events_since_a_number_in_the_words_of_the_record(room, ana, bea, client) -> None:
    assert ana.say(DEAL).json == {"seq": 1}
    assert bea.say(KING).json == {"seq": 2}
    found = client.get("/api/v1/events").json
    assert (found["match"], found["seq"]) == (1, 2)
    assert [(one["do"], one["seat"], one["_who"], one["_source"]) for one in found["events"]] == [
        ("deal", 0, "Ana", "phone"),
        ("play", 1, "Bea", "phone"),
    ]
    for since, left in (("1", 1), ("2", 0), ("99", 0), ("-5", 2), ("9" * 30, 0), ("x", 2)):
        assert len(client.get(f"/api/v1/events?since={since}").json["events"]) == left


def test_one_answer_has_so_many_events_and_the_next_one_the_rest(room, client, monkeypatch):
    begin(room)
    monkeypatch.setattr("webui.pages.api.MOST_EVENTS", 3)
    for number in range(7):
        said = "award 0 1" if number % 2 == 0 else "undo"
        room.table.say(event(said), seen=number, source=Source.OPERATOR)
    found: list[dict] = []
    while len(found) < 7:
        part = client.get(f"/api/v1/events?since={len(found)}").json
        assert part["seq"] == 7
        assert 0 < len(part["events"]) <= 3
        found += part["events"]
    assert [one["do"] for one in found] == ["award", "undo"] * 3 + ["award"]


def test_without_a_match_there_are_no_events_and_nothing_can_be_said(client, host) -> None:
    assert client.get("/api/v1/events").json == {"match": None, "seq": 0, "events": []}
    for path in ("/api/v1/events", "/api/v1/repairs"):
        answer = host.post(path, {"seen": 0, "event": DEAL, "repair": {}})
        assert (answer.status_code, answer.json["error"]) == (422, "format")


# --- two matches at the same number ---


@pytest.mark.parametrize("leave", ["again", "clear and begin", "resume"])
def test_a_tap_for_the_match_before_is_not_taken_for_this_one(room, ana, leave) -> None:
    """Both matches are at event 0, and the same seat deals in both."""
    tap = ana.taps("/seat/0")[0]
    assert tap.event == DEAL
    if leave == "again":
        room.table.say(event("award 0 12"), seen=0, source=Source.OPERATOR)
        room.again(who=None)
    else:
        room.clear()
        begin(room)
        if leave == "resume":
            other = room.table.match_id
            room.resume(1)
            tap = tap._replace(match=other)
    answer = ana.post("/api/v1/events", tap.body)
    assert (answer.status_code, answer.json["error"]) == (409, "stale")
    assert room.table.moment.seq == 0


def test_a_correction_for_the_match_before_is_not_taken_for_this_one(room, ana, bea) -> None:
    for _ in range(2):
        begin(room)
        room.table.say(event("0 deal 3"), event("1 play KS"), seen=0, source=Source.PHONE)
    old, new = 2, 3
    undo = {"seen": 2, "repair": {"fix": "undo", "seq": 2}}
    assert ana.post("/api/v1/repairs", {**undo, "match": old}).status_code == 409
    assert room.table.moment.seq == 2
    assert ana.post("/api/v1/repairs", {**undo, "match": new}).status_code == 200


@pytest.mark.parametrize("match", [None, True, 1.0, "1", [], 0, -1, 2, 10**30])
def test_a_wrong_match_number_is_stale(room, ana, match) -> None:
    assert ana.say(DEAL, match=match).status_code == 409
    assert room.table.moment.seq == 0


# --- twice, late, at once ---


def test_the_second_tap_on_one_button_does_no_harm(room, ana, bea) -> None:
    tap = ana.taps("/seat/0")[0]
    for _ in range(3):
        assert ana.post("/api/v1/events", tap.body).json == {"seq": 1}
    by_rank = {"match": 1, "seen": 1, "event": {"do": "play", "seat": 1, "rank": "K"}}
    assert bea.post("/api/v1/events", by_rank).json == {"seq": 2}
    assert bea.post("/api/v1/events", by_rank).json == {"seq": 2}
    other = {**by_rank, "event": {"do": "play", "seat": 1, "rank": "A"}}
    assert bea.post("/api/v1/events", other).status_code == 409
    assert room.table.moment.seq == 2


@pytest.mark.parametrize("seen", [-1, 1, 99, 10**30])
def test_an_event_for_another_moment_is_stale(room, ana, seen) -> None:
    answer = ana.say(DEAL, seen=seen)
    assert (answer.status_code, answer.json["error"]) == (409, "stale")
    assert answer.json["sentence"] == "Somebody was quicker; look again."


def test_of_two_phones_that_answer_at_once_one_is_heard(app, room, ana, bea, seated) -> None:
    ana.say(DEAL)
    phones = [bea, *(Phone(app) for _ in range(5))]
    for phone in phones[1:]:
        phone.get(f"/host?key={room.access.host_key}")
    for phone in phones:
        assert phone.token
    ranks = ("K", "A", "Q", "J", "10", "9")
    gate, found = threading.Barrier(len(phones)), []

    def play(phone: Phone, rank: str) -> None:
        body = {"match": 1, "seen": 1, "event": {"do": "play", "seat": 1, "card": f"{rank}S"}}
        gate.wait()
        found.append(phone.post("/api/v1/events", body).status_code)

    threads = [threading.Thread(target=play, args=pair) for pair in zip(phones, ranks, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [200] + [409] * 5
    assert room.table.moment.seq == 2


# --- who may ---


@pytest.mark.parametrize(
    ("who", "said", "status"),
    [
        ("client", DEAL, 403),
        ("bea", DEAL, 403),
        ("ana", DEAL, 200),
        ("host", DEAL, 200),
        ("client", {"do": "adjust", "side": 0, "points": 1}, 403),
        ("host", {"do": "award", "side": 0, "points": 1}, 200),
        ("client", {"do": "undo"}, 403),
        ("ana", {"do": "undo", "seat": 0}, 403),
        ("client", {"do": "misdeal"}, 403),
        ("bea", {"do": "misdeal"}, 422),
        ("ana", {"do": "deal", "seat": 1, "cards": 3}, 403),
        ("bea", {"do": "deal", "seat": 1, "cards": 3}, 422),
    ],
)
def test_who_may_say_what(request, room, ana, bea, who, said, status) -> None:
    phone = request.getfixturevalue(who)
    answer = phone.say(said)
    assert answer.status_code == status
    assert room.table.moment.seq == (status == 200)
    if status != 200:
        assert answer.json["sentence"]


@pytest.mark.parametrize(
    ("who", "said", "status"),
    [
        ("client", {"side": 0}, 403),
        ("ana", {"seat": 0, "side": 0}, 200),
        ("ana", {"side": 0}, 200),
        ("bea", {"seat": 1, "side": 1}, 200),
        ("host", {"side": 1}, 200),
        ("host", {"side": 2}, 422),
    ],
)
def test_V15_who_may_give_a_hand_up(request, room, ana, bea, who, said, status) -> None:
    assert ana.say(DEAL).status_code == 200
    answer = request.getfixturevalue(who).say({"do": "concede", **said})
    assert answer.status_code == status
    assert (room.table.moment.match.hand.end == "conceded") == (status == 200)


@pytest.mark.parametrize("said", [{"do": "concede", "side": 1}, {"do": "turn", "seat": 0},
                                  {"do": "void_hand"}, {"do": "end_match", "side": 0}])  # fmt: skip
def test_a_correction_against_the_other_side_waits_for_its_word(room, ana, bea, said) -> None:
    assert ana.say(DEAL).status_code == 200
    answer = ana.say(said)
    assert (answer.status_code, answer.json["proposed"]) == (200, 1)
    assert room.table.moment.seq == 1
    room.need_both_sides(False)
    assert ana.say(said).json["proposed"] is None
    assert room.table.moment.seq == 2


@pytest.mark.parametrize("suit", [5, 0, True, "", "SS", [], {}, ["S"]])
def test_an_unknown_suit_is_refused_with_a_sentence(room, ana, bea, suit) -> None:
    assert ana.say(DEAL).status_code == 200
    answer = bea.say({"do": "play", "seat": 1, "rank": "K", "suit": suit})
    assert answer.status_code == 422
    assert room.table.moment.seq == 1


@pytest.mark.parametrize("said", [{"do": "void_hand"}, {"do": "end_match", "side": 0},
                                  {"do": "player", "seat": 1, "name": "Bo"}])  # fmt: skip
def test_a_correction_that_puts_in_what_both_agree_on_waits_for_their_word(
    room, ana, bea, said
) -> None:
    assert ana.say(DEAL).status_code == 200
    repair = {"fix": "insert", "seq": None, "events": [said]}
    body = {"match": room.table.match_id, "seen": 1, "repair": repair}
    answer = ana.post("/api/v1/repairs", body)
    assert (answer.status_code, answer.json["proposed"]) == (200, 1)
    assert room.table.moment.seq == 1


@pytest.mark.parametrize(("side", "asked"), [(0, 1), (1, None), (None, 1)])
def test_V19_a_match_that_went_to_the_other_side_is_not_taken_back_without_it(
    room, ana, bea, host, side, asked
) -> None:
    for said in (DEAL, {"do": "end_match", "side": side}):
        assert host.say(said).status_code == 200
    body = {"match": room.table.match_id, "seen": 2, "repair": {"fix": "undo", "seq": 2}}
    assert bea.post("/api/v1/repairs", body).json.get("proposed") == asked
    assert (room.table.moment.match.winner == side) == (asked is not None or side is None)


@pytest.mark.parametrize("agreed", [{"do": "void_hand"}, {"do": "turn", "seat": 0}])
def test_what_both_agreed_on_is_taken_back_by_neither_alone(room, bea, host, agreed) -> None:
    for said in (DEAL, agreed):
        assert host.say(said).status_code == 200
    body = {"match": room.table.match_id, "seen": 2, "repair": {"fix": "undo", "seq": 2}}
    assert bea.post("/api/v1/repairs", body).json.get("proposed")
    assert room.table.moment.seq == 2


def test_a_program_with_a_key_speaks_for_its_seat_or_for_all(app, room, ana) -> None:
    program = app.test_client()
    body = {"match": 1, "seen": 0, "event": DEAL}
    access = room.access
    for secret in ("", "x", access.seat_key(1), access.cookie_secret):
        answer = program.post("/api/v1/events", json=body, **key(secret))
        assert answer.status_code == 403, secret
    assert program.post("/api/v1/events", json=body).status_code == 400  # nor without the token
    assert program.post("/api/v1/events", json=body, **key(access.seat_key(0))).status_code == 200
    play = {"match": 1, "seen": 1, "event": KING}
    old = access.host_key
    access.revoke_host("")
    assert program.post("/api/v1/events", json=play, **key(old)).status_code == 403
    assert program.post("/api/v1/events", json=play, **key(access.host_key)).status_code == 200
    whose = [one["_who"] for one in program.get("/api/v1/events").json["events"]]
    assert whose == ["Ana", "host"]
    assert program.get("/api/v1/state", **key(access.seat_key(3))).json["role"]["seat"] == 3


def test_a_cookie_does_not_make_up_for_a_wrong_key(room, ana) -> None:
    answer = ana.client.post(
        "/api/v1/events",
        json={"seen": 0, "event": DEAL},
        headers={"Authorization": "Bearer x", "X-CSRFToken": ana.token},
    )
    assert answer.status_code == 403


def test_a_cookie_without_the_pages_token_says_nothing(room, ana) -> None:
    for path in ("/api/v1/events", "/api/v1/repairs"):
        for headers in ({}, {"X-CSRFToken": "x"}, {"Authorization": "Basic x"}):
            answer = ana.client.post(path, json={"seen": 0, "event": DEAL}, headers=headers)
            assert answer.status_code == 400
            assert answer.json["sentence"] == "This page is too old; load it again."
    assert room.table.moment.seq == 0


def test_remarks_from_outside_are_dropped(room, ana, bea) -> None:
    forged = {"_who": "Bea", "_source": "camera", "_at": "1999", "_group": "g", "_suit": "guessed"}
    assert ana.say({**DEAL, **forged, "_again": 1}).status_code == 200
    assert bea.say({**KING, **forged, "note": "x" * 50}).status_code == 200
    for one, who in zip(room.snapshot().events, ("Ana", "Bea"), strict=True):
        assert one.remarks["_who"] == who
        assert one.remarks["_source"] == "phone"
        assert not one.remarks["_at"].startswith("1999")
        assert not {"_group", "_suit", "_again"} & one.remarks.keys()
    repair = {
        "fix": "replace",
        "seq": 2,
        "events": [{**KING, "card": "QS", **forged}],
        "_who": "Carles",
    }
    answer = ana.post("/api/v1/repairs", {"match": 1, "seen": 2, "repair": repair, "_who": "Dani"})
    assert answer.status_code == 200
    for one in room.snapshot().events[2:]:
        assert one.remarks["_who"] == "Ana"
        assert one.remarks["_source"] == "phone"
        assert one.remarks.get("_group") != "g"


def test_whoever_taps_too_quickly_waits_and_disturbs_nobody(app, room, ana, bea) -> None:
    found = [ana.say(DEAL, seen=9).status_code for _ in range(45)]
    assert set(found) == {409, 429}
    assert found.count(409) == 40
    room.table.say(event("0 deal 3"), seen=0, source=Source.PHONE)
    assert bea.say(KING).status_code == 200
    again = seat_of(app, room, 3)  # the address is the same
    assert again.say({"do": "deal", "seat": 3, "cards": 3}).status_code == 422


# --- bad input ---

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda some: (
        st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=5), some, max_size=3)
    ),
    max_leaves=6,
)
VERBS = st.sampled_from(("deal", "play", "raise", "accept", "undo", "award", "misdeal", "trut"))
SAID = st.fixed_dictionaries(
    {},
    optional={
        "do": VERBS | JSON,
        "seat": st.integers(-1, 4) | JSON,
        "card": st.sampled_from(("KS", "ZZ", "")) | JSON,
        "rank": st.sampled_from(("K", "7", "12", "0")) | JSON,
        "suit": st.sampled_from("SOX") | JSON,
        "cards": st.integers(0, 4) | JSON,
        "to": JSON,
        "side": JSON,
        "points": JSON,
    },
)
FIX = st.fixed_dictionaries(
    {},
    optional={
        "fix": st.sampled_from(("replace", "remove", "insert", "undo", "take_back")) | JSON,
        "seq": st.integers(-1, 4) | JSON,
        "events": st.lists(SAID, max_size=2) | JSON,
        "group": JSON,
    },
)
BODY = st.fixed_dictionaries(
    {}, optional={"seen": st.integers(0, 3) | JSON, "match": st.just(1) | JSON,
                  "event": SAID | JSON, "repair": FIX | JSON}
)  # fmt: skip


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=BODY | JSON, path=st.sampled_from(("events", "repairs")))
def test_no_input_makes_the_server_fail(app, room, host, body, path) -> None:
    app.extensions["writes"] = UnlimitedWrites()
    if room.snapshot().match is None:
        begin(room)
    before = room.table.moment.seq
    answer = host.post(f"/api/v1/{path}", body)
    assert answer.status_code in (200, 409, 422), (body, answer.text)
    if answer.status_code != 200:
        assert answer.json["sentence"]
        assert room.table.moment.seq == before
    assert host.state()["seq"] == room.table.moment.seq


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "application/json"),
        (b"{", "application/json"),
        (b"[" * 50_000, "application/json"),
        (b'{"seen": 1e999}', "application/json"),
        (b'{"seen": ' + b"9" * 5000 + b"}", "application/json"),
        (b"\xff\xfe", "application/json"),
        (b'{"seen": 0}', "text/plain"),
        (b"seen=0", "application/x-www-form-urlencoded"),
    ],
)
def test_a_body_that_is_no_json_is_refused_with_a_sentence(room, ana, data, kind) -> None:
    headers = {"X-CSRFToken": ana.token}
    answer = ana.client.post("/api/v1/events", data=data, content_type=kind, headers=headers)
    assert answer.status_code == 422
    assert answer.json["sentence"]


def test_a_body_that_is_too_large_is_refused_with_a_sentence(room, ana) -> None:
    answer = ana.say({**DEAL, "note": "x" * 70_000})
    assert answer.status_code == 413
    assert "more than this table can handle" in answer.json["sentence"]
    assert room.table.moment.seq == 0


def test_a_ledger_that_cannot_be_written_is_a_sentence_and_the_tap_can_be_repeated(
    room, ana, ledger, monkeypatch, caplog
) -> None:
    def full(*_: object, **__: object) -> None:
        raise LedgerError("The disk is full.")

    tap = ana.taps("/seat/0")[0]
    monkeypatch.setattr(ledger, "append", full)
    answer = ana.post("/api/v1/events", tap.body)
    assert answer.status_code == 503
    assert answer.json["sentence"].startswith("Nothing was kept")
    assert "disk" not in answer.json["sentence"]
    assert "The disk is full." in caplog.text
    assert ana.taps("/seat/0")[0] == tap
    monkeypatch.undo()
    assert ana.post("/api/v1/events", tap.body).json == {"seq": 1}
