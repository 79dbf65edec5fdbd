"""Starts the program as a user does, and sends the requests of a host without a browser."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import APIRequestContext, Playwright

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Said, Source
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.talk import NAMES, event

ROOT = Path(__file__).parent.parent.parent
START_SECONDS = 60
PROGRAM = (  # without the limit on writing: the tests' host clears the table very often
    "from webui.cli import main; from webui.requests import security; "
    "security.MOST_WRITES = 10_000; main()"
)


def free_port() -> int:
    """A free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Served:
    """A table that another process serves.

    Args:
        folder: The folder for its ledger and for what it remembers.
        command: The command of ``trucam`` that serves the table.
        program: Python code that runs the command.
        options: Further options of the command.

    Attributes:
        url: The address at which it answers.
        host_link: The link with the host's key, as the program printed it.
        seconds: How long it took to start.
    """

    def __init__(
        self, folder: Path, *, command: str = "play", program: str = PROGRAM,
        options: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self._command, self._program, self._options = command, program, options
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.errors = folder / "errors.txt"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        environment = os.environ | {
            "TRUCAM_LEDGER": str(self.folder / "ledger.sqlite3"),
            "TRUCAM_TABLES": str(self.folder),
            "XDG_DATA_HOME": str(self.folder),
            "TRUCAM_CAMERAS": str(self.folder / "cameras"),
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
        }
        options = [
            self._command,
            "--local",
            "--no-browser",
            "--port",
            str(self.port),
            *self._options,
        ]
        begun = time.monotonic()
        with self.errors.open("a") as errors:
            process = subprocess.Popen(
                [sys.executable, "-c", self._program, *options],
                cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
        self._process = process
        assert process.stdout is not None
        # If the program prints nothing, a timer kills it, and the loop below ends.
        late = threading.Timer(START_SECONDS, process.kill)
        late.start()
        for line in process.stdout:
            if "/host?key=" in line:
                self.host_link = line.strip()
                break
        else:
            raise AssertionError(f"it did not start: {self.errors.read_text()}")
        late.cancel()
        self.seconds = time.monotonic() - begun

    def kill(self) -> None:
        """Kills it, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stops it, as Ctrl-C does."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.communicate(timeout=START_SECONDS)

    def seat_link(self, seat: int) -> str:
        """The link in a seat's QR code."""
        return f"{self.url}/seat/{seat}?key={self._access()['seat_keys'][seat]}"

    @property
    def camera_key(self) -> str:
        """The key in the camera's QR code."""
        return str(self._access()["camera_key"])

    def held(self) -> list[int]:
        """The seats that phones hold."""
        phones = self._access()["phones"].values()
        return sorted(phone["seat"] for phone in phones if "seat" in phone)

    def _access(self) -> dict[str, Any]:
        memory = json.loads((self.folder / "table.json").read_text())
        found: dict[str, Any] = memory["access"]
        return found

    def add(self, header: Header, events: list[str]) -> int:
        """Adds a match to the ledger from this process; returns its number."""
        with Ledger(str(self.folder / "ledger.sqlite3")) as ledger:
            said, begun = Said.now(Source.IMPORT), datetime.now().astimezone()
            return ledger.add(header, [event(text) for text in events], said, begun)


class Desk:
    """Sends the host's requests without a page, to prepare a table for a test."""

    def __init__(self, playwright: Playwright, served: Served) -> None:
        self._served = served
        self._requests: APIRequestContext = playwright.request.new_context(base_url=served.url)
        page = self._requests.get(served.host_link).text()
        found = re.search(r'name="token" content="([^"]+)"', page)
        assert found, page
        self._token = found[1]

    def close(self) -> None:
        """Closes its connections."""
        self._requests.dispose()

    def post(self, path: str, **form: Any) -> None:
        """Sends a form of the host's page."""
        answer = self._requests.post(
            path, form=form, headers={"X-CSRFToken": self._token, "Accept": "application/json"}
        )
        assert answer.ok, answer.text()

    def state(self) -> dict[str, Any]:
        """The table, as the API shows it to the host."""
        found: dict[str, Any] = self._requests.get("/api/v1/state").json()
        return found

    def number(self) -> str:
        """The number of the latest change, which every screen must show in the end."""
        return str(self._requests.get("/live/board/poll").json()["number"])

    def table(self, game: str, *events: str, seats: int = 2, **header: Any) -> int:
        """Has the table play a match that already has these events."""
        names = header.pop("names", NAMES[:seats])
        said = [text.strip() for part in events for text in part.split(",") if text.strip()]
        match_id = self._served.add(Header(game=game, seats=tuple(names), **header), said)
        self.post("/host/resume", match=match_id)
        return match_id
