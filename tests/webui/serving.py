"""Runs the real server in another process; phones send it what browsers send."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source
from scorekeeper.storage.ledger import Ledger

ROOT = Path(__file__).parents[2]
PLAY = ("-c", "from webui.cli import main; main()", "play", "--no-browser")
PATIENCE = 60
"""Seconds to wait for an answer at most: the machine may be busy."""


class Site:
    """A table and its server.

    Args:
        folder: The folder for the ledger and the table's file.

    Attributes:
        process: The server; None while it does not run.
        trust: For https, what the phones trust; None for http.
        opened: The open phones and streams: they are closed when the server ends.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger = folder / "ledger.sqlite"
        self.tables = folder / "tables"
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None
        self.trust: ssl.SSLContext | None = None
        self.opened: list[Phone | Stream] = []

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "PYTHONWARNINGS": "error",
            "TRUCAM_LEDGER": str(self.ledger),
            "TRUCAM_TABLES": str(self.tables),
            "XDG_DATA_HOME": str(self.folder),
        }

    @property
    def keys(self) -> dict[str, Any]:
        """The keys of the table, from its file."""
        access: dict[str, Any] = json.loads((self.tables / "table.json").read_text())["access"]
        return access

    def seat_link(self, seat: int) -> str:
        return f"/seat/{seat}?key={self.keys['seat_keys'][seat]}"

    def begin(self, header: Header, events: Sequence[Event] = ()) -> int:
        """Adds a match to the ledger before the server starts; the table will play it."""
        with Ledger(str(self.ledger)) as ledger:
            said = Said.now(Source.OPERATOR)
            match_id = ledger.add(header, events, said, begun=said.at)
        self.tables.mkdir(exist_ok=True)
        (self.tables / "table.json").write_text(json.dumps({"match": match_id}))
        return match_id

    def stored(self, match_id: int) -> list[dict[str, Any]]:
        """The events of a match in the ledger, as JSON objects."""
        with Ledger(str(self.ledger)) as ledger:
            return [entry.marked.to_json() for entry in ledger.read(ledger.match(match_id))]

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, *PLAY, "--local", "--port", str(self.port), *arguments]

    def start(self, command: Sequence[str] | None = None) -> None:
        """Starts the server without waiting for it."""
        self.process = subprocess.Popen(
            self.command() if command is None else command,
            env=self.environment, cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def await_answer(self, path: str = "/") -> None:
        """Waits until the server answers a request."""
        assert self.process is not None
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended: {self.process.communicate()}")
            try:
                with closing(Phone(self)) as phone:
                    if phone.get(path)[0] == 200:
                        return
            except ConnectionRefusedError:
                time.sleep(0.005)  # the server does not listen yet, and nothing tells when it does
        raise AssertionError("the server does not answer")

    def end(self) -> tuple[int, str, str]:
        """Stops the server; returns its exit status, output and errors."""
        process, self.process = self.process, None
        assert process is not None
        process.terminate()
        for one in self.opened:
            one.close()
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return process.returncode, out, err


@contextmanager
def served(site: Site, *arguments: str) -> Iterator[Site]:
    """Starts a server and waits until it answers; stops it at the end."""
    site.start(site.command(*arguments))
    try:
        site.await_answer()
        yield site
    finally:
        if site.process is not None:
            site.end()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class Phone:
    """A browser: its cookies, the token of its page, and one open connection."""

    def __init__(self, site: Site) -> None:
        self.site = site
        site.opened.append(self)
        self.cookie = self.token = ""
        self.connection: http.client.HTTPConnection
        if site.trust is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
        else:
            self.connection = http.client.HTTPSConnection(
                "127.0.0.1", site.port, timeout=PATIENCE, context=site.trust
            )

    def close(self) -> None:
        self.connection.close()

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Sends a request; returns the status, headers and body of the answer."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookie:
            sent.setdefault("Cookie", self.cookie)
        self.connection.request(method, path, body, sent)
        answer = self.connection.getresponse()
        found = answer.read()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            self.cookie = cookie.split(";")[0]
        return answer.status, answer.headers, found

    def get(self, path: str) -> tuple[int, bytes]:
        status, headers, found = self.ask("GET", path)
        if status == 302:
            return self.get(headers["Location"])
        token = re.search(rb'name="token" content="([^"]+)"', found)
        if token:
            self.token = token[1].decode()
        return status, found

    def sit(self, seat: int) -> Phone:
        """Opens the link of a seat."""
        status, _ = self.get(self.site.seat_link(seat))
        assert status == 200
        return self

    def host(self) -> Phone:
        """Opens the host's link."""
        status, _ = self.get(f"/host?key={self.site.keys['host_key']}")
        assert status == 200
        return self

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        """Sends JSON as the script of the pages does; returns status and JSON of the answer."""
        return self.post_raw(path, json.dumps(body), **headers)

    def post_raw(self, path: str, body: bytes | str, **headers: str) -> tuple[int, Any]:
        headers = {
            "Content_Type": "application/json",
            "Accept": "application/json",
            "X_CSRFToken": self.token,
            **headers,
        }
        status, _, found = self.ask("POST", path, body, **headers)
        return status, json.loads(found)

    def send_form(self, path: str, **fields: str) -> int:
        """Sends a form as the script of the pages does; returns the status of the answer."""
        status, _, _ = self.ask(
            "POST", path, urlencode(fields), X_CSRFToken=self.token, Accept="application/json",
            Content_Type="application/x-www-form-urlencoded",
        )  # fmt: skip
        return status

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.get("/api/v1/state")[1])
        return found

    def say(self, event: Event, seen: int) -> tuple[int, Any]:
        return self.post("/api/v1/events", {"seen": seen, "event": event.bare().to_json()})


class Stream:
    """An open stream of changes, which a screen follows.

    Args:
        phone: The phone that opens it.
        screen: The name of a screen, or the path of a stream.
    """

    def __init__(self, phone: Phone, screen: str = "board") -> None:
        self.socket: socket.socket = socket.create_connection(
            ("127.0.0.1", phone.site.port), timeout=PATIENCE
        )
        if phone.site.trust is not None:
            self.socket = phone.site.trust.wrap_socket(self.socket, server_hostname="127.0.0.1")
        cookie = f"Cookie: {phone.cookie}\r\n" if phone.cookie else ""
        path = screen if screen.startswith("/") else f"/live/{screen}"
        self.socket.sendall(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n{cookie}\r\n".encode())
        self._file = self.socket.makefile("rb")
        phone.site.opened.append(self)
        self.status = int(self._file.readline().split()[1])
        self.headers = http.client.parse_headers(self._file)

    def message(self) -> dict[str, Any]:
        """Waits for the next message; lines that only keep the connection open are skipped."""
        for line in self._file:
            if line.startswith(b"data: "):
                found: dict[str, Any] = json.loads(line[6:])
                return found
        raise EOFError("the stream ended")

    def number(self) -> int:
        """Waits for the next message; returns the number of its change."""
        return int(self.message()["number"].partition(".")[2])

    def close(self) -> None:
        self._file.close()
        self.socket.close()
