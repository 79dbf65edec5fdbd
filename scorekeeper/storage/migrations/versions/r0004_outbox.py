"""Which match is played for a club, and how many of its events the club has."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "outbox",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("theirs", sa.Integer, nullable=False),
        sa.Column("sent", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match_id"),
    )
