"""The tables of the ledger; ``migrations`` makes the same ones, step by step."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, MetaData, Table, Text

metadata = MetaData()


def _headers(name: str) -> Table:
    """A table of matches or tournaments, with their headers."""
    return Table(
        name,
        metadata,
        Column("id", Integer, primary_key=True),
        Column("header", Text, nullable=False),
        Column("begun_at", Text, nullable=False),
        Column("utc_offset", Integer, nullable=False),
        sqlite_autoincrement=True,
    )


def _events(name: str, of: str, where: str) -> Table:
    """A table of their events."""
    return Table(
        name,
        metadata,
        Column(of, ForeignKey(where), primary_key=True),
        Column("seq", Integer, CheckConstraint("seq >= 1"), primary_key=True, autoincrement=False),
        Column("event", Text, nullable=False),
        Column("at", Text, nullable=False),
        Column("utc_offset", Integer, nullable=False),
        Column("source", Text, nullable=False),
        Column("who", Text),
        sqlite_with_rowid=False,
    )


matches = _headers("matches")
events = _events("events", "match_id", "matches.id")
tournaments = _headers("tournaments")
tournament_events = _events("tournament_events", "tournament_id", "tournaments.id")
fixtures = Table(
    "fixtures",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("match_id", ForeignKey("matches.id"), nullable=False, unique=True),
)
"""Which match of the ledger is played at which table (``place``) of which round."""
kept_players = Table(
    "kept_players",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kept_at", Text, nullable=False),
    Column("utc_offset", Integer, nullable=False),
    sqlite_autoincrement=True,
)
"""Names of players that somebody chose to keep."""
outbox = Table(
    "outbox",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("theirs", Integer, nullable=False),
    Column("sent", Integer, nullable=False),
)
"""The matches that are played for a club.

``place`` is the table, ``theirs`` the number of the match in the club's ledger, and ``sent`` how
many of its events the club has.
"""
table_keys = Table(
    "table_keys",
    metadata,
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("role", Text, nullable=False),
    Column("key", Text, nullable=False),
)
"""The role and the key (password) with which a club's table (``place``) uses the server."""
