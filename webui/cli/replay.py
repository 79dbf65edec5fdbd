"""``trucam replay``: shows a recorded match on the board, as if it were played now."""

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
"""Seconds before these events, if the record tells no times."""
CARD_SECONDS = 2.5
"""Seconds before all other events, if the record tells no times."""
LONGEST_PAUSE = 20.0
"""A longer pause in the record is cut to so many seconds."""
CURTAIN_SECONDS = 15.0
"""Seconds between the end of a replay and its next beginning."""
KEPT = 5
"""Each run through the record is a new match. So many of the latest ones are kept."""


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--speed", type=click.FloatRange(0.1, 100), default=1.0, help="Times as fast as recorded."
)
@click.option("--port", type=click.IntRange(1, 65535), help="Default: a free port from 8080 on.")
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

    # A replay has a ledger of its own, in a temporary folder: its matches are not kept.
    with (
        tempfile.TemporaryDirectory(prefix="trucam-") as folder,
        Ledger(str(Path(folder) / "ledger.sqlite3")) as ledger,
        Memory("replay", Path(folder)) as memory,
    ):
        room = Room(ledger, memory)
        threading.Thread(target=perform, args=(room, reading, speed), daemon=True).start()
        serve_room(room, listener, name="replay", local=True, ready=ready)


def perform(room: Room, reading: Reading, speed: float) -> None:
    """Plays a record again and again, at its own pace.

    Args:
        room: The table on which it is played.
        reading: The record.
        speed: How many times faster than in reality.
    """
    while True:
        begin_lap(room, reading.match.header)
        for seconds, event in paced(reading.events):
            time.sleep(seconds / speed)
            table = room.table
            table.say(event, seen=table.moment.seq, source=Source.IMPORT, kept=True)
        time.sleep(CURTAIN_SECONDS / speed)


def begin_lap(room: Room, header: Header) -> None:
    """Begins a new match, and removes the oldest ones: ``KEPT`` matches stay."""
    room.begin(header, who=None)
    for old in sorted(room.ledger.ids())[:-KEPT]:
        room.ledger.remove(old)


def paced(events: list[Event]) -> Iterator[tuple[float, Event]]:
    """Yields each event with the seconds to wait before it.

    These come from the times in the record, or else from ``SECONDS``.
    """
    if events:
        yield SECONDS.get(events[0].do, CARD_SECONDS), events[0]
    for before, event in pairwise(events):
        then, now = said_at(before), said_at(event)
        if then is None or now is None:
            yield SECONDS.get(event.do, CARD_SECONDS), event
        else:
            yield min(max((now - then).total_seconds(), 0.0), LONGEST_PAUSE), event
