"""Names of players that somebody chose to keep."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "kept_players",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("kept_at", sa.Text, nullable=False),
        sa.Column("utc_offset", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
