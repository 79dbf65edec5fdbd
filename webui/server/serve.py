"""Serves an application with gevent, which needs no thread for each screen's open stream."""

from __future__ import annotations

import signal
import socket
import ssl
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import gevent
from flask import Flask

from scorekeeper.errors import ScorekeeperError
from scorekeeper.reports.archive import Archive
from webui.app import create_app
from webui.server.connections import Server, allow_many
from webui.table.room import Room

FIRST_PORT, FIRST_SECURE, PORTS = 8080, 8443, 20
BACKLOG = 1024


class Secure(NamedTuple):
    """A second port with https, for the phone that is the camera; see ``server.certificate``.

    Attributes:
        listener: The socket to serve on.
        context: The context for https.
        fingerprint: The certificate's fingerprint, for people to compare.
    """

    listener: socket.socket
    context: ssl.SSLContext
    fingerprint: str

    @property
    def port(self) -> int:
        """The number of the port."""
        return int(self.listener.getsockname()[1])


class CannotServe(ScorekeeperError):
    """The server could not be started."""


def listen(host: str, port: int | None, *, first: int | None = None) -> socket.socket:
    """Opens a socket to serve on.

    Args:
        host: The address to listen on; empty for all.
        port: The port; None for the first free one.
        first: The port from which a free one is sought; None for 8080.

    Raises:
        CannotServe: The port is taken, or may not be used.
    """
    first = FIRST_PORT if first is None else first
    ports = [port] if port is not None else range(first, first + PORTS)
    for one in ports:
        try:
            return socket.create_server((host, one), backlog=BACKLOG)
        except OSError as error:
            reason = error.strerror
    named = f"port {port}" if port is not None else f"any port from {ports[0]} to {ports[-1]}"
    raise CannotServe(f"Nothing can be served on {named}: {reason}. Name another with --port.")


def tls_context(certificate: str, key: str) -> ssl.SSLContext:
    """The context for https.

    Raises:
        CannotServe: The files are not a certificate and its key.
    """

    def locked() -> str:
        raise CannotServe(f"{key} is locked by a passphrase: serve a key without one.")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, locked)
    except OSError as error:  # an SSLError is one
        raise CannotServe(
            f"{certificate} and {key} are no certificate and its key: {error.strerror or error}."
        ) from None
    return context


def serve_room(
    room: Room,
    listener: socket.socket,
    *,
    name: str,
    local: bool,
    names: Sequence[str] = (),
    context: ssl.SSLContext | None = None,
    secure: Secure | None = None,
    own: Callable[[], str] | None = None,
    ready: Callable[[], None],
) -> None:
    """Serves a table until the process is told to stop.

    Args:
        room: The table.
        listener: The socket to serve on.
        name: The table's name.
        local: Whether only this machine can open pages.
        names: Further names of this machine.
        context: The context for https; None to serve http.
        secure: A second port with https, for the phone that is the camera.
        own: In a demo: ends it, prepares a table of one's own, and returns the link of its host.
        ready: Called once requests are answered.
    """
    app = create_app(
        room,
        name=name,
        tls=context is not None,
        HOST_NAMES=tuple(names),
        LOCAL=local,
        OWN_TABLE=own,
        PORT=listener.getsockname()[1],
        SECURE_PORT=None if secure is None else secure.port,
        FINGERPRINT="" if secure is None else secure.fingerprint,
    )
    serve_app(app, listener, context=context, secure=secure, ready=ready)


def serve_app(
    app: Flask,
    listener: socket.socket,
    *,
    context: ssl.SSLContext | None = None,
    secure: Secure | None = None,
    ready: Callable[[], None],
) -> None:
    """Serves an application until the process is told to stop; arguments as for ``serve_room``."""
    more: dict[str, Any] = {} if context is None else {"ssl_context": context}
    allow_many()
    listener.setblocking(False)
    server = Server(listener, app, log=None, **more)
    archive: Archive = app.extensions["archive"]
    https_server = None
    if secure is not None:
        secure.listener.setblocking(False)
        https_server = Server(secure.listener, app, log=None, ssl_context=secure.context)
    server.start()  # before signals may stop it
    if https_server is not None:
        https_server.start()
    # gevent handles signals between two requests, so whatever is being written is finished.
    ends = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(end) for end in ends]
    watched = [gevent.signal_handler(end, server.stop) for end in ends]
    try:
        ready()
        archive.read_ahead()
        server.serve_forever()
    finally:
        archive.close()
        if https_server is not None:
            https_server.stop()
        for end, watcher, handler in zip(ends, watched, before, strict=True):
            watcher.cancel()
            signal.signal(end, handler)
