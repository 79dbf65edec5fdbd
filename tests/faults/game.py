"""A served table, phones that tap, and what they were told is kept."""

from __future__ import annotations

import http.client
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, replay
from scorekeeper.errors import RuleError, StaleAppend
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.playouts import any_event
from tests.webui.serving import Phone, Site

HEADER = Header(game="le_truc_ace", seats=("Ana", "Bea"), options={"target": 999})
PAGES = ("/", "/tv", "/api/v1/state", "/evenings", "/rules")
LOST = (OSError, http.client.HTTPException)
"""What a phone meets whose server dies."""
GOES_ON = 30.0
"""Seconds within which a tap must be taken again after a fault."""
ANSWERED = 20.0
"""Seconds within which any answer comes, whatever is wrong."""


class FaultySite(Site):
    """A site whose server is ``tests.faults.program``.

    Args:
        folder: Where the table's file is, and the ledger where no other one is named.
        ledger: Where the ledger is.
        environment: More of it.
        arguments: More of the command line.
        wraps: What runs the command.
    """

    def __init__(
        self,
        folder: Path,
        *,
        ledger: str | None = None,
        environment: dict[str, str] | None = None,
        arguments: tuple[str, ...] = (),
        wraps: tuple[str, ...] = (),
    ) -> None:
        super().__init__(folder)
        self.where = ledger or str(self.ledger)
        self._more, self._arguments, self._wraps = environment or {}, arguments, wraps

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "TRUCAM_LEDGER": self.where, **self._more}

    def command(self, *arguments: str) -> list[str]:
        program = [sys.executable, "-m", "tests.faults.program", "--port", str(self.port)]
        return [*self._wraps, *program, *self._arguments, *arguments]


class Game:
    """A match at a served table: what is tapped there, acknowledged, refused and kept.

    Args:
        site: The site; the match begins with it.
        chance: Decides everything.

    Attributes:
        counts: Taps that were acknowledged, refused with a sentence, and unanswered.
        wrong: What must not happen, a sentence each.
    """

    def __init__(self, site: FaultySite, chance: Random) -> None:
        self.site, self.chance = site, chance
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        with Ledger(site.where) as ledger:
            from scorekeeper.engine.said import Said, Source

            self.match_id = ledger.begin(HEADER, Said.now(Source.OPERATOR))
        site.tables.mkdir(exist_ok=True)
        (site.tables / "table.json").write_text(json.dumps({"match": self.match_id}))
        self.match, self.seq = replay(HEADER, ()), 0
        self._acknowledged: dict[int, dict[str, Any]] = {}
        self._doubtful: set[int] = set()
        self._phones: list[Phone] = []

    def start(self) -> None:
        """Starts the server, and the phones sit down as they were."""
        self.site.start()
        self.site.await_answer()
        if not self._phones:
            self._phones = [Phone(self.site).sit(seat) for seat in (0, 1)]

    def stop(self) -> None:
        """Ends the server, and looks at what it has said."""
        status, _, errors = self.site.end()
        self._judge(status, errors)

    def killed(self) -> None:
        """The server is dead; what it has said is looked at."""
        process, self.site.process = self.site.process, None
        assert process is not None
        process.kill()
        _, errors = process.communicate()
        self._judge(0, errors)
        for phone in self._phones:
            phone.close()

    def _judge(self, status: int, errors: str) -> None:
        if status or "Traceback" in errors or "Exception" in errors:
            self.wrong.append(f"the server ended with {status}: {errors[-1500:]}")

    # --- what phones do ---

    def tap(self) -> bool:
        """The next event, tapped by the phone whose it is; whether it was acknowledged."""
        event = any_event(self.match, self.chance, operator=0.0)
        assert event is not None
        phone = self._phones[event.seat or 0]
        body = {"match": self.match_id, "seen": self.seq, "event": event.bare().to_json()}
        at = time.monotonic()
        try:
            status, answer = phone.post("/api/v1/events", body)
        except LOST:
            phone.close()
            self.counts["unanswered"] += 1
            self._doubtful.add(self.seq + 1)
            return False
        except ValueError:  # no JSON: a refusal in plain text, before the application was asked
            status, answer = 500, {"sentence": ""}
        if time.monotonic() - at > ANSWERED:
            self.wrong.append(f"a tap was answered after {time.monotonic() - at:.0f} s")
        if status == 200:
            self.counts["acknowledged"] += 1
            self._acknowledged[self.seq + 1] = body["event"]
            self.match, self.seq = apply(self.match, event), self.seq + 1
            if answer["seq"] != self.seq:
                self.read_again()
            return True
        if status == 409:
            self.read_again()
        elif status == 503 and "Nothing was kept" in answer["sentence"]:
            self.counts["refused"] += 1
            # A connection that breaks between writing and answering may have kept it.
            self._doubtful.add(self.seq + 1)
        else:
            self.wrong.append(f"a tap was answered with {status}: {answer}")
        return False

    def read_again(self) -> None:
        """Has the match as the table has it."""
        found = json.loads(self._phones[0].get("/api/v1/events")[1])
        events = [
            parse_event(data, verbs=HEADER.verbs, seats=len(HEADER.seats))
            for data in found["events"]
        ]
        self.match, self.seq = replay(HEADER, events), len(events)

    def goes_on(self) -> None:
        """Taps until a tap is taken: the match goes on."""
        until = time.monotonic() + GOES_ON
        while time.monotonic() < until:
            with suppress(*LOST, ValueError):
                if self.tap():
                    return
                self.read_again()
            time.sleep(0.02)
        self.wrong.append(f"no tap was taken within {GOES_ON:.0f} s after the fault")

    def look(self) -> None:
        """Opens a page: it is there, or says in a sentence why not."""
        self.open(self.chance.choice(PAGES))

    def open(self, page: str) -> None:
        """Opens a page, as somebody who looks on."""
        viewer, at = Phone(self.site), time.monotonic()
        status, _, body = viewer.ask("GET", page)
        if status not in (200, 503) or b"Traceback" in body or not body:
            self.wrong.append(f"{page} answers {status}: {body[:200]!r}")
        if time.monotonic() - at > ANSWERED:
            self.wrong.append(f"{page} was answered after {time.monotonic() - at:.0f} s")
        viewer.close()
        self.site.opened.remove(viewer)

    # --- what is left of it ---

    def check(self) -> None:
        """Compares the ledger with what was acknowledged: nothing lost, doubled or made up."""
        with Ledger(self.site.where) as ledger:
            entries = ledger.read(ledger.match(self.match_id))
            replay(HEADER, [entry.marked for entry in entries])
        stored = {entry.seq: entry for entry in entries}
        for seq, event in self._acknowledged.items():
            kept = stored.get(seq)
            if kept is None or kept.event.bare().to_json() != event:
                self.wrong.append(f"event {seq} was acknowledged and is {kept and kept.event}")
                self.counts["lost"] += 1
        ours = self._acknowledged.keys() | self._doubtful
        more = [seq for seq, one in stored.items() if seq not in ours and one.said.who != OTHER]
        if more:
            self.wrong.append(f"events {more} were never tapped")
            self.counts["doubled"] += len(more)


OTHER = "another program"
"""Who says what another program says."""


@contextmanager
def playing(site: FaultySite, chance: Random) -> Iterator[Game]:
    """A match that is served, and checked in the end."""
    game = Game(site, chance)
    game.start()
    try:
        yield game
    finally:
        if site.process is not None:
            game.stop()
    game.check()


def other_program(where: str, match_id: int, event: Event) -> None:
    """Another program on the same ledger says something at the same match."""
    from scorekeeper.engine.said import Source
    from scorekeeper.storage.table import Table

    with Ledger(where) as ledger:
        table = Table(ledger, match_id)
        with suppress(StaleAppend, RuleError):  # a phone was quicker
            table.say(event, seen=table.moment.seq, source=Source.OPERATOR, who=OTHER)


def is_root() -> bool:
    """Whether mounts and other users can be had."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
