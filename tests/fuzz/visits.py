"""Mutated requests to the application. Each must be accepted or refused, and lose nothing.

They go to every path, every form, the API and the phone that is the camera, from people with all
keys, some keys or none. The watching process is replaced by one that accepts everything.
"""

from __future__ import annotations

import io
import json
import logging
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self
from unittest.mock import patch
from urllib.parse import quote, urlencode

from scorekeeper.history.repairs import insertions, repairs, undo_last
from scorekeeper.history.timeline import timeline
from scorekeeper.text.i18n import LANGUAGES
from tests.fuzz.clicks import Errors
from tests.fuzz.mutate import NUMBERS, TEXTS, Logged, Mutator
from tests.fuzz.served import NobodyWatches, Served
from tests.scorekeeper.playouts import any_event, operators
from tests.vision.capture.test_phone_feed import jpeg
from webui.camera import camera

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
RARE = ("/source.zip", "/host/camera/markers.pdf", "/static/<path:filename>")
"""Paths that take long to answer, or are files: they are asked for rarely."""
CHECKED = 1_000
"""After so many requests, pages are opened, and the ledger is compared with the table."""
MATCH_LASTS, TABLE_LASTS = 1_000, 10_000
"""After so many requests another match begins, and another table."""
FIELDS = {
    "/host/setup": ("game", "players", "name0", "name1", "name2", "name3", "best_of", "watched",
                    "trut.variants", "le_truc_ace.option.target", "trut.option.target", "names",
                    "both_sides"),
    "/host/cut": ("seat", "rank"), "/host/begin": ("dealer",), "/host/resume": ("match",),
    "/host/printing": ("printing",), "/host/revoke": ("seat",), "/seat/<int:seat>": ("key",),
    "/language": ("code", "back"),
    "/agreed": ("points", "name", "note", "asked", "agreed", "new_link"),
    "/host/camera/choose": ("camera", "address"), "/host/camera/deck/use": ("deck",),
    "/host/camera/deck/learn": ("name",), "/dispute/<int:match_id>/answer": ("number", "seen",
                                                                             "word", "fix"),
}  # fmt: skip
"""The fields of the forms, by path."""
PRESERVED = frozenset({200, 204, 206, 302, 304, 308, 400, 403, 404, 405, 409, 413, 415, 416, 421,
                       422, 429})  # fmt: skip
"""The statuses of requests that were accepted or refused; all others are errors."""
WORDS = ("agree", "refuse", "withdraw", "french", "spanish", "phone", "camera", "none", "address",
         "K", "7", "1 R D V", "Home", "Ana", "fr", "2", "4", "trut", "le_truc_ace", "on",
         "http://192.168.1.30:8080/video", "rtsp://u:secret@10.0.0.2/1", "/etc/passwd")  # fmt: skip


class Asked(NamedTuple):
    """A request.

    Attributes:
        method: ``GET`` and the like.
        path: The path with its query, percent-encoded.
        headers: The headers by name; only latin-1, for nothing else can be sent.
        body: What is sent.
    """

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@contextmanager
def without_cameras() -> Iterator[None]:
    """Replaces the supervisor: a camera can be chosen, but no process watches."""
    with (
        patch.object(camera, "Supervisor", NobodyWatches),
        patch.object(camera, "later", lambda *_: None),
        patch.object(sys.modules["webui.pages.camera"], "_webcams", lambda: [("0", "Cam")]),
    ):
        yield


class Visits:
    """Makes mutated requests and sends them.

    Args:
        seed: Decides all that is random.
        folder: A folder for ledgers.

    Attributes:
        taken: How many were answered with a status of 2xx or 3xx.
        statuses: How often each path answered with each status.
    """

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = Random(seed)
        self._mutator = Mutator(self.chance)
        self._folder, self._tables, self._asked = folder, 0, 0
        self._sound = True
        self._errors = Errors()
        logging.getLogger().addHandler(self._errors)
        self.statuses: Counter[str] = Counter()
        self.taken = 0
        self._served = self._new_table()
        self._rules = [
            (str(rule), method)
            for rule in self._served.app.url_map.iter_rules()
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
        ]
        self._forms = [(rule, method) for rule, method in self._rules if method == "POST"]
        self._picture = jpeg()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._served.close()
        logging.getLogger().removeHandler(self._errors)

    def _new_table(self) -> Served:
        self._tables += 1
        served = Served(self._folder / str(self._tables), self.chance)
        served.begin()
        return served

    def _begin(self) -> None:
        """Begins another match; if that fails, a new table is made for the next request."""
        self._sound = False
        self._errors.told.clear()
        try:
            self._served.begin()
        except AssertionError:
            raise Logged("\n".join(self._errors.told) or "no match can be begun") from None
        self._sound = True

    # --- what is asked ---

    def next(self) -> Asked:
        """The next mutated request."""
        self._asked += 1
        if self._asked % TABLE_LASTS == 0 or not self._sound:
            self._sound = True
            self._served.close()
            self._served = self._new_table()
        elif self._asked % MATCH_LASTS == 0 or (
            self._served.room.snapshot().match_id is None and self.chance.random() < 0.05
        ):
            self._begin()
        asked = self._api() if self.chance.random() < 0.7 else self._any_page()
        return self._mutated(asked) if self.chance.random() < 0.95 else asked

    def _api(self) -> Asked:
        """A request of a phone's page, as JSON; one field is mutated, or none."""
        chance, room = self.chance, self._served.room
        snapshot = room.snapshot()
        match_id = snapshot.match_id or 1
        body: Any = {"match": match_id, "seen": len(snapshot.events)}
        path = "/api/v1/events"
        kind = chance.random()
        if kind < 0.55:
            body["event"] = self._event()
        elif kind < 0.8:
            path = "/api/v1/repairs"
            body["repair"] = self._repair()
        elif kind < 0.85:
            path = "/api/v1/answers"
            body = {"question": "1.1.7", "answer": "play K"}
        elif kind < 0.95:
            path = f"/dispute/{match_id}/{chance.randrange(1, 30)}/propose"
            body["repair"] = self._repair()
        else:
            path, body = "/host/camera/corners", {"corners": [[0.1, 0.1]] * 4}
        for _ in range(chance.choice((0, 1, 1, 1, 2))):
            body = self._mutator.json(body)
        return Asked("POST", path, self._who(JSON), json.dumps(body).encode())

    def _event(self) -> Any:
        match = self._served.room.snapshot().match
        event = None if match is None else any_event(match, self.chance, operator=0.3)
        return {"do": "deal", "seat": 0, "cards": 3} if event is None else event.bare().to_json()

    def _agreed(self) -> Any:
        """An agreement that is allowed now."""
        match = self._served.room.snapshot().match
        said = None if match is None else operators(match, self.chance)
        return {"do": "adjust", "side": 0, "points": 1} if said is None else said.to_json()

    def _repair(self) -> Any:
        """The token of a correction; rarely one that is offered, for that takes long to find."""
        snapshot, chance = self._served.room.snapshot(), self.chance
        seq = chance.randrange(1, len(snapshot.events) + 2)
        if snapshot.match is not None and snapshot.events and chance.random() < 0.05:
            log = snapshot.events
            last = timeline(snapshot.match, log, "en")[-1:]
            offers = [
                *insertions(snapshot.match, log, None, "en"),
                *(offer for one in last for offer in repairs(snapshot.match, log, one.seq, "en")),
            ]
            latest = undo_last(snapshot.match, log, "en")
            offers += [latest] if latest is not None else []
            if offers:
                return chance.choice(offers).fix.to_json()
        do = chance.choice(("replace", "remove", "insert", "undo", "take_back"))
        token: dict[str, Any] = {"fix": do, "seq": seq}
        if do in ("replace", "insert"):
            token["events"] = [self._event()]
        return token | ({"group": "a1"} if do == "take_back" else {})

    def _any_page(self) -> Asked:
        """A request to any path, with random values for its gaps, its query and its form."""
        chance = self.chance
        rule, method = chance.choice(self._rules)
        if method == "GET" and chance.random() < (0.98 if rule in RARE else 0.7):
            rule, method = chance.choice(self._forms)
        path = rule
        while "<" in path:
            before, _, rest = path.partition("<")
            gap, _, after = rest.partition(">")
            path = before + quote(self._gap(gap), errors="replace") + after
        if path.startswith("/phone/picture"):
            return self._phone_picture(path)
        fields = {name: self._word() for name in FIELDS.get(rule, ()) if chance.random() < 0.8}
        access, snapshot = self._served.room.access, self._served.room.snapshot()
        if rule == "/agreed":
            event = self._event() if chance.random() < 0.3 else self._agreed()
            fields["event"] = json.dumps(self._mutator.json(event))
            fields |= {"match": str(snapshot.match_id), "seen": str(len(snapshot.events))}
        if rule == "/seat/<int:seat>" and chance.random() < 0.5:
            fields["key"] = access.seat_key(chance.randrange(4))
        if method == "GET":
            asked = {"lang": chance.choice(LANGUAGES)} if chance.random() < 0.3 else {}
            for name in ("key", "seen", "game", "far", "paper", "to"):
                if chance.random() < 0.1:
                    asked[name] = self._word()
            query = "?" + urlencode(asked, errors="replace") if asked else ""
            return Asked("GET", path + query, self._who(""), b"")
        sent = urlencode(fields, errors="replace").encode()
        return Asked(method, path, self._who(FORM), sent)

    def _gap(self, gap: str) -> str:
        chance = self.chance
        if gap.startswith("int:") and chance.random() < 0.9:
            match_id = self._served.room.snapshot().match_id or 1
            return str(chance.choice((match_id, 0, 1, 2, 3, 7, 2**31, 2**63, 10**30)))
        return self._word() or "x"

    def _word(self) -> str:
        chance = self.chance
        kind = chance.random()
        if kind < 0.5:
            return chance.choice(WORDS)
        return str(chance.choice(NUMBERS)) if kind < 0.7 else chance.choice(TEXTS)

    def _phone_picture(self, path: str) -> Asked:
        headers = {
            "Authorization": f"Bearer {self._served.room.access.camera_key}",
            "X-Phone": self._word() if self.chance.random() < 0.3 else "one",
            "X-Taken": str(self.chance.choice(NUMBERS)),
            "X-Coded": self.chance.choice(("", "key", "delta", "x")),
        }
        return Asked("POST", path, headers, self._mutator.bytes(self._picture))

    def _who(self, kind: str) -> dict[str, str]:
        """The headers of a person with a key, with a cookie, or with neither."""
        chance, served = self.chance, self._served
        headers = {"Content-Type": kind} if kind else {}
        if chance.random() < 0.9:  # without this header, a refusal is a whole page
            headers["Accept"] = JSON
        who = chance.random()
        if who < 0.4 and kind != FORM:
            headers |= served.bearer()
        elif who < 0.6 and kind != FORM:
            headers["Authorization"] = f"Bearer {served.room.access.seat_key(chance.randrange(4))}"
        elif who < 0.95:
            phone = served.host if chance.random() < 0.5 else chance.choice(served.people)
            cookie = phone.client.get_cookie("trucam_table")
            if cookie is not None:
                headers["Cookie"] = f"trucam_table={cookie.value}"
                headers["X-CSRFToken"] = phone.token
        return headers

    def _mutated(self, asked: Asked) -> Asked:
        """Changes one part of a request; the bodies of most are mutated already."""
        chance = self.chance
        what = chance.random()
        if what < 0.5:
            return asked
        if what < 0.6:
            return asked._replace(body=self._mutator.bytes(asked.body))
        if what < 0.7:
            damaged = self._mutator.bytes(asked.path.encode())
            return asked._replace(path="/" + damaged.decode("latin-1").lstrip("/"))
        if what < 0.75:
            method = chance.choice(("GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE", "X"))
            return asked._replace(method=method)
        if what < 0.77:  # nested deeper than Python's reader of JSON goes
            return asked._replace(body=chance.choice((b"[", b'{"seen":')) * 6_000)
        if what < 0.8:
            return asked._replace(body=json.dumps(self._mutator.value()).encode())
        name = chance.choice((
            "Host", "Origin", "Referer", "Cookie", "Authorization", "X-CSRFToken", "Accept",
            "Accept-Language", "Content-Type", "Content-Length", "Range", "If-None-Match",
            "Sec-Fetch-Site", "X-Phone", "X-Taken",
        ))  # fmt: skip
        value = asked.headers.get(name, self._word())
        value = self._mutator.bytes(value.encode("utf-8", "replace")).decode("latin-1")
        return asked._replace(headers={**asked.headers, name: value.replace("\n", " ")})

    # --- what is answered ---

    def check(self, asked: Asked) -> None:
        """Sends a request, and checks the answer.

        Raises:
            Exception: Any exception is an error that was found.
        """
        self._errors.told.clear()
        status, body = self._ask(asked)
        self.taken += status < 400
        self.statuses[f"{status} {asked.method} {asked.path.split('?')[0][:18]}"] += 1
        if self._errors.told:
            self._sound = False
            told, self._errors.told = "\n".join(self._errors.told), []
            raise Logged(told)
        if status not in PRESERVED or b"Traceback" in body:
            raise AssertionError(f"answered {status}: {body[:300]!r}")
        if asked.method == "POST":
            self._served.answered(status, body)
        if self._asked % CHECKED == 0:
            self._sound = False
            self._served.check()
            self._sound = True

    def _ask(self, asked: Asked) -> tuple[int, bytes]:
        """Calls the application as a server does, but without a socket."""
        path, _, query = asked.path.partition("?")
        environ: dict[str, Any] = {
            "REQUEST_METHOD": asked.method, "SCRIPT_NAME": "", "QUERY_STRING": query,
            "PATH_INFO": _unquoted(path), "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "80",
            "HTTP_HOST": "127.0.0.1", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1",
            "wsgi.version": (1, 0), "wsgi.url_scheme": "http", "wsgi.errors": sys.stderr,
            "wsgi.input": io.BytesIO(asked.body), "wsgi.multithread": False,
            "wsgi.multiprocess": False, "wsgi.run_once": False,
            "CONTENT_LENGTH": str(len(asked.body)), "CONTENT_TYPE": "",
        }  # fmt: skip
        for name, value in asked.headers.items():
            key = name.upper().replace("-", "_")
            environ[key if key.startswith("CONTENT_") else f"HTTP_{key}"] = value
        told: list[str] = []
        parts: Any = self._served.app(environ, lambda status, headers, *_: told.append(status))
        found = []
        try:
            for part in parts:  # not all of them: a stream has no end
                found.append(part)
                if len(found) == 2:
                    break
        finally:
            with suppress(AttributeError):
                parts.close()
        return int(told[0][:3]), b"".join(found)


def _unquoted(path: str) -> str:
    from urllib.parse import unquote_to_bytes

    return unquote_to_bytes(path.encode("latin-1", "replace")).decode("latin-1")
