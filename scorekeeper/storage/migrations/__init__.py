"""The ledger's form, step by step. Imported only where a ledger is new or older than the program.

A step is a module in ``versions``; its ``revision`` follows the one before it, and the newest one
is ``scorekeeper.storage.database.HEAD``. A step that has been released is never changed.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

FOLDER = Path(__file__).parent


def knows(revision: str) -> bool:
    """Whether a ledger of this revision is one that the program can bring up to date."""
    script = ScriptDirectory.from_config(_config())
    return any(step.revision == revision for step in script.walk_revisions())


def upgrade(connection: Connection) -> None:
    """Brings a ledger to the newest form, within the transaction that the connection is in.

    Raises:
        sqlalchemy.exc.SQLAlchemyError: The database refuses; the caller rolls back.
    """
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _config() -> Config:
    config = Config()
    # The configuration reads a % as the start of a reference.
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config
