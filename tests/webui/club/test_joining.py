"""The host's page with the codes of the tables; a new code makes the old one invalid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from sqlalchemy import make_url

from scorekeeper.errors import LedgerError
from scorekeeper.storage.club_ledger import ClubLedger
from scorekeeper.storage.joining import parse_join
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table_keys import TableKeys
from tests.simulated_club import opened
from tests.webui.phones import Phone
from webui.club.app import create_club_app
from webui.club.room import Club
from webui.requests.addresses import Address
from webui.table.memory import Memory


def codes(page: str) -> list[str]:
    return [unescape(code) for code in re.findall(r"<code>([^<]+)</code>", page)]


def enter(chief: Phone, teams: int) -> None:
    opening = {"title": "Trut", "game": "trut", "players": "4", "system": "swiss", "rounds": "3"}
    assert chief.send("/host/open", opening).status_code == 302
    for team in range(1, teams + 1):
        names = {"name": [f"Ana {team}", f"Bea {team}"], "present": "1"}
        assert chief.send("/host/enter", names).status_code == 200


def test_only_the_host_sees_the_codes(visitor: Phone, chief: Phone) -> None:
    enter(chief, teams=4)
    assert visitor.get("/host/tables").status_code == 403
    for path in ("/host/tables/make", "/host/tables/1/make", "/host/tables/1/take-back"):
        assert visitor.send(path, {"count": "2"}).status_code == 403
    for path in ("/", "/tv", "/list", "/codes"):
        assert "sqlite:" not in visitor.page(path)
    assert "/host/tables" in chief.page("/host")


def test_with_a_file_as_ledger_codes_have_no_key_and_the_page_says_so(
    chief: Phone, folder: Path
) -> None:
    assert codes(chief.page("/host/tables")) == []
    enter(chief, teams=4)
    page = chief.page("/host/tables")
    assert codes(page) == [f"sqlite:///{folder / 'ledger'}#{table}" for table in (1, 2)]
    assert "only tables on this computer can join" in page
    assert "Make the code" not in page


@pytest.fixture
def on_server(postgres_url: str, folder: Path) -> Iterator[Phone]:
    """The host's browser, at a club whose ledger is on a database server."""
    with Ledger(postgres_url) as ledger, Memory("club") as memory:
        opened(ledger, tables=2, game="le_truc_ace")
        club = Club(ledger, memory)
        app = create_club_app(
            club, LOCAL=False, ADDRESSES=lambda: [Address("192.168.1.5", "eth0", True)]
        )
        phone = Phone(app)
        phone.get(f"/host?key={club.access.host_key}")
        yield phone
        keys = TableKeys(ledger)
        for table in keys.tables():
            keys.take_back(table)


def test_on_a_server_each_table_has_a_key_that_the_host_makes_and_takes_back(
    on_server: Phone, postgres_url: str
) -> None:
    chief = on_server
    assert codes(chief.page("/host/tables")) == []
    assert chief.send("/host/tables/make", {"count": "2"}).status_code == 200
    one, two = (parse_join(code) for code in codes(chief.page("/host/tables")))
    assert (one.table, two.table, one.url.host) == (1, 2, "192.168.1.5")
    assert one.url.username != two.url.username
    assert make_url(postgres_url).username not in (one.url.username, two.url.username)
    own = one._replace(url=one.url.set(host=make_url(postgres_url).host))
    with ClubLedger(own) as club:
        assert club.newest() is None
    assert chief.send("/host/tables/1/make").status_code == 200
    assert chief.send("/host/tables/make", {"count": "2"}).status_code == 200  # none is missing
    again = [parse_join(code) for code in codes(chief.page("/host/tables"))]
    assert (again[0] != one, again[1] == two) == (True, True)
    with pytest.raises(LedgerError), ClubLedger(own):
        pass
    assert chief.send("/host/tables/1/take-back").status_code == 200
    assert [parse_join(code).table for code in codes(chief.page("/host/tables"))] == [2]


@pytest.mark.parametrize("count", ["", "0", "201", "x"])
def test_an_impossible_number_of_tables_is_refused(chief: Phone, count: str) -> None:
    answer = chief.send("/host/tables/make", {"count": count})
    assert answer.status_code == 422
    assert answer.json["sentence"] == "write how many tables there are, from 1 to 200"
