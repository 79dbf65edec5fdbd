"""A table plays on its own ledger, and its courier sends each event to the club exactly once."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import ANY

import pytest
from sqlalchemy import delete, make_url, update

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.pairing import draw
from scorekeeper.engine.events import Event
from scorekeeper.engine.said import Source
from scorekeeper.errors import FormatError, LedgerError
from scorekeeper.storage.courier import Courier
from scorekeeper.storage.hall import Hall
from scorekeeper.storage.joining import Join, parse_join
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.outbox import Backlog, Outbox, Stored
from scorekeeper.storage.schema import events, matches
from scorekeeper.storage.table import Table
from scorekeeper.storage.watch import Watch
from tests.simulated_club import opened
from tests.webui.proxy import Proxy

OURS = 2
"""The number of the table that has its own ledger."""


@pytest.fixture
def hall(ledger: Ledger) -> Hall:
    """A tournament of two tables in its first round, in the club's ledger."""
    hall = opened(ledger, tables=2, game="le_truc_ace", rounds=2)
    draw_round(hall)
    return hall


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Ledger]:
    """The table's own ledger."""
    with Ledger(str(tmp_path / "own")) as ledger:
        yield ledger


@pytest.fixture
def courier(own: Ledger, ledger_url: str) -> Iterator[Courier]:
    """The courier between both ledgers; it runs when the test calls it."""
    with courier_of(own, ledger_url) as courier:
        yield courier


def courier_of(own: Ledger, url: str, table: int = OURS) -> Courier:
    return Courier(own, Join(make_url(url), table))


def draw_round(hall: Hall) -> None:
    hall.refresh()
    hall.say(draw(hall.moment.tournament, seed=3), seen=hall.moment.seq)


def taken(courier: Courier, own: Ledger) -> Table:
    match = courier.take()
    assert match is not None
    return Table(own, match)


def award(table: Table, points: int = 1) -> None:
    table.say(Event("award", side=0, points=points), seen=table.moment.seq, source=Source.PHONE)


def there(hall: Hall, table: int = OURS) -> list[tuple[int, Event]]:
    hall.refresh()
    return list(enumerate(hall.moment.tables[table].events, 1))


def here(table: Table) -> list[tuple[int, Event]]:
    return list(enumerate(table.log()[1], 1))


def test_a_table_plays_what_was_drawn_for_it_on_its_own_ledger(
    hall: Hall, courier: Courier, own: Ledger
) -> None:
    table = taken(courier, own)
    assert own.match(table.match_id).header == hall.moment.tables[OURS].entry.header
    assert own.match(table.match_id).begun == hall.moment.tables[OURS].entry.begun
    assert courier.take() == table.match_id
    assert own.ids() == [table.match_id]


def test_what_was_said_is_brought_once_with_its_circumstances(
    hall: Hall, courier: Courier, own: Ledger
) -> None:
    table = taken(courier, own)
    award(table)
    table.say(Event("undo"), seen=1, source=Source.OPERATOR, who="host")
    for _ in range(2):
        courier.exchange()
        assert there(hall) == here(table)
    award(table, points=12)
    courier.exchange()
    assert there(hall) == here(table)
    result = hall.moment.tournament.meeting(1, OURS).result
    assert result is not None
    assert (result.winner, result.score) == (0, (12, 0))


def test_an_acknowledgement_that_was_lost_does_no_harm(
    hall: Hall, courier: Courier, own: Ledger
) -> None:
    table = taken(courier, own)
    for _ in range(3):
        award(table)
    courier.exchange()
    Outbox(own, OURS).mark(table.match_id, 1)
    award(table)
    courier.exchange()
    assert there(hall) == here(table)


def test_a_club_that_went_back_to_a_copy_is_brought_everything_again(
    hall: Hall, courier: Courier, own: Ledger, ledger: Ledger
) -> None:
    table = taken(courier, own)
    for _ in range(4):
        award(table)
    courier.exchange()
    with ledger.transaction() as connection:
        connection.execute(delete(events).where(events.c.seq > 1))
    award(table)
    courier.exchange()
    assert [entry.event for entry in ledger.read(hall.moment.tables[OURS].entry)] == [
        entry.event for entry in own.read(own.match(table.match_id))
    ]


def test_more_events_than_are_carried_at_once_come_in_their_order(
    hall: Hall, courier: Courier, own: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("outbox", "courier"):
        monkeypatch.setattr(f"scorekeeper.storage.{module}.MOST", 2)
    table = taken(courier, own)
    for _ in range(5):
        award(table)
    courier.exchange()
    assert there(hall) == here(table)


def other_event(hall: Hall, ledger: Ledger, own: Ledger) -> None:
    """Another laptop has joined with the same code."""
    match = hall.moment.tables[OURS].entry.id
    Table(ledger, match).say(Event("award", side=1, points=2), seen=0, source=Source.PHONE)


def no_draw(hall: Hall, ledger: Ledger, own: Ledger) -> None:
    Table(ledger, hall.moment.tables[OURS].entry.id).say(
        Event("award", side=1, points=2), seen=0, source=Source.PHONE
    )
    hall.say(ClubEvent("cancel_draw", round=1, note="too late"), seen=hall.moment.seq)


def no_match(hall: Hall, ledger: Ledger, own: Ledger) -> None:
    ledger.remove(hall.moment.tables[OURS].entry.id)


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        (other_event, "another table plays this match as well"),
        (no_draw, "the club has taken this draw back"),
        (no_match, "the club has taken this draw back"),
    ],
)
def test_what_the_club_does_not_take_is_said_and_harms_no_other_match(
    hall: Hall, courier: Courier, own: Ledger, ledger: Ledger, what, reason: str
) -> None:
    table = taken(courier, own)
    award(table)
    what(hall, ledger, own)
    before = {n: ledger.read(ledger.match(n)) for n in ledger.ids()}
    courier.exchange()
    assert courier.view.refused == reason
    assert courier.view.backlog.events == 1
    assert {n: ledger.read(ledger.match(n)) for n in ledger.ids()} == before
    award(table)  # people play on meanwhile


def test_nothing_is_brought_into_a_match_of_another_evening(
    hall: Hall, courier: Courier, own: Ledger
) -> None:
    table = taken(courier, own)
    award(table)
    with own.transaction() as connection:
        connection.execute(update(matches).values(begun_at="2026-11-20T20:15:03.120Z"))
    assert courier.exchange() not in {None, table.match_id}
    assert there(hall) == []


def test_a_new_machine_goes_on_with_what_the_club_has(
    hall: Hall, courier: Courier, own: Ledger, ledger_url: str, tmp_path: Path
) -> None:
    first = taken(courier, own)
    award(first, points=3)
    courier.exchange()
    with Ledger(str(tmp_path / "new")) as new, courier_of(new, ledger_url) as second:
        table = taken(second, new)
        assert here(table) == here(first)
        award(table)
        second.exchange()
        assert there(hall) == here(table)
        award(first)
        courier.exchange()
        assert courier.view.refused == "another table plays this match as well"


def test_the_next_round_is_taken_as_it_is_drawn(hall: Hall, courier: Courier, own: Ledger) -> None:
    first = courier.exchange()
    assert first is not None
    assert courier.exchange() is None
    award(Table(own, first), points=12)
    courier.exchange()
    hall.refresh()
    assert courier.take() is None  # it has its result
    result = ClubEvent("result", round=1, table=1, score=(12, 3), winner=0)
    hall.say(result, seen=hall.moment.seq)
    draw_round(hall)
    second = courier.exchange()
    assert second is not None
    assert own.match(second).header == hall.moment.tables[OURS].entry.header
    assert courier.view.latest == second


def test_who_cannot_reach_the_club_is_told_how_much_waits_and_since_when(
    hall: Hall, own: Ledger, tmp_path: Path, ledger_url: str
) -> None:
    with courier_of(own, ledger_url) as courier:
        match = courier.exchange()
        assert match is not None
    with courier_of(own, ledger_url) as courier:  # the program was started again
        table = Table(own, match)
        award(table)
        award(table)
        said = own.read(own.match(match))[0].said.at
        assert courier.view.backlog == Backlog(2, said)
        assert courier.view.reached is False
        with pytest.raises(LedgerError, match="no club's ledger"):
            courier_of(own, f"sqlite:///{tmp_path / 'nowhere'}").exchange()
        courier.exchange()
        assert courier.view.backlog == Backlog(0, None)


@pytest.mark.parametrize("silent", [False, True])
def test_a_network_that_is_cut_holds_nobody_up_and_loses_nothing(
    postgres_url: str, own: Ledger, monkeypatch: pytest.MonkeyPatch, silent: bool
) -> None:
    url = make_url(postgres_url)
    with Ledger(postgres_url) as ledger, closing(Proxy(url.port or 5432)) as network:
        hall = opened(ledger, tables=2, game="le_truc_ace")
        draw_round(hall)
        through = url.set(port=network.port).render_as_string(hide_password=False)
        with courier_of(own, through) as courier:
            match = courier.exchange()
            assert match is not None
            table = Table(own, match)
            network.cut(silent=silent)
            award(table)
            going = threading.Thread(target=courier.exchange_and_report)
            going.start()
            if silent:
                monkeypatch.setattr("scorekeeper.storage.courier.SILENT_SECONDS", -1.0)
            else:
                going.join()
            award(table)
            assert (courier.view.reached, courier.view.backlog.events) == (False, 2)
            network.mend()
            going.join()
            assert courier.exchange_and_report() is True
            assert there(hall) == here(table)


def test_a_started_courier_runs_by_itself(
    hall: Hall, own: Ledger, ledger: Ledger, ledger_url: str
) -> None:
    drawn: queue.Queue[int] = queue.Queue()
    join = Join(make_url(ledger_url), OURS)
    with Watch(ledger_url) as watch, Courier(own, join, drawn.put) as courier:
        courier.start()
        table = Table(own, drawn.get(timeout=60))
        while not there(hall):
            if table.moment.seq == 0:
                award(table)
                courier.wake()
            assert watch.wait(60)
        assert there(hall) == here(table)


@pytest.mark.parametrize("reached", [True, False])
def test_the_last_events_are_sent_before_the_courier_ends(
    hall: Hall, own: Ledger, ledger_url: str, reached: bool
) -> None:
    drawn: queue.Queue[int] = queue.Queue()
    with Courier(own, Join(make_url(ledger_url), OURS), drawn.put) as courier:
        courier.start()
        table = Table(own, drawn.get(timeout=60))
        while not courier.view.reached:
            time.sleep(0.01)
        courier._reached = reached
        award(table)  # nobody wakes it
    assert there(hall) == (here(table) if reached else [])
    assert courier.view.backlog == Backlog(0 if reached else 1, ANY)


def test_the_courier_tries_again_after_growing_pauses(
    own: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    with courier_of(own, f"sqlite:///{tmp_path / 'nowhere'}") as courier:

        def wait(seconds: float) -> bool:
            pauses.append(seconds)
            return True

        monkeypatch.setattr("random.uniform", lambda low, high: high)
        flag = SimpleNamespace(is_set=lambda: len(pauses) == 8, wait=wait, set=lambda: None)
        monkeypatch.setattr(courier, "_ended", flag)
        courier._run()
    assert pauses == [0.5, 1, 2, 4, 8, 10, 10, 10]


def test_an_unexpected_error_does_not_end_the_courier(
    hall: Hall, courier: Courier, own: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = taken(courier, own)
    award(table)
    with monkeypatch.context() as patch:
        patch.setattr("scorekeeper.storage.outbox.Outbox.waiting", lambda outbox: 1 / 0)
        assert courier.exchange_and_report() is False
    assert courier.exchange_and_report() is True
    assert there(hall) == here(table)


def test_on_the_same_ledger_the_clubs_own_match_is_played(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'both'}"
    with Ledger(url) as ledger, courier_of(ledger, url) as courier:
        hall = opened(ledger, tables=2, game="le_truc_ace")
        draw_round(hall)
        match = courier.exchange()
        assert match == hall.moment.tables[OURS].entry.id
        award(Table(ledger, match))
        courier.exchange()
        assert (len(there(hall)), courier.view.backlog.events, len(ledger.ids())) == (1, 0, 2)


def test_a_removed_match_is_no_more_brought(hall: Hall, courier: Courier, own: Ledger) -> None:
    table = taken(courier, own)
    award(table)
    own.remove(table.match_id)
    courier.exchange()
    assert there(hall) == []
    assert courier.view.backlog.events == 0


@pytest.mark.parametrize(
    ("code", "url", "table"),
    [
        ("sqlite:////home/a/ledger#3", "sqlite:////home/a/ledger", 3),
        (" 'postgresql://t:k@192.168.1.5:5432/club#12'\n",
         "postgresql+psycopg://t:k@192.168.1.5:5432/club", 12),
        ("postgresql+psycopg://t:k%23@h/club?sslmode=require#1",
         "postgresql+psycopg://t:k%23@h/club?sslmode=require", 1),
    ],
)  # fmt: skip
def test_a_code_is_read_and_written(code: str, url: str, table: int) -> None:
    join = parse_join(code)
    assert join == Join(make_url(url), table)
    assert parse_join(str(join)) == join


@pytest.mark.parametrize(
    "code", ["", "7", "#7", "sqlite:////a", "sqlite:////a#x", "mysql://a/b#7", "a/b#7",
             "sqlite:////a#0000", "postgresql://h:x/c#1"]
)  # fmt: skip
def test_what_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(FormatError, match="copy it whole"):
        parse_join(code)


def test_an_event_has_the_columns_of_the_ledger() -> None:
    """If the ledger gets a new column for events, the courier must send it, too."""
    assert {"match_id", *Stored._fields} == {column.name for column in events.columns}


def test_a_draw_is_taken_back_where_a_table_of_the_same_ledger_has_taken_its_match(
    hall: Hall, ledger: Ledger, ledger_url: str
) -> None:
    match = hall.moment.tables[OURS].entry.id
    with courier_of(ledger, ledger_url) as courier:
        assert courier.take() == match
    hall.say(ClubEvent("cancel_draw", round=1, note="too late"), seen=hall.moment.seq)
    assert match in ledger.ids()
