"""Serves the application with cheroot, a thread for each stream, to compare it in ``screens``."""

from __future__ import annotations

import sys

from cheroot.wsgi import Server

from scorekeeper.storage.ledger import Ledger
from webui.app import create_app
from webui.table.memory import Memory
from webui.table.room import Room


def main(port: int, threads: int) -> None:
    """Serves the table on a port until the process is ended."""
    with Ledger() as ledger:
        app = create_app(Room(ledger, Memory()), PORT=port)
        Server(("127.0.0.1", port), app, numthreads=threads, request_queue_size=1024).start()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
