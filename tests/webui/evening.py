"""Steps of an evening at a table, for the tests of ``webui.table`` and ``webui.camera``."""

from __future__ import annotations

import threading
from collections.abc import Callable

from scorekeeper.engine.said import Source
from scorekeeper.errors import ScorekeeperError
from tests.scorekeeper.talk import event
from webui.presenters.table_state import state
from webui.table.access import VIEWER, Grant
from webui.table.room import Room

EVERYBODY = (VIEWER, Grant(0), Grant(1), Grant(3), Grant(host=True))


def say(room: Room, *texts: str) -> None:
    for text in texts:
        room.table.say(event(text), seen=room.table.moment.seq, source=Source.PHONE, who="Ana")


def finish(room: Room) -> None:
    """Has the first side win the match, by an award of points."""
    say(room, f"award 0 {room.table.moment.match.rules.target * 3}")
    assert room.table.moment.match.winner == 0


def shown(room: Room) -> list[dict]:
    return [state(room.snapshot(), grant, "en") for grant in EVERYBODY]


def stage(room: Room) -> str:
    return state(room.snapshot(), VIEWER, "en")["stage"]


def together(*calls: Callable[[], object]) -> list[object]:
    """Runs calls at the same time, each in a thread; returns their results or errors."""
    gate = threading.Barrier(len(calls))
    found: list[object] = [None] * len(calls)

    def run(number: int) -> None:
        gate.wait()
        try:
            found[number] = calls[number]()
        except ScorekeeperError as error:
            found[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def left(room: Room) -> int | None:
    """The number of the match that was left without a winner."""
    entry = room.unfinished()
    return None if entry is None else entry.id
