"""The sheets of corrections: who may open them, and that each offered correction works."""

from __future__ import annotations

import json
import re
from html import unescape
from random import Random

import pytest

from scorekeeper.engine.said import Source
from scorekeeper.text.i18n import LANGUAGES
from tests.scorekeeper.playouts import any_event
from tests.scorekeeper.talk import TABLES, event
from tests.webui.phones import Phone, begin
from tests.webui.playing import UnlimitedWrites

OFFER = re.compile(r"data-repair='([^']*)' data-match=\"(\d+)\" data-seen=\"(\d+)\"")
SHEET = re.compile(r'data-sheet="([^"]+)"')
SHEETS = ("hand", "gap", "undo", "not-me", "event/1")


def offers(html: str) -> list[dict]:
    """What a tap on each offer of a sheet sends."""
    return [
        {"repair": json.loads(unescape(fix)), "match": int(match), "seen": int(seen)}
        for fix, match, seen in OFFER.findall(html)
    ]


def play(room, number: int, seed: str) -> None:
    chance = Random(seed)
    for _ in range(number):
        table = room.table
        said = any_event(table.moment.match, chance, operator=0.05)
        if said is not None:
            table.say(said, seen=table.moment.seq, source=Source.PHONE, who="Ana")


@pytest.mark.parametrize("sheet", SHEETS)
def test_who_only_looks_corrects_nothing(room, client, sheet) -> None:
    begin(room)
    play(room, 5, "a")
    answer = client.get(f"/repairs/{sheet}")
    assert (answer.status_code, answer.json["error"]) == (403, "403")
    assert answer.json["sentence"]


@pytest.mark.parametrize("sheet", SHEETS)
def test_without_a_match_there_is_nothing_to_correct(host, sheet) -> None:
    answer = host.get(f"/repairs/{sheet}")
    assert answer.status_code == 404
    assert answer.json["sentence"]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_sheet_opens_and_an_offer_of_it_is_taken(app, room, host, seated, game, seats):
    app.extensions["writes"] = UnlimitedWrites()
    chance = Random(f"{game} {seats} repairs")
    begin(room, game, seats)
    phones = [host, seated(0)]
    for turn in range(4):
        play(room, 9, f"{game} {seats} {turn}")
        phone, code = phones[turn % 2], LANGUAGES[turn]
        links = {"/repairs/undo", "/repairs/hand", "/repairs/gap"}
        links |= set(SHEET.findall(phone.page(f"/repairs/hand?lang={code}")))
        links |= {"/repairs/not-me"} if phone is phones[1] else set()
        found = []
        for link in sorted(unescape(link) for link in links):
            html = phone.page(f"{link}{'&' if '?' in link else '?'}lang={code}")
            assert 'id="sheet-title"' in html
            found += offers(html)
        assert found
        body = chance.choice(found)
        before = room.table.moment.seq
        assert (body["match"], body["seen"]) == (room.table.match_id, before)
        answer = phone.post("/api/v1/repairs", body)
        assert answer.status_code == 200, (body, answer.text)
        late = phone.post("/api/v1/repairs", body)
        assert late.status_code == (409 if room.table.moment.seq != before else 200)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("event/0", 422),
        ("event/99", 422),
        ("event/" + "9" * 30, 422),
        ("event/x", 404),
        ("gap?seq=99", 422),
        ("gap?seq=-1", 422),
        ("gap?seq=x", 200),
        ("hand?hand=99", 200),
        ("hand?hand=-5", 200),
        ("hand?hand=x", 200),
    ],
)
def test_a_sheet_of_an_unusual_event_opens_or_is_refused_in_a_sentence(
    room, host, path, status
) -> None:
    begin(room)
    play(room, 6, "b")
    answer = host.get(f"/repairs/{path}")
    assert answer.status_code == status
    assert status == 200 or answer.json["sentence"]


def test_it_was_not_me_asks_a_phone_with_a_seat(room, host, seated) -> None:
    begin(room)
    assert host.get("/repairs/not-me").status_code == 403
    assert "Nothing has been entered" in seated(1).page("/repairs/not-me")


def test_a_seat_that_was_given_back_corrects_no_more(room, seated) -> None:
    begin(room)
    phone: Phone = seated(0)
    room.table.say(event("0 deal 3"), seen=0, source=Source.PHONE)
    body = offers(phone.page("/repairs/undo"))[0]
    phone.send("/seat/leave")
    assert phone.post("/api/v1/repairs", body).status_code == 403
    assert room.table.moment.seq == 1


# --- a correction that takes from the other side is proposed to it ---

WON = ("0 deal 3", "1 play KS", "0 play QH", "1 play AD", "0 play 8H")
"""A hand that Bea has won: she has a point."""
UNDO = {"fix": "undo", "seq": 5}
"""The correction that takes back her last card, and so her point."""


def corrects(phone: Phone, room, token: dict) -> dict:
    answer = phone.post("/api/v1/repairs", {"seen": room.table.moment.seq, "repair": token})
    assert answer.status_code == 200, answer.text
    return answer.json


@pytest.fixture
def won(room):
    begin(room)
    for text in WON:
        room.table.say(event(text), seen=room.table.moment.seq, source=Source.PHONE)
    assert [score.points for score in room.table.moment.match.scores] == [0, 1]
    return room.table


def test_a_correction_that_costs_the_other_side_a_point_waits_for_its_word(
    room, won, seated
) -> None:
    ana, bea = seated(0), seated(1)
    assert "proposed" in corrects(ana, room, UNDO)
    assert won.moment.seq == len(WON)
    assert "Waiting for the other side" in ana.page("/seat/0")
    asked = bea.page("/seat/1")
    assert "Ana proposes: " in asked
    assert "We agree" in asked
    number = room.snapshot().proposed.number
    fields = {"number": number, "word": "agree", "seen": len(WON)}
    assert bea.send(f"/dispute/{won.match_id}/answer", fields).status_code == 200
    assert [score.points for score in won.moment.match.scores] == [0, 0]
    assert "Ana proposes: " not in bea.page("/seat/1")
    assert "Corrected by Ana &amp; Bea" in bea.page("/seat/1")


@pytest.mark.parametrize(
    ("both", "seat", "asks"),
    [
        pytest.param(True, 0, True, id="it takes from the other side"),
        pytest.param(True, 1, False, id="it takes from the own side"),
        pytest.param(False, 0, False, id="the other side holds no phone"),
    ],
)
def test_a_sheet_says_beforehand_whether_the_other_side_has_to_agree(
    room, won, seated, both, seat, asks
) -> None:
    phones = {number: seated(number) for number in ((0, 1) if both else (seat,))}
    page = phones[seat].page("/repairs/undo")
    assert ("The other side has to agree first." in page) == asks
    assert ("proposed" in corrects(phones[seat], room, UNDO)) == asks


def test_it_was_not_me_says_what_was_entered_and_asks_who_did_it(room, won, seated) -> None:
    page = unescape(seated(1).page("/repairs/not-me"))
    assert "Last entered for you: Bea plays" in page
    headings = re.findall("<h3>(.*?)</h3>", page)
    assert headings == ["Nobody did it", "I played another card"]
    assert "Remove: Bea plays" in page


def test_of_the_cards_that_it_may_have_been_each_group_says_what_it_changes(room, seated) -> None:
    begin(room)
    for text in ("0 deal 3", "1 play KS", "0 play AH"):
        room.table.say(event(text), seen=room.table.moment.seq, source=Source.PHONE)
    page = unescape(seated(1).page("/repairs/not-me"))
    other = page[page.index("<h3>I played another card</h3>") :]
    assert re.findall(r'class="changes">(.*?)<|class="rank">(.*?)<', other) == [
        ("Trick 1: spoiled instead of Ana.", ""),
        ("", "A"),
        ("Nothing else changes.", ""),
        *(("", rank) for rank in ("Q", "J", "10", "9", "8", "7")),
    ]


def test_whoever_has_proposed_is_told_that_the_other_side_does_not_agree(
    room, won, host, seated
) -> None:
    ana, bea = seated(0), seated(1)
    corrects(ana, room, UNDO)
    fields = {"number": room.snapshot().proposed.number, "word": "withdraw", "seen": len(WON)}
    assert bea.send(f"/dispute/{won.match_id}/answer", fields).status_code == 200
    told = "The other side does not agree"
    assert [told in phone.page(f"/seat/{seat}") for seat, phone in enumerate((ana, bea))] == [
        True, False,
    ]  # fmt: skip
    assert told not in host.page("/host")
    assert won.moment.seq == len(WON)


def test_whoever_takes_his_own_proposal_back_is_told_nothing(room, won, seated) -> None:
    ana, _ = seated(0), seated(1)
    corrects(ana, room, UNDO)
    fields = {"number": room.snapshot().proposed.number, "word": "withdraw", "seen": len(WON)}
    ana.send(f"/dispute/{won.match_id}/answer", fields)
    assert "does not agree" not in ana.page("/seat/0")


@pytest.mark.parametrize(
    ("who", "phones", "setting"),
    [
        pytest.param(1, (0, 1), True, id="her own point"),
        pytest.param(0, (0,), True, id="the other side holds no phone"),
        pytest.param(0, (0, 1), False, id="the table was set up otherwise"),
        pytest.param(None, (0, 1), True, id="the host"),
    ],
)
def test_other_corrections_are_done_at_once(
    room, won, host, seated, who: int | None, phones: tuple[int, ...], setting: bool
) -> None:
    room.need_both_sides(setting)
    seats = {seat: seated(seat) for seat in phones}
    assert "proposed" not in corrects(host if who is None else seats[who], room, UNDO)
    assert room.snapshot().proposed is None
    assert [score.points for score in won.moment.match.scores] == [0, 0]


def test_what_changes_no_score_is_done_at_once(room, seated) -> None:
    begin(room)
    for text in WON[:3]:
        room.table.say(event(text), seen=room.table.moment.seq, source=Source.PHONE)
    ana, _ = seated(0), seated(1)
    assert "proposed" not in corrects(ana, room, {"fix": "undo", "seq": 3})


def test_such_a_proposal_is_gone_when_anything_else_happens(room, won, seated) -> None:
    ana, bea = seated(0), seated(1)
    corrects(ana, room, UNDO)
    won.say(event("1 deal 3"), seen=len(WON), source=Source.PHONE)
    assert room.snapshot().proposed is None
    assert "Ana proposes: " not in bea.page("/seat/1")


def test_set_up_says_whether_corrections_need_both_sides(room, host) -> None:
    form = {"game": "trut", "players": "2", "name0": "Ana", "name2": "Bea", "best_of": "1"}
    assert 'name="both_sides" value="1" checked' in host.page("/host")
    assert host.send("/host/setup", form).status_code == 302
    assert not room.needs_both_sides
    host.send("/host/clear")
    assert 'name="both_sides" value="1">' in host.page("/host")
    assert host.send("/host/setup", {**form, "both_sides": "1"}).status_code == 302
    assert room.needs_both_sides
