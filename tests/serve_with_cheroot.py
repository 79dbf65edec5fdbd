"""The same application on cheroot, a thread a stream, to compare: for bench_screens."""

from __future__ import annotations

import signal
import sys

from cheroot.wsgi import Server

from scorekeeper.ledger import Ledger
from webui.app import create_app
from webui.memory import Memory
from webui.room import Room


def main(port: int, threads: int) -> None:
    """Serves the table on a port until it is told to stop."""
    with Ledger() as ledger:
        app = create_app(Room(ledger, Memory()), PORT=port)
        server = Server(("127.0.0.1", port), app, numthreads=threads, request_queue_size=1024)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            server.start()
        except KeyboardInterrupt:
            server.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
