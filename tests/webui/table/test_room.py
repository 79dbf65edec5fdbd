"""A table from set-up to the next match: in any order, with threads, and after a restart."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.engine.events import Event
from scorekeeper.engine.said import Source
from scorekeeper.errors import FormatError, RuleError
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.talk import TABLES, event
from tests.webui.evening import finish, left, say, shown, stage, together
from tests.webui.phones import begin, header
from webui.table.memory import Memory
from webui.table.room import Room

# --- one evening ---


def test_from_set_up_by_cutting_to_the_match_and_the_next_one(room, ledger) -> None:
    assert stage(room) == "setup"
    assert room.last_header() is None
    room.prepare(header())
    assert stage(room) == "cutting"
    room.cut(0, "K")
    room.cut(1, "K")
    assert room.cutting().due == (0, 1)
    room.cut(0, "A")
    room.cut(1, "7")
    room.begin_draft(None, who="Ana")
    assert stage(room) == "match"
    assert room.table.moment.match.dealer == room.snapshot().header.first_dealer
    first = room.table.match_id
    finish(room)
    room.again(who="Ana")
    assert room.table.match_id != first
    assert room.snapshot().header.seats == ("Ana", "Bea")
    assert ledger.ids() == [first, room.table.match_id]


def test_pictures_whose_match_is_gone_are_removed_at_the_start_and_with_each_match(
    ledger, memory
) -> None:
    def is_tidied_up() -> bool:
        return not (ledger.pictures.folder / "1000").exists()

    ledger.pictures.open(1000)
    room = Room(ledger, memory)
    assert is_tidied_up()
    ledger.pictures.open(1000)
    room.begin(header(), who=None)
    assert is_tidied_up()


def test_pictures_that_cannot_be_tidied_up_stop_nobody(ledger, memory, monkeypatch, caplog) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(ledger.pictures, "clean", refuse)
    Room(ledger, memory).begin(header(), who=None)
    assert "Permission denied" in caplog.text


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_any_dealer_may_be_named_and_no_other(room, game, seats) -> None:
    room.prepare(header(game, seats))
    for dealer in (-1, seats, 99):
        with pytest.raises(FormatError):
            room.begin_draft(dealer, who=None)
    assert stage(room) == "cutting"
    room.begin_draft(seats - 1, who=None)
    assert room.snapshot().header.first_dealer == seats - 1


def test_cuts_are_forgotten_when_the_table_cuts_again(room) -> None:
    room.prepare(header())
    room.cut(1, "A")
    room.cut_again()
    assert room.cutting().cuts == ()
    with pytest.raises(RuleError):
        room.cut(1, "2")
    with pytest.raises(RuleError):
        room.cut(3, "A")
    assert room.cutting().cuts == ()


@pytest.mark.parametrize(
    "refused",
    [
        lambda room: room.cut(0, "A"),
        lambda room: room.cut_again(),
        lambda room: room.cutting(),
        lambda room: room.begin_draft(0, who=None),
        lambda room: room.again(who=None),
        lambda room: room.table,
        lambda room: room.resume(9),
        lambda room: room.resume(10**30),
        lambda room: room.resume(-1),
    ],
)
def test_what_the_stage_does_not_allow_is_refused_and_changes_nothing(room, refused) -> None:
    before = shown(room)
    with pytest.raises(FormatError):
        refused(room)
    assert shown(room) == before


def test_a_match_that_goes_on_is_neither_set_up_anew_nor_played_again(room) -> None:
    begin(room)
    for refused in (lambda: room.prepare(header()), lambda: room.again(who=None)):
        with pytest.raises(FormatError):
            refused()
    assert stage(room) == "match"


def test_two_taps_set_up_one_table(room) -> None:
    room.prepare(header())
    room.cut(0, "A")
    room.prepare(header())
    assert len(room.cutting().cuts) == 1
    with pytest.raises(FormatError):
        room.prepare(header(seats=4))


def test_a_match_that_was_left_is_gone_on_with(room) -> None:
    match_id = begin(room)
    say(room, "0 deal 3", "1 play KS")
    room.clear()
    assert stage(room) == "setup"
    assert left(room) == match_id
    room.resume(match_id)
    assert room.table.moment.seq == 2
    assert room.unfinished() is None
    room.resume(match_id)
    assert room.table.moment.seq == 2


def test_a_match_that_is_won_is_not_offered_again(room) -> None:
    begin(room)
    finish(room)
    room.clear()
    assert room.unfinished() is None


def test_a_match_that_was_left_is_offered_still_after_a_table_that_was_not_begun(room) -> None:
    match_id = begin(room)
    room.clear()
    room.prepare(header(seats=4))
    room.clear()
    assert left(room) == match_id


def test_a_match_that_is_left_for_another_one_is_offered(room) -> None:
    first, second = begin(room), begin(room)
    assert left(room) == first
    room.resume(first)
    assert left(room) == second


def test_a_match_that_was_forgotten_is_not_offered(room, ledger) -> None:
    match_id = begin(room)
    room.clear()
    ledger.remove(match_id)
    assert room.unfinished() is None


# --- any order ---


def sit(room: Room, number: int) -> None:
    room.access.sit_down(f"phone {number % 3}", number % 4)
    room.changed()


STEPS = {
    "prepare": lambda room, n: room.prepare(header(seats=2 + 2 * (n % 2))),
    "cut": lambda room, n: room.cut(n % 4, "AK7"[n % 3]),
    "cut_again": lambda room, n: room.cut_again(),
    "begin_draft": lambda room, n: room.begin_draft(n % 4 if n % 2 else None, who=None),
    "begin": lambda room, n: room.begin(header(seats=2 + 2 * (n % 2)), who=None),
    "again": lambda room, n: room.again(who="Bea"),
    "finish": lambda room, n: finish(room),
    "deal": lambda room, n: say(room, f"{n % 4} deal 3"),
    "resume": lambda room, n: room.resume(n % 5),
    "clear": lambda room, n: room.clear(),
    "sit": lambda room, n: sit(room, n),
    "restart": None,
}


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 9)), max_size=16))
def test_after_any_order_of_steps_a_restart_finds_the_same_table(tmp_path_factory, steps):
    where = tmp_path_factory.mktemp("table")
    with Ledger(str(where / "ledger")) as ledger:
        memory = Memory("any", where)
        room = Room(ledger, memory)
        for name, number in steps:
            before, matches = shown(room), ledger.ids()
            step = STEPS[name]
            if step is None:
                memory.close()
                memory = Memory("any", where)
                room = Room(ledger, memory)
                assert shown(room) == before
                continue
            try:
                step(room, number)
            except RuleError:
                assert shown(room) == before
                assert ledger.ids() == matches
            except AssertionError:  # the match was over already, or could not be finished
                pass
            snapshot = room.snapshot()
            assert snapshot.draft is None or snapshot.match is None
            assert (snapshot.cutting is None) == (snapshot.draft is None)
            assert (snapshot.match_id is None) == (snapshot.match is None)
            assert room.unfinished() is None or left(room) != snapshot.match_id
        memory.close()


# --- several at once ---


def test_of_two_simultaneous_starts_one_succeeds(room, ledger) -> None:
    room.prepare(header())
    found = together(*[lambda: room.begin_draft(0, who=None)] * 4)
    assert sorted(type(one).__name__ for one in found) == ["FormatError"] * 3 + ["NoneType"]
    assert ledger.ids() == [room.table.match_id]


def test_of_two_simultaneous_rematches_one_begins(room, ledger) -> None:
    begin(room)
    finish(room)
    found = together(*[lambda: room.again(who=None)] * 4)
    assert sorted(type(one).__name__ for one in found) == ["FormatError"] * 3 + ["NoneType"]
    assert len(ledger.ids()) == 2


def test_cuts_at_once_are_all_kept(room) -> None:
    room.prepare(header(seats=4))
    ranks = ("A", "K", "Q", "J")
    assert together(*(lambda s=s: room.cut(s, ranks[s]) for s in range(4))) == [None] * 4
    assert sorted(room.cutting().cuts) == list(enumerate(ranks))


def test_screens_that_look_while_the_table_changes_see_whole_moments(room) -> None:
    begin(room)
    seen: list[tuple[int, int, int]] = []
    done, looking = threading.Event(), threading.Event()

    def look() -> None:
        while not done.is_set():
            snapshot = room.snapshot()
            assert len(snapshot.events) == snapshot.moment.seq
            assert snapshot.header is snapshot.match.header
            seen.append((snapshot.number, snapshot.match_id, snapshot.moment.seq))
            looking.set()

    def play() -> None:
        looking.wait(10)
        for _ in range(15):
            say(room, "award 0 1", "undo")
        begin(room, seats=4)
        say(room, "award 1 2")

    def end() -> None:
        try:
            play()
        finally:
            done.set()

    together(look, look, end)
    assert seen
    last = room.snapshot()
    assert (last.match_id, last.moment.seq) == (2, 1)
    by_number: dict[int, tuple[int, int]] = {}
    for number, match_id, seq in sorted(seen):
        assert by_number.setdefault(number, (match_id, seq)) == (match_id, seq)
    assert sorted(by_number.values()) == [by_number[number] for number in sorted(by_number)]


def test_news_of_a_match_that_was_left_is_not_told_at_the_next(room) -> None:
    """A slow subscriber delays the news until the table plays another match."""
    begin(room, seats=4)
    old, waiting, gone = room.table, threading.Event(), threading.Event()
    tellers = old._subscribers

    def slow(_: object) -> None:
        waiting.set()
        assert gone.wait(10)

    old._subscribers = (slow, *tellers)
    talk = threading.Thread(
        target=lambda: (
            old.say(event("3 deal 3"), seen=0, source=Source.PHONE)
            if old.moment.match.dealer == 3
            else old.say(Event("award", side=0, points=1), seen=0, source=Source.PHONE)
        )
    )
    talk.start()
    assert waiting.wait(10)
    begin(room, seats=2)
    gone.set()
    talk.join()
    assert old.moment.seq == 1
    assert room.snapshot().heard == ()


def test_whoever_goes_on_with_a_match_keeps_his_seat_and_nobody_takes_it(room) -> None:
    match_id = begin(room)
    room.access.sit_down("anas", 0)
    say(room, "0 deal 3")
    room.clear()
    room.prepare(replace(header(), seats=("Carl", "Dora")))
    assert room.access.grant("anas").seat is None
    room.access.sit_down("carls", 0)
    room.clear()
    room.resume(match_id)
    assert room.access.grant("carls").seat is None
