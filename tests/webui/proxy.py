"""A proxy between a phone and the server: a test can cut this network, or slow it down."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress

PIECE, HELD = 2048, 8192
"""Bytes that are passed on at a time, and the size of the receive buffer."""


class Proxy:
    """Passes connections on from its own port to another port of this machine.

    Args:
        port: The other port.
        rate: Bytes a second that it carries to that port, over all connections; None: no limit.

    Attributes:
        port: Its own port.
        rate: The same; a test may change it.
    """

    def __init__(self, port: int, rate: float | None = None) -> None:
        self.rate, self._towards = rate, port
        self._flows, self._closed = threading.Event(), threading.Event()
        self._flows.set()
        self._refuses = False
        self._lock, self._due = threading.Lock(), 0.0
        self._sockets: set[socket.socket] = set()
        self._listener = socket.socket()
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, HELD)
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen()
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, *, silent: bool) -> None:
        """Cuts the network.

        Args:
            silent: Whether data just does not arrive, as when a phone is out of reach. If not,
                open connections end, and new ones are refused.
        """
        if silent:
            self._flows.clear()
        else:
            self._refuses = True
            self._end_all()

    def mend(self) -> None:
        """Ends the cut."""
        self._refuses = False
        self._flows.set()

    def close(self) -> None:
        """Closes all connections and the port."""
        self._closed.set()
        self._flows.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._end_all()

    def _end_all(self) -> None:
        with self._lock:
            ended, self._sockets = self._sockets, set()
        for one in ended:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self._refuses:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._towards))
            except OSError:  # nobody listens there
                near.close()
                continue
            with self._lock:
                self._sockets |= {near, far}
            for one, other, is_slow in ((near, far, True), (far, near, False)):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._pass, args=(one, other, is_slow), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket, is_slow: bool) -> None:
        with suppress(OSError):
            while piece := one.recv(PIECE if self.rate else 1 << 16):
                if is_slow and self.rate:
                    with self._lock:
                        now = time.monotonic()
                        self._due = max(self._due, now) + len(piece) / self.rate
                        pause = self._due - now
                    self._closed.wait(pause)
                self._flows.wait()
                other.sendall(piece)
        for each in (one, other):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        with self._lock:
            gone = {one} & self._sockets
            self._sockets -= gone
        one.close()
