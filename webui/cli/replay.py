"""``trucam replay``: a recorded match on the board, as if it were played now."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import click

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Source, said_at
from scorekeeper.history.record import Reading
from scorekeeper.storage.ledger import Ledger
from webui.cli.play import LOCAL, open_browser
from webui.cli.record import read_file
from webui.server.serve import listen, serve_room
from webui.table.memory import Memory
from webui.table.room import Room

SECONDS = {"deal": 5.0, "cut": 3.0, "tap": 3.0, "raise": 3.0, "truc": 3.0, "trut": 3.0}
"""How long a table takes for what comes before these events, where the record tells no times."""
CARD_SECONDS = 2.5
LONGEST_PAUSE = 20.0
"""Nobody wants to watch a table that has gone to fetch coffee."""
CURTAIN_SECONDS = 15.0
"""Between the end of a replay and its next beginning."""
KEPT = 5
"""Matches that can be looked at again; each lap is another one."""


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--speed", type=click.FloatRange(0.1, 100), default=1.0, help="Times real time.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port; else a free one from 8080.")
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
def replay(file: str, speed: float, port: int | None, no_browser: bool) -> None:
    """Show the record FILE on the board, on this machine only, again and again."""
    reading = read_file(file)
    listener = listen(LOCAL, port)
    link = f"http://{LOCAL}:{listener.getsockname()[1]}"

    def ready() -> None:
        click.echo(f"A recorded match, as if it were played now, on this machine only:\n  {link}/")
        click.echo(f"As a TV shows it:\n  {link}/tv\nCtrl-C ends it.")
        if not no_browser:
            open_browser(f"{link}/tv")

    # What is shown is not kept: nobody's ledger learns of it.
    with (
        tempfile.TemporaryDirectory(prefix="trucam-") as folder,
        Ledger(str(Path(folder) / "ledger.sqlite3")) as ledger,
        Memory("replay", Path(folder)) as memory,
    ):
        room = Room(ledger, memory)
        threading.Thread(target=perform, args=(room, reading, speed), daemon=True).start()
        serve_room(room, listener, name="replay", local=True, ready=ready)


def perform(room: Room, reading: Reading, speed: float) -> None:
    """Says the events of a record at their pace, again and again."""
    while True:
        begin_lap(room, reading.match.header)
        for seconds, event in paced(reading.events):
            time.sleep(seconds / speed)
            table = room.table
            table.say(event, seen=table.moment.seq, source=Source.IMPORT, kept=True)
        time.sleep(CURTAIN_SECONDS / speed)


def begin_lap(room: Room, header: Header) -> None:
    """Opens one more match of what is shown again and again, and forgets those long past."""
    room.begin(header, who=None)
    for old in sorted(room.ledger.ids())[:-KEPT]:
        room.ledger.remove(old)


def paced(events: list[Event]) -> Iterator[tuple[float, Event]]:
    """Yields each event with the seconds to wait before it.

    By the times in the record where it has them, else as long as a table usually takes.
    """
    if events:
        yield SECONDS.get(events[0].do, CARD_SECONDS), events[0]
    for before, event in pairwise(events):
        then, now = said_at(before), said_at(event)
        if then is None or now is None:
            yield SECONDS.get(event.do, CARD_SECONDS), event
        else:
            yield min(max((now - then).total_seconds(), 0.0), LONGEST_PAUSE), event
