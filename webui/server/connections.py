"""How the server inside treats browsers: at once, not for ever, and without a word in the terminal.

gevent's server waits for ever for a browser that has gone to sleep, holds small answers back until
the first packet of each is acknowledged, and prints a traceback where a client talks nonsense.
"""

from __future__ import annotations

import errno
import logging
import socket
import sys
from contextlib import suppress
from types import TracebackType
from typing import Any

from gevent.pywsgi import WSGIHandler, WSGIServer

from webui.requests.security import HEADERS

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 60.0
"""How long a browser may be silent between two requests, or take to accept one message."""

UNSENT_BYTES = 256 * 1024
"""What the system keeps for a browser that does not read; a screen has some ten thousand."""

SENTENCES = {
    "400": "This is no request that a browser would make.",
    "414": "This address is too long.",
}

GONE = (
    errno.EPIPE,
    errno.ECONNRESET,
    errno.ECONNABORTED,
    errno.ETIMEDOUT,
    errno.EHOSTUNREACH,
    errno.ENETUNREACH,
    errno.ENETDOWN,
)
"""What sending to a device says that has left the network; no error of the server's."""


class Connection(WSGIHandler):
    """One browser's connection."""

    ignored_socket_errors = (*WSGIHandler.ignored_socket_errors, *GONE)

    def handle(self) -> None:
        """Serves one connection; what reads from it goes with it, whoever still holds a request."""
        reads = self.rfile
        try:
            super().handle()
        finally:
            reads.close()

    def handle_one_request(self) -> Any:
        """Answers one request; what is no request gets one sentence, as every refusal."""
        result = super().handle_one_request()
        if isinstance(result, tuple):
            status = str(result[0])
            return status, refusal(status)
        return result

    def _handle_client_error(self, ex: Exception) -> tuple[str, bytes] | None:
        log.debug("no request from %s: %s", self.client_address, ex)
        return None if isinstance(ex, OSError) else ("400", b"")  # or else the line broke

    def handle_error(
        self,
        t: type[BaseException] | None,
        v: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        """Ends a connection that does not take what is sent; other errors are the server's."""
        if isinstance(v, TimeoutError):
            self.close_connection = True
        else:
            super().handle_error(t, v, tb)

    def _send_error_response_if_possible(self, error_code: int) -> None:
        self.close_connection = True
        if not self.response_length:
            with suppress(OSError):
                self.socket.sendall(refusal(str(error_code)))


class Server(WSGIServer):
    """The server: ``WSGIServer`` with connections that end."""

    handler_class = Connection

    def handle(self, sock: socket.socket, address: Any) -> None:
        """Serves one connection."""
        make_ready(sock)
        with suppress(OSError):  # who goes in the midst of a refusal misses nothing
            super().handle(sock, address)

    def wrap_socket_and_handle(self, client_socket: socket.socket, address: Any) -> None:
        """Serves one connection by https; browsers try http there, or end over the certificate."""
        make_ready(client_socket)
        with suppress(OSError):
            super().wrap_socket_and_handle(client_socket, address)


def make_ready(sock: socket.socket) -> None:
    """Sends at once, and notices who has gone."""
    sock.settimeout(PATIENCE_SECONDS)
    with suppress(OSError):  # it may have gone already
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BYTES)
        if sys.platform == "linux":
            unheard = int(PATIENCE_SECONDS * 1000)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, unheard)


def allow_many() -> None:
    """Lets the process hold as many connections as the system grants; some start with 256."""
    if sys.platform != "win32":
        import resource

        wanted, (soft, hard) = 8192, resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def refusal(status: str) -> bytes:
    """A whole answer of one sentence, where the application was not even asked."""
    sentence = SENTENCES.get(status, "Something went wrong here; try again.").encode()
    lines = [
        f"HTTP/1.1 {status} Refused",
        "Connection: close",
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(sentence)}",
        "Cache-Control: no-store",
        *(f"{name}: {value}" for name, value in HEADERS.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + sentence
