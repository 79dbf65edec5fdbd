"""The server's connections: gevent's, mended in three ways.

gevent's server waits for ever for a browser that has gone to sleep; here connections end. It holds
small answers back until the browser has acknowledged earlier ones; here they are sent at once. It
prints a traceback where a client sends nonsense; here the client gets one sentence.
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
"""How much the system keeps for a browser that does not read; a screen has some 10,000 bytes."""

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
"""Errors of sending to a device that has left the network; these are no faults of the server."""


class Connection(WSGIHandler):
    """One browser's connection."""

    ignored_socket_errors = (*WSGIHandler.ignored_socket_errors, *GONE)

    def handle(self) -> None:
        """Serves one connection, and closes the file that its requests were read from.

        gevent leaves that open as long as anything still refers to a request.
        """
        requests = self.rfile
        try:
            super().handle()
        finally:
            requests.close()

    def handle_one_request(self) -> Any:
        """Answers one request; what is no HTTP request is refused with one sentence."""
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
        """Ends a connection whose browser does not read; gevent reports all other errors."""
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
    """gevent's server with the connections of this module."""

    handler_class = Connection

    def handle(self, sock: socket.socket, address: Any) -> None:
        """Serves one connection."""
        make_ready(sock)
        with suppress(OSError):  # the browser may go while it is being refused
            super().handle(sock, address)

    def wrap_socket_and_handle(self, client_socket: socket.socket, address: Any) -> None:
        """Serves one https connection; browsers may try http here, or refuse the certificate."""
        make_ready(client_socket)
        with suppress(OSError):
            super().wrap_socket_and_handle(client_socket, address)


def make_ready(sock: socket.socket) -> None:
    """Has a socket send at once, and end where the browser no longer answers."""
    sock.settimeout(PATIENCE_SECONDS)
    with suppress(OSError):  # it may have gone already
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BYTES)
        if sys.platform == "linux":
            unheard = int(PATIENCE_SECONDS * 1000)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, unheard)


def allow_many() -> None:
    """Lets the process open many connections at once, as far as the system grants them.

    Some systems allow 256 at first.
    """
    if sys.platform != "win32":
        import resource

        wanted, (soft, hard) = 8192, resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def refusal(status: str) -> bytes:
    """A whole HTTP answer of one sentence, for requests that never reach the application."""
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
