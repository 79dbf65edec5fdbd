"""The tables of the ledger; ``migrations`` makes the same ones, step by step."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, MetaData, Table, Text

metadata = MetaData()
matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("header", Text, nullable=False),
    Column("begun_at", Text, nullable=False),
    Column("utc_offset", Integer, nullable=False),
    sqlite_autoincrement=True,
)
events = Table(
    "events",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seq", Integer, CheckConstraint("seq >= 1"), primary_key=True, autoincrement=False),
    Column("event", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("utc_offset", Integer, nullable=False),
    Column("source", Text, nullable=False),
    Column("who", Text),
    sqlite_with_rowid=False,
)
tournaments = Table(
    "tournaments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("header", Text, nullable=False),
    Column("begun_at", Text, nullable=False),
    Column("utc_offset", Integer, nullable=False),
    sqlite_autoincrement=True,
)
tournament_events = Table(
    "tournament_events",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    Column("seq", Integer, CheckConstraint("seq >= 1"), primary_key=True, autoincrement=False),
    Column("event", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("utc_offset", Integer, nullable=False),
    Column("source", Text, nullable=False),
    Column("who", Text),
    sqlite_with_rowid=False,
)
fixtures = Table(
    "fixtures",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("match_id", ForeignKey("matches.id"), nullable=False, unique=True),
)
"""Which match of the ledger is played at which table of which round."""
