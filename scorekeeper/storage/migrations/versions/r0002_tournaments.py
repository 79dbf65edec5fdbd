"""Tournaments, their events and the matches of their rounds; a server notifies of each change."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

TOLD = ("events", "tournament_events")
"""Tables whose changes a server announces by NOTIFY."""


def upgrade() -> None:
    """Creates three tables, and on PostgreSQL the triggers that notify of changes."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("begun_at", sa.Text, nullable=False),
        sa.Column("utc_offset", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.Integer, sa.ForeignKey("tournaments.id"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("utc_offset", sa.Integer, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("who", sa.Text),
        sa.PrimaryKeyConstraint("tournament_id", "seq"),
        sa.CheckConstraint("seq >= 1"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "fixtures",
        sa.Column("tournament_id", sa.Integer, sa.ForeignKey("tournaments.id"), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id"), nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "round", "place"),
        sa.UniqueConstraint("match_id"),
    )
    if op.get_context().dialect.name != "postgresql":
        return
    op.execute(
        "CREATE FUNCTION trucam_changed() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN PERFORM pg_notify('trucam', ''); RETURN NULL; END $$"
    )
    for table in TOLD:
        op.execute(
            f"CREATE TRIGGER trucam_changed AFTER INSERT OR UPDATE OR DELETE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION trucam_changed()"
        )
