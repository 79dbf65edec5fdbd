"""A key for each table of a club, with which it can write its own matches and no others."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

OWN = (
    "EXISTS (SELECT FROM fixtures JOIN table_keys ON table_keys.place = fixtures.place "
    "WHERE fixtures.match_id = {match} AND table_keys.role = current_user)"
)
"""Whether a match is of the club's table that asks; it does not hold for the owner's own role."""


def upgrade() -> None:
    """Creates the table, and on PostgreSQL the policies for roles with such a key."""
    op.create_table(
        "table_keys",
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("place"),
    )
    if op.get_context().dialect.name != "postgresql":
        return
    for table, match in (("matches", "matches.id"), ("events", "events.match_id")):
        own = OWN.format(match=match)
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"CREATE POLICY table_reads ON {table} FOR SELECT USING ({own})")
    op.execute(f"CREATE POLICY table_writes ON events FOR INSERT WITH CHECK ({own})")
