"""A PostgreSQL server of our own, which can be stopped and started."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.faults.game import is_root
from tests.webui.serving import free_port


def programs() -> Path | None:
    """Where PostgreSQL's programs are; Debian keeps them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    named = shutil.which("initdb")
    return found[-1].parent if found else Path(named).parent if named else None


def _owner() -> str:
    """Who runs it where we are root, as whom it refuses to run."""
    known = {one.pw_name for one in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


class Cluster:
    """A server with one database; it runs inside ``with``.

    Args:
        folder: Where its data are kept is told by nobody; this is only its log's.
    """

    def __init__(self, folder: Path) -> None:
        found = programs()
        assert found is not None
        self._programs, self._port = found, free_port()
        # Its owner may enter no folder of ours.
        self._folder = Path(tempfile.mkdtemp(prefix="trucam-faults-"))
        self._runs = False
        if is_root():
            shutil.chown(self._folder, _owner())

    @property
    def url(self) -> str:
        """Where the ledger is."""
        return f"postgresql+psycopg://trucam@127.0.0.1:{self._port}/postgres"

    def __enter__(self) -> Self:
        self._run("initdb", "--pgdata=data", "--username=trucam", "--auth=trust", "--locale=C",
                  "--encoding=UTF8", "--no-sync")  # fmt: skip
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._runs:
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        options = f"-p {self._port} -h 127.0.0.1 -k '{self._folder}' -F"
        self._run("pg_ctl", "--pgdata=data", "--log=log", "--wait", f"--options={options}", "start")
        self._runs = True

    def stop(self) -> None:
        """Stops it at once, as a power cut would."""
        self._run("pg_ctl", "--pgdata=data", "--mode=immediate", "--wait", "stop")
        self._runs = False

    def _run(self, program: str, *arguments: str) -> None:
        user = ("runuser", "-u", _owner(), "--") if is_root() else ()
        subprocess.run(
            (*user, str(self._programs / program), *arguments),
            cwd=self._folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
