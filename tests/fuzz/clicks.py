"""Plays random evenings at a table with the buttons of its pages, and looks for errors.

Host, seats and viewers open pages in any language and press any button: set-up with any game, pack,
variant and option, the cut, plays and calls, corrections, agreements, answers to proposals, links.
Cameras and their pages are left out. An error is an answer with status 500, an error in the log, a
lost event, or a match that cannot be exported and read again.

    python -m tests.fuzz.clicks --evenings 20000

The seed of an evening decides all that happens in it. ``--first 8000`` skips the first 8,000 ones.
"""

from __future__ import annotations

import argparse
import io
import json
import logging
import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.history.record import read_record
from scorekeeper.reports.answer import answer
from scorekeeper.storage.ledger import Ledger
from scorekeeper.text.i18n import LANGUAGES
from tests.fuzz.controls import Controls, Form, Press
from tests.webui.compiled import COMPILED
from tests.webui.forms import BROWSER
from tests.webui.phones import Phone, host_of, seat_of
from tests.webui.playing import UnlimitedWrites
from webui.app import create_app
from webui.table import proposals
from webui.table.memory import Memory
from webui.table.room import Room

LEFT_OUT = ("/host/camera", "/phone", "/source", "/static", "/film")
"""Beginnings of the paths that need a camera, or that are files: they are not opened."""
LOOKS = ("/", "/tv", "/tv?far", "/tv?bare", "/evenings", "/players", "/rules", "/about",
         "/api/v1/state")  # fmt: skip
STEPS = 12
"""So many pages are opened in an evening, on average."""
PRESSES = 6
"""At most so many buttons of an open page are pressed."""
LATE = 0.03
"""How often somebody presses a button of an earlier page, 0–1."""
EVENINGS_A_TABLE = 8
"""So many evenings share a ledger: earlier matches are read, continued, reviewed and deleted."""
LIKELY = {"deal": 6, "cut": 4, "play": 4, "accept": 3, "see": 3, "i_play": 3}


class Errors(logging.Handler):
    """Keeps the errors that are logged, with their tracebacks."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps an error."""
        self.told.append(logging.Formatter().format(record))


class Idle:
    """Replaces ``Timer``, and never calls: no evening lasts the five minutes of a proposal."""

    daemon = True

    def __init__(self, *_: object) -> None:
        """Takes the arguments of a timer."""

    def start(self) -> None:
        """Does nothing."""

    def cancel(self) -> None:
        """Does nothing."""


class Table:
    """A table with its people, who play evening after evening.

    Args:
        folder: An empty folder for its ledger and for what it remembers.
        seed: Decides all that is random.

    Attributes:
        finds: The errors that were found.
        statuses: How often each page and form answered with each status.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance, self.seed = Random(seed), seed
        self.ledger = Ledger(f"sqlite:///{folder / 'ledger.sqlite'}")
        self.memory = Memory("table", folder)
        self.room = Room(self.ledger, self.memory)
        self.app: Flask = create_app(self.room)
        self.app.jinja_env.bytecode_cache = COMPILED
        self.app.extensions["writes"] = UnlimitedWrites()
        self.errors = Errors()
        self.finds: list[str] = []
        self.statuses: Counter[str] = Counter()
        self.events = 0
        self.trail: list[str] = []
        self.pressed: list[Press] = []
        self.opened: list[Phone] = []  # phones that have opened a page this evening
        self.host = host_of(self.app, self.room)
        self.people = [self.host, Phone(self.app)]

    def close(self) -> None:
        """Closes its files."""
        self.room.close()
        self.memory.close()
        self.ledger.close()

    def evening(self) -> None:
        """Plays an evening: set-up, hands, corrections; checks everything at the end."""
        self.trail = []
        if self.room.snapshot().header is None:
            self._set_up()
        self.people = [self.host, Phone(self.app)]
        self.opened = []
        for seat in range(self.chance.choice((0, 1, 2, 4))):
            self.room.access.revoke_seat(seat)
            self.people.append(seat_of(self.app, self.room, seat))
        for _ in range(self.chance.randint(STEPS // 2, STEPS * 3 // 2)):
            self._step()
        if self.chance.random() < 0.7:
            self.room.clear()

    def _set_up(self) -> None:
        for form in self._open(self.host, "/host").forms:
            if form.action == "/host/setup":
                self._send(self.host, form, form.filled(self.chance))
        snapshot = self.room.snapshot()
        if snapshot.header is not None and self.chance.random() < 0.8:  # else people cut on pages
            dealer = str(self.chance.randrange(len(snapshot.header.seats)))
            self._note("/host/begin", self.host.send("/host/begin", {"dealer": dealer}))

    def _step(self) -> None:
        phone = self.chance.choice((self.host, self.host, *self.people))
        if phone in self.opened and self.chance.random() < 0.6:
            controls = self._followed(phone)
        else:
            controls = self._open(phone, self._address(phone))
        for _ in range(self.chance.randint(1, PRESSES)):
            languages = [form for form in controls.forms if form.action == "/language"]
            forms = [form for form in controls.forms if form.action != "/language"]
            kinds = {
                "press": 16 * bool(controls.presses),
                "form": 2 * bool(forms),
                "language": 0.2 * bool(languages),
                "sheet": 2 * bool(controls.sheets),
                "link": 1 * bool(controls.links),
            }
            if not any(kinds.values()):
                return
            match self.chance.choices(list(kinds), list(kinds.values()))[0]:
                case "press":
                    weights = [LIKELY.get(p.said.get("do", ""), 1) for p in controls.presses]
                    press = self.chance.choices(controls.presses, weights)[0]
                    self.pressed.append(press)
                    if self.chance.random() < LATE:
                        press = self.chance.choice(self.pressed)
                    self._press(phone, press)
                    controls = self._followed(phone)
                case "form" | "language" as kind:
                    form = self.chance.choice(forms if kind == "form" else languages)
                    self._send(phone, form, form.filled(self.chance))
                case "sheet":
                    controls = self._open(phone, self.chance.choice(controls.sheets))
                case _:
                    controls = self._open(phone, self.chance.choice(controls.links))

    def _address(self, phone: Phone) -> str:
        """The path of a page: mostly of the phone's own page, else of any."""
        if self.chance.random() < 0.1:
            return self.chance.choice(LOOKS)
        return self._own(phone)

    def _own(self, phone: Phone) -> str:
        place = self.people.index(phone)
        return "/host" if place == 0 else "/" if place == 1 else f"/seat/{place - 2}"

    def _open(self, phone: Phone, path: str) -> Controls:
        self.opened.append(phone)
        if path.startswith(LEFT_OUT):
            path = "/"
        if "lang=" not in path and self.chance.random() < 0.5:
            code = self.chance.choice(LANGUAGES)
            path += f"{'&' if '?' in path else '?'}lang={code}"
        got = phone.get(path, headers=BROWSER, follow_redirects=True)
        self._note(f"GET {path}", got)
        return Controls(got.text if got.mimetype == "text/html" else "")

    def _followed(self, phone: Phone) -> Controls:
        """The part of a phone's own page that its script draws anew after a change."""
        screen = ("host", "board", "seat")[min(self.people.index(phone), 2)]
        got = phone.get(f"/live/{screen}/poll")
        self._note(f"GET /live/{screen}/poll", got)
        message = got.json or {"html": "", "match": None}
        return Controls(message["html"], message["match"])

    def _press(self, phone: Phone, press: Press) -> None:
        body = {"match": press.match, "seen": press.seen, press.kind: press.said}
        path = "/api/v1/events" if press.kind == "event" else "/api/v1/repairs"
        self._note(f"{path} {json.dumps(body)}", phone.post(path, body))

    def _send(self, phone: Phone, form: Form, data: dict[str, list[str]]) -> None:
        if form.action.startswith(LEFT_OUT):
            return
        if "watched" in data:
            data["watched"] = [""]  # no camera
        client: FlaskClient = phone.client
        if self.chance.random() < 0.5:
            got = client.post(form.action, data=data, headers=BROWSER, follow_redirects=True)
        else:
            got = phone.send(form.action, data)
        shown = {key: value for key, value in data.items() if key not in ("csrf_token", "back")}
        self._note(f"{form.action} {json.dumps(shown, ensure_ascii=False)}", got)

    def _note(self, what: str, got: TestResponse) -> None:
        """Notes what was done, and an error if the answer or the log shows one."""
        self.trail.append(f"{got.status_code} {what}")
        route = re.sub(r"/[0-9]+", "/N", what.split("?")[0].split(" {")[0])
        self.statuses[f"{got.status_code} {route}"] += 1
        if got.status_code >= 500 or self.errors.told:
            self._find("\n".join([what, f"answered {got.status_code}", *self.errors.told]))
            self.errors.told.clear()

    def _find(self, told: str) -> None:
        self.finds.append("\n".join([f"seed {self.seed}:", *self.trail[-8:], told]))

    def check(self) -> None:
        """Exports every match and reads it again; checks that no acknowledged event is lost."""
        snapshot = self.room.snapshot()
        for match_id in self.ledger.ids():
            entry = self.ledger.match(match_id)
            stored = [one.marked for one in self.ledger.read(entry)]
            self.events += len(stored)
            try:
                exported = self._exported(match_id)
                again = read_record(io.BytesIO(exported))
                if match_id == snapshot.match_id:
                    if tuple(stored) != snapshot.events:
                        self._find(f"match {match_id}: the ledger and the table hold other events")
                    if snapshot.match is not None and answer(snapshot.match) != answer(again.match):
                        self._find(f"match {match_id}: an export is scored otherwise")
                if len(again.events) != len(stored):
                    self._find(
                        f"match {match_id}: {len(stored)} events, exported {len(again.events)}"
                    )
            except Exception as error:  # any exception is an error that was found
                self._find(f"match {match_id} cannot be read again: {error!r}")

    def _exported(self, match_id: int) -> bytes:
        got = self.host.get(f"/match/{match_id}.jsonl")
        self._note(f"GET /match/{match_id}.jsonl", got)
        kind = self.chance.choice(("", ".csv", ".svg"))
        self._note(f"GET /match/{match_id}{kind}", self.host.get(f"/match/{match_id}{kind}"))
        return got.data


@contextmanager
def without_timers() -> Iterator[None]:
    """Replaces the timers of proposals: each would need a thread."""
    timer = proposals.Timer
    proposals.Timer = Idle  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        proposals.Timer = timer  # type: ignore[misc]


def play(
    evenings: int, seed: int, where: Path, tell: Any = None, first: int = 0
) -> tuple[list[str], Counter[str]]:
    """Plays so many evenings.

    Args:
        evenings: How many evenings in all.
        seed: The seed of the first table; the next table has the next one.
        where: A folder for the ledgers, which are removed afterwards.
        tell: Called after each table, with the number of evenings and the errors so far.
        first: So many evenings are skipped, a multiple of ``EVENINGS_A_TABLE``.

    Returns:
        The errors, and how often each page answered with each status.
    """
    finds: list[str] = []
    statuses: Counter[str] = Counter()
    done = first - first % EVENINGS_A_TABLE
    seed += first // EVENINGS_A_TABLE
    with without_timers():
        while done < evenings:
            folder = Path(tempfile.mkdtemp(dir=where))
            table = Table(folder, seed)
            logging.getLogger().addHandler(table.errors)
            try:
                for _ in range(min(EVENINGS_A_TABLE, evenings - done)):
                    table.evening()
                    done += 1
                table.check()
            except Exception as error:  # the test client raises what a server would log
                logging.getLogger(__name__).exception("a table broke down")
                table._find(f"{error!r}")
                done += 1
            finally:
                logging.getLogger().removeHandler(table.errors)
                table.close()
                shutil.rmtree(folder)
            finds += table.finds
            statuses += table.statuses
            statuses["events"] += table.events
            seed += 1
            if tell is not None:
                tell(done, finds)
    return finds, statuses


def main() -> int:
    """Plays, and prints the errors that were found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="evenings that were played before")
    parser.add_argument("--statuses", action="store_true", help="say what each page answered")
    asked = parser.parse_args()
    started = time.monotonic()
    where = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path(tempfile.gettempdir())
    told = 0

    def tell(done: int, finds: list[str]) -> None:
        nonlocal told
        for find in finds[told:]:
            print(find, "\n", flush=True)
        told = len(finds)
        if done % 800 == 0:
            print(
                f"{done} evenings, {len(finds)} finds, {time.monotonic() - started:.0f} s",
                flush=True,
            )

    finds, statuses = play(asked.evenings, asked.seed, where, tell, asked.first)
    if asked.statuses:
        for what, n in sorted(statuses.items()):
            print(f"{n:7} {what}")
    pages = sum(n for what, n in statuses.items() if what[:3].isdecimal())
    print(
        f"{asked.evenings - asked.first} evenings, {pages} pages and presses, "
        f"{statuses['events']} events, {len(finds)} finds, "
        f"{time.monotonic() - started:.0f} s"
    )
    return bool(finds)


if __name__ == "__main__":
    sys.exit(main())
