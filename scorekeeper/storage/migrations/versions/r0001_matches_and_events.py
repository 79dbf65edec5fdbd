"""Matches and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Creates both tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("begun_at", sa.Text, nullable=False),
        sa.Column("utc_offset", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "events",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("utc_offset", sa.Integer, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("who", sa.Text),
        sa.PrimaryKeyConstraint("match_id", "seq"),
        sa.CheckConstraint("seq >= 1"),
        # An append touches one page of the file, not one of the table and one of its index.
        sqlite_with_rowid=False,
    )
