"""``Table`` checks an event, stores it and then tells subscribers; also with several processes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.said import Source
from scorekeeper.errors import FormatError, LedgerError, NotYourTurn, StaleAppend
from scorekeeper.games.cards import Card
from scorekeeper.history import corrections
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Moment, News, Table
from tests.scorekeeper.playouts import HEADERS, any_event, bare, same_state
from tests.scorekeeper.talk import LT_ACE, event

HEADER = Header(game=LT_ACE, seats=("Ana", "Bea"))


@pytest.fixture
def table(ledger: Ledger) -> Table:
    return Table.begin(ledger, HEADER, source=Source.OPERATOR)


def say(table: Table, *texts: str) -> Moment:
    for text in texts:
        moment = table.say(event(text), seen=table.moment.seq, source=Source.PHONE, who="Ana")
    return moment


def stored(ledger: Ledger, table: Table) -> list[Event]:
    return [entry.marked for entry in ledger.read(ledger.match(table.match_id))]


def test_what_is_said_is_applied_and_stored(ledger: Ledger, table: Table) -> None:
    moment = say(table, "0 deal 3", "1 play KS")
    assert moment == table.moment
    assert moment.seq == 2
    assert moment.match == replay(HEADER, stored(ledger, table))
    assert table.log() == (moment, tuple(stored(ledger, table)))


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (event("0 play KS"), NotYourTurn),
        (Event("play", 1, card=Card("X", "S")), FormatError),
        (Event("play", 7, card=Card("K", "S")), FormatError),
        (Event("trut", 1), FormatError),
        (Event("dance", 1), FormatError),
        (event("1 play KS")._replace(remarks={"x": float("inf")}), FormatError),
    ],
)
def test_what_is_not_legal_or_could_not_be_read_again_is_not_stored(
    ledger: Ledger, table: Table, wrong: Event, error: type[Exception]
) -> None:
    before = say(table, "0 deal 3")
    with pytest.raises(error):
        table.say(wrong, seen=1, source=Source.PHONE)
    with pytest.raises(error):
        table.say(event("1 raise 2"), event("0 accept"), wrong, seen=1, source=Source.PHONE)
    assert table.moment == before
    assert ledger.last(table.match_id) == 1


@pytest.mark.parametrize("seen", [0, 2, -1])
def test_an_old_number_is_refused_before_anything_is_judged(table: Table, seen: int) -> None:
    say(table, "0 deal 3")
    with pytest.raises(StaleAppend) as refused:
        table.say(event("1 play KS"), seen=seen, source=Source.CAMERA)
    assert (refused.value.seen, refused.value.now) == (seen, 1)


def test_when_another_process_was_first_the_table_catches_up_and_says_so(
    ledger_url: str, ledger: Ledger, table: Table
) -> None:
    told: list[News] = []
    table.subscribe(told.append)
    with Ledger(ledger_url) as elsewhere:
        other = Table(elsewhere, table.match_id)
        say(other, "0 deal 3", "1 play KS")
        with pytest.raises(StaleAppend) as refused:
            table.say(event("0 deal 3"), seen=0, source=Source.PHONE)
        assert (refused.value.seen, refused.value.now) == (0, 2)
        assert table.moment == other.moment
        assert [e.do for news in told for e in news.events] == ["deal", "play"]


def test_of_many_who_answer_at_once_one_is_heard(ledger: Ledger, table: Table) -> None:
    say(table, "0 deal 3", "1 raise 2")
    barrier = threading.Barrier(8)
    outcomes: list[str] = []

    def answer(do: str) -> None:
        barrier.wait()
        try:
            table.say(Event(do, 0), seen=2, source=Source.PHONE)
        except StaleAppend:
            outcomes.append("late")
        else:
            outcomes.append("first")

    threads = [
        threading.Thread(target=answer, args=(do,)) for do in ("accept", "reject") for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["first"] + ["late"] * 7
    assert ledger.last(table.match_id) == 3


def test_subscribers_are_told_after_it_is_stored_and_in_order(ledger: Ledger, table: Table) -> None:
    told: list[tuple[int, int, int]] = []

    def tell(news: News) -> None:
        told.append((news.before.seq, news.now.seq, ledger.last(table.match_id)))

    leave = table.subscribe(tell)
    say(table, "0 deal 3", "1 play KS")
    leave()
    leave()
    say(table, "0 play 9H")
    assert told == [(0, 1, 1), (1, 2, 2)]


def test_a_subscriber_that_fails_harms_neither_the_append_nor_the_others(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[int] = []

    def fail(news: News) -> None:
        raise RuntimeError("no loudspeaker")

    table.subscribe(fail)
    table.subscribe(lambda news: told.append(news.now.seq))
    say(table, "0 deal 3", "1 play KS")
    assert told == [1, 2]
    assert len(caplog.records) == 2


def test_a_subscriber_may_say_something_and_all_hear_everything_in_order(table: Table) -> None:
    told: list[int] = []

    def play_on(news: News) -> None:
        if news.now.seq == 1:
            say(table, "1 play KS")

    table.subscribe(play_on)
    table.subscribe(lambda news: told.append(news.now.seq))
    say(table, "0 deal 3")
    assert told == [1, 2]


def test_the_moment_is_seen_while_an_append_is_being_told(table: Table) -> None:
    seen: list[int] = []
    table.subscribe(lambda news: seen.append(table.moment.seq))
    say(table, "0 deal 3")
    assert seen == [1]


def test_a_correction_is_one_append_and_is_taken_back_as_one(table: Table) -> None:
    say(table, "0 deal 3", "1 play KS", "0 play 9H")
    told: list[News] = []
    table.subscribe(told.append)
    wrong = table.moment.match
    moment, events = table.log()
    made = corrections.replace(moment.match, events, 2, event("1 play QS"))
    after = table.say(*made.events, seen=made.seen, source=Source.OPERATOR, who="Bea")
    assert same_state(after.match, made.match)
    moment, events = table.log()
    back = corrections.take_back(moment.match, events, made.group)
    table.say(*back.events, seen=back.seen, source=Source.OPERATOR)
    assert same_state(table.moment.match, wrong)
    assert len(told) == 2


def test_an_event_that_is_said_again_keeps_who_had_said_it(table: Table) -> None:
    say(table, "0 deal 3", "1 play KS", "0 play 9H")
    moment, events = table.log()
    made = corrections.replace(moment.match, events, 2, event("1 play QS"))
    table.say(*made.events, seen=made.seen, source=Source.OPERATOR, who="Bea")
    _, events = table.log()
    *_, corrected, again = events
    assert (corrected.remarks["_who"], corrected.remarks["_source"]) == ("Bea", "operator")
    assert (again.remarks["_who"], again.remarks["_source"]) == ("Ana", "phone")
    assert again.remarks["_at"] == events[2].remarks["_at"]


def test_a_correction_that_was_computed_before_somebody_spoke_is_refused(table: Table) -> None:
    say(table, "0 deal 3", "1 play KS")
    moment, events = table.log()
    made = corrections.remove(moment.match, events, 2)
    say(table, "0 play 9H")
    with pytest.raises(StaleAppend):
        table.say(*made.events, seen=made.seen, source=Source.OPERATOR)


def test_a_failing_disk_changes_nothing_at_the_table(tmp_path: Path) -> None:
    told: list[News] = []
    with Ledger(str(tmp_path / "ledger")) as ledger:
        table = Table.begin(ledger, HEADER, source=Source.OPERATOR)
        before = say(table, "0 deal 3")
        table.subscribe(told.append)
        ledger._connection.exec_driver_sql("PRAGMA query_only=ON")
        ledger._connection.rollback()
        with pytest.raises(LedgerError):
            say(table, "1 play KS")
        assert table.moment == before
        assert told == []
        ledger._connection.exec_driver_sql("PRAGMA query_only=OFF")
        ledger._connection.rollback()
        assert say(table, "1 play KS").seq == 2


def test_nothing_said_is_no_append(table: Table) -> None:
    with pytest.raises(ValueError, match="nothing was said"):
        table.say(seen=0, source=Source.PHONE)


def test_a_table_of_no_match_cannot_be_opened(ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="There is no match 9"):
        Table(ledger, 9)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    with Ledger(str(tmp_path_factory.mktemp("evening") / "ledger")) as ledger:
        yield ledger


@settings(max_examples=15)
@given(st.sampled_from(HEADERS), st.randoms(use_true_random=False))
def test_a_table_that_is_opened_again_stands_where_it_stood(
    evening: Ledger, header: Header, chance: Random
) -> None:
    table = Table.begin(evening, header, source=Source.OPERATOR)
    for _ in range(25):
        match, events = table.moment.match, table.log()[1]
        stand = corrections.standing(events)
        new = any_event(match, chance)
        if stand and chance.random() < 0.2:
            made = corrections.remove(match, events, chance.choice(stand).seq)
            table.say(*made.events, seen=made.seen, source=Source.OPERATOR)
        elif new is not None:
            table.say(new, seen=table.moment.seq, source=Source.PHONE)
    again = Table(evening, table.match_id)
    assert again.moment == table.moment
    assert again.log() == table.log()
    assert again.moment.match == replay(header, table.log()[1])
    assert bare(list(table.log()[1])) == [
        entry.event.bare() for entry in evening.read(evening.match(table.match_id))
    ]
