"""What all tests share: settings, where they write, and a PostgreSQL database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

# There is no deadline, for a test must not fail because the machine is busy. The examples are the
# same in each run.
settings.register_profile("trucam", max_examples=60, deadline=None, derandomize=True)
settings.load_profile("trucam")

MEMORY, ROOM = Path("/dev/shm"), 2 << 30
"""Where Linux keeps files in memory, and the free bytes there from which tests write there.

What they write does not outlive them, so nothing need wait for the disk. A ledger and a table's
file do so at each write, which took a third of the time of the pages' tests. The test that
installs the wheel holds 31 MB there. Benchmarks, which time the disk, write beside the checkout.
"""
TEMPORARY = "PYTEST_DEBUG_TEMPROOT"

POSTGRES = "TRUCAM_TEST_POSTGRES"
"""The environment variable with the address of a PostgreSQL server for the tests."""
BROWSER = "tests/browser/"


class BrowsersInTurn(LoadFileScheduling):
    """Runs all tests of a file in one process, and all tests with a browser in one, too.

    Several browsers at the same time would be slow.
    """

    def _split_scope(self, nodeid: str) -> str:
        return BROWSER if nodeid.startswith(BROWSER) else super()._split_scope(nodeid)


def pytest_configure() -> None:
    """Has tests write to memory, if there is room; in containers, programs may not run there."""
    if os.access(MEMORY, os.W_OK):
        there = os.statvfs(MEMORY)
        if there.f_bavail * there.f_frsize > ROOM and not there.f_flag & os.ST_NOEXEC:
            os.environ.setdefault(TEMPORARY, str(MEMORY))


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
