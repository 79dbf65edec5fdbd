"""What all tests share: the settings of Hypothesis and xdist, and a PostgreSQL database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from uuid import uuid4

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

# There is no deadline, for a test must not fail because the machine is busy. The examples are the
# same in each run.
settings.register_profile("trucam", max_examples=60, deadline=None, derandomize=True)
settings.load_profile("trucam")

POSTGRES = "TRUCAM_TEST_POSTGRES"
"""The environment variable with the address of a PostgreSQL server for the tests."""
BROWSER = "tests/browser/"


class BrowsersInTurn(LoadFileScheduling):
    """Runs all tests of a file in one process, and all tests with a browser in one, too.

    Several browsers at the same time would be slow.
    """

    def _split_scope(self, nodeid: str) -> str:
        return BROWSER if nodeid.startswith(BROWSER) else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return BrowsersInTurn(config, log)


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The address of a new, empty PostgreSQL database; it is dropped after the test."""
    server = os.environ.get(POSTGRES)
    if not server:
        pytest.skip(f"{POSTGRES} names no PostgreSQL server")
    from sqlalchemy import create_engine, make_url, text

    url = make_url(server).set(drivername="postgresql+psycopg")
    name = f"trucam_{uuid4().hex}"
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
        yield url.set(database=name).render_as_string(hide_password=False)
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()
