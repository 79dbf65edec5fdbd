"""What the tests of ``webui`` share: a table, its ledger, and browsers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule

from scorekeeper.storage.ledger import Ledger
from tests.webui.compiled import COMPILED, builder_of
from tests.webui.phones import Phone, host_of, seat_of
from webui.app import create_app
from webui.cli import SERVING, main
from webui.table.memory import Memory
from webui.table.room import Room


@pytest.fixture(autouse=True, scope="session")
def compiled() -> Iterator[None]:
    """Compiles once: templates took two fifths of the tests' time, URL rules a tenth."""
    make = Flask.create_jinja_environment

    def with_cache(app: Flask) -> Any:
        environment = make(app)
        environment.bytecode_cache = COMPILED
        return environment

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "create_jinja_environment", with_cache)
        patch.setattr(Rule, "_compile_builder", builder_of)
        yield


@pytest.fixture
def trucam(monkeypatch, capsys):
    """Runs a command in this process; returns its exit status, output and errors.

    Commands that serve are not allowed: gevent would patch this process (``webui.cli.LazyGroup``).
    """

    def run(*arguments: object) -> tuple[int, str, str]:
        assert not (SERVING & set(arguments) and not {"-h", "--help"} & set(arguments))
        monkeypatch.setattr(sys, "argv", ["trucam", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this test's ledger and tables."""
    monkeypatch.setenv("TRUCAM_LEDGER", str(tmp_path / "ledger"))
    monkeypatch.setenv("TRUCAM_TABLES", str(tmp_path / "tables"))
    return tmp_path


@pytest.fixture
def memory(folder: Path) -> Iterator[Memory]:
    """What a new table remembers."""
    memory = Memory()
    yield memory
    memory.close()


@pytest.fixture(scope="session")
def empty_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty ledger to copy. To make a new one took a tenth of the time of most tests."""
    path = tmp_path_factory.mktemp("empty") / "ledger"
    Ledger(str(path)).close()
    return path


@pytest.fixture
def ledger(folder: Path, empty_ledger: Path) -> Iterator[Ledger]:
    """A new, open ledger."""
    copy(empty_ledger, folder / "ledger")
    with Ledger() as ledger:
        yield ledger


@pytest.fixture
def room(ledger: Ledger, memory: Memory) -> Room:
    """A table that is not set up yet."""
    return Room(ledger, memory)


@pytest.fixture
def app(room: Room) -> Flask:
    """The application that serves the table. An error becomes an answer, as for users."""
    return create_app(room)


@pytest.fixture
def client(app: Flask) -> Phone:
    """A phone without any key: it may only look."""
    return Phone(app)


@pytest.fixture
def host(app: Flask, room: Room) -> Phone:
    """A browser that has opened the host's link."""
    return host_of(app, room)


@pytest.fixture
def seated(app: Flask, room: Room) -> Callable[[int], Phone]:
    """Makes a new phone that has opened the link of a seat."""

    def sit(seat: int) -> Phone:
        return seat_of(app, room, seat)

    return sit


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Replaces ``webui.camera.camera.later``, so that nothing happens by itself.

    The list has its calls: seconds, function and argument.
    """
    waiting: list[tuple[Any, ...]] = []

    def later(seconds: float, act: Callable[..., None], about: object) -> None:
        waiting.append((seconds, act, about))

    monkeypatch.setattr("webui.camera.camera.later", later)
    return waiting
