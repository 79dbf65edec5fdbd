"""Starts a private PostgreSQL server: on the loopback, in a temporary folder."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Server(NamedTuple):
    """A running server.

    Attributes:
        url: The address of its empty database.
        kill: Stops the server at once, as a power cut would.
        start: Starts it again.
    """

    url: str
    kill: Callable[[], None]
    start: Callable[[], None]


def programs() -> Path | None:
    """The folder with the programs of the newest PostgreSQL here; None if none is installed."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"),
        key=lambda path: int(re.sub(r"\D", "", path.parts[-3]) or 0),
    )
    anywhere = shutil.which("initdb")
    if found:
        return found[-1].parent
    return None if anywhere is None else Path(anywhere).resolve().parent


@contextmanager
def private_postgres() -> Iterator[Server | None]:
    """Starts a server with an empty database; yields None if PostgreSQL is not installed."""
    where = programs()
    if where is None:
        yield None
        return
    with (
        tempfile.TemporaryDirectory(prefix="trucam-") as folder,
        _running(where, Path(folder)) as server,
    ):
        yield server


@contextmanager
def _running(where: Path, home: Path) -> Iterator[Server]:
    owner: list[str] = []
    if hasattr(os, "getuid") and os.getuid() == 0:  # PostgreSQL refuses to run as root
        user = "postgres" if _exists("postgres") else "nobody"
        shutil.chown(home, user)
        owner = ["runuser", "-u", user, "--"]
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    data = home / "data"
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= "
    options += "-c max_connections=700"
    password = secrets.token_hex(8)
    (home / "password").write_text(password)

    def run(program: str, *arguments: str) -> None:
        subprocess.run(
            [*owner, str(where / program), *arguments], check=True, cwd=home,
            env={**os.environ, "PGPASSWORD": password},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    # It asks for passwords: otherwise a table could write without its key.
    run("initdb", "-D", str(data), "-U", "trucam", "-A", "scram-sha-256", "--pwfile",
        str(home / "password"), "-E", "UTF8", "--locale=C")  # fmt: skip

    def start() -> None:
        run("pg_ctl", "-D", str(data), "-o", options, "-l", str(home / "log"), "-w", "start")

    def kill() -> None:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")

    start()
    try:
        run("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "trucam", "trucam")
        url = f"postgresql+psycopg://trucam:{password}@127.0.0.1:{port}/trucam"
        yield Server(url, kill, start)
    finally:
        if (data / "postmaster.pid").exists():
            kill()


def _exists(user: str) -> bool:
    return subprocess.run(["id", user], capture_output=True, check=False).returncode == 0
