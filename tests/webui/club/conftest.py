"""A club's hall, and browsers that show its pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper.storage.ledger import Ledger
from tests.webui.phones import Phone
from webui.club.app import create_club_app
from webui.club.room import Club
from webui.table.memory import Memory


@pytest.fixture
def club(folder: Path, ledger: Ledger) -> Iterator[Club]:
    """A club without a tournament."""
    with Memory("club") as memory:
        yield Club(ledger, memory)


@pytest.fixture
def hall_app(club: Club) -> Flask:
    """The application that serves the hall."""
    return create_club_app(club)


@pytest.fixture
def visitor(hall_app: Flask) -> Phone:
    """A phone without any key: it may only look."""
    return Phone(hall_app)


@pytest.fixture
def chief(hall_app: Flask, club: Club) -> Phone:
    """The host's browser."""
    phone = Phone(hall_app)
    assert phone.get(f"/host?key={club.access.host_key}").status_code == 302
    return phone
