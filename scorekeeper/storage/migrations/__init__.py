"""Steps that create the ledger's tables, or change them from one version to the next.

Each step is a module in ``versions`` with a ``revision``; the newest one is
``scorekeeper.storage.database.HEAD``. A step that has been released is never changed. This package
is imported only if a ledger is new or older than the program.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

FOLDER = Path(__file__).parent


def knows(revision: str) -> bool:
    """Whether there is a step of this revision, so that such a ledger can be brought up to date."""
    script = ScriptDirectory.from_config(_config())
    return any(step.revision == revision for step in script.walk_revisions())


def upgrade(connection: Connection) -> None:
    """Runs all steps that a ledger lacks, within the transaction that the connection is in.

    Raises:
        sqlalchemy.exc.SQLAlchemyError: The database refuses; the caller rolls back.
    """
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _config() -> Config:
    config = Config()
    # In Alembic's configuration, % begins a reference.
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config
