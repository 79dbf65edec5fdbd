"""Pages of finished matches: the story, the files to keep, and what is removed for good."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from random import Random

import pytest

from scorekeeper.engine.said import Said, Source
from scorekeeper.history.record import read_record
from tests.scorekeeper.playouts import playout
from tests.scorekeeper.talk import TABLES, event
from tests.webui.phones import begin, header

SAID = Said(datetime(2026, 11, 20, 21, 30, tzinfo=UTC), Source.PHONE, "Ana")
PAGES = ("", ".jsonl", ".csv", ".svg")


def add(ledger, game="le_truc_ace", seats=2, length=80, begun=SAID.at, **more) -> int:
    """Adds a match with so many random events to the ledger."""
    who = header(game, seats, **more)
    return ledger.add(who, playout(who, Random(f"{game} {seats}"), length), SAID, begun=begun)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_match_can_be_read_and_taken_home(ledger, client, game, seats) -> None:
    match_id = add(ledger, game, seats)
    for code in ("en", "fr", "es", "ca"):
        page = client.page(f"/match/{match_id}?lang={code}")
        assert "Ana" in page
        assert "Undefined" not in page
        ET.fromstring(client.page(f"/match/{match_id}.svg?lang={code}"))
        assert f"/match/{match_id}" in client.page(f"/evenings?lang={code}")
    sheets = [client.page(f"/{name}.csv") for name in (f"match/{match_id}", "evenings", "players")]
    assert [sheet[0] for sheet in sheets] == ["\ufeff"] * 3  # else é comes out as two signs
    rows = list(csv.reader(io.StringIO(sheets[0])))
    assert len(rows) > 2
    assert len({len(row) for row in rows}) == 1
    assert "Ana" in sheets[1]


def test_who_takes_over_a_seat_takes_over_no_hand_that_was_played(ledger, client) -> None:
    said = ("0 deal 3", "1 play AS", "0 play 9H", "1 play AD", "0 play 9C", "1 player Dan",
            "1 deal 3", "0 play 9S", "1 play KS")  # fmt: skip
    match_id = ledger.add(header(), [event(text) for text in said], SAID, begun=SAID.at)
    did = client.page(f"/match/{match_id}").split("What everybody did")[-1]
    rows = re.findall(r'rowheader">(.*?)</th><td.*?>(\d+)</td>', did)
    assert rows == [("Ana", "0"), ("Bea", "2"), ("Dan", "1")]


WON = "0 deal 3, 1 raise 2, 0 reject"
IN_SHORT = [
    (WON, "Hand for Bea: 1 point. Score: Ana 0 points; Bea 1 point."),
    (f"{WON}, 0 dealer", "Hand for Bea: 1 point. Score: Ana 0 points; Bea 1 point."),
    (f"{WON}, adjust 0 2, 1 player Eva",
     "Hand for Bea: 1 point. Score: Ana 2 points; Eva 1 point."),
    (f"{WON}, adjust 0 12", "Score: Ana 12 points; Bea 1 point. The match goes to Ana."),
    ("0 deal 3, end_match", "The hand is not played to its end. Score: Ana 0 points; Bea 0 points. "
     "The match is over, without a winner."),
]  # fmt: skip
"""The events of a match, and the short form of its first hand."""


@pytest.mark.parametrize(("texts", "words"), IN_SHORT)
def test_a_hand_in_short_is_its_result_whatever_was_agreed_after_it(
    ledger, client, texts, words
) -> None:
    match_id = ledger.add(header(), [event(text) for text in texts.split(", ")], SAID, SAID.at)
    page = client.page(f"/match/{match_id}")
    [summary] = re.findall(r'id="hand-1"><summary>Hand 1: (.*?)</summary>', page)
    assert summary.endswith(words)


ENDS = [
    ("award 0 3, end_match 1", "The match goes to Bea."),
    ("award 0 3, end_match", "The match is over, without a winner."),
    ("award 0 12", "The match goes to Ana."),
    ("award 0 3", "(not finished)"),
]


@pytest.mark.parametrize(("texts", "words"), ENDS)
def test_an_evening_says_to_whom_each_match_went(ledger, client, texts, words) -> None:
    ledger.add(header(), [event(text) for text in texts.split(", ")], SAID, SAID.at)
    assert words in client.page("/evenings")


def test_the_record_is_what_the_command_exports_and_imports_again(
    ledger, client, trucam, folder
) -> None:
    match_id = add(ledger, seats=4, best_of=3, remarks={"note": "é 🂡"})
    answer = client.get(f"/match/{match_id}.jsonl")
    assert (
        answer.headers["Content-Disposition"] == f'attachment; filename="trucam-{match_id}.jsonl"'
    )
    exported = folder / "exported.jsonl"
    assert trucam("export", match_id, "-o", exported)[0] == 0
    assert answer.data == exported.read_bytes()
    reading = read_record(io.BytesIO(answer.data))
    assert reading.warnings == ()
    assert len(reading.events) == ledger.last(match_id)
    (folder / "downloaded.jsonl").write_bytes(answer.data)
    assert trucam("import", folder / "downloaded.jsonl")[0] == 0
    again = client.get(f"/match/{ledger.ids()[-1]}.jsonl").data
    assert read_record(io.BytesIO(again)).match == reading.match


@pytest.mark.parametrize("end", PAGES)
@pytest.mark.parametrize("number", ["0", "99", "9" * 30, "-1", "x"])
def test_a_match_that_is_not_there_is_not_found(client, number, end) -> None:
    assert client.get(f"/match/{number}{end}").status_code == 404


def test_no_match_was_played_yet(client) -> None:
    assert "No match has been played yet." in client.page("/evenings")
    assert client.page("/evenings.csv").count("\n") == 1


@pytest.mark.parametrize(
    "damage",
    [
        """UPDATE events SET event = 'x' WHERE match_id = 2 AND seq = 1""",
        """UPDATE events SET event = '{"do": "accept", "seat": 0}' WHERE match_id = 2""",
        """UPDATE matches SET header = '{}' WHERE id = 2""",
        """UPDATE matches SET begun_at = 'x' WHERE id = 2""",
        """DELETE FROM events WHERE match_id = 2 AND seq = 1""",
    ],
)
def test_a_match_that_cannot_be_read_hides_none_of_the_others(ledger, client, host, damage):
    for _ in range(3):
        add(ledger)
    ledger._connection.exec_driver_sql(damage)
    ledger._connection.commit()
    page = client.page("/evenings")
    assert "/match/1" in page
    assert "/match/3" in page
    assert "Match 2 cannot be read.</p>" in page
    told = host.page("/evenings")
    assert "Match 2 cannot be read.</p>" not in told  # it says why, too
    assert "trucam repair 2 takes out what cannot be read" in told
    assert client.get("/evenings.csv").status_code == 200
    answer = client.get("/match/2")
    assert answer.status_code in (422, 503)
    assert "Traceback" not in answer.text
    assert "Nothing was kept" not in answer.text
    assert client.get("/match/1").status_code == 200
    assert host.send("/match/2/forget").status_code == 302
    assert "cannot be read" not in client.page("/evenings")


def test_matches_of_one_evening_stand_together_whatever_the_clocks(ledger, client) -> None:
    """The matches begin minute by minute, but in two time zones, so the evenings alternate."""
    east, west = timezone(timedelta(hours=13)), timezone(timedelta(hours=-11))
    for minute, zone in enumerate((east, west, east, west)):
        add(ledger, begun=datetime(2026, 11, 20, 22, minute, tzinfo=UTC).astimezone(zone))
    page = client.page("/evenings")
    assert page.count("<section id=") == 2
    assert [page.count(f'"/match/{number}"') for number in (1, 2, 3, 4)] == [1, 1, 1, 1]


def test_a_page_has_the_evenings_of_one_month_and_leads_to_the_others(ledger, client) -> None:
    for month, day in ((9, 4), (9, 11), (11, 20)):
        add(ledger, begun=datetime(2026, month, day, 22, tzinfo=UTC))
    latest, september = client.page("/evenings"), client.page("/evenings?month=2026-09")
    assert re.findall(r'<section id="([^"]+)"', latest) == ["2026-11-20"]
    assert re.findall(r'<section id="([^"]+)"', september) == ["2026-09-11", "2026-09-04"]
    for page, here in ((latest, "11"), (september, "09")):
        assert re.findall(
            r'href="([^"]+)#months"( aria-current="page")?>([^<]+?) <small>', page
        ) == [
            (f"/evenings?month=2026-{month}", ' aria-current="page"' * (month == here), name)
            for month, name in (("11", "November 2026"), ("09", "September 2026"))
        ]
    assert "2 evenings" in latest
    # All evenings count for everybody's figures, whichever month is shown.
    whole = re.search(r"<tbody.*?</tbody>", latest, re.DOTALL)
    assert whole is not None
    assert whole[0] in september


@pytest.mark.parametrize("month", ["2026-10", "x", "2026-11-20", "-1", "2026-11\x00"])
def test_a_month_without_an_evening_is_not_found(ledger, client, month) -> None:
    add(ledger)
    assert client.get("/evenings", query_string={"month": month}).status_code == 404


def test_where_many_have_played_their_figures_are_folded(ledger, client) -> None:
    for pair in range(7):
        who = replace(header(), seats=(f"Ana {pair}", f"Bea {pair}"))
        ledger.add(who, [], SAID, begun=SAID.at)
        assert ("<summary>Players: 14</summary>" in client.page("/evenings")) == (pair == 6)


def test_a_match_is_forgotten_by_the_host_alone(room, ledger, client, host, seated, folder):
    first, second = add(ledger), add(ledger)
    phone = seated(0)
    for page, button in ((client, False), (phone, False), (host, True)):
        assert (f"/match/{first}/forget" in page.page(f"/match/{first}")) == button
    for other in (client, phone):
        assert other.send(f"/match/{first}/forget").status_code == 403
    assert host.client.post(f"/match/{first}/forget").status_code == 400  # without the token
    assert ledger.ids() == [first, second]
    answer = host.send(f"/match/{first}/forget")
    assert (answer.status_code, answer.location) == (302, "/evenings")
    assert ledger.ids() == [second]
    for end in PAGES:
        assert client.get(f"/match/{first}{end}").status_code == 404
    assert host.send(f"/match/{first}/forget").status_code == 404


def test_the_match_that_is_played_is_not_forgotten(room, ledger, host) -> None:
    match_id = begin(room)
    assert "/forget" not in host.page(f"/match/{match_id}")
    answer = host.send(f"/match/{match_id}/forget")
    assert answer.status_code == 409
    assert ledger.ids() == [match_id]


def test_a_name_that_was_forgotten_is_nowhere(ledger, client, trucam, folder) -> None:
    who = header()
    match_id = ledger.add(who, playout(who, Random(1), 80, operator=0), SAID, begun=SAID.at)
    assert "Ana" in client.page("/evenings")
    assert trucam("forget", "--name", "Ana", "--yes")[0] == 0
    for path in ("/evenings", "/evenings.csv", *(f"/match/{match_id}{end}" for end in PAGES)):
        text = client.page(path)
        assert "Ana" not in text
        assert "Player 1" in text


def test_markup_in_a_name_is_shown_as_text(ledger, client) -> None:
    name = "<script>alert('x')</script>&\"\u2028"
    who = header()
    evil = type(who)(game=who.game, seats=(name, "=1+1"))
    match_id = ledger.add(evil, playout(evil, Random(5), 60), SAID, begun=SAID.at)
    for path in ("/evenings", f"/match/{match_id}", f"/match/{match_id}.svg"):
        assert "<script>alert" not in client.page(path)
    ET.fromstring(client.page(f"/match/{match_id}.svg"))
    assert '"=1+1"' not in client.page(f"/match/{match_id}.csv")


@pytest.mark.parametrize(
    ("begun", "told"), [("2026-11-24T23:30", False), ("2026-11-25T01:30", True)]
)
def test_what_begins_after_midnight_belongs_to_the_evening_and_says_so(
    ledger, client, begun, told
) -> None:
    at = datetime.fromisoformat(f"{begun}+01:00")
    ledger.add(header(), [], Said(at, Source.PHONE), begun=at)
    page = client.page("/evenings")
    assert "<h2>Evening of Tuesday, November 24, 2026</h2>" in page
    assert ("begun after midnight" in page) == told
