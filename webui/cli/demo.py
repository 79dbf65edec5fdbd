"""``trucam demo``: shows a filmed match again and again, and referees it meanwhile."""

from __future__ import annotations

import logging
import signal
import socket
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.said import AT, Source
from scorekeeper.errors import RuleError, ScorekeeperError, StaleAppend
from scorekeeper.history.record import Reading, read_record
from scorekeeper.storage.ledger import Ledger
from webui.cli.play import LOCAL, host_table, open_browser, tell_links
from webui.cli.replay import begin_lap
from webui.server.serve import listen, serve_room
from webui.table.access import Access
from webui.table.memory import Memory
from webui.table.room import Room

if TYPE_CHECKING:
    from webui.camera.camera import Camera  # it loads OpenCV, and the help works without

FILM = Path(__file__).parents[1] / "demo" / "match.mp4"
"""The film. Its record lies beside it: in each event, ``_at`` is the second of the film."""

SEEN = frozenset({"deal", "play"})
"""Events that the camera sees. All other events of the record are what people say aloud."""

LONGEST_WAIT = 1.0
"""Seconds after which the demo looks again, even if nothing has changed."""

log = logging.getLogger(__name__)


class Call(NamedTuple):
    """What somebody says in the film.

    Attributes:
        at: When it is said, in seconds of the film.
        after: How many events of the match come before it.
        event: What is said, as an event.
    """

    at: float
    after: int
    event: Event


@click.command()
@click.option("--local", is_flag=True, help="Stay on this machine; phones cannot join.")
@click.option("--port", type=click.IntRange(1, 65535), help="Default: a free port from 8080 on.")
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
def demo(local: bool, port: int | None, no_browser: bool) -> None:
    """Show a filmed match on the board, while the program watches the film and referees it."""
    reading = record_of(FILM)
    from webui.camera.camera import Camera  # late: it loads OpenCV and ONNX Runtime

    # The demo has a ledger of its own, in a temporary folder: its matches are not kept.
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="trucam-")))
        ledger = stack.enter_context(Ledger(str(folder / "ledger.sqlite3")))
        memory = stack.enter_context(Memory("demo", folder))
        camera = stack.enter_context(closing(Camera(str(FILM), pace="loop")))
        room = Room(ledger, memory, camera)
        listener = listen(LOCAL if local else "", port)
        port = listener.getsockname()[1]
        kept: list[socket.socket] = []

        def own() -> str:
            """Ends the demo, and returns the address of a page of the user's own table.

            The socket stays open: the browser that asks for this page is answered as soon as the
            table is served.
            """
            with Memory() as mine:  # raises TableError if another process serves that table
                key = Access(mine).host_key
            kept.append(listener.dup())
            signal.raise_signal(signal.SIGINT)
            return f"/host?key={key}"

        def ready() -> None:
            here = f"http://{LOCAL}:{port}"
            click.echo("A filmed match, watched and refereed while it is shown; nothing is kept.")
            click.echo("The film is drawn by a program. Nobody has tried a real camera yet.")
            click.echo(f"The board with the film, as a TV shows it:\n  {here}/tv\n")
            tell_links("http", port, f"{here}/host?key={room.access.host_key}", local)
            if not no_browser:
                open_browser(f"{here}/tv")

        show = Show(room, camera, reading.match.header, calls_of(reading.events))
        threading.Thread(target=show.run, daemon=True).start()
        serve_room(room, listener, name="demo", local=local, own=own, ready=ready)
    if kept:
        host_table(lambda: kept[0], local=local, browser=False)


def record_of(film: Path) -> Reading:
    """Reads the record of a film: what the camera should see, and what people say."""
    with film.with_suffix(".jsonl").open("rb") as stream:
        return read_record(stream)


def calls_of(events: Sequence[Event]) -> tuple[Call, ...]:
    """What people say in a film, from the events of its record."""
    return tuple(
        Call(float(event.remarks[AT]), place, event.bare())
        for place, event in enumerate(events)
        if event.do not in SEEN
    )


class Show:
    """Begins a new match whenever the film begins again, and enters what people say in it.

    Args:
        room: The table on which the match is played.
        camera: The camera that watches the film.
        header: The players and the rules of each match.
        calls: What people say, in order.
    """

    def __init__(self, room: Room, camera: Camera, header: Header, calls: Sequence[Call]) -> None:
        self._room, self._camera, self._header, self._calls = room, camera, header, calls
        self._lap: float | None = None
        self._waiting: deque[Call] = deque()

    def run(self) -> None:
        """Calls ``step`` for ever: when something changes, and when a call is due."""
        while True:
            seen, wait = self._room.channel.number, LONGEST_WAIT
            try:
                wait = self.step()
            except ScorekeeperError as error:  # the host left the match, or it cannot be written
                log.warning("the demo waits: %s", error)
            self._room.channel.wait(seen, wait)

    def step(self) -> float:
        """Begins a match if the film has begun again, and enters the calls that are due.

        Returns:
            Seconds to wait before the next step, unless something changes sooner.
        """
        lap, match = self._camera.view.report.lap, self._room.snapshot().moment
        if match is None or (lap is not None and lap != self._lap and match.seq):
            self._begin()
        if lap != self._lap:
            self._lap, self._waiting = lap, deque(() if lap is None else self._calls)
        while lap is not None and self._waiting:
            early = lap + self._waiting[0].at - time.monotonic()
            if early > 0:
                return min(early, LONGEST_WAIT)
            # The camera may not have read the card before this call yet. Once it has, the match
            # changes, and ``run`` calls this again.
            if not self._say(self._waiting[0]):
                break
            self._waiting.popleft()
        return LONGEST_WAIT

    def _begin(self) -> None:
        begin_lap(self._room, self._header)

    def _say(self, call: Call) -> bool:
        """Enters a call; returns False if the events before it are not written yet."""
        table = self._room.table
        moment = table.moment
        if moment.seq < call.after:
            return False
        try:
            table.say(call.event, seen=moment.seq, source=Source.OPERATOR)
        except StaleAppend:
            return False
        except RuleError:
            pass  # somebody has entered something else on a phone; the next lap is right again
        return True
