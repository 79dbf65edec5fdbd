"""Disputes: who may see what, and how both sides correct a trick."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from html import unescape

import pytest

from scorekeeper.engine.said import AGREED_BY
from scorekeeper.text.i18n import LANGUAGES
from tests.scorekeeper.talk import TABLES
from tests.webui.evening import say
from tests.webui.kept import CLIP_BYTES, about, keep
from tests.webui.phones import Phone, begin, header
from webui.table.room import Room

HAND = ("0 deal 3", "1 play KS", "0 play KH", "1 play 9H")
OFFER = re.compile(r"data-repair='([^']*)'")
QUEEN = {"fix": "replace", "seq": 3,
         "events": [{"do": "play", "seat": 0, "card": "QC", "_suit": "guessed"}]}  # fmt: skip
JACK = {**QUEEN, "events": [{**QUEEN["events"][0], "card": "JC"}]}
SPOILED = "Spoiled: K♠ (Bea), K♥ (Ana) tie for the top."


@pytest.fixture
def spoiled(room: Room, ledger) -> int:
    """A spoiled trick, and a second one begun; each card has a picture and a clip."""
    room.prepare(header())
    room.begin_draft(0, who="host")
    match_id = room.table.match_id
    say(room, *HAND)
    keep(ledger, match_id, about(3, "KH", ("KH", 0.93), ("QH", 0.05)))
    keep(ledger, match_id, about(4, "9H", ("9H", 0.99)))
    return match_id


def propose(phone: Phone, match_id: int, token: object = QUEEN, *, number: int = 3, seen: int = 4):
    body = {"match": match_id, "seen": seen, "repair": token}
    return phone.post(f"/dispute/{match_id}/{number}/propose", body)


def answer(phone: Phone, match_id: int, word: str, *, number: int = 1, seen: int = 4):
    fields = {"number": number, "word": word, "seen": seen}
    return phone.send(f"/dispute/{match_id}/answer", fields)


# --- who may see what ---


@pytest.mark.parametrize(
    ("path", "people"),
    {
        "": 302,
        "/1": 200,
        "/1/3": 200,
        "/1/3.jpg": 200,
        "/1/3.mp4": 200,
        "/1/3.svg": 200,
        "/1/2": 200,
        "/1/2.jpg": 404,  # nothing was kept
        "/1/4": 404,  # its trick is open
        "/1/4.jpg": 404,
        "/1/4.mp4": 404,
        "/1/4.svg": 404,
        "/1/1": 302,  # a deal is no trick
        "/1/99": 404,
        "/1/99.jpg": 404,
        "/2": 404,
        "/2/3.jpg": 404,
        "/1/..%2f3.jpg": 404,
        "/1/../1/3.jpg": 404,
        "/1/3.json": 404,
        "/1/-1.jpg": 404,
    }.items(),
)
def test_only_people_of_the_table_look_and_only_at_complete_tricks(
    spoiled, client, host, seated, path, people
) -> None:
    address = f"/dispute{path}"
    looks_on = client.get(address).status_code
    assert looks_on == (404 if ".." in path or path.endswith((".json", "-1.jpg")) else 403)
    for phone in (host, seated(0), seated(1)):
        assert phone.get(address).status_code == people


def test_a_card_that_accepted_a_call_is_looked_at_in_its_trick(room, host) -> None:
    match_id = begin(room, "truc_spain")
    say(room, "1 cut", "0 deal 3", "1 truc", "1 play 6C", "0 play 4C")
    assert "That accepts the offer" in host.page(f"/dispute/{match_id}/3")
    assert "Trick for Bea" in host.page(f"/dispute/{match_id}/5")


@pytest.mark.parametrize("end", ["", "/3", "/3.jpg", "/3.mp4", "/3.svg"])
def test_another_evening_is_shown_to_those_who_sat_there(
    room, spoiled, app, host, seated, end
) -> None:
    ana, bea = seated(0), seated(1)
    path = f"/dispute/{spoiled}{end}"
    room.clear()
    assert [phone.get(path).status_code for phone in (host, ana, bea)] == [200] * 3
    room.prepare(replace(header(), seats=("Ana", "Dani")))
    dani = seated(1)
    assert [phone.get(path).status_code for phone in (host, ana, bea, dani)] == [200, 200, 403, 403]
    room.begin_draft(0, who="host")
    assert [phone.get(path).status_code for phone in (host, ana, bea, dani)] == [200, 200, 403, 403]


def test_a_key_is_as_good_as_a_phone(room, spoiled, client) -> None:
    for key, status in ((room.access.seat_key(1), 200), (room.access.host_key, 200),
                        (room.access.seat_key(3), 403), ("x", 403)):  # fmt: skip
        found = client.get(f"/dispute/{spoiled}/3.jpg", headers={"Authorization": f"Bearer {key}"})
        assert found.status_code == status


@pytest.mark.parametrize(
    ("asked", "status", "content"),
    [
        (None, 200, CLIP_BYTES),
        ("bytes=0-1", 206, CLIP_BYTES[:2]),  # what an iPhone asks first
        ("bytes=100-", 206, CLIP_BYTES[100:]),
        ("bytes=-5", 206, CLIP_BYTES[-5:]),
        ("bytes=99999999-", 416, None),
    ],
)
def test_a_clip_comes_in_parts(spoiled, host, asked, status, content) -> None:
    headers = {} if asked is None else {"Range": asked}
    found = host.get(f"/dispute/{spoiled}/3.mp4", headers=headers)
    assert found.status_code == status
    if content is not None:
        assert found.data == content
        assert found.headers["Accept-Ranges"] == "bytes"
        assert found.mimetype == "video/mp4"
        assert found.headers["Cache-Control"] == "private, no-cache"


def test_forgotten_pictures_are_gone_and_the_page_still_has_the_verdict(
    spoiled, ledger, host
) -> None:
    ledger.pictures.remove(spoiled)
    assert host.get(f"/dispute/{spoiled}/3.jpg").status_code == 404
    page = host.page(f"/dispute/{spoiled}/3")
    assert SPOILED in page
    assert "No picture." in page
    assert "Entered on a phone by Ana" in page


# --- what a page says ---


def test_a_page_shows_the_picture_the_reading_the_rule_and_what_would_follow(
    spoiled, seated
) -> None:
    page = seated(0).page(f"/dispute/{spoiled}/3")
    for text in (
        SPOILED, "C-11", f'src="/dispute/{spoiled}/3.jpg"', f'src="/dispute/{spoiled}/3.mp4"',
        "The camera read K♥ 93%, Q♥ 5%.", "Bea was expected to play.",
        "The course of the hand did not change this reading.", "Trick 1: Bea instead of spoiled.",
    ):  # fmt: skip
        assert text in page
    assert QUEEN in [json.loads(unescape(fix)) for fix in OFFER.findall(page)]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_case_can_be_opened_and_shared(room, host, game, seats) -> None:
    match_id = begin(room, game, seats)
    calls = {"trut": ("trut", "see"), "truc_spain": ("truc", "accept"), "put": ("put", "accept")}
    call = calls.get(game, ("raise 2", "accept"))
    match = room.table.moment.match
    cut = [f"{match.cutter} cut"] if match.rules.asks_cut else []
    say(room, *cut, "0 deal 3")
    say(room, f"{room.table.moment.match.turn} {call[0]}")
    say(room, f"{room.table.moment.match.asked_seats()[0]} {call[1]}")
    for rank in match.rules.order[:seats]:
        say(room, f"{room.table.moment.match.turn} play {rank}S")
    for code in LANGUAGES:
        listed = host.page(f"/dispute/{match_id}?lang={code}")
        links = set(re.findall(rf'href="(/dispute/{match_id}/\d+)"', listed))
        assert len(links) == 2
        for link in sorted(links):
            assert "Undefined" not in host.page(f"{link}?lang={code}")
            svg = ET.fromstring(host.page(f"{link}.svg?lang={code}"))
            assert len(svg.findall(".//{*}text")) >= 3


def test_the_picture_to_share_holds_the_still(spoiled, host) -> None:
    svg = ET.fromstring(host.page(f"/dispute/{spoiled}/3.svg"))
    (image,) = svg.findall(".//{*}image")
    assert image.attrib["href"].startswith("data:image/jpeg;base64,")
    words = " ".join(text.text or "" for text in svg.findall(".//{*}text"))
    assert SPOILED in words
    assert "[C-11]" in words


@pytest.mark.parametrize("path", ["/seat/0", "/", "/match/{}"])
def test_the_way_to_disputes_is_shown_to_people_of_the_table(spoiled, client, seated, path) -> None:
    path, link = path.format(spoiled), f'href="/dispute/{spoiled}'
    assert link in seated(0).page(path)
    if path != "/seat/0":
        assert link not in client.page(path)


def test_without_a_match_there_is_nothing_to_dispute(host) -> None:
    assert host.get("/dispute").status_code == 404


# --- both sides agree ---


def test_one_side_proposes_and_the_other_agrees(room, spoiled, seated, ledger) -> None:
    ana, bea = seated(0), seated(1)
    assert propose(ana, spoiled).status_code == 200
    assert room.table.moment.seq == len(HAND)  # nothing is put right yet
    assert "Waiting for the other side" in ana.page(f"/dispute/{spoiled}/3")
    assert "We agree" not in ana.page(f"/dispute/{spoiled}/3")
    asked = bea.page(f"/dispute/{spoiled}/3")
    assert "Ana proposes: Ana plays Q" in asked
    assert "We agree" in asked
    assert "Ana proposes: " in bea.page("/seat/1")
    assert answer(bea, spoiled, "agree").status_code == 200
    match = room.table.moment.match
    assert [trick.winner for trick in match.hand.tricks] == [1, None]
    page = ana.page(f"/dispute/{spoiled}/3")
    assert "Agreed by Ana &amp; Bea: Ana plays Q; not: Ana plays K♥." in page
    assert "Corrected since" not in page  # only its rank is known
    kept = [event.marked for event in ledger.read(ledger.match(spoiled))]
    assert [event.remarks[AGREED_BY] for event in kept if AGREED_BY in event.remarks] == [
        [0, 1]
    ] * 3
    assert {event.remarks.get("_who") for event in kept if AGREED_BY in event.remarks} == {"Bea"}
    assert answer(bea, spoiled, "agree").status_code == 409  # the second of two taps


@pytest.mark.parametrize(
    ("who", "word", "status", "waits"),
    [
        ("other", "withdraw", 200, False),
        ("own", "withdraw", 200, False),
        ("host", "withdraw", 200, False),
        ("viewer", "withdraw", 403, True),
        ("own", "agree", 403, True),
        ("partner", "agree", 403, True),
        ("host", "agree", 403, True),
        ("viewer", "agree", 403, True),
        ("other", "agree", 200, False),
        ("other", "maybe", 400, True),
    ],
)
def test_who_may_answer(room, client, host, seated, who, word, status, waits) -> None:
    match_id = begin(room, seats=4)
    say(room, "0 deal 3", "1 play KS", "2 play KH", "3 play 9S", "0 play 9H")
    own = seated(0)
    phones: dict[str, Callable[[], Phone]] = {
        "own": lambda: own, "partner": lambda: seated(2), "other": lambda: seated(3),
        "host": lambda: host, "viewer": lambda: client,
    }  # fmt: skip
    token = {"fix": "remove", "seq": 3}
    assert propose(own, match_id, token, seen=5).status_code == 200
    before = room.table.moment.seq
    assert answer(phones[who](), match_id, word, seen=5).status_code == status
    assert (room.snapshot().proposed is not None) == waits
    assert (room.table.moment.seq > before) == ((who, word) == ("other", "agree"))


@pytest.mark.parametrize(
    ("said", "waits"),
    [
        (["0 play 9D"], True),  # the second trick goes on, the first one stands
        (["undo"], True),
        (["undo", "undo"], False),
        (["undo", "undo", "0 play KH"], False),
    ],
)
def test_a_proposal_goes_when_its_trick_is_another(room, spoiled, seated, said, waits) -> None:
    ana, bea = seated(0), seated(1)
    assert propose(ana, spoiled).status_code == 200
    say(room, *said)
    seen = room.table.moment.seq
    assert answer(bea, spoiled, "agree", seen=seen - 1).status_code == 409
    assert answer(bea, spoiled, "agree", seen=seen).status_code == (200 if waits else 409)


def test_a_proposal_goes_when_it_would_be_another_correction(room, spoiled, seated) -> None:
    ana, bea = seated(0), seated(1)
    assert propose(ana, spoiled).status_code == 200
    say(room, "0 play QC")  # the suit that was guessed for the queen
    assert room.snapshot().proposed is None
    assert "We agree" not in bea.page(f"/dispute/{spoiled}/3")
    assert (
        propose(bea, spoiled, JACK, seen=5).status_code == 200
    )  # nothing has to be answered first


@pytest.mark.parametrize(
    ("token", "more", "status"),
    [
        (QUEEN, {"seen": 3}, 409),
        (QUEEN, {"number": 4}, 404),
        (QUEEN, {"number": 2}, 400),
        ({"fix": "undo", "seq": 1}, {}, 400),
        ({"fix": "remove", "seq": 2}, {}, 400),
        ({"fix": "remove"}, {}, 400),
        (None, {}, 400),
        ([[]], {}, 400),
    ],
)
def test_only_what_a_page_offers_can_be_proposed(room, spoiled, seated, token, more, status):
    assert propose(seated(0), spoiled, token, **more).status_code == status
    assert room.snapshot().proposed is None


def test_a_visitor_without_a_seat_in_the_match_proposes_nothing(
    room, spoiled, client, host
) -> None:
    assert [propose(phone, spoiled).status_code for phone in (client, host)] == [403, 403]
    body = {"match": spoiled, "seen": 4, "repair": QUEEN}
    assert "data-propose" not in host.page(f"/dispute/{spoiled}/3")
    assert host.post("/api/v1/repairs", body).status_code == 200  # the host alone still may correct
    assert room.table.moment.match.hand.tricks[0].winner == 1


def test_a_match_that_left_the_table_is_only_looked_at(room, spoiled, seated) -> None:
    ana = seated(0)
    room.clear()
    page = ana.page(f"/dispute/{spoiled}/3")
    assert OFFER.findall(page) == []
    assert "Trick 1: Bea instead of spoiled." in page
    assert propose(ana, spoiled).status_code == 409


def test_others_hear_that_there_is_a_proposal_and_not_which(spoiled, client, seated, host) -> None:
    assert propose(seated(0), spoiled).status_code == 200
    assert client.state()["proposal"] is None
    assert host.state()["proposal"]["answers"] is False
    bea = seated(1)
    assert bea.state()["proposal"] == {
        "number": 1, "match": spoiled, "seat": 0, "name": "Ana", "picture": 3, "answers": True,
        "words": "Ana plays Q", "changes": ["Trick 1: Bea instead of spoiled."],
        "falls_away": [],
    }  # fmt: skip
    for looks in (client, host, bea):
        assert looks.state()["proposer"] == "Ana"
    for page in ("/tv", "/"):
        assert "Ana proposes a correction." in client.page(page)
        assert "Ana plays Q" not in client.page(page)


def test_V_21_who_sits_at_a_match_in_the_end_is_led_to_its_review(
    room, spoiled, host, seated
) -> None:
    host.send("/agreed", {"event": json.dumps({"do": "player", "seat": 0}), "name": "Zoe",
                          "match": spoiled, "seen": 4})  # fmt: skip
    phone = seated(0)
    assert phone.get(f"/dispute/{spoiled}").status_code == 200
    assert f"/dispute/{spoiled}" in phone.page(f"/match/{spoiled}")
    room.clear()
    begin(room)  # with Ana at the seat
    assert phone.get(f"/dispute/{spoiled}").status_code == 403
    assert f"/dispute/{spoiled}" not in phone.page(f"/match/{spoiled}")
