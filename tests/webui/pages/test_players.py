"""Kept names and their pages: only the host keeps a name, and it can be removed for good."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from scorekeeper.engine.said import Said, Source
from scorekeeper.storage.players import KeptPlayers
from scorekeeper.text.i18n import LANGUAGES
from tests.scorekeeper.playouts import playout
from tests.scorekeeper.talk import TABLES
from tests.webui.phones import header

AT = datetime(2026, 11, 20, 21, 30, tzinfo=UTC)
SAID = Said(AT, Source.PHONE, "Ana")
PAGES = ("/players", "/player/1", "/player/1.csv", "/players.csv")


def add(ledger, game="trut", seats=2, days=0) -> int:
    who, at = header(game, seats), AT + timedelta(days=days)
    events = playout(who, Random(f"{game} {seats} {days}"), 200, operator=0)
    return ledger.add(who, events, SAID, begun=at)


def charts(page: str) -> list[str]:
    return re.findall(r"<svg[^>]*class=\"chart\".*?</svg>", page, re.DOTALL)


def test_nothing_is_kept_by_itself(ledger, client, host) -> None:
    match_id = add(ledger)
    for path in ("/evenings", f"/match/{match_id}", "/players"):
        assert 'href="/player/' not in host.page(path)
        assert "/players/keep" not in client.page(path)
        assert "/players/keep" in host.page(path)
    assert "No name is kept yet." in client.page("/players")
    assert client.page("/players.csv").count("\n") == 1


def test_the_host_keeps_a_name_and_everybody_finds_its_page(ledger, client, host, seated) -> None:
    match_id = add(ledger)
    for other in (client, seated(0)):
        assert other.send("/players/keep", {"name": "Ana"}).status_code == 403
    assert host.client.post("/players/keep", data={"name": "Ana"}).status_code == 400  # no token
    assert host.send("/players/keep", {"name": " Ana "}).status_code == 200
    assert host.send("/players/keep", {"name": "Ana"}).status_code == 200  # it is kept already
    for path in ("/evenings", f"/match/{match_id}", "/players"):
        assert client.page(path).count('href="/player/1"') == 1
        assert 'value="Ana"' not in host.page(path)
        assert 'value="Bea"' in host.page(path)
    assert "<h1>Ana</h1>" in client.page("/player/1")


@pytest.mark.parametrize("name", ["", "Nobody", "ana", "A" * 9000, "\x00"])
def test_only_who_has_played_is_kept(ledger, host, name) -> None:
    add(ledger)
    assert host.send("/players/keep", {"name": name}).status_code == 404
    assert KeptPlayers(ledger).all() == []


def test_a_kept_name_is_dropped_by_the_host_alone(ledger, client, host) -> None:
    match_id = add(ledger)
    host.send("/players/keep", {"name": "Ana"})
    assert "/drop" not in client.page("/player/1")
    assert client.send("/player/1/drop").status_code == 403
    assert "/player/1/drop" in host.page("/player/1")
    assert host.send("/player/1/drop").status_code == 200
    for path in ("/player/1", "/player/1.csv"):
        assert client.get(path).status_code == 404
    assert host.send("/player/1/drop").status_code == 404
    assert "Ana" in client.page(f"/match/{match_id}")


def test_a_name_that_is_forgotten_has_no_page(ledger, client, host, trucam) -> None:
    add(ledger)
    for name in ("Ana", "Bea"):
        host.send("/players/keep", {"name": name})
    assert "Ana" in client.page("/players")
    assert trucam("forget", "--name", "Ana", "--yes")[0] == 0
    assert client.get("/player/1").status_code == 404
    for path in ("/players", "/players.csv", "/player/2", "/evenings"):
        assert "Ana" not in client.page(path)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_page_opens_in_every_game_and_language_with_charts_that_can_be_read(
    ledger, client, host, game, seats
) -> None:
    for day in range(3):
        add(ledger, game, seats, day)
    host.send("/players/keep", {"name": "Bea"})
    for code in LANGUAGES:
        page = client.page(f"/player/1?lang={code}")
        assert "Bea" in page
        assert len(charts(page)) >= 3
        for chart in charts(page):
            ET.fromstring(chart)
    ids = re.findall(r'id="(stripes-[^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_a_player_of_many_evenings_is_told_by_month_and_then_by_year(ledger, client, host) -> None:
    found = []
    who = header()
    for day in (*range(30), 3000):
        won = [] if not day % 2 else ["0"]
        ledger.add(who, playout(who, Random(f"{won}"), 400, operator=0), SAID,
                   begun=AT + timedelta(days=day))  # fmt: skip
        if day == 0:
            host.send("/players/keep", {"name": "Ana"})
        if day in (0, 29, 3000):
            found.append(re.findall(r"Matches won and lost, (\w+)", client.page("/player/1")))
    assert found == [["evening"], ["month"], ["month"]]


def test_a_players_evenings_lead_to_the_page_that_has_them(ledger, client, host) -> None:
    for days in (0, 40):
        add(ledger, days=days)
    host.send("/players/keep", {"name": "Ana"})
    links = re.findall(r'href="(/evenings[?][^"]+)#([^"]+)"', client.page("/player/1"))
    assert [day for _, day in links] == ["2026-12-30", "2026-11-20"]
    for path, day in links:
        assert f'<section id="{day}">' in client.page(path)


def test_a_sheet_of_players_has_a_line_for_each_evening(ledger, client, host) -> None:
    for day in range(2):
        add(ledger, days=day)
    for name in ("Bea", "Ana"):
        host.send("/players/keep", {"name": name})

    def sheet(path: str) -> list[dict[str, str]]:
        lines = io.StringIO(client.get(path).data.decode("utf-8-sig"), newline="")
        return list(csv.DictReader(lines))

    rows = sheet("/players.csv")
    assert [(row["player"], row["evening"], row["game"]) for row in rows] == [
        (name, evening, "trut") for name in ("Ana", "Bea") for evening in
        ("2026-11-20", "2026-11-21")
    ]  # fmt: skip
    assert sheet("/player/1.csv") == rows[2:]


def test_a_kept_name_whose_matches_are_gone_says_so(ledger, client, host) -> None:
    match_id = add(ledger)
    host.send("/players/keep", {"name": "Ana"})
    ledger.remove(match_id)
    assert "Nobody of this name has played" in client.page("/player/1")
    for path in PAGES:
        assert client.get(path).status_code == 200


def test_markup_in_a_name_is_shown_as_text(ledger, client, host) -> None:
    name = "<script>alert('x')</script>&\""
    who = header()
    evil = type(who)(game=who.game, seats=(name, "=1+1"))
    ledger.add(evil, playout(evil, Random(5), 60), SAID, begun=AT)
    for one in (name, "=1+1"):
        assert host.send("/players/keep", {"name": one}).status_code == 200
    for path in ("/players", "/player/1", "/evenings"):
        assert "<script>alert" not in client.page(path)
    assert "\n=1+1" not in client.page("/players.csv")
