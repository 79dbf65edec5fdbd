"""Alembic runs this file: it runs the steps on the connection that ``upgrade`` was given."""

from alembic import context

from scorekeeper.storage.database import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
context.run_migrations()
