"""A PostgreSQL server of one's own: on loopback, in a folder of its own, gone in the end."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Server(NamedTuple):
    """A server that runs.

    Attributes:
        url: Of its empty database.
        kill_and_start: Ends it as a power cut does, and starts it again.
    """

    url: str
    kill_and_start: Callable[[], None]


def programs() -> Path | None:
    """The folder of the newest server that is installed, or None."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"),
        key=lambda path: int(re.sub(r"\D", "", path.parts[-3]) or 0),
    )
    anywhere = shutil.which("initdb")
    if found:
        return found[-1].parent
    return None if anywhere is None else Path(anywhere).resolve().parent


@contextmanager
def private_postgres(folder: Path) -> Iterator[Server | None]:
    """Starts a server with an empty database; None where none is installed.

    Args:
        folder: Where its files may lie; its owner must be able to enter it.
    """
    where = programs()
    if where is None:
        yield None
        return
    home = folder / "postgres"
    home.mkdir()
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

    def run(program: str, *arguments: str) -> None:
        subprocess.run(
            [*owner, str(where / program), *arguments], check=True, cwd=home,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    run("initdb", "-D", str(data), "-U", "trucam", "-A", "trust", "-E", "UTF8", "--locale=C")

    def start() -> None:
        run("pg_ctl", "-D", str(data), "-o", options, "-l", str(home / "log"), "-w", "start")

    def kill_and_start() -> None:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
        start()

    start()
    try:
        run("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "trucam", "trucam")
        url = f"postgresql+psycopg://trucam@127.0.0.1:{port}/trucam"
        yield Server(url, kill_and_start)
    finally:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")


def _exists(user: str) -> bool:
    return subprocess.run(["id", user], capture_output=True, check=False).returncode == 0
