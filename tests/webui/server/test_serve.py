"""The parts of the server: it takes a free port, checks the certificate, and answers."""

from __future__ import annotations

import socket
import ssl
import urllib.request
from typing import Any

import gevent
import pytest

from tests.webui.tls import certificate_and_key
from webui.server import serve
from webui.server.certificate import fingerprint, own_certificate, own_context
from webui.server.connections import Server
from webui.server.serve import CannotServe, Secure, listen, serve_room, tls_context

HERE = "127.0.0.1"


def test_the_first_free_port_is_taken(monkeypatch) -> None:
    with socket.create_server((HERE, 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(serve, "FIRST_PORT", port)
        with listen(HERE, None) as found:
            assert port < found.getsockname()[1] < port + serve.PORTS


def test_a_taken_port_is_refused_in_one_sentence(monkeypatch) -> None:
    with socket.create_server((HERE, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"Nothing can be served on port {port}: Address"):
            listen(HERE, port)
        monkeypatch.setattr(serve, "FIRST_PORT", port)
        monkeypatch.setattr(serve, "PORTS", 1)
        with pytest.raises(CannotServe, match=f"any port from {port} to {port}: Address"):
            listen(HERE, None)


@pytest.mark.parametrize("text", [None, "", "no certificate"])
def test_a_file_that_is_no_certificate_is_refused_in_one_sentence(tmp_path, text) -> None:
    files = [str(tmp_path / name) for name in ("cert", "key")]
    if text is not None:
        for file in files:
            with open(file, "w") as out:
                out.write(text)
    with pytest.raises(CannotServe, match="are no certificate and its key: ") as caught:
        tls_context(*files)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("way", ["http", "https", "https beside http"])
def test_a_table_is_served_until_it_is_stopped(room, tmp_path, monkeypatch, way) -> None:
    context, client, secure = None, None, None
    if way == "https":
        files = [str(file) for file in certificate_and_key(tmp_path)]
        context = tls_context(*files)
        client = ssl.create_default_context(cafile=files[0])
    elif way == "https beside http":
        kept = own_certificate([HERE], tmp_path)
        secure = Secure(listen(HERE, 0), own_context(kept), fingerprint(kept))
        client = ssl.create_default_context(cafile=kept)
    servers, answers = [], []

    class Watched(Server):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            servers.append(self)

    monkeypatch.setattr(serve, "Server", Watched)
    listener = listen(HERE, 0)
    port = listener.getsockname()[1] if secure is None else secure.port
    link = f"{way.partition(' ')[0]}://{HERE}:{port}/api/v1/state"

    def fetch() -> None:
        with urllib.request.urlopen(link, context=client, timeout=30) as answer:
            answers.append((answer.status, answer.headers["Server"], answer.read()))

    def ask() -> None:
        try:
            gevent.get_hub().threadpool.apply(fetch)
        finally:
            servers[0].stop()

    serve_room(
        room,
        listener,
        name="table",
        local=True,
        context=context,
        secure=secure,
        ready=lambda: gevent.spawn(ask),
    )
    assert answers[0][0] == 200
    assert b'"stage":"setup"' in answers[0][2]
