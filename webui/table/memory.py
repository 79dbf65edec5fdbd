"""What a table remembers between two runs of the program, in one small file of its own."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from threading import Lock
from typing import Any, Self

import platformdirs
from filelock import FileLock, Timeout

from scorekeeper.errors import ScorekeeperError
from scorekeeper.files import written_whole
from scorekeeper.storage.erasure import is_name, without_name_in_header

FOLDER = "TRUCAM_TABLES"
"""Names another folder than the one in the user's data folder."""


class TableError(ScorekeeperError):
    """The table's file cannot be used."""


class Memory:
    """The file of one table: which match it plays, its keys, and which phones hold which seats.

    Only one process has it at a time.

    Args:
        name: The table's name; two tables on one machine have different ones.
        where: The folder of the file; None for the one in the user's data folder.

    Attributes:
        data: What is remembered: JSON objects, lists, texts and numbers. It is never changed in
            place, so that it may be read without a lock; see ``changing``.

    Raises:
        TableError: Another process serves this table, or its file cannot be read or written.
    """

    def __init__(self, name: str = "table", where: Path | None = None) -> None:
        if not re.fullmatch(r"[\w-]{1,40}", name):
            raise TableError(f"{name!r} cannot name a table: use letters, digits and dashes.")
        self.name = name
        self._changing = Lock()
        self._path = (where or folder()) / f"{name}.json"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = FileLock(self._path.with_suffix(".lock"))
            self._lock.acquire(timeout=0)
            self.data = self._read()
        except Timeout:
            raise TableError(
                "This table is served already on this machine; for a second one, "
                "name it: trucam play --table second"
            ) from None
        except OSError as error:
            raise TableError(
                f"{error.filename or self._path} cannot be used: {error.strerror}."
            ) from None

    def _read(self) -> dict[str, Any]:
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise self.damaged()
        return data

    def damaged(self) -> TableError:
        """The error to raise where the file holds something that this program does not write."""
        return TableError(f"{self._path} is damaged; move it away, and new links are made.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def changing(self) -> Iterator[dict[str, Any]]:
        """Yields a copy to be changed; at the end it is on disk, or nothing has changed.

        Raises:
            TableError: It cannot be written.
        """
        with self._changing:
            data = deepcopy(self.data)
            yield data
            self._write(data)
            self.data = data

    def _write(self, data: dict[str, Any]) -> None:
        """Writes the file whole, or leaves it as it was; only its owner may read it."""
        try:
            with written_whole(self._path) as file:
                file.write(json.dumps(data, indent=1).encode())
        except OSError as error:
            raise TableError(f"{self._path} cannot be written: {error.strerror}.") from None

    def close(self) -> None:
        """Lets another process serve the table."""
        self._lock.release()


def folder() -> Path:
    """The folder of the tables' files."""
    named = os.environ.get(FOLDER, "").strip()
    return (
        Path(named) if named else platformdirs.user_data_path("trucam", appauthor=False) / "tables"
    )


def forget_at_tables(name: str) -> int:
    """Removes a person's name from what all tables of this machine remember.

    Returns:
        How many tables remembered it.

    Raises:
        TableError: A table that remembers it is being served, or its file cannot be changed.
    """
    found = 0
    for path in sorted(folder().glob("*.json")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if json.dumps(name)[1:-1] not in text and name not in text:
            continue
        with Memory(path.stem) as memory:
            before = memory.data
            with memory.changing() as data:
                for key in ("last", "draft"):
                    if data.get(key):
                        data[key] = json.loads(without_name_in_header(json.dumps(data[key]), name))
                if "names" in data:
                    data["names"] = [one for one in data["names"] if not is_name(one, name)]
            found += memory.data != before
    return found
