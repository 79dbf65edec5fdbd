"""With its key a table can write only its own match: the database refuses all else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import Engine, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.pairing import draw
from scorekeeper.engine.events import Event
from scorekeeper.engine.said import Source
from scorekeeper.errors import LedgerError
from scorekeeper.storage.club_ledger import ClubLedger
from scorekeeper.storage.courier import Courier
from scorekeeper.storage.hall import Hall
from scorekeeper.storage.joining import Join, parse_join
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from scorekeeper.storage.table_keys import TableKeys
from tests.simulated_club import opened


@pytest.fixture
def host_url(postgres_url: str) -> Iterator[str]:
    """A database whose owner has only the rights that a host needs: to create roles."""
    url, name = make_url(postgres_url), f"host_{uuid4().hex}"
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE ROLE {name} LOGIN CREATEROLE"))
        connection.execute(text(f"ALTER DATABASE {url.database} OWNER TO {name}"))
        yield url.set(username=name).render_as_string(hide_password=False)
        connection.execute(text(f"ALTER DATABASE {url.database} OWNER TO {url.username}"))
        connection.execute(text(f"DROP OWNED BY {name} CASCADE"))
        connection.execute(text(f"DROP ROLE {name}"))
    engine.dispose()


@pytest.fixture
def club(host_url: str) -> Iterator[Ledger]:
    """The club's ledger, opened by its host."""
    with Ledger(host_url) as ledger:
        yield ledger


@pytest.fixture
def hall(club: Ledger) -> Hall:
    """A tournament of two tables in its first round; each match has an event."""
    hall = opened(club, tables=2, game="le_truc_ace", rounds=2)
    draw_round(hall)
    for live in hall.moment.tables.values():
        Table(club, live.entry.id).say(Event("award", side=0, points=1), seen=0,
                                       source=Source.PHONE)  # fmt: skip
    hall.refresh()
    return hall


@pytest.fixture
def keys(club: Ledger) -> Iterator[TableKeys]:
    """A key for each table."""
    keys = TableKeys(club)
    for table in (1, 2):
        keys.make(table)
    yield keys
    for table in keys.tables():
        keys.take_back(table)


def draw_round(hall: Hall) -> None:
    hall.refresh()
    hall.say(draw(hall.moment.tournament, seed=3), seen=hall.moment.seq)


def join_of(keys: TableKeys, table: int) -> Join:
    join = keys.join(table)
    assert join is not None
    return join


@pytest.fixture
def second(keys: TableKeys, hall: Hall) -> Iterator[Engine]:
    """A connection to the database with the key of the second table, without our program."""
    engine = create_engine(join_of(keys, 2).url)
    yield engine
    engine.dispose()


ANOTHER_EVENT = (
    'INSERT INTO events VALUES ({match}, 2, \'{{"do": "undo"}}\', '
    "'2026-11-20T20:15:03.120Z', 0, 'phone', NULL)"
)


def test_a_table_plays_and_brings_its_match_with_its_key(
    keys: TableKeys, hall: Hall, tmp_path: Path
) -> None:
    join = parse_join(str(join_of(keys, 2)))
    with Ledger(str(tmp_path / "own")) as own, Courier(own, join) as courier:
        match = courier.exchange()
        assert match is not None
        table = Table(own, match)
        assert table.moment.seq == 1  # as the club has it
        table.say(Event("award", side=0, points=11), seen=1, source=Source.PHONE)
        courier.exchange()
        hall.refresh()
        result = hall.moment.tournament.meeting(1, 2).result
        assert result is not None
        assert result.score == (12, 0)
        hall.say(ClubEvent("result", round=1, table=1, score=(12, 3), winner=0),
                 seen=hall.moment.seq)  # fmt: skip
        draw_round(hall)
        assert courier.exchange() == match + 1
        with ClubLedger(join_of(keys, 1)) as other:
            drawn = other.drawn()
            assert drawn is not None
            assert drawn.id == hall.moment.tables[1].entry.id


def test_with_any_program_it_appends_to_its_own_match(second: Engine, hall: Hall) -> None:
    with second.begin() as connection:
        own = hall.moment.tables[2].entry.id
        connection.execute(text(ANOTHER_EVENT.format(match=own)))
    hall.refresh()
    assert hall.moment.tables[2].seq == 2


def test_it_sees_no_event_of_another_table(second: Engine, hall: Hall) -> None:
    own = hall.moment.tables[2].entry.id
    with second.connect() as connection:
        seen = connection.execute(text("SELECT DISTINCT match_id FROM events")).scalars()
        assert list(seen) == [own]
        assert list(connection.execute(text("SELECT id FROM matches")).scalars()) == [own]


REFUSED = (
    ANOTHER_EVENT,
    "INSERT INTO events SELECT {match}, 2, event, at, utc_offset, source, who FROM events",
    "UPDATE events SET event = '{{}}' WHERE match_id = {match}",
    "UPDATE events SET match_id = {match}",
    "UPDATE events SET event = '{{}}' WHERE match_id = {own}",
    "DELETE FROM events WHERE match_id = {match}",
    "DELETE FROM events WHERE match_id = {own}",
    "TRUNCATE events",
    "DELETE FROM matches WHERE id = {match}",
    "DELETE FROM matches WHERE id = {own}",
    "UPDATE matches SET header = '{{}}' WHERE id = {own}",
    "INSERT INTO matches (header, begun_at, utc_offset) VALUES ('{{}}', '', 0)",
    "UPDATE fixtures SET place = 2 WHERE match_id = {match}",
    "INSERT INTO fixtures VALUES (1, 2, 2, {match})",
    "DELETE FROM fixtures",
    "INSERT INTO tournament_events SELECT tournament_id, seq + 100, event, at, utc_offset, "
    "source, who FROM tournament_events",
    "DELETE FROM tournament_events",
    "DELETE FROM tournaments",
    "UPDATE table_keys SET place = 1 WHERE place = 2",
    "INSERT INTO table_keys SELECT 3, current_user, ''",
    "SELECT key FROM table_keys",
    "SELECT * FROM table_keys",
    "SELECT * FROM kept_players",
    "UPDATE trucam_version SET version_num = '0001'",
    "ALTER TABLE events DISABLE ROW LEVEL SECURITY",
    "DROP POLICY table_writes ON events",
    "CREATE POLICY mine ON events USING (true)",
    "CREATE TRIGGER mine BEFORE INSERT ON events EXECUTE FUNCTION trucam_changed()",
    "CREATE OR REPLACE FUNCTION trucam_changed() RETURNS trigger LANGUAGE plpgsql AS "
    "'BEGIN RETURN NULL; END'",
    "CREATE TABLE mine (id int)",
    "LOCK TABLE matches IN ACCESS EXCLUSIVE MODE",
    "SET ROLE {host}",
    "ALTER ROLE current_user CREATEROLE",
    "CREATE ROLE mine",
    "COPY events FROM PROGRAM 'true'",
)
"""Statements that must be refused: on another table's match, on its own, and on the host's data."""


def test_everything_else_is_refused(second: Engine, hall: Hall, club: Ledger) -> None:
    match, own = (hall.moment.tables[table].entry.id for table in (1, 2))
    before = [club.read(entry) for entry in club.matches()]
    for order in REFUSED:
        said = order.format(match=match, own=own, host=club.url.username)
        with pytest.raises(DBAPIError) as refused, second.begin() as connection:
            connection.execute(text(said))
        state = getattr(refused.value.orig, "sqlstate", None)
        assert (said, state) == (said, "42501"), refused.value  # insufficient_privilege
    assert [club.read(entry) for entry in club.matches()] == before


@pytest.mark.parametrize("anew", [True, False])
def test_a_key_that_was_taken_back_is_worthless_at_once(
    second: Engine, hall: Hall, keys: TableKeys, anew: bool
) -> None:
    before = join_of(keys, 2)
    own = hall.moment.tables[2].entry.id
    with second.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM events")).scalar() == 1
        connection.commit()
        if anew:
            keys.make(2)
        else:
            keys.take_back(2)
        with pytest.raises(DBAPIError):
            connection.execute(text(ANOTHER_EVENT.format(match=own)))
    with pytest.raises(LedgerError), ClubLedger(before):
        pass
    if anew:
        with ClubLedger(join_of(keys, 2)) as club:
            assert club.newest() == own
    assert keys.tables() == ([1, 2] if anew else [1])


def test_the_server_is_told_no_key(keys: TableKeys, postgres_url: str) -> None:
    engine = create_engine(postgres_url)
    join = join_of(keys, 1)
    with engine.connect() as connection:
        kept = text("SELECT rolpassword FROM pg_authid WHERE rolname = :name")
        found = connection.execute(kept, {"name": join.url.username}).scalar_one()
    engine.dispose()
    assert found.startswith("SCRAM-SHA-256$")
    assert join.url.password not in found


def test_a_host_who_may_make_no_roles_is_told_so(host_url: str, postgres_url: str) -> None:
    engine = create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"ALTER ROLE {make_url(host_url).username} NOCREATEROLE"))
    engine.dispose()
    with Ledger(host_url) as club:
        with pytest.raises(LedgerError, match="permission denied to create role"):
            TableKeys(club).make(1)
        assert TableKeys(club).tables() == []


def test_a_file_has_no_keys(tmp_path: Path) -> None:
    with Ledger(str(tmp_path / "club")) as club:
        keys = TableKeys(club)
        keys.make(3)
        keys.take_back(3)
        assert str(keys.join(3)) == f"sqlite:///{tmp_path / 'club'}#3"
        assert (keys.tables(), keys.has_roles) == ([], False)
