"""A table for the tests that send it bad requests."""

from __future__ import annotations

import pytest

from scorekeeper.storage.ledger import Ledger
from tests.webui.bad.visitors import Visitor, begin
from webui.app import create_app
from webui.requests.security import Writes
from webui.table.memory import Memory
from webui.table.room import Room


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """A table in the second trick of a hand; all tests of a module share it."""
    folder = tmp_path_factory.mktemp("table")
    with Ledger(str(folder / "ledger")) as ledger, Memory("table", folder) as memory:
        room = Room(ledger, memory)
        begin(room)
        yield room


@pytest.fixture
def anew(room):
    """For a test that changes the match: after it, a new match begins."""
    yield
    begin(room)


@pytest.fixture(scope="module")
def app(room):
    return create_app(room)


@pytest.fixture
def visitor(app, room):
    """Makes browsers. The limits on writing are reset, for many tests use the same seat."""
    app.extensions["writes"] = Writes()
    return lambda: Visitor(room, app.test_client())


@pytest.fixture
def unmoved(room):
    """Checks that the test has not changed the match."""
    before = room.table.log()
    yield
    assert room.table.log() == before
