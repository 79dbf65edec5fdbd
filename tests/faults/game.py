"""A match at a served table. It remembers which taps were acknowledged, and checks the ledger."""

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
"""What a request raises if the server dies."""
GOES_ON = 30.0
"""Within so many seconds after a fault, a tap must be accepted again."""
ANSWERED = 20.0
"""Within so many seconds every request must be answered, whatever is wrong."""


class FaultySite(Site):
    """A site whose server is ``tests.faults.program``.

    Args:
        folder: The folder for the table's file, and for the ledger unless ``ledger`` is given.
        ledger: The address of another ledger.
        environment: More environment variables.
        arguments: More arguments of the program.
        wraps: A command that runs the program, as its last arguments.
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
    """A match at a served table, and what was answered to each tap.

    Args:
        site: The site; the match is begun there.
        chance: Decides all that is random.

    Attributes:
        counts: How many taps were acknowledged, refused with a sentence, or not answered.
        wrong: The errors that were found, a sentence each.
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
        """Starts the server; the phones take the seats that they had."""
        self.site.start()
        self.site.await_answer()
        if not self._phones:
            self._phones = [Phone(self.site).sit(seat) for seat in (0, 1)]

    def stop(self) -> None:
        """Stops the server, and checks its exit status and what it printed."""
        status, _, errors = self.site.end()
        self._judge(status, errors)

    def killed(self) -> None:
        """Checks what a server printed that was killed."""
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
        """Has the right phone tap the next event; returns whether it was acknowledged."""
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
        except ValueError:  # the server itself refused it, in plain text
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
            # If the connection broke after the event was written, it is kept.
            self._doubtful.add(self.seq + 1)
        else:
            self.wrong.append(f"a tap was answered with {status}: {answer}")
        return False

    def read_again(self) -> None:
        """Reads the match from the server again."""
        found = json.loads(self._phones[0].get("/api/v1/events")[1])
        events = [
            parse_event(data, verbs=HEADER.verbs, seats=len(HEADER.seats))
            for data in found["events"]
        ]
        self.match, self.seq = replay(HEADER, events), len(events)

    def goes_on(self) -> None:
        """Taps until a tap is accepted: so the match goes on."""
        until = time.monotonic() + GOES_ON
        while time.monotonic() < until:
            with suppress(*LOST, ValueError):
                if self.tap():
                    return
                self.read_again()
            time.sleep(0.02)
        self.wrong.append(f"no tap was taken within {GOES_ON:.0f} s after the fault")

    def look(self) -> None:
        """Opens a page: it must be shown, or say in a sentence why it cannot be."""
        self.open(self.chance.choice(PAGES))

    def open(self, page: str) -> None:
        """Opens a page, as a viewer."""
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
        """Compares the ledger with the acknowledged events: none lost, doubled or invented."""
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
"""The name under which another program writes its events."""


@contextmanager
def playing(site: FaultySite, chance: Random) -> Iterator[Game]:
    """Serves a match, and checks it at the end."""
    game = Game(site, chance)
    game.start()
    try:
        yield game
    finally:
        if site.process is not None:
            game.stop()
    game.check()


def other_program(where: str, match_id: int, event: Event) -> None:
    """Writes an event to a match, as another program on the same ledger."""
    from scorekeeper.engine.said import Source
    from scorekeeper.storage.table import Table

    with Ledger(where) as ledger:
        table = Table(ledger, match_id)
        with suppress(StaleAppend, RuleError):  # a phone was quicker
            table.say(event, seen=table.moment.seq, source=Source.OPERATOR, who=OTHER)


def is_root() -> bool:
    """Whether this process may mount disks and use other users."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
