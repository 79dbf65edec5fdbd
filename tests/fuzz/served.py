"""A table for mutated requests, and checks of what must be true of it after them."""

from __future__ import annotations

import io
import json
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask

from scorekeeper.history.record import read_record
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.players import KeptPlayers
from scorekeeper.text.i18n import LANGUAGES
from tests.scorekeeper.playouts import HEADERS, any_event
from tests.webui.phones import Phone, host_of, seat_of
from tests.webui.playing import UnlimitedWrites
from vision.process.status import Report
from webui.app import create_app
from webui.table.memory import Memory
from webui.table.room import Room


class NobodyWatches:
    """Replaces the supervisor: it starts no process, and accepts every request."""

    def __init__(self, config: Any, table: Any, pictures: Any, **_: object) -> None:
        self.config, self.report = config, Report(alive=True, size=(640, 480), starts=1)
        self.pictured: dict[int, bytes] = {}

    def begin(self, table: object) -> None:
        """Accepts another match."""

    def answer(self, question: int, choice: str, who: str | None = None) -> None:
        """Accepts an answer."""

    def picture(self) -> bytes:
        """Returns some bytes as a picture."""
        return b"\xff\xd8picture"

    def spread(self) -> None:
        """Finds no cards."""

    def stop(self) -> None:
        """Does nothing: there is no process to stop."""


class Served:
    """A table and the people at it.

    Args:
        folder: A folder for its ledger.
        chance: Decides all that is random.
    """

    def __init__(self, folder: Path, chance: Random) -> None:
        self.chance = chance
        folder.mkdir(parents=True, exist_ok=True)
        self.ledger = Ledger(str(folder / "ledger.sqlite"))
        self.memory = Memory("table", folder)
        self.players = KeptPlayers(self.ledger)
        self.room = Room(self.ledger, self.memory)
        self.app: Flask = create_app(self.room)
        self.app.extensions["writes"] = UnlimitedWrites()
        self.acknowledged: Counter[int] = Counter()
        self.people: list[Phone] = []
        self.host = Phone(self.app)

    def close(self) -> None:
        """Closes its files."""
        self.room.close()
        self.memory.close()
        self.ledger.close()

    def begin(self) -> None:
        """Begins another match, with phones at all seats."""
        self.room.clear()
        self.room.begin(self.chance.choice(HEADERS), who="host")
        self.host = host_of(self.app, self.room)
        self.people = [self.host, Phone(self.app)]
        for seat in range(self.room.table.moment.match.seats):
            self.room.access.revoke_seat(seat)
            self.people.append(seat_of(self.app, self.room, seat))
        self.play(self.chance.randrange(30))

    def play(self, events: int) -> None:
        """Enters so many random events that the rules allow."""
        for _ in range(events):
            moment = self.room.table.moment
            event = any_event(moment.match, self.chance, operator=0.0)
            if event is None:
                return
            body = {"seen": moment.seq, "event": event.bare().to_json()}
            self.app.test_client().post("/api/v1/events", json=body, headers=self.bearer())

    def bearer(self) -> dict[str, str]:
        """The header with the host's key, as a program sends it."""
        return {"Authorization": f"Bearer {self.room.access.host_key}"}

    def answered(self, status: int, body: bytes) -> None:
        """Takes in an answer; remembers which event it acknowledged."""
        if status == 200 and self.room.snapshot().match_id is not None and body[:7] == b'{"seq":':
            with suppress(ValueError, KeyError):
                match_id, seq = self.room.table.match_id, int(json.loads(body)["seq"])
                if seq <= self.room.table.moment.seq:
                    self.acknowledged[match_id] = max(self.acknowledged[match_id], seq)

    def check(self) -> None:
        """Opens pages, exports the match and reads it again, and looks for the acknowledged events.

        Raises:
            AssertionError: A page fails, or the match is not as it should be.
        """
        code = self.chance.choice(LANGUAGES)
        for page in ("/", "/tv", "/evenings", "/evenings.csv", "/api/v1/state", "/rules"):
            self._open(f"{page}?lang={code}")
        kept = [f"/player/{one.id}{end}" for one in self.players.all() for end in ("", ".csv")]
        for page in ("/players", "/players.csv", *kept[-4:]):
            self._open(f"{page}?lang={code}")
        match_id = self.room.snapshot().match_id
        ids = self.ledger.ids()
        for lost in self.acknowledged.keys() - set(ids):  # a request of the host removed the match
            del self.acknowledged[lost]
        if match_id is None:
            return
        for page in ("", ".csv", ".svg", ".jsonl"):
            self._open(f"/match/{match_id}{page}?lang={code}")
        for page in ("/host", f"/dispute/{match_id}", "/repairs/undo", "/repairs/hand"):
            self._open(f"{page}?lang={code}", self.host)
        entry = self.ledger.match(match_id)
        self.host.send("/players/keep", {"name": self.chance.choice(entry.header.seats)})
        stored = tuple(one.marked for one in self.ledger.read(entry))
        moment, events = self.room.table.log()
        if stored != events:
            raise AssertionError(f"the ledger has {len(stored)} events, the table {len(events)}")
        exported = self._open(f"/match/{match_id}.jsonl")
        if tuple(read_record(io.BytesIO(exported)).events) != stored:
            raise AssertionError("the export is not what is stored")
        if self.acknowledged[match_id] > moment.seq:
            raise AssertionError(f"{self.acknowledged[match_id]} acknowledged, {moment.seq} kept")

    def _open(self, page: str, phone: Phone | None = None) -> bytes:
        answer = (phone or self.people[1]).get(page, follow_redirects=True)
        if answer.status_code != 200 and not (phone and answer.status_code in (403, 404, 422)):
            raise AssertionError(f"{page} answers {answer.status_code}")
        return answer.data
