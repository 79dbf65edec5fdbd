"""A table whose disk or file fails, and what is found after a restart."""

from __future__ import annotations

import pytest

from scorekeeper.errors import LedgerError
from tests.webui.evening import finish, say, shown, stage
from tests.webui.phones import begin, header
from webui.table.memory import TableError
from webui.table.room import Room

# --- disks ---


def test_a_ledger_that_cannot_be_written_is_one_sentence_and_the_screens_go_on(
    room, ledger, monkeypatch
) -> None:
    begin(room)
    say(room, "0 deal 3")
    finished = shown(room)

    def full(*_: object, **__: object) -> None:
        raise LedgerError("The disk is full.")

    monkeypatch.setattr(ledger, "append", full)
    monkeypatch.setattr(ledger, "begin", full)
    for refused in (lambda: say(room, "1 play KS"), lambda: begin(room, seats=4)):
        with pytest.raises(LedgerError, match="full"):
            refused()
        assert shown(room) == finished
    monkeypatch.undo()
    say(room, "1 play KS")
    assert room.snapshot().moment.seq == 2


def set_read_only(room: Room, yes: int) -> None:
    room.ledger._connection.exec_driver_sql(f"PRAGMA query_only = {yes}")
    room.ledger._connection.rollback()


def test_a_real_ledger_that_is_read_only_keeps_what_there_is(room, folder) -> None:
    begin(room)
    say(room, "0 deal 3")
    before = shown(room)
    set_read_only(room, 1)
    with pytest.raises(LedgerError, match="is read-only"):
        say(room, "1 play KS")
    with pytest.raises(LedgerError, match="is read-only"):
        begin(room)
    assert shown(room) == before
    set_read_only(room, 0)
    say(room, "1 play KS")
    assert room.snapshot().moment.seq == 2


def test_a_real_ledger_on_a_full_disk_keeps_what_there_is(room) -> None:
    begin(room)
    connection = room.ledger._connection
    pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    connection.rollback()
    connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    connection.rollback()

    def fill() -> None:
        for _ in range(5000):
            say(room, "award 0 1", "undo")

    with pytest.raises(LedgerError, match="The disk is full: nothing was kept"):
        fill()
    kept = room.table.moment.seq
    assert room.snapshot().moment.seq == kept == room.ledger.last(room.table.match_id)


@pytest.mark.parametrize(
    "change",
    [
        lambda room: room.begin(header(seats=4), who=None),
        lambda room: room.clear(),
        lambda room: room.resume(1),
        lambda room: room.again(who=None),
    ],
)
def test_a_table_whose_file_cannot_be_written_stays_as_it_is(room, ledger, monkeypatch, change):
    begin(room)
    begin(room)
    finish(room)
    before, matches = shown(room), ledger.ids()

    def full(data: object) -> None:
        raise TableError("The disk is full.")

    monkeypatch.setattr(room._memory, "_write", full)
    with pytest.raises(TableError):
        change(room)
    assert shown(room) == before
    assert ledger.ids() == matches
    say(room, "undo")
    assert room.snapshot().moment.seq == 2
    monkeypatch.undo()
    change(room) if room.table.moment.match.winner is not None else room.clear()


@pytest.mark.parametrize("change", [lambda room: room.cut(0, "A"), lambda room: room.cut_again()])
def test_a_cut_that_could_not_be_kept_was_not_made(room, monkeypatch, change) -> None:
    room.prepare(header())
    room.cut(1, "K")
    before = shown(room)

    def full(data: object) -> None:
        raise TableError("The disk is full.")

    monkeypatch.setattr(room._memory, "_write", full)
    with pytest.raises(TableError):
        change(room)
    assert shown(room) == before


# --- after a restart ---


@pytest.mark.parametrize(
    "damage",
    [
        {"draft": 5},
        {"draft": {}},
        {"draft": {"format": "trucam-record/9"}},
        {"draft": header().to_json() | {"game": "poker"}},
        {"draft": header().to_json(), "cuts": 5},
        {"draft": header().to_json(), "cuts": [1]},
        {"draft": header().to_json(), "cuts": [[0, "A"], [1, "Z"]]},
        {"draft": header().to_json(), "cuts": [[0, []], [1, {}]]},
        {"match": 99},
        {"match": "x"},
        {"match": -1},
        {"match": 10**30},
        {"match": []},
        {"left": "x", "last": 5},
        {"left": [], "last": {"format": "trucam-record/1"}},
    ],
    ids=str,
)
def test_damaged_memory_leads_to_set_up(ledger, memory, damage, caplog) -> None:
    with memory.changing() as data:
        data.update(damage)
    room = Room(ledger, memory)
    assert stage(room) == "setup"
    assert room.last_header() is None
    assert room.unfinished() is None
    room.prepare(header())
    room.begin_draft(0, who=None)
    assert stage(room) == "match"


def test_a_match_that_breaks_the_rules_is_left_with_a_warning(ledger, memory, caplog) -> None:
    room = Room(ledger, memory)
    begin(room)
    say(room, "0 deal 3")
    ledger._connection.exec_driver_sql(
        """UPDATE events SET event = '{"do": "play", "seat": 0, "card": "KS"}'"""
    )
    ledger._connection.commit()
    room = Room(ledger, memory)
    assert stage(room) == "setup"
    assert "match 1 is not gone on with" in caplog.text


def test_news_is_announced_only_for_a_while(room, monkeypatch) -> None:
    begin(room)
    say(room, "0 deal 3")
    assert [heard.number for heard in room.snapshot().heard] == [1]
    monkeypatch.setattr("webui.table.room.NEWS_SECONDS", 0.0)
    room.changed()
    assert room.snapshot().heard == ()
